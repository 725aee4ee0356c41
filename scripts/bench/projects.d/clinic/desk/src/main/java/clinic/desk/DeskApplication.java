package clinic.desk;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The clinic. */
@SpringBootApplication
public class DeskApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(DeskApplication.class, arguments);
    }
}

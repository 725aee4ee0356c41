package clinic.desk;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest
class DeskApplicationTest {
    @Autowired
    private AppointmentDesk desk;

    @Test
    void serves() {
        desk.open();
        assertTrue(desk.book("Bob", "Tom", "vaccination", 30));
        assertNotNull(desk.next());
    }
}

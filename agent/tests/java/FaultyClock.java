import java.time.Instant;

/** Asks for the time in both ways the JVM has, and says nothing of what it is. */
public class FaultyClock {
    public static void main(String[] arguments) {
        boolean passes = System.currentTimeMillis() > 0 && Instant.now().getEpochSecond() > 0;
        System.out.println(passes ? "time passes" : "no time");
        System.exit(3);
    }
}

import java.time.Instant;
import java.time.LocalDate;
import java.util.Calendar;
import java.util.Date;

/** Prints the days since 1970 by every way of asking, in interpreted and in compiled code; a line each. */
public class Today {
    static final long DAY = 24L * 60 * 60 * 1000;

    public static void main(String[] arguments) {
        ask();
        // Compiled code must ask the same clock.
        long first = 0;
        for (int i = 0; i < 3_000_000; i++) {
            first |= System.currentTimeMillis() ^ new Date().getTime();
        }
        System.err.println(first == 42 ? "luck" : "");
        ask();
    }

    private static void ask() {
        System.out.println(System.currentTimeMillis() / DAY);
        System.out.println(new Date().getTime() / DAY);
        System.out.println(Calendar.getInstance().getTimeInMillis() / DAY);
        System.out.println(Instant.now().toEpochMilli() / DAY);
        System.out.println(LocalDate.now(java.time.ZoneOffset.UTC).toEpochDay());
    }
}

package demo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Keeps all its state in static fields, of every kind that a worker makes as it was. */
public class Ledger extends LedgerBase {
    private static int entries = 3;
    private static String title = "new";
    private static final int[] SUMS = {1, 2};
    private static final List<String> LINES = new ArrayList<>(List.of("head"));
    private static final Map<String, Integer> BY_NAME = new HashMap<>(Map.of("a", 1));
    private static final AtomicInteger NEXT = new AtomicInteger(7);
    private static final AtomicReference<String> OWNER = new AtomicReference<>("nobody");
    private static final List<String> FIXED = List.of("fixed");
    /** Behind an object of the program: nobody knows how that was. */
    private static final Ledger SELF = new Ledger();

    private int own;

    public static void change() {
        entries++;
        title = null;
        SUMS[1] = 9;
        LINES.add("line");
        BY_NAME.put("b", 2);
        BY_NAME.remove("a");
        NEXT.incrementAndGet();
        OWNER.set("somebody");
        above = 5;
        SELF.own++;
    }

    public static String state() {
        return entries + " " + title + " " + SUMS[1] + " " + LINES + " " + BY_NAME + " " + NEXT + " " + OWNER + " " + FIXED + " " + above + " " + SELF.own;
    }
}

class LedgerBase {
    static int above = 4;
}

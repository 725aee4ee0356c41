package io.dynaflow.mutants;

/**
 * What classes with mutants ask and call: the number of the active mutant, and where probes report to. Knows nothing of mutants or
 * tests. Invariant: it needs the JDK alone, so that the boot loader can have it and every loader finds it.
 */
public final class Switch {
    /** The number of the active mutant, 0 for none. */
    public static int active;
    /** By number, whether its probe was met; numbers beyond its end are not recorded. */
    public static boolean[] met = new boolean[0];

    private Switch() {}

    /** Called before the instruction of a mutant runs, in classes with probes. */
    public static void reached(int number) {
        boolean[] all = met;
        if (number < all.length) {
            all[number] = true;
        }
    }
}

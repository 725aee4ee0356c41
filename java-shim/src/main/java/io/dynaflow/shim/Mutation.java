package io.dynaflow.shim;

import io.dynaflow.mutants.Switch;

/**
 * The way to the switch of mutants, which is there only when the classes under test have mutants or probes. Knows nothing of what mutants do.
 * Invariant: without the switch every call does nothing; a mutant is active only between {@link #begin} and {@link #end}.
 */
final class Mutation {
    /** Whether the classes under test have mutants or probes. */
    static final boolean PRESENT = isPresent();

    private Mutation() {}

    private static boolean isPresent() {
        try {
            Class.forName("io.dynaflow.mutants.Switch", true, null);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Makes room for so many numbers of probes. */
    static void probes(int numbers) {
        if (PRESENT && Switch.met.length != numbers) {
            Switch.met = new boolean[numbers];
        }
    }

    /** Makes a mutant active, 0 for none, and forgets what was met before. */
    static void begin(int mutant) {
        if (!PRESENT) {
            return;
        }
        boolean[] all = Switch.met;
        for (int number = 0; number < all.length; number++) {
            all[number] = false;
        }
        Switch.active = mutant;
    }

    static void end() {
        if (PRESENT) {
            Switch.active = 0;
        }
    }

    /** Writes how many probes were met since the last begin, and their numbers, ascending. */
    static void met(Output out) {
        int counted = out.reserve();
        int count = 0;
        boolean[] all = PRESENT ? Switch.met : new boolean[0];
        for (int number = 0; number < all.length; number++) {
            if (all[number]) {
                out.i32(number);
                count++;
            }
        }
        out.patch(counted, count);
    }
}

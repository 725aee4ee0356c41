package io.dynaflow.mutants;

import java.util.TreeSet;

/** The switch that woven classes ask, as tests have it. */
public final class Switch {
    public static int active;
    public static final TreeSet<Integer> REACHED = new TreeSet<>();

    public static void reached(int number) {
        REACHED.add(number);
    }
}

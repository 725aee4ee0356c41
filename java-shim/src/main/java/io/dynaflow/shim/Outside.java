package io.dynaflow.shim;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the running test does beyond its own objects: what the agent's hooks saw, and what of the JVM's state is not as it was.
 * Knows nothing of where tests come from. Invariant: without the agent every test does nothing of the kind.
 */
final class Outside {
    /** How long threads that a test started may take to end. */
    private static final long GRACE_MILLIS = 50;
    private static final int TEXTS = 6;

    private static final MethodHandle BEGIN;
    private static final MethodHandle STATEMENT;
    private static final MethodHandle END;
    private static final MethodHandle TOUCHED_AT;
    private static final MethodHandle TOUCHED_BY;

    static {
        Class<?> seen = null;
        try {
            seen = Class.forName("java.lang.DynaflowOutside", true, null);
        } catch (ClassNotFoundException e) {
            seen = null;
        }
        BEGIN = find(seen, "begin", void.class, String.class);
        STATEMENT = find(seen, "statement", void.class, int.class);
        END = find(seen, "end", String[].class, long.class);
        TOUCHED_AT = find(seen, "touchedAt", int.class, String.class);
        TOUCHED_BY = find(seen, "touchedBy", String.class, String.class);
    }

    private Outside() {}

    private static MethodHandle find(Class<?> seen, String name, Class<?> result, Class<?>... parameters) {
        if (seen == null) {
            return null;
        }
        try {
            return MethodHandles.publicLookup().findStatic(seen, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the agent does not fit this worker: " + seen.getName() + " has no " + name, e);
        }
    }

    /** One thing that was done. */
    static final class Effect {
        /** The test that did it; empty between tests. */
        final String test;
        final String kind;
        /** Where, of files; empty otherwise. */
        final String place;
        final String what;
        /** The statement that did it, -1 if unknown. */
        final int statement;
        /** The class whose initialiser did it; empty if none did. */
        final String initialiser;

        Effect(String test, String kind, String place, String what, int statement, String initialiser) {
            this.test = test;
            this.kind = kind;
            this.place = place;
            this.what = what;
            this.statement = statement;
            this.initialiser = initialiser;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Effect && key().equals(((Effect) other).key());
        }

        @Override
        public int hashCode() {
            return key().hashCode();
        }

        private String key() {
            return test + '\0' + kind + '\0' + place + '\0' + what;
        }
    }

    static void begin(String test) {
        if (BEGIN != null) {
            try {
                BEGIN.invokeExact(test);
            } catch (Throwable e) {
                throw failed(e);
            }
        }
    }

    static void statement(int index) {
        if (STATEMENT != null) {
            try {
                STATEMENT.invokeExact(index);
            } catch (Throwable e) {
                throw failed(e);
            }
        }
    }

    /** What was done since the last end, by the test and by threads of earlier ones. */
    static Set<Effect> end(String test, Surroundings before) {
        Set<Effect> effects = new LinkedHashSet<Effect>();
        if (END == null) {
            return effects;
        }
        try {
            // Before the end, which forgets where they were touched.
            List<Effect> changes = new ArrayList<Effect>();
            for (String[] change : before.changes()) {
                int statement = (int) TOUCHED_AT.invokeExact(change[0]);
                String initialiser = (String) TOUCHED_BY.invokeExact(change[0]);
                changes.add(new Effect(test, change[0], "", change[1], statement, initialiser));
            }
            String[] texts = (String[]) END.invokeExact(GRACE_MILLIS);
            for (int i = 0; i + TEXTS <= texts.length; i += TEXTS) {
                int statement = Integer.parseInt(texts[i + 4]);
                effects.add(new Effect(texts[i], texts[i + 1], texts[i + 2], texts[i + 3], statement, texts[i + 5]));
            }
            effects.addAll(changes);
        } catch (Throwable e) {
            throw failed(e);
        }
        return effects;
    }

    private static IllegalStateException failed(Throwable e) {
        return new IllegalStateException("what the agent observed cannot be had", e);
    }
}

package io.dynaflow.shim;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Asks objects whether they keep what the JDK promises of them. Knows nothing of sequences.
 * Invariant: a clause is broken only by objects that are there, each asked by its public methods.
 */
final class Contracts {
    private Contracts() {}

    /** Throws an {@link AssertionError} when the clause is broken, and whatever the methods of the objects throw. */
    static void check(int clause, Object one, Object other) throws Throwable {
        // What is not there breaks nothing.
        if (one != null && (other != null || !isOfTwo(clause)) && !holds(clause, one, other)) {
            throw new AssertionError();
        }
    }

    private static boolean holds(int clause, Object one, Object other) throws Throwable {
        switch (clause) {
            case Protocol.EQUALS_ITSELF:
                return one.equals(one);
            case Protocol.DIFFERS_FROM_NULL:
                return !one.equals(null);
            case Protocol.EQUALS_BOTH_WAYS:
                return one.equals(other) == other.equals(one);
            case Protocol.HASHES_ALIKE:
                return !one.equals(other) || one.hashCode() == other.hashCode();
            case Protocol.COMPARES_TO_ITSELF:
                return compared(one, one) == 0;
            case Protocol.COMPARES_BOTH_WAYS:
                return compared(one, other) == -compared(other, one);
            case Protocol.HAS_TEXT:
                return one.toString() != null;
            case Protocol.CLONES_APART:
                return one != cloned(one);
            default:
                throw new Malformed("a clause of kind " + clause);
        }
    }

    private static boolean isOfTwo(int clause) {
        return clause == Protocol.EQUALS_BOTH_WAYS || clause == Protocol.HASHES_ALIKE
            || clause == Protocol.COMPARES_BOTH_WAYS;
    }

    /** The class itself says that its method is public. */
    private static Object cloned(Object one) throws Throwable {
        Method method = one.getClass().getMethod("clone");
        method.setAccessible(true);
        try {
            return method.invoke(one);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @SuppressWarnings("unchecked")
    private static int compared(Object one, Object other) throws Unrunnable {
        if (!(one instanceof Comparable)) {
            throw new Unrunnable(one.getClass().getName() + " is not comparable");
        }
        return Integer.signum(((Comparable<Object>) one).compareTo(other));
    }
}

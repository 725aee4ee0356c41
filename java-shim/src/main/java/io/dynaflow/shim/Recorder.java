package io.dynaflow.shim;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/**
 * The way to the agent's recorder, which is there only when the agent is attached. Knows nothing of what it records.
 * Invariant: without the agent every call does nothing.
 */
final class Recorder {
    private static final MethodHandle BEGIN;
    private static final MethodHandle STATEMENT;
    private static final MethodHandle RESULT;
    private static final MethodHandle END;
    private static final MethodHandle SETTLE;
    /** Whether the agent is attached. */
    static final boolean PRESENT;

    static {
        Class<?> recorder = null;
        try {
            recorder = Class.forName("java.lang.DynaflowRecorder", true, null);
        } catch (ClassNotFoundException e) {
            recorder = null;
        }
        PRESENT = recorder != null;
        BEGIN = find(recorder, "beginTest", String.class);
        STATEMENT = find(recorder, "statement", int.class);
        RESULT = find(recorder, "result", Object.class);
        END = find(recorder, "endTest", boolean.class);
        SETTLE = find(recorder, "settle");
    }

    private Recorder() {}

    private static MethodHandle find(Class<?> recorder, String name, Class<?>... parameters) {
        if (recorder == null) {
            return null;
        }
        try {
            return MethodHandles.publicLookup().findStatic(recorder, name, MethodType.methodType(void.class, parameters));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the agent does not fit this worker: " + recorder.getName() + " has no "
                + name + Arrays.toString(parameters), e);
        }
    }

    static void beginTest(String name) throws Throwable {
        if (PRESENT) {
            BEGIN.invokeExact(name);
        }
    }

    static void statement(int index) throws Throwable {
        if (PRESENT) {
            STATEMENT.invokeExact(index);
        }
    }

    static void result(Object value) throws Throwable {
        if (PRESENT) {
            RESULT.invokeExact(value);
        }
    }

    static void endTest(boolean failed) throws Throwable {
        if (PRESENT) {
            END.invokeExact(failed);
        }
    }

    /** Returns when what was recorded so far is in the trace file. */
    static void settle() throws Throwable {
        if (PRESENT) {
            SETTLE.invokeExact();
        }
    }
}

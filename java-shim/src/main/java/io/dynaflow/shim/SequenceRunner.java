package io.dynaflow.shim;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.Set;

/**
 * Executes one sequence as one test case and writes its outcome. Knows nothing of pipes.
 * Whatever may run code of the program is watched; waiting for the recorder is not. A mutant is active until everything was looked at.
 * Invariant: the recorder sees a test begin and end for every sequence whose members exist, and none for the others.
 */
final class SequenceRunner {
    private static final Object[] NO_ARGUMENTS = new Object[0];
    private static final StackTraceElement[] NO_FRAMES = new StackTraceElement[0];
    /** Most frames of an exception that are reported. */
    private static final int MOST_FRAMES = 32;
    private static final String OURS = "io.dynaflow.shim.";

    private final Names names;
    private final Members members;
    private final Values values;
    private final Observers observers;
    private final Deadline deadline;
    private final Statics statics = new Statics();
    /** The JVM as sequences find it; made by the first, when the streams are in place. */
    private Surroundings surroundings;
    /** Index of the statement being executed, for the thread that looks at the time; negative between sequences. */
    private volatile int statement = -1;
    /** Whether a sequence ran to its end without a mutant: a mutant may be what takes long. */
    private boolean warm;
    /** Set when memory ran out: the state of this JVM can no longer be trusted. */
    private boolean exhausted;

    SequenceRunner(Names names, Members members, Deadline deadline) {
        this.names = names;
        this.deadline = deadline;
        this.members = members;
        this.values = new Values(names);
        this.observers = new Observers(members, values);
    }

    boolean exhausted() {
        return exhausted;
    }

    /** The statement that runs at this moment; negative when none does. */
    int statement() {
        return statement;
    }

    /** What happened while one sequence ran. */
    private static final class State {
        private Object[] variables;
        /** Whether a mutant is active: what is initialised then is not as the program leaves it. */
        private boolean isMutated;
        /** Index of the statement being executed. */
        private int statement;
        private Member member;
        private Throwable thrown;
        private String obstacle;
        private boolean late;
        /** What it did beyond its own objects. */
        private Set<Outside.Effect> effects;
    }

    /** Undoes what sequences changed in the JVM as a whole, as far as it can be undone. */
    void restore() {
        surroundings.restore();
    }

    /** Reads a sequence, runs it and writes its outcome. */
    void run(Input in, Output out) {
        State state = new State();
        String name = Protocol.testName(in.i64());
        int mutant = in.i32();
        state.isMutated = mutant != 0;
        surroundings = surroundings == null ? new Surroundings() : surroundings;
        Outside.begin(name);
        boolean begun = false;
        int counted = out.reserve();
        try {
            for (int used = in.count(); used > 0; used--) {
                members.get(in.i32());
            }
            Recorder.beginTest(name);
            begun = true;
            deadline.cold(!warm && mutant == 0);
            deadline.arm();
            Mutation.begin(mutant);
            Branches.begin();
            statements(in, out, state);
        } catch (Unrunnable e) {
            state.obstacle = begun ? "statement " + state.statement + ": " + e.getMessage() : e.getMessage();
        } catch (Malformed e) {
            throw e;
        } catch (Throwable e) {
            state.thrown = e;
        }
        state.late = deadline.disarm();
        statement = -1;
        Branches.calls(null);
        end(state, begun);
        state.effects = Outside.end(name, surroundings);
        out.patch(counted, state.statement);
        deadline.arm();
        thrown(out, state);
        observations(in, out, state);
        state.late |= deadline.disarm();
        Mutation.end();
        obstacle(out, state);
        effects(name, out, state);
        Mutation.met(out);
        Branches.met(out);
        // Code of the program may run: what containers hold is compared.
        deadline.arm();
        statics.restore();
        deadline.disarm();
        warm |= begun && mutant == 0;
    }

    /** Those of its own; threads that earlier ones left behind are not to its account. */
    private static void effects(String name, Output out, State state) {
        int counted = out.reserve();
        int own = 0;
        for (Outside.Effect effect : state.effects) {
            if (effect.test.equals(name)) {
                out.text(effect.kind);
                out.text(effect.place);
                out.text(effect.what);
                out.i32(effect.statement);
                out.text(effect.initialiser);
                own++;
            }
        }
        out.patch(counted, own);
    }

    private void statements(Input in, Output out, State state) throws Throwable {
        int count = in.count();
        state.variables = new Object[count];
        while (state.statement < count) {
            statement = state.statement;
            Recorder.statement(state.statement);
            Outside.statement(state.statement);
            state.member = null;
            int operation = in.u8();
            if (operation == Protocol.CAUGHT) {
                caught(in, out, state);
            } else {
                statement(operation, in, out, state);
            }
            state.statement++;
        }
    }

    /** A call after whose exception the test goes on; it has no result. */
    private void caught(Input in, Output out, State state) throws Throwable {
        String expected = names.text(in.i32());
        int operation = in.u8();
        if (operation != Protocol.NEW && operation != Protocol.CALL) {
            throw new Malformed("an exception of an operation of kind " + operation);
        }
        try {
            invoke(in, state);
        } catch (Unrunnable e) {
            throw e;
        } catch (Throwable e) {
            if (!isA(e.getClass(), expected)) {
                throw e;
            }
            Values.observe(out, null, void.class);
            return;
        }
        throw new Unrunnable("it did not end with " + expected);
    }

    private static boolean isA(Class<?> type, String name) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (c.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private Object invoke(Input in, State state) throws Throwable {
        Member member = members.get(in.i32());
        Object[] arguments = arguments(in, state, member);
        state.member = member;
        if (!state.isMutated) {
            statics.watch(member.owner);
        }
        Branches.calls(member.signature);
        return member.invoke(arguments);
    }

    private void statement(int operation, Input in, Output out, State state) throws Throwable {
        Object result = null;
        Class<?> type = void.class;
        switch (operation) {
            case Protocol.NEW:
            case Protocol.CALL:
            case Protocol.GET_STATIC:
            case Protocol.GET_FIELD:
                result = invoke(in, state);
                type = state.member.result;
                break;
            case Protocol.NEW_ARRAY:
                type = names.type(in.i32());
                if (!type.isArray()) {
                    throw new Unrunnable(type.getName() + " is no array type");
                }
                result = Array.newInstance(type.getComponentType(), in.i32());
                break;
            case Protocol.ARRAY_STORE:
                store(values.read(in, state.variables), in.i32(), values.read(in, state.variables));
                break;
            case Protocol.STUB:
                type = names.type(in.i32());
                result = stub(type, in, state);
                break;
            case Protocol.CONTRACT:
                Contracts.check(in.u8(), values.read(in, state.variables), values.read(in, state.variables));
                break;
            case Protocol.OPAQUE:
                throw new Unrunnable(in.text());
            default:
                throw new Malformed("an operation of kind " + operation);
        }
        if (!type.isPrimitive()) {
            Recorder.result(result);
        }
        state.variables[state.statement] = result;
        Values.observe(out, result, type);
    }

    private Object[] arguments(Input in, State state, Member member) throws Unrunnable {
        int count = in.u16();
        int receivers = member.receiver == null ? 0 : 1;
        if (count != receivers + member.parameters.length) {
            throw new Unrunnable("takes " + member.parameters.length + " arguments, " + (count - receivers) + " given");
        }
        if (count == 0) {
            return NO_ARGUMENTS;
        }
        Object[] arguments = new Object[count];
        if (receivers == 1) {
            arguments[0] = receiver(values.read(in, state.variables), member);
        }
        for (int i = receivers; i < count; i++) {
            arguments[i] = Values.convert(values.read(in, state.variables), member.parameters[i - receivers]);
        }
        return arguments;
    }

    private Object stub(Class<?> type, Input in, State state) throws Unrunnable {
        Stub stub = new Stub(type);
        for (int count = in.count(); count > 0; count--) {
            String name = names.text(in.i32());
            MethodType of = methodType(names.text(in.i32()));
            int kind = in.u8();
            if (kind == Protocol.ANSWER_VALUE) {
                stub.answers(name, of, values.read(in, state.variables));
            } else if (kind == Protocol.ANSWER_PARAMETER) {
                stub.givesBack(name, of, in.i32());
            } else if (kind != Protocol.ANSWER_NOTHING) {
                throw new Malformed("an answer of kind " + kind);
            }
        }
        return stub.object(names.loader());
    }

    private MethodType methodType(String descriptor) throws Unrunnable {
        try {
            return MethodType.fromMethodDescriptorString(descriptor, names.loader());
        } catch (TypeNotPresentException e) {
            throw new Unrunnable(descriptor + ": class " + e.typeName() + " is not on the class path");
        } catch (IllegalArgumentException e) {
            throw new Unrunnable(descriptor + " is no descriptor");
        }
    }

    private static Object receiver(Object value, Member member) throws Unrunnable {
        if (value == null) {
            throw new Unrunnable("the receiver is null");
        }
        return Values.convert(value, member.receiver);
    }

    private static void store(Object array, int index, Object value) throws Unrunnable {
        if (array == null || !array.getClass().isArray()) {
            throw new Unrunnable("a store into something that is no array");
        }
        if (index < 0 || index >= Array.getLength(array)) {
            throw new Unrunnable("a store outside the array");
        }
        Array.set(array, index, Values.convert(value, array.getClass().getComponentType()));
    }

    private void end(State state, boolean begun) {
        try {
            if (begun) {
                Recorder.endTest(state.thrown != null || state.obstacle != null);
            }
        } catch (Throwable e) {
            throw new IllegalStateException("the recorder failed at the end of a test", e);
        }
        if (state.thrown instanceof OutOfMemoryError) {
            exhausted = true;
        }
    }

    private static void thrown(Output out, State state) {
        Throwable thrown = state.thrown;
        out.u8(thrown == null ? 0 : 1);
        if (thrown == null) {
            return;
        }
        out.i32(state.statement);
        out.classRef(thrown.getClass());
        out.u8(state.member != null && state.member.declares(thrown) ? 1 : 0);
        int depth = 0;
        for (Class<?> c = thrown.getClass().getSuperclass(); c != null; c = c.getSuperclass()) {
            depth++;
        }
        out.u16(depth);
        for (Class<?> c = thrown.getClass().getSuperclass(); c != null; c = c.getSuperclass()) {
            out.classRef(c);
        }
        String message = message(thrown);
        out.u8(message == null ? 0 : 1);
        if (message != null) {
            out.text(message);
        }
        raisedIn(thrown, out);
    }

    /** The frames of an exception, innermost first, as far as they are not the worker's own. */
    private static void raisedIn(Throwable thrown, Output out) {
        int counted = out.reserve();
        int frames = 0;
        for (StackTraceElement frame : stack(thrown)) {
            if (frame == null || frame.getClassName().startsWith(OURS) || frames == MOST_FRAMES) {
                break;
            }
            if (Output.fits(frame.getClassName()) && Output.fits(frame.getMethodName())) {
                out.text(frame.getClassName());
                out.text(frame.getMethodName());
                out.i32(Math.max(frame.getLineNumber(), 0));
                frames++;
            }
        }
        out.patch(counted, frames);
    }

    private static StackTraceElement[] stack(Throwable thrown) {
        try {
            StackTraceElement[] stack = thrown.getStackTrace();
            return stack == null ? NO_FRAMES : stack;
        } catch (Throwable e) {
            // An exception of the program whose getStackTrace() throws has no frames.
            return NO_FRAMES;
        }
    }

    private static String message(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            return message != null && Output.fits(message) ? message : null;
        } catch (Throwable e) {
            // An exception of the program whose getMessage() throws has none.
            return null;
        }
    }

    /**
     * Observers run after the test has ended: what they read is no part of what the sequence covers. After an exception out of the last
     * statement they look at what it left; after an error nobody knows what state that is.
     */
    private void observations(Input in, Output out, State state) {
        boolean isRead = state.thrown == null
            || state.variables != null && state.statement == state.variables.length - 1;
        if (!isRead || state.thrown instanceof Error || state.obstacle != null) {
            out.i32(0);
            return;
        }
        Surroundings before = state.effects.isEmpty() ? surroundings : new Surroundings();
        observers.run(in, out, state.variables, before);
    }

    private void obstacle(Output out, State state) {
        if (exhausted) {
            out.u8(Protocol.DIED);
            out.text("memory ran out: " + state.thrown);
        } else if (state.obstacle != null) {
            out.u8(Protocol.UNRUNNABLE);
            out.text(state.obstacle);
        } else {
            out.u8(Protocol.WHOLE);
        }
        out.u8(state.late ? 1 : 0);
    }
}

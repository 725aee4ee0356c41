package hostile;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Any system call, as native code makes them. */
public final class Raw {
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final MethodHandle SYSCALL = handle();

    private Raw() {}

    private static MethodHandle handle() {
        Linker linker = Linker.nativeLinker();
        MemoryLayout word = ValueLayout.JAVA_LONG;
        FunctionDescriptor type = FunctionDescriptor.of(word, word, word, word, word, word, word, word);
        return linker.downcallHandle(linker.defaultLookup().find("syscall").get(), type,
            Linker.Option.firstVariadicArg(1), Linker.Option.captureCallState("errno"));
    }

    /** The result, or minus the error. */
    public static long call(long number, long a, long b, long c, long d) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long result = (long) SYSCALL.invokeExact(state, number, a, b, c, d, 0L, 0L);
            int error = state.get(ValueLayout.JAVA_INT, STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno")));
            return result == -1 ? -error : result;
        }
    }

    /** The same with a text as first or second argument. */
    public static long path(long number, String first, long second, String other) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            long a = first == null ? 0 : arena.allocateFrom(first).address();
            long b = other == null ? second : arena.allocateFrom(other).address();
            return call(number, a, b, 0, 0);
        }
    }

    /** Tries all numbers from one to another but some; gives the first that was neither refused nor unknown, or -1. */
    public static long firstThatIsThere(long from, long to, String but) throws Throwable {
        java.util.Set<String> allowed = new java.util.HashSet<>(java.util.Arrays.asList(but.split(",")));
        for (long number = from; number <= to; number++) {
            if (!allowed.contains(Long.toString(number))) {
                long result = call(number, -1, -1, -1, -1);
                if (result != -13 && result != -38) {
                    return number;
                }
            }
        }
        return -1;
    }
}

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * What is recorded of invocations that are left out: nothing, but writes to objects that have a number; and of accesses that are left out. It knows
 * the numbers that woven code passes, see {@code model::muting}.
 */
final class Muting {
    private static final int ENTERS = 0x80000000;
    private static final int LEAVES = 0xc0000000;
    private static final int ENTRY = 100;
    private static final int EXIT = 101;
    private static final int WRITE = 102;
    private static final int READ = 103;
    private static final int PUT = 104;
    private static final int STATIC = 105;
    private static final int ONLY_READS = 106;
    private static final int WRITES = 107;
    private static final int METHOD = 7;
    private static final int MUTED = 34;
    private static final int UNMUTED = 35;
    private static final int MUTED_THIS = 36;
    private static final int LEFT_OUT = 37;
    private static final int BLURS = 38;
    private static final int IN_TEST = 1;
    private static final int ALWAYS = 2;

    private Muting() {}

    public static void main(String[] arguments) {
        touches(ENTRY, 0x80);
        touches(EXIT, 0);
        touches(WRITE, 0x10);
        touches(READ, 0);
        touches(PUT, 1);
        touches(STATIC, 0x20);
        touches(WRITES, 0x3801);
        Object known = new Object();
        Object other = new Object();
        DynaflowRecorder.on(known, 200);
        DynaflowRecorder.on(other, 200);
        DynaflowNative.mute(ENTRY);
        take();
        for (int i = 0; i < 4; i++) {
            Check.that(invoke(known, WRITE).equals(Arrays.asList(ENTRY, WRITE, EXIT)), "each test shows some");
        }
        Check.that(invoke(known, READ).isEmpty(), "what reads is left out");
        Check.that(invoke(new Object(), WRITE).isEmpty(), "who has no number is written by nobody");
        List<Integer> written = invoke(known, WRITE);
        Check.that(written.equals(Arrays.asList(MUTED, MUTED_THIS, WRITE, UNMUTED)), "a write: " + written);
        written = invoke(known, STATIC);
        Check.that(written.equals(Arrays.asList(MUTED, STATIC, UNMUTED)), "a write of a static field: " + written);
        written = nested(known, other);
        Check.that(written.equals(Arrays.asList(MUTED, PUT, MUTED_THIS, WRITE, UNMUTED)), "below: " + written);
        reads(known);
        writes(known, other);
        DynaflowRecorder.testEnd(0, 200);
        List<Integer> counted = take();
        Check.that(counted.contains(LEFT_OUT), "counted: " + counted);
        Check.that(DynaflowNative.stopped == null, "stopped: " + DynaflowNative.stopped);
        System.out.println("ok");
    }

    /** Reads of a kind that showed nothing new in any test: some are recorded in each, then one of many, and all of objects not seen before. */
    private static void reads(Object known) {
        DynaflowNative.muteAccesses(ONLY_READS, ALWAYS, 0);
        take();
        Check.that(read(known, 4).equals(Collections.nCopies(4, ONLY_READS)), "each test shows some reads");
        Check.that(read(known, 8).isEmpty(), "the next are left out");
        Check.that(read(known, 9).equals(Arrays.asList(ONLY_READS)), "one of some is recorded");
        Check.that(read(new Object(), 1).contains(ONLY_READS), "one of a new object is");
        DynaflowRecorder.on(known, READ);
        Check.that(take().equals(Arrays.asList(READ)), "one elsewhere is");
        DynaflowRecorder.at(ENTRY + 20 | ENTERS);
        Check.that(take().contains(ENTRY + 20) && read(known, 1).equals(Arrays.asList(ONLY_READS)), "one below another method is");
        DynaflowRecorder.at(EXIT | LEAVES);
        take();
    }

    /** Writes of a kind that showed nothing new in this test: the first to an object of an invocation is recorded with a word that says so, the next are left out. */
    private static void writes(Object known, Object other) {
        DynaflowRecorder.at(ENTRY + 20 | ENTERS);
        DynaflowNative.muteAccesses(WRITES, IN_TEST, DynaflowNative.context(ENTRY + 20));
        take();
        Check.that(write(known, 1).equals(Arrays.asList(BLURS, WRITES)), "what it may write is recorded first");
        Check.that(write(known, 100).isEmpty(), "then it may");
        Check.that(write(other, 1).equals(Arrays.asList(BLURS, WRITES)), "another object is another location");
        Check.that(write(known, 10).isEmpty() && write(other, 10).isEmpty(), "both may be written now");
        Check.that(write(new Object(), 1).contains(WRITES), "an object that is new is seen");
        List<Integer> more = write(known, 300);
        Check.that(more.equals(Collections.nCopies(3, WRITES)), "one of many is recorded: " + more);
        DynaflowRecorder.at(EXIT | LEAVES);
        DynaflowRecorder.at(ENTRY + 20 | ENTERS);
        take();
        Check.that(write(known, 2).equals(Arrays.asList(BLURS, WRITES)), "the next invocation says so itself");
        DynaflowRecorder.caught(new StackOverflowError(), EXIT);
        take();
        Check.that(write(known, 2).equals(Arrays.asList(BLURS, WRITES)), "which invocations are over is not known after an overflow");
        DynaflowRecorder.at(EXIT | LEAVES);
        take();
    }

    private static List<Integer> write(Object object, int times) {
        for (int i = 0; i < times; i++) {
            DynaflowRecorder.on(object, WRITES);
        }
        return take();
    }

    private static List<Integer> read(Object object, int times) {
        for (int i = 0; i < times; i++) {
            DynaflowRecorder.on(object, ONLY_READS);
        }
        return take();
    }

    private static void touches(int site, int what) {
        DynaflowNative.touches[site] = METHOD << 16 | 0x8000 | what;
    }

    /** An invocation on an object in which something happens. */
    private static List<Integer> invoke(Object receiver, int what) {
        DynaflowRecorder.on(receiver, ENTRY | ENTERS);
        DynaflowRecorder.at(what);
        DynaflowRecorder.at(EXIT | LEAVES);
        return take();
    }

    /** One on an object without a number, which writes another one and invokes a method of that. */
    private static List<Integer> nested(Object known, Object other) {
        DynaflowRecorder.on(new Object(), ENTRY | ENTERS);
        DynaflowRecorder.at(WRITE);
        DynaflowRecorder.objects(other, known, PUT);
        DynaflowRecorder.on(other, ENTRY | ENTERS);
        DynaflowRecorder.at(WRITE);
        DynaflowRecorder.at(EXIT | LEAVES);
        DynaflowRecorder.at(WRITE);
        DynaflowRecorder.at(EXIT | LEAVES);
        return take();
    }

    /** The sites and markers of the words since the last call. */
    private static List<Integer> take() {
        DynaflowRecorder.settle();
        List<Integer> heads = new ArrayList<Integer>();
        for (long[] run : DynaflowNative.RUNS) {
            for (int at = 1; at < run.length; at++) {
                int head = (int) (run[at] >>> 38);
                heads.add(head);
                if (head == PUT || head == LEFT_OUT) {
                    at++;
                }
            }
        }
        DynaflowNative.RUNS.clear();
        return heads;
    }
}

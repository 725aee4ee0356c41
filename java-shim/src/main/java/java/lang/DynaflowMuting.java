package java.lang;

import jdk.internal.vm.annotation.DontInline;

/**
 * Invocations that are left out as a whole, because the analysis says that such ones show nothing new. Of an invocation that is left out,
 * and of all below it, nothing is recorded but writes to objects that have a number, without the frame: the analysis takes what they
 * write for unknown. Now and then a stretch of invocations is recorded all the same. It knows nothing of classes or facts.
 * Invariants: which are left out depends on verdicts and counts alone; every write to an object with a number is recorded.
 */
final class DynaflowMuting {
    /** The number in the site that woven code passes; the other bits are those below, see {@code model::muting}. */
    static final int SITE = 0x3ffffff;
    /** The event ends an invocation. */
    static final int ENDS = 0xc0000000;
    private static final int LEAVES = 0x40000000;
    private static final int TEST_CLASS = 0x20000000;
    private static final int IN_SUPER = 0x10000000;
    /** It begins an invocation of which {@link #leavesOut} just said that it is recorded. */
    private static final int ASKED = 0x08000000;

    /** What an event touches. */
    private static final int OBJECTS = 0xf;
    private static final int THIS = 0x10;
    private static final int STATIC = 0x20;
    private static final int BINDS = 0x40;
    private static final int RECEIVER = 0x80;
    private static final int RECEIVER_SHIFT = 8;
    private static final int RECEIVERS = RECEIVER | 3 << RECEIVER_SHIFT;
    private static final int SUPER = 0x400;
    private static final int SAME_AGAIN = 0x800;
    private static final int PLAIN = 0x1000;
    /** The event writes no edge, and begins and ends no invocation: it may be left out once what it writes is recorded. */
    static final int BLURS = 0x2000;
    private static final int INDEXED = 0x4000;
    private static final int KNOWN = 0x8000;
    /** In place of the number of an object that may have one. */
    private static final long UNSURE = -2;
    private static final int TOUCHES = 0xffff;
    /** What an event touches that its call does not pass, or passes as something else than what is written. */
    private static final int NOT_PASSED = THIS | STATIC | BINDS | RECEIVER | SUPER;
    /** Of an event that writes nothing, these bits are those of {@link #KNOWN}: which objects it is on, and whether it is plain, is all the same. */
    private static final int WRITES_NOTHING = TOUCHES & ~(PLAIN | RECEIVERS);
    /** In what is known of a site: where the number of its method stands, and where how many words its event takes. */
    private static final int METHOD_SHIFT = 16;
    private static final int LENGTH_SHIFT = 48;

    /** Whether invocations may be left out. */
    static boolean on;
    /** Whether there was a verdict on invocations. */
    static boolean given;
    /** Whether as many as can be: verdicts are waited for. */
    static boolean eager;
    /** After how many that are left out a stretch is recorded, at first and at most, and how many invocations long it is. */
    private static int first = 1 << 12;
    private static int most = 1 << 18;
    private static int stretch = 1 << 10;

    /** Kinds have places by their highest bits, as in the analysis. */
    private static final int BITS = 14;
    private static final int MUTE_IN_TEST = 1;
    private static final int MUTE = 2;
    /** How many invocations of a kind that is muted in all tests are recorded in each. */
    private static int inEachTest = 32;

    /** Whether a thread may be muted. Read without a lock: a thread sees what it wrote itself. */
    static boolean some;

    private static int[] kinds;
    private static byte[] verdicts;
    /** The test in which a verdict was given, or in which invocations were last recorded. */
    private static int[] tests;
    private static byte[] recorded;
    private static DynaflowCounts counts;
    /** By site: what its event touches, above that the number of its method, and above that how many words it takes, once that was asked for. */
    private static long[] touched = new long[1024];

    private static int test;
    /** How many invocations begin until the present stretch ends. */
    private static int left;
    /** How many are left out until the next one begins, and how many that will be then. */
    private static int until;
    private static int next;

    private DynaflowMuting() {}

    /** Called once, before woven code runs. */
    static void start(int how) {
        if (how == 0) {
            return;
        }
        int places = 1 << BITS;
        kinds = new int[places];
        verdicts = new byte[places];
        tests = new int[places];
        recorded = new byte[places];
        counts = new DynaflowCounts(places);
        if (how == 2) {
            eager = true;
            first = 8;
            most = 8;
            stretch = 4;
            inEachTest = 4;
        }
        until = first;
        next = first;
        if (eager) {
            DynaflowSpread.hurry();
        }
        DynaflowAccesses.start(eager);
        DynaflowFresh.isKnown(new Object());
        on = true;
    }

    /** Takes verdicts of the analysis. */
    static void learn(long[] given) {
        for (int i = 0; given != null && i < given.length; i++) {
            if (given[i] >>> DynaflowAccesses.SITE_SHIFT != 0) {
                DynaflowAccesses.learn(given[i], test);
                some = true;
                continue;
            }
            int kind = (int) given[i];
            int place = kind >>> 32 - BITS;
            kinds[place] = kind;
            DynaflowMuting.given = true;
            byte verdict = (byte) (given[i] >>> 32);
            verdicts[place] = verdict;
            tests[place] = verdict == MUTE_IN_TEST ? test : 0;
            if (verdict == 0) {
                next = first;
                until = Math.min(until, first);
            }
        }
    }

    /** A test begins on the calling thread, in a recorded method if {@code own} is 1. Unless others are active, what happened before is over. */
    static void begin(int own) {
        if (on) {
            DynaflowChunk chunk = mine();
            if (chunk != null) {
                chunk.frames.endGrants();
            }
            if (chunk != null && (isMuted(chunk) || !chunk.frames.isEmpty()) && DynaflowNative.recorded() <= own) {
                if (chunk.frames.muted) {
                    end(chunk, true);
                }
                chunk.frames.reset();
            }
            test++;
        }
    }

    /** Records how many invocations were left out since this was last done. */
    static void count() {
        if (on) {
            DynaflowChunk chunk = mine();
            if (chunk != null) {
                chunk.frames.endGrants();
            }
            counts.record();
            DynaflowAccesses.count();
        }
    }

    /** An event that woven code reports with up to four objects: true when it is left out as those before it were. */
    static boolean passes(Object a, Object b, Object c, Object d, int site) {
        DynaflowChunk chunk = DynaflowThreads.last;
        if (chunk.thread != Thread.currentThread()) {
            return false;
        }
        return chunk.quiet ? isSilent(a, b, c, d, site) : DynaflowPasses.take(chunk, a, b, c, d, site);
    }

    /** An event that woven code reports with up to four objects: true when it is left out. */
    static boolean skips(Object a, Object b, Object c, Object d, int site) {
        return skips(a, b, c, d, 0, site);
    }

    /** The same of one that passes indices, as its second word has them. */
    static boolean skips(Object a, Object b, Object c, Object d, long numbers, int site) {
        DynaflowChunk chunk = DynaflowThreads.last;
        DynaflowFrames frames = chunk.frames;
        if (chunk.thread == Thread.currentThread()) {
            if (site >= 0 && !frames.muted) {
                return DynaflowAccesses.skips(chunk, a, b, c, d, site, test);
            }
            if (frames.inside > 0 && (writesNothing(chunk, a, b, c, d, site) || isSameAgain(chunk, a, b, c, d, numbers, site))) {
                return true;
            }
        }
        return skipsOrEnters(a, b, c, d, numbers, site);
    }

    /** Whether the calling thread is in an invocation that is left out. If not, it may be in one all the same. */
    static boolean isQuiet() {
        DynaflowChunk chunk = DynaflowThreads.last;
        return chunk.quiet && chunk.thread == Thread.currentThread();
    }

    /**
     * Most events there are of a thread that is quiet: it neither begins nor ends an invocation, or does both, and writes nothing or what surely has no number
     * and is passed.
     */
    private static boolean isSilent(Object a, Object b, Object c, Object d, int site) {
        long[] all = touched;
        if (site < 0 || site >= all.length) {
            return false;
        }
        int touches = (int) all[site];
        return (touches & WRITES_NOTHING) == KNOWN || (touches & (NOT_PASSED | KNOWN)) == KNOWN && arePlain(touches, a, b, c, d);
    }

    private static boolean arePlain(int touches, Object a, Object b, Object c, Object d) {
        return ((touches & 1) == 0 || isPlain(a)) && ((touches & 2) == 0 || isPlain(b)) && ((touches & 4) == 0 || isPlain(c)) && ((touches & 8) == 0 || isPlain(d));
    }

    private static boolean isPlain(Object object) {
        return object == null || DynaflowFresh.isPlain(object);
    }

    /**
     * An invocation at a site is about to begin that records nothing but reads: true when it is left out. Nothing happens in it that would have
     * to know so, thus the thread is not muted for it.
     */
    static boolean leavesOut(int site) {
        try {
            DynaflowChunk chunk = mine();
            if (chunk == null) {
                chunk = DynaflowRecorder.here();
            }
            if (chunk == DynaflowThreads.SINK || isMuted(chunk)) {
                return true;
            }
            DynaflowGrants grants = chunk.frames.grants;
            grants.end(site);
            int kind = chunk.frames.kind(site, false);
            if (!mutes(kind, chunk)) {
                return false;
            }
            int place = kind >>> 32 - BITS;
            counts.add(place, site, 1);
            int more = Math.min(until - 1, DynaflowGrants.MOST);
            if (more > 0) {
                until -= more;
                grants.grant(site, place, more);
            }
            return true;
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
            return true;
        }
    }

    /** Whether that was decided before. */
    static boolean isGranted(int site) {
        DynaflowChunk chunk = DynaflowThreads.last;
        return chunk.thread == Thread.currentThread() && chunk.restoring == null && chunk.frames.grants.take(site);
    }

    /** Of the invocations that were granted some were left out, and others never began. */
    static void settle(int place, int site, int used, int unused) {
        until = Math.min(until + unused, next);
        if (used > 0) {
            counts.add(place, site, used);
        }
    }

    /** The usual events of a thread that is muted, of which nothing is recorded: true when this was one of them. */
    private static boolean writesNothing(DynaflowChunk chunk, Object a, Object b, Object c, Object d, int site) {
        long[] all = touched;
        int number = site & SITE;
        long known = number < all.length ? all[number] : 0;
        int touches = (int) known & TOUCHES;
        int method = (int) (known >>> METHOD_SHIFT);
        if (site >= 0) {
            return (touches & WRITES_NOTHING) == KNOWN;
        }
        if ((site & IN_SUPER) != 0 || (touches & ~RECEIVERS) != KNOWN) {
            return false;
        }
        DynaflowFrames frames = chunk.frames;
        if ((site & LEAVES) == 0) {
            Object receiver = (touches & RECEIVER) == 0 ? null : one(touches >> RECEIVER_SHIFT & 3, a, b, c, d);
            frames.enterMuted(method, receiver);
            return true;
        }
        if (!frames.leavesMuted(method)) {
            return false;
        }
        if (frames.inside == 0) {
            end(chunk, false);
        }
        return true;
    }

    /** Whether a muted event that neither begins nor ends an invocation writes no object with a number, or changes nothing since the thread did the same just before. */
    private static boolean isSameAgain(DynaflowChunk chunk, Object a, Object b, Object c, Object d, long numbers, int site) {
        long[] all = touched;
        int touches = site >= 0 && site < all.length ? (int) all[site] : 0;
        DynaflowFrames frames = chunk.frames;
        if ((touches & SAME_AGAIN) == 0 || frames.isLost()) {
            return false;
        }
        Object receiver = null;
        if ((touches & RECEIVER) != 0) {
            receiver = one(touches >> RECEIVER_SHIFT & 3, a, b, c, d);
        } else if ((touches & THIS) != 0 && frames.isInnermost((int) (all[site] >>> METHOD_SHIFT))) {
            receiver = frames.receiver();
        }
        if (receiver == null && (touches & THIS) != 0) {
            return false;
        }
        long first = number(first(touches, receiver, a, b, c, d));
        long second = number(second(touches, a, b, c, d));
        long index = index(touches, numbers);
        if ((touches & STATIC) == 0 && first <= 0 && second <= 0 && first != UNSURE && second != UNSURE) {
            return true;
        }
        return first >= 0 && second >= 0 && chunk.again.goesOn(chunk) && isRecorded(chunk.again, touches, DynaflowWords.word(site, first), second, index);
    }

    private static boolean skipsOrEnters(Object a, Object b, Object c, Object d, long numbers, int site) {
        try {
            DynaflowChunk chunk = mine();
            if (chunk == null) {
                chunk = DynaflowRecorder.here();
            }
            if (chunk == DynaflowThreads.SINK) {
                return true;
            }
            if (isMuted(chunk)) {
                return skipsMuted(chunk, a, b, c, d, numbers, site);
            }
            if (site >= 0 || !on) {
                return false;
            }
            if ((site & (LEAVES | IN_SUPER)) != 0) {
                changes(chunk.frames, site);
                return false;
            }
            int kind = chunk.frames.kind(site & SITE, (site & TEST_CLASS) != 0);
            if ((site & (TEST_CLASS | ASKED)) == 0 && mutes(kind, chunk)) {
                mute(chunk, kind, site & SITE);
                return skipsMuted(chunk, a, b, c, d, numbers, site);
            }
            chunk.frames.enter(kind, site & SITE);
            return false;
        } catch (StackOverflowError error) {
            throw error;
        } catch (Throwable error) {
            DynaflowRecorder.fail(error);
            return true;
        }
    }

    /** An invocation that is recorded ends, or a constructor's call of another one begins or ends. */
    private static void changes(DynaflowFrames frames, int site) {
        if ((site & IN_SUPER) == 0) {
            frames.leave();
        } else if ((site & LEAVES) == 0) {
            frames.waitsForSuper();
        } else {
            frames.superReturned();
        }
    }

    /** Whether an event on an object is left out: the calling thread is muted, and the object has no number. */
    static boolean skips(Object object) {
        return isMuted() && !DynaflowFresh.isKnown(object);
    }

    /** Whether the calling thread is muted. */
    static boolean isMuted() {
        if (!some) {
            return false;
        }
        DynaflowChunk chunk = mine();
        return chunk != null && isMuted(chunk);
    }

    /** The stack overflowed: if the calling thread is muted, which invocations are active is no longer known, and the answer is true. */
    static boolean loses() {
        DynaflowChunk chunk = some ? mine() : null;
        if (chunk == null) {
            return false;
        }
        DynaflowFrames frames = chunk.frames;
        frames.passes.end();
        frames.blurs.forget();
        if (!isMuted(chunk)) {
            return false;
        }
        frames.lose();
        frames.recordLost();
        return true;
    }

    private static boolean isMuted(DynaflowChunk chunk) {
        DynaflowFrames frames = chunk.frames;
        if (frames.muted && frames.inside == 0 && !frames.isLost()) {
            end(chunk, false);
        }
        return frames.muted;
    }

    /** The chunk of the calling thread; null when there is none. */
    private static DynaflowChunk mine() {
        DynaflowChunk chunk = DynaflowThreads.last;
        if (chunk.thread == Thread.currentThread()) {
            return chunk;
        }
        synchronized (DynaflowThreads.LOCK) {
            return DynaflowThreads.off ? null : DynaflowThreads.find(Thread.currentThread());
        }
    }

    /** Whether an invocation of a kind is left out. */
    private static boolean mutes(int kind, DynaflowChunk chunk) {
        if (left > 0) {
            left--;
            return false;
        }
        int place = kind >>> 32 - BITS;
        if (kinds[place] != kind || chunk.restoring != null || chunk.frames.isInSuper()) {
            return false;
        }
        int verdict = verdicts[place];
        if (verdict == MUTE) {
            if (tests[place] != test) {
                tests[place] = test;
                recorded[place] = 0;
            }
            if (recorded[place] < inEachTest) {
                recorded[place]++;
                return false;
            }
        } else if (verdict != MUTE_IN_TEST || tests[place] != test) {
            return false;
        }
        if (--until > 0) {
            return true;
        }
        chunk.frames.endGrants();
        if (until > 0) {
            return true;
        }
        next = Math.min(next * 2, most);
        until = next;
        left = stretch;
        return false;
    }

    private static void mute(DynaflowChunk chunk, int kind, int site) {
        counts.add(kind >>> 32 - BITS, site, 1);
        some = true;
        chunk.hush();
        chunk.frames.muted = true;
    }

    /** The invocation that was left out is over, or nobody knows. */
    private static void end(DynaflowChunk chunk, boolean lost) {
        if (chunk.frames.isLost()) {
            chunk.frames.recordLost();
        }
        boolean wasSilent = chunk.speak();
        chunk.frames.unmute();
        if (!wasSilent || lost) {
            DynaflowRecorder.here().add(DynaflowWords.word(DynaflowWords.UNMUTED, lost ? 1 : 0));
        }
    }

    private static boolean skipsMuted(DynaflowChunk chunk, Object a, Object b, Object c, Object d, long numbers, int site) {
        DynaflowFrames frames = chunk.frames;
        long known = touches(site & SITE);
        int touches = (int) known & TOUCHES;
        int method = (int) (known >>> METHOD_SHIFT);
        Object receiver = (touches & RECEIVER) == 0 ? null : one(touches >> RECEIVER_SHIFT & 3, a, b, c, d);
        boolean ends = (site & (ENDS | IN_SUPER)) == ENDS;
        if (site < 0 && !ends && (site & IN_SUPER) == 0) {
            frames.enterMuted(method, receiver);
        } else if ((touches & BINDS) != 0) {
            frames.bind(method, a);
        } else if (ends || (touches & (THIS | SUPER)) != 0 && receiver == null) {
            boolean isIn = frames.isIn(method);
            if (!isIn && !frames.isLost()) {
                goBelow(chunk, ends);
                return false;
            }
            if (isIn && (touches & SUPER) != 0) {
                frames.waits();
            }
            ends &= isIn;
        }
        if (receiver == null) {
            receiver = frames.receiver();
        }
        boolean recorded = records(touches, receiver, a, b, c, d);
        long event = 0;
        long second = 0;
        long index = index(touches, numbers);
        if (recorded && (touches & SAME_AGAIN) != 0 && !frames.isLost()) {
            long first = number(first(touches, receiver, a, b, c, d));
            second = number(second(touches, a, b, c, d));
            event = first < 0 || second < 0 ? 0 : DynaflowWords.word(site & SITE, first);
            recorded = event == 0 || !chunk.again.goesOn(chunk) || !isRecorded(chunk.again, touches, event, second, index);
        }
        if (ends) {
            frames.leaveMuted();
        }
        if (recorded) {
            boolean goesOn = event != 0 && chunk.again.goesOn(chunk);
            boolean all = goesOn && (touches & INDEXED) != 0 && chunk.again.spreads(event, second)
                    && recordsAll(chunk, first(touches, receiver, a, b, c, d), second(touches, a, b, c, d));
            announce((touches & THIS) != 0 ? receiver : null);
            if (event != 0) {
                all &= chunk.again.comes(chunk, (int) (known >>> LENGTH_SHIFT), goesOn);
                chunk.again.remember(event, second, all ? DynaflowAgain.ALL : index);
            }
        } else {
            // Ends at once, if it is over: with another thread's next event the analysis must not take it for muted.
            isMuted(chunk);
        }
        return !recorded;
    }

    /** Whether an event was recorded in the run, which goes on, for these elements or for all of the arrays that it writes. */
    private static boolean isRecorded(DynaflowAgain again, int touches, long event, long second, long index) {
        return (touches & INDEXED) != 0 && again.has(event, second, DynaflowAgain.ALL) || again.has(event, second, index);
    }

    /**
     * Records that any element of the arrays among two objects may have been written, as part of a run that goes on. False when one holds
     * references, or the run did not go on: then it was in vain.
     */
    private static boolean recordsAll(DynaflowChunk chunk, Object first, Object second) {
        if (first instanceof Object[] || second instanceof Object[]) {
            return false;
        }
        return recordsAll(chunk, first) && recordsAll(chunk, second);
    }

    private static boolean recordsAll(DynaflowChunk chunk, Object array) {
        if (array == null || !array.getClass().isArray()) {
            return true;
        }
        DynaflowRanges.overwritten(array, 0);
        return chunk.again.comes(chunk, 0, true);
    }

    /** Which elements an event writes, of the indices that are passed: those of elements that it reads make no difference. */
    private static long index(int touches, long numbers) {
        return (touches & INDEXED) == 0 ? 0 : numbers;
    }

    private static Object one(int at, Object a, Object b, Object c, Object d) {
        return at == 0 ? a : at == 1 ? b : at == 2 ? c : d;
    }

    /** What the event of a site writes, of what it touches; 0 for nothing. */
    static int written(int site) {
        int touches = (int) touches(site);
        return (touches & (OBJECTS | THIS | STATIC)) == 0 ? 0 : touches & (OBJECTS | THIS | STATIC | BLURS);
    }

    /** The site of an event that is recorded, with the number of the first object that it writes and passes, if there is one. */
    static long firstPassed(int site, int written, Object a, Object b, Object c, Object d) {
        return DynaflowWords.word(site, known(passed(written & OBJECTS, a, b, c, d)));
    }

    /** The number of the second one; 0 for none. */
    static long secondPassed(int written, Object a, Object b, Object c, Object d) {
        int objects = written & OBJECTS;
        return known(passed(objects & objects - 1, a, b, c, d));
    }

    private static long known(Object object) {
        return object == null ? 0 : DynaflowObjects.known(object);
    }

    /** The first object that an event writes; null for none. */
    private static Object first(int touches, Object receiver, Object a, Object b, Object c, Object d) {
        return (touches & THIS) != 0 ? receiver : passed(touches & OBJECTS, a, b, c, d);
    }

    /** The second one, of an event that writes no more than two. */
    private static Object second(int touches, Object a, Object b, Object c, Object d) {
        int objects = touches & OBJECTS;
        return passed((touches & THIS) != 0 ? objects : objects & objects - 1, a, b, c, d);
    }

    /** The first of these objects that has a bit; null for none. */
    private static Object passed(int bits, Object a, Object b, Object c, Object d) {
        return bits == 0 ? null : one(Integer.numberOfTrailingZeros(bits), a, b, c, d);
    }

    /** What stands for an object in {@link DynaflowAgain}: its number; negative for one that has none, {@link #UNSURE} for one that may have none. */
    private static long number(Object object) {
        if (object == null) {
            return 0;
        }
        if (DynaflowFresh.isPlain(object)) {
            return -1;
        }
        long known = DynaflowObjects.known(object);
        return known == 0 ? UNSURE : known;
    }

    /** Something happens in an invocation that began before the one that is left out, which is over then. */
    private static void goBelow(DynaflowChunk chunk, boolean ends) {
        end(chunk, false);
        if (ends) {
            chunk.frames.leave();
        }
    }

    /** Whether an event may write what has a number. */
    private static boolean records(int touches, Object receiver, Object a, Object b, Object c, Object d) {
        return (touches & STATIC) != 0
                || (touches & THIS) != 0 && DynaflowFresh.isKnown(receiver)
                || (touches & 1) != 0 && DynaflowFresh.isKnown(a)
                || (touches & 2) != 0 && DynaflowFresh.isKnown(b)
                || (touches & 4) != 0 && DynaflowFresh.isKnown(c)
                || (touches & 8) != 0 && DynaflowFresh.isKnown(d);
    }

    /** The event that follows is of a thread that is muted, and happens on an object if it is one on {@code this}. */
    private static void announce(Object receiver) {
        DynaflowChunk chunk = DynaflowRecorder.here();
        if (receiver != null) {
            chunk.add(DynaflowWords.word(DynaflowWords.MUTED_THIS, DynaflowObjects.idOf(receiver)));
        }
    }

    /** Whether an event writes no edge, and nothing but the object in its first word, and changes no frame. */
    static boolean isPlain(int site) {
        return (touches(site) & PLAIN) != 0;
    }

    /** Whether such an event writes nothing at all. */
    static boolean onlyReads(int site) {
        return ((int) touches(site) & TOUCHES) == (KNOWN | PLAIN);
    }

    /** How many words the event of a site takes. */
    static int length(int site) {
        return (int) (touches(site) >>> LENGTH_SHIFT);
    }

    private static long touches(int site) {
        long[] known = touched;
        long touches = site < known.length ? known[site] : 0;
        return touches != 0 ? touches : ask(site);
    }

    @DontInline
    private static long ask(int site) {
        long touches = DynaflowNative.touches(site);
        synchronized (DynaflowThreads.LOCK) {
            if (site >= touched.length) {
                touched = java.util.Arrays.copyOf(touched, Math.max(site + 1, touched.length * 2));
            }
            touched[site] = touches;
        }
        return touches;
    }
}

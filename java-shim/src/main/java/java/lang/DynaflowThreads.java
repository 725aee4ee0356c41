package java.lang;

/**
 * Chunks by thread, and the order in which their words are handed over. All methods need {@link #LOCK}.
 *
 * <p>One thread at a time is the current one: {@link #last} is its chunk, and it appends without the lock. Any other
 * thread first makes itself current under the lock, which hands over the words of all others before. So if event a
 * happens before event b, a is handed over before b: should b's thread still see itself as current, a's thread was
 * current longer ago, and drains go from the longest ago to the latest, their ends fixed in the opposite order.
 */
final class DynaflowThreads {
    static final Object LOCK = new Object();
    /** Takes the words of recorders that are switched off; belongs to no thread, so that it is never a fast path. */
    static final DynaflowChunk SINK = new DynaflowChunk(null, 0, 8192);

    /** The chunk of the current thread. Read without the lock. */
    static DynaflowChunk last = SINK;
    static boolean off;

    /** Runs at least this long are handed over without a copy in {@link #out}. */
    private static final int DIRECT = 512;
    /** The number of a thread, for the threads it makes. */
    private static final InheritableThreadLocal<Integer> NUMBER = new InheritableThreadLocal<Integer>();
    private static final long[] OUT = new long[8192];
    private static int outEnd;

    private static DynaflowChunk[] buckets = new DynaflowChunk[64];
    private static int threads;
    private static int numbers;
    private static int sweepAt = 64;
    /** Words by which all chunks together may still grow: there may be a million virtual threads. */
    private static int spare = 1 << 21;
    private static DynaflowChunk newest;
    private static DynaflowChunk oldest;

    private DynaflowThreads() {}

    /** Makes the calling thread the current one and its chunk one with room for an event. */
    static DynaflowChunk room() {
        if (off) {
            SINK.lazySet(0);
            return SINK;
        }
        Thread thread = Thread.currentThread();
        DynaflowChunk chunk = last.thread == thread ? last : find(thread);
        boolean begins = chunk != null && chunk.speak();
        if (begins && chunk == last && chunk.get() < chunk.limit) {
            chunk.add(DynaflowWords.word(DynaflowWords.MUTED, 0));
            return chunk;
        }
        drain();
        if (chunk == null) {
            chunk = register(thread);
        } else {
            if (chunk.get() >= chunk.limit) {
                spare -= chunk.grow(spare);
            }
            chunk.reset();
            toFront(chunk);
        }
        last = off ? SINK : chunk;
        if (begins) {
            last.add(DynaflowWords.word(DynaflowWords.MUTED, 0));
        }
        return last;
    }

    /** Hands over all words of all threads up to here. */
    static void drainAll() {
        drain();
        flushOut();
    }

    /** Forgets the calling thread, which ends, if it sent anything. */
    static void forgetCurrent() {
        DynaflowChunk chunk = find(Thread.currentThread());
        if (chunk != null) {
            chunk.frames.endGrants();
            drain();
            forget(chunk);
        }
    }

    /** Sends nothing any more. */
    static void switchOff() {
        off = true;
        last = SINK;
    }

    private static void drain() {
        for (DynaflowChunk chunk = newest; chunk != null; chunk = chunk.older) {
            chunk.seen = chunk.get();
        }
        for (DynaflowChunk chunk = oldest; chunk != null; chunk = chunk.newer) {
            if (chunk.seen > chunk.drained) {
                send(chunk);
            }
        }
    }

    private static void send(DynaflowChunk chunk) {
        int count = chunk.seen - chunk.drained;
        if (count >= DIRECT) {
            flushOut();
            off |= !DynaflowNative.flush(chunk.number, chunk.words, chunk.drained, chunk.seen);
            learn();
        } else {
            if (outEnd + count >= OUT.length) {
                flushOut();
            }
            System.arraycopy(chunk.words, chunk.drained, OUT, outEnd + 1, count);
            OUT[outEnd] = (long) chunk.number << 32 | count;
            outEnd += 1 + count;
        }
        chunk.drained = chunk.seen;
    }

    private static void flushOut() {
        if (outEnd > 0) {
            off |= !DynaflowNative.flushRuns(OUT, outEnd);
            outEnd = 0;
            learn();
        }
    }

    /** Takes what the analysis says of the invocations that were handed over some time ago. */
    private static void learn() {
        if (DynaflowMuting.on) {
            DynaflowMuting.learn(DynaflowNative.verdicts(DynaflowMuting.eager));
        }
    }

    private static int bucket(Thread thread) {
        return System.identityHashCode(thread) & buckets.length - 1;
    }

    static DynaflowChunk find(Thread thread) {
        DynaflowChunk chunk = buckets[bucket(thread)];
        while (chunk != null && chunk.thread != thread) {
            chunk = chunk.next;
        }
        return chunk;
    }

    private static DynaflowChunk register(Thread thread) {
        if (threads >= sweepAt) {
            sweep();
        }
        DynaflowChunk chunk = new DynaflowChunk(thread, numbers + 1, DynaflowChunk.FIRST_LIMIT);
        startedBy(chunk);
        int bucket = bucket(thread);
        numbers++;
        threads++;
        chunk.next = buckets[bucket];
        buckets[bucket] = chunk;
        chunk.older = newest;
        if (newest == null) {
            oldest = chunk;
        } else {
            newest.newer = chunk;
        }
        newest = chunk;
        return chunk;
    }

    /** Records which thread made the calling one. The JDK's own bookkeeping, which must not end in the middle of a change. */
    private static void startedBy(DynaflowChunk chunk) {
        DynaflowObjects.reserveStack(64);
        Integer starter = NUMBER.get();
        NUMBER.set(chunk.number);
        if (starter != null) {
            chunk.add(DynaflowWords.word(DynaflowWords.STARTED_BY, starter));
        }
    }

    /** Forgets threads whose end nobody reported (virtual ones), and makes the registry wide enough for the others. */
    private static void sweep() {
        DynaflowObjects.reserveStack(64);
        for (DynaflowChunk chunk = newest; chunk != null; chunk = chunk.older) {
            chunk.ended = !chunk.thread.isAlive();
        }
        drain();
        for (DynaflowChunk chunk = newest; chunk != null;) {
            DynaflowChunk older = chunk.older;
            if (chunk.ended) {
                forget(chunk);
            }
            chunk = older;
        }
        sweepAt = threads * 2 < 64 ? 64 : threads * 2;
        if (threads > buckets.length) {
            rehash(new DynaflowChunk[buckets.length * 4]);
        }
    }

    private static void rehash(DynaflowChunk[] wider) {
        for (DynaflowChunk chunk = newest; chunk != null; chunk = chunk.older) {
            int bucket = System.identityHashCode(chunk.thread) & wider.length - 1;
            chunk.next = wider[bucket];
            wider[bucket] = chunk;
        }
        buckets = wider;
    }

    private static void forget(DynaflowChunk chunk) {
        int bucket = bucket(chunk.thread);
        if (outEnd + 1 >= OUT.length) {
            flushOut();
        }
        OUT[outEnd++] = (long) chunk.number << 32;
        if (buckets[bucket] == chunk) {
            buckets[bucket] = chunk.next;
        } else {
            DynaflowChunk before = buckets[bucket];
            while (before.next != chunk) {
                before = before.next;
            }
            before.next = chunk.next;
        }
        threads--;
        chunk.speak();
        spare += chunk.limit - DynaflowChunk.FIRST_LIMIT;
        unlink(chunk);
        if (last == chunk) {
            last = SINK;
        }
    }

    private static void toFront(DynaflowChunk chunk) {
        if (newest != chunk) {
            unlink(chunk);
            chunk.older = newest;
            chunk.newer = null;
            newest.newer = chunk;
            newest = chunk;
        }
    }

    private static void unlink(DynaflowChunk chunk) {
        if (chunk.newer == null) {
            newest = chunk.older;
        } else {
            chunk.newer.older = chunk.older;
        }
        if (chunk.older == null) {
            oldest = chunk.newer;
        } else {
            chunk.older.newer = chunk.newer;
        }
    }
}

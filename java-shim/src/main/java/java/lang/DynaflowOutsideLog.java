package java.lang;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * What was done beyond the program's own objects since the running test began. Knows nothing of which methods of the JDK do
 * such things. Nothing is kept before the first test begins.
 *
 * <p>A file that the test made itself, below the folder for temporary files or under a name that the JDK chose at random, is
 * its own: what happens to it is no effect, unless it is still there at the end. A look at another file is one, whatever it
 * finds: what the test does next depends on it. Invariants: bounded; nothing is thrown; what happens while something is being
 * kept is not seen, so that it cannot recur. Each entry point has its own guard of lock and {@code busy}: to link a lambda that one
 * guard would take, the JDK runs methods that are hooked.
 */
final class DynaflowOutsideLog {
    /** To make a folder. */
    static final String FOLDER = "makes the folder";

    private static final String LOOKS = "reads";
    private static final Object LOCK = new Object();
    /** Of each kind in each place: what is allowed is not to hide what is not. */
    private static final int MOST = 64;
    private static final int MOST_OWN = 1 << 12;
    private static final int LONGEST = 512;
    private static final int VIEWS = 16;

    private static volatile boolean on;
    /** A test runs, or something that is to have no effect: between tests nobody's looks are of interest. */
    private static volatile boolean within;
    private static boolean busy;
    private static String test = "";
    private static int statement = -1;

    private static final ArrayList<Seen> SEEN = new ArrayList<Seen>();
    private static final HashSet<String> OWN = new HashSet<String>();
    private static final HashSet<String> AT_END = new HashSet<String>();
    private static final HashSet<String> LOOKED_AT = new HashSet<String>();
    private static final HashMap<String, Integer> TOUCHED = new HashMap<String, Integer>();
    private static final HashMap<String, String> TOUCHED_BY = new HashMap<String, String>();
    private static final ArrayList<Started> THREADS = new ArrayList<Started>();
    private static final ArrayList<Started> HOOKS = new ArrayList<Started>();
    /** Threads that outlived their tests, which are to blame for what they do. */
    private static final ArrayList<Started> STRAYS = new ArrayList<Started>();
    /** Views of attributes and their files, the latest ones. */
    private static final Object[] VIEW = new Object[2 * VIEWS];
    private static int views;

    private DynaflowOutsideLog() {}

    /** One effect. */
    static final class Seen {
        String owner;
        String kind;
        String place;
        String what;
        /** The file, if it is one. */
        String path;
        int statement;
        /** The class whose initialiser did it, or empty. */
        String initialiser;

        boolean same(Seen other) {
            return owner.equals(other.owner) && kind.equals(other.kind) && place.equals(other.place)
                && what.equals(other.what);
        }
    }

    /** A thread, and who started or registered it when. */
    static final class Started {
        WeakReference<Thread> weak;
        /** Until the end of the test alone. */
        Thread thread;
        String owner;
        int statement;
        String initialiser;
    }

    static void begin(String name) {
        synchronized (LOCK) {
            clear();
            test = name;
            // The first time: as the JVM was started, before a test can change its properties.
            within = on || DynaflowOutsideLooks.isFree("/dev/null");
            on = true;
        }
    }

    static void statement(int index) {
        statement = index;
    }

    static int touchedAt(String kind) {
        synchronized (LOCK) {
            Integer at = TOUCHED.get(kind);
            return at == null ? -1 : at;
        }
    }

    static String touchedBy(String kind) {
        synchronized (LOCK) {
            String by = TOUCHED_BY.get(kind);
            return by == null ? "" : by;
        }
    }

    static String[] end(long grace) {
        await(grace);
        synchronized (LOCK) {
            within = false;
            busy = true;
            try {
                leftBehind();
                return texts();
            } catch (Throwable e) {
                return new String[] {test, "defaults", "", "could not be observed: " + e.getClass().getName(), "-1", ""};
            } finally {
                busy = false;
                clear();
                test = "";
            }
        }
    }

    private static void clear() {
        statement = -1;
        SEEN.clear();
        OWN.clear();
        AT_END.clear();
        if (!LOOKED_AT.isEmpty()) {
            // Clearing costs what the largest there was cost.
            LOOKED_AT.clear();
        }
        TOUCHED.clear();
        TOUCHED_BY.clear();
        forget(THREADS);
        forget(HOOKS);
        views = 0;
        for (int i = 0; i < VIEW.length; i++) {
            VIEW[i] = null;
        }
    }

    private static void forget(ArrayList<Started> list) {
        for (Started one : list) {
            one.thread = null;
        }
        list.clear();
    }

    private static String[] texts() {
        String[] texts = new String[SEEN.size() * 6];
        int at = 0;
        for (Seen seen : SEEN) {
            texts[at++] = seen.owner;
            texts[at++] = seen.kind;
            texts[at++] = seen.place;
            texts[at++] = seen.what;
            texts[at++] = String.valueOf(seen.statement);
            texts[at++] = seen.initialiser;
        }
        return texts;
    }

    /** Something is done to a file; one whose name is null is not the test's own. */
    static void file(String verb, Object file, boolean makes, boolean follows) {
        if (!on) {
            return;
        }
        synchronized (LOCK) {
            if (busy) {
                return;
            }
            busy = true;
            try {
                String path = DynaflowOutsidePaths.of(file, follows);
                boolean nothing = path != null
                    && (verb == FOLDER ? DynaflowOutsidePaths.isStanding(path) : DynaflowOutsidePaths.isNothing(path));
                if (!nothing && (path == null || !isOwn(path, makes))) {
                    keep(verb, path);
                }
            } catch (Throwable e) {
                // The stack or the memory is at its end: the program is about to notice.
                return;
            } finally {
                busy = false;
            }
        }
    }

    /**
     * A file is looked at, read, or a folder is listed.
     *
     * @param standing whether that is of no account where a folder is there anyway
     */
    static void look(String verb, Object file, boolean follows, boolean standing) {
        if (!within || DynaflowOutsideLooks.isGiven(DynaflowOutsidePaths.name(file))) {
            return;
        }
        synchronized (LOCK) {
            if (busy || LOOKED_AT.size() >= MOST_OWN) {
                return;
            }
            busy = true;
            try {
                String path = DynaflowOutsidePaths.of(file, follows);
                boolean known = path != null && (DynaflowOutsideLooks.isFree(path)
                    || standing && DynaflowOutsideLooks.isStanding(path) || isOwn(path, false) || isChanged(path));
                if (!known && LOOKED_AT.add(verb + path) && !DynaflowOutsideCallers.looksOnItsOwn()) {
                    String place = path == null ? DynaflowOutsidePaths.ELSEWHERE : DynaflowOutsidePaths.place(path);
                    boolean absent = path != null && !DynaflowOutsidePaths.exists(path);
                    String what = verb + " " + DynaflowOutsidePaths.shown(path) + (absent ? ", which is not there" : "");
                    keep(LOOKS, place, what, path, owner(), statement, DynaflowOutsideCallers.initialiser());
                }
            } catch (Throwable e) {
                return;
            } finally {
                busy = false;
            }
        }
    }

    /** Whether a file was changed before, which is more than looking at it. */
    private static boolean isChanged(String path) {
        for (Seen seen : SEEN) {
            if (path.equals(seen.path) && seen.kind.equals("files")) {
                return true;
            }
        }
        return false;
    }

    /** Folders are made, with those they are in: the test's own, where they are not there and it may make them. */
    static void makingFolders(Object file) {
        if (!on) {
            return;
        }
        synchronized (LOCK) {
            if (busy) {
                return;
            }
            busy = true;
            try {
                String at = DynaflowOutsidePaths.of(file, true);
                while (at != null && !DynaflowOutsidePaths.exists(at) && isOwn(at, true)) {
                    at = parent(at);
                }
            } catch (Throwable e) {
                return;
            } finally {
                busy = false;
            }
        }
    }

    private static void keep(String verb, String path) {
        for (int i = SEEN.size() - 1; i >= 0 && path != null; i--) {
            if (path.equals(SEEN.get(i).path) && SEEN.get(i).kind.equals(LOOKS)) {
                // Most changes begin with a look.
                SEEN.remove(i);
            }
        }
        String place = path == null ? DynaflowOutsidePaths.ELSEWHERE : DynaflowOutsidePaths.place(path);
        keep("files", place, verb + " " + DynaflowOutsidePaths.shown(path), path, owner(), statement,
            DynaflowOutsideCallers.initialiser());
    }

    /** Whether the test made a file or what it is in, or is about to make it where it may. */
    private static boolean isOwn(String path, boolean makes) {
        for (String at = path; at != null; at = parent(at)) {
            if (OWN.contains(at)) {
                // What it moves or makes in its own folder goes with that, unless the folder is gone by then.
                return true;
            }
        }
        boolean own = makes && OWN.size() < MOST_OWN && DynaflowOutsidePaths.place(path).equals(DynaflowOutsidePaths.TMP)
            && !DynaflowOutsidePaths.exists(path);
        return own && OWN.add(path);
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? null : path.substring(0, slash);
    }

    /** A file is to be deleted when the JVM ends. */
    static void fileAtEnd(Object file) {
        if (!on) {
            return;
        }
        synchronized (LOCK) {
            if (busy) {
                return;
            }
            busy = true;
            try {
                String path = DynaflowOutsidePaths.of(file, false);
                if (path != null && isOwn(path, true)) {
                    AT_END.add(path);
                } else {
                    keep("deletes at the end", path);
                }
            } catch (Throwable e) {
                return;
            } finally {
                busy = false;
            }
        }
    }

    static void viewed(Object view, Object path) {
        if (on) {
            synchronized (LOCK) {
                if (!busy) {
                    VIEW[views] = view;
                    VIEW[views + 1] = path;
                    views = (views + 2) % VIEW.length;
                }
            }
        }
    }

    static void fileOfView(Object view) {
        Object path = null;
        synchronized (LOCK) {
            for (int i = 0; i < VIEW.length; i += 2) {
                path = VIEW[i] == view ? VIEW[i + 1] : path;
            }
        }
        file("changes the attributes of", path, false, true);
    }

    /** A file under a random name is about to be made in a folder, or in that for temporary files. */
    static void naming(Object folder) {
        if (folder != null) {
            file("makes a temporary file in", folder, false, true);
        }
    }

    /** It was made: it is the test's own, and what was kept of it is none. */
    static void named(Object file) {
        if (!on) {
            return;
        }
        synchronized (LOCK) {
            if (busy) {
                return;
            }
            busy = true;
            try {
                String path = DynaflowOutsidePaths.of(file, true);
                if (path != null && OWN.size() < MOST_OWN) {
                    OWN.add(path);
                    forget("makes a temporary file in ", parent(path));
                    forget("writes ", path);
                    forget(FOLDER, path);
                }
            } catch (Throwable e) {
                return;
            } finally {
                busy = false;
            }
        }
    }

    private static void forget(String verb, String path) {
        for (int i = SEEN.size() - 1; i >= 0; i--) {
            Seen seen = SEEN.get(i);
            if (path != null && path.equals(seen.path) && seen.what.startsWith(verb)) {
                SEEN.remove(i);
            }
        }
    }

    /** Something that has no place is done. */
    static void add(String kind, String what) {
        if (!on) {
            return;
        }
        synchronized (LOCK) {
            if (busy) {
                return;
            }
            busy = true;
            try {
                keep(kind, "", what, null, owner(), statement, DynaflowOutsideCallers.initialiser());
            } catch (Throwable e) {
                return;
            } finally {
                busy = false;
            }
        }
    }

    /** A hooked method is called, which is the effect, unless the JDK does so for its own purposes. */
    static void called(String kind) {
        String method = on ? DynaflowOutsideCallers.called() : null;
        if (method != null) {
            add(kind, "calls " + method);
        }
    }

    /** Something that is compared at the end was touched. */
    static void touched(String kind) {
        if (on) {
            synchronized (LOCK) {
                if (statement >= 0 && !TOUCHED.containsKey(kind)) {
                    TOUCHED.put(kind, statement);
                }
                if (!TOUCHED_BY.containsKey(kind)) {
                    TOUCHED_BY.put(kind, DynaflowOutsideCallers.initialiser());
                }
            }
        }
    }

    private static void keep(
            String kind, String place, String what, String path, String owner, int at, String initialiser) {
        Seen seen = new Seen();
        seen.owner = owner;
        seen.kind = kind;
        seen.place = place;
        seen.what = what.length() > LONGEST ? what.substring(0, LONGEST) + "..." : what;
        seen.path = path;
        seen.statement = owner.equals(test) ? at : -1;
        seen.initialiser = initialiser;
        boolean known = false;
        int alike = 0;
        for (int i = 0; i < SEEN.size() && !known; i++) {
            Seen other = SEEN.get(i);
            known = other.same(seen);
            alike += other.kind.equals(kind) && other.place.equals(place) ? 1 : 0;
        }
        if (!known && alike < MOST) {
            SEEN.add(seen);
        }
    }

    /** The test that the current thread works for. */
    private static String owner() {
        Thread current = Thread.currentThread();
        for (int i = STRAYS.size() - 1; i >= 0; i--) {
            Thread stray = STRAYS.get(i).weak.get();
            if (stray == null) {
                STRAYS.remove(i);
            } else if (stray == current) {
                return STRAYS.get(i).owner;
            }
        }
        return test;
    }

    static void started(Object thread) {
        if (!on) {
            return;
        }
        synchronized (LOCK) {
            if (!busy) {
                busy = true;
                try {
                    note(THREADS, (Thread) thread);
                } catch (Throwable e) {
                    return;
                } finally {
                    busy = false;
                }
            }
        }
    }

    private static void note(ArrayList<Started> list, Thread thread) {
        if (list.size() >= MOST_OWN) {
            keep("threads", "", "starts more threads than are watched", null, owner(), statement, "");
            return;
        }
        Started started = new Started();
        started.thread = thread;
        started.weak = new WeakReference<Thread>(thread);
        started.owner = owner();
        started.statement = statement;
        started.initialiser = DynaflowOutsideCallers.initialiser();
        list.add(started);
        if (!started.owner.equals(test)) {
            // What a stray starts is one, too.
            STRAYS.add(started);
        }
    }

    /** A hook that runs when the JVM ends is registered, or taken back. */
    static void hooked(Object thread, boolean added) {
        if (!on || thread == null || thread.getClass() != Thread.class && isOfTheJdk(thread.getClass())) {
            return;
        }
        synchronized (LOCK) {
            if (busy) {
                return;
            }
            busy = true;
            try {
                if (added) {
                    note(HOOKS, (Thread) thread);
                    return;
                }
                for (int i = HOOKS.size() - 1; i >= 0; i--) {
                    if (HOOKS.get(i).thread == thread) {
                        HOOKS.remove(i);
                    }
                }
            } catch (Throwable e) {
                return;
            } finally {
                busy = false;
            }
        }
    }

    /** Gives threads that the test started time to end. Without the lock: they may need it. */
    private static void await(long grace) {
        Started[] started;
        synchronized (LOCK) {
            started = THREADS.toArray(new Started[0]);
        }
        long end = System.nanoTime() + grace * 1000000;
        for (Started one : started) {
            long left = (end - System.nanoTime()) / 1000000;
            if (left > 0 && one.thread != Thread.currentThread() && !isOfTheJdk(one.thread)) {
                try {
                    one.thread.join(left);
                } catch (InterruptedException e) {
                    // Somebody wants the runner's thread to hurry: so be it.
                    return;
                }
            }
        }
    }

    /** What is still there when the test ends. */
    private static void leftBehind() {
        for (String path : OWN) {
            if (!AT_END.contains(path) && DynaflowOutsidePaths.exists(path)) {
                String shown = "leaves behind " + DynaflowOutsidePaths.shown(path);
                keep("files", DynaflowOutsidePaths.place(path), shown, path, test, -1, "");
            }
        }
        for (Started hook : HOOKS) {
            String what = "registers a shutdown hook (" + hook.thread.getClass().getName() + ")";
            keep("shutdown-hooks", "", what, null, hook.owner, hook.statement, hook.initialiser);
        }
        for (Started one : THREADS) {
            if (one.thread.isAlive() && one.thread != Thread.currentThread() && !isOfTheJdk(one.thread)) {
                String what = "leaves a thread behind (" + one.thread.getClass().getName() + ")";
                keep("threads", "", what, null, one.owner, one.statement, one.initialiser);
                if (one.owner.equals(test)) {
                    STRAYS.add(one);
                }
            }
        }
    }

    /** Threads that the JDK keeps for all: workers of the common pool, carriers, cleaners, timers. */
    private static boolean isOfTheJdk(Thread thread) {
        Class<?> type = thread.getClass();
        if (type.getName().startsWith("jdk.internal.")) {
            return true;
        }
        if (thread instanceof ForkJoinWorkerThread && isOfTheJdk(type)) {
            return ((ForkJoinWorkerThread) thread).getPool() == ForkJoinPool.commonPool();
        }
        String name = thread.getName();
        return type == Thread.class && ("CompletableFutureDelayScheduler".equals(name) || "Java2D Disposer".equals(name));
    }

    /** Whether a class is one of the JDK's own: of the boot loader or the one behind it. */
    static boolean isOfTheJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader.getClass().getName().equals("jdk.internal.loader.ClassLoaders$PlatformClassLoader");
    }
}

package java.lang;

/**
 * What woven methods of the JDK call when the program goes beyond its own objects, and where the runners of tests ask what
 * it did. A method for each shape of hooked method; {@link DynaflowOutsideLog} keeps what comes.
 *
 * <p>Each gets the receiver of the hooked method, if it has one, and its parameters, at the entry: an attempt counts,
 * whatever comes of it. Invariant: they throw nothing and change nothing the program can see.
 */
public final class DynaflowOutside {
    /** What of the flags of open(2) on Linux lets a file be made or changed: WRONLY, RDWR, CREAT, TRUNC. */
    private static final int OPEN_WRITES = 1 | 2 | 0100 | 01000;
    /** The mode of a RandomAccessFile that may be written. */
    private static final int RANDOM_WRITES = 2;

    private DynaflowOutside() {}

    /** A test begins: from now on what happens is its doing. */
    public static void begin(String test) {
        DynaflowOutsideLog.begin(test);
    }

    /** The test goes on to a statement. */
    public static void statement(int index) {
        DynaflowOutsideLog.statement(index);
    }

    /**
     * The test ends. Gives what was done since the last end, six texts each: the test that did it (empty between tests),
     * kind, place (empty but for files), what, the statement (-1 if unknown), and the class whose initialiser did it (or empty).
     *
     * @param grace how many milliseconds threads that the test started may take to end
     */
    public static String[] end(long grace) {
        return DynaflowOutsideLog.end(grace);
    }

    /** The statement of the running test that last touched something of a kind that has to be compared; -1 if none. */
    public static int touchedAt(String kind) {
        return DynaflowOutsideLog.touchedAt(kind);
    }

    /** The class whose initialiser touched something of a kind first, while the running test ran; empty if it was none. */
    public static String touchedBy(String kind) {
        return DynaflowOutsideLog.touchedBy(kind);
    }

    // Files that are looked at.

    /** {@code File.exists} and the like, {@code UnixNativeDispatcher.exists} and {@code realpath}. */
    public static void looked(Object file) {
        DynaflowOutsideLog.look("looks at", file, true, true);
    }

    /** {@code UnixNativeDispatcher.stat}. */
    public static void looked(Object path, Object attributes) {
        looked(path);
    }

    /** {@code UnixNativeDispatcher.access}. */
    public static void looked(Object path, int mode) {
        looked(path);
    }

    /** {@code UnixNativeDispatcher.readlink}. */
    public static void lookedAtLink(Object path) {
        DynaflowOutsideLog.look("looks at", path, false, true);
    }

    /** {@code UnixNativeDispatcher.lstat}. */
    public static void lookedAtLink(Object path, Object attributes) {
        lookedAtLink(path);
    }

    /** {@code File.lastModified} and the like: what they give differs, also of folders that are always there. */
    public static void measured(Object file) {
        DynaflowOutsideLog.look("looks at", file, true, false);
    }

    /** {@code UnixNativeDispatcher.statvfs}. */
    public static void measured(Object path, Object attributes) {
        measured(path);
    }

    /** {@code File.list}, {@code UnixNativeDispatcher.opendir}. */
    public static void listed(Object folder) {
        DynaflowOutsideLog.look("lists", folder, true, false);
    }

    /** {@code FileInputStream.open}. */
    public static void read(Object stream, Object name) {
        DynaflowOutsideLog.look("reads", name, true, false);
    }

    // Files that are changed.

    /** {@code FileOutputStream.open}. */
    public static void opened(Object stream, Object name, boolean append) {
        DynaflowOutsideLog.file("writes", name, true, true);
    }

    /** {@code RandomAccessFile.open}. */
    public static void openedRandom(Object file, Object name, int mode) {
        if ((mode & RANDOM_WRITES) != 0) {
            DynaflowOutsideLog.file("writes", name, true, true);
        } else {
            read(file, name);
        }
    }

    /** {@code UnixNativeDispatcher.open}. */
    public static void openedPath(Object path, int flags, int mode) {
        if ((flags & OPEN_WRITES) != 0) {
            DynaflowOutsideLog.file("writes", path, true, true);
        } else {
            read(null, path);
        }
    }

    /** {@code UnixNativeDispatcher.openat}: relative to a folder that has no name here, and was opened for reading. */
    public static void openedIn(int folder, Object name, int flags, int mode) {
        if ((flags & OPEN_WRITES) != 0) {
            DynaflowOutsideLog.file("writes", null, true, true);
        }
    }

    /** {@code File.createNewFile}. */
    public static void created(Object file) {
        DynaflowOutsideLog.file("writes", file, true, true);
    }

    /** {@code UnixNativeDispatcher.mknod}. */
    public static void createdNode(Object path, int mode, long device) {
        DynaflowOutsideLog.file("writes", path, true, true);
    }

    /** {@code File.mkdir}, {@code mkdirs}. */
    public static void madeFolder(Object file) {
        DynaflowOutsideLog.file(DynaflowOutsideLog.FOLDER, file, true, true);
    }

    /** {@code Files.createDirectories}: it looks before it makes the folders. */
    public static void makingFolders(Object path, Object attributes) {
        DynaflowOutsideLog.makingFolders(path);
    }

    /** {@code UnixNativeDispatcher.mkdir}. */
    public static void madeFolder(Object path, int mode) {
        DynaflowOutsideLog.file(DynaflowOutsideLog.FOLDER, path, true, true);
    }

    /** {@code File.delete}, {@code UnixNativeDispatcher.unlink} and {@code rmdir}. */
    public static void deleted(Object file) {
        DynaflowOutsideLog.file("deletes", file, false, false);
    }

    /** {@code UnixNativeDispatcher.unlinkat}. */
    public static void deletedIn(int folder, Object name, int flags) {
        DynaflowOutsideLog.file("deletes", null, false, false);
    }

    /** {@code File.deleteOnExit}. */
    public static void deletedAtEnd(Object file) {
        DynaflowOutsideLog.fileAtEnd(file);
    }

    /** {@code File.renameTo}, {@code UnixNativeDispatcher.rename}. */
    public static void renamed(Object from, Object to) {
        DynaflowOutsideLog.file("renames", from, false, false);
        DynaflowOutsideLog.file("writes", to, true, false);
    }

    /** {@code UnixNativeDispatcher.renameat}. */
    public static void renamedIn(int fromFolder, Object from, int toFolder, Object to) {
        DynaflowOutsideLog.file("renames", null, false, false);
    }

    /** {@code AbstractFileSystemProvider.delete}, {@code deleteIfExists}. */
    public static void deletedPath(Object provider, Object path) {
        deleted(path);
    }

    /** {@code UnixFileSystemProvider.copy}. */
    public static void copiedPath(Object provider, Object from, Object to, Object options) {
        DynaflowOutsideLog.file("writes", to, true, false);
    }

    /** {@code UnixFileSystemProvider.move}. */
    public static void movedPath(Object provider, Object from, Object to, Object options) {
        renamed(from, to);
    }

    /** {@code UnixNativeDispatcher.link} and {@code symlink}: the second is made. */
    public static void linked(Object target, Object link) {
        DynaflowOutsideLog.file("makes the link", link, true, false);
    }

    /** {@code File.setReadOnly}. */
    public static void changed(Object file) {
        DynaflowOutsideLog.file("changes the attributes of", file, false, true);
    }

    /** {@code File.setLastModified}. */
    public static void changed(Object file, long time) {
        changed(file);
    }

    /** {@code File.setWritable}, {@code setReadable}, {@code setExecutable}. */
    public static void changed(Object file, boolean may, boolean ownerOnly) {
        changed(file);
    }

    /** {@code UnixNativeDispatcher.chmod}. */
    public static void changed(Object path, int mode) {
        changed(path);
    }

    /** {@code UnixNativeDispatcher.chown}, {@code lchown}. */
    public static void changed(Object path, int user, int group) {
        changed(path);
    }

    /** A view of a file's attributes was made: what changes them gets the view alone. */
    public static void viewed(Object view, Object path, boolean follows) {
        DynaflowOutsideLog.viewed(view, path);
    }

    /** A view's {@code setTimes}. */
    public static void changedView(Object view, Object modified, Object read, Object created) {
        DynaflowOutsideLog.fileOfView(view);
    }

    /** A view's {@code setMode}. */
    public static void changedView(Object view, int mode) {
        DynaflowOutsideLog.fileOfView(view);
    }

    /** A view's {@code setOwners}. */
    public static void changedView(Object view, int user, int group) {
        DynaflowOutsideLog.fileOfView(view);
    }

    /** A view's {@code write}. */
    public static void changedView(Object view, Object name, Object value) {
        DynaflowOutsideLog.fileOfView(view);
    }

    /** A view's {@code delete}. */
    public static void changedView(Object view, Object name) {
        DynaflowOutsideLog.fileOfView(view);
    }

    /** A view's {@code updateDosAttribute}. */
    public static void changedView(Object view, int flag, boolean set) {
        DynaflowOutsideLog.fileOfView(view);
    }

    /** {@code File.createTempFile} begins: it may fail after it decided on a name. */
    public static void naming(Object prefix, Object suffix, Object folder) {
        DynaflowOutsideLog.naming(folder);
    }

    /** {@code File.createTempFile} and {@code TempFileHelper.create} return. */
    public static void named(Object file) {
        DynaflowOutsideLog.named(file);
    }

    // Network, processes, native code.

    /** {@code UnixDomainSockets.socket}, {@code Net.serverSocket} of newer JDKs. */
    public static void socket() {
        DynaflowOutsideLog.add("network", "opens a socket");
    }

    /** {@code Net.serverSocket} of newer JDKs. */
    public static void socket(Object family) {
        socket();
    }

    /** {@code Net.socket}. */
    public static void socket(Object family, boolean stream) {
        socket();
    }

    /** {@code InetAddress.getAddressesFromNameService}. */
    public static void lookedUp(Object host) {
        if (!"localhost".equals(host)) {
            DynaflowOutsideLog.add("network", "looks up the host " + host);
        }
    }

    /** The same of older JDKs. */
    public static void lookedUp(Object host, Object wanted) {
        lookedUp(host);
    }

    /** {@code InetAddress.getAllByName0}. */
    public static void lookedUp(Object host, boolean check) {
        lookedUp(host);
    }

    /** The same of older JDKs. */
    public static void lookedUp(Object host, Object wanted, boolean check, boolean useCache) {
        lookedUp(host);
    }

    /** {@code InetAddress.getHostFromNameService}. */
    public static void lookedUpAddress(Object address) {
        DynaflowOutsideLog.add("network", "looks up the name of an address");
    }

    /** The same of older JDKs. */
    public static void lookedUpAddress(Object address, boolean check) {
        lookedUpAddress(address);
    }

    /** {@code ProcessImpl.start}. */
    public static void startedProcess(Object command, Object env, Object folder, Object redirects, boolean joined) {
        String program = command instanceof String[] && ((String[]) command).length > 0 ? ((String[]) command)[0] : "";
        DynaflowOutsideLog.add("processes", "starts the process " + program);
    }

    /** {@code ProcessHandleImpl.destroyProcess}. */
    public static void endedProcess(Object process, boolean forcibly) {
        DynaflowOutsideLog.add("processes", "ends a process");
    }

    /** {@code Runtime.load0}, {@code loadLibrary0}. */
    public static void loaded(Object runtime, Object caller, Object library) {
        if (!(caller instanceof Class) || !DynaflowOutsideLog.isOfTheJdk((Class<?>) caller)) {
            DynaflowOutsideLog.add("natives", "loads the library " + library);
        }
    }

    /** {@code AbstractLinker.downcallHandle} without an address. */
    public static void linkedNative(Object linker, Object function, Object options) {
        DynaflowOutsideLog.called("natives");
    }

    /** {@code AbstractLinker.downcallHandle}. */
    public static void linkedNative(Object linker, Object address, Object function, Object options) {
        DynaflowOutsideLog.called("natives");
    }

    /** {@code Runtime.exit}, {@code halt}. */
    public static void exits(Object runtime, int status) {
        DynaflowOutsideLog.add("exit", "ends the JVM");
    }

    // Threads.

    /** {@code Thread.start}. */
    public static void startedThread(Object thread) {
        DynaflowOutsideLog.started(thread);
    }

    /** {@code Thread.start} and {@code VirtualThread.start} of newer JDKs. */
    public static void startedThread(Object thread, Object container) {
        DynaflowOutsideLog.started(thread);
    }

    /** {@code Runtime.addShutdownHook}. */
    public static void addedHook(Object runtime, Object thread) {
        DynaflowOutsideLog.hooked(thread, true);
    }

    /** {@code Runtime.removeShutdownHook}. */
    public static void removedHook(Object runtime, Object thread) {
        DynaflowOutsideLog.hooked(thread, false);
    }

    // What holds for the whole JVM. What has to be compared, since it may be set back, is only touched.

    /** {@code System.clearProperty}, {@code setProperties}. */
    public static void touchedProperties(Object given) {
        DynaflowOutsideLog.touched("properties");
    }

    /** {@code System.setProperty}. */
    public static void touchedProperties(Object key, Object value) {
        DynaflowOutsideLog.touched("properties");
    }

    /** {@code System.setIn}, {@code setOut}, {@code setErr}. */
    public static void touchedStreams(Object stream) {
        DynaflowOutsideLog.touched("streams");
    }

    /** {@code Locale.setDefault}. */
    public static void touchedLocale(Object locale) {
        DynaflowOutsideLog.touched("locale");
    }

    /** {@code Locale.setDefault} of a category. */
    public static void touchedLocale(Object category, Object locale) {
        DynaflowOutsideLog.touched("locale");
    }

    /** {@code TimeZone.setDefault}. */
    public static void touchedTimeZone(Object zone) {
        DynaflowOutsideLog.touched("time-zone");
    }

    /** {@code Thread.setDefaultUncaughtExceptionHandler}. */
    public static void touchedDefaults(Object handler) {
        DynaflowOutsideLog.touched("defaults");
    }

    /** {@code FileSystemPreferences.removeNodeSpi}. */
    public static void preferences(Object node) {
        DynaflowOutsideLog.add("preferences", "changes preferences");
    }

    /** {@code FileSystemPreferences.removeSpi}, {@code childSpi}: a node that is looked at is made. */
    public static void preferences(Object node, Object key) {
        preferences(node);
    }

    /** {@code FileSystemPreferences.putSpi}. */
    public static void preferences(Object node, Object key, Object value) {
        preferences(node);
    }

    /** A method of {@code LogManager}. */
    public static void logging(Object manager) {
        DynaflowOutsideLog.called("logging");
    }

    /** A method of {@code LogManager} or {@code Logger}. */
    public static void logging(Object logger, Object given) {
        DynaflowOutsideLog.called("logging");
    }

    /** {@code LogManager.updateConfiguration}. */
    public static void logging(Object manager, Object in, Object mapper) {
        DynaflowOutsideLog.called("logging");
    }

    /** {@code Logger.setUseParentHandlers}. */
    public static void logging(Object logger, boolean use) {
        DynaflowOutsideLog.called("logging");
    }

    /** A setter of {@code Security}, {@code Policy}, {@code System}. */
    public static void security(Object given) {
        DynaflowOutsideLog.called("security");
    }

    /** {@code Security.setProperty}. */
    public static void security(Object key, Object value) {
        DynaflowOutsideLog.called("security");
    }

    /** {@code Security.insertProviderAt}. */
    public static void security(Object provider, int position) {
        DynaflowOutsideLog.called("security");
    }

    /** A static setter. */
    public static void defaults(Object given) {
        DynaflowOutsideLog.called("defaults");
    }

    /** A static setter with two parameters. */
    public static void defaults(Object one, Object two) {
        DynaflowOutsideLog.called("defaults");
    }

    /** A static setter of a switch. */
    public static void defaults(boolean given) {
        DynaflowOutsideLog.called("defaults");
    }

    /** A switch of one protocol, or of an instance that stands for all. */
    public static void defaults(Object of, boolean given) {
        DynaflowOutsideLog.called("defaults");
    }

    /** A method of a registry that is an object. */
    public static void defaults(Object of, Object one, Object two) {
        DynaflowOutsideLog.called("defaults");
    }

    /** {@code DriverManager.registerDriver}: a driver does so when it is initialised, which is how it comes to be found. */
    public static void registeredDriver(Object driver) {
        if (driver == null || !DynaflowOutsideCallers.isInitialised(driver.getClass())) {
            DynaflowOutsideLog.called("defaults");
        }
    }

    /** The same with an action. */
    public static void registeredDriver(Object driver, Object action) {
        registeredDriver(driver);
    }

    /** A static setter of a number. */
    public static void defaults(int given) {
        DynaflowOutsideLog.called("defaults");
    }
}

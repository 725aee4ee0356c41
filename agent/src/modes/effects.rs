//! `effects=true`: which methods of the JDK reach beyond a program's own objects, and which method of
//! `java.lang.DynaflowOutside` each of them calls.
//!
//! Native methods cannot be hooked: what stands here is the lowest method in Java that all ways to an effect go through, on
//! JDK 17 and 25, which differ; what a JDK does not have is passed over. It does not know what is done with the calls.
//! Invariant: each row's call takes what the hook passes.

use dynaflow_instrument::hooks::{Hook, Moment};

const TARGET: &str = "java/lang/DynaflowOutside";

/// A method that is hooked at its entry: its name, its descriptor, what it calls.
type Row = (&'static str, &'static str, &'static str);

const CREATE_FOLDERS: &str =
    "(Ljava/nio/file/Path;[Ljava/nio/file/attribute/FileAttribute;)Ljava/nio/file/Path;";

/// By class.
const ENTRIES: &[(&str, &[Row])] = &[
    ("java/io/FileOutputStream", &[("open", "(Ljava/lang/String;Z)V", "opened")]),
    ("java/io/FileInputStream", &[("open", "(Ljava/lang/String;)V", "read")]),
    ("java/io/RandomAccessFile", &[("open", "(Ljava/lang/String;I)V", "openedRandom")]),
    ("java/nio/file/Files", &[("createDirectories", CREATE_FOLDERS, "makingFolders")]),
    (
        "java/io/File",
        &[
            ("exists", "()Z", "looked"),
            ("isFile", "()Z", "looked"),
            ("isDirectory", "()Z", "looked"),
            ("isHidden", "()Z", "looked"),
            ("canRead", "()Z", "looked"),
            ("canWrite", "()Z", "looked"),
            ("canExecute", "()Z", "looked"),
            ("length", "()J", "measured"),
            ("lastModified", "()J", "measured"),
            ("getTotalSpace", "()J", "measured"),
            ("getFreeSpace", "()J", "measured"),
            ("getUsableSpace", "()J", "measured"),
            ("list", "()[Ljava/lang/String;", "listed"),
            ("normalizedList", "()[Ljava/lang/String;", "listed"),
            ("createNewFile", "()Z", "created"),
            ("mkdir", "()Z", "madeFolder"),
            ("mkdirs", "()Z", "madeFolder"),
            ("delete", "()Z", "deleted"),
            ("deleteOnExit", "()V", "deletedAtEnd"),
            ("renameTo", "(Ljava/io/File;)Z", "renamed"),
            ("setReadOnly", "()Z", "changed"),
            ("setLastModified", "(J)Z", "changed"),
            ("setWritable", "(ZZ)Z", "changed"),
            ("setReadable", "(ZZ)Z", "changed"),
            ("setExecutable", "(ZZ)Z", "changed"),
            (
                "createTempFile",
                "(Ljava/lang/String;Ljava/lang/String;Ljava/io/File;)Ljava/io/File;",
                "naming",
            ),
        ],
    ),
    (
        "sun/nio/fs/UnixNativeDispatcher",
        &[
            ("exists", "(Lsun/nio/fs/UnixPath;)Z", "looked"),
            ("access", "(Lsun/nio/fs/UnixPath;I)V", "looked"),
            ("access", "(Lsun/nio/fs/UnixPath;I)I", "looked"),
            ("stat", "(Lsun/nio/fs/UnixPath;)I", "looked"),
            ("stat", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixFileAttributes;)V", "looked"),
            ("stat2", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixFileAttributes;)I", "looked"),
            ("lstat", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixFileAttributes;)V", "lookedAtLink"),
            ("readlink", "(Lsun/nio/fs/UnixPath;)[B", "lookedAtLink"),
            ("realpath", "(Lsun/nio/fs/UnixPath;)[B", "looked"),
            ("statvfs", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixFileStoreAttributes;)V", "measured"),
            ("opendir", "(Lsun/nio/fs/UnixPath;)J", "listed"),
            ("open", "(Lsun/nio/fs/UnixPath;II)I", "openedPath"),
            ("openat", "(I[BII)I", "openedIn"),
            ("mknod", "(Lsun/nio/fs/UnixPath;IJ)V", "createdNode"),
            ("mkdir", "(Lsun/nio/fs/UnixPath;I)V", "madeFolder"),
            ("rmdir", "(Lsun/nio/fs/UnixPath;)V", "deleted"),
            ("unlink", "(Lsun/nio/fs/UnixPath;)V", "deleted"),
            ("unlinkat", "(I[BI)V", "deletedIn"),
            ("rename", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixPath;)V", "renamed"),
            ("renameat", "(I[BI[B)V", "renamedIn"),
            ("link", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixPath;)V", "linked"),
            ("symlink", "([BLsun/nio/fs/UnixPath;)V", "linked"),
            ("chmod", "(Lsun/nio/fs/UnixPath;I)V", "changed"),
            ("chown", "(Lsun/nio/fs/UnixPath;II)V", "changed"),
            ("lchown", "(Lsun/nio/fs/UnixPath;II)V", "changed"),
        ],
    ),
    // These look before they leap: without the file, what they would do to it is never tried.
    (
        "sun/nio/fs/AbstractFileSystemProvider",
        &[
            ("delete", "(Ljava/nio/file/Path;)V", "deletedPath"),
            ("deleteIfExists", "(Ljava/nio/file/Path;)Z", "deletedPath"),
        ],
    ),
    (
        "sun/nio/fs/UnixFileSystemProvider",
        &[
            ("copy", "(Ljava/nio/file/Path;Ljava/nio/file/Path;[Ljava/nio/file/CopyOption;)V", "copiedPath"),
            ("move", "(Ljava/nio/file/Path;Ljava/nio/file/Path;[Ljava/nio/file/CopyOption;)V", "movedPath"),
        ],
    ),
    (
        "sun/nio/fs/UnixUserDefinedFileAttributeView",
        &[
            ("write", "(Ljava/lang/String;Ljava/nio/ByteBuffer;)I", "changedView"),
            ("delete", "(Ljava/lang/String;)V", "changedView"),
        ],
    ),
    ("sun/nio/fs/LinuxDosFileAttributeView", &[("updateDosAttribute", "(IZ)V", "changedView")]),
    (
        "sun/nio/fs/UnixFileAttributeViews$Basic",
        &[(
            "setTimes",
            "(Ljava/nio/file/attribute/FileTime;Ljava/nio/file/attribute/FileTime;Ljava/nio/file/attribute/FileTime;)V",
            "changedView",
        )],
    ),
    (
        "sun/nio/fs/UnixFileAttributeViews$Posix",
        &[("setMode", "(I)V", "changedView"), ("setOwners", "(II)V", "changedView")],
    ),
    (
        "sun/nio/ch/Net",
        &[
            ("socket", "(Ljava/net/ProtocolFamily;Z)Ljava/io/FileDescriptor;", "socket"),
            ("serverSocket", "(Ljava/net/ProtocolFamily;Z)Ljava/io/FileDescriptor;", "socket"),
            ("serverSocket", "(Ljava/net/ProtocolFamily;)Ljava/io/FileDescriptor;", "socket"),
        ],
    ),
    ("sun/nio/ch/UnixDomainSockets", &[("socket", "()Ljava/io/FileDescriptor;", "socket")]),
    (
        "java/net/InetAddress",
        &[
            (
                "getAddressesFromNameService",
                "(Ljava/lang/String;Ljava/net/InetAddress;)[Ljava/net/InetAddress;",
                "lookedUp",
            ),
            ("getAddressesFromNameService", "(Ljava/lang/String;)[Ljava/net/InetAddress;", "lookedUp"),
            // Before the cache is asked.
            (
                "getAllByName0",
                "(Ljava/lang/String;Ljava/net/InetAddress;ZZ)[Ljava/net/InetAddress;",
                "lookedUp",
            ),
            ("getAllByName0", "(Ljava/lang/String;Z)[Ljava/net/InetAddress;", "lookedUp"),
            ("getHostFromNameService", "(Ljava/net/InetAddress;Z)Ljava/lang/String;", "lookedUpAddress"),
            ("getHostFromNameService", "(Ljava/net/InetAddress;)Ljava/lang/String;", "lookedUpAddress"),
        ],
    ),
    (
        "java/lang/ProcessImpl",
        &[(
            "start",
            "([Ljava/lang/String;Ljava/util/Map;Ljava/lang/String;[Ljava/lang/ProcessBuilder$Redirect;Z)Ljava/lang/Process;",
            "startedProcess",
        )],
    ),
    ("java/lang/ProcessHandleImpl", &[("destroyProcess", "(Z)Z", "endedProcess")]),
    (
        "java/lang/Runtime",
        &[
            ("exit", "(I)V", "exits"),
            ("halt", "(I)V", "exits"),
            ("load0", "(Ljava/lang/Class;Ljava/lang/String;)V", "loaded"),
            ("loadLibrary0", "(Ljava/lang/Class;Ljava/lang/String;)V", "loaded"),
            ("addShutdownHook", "(Ljava/lang/Thread;)V", "addedHook"),
            ("removeShutdownHook", "(Ljava/lang/Thread;)Z", "removedHook"),
        ],
    ),
    (
        "jdk/internal/foreign/abi/AbstractLinker",
        &[
            (
                "downcallHandle",
                "(Ljava/lang/foreign/MemorySegment;Ljava/lang/foreign/FunctionDescriptor;[Ljava/lang/foreign/Linker$Option;)Ljava/lang/invoke/MethodHandle;",
                "linkedNative",
            ),
            (
                "downcallHandle",
                "(Ljava/lang/foreign/FunctionDescriptor;[Ljava/lang/foreign/Linker$Option;)Ljava/lang/invoke/MethodHandle;",
                "linkedNative",
            ),
        ],
    ),
    (
        "java/lang/Thread",
        &[
            ("start", "()V", "startedThread"),
            ("start", "(Ljdk/internal/vm/ThreadContainer;)V", "startedThread"),
            (
                "setDefaultUncaughtExceptionHandler",
                "(Ljava/lang/Thread$UncaughtExceptionHandler;)V",
                "touchedDefaults",
            ),
        ],
    ),
    ("java/lang/VirtualThread", &[("start", "(Ljdk/internal/vm/ThreadContainer;)V", "startedThread")]),
    (
        "java/lang/System",
        &[
            ("setProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", "touchedProperties"),
            ("clearProperty", "(Ljava/lang/String;)Ljava/lang/String;", "touchedProperties"),
            ("setProperties", "(Ljava/util/Properties;)V", "touchedProperties"),
            ("setIn", "(Ljava/io/InputStream;)V", "touchedStreams"),
            ("setOut", "(Ljava/io/PrintStream;)V", "touchedStreams"),
            ("setErr", "(Ljava/io/PrintStream;)V", "touchedStreams"),
            ("setSecurityManager", "(Ljava/lang/SecurityManager;)V", "security"),
        ],
    ),
    (
        "java/util/Locale",
        &[
            ("setDefault", "(Ljava/util/Locale;)V", "touchedLocale"),
            ("setDefault", "(Ljava/util/Locale$Category;Ljava/util/Locale;)V", "touchedLocale"),
        ],
    ),
    ("java/util/TimeZone", &[("setDefault", "(Ljava/util/TimeZone;)V", "touchedTimeZone")]),
    (
        "java/util/prefs/FileSystemPreferences",
        &[
            ("putSpi", "(Ljava/lang/String;Ljava/lang/String;)V", "preferences"),
            ("removeSpi", "(Ljava/lang/String;)V", "preferences"),
            ("childSpi", "(Ljava/lang/String;)Ljava/util/prefs/AbstractPreferences;", "preferences"),
            ("removeNodeSpi", "()V", "preferences"),
        ],
    ),
    (
        "java/util/logging/LogManager",
        &[
            ("reset", "()V", "logging"),
            ("readConfiguration", "()V", "logging"),
            ("readConfiguration", "(Ljava/io/InputStream;)V", "logging"),
            ("updateConfiguration", "(Ljava/util/function/Function;)V", "logging"),
            ("updateConfiguration", "(Ljava/io/InputStream;Ljava/util/function/Function;)V", "logging"),
        ],
    ),
    (
        "java/util/logging/Logger",
        &[
            ("setLevel", "(Ljava/util/logging/Level;)V", "logging"),
            ("setFilter", "(Ljava/util/logging/Filter;)V", "logging"),
            ("addHandler", "(Ljava/util/logging/Handler;)V", "logging"),
            ("removeHandler", "(Ljava/util/logging/Handler;)V", "logging"),
            ("setUseParentHandlers", "(Z)V", "logging"),
        ],
    ),
    (
        "java/security/Security",
        &[
            ("addProvider", "(Ljava/security/Provider;)I", "security"),
            ("insertProviderAt", "(Ljava/security/Provider;I)I", "security"),
            ("removeProvider", "(Ljava/lang/String;)V", "security"),
            ("setProperty", "(Ljava/lang/String;Ljava/lang/String;)V", "security"),
        ],
    ),
    ("java/security/Policy", &[("setPolicy", "(Ljava/security/Policy;)V", "security")]),
    ("java/net/Authenticator", &[("setDefault", "(Ljava/net/Authenticator;)V", "defaults")]),
    ("java/net/ProxySelector", &[("setDefault", "(Ljava/net/ProxySelector;)V", "defaults")]),
    ("java/net/CookieHandler", &[("setDefault", "(Ljava/net/CookieHandler;)V", "defaults")]),
    ("java/net/ResponseCache", &[("setDefault", "(Ljava/net/ResponseCache;)V", "defaults")]),
    ("java/net/URL", &[("setURLStreamHandlerFactory", "(Ljava/net/URLStreamHandlerFactory;)V", "defaults")]),
    (
        "java/net/URLConnection",
        &[
            ("setContentHandlerFactory", "(Ljava/net/ContentHandlerFactory;)V", "defaults"),
            ("setFileNameMap", "(Ljava/net/FileNameMap;)V", "defaults"),
            ("setDefaultAllowUserInteraction", "(Z)V", "defaults"),
            ("setDefaultUseCaches", "(Z)V", "defaults"),
            ("setDefaultUseCaches", "(Ljava/lang/String;Z)V", "defaults"),
        ],
    ),
    ("java/net/HttpURLConnection", &[("setFollowRedirects", "(Z)V", "defaults")]),
    ("java/net/Socket", &[("setSocketImplFactory", "(Ljava/net/SocketImplFactory;)V", "defaults")]),
    ("java/net/ServerSocket", &[("setSocketFactory", "(Ljava/net/SocketImplFactory;)V", "defaults")]),
    (
        "java/net/DatagramSocket",
        &[("setDatagramSocketImplFactory", "(Ljava/net/DatagramSocketImplFactory;)V", "defaults")],
    ),
    (
        "java/sql/DriverManager",
        &[
            ("registerDriver", "(Ljava/sql/Driver;)V", "registeredDriver"),
            ("registerDriver", "(Ljava/sql/Driver;Ljava/sql/DriverAction;)V", "registeredDriver"),
            ("deregisterDriver", "(Ljava/sql/Driver;)V", "defaults"),
            ("setLoginTimeout", "(I)V", "defaults"),
            ("setLogWriter", "(Ljava/io/PrintWriter;)V", "defaults"),
        ],
    ),
    (
        "java/beans/PropertyEditorManager",
        &[
            ("registerEditor", "(Ljava/lang/Class;Ljava/lang/Class;)V", "defaults"),
            ("setEditorSearchPath", "([Ljava/lang/String;)V", "defaults"),
        ],
    ),
    ("java/beans/Introspector", &[("setBeanInfoSearchPath", "([Ljava/lang/String;)V", "defaults")]),
    (
        "javax/naming/spi/NamingManager",
        &[
            ("setObjectFactoryBuilder", "(Ljavax/naming/spi/ObjectFactoryBuilder;)V", "defaults"),
            (
                "setInitialContextFactoryBuilder",
                "(Ljavax/naming/spi/InitialContextFactoryBuilder;)V",
                "defaults",
            ),
        ],
    ),
    (
        "java/rmi/server/RMISocketFactory",
        &[("setSocketFactory", "(Ljava/rmi/server/RMISocketFactory;)V", "defaults")],
    ),
    (
        "com/sun/jmx/mbeanserver/JmxMBeanServer",
        &[
            (
                "registerMBean",
                "(Ljava/lang/Object;Ljavax/management/ObjectName;)Ljavax/management/ObjectInstance;",
                "defaults",
            ),
            ("unregisterMBean", "(Ljavax/management/ObjectName;)V", "defaults"),
        ],
    ),
    (
        "sun/misc/Signal",
        &[("handle", "(Lsun/misc/Signal;Lsun/misc/SignalHandler;)Lsun/misc/SignalHandler;", "defaults")],
    ),
    (
        "javax/security/auth/login/Configuration",
        &[("setConfiguration", "(Ljavax/security/auth/login/Configuration;)V", "security")],
    ),
    (
        "java/net/DatagramSocket",
        &[("setDatagramSocketImplFactory", "(Ljava/net/DatagramSocketImplFactory;)V", "defaults")],
    ),
    (
        "javax/net/ssl/HttpsURLConnection",
        &[
            ("setDefaultHostnameVerifier", "(Ljavax/net/ssl/HostnameVerifier;)V", "defaults"),
            ("setDefaultSSLSocketFactory", "(Ljavax/net/ssl/SSLSocketFactory;)V", "defaults"),
        ],
    ),
    ("javax/net/ssl/SSLContext", &[("setDefault", "(Ljavax/net/ssl/SSLContext;)V", "defaults")]),
];

/// Those whose result matters: a temporary file.
const RESULTS: &[(&str, &[Row])] = &[
    (
        "java/io/File",
        &[("createTempFile", "(Ljava/lang/String;Ljava/lang/String;Ljava/io/File;)Ljava/io/File;", "named")],
    ),
    (
        "java/nio/file/TempFileHelper",
        &[(
            "create",
            "(Ljava/nio/file/Path;Ljava/lang/String;Ljava/lang/String;Z[Ljava/nio/file/attribute/FileAttribute;)Ljava/nio/file/Path;",
            "named",
        )],
    ),
];

/// Those that are known when they are made: a view's file.
const RETURNS: &[(&str, &[Row])] = &[
    ("sun/nio/fs/UnixUserDefinedFileAttributeView", &[("<init>", "(Lsun/nio/fs/UnixPath;Z)V", "viewed")]),
    ("sun/nio/fs/UnixFileAttributeViews$Basic", &[("<init>", "(Lsun/nio/fs/UnixPath;Z)V", "viewed")]),
];

/// All hooks.
pub fn hooks() -> Vec<Hook> {
    let all = |tables: &'static [(&str, &[Row])], moment| {
        tables.iter().flat_map(move |(class, rows)| {
            rows.iter().map(move |(method, descriptor, call)| {
                Hook::new(*class, *method, moment, TARGET, *call).of(*descriptor)
            })
        })
    };
    let results = all(RESULTS, Moment::Result);
    all(ENTRIES, Moment::Entry).chain(results).chain(all(RETURNS, Moment::Return)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::descriptor;
    use std::collections::BTreeSet;

    /// What a hook passes: references are objects, whatever they are.
    fn passed(hook: &Hook, is_static: bool) -> String {
        let of = hook.descriptor.as_deref().unwrap();
        let object = |d: &str| if d.starts_with(['L', '[']) { "Ljava/lang/Object;" } else { d }.to_owned();
        let mut passed: Vec<String> = vec![];
        if hook.moment != Moment::Result {
            passed.extend((!is_static).then(|| object("L")));
            passed.extend(descriptor::parameters(of).iter().map(|parameter| object(parameter)));
        }
        let result = descriptor::result(of);
        if hook.moment != Moment::Entry && result != "V" {
            passed.push(object(result));
        }
        format!("({})V", passed.concat())
    }

    #[test]
    fn every_row_calls_a_method_that_is_there_and_takes_what_is_passed() {
        let (_, bytes) =
            dynaflow_java_shim::RECORDER.iter().find(|(name, _)| name.replace('.', "/") == TARGET).unwrap();
        let class = dynaflow_classfile::ClassFile::parse(bytes).unwrap();
        let there: BTreeSet<(String, String)> = class
            .methods
            .iter()
            .map(|m| {
                (
                    class.pool.utf8(m.name).unwrap().to_string(),
                    class.pool.utf8(m.descriptor).unwrap().to_string(),
                )
            })
            .collect();
        for hook in hooks() {
            // Which of the two it is, the JDK's own class says; one of them has to be there.
            let fits = [true, false].map(|is_static| (hook.call.to_string(), passed(&hook, is_static)));
            assert!(fits.iter().any(|call| there.contains(call)), "{hook:?}: none of {fits:?}");
        }
    }
}

package java.lang;

import java.io.File;
import java.util.ArrayList;

/**
 * Which looks at files do not count: those at the class path, the JDK and the files of the system that libraries read. The path alone
 * decides. Knows nothing of tests. Invariant: it looks at no file except to resolve links.
 */
final class DynaflowOutsideLooks {
    /** What the sandbox of workers lets everybody read; a test of the driver holds the two lists together. */
    private static final String[] SYSTEM = {
        "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
        "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/nix/store",
        "/usr/share/zoneinfo", "/usr/share/locale", "/usr/share/i18n", "/usr/share/fonts", "/usr/share/fontconfig",
        "/usr/share/java", "/usr/share/ca-certificates", "/usr/share/crypto-policies", "/usr/share/pki",
        "/usr/local/share/fonts", "/var/cache/fontconfig", "/etc/fonts", "/etc/ssl/certs", "/etc/ssl/openssl.cnf",
        "/etc/pki", "/etc/crypto-policies", "/etc/ca-certificates", "/etc/ld.so.cache", "/etc/ld.so.conf",
        "/etc/ld.so.conf.d", "/etc/localtime", "/etc/timezone", "/etc/locale.alias", "/etc/nsswitch.conf",
        "/etc/host.conf", "/etc/hosts", "/etc/resolv.conf", "/etc/gai.conf", "/etc/protocols", "/etc/services",
        "/etc/passwd", "/etc/group", "/etc/os-release", "/etc/lsb-release", "/etc/mime.types",
        "/proc/cgroups", "/proc/cpuinfo", "/proc/filesystems", "/proc/loadavg", "/proc/meminfo", "/proc/stat",
        "/proc/uptime", "/proc/version", "/proc/vmstat", "/proc/sys", "/sys/devices/system", "/sys/fs/cgroup",
        "/sys/kernel/mm",
    };
    /** Besides: what /proc shows of the process itself, after links are resolved, and where the JVM seeks libraries. */
    private static final String[] MORE = {"/proc/self", "/proc/mounts", "/etc/mtab", "/usr/java/packages/lib"};
    /** Settings of a JDK that a distribution keeps there: `/etc/java-17-openjdk`. */
    private static final String SETTINGS = "/etc/java";
    /** As they are given: most looks are those of class loaders, which use the very names. */
    private static final String[] GIVEN = given();
    private static final String[] RESOLVED = resolved();

    private DynaflowOutsideLooks() {}

    private static String[] given() {
        ArrayList<String> roots = new ArrayList<String>();
        roots.add(new File(System.getProperty("java.home", "/")).getAbsolutePath());
        for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
            // An empty entry is the working folder.
            roots.add(new File(entry).getAbsolutePath());
        }
        return roots.toArray(new String[0]);
    }

    private static String[] resolved() {
        ArrayList<String> roots = new ArrayList<String>();
        for (String[] some : new String[][] {GIVEN, SYSTEM, MORE}) {
            for (String root : some) {
                String path = DynaflowOutsidePaths.of(root, true);
                if (!roots.contains(path)) {
                    roots.add(path);
                }
            }
        }
        return roots.toArray(new String[0]);
    }

    /** Whether a name, as it stands, is one of the class path or the JDK. No for what only leads there. */
    static boolean isGiven(String name) {
        for (int i = 0; name != null && i < GIVEN.length; i++) {
            String root = GIVEN[i];
            if (DynaflowOutsidePaths.isIn(name, root)) {
                return name.indexOf("/..") < 0;
            }
        }
        return false;
    }

    /** Whether everybody may look at a path; it has no links. */
    static boolean isFree(String path) {
        for (String root : RESOLVED) {
            if (DynaflowOutsidePaths.isIn(path, root)) {
                return true;
            }
        }
        return path.startsWith(SETTINGS);
    }

    /** Whether a folder is there on every machine, since what everybody may look at is in it. */
    static boolean isStanding(String path) {
        for (String root : RESOLVED) {
            if (DynaflowOutsidePaths.isIn(root, path)) {
                return true;
            }
        }
        return DynaflowOutsidePaths.isStanding(path);
    }
}

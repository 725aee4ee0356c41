package java.lang;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Names of files: where they lead, where that is, how it is shown. Knows nothing of what is done to them. Invariant: no code
 * of the program runs here, though it may have handed in objects of its own classes.
 */
final class DynaflowOutsidePaths {
    static final String TMP = "tmp";
    static final String WORK = "work";
    static final String ELSEWHERE = "elsewhere";

    private static final String TMP_FOLDER = canonical(System.getProperty("java.io.tmpdir", "/tmp"), true);
    private static final String WORK_FOLDER = canonical(System.getProperty("user.dir", "/"), true);
    /** So many digits in a row are random. */
    private static final int RANDOM_DIGITS = 6;

    private DynaflowOutsidePaths() {}

    /**
     * The one name of a file, without links; null if it cannot be known.
     *
     * @param follows whether the last part may be a link that counts as what it leads to
     */
    static String of(Object file, boolean follows) {
        String name = name(file);
        return name == null ? null : canonical(name, follows);
    }

    /** The name that the program gave a file; null if it cannot be known. */
    static String name(Object file) {
        String name = null;
        if (file instanceof String) {
            name = (String) file;
        } else if (file != null && file.getClass() == File.class) {
            name = ((File) file).getPath();
        } else if (file instanceof Path && file.getClass().getClassLoader() == null) {
            name = file.toString();
        }
        return name;
    }

    private static String canonical(String name, boolean follows) {
        File file = new File(name).getAbsoluteFile();
        try {
            File parent = file.getParentFile();
            if (follows || parent == null || file.getName().equals("..") || file.getName().equals(".")) {
                return file.getCanonicalPath();
            }
            return new File(parent.getCanonicalFile(), file.getName()).getPath();
        } catch (IOException e) {
            return file.getPath();
        }
    }

    /** Where a file is. Of the two folders the inner one counts, should one be in the other. */
    static String place(String path) {
        boolean tmp = isIn(path, TMP_FOLDER);
        boolean work = isIn(path, WORK_FOLDER);
        if (tmp && work) {
            return TMP_FOLDER.length() >= WORK_FOLDER.length() ? TMP : WORK;
        }
        return tmp ? TMP : work ? WORK : ELSEWHERE;
    }

    static boolean isIn(String path, String folder) {
        return path != null && (path.equals(folder) || folder.equals("/")
            || path.length() > folder.length() && path.startsWith(folder) && path.charAt(folder.length()) == '/');
    }

    /** Devices that forget what they are given. */
    static boolean isNothing(String path) {
        return "/dev/null".equals(path) || "/dev/zero".equals(path) || "/dev/full".equals(path);
    }

    /** Whether a folder is there in every run, so that making it makes nothing. */
    static boolean isStanding(String path) {
        return isIn(TMP_FOLDER, path) || isIn(WORK_FOLDER, path);
    }

    /** Whether something is there, be it a link that leads nowhere. */
    static boolean exists(String path) {
        return Files.exists(new File(path).toPath(), LinkOption.NOFOLLOW_LINKS);
    }

    /** The path below the folder it is in; elsewhere the whole. Random numbers are left out: they differ in each run. */
    static String shown(String path) {
        if (path == null) {
            return "a file whose name is not known";
        }
        String place = place(path);
        if (place.equals(ELSEWHERE)) {
            return path;
        }
        String folder = place.equals(TMP) ? TMP_FOLDER : WORK_FOLDER;
        if (path.equals(folder)) {
            return place.equals(TMP) ? "the folder for temporary files" : "the working folder";
        }
        String rest = path.substring(folder.equals("/") ? 1 : folder.length() + 1);
        return place.equals(TMP) ? withoutNumbers(rest) : rest;
    }

    private static String withoutNumbers(String text) {
        StringBuilder shown = new StringBuilder();
        int digits = 0;
        for (int i = 0; i <= text.length(); i++) {
            boolean digit = i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9';
            if (digit) {
                digits++;
                continue;
            }
            if (digits > 0) {
                shown.append(digits >= RANDOM_DIGITS ? "*" : text.substring(i - digits, i));
                digits = 0;
            }
            if (i < text.length()) {
                shown.append(text.charAt(i));
            }
        }
        return shown.toString();
    }
}

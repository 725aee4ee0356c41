package io.dynaflow.shim;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The folder that sequences may write to, emptied after each. Knows nothing of who runs.
 * Invariant: links are never followed, and depth costs neither stack nor long paths: what lies in a folder is moved up before the
 * folder goes.
 */
final class OwnFolder {
    /** Set by the launcher when the folder is this JVM's alone. */
    private static final String PROPERTY = "dynaflow.home";
    private static final String TEMPORARY = "tmp";
    /** File systems count time in ticks: what changed within one shows the same time. */
    private static final long TICK_MILLIS = 50;

    private final File folder;
    private final File temporary;
    private final long room;
    private long moved;
    private boolean stuck;
    /** When the two folders were changed last while they were seen empty, and whether a later change shows another time. */
    private long changed;
    private long changedInside;
    private boolean settled;

    private OwnFolder(File folder) {
        this.folder = folder;
        this.temporary = folder == null ? null : new File(folder, TEMPORARY);
        this.room = folder == null ? 0 : folder.getUsableSpace();
    }

    /** The folder this JVM was given; one that does nothing where it was given none. */
    static OwnFolder given() {
        String path = System.getProperty(PROPERTY);
        return new OwnFolder(path == null ? null : new File(path));
    }

    /** Whether what was written stays, or takes half of the room although it is gone: an open file nobody sees. */
    boolean isWorn() {
        return folder != null && (stuck || folder.getUsableSpace() < room / 2);
    }

    void empty() {
        if (folder == null || isEmpty()) {
            return;
        }
        try {
            while (clear() > 0) {
                // Folders that were moved up are next.
                continue;
            }
            stuck = !temporary.isDirectory() && !temporary.mkdir();
        } catch (IOException e) {
            stuck = true;
        } catch (RuntimeException e) {
            stuck = true;
        }
    }

    /** Looks into the folders only where their times do not show that nothing came or went since they were empty. */
    private boolean isEmpty() {
        long outer = folder.lastModified();
        long inner = temporary.lastModified();
        if (settled && outer == changed && inner == changedInside) {
            return true;
        }
        String[] names = folder.list();
        String[] inside = temporary.list();
        boolean empty = names != null && names.length == 1 && inside != null && inside.length == 0;
        settled = empty && System.currentTimeMillis() - Math.max(outer, inner) > TICK_MILLIS;
        changed = outer;
        changedInside = inner;
        return empty;
    }

    /** Removes what is in the folder; gives how many entries there were. */
    private int clear() throws IOException {
        String[] names = names(folder);
        for (String name : names) {
            Path entry = folder.toPath().resolve(name);
            if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                flatten(entry);
            } else {
                Files.deleteIfExists(entry);
            }
        }
        return names.length;
    }

    private void flatten(Path inner) throws IOException {
        for (String name : names(inner.toFile())) {
            Path entry = inner.resolve(name);
            if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                Files.move(entry, free());
            } else {
                Files.deleteIfExists(entry);
            }
        }
        Files.deleteIfExists(inner);
    }

    private Path free() {
        while (true) {
            moved++;
            Path name = folder.toPath().resolve("dynaflow-" + moved);
            if (!Files.exists(name, LinkOption.NOFOLLOW_LINKS)) {
                return name;
            }
        }
    }

    private static String[] names(File in) throws IOException {
        String[] names = in.list();
        if (names == null) {
            throw new IOException("cannot look into " + in);
        }
        return names;
    }
}

package java.lang;

import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * In place of the agent: reads the tables of slots from the file that the property {@code coverage.tables} names (a line each:
 * slot, numbers) and appends what is covered to the one that {@code coverage.reported} names (a line each: slot, bits).
 */
final class DynaflowNative {
    private DynaflowNative() {}

    private static Map<Integer, long[]> tables;
    private static FileOutputStream reported;

    static synchronized void covered(int slot, long bits) {
        try {
            if (reported == null) {
                reported = new FileOutputStream(System.getProperty("coverage.reported"), true);
            }
            reported.write((slot + " " + Long.toUnsignedString(bits) + "\n").getBytes());
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    static synchronized long[] updates(int slot) {
        if (tables == null) {
            tables = new HashMap<Integer, long[]>();
            try (BufferedReader in = new BufferedReader(new FileReader(System.getProperty("coverage.tables")))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    String[] words = line.split(" ");
                    long[] table = new long[words.length - 1];
                    for (int i = 0; i < table.length; i++) {
                        table[i] = Long.parseUnsignedLong(words[i + 1]);
                    }
                    tables.put(Integer.parseInt(words[0]), table);
                }
            } catch (IOException error) {
                throw new IllegalStateException(error);
            }
        }
        return tables.get(slot);
    }
}

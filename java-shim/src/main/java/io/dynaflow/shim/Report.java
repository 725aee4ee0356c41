package io.dynaflow.shim;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What the suite runner tells its driver: a line per event, fields between tabs. Knows nothing of test frameworks.
 * Invariant: a line is written in one piece and at once, so that a crash loses no earlier event.
 */
final class Report {
    private static final int MOST_FRAMES = 12;
    private static final int LONGEST_FIELD = 1 << 13;

    private final OutputStream out;

    Report(OutputStream out) {
        this.out = out;
    }

    void started(String test) {
        line("started", test);
    }

    void passed(String test) {
        line("passed", test);
    }

    void skipped(String test, String reason) {
        line("skipped", test, reason);
    }

    void failed(String test, Throwable thrown) {
        if (thrown == null) {
            line("failed", test, "", "", "");
            return;
        }
        line("failed", test, thrown.getClass().getName(), message(thrown), stack(thrown));
    }

    void testClass(String name, TestKind kind) {
        line("class", name, kind.name());
    }

    void trouble(String what) {
        line("trouble", what);
    }

    void done() {
        line("done");
    }

    private static String message(Throwable thrown) {
        try {
            return String.valueOf(thrown.getMessage());
        } catch (Throwable e) {
            return "(getMessage() threw " + e.getClass().getName() + ")";
        }
    }

    private static String stack(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        StackTraceElement[] frames = thrown.getStackTrace();
        for (int i = 0; i < Math.min(frames.length, MOST_FRAMES); i++) {
            text.append(i == 0 ? "" : "\n").append(frames[i]);
        }
        return text.toString();
    }

    private synchronized void line(String... fields) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < fields.length; i++) {
            line.append(i == 0 ? "" : "\t");
            escape(fields[i], line);
        }
        line.append('\n');
        try {
            out.write(line.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // The driver is gone: nobody wants the rest.
            Runtime.getRuntime().halt(Protocol.EXIT_FAILED);
        }
    }

    private static void escape(String field, StringBuilder line) {
        for (int i = 0; i < Math.min(field.length(), LONGEST_FIELD); i++) {
            char c = field.charAt(i);
            switch (c) {
                case '\t': line.append("\\t"); break;
                case '\n': line.append("\\n"); break;
                case '\r': line.append("\\r"); break;
                case '\\': line.append("\\\\"); break;
                default: line.append(c);
            }
        }
    }
}

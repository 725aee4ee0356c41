package io.dynaflow.shim;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What the suite runner reports to its driver: a line per event, fields between tabs. Knows nothing of test frameworks.
 * Invariant: a line is written in one piece and at once, so that a crash loses no earlier event.
 */
final class Report implements Events {
    private static final int MOST_FRAMES = 12;
    private static final int LONGEST_FIELD = 1 << 13;

    private final OutputStream out;
    /** The JVM as the running test found it, or as the last one left it; none before the tests begin. */
    private Surroundings before;

    Report(OutputStream out) {
        this.out = out;
    }

    /** From now on what is done beyond a program's own objects is reported, a test's before its verdict. */
    synchronized void observe() {
        before = new Surroundings();
        Outside.begin("");
    }

    @Override
    public synchronized void started(String test) {
        effects("");
        line("started", test);
        if (before != null) {
            Outside.begin(test);
        }
    }

    @Override
    public synchronized void passed(String test) {
        effects(test);
        line("passed", test);
    }

    /** What was done since the last call, by the test that ends, or between tests. */
    private void effects(String test) {
        if (before == null) {
            return;
        }
        Set<Outside.Effect> effects = Outside.end(test, before);
        for (Outside.Effect effect : effects) {
            line("effect", effect.test, effect.kind, effect.place, effect.what, effect.initialiser);
        }
        before = effects.isEmpty() ? before : new Surroundings();
    }

    @Override
    public synchronized void skipped(String test, String reason) {
        effects(test);
        line("skipped", test, reason);
    }

    @Override
    public synchronized void failed(String test, Throwable thrown) {
        effects(test);
        if (thrown == null) {
            line("failed", test, "", "", "");
            return;
        }
        line("failed", test, thrown.getClass().getName(), message(thrown), stack(thrown));
    }

    void testClass(String name, TestKind kind) {
        line("class", name, kind.name());
    }

    @Override
    public void trouble(String what) {
        line("trouble", what);
    }

    /** What all tests together reached. */
    void reached(List<String> outcomes) {
        List<String> fields = new ArrayList<String>();
        fields.add("reached");
        fields.addAll(outcomes);
        line(fields.toArray(new String[0]));
    }

    synchronized void done() {
        effects("");
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
            String field = fields[i];
            escape(field.substring(0, Math.min(field.length(), LONGEST_FIELD)), line);
        }
        line.append('\n');
        try {
            out.write(line.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // The driver is gone: nobody wants the rest.
            Runtime.getRuntime().halt(Protocol.EXIT_FAILED);
        }
    }

    /** Appends a field so that it has neither tabs nor ends of lines. */
    static void escape(String field, StringBuilder line) {
        for (int i = 0; i < field.length(); i++) {
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

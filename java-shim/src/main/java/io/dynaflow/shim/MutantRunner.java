package io.dynaflow.shim;

import io.dynaflow.mutants.Switch;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The warm JVM that runs tests one by one, each with a mutant active or with none. It reads the table of frameworks, an empty line, how many
 * probes there are, and requests `survey CPU CLOCK TEST` and `judge MUTANT CPU CLOCK TEST` with limits in milliseconds. To a survey it
 * replies with each test that began, each that ended with the probes it met, and an end; to a judgement with one verdict. Knows nothing of
 * what mutants do. Invariant: a mutant is active only while the test of its request runs.
 */
public final class MutantRunner implements Events {
    private static final String OUT_OF_MEMORY = "java.lang.OutOfMemoryError";
    private static final int LONGEST_REASON = 500;

    private final OutputStream out;
    private final TestClasses tests;
    private final TimeLimit limit;
    private final OwnFolder folder = OwnFolder.given();
    private boolean surveys;
    /** The first failure of a request: the test, and why. */
    private String failed;
    private String why;
    private boolean outOfMemory;
    private long began;

    private MutantRunner(Frameworks frameworks, OutputStream out) {
        this.out = out;
        this.tests = new TestClasses(MutantRunner.class.getClassLoader(), frameworks, this);
        this.limit = new TimeLimit(null, new TimeLimit.Surrender() {
            @Override
            public void giveUp() {
                abandon();
            }
        });
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(new FileInputStream(args[0]), StandardCharsets.UTF_8));
        List<String> table = new ArrayList<String>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            table.add(line);
        }
        Switch.met = new boolean[Integer.parseInt(in.readLine())];
        MutantRunner runner = new MutantRunner(new Frameworks(table), new FileOutputStream(args[1]));
        runner.limit.start();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            runner.serve(line.split("\t"));
        }
        // Threads that tests left behind do not keep the JVM up, and shutdown hooks are nobody's business any more.
        Runtime.getRuntime().halt(0);
    }

    private void serve(String[] request) {
        surveys = request[0].equals("survey");
        int at = surveys ? 1 : 2;
        int mutant = surveys ? 0 : Integer.parseInt(request[1]);
        failed = null;
        why = "";
        outOfMemory = false;
        long cpu = TimeLimit.processorMillis();
        long start = System.nanoTime();
        boolean late = run(mutant, Long.parseLong(request[at]), Long.parseLong(request[at + 1]), request[at + 2]);
        // Tests with many threads take more time of the processors than of the clock; limits count the larger.
        long micros = Math.max((System.nanoTime() - start) / 1000, 1000 * (TimeLimit.processorMillis() - cpu));
        folder.empty();
        String verdict = outOfMemory ? "memory" : late ? "late" : failed != null ? "failed" : "passed";
        line(surveys ? "end" : "verdict", verdict, micros, failed == null ? "" : failed, why, surveys ? met() : "");
    }

    /** Runs a test; whether its time was over. */
    private boolean run(int mutant, long cpuMillis, long clockMillis, String test) {
        String method = TestClasses.methodOf(test);
        List<String> methods = method == null ? Collections.<String>emptyList() : Collections.singletonList(method);
        limit.arm(cpuMillis, clockMillis);
        Switch.active = mutant;
        try {
            tests.run(TestClasses.typeOf(test), methods);
        } catch (Throwable e) {
            note(test, String.valueOf(e));
        } finally {
            Switch.active = 0;
        }
        return limit.disarm();
    }

    /** The running test will not end: say so and stop. */
    private void abandon() {
        line("verdict", "stuck", 0L, "", "", "");
        Runtime.getRuntime().halt(Protocol.EXIT_TIMED_OUT);
    }

    @Override
    public void started(String test) {
        began = System.nanoTime();
        if (surveys) {
            line("started", test);
        }
    }

    @Override
    public void passed(String test) {
        ended(test, "passed", "");
    }

    @Override
    public void skipped(String test, String reason) {
        ended(test, "skipped", reason);
    }

    @Override
    public void failed(String test, Throwable thrown) {
        String reason = thrown == null ? "" : reason(thrown);
        note(test, reason);
        for (Throwable t = thrown; t != null && !outOfMemory; t = t.getCause() == t ? null : t.getCause()) {
            outOfMemory = t instanceof OutOfMemoryError;
        }
        ended(test, "failed", reason);
    }

    @Override
    public void trouble(String what) {
        note("", what);
    }

    private void note(String test, String reason) {
        outOfMemory |= reason.contains(OUT_OF_MEMORY);
        if (failed == null) {
            failed = test;
            why = reason;
        }
    }

    private void ended(String test, String how, String reason) {
        if (surveys) {
            line("test", test, how, (System.nanoTime() - began) / 1000, met(), reason);
        }
    }

    private static String reason(Throwable thrown) {
        try {
            String text = thrown.getClass().getName() + ": " + thrown.getMessage();
            return text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) : text;
        } catch (Throwable e) {
            return thrown.getClass().getName();
        }
    }

    /** The numbers of the probes that were met since the last call, separated by commas. */
    private static String met() {
        StringBuilder text = new StringBuilder();
        boolean[] all = Switch.met;
        for (int number = 0; number < all.length; number++) {
            if (all[number]) {
                all[number] = false;
                text.append(text.length() == 0 ? "" : ",").append(number);
            }
        }
        return text.toString();
    }

    private synchronized void line(Object... fields) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < fields.length; i++) {
            line.append(i == 0 ? "" : "\t");
            Report.escape(String.valueOf(fields[i]), line);
        }
        try {
            out.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // The driver is gone: nobody wants the rest.
            Runtime.getRuntime().halt(Protocol.EXIT_FAILED);
        }
    }
}

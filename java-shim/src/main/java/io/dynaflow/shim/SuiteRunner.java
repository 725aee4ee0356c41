package io.dynaflow.shim;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs tests, or reports which classes have tests. Mode, the file to read from (the table of frameworks, an empty line, names),
 * the file to report to and how many goals have probes are its arguments. Knows nothing of how a framework works. Invariant: tests run in the order they are
 * named.
 */
public final class SuiteRunner {
    private final ClassLoader loader = SuiteRunner.class.getClassLoader();
    private final Report report;
    private final Frameworks frameworks;
    private final TestClasses tests;

    private SuiteRunner(Report report, Frameworks frameworks) {
        this.report = report;
        this.frameworks = frameworks;
        this.tests = new TestClasses(loader, frameworks, report);
    }

    public static void main(String[] args) throws IOException {
        List<String> lines = lines(args[1]);
        int end = lines.indexOf("");
        List<String> names = lines.subList(end + 1, lines.size());
        Report report = new Report(new FileOutputStream(args[2]));
        SuiteRunner runner = new SuiteRunner(report, new Frameworks(lines.subList(0, Math.max(end, 0))));
        if (args[0].equals("discover")) {
            runner.discover(names);
        } else {
            report.observe();
            Branches.size(Integer.parseInt(args[3]));
            runner.run(names);
            report.reached(Branches.reached());
        }
        report.done();
        // Threads that tests left behind do not keep the JVM up.
        System.exit(0);
    }

    private static List<String> lines(String file) throws IOException {
        List<String> lines = new ArrayList<String>();
        BufferedReader in =
            new BufferedReader(new InputStreamReader(new FileInputStream(file), StandardCharsets.UTF_8));
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } finally {
            in.close();
        }
        return lines;
    }

    private void discover(List<String> names) {
        for (String name : names) {
            try {
                Class<?> type = Class.forName(name, false, loader);
                TestKind kind = type.isMemberClass() && inner(type) ? TestKind.NONE : frameworks.kindOf(type);
                if (kind != TestKind.NONE) {
                    report.testClass(name, kind);
                }
            } catch (ClassNotFoundException e) {
                report.trouble(name + " is not on the class path");
            } catch (LinkageError e) {
                report.trouble(name + " cannot be loaded: " + e);
            } catch (TypeNotPresentException e) {
                report.trouble(name + " cannot be loaded: " + e.getMessage());
            }
        }
    }

    /** Member classes that are not static run with the class around them, or not at all. */
    private static boolean inner(Class<?> type) {
        return !java.lang.reflect.Modifier.isStatic(type.getModifiers());
    }

    /** Runs the tests; neighbours of one class that name methods are run together. */
    private void run(List<String> names) {
        int at = 0;
        while (at < names.size()) {
            String type = TestClasses.typeOf(names.get(at));
            List<String> methods = new ArrayList<String>();
            boolean whole = TestClasses.methodOf(names.get(at)) == null;
            do {
                if (!whole && !methods.contains(TestClasses.methodOf(names.get(at)))) {
                    methods.add(TestClasses.methodOf(names.get(at)));
                }
                at++;
            } while (!whole && at < names.size() && TestClasses.typeOf(names.get(at)).equals(type)
                && TestClasses.methodOf(names.get(at)) != null);
            tests.run(type, methods);
        }
    }
}

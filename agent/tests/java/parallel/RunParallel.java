import org.junit.experimental.ParallelComputer;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;

/** Runs the tests of a class of JUnit 4 at the same time, as Surefire does. */
public class RunParallel {
    public static void main(String[] arguments) throws Exception {
        Result result = JUnitCore.runClasses(ParallelComputer.methods(), Class.forName(arguments[0]));
        System.out.println(result.getRunCount() + " run, " + result.getFailures());
        System.exit(0);
    }
}

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.manipulation.Ordering;
import org.junit.runner.notification.Failure;

/** Runs JUnit 4 classes with their methods and the classes themselves in an order drawn from a seed: {@code SEED CLASS...}. */
public final class ShuffledRun {
    private ShuffledRun() {}

    public static void main(String[] arguments) throws Exception {
        Random random = new Random(Long.parseLong(arguments[0]));
        List<Class<?>> classes = new ArrayList<>();
        for (int i = 1; i < arguments.length; i++) {
            classes.add(Class.forName(arguments[i]));
        }
        Request request = Request.classes(classes.toArray(new Class<?>[0])).orderWith(Ordering.shuffledBy(random));
        Result result = new JUnitCore().run(request);
        for (Failure failure : result.getFailures()) {
            Description test = failure.getDescription();
            System.out.println("failed " + test.getDisplayName() + ": " + failure.getException());
        }
        System.out.println("tests " + result.getRunCount() + " failed " + result.getFailureCount());
        System.exit(result.wasSuccessful() ? 0 : 1);
    }
}

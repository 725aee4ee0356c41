import org.junit.Before;
import org.junit.Test;
import org.junit.jupiter.api.AfterEach;

class Roles extends RolesBase {
    static int[] numbers = {1};
    StringBuilder text;

    @Before
    public void prepare() {
        text = new StringBuilder("x");
    }

    @Test
    public void works() {
        String s = text.append(numbers[0]).toString();
        Runnable r = () -> { };
        r.run();
        new RolesBase();
        org.junit.Assert.fail(s);
    }

    public void testOld() {
    }

    public void testWith(int argument) {
    }

    public static void testStatic() {
    }

    protected void setUp() {
    }

    @AfterEach
    public void testNamedButAfter() {
    }
}

class RolesBase {
    public void testNoFramework() {
    }
}

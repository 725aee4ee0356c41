import org.testng.Assert;
import org.testng.annotations.Test;

/** The annotation of the class makes every public method a test. */
@Test
public class WholeClassTest {
    private int state;

    public void first() {
        state = 1;
        Assert.assertEquals(look(), 1);
    }

    public void second() {
        Assert.assertTrue(look() >= 0);
    }

    private int look() {
        return state;
    }
}

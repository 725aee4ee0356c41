import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import org.junit.Before;
import org.junit.Test;

public class OldTest {
    static class Counter {
        int count;

        void increment() {
            count++;
        }

        int get() {
            return count;
        }
    }

    private Counter counter;

    @Before
    public void prepare() {
        counter = new Counter();
    }

    @Test
    public void countsOnce() {
        counter.increment();
        assertEquals(1, counter.get());
    }

    @Test
    public void countsWrong() {
        counter.increment();
        assertEquals(2, counter.get());
    }

    @Test(expected = ArithmeticException.class)
    public void divides() {
        assertEquals(0, 1 / counter.get());
    }

    @Test
    public void isSkipped() {
        assumeTrue(counter.get() > 0);
    }
}

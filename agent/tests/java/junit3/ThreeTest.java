import junit.framework.TestCase;

public class ThreeTest extends TestCase {
    static class Counter {
        int count;

        void add(int amount) {
            count += amount;
        }

        int get() {
            return count;
        }
    }

    private Counter counter;

    @Override
    protected void setUp() {
        counter = new Counter();
    }

    @Override
    protected void tearDown() {
        counter.get();
    }

    public void testCountsOnce() {
        counter.add(1);
        assertEquals(1, counter.get());
    }

    public void testCountsWrong() {
        counter.add(1);
        assertEquals(2, counter.get());
    }

    public void notATest() {
        counter.add(3);
    }
}

package demo;

import static org.junit.Assert.assertEquals;

public class GoodTest {
    @org.junit.Test public void countsWhatIsTaken() {
        Bag bag = new Bag();
        bag.put("a");
        bag.put("b");
        assertEquals("b", bag.take());
        check(bag, 1);
    }

    @org.junit.Test(expected = IllegalArgumentException.class)
    public void refusesNoWord() {
        new Bag().put(null);
    }

    /** Asserts for the tests. */
    private static void check(Bag bag, int taken) {
        assertEquals(taken, bag.taken());
        assertEquals(1, bag.size());
    }
}

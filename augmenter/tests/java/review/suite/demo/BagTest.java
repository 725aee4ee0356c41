package demo;

import static org.junit.Assert.assertEquals;

public class BagTest {
    @org.junit.Test public void puts() {
        Bag bag = new Bag();
        bag.put("a");
        assertEquals(1, bag.size());
    }

    @org.junit.Test public void takes() {
        Bag bag = new Bag();
        bag.put("a");
        assertEquals("a", bag.take());
    }

    @org.junit.Test public void nothingIsTaken() {
        assertEquals(0, new Bag().taken());
    }
}

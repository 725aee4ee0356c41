package demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

public class BadTest {
    private static int calls;

    @org.junit.Test public void assertsNothing() {
        Bag bag = new Bag();
        bag.put("x");
        bag.size();
    }

    @org.junit.Test public void fails() {
        assertEquals(2, new Bag().size());
    }

    @org.junit.Test public void believesInHashes() {
        assertNotEquals("hashes are alike", new Object().hashCode(), new Object().hashCode());
    }

    @org.junit.Test public void inOrderFirst() {
        calls++;
        assertEquals(1, calls);
    }

    @org.junit.Test public void inOrderSecond() {
        calls++;
        assertEquals(2, calls);
    }

    @org.junit.Test public void sameAsTheGoodOne() {
        Bag bag = new Bag();
        bag.put("a");
        assertEquals("a", bag.take());
        assertEquals(1, bag.taken());
    }

    @org.junit.Test public void sameAsTheSuite() {
        Bag bag = new Bag();
        bag.put("a");
        assertEquals(1, bag.size());
    }

    @org.junit.Test public void setsAProperty() {
        System.setProperty("demo.bag", "x");
        new Bag();
        assertTrue(Bag.made() > 0);
    }

    @org.junit.Test public void sleeps() throws Exception {
        Thread.sleep(3100);
        assertTrue(calls >= 0);
    }

    @org.junit.Ignore @org.junit.Test public void ignored() {
        assertEquals(1, 2);
    }
}

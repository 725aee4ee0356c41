package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/**
 * Tests of shop.Shelf, written by dynaflow.
 * Each of these tests fails: it reveals an exception nobody declared or
 * an assertion that does not hold.
 */
public class ShelfDynaflowFailures {
    // covers items from Shelf() to fail()
    @Test
    public void size_thenFail_throwsIllegalStateException() {
        Shelf shelf = new Shelf();
        assertEquals(0, shelf.size());
        // throws java.lang.IllegalStateException: shelf uBAD broke
        shelf.fail();
    }
}

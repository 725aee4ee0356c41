package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/**
 * Tests of shop.Shelf, written by dynaflow.
 * Each of these tests fails: it reveals an exception nobody declared or
 * an assertion that does not hold.
 */
class ShelfDynaflowFailures {
    // covers items from Shelf() to fail()
    @Test
    void size_thenFail_throwsIllegalStateException() {
        Shelf shelf = new Shelf();
        assertEquals(0, shelf.size());
        // throws java.lang.IllegalStateException: shelf uBAD broke
        shelf.fail();
    }
}

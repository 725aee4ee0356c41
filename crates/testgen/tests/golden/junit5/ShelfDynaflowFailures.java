package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests of shop.Shelf, written by dynaflow. Each of these tests fails: it reveals an exception nobody declared or an assertion that does not hold. */
class ShelfDynaflowFailures {
    // covers items from Shelf() to fail()
    @Test
    void sizeThenFailThrowsIllegalStateException() {
        Shelf shelf0 = new Shelf();
        assertEquals(0, shelf0.size());
        // throws java.lang.IllegalStateException: shelf uBAD broke
        shelf0.fail();
    }
}

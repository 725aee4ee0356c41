package shop;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(shelf.size()).isEqualTo(0);
        // throws java.lang.IllegalStateException: shelf uBAD broke
        shelf.fail();
    }
}

package shop;

import static org.hamcrest.CoreMatchers.is;
import static org.hamcrest.MatcherAssert.assertThat;

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
        assertThat(shelf.size(), is(0));
        // throws java.lang.IllegalStateException: shelf uBAD broke
        shelf.fail();
    }
}

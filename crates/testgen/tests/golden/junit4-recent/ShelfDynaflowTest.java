package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import org.junit.Test;

/**
 * Tests of shop.Shelf, written by dynaflow.
 * The comment of each test says what it is there for.
 */
public class ShelfDynaflowTest {
    // covers the exception of read(boolean)
    @Test
    public void readTwice_throwsIOException() throws Exception {
        Shelf shelf = new Shelf();
        assertEquals("read", shelf.read(false));
        assertEquals("no paper", assertThrows(IOException.class, () -> shelf.read(true)).getMessage());
        assertEquals(0, shelf.size());
    }

    // covers the exception of read(boolean)
    @Test
    public void read_throwsIOException() {
        Shelf shelf = new Shelf();
        assertEquals("no paper", assertThrows(IOException.class, () -> shelf.read(true)).getMessage());
    }

    // covers items from put(String) to size()
    @Test
    public void fail_thenSize_returnsOne() {
        Shelf shelf = new Shelf();
        shelf.put("paper");
        assertThrows(IOException.class, () -> shelf.read(true));
        assertThrows(IllegalStateException.class, () -> shelf.fail());
        assertEquals(1, shelf.size());
    }
}

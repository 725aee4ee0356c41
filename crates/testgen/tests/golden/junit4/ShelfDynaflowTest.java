package shop;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import org.junit.Test;

/**
 * Tests of shop.Shelf, written by dynaflow.
 * The comment of each test says what it is there for.
 */
public class ShelfDynaflowTest {
    // covers items.[] from add(Item) to last()
    @Test
    public void turn_thenAddTwice_returnsTrue() {
        Shelf shelf = new Shelf();
        Item item = Shelf.make("Moby \"Dick\"\n\u2028");
        assertEquals(1, ((Book) item).turn());
        assertTrue(shelf.add(item));
        assertTrue(shelf.add(new store.Item()));
        assertEquals(2, shelf.size());
        assertEquals("stored", shelf.last());
    }

    // covers items.[] from put(Object) to last()
    @Test
    public void last_thenPutAllTwice_returnsTwo() {
        Shelf shelf = new Shelf();
        shelf.put((Object) "as object");
        shelf.put((Object) null);
        shelf.put(null);
        assertNull(shelf.last());
        assertEquals(-1, shelf.putAll((Object[]) null));
        Object[] objects = new Object[2];
        objects[1] = 3;
        assertEquals(2, shelf.putAll(objects));
    }

    // covers kind from kind(Kind) to kind()
    @Test
    public void text_thenType_returnsKind() {
        Shelf shelf = new Shelf();
        assertEquals(4, shelf.new Slot(4).number());
        shelf.kind(Shelf.Kind.HIGH);
        assertEquals(Shelf.Kind.HIGH, shelf.kind());
        assertEquals("default", Shelf.DEFAULT.text());
        assertEquals(Shelf.Kind.class, shelf.type());
    }

    @Test
    public void boxed_thenInitial_returnsApostrophe() {
        Shelf shelf = new Shelf();
        assertEquals(Double.NaN, shelf.half(Double.NaN), 0.0);
        assertEquals(Double.POSITIVE_INFINITY, shelf.half(Double.POSITIVE_INFINITY), 0.0);
        assertEquals(1.5, shelf.half(3.0), 0.0);
        assertEquals(Float.NaN, shelf.ratio(), 0.0f);
        assertEquals((byte) 2, shelf.small((byte) -1, (short) 3));
        assertEquals(Long.MIN_VALUE, shelf.big(Long.MIN_VALUE));
        assertEquals(Integer.valueOf(7), shelf.boxed(7));
        assertEquals('\'', shelf.initial("'x"));
    }

    // covers nothing in particular  u000a with an escape
    @Test
    @SuppressWarnings({"rawtypes", "unchecked"})
    public void cells_thenWhere_addIsTrue() {
        Shelf shelf = new Shelf();
        assertEquals(3, shelf.sum(new int[] {5, -2}));
        assertEquals(3, shelf.cells(new int[3][]));
        assertTrue(new ArrayList().add("a"));
        assertNotNull(shelf.where());
    }

    // covers the exception of read(boolean)
    @Test
    public void readTwice_throwsIOException() throws Exception {
        Shelf shelf = new Shelf();
        assertEquals("read", shelf.read(false));
        try {
            shelf.read(true);
            fail("expected java.io.IOException");
        } catch (IOException expected) {
            assertEquals("no paper", expected.getMessage());
        }
        assertEquals(0, shelf.size());
    }

    // covers the exception of read(boolean)
    @Test
    public void read_throwsIOException() {
        Shelf shelf = new Shelf();
        try {
            shelf.read(true);
            fail("expected java.io.IOException");
        } catch (IOException expected) {
            assertEquals("no paper", expected.getMessage());
        }
    }

    // covers the exception of read(boolean)
    @Test
    public void readWithTrue_throwsIOException() {
        Shelf shelf = new Shelf();
        try {
            shelf.read(true);
            fail("expected java.io.IOException");
        } catch (IOException expected) {
            assertEquals("no paper", expected.getMessage());
        }
    }

    // covers names.[] from put(String) to names()
    @Test
    public void putTwice_namesAreBoltAndNut() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        assertEquals(Arrays.asList("bolt", "nut"), drawer.names());
        assertEquals(new HashSet<>(Arrays.asList("bolt", "nut")), drawer.kinds());
        assertEquals(Collections.singletonMap("bolt", 4), drawer.lengths());
        assertEquals(Optional.of("bolt"), drawer.first());
        assertEquals(2, drawer.all().size());
    }

    // covers names from Drawer() to names()
    @Test
    public void newDrawer_namesIsEmpty() {
        Drawer drawer = new Drawer();
        assertEquals(Collections.emptyList(), drawer.names());
        assertEquals(Collections.singletonList("inside"), drawer.inner().names());
        assertEquals(Collections.emptySet(), drawer.kinds());
        assertEquals(Collections.singleton("inside"), drawer.inner().kinds());
        assertEquals(Collections.emptyMap(), drawer.lengths());
        assertEquals(Optional.empty(), drawer.first());
    }

    // covers names.[] from put(String) to items()
    @Test
    public void putTwice_countsAreFourAndThree() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        assertArrayEquals(new int[] {4, 3}, drawer.counts());
        assertArrayEquals(new double[] {2.0, 1.5}, drawer.halves(), 0.0);
        assertArrayEquals(new String[] {"bolt", null}, drawer.labels());
        assertEquals(0, drawer.none().length);
        assertArrayEquals(new Object[] {Drawer.class}, drawer.types());
        assertEquals(2, drawer.items().length);
        assertEquals("nut", drawer.items()[1].name());
    }

    // covers names.[] from put(String) to holds(String)
    @Test
    public void putTwice_holdsIsTrue() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        assertTrue(drawer.holds("nut"));
        assertFalse(drawer.holds(null));
    }

    // covers names.[] from put(String) to listed()
    @Test
    public void putTwice_nameIsNut() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        assertEquals("nut", drawer.listed().get(1).name());
    }

    // covers names.[] from with(String) to names()
    @Test
    public void withTwice_namesAreBoltAndNut() {
        Drawer drawer = new Drawer();
        drawer.with("bolt");
        drawer.with("nut");
        assertEquals(Arrays.asList("bolt", "nut"), drawer.names());
    }

    // covers names.[] from with(String) to holds(String)
    @Test
    public void withTwice_thenHolds_returnsTrue() {
        assertTrue(new Drawer().with("bolt").with("nut").holds("nut"));
    }

    // covers names.[] from with(String) to holds(String)
    @Test
    public void withThreeTimes_thenHolds_returnsTrue() {
        Drawer drawer = new Drawer().with("a bolt that is much too long for a line").with("a screw");
        assertTrue(drawer.with("nut").holds("nut"));
    }

    // covers page from turn() to turn()
    @Test
    public void turnTwice_thenName_returnsEmma() {
        Book book = (Book) Shelf.make("Emma");
        assertEquals(1, book.turn());
        assertEquals(2, book.turn());
        assertEquals("Emma", book.name());
    }

    // covers items.[] from put(Object) to size()
    @Test
    public void with_thenPut_sizeIsOne() {
        Shelf shelf = new Shelf();
        Drawer drawer = new Drawer();
        drawer.with("bolt");
        shelf.put(drawer);
        assertEquals(1, shelf.size());
    }

    // covers kept from keep(Item) to kept()
    @Test
    public void kept_thenWith() {
        Item item = Shelf.make("Emma");
        Drawer drawer = new Drawer();
        drawer.keep(item);
        assertSame(item, drawer.kept());
        drawer.with("bolt");
        assertSame(item, drawer.kept());
    }

    // covers names.[] from put(String) to weights()
    @Test
    public void putTwice_thenWeights_returnsTwoEntries() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        Map<String, Integer> entries = new HashMap<>();
        entries.put("bolt", 4);
        entries.put("nut", 3);
        assertEquals(entries, drawer.weights());
        Map<String, Object> entries2 = new HashMap<>();
        entries2.put("bolt", null);
        entries2.put("nut", 3);
        assertEquals(entries2, drawer.mixed());
    }

    // covers names from Drawer() to capacity()
    @Test
    public void newDrawer_capacityIsLargeNumber() {
        Drawer drawer = new Drawer();
        assertEquals(new BigInteger("100000000000000000000"), drawer.capacity());
        assertEquals(new BigDecimal("12.50"), drawer.width());
        assertEquals(LocalDate.parse("2026-11-21"), drawer.checked());
        assertEquals(URI.create("https://example.org/drawer?a=b"), drawer.page());
        assertNotNull(drawer.file());
        assertEquals(Arrays.asList(LocalDate.parse("2026-11-21"), LocalDate.parse("2027-01-02")), drawer.visits());
    }

    // covers name from Book(String) to name()
    @Test
    public void add_thenName_returnsPersuasion() {
        Shelf shelf = new Shelf();
        Item item = Shelf.make("Persuasion");
        assertTrue(shelf.add(item));
        assertEquals("Persuasion", item.name());
        assertEquals(1, ((Book) item).turn());
    }

    // covers names.[] from put(String) to sorted()
    @Test
    public void putTwice_sortedHasTwoEntries() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        Map<String, Object> entries = new HashMap<>();
        entries.put("b", Collections.singletonList("bolt"));
        entries.put("n", Collections.singletonList("nut"));
        assertEquals(entries, drawer.sorted());
        assertEquals(Arrays.asList(Collections.singletonMap("bolt", 4), Collections.emptyMap()), drawer.counted());
    }

    // covers items from put(String) to size()
    @Test
    public void fail_thenSize_returnsOne() {
        Shelf shelf = new Shelf();
        shelf.put("paper");
        try {
            shelf.read(true);
            fail("expected java.io.IOException");
        } catch (IOException expected) {
            // IOException is declared
        }
        try {
            shelf.fail();
            fail("expected java.lang.IllegalStateException");
        } catch (IllegalStateException expected) {
            // IllegalStateException is thrown on purpose
        }
        assertEquals(1, shelf.size());
    }
}

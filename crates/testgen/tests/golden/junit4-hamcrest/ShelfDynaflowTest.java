package shop;

import static org.hamcrest.CoreMatchers.is;
import static org.hamcrest.CoreMatchers.notNullValue;
import static org.hamcrest.CoreMatchers.nullValue;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
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
        assertThat(((Book) item).turn(), is(1));
        assertThat(shelf.add(item), is(true));
        assertThat(shelf.add(new store.Item()), is(true));
        assertThat(shelf.size(), is(2));
        assertThat(shelf.last(), is("stored"));
    }

    // covers items.[] from put(Object) to last()
    @Test
    public void last_thenPutAllTwice_returnsTwo() {
        Shelf shelf = new Shelf();
        shelf.put((Object) "as object");
        shelf.put((Object) null);
        shelf.put(null);
        assertThat(shelf.last(), nullValue());
        assertThat(shelf.putAll((Object[]) null), is(-1));
        Object[] objects = new Object[2];
        objects[1] = 3;
        assertThat(shelf.putAll(objects), is(2));
    }

    // covers kind from kind(Kind) to kind()
    @Test
    public void text_thenType_returnsKind() {
        Shelf shelf = new Shelf();
        assertThat(shelf.new Slot(4).number(), is(4));
        shelf.kind(Shelf.Kind.HIGH);
        assertThat(shelf.kind(), is(Shelf.Kind.HIGH));
        assertThat(Shelf.DEFAULT.text(), is("default"));
        assertEquals(Shelf.Kind.class, shelf.type());
    }

    @Test
    public void boxed_thenInitial_returnsApostrophe() {
        Shelf shelf = new Shelf();
        assertThat(shelf.half(Double.NaN), is(Double.NaN));
        assertThat(shelf.half(Double.POSITIVE_INFINITY), is(Double.POSITIVE_INFINITY));
        assertThat(shelf.half(3.0), is(1.5));
        assertThat(shelf.ratio(), is(Float.NaN));
        assertThat(shelf.small((byte) -1, (short) 3), is((byte) 2));
        assertThat(shelf.big(Long.MIN_VALUE), is(Long.MIN_VALUE));
        assertThat(shelf.boxed(7), is(Integer.valueOf(7)));
        assertThat(shelf.initial("'x"), is('\''));
    }

    // covers nothing in particular  u000a with an escape
    @Test
    @SuppressWarnings({"rawtypes", "unchecked"})
    public void cells_thenWhere_addIsTrue() {
        Shelf shelf = new Shelf();
        assertThat(shelf.sum(new int[] {5, -2}), is(3));
        assertThat(shelf.cells(new int[3][]), is(3));
        assertThat(new ArrayList().add("a"), is(true));
        assertThat(shelf.where(), notNullValue());
    }

    // covers the exception of read(boolean)
    @Test
    public void readTwice_throwsIOException() throws Exception {
        Shelf shelf = new Shelf();
        assertThat(shelf.read(false), is("read"));
        try {
            shelf.read(true);
            fail("expected java.io.IOException");
        } catch (IOException expected) {
            assertThat(expected.getMessage(), is("no paper"));
        }
        assertThat(shelf.size(), is(0));
    }

    // covers the exception of read(boolean)
    @Test
    public void read_throwsIOException() {
        Shelf shelf = new Shelf();
        try {
            shelf.read(true);
            fail("expected java.io.IOException");
        } catch (IOException expected) {
            assertThat(expected.getMessage(), is("no paper"));
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
            assertThat(expected.getMessage(), is("no paper"));
        }
    }

    // covers names.[] from put(String) to names()
    @Test
    public void putTwice_namesAreBoltAndNut() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        assertThat(drawer.names(), is(Arrays.asList("bolt", "nut")));
        assertThat(drawer.kinds(), is(new HashSet<>(Arrays.asList("bolt", "nut"))));
        assertThat(drawer.lengths(), is(Collections.singletonMap("bolt", 4)));
        assertThat(drawer.first(), is(Optional.of("bolt")));
        assertThat(drawer.all().size(), is(2));
    }

    // covers names from Drawer() to names()
    @Test
    public void newDrawer_namesIsEmpty() {
        Drawer drawer = new Drawer();
        assertThat(drawer.names(), is(Collections.emptyList()));
        assertThat(drawer.inner().names(), is(Collections.singletonList("inside")));
        assertThat(drawer.kinds(), is(Collections.emptySet()));
        assertThat(drawer.inner().kinds(), is(Collections.singleton("inside")));
        assertThat(drawer.lengths(), is(Collections.emptyMap()));
        assertThat(drawer.first(), is(Optional.empty()));
    }

    // covers names.[] from put(String) to items()
    @Test
    public void putTwice_countsAreFourAndThree() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        assertThat(drawer.counts(), is(new int[] {4, 3}));
        assertThat(drawer.halves(), is(new double[] {2.0, 1.5}));
        assertThat(drawer.labels(), is(new String[] {"bolt", null}));
        assertThat(drawer.none().length, is(0));
        assertThat(drawer.types(), is(new Object[] {Drawer.class}));
        assertThat(drawer.items().length, is(2));
        assertThat(drawer.items()[1].name(), is("nut"));
    }

    // covers names.[] from put(String) to holds(String)
    @Test
    public void putTwice_holdsIsTrue() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        assertThat(drawer.holds("nut"), is(true));
        assertThat(drawer.holds(null), is(false));
    }

    // covers names.[] from put(String) to listed()
    @Test
    public void putTwice_nameIsNut() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        assertThat(drawer.listed().get(1).name(), is("nut"));
    }

    // covers names.[] from with(String) to names()
    @Test
    public void withTwice_namesAreBoltAndNut() {
        Drawer drawer = new Drawer();
        drawer.with("bolt");
        drawer.with("nut");
        assertThat(drawer.names(), is(Arrays.asList("bolt", "nut")));
    }

    // covers names.[] from with(String) to holds(String)
    @Test
    public void withTwice_thenHolds_returnsTrue() {
        assertThat(new Drawer().with("bolt").with("nut").holds("nut"), is(true));
    }

    // covers names.[] from with(String) to holds(String)
    @Test
    public void withThreeTimes_thenHolds_returnsTrue() {
        Drawer drawer = new Drawer().with("a bolt that is much too long for a line").with("a screw");
        assertThat(drawer.with("nut").holds("nut"), is(true));
    }

    // covers page from turn() to turn()
    @Test
    public void turnTwice_thenName_returnsEmma() {
        Book book = (Book) Shelf.make("Emma");
        assertThat(book.turn(), is(1));
        assertThat(book.turn(), is(2));
        assertThat(book.name(), is("Emma"));
    }

    // covers items.[] from put(Object) to size()
    @Test
    public void with_thenPut_sizeIsOne() {
        Shelf shelf = new Shelf();
        Drawer drawer = new Drawer();
        drawer.with("bolt");
        shelf.put(drawer);
        assertThat(shelf.size(), is(1));
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
        assertThat(drawer.weights(), is(entries));
        Map<String, Object> entries2 = new HashMap<>();
        entries2.put("bolt", null);
        entries2.put("nut", 3);
        assertThat(drawer.mixed(), is(entries2));
    }

    // covers names from Drawer() to capacity()
    @Test
    public void newDrawer_capacityIsLargeNumber() {
        Drawer drawer = new Drawer();
        assertThat(drawer.capacity(), is(new BigInteger("100000000000000000000")));
        assertThat(drawer.width(), is(new BigDecimal("12.50")));
        assertThat(drawer.checked(), is(LocalDate.parse("2026-11-21")));
        assertThat(drawer.page(), is(URI.create("https://example.org/drawer?a=b")));
        assertThat(drawer.file(), notNullValue());
        assertThat(drawer.visits(), is(Arrays.asList(LocalDate.parse("2026-11-21"), LocalDate.parse("2027-01-02"))));
    }

    // covers name from Book(String) to name()
    @Test
    public void add_thenName_returnsPersuasion() {
        Shelf shelf = new Shelf();
        Item item = Shelf.make("Persuasion");
        assertThat(shelf.add(item), is(true));
        assertThat(item.name(), is("Persuasion"));
        assertThat(((Book) item).turn(), is(1));
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
        assertThat(shelf.size(), is(1));
    }
}

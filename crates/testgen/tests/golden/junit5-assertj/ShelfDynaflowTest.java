package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.Test;

/**
 * Tests of shop.Shelf, written by dynaflow.
 * The comment of each test says what it is there for.
 */
class ShelfDynaflowTest {
    // covers items.[] from add(Item) to last()
    @Test
    void turn_thenAddTwice_returnsTrue() {
        Shelf shelf = new Shelf();
        Item item = Shelf.make("Moby \"Dick\"\n\u2028");
        assertThat(((Book) item).turn()).isEqualTo(1);
        assertThat(shelf.add(item)).isTrue();
        assertThat(shelf.add(new store.Item())).isTrue();
        assertThat(shelf.size()).isEqualTo(2);
        assertThat(shelf.last()).isEqualTo("stored");
    }

    // covers items.[] from put(Object) to last()
    @Test
    void last_thenPutAllTwice_returnsTwo() {
        Shelf shelf = new Shelf();
        shelf.put((Object) "as object");
        shelf.put((Object) null);
        shelf.put(null);
        assertThat(shelf.last()).isNull();
        assertThat(shelf.putAll((Object[]) null)).isEqualTo(-1);
        Object[] objects = new Object[2];
        objects[1] = 3;
        assertThat(shelf.putAll(objects)).isEqualTo(2);
    }

    // covers kind from kind(Kind) to kind()
    @Test
    void text_thenType_returnsKind() {
        Shelf shelf = new Shelf();
        assertThat(shelf.new Slot(4).number()).isEqualTo(4);
        shelf.kind(Shelf.Kind.HIGH);
        assertThat(shelf.kind()).isEqualTo(Shelf.Kind.HIGH);
        assertThat(Shelf.DEFAULT.text()).isEqualTo("default");
        assertThat(shelf.type()).isEqualTo(Shelf.Kind.class);
    }

    @Test
    void boxed_thenInitial_returnsApostrophe() {
        Shelf shelf = new Shelf();
        assertThat(shelf.half(Double.NaN)).isNaN();
        assertThat(shelf.half(Double.POSITIVE_INFINITY)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(shelf.half(3.0)).isEqualTo(1.5);
        assertThat(shelf.ratio()).isNaN();
        assertThat(shelf.small((byte) -1, (short) 3)).isEqualTo((byte) 2);
        assertThat(shelf.big(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(shelf.boxed(7)).isEqualTo(7);
        assertThat(shelf.initial("'x")).isEqualTo('\'');
    }

    // covers nothing in particular  u000a with an escape
    @Test
    @SuppressWarnings({"rawtypes", "unchecked"})
    void cells_thenWhere_addIsTrue() {
        Shelf shelf = new Shelf();
        assertThat(shelf.sum(new int[] {5, -2})).isEqualTo(3);
        assertThat(shelf.cells(new int[3][])).isEqualTo(3);
        assertThat(new ArrayList().add("a")).isTrue();
        assertThat(shelf.where()).isNotNull();
    }

    // covers the exception of read(boolean)
    @Test
    void readTwice_throwsIOException() throws Exception {
        Shelf shelf = new Shelf();
        assertThat(shelf.read(false)).isEqualTo("read");
        assertThatThrownBy(() -> shelf.read(true)).isInstanceOf(IOException.class).hasMessage("no paper");
        assertThat(shelf.size()).isEqualTo(0);
    }

    // covers the exception of read(boolean)
    @Test
    void read_throwsIOException() {
        Shelf shelf = new Shelf();
        assertThatThrownBy(() -> shelf.read(true)).isInstanceOf(IOException.class).hasMessage("no paper");
    }

    // covers the exception of read(boolean)
    @Test
    void readWithTrue_throwsIOException() {
        Shelf shelf = new Shelf();
        assertThatThrownBy(() -> shelf.read(true)).isInstanceOf(IOException.class).hasMessage("no paper");
    }

    // covers names.[] from put(String) to names()
    @Test
    void putTwice_namesAreBoltAndNut() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        assertThat(drawer.names()).isEqualTo(Arrays.asList("bolt", "nut"));
        assertThat(drawer.kinds()).isEqualTo(new HashSet<>(Arrays.asList("bolt", "nut")));
        assertThat(drawer.lengths()).isEqualTo(Collections.singletonMap("bolt", 4));
        assertThat(drawer.first()).isEqualTo(Optional.of("bolt"));
        assertThat(drawer.all().size()).isEqualTo(2);
    }

    // covers names from Drawer() to names()
    @Test
    void newDrawer_namesIsEmpty() {
        Drawer drawer = new Drawer();
        assertThat(drawer.names()).isEmpty();
        assertThat(drawer.inner().names()).isEqualTo(Collections.singletonList("inside"));
        assertThat(drawer.kinds()).isEmpty();
        assertThat(drawer.inner().kinds()).isEqualTo(Collections.singleton("inside"));
        assertThat(drawer.lengths()).isEmpty();
        assertThat(drawer.first()).isEmpty();
    }

    // covers names.[] from put(String) to items()
    @Test
    void putTwice_countsAreFourAndThree() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        assertThat(drawer.counts()).isEqualTo(new int[] {4, 3});
        assertThat(drawer.halves()).isEqualTo(new double[] {2.0, 1.5});
        assertThat(drawer.labels()).isEqualTo(new String[] {"bolt", null});
        assertThat(drawer.none()).isEmpty();
        assertThat(drawer.types()).isEqualTo(new Object[] {Drawer.class});
        assertThat(drawer.items().length).isEqualTo(2);
        assertThat(drawer.items()[1].name()).isEqualTo("nut");
    }

    // covers names.[] from put(String) to holds(String)
    @Test
    void putTwice_holdsIsTrue() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        assertThat(drawer.holds("nut")).isTrue();
        assertThat(drawer.holds(null)).isFalse();
    }

    // covers names.[] from put(String) to listed()
    @Test
    void putTwice_nameIsNut() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        assertThat(drawer.listed().get(1).name()).isEqualTo("nut");
    }

    // covers names.[] from with(String) to names()
    @Test
    void withTwice_namesAreBoltAndNut() {
        Drawer drawer = new Drawer();
        drawer.with("bolt");
        drawer.with("nut");
        assertThat(drawer.names()).isEqualTo(Arrays.asList("bolt", "nut"));
    }

    // covers names.[] from with(String) to holds(String)
    @Test
    void withTwice_thenHolds_returnsTrue() {
        assertThat(new Drawer().with("bolt").with("nut").holds("nut")).isTrue();
    }

    // covers names.[] from with(String) to holds(String)
    @Test
    void withThreeTimes_thenHolds_returnsTrue() {
        Drawer drawer = new Drawer().with("a bolt that is much too long for a line").with("a screw");
        assertThat(drawer.with("nut").holds("nut")).isTrue();
    }

    // covers page from turn() to turn()
    @Test
    void turnTwice_thenName_returnsEmma() {
        Book book = (Book) Shelf.make("Emma");
        assertThat(book.turn()).isEqualTo(1);
        assertThat(book.turn()).isEqualTo(2);
        assertThat(book.name()).isEqualTo("Emma");
    }

    // covers items.[] from put(Object) to size()
    @Test
    void with_thenPut_sizeIsOne() {
        Shelf shelf = new Shelf();
        Drawer drawer = new Drawer();
        drawer.with("bolt");
        shelf.put(drawer);
        assertThat(shelf.size()).isEqualTo(1);
    }

    // covers kept from keep(Item) to kept()
    @Test
    void kept_thenWith() {
        Item item = Shelf.make("Emma");
        Drawer drawer = new Drawer();
        drawer.keep(item);
        assertThat(drawer.kept()).isSameAs(item);
        drawer.with("bolt");
        assertThat(drawer.kept()).isSameAs(item);
    }

    // covers names.[] from put(String) to weights()
    @Test
    void putTwice_thenWeights_returnsTwoEntries() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        Map<String, Integer> entries = new HashMap<>();
        entries.put("bolt", 4);
        entries.put("nut", 3);
        assertThat(drawer.weights()).isEqualTo(entries);
        Map<String, Object> entries2 = new HashMap<>();
        entries2.put("bolt", null);
        entries2.put("nut", 3);
        assertThat(drawer.mixed()).isEqualTo(entries2);
    }

    // covers names from Drawer() to capacity()
    @Test
    void newDrawer_capacityIsLargeNumber() {
        Drawer drawer = new Drawer();
        assertThat(drawer.capacity()).isEqualTo(new BigInteger("100000000000000000000"));
        assertThat(drawer.width()).isEqualTo(new BigDecimal("12.50"));
        assertThat(drawer.checked()).isEqualTo(LocalDate.parse("2026-11-21"));
        assertThat(drawer.page()).isEqualTo(URI.create("https://example.org/drawer?a=b"));
        assertThat(drawer.file()).isNotNull();
        assertThat(drawer.visits())
                .isEqualTo(Arrays.asList(LocalDate.parse("2026-11-21"), LocalDate.parse("2027-01-02")));
    }

    // covers name from Book(String) to name()
    @Test
    void add_thenName_returnsPersuasion() {
        Shelf shelf = new Shelf();
        Item item = Shelf.make("Persuasion");
        assertThat(shelf.add(item)).isTrue();
        assertThat(item.name()).isEqualTo("Persuasion");
        assertThat(((Book) item).turn()).isEqualTo(1);
    }

    // covers names.[] from put(String) to sorted()
    @Test
    void putTwice_sortedHasTwoEntries() {
        Drawer drawer = new Drawer();
        drawer.put("bolt");
        drawer.put("nut");
        Map<String, Object> entries = new HashMap<>();
        entries.put("b", Collections.singletonList("bolt"));
        entries.put("n", Collections.singletonList("nut"));
        assertThat(drawer.sorted()).isEqualTo(entries);
        assertThat(drawer.counted())
                .isEqualTo(Arrays.asList(Collections.singletonMap("bolt", 4), Collections.emptyMap()));
    }

    // covers items from put(String) to size()
    @Test
    void fail_thenSize_returnsOne() {
        Shelf shelf = new Shelf();
        shelf.put("paper");
        assertThatThrownBy(() -> shelf.read(true)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> shelf.fail()).isInstanceOf(IllegalStateException.class);
        assertThat(shelf.size()).isEqualTo(1);
    }
}

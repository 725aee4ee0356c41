package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/**
 * Tests of shop.Crate, written by dynaflow.
 * The comment of each test says what it is there for.
 */
public class CrateDynaflowTest {
    // addAll() changes Crate.items; first() must see it
    @Test
    public void addAll_thenFirst_returnsA() {
        ArrayList<String> more = new ArrayList<>();
        assertTrue(more.add("a"));
        Crate<String> crate = new Crate<>();
        assertEquals(1, crate.addAll(more));
        assertEquals("a", crate.first());
    }

    // a chain
    @Test
    public void put_thenFirst_returnsA() {
        Crate<String> crate = Crate.builder().label("x").heavy().build();
        crate.put("a");
        assertEquals("a", crate.first());
    }

    // any number of arguments
    @Test
    public void countFourTimes_returnsOne() {
        assertEquals(2, Crate.count("a", "b"));
        assertEquals(0, Crate.count());
        String[] names = {"c"};
        assertEquals(1, Crate.count(names));
        assertEquals(1, Crate.count(names));
    }

    // any number of some type
    @Test
    public void sumFourTimes_thenCount_returnsOne() {
        Crate.Builder builder = Crate.builder();
        assertNotNull(builder.heavy());
        assertEquals(1, Crate.sum(builder));
        assertEquals(2, Crate.sum("a", "a"));
        assertEquals(1, Crate.sum(new CharSequence[] {"a"}));
        assertEquals(1, Crate.sum(new String[] {null}));
        assertEquals(1, Crate.count(new String[] {null}));
    }

    // any number beside others
    @Test
    public void heavy_thenMarkEightTimes_returnsTwelve() {
        Crate.Builder builder = Crate.builder();
        assertNotNull(builder.heavy());
        assertEquals(0, Crate.mark());
        assertEquals(1, Crate.mark("a"));
        assertEquals(2, Crate.mark(null, "b"));
        assertEquals(10, Crate.mark(new Object[0]));
        assertEquals(11, Crate.mark(new Object[] {"a"}));
        assertEquals(11, Crate.mark(builder));
        assertEquals(12, Crate.mark("a", builder));
        assertEquals(12, Crate.mark(new Object[] {null, null}));
    }

    // arrays of a generic class
    @Test
    @SuppressWarnings({"rawtypes", "unchecked"})
    public void put_thenJoinTwice_returnsZero() {
        Crate<String> crate = new Crate<>();
        crate.put("a");
        assertEquals(2, Crate.join(new Crate[] {crate, crate}, "a"));
        assertEquals(0, Crate.join(new Crate[0], "a"));
    }

    // two crates
    @Test
    public void clear_thenFirst_returnsNull() {
        Crate<Object> crate = new Crate<>();
        Crate<Object> crate2 = new Crate<>();
        crate.put("a");
        crate.put(3);
        crate2.put(null);
        Map<String, List<Object>> shelves = crate.getShelves();
        assertEquals(1, shelves.size());
        shelves.clear();
        assertNull(crate2.first());
    }

    // within a bound
    @Test
    public void isSorted_returnsTrue() {
        assertTrue(new Pile<String>(new Pile.Sorter<String>()).isSorted());
    }

    // within the bound of another
    @Test
    public void takeAll_returnsZero() {
        Pile.Sorter<String> order = new Pile.Sorter<>();
        Pile<String> pile = new Pile<>(order, 1);
        Pile<String> pile2 = new Pile<>(order, 2);
        assertEquals(0, pile2.takeAll(pile));
    }

    // decided by what is asked
    @Test
    public void newPile_isBefore() {
        Pile<Integer> pile = new Pile<>(new Pile.Sorter<Integer>());
        assertTrue(pile.isBefore(3, 4));
    }

    // said for the compiler
    @Test
    public void reverseOrder_isNotBefore() {
        Pile<Integer> pile = new Pile<Integer>(Comparator.reverseOrder());
        assertFalse(pile.isBefore(3, 4));
        assertTrue(pile.isSorted());
    }

    // nothing of a type
    @Test
    public void isBefore_returnsFalse() {
        Pile<String> pile = new Pile<>((List<String>) null);
        assertFalse(pile.isBefore("a", "b"));
        assertFalse(pile.isSorted());
    }

    @Test
    @SuppressWarnings("deprecation")
    public void shake_thenFirst_returnsNull() {
        Crate<Object> crate = new Crate<>();
        crate.shake();
        assertNull(crate.first());
    }

    @Test
    public void first_returnsNull() {
        assertNull(new Crate<Object>().first());
    }

    @Test
    public void newCrate_thenFirst_returnsNull() {
        assertNull(new Crate<Object>().first());
    }

    // addAll() changes Crate.items; first() must see it
    @Test
    public void addAll_thenFirst_addAllIsOne() {
        ArrayList<String> more = new ArrayList<>();
        more.add("a");
        Crate<String> crate = new Crate<>();
        assertEquals(1, crate.addAll(more));
        crate.first();
    }
}

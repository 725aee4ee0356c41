package shop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of shop.Shelf, written by dynaflow. Each test runs a definition of object state and a use it reaches. */
@SuppressWarnings({"unchecked", "rawtypes"})
class ShelfDynaflowTest {
    // covers items.[] from add(Item) to last()
    @Test
    void makeThenTurnThenAddTwice() {
        Shelf shelf0 = new Shelf();
        Item item0 = Shelf.make("Moby \"Dick\"\n\u2028");
        assertEquals(1, ((Book) item0).turn());
        assertTrue(shelf0.add(item0));
        store.Item item1 = new store.Item();
        assertTrue(shelf0.add(item1));
        assertEquals(2, shelf0.size());
        assertEquals("stored", shelf0.last());
    }

    // covers items.[] from put(Object) to last()
    @Test
    void putThreeTimesThenLastThenPutAllTwice() {
        Shelf shelf0 = new Shelf();
        shelf0.put((Object) "as object");
        shelf0.put((Object) null);
        shelf0.put((String) null);
        assertNull(shelf0.last());
        assertEquals(-1, shelf0.putAll((Object[]) null));
        Object[] objectArray0 = new Object[2];
        objectArray0[1] = Integer.valueOf(3);
        assertEquals(2, shelf0.putAll(objectArray0));
    }

    // covers kind from kind(Kind) to kind()
    @Test
    void kindTwiceThenTextThenType() {
        Shelf shelf0 = new Shelf();
        Shelf.Slot slot0 = shelf0.new Slot(4);
        assertEquals(4, slot0.number());
        shelf0.kind(Shelf.Kind.HIGH);
        assertEquals(Shelf.Kind.HIGH, shelf0.kind());
        Shelf.Label label0 = Shelf.DEFAULT;
        assertEquals("default", label0.text());
        assertEquals(Shelf.Kind.class, shelf0.type());
    }

    @Test
    void bigThenBoxedThenInitial() {
        Shelf shelf0 = new Shelf();
        assertEquals(Double.NaN, shelf0.half(Double.NaN));
        assertEquals(Double.POSITIVE_INFINITY, shelf0.half(Double.POSITIVE_INFINITY));
        assertEquals(1.5, shelf0.half(3.0));
        assertEquals(Float.NaN, shelf0.ratio());
        assertEquals((byte) 2, shelf0.small((byte) -1, (short) 3));
        assertEquals(-9223372036854775808L, shelf0.big(-9223372036854775808L));
        assertEquals(Integer.valueOf(7), shelf0.boxed(Integer.valueOf(7)));
        assertEquals('\'', shelf0.initial("'x"));
    }

    // covers nothing in particular  u000a with an escape
    @Test
    void cellsThenAddThenWhere() {
        Shelf shelf0 = new Shelf();
        int[] intArray0 = {5, -2};
        assertEquals(3, shelf0.sum(intArray0));
        int[][] intArrayArray0 = new int[3][];
        assertEquals(3, shelf0.cells(intArrayArray0));
        ArrayList arrayList0 = new ArrayList();
        assertTrue(arrayList0.add("a"));
        assertNotNull(shelf0.where());
    }

    // covers the exception of read(boolean)
    @Test
    void readTwiceThrowsIOException() throws Exception {
        Shelf shelf0 = new Shelf();
        assertEquals("read", shelf0.read(false));
        assertEquals("no paper", assertThrows(IOException.class, () -> shelf0.read(true)).getMessage());
        assertEquals(0, shelf0.size());
    }

    // covers the exception of read(boolean)
    @Test
    void readThrowsIOException() {
        Shelf shelf0 = new Shelf();
        assertEquals("no paper", assertThrows(IOException.class, () -> shelf0.read(true)).getMessage());
    }

    // covers the exception of read(boolean)
    @Test
    void readThrowsIOException_2() {
        Shelf shelf0 = new Shelf();
        assertEquals("no paper", assertThrows(IOException.class, () -> shelf0.read(true)).getMessage());
    }

    // covers names.[] from put(String) to names()
    @Test
    void putTwice() {
        Drawer drawer0 = new Drawer();
        drawer0.put("bolt");
        drawer0.put("nut");
        assertEquals(Arrays.asList("bolt", "nut"), drawer0.names());
        assertEquals(new HashSet<>(Arrays.asList("bolt", "nut")), drawer0.kinds());
        assertEquals(Collections.singletonMap("bolt", 4), drawer0.lengths());
        assertEquals(Optional.of("bolt"), drawer0.first());
        assertEquals(2, drawer0.all().size());
    }

    // covers names from Drawer() to names()
    @Test
    void makeDrawer() {
        Drawer drawer0 = new Drawer();
        assertEquals(Collections.emptyList(), drawer0.names());
        assertEquals(Collections.singletonList("inside"), drawer0.inner().names());
        assertEquals(Collections.emptySet(), drawer0.kinds());
        assertEquals(Collections.singleton("inside"), drawer0.inner().kinds());
        assertEquals(Collections.emptyMap(), drawer0.lengths());
        assertEquals(Optional.empty(), drawer0.first());
    }

    // covers names.[] from put(String) to items()
    @Test
    void putTwice_2() {
        Drawer drawer0 = new Drawer();
        drawer0.put("bolt");
        drawer0.put("nut");
        assertArrayEquals(new int[] {4, 3}, drawer0.counts());
        assertArrayEquals(new double[] {2.0, 1.5}, drawer0.halves());
        assertArrayEquals(new String[] {"bolt", null}, drawer0.labels());
        assertEquals(0, drawer0.none().length);
        assertArrayEquals(new Object[] {Drawer.class}, drawer0.types());
        assertEquals(2, drawer0.items().length);
        assertEquals("nut", drawer0.items()[1].name());
    }

    // covers names.[] from put(String) to holds(String)
    @Test
    void putTwice_3() {
        Drawer drawer0 = new Drawer();
        drawer0.put("bolt");
        drawer0.put("nut");
        assertTrue(drawer0.holds("nut"));
        assertFalse(drawer0.holds(null));
    }

    // covers names.[] from put(String) to listed()
    @Test
    void putTwice_4() {
        Drawer drawer0 = new Drawer();
        drawer0.put("bolt");
        drawer0.put("nut");
        assertEquals("nut", drawer0.listed().get(1).name());
    }
}

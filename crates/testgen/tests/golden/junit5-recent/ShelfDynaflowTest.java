package shop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
		assertEquals(1, ((Book) item).turn());
		assertTrue(shelf.add(item));
		assertTrue(shelf.add(new store.Item()));
		assertEquals(2, shelf.size());
		assertEquals("stored", shelf.last());
	}

	// covers items.[] from put(Object) to last()
	@Test
	void last_thenPutAllTwice_returnsTwo() {
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
	void text_thenType_returnsKind() {
		Shelf shelf = new Shelf();
		assertEquals(4, shelf.new Slot(4).number());
		shelf.kind(Shelf.Kind.HIGH);
		assertEquals(Shelf.Kind.HIGH, shelf.kind());
		assertEquals("default", Shelf.DEFAULT.text());
		assertEquals(Shelf.Kind.class, shelf.type());
	}

	@Test
	void boxed_thenInitial_returnsApostrophe() {
		Shelf shelf = new Shelf();
		assertEquals(Double.NaN, shelf.half(Double.NaN));
		assertEquals(
				Double.POSITIVE_INFINITY, shelf.half(Double.POSITIVE_INFINITY));
		assertEquals(1.5, shelf.half(3.0));
		assertEquals(Float.NaN, shelf.ratio());
		assertEquals((byte) 2, shelf.small((byte) -1, (short) 3));
		assertEquals(Long.MIN_VALUE, shelf.big(Long.MIN_VALUE));
		assertEquals(Integer.valueOf(7), shelf.boxed(7));
		assertEquals('\'', shelf.initial("'x"));
	}

	// covers nothing in particular  u000a with an escape
	@Test
	@SuppressWarnings({"rawtypes", "unchecked"})
	void cells_thenWhere_addIsTrue() {
		Shelf shelf = new Shelf();
		assertEquals(3, shelf.sum(new int[] {5, -2}));
		assertEquals(3, shelf.cells(new int[3][]));
		assertTrue(new ArrayList().add("a"));
		assertNotNull(shelf.where());
	}

	// covers the exception of read(boolean)
	@Test
	void readTwice_throwsIOException() throws Exception {
		Shelf shelf = new Shelf();
		assertEquals("read", shelf.read(false));
		assertEquals(
				"no paper",
				assertThrows(IOException.class, () -> shelf.read(true))
						.getMessage());
		assertEquals(0, shelf.size());
	}

	// covers the exception of read(boolean)
	@Test
	void read_throwsIOException() {
		Shelf shelf = new Shelf();
		assertEquals(
				"no paper",
				assertThrows(IOException.class, () -> shelf.read(true))
						.getMessage());
	}

	// covers the exception of read(boolean)
	@Test
	void readWithTrue_throwsIOException() {
		Shelf shelf = new Shelf();
		assertEquals(
				"no paper",
				assertThrows(IOException.class, () -> shelf.read(true))
						.getMessage());
	}

	// covers names.[] from put(String) to names()
	@Test
	void putTwice_namesAreBoltAndNut() {
		Drawer drawer = new Drawer();
		drawer.put("bolt");
		drawer.put("nut");
		assertEquals(List.of("bolt", "nut"), drawer.names());
		assertEquals(Set.of("bolt", "nut"), drawer.kinds());
		assertEquals(Map.of("bolt", 4), drawer.lengths());
		assertEquals(Optional.of("bolt"), drawer.first());
		assertEquals(2, drawer.all().size());
	}

	// covers names from Drawer() to names()
	@Test
	void newDrawer_namesIsEmpty() {
		Drawer drawer = new Drawer();
		assertEquals(List.of(), drawer.names());
		assertEquals(List.of("inside"), drawer.inner().names());
		assertEquals(Set.of(), drawer.kinds());
		assertEquals(Set.of("inside"), drawer.inner().kinds());
		assertEquals(Map.of(), drawer.lengths());
		assertEquals(Optional.empty(), drawer.first());
	}

	// covers names.[] from put(String) to items()
	@Test
	void putTwice_countsAreFourAndThree() {
		Drawer drawer = new Drawer();
		drawer.put("bolt");
		drawer.put("nut");
		assertArrayEquals(new int[] {4, 3}, drawer.counts());
		assertArrayEquals(new double[] {2.0, 1.5}, drawer.halves());
		assertArrayEquals(new String[] {"bolt", null}, drawer.labels());
		assertEquals(0, drawer.none().length);
		assertArrayEquals(new Object[] {Drawer.class}, drawer.types());
		assertEquals(2, drawer.items().length);
		assertEquals("nut", drawer.items()[1].name());
	}

	// covers names.[] from put(String) to holds(String)
	@Test
	void putTwice_holdsIsTrue() {
		Drawer drawer = new Drawer();
		drawer.put("bolt");
		drawer.put("nut");
		assertTrue(drawer.holds("nut"));
		assertFalse(drawer.holds(null));
	}

	// covers names.[] from put(String) to listed()
	@Test
	void putTwice_nameIsNut() {
		Drawer drawer = new Drawer();
		drawer.put("bolt");
		drawer.put("nut");
		assertEquals("nut", drawer.listed().get(1).name());
	}

	// covers names.[] from with(String) to names()
	@Test
	void withTwice_namesAreBoltAndNut() {
		Drawer drawer = new Drawer();
		drawer.with("bolt");
		drawer.with("nut");
		assertEquals(List.of("bolt", "nut"), drawer.names());
	}

	// covers names.[] from with(String) to holds(String)
	@Test
	void withTwice_thenHolds_returnsTrue() {
		assertTrue(new Drawer().with("bolt").with("nut").holds("nut"));
	}

	// covers names.[] from with(String) to holds(String)
	@Test
	void withThreeTimes_thenHolds_returnsTrue() {
		Drawer drawer =
				new Drawer()
						.with("a bolt that is much too long for a line")
						.with("a screw");
		assertTrue(drawer.with("nut").holds("nut"));
	}

	// covers page from turn() to turn()
	@Test
	void turnTwice_thenName_returnsEmma() {
		Book book = (Book) Shelf.make("Emma");
		assertEquals(1, book.turn());
		assertEquals(2, book.turn());
		assertEquals("Emma", book.name());
	}

	// covers items.[] from put(Object) to size()
	@Test
	void with_thenPut_sizeIsOne() {
		Shelf shelf = new Shelf();
		Drawer drawer = new Drawer();
		drawer.with("bolt");
		shelf.put(drawer);
		assertEquals(1, shelf.size());
	}

	// covers kept from keep(Item) to kept()
	@Test
	void kept_thenWith() {
		Item item = Shelf.make("Emma");
		Drawer drawer = new Drawer();
		drawer.keep(item);
		assertSame(item, drawer.kept());
		drawer.with("bolt");
		assertSame(item, drawer.kept());
	}

	// covers names.[] from put(String) to weights()
	@Test
	void putTwice_thenWeights_returnsTwoEntries() {
		Drawer drawer = new Drawer();
		drawer.put("bolt");
		drawer.put("nut");
		assertEquals(Map.of("bolt", 4, "nut", 3), drawer.weights());
		Map<String, Object> entries = new HashMap<>();
		entries.put("bolt", null);
		entries.put("nut", 3);
		assertEquals(entries, drawer.mixed());
	}

	// covers names from Drawer() to capacity()
	@Test
	void newDrawer_capacityIsLargeNumber() {
		Drawer drawer = new Drawer();
		assertEquals(
				new BigInteger("100000000000000000000"), drawer.capacity());
		assertEquals(new BigDecimal("12.50"), drawer.width());
		assertEquals(LocalDate.parse("2026-11-21"), drawer.checked());
		assertEquals(
				URI.create("https://example.org/drawer?a=b"), drawer.page());
		assertNotNull(drawer.file());
		assertEquals(
				List.of(
						LocalDate.parse("2026-11-21"),
						LocalDate.parse("2027-01-02")),
				drawer.visits());
	}

	// covers name from Book(String) to name()
	@Test
	void add_thenName_returnsPersuasion() {
		Shelf shelf = new Shelf();
		Item item = Shelf.make("Persuasion");
		assertTrue(shelf.add(item));
		assertEquals("Persuasion", item.name());
		assertEquals(1, ((Book) item).turn());
	}

	// covers names.[] from put(String) to sorted()
	@Test
	void putTwice_sortedHasTwoEntries() {
		Drawer drawer = new Drawer();
		drawer.put("bolt");
		drawer.put("nut");
		assertEquals(
				Map.of("b", List.of("bolt"), "n", List.of("nut")),
				drawer.sorted());
		assertEquals(List.of(Map.of("bolt", 4), Map.of()), drawer.counted());
	}

	// covers items from put(String) to size()
	@Test
	void fail_thenSize_returnsOne() {
		Shelf shelf = new Shelf();
		shelf.put("paper");
		assertThrows(IOException.class, () -> shelf.read(true));
		assertThrows(IllegalStateException.class, () -> shelf.fail());
		assertEquals(1, shelf.size());
	}
}

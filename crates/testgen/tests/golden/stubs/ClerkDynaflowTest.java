package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.Test;

/**
 * Tests of shop.Clerk, written by dynaflow.
 * The comment of each test says what it is there for.
 */
public class ClerkDynaflowTest {
    // register.key() gives what key() gives
    @Test
    public void key_thenSize_returnsTwo() throws Exception {
        Clerk.Register<String> register = new Clerk.Register<String>() {
            @Override
            public void close() {}

            @Override
            public int count(String... strings) {
                return 2;
            }

            @Override
            public String key(String string, long number) {
                return "k";
            }
        };
        Clerk<String> clerk = new Clerk<>(register);
        assertEquals("k", clerk.key("a"));
        assertEquals(2, clerk.size());
    }

    // lambdas
    @Test
    public void supplied_thenRunTwice_suppliedIsNull() {
        Clerk.Register<Integer> register = new Clerk.Register<Integer>() {
            @Override
            public void close() {}

            @Override
            public int count(String... strings) {
                return 2;
            }

            @Override
            public Integer key(String string, long number) {
                return 3;
            }
        };
        Clerk<Integer> clerk = new Clerk<>(register);
        Predicate<String> wanted = string -> true;
        assertTrue(clerk.accepts(wanted));
        Function<String, String> by = string -> string;
        assertEquals("a", clerk.ask(by));
        Function<String, Integer> by2 = string -> 5;
        assertEquals(Integer.valueOf(5), clerk.ask(by2));
        Comparator<String> order = (string, string2) -> -1;
        assertEquals(-1, clerk.order(order));
        Supplier<Integer> supplier = () -> null;
        assertNull(clerk.supplied(supplier));
        Runnable action = () -> {};
        clerk.run(action);
        Supplier<Integer> action2 = () -> 3;
        clerk.run(action2);
    }

    @Test
    public void listedTwice() {
        Clerk.Register<String> register = new Clerk.Register<String>() {
            @Override
            public void close() {}

            @Override
            public int count(String... strings) {
                return 2;
            }

            @Override
            public String key(String string, long number) {
                return "k";
            }
        };
        Clerk<String> clerk = new Clerk<>(register);
        ArrayList<String> arrayList = new ArrayList<>();
        Supplier<List<String>> supplier = () -> arrayList;
        assertNotNull(clerk.listed(supplier));
        assertNotNull(clerk.listed(supplier));
    }

    @Test
    public void ring() {
        Clerk.Register<String> register = new Clerk.Register<String>() {
            @Override
            public void close() {}

            @Override
            public int count(String... strings) {
                return 2;
            }

            @Override
            public String key(String string, long number) {
                return "k";
            }
        };
        Clerk<String> clerk = new Clerk<>(register);
        Clerk.Bell bell = new Clerk.Bell() {};
        clerk.ring(bell);
    }
}

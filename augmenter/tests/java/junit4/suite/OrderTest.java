package suite;

import org.junit.Test;

/** Tests that can be put into any order. */
public class OrderTest {
    @Test
    public void a() {
        return;
    }

    @Test
    public void b() {
        return;
    }

    @Test
    public void c() {
        return;
    }
}

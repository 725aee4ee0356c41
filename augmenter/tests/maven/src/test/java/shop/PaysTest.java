package shop;

import org.junit.Test;

/** One half of what a basket does; the other half is in another JVM. */
public class PaysTest {
    @Test
    public void pays() {
        new Basket().pay(3);
    }
}

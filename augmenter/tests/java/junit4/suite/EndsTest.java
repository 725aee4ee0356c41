package suite;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Ends the JVM, or never ends. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class EndsTest {
    @Test
    public void aFine() {
        return;
    }

    @Test
    public void bExits() {
        System.exit(5);
    }

    @Test
    public void cHangs() throws InterruptedException {
        Thread.sleep(1000000);
    }
}

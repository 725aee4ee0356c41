package suite;

import org.junit.Test;

/** Abstract: its test runs in subclasses, under their name. */
public abstract class VintageBase {
    @Test
    public void inherited() {
        return;
    }
}

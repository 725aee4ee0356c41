package store;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Each test finds the register empty in a fresh JVM, and leaves it empty unless a mutant is active. */
public class RegisterTest {
    @Test
    public void begins() {
        assertEquals(1, Register.begin());
        Register.end();
    }

    @Test
    public void labels() {
        assertEquals(1, Register.begin());
        Register.label(3);
        Register.end();
    }

    @Test
    public void squares() {
        assertEquals(49, Register.square(7));
    }
}

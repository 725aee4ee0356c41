package store;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Written for JUnit 4; the tests that use it make one for JUnit 5 of it. */
public class StatusesTest {
    @Test
    public void twice() {
        assertEquals(6, new Statuses().twice(3));
        assertEquals(0, new Statuses().twice(0));
    }

    @Test
    public void unchecked() {
        new Statuses().unchecked(3);
    }

    @Test
    public void fails() {
        assertEquals(1, new Statuses().onlyByTheFailing(3));
    }

    @Test
    public void count() {
        assertEquals(3, new Statuses().count(3));
    }

    @Test
    public void fill() {
        assertEquals(80, new Statuses().fill(80));
    }

    @Test
    public void exit() {
        new Statuses().exit(false);
    }

    @Test
    public void halt() {
        new Statuses().halt(false);
    }
}

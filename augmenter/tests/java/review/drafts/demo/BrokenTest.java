package demo;

public class BrokenTest {
    @org.junit.Test public void usesWhatIsNotThere() {
        new Bag().empty();
    }
}

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** JUnit 5, all methods at once. */
@Execution(ExecutionMode.CONCURRENT)
public class Parallel5 {
    final Subject fixture = new Subject();

    @BeforeEach
    public void prepare() throws Exception {
        fixture.prepare();
    }

    @AfterEach
    public void tidy() {
        fixture.tidy();
    }

    @Test
    public void test0() throws Exception {
        Subject here = new Subject();
        Subject thread = new Subject();
        Subject grandchild = new Subject();
        Subject pool = new Subject();
        here.work(here::here0, thread::thread0, grandchild::grandchild0, pool::pool0);
    }

    @Test
    public void test1() throws Exception {
        Subject here = new Subject();
        Subject thread = new Subject();
        Subject grandchild = new Subject();
        Subject pool = new Subject();
        here.work(here::here1, thread::thread1, grandchild::grandchild1, pool::pool1);
    }

    @Test
    public void test2() throws Exception {
        Subject here = new Subject();
        Subject thread = new Subject();
        Subject grandchild = new Subject();
        Subject pool = new Subject();
        here.work(here::here2, thread::thread2, grandchild::grandchild2, pool::pool2);
    }

    @Test
    public void test3() throws Exception {
        Subject here = new Subject();
        Subject thread = new Subject();
        Subject grandchild = new Subject();
        Subject pool = new Subject();
        here.work(here::here3, thread::thread3, grandchild::grandchild3, pool::pool3);
    }
}

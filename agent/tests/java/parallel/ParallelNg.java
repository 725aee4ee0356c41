import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/** TestNG, all methods at once. */
public class ParallelNg {
    @BeforeMethod
    public void prepare() throws Exception {
        new Subject().prepare();
    }

    @AfterMethod
    public void tidy() {
        new Subject().tidy();
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

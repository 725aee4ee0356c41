import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class KilledTest {
    int state;

    void define() {
        state++;
    }

    @Test
    public void a() {
        define();
    }

    @Test
    public void b() throws Exception {
        define();
        System.out.println("ready");
        System.out.flush();
        Thread.sleep(600000);
    }
}

import org.junit.Test;
import org.junit.runner.JUnitCore;

/** One test over and over, with a line on the output each time it has ended. */
public class KilledOften {
    int state;

    void define() {
        state++;
    }

    int use() {
        return state;
    }

    @Test
    public void again() {
        for (int i = 0; i < 50; i++) {
            define();
            use();
        }
    }

    public static void main(String[] arguments) {
        JUnitCore core = new JUnitCore();
        while (true) {
            core.run(KilledOften.class);
            System.out.println("ended");
            System.out.flush();
        }
    }
}

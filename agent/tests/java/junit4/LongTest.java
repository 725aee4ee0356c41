import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Repeats an invocation below one of its tests until it is left out. */
public class LongTest {
    static class Turner {
        private int turns;

        void turn() {
            turns = turns + 1;
        }

        int turns() {
            return turns;
        }
    }

    @Test
    public void turnsOften() {
        Turner turner = new Turner();
        for (int i = 0; i < 20000; i++) {
            turner.turn();
            new Turner().turn();
        }
        assertEquals(20000, turner.turns());
    }
}

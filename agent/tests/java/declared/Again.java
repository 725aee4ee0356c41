/**
 * Invocations that are left out write the same locations again and again: only the first write of a number after anything else was recorded is, though
 * references are written in between. What the program's
 * other invocations, and other threads, write in between does not reach what reads afterwards.
 */
public class Again {
    static final int MANY = 30_000;
    static final int ROUNDS = 40;

    static class Meter {
        int steps;
        int latest;
        int low;
        int high;
        Object chosen;
        final Object one = new Object();
        final Object two = new Object();
        final int[] cells = new int[8];

        void step(int i) {
            count();
            chosen = (i & 1) == 0 ? one : two;
            latest = i;
            low(i);
            high(i);
            cells[2 + (i & 1)] = i;
        }

        private void low(int i) {
            low = i & 15;
        }

        private void high(int i) {
            high = i >> 4;
        }

        private void count() {
            steps = steps + 1;
        }

        int steps() {
            return steps; //: at readSteps
        }

        int inTheEnd() {
            return steps; //: at readLast
        }

        int latest() {
            return latest; //: at readLatest
        }

        int cell() {
            return cells[3]; //: at readCell
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Meter meter = new Meter();
        int[] out = new int[MANY];
        for (int i = 0; i < MANY; i++) {
            meter.step(i);
            out[i] = i;
        }
        for (int i = 0; i < ROUNDS; i++) {
            meter.step(3);
            meter.steps = 5; //: at field
            meter.step(3);
            meter.steps();
            meter.step(3);
            meter.cells[3] = 4; //: at element
            meter.step(3);
            meter.cell();
            meter.step(3);
            Thread other = new Thread(() -> meter.latest = 7); //: at byOther
            other.start();
            other.join();
            meter.step(3);
            meter.latest();
        }
        meter.steps = 6; //: at last
        System.out.println(meter.inTheEnd() + meter.latest + out[MANY - 1]);
    }

    //: pair Meter.steps: last -> readLast
    //: none Meter.steps: field -> readSteps
    //: none Meter.cells.[]: element -> readCell
    //: none Meter.latest: byOther -> readLatest
}

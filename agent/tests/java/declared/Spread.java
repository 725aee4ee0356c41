/**
 * An invocation that is left out writes ever other elements of an array: after some, it is recorded once that any of them may have been written. What the
 * program's other invocations, and other threads, write in between does not reach what reads afterwards, and what they write at the end does.
 */
public class Spread {
    static final int MANY = 30_000;
    static final int ROUNDS = 3;
    static final int SIZE = 512;

    static class Buffer {
        final int[] cells = new int[SIZE];
        final int[] others = new int[SIZE];
        int at;

        void put(int i) {
            cells[i % SIZE] = i;
            both(i);
        }

        private void both(int i) {
            others[i % SIZE] = cells[(i + 1) % SIZE];
            at = cells[i % SIZE];
        }

        int cell(int i) {
            return cells[i]; //: at readCell
        }

        int other(int i) {
            return others[i]; //: at readOther
        }

        int lastCell() {
            return cells[9]; //: at readLast
        }
    }

    private static void all(Buffer buffer) {
        for (int i = 0; i < SIZE; i++) {
            buffer.put(i);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Buffer buffer = new Buffer();
        for (int i = 0; i < MANY; i++) {
            buffer.put(i);
        }
        int sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            all(buffer);
            buffer.cells[300 + i] = 4; //: at element
            all(buffer);
            sum += buffer.cell(300 + i);
            Thread other = new Thread(() -> buffer.others[400] = 7); //: at byOther
            other.start();
            other.join();
            all(buffer);
            sum += buffer.other(400);
        }
        buffer.cells[9] = 6; //: at last
        System.out.println(buffer.lastCell() + sum + buffer.at);
    }

    //: pair Buffer.cells.[]: last -> readLast
    //: none Buffer.cells.[]: element -> readCell
    //: none Buffer.others.[]: byOther -> readOther
}

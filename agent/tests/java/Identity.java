import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Many objects that live at once, each written at one of three places and read at the place that belongs to it. Two objects
 * taken for one would give a pair of places that do not belong together.
 */
public class Identity {
    static class Cell {
        int value;

        void writeA() {
            value = 1;
        }

        void writeB() {
            value = 2;
        }

        void writeC() {
            value = 3;
        }

        int readA() {
            return value;
        }

        int readB() {
            return value;
        }

        int readC() {
            return value;
        }

        /** Never called on a cell that was not written: its constructor writes nothing. */
        void write(int kind) {
            switch (kind) {
                case 0: writeA(); break;
                case 1: writeB(); break;
                default: writeC();
            }
        }

        int read(int kind) {
            switch (kind) {
                case 0: return readA();
                case 1: return readB();
                default: return readC();
            }
        }
    }

    public static void main(String[] arguments) {
        int count = Integer.parseInt(arguments[1]);
        if (arguments[0].equals("live")) {
            live(count);
        } else {
            churn(count);
        }
        System.out.println("ok");
    }

    /** As many objects, alive until the last one was read. */
    private static void live(int count) {
        Object[] cells = new Object[count];
        for (int i = 0; i < count; i++) {
            Cell cell = new Cell();
            cells[i] = cell;
            cell.write(i % 3);
        }
        for (int i = 0; i < count; i++) {
            ((Cell) cells[i]).read(i % 3);
        }
        System.out.println("colliding hashes " + (collisions(cells) > 0));
    }

    private static int collisions(Object[] cells) {
        int[] hashes = new int[cells.length];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = System.identityHashCode(cells[i]);
        }
        java.util.Arrays.sort(hashes);
        int equal = 0;
        for (int i = 1; i < hashes.length; i++) {
            equal += hashes[i] == hashes[i - 1] ? 1 : 0;
        }
        return equal;
    }

    /** Objects that die, of which every tenth is replaced by one that is read and never written. */
    private static void churn(int count) {
        List<Cell> kept = new ArrayList<Cell>();
        Map<Integer, Integer> seen = new HashMap<Integer, Integer>();
        int again = 0;
        for (int i = 0; i < count; i++) {
            Cell dies = new Cell();
            dies.writeA();
            again += seen.put(System.identityHashCode(dies), i) == null ? 0 : 1;
            if (i % 1000 == 999) {
                System.gc();
                for (int k = 0; k < 100; k++) {
                    Cell fresh = new Cell();
                    fresh.readB();
                    fresh.writeC();
                    kept.add(fresh);
                }
            }
        }
        for (Cell cell : kept) {
            cell.readC();
        }
        System.out.println("hashes again " + (again > 0));
    }
}

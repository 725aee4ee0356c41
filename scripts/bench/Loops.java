import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tight loops that do one kind of access to their object's state and nothing else: fields, array elements, containers. What recording
 * costs at worst. It knows nothing of agents. Invariant: the result depends on the arguments alone.
 */
public class Loops {
    static final class Cell {
        int value;
        Cell next;
    }

    private Cell cell = new Cell();
    private final int[] values = new int[1024];
    private final List<Integer> list = new ArrayList<Integer>();
    private final Map<Integer, Integer> map = new HashMap<Integer, Integer>();

    Loops() {
        Cell last = cell;
        for (int i = 1; i < 64; i++) {
            last.next = new Cell();
            last = last.next;
        }
        last.next = cell;
        for (int i = 0; i < 256; i++) {
            list.add(i);
        }
    }

    /** A ring of cells, each read and written in turn. */
    int fields(int rounds) {
        for (int i = 0; i < rounds; i++) {
            cell.value += i;
            cell = cell.next;
        }
        return cell.value;
    }

    /** An array, each element added to the one before. */
    int arrays(int rounds) {
        for (int i = 0; i < rounds; i++) {
            values[i & 1023] += values[(i + 1) & 1023] ^ i;
        }
        return values[7];
    }

    /** A list and a map of boxed numbers. */
    int containers(int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            map.put(i & 127, list.get(i & 255));
            sum += map.get(i & 127);
            list.set(i & 255, sum & 1023);
        }
        return sum;
    }

    private int run(String kind, int rounds) {
        switch (kind) {
            case "fields":
                return fields(rounds);
            case "arrays":
                return arrays(rounds);
            case "containers":
                return containers(rounds);
            default:
                throw new IllegalArgumentException("expected fields, arrays or containers, not " + kind);
        }
    }

    public static void main(String[] arguments) {
        int rounds = Integer.parseInt(arguments[1]);
        Loops loops = new Loops();
        // Twice, so that what the first run leaves behind is there for the second.
        int first = loops.run(arguments[0], rounds / 2);
        System.out.println(arguments[0] + " " + first + " " + loops.run(arguments[0], rounds / 2));
    }
}

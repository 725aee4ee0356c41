import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tight loops that do one kind of access and nothing else: fields, array elements, containers. What recording costs at worst.
 * It knows nothing of agents. Invariant: the result depends on the argument alone.
 */
public class Loops {
    static final class Cell {
        int value;
        Cell next;
    }

    /** A ring of cells, each read and written in turn. */
    static int fields(int rounds) {
        Cell first = new Cell();
        Cell last = first;
        for (int i = 1; i < 64; i++) {
            last.next = new Cell();
            last = last.next;
        }
        last.next = first;
        Cell cell = first;
        for (int i = 0; i < rounds; i++) {
            cell.value += i;
            cell = cell.next;
        }
        return cell.value;
    }

    /** An array, each element added to the one before. */
    static int arrays(int rounds) {
        int[] values = new int[1024];
        for (int i = 0; i < rounds; i++) {
            values[i & 1023] += values[(i + 1) & 1023] ^ i;
        }
        return values[7];
    }

    /** A list and a map of boxed numbers. */
    static int containers(int rounds) {
        List<Integer> list = new ArrayList<Integer>();
        Map<Integer, Integer> map = new HashMap<Integer, Integer>();
        for (int i = 0; i < 256; i++) {
            list.add(i);
        }
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            map.put(i & 127, list.get(i & 255));
            sum += map.get(i & 127);
            list.set(i & 255, sum & 1023);
        }
        return sum;
    }

    public static void main(String[] arguments) {
        int rounds = Integer.parseInt(arguments[1]);
        int result;
        switch (arguments[0]) {
            case "fields":
                result = fields(rounds);
                break;
            case "arrays":
                result = arrays(rounds);
                break;
            case "containers":
                result = containers(rounds);
                break;
            default:
                throw new IllegalArgumentException("expected fields, arrays or containers, not " + arguments[0]);
        }
        System.out.println(arguments[0] + " " + result);
    }
}

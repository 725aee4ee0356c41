import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Programs that grow: each does one kind of work n times in a shape that made the analysis slower with n. What an event costs must not
 * depend on n. It knows nothing of agents. Invariant: the result depends on the arguments alone.
 */
public class Growth {
    private int[] values;
    private int sum;

    /** An array written in n runs, each of which is then overwritten at its first element, while invocations on its owner end. */
    int runs(int n) {
        values = new int[4 * n];
        for (int i = 0; i < n; i++) {
            Arrays.fill(values, 4 * i, 4 * i + 3, i);
        }
        for (int i = 0; i < n; i++) {
            touch(4 * i);
        }
        return sum;
    }

    private void touch(int at) {
        values[at] = at;
        sum += values[at + 1];
    }

    /** The same array, whose runs an object reads that knows it by another way. */
    int shared(int n) {
        Growth other = new Growth();
        other.values = values = new int[4 * n];
        for (int i = 0; i < n; i++) {
            Arrays.fill(values, 4 * i, 4 * i + 3, i);
            other.touch(4 * i);
        }
        return other.sum;
    }

    static final class Tree {
        final List<Tree> children = new ArrayList<Tree>();
        Tree parent;
        String name;

        Tree add(String called) {
            Tree child = new Tree();
            child.parent = this;
            child.name = called;
            children.add(child);
            return child;
        }

        Tree copy() {
            Tree copy = new Tree();
            copy.name = name;
            return copy;
        }
    }

    /** A tree as deep as n, copied with a stack of what is to be done. */
    int deep(int n) {
        Tree root = new Tree();
        Tree last = root;
        for (int i = 0; i < n; i++) {
            last = last.add("div");
        }
        Copier copier = new Copier();
        return copier.copy(root);
    }

    static final class Copier {
        private final List<Tree> todo = new ArrayList<Tree>();
        private final List<Tree> copies = new ArrayList<Tree>();
        private int done;

        int copy(Tree root) {
            todo.add(root);
            copies.add(root.copy());
            while (!todo.isEmpty()) {
                Tree next = todo.remove(todo.size() - 1);
                Tree copy = copies.remove(copies.size() - 1);
                for (Tree child : next.children) {
                    Tree made = child.copy();
                    made.parent = copy;
                    copy.children.add(made);
                    todo.add(child);
                    copies.add(made);
                }
                done++;
            }
            return done;
        }
    }

    static final class Field {
        final Chronology home;
        Field wrapped;
        int range;

        Field(Chronology home, Field wrapped, int range) {
            this.home = home;
            this.wrapped = wrapped;
            this.range = range;
        }

        int get(int instant) {
            int value = instant % range;
            return wrapped == null ? value : value + wrapped.get(instant / 2) + home.offset;
        }
    }

    static final class Chronology {
        Field[] fields = new Field[12];
        Chronology base;
        int offset;

        Chronology(Chronology base) {
            this.base = base;
            for (int i = 0; i < fields.length; i++) {
                fields[i] = new Field(this, base == null ? null : base.fields[i], i + 2);
            }
        }
    }

    static final class Date {
        final Chronology chronology;
        final int instant;

        Date(Chronology chronology, int instant) {
            this.chronology = chronology;
            this.instant = instant;
        }

        int sum() {
            int sum = 0;
            for (Field field : chronology.fields) {
                sum += field.get(instant);
            }
            return sum;
        }
    }

    static final Chronology SHARED = new Chronology(new Chronology(new Chronology(null)));

    /** Fresh receivers that refer to one cyclic graph of shared objects. */
    int receivers(int n) {
        int all = 0;
        for (int i = 0; i < n; i++) {
            all += new Date(SHARED, i).sum();
        }
        return all;
    }

    static final class Schema {
        final String name;
        final Schema[] fields;

        Schema(String name, Schema... fields) {
            this.name = name;
            this.fields = fields;
        }

        int hash() {
            int hash = name.hashCode();
            for (Schema field : fields) {
                hash = 31 * hash + field.hash();
            }
            return hash;
        }
    }

    /** Fresh frames and receivers: a small tree of objects made and walked n times. */
    int frames(int n) {
        int all = 0;
        for (int i = 0; i < n; i++) {
            Schema schema = new Schema("record", new Schema("int"), new Schema("list", new Schema("long")));
            all += schema.hash();
        }
        return all;
    }

    private double[] numbers = new double[64];

    /** Loops whose reads show nothing new. */
    int volume(int n) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i;
        }
        double all = 0;
        for (int round = 0; round < n; round++) {
            all += evaluate(round);
        }
        return (int) all;
    }

    private double evaluate(double x) {
        double value = numbers[numbers.length - 1];
        for (int i = numbers.length - 2; i >= 0; i--) {
            value = value * x % 97 + numbers[i];
        }
        return value;
    }

    /** A loop within one invocation whose reads show nothing new, and never come in the same order again. */
    int reads(int n) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i;
        }
        double all = 0;
        int at = 1;
        for (int i = 0; i < n; i++) {
            at = at * 1103515245 + 12345;
            all += numbers[at >>> 26];
        }
        return (int) all;
    }

    /** Invocations that show nothing new and write elements of an array that others read. */
    int writes(int n) {
        values = new int[1024];
        int at = 1;
        for (int i = 0; i < n; i++) {
            at = at * 1103515245 + 12345;
            put(at >>> 22);
            sum += values[at >>> 22];
        }
        return sum;
    }

    private void put(int at) {
        for (int i = 0; i < 8; i++) {
            values[at + i & 1023] = at;
        }
    }

    /** One invocation that writes elements of an array over and over, every other one, each from its neighbours. */
    int table(int n) {
        values = new int[130];
        for (int round = 0; round < n; round++) {
            for (int at = 1 + (round & 1); at < 129; at += 2) {
                if (values[at - 1] < values[at + 1]) {
                    values[at] = values[at + 1];
                } else {
                    values[at] = values[at - 1] + 1;
                }
            }
        }
        return values[64];
    }

    public static void main(String[] arguments) {
        int n = Integer.parseInt(arguments[1]);
        Growth growth = new Growth();
        int result;
        switch (arguments[0]) {
            case "runs":
                result = growth.runs(n);
                break;
            case "shared":
                result = growth.shared(n);
                break;
            case "deep":
                result = growth.deep(n);
                break;
            case "receivers":
                result = growth.receivers(n);
                break;
            case "frames":
                result = growth.frames(n);
                break;
            case "volume":
                result = growth.volume(n);
                break;
            case "reads":
                result = growth.reads(n);
                break;
            case "writes":
                result = growth.writes(n);
                break;
            case "table":
                result = growth.table(n);
                break;
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
        System.out.println(arguments[0] + " " + result);
    }
}

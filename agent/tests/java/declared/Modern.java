import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** State in records, behind sealed types and in switch patterns. Needs JDK 21. */
final class Modern {
    static final class Cell {
        int value;
    }

    //: pair Box.cell.value: boxSet -> boxGet
    //: pair Box.cell: boxMake -> boxRead
    record Box(Cell cell, int size) { //: at boxMake
        void set() {
            cell.value = 1; //: at boxSet
        }

        int get() {
            return cell.value; //: at boxGet
        }

        Cell read() {
            return cell; //: at boxRead
        }
    }

    sealed interface Shape permits Round, Square {}

    static final class Round implements Shape {
        int radius;
    }

    static final class Square implements Shape {
        int side;
    }

    //: pair Canvas.shape.radius: roundSet -> roundGet
    //: none Canvas.shape.side: roundSet -> squareGet
    //: none Canvas.shape.radius: roundSet -> squareGet
    static final class Canvas {
        Shape shape = new Round();

        void grow() {
            if (shape instanceof Round round && round.radius >= 0) {
                round.radius = 3; //: at roundSet
            }
        }

        int size() {
            return switch (shape) {
                case Round round when round.radius > 100 -> 0;
                case Round round -> round.radius; //: at roundGet
                case Square square -> square.side; //: at squareGet
            };
        }
    }

    //: pair Pair.left.value: leftSet -> leftGet
    record Pair(Cell left, Cell right) {
        void fill() {
            left.value = 1; //: at leftSet
        }

        int sum() {
            if (this instanceof Pair(Cell one, Cell two)) {
                return one.value //: at leftGet
                    + two.value; //: at rightGet
            }
            return 0;
        }
    }

    /** A record is read from a stream by its constructor. */
    //: pair Kept.size: keptMake -> keptGet
    //: none Kept.size: keptRead -> keptGet
    record Kept(int size) implements Serializable { //: at keptMake
        int get() {
            return size; //: at keptGet
        }

        static void run() throws IOException, ClassNotFoundException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            new ObjectOutputStream(bytes).writeObject(new Kept(1));
            ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
            Kept kept = (Kept) in.readObject(); //: at keptRead
            kept.get();
        }
    }

    //: none Pair.right.value: leftSet -> rightGet
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        Kept.run();
        Box box = new Box(new Cell(), 1);
        box.set();
        box.get();
        box.read();
        Canvas canvas = new Canvas();
        canvas.grow();
        canvas.size();
        Pair pair = new Pair(new Cell(), new Cell());
        pair.fill();
        pair.sum();
        System.out.println("ok");
    }
}

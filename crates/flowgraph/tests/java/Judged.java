import java.io.File;
import java.util.Random;

/** Methods of other classes that inspect or change the object they are called on. Their names say which. */
public class Judged {
    static class Box {
        int value;
        int[] all = new int[3];
        Box inner;

        int inspectsValue() {
            return value;
        }

        Box changesByFilling() {
            if (inner == null) {
                inner = new Box();
            }
            return inner;
        }

        Box changesByFillingWhatWasRead() {
            Box found = inner;
            if (found == null) {
                found = new Box();
                this.inner = found;
            }
            return found;
        }

        int changesByFillingAndAsking() {
            return changesByFilling().value;
        }

        Box changesWhereItIsNot() {
            if (inner != null) {
                inner = new Box();
            }
            return inner;
        }

        Box inspectsAndChangesAnother(Box other) {
            if (inner == null) {
                other.inner = new Box();
            }
            return inner;
        }

        Box changesWhatItHolds() {
            if (inner == null) {
                return null;
            }
            if (inner.inner == null) {
                inner.inner = new Box();
            }
            return inner;
        }

        Box changesBehindALoop(int n) {
            if (inner == null) {
                do {
                    inner = new Box();
                } while (n-- > 0);
            }
            return inner;
        }

        int changesMoreThanItFills() {
            if (inner == null) {
                inner = new Box();
                value++;
            }
            return value;
        }

        int inspectsDeeply() {
            return inner.inner.inspectsValue() + all[1];
        }

        String inspectsByBuilding() {
            StringBuilder text = new StringBuilder();
            text.append(value).append(all.length);
            return text.toString();
        }

        int[] inspectsByCopying() {
            int[] copy = new int[3];
            copy[0] = value;
            System.arraycopy(all, 0, copy, 0, 2);
            return copy;
        }

        Box inspectsByMaking() {
            Box made = new Box();
            made.changesValue();
            made.value = 4;
            return made;
        }

        int[] inspectsByHavingChanged() {
            int[] made = new int[4];
            fill(made, value);
            return made;
        }

        static void fill(int[] all, int with) {
            all[0] = with;
        }

        void changesByHavingChanged() {
            fill(all, 7);
        }

        int inspectsOrThrows() {
            if (value < 0) {
                throw new IllegalStateException("negative");
            }
            return value;
        }

        void changesValue() {
            value++;
        }

        void changesArray() {
            all[2] = 5;
        }

        void changesInner() {
            inner.changesValue();
        }

        void changesByCopying(int[] from) {
            System.arraycopy(from, 0, all, 0, 3);
        }

        void inspectsThoughItChangesAnother(Box other) {
            other.value = 2;
        }

        int changesWhenItFails() {
            try {
                return all[value];
            } catch (RuntimeException none) {
                value = 0;
                return 0;
            }
        }

        native void changesPerhaps();
    }

    interface Shape {
        int changesPerhapsToo();
    }

    private final Box box = new Box();
    private final File file = new File("a");
    private final Random random = new Random();
    private final StringBuilder text = new StringBuilder();
    private Shape shape;

    public int boxes(int[] some, boolean go) {
        if (go) { box.changesValue(); } // changes
        if (go) { box.changesArray(); } // changes
        if (go) { box.changesInner(); } // changes
        if (go) { box.changesByCopying(some); } // changes
        if (go) { box.inspectsThoughItChangesAnother(new Box()); }
        if (go) { box.changesWhenItFails(); } // changes
        if (go) { box.changesPerhaps(); } // changes
        if (go) { shape.changesPerhapsToo(); } // changes
        if (go) { random.nextInt(); } // changes
        if (go) { text.append("a"); } // changes
        int sum = box.inspectsValue();
        if (go) { sum += box.inspectsDeeply(); }
        if (go) { sum += box.inspectsByBuilding().length(); }
        if (go) { sum += box.inspectsByCopying().length; }
        if (go) { sum += box.inspectsByMaking().value; }
        if (go) { sum += box.inspectsOrThrows(); }
        if (go) { sum += file.getName().length(); }
        if (go) { sum += file.getPath().length(); }
        if (go) { sum += text.length(); }
        return sum;
    }
}

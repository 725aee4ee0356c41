/**
 * Invocations that are left out read much, write objects that the recorder knows and others that it does not, and end by exceptions. What is
 * read right after them is recorded, and what they wrote does not let a definition from before reach.
 */
public class Quiet {
    static final int MANY = 30_000;
    static final int ROUNDS = 60;

    static class Box {
        int value;
        int spare;
        Box kept;

        void step(int i) {
            spare = value() + i;
            if (i % 3 == 0) {
                throw new IllegalStateException();
            }
            Box fresh = new Box();
            fresh.value = i;
            fresh.spare = fresh.value + value();
            if (i % 1000 == 1) {
                kept = fresh;
            } else if (kept != null) {
                kept.spare = i;
            }
        }

        int value() {
            return value;
        }

        int spare() {
            return spare; //: at readSpare
        }

        int spareOfKept() {
            return spare; //: at readKept
        }

        int afterException() {
            return value; //: at readAfterException
        }

        int afterReturn() {
            return value; //: at readAfterReturn
        }
    }

    static void run(Box box, int i) {
        try {
            box.step(i);
        } catch (IllegalStateException expected) {
            // Every third step ends this way.
        }
    }

    public static void main(String[] args) {
        Box box = new Box();
        for (int i = 0; i < MANY; i++) {
            run(box, i);
        }
        for (int i = 0; i < ROUNDS; i++) {
            box.spare = 5; //: at spare
            run(box, 3);
            box.spare();
            run(box, 1);
            box.kept.spare = 4; //: at kept
            run(box, 2);
            box.kept.spareOfKept();
        }
        box.value = 6; //: at beforeException
        run(box, 3);
        int sum = box.afterException();
        box.value = 7; //: at beforeReturn
        run(box, 2);
        System.out.println(sum + box.afterReturn());
    }

    //: pair Box.value: beforeException -> readAfterException
    //: pair Box.value: beforeReturn -> readAfterReturn
    //: none Box.spare: spare -> readSpare
    //: none Box.spare: kept -> readKept
}

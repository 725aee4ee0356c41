import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** What a call that is known to access locations does is done there, and nothing that comes after it is, however it ended. */
final class Calling {
    /** Is not recorded. */
    static final class Library {
        static int own;
        static final VarHandle OWN;
        static final Field VALUE;

        static {
            try {
                OWN = MethodHandles.lookup().findStaticVarHandle(Library.class, "own", int.class);
                VALUE = Part.class.getDeclaredField("value");
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        static void set(Part part, int to) {
            Part.VALUE.set(part, to);
        }

        static void setByField(Part part, int to) {
            try {
                VALUE.setInt(part, to);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
    }

    //: pair Part.value: direct -> directSeen
    //: pair Part.value: afterDirect -> afterDirectSeen
    //: none Part.value: direct -> afterDirectSeen
    //: pair Part.value: afterThrown -> afterThrownSeen
    //: none Part.value: thrown -> afterThrownSeen
    //: pair Part.value: afterCaught -> afterCaughtSeen
    //: none Part.value: caught -> afterCaughtSeen
    //: pair Part.value: afterForeign -> afterForeignSeen
    //: none Part.value: foreign -> afterForeignSeen
    //: pair Part.value: field -> fieldSeen
    //: pair Part.value: afterField -> afterFieldSeen
    //: none Part.value: field -> afterFieldSeen
    //: pair Part.value: updated -> updatedSeen
    //: pair Part.value: updatedFirst -> updated
    //: none Part.value: updated -> updated
    //: pair Part.value: inLambda -> inLambdaSeen
    //: none Part.value: lambda -> inLambdaSeen
    //: pair Part.value: lambda -> lambdaSeen
    //: none Part.value: inLambda -> lambdaSeen
    static final class Part {
        static final VarHandle VALUE;
        static final AtomicIntegerFieldUpdater<Part> OTHER = AtomicIntegerFieldUpdater.newUpdater(Part.class, "value");

        static {
            try {
                VALUE = MethodHandles.lookup().findVarHandle(Part.class, "value", int.class);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        volatile int value;

        void direct(Part other) {
            VALUE.set(this, 1); //: at direct
            System.identityHashCode(value); //: at directSeen
            Library.set(this, 2); //: at afterDirect
            System.identityHashCode(value); //: at afterDirectSeen
        }

        private void thrown(Part none) {
            VALUE.set(none, 3); //: at thrown
        }

        void afterThrown(Part none) {
            try {
                thrown(none);
            } catch (NullPointerException expected) {
                Library.set(this, 4); //: at afterThrown
            }
            System.identityHashCode(value); //: at afterThrownSeen
        }

        void caught(Part none) {
            try {
                VALUE.set(none, 5); //: at caught
            } catch (NullPointerException expected) {
                Library.set(this, 6); //: at afterCaught
            }
            System.identityHashCode(value); //: at afterCaughtSeen
        }

        void foreign() {
            Library.OWN.set(7); //: at foreign
            Library.set(this, 8); //: at afterForeign
            System.identityHashCode(value); //: at afterForeignSeen
        }

        void byField() throws IllegalAccessException {
            Library.VALUE.setInt(this, 10); //: at field
            System.identityHashCode(value); //: at fieldSeen
            Library.setByField(this, 11); //: at afterField
            System.identityHashCode(value); //: at afterFieldSeen
        }

        void update() {
            OTHER.set(this, 12); //: at updatedFirst
            OTHER.getAndUpdate(this, Part::next); //: at updated
            System.identityHashCode(value); //: at updatedSeen
        }

        private static int next(int value) {
            return value + 1;
        }

        void inLambda(final Part other) {
            OTHER.updateAndGet(this, value -> other.change(value)); //: at lambda
            System.identityHashCode(value); //: at lambdaSeen
            other.look();
        }

        private void look() {
            System.identityHashCode(value); //: at inLambdaSeen
        }

        private int change(int to) {
            Library.set(this, to); //: at inLambda
            return to + 1;
        }

        static void run() throws IllegalAccessException {
            Part part = new Part();
            part.direct(part);
            part.afterThrown(null);
            part.caught(null);
            part.foreign();
            part.byField();
            part.update();
            part.inLambda(new Part());
        }
    }

    public static void main(String[] args) throws IllegalAccessException {
        Part.run();
        System.out.println("done");
    }
}

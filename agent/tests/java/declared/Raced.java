import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * A thread waits for what another one sets by a handle, and reads it again: had the set been recorded only after it happened, the second
 * read would now and then be given what was there before.
 */
final class Raced {
    private static final int ROUNDS = 3000;

    /** Waits until a value is there. */
    abstract static class Waited {
        abstract Object look();

        abstract void set();

        abstract void seen();

        static void race(final Waited[] all) throws InterruptedException {
            Thread setter = new Thread() {
                @Override
                public void run() {
                    for (Waited one : all) {
                        one.set();
                    }
                }
            };
            setter.start();
            for (Waited one : all) {
                while (one.look() == null) {
                    Thread.onSpinWait();
                }
                one.seen();
            }
            setter.join();
        }
    }

    //: pair ByHandle.value: handleSet -> handleSeen
    //: none ByHandle.value: handleBorn -> handleSeen
    static final class ByHandle extends Waited {
        static final VarHandle VALUE;

        static {
            try {
                VALUE = MethodHandles.lookup().findVarHandle(ByHandle.class, "value", String.class);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        volatile String value = null; //: at handleBorn

        @Override
        Object look() {
            return value;
        }

        @Override
        void set() {
            VALUE.setVolatile(this, "set"); //: at handleSet
        }

        @Override
        void seen() {
            System.identityHashCode(value); //: at handleSeen
        }
    }

    //: pair ByUpdater.value: updaterSet -> updaterSeen
    //: none ByUpdater.value: updaterBorn -> updaterSeen
    //: none ByUpdater.value: updaterRefused -> updaterSeen
    static final class ByUpdater extends Waited {
        @SuppressWarnings("rawtypes")
        static final AtomicReferenceFieldUpdater VALUE =
            AtomicReferenceFieldUpdater.newUpdater(ByUpdater.class, String.class, "value");

        volatile String value = null; //: at updaterBorn

        @Override
        Object look() {
            return value;
        }

        @Override
        @SuppressWarnings("unchecked")
        void set() {
            VALUE.lazySet(this, "set"); //: at updaterSet
        }

        @Override
        void seen() {
            refuse();
            System.identityHashCode(value); //: at updaterSeen
        }

        @SuppressWarnings("unchecked")
        private void refuse() {
            try {
                VALUE.set(this, 5); //: at updaterRefused
            } catch (ClassCastException expected) {
                // Nothing was set.
            }
            try {
                VALUE.set("no ByUpdater", "set");
            } catch (ClassCastException expected) {
                // Nothing was set.
            }
        }
    }

    //: pair ByElement.values.[]: elementSet -> elementSeen
    //: none ByElement.values.[]: elementBorn -> elementSeen
    //: none ByElement.values.[]: elementRefused -> elementSeen
    static final class ByElement extends Waited {
        static final VarHandle VALUES = MethodHandles.arrayElementVarHandle(Object[].class);
        final Object[] values = new String[1];

        ByElement() {
            values[0] = null; //: at elementBorn
        }

        @Override
        Object look() {
            return VALUES.getAcquire(values, 0);
        }

        @Override
        void set() {
            VALUES.setRelease(values, 0, "set"); //: at elementSet
        }

        @Override
        void seen() {
            try {
                VALUES.set(values, 0, 5); //: at elementRefused
            } catch (ArrayStoreException | ClassCastException expected) {
                // Nothing was set.
            }
            try {
                VALUES.set(values, 1, "set");
            } catch (ArrayIndexOutOfBoundsException expected) {
                // Nothing was set.
            }
            System.identityHashCode(values[0]); //: at elementSeen
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Waited[] byHandle = new Waited[ROUNDS];
        Waited[] byUpdater = new Waited[ROUNDS];
        Waited[] byElement = new Waited[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            byHandle[i] = new ByHandle();
            byUpdater[i] = new ByUpdater();
            byElement[i] = new ByElement();
        }
        Waited.race(byHandle);
        Waited.race(byUpdater);
        Waited.race(byElement);
        System.out.println("done");
    }
}

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;

/**
 * The class of one field is missing, so that nobody can list the fields of the class: which one a handle writes is not known, and all of
 * the object may be it. What is not written by hand is what it was.
 */
final class Unplaced {
    /** Is not there when the program runs. */
    static final class Missing {
    }

    //: none Part.number: partBorn -> partSeen
    //: none Part.number: partSet -> partSeen
    //: pair Part.number: partLater -> partLast
    //: pair Part.number: partBorn -> otherSeen
    //: none Part.all: allBorn -> allSeen
    //: pair Part.all: allBorn -> allBefore
    //: none Part.name: nameBorn -> nameSeen
    //: pair Part.name: nameBorn -> nameBefore
    //: entry Part.number: Part.seen -> partSeen
    static final class Part {
        static final VarHandle NUMBER;
        static final VarHandle ALL;
        static final MethodHandle NAME;
        static int all = 1; //: at allBorn

        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                NUMBER = lookup.findVarHandle(Part.class, "number", int.class);
                ALL = lookup.findStaticVarHandle(Part.class, "all", int.class);
                NAME = lookup.findSetter(Part.class, "name", String.class);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        int number = 1; //: at partBorn
        String name = "born"; //: at nameBorn
        Missing missing;

        void set() {
            NUMBER.set(this, 5); //: at partSet
        }

        int seen() {
            return number; //: at partSeen
        }

        int other() {
            return number; //: at otherSeen
        }

        void later() {
            number = 6; //: at partLater
        }

        int last() {
            return number; //: at partLast
        }

        static void setAll() {
            ALL.setVolatile(7);
        }

        static int allBefore() {
            return all; //: at allBefore
        }

        static int all() {
            return all; //: at allSeen
        }

        void rename() throws Throwable {
            NAME.invokeExact(this, "changed");
        }

        String nameBefore() {
            return name; //: at nameBefore
        }

        String name() {
            return name; //: at nameSeen
        }
    }

    /** The program of the loader that misses a class. */
    static final class Program implements Runnable {
        @Override
        public void run() {
            Part one = new Part();
            one.set();
            one.seen();
            one.later();
            one.last();
            Part other = new Part();
            other.other();
            Part.allBefore();
            Part.setAll();
            Part.all();
            Part named = new Part();
            named.nameBefore();
            try {
                named.rename();
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            named.name();
            try {
                Part.class.getDeclaredFields();
            } catch (NoClassDefFoundError expected) {
                System.out.println("cannot be listed");
            }
        }
    }

    /** Loads the program anew, but for one class. Is not recorded. */
    static final class Library extends ClassLoader {
        Library() {
            super(Unplaced.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("Unplaced$Missing")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.equals("Unplaced$Part") && !name.equals("Unplaced$Program")) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            try (InputStream in = getResourceAsStream(name + ".class")) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                for (int one = in.read(); one >= 0; one = in.read()) {
                    bytes.write(one);
                }
                return defineClass(name, bytes.toByteArray(), 0, bytes.size());
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        Class<?> program = new Library().loadClass("Unplaced$Program");
        Constructor<?> constructor = program.getDeclaredConstructor();
        constructor.setAccessible(true);
        ((Runnable) constructor.newInstance()).run();
        System.out.println("done");
    }
}

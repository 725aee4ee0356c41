import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** One class defined in every way there is, each copy used by methods of its own; and classes made while the program runs. */
public class Loading {
    /** What the copies share: a class of the application's loader. */
    public interface Used {
        int use(int how);
    }

    public static class Payload implements Used {
        int state;

        void define0() {
            state = 1;
        }

        int use0() {
            return state;
        }

        void define1() {
            state = 2;
        }

        int use1() {
            return state;
        }

        void define2() {
            state = 3;
        }

        int use2() {
            return state;
        }

        void define3() {
            state = 4;
        }

        int use3() {
            return state;
        }

        void define4() {
            state = 5;
        }

        int use4() {
            return state;
        }

        @Override
        public int use(int how) {
            switch (how) {
                case 0: define0(); return use0();
                case 1: define1(); return use1();
                case 2: define2(); return use2();
                case 3: define3(); return use3();
                default: define4(); return use4();
            }
        }
    }

    /** Defines the payload itself, before its parent is asked. */
    static class ChildFirst extends ClassLoader {
        ChildFirst() {
            super(Loading.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && name.equals("Loading$Payload")) {
                    byte[] bytes = bytes();
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                return loaded != null ? loaded : super.loadClass(name, resolve);
            }
        }
    }

    /** As a module system: the packages of the platform come from the platform, one class from its neighbour, nothing else. */
    static class Filtering extends ClassLoader {
        Filtering() {
            super(null);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (name.startsWith("java.")) {
                    return ClassLoader.getPlatformClassLoader().loadClass(name);
                }
                if (name.equals("Loading$Used")) {
                    return Used.class;
                }
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && name.equals("Loading$Payload")) {
                    byte[] bytes = bytes();
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                if (loaded == null) {
                    throw new ClassNotFoundException(name);
                }
                return loaded;
            }
        }
    }

    /** Knows only what it was given: not even every class of the platform. */
    static class Strict extends Filtering {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("java.lang.") && !name.equals("java.lang.Object") && !name.equals("java.lang.Throwable")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }

    static byte[] bytes() {
        try (InputStream in = Loading.class.getResourceAsStream("Loading$Payload.class")) {
            return in.readAllBytes();
        } catch (IOException error) {
            throw new AssertionError(error);
        }
    }

    static class Handler implements InvocationHandler {
        int calls;

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            calls++;
            return calls;
        }

        int seen() {
            return calls;
        }
    }

    private static Used make(Class<?> type) throws Exception {
        return (Used) type.getDeclaredConstructor().newInstance();
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(new Payload().use(0));
        System.out.println(make(new ChildFirst().loadClass("Loading$Payload")).use(1));
        System.out.println(make(new Filtering().loadClass("Loading$Payload")).use(2));
        try {
            System.out.println(make(new Strict().loadClass("Loading$Payload")).use(3));
        } catch (LinkageError error) {
            System.out.println(error);
        }
        byte[] renamed = new String(bytes(), "ISO-8859-1").replace("Payload", "Defined").getBytes("ISO-8859-1");
        System.out.println(make(MethodHandles.lookup().defineClass(renamed)).use(0));
        System.out.println(make(MethodHandles.lookup().defineHiddenClass(bytes(), true).lookupClass()).use(4));
        Handler handler = new Handler();
        Used proxy = (Used) Proxy.newProxyInstance(Loading.class.getClassLoader(), new Class<?>[] {Used.class}, handler);
        System.out.println(proxy.use(7) + handler.seen());
    }
}

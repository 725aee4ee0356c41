import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;

/**
 * Subclasses as libraries generate them, here with their names alone: what they inherit is state of the class above them, what
 * they do themselves is nobody's.
 */
final class Generated {
    static class Shop {
        int stock;

        Shop() {
            stock = 1; //: at opened
        }

        void refill() {
            stock = 5; //: at refill
        }

        int look() {
            return stock; //: at look
        }
    }

    //: pair Shop.stock: opened -> look
    //: pair Shop.stock: refill -> look
    //: none 0.stock: refill -> look
    //: defined-by Shop.stock: refill -> Shop.refill
    //: not-defined-by Shop.stock: refill -> 0.refill,Shop.refill
    //: used-by Shop.stock: look -> Shop.look
    //: exit Shop.stock: refill -> Shop.refill
    //: not-exit Shop.stock: refill -> 0.refill
    //: entry Shop.stock: Shop.look -> look
    //: none Shop.own: own -> own
    //: none 0.own: own -> own
    static class Shop$$SpringCGLIB$$0 extends Shop {
        int own;

        @Override
        void refill() {
            own = 2; //: at own
            super.refill();
        }

        @Override
        int look() {
            return super.look() + own - own;
        }
    }

    static class Owner {
        int pets;
    }

    /** Two generated classes, one above the other, with an interface of their library between. */
    interface Interceptable {
    }

    //: pair Clinic.pets: adopted -> counted
    //: pair Clinic.pets: born -> counted
    //: none 1.pets: adopted -> counted
    static class Clinic extends Owner {
        Clinic() {
            pets = 1; //: at born
        }

        void adopt() {
            pets += 2; //: at adopted
        }

        int count() {
            return pets; //: at counted
        }
    }

    static class Clinic$HibernateProxy$1 extends Clinic implements Interceptable {
    }

    static class Clinic$HibernateProxy$1$MockitoMock$1 extends Clinic$HibernateProxy$1 implements Runnable {
        @Override
        public void run() {
        }
    }

    /** An object of a generated class within another one is a step on the way. */
    //: pair Town.shop.stock: refill -> look
    static class Town {
        final Shop shop = new Shop$$SpringCGLIB$$0();

        int supply() {
            shop.refill();
            return shop.look();
        }
    }

    /** A container of the program stays one below a generated class. */
    //: pair Names.[]: added -> got
    //: pair Names.limit: limited -> limit
    static class Names extends ArrayList<Object> {
        int limit;

        int fill() {
            limit = 3; //: at limited
            add(new Object()); //: at added
            get(0); //: at got
            return limit; //: at limit
        }
    }

    static class Names$ByteBuddy$1 extends Names {
    }

    /** What extends a class whose name alone looks odd is the program's. */
    //: pair Special.stock: special -> specially
    static class Special extends Shop {
        void change() {
            stock = 8; //: at special
        }

        int read() {
            return stock; //: at specially
        }
    }

    interface Greets {
        String name();

        default String greet() {
            return "Hello " + name();
        }
    }

    static final class Answers implements InvocationHandler {
        int calls;

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            calls++; //: at called
            return "proxy";
        }
    }

    //: pair Answers.calls: called -> called
    static void proxies() {
        Answers answers = new Answers();
        Greets proxy =
            (Greets) Proxy.newProxyInstance(Greets.class.getClassLoader(), new Class<?>[] {Greets.class}, answers);
        System.out.println(proxy.name() + proxy.name());
        Greets lambda = () -> "lambda";
        System.out.println(lambda.greet());
    }

    private Generated() {}

    public static void main(String[] arguments) {
        Shop shop = new Shop$$SpringCGLIB$$0();
        System.out.println(shop.look());
        shop.refill();
        System.out.println(shop.look());
        Clinic clinic = new Clinic$HibernateProxy$1$MockitoMock$1();
        System.out.println(clinic.count());
        clinic.adopt();
        System.out.println(clinic.count());
        System.out.println(new Town().supply());
        System.out.println(new Names$ByteBuddy$1().fill());
        Special special = new Special();
        special.change();
        System.out.println(special.read());
        proxies();
    }
}

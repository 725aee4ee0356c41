import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Leads the recorder through every way it has into the agent: tests, threads, containers, streams, texts, trouble of its own. */
public class Faulty implements Serializable {
    private static final long serialVersionUID = 1;

    private int state;
    private Object held;

    int next(Object with) {
        held = with;
        state = state * 31 + with.hashCode() % 7;
        return state;
    }

    /** Named and shaped like an old test, so that the recorder waits for its record. */
    static final class OldTest extends Faulty {
        public void testOne() {
            next("text " + next("more"));
        }
    }

    /** Its name makes it a class that calls are carved from, with the texts they are given. */
    static final class CarvedTest {
        static String join(String left, String right) {
            return left + right;
        }

        static String run() {
            return join("a", join("b", "c"));
        }
    }

    /** An invocation that is left out, once there were many, and in which a test begins then. */
    void nest(OldTest test, int round) {
        state = round;
        if (round % 7 == 6) {
            test.testOne();
        }
    }

    static int threads(Faulty shared) throws Exception {
        List<Thread> all = new ArrayList<Thread>();
        final int[] sums = new int[4];
        for (int i = 0; i < sums.length; i++) {
            final int own = i;
            Thread thread = new Thread() {
                @Override
                public void run() {
                    Faulty mine = new Faulty();
                    for (int k = 0; k < 300; k++) {
                        sums[own] += mine.next(own + k);
                    }
                }
            };
            all.add(thread);
            thread.start();
        }
        int sum = 0;
        for (int i = 0; i < sums.length; i++) {
            all.get(i).join();
            sum += sums[i];
        }
        return sum + shared.next(sum);
    }

    static int containers() {
        Map<String, Faulty> map = new HashMap<String, Faulty>();
        List<Object> list = new ArrayList<Object>();
        for (int i = 0; i < 20; i++) {
            Faulty one = new Faulty();
            map.put("key" + i, one);
            list.add(one);
            list.remove(new Faulty());
        }
        int sum = 0;
        for (Map.Entry<String, Faulty> entry : map.entrySet()) {
            sum += entry.getValue().next(entry.getKey());
        }
        for (Iterator<Object> it = list.iterator(); it.hasNext(); it.next()) {
            sum++;
        }
        return sum + map.keySet().size() + list.indexOf(new Object());
    }

    static int stream() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(new Faulty[] {new Faulty(), new Faulty()});
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        return ((Faulty[]) in.readObject())[1].next("read");
    }

    /** Lets the recorder fail, where there is one. */
    static void trouble() throws Exception {
        try {
            Class<?> recorder = Class.forName("java.lang.DynaflowRecorder");
            java.lang.reflect.Method fail = recorder.getDeclaredMethod("fail", Throwable.class);
            fail.setAccessible(true);
            fail.invoke(null, new IllegalStateException("on purpose"));
        } catch (ClassNotFoundException notRecorded) {
            // The run that this one is held against.
        }
    }

    /** Reflection sets a field of this class and an element, and native code a field of the JDK. */
    static void hands(Faulty shared) throws Exception {
        java.lang.reflect.Field field = Faulty.class.getDeclaredField("held");
        field.set(shared, "by hand");
        java.lang.reflect.Array.set(new Object[1], 0, shared);
        new java.io.FileInputStream(new java.io.File(System.getProperty("java.home"), "release")).close();
    }

    public static void main(String[] arguments) throws Exception {
        OldTest shared = new OldTest();
        shared.testOne();
        System.out.println(shared.next("one"));
        hands(shared);
        System.out.println(CarvedTest.run());
        System.out.println(containers() + stream());
        System.out.println(threads(shared));
        for (int i = 0; i < 30_000; i++) {
            shared.next(i);
        }
        Faulty nesting = new Faulty();
        for (int i = 0; i < 300; i++) {
            nesting.nest(shared, i);
        }
        System.out.println(shared.next("two"));
        if (arguments.length > 0) {
            trouble();
        }
        System.out.println(shared.next("three"));
        System.exit(3);
    }
}

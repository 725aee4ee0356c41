import java.net.URL;
import java.net.URLClassLoader;

/** Loads a class by two loaders of their own, each of which runs a part of it; or runs the parts that its arguments name. */
public class Guests {
    public static class Guest {
        public static int run(int part) {
            int value = 1; //: at run.one
            if (part == 1) {
                value = 10; //: at run.ten
            } else if (part == 2) {
                value = 20; //: at run.twenty
            } else if (part == 3) {
                value = 30; //: at run.thirty
            }
            return value; //: at run.return
            //: covered value: run.ten -> run.return
            //: covered value: run.twenty -> run.return
            //: open value: run.thirty -> run.return
            //: open value: run.one -> run.return
        }
    }

    static int load(int part) throws Exception {
        URL classes = Guests.class.getProtectionDomain().getCodeSource().getLocation();
        Class<?> guest = new URLClassLoader(new URL[] {classes}, null).loadClass("Guests$Guest");
        if (guest == Guest.class) {
            throw new AssertionError("one class");
        }
        return (Integer) guest.getMethod("run", int.class).invoke(null, part);
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            System.out.println(load(1) + load(2));
        }
        for (String part : arguments) {
            System.out.println(Guest.run(Integer.parseInt(part)));
        }
    }
}

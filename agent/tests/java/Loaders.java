import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Loads one class in two builds: the second has another constant, found and changed in the bytes of the first. */
public class Loaders {
    public static class Twin {
        int field = 1;

        @Override
        public String toString() {
            field = 2;
            return "first build".substring(field - 2);
        }
    }

    static class Loader extends ClassLoader {
        Loader() {
            super(null);
        }

        Class<?> load(byte[] bytes) {
            return defineClass("Loaders$Twin", bytes, 0, bytes.length);
        }
    }

    public static void main(String[] arguments) throws Exception {
        byte[] bytes = bytesOf("Loaders$Twin.class");
        System.out.println(new Twin());
        System.out.println(new Loader().load(bytes).getDeclaredConstructor().newInstance());
        byte[] other = new String(bytes, "ISO-8859-1").replace("first build", "other build").getBytes("ISO-8859-1");
        System.out.println(new Loader().load(other).getDeclaredConstructor().newInstance());
    }

    private static byte[] bytesOf(String resource) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        InputStream in = Loaders.class.getClassLoader().getResourceAsStream(resource);
        byte[] part = new byte[4096];
        for (int n = in.read(part); n > 0; n = in.read(part)) {
            out.write(part, 0, n);
        }
        return out.toByteArray();
    }
}

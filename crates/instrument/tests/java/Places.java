import java.util.HashMap;
import java.util.Map;

class Places {
    static Object shared;
    static final int[] SIZES = {1, 2};
    Map<String, Integer> map = new HashMap<>();
    Places other;
    String name;
    long wide;

    Places() {
        this("none");
        assert map != null;
    }

    Places(String name) {
        this.name = name;
    }

    void aliases(Places given) {
        Places self = this;
        self.other = given;
        given.other = self;
        Places unknown = wide > 0 ? this : given;
        unknown.name = "x";
    }

    int contents(String key) {
        Integer old = map.put(key, 1);
        map.size();
        return new StringBuilder().append(old).length();
    }

    static Object statics(Object[] array, int index) {
        shared = array[index];
        array[index] = null;
        return shared;
    }

    static Object[] bulk(Object[] from, long[] wide) {
        System.arraycopy(from, 0, shared, 1, 2);
        java.util.Arrays.fill(wide, 1, 2, 7L);
        return from.clone();
    }

    void guarded() {
        try {
            name.length();
        } finally {
            wide++;
        }
    }

    @Override
    protected void finalize() {
    }
}

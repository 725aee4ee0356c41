package demo;

import java.io.IOException;

/** A class with a member of every kind a test may use. */
class Counter extends Base implements Comparable<Counter> {
    static final Counter SHARED = new Counter(7);
    public static int created;
    private static int hidden;

    enum Color { RED, GREEN { @Override int weight() { return 2; } }; int weight() { return 1; } }

    class Inner {
        int twice() {
            return level * 2;
        }
    }

    Counter(int start) {
        created++;
        level = start;
    }

    private Counter() {
        this(0);
    }

    static Counter of(long a, short b, char c, Object boxed) {
        return new Counter((int) a + b + c + (Integer) boxed);
    }

    @Override
    public String describe() {
        return "level " + level;
    }

    @Override
    public int compareTo(Counter other) {
        return level - other.level;
    }

    int add(Counter... others) {
        for (Counter other : others) {
            level += other.level;
        }
        return level;
    }

    double mixed(boolean a, byte b, float c, double d, String e, Color f, Class<?> g) {
        return (a ? 1 : 0) + b + c + d + e.length() + f.weight() + g.getName().length();
    }

    Color color() {
        return Color.GREEN;
    }

    Integer boxed() {
        return level;
    }

    Class<?> type() {
        return int[].class;
    }

    String surrogate() {
        return "\ud800";
    }

    String accents() {
        return "gr\u00fc\u00df \ud83d\ude00";
    }

    void declared() throws IOException {
        throw new java.io.FileNotFoundException("gone");
    }

    void undeclared() {
        throw new IllegalStateException("level " + level);
    }

    void checked() {
        assert level > 0 : "not positive";
    }

    int[] ints() {
        return new int[] {level};
    }

    int sum(int[] values) {
        int sum = 0;
        for (int value : values) {
            sum += value;
        }
        return sum;
    }
}

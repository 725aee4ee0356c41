/** The superclass of all random classes; one of its constructors throws at times. */
public class RandomBase {
    public int base;

    public RandomBase() {
        base = 1;
    }

    public RandomBase(int value) {
        base = value;
        if ((value & 7) == 5) {
            throw new IllegalStateException("base " + value);
        }
    }
}

package demo;

/** No test by itself. */
class Helper {
    static void holds(boolean what) {
        if (!what) {
            throw new AssertionError("it does not hold");
        }
    }

    static void silent(boolean what) {
        if (!what) {
            System.out.println("it does not hold");
        }
    }
}

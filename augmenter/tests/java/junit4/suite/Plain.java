package suite;

/** No test class; says when it is initialised, which discovery must not do. */
public class Plain {
    static {
        System.exit(77);
    }

    public void test() {
        return;
    }
}

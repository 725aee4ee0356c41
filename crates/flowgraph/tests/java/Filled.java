/** Classes with and without a constructor that only frameworks need. */
public class Filled {
    private int n;

    Filled() { }

    public Filled(int n) { this.n = n; }

    public static class Guarded {
        public Guarded(String name) { }

        protected Guarded() { }
    }

    public static class Open {
        public Open() { }

        public Open(int n) { }
    }

    public static class Only {
        Only() { }
    }

    public static class Near {
        Near() { }

        Near(int n) { }
    }

    public static class None {
        public None(int n) { }
    }
}

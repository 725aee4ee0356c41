/** Lines at which exceptions are made, or raised by the JVM; comments say which class is made on a line. */
class Raised {
    private String text;

    void plain(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("negative"); // makes IllegalArgumentException
        }
        text.length();
    }

    void plain(String n) {
        throw new NullPointerException(n); // makes NullPointerException
    }

    void onTwoLines(int n) {
        throw new IllegalStateException( // makes IllegalStateException
            "state "
                + n);
    }

    RuntimeException inFactory() {
        return new UnsupportedOperationException("no"); // makes UnsupportedOperationException
    }

    void rethrows() {
        throw inFactory();
    }

    String text(boolean none) {
        if (none) {
            return null;
        }
        return text;
    }

    String text(long length) {
        return length == 0 ? null : text;
    }

    String text() {
        return text;
    }

    static class Refused extends RuntimeException {
        Refused() {
            super("refused");
        }
    }
}

package effects;

/** What makes a call of {@code tidy} worth a test: it defines what another method uses. */
class Counted {
    int count;

    int times() {
        return count;
    }
}

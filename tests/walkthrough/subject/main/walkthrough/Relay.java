package walkthrough;

/** The second stage: passes a priming on once it has been probed. */
class Relay extends Stage {
    private boolean warm = false;
    private Stage next = Stages.make(2);

    @Override
    void prime() {
        if (warm) {
            next.prime();
        }
    }

    @Override
    boolean probe() {
        warm = true;
        return next.probe();
    }
}

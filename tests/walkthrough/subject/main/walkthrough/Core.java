package walkthrough;

/** The innermost stage: does not hold any more once it has been primed. */
class Core extends Stage {
    private boolean hot = false;

    @Override
    void prime() {
        hot = true;
    }

    @Override
    boolean probe() {
        return !hot;
    }
}

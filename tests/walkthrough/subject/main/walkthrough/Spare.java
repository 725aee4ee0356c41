package walkthrough;

/** A stage no pump uses: a static analysis would pair its state with the others', an execution never does. */
class Spare extends Stage {
    private boolean worn = false;
    private Stage next = Stages.make(4);

    @Override
    void prime() {
        if (worn) {
            next.prime();
        }
        worn = next.probe();
    }

    @Override
    boolean probe() {
        if (worn) {
            next.prime();
        }
        worn = next.probe();
        return true;
    }
}

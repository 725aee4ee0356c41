package walkthrough;

/** The outermost stage: the root whose nested state the walkthrough follows. */
public class Intake extends Stage {
    private boolean open = false;
    private Stage next = Stages.make(1);

    @Override
    public void prime() {
        next.prime();
        open = true;
    }

    @Override
    public boolean probe() {
        boolean holds = true;
        if (open) {
            holds = next.probe();
        }
        assert holds : "the pump leaks"; // the fault: fails after prime, probe, prime, probe
        return holds;
    }
}

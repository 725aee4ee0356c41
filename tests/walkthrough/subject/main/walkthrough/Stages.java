package walkthrough;

/** Makes stages by number, so that which class stands behind a {@link Stage} shows at run time only. */
final class Stages {
    private Stages() {}

    static Stage make(int number) {
        switch (number) {
            case 0:
                return new Intake();
            case 1:
                return new Relay();
            case 2:
                return new Core();
            case 3:
                return new Spare();
            default:
                return null;
        }
    }
}

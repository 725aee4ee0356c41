package walkthrough;

/** One stage of a pump: it can be primed, and probed for whether it still holds. */
abstract class Stage {
    abstract void prime();

    abstract boolean probe();
}

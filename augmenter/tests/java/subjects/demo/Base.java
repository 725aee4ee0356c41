package demo;

/** What a subclass in the same package inherits. */
public abstract class Base {
    protected int level;

    public int level() {
        return level;
    }

    protected void raise() {
        level++;
    }

    void lower() {
        level--;
    }

    private void secret() {
        level = -1;
    }

    public abstract Object describe();
}

package io.dynaflow.shim;

/**
 * Runs the initialiser of a class to find out why nothing can be done with the class. Knows nothing of sequences.
 * Invariant: whatever the initialiser throws is an answer, never trouble of the worker.
 */
final class Initialiser {
    private final Names names;

    Initialiser(Names names) {
        this.names = names;
    }

    /** Whether the class can be initialised; writes the reply that says why when it cannot. */
    boolean initialise(String name, Output out) {
        String why;
        try {
            Class.forName(names.type(name).getName(), true, Worker.class.getClassLoader());
            return true;
        } catch (ExceptionInInitializerError e) {
            why = "its initialiser throws " + text(e.getException() == null ? e : e.getException());
        } catch (Unrunnable e) {
            why = e.getMessage();
        } catch (ClassNotFoundException e) {
            why = "class " + name + " is not on the class path";
        } catch (Throwable e) {
            why = "its initialiser throws " + text(e);
        }
        out.u8(Protocol.REPLY_NO_TYPE);
        out.text(name);
        out.text(Output.fits(why) ? why : "its initialiser throws an exception");
        return false;
    }

    private static String text(Throwable thrown) {
        try {
            return String.valueOf(thrown);
        } catch (Throwable e) {
            // An exception of the program whose toString() throws has a class at least.
            return thrown.getClass().getName();
        }
    }
}

package io.dynaflow.shim;

/**
 * A request does not follow the protocol: a mistake of the driver or of the worker, never of the program under test. Knows only what is
 * wrong. Invariant: never thrown by code of the program, and never taken for an exception of it.
 */
final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Malformed(String what) {
        super(what, null, false, false);
    }
}

package io.dynaflow.shim;

/**
 * A statement cannot be executed, through no doing of the program under test. Knows only why.
 * Invariant: never thrown by code of the program, so that it differs from every exception of the program.
 */
final class Unrunnable extends Exception {
    private static final long serialVersionUID = 1;

    Unrunnable(String why) {
        super(why, null, false, false);
    }
}

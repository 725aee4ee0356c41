package io.dynaflow.shim;

/**
 * What happens while tests run, as their runners report it. Knows nothing of frameworks. Invariant: a test that was started ends with
 * one of the other events of its name, unless the JVM ends first.
 */
interface Events {
    void started(String test);

    void passed(String test);

    void skipped(String test, String reason);

    void failed(String test, Throwable thrown);

    /** Something could not be run. */
    void trouble(String what);
}

package io.dynaflow.shim;

/**
 * What runs the tests of a class; a later one is preferred to an earlier one. Knows nothing of names. Invariant: the names are
 * those of the table of frameworks.
 */
enum TestKind {
    /** No tests. */
    NONE,
    /** JUnit 4's core, which runs JUnit 3 too. */
    JUNIT4,
    /** The launcher of the JUnit Platform: JUnit 5 or another engine. */
    PLATFORM,
    /** TestNG, which is not run. */
    TESTNG
}

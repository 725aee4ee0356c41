//! The little Java there must be, compiled by the build and carried as bytes: what woven code calls, the recorder or
//! coverage, the switch of mutants, distances of branches; and what runs candidates and tests. It knows nothing of JVMTI or of processes. Invariant: every class is of Java 8 level and
//! needs the JDK alone.

include!(concat!(env!("OUT_DIR"), "/classes.rs"));

/// Recorder classes: binary name and class file. The agent defines them in the boot loader.
pub const RECORDER: &[(&str, &[u8])] = RECORDER_CLASSES;

/// The classes that count coverage, likewise; the agent defines them in place of the recorder's.
pub const COVERAGE: &[(&str, &[u8])] = COVERAGE_CLASSES;

/// The worker classes as one jar, for the class path of a worker JVM.
pub const WORKER_JAR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/worker.jar"));

/// What classes with mutants call as a jar, for the boot class path of a JVM that runs them.
pub const MUTANTS_JAR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/mutants.jar"));

/// What classes with probes of branches call as a jar, likewise.
pub const FITNESS_JAR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fitness.jar"));

/// Binary name of the class whose static methods code calls that is woven to record.
pub const RECORDER_CLASS: &str = "java.lang.DynaflowRecorder";

/// Binary name of the class whose static methods code calls that is woven for coverage.
pub const COVERAGE_CLASS: &str = "java.lang.DynaflowCoverage";

//! The little Java there must be, compiled by the build and carried as bytes: the recorder that woven code calls and the
//! worker that runs candidates. It knows nothing of JVMTI or of processes. Invariant: every class is of Java 8 level and
//! needs the JDK alone.

include!(concat!(env!("OUT_DIR"), "/classes.rs"));

/// Recorder classes: binary name and class file. The agent defines them in the boot loader.
pub const RECORDER: &[(&str, &[u8])] = RECORDER_CLASSES;

/// Worker classes (`io.dynaflow.shim.*`): binary name and class file.
pub const WORKER: &[(&str, &[u8])] = WORKER_CLASSES;

/// The worker classes as one jar, for the class path of a worker JVM.
pub const WORKER_JAR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/worker.jar"));

/// Binary name of the class whose static methods woven code calls.
pub const RECORDER_CLASS: &str = "java.lang.DynaflowRecorder";

//! The places where our code is entered by somebody else or starts a thread's work, and a way to make it panic there, for
//! tests. It does not know what happens at them.
//!
//! Invariants: every entry has its point, `agent/tests/faults.rs` holds them together; a build without debug assertions has
//! no way to inject anything.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// In builds with debug assertions: the name of the point to panic at, every time, or with `@N` behind it the `N`th time.
pub const VARIABLE: &str = "DYNAFLOW_TEST_PANIC";

macro_rules! points {
    ($($(#[$meta:meta])* $variant:ident $name:literal;)*) => {
        /// A place where a panic of ours must end.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Point {
            $($(#[$meta])* $variant),*
        }

        impl Point {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// What messages call it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),*
                }
            }
        }
    };
}

points! {
    /// `Agent_OnLoad`.
    Load "the start";
    /// The JVMTI event `VMInit`.
    VmInit "the start of the VM";
    /// The JVMTI event `VMDeath`.
    VmDeath "the end of the VM";
    /// After that, what is still to be reported.
    LastWords "the last words";
    /// After that, the wait for the trace.
    LastWait "the last wait";
    /// The JVMTI event `ThreadEnd`.
    ThreadEnd "the end of a thread";
    /// The JVMTI event `ClassFileLoadHook` before the VM has started.
    EarlyClass "the hook before the start";
    /// The JVMTI event `ClassFileLoadHook`.
    ClassFileLoadHook "the class file load hook";
    /// The JVMTI event `ClassFileLoadHook` for classes of the JDK.
    HookedClass "the hook of the JDK's classes";
    /// `DynaflowNative.flush`.
    Flush "flush";
    /// `DynaflowNative.flushRuns`.
    FlushRuns "flushRuns";
    /// `DynaflowNative.describe`.
    Describe "describe";
    /// `DynaflowNative.text`.
    Text "text";
    /// `DynaflowNative.sync`.
    Sync "sync";
    /// `DynaflowNative.field`.
    Field "field";
    /// `DynaflowNative.get`.
    Get "get";
    /// `DynaflowNative.getInt`.
    GetInt "getInt";
    /// `DynaflowNative.hasIdentityEquals`.
    HasIdentityEquals "hasIdentityEquals";
    /// `DynaflowNative.isRecorded`.
    IsRecorded "isRecorded";
    /// `DynaflowNative.caller`.
    Caller "caller";
    /// `DynaflowNative.live`.
    Live "live";
    /// A JNI function that sets a field.
    JniSet "a field set by JNI";
    /// The JVMTI event `NativeMethodBind`.
    NativeMethodBind "a native method that is bound";
    /// The same, where the clock is ahead.
    ClockBind "a native method of the clock";
    /// `System.currentTimeMillis`, where the clock is ahead.
    ClockMillis "currentTimeMillis";
    /// `VM.getNanoTimeAdjustment`, where the clock is ahead.
    ClockAdjustment "getNanoTimeAdjustment";
    /// A native method of `java.lang.reflect.Array`.
    ArrayNative "an element accessed by reflection";
    /// `DynaflowNative.stopped`.
    Stopped "stopped";
    /// `DynaflowNative.covered`.
    Covered "covered";
    /// `DynaflowNative.updates`.
    Updates "updates";
    /// `DynaflowNative.recorded`.
    Recorded "recorded";
    /// `DynaflowNative.mutes`.
    Mutes "mutes";
    /// `DynaflowNative.touches`.
    Touches "touches";
    /// `DynaflowNative.verdicts`.
    Verdicts "verdicts";
    /// The thread that analyses and writes the trace.
    AnalysisThread "the analysis thread";
    /// One message on that thread.
    Analysis "the analysis";
    /// The thread that weaves.
    WeaverThread "the weaver thread";
    /// One class on that thread.
    Weaving "weaving";
}

/// Panics if a test asked for it.
#[expect(clippy::panic, reason = "to see that panics are caught, there must be one")]
pub fn point(point: Point) {
    if cfg!(debug_assertions) && is_due(point) {
        panic!("injected into {}", point.name());
    }
}

fn is_due(point: Point) -> bool {
    static WANTED: OnceLock<Option<(String, Option<u32>)>> = OnceLock::new();
    static PASSED: AtomicU32 = AtomicU32::new(0);
    let wanted = WANTED.get_or_init(|| {
        let text = std::env::var(VARIABLE).ok()?;
        let (name, number) = text.split_once('@').map_or((text.as_str(), None), |(n, i)| (n, i.parse().ok()));
        Some((name.to_owned(), number))
    });
    let Some((name, number)) = wanted else { return false };
    name == point.name() && number.is_none_or(|number| PASSED.fetch_add(1, Ordering::Relaxed) + 1 == number)
}

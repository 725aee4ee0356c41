//! The JVMTI agent: a shared library the JVM loads, which weaves classes as they are loaded and turns what they send into
//! a trace file.
//!
//! In: JVMTI callbacks and calls of the recorder's native methods. Out: a trace file. It knows nothing of objectives or
//! search. Invariants: a panic never reaches the JVM; no lock is held over a JNI or JVMTI call; whatever goes wrong after
//! the start leaves the program unharmed.
//!
//! The path of a class: [`hook`] -> [`weaver`] -> the JVM. The path of an event: the Java recorder -> [`natives`] ->
//! [`message`] -> [`analysis`] -> the file. What both do in a mode is in [`modes`]. [`lifecycle`] starts and ends both. The next JVMTI function goes into
//! [`jvmti`], the next message into [`message`], the next entry into [`fault`].

mod analysis;
mod array_natives;
mod calls;
mod clock;
mod entry;
pub mod fault;
mod guard;
mod hook;
mod hook_table;
mod hooks;
mod jni;
mod jni_sets;
mod jvmti;
mod lifecycle;
mod message;
mod modes;
mod natives;
mod own;
mod pace;
mod role;
mod state;
mod verdicts;
mod weaver;

use jni_sys::{JNI_OK, JavaVM, jint};
use std::ffi::{CStr, c_char, c_void};

/// The JVM loads the agent, before it runs any Java code. Wrong options end the process here, with one line.
///
/// # Safety
/// Called by the JVM as the JVMTI specification says.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(vm: *mut JavaVM, options: *const c_char, _: *mut c_void) -> jint {
    let options = if options.is_null() {
        String::new()
    } else {
        // SAFETY: the JVM gives a zero-terminated string that lives through the call.
        unsafe { CStr::from_ptr(options) }.to_string_lossy().into_owned()
    };
    let loaded = guard::catch(fault::Point::Load, || lifecycle::load(vm, &options));
    match loaded {
        Ok(Ok(())) => {}
        Ok(Err(reason)) => {
            guard::say(&reason);
            std::process::exit(lifecycle::USAGE);
        }
        Err(panic) => {
            entry::trouble(&format!(
                "internal error in the start: {panic}; the program goes on, nothing is recorded"
            ));
        }
    }
    JNI_OK
}

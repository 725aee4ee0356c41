//! The class file load hook: which classes are woven, and how bytes go in and out. It does not know how weaving works.
//!
//! Invariants: a class that is not selected costs a look at its name; a class is either replaced whole or left alone; no
//! lock is held while the JVM is called.

use crate::entry::guard;
use crate::fault::Point;
use crate::jni::{Given, Jni};
use crate::jvmti::{Env, Jvmti};
use crate::message::Message;
use crate::state::agent;
use dynaflow_model::sites::Declined;
use jni_sys::{JNIEnv, jclass, jint, jobject};
use std::ffi::{CStr, c_char, c_uchar};

/// `ClassFileLoadHook` of the JVMTI specification.
///
/// # Safety
/// Called by the JVM as the specification says.
pub unsafe extern "system" fn class_file_load_hook(
    env: *mut Env,
    jni: *mut JNIEnv,
    redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _domain: jobject,
    length: jint,
    bytes: *const c_uchar,
    new_length: *mut jint,
    new_bytes: *mut *mut c_uchar,
) {
    guard(Point::ClassFileLoadHook, (), || {
        // Hidden classes and those defined without a name have none; they are left alone.
        if name.is_null() || bytes.is_null() {
            return;
        }
        // SAFETY: the JVM gives a zero-terminated name that lives through the call.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().replace('/', ".");
        let length = usize::try_from(length).unwrap_or(0);
        // SAFETY: the JVM gives `length` bytes at `bytes` that live, unchanged, through the call.
        let original = unsafe { std::slice::from_raw_parts(bytes, length) };
        let is_usable = || {
            // SAFETY: the JVM gives the environment of this thread and the loader, which is none or an object.
            loader.is_null()
                || unsafe { Jni::new(jni).is_none_or(|jni| jni.is_main_found_by(Given::new(loader))) }
        };
        let Some(woven) = woven(name, original, loader.is_null(), is_usable, !redefined.is_null()) else {
            return;
        };
        // SAFETY: the JVM called us with this environment and gives two places to answer in.
        unsafe { answer(env, &woven, new_length, new_bytes) };
    });
}

/// Lets the JVM load these bytes in place of the class file it gave.
///
/// # Safety
/// `env` and the two places are those of a call of `ClassFileLoadHook`.
pub unsafe fn answer(env: *mut Env, woven: &[u8], new_length: *mut jint, new_bytes: *mut *mut c_uchar) {
    let Ok(length) = jint::try_from(woven.len()) else { return };
    // SAFETY: by the contract of this function the JVM called with this environment.
    let Ok(copy) = unsafe { Jvmti::new(env) }.copy(woven) else { return };
    // SAFETY: by the contract of this function both places may be written; both are, so the answer is whole.
    unsafe {
        *new_bytes = copy;
        *new_length = length;
    }
}

/// As [`class_file_load_hook`], for the time before the recorder is there: the JVM's own classes, which are left alone.
///
/// # Safety
/// Called by the JVM as the specification says.
pub unsafe extern "system" fn ignore_class(
    _env: *mut Env,
    _jni: *mut JNIEnv,
    _redefined: jclass,
    _loader: jobject,
    _name: *const c_char,
    _domain: jobject,
    _length: jint,
    _bytes: *const c_uchar,
    _new_length: *mut jint,
    _new_bytes: *mut *mut c_uchar,
) {
    guard(Point::EarlyClass, (), || {});
}

/// Why a class is left alone that could not call what is woven in.
fn hidden(main: &str) -> String {
    format!(
        "its class loader does not find {main}, so that it could not run with what is woven in; a loader has to delegate \
         all of java.lang"
    )
}

/// The bytes to load instead, if any.
fn woven(
    name: String,
    original: &[u8],
    in_boot_loader: bool,
    is_usable: impl FnOnce() -> bool,
    is_redefined: bool,
) -> Option<Vec<u8>> {
    let agent = agent()?;
    if !agent.is_recording() || !agent.selects(&name, in_boot_loader) {
        return None;
    }
    if is_redefined {
        agent.calls.forget(&name);
        let reason = "it was redefined while the program ran; not recorded from then on";
        agent.send(Message::Note(format!("class {name}: {reason}")));
        agent.send(Message::Declined(Declined { class: name, reason: reason.to_owned() }));
        return None;
    }
    if !is_usable() {
        agent.send(Message::Declined(Declined { class: name, reason: hidden(agent.java.main) }));
        return None;
    }
    agent.weaver.weave(name, original.to_vec())
}

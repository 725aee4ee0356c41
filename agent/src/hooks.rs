//! Hooks in methods of the JDK: how the classes that have some get them, whether they are loaded already or later. It
//! knows neither what the hooks are for nor how they are woven.
//!
//! Invariants: classes without hooks cost a look at their name; a class is either replaced whole or left alone, and named in
//! the trace then; no lock is held while the JVM is called.

use crate::entry::guard;
use crate::fault::Point;
use crate::hook::answer;
use crate::hook_table::Hooks;
use crate::jvmti::{Callbacks, Capabilities, Env, Event, Jvmti, Refused};
use crate::state::agent;
use jni_sys::{JNIEnv, jclass, jint, jobject};
use std::ffi::{CStr, c_char, c_uchar};

/// Weaves the hooks into the classes that are loaded, and into the others once they are.
pub fn install(own: Jvmti, hooks: &Hooks) -> Result<(), Refused> {
    let wanted = Capabilities::default()
        .with(Capabilities::ALL_CLASS_HOOK_EVENTS)
        .with(Capabilities::RETRANSFORM_CLASSES);
    own.add_capabilities(wanted)?;
    let mut callbacks = Callbacks::default();
    callbacks.class_file_load_hook = Some(hooked_class);
    own.set_event_callbacks(&callbacks)?;
    own.enable(Event::ClassFileLoadHook)?;
    let loaded = own.loaded_classes(|signature| hooks.has(signature))?;
    if loaded.is_empty() { Ok(()) } else { own.retransform(&loaded) }
}

/// `ClassFileLoadHook` of the JVMTI specification, for classes of the JDK.
///
/// # Safety
/// Called by the JVM as the specification says.
unsafe extern "system" fn hooked_class(
    env: *mut Env,
    _jni: *mut JNIEnv,
    _redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _domain: jobject,
    length: jint,
    bytes: *const c_uchar,
    new_length: *mut jint,
    new_bytes: *mut *mut c_uchar,
) {
    guard(Point::HookedClass, (), || {
        if name.is_null() || bytes.is_null() {
            return;
        }
        let Some(agent) = agent() else { return };
        // SAFETY: the JVM gives a zero-terminated name that lives through the call.
        let Ok(name) = (unsafe { CStr::from_ptr(name) }).to_str() else { return };
        // All classes with hooks are the JDK's: the boot loader's, or of packages that no loader of a program may fill.
        if !(loader.is_null() || name.starts_with("java/")) || !agent.hooks.has_named(name) {
            return;
        }
        let length = usize::try_from(length).unwrap_or(0);
        // SAFETY: the JVM gives `length` bytes at `bytes` that live, unchanged, through the call.
        let original = unsafe { std::slice::from_raw_parts(bytes, length) };
        let Some(woven) = agent.weaver.hook(name.to_owned(), original.to_vec()) else { return };
        // SAFETY: the JVM called us with this environment and gives two places to answer in.
        unsafe { answer(env, &woven, new_length, new_bytes) };
    });
}

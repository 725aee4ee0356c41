//! Hooks in methods of the JDK: which classes have some, and how they get them, whether they are loaded already or later. It
//! knows neither what the hooks are for nor how they are woven.
//!
//! Invariants: classes without hooks cost a look at their name; a class is either replaced whole or left alone, and named in
//! the trace then; no lock is held while the JVM is called.

use crate::entry::guard;
use crate::fault::Point;
use crate::hook::answer;
use crate::jvmti::{Callbacks, Capabilities, Env, Event, Jvmti, Refused};
use crate::message::{Message, Outlet};
use crate::state::agent;
use dynaflow_instrument::hooks::Hook;
use dynaflow_instrument::weave_hooks;
use dynaflow_model::sites::Declined;
use jni_sys::{JNIEnv, jclass, jint, jobject};
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_uchar};

/// The hooks by class (internal name).
#[derive(Debug, Default)]
pub struct Hooks(BTreeMap<String, Vec<Hook>>);

impl Hooks {
    /// A table of these hooks.
    pub fn new(hooks: Vec<Hook>) -> Self {
        let mut table = BTreeMap::<String, Vec<Hook>>::new();
        for hook in hooks {
            table.entry(hook.class.clone().into_owned()).or_default().push(hook);
        }
        Self(table)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a class has some, by its descriptor.
    fn has(&self, signature: &str) -> bool {
        let name = signature.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'));
        name.is_some_and(|name| self.0.contains_key(name))
    }

    /// The class with its hooks; none when this JDK's class has no method that one fits.
    ///
    /// # Errors
    /// When the class is to be left as it is, for a reason.
    pub fn weave(&self, name: &str, bytes: &[u8], outlet: &Outlet) -> Result<Option<Vec<u8>>, Declined> {
        let Some(hooks) = self.0.get(name) else { return Ok(None) };
        let hooked = weave_hooks(bytes, hooks)?;
        for declined in hooked.declined {
            outlet.send(Message::Declined(declined));
        }
        Ok(hooked.bytes)
    }
}

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
        if !(loader.is_null() || name.starts_with("java/")) || !agent.hooks.0.contains_key(name) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_instrument::hooks::Moment;

    #[test]
    fn a_class_has_hooks_by_its_descriptor() {
        let hook = |class: &'static str| Hook::new(class, "m", Moment::Entry, "java/lang/Target", "seen");
        let hooks = Hooks::new(vec![hook("java/io/File"), hook("java/io/File"), hook("a/B$C")]);
        assert!(hooks.has("Ljava/io/File;") && hooks.has("La/B$C;") && !hooks.is_empty());
        assert!(!hooks.has("[Ljava/io/File;") && !hooks.has("java/io/File") && !hooks.has("I"));
        assert!(Hooks::new(vec![]).is_empty());
    }
}

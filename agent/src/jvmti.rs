//! The part of the JVMTI function table and of the event table this agent uses, written by hand.
//!
//! It does not know what the events are used for. Invariant: every field stands in the slot the JDK's `jvmti.h` gives it;
//! slots are counted from 1, as there.

use jni_sys::{JNIEnv, jclass, jint, jlong, jobject};
use std::ffi::{CStr, c_char, c_uchar, c_void};
use std::mem::{offset_of, size_of};

/// `JVMTI_VERSION_1_2`: all JVMs from Java 6 on have it.
pub const VERSION: jint = 0x3001_0200;
/// What a JVMTI function returns when it did its work.
pub const NO_ERROR: jint = 0;

/// A JVMTI environment: what the JVM hands out is a pointer to a pointer to the table.
pub type Env = *const Functions;
/// A thread.
pub type Thread = jobject;

/// The function table.
#[repr(C)]
pub struct Functions {
    reserved_1: *mut c_void,
    /// Turns an event on or off, for all threads when `thread` is null.
    pub set_event_notification_mode:
        unsafe extern "C" fn(env: *mut Env, mode: jint, event: jint, thread: Thread, ...) -> jint,
    slots_3_to_45: [*mut c_void; 43],
    /// Memory the JVM frees, for class bytes.
    pub allocate: unsafe extern "system" fn(env: *mut Env, size: jlong, memory: *mut *mut c_uchar) -> jint,
    /// Takes memory back that the JVM gave.
    pub deallocate: unsafe extern "system" fn(env: *mut Env, memory: *mut c_uchar) -> jint,
    /// The descriptor of a class, in memory to give back.
    pub get_class_signature: unsafe extern "system" fn(
        env: *mut Env,
        class: jclass,
        signature: *mut *mut c_char,
        generic: *mut *mut c_char,
    ) -> jint,
    slots_49_to_77: [*mut c_void; 29],
    /// All classes that are loaded, in memory to give back.
    pub get_loaded_classes:
        unsafe extern "system" fn(env: *mut Env, count: *mut jint, classes: *mut *mut jclass) -> jint,
    slots_79_to_121: [*mut c_void; 43],
    /// Says which functions handle events.
    pub set_event_callbacks:
        unsafe extern "system" fn(env: *mut Env, callbacks: *const Callbacks, size: jint) -> jint,
    slots_123_to_141: [*mut c_void; 19],
    /// Asks for capabilities.
    pub add_capabilities: unsafe extern "system" fn(env: *mut Env, wanted: *const Capabilities) -> jint,
    slots_143_to_151: [*mut c_void; 9],
    /// Loads classes again, through the class file load hook.
    pub retransform_classes:
        unsafe extern "system" fn(env: *mut Env, count: jint, classes: *const jclass) -> jint,
}

/// The offset of a slot as `jvmti.h` counts it.
const fn slot(number: usize) -> usize {
    (number - 1) * size_of::<*mut c_void>()
}

const _: () = {
    assert!(offset_of!(Functions, set_event_notification_mode) == slot(2));
    assert!(offset_of!(Functions, allocate) == slot(46));
    assert!(offset_of!(Functions, deallocate) == slot(47));
    assert!(offset_of!(Functions, get_class_signature) == slot(48));
    assert!(offset_of!(Functions, get_loaded_classes) == slot(78));
    assert!(offset_of!(Functions, set_event_callbacks) == slot(122));
    assert!(offset_of!(Functions, add_capabilities) == slot(142));
    assert!(offset_of!(Functions, retransform_classes) == slot(152));
    assert!(size_of::<Capabilities>() == 16);
};

/// 128 bits, numbered as the fields of `jvmtiCapabilities`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Capabilities {
    bits: [u32; 4],
}

impl Capabilities {
    /// `can_generate_all_class_hook_events`.
    pub const ALL_CLASS_HOOK_EVENTS: usize = 26;
    /// `can_retransform_classes`.
    pub const RETRANSFORM_CLASSES: usize = 37;

    /// These capabilities and one more.
    pub const fn with(mut self, bit: usize) -> Self {
        self.bits[bit / 32] |= 1 << (bit % 32);
        self
    }
}

/// The first events of `jvmtiEventCallbacks`; the JVM is told how many there are.
#[repr(C)]
#[derive(Default)]
pub struct Callbacks {
    /// The VM can run Java code now.
    pub vm_init: Option<unsafe extern "system" fn(env: *mut Env, jni: *mut JNIEnv, thread: Thread)>,
    /// The VM ends; Java code can run a last time.
    pub vm_death: Option<unsafe extern "system" fn(env: *mut Env, jni: *mut JNIEnv)>,
    thread_start: Option<unsafe extern "system" fn(env: *mut Env, jni: *mut JNIEnv, thread: Thread)>,
    /// A platform thread ends, called on it.
    pub thread_end: Option<unsafe extern "system" fn(env: *mut Env, jni: *mut JNIEnv, thread: Thread)>,
    /// A class file was found and is not read yet.
    pub class_file_load_hook: Option<ClassFileLoadHook>,
}

/// Gets the class file, may answer with another one.
pub type ClassFileLoadHook = unsafe extern "system" fn(
    env: *mut Env,
    jni: *mut JNIEnv,
    redefined: jclass,
    loader: jobject,
    name: *const c_char,
    domain: jobject,
    length: jint,
    bytes: *const c_uchar,
    new_length: *mut jint,
    new_bytes: *mut *mut c_uchar,
);

/// Events by number.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum Event {
    /// See [`Callbacks::vm_init`].
    VmInit = 50,
    /// See [`Callbacks::vm_death`].
    VmDeath = 51,
    /// See [`Callbacks::thread_end`].
    ThreadEnd = 53,
    /// See [`Callbacks::class_file_load_hook`].
    ClassFileLoadHook = 54,
}

/// A JVMTI function that refused, with its error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The function.
    pub function: &'static str,
    /// The JVMTI error code.
    pub code: jint,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the JVM refused {} (JVMTI error {})", self.function, self.code)
    }
}

/// A JVMTI environment the JVM gave out; environments live as long as the process.
#[derive(Clone, Copy, Debug)]
pub struct Jvmti(*mut Env);

impl Jvmti {
    /// Wraps what a callback or `GetEnv` gave.
    ///
    /// # Safety
    /// `env` is a JVMTI environment of the running JVM.
    pub unsafe fn new(env: *mut Env) -> Self {
        Self(env)
    }

    fn functions(self) -> &'static Functions {
        // SAFETY: by the contract of `new` the environment and its table are valid as long as the process lives.
        unsafe { &**self.0 }
    }

    /// Asks for capabilities.
    pub fn add_capabilities(self, wanted: Capabilities) -> Result<(), Refused> {
        // SAFETY: the function stands in its slot and reads `wanted` during the call only.
        checked("AddCapabilities", unsafe { (self.functions().add_capabilities)(self.0, &raw const wanted) })
    }

    /// Sets the callbacks, which the JVM copies.
    pub fn set_event_callbacks(self, callbacks: &Callbacks) -> Result<(), Refused> {
        let size = size_of::<Callbacks>() as jint;
        // SAFETY: the function stands in its slot and reads `size` bytes of `callbacks` during the call only.
        let code = unsafe { (self.functions().set_event_callbacks)(self.0, callbacks, size) };
        checked("SetEventCallbacks", code)
    }

    /// Turns an event on for all threads.
    pub fn enable(self, event: Event) -> Result<(), Refused> {
        self.notify(event, 1)
    }

    /// Turns an event off for all threads.
    pub fn disable(self, event: Event) -> Result<(), Refused> {
        self.notify(event, 0)
    }

    fn notify(self, event: Event, mode: jint) -> Result<(), Refused> {
        let all: Thread = std::ptr::null_mut();
        // SAFETY: the function stands in its slot; a null thread means all threads.
        let code =
            unsafe { (self.functions().set_event_notification_mode)(self.0, mode, event as jint, all) };
        checked("SetEventNotificationMode", code)
    }

    /// The classes that are loaded and whose descriptor `wanted` accepts, by references of this callback.
    pub fn loaded_classes(self, wanted: impl Fn(&str) -> bool) -> Result<Vec<jclass>, Refused> {
        let (mut count, mut memory) = (0, std::ptr::null_mut());
        // SAFETY: the function stands in its slot and writes `count` and `memory`.
        let code = unsafe { (self.functions().get_loaded_classes)(self.0, &raw mut count, &raw mut memory) };
        checked("GetLoadedClasses", code)?;
        let count = if memory.is_null() { 0 } else { usize::try_from(count).unwrap_or(0) };
        let classes: Vec<jclass> = if count == 0 {
            Vec::new()
        } else {
            // SAFETY: the JVM gave `count` references in `memory`, which is not given back yet.
            unsafe { std::slice::from_raw_parts(memory, count) }.to_vec()
        };
        self.give_back(memory.cast());
        Ok(classes
            .into_iter()
            .filter(|class| self.signature(*class).is_some_and(|text| wanted(&text)))
            .collect())
    }

    /// The descriptor of a class; none when the JVM does not say.
    fn signature(self, class: jclass) -> Option<String> {
        let mut text = std::ptr::null_mut();
        // SAFETY: the function stands in its slot and writes `text`; a null place means that nobody wants the other text.
        let code = unsafe {
            (self.functions().get_class_signature)(self.0, class, &raw mut text, std::ptr::null_mut())
        };
        if code != NO_ERROR || text.is_null() {
            return None;
        }
        // SAFETY: the JVM gave a zero-terminated text, which is not given back yet.
        let signature = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        self.give_back(text.cast());
        Some(signature)
    }

    /// Gives memory back that the JVM gave; null is none.
    fn give_back(self, memory: *mut c_uchar) {
        // SAFETY: the function stands in its slot; the memory came from this environment and is used no more. What it
        // answers is of no use: there is nothing left to do.
        let _ = unsafe { (self.functions().deallocate)(self.0, memory) };
    }

    /// Loads these classes again, through the class file load hook of environments that can.
    pub fn retransform(self, classes: &[jclass]) -> Result<(), Refused> {
        let count = jint::try_from(classes.len()).unwrap_or(jint::MAX);
        // SAFETY: the function stands in its slot and reads `count` references of this callback during the call only.
        checked("RetransformClasses", unsafe {
            (self.functions().retransform_classes)(self.0, count, classes.as_ptr())
        })
    }

    /// A copy of `bytes` in memory that the JVM frees.
    pub fn copy(self, bytes: &[u8]) -> Result<*mut c_uchar, Refused> {
        let mut memory = std::ptr::null_mut();
        let size = jlong::try_from(bytes.len()).unwrap_or(jlong::MAX);
        // SAFETY: the function stands in its slot and writes `memory`.
        checked("Allocate", unsafe { (self.functions().allocate)(self.0, size, &raw mut memory) })?;
        // SAFETY: the JVM gave at least `bytes.len()` fresh bytes, which cannot overlap `bytes`.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Ok(memory)
    }
}

fn checked(function: &'static str, code: jint) -> Result<(), Refused> {
    if code == NO_ERROR { Ok(()) } else { Err(Refused { function, code }) }
}

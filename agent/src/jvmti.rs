//! The part of the JVMTI function table and of the event table this agent uses, written by hand.
//!
//! It does not know what the events are used for. Invariant: every field stands in the slot the JDK's `jvmti.h` gives it;
//! slots are counted from 1, as there.

use crate::jni::Jni;
use jni_sys::{JNIEnv, JNINativeInterface__1_6, jclass, jint, jlong, jmethodID, jobject};
use std::ffi::{CStr, c_char, c_uchar, c_void};
use std::mem::{offset_of, size_of};
use std::sync::atomic::{AtomicPtr, Ordering};

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
    slots_49_to_63: [*mut c_void; 15],
    /// The name and the descriptor of a method, in memory to give back.
    pub get_method_name: unsafe extern "system" fn(
        env: *mut Env,
        method: jmethodID,
        name: *mut *mut c_char,
        signature: *mut *mut c_char,
        generic: *mut *mut c_char,
    ) -> jint,
    /// The class that declares a method.
    pub get_method_declaring_class:
        unsafe extern "system" fn(env: *mut Env, method: jmethodID, class: *mut jclass) -> jint,
    slots_66_to_70: [*mut c_void; 5],
    /// The first and the last offset of a method's code.
    pub get_method_location: unsafe extern "system" fn(
        env: *mut Env,
        method: jmethodID,
        start: *mut jlong,
        end: *mut jlong,
    ) -> jint,
    slots_72_to_77: [*mut c_void; 6],
    /// All classes that are loaded, in memory to give back.
    pub get_loaded_classes:
        unsafe extern "system" fn(env: *mut Env, count: *mut jint, classes: *mut *mut jclass) -> jint,
    slots_79_to_103: [*mut c_void; 25],
    /// The innermost frames of a thread, of the current one when `thread` is null.
    pub get_stack_trace: unsafe extern "system" fn(
        env: *mut Env,
        thread: Thread,
        start: jint,
        most: jint,
        frames: *mut FrameInfo,
        count: *mut jint,
    ) -> jint,
    slots_105_to_119: [*mut c_void; 15],
    /// Takes a table of JNI functions for all threads.
    pub set_jni_function_table:
        unsafe extern "system" fn(env: *mut Env, table: *const JNINativeInterface__1_6) -> jint,
    /// A copy of the table, in memory to give back.
    pub get_jni_function_table:
        unsafe extern "system" fn(env: *mut Env, table: *mut *mut JNINativeInterface__1_6) -> jint,
    /// Says which functions handle events.
    pub set_event_callbacks:
        unsafe extern "system" fn(env: *mut Env, callbacks: *const Callbacks, size: jint) -> jint,
    slots_123_to_130: [*mut c_void; 8],
    /// A property of the JVM as it was started, in memory to give back.
    pub get_system_property:
        unsafe extern "system" fn(env: *mut Env, name: *const c_char, value: *mut *mut c_char) -> jint,
    slots_132_to_141: [*mut c_void; 10],
    /// Asks for capabilities.
    pub add_capabilities: unsafe extern "system" fn(env: *mut Env, wanted: *const Capabilities) -> jint,
    slots_143_to_151: [*mut c_void; 9],
    /// Loads classes again, through the class file load hook.
    pub retransform_classes:
        unsafe extern "system" fn(env: *mut Env, count: jint, classes: *const jclass) -> jint,
}

/// A frame of a thread.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct FrameInfo {
    /// Its method.
    pub method: jmethodID,
    /// The offset of its instruction, -1 in native methods.
    pub location: jlong,
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
    assert!(offset_of!(Functions, get_method_name) == slot(64));
    assert!(offset_of!(Functions, get_method_declaring_class) == slot(65));
    assert!(offset_of!(Functions, get_method_location) == slot(71));
    assert!(offset_of!(Functions, get_loaded_classes) == slot(78));
    assert!(offset_of!(Functions, get_stack_trace) == slot(104));
    assert!(offset_of!(Functions, set_jni_function_table) == slot(120));
    assert!(offset_of!(Functions, get_jni_function_table) == slot(121));
    assert!(offset_of!(Functions, set_event_callbacks) == slot(122));
    assert!(offset_of!(Functions, get_system_property) == slot(131));
    assert!(offset_of!(Functions, add_capabilities) == slot(142));
    assert!(offset_of!(Functions, retransform_classes) == slot(152));
    assert!(size_of::<Capabilities>() == 16);
    assert!(offset_of!(Callbacks, class_file_load_hook) == (54 - 50) * size_of::<*mut c_void>());
    assert!(offset_of!(Callbacks, native_method_bind) == (67 - 50) * size_of::<*mut c_void>());
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
    /// `can_generate_native_method_bind_events`.
    pub const NATIVE_METHOD_BIND_EVENTS: usize = 30;
    /// `can_retransform_classes`.
    pub const RETRANSFORM_CLASSES: usize = 37;

    /// These capabilities and one more.
    pub const fn with(mut self, bit: usize) -> Self {
        self.bits[bit / 32] |= 1 << (bit % 32);
        self
    }
}

/// The first events of `jvmtiEventCallbacks`; the JVM gets their number.
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
    slots_55_to_66: [Option<Unused>; 12],
    /// A native method gets its function.
    pub native_method_bind: Option<NativeMethodBind>,
}

/// Gets the function, may answer with another one.
pub type NativeMethodBind = unsafe extern "system" fn(
    env: *mut Env,
    jni: *mut JNIEnv,
    thread: Thread,
    method: jmethodID,
    address: *mut c_void,
    new_address: *mut *mut c_void,
);

/// A callback that nobody sets.
type Unused = unsafe extern "system" fn();

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
    /// See [`Callbacks::native_method_bind`].
    NativeMethodBind = 67,
}

/// What the JVM says of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The descriptor of the class that declares it.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Length of its code.
    pub length: u32,
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

/// The environment for what threads of the program ask; null before one is kept.
static KEPT: AtomicPtr<Env> = AtomicPtr::new(std::ptr::null_mut());

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

    /// Keeps this environment for [`Self::kept`].
    pub fn keep(self) {
        KEPT.store(self.0, Ordering::Release);
    }

    /// The environment that was kept, if one was.
    pub fn kept() -> Option<Self> {
        let env = KEPT.load(Ordering::Acquire);
        (!env.is_null()).then_some(Self(env))
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
        Some(self.taken(text))
    }

    /// A property of the JVM as it was started, such as `java.class.path`; none when it has no such property.
    pub fn property(self, name: &CStr) -> Option<String> {
        let mut value = std::ptr::null_mut();
        // SAFETY: the function stands in its slot and writes `value`; the name is zero-terminated and lives through the call.
        let code = unsafe { (self.functions().get_system_property)(self.0, name.as_ptr(), &raw mut value) };
        if code != NO_ERROR || value.is_null() { None } else { Some(self.taken(value)) }
    }

    /// A copy of a text that the JVM gave, which is given back.
    fn taken(self, text: *mut c_char) -> String {
        // SAFETY: the JVM gave a zero-terminated text, which is not given back yet.
        let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        self.give_back(text.cast());
        copy
    }

    /// The innermost frames of the current thread from the given one on, into `frames`; how many there are.
    pub fn frames(self, start: usize, frames: &mut [FrameInfo]) -> usize {
        let (start, most) = (jint::try_from(start).unwrap_or(jint::MAX), frames.len() as jint);
        let (current, mut count): (Thread, jint) = (std::ptr::null_mut(), 0);
        // SAFETY: the function stands in its slot; `frames` has room for `most` frames.
        let code = unsafe {
            let frames = frames.as_mut_ptr();
            (self.functions().get_stack_trace)(self.0, current, start, most, frames, &raw mut count)
        };
        if code == NO_ERROR { usize::try_from(count).unwrap_or(0) } else { 0 }
    }

    /// What is known of a method; none when the JVM does not say.
    pub fn method(self, jni: &Jni, method: jmethodID) -> Option<Method> {
        let mut class: jclass = std::ptr::null_mut();
        // SAFETY: the function stands in its slot and writes `class`; the method came from a frame of this thread.
        let code = unsafe { (self.functions().get_method_declaring_class)(self.0, method, &raw mut class) };
        checked("GetMethodDeclaringClass", code).ok()?;
        let signature = self.signature(class);
        jni.give_up(class);
        let (mut name, mut descriptor) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: as above; a null place means that nobody wants the third text.
        let code = unsafe {
            let generic = std::ptr::null_mut();
            (self.functions().get_method_name)(self.0, method, &raw mut name, &raw mut descriptor, generic)
        };
        checked("GetMethodName", code).ok()?;
        let (name, descriptor) = (self.taken(name), self.taken(descriptor));
        Some(Method { class: signature?, name, descriptor, length: self.length(method) })
    }

    /// The length of a method's code, 0 when there is none.
    fn length(self, method: jmethodID) -> u32 {
        let (mut start, mut end) = (0, -1);
        // SAFETY: the function stands in its slot and writes both places; the method came from a frame of this thread.
        let code =
            unsafe { (self.functions().get_method_location)(self.0, method, &raw mut start, &raw mut end) };
        if code == NO_ERROR { u32::try_from(end + 1).unwrap_or(0) } else { 0 }
    }

    /// Gives memory back that the JVM gave; null is none.
    fn give_back(self, memory: *mut c_uchar) {
        // SAFETY: the function stands in its slot; the memory came from this environment and is used no more. What it
        // answers is of no use: there is nothing left to do.
        let _ = unsafe { (self.functions().deallocate)(self.0, memory) };
    }

    /// Changes the table of JNI functions of all threads; of the functions of JDKs since 6 it is shown those that all have.
    pub fn replace_jni(self, change: impl FnOnce(&mut JNINativeInterface__1_6)) -> Result<(), Refused> {
        let mut table = std::ptr::null_mut();
        // SAFETY: the function stands in its slot and writes `table`.
        let code = unsafe { (self.functions().get_jni_function_table)(self.0, &raw mut table) };
        checked("GetJNIFunctionTable", code)?;
        // SAFETY: the JVM gave a copy of its table, which begins with the functions of Java 6 and is nobody else's.
        let Some(functions) = (unsafe { table.as_mut() }) else { return Ok(()) };
        change(functions);
        // SAFETY: the function stands in its slot and reads the whole table, which is still the JVM's copy.
        let code = unsafe { (self.functions().set_jni_function_table)(self.0, table) };
        self.give_back(table.cast());
        checked("SetJNIFunctionTable", code)
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

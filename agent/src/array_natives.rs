//! The methods of `java.lang.reflect.Array` that get and set elements. They are native, so that no hook can be woven into them: when the
//! JVM binds one, it gets a function of ours that calls the JVM's own one and then reports to the Java half, as methods with hooks do.
//!
//! It knows neither which arrays matter nor what becomes of it. Invariants: the JVM's own function runs first, with what it was
//! given; nothing is reported while an exception waits, and none is left behind; a panic ends here.

use crate::entry::guard;
use crate::fault::Point;
use crate::jni::{Given, Jni};
use crate::jvmti::{Callbacks, Capabilities, Env, Event, Jvmti, Refused, Thread};
use jni_sys::{
    JNIEnv, jboolean, jbyte, jchar, jclass, jdouble, jfloat, jint, jlong, jmethodID, jobject, jshort,
};
use std::ffi::c_void;
use std::mem::transmute;
use std::sync::atomic::{AtomicPtr, Ordering};

const ARRAY: &str = "Ljava/lang/reflect/Array;";

/// A method, the function of ours and the JVM's own one once it is bound.
struct Replaced {
    name: &'static str,
    ours: *mut c_void,
    own: &'static AtomicPtr<c_void>,
}

/// Asks to be called when native methods are bound, in an environment of its own.
pub fn install(own: Jvmti) -> Result<(), Refused> {
    own.add_capabilities(Capabilities::default().with(Capabilities::NATIVE_METHOD_BIND_EVENTS))?;
    let mut callbacks = Callbacks::default();
    callbacks.native_method_bind = Some(native_method_bind);
    own.set_event_callbacks(&callbacks)?;
    own.enable(Event::NativeMethodBind)
}

/// `NativeMethodBind` of the JVMTI specification.
unsafe extern "system" fn native_method_bind(
    env: *mut Env,
    jni: *mut JNIEnv,
    _thread: Thread,
    method: jmethodID,
    address: *mut c_void,
    new_address: *mut *mut c_void,
) {
    guard(Point::NativeMethodBind, (), || {
        // SAFETY: the JVM gives the environments of this thread.
        let (jvmti, Some(jni)) = (unsafe { Jvmti::new(env) }, unsafe { Jni::new(jni) }) else { return };
        let Some(method) = jvmti.method(&jni, method) else { return };
        let all = replaced();
        let found = all.iter().find(|replaced| method.class == ARRAY && replaced.name == method.name);
        if let Some(Replaced { ours, own, .. }) = found {
            own.store(address, Ordering::Release);
            // SAFETY: the JVM gives a place to answer in; our function takes what the method does.
            unsafe { *new_address = *ours };
        }
    });
}

/// Reports that an element was accessed.
fn report(env: *mut JNIEnv, array: jobject, index: jint, value: jobject, is_write: bool) {
    guard(Point::ArrayNative, (), || {
        // SAFETY: the JVM gave a native method the environment of its thread.
        let Some(jni) = (unsafe { Jni::new(env) }) else { return };
        // SAFETY: the JVM gave a native method these references, which it has just used.
        unsafe { jni.report_element(Given::new(array), index, Given::new(value), is_write) };
    });
}

/// What a value set is to the memory graph, and what a method gives when it has no original, which does not happen.
trait Value: Copy {
    const NONE: Self;

    fn reference(self) -> jobject;
}

impl Value for jobject {
    const NONE: Self = std::ptr::null_mut();

    fn reference(self) -> jobject {
        self
    }
}

macro_rules! primitives {
    ($($type:ty, $none:literal;)*) => {
        $(impl Value for $type {
            const NONE: Self = $none;

            fn reference(self) -> jobject {
                std::ptr::null_mut()
            }
        })*
    };
}

primitives! {
    jboolean, false;
    jbyte, 0;
    jshort, 0;
    jchar, 0;
    jint, 0;
    jlong, 0;
    jfloat, 0.0;
    jdouble, 0.0;
}

macro_rules! accessors {
    ($($get:ident $get_name:literal $set:ident $set_name:literal $type:ty;)*) => {
        $(
            unsafe extern "system" fn $get(env: *mut JNIEnv, class: jclass, array: jobject, index: jint) -> $type {
                type Own = unsafe extern "system" fn(*mut JNIEnv, jclass, jobject, jint) -> $type;
                let own = own::$get.load(Ordering::Acquire);
                if own.is_null() {
                    return <$type>::NONE;
                }
                // SAFETY: the function that the JVM had for this method, with what its caller gave.
                let found = unsafe { transmute::<*mut c_void, Own>(own)(env, class, array, index) };
                report(env, array, index, std::ptr::null_mut(), false);
                found
            }

            unsafe extern "system" fn $set(env: *mut JNIEnv, class: jclass, array: jobject, index: jint, value: $type) {
                type Own = unsafe extern "system" fn(*mut JNIEnv, jclass, jobject, jint, $type);
                let own = own::$set.load(Ordering::Acquire);
                if own.is_null() {
                    return;
                }
                // SAFETY: as above.
                unsafe { transmute::<*mut c_void, Own>(own)(env, class, array, index, value) };
                report(env, array, index, value.reference(), true);
            }
        )*

        /// The JVM's own functions.
        #[allow(non_upper_case_globals, reason = "each is called like the function of ours that stands for it")]
        mod own {
            use super::{AtomicPtr, c_void};

            $(
                pub static $get: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
                pub static $set: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
            )*
        }

        fn replaced() -> Vec<Replaced> {
            vec![$(
                Replaced { name: $get_name, ours: $get as *mut c_void, own: &own::$get },
                Replaced { name: $set_name, ours: $set as *mut c_void, own: &own::$set },
            )*]
        }
    };
}

accessors! {
    get "get" set "set" jobject;
    get_boolean "getBoolean" set_boolean "setBoolean" jboolean;
    get_byte "getByte" set_byte "setByte" jbyte;
    get_short "getShort" set_short "setShort" jshort;
    get_char "getChar" set_char "setChar" jchar;
    get_int "getInt" set_int "setInt" jint;
    get_long "getLong" set_long "setLong" jlong;
    get_float "getFloat" set_float "setFloat" jfloat;
    get_double "getDouble" set_double "setDouble" jdouble;
}

//! Fields that native code sets through JNI: the functions that do are replaced by ones that do the same and then report it to the Java half,
//! as methods of the JDK do that have hooks.
//!
//! It knows neither which fields matter nor what becomes of it. Invariants: the JVM's own function runs first, with what it was
//! given; nothing is reported while an exception waits, and none is left behind; a panic ends here.

use crate::entry::guard;
use crate::fault::Point;
use crate::jni::{Given, Jni};
use crate::jvmti::Jvmti;
use jni_sys::{
    JNIEnv, JNINativeInterface__1_6, jboolean, jbyte, jchar, jclass, jdouble, jfieldID, jfloat, jint, jlong,
    jobject, jshort,
};
use std::ffi::CStr;
use std::sync::OnceLock;

/// The Java half, as the JVM names it.
const HANDS: &CStr = c"java/lang/DynaflowHands";

/// The JVM's own functions.
struct Functions(JNINativeInterface__1_6);

// SAFETY: the table holds functions, which any thread may call, and reserved words, which nobody reads.
unsafe impl Send for Functions {}
// SAFETY: as above; nothing in the table is changed.
unsafe impl Sync for Functions {}

static ORIGINAL: OnceLock<Functions> = OnceLock::new();

/// Replaces the functions, for all threads from now on.
pub fn install(jni: &Jni, jvmti: Jvmti) -> Result<(), String> {
    jni.remember_hands(jni.find_class(HANDS)?);
    let replaced = jvmti.replace_jni(|table| {
        let _ = ORIGINAL.set(Functions(*table));
        table.SetObjectField = set_object;
        table.SetBooleanField = set_boolean;
        table.SetByteField = set_byte;
        table.SetCharField = set_char;
        table.SetShortField = set_short;
        table.SetIntField = set_int;
        table.SetLongField = set_long;
        table.SetFloatField = set_float;
        table.SetDoubleField = set_double;
        table.SetStaticObjectField = set_static_object;
        table.SetStaticBooleanField = set_static_boolean;
        table.SetStaticByteField = set_static_byte;
        table.SetStaticCharField = set_static_char;
        table.SetStaticShortField = set_static_short;
        table.SetStaticIntField = set_static_int;
        table.SetStaticLongField = set_static_long;
        table.SetStaticFloatField = set_static_float;
        table.SetStaticDoubleField = set_static_double;
    });
    replaced.map_err(|refused| refused.to_string())
}

/// Reports that a field of an object, or of a class, was set.
fn set(env: *mut JNIEnv, of: jobject, field: jfieldID, value: jobject, is_static: bool) {
    guard(Point::JniSet, (), || {
        // SAFETY: native code gave the environment of its thread to a JNI function.
        let Some(jni) = (unsafe { Jni::new(env) }) else { return };
        // SAFETY: native code gave an object, or a class for a static field, a field of it and a value, all of which a JNI function
        // has just used.
        unsafe { jni.report_set(Given::new(of), field, Given::new(value), is_static) };
    });
}

macro_rules! setters {
    ($($name:ident $static_name:ident $own:ident $static_own:ident $type:ty;)*) => {
        $(
            unsafe extern "system" fn $name(env: *mut JNIEnv, of: jobject, field: jfieldID, value: $type) {
                let Some(Functions(original)) = ORIGINAL.get() else { return };
                // SAFETY: the JVM's own function, with what its caller gave.
                unsafe { (original.$own)(env, of, field, value) };
                set(env, of, field, std::ptr::null_mut(), false);
            }

            unsafe extern "system" fn $static_name(env: *mut JNIEnv, of: jclass, field: jfieldID, value: $type) {
                let Some(Functions(original)) = ORIGINAL.get() else { return };
                // SAFETY: the JVM's own function, with what its caller gave.
                unsafe { (original.$static_own)(env, of, field, value) };
                set(env, of, field, std::ptr::null_mut(), true);
            }
        )*
    };
}

setters! {
    set_boolean set_static_boolean SetBooleanField SetStaticBooleanField jboolean;
    set_byte set_static_byte SetByteField SetStaticByteField jbyte;
    set_char set_static_char SetCharField SetStaticCharField jchar;
    set_short set_static_short SetShortField SetStaticShortField jshort;
    set_int set_static_int SetIntField SetStaticIntField jint;
    set_long set_static_long SetLongField SetStaticLongField jlong;
    set_float set_static_float SetFloatField SetStaticFloatField jfloat;
    set_double set_static_double SetDoubleField SetStaticDoubleField jdouble;
}

unsafe extern "system" fn set_object(env: *mut JNIEnv, of: jobject, field: jfieldID, value: jobject) {
    let Some(Functions(original)) = ORIGINAL.get() else { return };
    // SAFETY: the JVM's own function, with what its caller gave.
    unsafe { (original.SetObjectField)(env, of, field, value) };
    set(env, of, field, value, false);
}

unsafe extern "system" fn set_static_object(env: *mut JNIEnv, of: jclass, field: jfieldID, value: jobject) {
    let Some(Functions(original)) = ORIGINAL.get() else { return };
    // SAFETY: the JVM's own function, with what its caller gave.
    unsafe { (original.SetStaticObjectField)(env, of, field, value) };
    set(env, of, field, value, true);
}

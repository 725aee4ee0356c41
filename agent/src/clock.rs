//! A clock that runs some days ahead of the machine's, or behind, and ticks seldom, as those of some machines do, for runs that find out which tests depend on
//! the day, or on what passes between two calls. Nothing is recorded then.
//!
//! The JVM binds the two native methods that its library asks for the time of day before any Java code runs, when nobody can say yet what a method is
//! called: they are known by the functions that the JVM has for them. Knows nothing of tests. Invariants: both methods are off by the same; a
//! JVM that has other functions keeps its clock, and that is said.

use crate::entry::guard;
use crate::fault::Point;
use crate::guard::say;
use crate::jvmti::{Callbacks, Capabilities, Env, Event, Jvmti, Refused, Thread};
use jni_sys::{JNIEnv, jclass, jlong, jmethodID};
use std::ffi::{CStr, c_void};
use std::mem::transmute;
use std::sync::atomic::{AtomicI64, AtomicPtr, Ordering};

/// The JVM's function for `System.currentTimeMillis`, once it was bound to ours.
static MILLIS: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
/// The one for what `java.time` asks: the nanoseconds from a second on.
static ADJUSTMENT: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
/// By how many seconds the clock is ahead.
static AHEAD: AtomicI64 = AtomicI64::new(0);

const SECONDS_OF_A_DAY: i64 = 24 * 60 * 60;
/// Between two ticks: of the clocks that JVMs run by, the slowest tick every 16. A second is a number of these.
const TICK_MILLIS: i64 = 20;
const TICK_NANOS: i64 = TICK_MILLIS * 1_000_000;

/// Puts the clock ahead by so many days.
pub fn shift(jvmti: Jvmti, days: i32) -> Result<(), Refused> {
    if function(c"JVM_CurrentTimeMillis").is_null() || function(c"JVM_GetNanoTimeAdjustment").is_null() {
        say("this JVM has other functions for the time of day; its clock stays as it is");
        return Ok(());
    }
    AHEAD.store(i64::from(days).saturating_mul(SECONDS_OF_A_DAY), Ordering::Release);
    jvmti.add_capabilities(Capabilities::default().with(Capabilities::NATIVE_METHOD_BIND_EVENTS))?;
    let mut callbacks = Callbacks::default();
    callbacks.native_method_bind = Some(native_method_bind);
    jvmti.set_event_callbacks(&callbacks)?;
    jvmti.enable(Event::NativeMethodBind)
}

/// A function of the JVM's library; null when it has none of this name.
fn function(name: &CStr) -> *mut c_void {
    // SAFETY: the name is zero-terminated and lives through the call; what is found is only compared.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}

/// `NativeMethodBind` of the JVMTI specification.
unsafe extern "system" fn native_method_bind(
    _env: *mut Env,
    _jni: *mut JNIEnv,
    _thread: Thread,
    _method: jmethodID,
    address: *mut c_void,
    new_address: *mut *mut c_void,
) {
    guard(Point::ClockBind, (), || {
        let replaced = [
            (c"JVM_CurrentTimeMillis", &MILLIS, current_time_millis as *mut c_void),
            (c"JVM_GetNanoTimeAdjustment", &ADJUSTMENT, nano_time_adjustment as *mut c_void),
        ];
        if let Some((_, own, ours)) = replaced.into_iter().find(|(name, ..)| function(name) == address) {
            own.store(address, Ordering::Release);
            // SAFETY: the JVM gives a place to answer in; our function takes what the method does.
            unsafe { *new_address = ours };
        }
    });
}

unsafe extern "system" fn current_time_millis(env: *mut JNIEnv, class: jclass) -> jlong {
    type Own = unsafe extern "system" fn(*mut JNIEnv, jclass) -> jlong;
    let own = MILLIS.load(Ordering::Acquire);
    if own.is_null() {
        return 0;
    }
    // SAFETY: the function that the JVM had for this method, with what its caller gave.
    let now = unsafe { transmute::<*mut c_void, Own>(own)(env, class) };
    guard(Point::ClockMillis, now, || {
        let ahead = AHEAD.load(Ordering::Acquire).saturating_mul(1000);
        (now - now.rem_euclid(TICK_MILLIS)).saturating_add(ahead)
    })
}

/// The nanoseconds from a second to now are those from an earlier second to a time as much earlier.
unsafe extern "system" fn nano_time_adjustment(env: *mut JNIEnv, class: jclass, second: jlong) -> jlong {
    type Own = unsafe extern "system" fn(*mut JNIEnv, jclass, jlong) -> jlong;
    let own = ADJUSTMENT.load(Ordering::Acquire);
    if own.is_null() {
        return 0;
    }
    let second =
        guard(Point::ClockAdjustment, second, || second.saturating_sub(AHEAD.load(Ordering::Acquire)));
    // SAFETY: as above.
    let nanos = unsafe { transmute::<*mut c_void, Own>(own)(env, class, second) };
    // -1 says that the second is too far away to count from. Nothing here can fail.
    if nanos == -1 { nanos } else { nanos.saturating_sub(nanos.rem_euclid(TICK_NANOS)) }
}

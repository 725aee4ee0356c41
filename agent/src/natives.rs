//! The native methods of `java.lang.DynaflowNative`, which the JVM finds by their exported names in agent libraries.
//!
//! They know nothing of what words mean. Invariants: data is copied before anybody waits; nothing is thrown; a missing
//! agent makes them do nothing.

use crate::calls::Caller;
use crate::entry::guard;
use crate::fault::Point;
use crate::guard::say;
use crate::jni::{Given, Jni};
use crate::jvmti::Jvmti;
use crate::message::Message;
use crate::state::agent;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::muting;
use dynaflow_model::options::Thin;
use jni_sys::{JNIEnv, jboolean, jclass, jint, jlong, jlongArray, jobject, jstring};

/// `flush`: words of one thread. False when nobody wants words any more.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_flush(
    env: *mut JNIEnv,
    _class: jclass,
    thread: jint,
    words: jlongArray,
    from: jint,
    to: jint,
) -> jboolean {
    guard(Point::Flush, false, || {
        // SAFETY: the JVM gives the environment of this thread.
        let (Some(agent), Some(jni)) = (agent(), unsafe { Jni::new(env) }) else { return false };
        // SAFETY: the JVM gives the arguments of the Java method.
        let words = unsafe { Given::new(words) };
        agent.send_words(|room| Message::Words {
            thread: thread as u32,
            words: jni.words(words, from, to, room),
        })
    })
}

/// `flushRuns`: words of several threads. False when nobody wants words any more.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_flushRuns(
    env: *mut JNIEnv,
    _class: jclass,
    runs: jlongArray,
    length: jint,
) -> jboolean {
    guard(Point::FlushRuns, false, || {
        // SAFETY: the JVM gives the environment of this thread.
        let (Some(agent), Some(jni)) = (agent(), unsafe { Jni::new(env) }) else { return false };
        // SAFETY: the JVM gives the arguments of the Java method.
        let runs = unsafe { Given::new(runs) };
        agent.send_words(|room| Message::Runs(jni.words(runs, 0, length, room)))
    })
}

/// `describe`: a class mirror, its name and the names of its supertypes.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_describe(
    env: *mut JNIEnv,
    _class: jclass,
    mirror: jlong,
    name: jstring,
    supers: jstring,
) {
    guard(Point::Describe, (), || {
        // SAFETY: the JVM gives the environment of this thread.
        let (Some(agent), Some(jni)) = (agent(), unsafe { Jni::new(env) }) else { return };
        // SAFETY: the JVM gives the arguments of the Java method.
        let (name, supers) = unsafe { (Given::new(name), Given::new(supers)) };
        let supers = jni.text(supers).lines().map(str::to_owned).collect();
        agent.send(Message::Mirror { id: ObjectId(mirror as u64), name: jni.text(name), supers });
    });
}

/// `text`: what a string id means.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_text(
    env: *mut JNIEnv,
    _class: jclass,
    id: jint,
    text: jstring,
) {
    guard(Point::Text, (), || {
        // SAFETY: the JVM gives the environment of this thread.
        let (Some(agent), Some(jni)) = (agent(), unsafe { Jni::new(env) }) else { return };
        // SAFETY: the JVM gives the arguments of the Java method.
        let text = unsafe { Given::new(text) };
        agent.send(Message::Text { id: id as u32, text: jni.text(text) });
    });
}

/// `sync`: returns when everything before is analysed and written.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_sync(_env: *mut JNIEnv, _class: jclass) {
    guard(Point::Sync, (), || {
        if let Some(agent) = agent().filter(|agent| agent.is_recording()) {
            agent.analysis.sync();
        }
    });
}

/// `field`: a number for an instance field.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_field(
    env: *mut JNIEnv,
    _class: jclass,
    field: jobject,
) -> jlong {
    guard(Point::Field, 0, || {
        // SAFETY: the JVM gives the environment of this thread and the arguments of the Java method.
        unsafe { Jni::new(env).map_or(0, |jni| jni.field(Given::new(field))) }
    })
}

/// `get`: what a field refers to.
///
/// # Safety
/// Called by the JVM for the Java method of this name, which is given numbers of `field` for the object's class only.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_get(
    env: *mut JNIEnv,
    _class: jclass,
    object: jobject,
    field: jlong,
) -> jobject {
    guard(Point::Get, std::ptr::null_mut(), || {
        // SAFETY: the JVM gives the environment of this thread and the arguments of the Java method; while there is an object
        // of it, a class stays loaded.
        unsafe { Jni::new(env).map_or(std::ptr::null_mut(), |jni| jni.get(Given::new(object), field)) }
    })
}

/// `getInt`: the value of an `int` field.
///
/// # Safety
/// Called by the JVM for the Java method of this name, which is given numbers of `field` for the object's class only.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_getInt(
    env: *mut JNIEnv,
    _class: jclass,
    object: jobject,
    field: jlong,
) -> jint {
    guard(Point::GetInt, 0, || {
        // SAFETY: the JVM gives the environment of this thread and the arguments of the Java method; while there is an object
        // of it, a class stays loaded.
        unsafe { Jni::new(env).map_or(0, |jni| jni.get_int(Given::new(object), field)) }
    })
}

/// `hasIdentityEquals`: whether the objects of a class inherit `equals` from `Object`.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_hasIdentityEquals(
    env: *mut JNIEnv,
    _class: jclass,
    class: jclass,
) -> jboolean {
    guard(Point::HasIdentityEquals, false, || {
        // SAFETY: the JVM gives the environment of this thread and the arguments of the Java method.
        unsafe { Jni::new(env).is_some_and(|jni| jni.has_identity_equals(Given::new(class))) }
    })
}

/// `isRecorded`: whether a class is.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_isRecorded(
    env: *mut JNIEnv,
    _class: jclass,
    name: jstring,
) -> jboolean {
    guard(Point::IsRecorded, false, || {
        // SAFETY: the JVM gives the environment of this thread.
        let (Some(agent), Some(jni)) = (agent(), unsafe { Jni::new(env) }) else { return false };
        // SAFETY: the JVM gives the arguments of the Java method.
        agent.calls.has(&jni.text(unsafe { Given::new(name) }))
    })
}

/// `caller`: the site of the call in the innermost recorded method, 0 when there is none; when a method of
/// `java.lang.reflect.Field` comes first, minus one minus that.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_caller(
    env: *mut JNIEnv,
    _class: jclass,
    frames: jint,
) -> jint {
    guard(Point::Caller, 0, || {
        // SAFETY: the JVM gives the environment of this thread.
        let (Some(agent), Some(jni)) = (agent(), unsafe { Jni::new(env) }) else { return 0 };
        let Some(jvmti) = Jvmti::kept() else { return 0 };
        let found = agent.calls.innermost(jvmti, &jni, usize::try_from(frames).unwrap_or(0));
        let site = match found.caller {
            Caller::Site(site) => site.cast_signed(),
            Caller::Unknown => 0,
        };
        if found.by_field { -1 - site } else { site }
    })
}

/// `live`: how many frames of the recorded method that called the recorder are on the stack; 0 when that is none that is recorded.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_live(env: *mut JNIEnv, _class: jclass) -> jint {
    guard(Point::Live, 0, || {
        // SAFETY: the JVM gives the environment of this thread.
        let (Some(agent), Some(jni)) = (agent(), unsafe { Jni::new(env) }) else { return 0 };
        let Some(jvmti) = Jvmti::kept() else { return 0 };
        jint::try_from(agent.calls.live(jvmti, &jni)).unwrap_or(0)
    })
}

/// `recorded`: how many frames of recorded methods are on the stack.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_recorded(
    env: *mut JNIEnv,
    _class: jclass,
) -> jint {
    guard(Point::Recorded, jint::MAX, || {
        // SAFETY: the JVM gives the environment of this thread.
        let (Some(agent), Some(jni)) = (agent(), unsafe { Jni::new(env) }) else { return jint::MAX };
        let Some(jvmti) = Jvmti::kept() else { return jint::MAX };
        jint::try_from(agent.calls.recorded(jvmti, &jni)).unwrap_or(jint::MAX)
    })
}

/// `mutes`: whether invocations may be left out.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_mutes(_env: *mut JNIEnv, _class: jclass) -> jint {
    guard(Point::Mutes, 0, || match agent().map(|agent| agent.options.thinning()) {
        Some(Thin::Auto) => 1,
        Some(Thin::All) => 2,
        Some(Thin::Off) | None => 0,
    })
}

/// `touches`: what the event of a site touches, above that the number of its method, above that how many words it takes.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_touches(
    _env: *mut JNIEnv,
    _class: jclass,
    site: jint,
) -> jlong {
    let unknown = jlong::from(muting::KNOWN | muting::STATIC);
    guard(Point::Touches, unknown, || {
        let Some(agent) = agent() else { return unknown };
        let (touches, length, method) = agent.calls.touches(site as u32);
        let method = jlong::from(method.unwrap_or_default()) << muting::METHOD_SHIFT;
        jlong::from(touches) | method | (length as jlong) << muting::LENGTH_SHIFT
    })
}

/// `verdicts`: what the analysis says of kinds of invocations, or null.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_verdicts(
    env: *mut JNIEnv,
    _class: jclass,
    all: jboolean,
) -> jlongArray {
    guard(Point::Verdicts, std::ptr::null_mut(), || {
        // SAFETY: the JVM gives the environment of this thread.
        let (Some(agent), Some(jni)) = (agent(), unsafe { Jni::new(env) }) else {
            return std::ptr::null_mut();
        };
        let verdicts = agent.analysis.waiting(|| agent.verdicts.take(all, &agent.stopped));
        if verdicts.is_empty() { std::ptr::null_mut() } else { jni.array(&verdicts) }
    })
}

/// `stopped`: the recorder switched itself off.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_stopped(
    env: *mut JNIEnv,
    _class: jclass,
    reason: jstring,
) {
    guard(Point::Stopped, (), || {
        // SAFETY: the JVM gives the environment of this thread.
        let (Some(agent), Some(jni)) = (agent(), unsafe { Jni::new(env) }) else { return };
        // SAFETY: the JVM gives the arguments of the Java method.
        let reason = unsafe { Given::new(reason) };
        let text = format!("recording stopped: the recorder met a {}", jni.text(reason));
        say(&format!("{text}; the program goes on"));
        agent.send(Message::Note(text));
    });
}

/// `covered`: bits of a slot that were not covered before.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_covered(
    _env: *mut JNIEnv,
    _class: jclass,
    slot: jint,
    bits: jlong,
) {
    guard(Point::Covered, (), || {
        if let Some(agent) = agent() {
            agent.send(Message::Covered { slot: slot as u32, bits: bits as u64 });
        }
    });
}

/// `updates`: the table of a slot, or null.
///
/// # Safety
/// Called by the JVM for the Java method of this name.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_DynaflowNative_updates(
    env: *mut JNIEnv,
    _class: jclass,
    slot: jint,
) -> jlongArray {
    guard(Point::Updates, std::ptr::null_mut(), || {
        // SAFETY: the JVM gives the environment of this thread.
        let (Some(agent), Some(jni)) = (agent(), unsafe { Jni::new(env) }) else {
            return std::ptr::null_mut();
        };
        agent.tables.of(slot as u32).map_or(std::ptr::null_mut(), |table| jni.array(&table))
    })
}

//! From the load of the agent to the end of the VM: options, threads, classes of the boot loader, the last flush.
//!
//! It does not know what is recorded. Invariants: only a wrong option or an unusable folder stops the program, before it
//! starts, with one line; after that the end of the VM waits a bounded time for the trace.

use crate::analysis::Analysis;
use crate::array_natives;
use crate::clock;
use crate::entry::{caught, guard, trouble};
use crate::fault::Point;
use crate::guard::{catch, say};
use crate::hook::{class_file_load_hook, ignore_class};
use crate::hook_table::Hooks;
use crate::hooks;
use crate::jni::Jni;
use crate::jni_sets;
use crate::jvmti::{Callbacks, Capabilities, Env, Event, Jvmti, Refused, Thread, VERSION};
use crate::message::{Message, channel};
use crate::modes::{self, Java, Parts};
use crate::own;
use crate::pace::Pace;
use crate::role::{self, Role};
use crate::state::{Agent, agent, install};
use crate::weaver::Weaver;
use crossbeam_channel::bounded;
use dynaflow_model::options::AgentOptions;
use dynaflow_model::pattern::Pattern;
use dynaflow_trace::{TraceError, TraceWriter};
use jni_sys::{JNI_OK, JNIEnv, JavaVM};
use std::ffi::{CStr, CString};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Stack of the analysis and weaver threads: paths and class files decide how deep they go.
const STACK: usize = 64 << 20;
/// How long the end of the VM waits for the analysis to catch up.
const LAST_WAIT: Duration = Duration::from_secs(60);
/// The exit status of a process whose agent options are wrong.
pub const USAGE: i32 = 2;

/// Everything that can be wrong before the program starts, in one line for the user.
type Startup<T> = Result<T, String>;

/// Reads the options, opens the trace, starts the threads and asks the JVM for events, unless it is the JVM of a tool. The second agent of a process
/// (one on the command line, one in the environment) does nothing.
pub fn load(vm: *mut JavaVM, options: &str) -> Startup<()> {
    if agent().is_some() {
        say("the agent is loaded twice; the second one does nothing");
        return Ok(());
    }
    let mut options = AgentOptions::parse(options).map_err(|error| error.to_string())?;
    let jvmti = environment(vm)?;
    if options.clock != 0 {
        return clock::shift(jvmti, options.clock).map_err(|refused| refused.to_string());
    }
    let asked = options.include.len();
    match role::of(&jvmti.property(c"sun.java.command").unwrap_or_default()) {
        Role::Tool => return Ok(()),
        // Its class path has the tool alone: only the user knows what is the project's own.
        Role::Host if asked == 0 => return Ok(()),
        Role::Host => options.quiet = true,
        Role::Program => {}
    }
    if asked == 0 {
        options.include = choose(jvmti, options.quiet);
    }
    let agent = start_threads(options, asked)?;
    install(agent);
    subscribe(jvmti).map_err(|refused| refused.to_string())
}

/// What is recorded when nobody said it, which is announced: the project's own classes as far as the class path shows them.
fn choose(jvmti: Jvmti, is_quiet: bool) -> Vec<Pattern> {
    let mut entries = jvmti.property(c"java.class.path").map_or_else(Vec::new, |path| own::entries(&path));
    entries.extend(jvmti.property(c"jdk.module.path").iter().flat_map(|path| own::entries(path)));
    let (patterns, what) = own::choose(&entries);
    if !is_quiet {
        say(&what);
    }
    patterns
}

fn environment(vm: *mut JavaVM) -> Startup<Jvmti> {
    let mut env = std::ptr::null_mut();
    // SAFETY: the JVM gives its own invocation table, and `GetEnv` writes `env`.
    let code = unsafe { ((**vm).v1_2.GetEnv)(vm, &raw mut env, VERSION) };
    if code != JNI_OK || env.is_null() {
        return Err(format!("this JVM offers no JVMTI 1.2 (error {code}); run a HotSpot or OpenJ9 JVM"));
    }
    // SAFETY: `GetEnv` gave a JVMTI environment, as asked.
    Ok(unsafe { Jvmti::new(env.cast::<Env>()) })
}

/// Why no trace can be written below the folder, which is named once.
fn unusable(out: &Path, error: &TraceError) -> String {
    let TraceError::Io { path, action, source } = error else { return format!("option out: {error}") };
    let file = path.strip_prefix(out).ok().filter(|file| !file.as_os_str().is_empty());
    let file = file.map_or_else(String::new, |file| format!(" {}", file.display()));
    let cause = source.to_string();
    // The number of the system's error says no more than its words.
    let cause = cause.split(" (os error ").next().unwrap_or_default();
    format!("option out={}: cannot {action}{file}: {cause}; name a folder that can be written", out.display())
}

/// `asked` is the number of include patterns that the user gave.
fn start_threads(options: AgentOptions, asked: usize) -> Startup<Agent> {
    let writer = TraceWriter::create_in(&options.out, std::process::id())
        .map_err(|error| unusable(&options.out, &error))?;
    let stopped = Arc::new(AtomicBool::new(false));
    let (outlet, inlet) = channel();
    let Parts { java, weave, analyse, tables, calls, verdicts, hooks } = modes::of(&options);
    let hooks = Arc::new(Hooks::new(hooks));
    let (weaver_outlet, weaver) = Weaver::new(weave, Arc::clone(&hooks), outlet.clone());
    let (done, finished) = bounded(1);
    let pace = options.slowdown.map(|slowdown| Pace::new(slowdown, Instant::now()));
    let analysis = Analysis::new(analyse, writer, outlet.sent(), Arc::clone(&stopped), pace, options.quiet);
    let listen = move |analysis: &mut Analysis| analysis.listen(&inlet);
    spawn("dynaflow-analysis", Point::AnalysisThread, analysis, listen, move |analysis, panic| {
        analysis.end(panic);
        // Nobody waits for it when the JVM did not end in order.
        let _ = done.send(());
    })?;
    spawn("dynaflow-weaver", Point::WeaverThread, weaver, Weaver::run, |weaver, panic| weaver.end(panic))?;
    let matched = (0..asked).map(|_| AtomicBool::new(false)).collect();
    Ok(Agent {
        options,
        analysis: outlet,
        weaver: weaver_outlet,
        finished,
        stopped,
        java,
        tables,
        verdicts,
        calls,
        hooks,
        matched,
    })
}

/// Starts a thread that does its work on `state` and then, whether that went well or panicked, ends it.
fn spawn<S: Send + 'static>(
    name: &str,
    point: Point,
    mut state: S,
    work: impl FnOnce(&mut S) + Send + 'static,
    end: impl FnOnce(S, Option<String>) + Send + 'static,
) -> Startup<()> {
    let builder = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK);
    let body = move || {
        let panic = catch(point, || work(&mut state)).err();
        end(state, panic);
    };
    builder.spawn(body).map(drop).map_err(|error| format!("cannot start the thread {name}: {error}"))
}

fn subscribe(jvmti: Jvmti) -> Result<(), Refused> {
    jvmti.add_capabilities(Capabilities::default().with(Capabilities::ALL_CLASS_HOOK_EVENTS))?;
    let mut callbacks = Callbacks::default();
    callbacks.vm_init = Some(vm_init);
    callbacks.vm_death = Some(vm_death);
    callbacks.thread_end = Some(thread_end);
    callbacks.class_file_load_hook = Some(ignore_class);
    jvmti.set_event_callbacks(&callbacks)?;
    // Ahead-of-time caches hold classes that are linked without the hook. The JVM does not use one if somebody waits for
    // the hook now.
    jvmti.enable(Event::ClassFileLoadHook)?;
    jvmti.enable(Event::VmInit)?;
    jvmti.enable(Event::VmDeath)
}

/// Asks for classes to weave, in an environment of its own: the JVM calls environments in the order of their making. So
/// agents that transform classes once, as they are loaded, see them before they are woven, whatever the order of the command
/// line (coverage tools know a class by the bytes they see); those that transform them again get them woven.
fn hook_classes(jni: &Jni, first: Jvmti) -> Startup<()> {
    let own = environment(jni.vm()?)?;
    let mut callbacks = Callbacks::default();
    callbacks.class_file_load_hook = Some(class_file_load_hook);
    let hooked = own
        .add_capabilities(Capabilities::default().with(Capabilities::ALL_CLASS_HOOK_EVENTS))
        .and_then(|()| own.set_event_callbacks(&callbacks))
        .and_then(|()| own.enable(Event::ClassFileLoadHook))
        .and_then(|()| first.disable(Event::ClassFileLoadHook));
    hooked.map_err(|refused| refused.to_string())
}

/// Defines what woven code calls, and only if that went well asks for classes to weave.
unsafe extern "system" fn vm_init(env: *mut Env, jni: *mut JNIEnv, _thread: Thread) {
    guard(Point::VmInit, (), || {
        // SAFETY: the JVM gives the environment of this thread.
        let Some(jni) = (unsafe { Jni::new(jni) }) else { return };
        // SAFETY: the JVM gives its JVMTI environment.
        let jvmti = unsafe { Jvmti::new(env) };
        let Some(Agent { java, .. }) = agent() else { return };
        jvmti.keep();
        let started = define(&jni, java).and_then(|()| {
            if java.thread_ended.is_some() {
                jvmti.enable(Event::ThreadEnd).map_err(|refused| refused.to_string())?;
            }
            hook_classes(&jni, jvmti)
        });
        if let Err(reason) = started {
            trouble(&format!("nothing is recorded: {reason}"));
            return;
        }
        if let Err(reason) = hook_jdk(&jni) {
            trouble(&format!("methods of the JDK are not watched: {reason}"));
        }
    });
}

/// Asks for the JDK's classes that have hooks, in an environment of its own: only classes of an environment that can load
/// classes again reach its hook a second time, and those woven for recording must not.
fn hook_jdk(jni: &Jni) -> Startup<()> {
    let Some(agent) = agent().filter(|agent| !agent.hooks.is_empty()) else { return Ok(()) };
    let own = environment(jni.vm()?)?;
    hooks::install(own, &agent.hooks).map_err(|refused| refused.to_string())?;
    if !agent.java.sees_jni {
        return Ok(());
    }
    jni_sets::install(jni, own)?;
    array_natives::install(environment(jni.vm()?)?).map_err(|refused| refused.to_string())
}

fn slashed(name: &str) -> Result<CString, String> {
    CString::new(name.replace('.', "/")).map_err(|_| format!("{name} is no class name"))
}

fn define(jni: &Jni, java: &Java) -> Result<(), String> {
    for (name, bytes) in java.classes {
        jni.define_boot_class(&slashed(name)?, bytes)?;
    }
    let main = jni.find_class(&slashed(java.main)?)?;
    jni.remember_main(main);
    java.start.map_or(Ok(()), |start| jni.call_static(main, start))
}

/// Calls a method of the mode's class, if it has one for this.
fn call(jni: &Jni, method: impl FnOnce(&Java) -> Option<&'static CStr>) -> Result<(), String> {
    let Some(Agent { java, .. }) = agent() else { return Ok(()) };
    let Some(method) = method(java) else { return Ok(()) };
    jni.call_static(jni.find_class(&slashed(java.main)?)?, method)
}

/// A platform thread ends: its words are handed over and its chunk is given up.
unsafe extern "system" fn thread_end(_env: *mut Env, jni: *mut JNIEnv, _thread: Thread) {
    guard(Point::ThreadEnd, (), || {
        // SAFETY: the JVM gives the environment of this thread.
        if let Some(jni) = unsafe { Jni::new(jni) }
            && let Err(reason) = call(&jni, |java| java.thread_ended)
        {
            trouble(&reason);
        }
    });
}

/// The VM ends: by the last thread, by `System.exit` or by `Runtime.halt`.
unsafe extern "system" fn vm_death(_env: *mut Env, jni: *mut JNIEnv) {
    guard(Point::VmDeath, (), || {
        // SAFETY: the JVM gives the environment of this thread.
        if let Some(jni) = unsafe { Jni::new(jni) }
            && let Err(reason) = call(&jni, |java| java.finish)
        {
            trouble(&reason);
        }
    });
    // Whatever came before, the trace gets its end.
    guard(Point::LastWords, (), last_words);
    if let Err(panic) = catch(Point::LastWait, last_wait) {
        say(&format!(
            "internal error in the last wait: {panic}; the trace holds the tests that were finished"
        ));
    }
}

/// Reports what is known at the end alone.
fn last_words() {
    let Some(agent) = agent() else { return };
    if caught() > 0 {
        trouble(&format!("{} internal errors in the agent; see the first one above", caught()));
    }
    for pattern in agent.unmatched().filter(|_| !agent.options.quiet) {
        trouble(&format!("the pattern include={pattern} matched no class that was loaded"));
    }
}

/// Waits until the trace is whole.
fn last_wait() {
    let Some(agent) = agent() else { return };
    let ended =
        agent.analysis.send_within(Message::End, LAST_WAIT) && agent.finished.recv_timeout(LAST_WAIT).is_ok();
    if !ended && agent.is_recording() {
        say("the analysis did not end in time; the trace holds the tests that were finished");
    }
}

//! The weaver thread: class bytes in, those woven by the mode, or with the hooks of a class of the JDK, out.
//!
//! It knows nothing of the JVM, nor of what is woven. A thread of its own, with a deep stack, because classes are loaded at any
//! depth of the program's stacks, and a native stack overflow would end the JVM. Invariant: whatever goes wrong leaves the
//! class as it was, with the reason in the trace.

use crate::fault::Point;
use crate::guard::{catch, say};
use crate::hook_table::Hooks;
use crate::message::{Message, Outlet};
use crate::modes::Weave;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use dynaflow_model::sites::Declined;
use std::sync::Arc;

/// A class to weave.
struct Request {
    name: String,
    bytes: Vec<u8>,
    task: Task,
    reply: Sender<Option<Vec<u8>>>,
}

/// What is to be woven into a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// What the mode records.
    Record,
    /// The hooks of a class of the JDK.
    Hook,
}

/// The asking side, shared by all threads.
#[derive(Clone, Debug)]
pub struct WeaverOutlet(Sender<Request>);

/// The weaver thread's state.
pub struct Weaver {
    inlet: Receiver<Request>,
    outlet: Outlet,
    mode: Box<dyn Weave>,
    hooks: Arc<Hooks>,
    /// Whether a class could not be woven for an error of ours, which is said once.
    failed: bool,
}

impl Weaver {
    /// A weaver that announces classes through `outlet`.
    pub fn new(mode: Box<dyn Weave>, hooks: Arc<Hooks>, outlet: Outlet) -> (WeaverOutlet, Self) {
        let (sender, inlet) = unbounded();
        (WeaverOutlet(sender), Self { inlet, outlet, mode, hooks, failed: false })
    }

    /// Works until nobody can ask any more.
    pub fn run(&mut self) {
        while let Ok(request) = self.inlet.recv() {
            let woven = self.weave(&request);
            // Who asked may be gone with its JVM.
            let _ = request.reply.send(woven);
        }
    }

    /// Reports why no more classes are woven, should it be a panic.
    pub fn end(self, panic: Option<String>) {
        if let Some(panic) = panic {
            let text = format!(
                "internal error in the weaver thread: {panic}; classes loaded from now on are not recorded"
            );
            say(&text);
            self.outlet.send(Message::Note(text));
        }
    }

    /// The woven bytes, or none when the class stays as it is.
    fn weave(&mut self, request: &Request) -> Option<Vec<u8>> {
        let (name, bytes) = (&*request.name, &*request.bytes);
        let outcome = catch(Point::Weaving, || match request.task {
            Task::Record => self.mode.weave(name, bytes, &self.outlet),
            Task::Hook => self.hooks.weave(name, bytes, &self.outlet),
        })
        .unwrap_or_else(|panic| {
            let reason = format!("internal error while weaving: {panic}");
            if !std::mem::replace(&mut self.failed, true) {
                say(&format!("class {name}: {reason}; it and others with such an error are not recorded"));
            }
            Err(Declined { class: name.to_owned(), reason })
        });
        match outcome {
            Ok(woven) => woven,
            Err(declined) => {
                self.outlet.send(Message::Declined(declined));
                None
            }
        }
    }
}

impl WeaverOutlet {
    /// Asks for a class to be woven and waits; none leaves it as it is.
    pub fn weave(&self, name: String, bytes: Vec<u8>) -> Option<Vec<u8>> {
        self.ask(name, bytes, Task::Record)
    }

    /// Asks for the hooks of a class of the JDK and waits; none leaves it as it is.
    pub fn hook(&self, name: String, bytes: Vec<u8>) -> Option<Vec<u8>> {
        self.ask(name, bytes, Task::Hook)
    }

    fn ask(&self, name: String, bytes: Vec<u8>, task: Task) -> Option<Vec<u8>> {
        let (reply, answer) = bounded(1);
        self.0.send(Request { name, bytes, task, reply }).ok()?;
        answer.recv().ok().flatten()
    }
}

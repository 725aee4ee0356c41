//! The weaver thread: class bytes in, woven bytes out, with the sites announced to the analysis before.
//!
//! It knows nothing of the JVM. A thread of its own, with a deep stack, because classes are loaded at any depth of the
//! program's stacks, and a native stack overflow would end the JVM. Invariant: bytes are given back only after the
//! class's sites were sent; whatever goes wrong leaves the class as it was, with the reason in the trace.

use crate::fault::Point;
use crate::guard::{catch, say};
use crate::message::{Message, Outlet};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use dynaflow_instrument::{Plan, WeaveOptions};
use dynaflow_model::ids::SiteId;
use dynaflow_model::sites::{ClassHash, ClassSites, Declined};
use dynaflow_model::wire::{FIRST_SITE, SITE_LIMIT};
use std::collections::HashMap;
use std::sync::Arc;

/// A class to weave.
struct Request {
    name: String,
    bytes: Vec<u8>,
    reply: Sender<Option<Vec<u8>>>,
}

/// The asking side, shared by all threads.
#[derive(Clone, Debug)]
pub struct WeaverOutlet(Sender<Request>);

/// The weaver thread's state.
pub struct Weaver {
    inlet: Receiver<Request>,
    outlet: Outlet,
    options: WeaveOptions,
    next_site: u32,
    /// The first build of each class; another build of it is not recorded, a trace speaks of one.
    builds: HashMap<String, ClassHash>,
    /// Whether a class could not be woven for an error of ours, which is said once.
    failed: bool,
}

impl Weaver {
    /// A weaver that announces classes through `outlet`.
    pub fn new(options: WeaveOptions, outlet: Outlet) -> (WeaverOutlet, Self) {
        let (sender, inlet) = unbounded();
        (
            WeaverOutlet(sender),
            Self { inlet, outlet, options, next_site: FIRST_SITE, builds: HashMap::new(), failed: false },
        )
    }

    /// Works until nobody can ask any more.
    pub fn run(&mut self) {
        while let Ok(request) = self.inlet.recv() {
            let woven = self.weave(&request.name, &request.bytes);
            // Who asked may be gone with its JVM.
            let _ = request.reply.send(woven);
        }
    }

    /// Tells why no more classes are woven, should it be a panic.
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
    fn weave(&mut self, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        let outcome = catch(Point::Weaving, || self.try_weave(name, bytes)).unwrap_or_else(|panic| {
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

    fn try_weave(&mut self, name: &str, bytes: &[u8]) -> Result<Option<Vec<u8>>, Declined> {
        let plan = Plan::new(bytes, &self.options)?;
        let sites = Arc::new(plan.sites().clone());
        let base = self.place(&sites)?;
        let woven = plan.weave(base)?;
        self.builds.insert(sites.name.clone(), sites.hash);
        self.next_site = base + sites.sites.len() as u32;
        for declined in woven.declined {
            self.outlet.send(Message::Declined(declined));
        }
        let heard = self.outlet.send(Message::Class { base: SiteId(base), sites });
        debug_assert!(!name.contains('/'), "binary names have dots");
        Ok(heard.then_some(woven.bytes))
    }

    /// The number of the class's first site.
    fn place(&self, sites: &ClassSites) -> Result<u32, Declined> {
        let refuse = |reason: String| Err(Declined { class: sites.name.clone(), reason });
        if self.builds.get(&sites.name).is_some_and(|&first| first != sites.hash) {
            return refuse(format!(
                "another build of this class is recorded already (this one: {}); a trace speaks of one build",
                sites.hash
            ));
        }
        if sites.sites.len() as u64 + u64::from(self.next_site) > u64::from(SITE_LIMIT) {
            return refuse(format!(
                "more than {SITE_LIMIT} sites in one process; record fewer classes (include=)"
            ));
        }
        Ok(self.next_site)
    }
}

impl WeaverOutlet {
    /// Asks for a class to be woven and waits; none leaves it as it is.
    pub fn weave(&self, name: String, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let (reply, answer) = bounded(1);
        self.0.send(Request { name, bytes, reply }).ok()?;
        answer.recv().ok().flatten()
    }
}

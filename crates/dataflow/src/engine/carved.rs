//! The engine's part in carving: calls and values that test classes send, and results of our worker's statements.
//!
//! Knows nothing of state. Invariant: what no test class sent is not carved.

use super::Engine;
use crate::carving;
use crate::state::State;
use crate::thread::Thread;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::words;

impl Engine {
    /// A value word: the result of what returned just before, or an argument of the next call.
    pub(super) fn value(&mut self, thread: &mut Thread, words: &[u64]) {
        let State { registry, runtime, graph, tests, views, .. } = &mut self.state;
        let returning = thread.returning.take();
        if returning == Some(0) {
            let object = words::payload_of(words.first().copied().unwrap_or_default());
            if words::site_of(words.first().copied().unwrap_or_default()) == words::VALUE_OBJECT {
                tests.result(&mut thread.attribution, ObjectId(object));
            }
            return;
        }
        let (Some(carver), true) = (tests.carver.as_mut(), thread.in_test_class()) else {
            return;
        };
        let tag_of = |object: ObjectId| {
            let view = views.get(&object.0).copied();
            view.or_else(|| graph.find(object.0).map(|node| graph.tag(node)))
        };
        let class_of = |object: ObjectId| Some(runtime.name(tag_of(object)?, registry)?.to_owned());
        let value = carving::carried(words, &self.texts, class_of);
        match returning {
            Some(_) => carver.returned(thread.attribution.thread, value),
            None => carver.argument(thread.attribution.thread, value),
        }
    }

    /// A test class calls something or gets hold of a reference.
    pub(super) fn call(&mut self, thread: &mut Thread, site: u32, receiver: ObjectId) {
        thread.returning = None;
        let State { registry, tests, .. } = &mut self.state;
        if let (Some(carver), true) = (tests.carver.as_mut(), thread.in_test_class()) {
            let (kind, class) = registry.kind(registry.op(site));
            carver.call(thread.attribution.thread, kind, class, receiver);
        }
    }
}

//! The engine's part in whose facts they are: it reports to the tests which methods are tests, and which thread made which.
//!
//! Knows nothing of state. Invariant: what it reports of another thread is what that thread did before in the order of events.

use super::Engine;
use crate::decode::Event;
use crate::registry::OpKind;
use crate::state::State;
use crate::thread::Thread;
use dynaflow_model::facts::TestEnd;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sites::TestRole;

impl Engine {
    pub(super) fn test_event(&mut self, thread: &mut Thread, event: Event) {
        let end = |threw: bool| if threw { TestEnd::Threw } else { TestEnd::Returned };
        let who = &mut thread.attribution;
        match event {
            Event::StartedBy(number) => {
                who.started_by = Some(number);
                let starter = self.thread_numbered(number).map(|starter| &starter.attribution);
                who.inherit(starter);
            }
            Event::TestBegin(text) => {
                let name = self.texts.get(&text).cloned().unwrap_or_else(|| format!("#{text}"));
                self.state.tests.begin(who, name);
            }
            Event::Statement(index) => self.state.tests.statement(who, index),
            Event::TestEnd(failed) => self.state.tests.end(who, end(failed)),
            Event::TestMethod(instance, site, suite) => {
                thread.suite = suite;
                let name = self.test_name(instance, site);
                let prepared = who.has_prepared();
                if self.state.tests.enter_method(who, site, name) && !prepared {
                    self.prepared_elsewhere(thread);
                }
            }
            Event::TestMethodEnd(threw, site) => {
                let ended = self.state.tests.leave_method(who, site, end(threw));
                if ended {
                    self.ended_elsewhere(thread);
                }
            }
            _ => {}
        }
    }

    /// A test began on a thread that prepared nothing. If another one made it, as for tests with a time limit, what was
    /// prepared there was for this test.
    fn prepared_elsewhere(&mut self, thread: &mut Thread) {
        let starter = thread.attribution.started_by.and_then(|number| self.thread_numbered(number));
        let preparation = starter.and_then(|starter| starter.attribution.take_preparation());
        if let Some(preparation) = preparation {
            self.state.tests.prepared(&mut thread.attribution, preparation);
        }
    }

    /// A test ended that was prepared on another thread: what runs after it will run there.
    fn ended_elsewhere(&mut self, thread: &Thread) {
        let starter = thread.attribution.started_by.filter(|_| thread.attribution.is_prepared_elsewhere());
        if let Some(starter) = starter.and_then(|number| self.thread_numbered(number)) {
            starter.attribution.ended_elsewhere(&thread.attribution);
        }
    }

    fn thread_numbered(&mut self, number: u32) -> Option<&mut Thread> {
        self.threads.get_mut(*self.thread_numbers.get(&number)?)?.as_mut()
    }

    /// The name of the test a method of a test class is; none when its class is no test class.
    fn test_name(&mut self, instance: ObjectId, site: u32) -> Option<String> {
        let State { registry, runtime, graph, .. } = &mut self.state;
        let op = registry.op(site);
        if matches!(op.kind, OpKind::Unknown) {
            return None;
        }
        let info = registry.method(op.method);
        let counts = match info.role {
            TestRole::MaybeTest => runtime.is_test_case(info.class, registry),
            _ => runtime.is_test_class(info.class, registry),
        };
        let (declaring, method) = registry.test_names(op.method);
        let node = graph.find(instance.0).filter(|_| instance.is_object());
        let class = node.and_then(|node| runtime.name(graph.tag(node), registry)).unwrap_or(declaring);
        counts.then(|| format!("{class}#{method}"))
    }
}

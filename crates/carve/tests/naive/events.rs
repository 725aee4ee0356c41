//! Events of test frames as a list, and what a search of the list shows. Knows nothing of statements.
//!
//! Invariant: every answer depends on the list and the place asked about alone.

use dynaflow_carve::Carried;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sites::SiteKind;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Begin(String),
    End,
    Argument(Carried),
    Call(SiteKind, ObjectId),
    Returned(Carried),
    Entered { in_test: bool },
    Teardown,
    Left,
}

/// Something that happened, and the thread: 1 or 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub thread: u64,
    pub what: What,
}

/// A frame that is active.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub in_test: bool,
    pub teardown: bool,
}

/// The frames that a thread entered from one event on and did not leave before another, outermost first.
pub fn frames(events: &[Event], thread: u64, from: usize, to: usize) -> Vec<Frame> {
    let mut active = vec![];
    for event in events[from..to].iter().filter(|event| event.thread == thread) {
        match event.what {
            What::Entered { in_test } => active.push(Frame { in_test, teardown: false }),
            What::Teardown => active.last_mut().unwrap().teardown = true,
            What::Left => {
                active.pop();
            }
            _ => {}
        }
    }
    active
}

/// The arguments sent before a call, since the thread's call before it.
pub fn arguments(events: &[Event], call: usize) -> Vec<Carried> {
    let own = events[..call].iter().filter(|event| event.thread == events[call].thread);
    let mut found: Vec<Carried> = own
        .rev()
        .take_while(|event| !matches!(event.what, What::Call(..)))
        .filter_map(|event| match &event.what {
            What::Argument(value) => Some(value.clone()),
            _ => None,
        })
        .collect();
    found.reverse();
    found
}

/// Whether a frame of the program began between a call and its end.
pub fn runs_program(events: &[Event], call: usize, end: usize) -> bool {
    let own = events[call..end].iter().filter(|event| event.thread == events[call].thread);
    own.into_iter().any(|event| event.what == What::Entered { in_test: false })
}

/// The class whose frames make the calls.
pub const TEST: &str = "a.OuterTest";

/// All events, with what is asked about each of them most often.
pub struct Log {
    pub events: Vec<Event>,
    /// How many frames are active on the event's thread just before it.
    pub depths: Vec<usize>,
    /// For each call the event with which it ends: whatever its frame does next, a return or something that shows an exception.
    pub ends: Vec<Option<usize>>,
}

impl Log {
    pub fn new(events: Vec<Event>) -> Self {
        let all = 0..events.len();
        let depths: Vec<usize> =
            all.clone().map(|at| frames(&events, events[at].thread, 0, at).len()).collect();
        let end = |call: usize| {
            (call + 1..events.len()).find(|at| {
                let shows = matches!(events[*at].what, What::Returned(_) | What::Call(..) | What::Left);
                shows && events[*at].thread == events[call].thread && depths[*at] == depths[call]
            })
        };
        let ends = all.map(end).collect();
        Self { events, depths, ends }
    }
}

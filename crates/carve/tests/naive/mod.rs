//! The definition of carving read once more, slowly: every question is answered by searching the complete list of events.
//!
//! Knows nothing of how the carver keeps threads, frames or variables. Invariant: depths, enclosing calls and ends of calls
//! are found anew from the events each time; the only thing built up is the list of statements itself.

pub mod events;
pub mod tape;
pub mod world;

use dynaflow_carve::{Carried, Limits};
use dynaflow_model::descriptor;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sequence::{Arg, CarvedTest, Operation, Value};
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef, Origin, SiteKind};
use events::{Event, Log, TEST, What};
use std::collections::{BTreeMap, BTreeSet};
use tape::NaiveTape;

/// What a call event was judged to be when it happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Judged {
    /// A statement.
    Statement(u32),
    /// A statement that is taken back when it gives nothing new.
    Read(u32),
    /// No statement, but what happens inside is judged.
    Open { check: bool },
    /// Neither it nor what happens inside is a statement.
    LeftOut,
    /// As before, and its result belongs to the finished test.
    Late,
}

/// What carving the events gives.
pub struct Naive<'e> {
    log: &'e Log,
    limits: Limits,
    judged: BTreeMap<usize, Judged>,
    tape: NaiveTape,
    fixtures: NaiveTape,
    checks: BTreeSet<ObjectId>,
    /// Objects that calls left over from a finished test returned, with the event.
    late: Vec<(ObjectId, usize)>,
    /// First sightings of objects in the test that ended last.
    ended: Vec<ObjectId>,
    /// One for each test.
    pub tests: Vec<CarvedTest>,
    /// After each event, by thread, the statement being executed.
    pub current: Vec<[Option<u32>; 2]>,
}

impl<'e> Naive<'e> {
    /// Reads all events.
    pub fn read(log: &'e Log, limits: Limits) -> Self {
        let mut naive = Self {
            log,
            limits,
            judged: BTreeMap::new(),
            tape: NaiveTape::default(),
            fixtures: NaiveTape::default(),
            checks: BTreeSet::new(),
            late: vec![],
            ended: vec![],
            tests: vec![],
            current: vec![],
        };
        for at in 0..log.events.len() {
            naive.at(at);
            let current = [1, 2].map(|thread| naive.executing(thread, at + 1));
            naive.current.push(current);
        }
        naive
    }

    fn at(&mut self, at: usize) {
        let event = &self.log.events[at];
        self.note_exceptions(at);
        match &event.what {
            What::Begin(name) => self.begin(at, name),
            What::End => self.end(),
            What::Call(site, receiver) => self.call(at, site, *receiver),
            What::Returned(result) => self.returned(at, result),
            What::Entered { in_test: true } => self.helper_shown(at),
            What::Argument(_) | What::Entered { .. } | What::Teardown | What::Left => {}
        }
    }

    fn begin(&mut self, at: usize, name: &str) {
        let class = name.split('#').next().unwrap();
        let before = self.log.events[..at].iter().rev().find_map(|event| match &event.what {
            What::Begin(earlier) => earlier.split('#').next(),
            _ => None,
        });
        if before != Some(class) {
            self.fixtures = NaiveTape::default();
        }
        let all: Vec<u32> = (0..self.tape.len()).collect();
        self.fixtures.copy(&self.tape, &all, &self.limits);
        self.tape.body_begins();
    }

    fn end(&mut self) {
        let tape = std::mem::take(&mut self.tape);
        self.ended = tape.first_seen_in_body();
        self.checks.clear();
        self.tests.push(tape.finish());
    }

    /// A call whose frame went on without a return was left by an exception: noted at the event that shows it.
    fn note_exceptions(&mut self, at: usize) {
        let calls: Vec<usize> = self.judged.keys().copied().collect();
        for call in calls.into_iter().rev() {
            let ended_here = self.log.ends[call] == Some(at);
            let returns = matches!(self.log.events[at].what, What::Returned(_));
            if ended_here
                && !returns
                && let Judged::Statement(index) | Judged::Read(index) = self.role(call, at)
            {
                self.tape.threw(index);
            }
        }
    }

    /// The role of a call as it stands just before an event: helpers and the end of a test change it.
    fn role(&self, call: usize, now: usize) -> Judged {
        let judged = self.judged[&call];
        if !matches!(judged, Judged::Statement(_) | Judged::Read(_)) {
            return judged;
        }
        let thread = self.log.events[call].thread;
        for at in call + 1..now {
            let event = &self.log.events[at];
            if event.what == What::End {
                return Judged::Late;
            }
            let directly = self.log.depths[at] == self.log.depths[call];
            if event.thread == thread && directly && event.what == (What::Entered { in_test: true }) {
                return Judged::Open { check: false };
            }
        }
        judged
    }

    /// The calls of a thread that have begun and not ended before an event, outermost first.
    fn around(&self, thread: u64, now: usize) -> Vec<usize> {
        let open = |call: &usize| {
            self.log.events[*call].thread == thread && self.log.ends[*call].is_none_or(|end| end > now)
        };
        self.judged.keys().copied().filter(|call| *call < now).filter(open).collect()
    }

    /// The statement a thread executes just before an event.
    fn executing(&self, thread: u64, now: usize) -> Option<u32> {
        let ended = |call: usize| self.log.ends[call].is_some_and(|end| end < now);
        let own = self.judged.keys().rev().filter(|call| self.log.events[**call].thread == thread);
        own.filter(|call| !ended(**call)).find_map(|call| match self.role(*call, now) {
            Judged::Statement(index) | Judged::Read(index) => Some(index),
            _ => None,
        })
    }

    /// Whether something stands between a call and the test that makes it no statement.
    fn is_inside(&self, at: usize) -> bool {
        let thread = self.log.events[at].thread;
        let around = self.around(thread, at);
        let left_out =
            around.iter().any(|call| matches!(self.role(*call, at), Judged::LeftOut | Judged::Late));
        let first = around.first().copied();
        let in_program = first.is_some_and(|call| {
            events::frames(&self.log.events, thread, call, at).iter().any(|frame| !frame.in_test)
        });
        let in_teardown = events::frames(&self.log.events, thread, 0, at).iter().any(|frame| frame.teardown);
        left_out || in_program || in_teardown
    }

    /// Whether a call touches the test that is over, before the next one begins.
    fn is_late(&self, at: usize, objects: &[ObjectId]) -> bool {
        let bound = |event: &Event| matches!(event.what, What::Begin(_) | What::End);
        let last = self.log.events[..at].iter().rposition(bound);
        let between = last.is_none_or(|last| self.log.events[last].what == What::End);
        let late = |o: &ObjectId| self.late.iter().any(|(seen, when)| seen == o && Some(*when) > last);
        between && last.is_some() && objects.iter().any(|o| self.ended.contains(o) || late(o))
    }

    fn call(&mut self, at: usize, site: &SiteKind, receiver: ObjectId) {
        let arguments = events::arguments(&self.log.events, at);
        let inside = self.is_inside(at);
        let mut touched = vec![receiver];
        touched.extend(arguments.iter().filter_map(object_of));
        let late = self.is_late(at, &touched);
        if matches!(site, SiteKind::Origin { origin: Origin::ArrayStore }) {
            if !inside && !late {
                self.store(receiver, &arguments);
            }
            return;
        }
        let judged = match (inside, late) {
            (true, _) => Judged::LeftOut,
            (false, true) => Judged::Late,
            (false, false) => match site {
                SiteKind::Call { callee, kind } => self.method(at, callee, *kind, receiver, &arguments),
                SiteKind::Origin { origin } => self.origin(origin, receiver, &arguments),
                _ => None,
            }
            .unwrap_or(Judged::LeftOut),
        };
        if matches!(judged, Judged::Statement(_) | Judged::Read(_)) {
            let other = 3 - self.log.events[at].thread;
            if self.executing(other, at).is_some() {
                self.tape.trouble("calls of several threads overlap".to_owned());
            }
        }
        self.judged.insert(at, judged);
    }

    fn method(
        &mut self,
        at: usize,
        callee: &MethodRef,
        kind: CallKind,
        receiver: ObjectId,
        arguments: &[Carried],
    ) -> Option<Judged> {
        let owner = callee.owner.as_str();
        let unknown = receiver.is_object() && self.tape.holder(receiver).is_none();
        let exception = owner.ends_with("Exception") || owner == "java.lang.Throwable";
        let library = owner.starts_with("org.");
        if library || self.checks.contains(&receiver) || exception && unknown && callee.name == "getMessage" {
            return Some(Judged::Open { check: true });
        }
        let test = TEST;
        let value = owner.starts_with("java.lang.") && owner != "java.lang.Object" && !exception;
        let compiler = ["requireNonNull", "getClass"].contains(&callee.name.as_str());
        if owner == test
            || test.starts_with(&format!("{owner}$"))
            || value
            || compiler
            || receiver == ObjectId::SINK
        {
            return Some(Judged::Open { check: false });
        }
        let result = match kind {
            CallKind::Constructor => descriptor::of_class(owner),
            _ => descriptor::result(&callee.descriptor).to_owned(),
        };
        if let Some(what) = self.why_not(callee, kind, test, receiver) {
            let index = self.tape.push(Operation::Opaque(what), &result, &self.limits)?;
            self.tape.changes_state(index);
            return Some(Judged::Statement(index));
        }
        let parameters = descriptor::parameters(&callee.descriptor);
        let given = arguments.get(arguments.len().checked_sub(parameters.len())?..)?;
        let on = match kind {
            CallKind::Static | CallKind::Constructor => None,
            _ => Some(self.receiver(at, receiver, owner)?),
        };
        let mut args = vec![];
        for (value, parameter) in given.iter().zip(parameters) {
            args.push(self.arg(value, parameter)?);
        }
        let method = callee.clone();
        let operation = match kind {
            CallKind::Constructor => Operation::New { constructor: method, args },
            _ => Operation::Call { method, kind, receiver: on, args },
        };
        self.tape.push(operation, &result, &self.limits).map(Judged::Statement)
    }

    /// What a call is made on: of a constant of an enum what gave it last in this test, or its field.
    fn receiver(&mut self, at: usize, object: ObjectId, owner: &str) -> Option<Arg> {
        let seen = self.log.events[..at].iter().find_map(|event| match &event.what {
            What::Argument(Carried::Constant { object: of, class, name })
            | What::Returned(Carried::Constant { object: of, class, name })
                if *of == object =>
            {
                Some((class, name))
            }
            _ => None,
        });
        let Some((class, name)) = seen else {
            return self.arg(&Carried::Object(object, None), &descriptor::of_class(owner));
        };
        if let Some(index) = self.tape.constant(object) {
            return Some(Arg::Var(index));
        }
        let of = descriptor::of_class(class);
        let field = FieldRef { owner: class.clone(), name: name.clone(), descriptor: of.clone() };
        let index = self.tape.push(Operation::GetStatic(field), &of, &self.limits)?;
        self.tape.gives_constant(index, object, class);
        Some(Arg::Var(index))
    }

    /// Why a call cannot be repeated, if it cannot.
    fn why_not(&self, callee: &MethodRef, kind: CallKind, test: &str, receiver: ObjectId) -> Option<String> {
        let name = format!("{}.{}", callee.owner, callee.name);
        if callee.owner.starts_with(&format!("{test}$")) {
            return Some(format!("call of {name}, which belongs to the test class"));
        }
        if kind == CallKind::Special {
            return Some(format!("call of {name} by `super`"));
        }
        let made = self.tape.statement(self.tape.holder(receiver)?);
        let class = made.runtime_class.clone()?;
        let mock = matches!(made.operation, Operation::Opaque(_)) && class.contains("$MockitoMock$");
        mock.then(|| format!("call of {name} on an object of class {class}"))
    }

    fn origin(&mut self, origin: &Origin, receiver: ObjectId, args: &[Carried]) -> Option<Judged> {
        let test = TEST;
        let of_test = |f: &FieldRef| f.owner == test || f.owner.starts_with(&format!("{test}$"));
        let (operation, result) = match origin {
            Origin::StaticField(field) | Origin::InstanceField(field) if of_test(field) => {
                let what = format!("field {}.{} of the test class", field.owner, field.name);
                (Operation::Opaque(what), field.descriptor.clone())
            }
            Origin::StaticField(field) => (Operation::GetStatic(field.clone()), field.descriptor.clone()),
            Origin::InstanceField(field) => {
                let owner = descriptor::of_class(&field.owner);
                let object = self.arg(&Carried::Object(receiver, None), &owner)?;
                (Operation::GetField { field: field.clone(), object }, field.descriptor.clone())
            }
            Origin::NewArray(descriptor) => {
                let length = index_of(args.last()?)?;
                let operation = Operation::NewArray { descriptor: descriptor.clone(), length };
                return self.tape.push(operation, descriptor, &self.limits).map(Judged::Statement);
            }
            Origin::Opaque(what) => (Operation::Opaque(what.clone()), "Ljava/lang/Object;".to_owned()),
            Origin::ArrayStore => return None,
        };
        self.tape.push(operation, &result, &self.limits).map(Judged::Read)
    }

    fn store(&mut self, array: ObjectId, arguments: &[Carried]) {
        let [.., index, value] = arguments else { return };
        let Some(index) = index_of(index) else { return };
        let array = self.arg(&Carried::Object(array, None), "[Ljava/lang/Object;");
        let Some(Arg::Var(variable)) = array else { return };
        let of = self.tape.statement(variable).result.clone();
        let component = descriptor::component(&of).unwrap_or("Ljava/lang/Object;");
        let Some(value) = self.arg(value, component) else { return };
        let store = Operation::ArrayStore { array: Arg::Var(variable), index, value };
        self.tape.push(store, "V", &self.limits);
    }

    /// What stands for a value in a place of the given type.
    fn arg(&mut self, carried: &Carried, wanted: &str) -> Option<Arg> {
        let (object, class) = match carried {
            Carried::Void => return None,
            Carried::Value(Value::Str(text)) if text.len() > self.limits.string => {
                let limit = self.limits.string;
                let what = format!("a string of {} bytes, longer than the limit of {limit}", text.len());
                return self.tape.push(Operation::Opaque(what), wanted, &self.limits).map(Arg::Var);
            }
            Carried::Value(value) => return Some(Arg::Value(as_typed(value, wanted))),
            Carried::Constant { class, name, .. } => {
                return Some(Arg::Value(Value::Enum(class.clone(), name.clone())));
            }
            Carried::Object(ObjectId::NULL, _) => return Some(Arg::Value(Value::Null)),
            Carried::Object(object, class) => (*object, class.clone()),
        };
        self.recall(object);
        if let Some(index) = self.tape.holder(object) {
            return Some(Arg::Var(index));
        }
        self.unknown(object, class, wanted).map(Arg::Var)
    }

    fn unknown(&mut self, object: ObjectId, class: Option<String>, wanted: &str) -> Option<u32> {
        let named = class.clone().or(descriptor::class_of(wanted)).unwrap_or("java.lang.Object".to_owned());
        let what = format!("object of class {named} made outside the test's calls");
        let result = class.as_deref().map_or(wanted.to_owned(), descriptor::of_class);
        let index = self.tape.push(Operation::Opaque(what), &result, &self.limits)?;
        self.tape.gives(index, object, class);
        Some(index)
    }

    fn recall(&mut self, object: ObjectId) {
        if self.tape.holder(object).is_none()
            && let Some(made) = self.fixtures.holder(object)
        {
            let part = self.fixtures.component(made);
            let fixtures = self.fixtures.clone();
            self.tape.copy(&fixtures, &part, &self.limits);
        }
    }

    /// A frame of the test class: the call that entered it directly is a helper.
    fn helper_shown(&mut self, at: usize) {
        let thread = self.log.events[at].thread;
        let Some(call) = self.around(thread, at).pop() else { return };
        let directly = self.log.depths[at] == self.log.depths[call];
        if let (true, Judged::Statement(index) | Judged::Read(index)) = (directly, self.role(call, at)) {
            self.tape.take_back(index);
        }
    }

    fn returned(&mut self, at: usize, result: &Carried) {
        let Some(call) = self.judged.keys().copied().find(|c| self.log.ends[*c] == Some(at)) else {
            return;
        };
        if let Carried::Constant { object, class, .. } = result {
            return self.constant_returned(at, call, *object, class);
        }
        let Carried::Object(object, class) = result else {
            if let Judged::Read(index) = self.role(call, at)
                && !events::runs_program(&self.log.events, call, at)
            {
                self.tape.take_back(index);
            }
            return;
        };
        let (object, class) = (*object, class.clone());
        let unknown = object.is_object() && self.tape.holder(object).is_none();
        match self.role(call, at) {
            Judged::Statement(index) => self.tape.gives(index, object, class),
            Judged::Read(index) => {
                let of_fixture = self.fixtures.holder(object).is_some();
                if events::runs_program(&self.log.events, call, at) || unknown && !of_fixture {
                    self.tape.gives(index, object, class);
                } else {
                    self.tape.take_back(index);
                    self.recall(object);
                }
            }
            Judged::Open { check: true } if unknown => {
                if class.as_deref().is_some_and(|name| name.contains("$MockitoMock$")) {
                    self.unknown(object, class, "Ljava/lang/Object;");
                } else {
                    self.checks.insert(object);
                }
            }
            Judged::Late if object.is_object() => self.late.push((object, at)),
            _ => {}
        }
    }

    fn constant_returned(&mut self, at: usize, call: usize, object: ObjectId, class: &str) {
        match self.role(call, at) {
            Judged::Statement(index) => self.tape.gives_constant(index, object, class),
            Judged::Read(index) if events::runs_program(&self.log.events, call, at) => {
                self.tape.gives_constant(index, object, class);
            }
            Judged::Read(index) => self.tape.take_back(index),
            _ => {}
        }
    }
}

fn object_of(carried: &Carried) -> Option<ObjectId> {
    match carried {
        Carried::Object(object, _) => Some(*object),
        _ => None,
    }
}

fn index_of(carried: &Carried) -> Option<u32> {
    match carried {
        Carried::Value(Value::Int(int)) => u32::try_from(*int).ok(),
        _ => None,
    }
}

/// The wire knows ints only: what the place asks for.
fn as_typed(value: &Value, wanted: &str) -> Value {
    match (value, wanted) {
        (Value::Int(int), "Z") => Value::Bool(*int != 0),
        (Value::Int(int), "B") => Value::Byte(*int as i8),
        (Value::Int(int), "C") => Value::Char(*int as u16),
        (Value::Int(int), "S") => Value::Short(*int as i16),
        (other, _) => other.clone(),
    }
}

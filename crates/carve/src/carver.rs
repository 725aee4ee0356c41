//! Which calls become statements of which test.
//!
//! Knows nothing of how statements are kept (`tape`) or of what one thread is doing (`thread`). Invariant: what belongs to no
//! test is in no sequence.

use crate::carried::{Carried, Limits};
use crate::kinds;
use crate::tape::Tape;
use crate::thread::{Role, Thread};
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sequence::{Arg, CarvedTest, Operation, Value};
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef, Origin, SiteKind};
use dynaflow_model::{descriptor, frameworks};
use rustc_hash::{FxHashMap, FxHashSet};

/// Builds the sequences. One for a process; threads are distinguished by a number of the caller's choice.
#[derive(Clone, Debug, Default)]
pub struct Carver {
    limits: Limits,
    threads: FxHashMap<u64, Thread>,
    tape: Tape,
    /// What fixtures of the class did outside its tests so far: later tests may hold the objects.
    prologue: Tape,
    test_class: String,
    in_test: bool,
    /// Objects of the test that ended last: what touches them between tests is teardown.
    stale: FxHashSet<ObjectId>,
    /// Objects that test libraries made to report on the test.
    checks: FxHashSet<ObjectId>,
    /// The constants of enums that were seen: binary name of the enum, name of the constant.
    constants: FxHashMap<ObjectId, (String, String)>,
}

impl Carver {
    /// A carver with the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// A carver with other limits.
    pub fn with_limits(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// A test method begins, `a.OuterTest#probeTwice`. What was carved since the last test ended is its beginning.
    pub fn begin_test(&mut self, name: &str) {
        let class = name.split('#').next().unwrap_or(name);
        if class != self.test_class {
            class.clone_into(&mut self.test_class);
            self.prologue = Tape::default();
        }
        self.prologue.append(&self.tape, &self.limits);
        self.tape.start_body();
        self.stale.clear();
        self.in_test = true;
    }

    /// The test method ended: gives what was carved. What follows belongs to the next test.
    pub fn end_test(&mut self) -> CarvedTest {
        let mut tape = std::mem::take(&mut self.tape);
        self.stale = tape.take_fresh();
        self.checks.clear();
        self.in_test = false;
        self.threads.retain(|_, thread| !thread.is_idle());
        self.threads.values_mut().for_each(Thread::forget_statements);
        let (sequence, obstacle) = tape.finish();
        CarvedTest { sequence, obstacle }
    }

    /// An argument value of the thread's next call, in the order of the parameters.
    pub fn argument(&mut self, thread: u64, value: Carried) {
        self.note_constant(&value);
        self.threads.entry(thread).or_default().arguments.push(value);
    }

    /// A frame of the test class `test_class` is about to make a call, or got hold of a reference otherwise. `site` is a
    /// [`SiteKind::Call`] or [`SiteKind::Origin`]; others are no calls. `receiver` is null for static calls and
    /// constructors.
    pub fn call(&mut self, thread: u64, site: &SiteKind, test_class: &str, receiver: ObjectId) {
        self.unwind(thread);
        let state = self.threads.entry(thread).or_default();
        let arguments = std::mem::take(&mut state.arguments);
        let inside = state.is_inside();
        if matches!(site, SiteKind::Origin { origin: Origin::ArrayStore }) {
            if !inside {
                self.array_store(receiver, arguments);
            }
            return;
        }
        let role =
            if inside { Role::Ignored } else { self.role(thread, site, test_class, receiver, arguments) };
        self.threads.entry(thread).or_default().begin(role);
    }

    /// The thread's innermost call returned this.
    pub fn returned(&mut self, thread: u64, result: Carried) {
        self.note_constant(&result);
        let Some(pending) = self.threads.get_mut(&thread).and_then(Thread::end) else { return };
        match pending.role {
            Role::Statement(index) => self.hold(index, result),
            Role::Read(index) => self.read(index, result, pending.entered),
            Role::Transparent { check: true } => self.made_by_library(result),
            Role::Stale => {
                if let Carried::Object(object, _) = result
                    && object.is_object()
                {
                    self.stale.insert(object);
                }
            }
            Role::Transparent { check: false } | Role::Ignored | Role::Teardown => {}
        }
    }

    /// A frame of a woven class begins on the thread.
    pub fn entered(&mut self, thread: u64, in_test_class: bool) {
        let helper = self.threads.entry(thread).or_default().enter(in_test_class);
        if let Some(index) = helper {
            self.tape.take_back(index);
        }
    }

    /// The frame entered last runs after a test (`@After`, `@AfterClass`): nothing it does belongs to a test.
    pub fn teardown_entered(&mut self, thread: u64) {
        self.threads.entry(thread).or_default().begin_teardown();
    }

    /// The frame on top of the thread ends, by a return or an exception.
    pub fn left(&mut self, thread: u64, in_test_class: bool) {
        self.unwind(thread);
        if let Some(state) = self.threads.get_mut(&thread) {
            state.leave(in_test_class);
        }
    }

    /// The statement the thread is executing.
    pub fn current_statement(&self, thread: u64) -> Option<u32> {
        self.threads.get(&thread)?.statement()
    }

    /// The statement whose result is this object. An object a statement makes is known once that statement returned, so
    /// the best moment to ask is the end of the test, before [`Self::end_test`].
    pub fn variable_of(&self, object: ObjectId) -> Option<u32> {
        self.tape.variable_of(object)
    }

    /// Calls of the frame on top that did not return were left by an exception.
    fn unwind(&mut self, thread: u64) {
        let Some(state) = self.threads.get_mut(&thread) else { return };
        while let Some(role) = state.unwound() {
            if let Role::Statement(index) | Role::Read(index) = role {
                self.tape.threw(index);
            }
        }
    }

    fn role(
        &mut self,
        thread: u64,
        site: &SiteKind,
        test_class: &str,
        receiver: ObjectId,
        arguments: Vec<Carried>,
    ) -> Role {
        if self.is_teardown(receiver, &arguments) {
            return Role::Stale;
        }
        let role = match site {
            SiteKind::Call { callee, kind } => {
                self.method_call(callee, *kind, test_class, receiver, arguments)
            }
            SiteKind::Origin { origin } => self.origin(origin, test_class, receiver, &arguments),
            _ => None,
        };
        if role.is_some_and(|role| matches!(role, Role::Statement(_) | Role::Read(_))) {
            self.note_overlap(thread);
        }
        role.unwrap_or(Role::Ignored)
    }

    /// Whether a call between tests touches objects of the test that is over.
    fn is_teardown(&self, receiver: ObjectId, arguments: &[Carried]) -> bool {
        let touches = |carried: &Carried| matches!(carried, Carried::Object(o, _) if self.stale.contains(o));
        !self.in_test && (self.stale.contains(&receiver) || arguments.iter().any(touches))
    }

    fn note_overlap(&mut self, thread: u64) {
        let overlaps = self.threads.iter().any(|(&other, t)| other != thread && t.statement().is_some());
        if overlaps {
            self.tape.note_trouble(|| "calls of several threads overlap".to_owned());
        }
    }

    fn method_call(
        &mut self,
        callee: &MethodRef,
        kind: CallKind,
        test_class: &str,
        receiver: ObjectId,
        arguments: Vec<Carried>,
    ) -> Option<Role> {
        if frameworks::is_test_library(&callee.owner) || self.checks.contains(&receiver) {
            return Some(Role::Transparent { check: true });
        }
        let foreign = receiver.is_object() && self.tape.variable_of(receiver).is_none();
        if foreign && kinds::asks_exception(&callee.owner, &callee.name) {
            return Some(Role::Transparent { check: true });
        }
        // A helper of the test class shows what it does when it is entered; what is not entered is inherited from a library.
        let of_test = callee.owner == test_class || kinds::is_local_to(test_class, &callee.owner);
        let of_value = receiver == ObjectId::SINK || kinds::is_value_class(&callee.owner);
        if of_test || of_value || kinds::is_null_check(&callee.owner, &callee.name) {
            return Some(Role::Transparent { check: false });
        }
        let result = result_of(callee, kind);
        if let Some(what) = self.not_rebuilt(callee, kind, test_class, receiver) {
            let index = self.tape.push(Operation::Opaque(what), result, &self.limits)?;
            self.tape.has_effect(index);
            return Some(Role::Statement(index));
        }
        let operation = self.operation(callee, kind, receiver, arguments)?;
        self.tape.push(operation, result, &self.limits).map(Role::Statement)
    }

    /// Why a call can be no statement of a generated test.
    fn not_rebuilt(
        &self,
        callee: &MethodRef,
        kind: CallKind,
        test_class: &str,
        receiver: ObjectId,
    ) -> Option<String> {
        let name = format!("{}.{}", callee.owner, callee.name);
        if kinds::is_local_to(&callee.owner, test_class) {
            return Some(format!("call of {name}, which belongs to the test class"));
        }
        if kind == CallKind::Special {
            return Some(format!("call of {name} by `super`"));
        }
        let holder = self.tape.variable_of(receiver).and_then(|v| self.tape.statement(v))?;
        let class = holder.runtime_class.as_deref()?;
        let mock = matches!(holder.operation, Operation::Opaque(_)) && kinds::is_made_at_run_time(class);
        mock.then(|| format!("call of {name} on an object of class {class}"))
    }

    fn operation(
        &mut self,
        callee: &MethodRef,
        kind: CallKind,
        receiver: ObjectId,
        mut arguments: Vec<Carried>,
    ) -> Option<Operation> {
        let parameters = descriptor::parameters(&callee.descriptor);
        // What an abandoned call left behind stands before the arguments of this one.
        let mut given = arguments.split_off(arguments.len().checked_sub(parameters.len())?).into_iter();
        let on = match kind {
            CallKind::Static | CallKind::Constructor => None,
            _ => Some(self.receiver(receiver, &callee.owner)?),
        };
        let mut args = vec![];
        for parameter in parameters {
            args.push(self.arg(given.next()?, parameter)?);
        }
        let method = callee.clone();
        Some(match kind {
            CallKind::Constructor => Operation::New { constructor: method, args },
            _ => Operation::Call { method, kind, receiver: on, args },
        })
    }

    fn note_constant(&mut self, carried: &Carried) {
        if let Carried::Constant { object, class, name } = carried {
            self.constants.entry(*object).or_insert_with(|| (class.clone(), name.clone()));
        }
    }

    /// The argument for the object that a method of `owner` is called on.
    fn receiver(&mut self, object: ObjectId, owner: &str) -> Option<Arg> {
        if let Some((class, name)) = self.constants.get(&object) {
            return self.tape.constant(object, class, name, &self.limits);
        }
        self.arg(Carried::Object(object, None), &descriptor::of_class(owner))
    }

    fn arg(&mut self, carried: Carried, descriptor: &str) -> Option<Arg> {
        if let Carried::Object(object, _) = carried {
            self.recall(object);
        }
        self.tape.arg(carried, descriptor, &self.limits)
    }

    /// Repeats what a fixture did to make an object that this test mentions for the first time.
    fn recall(&mut self, object: ObjectId) {
        if self.tape.variable_of(object).is_none() {
            self.tape.import(&self.prologue, object, &self.limits);
        }
    }

    fn origin(
        &mut self,
        origin: &Origin,
        test_class: &str,
        receiver: ObjectId,
        args: &[Carried],
    ) -> Option<Role> {
        let of_test =
            |field: &FieldRef| field.owner == test_class || kinds::is_local_to(&field.owner, test_class);
        let (operation, result) = match origin {
            Origin::StaticField(field) | Origin::InstanceField(field) if of_test(field) => (
                Operation::Opaque(format!("field {}.{} of the test class", field.owner, field.name)),
                field.descriptor.clone(),
            ),
            Origin::StaticField(field) => (Operation::GetStatic(field.clone()), field.descriptor.clone()),
            Origin::InstanceField(field) => {
                let object =
                    self.arg(Carried::Object(receiver, None), &descriptor::of_class(&field.owner))?;
                (Operation::GetField { field: field.clone(), object }, field.descriptor.clone())
            }
            Origin::NewArray(descriptor) => {
                let length = args.last().and_then(small_int)?;
                let operation = Operation::NewArray { descriptor: descriptor.clone(), length };
                return self.tape.push(operation, descriptor.clone(), &self.limits).map(Role::Statement);
            }
            Origin::Opaque(what) => (Operation::Opaque(what.clone()), "Ljava/lang/Object;".to_owned()),
            Origin::ArrayStore => return None,
        };
        self.tape.push(operation, result, &self.limits).map(Role::Read)
    }

    fn array_store(&mut self, array: ObjectId, mut arguments: Vec<Carried>) {
        let (Some(value), Some(index)) = (arguments.pop(), arguments.last().and_then(small_int)) else {
            return;
        };
        if self.is_teardown(array, std::slice::from_ref(&value)) {
            return;
        }
        let Some(array) = self.arg(Carried::Object(array, None), "[Ljava/lang/Object;") else { return };
        let Arg::Var(variable) = array else { return };
        let holder = self.tape.statement(variable);
        let component = holder.and_then(|s| descriptor::component(&s.result)).unwrap_or("Ljava/lang/Object;");
        let component = component.to_owned();
        let Some(value) = self.arg(value, &component) else { return };
        self.tape.push(Operation::ArrayStore { array, index, value }, "V".to_owned(), &self.limits);
    }

    fn hold(&mut self, index: u32, result: Carried) {
        match result {
            Carried::Object(object, class) => self.tape.holds(index, object, class),
            Carried::Constant { object, class, .. } => self.tape.gives_constant(index, object, &class),
            Carried::Value(_) | Carried::Void => {}
        }
    }

    /// A reference was read: a new object stays, what is known or can be written down needs no statement.
    fn read(&mut self, index: u32, result: Carried, entered: bool) {
        let object = match result {
            Carried::Object(object, _) if object.is_object() => object,
            _ => ObjectId::NULL,
        };
        let is_new = object.is_object() && self.tape.variable_of(object).is_none();
        let recalled = is_new && self.prologue.variable_of(object).is_some();
        // Facts seen while a class was initialised name the statement: it stays.
        if entered || is_new && !recalled {
            self.hold(index, result);
            return;
        }
        self.tape.take_back(index);
        self.recall(object);
    }

    fn made_by_library(&mut self, result: Carried) {
        let Carried::Object(object, class) = result else { return };
        if !object.is_object() || self.tape.variable_of(object).is_some() {
            return;
        }
        if class.as_deref().is_some_and(kinds::is_made_at_run_time) {
            self.tape.arg(Carried::Object(object, class), "Ljava/lang/Object;", &self.limits);
        } else {
            self.checks.insert(object);
        }
    }
}

/// Descriptor of what a call leaves to later statements.
fn result_of(callee: &MethodRef, kind: CallKind) -> String {
    match kind {
        CallKind::Constructor => descriptor::of_class(&callee.owner),
        _ => descriptor::result(&callee.descriptor).to_owned(),
    }
}

fn small_int(carried: &Carried) -> Option<u32> {
    match carried {
        Carried::Value(Value::Int(int)) => u32::try_from(*int).ok(),
        _ => None,
    }
}

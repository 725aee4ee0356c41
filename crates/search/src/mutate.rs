//! Random sequences: new ones from types, and variations of those that are known. Knows nothing of goals' facts.
//!
//! In: sequences, types, literals and a generator. Out: sequences that the check may still refuse. Invariant: the same
//! generator state gives the same sequence.

use crate::arrays;
use crate::build::Builder;
use crate::goal::Goal;
use crate::handed::{self, Handed};
use crate::literals::Literals;
use crate::slice::{self, Assembly, Kept};
use crate::types::Types;
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Answer, Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::{CallKind, MethodRef};
use dynaflow_model::types::Callable;
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Methods every object has that say nothing of the program or block the test.
const LEFT_OUT: &[&str] = &["wait", "notify", "notifyAll", "getClass", "finalize"];

/// Methods every exception has that are about where the test is, or print it.
const OF_STACKS: &[&str] = &["printStackTrace", "fillInStackTrace", "getStackTrace", "setStackTrace"];

/// How often an array that test and program share is written into, where there is one.
const WRITES_ELEMENT: f64 = 0.1;

/// How often an array that the test made gets one more element, where there is one.
const LENGTHENS: f64 = 0.1;

/// How often an argument becomes a literal that stands elsewhere in the sequence, where one fits and literals are reused.
const OWN: f64 = 0.3;

/// Whether no test calls a method for its own sake.
fn is_left_out(method: &MethodRef) -> bool {
    let name = method.name.as_str();
    LEFT_OUT.contains(&name) || method.owner == "java.lang.Throwable" && OF_STACKS.contains(&name)
}

/// What random sequences are made from.
pub(crate) struct Material<'a> {
    pub(crate) types: &'a Types,
    pub(crate) literals: &'a Literals,
    /// The goal whose methods are preferred, if there is any.
    pub(crate) goal: Option<&'a Goal>,
    /// The root classes of the search, for when there is no goal.
    pub(crate) roots: &'a [String],
    /// Whether literals of a sequence are often put elsewhere in it: a key that is put in is also asked for. What is to be different needs other ones.
    pub(crate) reuses: bool,
}

impl<'a> Material<'a> {
    /// What all kinds of sequences are made from that want other literals than they have.
    pub(crate) fn new(
        types: &'a Types,
        literals: &'a Literals,
        goal: Option<&'a Goal>,
        roots: &'a [String],
    ) -> Self {
        Self { types, literals, goal, roots, reuses: false }
    }

    fn builder<'b>(&self, rng: &'b mut ChaCha8Rng, assembly: Assembly) -> Builder<'b>
    where
        'a: 'b,
    {
        Builder { types: self.types, literals: self.literals, rng, assembly }
    }

    /// A root object made from scratch and calls on it.
    pub(crate) fn scratch(&self, rng: &mut ChaCha8Rng) -> Option<Sequence> {
        let other = self.roots.choose(rng);
        let mut builder = self.builder(rng, Assembly::default());
        let wanted = self.goal.and_then(|goal| self.make_root(&mut builder, &goal.root));
        let root = wanted.or_else(|| self.make_root(&mut builder, other?));
        let calls = builder.rng.random_range(1..5);
        let Some(root) = root else {
            let class = self.static_root(builder.rng)?;
            for _ in 0..calls {
                self.call_of(&mut builder, class);
            }
            return Some(builder.assembly.sequence).filter(|made| !made.statements.is_empty());
        };
        for _ in 0..calls {
            self.call_on(&mut builder, root);
        }
        if self.goal.is_some() {
            self.goal_calls(&mut builder, root);
        }
        Some(builder.assembly.sequence)
    }

    /// The root, by the constructor the goal names if it names one.
    fn make_root(&self, builder: &mut Builder, class: &str) -> Option<u32> {
        let wanted = self.goal.map_or(&[][..], |g| &g.definition_methods);
        let named = |c: &&Callable| wanted.contains(&c.method.signature());
        let constructor = self.types.callable_constructors(class).find(named);
        match constructor {
            Some(constructor) => builder.construct(&constructor.method, 0),
            None if self.types.producers(class).is_empty() => None,
            None => builder.produced(class, None, 0),
        }
    }

    /// A call of a method that shows the definition and then one that shows the use.
    fn goal_calls(&self, builder: &mut Builder, root: u32) {
        let Some(goal) = self.goal else { return };
        for methods in [&goal.definition_methods, &goal.use_methods] {
            let Some(wanted) = methods.choose(builder.rng) else { continue };
            self.named_call(builder, root, wanted);
        }
    }

    fn named_call(&self, builder: &mut Builder, on: u32, wanted: &str) -> Option<u32> {
        let class = self.class_of(&builder.assembly.sequence, on)?;
        let callable = self.types.callable_methods(&class).find(|m| m.method.signature() == wanted)?;
        self.invoke(builder, callable, &class, on)
    }

    /// A root class that nothing makes objects of and that has static methods: they are all that can be called.
    fn static_root(&self, rng: &mut ChaCha8Rng) -> Option<&'a str> {
        let is_static = |class: &&String| {
            self.types.producers(class).is_empty() && self.static_methods(class).next().is_some()
        };
        let all: Vec<&String> = self.roots.iter().filter(is_static).collect();
        all.choose(rng).map(|class| class.as_str())
    }

    fn static_methods(&self, class: &str) -> impl Iterator<Item = &'a Callable> {
        let usable = |m: &&Callable| m.kind == CallKind::Static && !is_left_out(&m.method);
        self.types.callable_methods(class).filter(usable)
    }

    /// A call of some static method of a class.
    fn call_of(&self, builder: &mut Builder, class: &str) -> Option<u32> {
        let all: Vec<&Callable> = self.static_methods(class).collect();
        let callable = *all.choose(builder.rng)?;
        let method = MethodRef { owner: class.to_owned(), ..callable.method.clone() };
        builder.call(&method, CallKind::Static, None, 0)
    }

    /// A call of some method on a variable.
    fn call_on(&self, builder: &mut Builder, on: u32) -> Option<u32> {
        let class = self.class_of(&builder.assembly.sequence, on)?;
        let usable = |m: &&Callable| !is_left_out(&m.method);
        let all: Vec<&Callable> = self.types.callable_methods(&class).filter(usable).collect();
        let own: Vec<&Callable> =
            all.iter().copied().filter(|m| m.method.owner != "java.lang.Object").collect();
        let callable = if own.is_empty() { *all.choose(builder.rng)? } else { *own.choose(builder.rng)? };
        self.invoke(builder, callable, &class, on)
    }

    fn invoke(&self, builder: &mut Builder, callable: &Callable, class: &str, on: u32) -> Option<u32> {
        let declared = self.declared(&builder.assembly.sequence, callable, on);
        let (callable, class) =
            declared.as_ref().map_or((callable, class), |(callable, class)| (*callable, class.as_str()));
        let method = MethodRef { owner: class.to_owned(), ..callable.method.clone() };
        let is_interface = self.types.get(class).is_some_and(|info| info.is_interface);
        let (kind, receiver) = match callable.kind {
            CallKind::Static => (CallKind::Static, None),
            _ if is_interface => (CallKind::Interface, Some(on)),
            _ => (CallKind::Virtual, Some(on)),
        };
        builder.call(&method, kind, receiver, 0)
    }

    /// The class through which a variable's methods are called.
    fn class_of(&self, sequence: &Sequence, variable: u32) -> Option<String> {
        let statement = slice::at(sequence, variable)?;
        // What a stub answers is known, and no call of the program.
        if descriptor::is_primitive(&statement.result)
            || matches!(statement.operation, Operation::Stub { .. })
        {
            return None;
        }
        let known = |class: &String| self.types.get(class).is_some() && self.types.may_name(class);
        let by_type = descriptor::class_of(&statement.result).filter(known);
        statement.runtime_class.clone().filter(known).or(by_type)
    }

    /// The same method of the class that a variable is declared with, which needs no cast; none when that has none.
    fn declared(
        &self,
        sequence: &Sequence,
        callable: &Callable,
        variable: u32,
    ) -> Option<(&'a Callable, String)> {
        let class = descriptor::class_of(&slice::at(sequence, variable)?.result)?;
        let same = |other: &&Callable| {
            other.method.name == callable.method.name && other.method.descriptor == callable.method.descriptor
        };
        let of_class = self.types.callable_methods(&class).find(same)?;
        Some((of_class, class))
    }

    /// One change of a sequence.
    pub(crate) fn vary(&self, sequence: Sequence, rng: &mut ChaCha8Rng) -> Option<Sequence> {
        let shared = handed::arrays(&sequence);
        if let Some(array) = shared.choose(rng)
            && rng.random_bool(WRITES_ELEMENT)
        {
            return self.write_element(sequence, array, rng);
        }
        let made = made_arrays(&sequence);
        if let Some(&array) = made.choose(rng)
            && rng.random_bool(LENGTHENS)
        {
            return self.lengthen(sequence, array, rng);
        }
        match rng.random_range(0..10u32) {
            0..=3 => self.insert_call(sequence, rng),
            4..=5 => self.change_argument(sequence, rng),
            6 => self.duplicate(sequence, rng),
            7 => drop_one(&sequence, rng),
            _ => self.append_goal_calls(sequence, rng),
        }
    }

    /// The variables worth calling methods on, the goal's root first when it is there.
    fn receiver(&self, sequence: &Sequence, rng: &mut ChaCha8Rng) -> Option<u32> {
        let all = 0..u32::try_from(sequence.statements.len()).unwrap_or(0);
        let classes: Vec<(u32, String)> =
            all.filter_map(|index| Some((index, self.class_of(sequence, index)?))).collect();
        let wanted = |class: &String| match self.goal {
            Some(goal) => *class == goal.root,
            None => self.roots.contains(class),
        };
        let roots: Vec<u32> = classes.iter().filter(|(_, c)| wanted(c)).map(|(index, _)| *index).collect();
        if rng.random_bool(0.8)
            && let Some(root) = roots.choose(rng)
        {
            return Some(*root);
        }
        classes.choose(rng).map(|(index, _)| *index)
    }

    fn insert_call(&self, sequence: Sequence, rng: &mut ChaCha8Rng) -> Option<Sequence> {
        if let Some(class) = self.static_root(rng) {
            let at = rng.random_range(0..=u32::try_from(sequence.statements.len()).ok()?);
            return self.with_built(sequence, at, rng, |builder| self.call_of(builder, class));
        }
        let receiver = self.receiver(&sequence, rng)?;
        let end = u32::try_from(sequence.statements.len()).ok()?;
        let at = if rng.random_bool(0.5) { end } else { rng.random_range(receiver + 1..=end) };
        self.with_built(sequence, at, rng, |builder| self.call_on(builder, receiver))
    }

    /// A write into an array that the program has as well, or has not if it keeps copies.
    fn write_element(&self, sequence: Sequence, array: &Handed, rng: &mut ChaCha8Rng) -> Option<Sequence> {
        let end = u32::try_from(sequence.statements.len()).ok()?;
        let at = rng.random_range(array.at + 1..=end);
        // What a call gave has an element most often, and seldom more than that is known.
        let index = array.length.map_or(0, |length| rng.random_range(0..length));
        self.with_built(sequence, at, rng, |builder| {
            let value = element(builder, &array.component, array.array, None)?;
            let store = Operation::ArrayStore { array: Arg::Var(array.array), index, value };
            Some(builder.assembly.push(store, "V".to_owned()))
        })
    }

    /// An array with one more element at its end.
    fn lengthen(&self, mut sequence: Sequence, array: u32, rng: &mut ChaCha8Rng) -> Option<Sequence> {
        let fills = |statement: &&Statement| filled(&statement.operation) == Some(array);
        let behind = sequence.statements.iter().skip(array as usize + 1).take_while(fills).count();
        let at = array + 1 + u32::try_from(behind).ok()?;
        let made = sequence.statements.get_mut(array as usize)?;
        let component = descriptor::component(&made.result)?.to_owned();
        let Operation::NewArray { length, .. } = &mut made.operation else { return None };
        let index = *length;
        *length = index.checked_add(1)?;
        let own = self.own_literal(&sequence, &component, None, rng);
        self.with_built(sequence, at, rng, |builder| {
            let value = element(builder, &component, array, own)?;
            let store = Operation::ArrayStore { array: Arg::Var(array), index, value };
            Some(builder.assembly.push(store, "V".to_owned()))
        })
    }

    /// At times a literal of the sequence that fits, other than the current one.
    fn own_literal(
        &self,
        sequence: &Sequence,
        wanted: &str,
        current: Option<&Arg>,
        rng: &mut ChaCha8Rng,
    ) -> Option<Value> {
        if !self.reuses || !rng.random_bool(OWN) {
            return None;
        }
        let fits = |arg: &&Arg| match arg {
            Arg::Value(value) => {
                let is_other = *value != Value::Null && Some(*arg) != current;
                is_other && self.types.literal_fits(value, wanted)
            }
            Arg::Var(_) => false,
        };
        let args = sequence.statements.iter().flat_map(|statement| statement.operation.args());
        let fitting: Vec<&Arg> = args.filter(fits).collect();
        match fitting.choose(rng) {
            Some(Arg::Value(value)) => Some(value.clone()),
            _ => None,
        }
    }

    fn append_goal_calls(&self, sequence: Sequence, rng: &mut ChaCha8Rng) -> Option<Sequence> {
        let receiver = self.receiver(&sequence, rng)?;
        let end = u32::try_from(sequence.statements.len()).ok()?;
        self.with_built(sequence, end, rng, |builder| {
            self.goal_calls(builder, receiver);
            Some(receiver)
        })
    }

    fn duplicate(&self, sequence: Sequence, rng: &mut ChaCha8Rng) -> Option<Sequence> {
        let is_call = |s: &Statement| matches!(s.operation, Operation::Call { .. });
        let calls: Vec<u32> =
            (0u32..).zip(&sequence.statements).filter(|(_, s)| is_call(s)).map(|(index, _)| index).collect();
        let chosen = *calls.choose(rng)?;
        let copy = slice::at(&sequence, chosen)?.clone();
        let end = u32::try_from(sequence.statements.len()).ok()?;
        let at = rng.random_range(chosen + 1..=end);
        self.with_built(sequence, at, rng, |builder| {
            builder.assembly.sequence.statements.push(copy);
            Some(at)
        })
    }

    fn change_argument(&self, sequence: Sequence, rng: &mut ChaCha8Rng) -> Option<Sequence> {
        let places: Vec<(u32, usize, String)> =
            (0u32..).zip(&sequence.statements).flat_map(|place| places_in(&sequence, place)).collect();
        let (at, position, wanted) = places.choose(rng)?.clone();
        if let Operation::Stub { answers, .. } = &slice::at(&sequence, at)?.operation {
            let (method, answer) = answers.get(position)?.clone();
            return self.change_answer(sequence, (at, position), &method, &answer, rng);
        }
        let before = sequence.statements.len();
        let current = slice::at(&sequence, at).and_then(|statement| argument(&statement.operation, position));
        let own = self.own_literal(&sequence, &wanted, current, rng);
        let array = slice::at(&sequence, at).and_then(|statement| filled(&statement.operation));
        let mut value = None;
        let mut changed = self.with_built(sequence, at, rng, |builder| {
            value = match array {
                Some(array) => element(builder, &wanted, array, own),
                None => value_of(builder, &wanted, own),
            };
            value.is_some().then_some(at)
        })?;
        let shift = changed.statements.len().checked_sub(before)?;
        let statement = changed.statements.get_mut(at as usize + shift)?;
        match &mut statement.operation {
            Operation::New { args, .. } | Operation::Call { args, .. } => *args.get_mut(position)? = value?,
            Operation::ArrayStore { value: stored, .. } => *stored = value?,
            _ => {}
        }
        Some(changed)
    }

    /// Another answer in the place of one that a stub gives.
    fn change_answer(
        &self,
        sequence: Sequence,
        (at, position): (u32, usize),
        method: &MethodRef,
        before: &Answer,
        rng: &mut ChaCha8Rng,
    ) -> Option<Sequence> {
        let length = sequence.statements.len();
        let mut other = None;
        let mut changed = self.with_built(sequence, at, rng, |builder| {
            other = builder.other_answer(method, before);
            other.is_some().then_some(at)
        })?;
        let shift = changed.statements.len().checked_sub(length)?;
        let statement = changed.statements.get_mut(at as usize + shift)?;
        if let (Operation::Stub { answers, .. }, Some(other)) = (&mut statement.operation, other) {
            answers.get_mut(position)?.1 = other;
        }
        Some(changed)
    }

    /// One sequence and then another that works on an object of the same class, on one object.
    pub(crate) fn cross(
        &self,
        first: &Sequence,
        second: &Sequence,
        rng: &mut ChaCha8Rng,
    ) -> Option<Sequence> {
        let all = 0..u32::try_from(second.statements.len()).ok()?;
        if self.static_root(rng).is_some() {
            let mut assembly = Assembly { sequence: first.clone() };
            assembly.append(second, &all.collect(), BTreeMap::new());
            return Some(assembly.sequence);
        }
        let on = self.receiver(first, rng)?;
        let class = self.class_of(first, on)?;
        let same: Vec<u32> =
            all.clone().filter(|&v| self.class_of(second, v).as_ref() == Some(&class)).collect();
        let held = *same.choose(rng)?;
        let mut assembly = Assembly { sequence: first.clone() };
        let kept: Kept = all.filter(|&index| index != held).collect();
        assembly.append(second, &kept, BTreeMap::from([(held, on)]));
        Some(assembly.sequence)
    }

    /// The sequence with what `build` appends inserted before the statement at `at`.
    fn with_built(
        &self,
        mut sequence: Sequence,
        at: u32,
        rng: &mut ChaCha8Rng,
        build: impl FnOnce(&mut Builder) -> Option<u32>,
    ) -> Option<Sequence> {
        let at_most = sequence.statements.len().min(at as usize);
        let tail = sequence.statements.split_off(at_most);
        let mut builder = self.builder(rng, Assembly { sequence });
        build(&mut builder)?;
        let shift = builder.assembly.next().checked_sub(at)?;
        let mut sequence = builder.assembly.sequence;
        for mut statement in tail {
            for arg in statement.operation.args_mut() {
                match arg {
                    Arg::Var(index) if *index >= at => *index += shift,
                    _ => {}
                }
            }
            sequence.statements.push(statement);
        }
        Some(sequence)
    }

    /// Replaces opaque objects by new ones of the types their places ask for. None when one cannot be made.
    pub(crate) fn patch(&self, sequence: &Sequence, rng: &mut ChaCha8Rng) -> Option<Sequence> {
        let mut builder = self.builder(rng, Assembly::default());
        let mut names: BTreeMap<u32, u32> = BTreeMap::new();
        for (index, statement) in (0u32..).zip(&sequence.statements) {
            let made = if matches!(statement.operation, Operation::Opaque(_)) {
                let class = wanted_class(sequence, index)?;
                builder.produced(&class, None, 0)?
            } else {
                let one = Kept::from([index]);
                let all = builder.assembly.append(sequence, &one, names.clone());
                *all.get(&index)?
            };
            names.insert(index, made);
        }
        Some(builder.assembly.sequence)
    }
}

/// The class the first place that mentions a variable asks for.
fn wanted_class(sequence: &Sequence, variable: u32) -> Option<String> {
    let asks = |statement: &Statement| match &statement.operation {
        Operation::Call { receiver: Some(Arg::Var(on)), method, .. } if *on == variable => {
            Some(method.owner.clone())
        }
        Operation::New { constructor: method, args } | Operation::Call { method, args, .. } => {
            let position = args.iter().position(|arg| *arg == Arg::Var(variable))?;
            descriptor::class_of(descriptor::parameters(&method.descriptor).get(position)?)
        }
        _ => None,
    };
    sequence.statements.iter().find_map(asks)
}

/// The array that a statement stores into.
fn filled(operation: &Operation) -> Option<u32> {
    match operation {
        Operation::ArrayStore { array: Arg::Var(array), .. } => Some(*array),
        _ => None,
    }
}

/// This literal, or what the builder makes.
fn value_of(builder: &mut Builder, wanted: &str, own: Option<Value>) -> Option<Arg> {
    own.map_or_else(|| builder.arg(wanted, None, 0), |own| Some(Arg::Value(own)))
}

/// What an array can hold without holding itself.
fn element(builder: &mut Builder, component: &str, array: u32, own: Option<Value>) -> Option<Arg> {
    let value = value_of(builder, component, own)?;
    (!handed::may_hold(&builder.assembly.sequence, &value, array)).then_some(value)
}

/// The arrays that a sequence makes.
fn made_arrays(sequence: &Sequence) -> Vec<u32> {
    let all = (0u32..).zip(&sequence.statements);
    all.filter(|(_, s)| matches!(s.operation, Operation::NewArray { .. })).map(|(index, _)| index).collect()
}

/// What is passed at a place.
fn argument(operation: &Operation, position: usize) -> Option<&Arg> {
    match operation {
        Operation::New { args, .. } | Operation::Call { args, .. } => args.get(position),
        Operation::ArrayStore { value, .. } => Some(value),
        _ => None,
    }
}

/// The argument positions of a statement, what a stub answers and what is stored in an array, with the type each asks for.
fn places_in(sequence: &Sequence, (index, statement): (u32, &Statement)) -> Vec<(u32, usize, String)> {
    if let Some(array) = filled(&statement.operation) {
        let component = slice::at(sequence, array).and_then(|array| descriptor::component(&array.result));
        return component.map(|component| (index, 0, component.to_owned())).into_iter().collect();
    }
    if let Operation::Stub { answers, .. } = &statement.operation {
        let results = answers.iter().map(|(method, _)| descriptor::result(&method.descriptor)).enumerate();
        let answering = results.filter(|(_, result)| *result != "V");
        return answering.map(|(position, wanted)| (index, position, wanted.to_owned())).collect();
    }
    let (Operation::New { constructor: method, .. } | Operation::Call { method, .. }) = &statement.operation
    else {
        return vec![];
    };
    let parameters = descriptor::parameters(&method.descriptor).into_iter().enumerate();
    parameters.map(|(position, wanted)| (index, position, wanted.to_owned())).collect()
}

fn drop_one(sequence: &Sequence, rng: &mut ChaCha8Rng) -> Option<Sequence> {
    let all = u32::try_from(sequence.statements.len()).ok().filter(|all| *all > 1)?;
    let rest = arrays::without(sequence, &Kept::from([rng.random_range(0..all)]));
    (!rest.statements.is_empty()).then_some(rest)
}

//! Makes arguments from types: literals, variables at hand, constructors, factories, constants, arrays, stubs, recursively.
//!
//! Knows nothing of goals. Invariant: what it appends is well typed and refers to earlier statements only.

use crate::arrays;
use crate::literals::Literals;
use crate::producer::{Producer, is_jdk_constant};
use crate::slice::Assembly;
use crate::types::Types;
use dynaflow_model::declared::Type;
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Arg, Operation, Value};
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// Deepest nesting of constructor arguments.
const DEEPEST: u32 = 4;
/// Longest sequence to which objects with arguments of their own are added.
const LONGEST: u32 = 80;
/// How often a functional interface is implemented by the test although something else makes objects of it.
const STUB_SHARE: f64 = 0.5;
/// How often what people get from a container of the JDK comes from one.
const OF_CONTAINER: f64 = 0.5;

/// How often an argument is a literal that some test passes at this place, where there is one.
const PASSED: f64 = 0.4;
/// How often an object of the JDK is one of the constants of its class, where it has some.
const CONSTANT: f64 = 0.7;

/// Appends statements that make what is asked for.
pub(crate) struct Builder<'a> {
    pub(crate) types: &'a Types,
    pub(crate) literals: &'a Literals,
    pub(crate) rng: &'a mut ChaCha8Rng,
    pub(crate) assembly: Assembly,
}

impl Builder<'_> {
    /// An argument of the given type, which may be declared with type arguments. None when the types offer no way and `null` does not fit.
    pub(crate) fn arg(&mut self, wanted: &str, generic: Option<&Type>, depth: u32) -> Option<Arg> {
        let reuse = if descriptor::is_primitive(wanted) { 0.2 } else { 0.6 };
        if self.rng.random_bool(reuse)
            && let Some(variable) = self.at_hand(wanted)
        {
            return Some(Arg::Var(variable));
        }
        if descriptor::is_primitive(wanted) {
            return self.literals.pick(wanted, self.rng).map(Arg::Value);
        }
        if self.rng.random_bool(0.04) {
            return Some(Arg::Value(Value::Null));
        }
        self.fresh(wanted, generic, depth)
            .or_else(|| self.at_hand(wanted).map(Arg::Var))
            .or(Some(Arg::Value(Value::Null)))
    }

    /// A new object or value of a reference type.
    fn fresh(&mut self, wanted: &str, generic: Option<&Type>, depth: u32) -> Option<Arg> {
        if let Some(component) = descriptor::component(wanted) {
            return self.array(wanted, component, depth);
        }
        let class = descriptor::class_of(wanted)?;
        if let Some(info) = self.types.get(&class).filter(|info| !info.enum_constants.is_empty()) {
            let name = info.enum_constants.choose(self.rng)?;
            return Some(Arg::Value(Value::Enum(class, name.clone())));
        }
        if let Some(container) = self.filled(&class, generic, depth) {
            return Some(Arg::Var(container));
        }
        let literal = self.literal(wanted);
        let producers = self.types.producers(&class).len();
        if let Some(value) = literal
            && (producers == 0 || self.rng.random_bool(0.6))
        {
            return Some(Arg::Value(value));
        }
        self.produced(&class, generic, depth).map(Arg::Var)
    }

    /// Whether what is made so deep may need something made for it in turn.
    pub(crate) fn may_nest(&self, depth: u32) -> bool {
        depth < DEEPEST && self.assembly.next() < LONGEST
    }

    /// A variable that fits.
    fn at_hand(&mut self, wanted: &str) -> Option<u32> {
        let all = (0u32..).zip(&self.assembly.sequence.statements);
        let fitting: Vec<u32> =
            all.filter(|(_, s)| self.types.fits(s, wanted) == Some(true)).map(|(index, _)| index).collect();
        fitting.choose(self.rng).copied()
    }

    /// A literal for a reference type: a string, a boxed value, a class.
    pub(crate) fn literal(&mut self, wanted: &str) -> Option<Value> {
        let text = self.literals.pick("Ljava/lang/String;", self.rng)?;
        let kinds = ["I", "J", "Z", "C", "D", "F", "B", "S"];
        let boxed = kinds.map(|kind| self.literals.pick(kind, self.rng).map(|v| Value::Boxed(Box::new(v))));
        let class = Value::Class("java.lang.Object".to_owned());
        let all = std::iter::once(Some(text)).chain(boxed).chain([Some(class)]).flatten();
        let fitting: Vec<Value> = all.filter(|value| self.types.literal_fits(value, wanted)).collect();
        // Where several kinds of value fit, keys and names are most often strings or ints.
        if fitting.len() > 2 && self.rng.random_bool(0.8) {
            return fitting.get(self.rng.random_range(0..2)).cloned();
        }
        fitting.choose(self.rng).cloned()
    }

    fn array(&mut self, wanted: &str, component: &str, depth: u32) -> Option<Arg> {
        let mut length = self.rng.random_range(0..3u32);
        let mut values = vec![];
        if depth < DEEPEST {
            for _ in 0..length {
                values.push(self.arg(component, None, depth + 1)?);
            }
        }
        if arrays::holds_objects(wanted) {
            // Hardly any code copes with null among elements, and what comes of it says little.
            values.retain(|value| *value != Arg::Value(Value::Null));
            length = u32::try_from(values.len()).unwrap_or_default();
        }
        let array = self.array_of(wanted, length, values);
        Some(Arg::Var(array))
    }

    /// An array of so many elements, the first of which are these.
    pub(crate) fn array_of(&mut self, descriptor: &str, length: u32, values: Vec<Arg>) -> u32 {
        let operation = Operation::NewArray { descriptor: descriptor.to_owned(), length };
        let array = self.assembly.push(operation, descriptor.to_owned());
        for (index, value) in (0u32..).zip(values) {
            let store = Operation::ArrayStore { array: Arg::Var(array), index, value };
            self.assembly.push(store, "V".to_owned());
        }
        array
    }

    /// An object of the class or a subclass, by a constructor, factory, field, constant or method of another object; where there is none, and sometimes where a lambda
    /// will do, a stub.
    pub(crate) fn produced(&mut self, class: &str, generic: Option<&Type>, depth: u32) -> Option<u32> {
        let types = self.types;
        if let Some(methods) = types.to_implement(class) {
            let is_made = !types.producers(class).is_empty();
            if !is_made || methods.len() == 1 && self.rng.random_bool(STUB_SHARE) {
                return self.stub(class, generic, depth);
            }
        }
        let may_nest = self.may_nest(depth);
        if may_nest
            && let Some(way) = Producer::of_container(class)
            && self.rng.random_bool(OF_CONTAINER)
        {
            return self.given_by_container(&way, class, generic, depth);
        }
        let simple = |p: &&Producer| may_nest || p.parameters() == 0;
        let mut able: Vec<&Producer> = types.producers(class).iter().filter(simple).collect();
        // The constants of a class of the JDK never change: `Locale.FRANCE` reads better than `new Locale("a")`.
        let is_constant = |p: &&Producer| matches!(p, Producer::Field(field) if is_jdk_constant(field));
        if able.iter().any(is_constant) && self.rng.random_bool(CONSTANT) {
            able.retain(is_constant);
        }
        // An object in a static field carries what earlier candidates did to it into later ones.
        let is_own = |p: &&Producer| !matches!(p, Producer::Field(_));
        if able.iter().any(is_own) && self.rng.random_bool(0.95) {
            able.retain(is_own);
        }
        // Of two that are drawn, the simpler one is used: objects made with few arguments fail less often.
        let one = able.choose(self.rng)?;
        let other = able.choose(self.rng)?;
        let chosen = if other.parameters() < one.parameters() { other } else { one };
        self.produce(chosen, depth)
    }

    /// What a container gives, which is filled where it is known what with.
    fn given_by_container(
        &mut self,
        way: &Producer,
        class: &str,
        generic: Option<&Type>,
        depth: u32,
    ) -> Option<u32> {
        let Producer::Method(method, kind) = way else { return None };
        let of = match generic {
            Some(Type::Class(name, held)) if name == class => {
                Some(Type::Class(method.owner.clone(), held.clone()))
            }
            _ => None,
        };
        match self.filled(&method.owner, of.as_ref(), depth + 1) {
            Some(container) => self.call(method, *kind, Some(container), depth),
            None => self.produce(way, depth),
        }
    }

    fn produce(&mut self, producer: &Producer, depth: u32) -> Option<u32> {
        match producer {
            Producer::New(constructor) => self.construct(constructor, depth),
            Producer::Factory(method) => self.call(method, CallKind::Static, None, depth),
            Producer::Method(method, kind) => {
                let on = self.arg(&descriptor::of_class(&method.owner), None, depth + 1)?;
                let Arg::Var(on) = on else { return None };
                self.call(method, *kind, Some(on), depth)
            }
            Producer::Field(field) => {
                Some(self.assembly.push(Operation::GetStatic(field.clone()), field.descriptor.clone()))
            }
            Producer::Constant(class, name) => {
                let result = descriptor::of_class(class);
                let field = FieldRef { owner: class.clone(), name: name.clone(), descriptor: result.clone() };
                Some(self.assembly.push(Operation::GetStatic(field), result))
            }
        }
    }

    /// `new` with fresh arguments.
    pub(crate) fn construct(&mut self, constructor: &MethodRef, depth: u32) -> Option<u32> {
        let args = self.args(constructor, depth)?;
        let result = descriptor::of_class(&constructor.owner);
        Some(self.assembly.push(Operation::New { constructor: constructor.clone(), args }, result))
    }

    /// A call with fresh arguments.
    pub(crate) fn call(
        &mut self,
        method: &MethodRef,
        kind: CallKind,
        receiver: Option<u32>,
        depth: u32,
    ) -> Option<u32> {
        let args = self.args(method, depth)?;
        let result = descriptor::result(&method.descriptor).to_owned();
        let receiver = receiver.map(Arg::Var);
        Some(self.assembly.push(Operation::Call { method: method.clone(), kind, receiver, args }, result))
    }

    fn args(&mut self, method: &MethodRef, depth: u32) -> Option<Vec<Arg>> {
        let declared = self.types.declaration(method).map_or(&[][..], |(_, declared)| &declared.parameters);
        let of = |(position, wanted): (usize, &str)| {
            // What the target is given is to be explored; what is passed to it is made as tests make it.
            let usual = if depth > 0 { self.literals.passed(method, position) } else { None };
            let usual = usual.filter(|_| self.rng.random_bool(PASSED));
            let passed =
                usual.and_then(|values| values.iter().nth(self.rng.random_range(0..values.len().max(1))));
            passed.cloned().map(Arg::Value).or_else(|| self.arg(wanted, declared.get(position), depth + 1))
        };
        descriptor::parameters(&method.descriptor).into_iter().enumerate().map(of).collect()
    }
}

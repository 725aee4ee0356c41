//! The generic types of what a sequence makes: type arguments inferred from what is put in and from what parameters ask for, and where
//! what is passed contradicts them, as javac would say.
//!
//! Knows nothing of source text. Invariant: the erasure of a type is that of the descriptor, or a subtype that type arguments show. An
//! argument that nothing decides is what its bound takes, or `Object`; whether javac agrees is for javac to say.

mod solve;

use crate::implemented::implemented;
use crate::types::Types;
use dynaflow_model::declared::{Argument, DeclaredMethod, Type, TypeParameter, arguments_as};
use dynaflow_model::descriptor;
use dynaflow_model::outcome::{Look, Path};
use dynaflow_model::sequence::{Answer, Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::MethodRef;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Most steps from one undecided argument to the next.
const DEEPEST: usize = 16;

/// The type of the result of each of the first `ran` statements; none where only the descriptor is known. `looks` is what is looked at in the end.
pub fn infer<'p>(
    sequence: &Sequence,
    ran: usize,
    looks: impl Iterator<Item = &'p Path>,
    types: &Types,
) -> Vec<Option<Type>> {
    let mut inference = Inference::of(sequence, ran, types);
    looks.for_each(|path| inference.looks(path));
    let found = std::mem::take(&mut inference.found);
    let statements = sequence.statements.iter();
    let solved = found.into_iter().zip(statements).map(|(of, statement)| {
        let of = inference.solved(&of?);
        inference.agrees(&of, statement).then_some(of)
    });
    solved.collect()
}

/// The methods whose calls pass what the type arguments do not allow, in the order of the statements. Those that are generic in ways not
/// understood here contradict nothing.
pub(crate) fn clashes<'s>(sequence: &'s Sequence, types: &Types) -> Vec<&'s MethodRef> {
    let inference = Inference::of(sequence, sequence.statements.len(), types);
    let wrong = inference.passed.iter().filter(|(_, given, wanted)| {
        let solved = [given, wanted].map(|of| inference.solved(of));
        inference.contradicts(&solved[0], &solved[1], DEEPEST)
    });
    let called = |at: &usize| match &sequence.statements.get(*at)?.operation {
        Operation::New { constructor: method, .. } | Operation::Call { method, .. } => Some(method),
        Operation::Stub { answers, .. } => answers.first().map(|(method, _)| method),
        _ => None,
    };
    wrong.filter_map(|(at, ..)| called(at)).collect()
}

/// What is known of an undecided argument, which is called by its number behind `#`.
#[derive(Debug, Default)]
struct Open {
    same: Vec<Type>,
    above: Vec<Type>,
    below: Vec<Type>,
    /// What it is where nothing else decides.
    bound: Option<Type>,
}

struct Inference<'a> {
    types: &'a Types,
    found: Vec<Option<Type>>,
    open: Vec<Open>,
    /// What was passed for which parameter, by the statement that did.
    passed: Vec<(usize, Type, Type)>,
    /// What is known to be below what.
    ordered: BTreeSet<(Type, Type)>,
    deciding: RefCell<Deciding>,
}

/// How far deciding arguments has come.
#[derive(Debug, Default)]
struct Deciding {
    known: BTreeMap<usize, Type>,
    pending: BTreeSet<usize>,
    steps: usize,
}

/// The descriptor of a type's erasure.
pub fn erased(of: &Type) -> String {
    match of {
        Type::Primitive(letter) => letter.to_string(),
        Type::Class(name, _) => descriptor::of_class(name),
        Type::Array(component) => format!("[{}", erased(component)),
        Type::Parameter(_) => "Ljava/lang/Object;".to_owned(),
    }
}

/// The type of a descriptor, with `?` where a class has type parameters.
pub fn unbounded(descriptor: &str, types: &Types) -> Option<Type> {
    Some(wild(Type::of_descriptor(descriptor)?, types))
}

fn wild(of: Type, types: &Types) -> Type {
    match of {
        Type::Class(name, arguments) if arguments.is_empty() => {
            let count = types.declared().get(&name).map_or(0, |class| class.type_parameters.len());
            Type::Class(name, vec![Argument::Any; count])
        }
        Type::Array(component) => Type::Array(Box::new(wild(*component, types))),
        other => other,
    }
}

impl<'a> Inference<'a> {
    fn of(sequence: &Sequence, ran: usize, types: &'a Types) -> Self {
        let mut inference = Self {
            types,
            found: vec![],
            open: vec![],
            passed: vec![],
            ordered: BTreeSet::new(),
            deciding: RefCell::default(),
        };
        for statement in sequence.statements.iter().take(ran) {
            let of = inference.statement(statement);
            inference.found.push(of);
        }
        inference
    }
}

impl Inference<'_> {
    fn statement(&mut self, statement: &Statement) -> Option<Type> {
        match &statement.operation {
            Operation::New { constructor, args } => Some(self.made(constructor, args)),
            Operation::Call { method, receiver, args, .. } => {
                let on = receiver.as_ref().and_then(|receiver| self.argument(receiver));
                self.call(method, on, args)
            }
            Operation::GetStatic(field) => {
                let of = self.types.declared().get(&field.owner)?.fields.get(&field.name)?;
                Some(of.clone()).filter(|of| !of.has_parameters())
            }
            Operation::GetField { field, object } => {
                let of = self.types.declared().get(&field.owner)?.fields.get(&field.name)?.clone();
                let on = self.argument(object);
                Some(of.with(&self.of_class(&field.owner, on.as_ref())))
            }
            Operation::NewArray { descriptor, .. } => unbounded(descriptor, self.types),
            Operation::Stub { interface, answers } => Some(self.stub(interface, answers)),
            Operation::ArrayStore { .. } | Operation::Contract { .. } | Operation::Opaque(_) => None,
        }
    }

    /// What inspectors are asked in the end says something of type parameters, too.
    fn looks(&mut self, path: &Path) {
        let mut on = self.found.get(path.variable as usize).cloned().flatten();
        for look in &path.looks {
            let Look::Call { method, args } = look else { return };
            let args: Vec<Arg> = args.iter().cloned().map(Arg::Value).collect();
            on = self.call(method, on, &args);
        }
    }

    fn made(&mut self, constructor: &MethodRef, args: &[Arg]) -> Type {
        let types = self.types;
        let parameters =
            types.declared().get(&constructor.owner).map_or(&[][..], |class| &class.type_parameters);
        let arguments: Vec<Argument> = parameters.iter().map(|parameter| self.fresh(parameter)).collect();
        if let Some((_, declared)) = types.declaration(constructor) {
            let mut known: Vec<(&str, Argument)> = parameters
                .iter()
                .map(|parameter| parameter.name.as_str())
                .zip(arguments.iter().cloned())
                .collect();
            self.own_parameters(declared, &mut known);
            self.pass(declared, args, &|name| find(&known, name));
        }
        Type::Class(constructor.owner.clone(), arguments)
    }

    /// What a stub answers says of the type arguments of its interface what is passed to a constructor says of those of a class.
    fn stub(&mut self, interface: &str, answers: &[(MethodRef, Answer)]) -> Type {
        let types = self.types;
        let parameters = types.declared().get(interface).map_or(&[][..], |class| &class.type_parameters);
        let arguments = parameters.iter().map(|parameter| self.fresh(parameter)).collect();
        let of = Type::Class(interface.to_owned(), arguments);
        for (method, answer) in answers {
            let method = implemented(&of, method, types);
            let given = match answer {
                Answer::Nothing => None,
                Answer::Arg(arg) => self.argument(arg),
                Answer::Parameter(at) => method.parameters.get(*at as usize).cloned(),
            };
            let (Some(given), Some(result)) = (given, method.result) else { continue };
            match (&given, &result) {
                (Type::Parameter(_), Type::Parameter(_)) => self.same(&given, &result, DEEPEST),
                _ => self.below(&given, &result, DEEPEST),
            }
            self.passed.push((self.found.len(), given, result));
        }
        of
    }

    fn call(&mut self, method: &MethodRef, on: Option<Type>, args: &[Arg]) -> Option<Type> {
        let types = self.types;
        let (declaring, declared) = types.declaration(method)?;
        let of_class = self.of_class(declaring, on.as_ref());
        let mut known = vec![];
        self.own_parameters(declared, &mut known);
        let of = |name: &str| find(&known, name).or_else(|| of_class(name));
        self.pass(declared, args, &of);
        declared.result.as_ref().map(|result| result.with(&of))
    }

    /// What the type parameters of a class stand for on an object of this type; anything where that is not known.
    fn of_class(&self, class: &str, on: Option<&Type>) -> impl Fn(&str) -> Option<Argument> + use<> {
        let declared = self.types.declared();
        let parameters = declared.get(class).map(|class| class.type_parameters.clone()).unwrap_or_default();
        let arguments = match on {
            Some(Type::Class(name, arguments)) => arguments_as(declared, name, arguments, class),
            _ => None,
        };
        move |name| {
            let at = parameters.iter().position(|parameter| parameter.name == name)?;
            let known = arguments.as_ref().and_then(|arguments| arguments.get(at).cloned());
            Some(known.unwrap_or(Argument::Any))
        }
    }

    fn own_parameters<'d>(&mut self, declared: &'d DeclaredMethod, known: &mut Vec<(&'d str, Argument)>) {
        for parameter in &declared.type_parameters {
            known.insert(0, (&parameter.name, self.fresh(parameter)));
        }
    }

    /// Notes what the arguments say of the type parameters.
    fn pass(&mut self, declared: &DeclaredMethod, args: &[Arg], of: &dyn Fn(&str) -> Option<Argument>) {
        if declared.parameters.len() != args.len() {
            return;
        }
        for (parameter, arg) in declared.parameters.iter().zip(args) {
            if let Some(given) = self.argument(arg) {
                let wanted = parameter.with(of);
                self.below(&given, &wanted, DEEPEST);
                self.passed.push((self.found.len(), given, wanted));
            }
        }
    }

    fn argument(&self, arg: &Arg) -> Option<Type> {
        match arg {
            Arg::Var(index) => self.found.get(*index as usize).cloned().flatten(),
            Arg::Value(value) => of_value(value),
        }
    }

    fn fresh(&mut self, parameter: &TypeParameter) -> Argument {
        self.open.push(Open { bound: parameter.bound.as_ref().and_then(within), ..Open::default() });
        Argument::Exact(Type::Parameter(format!("#{}", self.open.len() - 1)))
    }

    fn open(&mut self, name: &str) -> Option<&mut Open> {
        self.open.get_mut(number(name)?)
    }

    fn below(&mut self, one: &Type, other: &Type, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if !self.ordered.insert((one.clone(), other.clone())) {
            return;
        }
        match (one, other) {
            (_, Type::Parameter(name)) => {
                let one = boxed(one);
                let Some(open) = self.open(name) else { return };
                open.below.push(one.clone());
                let above: Vec<Type> = open.same.iter().chain(&open.above).cloned().collect();
                if let Type::Parameter(own) = &one {
                    self.open(own).into_iter().for_each(|open| open.above.push(other.clone()));
                }
                // What is above the parameter is above what is below it.
                above.iter().filter(|of| is_class(of)).for_each(|of| self.below(&one, of, depth));
            }
            (Type::Parameter(name), _) => {
                let Some(open) = self.open(name) else { return };
                open.above.push(other.clone());
                let below = open.below.clone();
                below.iter().filter(|of| is_class(of)).for_each(|of| self.below(of, other, depth));
            }
            (Type::Array(one), Type::Array(other)) => self.below(one, other, depth),
            (Type::Class(one, arguments), Type::Class(other, wanted)) if !wanted.is_empty() => {
                let given = arguments_as(self.types.declared(), one, arguments, other).unwrap_or_default();
                given.iter().zip(wanted).for_each(|(given, wanted)| self.inside(given, wanted, depth));
            }
            _ => {}
        }
    }

    fn inside(&mut self, given: &Argument, wanted: &Argument, depth: usize) {
        match (given, wanted) {
            (Argument::Exact(given), Argument::Exact(wanted)) => self.same(given, wanted, depth),
            (Argument::Exact(given) | Argument::Extends(given), Argument::Extends(wanted)) => {
                self.below(given, wanted, depth);
            }
            (Argument::Exact(given) | Argument::Super(given), Argument::Super(wanted)) => {
                self.below(wanted, given, depth);
            }
            _ => {}
        }
    }

    fn same(&mut self, one: &Type, other: &Type, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for (name, of) in [(one, other), (other, one)] {
            if let Type::Parameter(name) = name
                && name != &erased_name(of)
            {
                let Some(open) = self.open(name) else { continue };
                open.same.push(of.clone());
                let below = open.below.clone();
                below
                    .iter()
                    .filter(|low| is_class(low) && is_class(of))
                    .for_each(|low| self.below(low, of, depth));
            }
        }
        match (one, other) {
            (Type::Class(one, given), Type::Class(other, wanted)) if one == other => {
                given.iter().zip(wanted).for_each(|(given, wanted)| self.inside(given, wanted, depth));
            }
            (Type::Array(one), Type::Array(other)) => self.same(one, other, depth),
            _ => {}
        }
    }

    /// Whether the statement's descriptor, and the class its result was seen to have, allow the type.
    fn agrees(&self, of: &Type, statement: &Statement) -> bool {
        let erased = erased(of);
        let by_descriptor = erased == statement.result
            || self.types.assignable(&erased, &statement.result) == Some(true)
            || statement.result == "Ljava/lang/Object;";
        let seen = statement.runtime_class.as_deref().map(descriptor::of_class);
        by_descriptor && seen.is_none_or(|seen| self.types.assignable(&seen, &erased) != Some(false))
    }
}

/// A type within a bound; none where that takes more than to know the bound.
fn within(bound: &Type) -> Option<Type> {
    match bound {
        Type::Class(name, _) if name == "java.lang.Comparable" => {
            Some(Type::Class("java.lang.String".to_owned(), vec![]))
        }
        Type::Class(_, arguments) if arguments.is_empty() => Some(bound.clone()),
        _ => None,
    }
}

fn find(known: &[(&str, Argument)], name: &str) -> Option<Argument> {
    known.iter().find(|(parameter, _)| *parameter == name).map(|(_, argument)| argument.clone())
}

fn is_class(of: &Type) -> bool {
    matches!(of, Type::Class(..))
}

fn number(name: &str) -> Option<usize> {
    name.strip_prefix('#')?.parse().ok()
}

fn erased_name(of: &Type) -> String {
    match of {
        Type::Parameter(name) => name.clone(),
        _ => String::new(),
    }
}

fn boxed(of: &Type) -> Type {
    let simple = match of {
        Type::Primitive('Z') => "Boolean",
        Type::Primitive('B') => "Byte",
        Type::Primitive('C') => "Character",
        Type::Primitive('S') => "Short",
        Type::Primitive('I') => "Integer",
        Type::Primitive('J') => "Long",
        Type::Primitive('F') => "Float",
        Type::Primitive('D') => "Double",
        other => return other.clone(),
    };
    Type::Class(format!("java.lang.{simple}"), vec![])
}

fn of_value(value: &Value) -> Option<Type> {
    match value {
        Value::Null => None,
        Value::Str(_) => Some(Type::Class("java.lang.String".to_owned(), vec![])),
        Value::Enum(class, _) | Value::Parsed(class, _) => Some(Type::Class(class.clone(), vec![])),
        Value::Class(name) => {
            let is_class = !name.starts_with('[') && name.contains('.');
            let of = || Argument::Exact(Type::Class(name.clone(), vec![]));
            Some(Type::Class("java.lang.Class".to_owned(), vec![if is_class { of() } else { Argument::Any }]))
        }
        Value::Boxed(inner) => Type::of_descriptor(inner.boxed()?),
        primitive => Type::of_descriptor(primitive.primitive()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::declared::{Declared, DeclaredClass};
    use dynaflow_model::sites::CallKind;
    use dynaflow_model::types::{TypeInfo, Visibility};
    use std::sync::Arc;

    const SET: &str = "java.util.Set";

    fn class(name: &str, arguments: Vec<Argument>) -> Type {
        Type::Class(name.to_owned(), arguments)
    }

    fn set_of(argument: Argument) -> Type {
        class(SET, vec![argument])
    }

    fn info(name: &str, above: &[&str]) -> TypeInfo {
        TypeInfo {
            name: name.to_owned(),
            visibility: Visibility::Public,
            is_abstract: false,
            is_interface: false,
            is_inner: false,
            supertypes: above.iter().map(ToString::to_string).collect(),
            constructors: vec![],
            methods: vec![],
            static_fields: vec![],
            enum_constants: vec![],
            to_implement: None,
        }
    }

    fn declared(parameters: Vec<Type>, result: Option<Type>, own: &[&str]) -> DeclaredMethod {
        let own = own.iter().map(|name| TypeParameter { name: (*name).to_owned(), bound: None });
        DeclaredMethod { type_parameters: own.collect(), parameters, result, ..DeclaredMethod::default() }
    }

    /// `Set<E>` with `of(E)`; `Taker` with methods that take sets: of texts, of anything below `Part`, of anything.
    fn types() -> Types {
        let of_e = || Type::Parameter("E".to_owned());
        let of = declared(vec![of_e()], Some(set_of(Argument::Exact(of_e()))), &["E"]);
        let e = TypeParameter { name: "E".to_owned(), bound: None };
        let set = DeclaredClass {
            type_parameters: vec![e],
            methods: [("of(Ljava/lang/Object;)Ljava/util/Set;".to_owned(), of)].into(),
            ..DeclaredClass::default()
        };
        let taking = |name: &str, argument| {
            (format!("{name}(Ljava/util/Set;)V"), declared(vec![set_of(argument)], None, &[]))
        };
        let methods = [
            taking("texts", Argument::Exact(class("java.lang.String", vec![]))),
            taking("parts", Argument::Extends(class("a.Part", vec![]))),
            taking("all", Argument::Any),
        ];
        let taker = DeclaredClass { methods: methods.into(), ..DeclaredClass::default() };
        let all: Declared = [(SET.to_owned(), set), ("a.Taker".to_owned(), taker)].into();
        let infos = [info(SET, &[]), info("a.Taker", &[]), info("a.Part", &[]), info("a.Small", &["a.Part"])];
        Types::new(infos, "a").with_declared(Arc::new(all))
    }

    /// What clashes when a set of one value is passed to a method.
    fn passing(value: Value, to: &str) -> Vec<String> {
        let call = |owner: &str, text: &str, arg| {
            let (name, descriptor) = text.split_at(text.find('(').unwrap_or(0));
            let method = MethodRef {
                owner: owner.to_owned(),
                name: name.to_owned(),
                descriptor: descriptor.to_owned(),
            };
            let operation =
                Operation::Call { method, kind: CallKind::Static, receiver: None, args: vec![arg] };
            let result = descriptor::result(descriptor).to_owned();
            Statement { operation, result, runtime_class: None, caught: None }
        };
        let make = call(SET, "of(Ljava/lang/Object;)Ljava/util/Set;", Arg::Value(value));
        let take = call("a.Taker", &format!("{to}(Ljava/util/Set;)V"), Arg::Var(0));
        let sequence = Sequence { statements: vec![make, take] };
        clashes(&sequence, &types()).into_iter().map(|method| method.name.clone()).collect()
    }

    #[test]
    fn a_set_of_numbers_is_none_of_texts_and_one_of_anything() {
        let number = || Value::Boxed(Box::new(Value::Int(1)));
        assert_eq!(passing(Value::Str("a".into()), "texts"), [] as [&str; 0]);
        assert_eq!(passing(number(), "texts"), ["of"], "the set is one of texts, and a number is put in");
        assert_eq!(passing(number(), "all"), [] as [&str; 0]);
        assert_eq!(passing(Value::Null, "texts"), [] as [&str; 0]);
    }

    #[test]
    fn what_is_below_a_bound_may_be_passed() {
        let of = |class: &str| Value::Enum(class.to_owned(), "ONE".to_owned());
        assert_eq!(passing(of("a.Small"), "parts"), [] as [&str; 0]);
        assert_eq!(passing(of("a.Taker"), "parts"), ["parts"]);
        assert_eq!(
            passing(of("a.Unknown"), "parts"),
            [] as [&str; 0],
            "what is not known contradicts nothing"
        );
    }

    #[test]
    fn a_class_that_is_only_declared_is_assignable_to_what_it_declares_above_it() {
        let above = |names: &[&str]| DeclaredClass {
            supertypes: names.iter().map(|name| class(name, vec![])).collect(),
            ..DeclaredClass::default()
        };
        let all = [
            ("java.util.List", above(&["java.lang.Object", "java.util.Collection"])),
            ("java.util.Collection", above(&["java.lang.Object", "java.lang.Iterable"])),
            ("java.lang.Iterable", above(&["java.lang.Object"])),
            ("a.Far", above(&["a.Unknown"])),
        ];
        let all: Declared = all.map(|(name, of)| (name.to_owned(), of)).into();
        let types = Types::new([], "a").with_declared(Arc::new(all));
        let is =
            |from: &str, to: &str| types.assignable(&descriptor::of_class(from), &descriptor::of_class(to));
        assert_eq!(is("java.util.List", "java.lang.Iterable"), Some(true));
        assert_eq!(is("java.lang.Iterable", "java.util.List"), Some(false));
        assert_eq!((is("a.Far", "a.Unknown"), is("a.Far", "a.Top")), (Some(true), None));
        assert_eq!(is("a.Unknown", "a.Top"), None);
        assert_eq!(is("java.lang.Boolean", "java.util.Comparator"), Some(false));
        assert_eq!(is("java.lang.Boolean", "java.lang.Comparable"), Some(true));
        assert_eq!(is("java.lang.Integer", "java.lang.Number"), None, "where nothing is known of it");
        assert_eq!(is("java.lang.String", "a.Top"), Some(false));
    }
}

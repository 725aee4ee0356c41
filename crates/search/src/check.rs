//! Whether a sequence is well typed: what every candidate must pass. Knows nothing of how candidates are made.
//!
//! Invariant: an accepted sequence refers backwards only, holds nothing opaque and contradicts no type that is known.
//! Classes that are not among the types are trusted: the sequence carved from a test that used them ran.

use crate::types::{OF_OBJECT, Types};
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Answer, Arg, Operation, Sequence, Statement};
use dynaflow_model::sites::{CallKind, MethodRef};

/// Why a sequence is not well typed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("statement {statement}: {reason}")]
pub struct IllTyped {
    /// Index of the statement.
    pub statement: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Checks every statement of the sequence. Linear in its length.
///
/// # Errors
/// Names the first statement that is wrong and why.
pub fn check(sequence: &Sequence, types: &Types) -> Result<(), IllTyped> {
    for (index, statement) in sequence.statements.iter().enumerate() {
        let before = sequence.statements.get(..index).unwrap_or(&[]);
        let checker = Checker { types, before };
        checker.statement(statement).map_err(|reason| IllTyped { statement: index, reason })?;
    }
    Ok(())
}

struct Checker<'a> {
    types: &'a Types,
    before: &'a [Statement],
}

impl Checker<'_> {
    fn statement(&self, statement: &Statement) -> Result<(), String> {
        let result = match &statement.operation {
            Operation::New { constructor, args } => self.new_object(constructor, args)?,
            Operation::Call { method, kind, receiver, args } => {
                self.call(method, *kind, receiver.as_ref(), args)?
            }
            Operation::GetStatic(field) => {
                self.nameable(&field.owner)?;
                field.descriptor.clone()
            }
            Operation::GetField { field, object } => {
                self.nameable(&field.owner)?;
                self.object(object, &descriptor::of_class(&field.owner))?;
                field.descriptor.clone()
            }
            Operation::NewArray { descriptor, .. } => self.array(descriptor)?,
            Operation::ArrayStore { array, index, value } => self.store(array, *index, value)?,
            Operation::Stub { interface, answers } => self.stub(interface, answers)?,
            Operation::Contract { one, other, .. } => self.contract(one, other.as_ref())?,
            Operation::Opaque(what) => return Err(format!("it cannot be rebuilt: {what}")),
        };
        let is_call = matches!(statement.operation, Operation::New { .. } | Operation::Call { .. });
        if statement.caught.is_some() && !is_call {
            return Err("an exception is expected of what is no call".to_owned());
        }
        let result = if statement.caught.is_some() { "V".to_owned() } else { result };
        if result == statement.result {
            return Ok(());
        }
        Err(format!("its result is said to be {} and is {result}", statement.result))
    }

    fn nameable(&self, class: &str) -> Result<(), String> {
        if self.types.may_name(class) { Ok(()) } else { Err(format!("{class} cannot be named by the test")) }
    }

    fn member(&self, method: &MethodRef) -> Result<Option<CallKind>, String> {
        self.nameable(&method.owner)?;
        let what = || format!("{}.{}{}", method.owner, method.name, method.descriptor);
        match self.types.member(method) {
            None => Ok(None),
            Some(None) if OF_OBJECT.contains(&(method.name.as_str(), method.descriptor.as_str())) => Ok(None),
            Some(None) => Err(format!("there is no {}", what())),
            Some(Some(callable)) if self.types.may_call(callable) => Ok(Some(callable.kind)),
            Some(Some(_)) => Err(format!("{} cannot be called by the test", what())),
        }
    }

    fn new_object(&self, constructor: &MethodRef, args: &[Arg]) -> Result<String, String> {
        if constructor.name != "<init>" {
            return Err(format!("`new` calls {}", constructor.name));
        }
        self.member(constructor)?;
        if let Some(info) = self.types.get(&constructor.owner) {
            if info.is_abstract || !info.enum_constants.is_empty() {
                return Err(format!("{} has no instances made by `new`", info.name));
            }
            if info.is_inner && matches!(args.first(), None | Some(Arg::Value(_))) {
                return Err(format!("{} needs an enclosing object", info.name));
            }
        }
        self.args(&constructor.descriptor, args)?;
        Ok(descriptor::of_class(&constructor.owner))
    }

    fn call(
        &self,
        method: &MethodRef,
        kind: CallKind,
        receiver: Option<&Arg>,
        args: &[Arg],
    ) -> Result<String, String> {
        let known = self.member(method)?;
        let is_static = |kind| kind == CallKind::Static;
        if matches!(kind, CallKind::Special | CallKind::Constructor) {
            return Err(format!("{} is called in a way only its own class may", method.name));
        }
        if is_static(kind) != receiver.is_none() || known.is_some_and(|k| is_static(k) != is_static(kind)) {
            return Err(format!("{} has a receiver and is static, or neither", method.name));
        }
        if let Some(receiver) = receiver {
            self.object(receiver, &descriptor::of_class(&method.owner))?;
        }
        self.args(&method.descriptor, args)?;
        Ok(descriptor::result(&method.descriptor).to_owned())
    }

    fn args(&self, method: &str, args: &[Arg]) -> Result<(), String> {
        let parameters = descriptor::parameters(method);
        if parameters.len() != args.len() {
            return Err(format!("{} arguments for {method}", args.len()));
        }
        parameters.iter().zip(args).try_for_each(|(parameter, arg)| self.arg(arg, parameter))
    }

    /// An argument that must not be `null`.
    fn object(&self, arg: &Arg, wanted: &str) -> Result<(), String> {
        if matches!(arg, Arg::Value(_)) {
            return Err("a literal stands where an object is needed".to_owned());
        }
        self.arg(arg, wanted)
    }

    fn arg(&self, arg: &Arg, wanted: &str) -> Result<(), String> {
        let variable = match arg {
            Arg::Value(value) if self.types.literal_fits(value, wanted) => return Ok(()),
            Arg::Value(value) => return Err(format!("{value:?} stands where {wanted} is wanted")),
            Arg::Var(variable) => *variable as usize,
        };
        let Some(made) = self.before.get(variable) else {
            return Err(format!("it refers to statement {variable}, which is no earlier one"));
        };
        if made.result == "V" || self.types.fits(made, wanted) == Some(false) {
            return Err(format!("statement {variable} is {} where {wanted} is wanted", made.result));
        }
        Ok(())
    }

    fn stub(&self, interface: &str, answers: &[(MethodRef, Answer)]) -> Result<String, String> {
        let Some(wanted) = self.types.to_implement(interface) else {
            return Err(format!("{interface} cannot be implemented by the test"));
        };
        if !wanted.iter().eq(answers.iter().map(|(method, _)| method)) {
            return Err(format!("other methods are implemented than {interface} has"));
        }
        answers.iter().try_for_each(|(method, answer)| self.answer(method, answer))?;
        Ok(descriptor::of_class(interface))
    }

    fn answer(&self, method: &MethodRef, answer: &Answer) -> Result<(), String> {
        let result = descriptor::result(&method.descriptor);
        let parameters = descriptor::parameters(&method.descriptor);
        match answer {
            Answer::Nothing if result == "V" => Ok(()),
            Answer::Arg(arg) if result != "V" => self.arg(arg, result),
            Answer::Parameter(at) => {
                let given = parameters.get(*at as usize).copied();
                match given.and_then(|given| self.types.assignable(given, result)) {
                    Some(true) => Ok(()),
                    _ => Err(format!("parameter {at} of {} does not fit its result", method.name)),
                }
            }
            _ => Err(format!("{} answers {answer:?} where {result} is wanted", method.name)),
        }
    }

    fn contract(&self, one: &Arg, other: Option<&Arg>) -> Result<String, String> {
        std::iter::once(one).chain(other).try_for_each(|object| self.object(object, "Ljava/lang/Object;"))?;
        Ok("V".to_owned())
    }

    fn array(&self, descriptor: &str) -> Result<String, String> {
        let element = descriptor.trim_start_matches('[');
        if element.len() == descriptor.len() || element == "V" || element.is_empty() {
            return Err(format!("{descriptor} is no array type"));
        }
        if let Some(class) = descriptor::class_of(element) {
            self.nameable(&class)?;
        }
        Ok(descriptor.to_owned())
    }

    fn store(&self, array: &Arg, index: u32, value: &Arg) -> Result<String, String> {
        let Arg::Var(variable) = array else { return Err("a literal is no array".to_owned()) };
        let made = self.before.get(*variable as usize);
        let component = made.and_then(|m| descriptor::component(&m.result));
        let Some(component) = component else { return Err(format!("statement {variable} is no array")) };
        if let Some(Operation::NewArray { length, .. }) = made.map(|m| &m.operation)
            && index >= *length
        {
            return Err(format!("index {index} of an array of length {length}"));
        }
        self.arg(value, component)?;
        Ok("V".to_owned())
    }
}

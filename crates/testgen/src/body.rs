//! The lines of one test method: statements, assertions, the exception that ends it. Knows nothing of files.
//!
//! Invariant: a variable is declared only when a later line mentions it, and an expression has the static type its place
//! asks for, by a cast where it must.

mod observations;

use crate::asserts::Asserts;
use crate::literals::{comment, literal, string};
use crate::names::{Names, is_often_generic, variable_base};
use crate::request::TestCase;
use crate::throws::Throws;
use dynaflow_model::descriptor;
use dynaflow_model::outcome::{Observed, Thrown};
use dynaflow_model::sequence::{Arg, Operation, Statement, Value};
use dynaflow_model::sites::{CallKind, MethodRef};
use std::collections::{BTreeMap, BTreeSet};

/// The lines of a test and what its method must declare.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) lines: Vec<String>,
    pub(crate) throws: Throws,
}

/// Writes the body of a test.
///
/// # Errors
/// Says why Java source cannot express the test.
pub(crate) fn write(test: &TestCase, names: &mut Names, asserts: &mut Asserts<'_>) -> Result<Body, String> {
    let all = test.sequence.statements.len();
    let ran = test.outcome.thrown.as_ref().map_or(all, |thrown| all.min(thrown.statement as usize + 1));
    let mut writer = Writer {
        test,
        names,
        asserts,
        lines: vec![],
        throws: Throws::Nothing,
        variables: vec![None; all],
        counts: BTreeMap::new(),
        mentioned: mentioned(test, ran),
    };
    let mut index = 0;
    while index < ran {
        let initialised = writer.initialised_array(index, ran)?;
        if initialised == 0 {
            writer.statement(index)?;
        }
        index += 1 + initialised;
    }
    writer.observations();
    Ok(Body { lines: writer.lines, throws: writer.throws })
}

/// Which results later lines mention.
fn mentioned(test: &TestCase, ran: usize) -> Vec<bool> {
    let mut mentioned = vec![false; test.sequence.statements.len()];
    let by_statements = test.sequence.statements.iter().take(ran).flat_map(|s| s.operation.args());
    let by_statements = by_statements.filter_map(|arg| match arg {
        Arg::Var(index) => Some(*index),
        Arg::Value(_) => None,
    });
    for index in by_statements.chain(test.outcome.observations.iter().map(|o| o.path.variable)) {
        if let Some(slot) = mentioned.get_mut(index as usize) {
            *slot = true;
        }
    }
    mentioned
}

/// A declared variable: name and descriptor of its declared type.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    descriptor: String,
}

struct Writer<'a, 'n, 't, 's> {
    test: &'a TestCase,
    names: &'n mut Names<'t>,
    asserts: &'n mut Asserts<'s>,
    lines: Vec<String>,
    throws: Throws,
    variables: Vec<Option<Variable>>,
    counts: BTreeMap<String, u32>,
    mentioned: Vec<bool>,
}

impl Writer<'_, '_, '_, '_> {
    fn statement(&mut self, index: usize) -> Result<(), String> {
        let test = self.test;
        let Some(statement) = test.sequence.statements.get(index) else { return Ok(()) };
        let thrown = test.outcome.thrown.as_ref().filter(|t| t.statement as usize == index);
        let mentioned = self.mentioned.get(index) == Some(&true);
        let is_call = matches!(statement.operation, Operation::Call { .. } | Operation::New { .. });
        let expression = self.expression(statement)?;
        if let Some(thrown) = thrown {
            return self.throwing(statement, &expression, thrown);
        }
        self.declare_throws(&statement.operation, None);
        let observed = test.outcome.statements.get(index);
        if matches!(statement.operation, Operation::ArrayStore { .. }) {
            self.lines.push(format!("{expression};"));
        } else if mentioned && statement.result != "V" {
            let name = self.declare(index, statement, &expression);
            // That it is not null is shown by what follows.
            self.check(&name, statement, observed.filter(|o| !matches!(o, Observed::Object(_))));
        } else if !self.check(&expression, statement, observed) && is_call {
            self.lines.push(format!("{expression};"));
        }
        Ok(())
    }

    /// Writes an assertion on a returned value if there is one to write.
    fn check(&mut self, expression: &str, statement: &Statement, observed: Option<&Observed>) -> bool {
        let Operation::Call { method, .. } = &statement.operation else { return false };
        let Some(observed) = observed else { return false };
        let assertion = self.asserts.on(expression, &statement.result, &method.name, observed, self.names);
        let written = assertion.is_some();
        self.lines.extend(assertion.map(|assertion| format!("{assertion};")));
        written
    }

    fn declare(&mut self, index: usize, statement: &Statement, expression: &str) -> String {
        let nameable = self.names.can_name(&statement.result);
        let declared = if nameable { statement.result.clone() } else { "Ljava/lang/Object;".to_owned() };
        let base = variable_base(&declared);
        let count = self.counts.entry(base.clone()).or_insert(0);
        let name = format!("{base}{count}");
        *count += 1;
        self.lines.push(format!("{} {name} = {expression};", self.names.of(&declared)));
        if let Some(slot) = self.variables.get_mut(index) {
            *slot = Some(Variable { name: name.clone(), descriptor: declared });
        }
        name
    }

    fn expression(&mut self, statement: &Statement) -> Result<String, String> {
        match &statement.operation {
            Operation::New { constructor, args } => self.new_object(constructor, args),
            Operation::Call { method, kind, receiver, args } => {
                let (on, seen_as) = match (kind, receiver) {
                    (CallKind::Static, _) | (_, None) => (self.class(&method.owner)?, method.owner.clone()),
                    (_, Some(receiver)) => self.receiver(receiver, &method.owner)?,
                };
                Ok(format!("{on}.{}({})", method.name, self.args(method, &seen_as, args, 0)?))
            }
            Operation::GetStatic(field) => Ok(format!("{}.{}", self.class(&field.owner)?, field.name)),
            Operation::GetField { field, object } => {
                Ok(format!("{}.{}", self.receiver(object, &field.owner)?.0, field.name))
            }
            Operation::NewArray { descriptor, length } => self.new_array(descriptor, *length),
            Operation::ArrayStore { array, index, value } => self.store(array, *index, value),
            Operation::Opaque(what) => Err(format!("it needs something that cannot be rebuilt: {what}")),
        }
    }

    fn class(&mut self, class: &str) -> Result<String, String> {
        if self.names.can_name_class(class) {
            return Ok(self.names.class(class));
        }
        Err(format!("a test cannot name {class}"))
    }

    fn new_object(&mut self, constructor: &MethodRef, args: &[Arg]) -> Result<String, String> {
        let is_inner = self.names.types().get(&constructor.owner).is_some_and(|info| info.is_inner);
        let class = self.class(&constructor.owner)?;
        let Some(enclosing) = args.first().filter(|_| is_inner) else {
            return Ok(format!("new {class}({})", self.args(constructor, &constructor.owner, args, 0)?));
        };
        let outer = constructor.owner.rsplit_once('$').map_or("", |(outer, _)| outer);
        let (enclosing, _) = self.receiver(enclosing, outer)?;
        let simple = class.rsplit('.').next().unwrap_or(&class).to_owned();
        Ok(format!("{enclosing}.new {simple}({})", self.args(constructor, &constructor.owner, args, 1)?))
    }

    fn new_array(&mut self, descriptor: &str, length: u32) -> Result<String, String> {
        if !self.names.can_name(descriptor) {
            return Err(format!("a test cannot name the elements of {descriptor}"));
        }
        let element = descriptor.trim_start_matches('[');
        let dimensions = descriptor.len() - element.len();
        let more = "[]".repeat(dimensions.saturating_sub(1));
        Ok(format!("new {}[{length}]{more}", self.names.of(element)))
    }

    /// Writes an array together with the stores that fill it from end to end right after it was made: how many those are.
    fn initialised_array(&mut self, index: usize, ran: usize) -> Result<usize, String> {
        let test = self.test;
        let (made, rest) = match test.sequence.statements.get(index..ran).and_then(<[_]>::split_first) {
            Some(found) => found,
            None => return Ok(0),
        };
        let Operation::NewArray { descriptor, length } = &made.operation else { return Ok(0) };
        let own = u32::try_from(index).map(Arg::Var).ok();
        let fills = |(at, s): (u32, &Statement)| match &s.operation {
            Operation::ArrayStore { array, index, value } if Some(array) == own.as_ref() && *index == at => {
                Some(value.clone()).filter(|value| Some(value) != own.as_ref())
            }
            _ => None,
        };
        let values: Vec<Arg> = (0..*length).zip(rest).map_while(fills).collect();
        let threw =
            test.outcome.thrown.as_ref().is_some_and(|t| (t.statement as usize) <= index + values.len());
        if values.is_empty() || values.len() != *length as usize || threw || !self.names.can_name(descriptor)
        {
            return Ok(0);
        }
        let component = descriptor::component(descriptor).unwrap_or("Ljava/lang/Object;").to_owned();
        let mut written = vec![];
        for value in &values {
            written.push(self.arg(value, &component, false)?);
        }
        let expression = format!("{{{}}}", written.join(", "));
        self.declare(index, made, &expression);
        Ok(values.len())
    }

    fn store(&mut self, array: &Arg, index: u32, value: &Arg) -> Result<String, String> {
        let variable = self.variable(array)?;
        let component =
            descriptor::component(&variable.descriptor).unwrap_or("Ljava/lang/Object;").to_owned();
        let value = self.arg(value, &component, false)?;
        Ok(format!("{}[{index}] = {value}", variable.name))
    }

    fn variable(&self, arg: &Arg) -> Result<Variable, String> {
        let found = match arg {
            Arg::Var(index) => self.variables.get(*index as usize).cloned().flatten(),
            Arg::Value(_) => None,
        };
        found.ok_or_else(|| "it uses a result that no statement gave".to_owned())
    }

    /// An object whose member is used, and the class whose members its static type shows: cast when its declared type does not have
    /// the member.
    fn receiver(&mut self, arg: &Arg, owner: &str) -> Result<(String, String), String> {
        let variable = self.variable(arg)?;
        let wanted = descriptor::of_class(owner);
        if self.names.types().assignable(&variable.descriptor, &wanted) == Some(true) {
            let declared = descriptor::class_of(&variable.descriptor);
            return Ok((variable.name, declared.unwrap_or_else(|| owner.to_owned())));
        }
        Ok((format!("(({}) {})", self.class(owner)?, variable.name), owner.to_owned()))
    }

    /// The arguments of a call, the first `skipped` left out; `seen_as` is the class whose methods the compiler chooses from.
    fn args(
        &mut self,
        method: &MethodRef,
        seen_as: &str,
        args: &[Arg],
        skipped: usize,
    ) -> Result<String, String> {
        let exact = is_ambiguous(method, seen_as, self.names);
        let parameters = descriptor::parameters(&method.descriptor);
        let mut written = vec![];
        for (arg, wanted) in args.iter().zip(parameters).skip(skipped) {
            written.push(self.arg(arg, wanted, exact)?);
        }
        Ok(written.join(", "))
    }

    /// An argument; with `exact`, of exactly the wanted static type.
    fn arg(&mut self, arg: &Arg, wanted: &str, exact: bool) -> Result<String, String> {
        let (text, has) = match arg {
            Arg::Value(Value::Null) if exact || wanted.starts_with('[') => ("null".to_owned(), None),
            Arg::Value(Value::Null) => return Ok("null".to_owned()),
            Arg::Value(value) => {
                let text = literal(value, self.names);
                (text.ok_or_else(|| format!("a test cannot name {value:?}"))?, static_type(value))
            }
            Arg::Var(_) => {
                let variable = self.variable(arg)?;
                (variable.name, Some(variable.descriptor))
            }
        };
        // javac infers type arguments from what is passed to a generic parameter; a raw type leaves nothing to infer.
        let exact = exact || is_often_generic(wanted);
        let same = has.as_deref() == Some(wanted);
        let fits = has.as_deref().is_some_and(|has| {
            self.names.types().assignable(has, wanted) == Some(true) || matches!(arg, Arg::Value(_))
        });
        if same || fits && !exact || descriptor::is_primitive(wanted) {
            return Ok(text);
        }
        if !self.names.can_name(wanted) {
            return if fits { Ok(text) } else { Err(format!("a test cannot name {wanted}")) };
        }
        Ok(format!("({}) {text}", self.names.of(wanted)))
    }

    fn declare_throws(&mut self, operation: &Operation, caught: Option<&str>) {
        let (Operation::New { constructor: method, .. } | Operation::Call { method, .. }) = operation else {
            return;
        };
        self.throws = self.throws.max(Throws::of(method, caught, self.names.types()));
    }

    fn throwing(&mut self, statement: &Statement, expression: &str, thrown: &Thrown) -> Result<(), String> {
        if !matches!(statement.operation, Operation::New { .. } | Operation::Call { .. }) {
            return Err(format!("{} left a statement that is no call", thrown.class));
        }
        if !thrown.is_expected() {
            let message = thrown.message.as_deref().map(|m| format!(": {m}")).unwrap_or_default();
            self.declare_throws(&statement.operation, None);
            self.lines.push(format!("// throws {}", comment(&format!("{}{message}", thrown.class))));
            self.lines.push(format!("{expression};"));
            return Ok(());
        }
        let caught = self.catchable(thrown);
        let class = self.names.class(&caught);
        if self.asserts.style.with_throws {
            let assertion = self.asserts.call("assertThrows", &format!("{class}.class, () -> {expression}"));
            let with_message = self.asserts.message(&assertion, thrown);
            self.lines.push(format!("{};", with_message.unwrap_or(assertion)));
        } else {
            self.declare_throws(&statement.operation, Some(&caught));
            self.try_and_catch(expression, (&class, &caught), thrown);
        }
        Ok(())
    }

    fn try_and_catch(&mut self, expression: &str, (class, binary): (&str, &str), thrown: &Thrown) {
        let message = self.asserts.message("expected", thrown);
        // `fail` throws an AssertionError, which a handler of its superclasses would swallow.
        let swallows =
            ["java.lang.Throwable", "java.lang.Error", "java.lang.AssertionError"].contains(&binary);
        let fail = self.asserts.call("fail", &string(&format!("expected {binary}")));
        let inside = if swallows { None } else { Some(&fail) };
        let mut caught: Vec<String> = message.map(|message| format!("{message};")).into_iter().collect();
        if swallows {
            caught.push("return;".to_owned());
        } else if caught.is_empty() {
            let why = if thrown.declared { "declared" } else { "thrown on purpose" };
            caught.push(format!("// {class} is {why}"));
        }
        self.lines.push("try {".to_owned());
        self.lines.push(format!("    {expression};"));
        self.lines.extend(inside.map(|fail| format!("    {fail};")));
        self.lines.push(format!("}} catch ({class} expected) {{"));
        self.lines.extend(caught.iter().map(|line| format!("    {line}")));
        self.lines.push("}".to_owned());
        if swallows {
            self.lines.push(format!("{fail};"));
        }
    }

    /// The exception's class, or its nearest superclass that a test can name.
    fn catchable(&self, thrown: &Thrown) -> String {
        let all = std::iter::once(&thrown.class).chain(&thrown.superclasses);
        let nameable = all.into_iter().find(|class| self.names.can_name_class(class));
        nameable.map_or_else(|| "java.lang.Throwable".to_owned(), Clone::clone)
    }
}

/// Whether another method could be meant by the same name with as many arguments, among those of the class the object is seen as:
/// a subclass of the owner may have more of them. What is not known could.
fn is_ambiguous(method: &MethodRef, seen_as: &str, names: &Names) -> bool {
    let types = names.types();
    let (Some(owner), Some(seen)) = (types.get(&method.owner), types.get(seen_as)) else { return true };
    let above = seen.supertypes.iter().filter_map(|class| types.get(class));
    let wanted = descriptor::parameters(&method.descriptor);
    let mut alike = BTreeSet::new();
    for info in [owner, seen].into_iter().chain(above) {
        let members = if method.name == "<init>" { &owner.constructors } else { &info.methods };
        let of_name = members.iter().filter(|callable| callable.method.name == method.name);
        let all = of_name.map(|callable| descriptor::parameters(&callable.method.descriptor));
        alike.extend(all.filter(|parameters| parameters.len() == wanted.len()));
    }
    alike.len() != 1
}

/// The descriptor of a literal's static type.
fn static_type(value: &Value) -> Option<String> {
    match value {
        // A class literal has a type argument, which no descriptor names.
        Value::Null | Value::Class(_) => None,
        Value::Str(_) => Some("Ljava/lang/String;".to_owned()),
        Value::Enum(class, _) => Some(descriptor::of_class(class)),
        Value::Boxed(inner) => inner.boxed().map(str::to_owned),
        primitive => primitive.primitive().map(str::to_owned),
    }
}

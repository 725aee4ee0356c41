//! The lines of one test method: statements, assertions, the exception that ends it. Knows nothing of files.
//!
//! Invariants: calls are evaluated in the order of the statements, whatever is written inside what; a variable is declared only when a later
//! line mentions it; an expression has the static type its place asks for, by a cast where it must.

mod checks;
mod observations;

use crate::aliases::{self, Aliases};
use crate::asserts::{Asserts, stable_message};
use crate::contents::ExpectedMap;
use crate::literals::{comment, string};
use crate::names::Names;
use crate::pending::{Pending, Stack};
use crate::raw_arrays;
use crate::repeated;
use crate::request::{Asserted, TestCase};
use crate::supertypes::seen_by;
use crate::throws::Throws;
use crate::variables::Variables;
use dynaflow_model::declared::Type;
use dynaflow_model::descriptor;
use dynaflow_model::outcome::{Look, Observed, Thrown};
use dynaflow_model::sequence::{Arg, Caught, Operation, Statement};
use dynaflow_model::sites::MethodRef;
use dynaflow_search::typing::{self, erased};
use std::collections::BTreeMap;

/// The lines of a test and what its method must declare.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) lines: Vec<String>,
    pub(crate) throws: Throws,
    /// What is asserted of values, in order.
    pub(crate) shown: Vec<Shown>,
    /// What all assertions compare, those that are left out included.
    pub(crate) asserted: Vec<Asserted>,
}

/// A value, or the contents of a container, that a test asserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The method that gives it.
    pub(crate) method: String,
    /// What is there.
    pub(crate) what: Observed,
    /// The place of the call among the statements; none for an observer behind them.
    pub(crate) statement: Option<usize>,
}

/// Writes the body of a test.
///
/// # Errors
/// Says why Java source cannot express the test.
pub(crate) fn write(test: &TestCase, names: &mut Names, asserts: &mut Asserts<'_>) -> Result<Body, String> {
    let (mut test, aliases) = aliases::rewritten(test, names.types());
    repeated::leave_out(&mut test);
    let test = &test;
    let all = test.sequence.statements.len();
    let ran = test.outcome.thrown.as_ref().map_or(all, |thrown| all.min(thrown.statement as usize + 1));
    let looks = test.outcome.observations.iter().map(|seen| &seen.path);
    let typing = typing::infer(&test.sequence, ran, looks, names.types());
    let mut writer = Writer {
        test,
        names,
        asserts,
        lines: vec![],
        throws: Throws::Nothing,
        typing,
        aliases,
        variables: vec![None; all],
        given: Variables::new(&test.sequence),
        stack: Stack::default(),
        inside: BTreeMap::new(),
        uses: uses(test, ran),
        asserted: vec![],
        shown: vec![],
        maps: vec![],
    };
    let mut index = 0;
    while index < ran {
        let filled = writer.filled(index, ran);
        writer.statement(index, filled)?;
        index += 1 + filled;
    }
    writer.flush();
    writer.observations();
    Ok(Body { lines: writer.lines, throws: writer.throws, shown: writer.shown, asserted: writer.asserted })
}

/// How often statements that ran and observers mention each result.
fn uses(test: &TestCase, ran: usize) -> Vec<u32> {
    let mut uses = vec![0; test.sequence.statements.len()];
    let by_statements = test.sequence.statements.iter().take(ran).flat_map(|s| s.operation.args());
    let by_statements = by_statements.filter_map(variable);
    // What keeps a contract or not is named more than once.
    let asked = test.sequence.statements.iter().take(ran).filter(|s| is_contract(&s.operation));
    let by_contracts = asked.flat_map(|s| s.operation.args()).filter_map(variable);
    // What is observed, or compared with, needs a name.
    let observations = &test.outcome.observations;
    let results = observations.iter().map(|seen| &seen.result).chain(&test.outcome.statements);
    let compared = results.filter_map(|result| match result {
        Observed::Same(index) => Some(*index),
        _ => None,
    });
    let named = observations.iter().map(|seen| seen.path.variable).chain(compared);
    for index in by_statements.chain(by_contracts).chain(named.flat_map(|index| [index, index])) {
        uses.get_mut(index as usize).into_iter().for_each(|slot| *slot += 1);
    }
    uses
}

fn variable(arg: &Arg) -> Option<u32> {
    match arg {
        Arg::Var(index) => Some(*index),
        Arg::Value(_) => None,
    }
}

fn is_contract(operation: &Operation) -> bool {
    matches!(operation, Operation::Contract { .. })
}

/// A declared variable: its name, and what is known of its declared type.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) descriptor: String,
}

pub(crate) struct Writer<'a, 'n, 't, 's> {
    pub(crate) test: &'a TestCase,
    pub(crate) names: &'n mut Names<'t>,
    pub(crate) asserts: &'n mut Asserts<'s>,
    lines: Vec<String>,
    pub(crate) throws: Throws,
    /// The types of results, where they are known.
    typing: Vec<Option<Type>>,
    /// The statements that gave an object again.
    aliases: Aliases,
    pub(crate) variables: Vec<Option<Variable>>,
    pub(crate) given: Variables,
    /// What may stand inside a later statement.
    stack: Stack,
    /// What stands inside the statement being written.
    pub(crate) inside: BTreeMap<usize, Pending>,
    uses: Vec<u32>,
    /// What the assertions compare, with those that are left out.
    asserted: Vec<Asserted>,
    shown: Vec<Shown>,
    /// The maps that assertions compare with.
    maps: Vec<ExpectedMap>,
}

impl Writer<'_, '_, '_, '_> {
    fn statement(&mut self, index: usize, filled: usize) -> Result<(), String> {
        let test = self.test;
        let Some(statement) = test.sequence.statements.get(index) else { return Ok(()) };
        let uses = self.uses_beyond(index, filled);
        let is_call = matches!(statement.operation, Operation::Call { .. } | Operation::New { .. });
        let is_store =
            matches!(statement.operation, Operation::ArrayStore { .. } | Operation::Contract { .. });
        let is_stub = matches!(statement.operation, Operation::Stub { .. });
        if uses == 0 && !is_call && !is_store && !matches!(statement.operation, Operation::Opaque(_)) {
            return Ok(());
        }
        let thrown = test.outcome.thrown.as_ref().filter(|t| t.statement as usize == index);
        let caught = statement.caught.as_ref().filter(|_| thrown.is_none());
        let throws = thrown.is_some() || caught.is_some();
        let observed = test.outcome.statements.get(index);
        let may_wait = uses == 1
            && !(throws || is_store || is_stub)
            && !(matches!(statement.operation, Operation::Call { .. })
                && matches!(observed, Some(Observed::Value(_))));
        if is_stub {
            // What stands inside it would run whenever it is called.
            self.flush();
            self.inside.clear();
        } else {
            self.take_inside(index, filled, may_wait, throws);
        }
        let pending = self.written(index, filled)?;
        if let Some(thrown) = thrown {
            return self.throwing(statement, &pending.text, thrown);
        }
        if let Some(caught) = caught {
            self.expecting(statement, &pending.text, caught, None);
            return Ok(());
        }
        self.declare_throws(&statement.operation, None);
        if may_wait && pending.is_short() {
            self.stack.push(pending);
            return Ok(());
        }
        self.flush();
        if is_store {
            self.lines.push(format!("{};", pending.text));
        } else if uses > 0 && statement.result != "V" {
            let name = self.declare(&pending);
            // That it is not null is shown by what follows.
            self.check(&name, index, observed.filter(|o| !matches!(o, Observed::Object(_))));
        } else {
            let asserted = pending.asserted.as_ref().unwrap_or(&pending.text);
            let is_checked = self.check(asserted, index, observed.filter(|o| !self.is_known(index, o)));
            if !is_checked && is_call {
                self.lines.push(format!("{};", pending.text));
            }
        }
        Ok(())
    }

    /// How often a result is mentioned, by the stores that fill it as an array left out.
    fn uses_beyond(&self, index: usize, filled: usize) -> u32 {
        let uses = self.uses.get(index).copied().unwrap_or_default();
        uses.saturating_sub(u32::try_from(filled).unwrap_or(u32::MAX))
    }

    /// Takes from what waits the arguments that can stand inside a statement, and gives the others lines where they have to stand before it.
    fn take_inside(&mut self, index: usize, filled: usize, may_wait: bool, throws: bool) {
        let args = self.args_of(index, filled);
        let (inside, is_mentioned) = self.stack.take(&args, throws);
        if !may_wait || is_mentioned {
            self.flush();
        }
        self.inside = inside;
    }

    /// The arguments of a statement, or the elements of an array that is filled.
    fn args_of(&self, index: usize, filled: usize) -> Vec<Arg> {
        let statements = &self.test.sequence.statements;
        if filled == 0 {
            let args = statements.get(index).map(|statement| statement.operation.args());
            return args.into_iter().flatten().cloned().collect();
        }
        let stores = statements.iter().skip(index + 1).take(filled);
        let values = stores.filter_map(|store| match &store.operation {
            Operation::ArrayStore { value, .. } => Some(value.clone()),
            _ => None,
        });
        values.collect()
    }

    /// The statement as an expression.
    fn written(&mut self, index: usize, filled: usize) -> Result<Pending, String> {
        let test = self.test;
        let statement = test.sequence.statements.get(index).ok_or("there is no such statement")?;
        let mut pending = Pending::new(index, self.type_of(index, statement));
        if let (Operation::NewArray { descriptor, length }, true) = (&statement.operation, filled > 0) {
            debug_assert_eq!(*length as usize, filled, "an array is filled from end to end");
            self.filled_array(descriptor, &self.args_of(index, filled), &mut pending)?;
        } else {
            self.expression(statement, &mut pending)?;
        }
        Ok(pending)
    }

    /// How many stores fill an array from end to end right after it was made.
    fn filled(&self, index: usize, ran: usize) -> usize {
        let test = self.test;
        let found = test.sequence.statements.get(index..ran).and_then(<[_]>::split_first);
        let Some((made, rest)) = found else { return 0 };
        let Operation::NewArray { descriptor, length } = &made.operation else { return 0 };
        let own = u32::try_from(index).map(Arg::Var).ok();
        let fills = |(at, s): (u32, &Statement)| match &s.operation {
            Operation::ArrayStore { array, index, value } => {
                Some(array) == own.as_ref() && *index == at && Some(value) != own.as_ref()
            }
            _ => false,
        };
        let stores = (0..*length).zip(rest).take_while(|store| fills(*store)).count();
        let threw = test.outcome.thrown.as_ref().is_some_and(|t| (t.statement as usize) <= index + stores);
        if stores != *length as usize || threw || !self.names.can_name(descriptor) { 0 } else { stores }
    }

    /// The declared type of a result and its descriptor: as inferred where a test can name that.
    fn type_of(&self, index: usize, statement: &Statement) -> (String, Option<Type>) {
        let inferred = self.typing.get(index).cloned().flatten();
        let of = inferred.filter(|of| self.names.can_name_type(of));
        let Some(of) = of.or_else(|| typing::unbounded(&statement.result, self.names.types())) else {
            return (statement.result.clone(), None);
        };
        let from = self.test.sequence.statements.get(index..).unwrap_or_default();
        let of = raw_arrays::without_arguments(index, from, of, self.names.types());
        (erased(&of), Some(of))
    }

    /// Gives all that waits lines of their own.
    fn flush(&mut self) {
        for pending in self.stack.drain() {
            self.declare(&pending);
        }
    }

    /// Gives a value a variable, unless its object has one.
    fn declare(&mut self, pending: &Pending) -> String {
        if let Some(variable) = self.variable_of_same(pending.index) {
            self.lines.push(format!("{};", pending.text));
            let name = variable.name.clone();
            self.variables.get_mut(pending.index).into_iter().for_each(|slot| *slot = Some(variable.clone()));
            return name;
        }
        let special = self.special_type(pending);
        let nameable = special.is_some() || self.names.can_name(&pending.descriptor);
        let object = "Ljava/lang/Object;".to_owned();
        let descriptor = special.as_ref().or(nameable.then_some(&pending.descriptor)).unwrap_or(&object);
        let of = match pending.of.as_ref().filter(|_| nameable && special.is_none()) {
            Some(of) => self.names.typed(of),
            None => self.type_name(descriptor),
        };
        let name = self.given.name(&self.test.sequence, pending.index, descriptor, self.names.types());
        let value = pending.initialiser.as_ref().unwrap_or(&pending.text);
        let cast = if special.is_some() { format!("({of}) ") } else { String::new() };
        self.lines.extend(format!("{of} {name} = {cast}{value};").lines().map(str::to_owned));
        if let Some(slot) = self.variables.get_mut(pending.index) {
            *slot = Some(Variable { name: name.clone(), descriptor: descriptor.to_owned() });
        }
        name
    }

    /// The type that all who call the object, and are more than one, need and its declared type is not: one cast does instead of many.
    fn special_type(&self, pending: &Pending) -> Option<String> {
        let own = Arg::Var(u32::try_from(pending.index).ok()?);
        let types = self.names.types();
        let by_statements = self.test.sequence.statements.iter().filter_map(|s| match &s.operation {
            Operation::Call { method, receiver, .. } if receiver.as_ref() == Some(&own) => Some(method),
            _ => None,
        });
        let by_looks = self.test.outcome.observations.iter().filter(|o| Arg::Var(o.path.variable) == own);
        let by_looks = by_looks.filter_map(|o| match o.path.looks.first() {
            Some(Look::Call { method, .. }) => Some(method),
            _ => None,
        });
        let needs = |method: &&MethodRef| {
            let has = &pending.descriptor;
            types.assignable(has, &descriptor::of_class(&method.owner)) != Some(true)
                && seen_by(types, has, method).is_none()
        };
        let wanted = by_statements.chain(by_looks).filter(needs);
        let wanted: Vec<String> = wanted.map(|method| descriptor::of_class(&method.owner)).collect();
        let (first, rest) = wanted.split_first()?;
        let is_below = types.assignable(first, &pending.descriptor) == Some(true);
        let is_one = !rest.is_empty() && rest.iter().all(|other| other == first);
        (is_one && is_below && pending.initialiser.is_none() && self.names.can_name(first))
            .then(|| first.clone())
    }

    /// Whether it is an object that has a variable, of which nothing more is said.
    fn is_known(&self, index: usize, observed: &Observed) -> bool {
        matches!(observed, Observed::Object(_)) && self.variable_of_same(index).is_some()
    }

    /// The variable of an object that a statement gave again.
    fn variable_of_same(&self, index: usize) -> Option<Variable> {
        let index = u32::try_from(index).ok()?;
        let first = self.aliases.get(&index)?;
        let others = self.aliases.iter().filter(|(alias, of)| *of == first && **alias < index);
        let mut all = [first].into_iter().chain(others.map(|(alias, _)| alias)).rev();
        all.find_map(|at| self.variables.get(*at as usize).cloned().flatten())
    }

    fn declare_throws(&mut self, operation: &Operation, caught: Option<&str>) {
        let (Operation::New { constructor: method, .. } | Operation::Call { method, .. }) = operation else {
            return;
        };
        self.throws = self.throws.max(Throws::of(method, caught, self.names.types()));
    }

    fn throwing(&mut self, statement: &Statement, expression: &str, thrown: &Thrown) -> Result<(), String> {
        if let Operation::Contract { clause, .. } = &statement.operation {
            self.lines.push(format!("// {}", clause.promise()));
            self.lines.extend(format!("{expression};").lines().map(str::to_owned));
            return Ok(());
        }
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
        let with_message = stable_message(thrown).is_some() && self.is_wanted(Asserted::Message);
        let message = Some(thrown).filter(|_| with_message);
        self.expecting(statement, expression, &Caught::from(thrown), message);
        Ok(())
    }

    /// A call that ends with an exception which the test expects; `message` is the exception whose message is asserted.
    fn expecting(
        &mut self,
        statement: &Statement,
        expression: &str,
        expected: &Caught,
        message: Option<&Thrown>,
    ) {
        let caught = self.catchable(expected);
        let class = self.names.class(&caught);
        if let Some(assertion) = self.asserts.throws(&class, expression, message) {
            self.lines.push(format!("{assertion};"));
        } else {
            self.declare_throws(&statement.operation, Some(&caught));
            let message = message.and_then(|thrown| self.asserts.message("expected", thrown));
            self.try_and_catch(expression, (&class, &caught), expected.declared, message);
        }
    }

    fn try_and_catch(
        &mut self,
        expression: &str,
        (class, binary): (&str, &str),
        is_declared: bool,
        message: Option<String>,
    ) {
        // `fail` throws an AssertionError, which a handler of its superclasses would swallow.
        let swallows =
            ["java.lang.Throwable", "java.lang.Error", "java.lang.AssertionError"].contains(&binary);
        let fail = self.asserts.call("fail", &string(&format!("expected {binary}")));
        let inside = if swallows { None } else { Some(&fail) };
        let mut caught: Vec<String> = message.map(|message| format!("{message};")).into_iter().collect();
        if swallows {
            caught.push("return;".to_owned());
        } else if caught.is_empty() {
            let why = if is_declared { "declared" } else { "thrown on purpose" };
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
    fn catchable(&self, expected: &Caught) -> String {
        let all = std::iter::once(&expected.class).chain(&expected.superclasses);
        let nameable = all.into_iter().find(|class| self.names.can_name_class(class));
        nameable.map_or_else(|| "java.lang.Throwable".to_owned(), Clone::clone)
    }
}

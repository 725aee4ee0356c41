//! Expressions of a test: calls with their receivers and arguments, arrays, casts. Knows nothing of lines.
//!
//! Invariant: an expression means the overload that ran, and has the static type its place asks for, by a cast where it must.

use crate::body::{Variable, Writer};
use crate::literals::literal;
use crate::names::is_often_generic;
use crate::overloads::{others, static_type};
use crate::pending::{Elements, Pending};
use crate::supertypes::seen_by;
use dynaflow_model::declared::{Argument, DeclaredMethod, Type};
use dynaflow_model::descriptor;
use dynaflow_model::frameworks::Library;
use dynaflow_model::sequence::{Arg, Operation, Statement, Value};
use dynaflow_model::sites::{CallKind, MethodRef};
use dynaflow_search::typing;

impl Writer<'_, '_, '_, '_> {
    /// Writes what a statement does.
    pub(crate) fn expression(&mut self, statement: &Statement, pending: &mut Pending) -> Result<(), String> {
        pending.text = match &statement.operation {
            Operation::New { constructor, args } => return self.new_object(constructor, args, pending),
            Operation::Call { method, kind, receiver, args } => {
                let method = &receiver.as_ref().map_or_else(|| method.clone(), |on| self.as_seen(on, method));
                let (on, seen_as) = match (kind, receiver) {
                    (CallKind::Static, _) | (_, None) => (self.class(&method.owner)?, method.owner.clone()),
                    (_, Some(receiver)) => self.receiver(receiver, &method.owner)?,
                };
                let called = format!("{}({})", method.name, self.args(method, &seen_as, args, 0)?.join(", "));
                pending.asserted = self.chosen(method).map(|chosen| format!("{on}.{chosen}{called}"));
                format!("{on}.{called}")
            }
            Operation::GetStatic(field) => format!("{}.{}", self.class(&field.owner)?, field.name),
            Operation::GetField { field, object } => {
                format!("{}.{}", self.receiver(object, &field.owner)?.0, field.name)
            }
            Operation::NewArray { descriptor, length } => {
                pending.elements = (*length == 0).then(Elements::default);
                self.new_array(descriptor, *length, pending.of.as_ref())?
            }
            Operation::ArrayStore { array, index, value } => self.store(array, *index, value)?,
            Operation::Stub { interface, answers } => return self.stub(interface, answers, pending),
            Operation::Contract { clause, class, one, other } => {
                self.contract(*clause, class, one, other.as_ref())?
            }
            Operation::Opaque(what) => {
                return Err(format!("it needs something that cannot be rebuilt: {what}"));
            }
        };
        Ok(())
    }

    fn class(&mut self, class: &str) -> Result<String, String> {
        if self.names.can_name_class(class) {
            return Ok(self.names.class(class));
        }
        Err(format!("a test cannot name {class}"))
    }

    fn new_object(
        &mut self,
        constructor: &MethodRef,
        args: &[Arg],
        pending: &mut Pending,
    ) -> Result<(), String> {
        let owner = &constructor.owner;
        let is_inner = self.names.types().get(owner).is_some_and(|info| info.is_inner);
        let class = self.class(owner)?;
        let Some(enclosing) = args.first().filter(|_| is_inner) else {
            let mut written = self.args(constructor, owner, args, 0)?;
            self.type_nulls(constructor, args, &mut written, pending.of.as_ref());
            let written = written.join(", ");
            let (explicit, inferred) = self.type_arguments(owner, pending.of.as_ref());
            let inferred = inferred.filter(|_| !self.is_undecided(constructor, args));
            pending.initialiser = inferred.map(|inferred| format!("new {class}{inferred}({written})"));
            pending.text = format!("new {class}{explicit}({written})");
            return Ok(());
        };
        let outer = owner.rsplit_once('$').map_or("", |(outer, _)| outer);
        let (enclosing, _) = self.receiver(enclosing, outer)?;
        let simple = class.rsplit('.').next().unwrap_or(&class).to_owned();
        self.names.note_raw(owner);
        pending.text =
            format!("{enclosing}.new {simple}({})", self.args(constructor, owner, args, 1)?.join(", "));
        Ok(())
    }

    /// Casts each `null` that is cast to the parameter's type as this object has it: of a type with `?` it would be nothing that the constructor takes.
    fn type_nulls(
        &mut self,
        constructor: &MethodRef,
        args: &[Arg],
        written: &mut [String],
        of: Option<&Type>,
    ) {
        let Some(Type::Class(class, arguments)) = of else { return };
        let Some((_, declared)) = self.names.types().declaration(constructor) else { return };
        let own = self.names.types().declared().get(class);
        let known = |name: &str| own?.argument(name, arguments);
        let wanted: Vec<Type> = declared.parameters.iter().map(|parameter| parameter.with(&known)).collect();
        for ((arg, text), wanted) in args.iter().zip(written).zip(wanted) {
            let is_cast = *arg == Arg::Value(Value::Null) && text != "null";
            if is_cast && !wanted.has_parameters() && self.names.can_name_type(&wanted) {
                *text = format!("({}) null", self.names.typed(&wanted));
            }
        }
    }

    /// Whether javac finds no type arguments for `<>`: it has a choice of constructors, and an argument is a call whose own type arguments are inferred from the choice.
    fn is_undecided(&self, constructor: &MethodRef, args: &[Arg]) -> bool {
        let is_generic_call = |arg: &Arg| {
            let Arg::Var(index) = arg else { return false };
            let statement = self.test.sequence.statements.get(*index as usize);
            let Some(Operation::Call { method, .. }) = statement.map(|statement| &statement.operation) else {
                return false;
            };
            let declared = self.names.types().declaration(method);
            let is_generic = declared.is_some_and(|(_, declared)| !declared.type_parameters.is_empty());
            is_generic && self.inside.contains_key(&(*index as usize))
        };
        let others = others(constructor, &constructor.owner, self.names.types(), true);
        others.is_none_or(|others| !others.is_empty()) && args.iter().any(is_generic_call)
    }

    /// The type arguments behind `new`: where nothing else says them, and where a declaration does.
    fn type_arguments(&mut self, class: &str, of: Option<&Type>) -> (String, Option<&'static str>) {
        match of {
            Some(of @ Type::Class(_, arguments)) if !arguments.is_empty() => {
                let is_exact = |argument: &Argument| matches!(argument, Argument::Exact(_));
                if arguments.iter().all(is_exact) {
                    return (self.names.type_arguments(of), Some("<>"));
                }
            }
            _ => {}
        }
        self.names.note_raw(class);
        (String::new(), None)
    }

    /// The type arguments of a method whose result is of a type that its caller chooses, where AssertJ would not know which assertion is meant: many take what fits anything.
    pub(crate) fn chosen(&mut self, method: &MethodRef) -> Option<String> {
        let (_, declared) = self.names.types().declaration(method)?;
        let Some(Type::Parameter(result)) = &declared.result else { return None };
        let is_own = declared.type_parameters.iter().any(|of| of.name == *result);
        if self.asserts.style.library != Library::AssertJ || !is_own {
            return None;
        }
        let bounds = declared.type_parameters.iter().map(|of| of.bound.clone());
        let object = || Type::Class("java.lang.Object".to_owned(), vec![]);
        let all: Vec<Type> = bounds.map(|bound| bound.unwrap_or_else(object)).collect();
        let is_plain = |of: &Type| !of.has_parameters() && self.names.can_name_type(of);
        all.iter().all(is_plain).then(|| {
            let texts: Vec<String> = all.iter().map(|of| self.names.typed(of)).collect();
            format!("<{}>", texts.join(", "))
        })
    }

    fn new_array(&mut self, descriptor: &str, length: u32, of: Option<&Type>) -> Result<String, String> {
        let (element, more) = self.element_of(descriptor, of)?;
        Ok(format!("new {element}[{length}]{more}"))
    }

    /// The innermost element type of an array and the brackets of all dimensions but one.
    fn element_of(&mut self, descriptor: &str, of: Option<&Type>) -> Result<(String, String), String> {
        if !self.names.can_name(descriptor) {
            return Err(format!("a test cannot name the elements of {descriptor}"));
        }
        let element = descriptor.trim_start_matches('[');
        let dimensions = descriptor.len() - element.len();
        let name = match of {
            Some(of) => self.names.typed(innermost(of)),
            None => self.type_name(element),
        };
        Ok((name, "[]".repeat(dimensions.saturating_sub(1))))
    }

    /// The name of a type of which the descriptor is known; its arguments can be anything.
    pub(crate) fn type_name(&mut self, descriptor: &str) -> String {
        let of = typing::unbounded(descriptor, self.names.types());
        match of {
            Some(of) => self.names.typed(&of),
            None => self.names.of(descriptor),
        }
    }

    /// Writes an array with all its elements.
    pub(crate) fn filled_array(
        &mut self,
        descriptor: &str,
        values: &[Arg],
        pending: &mut Pending,
    ) -> Result<(), String> {
        let component = descriptor::component(descriptor).unwrap_or("Ljava/lang/Object;");
        let texts = values
            .iter()
            .map(|value| self.arg(value, component, None, Some(vec![])))
            .collect::<Result<Vec<_>, _>>()?;
        let is_exact =
            !values.is_empty() && values.iter().all(|value| self.has(value).as_deref() == Some(component));
        let may_be_array =
            |has: String| has.starts_with('[') || self.names.types().assignable("[I", &has) == Some(true);
        let could_be_array = matches!(values, [one] if self.has(one).is_none_or(may_be_array));
        let (element, more) = self.element_of(descriptor, pending.of.as_ref())?;
        let listed = format!("{{{}}}", texts.join(", "));
        pending.text = format!("new {element}[]{more} {listed}");
        pending.initialiser = Some(listed);
        let values = values.to_vec();
        pending.elements = Some(Elements { texts, values, is_exact, could_be_array });
        Ok(())
    }

    fn store(&mut self, array: &Arg, index: u32, value: &Arg) -> Result<String, String> {
        let variable = self.value_of(array)?;
        let component =
            descriptor::component(&variable.descriptor).unwrap_or("Ljava/lang/Object;").to_owned();
        let value = self.arg(value, &component, None, Some(vec![]))?;
        Ok(format!("{}[{index}] = {value}", variable.name))
    }

    /// The variable that holds a result, or the expression that stands for it.
    pub(crate) fn value_of(&self, arg: &Arg) -> Result<Variable, String> {
        let Arg::Var(index) = arg else { return Err("it uses a literal as an object".to_owned()) };
        let index = *index as usize;
        if let Some(pending) = self.inside.get(&index) {
            return Ok(Variable { name: pending.text.clone(), descriptor: pending.descriptor.clone() });
        }
        let variable = self.variables.get(index).cloned().flatten();
        variable.ok_or_else(|| "it uses a result that no statement gave".to_owned())
    }

    /// The method as the type of its receiver's variable has it, which is called without a cast then; as it is where that type does not have it.
    pub(crate) fn as_seen(&self, receiver: &Arg, method: &MethodRef) -> MethodRef {
        let seen = self.value_of(receiver).ok();
        let seen = seen.and_then(|variable| seen_by(self.names.types(), &variable.descriptor, method));
        seen.unwrap_or_else(|| method.clone())
    }

    /// An object whose member is used, and the class whose members its static type shows: cast when its declared type does not have
    /// the member.
    pub(crate) fn receiver(&mut self, arg: &Arg, owner: &str) -> Result<(String, String), String> {
        let variable = self.value_of(arg)?;
        let wanted = descriptor::of_class(owner);
        if self.names.types().assignable(&variable.descriptor, &wanted) == Some(true) {
            let declared = descriptor::class_of(&variable.descriptor);
            return Ok((variable.name, declared.unwrap_or_else(|| owner.to_owned())));
        }
        self.class(owner)?;
        Ok((format!("(({}) {})", self.type_name(&wanted), variable.name), owner.to_owned()))
    }

    /// The arguments of a call, the first `skipped` left out; `seen_as` is the class whose methods the compiler chooses from.
    pub(crate) fn args(
        &mut self,
        method: &MethodRef,
        seen_as: &str,
        args: &[Arg],
        skipped: usize,
    ) -> Result<Vec<String>, String> {
        let types = self.names.types();
        let others = others(method, seen_as, types, true);
        let is_alone = others.as_ref().is_some_and(|others| self.means(method, args, others));
        let declared = types.declaration(method).map(|(_, declared)| declared);
        let parameters = descriptor::parameters(&method.descriptor);
        let spread = self.spread(method, seen_as, args, declared);
        let single = args.len() - usize::from(spread.is_some());
        let mut written = vec![];
        for (at, (arg, wanted)) in args.iter().zip(parameters).enumerate().take(single).skip(skipped) {
            let generic =
                declared.filter(|d| d.parameters.len() == args.len()).and_then(|d| d.parameters.get(at));
            // Whether a boxed number can stand bare depends on the other methods in any case.
            let is_clear = is_alone && !matches!(arg, Arg::Value(Value::Boxed(_)));
            let others = match &others {
                Some(others) if !is_clear => {
                    Some(others.iter().filter_map(|all| all.get(at).copied()).collect())
                }
                Some(_) => Some(vec![]),
                None => None,
            };
            written.push(self.arg(arg, wanted, generic, others)?);
        }
        written.extend(spread.into_iter().flatten());
        Ok(written)
    }

    /// The elements of an array that stand as arguments of their own: those of a method that takes any number, where no other of its
    /// name could be meant.
    fn spread(
        &self,
        method: &MethodRef,
        seen_as: &str,
        args: &[Arg],
        declared: Option<&DeclaredMethod>,
    ) -> Option<Vec<String>> {
        declared.filter(|declared| declared.is_varargs)?;
        let Some(Arg::Var(index)) = args.last() else { return None };
        let pending = self.inside.get(&(*index as usize))?;
        let elements = pending.elements.as_ref()?;
        let parameter = *descriptor::parameters(&method.descriptor).last()?;
        let statement = self.test.sequence.statements.get(*index as usize)?;
        // Of elements of exactly its type the compiler infers the array that is there; of a generic type it warns that it makes one.
        let class = descriptor::component(&statement.result).and_then(descriptor::class_of);
        let is_inferred = class.is_some_and(|class| !self.names.is_generic(&class))
            && matches!(declared?.parameters.last(), Some(Type::Array(of)) if matches!(**of, Type::Parameter(_)));
        let is_same = statement.result == parameter || is_inferred && elements.is_exact;
        let fixed = args.get(..args.len() - 1)?;
        let wanted = descriptor::parameters(&method.descriptor);
        let all: Vec<Arg> = fixed.iter().chain(&elements.values).cloned().collect();
        let is_other =
            |other: &Vec<&str>| self.is_refused(fixed, other) || self.is_passed_over(&all, other, &wanted);
        let is_alone = others(method, seen_as, self.names.types(), false)
            .is_some_and(|others| others.iter().all(is_other));
        (is_same && is_alone && !elements.could_be_array).then(|| elements.texts.clone())
    }

    /// An argument; of exactly the wanted static type where one of the methods with these `others` in its place could be meant. `generic` is
    /// the declared type of the parameter.
    pub(crate) fn arg(
        &mut self,
        arg: &Arg,
        wanted: &str,
        generic: Option<&Type>,
        others: Option<Vec<&str>>,
    ) -> Result<String, String> {
        if let Some(bare) = self.unboxed(arg, wanted, others.as_deref()) {
            return Ok(bare);
        }
        let exact = others.as_ref().is_none_or(|others| !others.is_empty());
        let (text, has) = match arg {
            Arg::Value(Value::Null) if exact || wanted.starts_with('[') => ("null".to_owned(), None),
            Arg::Value(Value::Null) => return Ok("null".to_owned()),
            Arg::Value(value) => {
                let text = literal(value, self.names);
                (text.ok_or_else(|| format!("a test cannot name {value:?}"))?, static_type(value))
            }
            Arg::Var(_) => {
                let variable = self.value_of(arg)?;
                (variable.name, Some(variable.descriptor))
            }
        };
        // javac infers type arguments from what is passed to a generic parameter; a raw type, or a cast, leaves nothing to infer.
        let is_inferred = generic.is_some_and(Type::has_parameters);
        let is_known = is_inferred || others.is_some();
        let is_clear = is_known && self.is_clear(has.as_deref(), wanted, others);
        let exact = exact && !is_clear || generic.is_none() && is_often_generic(wanted);
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
        let declared = generic.filter(|of| !of.has_parameters() && self.names.can_name_type(of));
        let to = match declared {
            Some(of) => self.names.typed(of),
            None => self.type_name(wanted),
        };
        Ok(format!("({to}) {text}"))
    }

    /// A boxed value as the bare one, which the compiler boxes where the parameter takes an object (JLS 5.3): where no other method takes it or what it
    /// boxes.
    fn unboxed(&mut self, arg: &Arg, wanted: &str, others: Option<&[&str]>) -> Option<String> {
        let Arg::Value(value @ Value::Boxed(inner)) = arg else { return None };
        let (has, types) = (static_type(value)?, self.names.types());
        let is_taken =
            |other: &&str| descriptor::is_primitive(other) || types.assignable(&has, other) != Some(false);
        let is_alone = others.is_some_and(|others| !others.iter().any(is_taken));
        let takes_it = !descriptor::is_primitive(wanted) && types.assignable(&has, wanted) == Some(true);
        (takes_it && is_alone).then(|| literal(inner, self.names)).flatten()
    }

    /// Whether a static type fits none of the others' parameters, as far as these are known: which method is meant is seen when the test runs.
    /// An array that is wanted as one is no `Object`: the method that takes arrays is the more specific one.
    fn is_clear(&self, has: Option<&str>, wanted: &str, others: Option<Vec<&str>>) -> bool {
        let (Some(has), Some(others)) = (has, others) else { return has.is_some() };
        let types = self.names.types();
        let is_array = has.starts_with('[') && wanted.starts_with('[');
        let is_other = |other: &str| match descriptor::is_primitive(other) {
            true => descriptor::is_primitive_or_box(has),
            false => types.assignable(has, other) != Some(false),
        };
        others.into_iter().all(|other| is_array && other == "Ljava/lang/Object;" || !is_other(other))
    }
}

/// The type of what an array of arrays holds in the end.
fn innermost(of: &Type) -> &Type {
    match of {
        Type::Array(component) => innermost(component),
        other => other,
    }
}

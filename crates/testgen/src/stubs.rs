//! Objects of interfaces that a test implements itself: a lambda where one method is to be written and Java has lambdas, else an anonymous class.
//!
//! Knows nothing of what calls them. Invariant: what a method gives is evaluated without a call of the program: a literal, a variable, a parameter.

use crate::body::Writer;
use crate::pending::Pending;
use dynaflow_model::declared::{Argument, DeclaredMethod, Type};
use dynaflow_model::sequence::{Answer, Arg};
use dynaflow_model::sites::MethodRef;
use dynaflow_search::implemented;
use dynaflow_search::typing::erased;

impl Writer<'_, '_, '_, '_> {
    /// Writes a stub.
    pub(crate) fn stub(
        &mut self,
        interface: &str,
        answers: &[(MethodRef, Answer)],
        pending: &mut Pending,
    ) -> Result<(), String> {
        let raw = Type::Class(interface.to_owned(), vec![]);
        let of = pending.of.clone().unwrap_or(raw);
        pending.text = match answers {
            [(method, answer)] if self.asserts.has_lambdas() => {
                self.lambda(&implemented(&of, method, self.names.types()), answer)?
            }
            all => self.anonymous(interface, &of, all)?,
        };
        Ok(())
    }

    fn lambda(&mut self, method: &DeclaredMethod, answer: &Answer) -> Result<String, String> {
        let names = self.parameter_names(method);
        let answered = self.answered(method, answer, &names)?.unwrap_or_else(|| "{}".to_owned());
        Ok(match names.as_slice() {
            [one] => format!("{one} -> {answered}"),
            all => format!("({}) -> {answered}", all.join(", ")),
        })
    }

    fn anonymous(
        &mut self,
        interface: &str,
        of: &Type,
        answers: &[(MethodRef, Answer)],
    ) -> Result<String, String> {
        let is_exact = |argument: &Argument| matches!(argument, Argument::Exact(_));
        let class = match of {
            Type::Class(_, arguments) if arguments.iter().all(is_exact) => self.names.typed(of),
            _ => return Err(format!("a test cannot name the type arguments of {interface}")),
        };
        let mut text = format!("new {class}() {{");
        for (at, (method, answer)) in answers.iter().enumerate() {
            text.push_str(if at == 0 { "\n" } else { "\n\n" });
            let declared = implemented(of, method, self.names.types());
            text.push_str(&self.method(&method.name, &declared, answer)?);
        }
        text.push_str(if answers.is_empty() { "}" } else { "\n}" });
        Ok(text)
    }

    /// A method of an anonymous class.
    fn method(&mut self, name: &str, method: &DeclaredMethod, answer: &Answer) -> Result<String, String> {
        let names = self.parameter_names(method);
        let result = method.result.as_ref().ok_or_else(|| format!("a test cannot name what {name} gives"))?;
        let result = self.written_type(result)?;
        let mut parameters = vec![];
        for (at, (of, name)) in method.parameters.iter().zip(&names).enumerate() {
            let of = match of {
                Type::Array(component) if method.is_varargs && at + 1 == names.len() => {
                    format!("{}...", self.written_type(component)?)
                }
                of => self.written_type(of)?,
            };
            parameters.push(format!("{of} {name}"));
        }
        let body = match self.answered(method, answer, &names)? {
            Some(answered) => format!("{{\n        return {answered};\n    }}"),
            None => "{}".to_owned(),
        };
        Ok(format!("    @Override\n    public {result} {name}({}) {body}", parameters.join(", ")))
    }

    fn written_type(&mut self, of: &Type) -> Result<String, String> {
        if self.names.can_name_type(of) {
            return Ok(self.names.typed(of));
        }
        Err(format!("a test cannot name {}", erased(of)))
    }

    /// What a method gives; none where that is nothing.
    fn answered(
        &mut self,
        method: &DeclaredMethod,
        answer: &Answer,
        names: &[String],
    ) -> Result<Option<String>, String> {
        match answer {
            Answer::Nothing => Ok(None),
            Answer::Arg(Arg::Var(_)) if !self.asserts.has_lambdas() => {
                Err("before Java 8 an anonymous class uses final variables only".to_owned())
            }
            Answer::Arg(arg) => {
                let object = Type::object();
                let result = method.result.as_ref().unwrap_or(&object);
                self.arg(arg, &erased(result), Some(result), Some(vec![])).map(Some)
            }
            Answer::Parameter(at) => {
                let name = names.get(*at as usize).cloned();
                name.map(Some).ok_or_else(|| format!("there is no parameter {at}"))
            }
        }
    }

    /// Names that no variable has: those that the class file has, or such as the types have.
    fn parameter_names(&self, method: &DeclaredMethod) -> Vec<String> {
        let mut names: Vec<String> = vec![];
        for (at, of) in method.parameters.iter().enumerate() {
            let name = self.given.parameter(method.names.get(at), &erased(of), &names);
            names.push(name);
        }
        names
    }
}

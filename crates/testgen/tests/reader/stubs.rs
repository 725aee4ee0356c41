//! Lambdas and anonymous classes read back as the stubs that they are. Knows nothing of what is passed where.

use super::Reading;
use super::syntax::{Expr, Implemented};
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Answer, Operation};
use dynaflow_model::sites::MethodRef;

impl Reading<'_, '_> {
    /// The place of the operation that makes an object of the interface that a variable is declared with.
    pub(super) fn stub(&mut self, expression: Expr, declared: &str) -> usize {
        let interface = descriptor::class_of(declared).unwrap();
        let wanted = self.file.classes.get(&interface).unwrap().to_implement.clone().unwrap();
        let answers = match expression {
            Expr::Lambda(names, gives) => {
                let [method] = wanted.as_slice() else {
                    unreachable!("{interface} is no functional interface")
                };
                assert_eq!(names.len(), descriptor::parameters(&method.descriptor).len());
                vec![(method.clone(), self.answer(method, &names, gives.map(|gives| *gives)))]
            }
            Expr::Anonymous(class, methods) => {
                assert_eq!(self.file.class(&class), interface);
                assert_eq!(methods.len(), wanted.len(), "{interface} is implemented in full");
                wanted.into_iter().map(|method| self.implemented(method, &methods)).collect()
            }
            other => unreachable!("no stub: {other:?}"),
        };
        self.did(Operation::Stub { interface, answers }, declared)
    }

    fn implemented(&mut self, method: MethodRef, all: &[Implemented]) -> (MethodRef, Answer) {
        let is_same = |one: &&Implemented| {
            let parameters: Vec<String> =
                one.parameters.iter().map(|(of, _)| self.file.descriptor(of)).collect();
            let of = format!("({}){}", parameters.concat(), self.file.descriptor(&one.result));
            (&one.name, &of) == (&method.name, &method.descriptor)
        };
        let found = all.iter().find(is_same).unwrap();
        let names: Vec<String> = found.parameters.iter().map(|(_, name)| name.clone()).collect();
        let answer = self.answer(&method, &names, found.gives.clone());
        (method, answer)
    }

    /// What is given: a parameter hides no variable.
    fn answer(&mut self, method: &MethodRef, names: &[String], gives: Option<Expr>) -> Answer {
        assert!(names.iter().all(|name| !self.variables.contains_key(name)), "{names:?} hide a variable");
        let result = descriptor::result(&method.descriptor);
        let Some(gives) = gives else {
            assert_eq!(result, "V");
            return Answer::Nothing;
        };
        if let Expr::Name(path) = &gives
            && let Some(at) = names.iter().position(|name| path == std::slice::from_ref(name))
        {
            return Answer::Parameter(u32::try_from(at).unwrap());
        }
        let before = self.method.operations.len();
        let given = self.given(gives);
        assert_eq!(self.method.operations.len(), before, "it would run with each call");
        assert!(self.file.classes.takes(&given.of, result, true), "{:?} is no {result}", given.of);
        Answer::Arg(super::boxed(given.arg, result))
    }
}

//! Which method a call means: the language's own rules (JLS 15.12.2) for the types of a test. Knows nothing of source.
//!
//! Invariant: a call that the rules find ambiguous, or no method for, fails.

use dynaflow_model::descriptor;
use dynaflow_model::types::{Callable, TypeInfo};

/// The static type of an argument: a descriptor, or the type of `null`.
pub type Static = Option<String>;

const NUMBERS: [&str; 6] = ["B", "S", "I", "J", "F", "D"];
const BOXES: [(&str, &str); 8] = [
    ("Z", "java.lang.Boolean"),
    ("B", "java.lang.Byte"),
    ("C", "java.lang.Character"),
    ("S", "java.lang.Short"),
    ("I", "java.lang.Integer"),
    ("J", "java.lang.Long"),
    ("F", "java.lang.Float"),
    ("D", "java.lang.Double"),
];

/// The classes a test may use, with what is known of the JDK's.
pub struct Classes<'a>(pub &'a [TypeInfo]);

impl Classes<'_> {
    pub fn get(&self, name: &str) -> Option<&TypeInfo> {
        self.0.iter().find(|info| info.name == name)
    }

    /// Whether every object of the class is one of the other.
    pub fn extends(&self, class: &str, other: &str) -> bool {
        let listed = self.get(class).is_some_and(|info| info.supertypes.iter().any(|above| above == other));
        let comparable = class == "java.lang.String" || BOXES.iter().any(|(_, name)| *name == class);
        let number =
            BOXES[1..].iter().any(|(p, name)| *name == class && *p != "C") && other == "java.lang.Number";
        class == other
            || other == "java.lang.Object"
            || listed
            || number
            || comparable && ["java.lang.Comparable", "java.io.Serializable"].contains(&other)
            || class == "java.lang.String" && other == "java.lang.CharSequence"
            || class == "java.lang.Class" && other == "java.io.Serializable"
    }

    /// Subtyping, with the widening of primitives as its part.
    fn is_below(&self, from: &str, to: &str) -> bool {
        let rank = |d: &str| NUMBERS.iter().position(|n| *n == d);
        match (descriptor::is_primitive(from), descriptor::is_primitive(to)) {
            (true, true) => {
                from == to
                    || rank(if from == "C" { "S" } else { from }) < rank(to)
                        && from != "Z"
                        && rank(to).is_some()
                        && (from != "C" || to != "S")
            }
            (false, false) => self.reference(from, to),
            _ => false,
        }
    }

    fn reference(&self, from: &str, to: &str) -> bool {
        match (descriptor::component(from), descriptor::component(to)) {
            (Some(a), Some(b)) => {
                a == b || !descriptor::is_primitive(a) && !descriptor::is_primitive(b) && self.reference(a, b)
            }
            (Some(_), None) => {
                ["Ljava/lang/Object;", "Ljava/lang/Cloneable;", "Ljava/io/Serializable;"].contains(&to)
            }
            (None, Some(_)) => false,
            (None, None) => {
                self.extends(&descriptor::class_of(from).unwrap(), &descriptor::class_of(to).unwrap())
            }
        }
    }

    /// Whether an argument may be passed; `loose` with boxing and unboxing.
    pub fn takes(&self, from: &Static, to: &str, loose: bool) -> bool {
        let Some(from) = from else { return !descriptor::is_primitive(to) };
        let boxed = || BOXES.iter().find(|(p, _)| p == from).map(|(_, name)| descriptor::of_class(name));
        let bare = || BOXES.iter().find(|(_, name)| descriptor::of_class(name) == *from).map(|(p, _)| *p);
        self.is_below(from, to)
            || loose && boxed().is_some_and(|from| self.is_below(&from, to))
            || loose && bare().is_some_and(|from| self.is_below(from, to))
    }

    /// Methods of a class by name, its own before inherited ones; constructors by `<init>`.
    fn members(&self, class: &str, name: &str) -> Vec<&Callable> {
        let info = self.get(class).unwrap_or_else(|| unreachable!("{class}.{name} is not known"));
        let above = info.supertypes.iter().filter_map(|above| self.get(above));
        let lists: Vec<&[Callable]> = if name == "<init>" {
            vec![&info.constructors]
        } else {
            [info].into_iter().chain(above).map(|info| &info.methods[..]).collect()
        };
        let mut found: Vec<&Callable> = vec![];
        for callable in lists.into_iter().flatten().filter(|callable| callable.method.name == name) {
            if found.iter().all(|known| known.method.descriptor != callable.method.descriptor) {
                found.push(callable);
            }
        }
        found
    }

    /// The method that a call means.
    pub fn resolve(&self, class: &str, name: &str, arguments: &[Static]) -> &Callable {
        let members = self.members(class, name);
        for loose in [false, true] {
            let fits = |callable: &&&Callable| {
                let parameters = descriptor::parameters(&callable.method.descriptor);
                parameters.len() == arguments.len()
                    && parameters.iter().zip(arguments).all(|(to, from)| self.takes(from, to, loose))
            };
            let applicable: Vec<&&Callable> = members.iter().filter(fits).collect();
            let most: Vec<_> = applicable
                .iter()
                .filter(|one| applicable.iter().all(|other| self.is_more_specific(one, other)))
                .collect();
            match (most.as_slice(), applicable.as_slice()) {
                ([one], _) => return one,
                ([], []) => {}
                _ => unreachable!("{class}.{name}{arguments:?} is ambiguous"),
            }
        }
        unreachable!("there is no {class}.{name}{arguments:?}")
    }

    fn is_more_specific(&self, one: &Callable, other: &Callable) -> bool {
        let ones = descriptor::parameters(&one.method.descriptor);
        let others = descriptor::parameters(&other.method.descriptor);
        ones.iter().zip(&others).all(|(from, to)| self.is_below(from, to))
    }
}

//! Containers of the JDK that hold what they are declared to hold: `Arrays.asList(order, order2)` where a `List<Order>` is asked for.
//!
//! Knows nothing of how containers are used. Invariant: what is put in is made for the type argument, so that it is nothing that a typed program could not
//! put there, and never null.

use crate::build::Builder;
use crate::typing::erased;
use dynaflow_model::declared::{Argument, Type};
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Arg, Operation, Value};
use dynaflow_model::sites::{CallKind, MethodRef};
use rand::Rng;

/// How often a container whose type arguments are known is filled; else it is made like any other object.
const SHARE: f64 = 0.7;
/// Most elements or entries.
const MOST: usize = 3;
/// How often a list is one that `Arrays.asList` gives, which takes no further elements.
const FIXED: f64 = 0.5;

/// How a container is made and filled.
struct Kind {
    class: &'static str,
    /// The method that takes an element or an entry.
    put: (&'static str, &'static str),
    /// Whether a list that takes nothing more will do.
    may_be_fixed: bool,
}

const ADD: (&str, &str) = ("add", "(Ljava/lang/Object;)Z");
const PUT: (&str, &str) = ("put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");

impl Kind {
    fn of(wanted: &str) -> Option<Self> {
        let (class, put, may_be_fixed) = match wanted {
            "java.util.List" | "java.util.Collection" | "java.lang.Iterable" => {
                ("java.util.ArrayList", ADD, true)
            }
            "java.util.ArrayList" => ("java.util.ArrayList", ADD, false),
            "java.util.LinkedList" | "java.util.Queue" | "java.util.Deque" => {
                ("java.util.LinkedList", ADD, false)
            }
            "java.util.Set" | "java.util.HashSet" => ("java.util.HashSet", ADD, false),
            "java.util.Map" | "java.util.HashMap" => ("java.util.HashMap", PUT, false),
            _ => return None,
        };
        Some(Self { class, put, may_be_fixed })
    }
}

impl Builder<'_> {
    /// A container of this class with elements of its type arguments; none where these are not known, and now and then.
    pub(crate) fn filled(&mut self, class: &str, generic: Option<&Type>, depth: u32) -> Option<u32> {
        let held = held(class, generic?)?;
        let kind = Kind::of(class).filter(|kind| self.types.get(kind.class).is_some())?;
        if !self.may_nest(depth) || !self.rng.random_bool(SHARE) {
            return None;
        }
        let count = self.rng.random_range(1..=MOST);
        let entries: Vec<Vec<Arg>> = (0..count).filter_map(|_| self.entry(&held, depth)).collect();
        let is_plain = matches!(&held[..], [Type::Class(_, of)] if of.is_empty());
        if kind.may_be_fixed && is_plain && self.rng.random_bool(FIXED) {
            return Some(self.fixed(&erased(held.first()?), entries.into_iter().flatten().collect()));
        }
        let constructor = method(kind.class, ("<init>", "()V"));
        let container = self
            .assembly
            .push(Operation::New { constructor, args: vec![] }, descriptor::of_class(kind.class));
        for args in entries {
            let put = method(kind.class, kind.put);
            let result = descriptor::result(&put.descriptor).to_owned();
            let receiver = Some(Arg::Var(container));
            self.assembly
                .push(Operation::Call { method: put, kind: CallKind::Virtual, receiver, args }, result);
        }
        Some(container)
    }

    /// What is put in at once; none where a part of it would be null.
    fn entry(&mut self, held: &[Type], depth: u32) -> Option<Vec<Arg>> {
        let one = |of: &Type| {
            self.arg(&erased(of), Some(of), depth + 1).filter(|arg| *arg != Arg::Value(Value::Null))
        };
        held.iter().map(one).collect()
    }

    /// `Arrays.asList` of elements of one type.
    fn fixed(&mut self, of: &str, elements: Vec<Arg>) -> u32 {
        let length = u32::try_from(elements.len()).unwrap_or_default();
        let array = self.array_of(&format!("[{of}"), length, elements);
        let as_list = method("java.util.Arrays", ("asList", "([Ljava/lang/Object;)Ljava/util/List;"));
        let args = vec![Arg::Var(array)];
        let call = Operation::Call { method: as_list, kind: CallKind::Static, receiver: None, args };
        self.assembly.push(call, "Ljava/util/List;".to_owned())
    }
}

fn method(owner: &str, (name, descriptor): (&str, &str)) -> MethodRef {
    MethodRef { owner: owner.to_owned(), name: name.to_owned(), descriptor: descriptor.to_owned() }
}

/// What a container of this type holds; none where its arguments are not known, or name type parameters.
fn held(class: &str, generic: &Type) -> Option<Vec<Type>> {
    let Type::Class(name, arguments) = generic else { return None };
    let of = |argument: &Argument| argument.inner().filter(|of| !of.has_parameters()).cloned();
    let held: Vec<Type> = arguments.iter().map(of).collect::<Option<_>>()?;
    (name == class && !held.is_empty()).then_some(held)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_container_is_made_by_a_class_that_is_one() {
        let made = |wanted: &str| Kind::of(wanted).map(|kind| kind.class);
        for list in ["java.util.List", "java.util.Collection", "java.lang.Iterable", "java.util.ArrayList"] {
            assert_eq!(made(list), Some("java.util.ArrayList"), "{list}");
        }
        assert_eq!(made("java.util.Deque"), Some("java.util.LinkedList"));
        assert_eq!(made("java.util.Set"), Some("java.util.HashSet"));
        assert_eq!(made("java.util.Map"), Some("java.util.HashMap"));
        assert_eq!(made("java.util.SortedMap"), None, "its keys must be comparable");
        assert_eq!(made("a.Shelf"), None);
    }

    #[test]
    fn what_a_container_holds_is_known_where_its_arguments_name_classes() {
        let class = |name: &str| Type::Class(name.to_owned(), vec![]);
        let list = |of: Argument| Type::Class("java.util.List".to_owned(), vec![of]);
        let held = |of: Argument| held("java.util.List", &list(of));
        assert_eq!(held(Argument::Exact(class("a.Order"))), Some(vec![class("a.Order")]));
        assert_eq!(held(Argument::Extends(class("a.Order"))), Some(vec![class("a.Order")]));
        assert_eq!(held(Argument::Super(class("a.Order"))), Some(vec![class("a.Order")]));
        assert_eq!(held(Argument::Any), None, "anything fits, and nothing is wanted");
        assert_eq!(held(Argument::Exact(Type::Parameter("E".to_owned()))), None);
        assert_eq!(
            super::held("java.util.Set", &list(Argument::Exact(class("a.Order")))),
            None,
            "another class"
        );
        assert_eq!(super::held("java.util.List", &class("java.util.List")), None, "it is raw");
    }
}

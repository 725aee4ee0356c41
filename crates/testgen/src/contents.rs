//! What is expected of arrays and containers: `new int[] {1, 2}`, `Arrays.asList("a", "b")`, from Java 9 on `List.of("a", "b")`.
//!
//! Knows nothing of assertions. Invariant: an expression equals, by `equals` or element by element, what holds exactly these elements in
//! this order, or in any order where there is none.

use crate::fit::is_fit;
use crate::literals::literal;
use crate::names::Names;
use dynaflow_model::descriptor;
use dynaflow_model::outcome::{Container, Observed};
use dynaflow_model::sequence::Value;

/// A container with these elements; none when one has no literal, or when it takes several statements to fill it.
pub(crate) fn container(
    kind: &Container,
    elements: &[Observed],
    java: u16,
    names: &mut Names,
) -> Option<String> {
    let written = literals(elements, java, names)?.join(", ");
    let has_null = elements.contains(&Observed::Value(Value::Null));
    let by_factory = java >= 9 && !has_null;
    let (class, method) = match (kind, elements.len()) {
        (Container::List, _) if by_factory => ("java.util.List", "of"),
        (Container::List, 0) => ("java.util.Collections", "emptyList"),
        (Container::List, 1) => ("java.util.Collections", "singletonList"),
        (Container::List, _) => ("java.util.Arrays", "asList"),
        (Container::Set, _) if by_factory => ("java.util.Set", "of"),
        (Container::Set, 0) => ("java.util.Collections", "emptySet"),
        (Container::Set, 1) => ("java.util.Collections", "singleton"),
        (Container::Set, _) => return Some(set(&written, names)),
        (Container::Map, _) if by_factory => ("java.util.Map", "of"),
        (Container::Map, 0) => ("java.util.Collections", "emptyMap"),
        (Container::Map, 2) => ("java.util.Collections", "singletonMap"),
        (Container::Optional, 0) => ("java.util.Optional", "empty"),
        (Container::Optional, 1) => ("java.util.Optional", "of"),
        _ => return None,
    };
    Some(format!("{}.{method}({written})", names.not_raw(class)))
}

fn set(written: &str, names: &mut Names) -> String {
    let (set, arrays) = (names.not_raw("java.util.HashSet"), names.not_raw("java.util.Arrays"));
    format!("new {set}<>({arrays}.asList({written}))")
}

/// A map that assertions compare with: its entries and its name.
pub(crate) type ExpectedMap = (Vec<Observed>, String);

/// The statements that fill a map of this name with these entries; none when one has no literal.
pub(crate) fn filled_map(
    entries: &[Observed],
    name: &str,
    java: u16,
    names: &mut Names,
) -> Option<Vec<String>> {
    let written = literals(entries, java, names)?;
    let of = |place: usize| common(entries.iter().skip(place).step_by(2));
    let (keys, values) = (of(0), of(1));
    let [keys, values] = [keys, values].map(|class| names.not_raw(&class));
    let [map, hash_map] = ["java.util.Map", "java.util.HashMap"].map(|class| names.not_raw(class));
    let made = format!("{map}<{keys}, {values}> {name} = new {hash_map}<>();");
    let puts = written.chunks(2).map(|entry| format!("{name}.put({});", entry.join(", ")));
    Some([made].into_iter().chain(puts).collect())
}

/// The class of all these values; `Object` where they are of several, or of one that has type arguments.
fn common<'o>(values: impl Iterator<Item = &'o Observed>) -> String {
    let class = |observed: &Observed| match observed {
        Observed::Value(Value::Str(_)) => Some("java.lang.String".to_owned()),
        Observed::Value(Value::Enum(class, _) | Value::Parsed(class, _)) => Some(class.clone()),
        Observed::Value(Value::Boxed(inner)) => inner.boxed().and_then(descriptor::class_of),
        _ => None,
    };
    let mut classes: Vec<Option<String>> = values.map(class).collect();
    classes.dedup();
    match classes.as_slice() {
        [Some(class)] => class.clone(),
        _ => "java.lang.Object".to_owned(),
    }
}

/// An array of this component with these elements.
pub(crate) fn array(component: &str, elements: &[Observed], java: u16, names: &mut Names) -> Option<String> {
    let written = literals(elements, java, names)?.join(", ");
    // Of a generic class no array can be made; elements are compared one by one, whatever the array is one of.
    let is_plain = descriptor::is_primitive(component) || names.can_name(component) && !is_generic(component);
    let of = if is_plain { component } else { "Ljava/lang/Object;" };
    Some(format!("new {}[] {{{written}}}", names.of(of)))
}

fn is_generic(component: &str) -> bool {
    descriptor::component(component).is_some() || crate::names::is_often_generic(component)
}

/// Whether a test can be written, for whatever version of Java, that compares all of what was observed in a container with what it expects: values, and containers of
/// such. A map in another container has an entry at most: of several it takes several statements to fill it where there is no `Map.of`. Arrays in containers are equal where they
/// are the same.
pub fn is_comparable(element: &Observed) -> bool {
    match element {
        Observed::Value(value) => is_fit(value),
        Observed::Contents(Container::Array(_), _) => false,
        Observed::Contents(Container::Map, entries) if entries.len() > 2 => false,
        Observed::Contents(_, elements) => elements.iter().all(is_comparable),
        Observed::Void | Observed::Object(_) | Observed::Same(_) => false,
    }
}

/// The elements; a primitive stands for its box.
fn literals(elements: &[Observed], java: u16, names: &mut Names) -> Option<Vec<String>> {
    let mut written = vec![];
    for element in elements {
        written.push(match element {
            Observed::Value(value) if !is_fit(value) => return None,
            Observed::Value(Value::Boxed(inner)) => literal(inner, names)?,
            Observed::Value(value) => literal(value, names)?,
            Observed::Contents(Container::Array(_), _) => return None,
            Observed::Contents(kind, inner) => container(kind, inner, java, names)?,
            Observed::Void | Observed::Object(_) | Observed::Same(_) => return None,
        });
    }
    Some(written)
}

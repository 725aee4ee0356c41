//! What variables are called: after the parameter a value is passed to, the field it comes from, the noun of the method or the class that
//! made it.
//!
//! Knows nothing of lines. Invariant: a name is a Java identifier, no keyword, occurs once in a test, and hides no class or package that the
//! test mentions; it has a number only where another variable has the same name already.

use crate::names::{uncapitalised, variable_base};
use dynaflow_model::declared;
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::MethodRef;
use dynaflow_search::Types;
use std::collections::BTreeSet;

/// Words that are no names of variables, or mean something in a test.
const KEYWORDS: &str = " abstract assert boolean break byte case catch char class const continue default do double else enum extends \
    false final finally float for goto if implements import instanceof int interface long native new null package private protected \
    public record return sealed short static strictfp super switch synchronized this throw throws transient true try var void volatile \
    while yield permits expected ";
/// Names of parameters that say less than the class does.
const VAGUE: &str = " arg args element item key obj object other param parameter target that val value instance array input o1 o2 ";
/// What stands in front of the noun in the names of methods.
const VERBS: &[&str] =
    &["get", "create", "make", "new", "build", "find", "to", "as", "of", "next", "parse", "read"];

/// The names given so far in one test.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    given: BTreeSet<String>,
}

impl Variables {
    /// Names for a test; those of its packages are taken.
    pub(crate) fn new(sequence: &Sequence) -> Self {
        let owners = sequence.statements.iter().flat_map(|statement| {
            let of_value = statement.operation.args().into_iter().filter_map(|arg| match arg {
                Arg::Value(Value::Enum(class, _)) => Some(class.as_str()),
                _ => None,
            });
            let owner = match &statement.operation {
                Operation::New { constructor: method, .. } | Operation::Call { method, .. } => {
                    Some(&method.owner)
                }
                Operation::GetStatic(field) | Operation::GetField { field, .. } => Some(&field.owner),
                Operation::Stub { interface, .. } => Some(interface),
                _ => None,
            };
            owner.map(String::as_str).into_iter().chain(of_value)
        });
        let first = |class: &str| class.split(['.', '$']).next().unwrap_or_default().to_owned();
        Self { given: owners.map(first).chain(["java".to_owned()]).collect() }
    }

    /// A name for the result of a statement whose variable has the type of `descriptor`.
    pub(crate) fn name(
        &mut self,
        sequence: &Sequence,
        index: usize,
        descriptor: &str,
        types: &Types,
    ) -> String {
        let passed = passed_to(sequence, index, types).filter(|name| is_telling(name));
        // `parseString` is called after what it reads.
        let fits = |name: &String| name != "string" || descriptor == "Ljava/lang/String;";
        let made = || made_by(sequence, index).filter(fits);
        let base = passed.or_else(made).filter(|name| is_usable(name)).unwrap_or_else(|| of_type(descriptor));
        self.fresh(&base)
    }

    /// A name for the parameter of a lambda or of an anonymous class: of no variable so far, and of none of the parameters before.
    pub(crate) fn parameter(&self, declared: Option<&String>, descriptor: &str, before: &[String]) -> String {
        let telling = declared.filter(|name| is_telling(name) && is_usable(name));
        let base = telling.cloned().unwrap_or_else(|| of_type(descriptor));
        let numbered = (2..).map(|count: u32| format!("{base}{count}"));
        let is_free = |name: &String| !self.given.contains(name) && !before.contains(name);
        std::iter::once(base.clone()).chain(numbered).find(is_free).unwrap_or(base)
    }

    /// The name, with a number where it is given already.
    pub(crate) fn fresh(&mut self, base: &str) -> String {
        let mut name = base.to_owned();
        let mut count = 2;
        while !self.given.insert(name.clone()) {
            name = format!("{base}{count}");
            count += 1;
        }
        name
    }
}

fn is_telling(name: &str) -> bool {
    let numbered = name.strip_prefix("arg").or_else(|| name.strip_prefix('p'));
    name.len() > 1
        && !VAGUE.contains(&format!(" {name} "))
        && numbered.is_none_or(|rest| !rest.chars().all(|c| c.is_ascii_digit()))
}

fn is_usable(name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(word)
        && !KEYWORDS.contains(&format!(" {name} "))
}

/// The name of the parameter that takes the result first.
fn passed_to(sequence: &Sequence, index: usize, types: &Types) -> Option<String> {
    let own = Arg::Var(u32::try_from(index).ok()?);
    sequence.statements.iter().find_map(|statement| {
        let (Operation::New { constructor: method, args } | Operation::Call { method, args, .. }) =
            &statement.operation
        else {
            return None;
        };
        let at = args.iter().position(|arg| *arg == own)?;
        let (_, declared) = types.declaration(method)?;
        let names = Some(&declared.names).filter(|names| !names.is_empty());
        names.or_else(|| names_of_receiver(sequence, statement, method, types))?.get(at).cloned()
    })
}

/// The names that the class of the receiver has for the parameters: abstract methods have none.
fn names_of_receiver<'a>(
    sequence: &Sequence,
    statement: &Statement,
    method: &MethodRef,
    types: &'a Types,
) -> Option<&'a Vec<String>> {
    let Operation::Call { receiver: Some(Arg::Var(receiver)), .. } = &statement.operation else {
        return None;
    };
    let made = sequence.statements.get(*receiver as usize)?;
    let class = made.runtime_class.clone().or_else(|| descriptor::class_of(&made.result))?;
    let key = format!("{}{}", method.name, method.descriptor);
    let (class, _) = types.declared().get_key_value(&class)?;
    declared::method_of(types.declared(), class, &key).map(|(_, declared)| &declared.names)
}

/// The field it comes from, or the noun of the method.
fn made_by(sequence: &Sequence, index: usize) -> Option<String> {
    match &sequence.statements.get(index)?.operation {
        Operation::GetStatic(field) | Operation::GetField { field, .. } => Some(of_field(&field.name)),
        Operation::Call { method, .. } => noun(&method.name),
        _ => None,
    }
}

/// `MAX_VALUE` as `maxValue`.
fn of_field(name: &str) -> String {
    if name.chars().any(|c| c.is_ascii_lowercase()) {
        return name.to_owned();
    }
    let mut words = name.split('_').filter(|word| !word.is_empty()).map(str::to_ascii_lowercase);
    let first = words.next().unwrap_or_default();
    words.fold(first, |text, word| text + &crate::names::capitalised(&word))
}

/// `options` of `getOptions`.
fn noun(method: &str) -> Option<String> {
    VERBS.iter().find_map(|verb| {
        let rest = method.strip_prefix(verb)?;
        rest.starts_with(|c: char| c.is_ascii_uppercase()).then(|| uncapitalised(rest))
    })
}

/// The class, or the plural of an array's elements.
fn of_type(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let base = variable_base(element);
    let plural = match descriptor {
        _ if element.len() == descriptor.len() => base,
        _ if base.ends_with(['s', 'x']) => format!("{base}es"),
        _ => format!("{base}s"),
    };
    match descriptor {
        _ if is_usable(&plural) => plural,
        "Z" => "flag".to_owned(),
        "C" => "character".to_owned(),
        _ if descriptor::is_primitive(descriptor) => "number".to_owned(),
        _ => format!("{plural}Object"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_fields_and_plurals() {
        assert_eq!(noun("getOptions").as_deref(), Some("options"));
        assert_eq!(noun("toString").as_deref(), Some("string"));
        assert_eq!((noun("tower"), noun("get")), (None, None));
        assert_eq!(of_field("MAX_VALUE"), "maxValue");
        assert_eq!(of_field("lastOne"), "lastOne");
        assert_eq!(of_type("[Ljava/lang/String;"), "strings");
        assert_eq!(of_type("[[I"), "ints");
        assert_eq!(of_type("I"), "number");
        assert_eq!(of_type("La/Default;"), "defaultObject");
        assert_eq!(of_type("La/Box;"), "box");
        assert_eq!(of_type("[La/Box;"), "boxes");
    }

    #[test]
    fn names_that_say_nothing_are_no_names() {
        assert!(is_telling("options") && is_telling("path") && is_telling("p2p"));
        assert!(!is_telling("arg0") && !is_telling("p1") && !is_telling("o") && !is_telling("value"));
        assert!(!is_usable("class") && !is_usable("Big") && !is_usable("") && is_usable("groups"));
    }
}

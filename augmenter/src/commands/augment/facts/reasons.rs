//! Why nothing came of a target, and which public methods no test calls.
//!
//! Knows nothing of JVMs. Invariant: every target that has no pair gets one reason, and what is not known is not made up.

use crate::output;
use dynaflow_model::facts::{FactTable, Recording};
use dynaflow_model::outcome::Thrown;
use dynaflow_model::sequence::{Operation, Sequence};
use dynaflow_model::sites::{CallKind, MethodRef};
use dynaflow_model::types::{TypeInfo, Visibility};
use dynaflow_search::Types;
use std::collections::{BTreeMap, BTreeSet};

/// Most methods that are named.
const NAMED: usize = 8;

/// Why a class cannot be a root whatever is run; none when it can. `failure` says why it cannot be loaded.
pub fn never(info: Option<&TypeInfo>, failure: Option<&str>) -> Option<String> {
    let Some(info) = info else {
        let far = || "too many classes are nearer to the other targets; name fewer with --target".to_owned();
        return Some(failure.map_or_else(far, unloadable));
    };
    let has_code = info.methods.iter().any(|m| m.kind == CallKind::Static && m.method.owner == info.name);
    if info.is_interface && !has_code {
        return Some(
            "an interface has no state; the classes that implement it are targets of their own".to_owned(),
        );
    }
    None
}

/// The class that the class path lacks, where that ended a test.
pub fn lacking(thrown: &Thrown) -> Option<String> {
    let message = thrown.message.as_deref().filter(|_| thrown.class == "java.lang.NoClassDefFoundError")?;
    // A class whose initialiser failed is there; other messages have spaces, too.
    (!message.contains(' ')).then(|| message.replace('/', "."))
}

/// What to do about a class that cannot be loaded, or a test that fails so, as the JVM's error says why; empty when that is not known.
pub fn remedy(failure: &str) -> &'static str {
    if failure.contains("UnsupportedClassVersionError") {
        "; name a JDK that is as new as the class with --java-home"
    } else if failure.contains("NoClassDefFoundError: Could not initialize") {
        ""
    } else if failure.contains("NoClassDefFoundError") || failure.contains("is not on the class path") {
        "; add what it needs to --class-path or --test-class-path"
    } else {
        ""
    }
}

/// Why a class cannot be loaded, with the remedy that the JVM's error calls for.
fn unloadable(failure: &str) -> String {
    let remedy = remedy(failure);
    // The worker names the class, as the line for the user does.
    let cause = failure.split_once("cannot be loaded: ").map_or(failure, |(_, cause)| cause);
    format!("it cannot be loaded: {cause}{remedy}")
}

/// Why a class that could be a root has no pair. `is_sought` says whether tests of it are looked for though no seed uses it.
pub fn nothing(info: &TypeInfo, recording: &Recording, is_sought: bool) -> String {
    let (class, facts) = (info.name.as_str(), &recording.facts);
    let is_root = facts.variables.iter().any(|(_, v)| facts.text(v.root) == class);
    if is_root {
        return "no definition of its state reached a use of it, in the same test or in different ones"
            .to_owned();
    }
    if let Some(below) = subclasses(facts).get(class) {
        let names: Vec<&str> = below.keys().take(NAMED).copied().collect();
        return format!("only objects of its subclasses were used: {}", names.join(", "));
    }
    if info.is_abstract {
        return "it is abstract, and no object of a subclass was used".to_owned();
    }
    if !recording.classes.contains_key(class) {
        let remedy = "--criteria objectives,branch looks for tests of it all the same";
        return if is_sought {
            "no test could be made that uses it".to_owned()
        } else {
            format!("no seed test uses it; {remedy}")
        };
    }
    "it was used, and no state of it was read or written: it has no fields, or constants only".to_owned()
}

/// For each class, the roots that inherited state of it, with how many state variables each has that begin with a field of the class.
pub fn subclasses(facts: &FactTable) -> BTreeMap<&str, BTreeMap<&str, usize>> {
    let mut below: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (_, variable) in facts.variables.iter() {
        let root = facts.text(variable.root);
        let declaring = variable.steps.first().and_then(|step| facts.step(step).class);
        if let Some(class) = declaring.filter(|class| *class != root) {
            *below.entry(class).or_default().entry(root).or_default() += 1;
        }
    }
    below
}

/// The line about public methods of the class that no test calls, with the reason; none when all are called. `is_whole` says whether the
/// search went to its end.
pub fn uncalled<'a>(
    info: &TypeInfo,
    types: &Types,
    recording: &'a Recording,
    kept: impl Iterator<Item = &'a Sequence>,
    is_whole: bool,
) -> Option<String> {
    let facts = &recording.facts;
    let worked = |method: &MethodRef| {
        let signature = format!("{}{}", method.name, method.descriptor);
        let same = |m: &dynaflow_model::facts::Method| {
            facts.text(m.class) == info.name && facts.text(m.signature) == signature
        };
        facts.methods.iter().any(|(_, m)| same(m))
    };
    let mut called: BTreeSet<(&str, &str)> = BTreeSet::new();
    let carved =
        recording.tests.iter().filter_map(|test| test.carved.as_ref()).map(|carved| &carved.sequence);
    for statement in carved.chain(kept).flat_map(|sequence| &sequence.statements) {
        if let Operation::Call { method, .. } = &statement.operation
            && (method.owner == info.name || info.supertypes.contains(&method.owner))
        {
            called.insert((&method.name, &method.descriptor));
        }
    }
    // What the compiler gives every enumeration is nobody's to test.
    let is_enum = info.supertypes.iter().any(|above| above == "java.lang.Enum");
    let is_made = |m: &MethodRef| is_enum && ["values", "valueOf"].contains(&m.name.as_str());
    let own = info
        .methods
        .iter()
        .filter(|m| m.visibility == Visibility::Public && m.method.owner == info.name && !is_made(&m.method));
    let missing: Vec<&MethodRef> = own
        .map(|callable| &callable.method)
        .filter(|m| !called.contains(&(m.name.as_str(), m.descriptor.as_str())) && !worked(m))
        .collect();
    if missing.is_empty() {
        return None;
    }
    let mut by_reason: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for method in missing {
        let reason = match types.out_of_reach(method).first() {
            Some(class) => format!("no {class} to be had"),
            None if is_whole => "no objective needs them".to_owned(),
            None => "the search ended before".to_owned(),
        };
        by_reason.entry(reason).or_default().insert(&method.name);
    }
    let group = |(reason, names): (&String, &BTreeSet<&str>)| {
        let names: Vec<&str> = names.iter().copied().collect();
        format!("{} ({reason})", output::first(&names, NAMED))
    };
    let texts: Vec<String> = by_reason.iter().map(group).collect();
    Some(format!("public methods that no test calls, as far as calls are recorded: {}", texts.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_loaded_is_named_once_with_what_to_do_about_it() {
        let gone =
            never(None, Some("class a.B cannot be loaded: java.lang.NoClassDefFoundError: c/D")).unwrap();
        assert_eq!(
            gone,
            "it cannot be loaded: java.lang.NoClassDefFoundError: c/D; add what it needs to --class-path or --test-class-path"
        );
        let newer =
            never(None, Some("cannot be loaded: java.lang.UnsupportedClassVersionError: 99")).unwrap();
        assert!(newer.ends_with(
            "UnsupportedClassVersionError: 99; name a JDK that is as new as the class with --java-home"
        ));
        let odd = never(None, Some("java.lang.VerifyError: bad")).unwrap();
        assert_eq!(odd, "it cannot be loaded: java.lang.VerifyError: bad");
        assert!(never(None, None).unwrap().contains("name fewer with --target"), "nobody asked");
    }
}

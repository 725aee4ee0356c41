//! Tasks in words: variables, calls, what must hold. Knows nothing of documents or files.
//!
//! Invariant: no word has a descriptor; generated names of the compiler are said as what they stand for.

use dynaflow_objectives::{CUT, KindText, StepText, readable, simple};

/// The step to whatever a container or array holds.
const ELEMENT: &str = "[]";

/// The name of a field without its class.
fn field(step: &StepText) -> &str {
    step.field.rsplit('.').next().unwrap_or(&step.field)
}

/// `primed of an element of next`, in code marks.
fn path(steps: &[StepText]) -> String {
    let name = |(at, step): (usize, &StepText)| match (field(step), at + 1 == steps.len()) {
        (ELEMENT, true) => "the elements".to_owned(),
        (ELEMENT, false) => "an element".to_owned(),
        (name, _) => format!("`{name}`"),
    };
    let names: Vec<String> = steps.iter().enumerate().map(name).rev().collect();
    names.join(" of ")
}

/// `primed` of an element of `next` of an `Outer`.
pub fn variable(root: &str, steps: &[StepText]) -> String {
    format!("{} of {}", path(steps), object(root))
}

/// An object of a class: an `Outer`.
fn object(root: &str) -> String {
    let name = simple(root);
    let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} `{name}`")
}

/// `Outer.probe(int)`, `new Outer()`: a frame of a context as source code names it.
pub fn frame(frame: &str) -> String {
    if frame == CUT {
        return frame.to_owned();
    }
    let (head, _) = frame.split_once('(').unwrap_or((frame, ""));
    let Some((class, name)) = head.rsplit_once('.') else { return frame.to_owned() };
    let signature = frame.get(class.len() + 1..).unwrap_or_default();
    call(class, name, signature)
}

/// The same of a method.
pub fn method(class: &str, signature: &str) -> String {
    call(class, signature.split('(').next().unwrap_or_default(), signature)
}

fn call(class: &str, name: &str, signature: &str) -> String {
    let in_source = readable(signature);
    let of = simple(class);
    match name {
        "<init>" => format!("new {of}{}", in_source.strip_prefix("<init>").unwrap_or("()")),
        "<clinit>" => format!("the initialiser of {of}"),
        _ => match name.strip_prefix("lambda$").and_then(|rest| rest.split('$').next()) {
            Some("new") => format!("a lambda in a constructor of {of}"),
            Some("static") => format!("a lambda in the initialiser of {of}"),
            Some(around) if !around.is_empty() => format!("a lambda in {of}.{around}"),
            _ => format!("{of}.{in_source}"),
        },
    }
}

/// The frames from the root to the access: `Outer.all(List) > Outer.put(int)`.
pub fn context(frames: &[String]) -> String {
    frames.iter().map(|one| frame(one)).collect::<Vec<_>>().join(" > ")
}

/// The task in one sentence: the method with the use, the variable, the method with the definition.
pub fn summary(usage: &str, root: &str, steps: &[StepText], definition: &str, kind: KindText) -> String {
    let variable = variable(root, steps);
    match (kind, steps.last().map(field)) {
        (KindText::Nested, _) => {
            format!("Let `{usage}` see {variable} after `{definition}` put an object on the way there")
        }
        (KindText::Direct, Some(ELEMENT)) => {
            format!("Let `{usage}` see {variable} as `{definition}` changes them")
        }
        (KindText::Direct, _) => format!("Let `{usage}` see {variable} as `{definition}` sets it"),
    }
}

/// Most calls that a sentence names.
const NAMED: usize = 4;

/// `a` or `b`, in code marks.
fn any(calls: &[String]) -> String {
    let mut names: Vec<String> = calls.iter().take(NAMED).map(|call| format!("`{call}`")).collect();
    match calls.len().saturating_sub(NAMED) {
        0 => {}
        1 => names.push("1 other call".to_owned()),
        rest => names.push(format!("{rest} other calls")),
    }
    names.join(" or ")
}

/// What a test must do, a sentence each. `first`: the calls on the root that make the definition, `then` those that use it.
pub fn holds(root: &str, steps: &[StepText], first: &[String], then: &[String]) -> Vec<String> {
    let target = format!("`{}`", simple(root));
    let is_new = first.iter().all(|call| call.starts_with("new "));
    let one = if is_new {
        format!("One {target}: {} makes it, and {} is called on the same object.", any(first), any(then))
    } else {
        format!(
            "One {target}: first {}, later {}, on the same object (on the class, where these methods are static).",
            any(first),
            any(then)
        )
    };
    let mut holds = vec![one];
    if let Some((_, before @ [_, ..])) = steps.split_last() {
        holds.push(format!(
            "What is read is {} of that {target}: {} must still lead to the object that the definition left there.",
            path(steps),
            path(before)
        ));
    }
    let replaced = if steps.len() > 1 { ", nor puts another object on the way to it" } else { "" };
    holds.push(format!("Nothing in between writes {} again{replaced}.", path(steps)));
    holds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<StepText> {
        let step = |name: &str| match name {
            ELEMENT => StepText { field: name.to_owned() },
            name => StepText { field: format!("a.Any.{name}") },
        };
        text.split('.').map(step).collect()
    }

    #[test]
    fn a_variable_is_said_from_its_end() {
        for (text, words) in [
            ("count", "`count` of an `Outer`"),
            ("next.[].primed", "`primed` of an element of `next` of an `Outer`"),
            ("next.[]", "the elements of `next` of an `Outer`"),
        ] {
            assert_eq!(variable("a.b.Outer", &steps(text)), words);
        }
        assert_eq!(variable("a.Outer$Stack", &steps("top")), "`top` of a `Stack`");
    }

    #[test]
    fn a_frame_reads_as_in_source_code() {
        for (text, words) in [
            ("a.Outer.probe(I[Ljava/lang/String;)Z", "Outer.probe(int, String[])"),
            ("a.Outer$In.<init>(La/Outer;)V", "new In(Outer)"),
            ("a.Outer.<clinit>()V", "the initialiser of Outer"),
            ("a.Outer.lambda$all$3(I)V", "a lambda in Outer.all"),
            ("a.Outer.lambda$new$0(I)V", "a lambda in a constructor of Outer"),
            ("...", "..."),
        ] {
            assert_eq!(frame(text), words);
        }
        assert_eq!(method("a.Outer", "<init>(J)V"), "new Outer(long)");
    }

    #[test]
    fn what_must_hold_names_calls_and_the_way() {
        let calls = |one: &str| vec![one.to_owned()];
        let short = holds("a.Outer", &steps("count"), &calls("Outer.add(int)"), &calls("Outer.get()"));
        assert_eq!(
            short,
            [
                "One `Outer`: first `Outer.add(int)`, later `Outer.get()`, on the same object (on the class, where these methods are static).",
                "Nothing in between writes `count` again.",
            ]
        );
        let long = holds("a.Outer", &steps("next.primed"), &calls("new Outer()"), &calls("y"));
        assert_eq!(
            long,
            [
                "One `Outer`: `new Outer()` makes it, and `y` is called on the same object.",
                "What is read is `primed` of `next` of that `Outer`: `next` must still lead to the object that the definition left there.",
                "Nothing in between writes `primed` of `next` again, nor puts another object on the way to it.",
            ]
        );
    }
}

//! Where code makes exceptions, by line. It knows javac and the comments of the source.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../../instrument/tests/support/mod.rs"]
mod support;

use dynaflow_bytecode::Body;
use dynaflow_classfile::{ClassFile, MemberIndex};
use dynaflow_flowgraph::made::{
    NullCheck, begins, declares, drops_answer, is_for_frameworks, is_of_package, makes, null_check,
    returns_null,
};

const METHODS: [&str; 4] = ["plain", "onTwoLines", "inFactory", "rethrows"];
const EXCEPTIONS: [&str; 4] = [
    "java.lang.IllegalArgumentException",
    "java.lang.NullPointerException",
    "java.lang.IllegalStateException",
    "java.lang.UnsupportedOperationException",
];

#[test]
fn an_exception_is_made_at_the_lines_whose_comments_say_so_and_at_no_other() {
    let classes = support::compile("Raised.java");
    let source =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/java/Raised.java")).unwrap();
    let mut found = 0;
    for (line, text) in (1..).zip(source.lines()) {
        for class in EXCEPTIONS {
            let simple = class.rsplit('.').next().unwrap();
            let expected = text.ends_with(&format!("// makes {simple}"));
            let makes = |method| makes(&classes["Raised"], method, Some(line), class).unwrap();
            assert_eq!(METHODS.into_iter().any(makes), expected, "line {line}, {class}: {text}");
            found += usize::from(expected);
        }
    }
    assert_eq!(found, 4);
}

#[test]
fn where_no_line_is_known_the_whole_method_counts_and_super_makes_nothing() {
    let classes = support::compile("Raised.java");
    let is_made =
        |class: &str, method: &str, exception: &str| makes(&classes[class], method, None, exception).unwrap();
    assert!(is_made("Raised", "plain", EXCEPTIONS[1]), "in one of two overloads");
    assert!(!is_made("Raised", "rethrows", EXCEPTIONS[3]), "another method makes it");
    assert!(!is_made("Raised$Refused", "<init>", "java.lang.RuntimeException"), "super(...)");
    assert!(makes(b"no class", "a", None, "b").is_err());
}

#[test]
fn a_method_begins_at_its_first_line_and_the_descriptor_decides_between_two() {
    let classes = support::compile("Raised.java");
    let source =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/java/Raised.java")).unwrap();
    // The first line with code is the one behind the declaration.
    let behind = |declared: &str| {
        let line = source.lines().position(|line| line.contains(declared)).unwrap();
        Some(u32::try_from(line).unwrap() + 2)
    };
    let begins = |class: &str, method, descriptor| begins(&classes[class], method, descriptor).unwrap();
    for (descriptor, declared) in
        [("(I)V", "plain(int n)"), ("(Ljava/lang/String;)V", "plain(String n)"), ("(J)V", "plain(int n)")]
    {
        assert_eq!(begins("Raised", "plain", descriptor).0, behind(declared), "{descriptor}");
    }
    let above = |class: &str| vec![class.to_owned()];
    assert_eq!(begins("Raised", "none", "()V"), (None, above("java.lang.Object")));
    assert_eq!(begins("Raised$Refused", "plain", "()V"), (None, above("java.lang.RuntimeException")));
    assert!(dynaflow_flowgraph::made::begins(b"no class", "a", "()V").is_err());
}

#[test]
fn a_class_declares_a_method_of_just_this_descriptor() {
    let classes = support::compile("Raised.java");
    let declares = |class: &str, method, descriptor| declares(&classes[class], method, descriptor).unwrap();
    let above = |class: &str| vec![class.to_owned()];
    for (descriptor, is_there) in [("(I)V", true), ("(Ljava/lang/String;)V", true), ("(J)V", false)] {
        assert_eq!(declares("Raised", "plain", descriptor), (is_there, above("java.lang.Object")));
    }
    assert_eq!(declares("Raised$Refused", "plain", "(I)V"), (false, above("java.lang.RuntimeException")));
    assert!(dynaflow_flowgraph::made::declares(b"no class", "a", "()V").is_err());
}

#[test]
fn a_method_that_returns_null_on_purpose_says_so_and_one_that_returns_a_field_does_not() {
    let classes = support::compile("Raised.java");
    let is_null = |descriptor| returns_null(&classes["Raised"], "text", descriptor).unwrap();
    assert!(is_null("(Z)Ljava/lang/String;"));
    assert!(is_null("(J)Ljava/lang/String;"), "in front of a colon, from where it jumps to the return");
    assert!(!is_null("()Ljava/lang/String;"), "it passes null on");
    assert!(!is_null("(I)Ljava/lang/String;"), "there is none");
    assert!(returns_null(b"no class", "text", "()Ljava/lang/String;").is_err());
}

#[test]
fn a_hidden_constructor_without_parameters_beside_a_public_one_with_some_is_for_frameworks() {
    let classes = support::compile("Filled.java");
    let is = |class: &str| is_for_frameworks(&classes[class]).unwrap();
    assert!(is("Filled") && is("Filled$Guarded"), "of the package and protected");
    for other in ["Filled$Open", "Filled$Only", "Filled$Near", "Filled$None"] {
        assert!(!is(other), "{other}");
    }
    assert!(is_for_frameworks(b"no class").is_err());
}

#[test]
fn what_only_the_package_can_call_is_hidden_itself_or_makes_or_serves_a_class_that_is() {
    let classes = support::compile("Hidden.java");
    let is = |class: &str, method: &str| {
        let descriptor = "(Ljava/lang/Object;)V";
        is_of_package(&classes[class], method, descriptor).unwrap()
    };
    assert!(is("Hidden", "<init>") && is("Hidden", "serve"), "of a class that is not public");
    assert!(!is("Hidden", "take"), "an interface may show it");
    assert!(is("Hidden", "near"));
    for open in ["<init>", "serve", "take", "guarded"] {
        assert!(!is("Hidden$Shown", open), "{open}");
    }
    assert!(is("Hidden$Shown", "near") && !is("Hidden$Shown", "gone"), "of the package, and not there");
    assert!(is_of_package(b"no class", "near", "()V").is_err());
}

#[test]
fn who_has_it_checked_that_an_object_is_there_is_what_the_comment_of_the_line_says() {
    let classes = support::compile("Checked.java");
    let source =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/java/Checked.java")).unwrap();
    let check = |method: &str, line| null_check(&classes["Checked"], method, line).unwrap();
    let mut found = 0;
    for (line, text) in (1..).zip(source.lines()) {
        let expected = match text.split_once("; // ").map(|(_, comment)| comment) {
            Some("on purpose") => Some(NullCheck::OnPurpose),
            Some("by the compiler") => Some(NullCheck::ByCompiler { is_field: false }),
            Some("by the compiler, a field") => Some(NullCheck::ByCompiler { is_field: true }),
            _ => None,
        };
        let checks = ["bound", "demanded", "both"].into_iter().filter_map(|method| check(method, Some(line)));
        assert_eq!(
            checks.collect::<Vec<_>>(),
            expected.into_iter().collect::<Vec<_>>(),
            "line {line}: {text}"
        );
        found += usize::from(expected.is_some());
    }
    assert_eq!(found, 6);
    assert_eq!(check("both", None), Some(NullCheck::OnPurpose), "whatever else is there");
    assert!(null_check(b"no class", "bound", None).is_err());
}

#[test]
fn a_container_that_is_changed_says_nothing_where_its_answer_is_dropped() {
    let classes = support::compile("Checked.java");
    let source =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/java/Checked.java")).unwrap();
    let bytes = &classes["Checked"];
    let file = ClassFile::parse(bytes).unwrap();
    let name = |index| file.pool.utf8(index).unwrap().to_string();
    let method = file.methods.iter().find(|method| name(method.name) == "changed").unwrap();
    let signature = name(method.name) + &name(method.descriptor);
    let body = Body::of_method(&file, method).unwrap().unwrap();
    let dropped = body
        .insns
        .iter()
        .filter(|insn| drops_answer(bytes, &signature, insn.pc).unwrap())
        .map(|insn| file.pool.member(MemberIndex(insn.constant().unwrap())).unwrap().name.to_string());
    assert_eq!(dropped.collect::<Vec<_>>(), ["add", "add", "put", "append", "append"]);
    assert_eq!(source.matches("; // dropped").count(), 5);
    assert!(!drops_answer(bytes, "changed()V", 0).unwrap(), "there is no such method");
    assert!(drops_answer(b"no class", &signature, 0).is_err());
}

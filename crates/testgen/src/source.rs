//! Whole files: package, imports, class, methods, and which test goes into which file. Knows nothing of expressions.
//!
//! Invariant: a file holds a bounded number of methods of bounded size, far below what a class file can.

use crate::asserts::Asserts;
use crate::body::{self, Body, comment};
use crate::literals::ascii;
use crate::method_names::MethodNames;
use crate::names::Names;
use crate::request::{Generated, Placed, Request, Source, TestCase};
use dynaflow_model::frameworks;
use dynaflow_search::package_of;
use std::collections::BTreeSet;

/// Most tests of one class: the constant pool of a class file ends at 65,535 entries.
const TESTS_PER_CLASS: usize = 400;
/// Longest test, in characters of source: a method ends at 65,535 bytes of code.
const LONGEST_TEST: usize = 24_000;

/// Endings of the names of test classes, and whether these hold findings.
pub const SUFFIXES: [(&str, bool); 2] = [("DynaflowTest", false), ("DynaflowFailures", true)];

/// Whether a generated test class holds findings, by its name.
pub fn is_of_findings(class: &str) -> bool {
    SUFFIXES.iter().any(|(suffix, failing)| *failing && class.ends_with(suffix))
}

/// Where the tests of a class are written first, relative to the folder of sources. A class with very many tests gets
/// further files, whose names have a number.
pub fn paths(class: &str) -> [String; 2] {
    SUFFIXES.map(|(suffix, _)| path(&qualified(class, &format!("{}{suffix}", simple_name(class)))))
}

/// The number of a test class of `class`, by its name: 1 for the first, which has none in its name. A class of the program that is
/// called so (`Stack2` beside `Stack`) takes the number, since its tests would be called like further ones of `class`.
pub fn number(class: &str, name: &str) -> Option<usize> {
    let rest = name.strip_prefix(&qualified(class, &simple_name(class)))?;
    let test = SUFFIXES.iter().find_map(|(suffix, _)| rest.strip_suffix(suffix));
    match test {
        Some("") => Some(1),
        other => other.unwrap_or(rest).parse().ok().filter(|&n: &usize| n > 1),
    }
}

/// The class that a file holds tests of, if we wrote it: the comment of its class says so.
pub fn class_under_test(text: &str) -> Option<&str> {
    let of_class = text.lines().find_map(|line| line.strip_prefix(MARK.0))?;
    Some(of_class.split_once(MARK.1)?.0)
}

/// How the comment begins, and goes on after the class under test.
const MARK: (&str, &str) = ("/** Tests of ", ", written by dynaflow.");

/// The name of a test class beside `class`.
fn qualified(class: &str, simple: &str) -> String {
    let package = package_of(class);
    if package.is_empty() { simple.to_owned() } else { format!("{package}.{simple}") }
}

fn path(class: &str) -> String {
    format!("{}.java", class.replace('.', "/"))
}

/// Writes the test classes of a request.
pub fn generate(request: &Request) -> Generated {
    let mut generated = Generated {
        sources: vec![],
        placed: vec![Placed::LeftOut("it was not reached".to_owned()); request.tests.len()],
    };
    let reveals = |test: &TestCase| test.outcome.thrown.as_ref().is_some_and(|thrown| !thrown.declared);
    for (suffix, failing) in SUFFIXES {
        let all = request.tests.iter().enumerate();
        let mine: Vec<(usize, &TestCase)> = all.filter(|(_, test)| reveals(test) == failing).collect();
        for (part, tests) in mine.chunks(TESTS_PER_CLASS).enumerate() {
            let number = part + request.first.max(1);
            let number = if number == 1 { String::new() } else { number.to_string() };
            let simple = format!("{}{number}{suffix}", simple_name(request.class));
            write_class(request, &simple, tests, failing, &mut generated);
        }
    }
    generated
}

/// The simple name of a class as part of another name.
fn simple_name(class: &str) -> String {
    let package = package_of(class);
    let local = class.strip_prefix(package).unwrap_or(class).trim_start_matches('.');
    local.replace('$', "_")
}

fn write_class(
    request: &Request,
    simple: &str,
    tests: &[(usize, &TestCase)],
    failing: bool,
    generated: &mut Generated,
) {
    let package = package_of(request.class);
    let class = qualified(request.class, simple);
    let mut file = File {
        names: Names::new(request.types, package, &reserved(simple)),
        asserts: Asserts { style: request.style, used: BTreeSet::new() },
        method_names: MethodNames::default(),
        methods: vec![],
    };
    for (index, test) in tests {
        let placed = match file.add(test) {
            Ok(method) => Placed::Written { class: class.clone(), method },
            Err(reason) => Placed::LeftOut(reason),
        };
        if let Some(slot) = generated.placed.get_mut(*index) {
            *slot = placed;
        }
    }
    if file.methods.is_empty() {
        return;
    }
    let path = path(&class);
    let text = ascii(&file.text(package, simple, request, failing));
    generated.sources.push(Source { class, path, text });
}

/// Simple names that no class under test is called by in a file: those of the annotations and assertions of all frameworks, so that
/// sources for different frameworks differ little.
fn reserved(own: &str) -> Vec<&str> {
    let of_frameworks = frameworks::styles().flat_map(|style| [style.test, style.assertions]);
    of_frameworks.filter_map(|class| class.rsplit('.').next()).chain([own]).collect()
}

struct File<'a> {
    names: Names<'a>,
    asserts: Asserts<'a>,
    method_names: MethodNames,
    methods: Vec<String>,
}

impl File<'_> {
    fn add(&mut self, test: &TestCase) -> Result<String, String> {
        let Body { lines, throws } = body::write(test, &mut self.names, &mut self.asserts)?;
        let length: usize = lines.iter().map(String::len).sum();
        if length > LONGEST_TEST {
            return Err(format!("it has {length} characters, more than the limit of {LONGEST_TEST}"));
        }
        let name = self.method_names.name(test);
        let public = self.public();
        let mut text = String::new();
        if !test.comment.is_empty() {
            text.push_str(&format!("    // {}\n", comment(&test.comment)));
        }
        text.push_str(&format!("    @Test\n    {public}void {name}(){} {{\n", throws.clause()));
        lines.iter().for_each(|line| text.push_str(&format!("        {line}\n")));
        text.push_str("    }\n");
        self.methods.push(text);
        Ok(name)
    }

    fn public(&self) -> &'static str {
        if self.asserts.style.public { "public " } else { "" }
    }

    fn text(&self, package: &str, simple: &str, request: &Request, failing: bool) -> String {
        let mut out = String::new();
        if !package.is_empty() {
            out.push_str(&format!("package {package};\n\n"));
        }
        let (test, asserts) = (request.style.test, request.style.assertions);
        self.asserts.used.iter().for_each(|m| out.push_str(&format!("import static {asserts}.{m};\n")));
        if !self.asserts.used.is_empty() {
            out.push('\n');
        }
        let mut imports: Vec<&str> = self.names.imports().map(String::as_str).chain([test]).collect();
        imports.sort_unstable();
        imports.iter().for_each(|class| out.push_str(&format!("import {class};\n")));
        out.push_str(&self.header(request, failing));
        let public = self.public();
        out.push_str(&format!("{public}class {simple} {{\n{}}}\n", self.methods.join("\n")));
        out
    }

    fn header(&self, request: &Request, failing: bool) -> String {
        let what = if failing {
            "Each of these tests fails: it reveals an exception nobody declared or an assertion that does not hold."
        } else {
            "Each test runs a definition of object state and a use it reaches."
        };
        let class = request.class;
        let warnings = if self.names.uses_raw_types() {
            "@SuppressWarnings({\"unchecked\", \"rawtypes\"})\n"
        } else {
            ""
        };
        format!("\n{}{}{} {what} */\n{warnings}", MARK.0, comment(class), MARK.1)
    }
}

//! Whole files: package, imports, class, methods, and which test goes into which file. Knows nothing of expressions.
//!
//! Invariant: a file holds a bounded number of methods of bounded size, far below what a class file can.

use crate::asserts::Asserts;
use crate::body::{self, Body};
use crate::layout::{Existing, Layout, Method, indented};
use crate::literals::{comment, string};
use crate::method_names::MethodNames;
use crate::names::Names;
use crate::request::{Asserted, Generated, Placed, Request, Source, TestCase};
use crate::wrap::wrapped;
use dynaflow_model::frameworks;
use dynaflow_search::package_of;
use std::collections::BTreeSet;

/// Most tests of one class: the constant pool of a class file ends at 65,535 entries.
const TESTS_PER_CLASS: usize = 400;
/// Longest test, in characters of source: a method ends at 65,535 bytes of code.
const LONGEST_TEST: usize = 24_000;

/// The folder of findings, below the folder of sources: builds that compile a package's folder do not come across it.
pub const FINDINGS: &str = "findings";

/// Endings of the names of test classes, and whether these hold findings.
pub const SUFFIXES: [(&str, bool); 2] = [("DynaflowTest", false), ("DynaflowFailures", true)];

/// Whether a generated test class holds findings, by its name.
pub fn is_of_findings(class: &str) -> bool {
    SUFFIXES.iter().any(|(suffix, failing)| *failing && class.ends_with(suffix))
}

/// Where the tests of a class are written first, relative to the folder of sources. A class with very many tests gets
/// further files, whose names have a number.
pub fn paths(class: &str) -> [String; 2] {
    SUFFIXES
        .map(|(suffix, failing)| path(&qualified(class, &format!("{}{suffix}", simple_name(class))), failing))
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

/// The name of a test class beside `class`.
fn qualified(class: &str, simple: &str) -> String {
    let package = package_of(class);
    if package.is_empty() { simple.to_owned() } else { format!("{package}.{simple}") }
}

fn path(class: &str, failing: bool) -> String {
    let file = format!("{}.java", class.replace('.', "/"));
    if failing { format!("{FINDINGS}/{file}") } else { file }
}

/// Writes the test classes of a request.
pub fn generate(request: &Request) -> Generated {
    let mut generated = Generated {
        sources: vec![],
        placed: vec![Placed::LeftOut("it was not reached".to_owned()); request.tests.len()],
    };
    let reveals = |test: &TestCase| test.outcome.thrown.as_ref().is_some_and(|thrown| !thrown.is_expected());
    for (suffix, failing) in SUFFIXES {
        let all = request.tests.iter().enumerate();
        let mine: Vec<(usize, &TestCase)> = all.filter(|(_, test)| reveals(test) == failing).collect();
        let existing = request.existing.iter().find(|existing| existing.is_of_findings() == failing);
        let room = existing.map_or(0, |existing| TESTS_PER_CLASS.saturating_sub(existing.methods().count()));
        let (added, rest) = mine.split_at(room.min(mine.len()));
        if let Some(existing) = existing {
            write_class(Beginning::Existing(existing), request, added, &mut generated);
        }
        for (part, tests) in rest.chunks(TESTS_PER_CLASS).enumerate() {
            let number = part + request.first.max(1);
            let number = if number == 1 { String::new() } else { number.to_string() };
            let simple = format!("{}{number}{suffix}", simple_name(request.class));
            write_class(Beginning::New { simple, failing }, request, tests, &mut generated);
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

/// What a file begins with.
enum Beginning<'a> {
    /// Nothing yet.
    New { simple: String, failing: bool },
    /// The tests of a file that an earlier run wrote.
    Existing(&'a Existing),
}

impl Beginning<'_> {
    fn layout(&self, request: &Request) -> Layout {
        match self {
            Self::Existing(existing) => existing.layout().clone(),
            Self::New { simple, failing } => Layout {
                package: package_of(request.class).to_owned(),
                simple: simple.clone(),
                of_class: request.class.to_owned(),
                style: request.style,
                indent: request.manner.indent.clone(),
                failing: *failing,
                raw: false,
                asserts: BTreeSet::new(),
                imports: BTreeSet::new(),
                methods: vec![],
            },
        }
    }
}

/// Writes a class, unless none of the tests can be written.
fn write_class(
    beginning: Beginning,
    request: &Request,
    tests: &[(usize, &TestCase)],
    generated: &mut Generated,
) {
    let layout = beginning.layout(request);
    let class = qualified(request.class, &layout.simple);
    let mut file = File {
        names: Names::new(request.types, &layout.package, &reserved(&layout.simple)),
        asserts: Asserts { style: request.style, java: request.manner.java, used: layout.asserts.clone() },
        method_names: MethodNames::default(),
        layout,
        width: request.manner.width,
    };
    let kept: Vec<String> = file.layout.methods.iter().map(|method| method.name.clone()).collect();
    file.names.keep(&file.layout.imports);
    file.method_names.keep(&kept);
    for (index, test) in tests {
        let placed = match file.add(test) {
            Ok((method, asserted)) => Placed::Written { class: class.clone(), method, asserted },
            Err(reason) => Placed::LeftOut(reason),
        };
        if let Some(slot) = generated.placed.get_mut(*index) {
            *slot = placed;
        }
    }
    if file.layout.methods.len() == kept.len() {
        return;
    }
    let (path, replaces) = match &beginning {
        Beginning::Existing(existing) => (existing.path.clone(), Some(existing.text.clone())),
        Beginning::New { failing, .. } => (path(&class, *failing), None),
    };
    generated.sources.push(Source { class, path, text: file.text(), kept, replaces });
}

/// Simple names that no class under test is called by in a file: those of the annotations and assertions of all frameworks, so that
/// sources for different frameworks differ little.
fn reserved(own: &str) -> Vec<&str> {
    let of_frameworks = frameworks::styles().flat_map(|style| [style.test, style.own]);
    of_frameworks.filter_map(|class| class.rsplit('.').next()).chain([own]).collect()
}

/// The line that suppresses what javac warns of in a test; none where it does not.
fn suppressing(test: &TestCase, is_raw: bool) -> String {
    let mut keys: BTreeSet<&str> = test.form.suppressed.iter().map(String::as_str).collect();
    if is_raw {
        keys.extend(["rawtypes", "unchecked"]);
    }
    let quoted: Vec<String> = keys.iter().map(|key| string(key)).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => format!("    @SuppressWarnings({one})\n"),
        more => format!("    @SuppressWarnings({{{}}})\n", more.join(", ")),
    }
}

/// A file while tests are added to it.
struct File<'a> {
    names: Names<'a>,
    asserts: Asserts<'a>,
    method_names: MethodNames,
    layout: Layout,
    /// How long a line may be.
    width: usize,
}

impl File<'_> {
    /// The name of the method and what its assertions compare.
    fn add(&mut self, test: &TestCase) -> Result<(String, Vec<Asserted>), String> {
        self.names.take_raw();
        let Body { lines, throws, shown, asserted } = body::write(test, &mut self.names, &mut self.asserts)?;
        let length: usize = lines.iter().map(String::len).sum();
        if length > LONGEST_TEST {
            return Err(format!("it has {length} characters, more than the limit of {LONGEST_TEST}"));
        }
        let name = self.method_names.name(test, &shown, &self.layout.of_class);
        let public = self.layout.public();
        let mut text = String::new();
        test.comment.lines().for_each(|line| text.push_str(&format!("    // {}\n", comment(line))));
        text.push_str("    @Test\n");
        text.push_str(&suppressing(test, self.names.take_raw()));
        text.push_str(&format!("    {public}void {name}(){} {{\n", throws.clause()));
        for line in &lines {
            let margin = if line.is_empty() { "" } else { "        " };
            text.push_str(&format!("{margin}{line}\n"));
        }
        text.push_str("    }\n");
        let text = wrapped(&indented(&text, &self.layout.indent), &self.layout.indent, self.width);
        self.layout.methods.push(Method { name: name.clone(), text });
        Ok((name, asserted))
    }

    fn text(mut self) -> String {
        self.layout.imports = self.names.imports().cloned().collect();
        // An assertion that a test leaves out is named by others, or by none.
        let is_called = |method: &String| {
            let call = format!("{}(", method.rsplit('.').next().unwrap_or_default());
            self.layout.methods.iter().any(|m| m.text.contains(&call))
        };
        self.layout.asserts = self.asserts.used.into_iter().filter(is_called).collect();
        self.layout.text()
    }
}

//! A test file in its parts, written as text and read back. Knows nothing of statements, or of where files lie.
//!
//! Invariant: what is read back is written again as the same text, but for what formatters change; a text of which that is not true is not read.

use crate::literals::{ascii, comment};
use crate::wrap::COMMENT_GOES_ON;
use dynaflow_model::frameworks::{self, Style};
use std::collections::BTreeSet;

/// How the comment of the class begins, and goes on after the class under test.
const MARK: (&str, &str) = ("Tests of ", ", written by dynaflow.");
/// Its second line, and the third of files whose tests fail.
const WHAT_TESTS: &[&str] = &["The comment of each test says what it is there for."];
const WHAT_FINDINGS: &[&str] = &[
    "Each of these tests fails: it reveals an exception nobody declared or",
    "an assertion that does not hold.",
];
const WARNINGS: &str = "@SuppressWarnings({\"unchecked\", \"rawtypes\"})";

/// The class that a file holds tests of, if we wrote it: the comment of its class says so, wherever a formatter broke its lines.
pub fn class_under_test(text: &str) -> Option<&str> {
    text.match_indices(MARK.0).find_map(|(place, _)| named(text.get(place + MARK.0.len()..)?))
}

/// The class that begins a text, if our mark follows, in whatever lines.
fn named(text: &str) -> Option<&str> {
    let name = text.split([',', ' ', '\n', '\r']).next()?;
    let mut said = text.get(name.len()..)?.chars().filter(|c| !c.is_whitespace() && *c != '*');
    let mut mark = MARK.1.chars().filter(|c| !c.is_whitespace());
    mark.all(|c| said.next() == Some(c)).then_some(name)
}

/// The test methods of a file that we wrote, whoever edited it since, each with the lines of the comment above it, those that were broken joined again.
pub fn commented(text: &str) -> Vec<(String, Vec<String>)> {
    let (mut all, mut above): (Vec<_>, Vec<String>) = (vec![], vec![]);
    for line in text.lines().map(str::trim_start) {
        match (line.strip_prefix(COMMENT_GOES_ON), line.strip_prefix("// "), above.last_mut()) {
            (Some(more), _, Some(last)) => last.extend([" ", more]),
            (_, Some(comment), _) => above.push(comment.to_owned()),
            _ if line.starts_with('@') && !line.contains("void ") => {}
            _ => {
                let of = std::mem::take(&mut above);
                let name = line.split_once("void ").and_then(|(_, rest)| rest.split_once('('));
                all.extend(name.map(|(name, _)| (name.to_owned(), of)));
            }
        }
    }
    all
}

/// What formatters leave of a text as it is: all but white space, where lines of comments begin and end, and the order of imports.
pub fn unformatted(text: &str) -> String {
    let (mut imports, mut others): (Vec<&str>, Vec<&str>) =
        text.lines().map(str::trim).partition(|line| line.starts_with("import "));
    imports.sort_unstable();
    others.iter_mut().for_each(|line| *line = uncommented(line));
    imports.into_iter().chain(others).flat_map(str::split_whitespace).collect()
}

/// A line without the signs that make it one of a comment.
fn uncommented(line: &str) -> &str {
    let signs = ["//", "/**", "*/", "*"];
    let line = signs.iter().find_map(|sign| line.strip_prefix(sign)).unwrap_or(line);
    line.strip_suffix("*/").unwrap_or(line)
}

/// A test method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Method {
    pub(crate) name: String,
    /// Its lines, with the comment above it, each ended.
    pub(crate) text: String,
}

/// A test file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) package: String,
    /// Simple name of the test class.
    pub(crate) simple: String,
    /// Binary name of the class under test.
    pub(crate) of_class: String,
    pub(crate) style: &'static Style,
    /// What a line is indented by, for each level.
    pub(crate) indent: String,
    /// Whether the tests fail.
    pub(crate) failing: bool,
    /// Whether a file that an earlier version wrote uses generic classes raw: it suppresses the warnings once.
    pub(crate) raw: bool,
    /// The assertion methods and matchers used, behind the names of their classes.
    pub(crate) asserts: BTreeSet<String>,
    /// The classes imported, besides those of the framework.
    pub(crate) imports: BTreeSet<String>,
    pub(crate) methods: Vec<Method>,
}

impl Layout {
    /// The text of the file.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        if !self.package.is_empty() {
            out.push_str(&format!("package {};\n\n", self.package));
        }
        let test = self.style.test;
        self.asserts.iter().for_each(|method| out.push_str(&format!("import static {method};\n")));
        if !self.asserts.is_empty() {
            out.push('\n');
        }
        let mut imports: Vec<&str> = self.imports.iter().map(String::as_str).chain([test]).collect();
        imports.sort_unstable();
        imports.iter().for_each(|class| out.push_str(&format!("import {class};\n")));
        let what = if self.failing { WHAT_FINDINGS } else { WHAT_TESTS };
        out.push_str(&format!("\n/**\n * {}{}{}\n", MARK.0, comment(&self.of_class), MARK.1));
        what.iter().for_each(|line| out.push_str(&format!(" * {line}\n")));
        out.push_str(" */\n");
        if self.raw {
            out.push_str(&format!("{WARNINGS}\n"));
        }
        let methods: Vec<&str> = self.methods.iter().map(|method| method.text.as_str()).collect();
        out.push_str(&format!("{}class {} {{\n{}}}\n", self.public(), self.simple, methods.join("\n")));
        ascii(&out)
    }

    /// Reads a file back; none when its parts would be written as another text, not only otherwise formatted.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let of_class = class_under_test(text)?.to_owned();
        let lines: Vec<&str> = text.lines().collect();
        let value = |prefix: &str| lines.iter().find_map(|line| line.strip_prefix(prefix)?.strip_suffix(';'));
        let statics: Vec<&str> =
            lines.iter().filter_map(|line| line.strip_prefix("import static ")?.strip_suffix(';')).collect();
        let is_known = |style: &Style, member: &str| {
            member.rsplit_once('.').is_some_and(|(class, method)| style.class_of(method) == class)
        };
        let is_of = |style: &&Style| {
            lines.contains(&format!("import {};", style.test).as_str())
                && statics.iter().all(|member| is_known(style, member))
        };
        let style = frameworks::all_styles().find(is_of)?;
        let test = style.test;
        let start = lines.iter().position(|line| is_class_line(line))?;
        let simple =
            lines.get(start)?.trim_start_matches("public ").strip_prefix("class ")?.split(' ').next()?;
        let imports =
            lines.iter().take(start).filter_map(|line| line.strip_prefix("import ")?.strip_suffix(';'));
        let indent = lines.iter().find_map(|line| indent_of(line)).unwrap_or("    ").to_owned();
        let mut layout = Self {
            package: value("package ").unwrap_or_default().to_owned(),
            simple: simple.to_owned(),
            of_class,
            style,
            failing: unformatted(text).contains(&unformatted(&WHAT_FINDINGS.join("\n"))),
            raw: lines.contains(&WARNINGS),
            asserts: BTreeSet::new(),
            imports: BTreeSet::new(),
            methods: methods(lines.get(start + 1..)?, &indent)?,
            indent,
        };
        for import in imports.filter(|import| *import != test) {
            match import.strip_prefix("static ") {
                Some(member) => drop(layout.asserts.insert(member.to_owned())),
                None => drop(layout.imports.insert(import.to_owned())),
            }
        }
        (unformatted(&layout.text()) == unformatted(text)).then_some(layout)
    }

    /// `public `, where the test class and its methods have to be.
    pub(crate) fn public(&self) -> &'static str {
        if self.style.public { "public " } else { "" }
    }

    /// Leaves methods out, and what only they imported.
    pub(crate) fn leave_out(&mut self, is_left_out: impl Fn(&str) -> bool) {
        let before = self.methods.len();
        self.methods.retain(|method| !is_left_out(&method.name));
        if self.methods.len() == before {
            return;
        }
        let words: BTreeSet<&str> = self.methods.iter().flat_map(|method| words(&method.text)).collect();
        let is_used = |name: &String| name.rsplit('.').next().is_some_and(|last| words.contains(last));
        self.asserts.retain(is_used);
        self.imports.retain(is_used);
    }
}

/// The identifiers of a text, those in comments and strings among them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}

fn is_class_line(line: &str) -> bool {
    line.trim_start_matches("public ").starts_with("class ") && line.ends_with(" {")
}

/// What stands before the annotation of a test method.
fn indent_of(line: &str) -> Option<&str> {
    line.strip_suffix("@Test").filter(|indent| !indent.is_empty() && indent.trim().is_empty())
}

/// A text that is indented by four blanks for each level, indented otherwise.
pub(crate) fn indented(text: &str, indent: &str) -> String {
    let line = |line: &str| {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        let (levels, rest) = (blanks / 4, blanks % 4);
        format!("{}{}{}\n", indent.repeat(levels), " ".repeat(rest), &line[blanks..])
    };
    text.lines().map(line).collect()
}

/// The methods of a class body: each ends with a brace of its own depth, an empty line stands between two.
fn methods(body: &[&str], indent: &str) -> Option<Vec<Method>> {
    let end = format!("{indent}}}");
    let mut methods = vec![];
    let mut text = String::new();
    for line in body {
        if text.is_empty() && (line.is_empty() || *line == "}") {
            continue;
        }
        text.push_str(line);
        text.push('\n');
        if *line == end {
            let name = method_name(&text, indent)?.to_owned();
            methods.push(Method { name, text: std::mem::take(&mut text) });
        }
    }
    text.is_empty().then_some(methods)
}

/// The name of the method that a text declares.
fn method_name<'t>(text: &'t str, indent: &str) -> Option<&'t str> {
    let declared = text
        .lines()
        .find_map(|line| line.strip_prefix(indent)?.trim_start_matches("public ").strip_prefix("void "));
    declared?.split('(').next()
}

/// A test file that an earlier run wrote, to which tests can be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Existing {
    /// Binary name of the test class.
    pub class: String,
    /// Where it lies below the folder of sources.
    pub path: String,
    /// Its text.
    pub text: String,
    layout: Layout,
}

impl Existing {
    /// Reads a file; none when its parts do not make the same text again, as those of [`crate::generate`] do, but for what formatters change.
    pub fn read(path: &str, text: &str) -> Option<Self> {
        let layout = Layout::read(text)?;
        let class = if layout.package.is_empty() {
            layout.simple.clone()
        } else {
            format!("{}.{}", layout.package, layout.simple)
        };
        Some(Self { class, path: path.to_owned(), text: text.to_owned(), layout })
    }

    /// The binary name of the class it holds tests of.
    pub fn class_under_test(&self) -> &str {
        &self.layout.of_class
    }

    /// The framework it was written for.
    pub fn style(&self) -> &'static Style {
        self.layout.style
    }

    /// Whether its tests fail.
    pub fn is_of_findings(&self) -> bool {
        self.layout.failing
    }

    /// The names of its test methods, in order.
    pub fn methods(&self) -> impl Iterator<Item = &str> {
        self.layout.methods.iter().map(|method| method.name.as_str())
    }

    /// The lines of the comment above a test method, those that were broken joined again.
    pub fn comments(&self, method: &str) -> Vec<String> {
        let of_method = self.layout.methods.iter().find(|known| known.name == method);
        let lines = of_method.into_iter().flat_map(|method| method.text.lines());
        let mut comments: Vec<String> = vec![];
        for line in lines.map_while(|line| line.strip_prefix(&self.layout.indent)) {
            match (line.strip_prefix(COMMENT_GOES_ON), line.strip_prefix("// "), comments.last_mut()) {
                (Some(more), _, Some(last)) => last.extend([" ", more]),
                (_, Some(comment), _) => comments.push(comment.to_owned()),
                _ => break,
            }
        }
        comments
    }

    /// The same file without some of its methods.
    #[must_use]
    pub fn without(&self, is_left_out: impl Fn(&str) -> bool) -> Self {
        let mut rest = self.clone();
        rest.layout.leave_out(is_left_out);
        rest
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }
}

#[cfg(test)]
mod tests {
    use super::{class_under_test, commented, unformatted};

    #[test]
    fn a_file_is_known_by_the_comment_of_its_class_wherever_that_is_broken() {
        for text in [
            "/** Tests of a.B$C, written by dynaflow. */\nclass T {",
            "package a;\n\n/**\n * Tests of a.B$C, written by dynaflow. The\n * comment\n */\nclass T {",
            "/**\r\n * Tests of a.B$C, written\r\n * by dynaflow.\r\n */",
            "/**\n * Tests of a.B$C,\n *    written by dynaflow.\n */",
        ] {
            assert_eq!(class_under_test(text), Some("a.B$C"), "{text}");
        }
        for text in ["/** Tests of a.B. */", "/** Tests of a.B, written by me. */", "// Tests of", ""] {
            assert_eq!(class_under_test(text), None, "{text}");
        }
    }

    #[test]
    fn what_formatters_change_makes_no_other_text() {
        let text = "import a.B;\nimport static a.C.d;\n\n/**\n * Tests of a.B.\n */\nclass T {\n    // sets it\n    @Test\n    void one() {\n        \
                    assertThat(x).is(1);\n    }\n}\n";
        let formatted = "import static a.C.d;\nimport a.B;\n\n/** Tests of a.B. */\nclass T\n{\n\n\t// sets\n\t// it\n\t@Test\n\tvoid one() {\n\t\t\
                         assertThat(x)\n\t\t\t.is(1);\n\t}\n\n}\n";
        assert_eq!(unformatted(formatted), unformatted(text));
        for (was, is) in [("is(1)", "is(2)"), ("sets it", "sets this"), ("@Test", ""), ("a.C.d", "a.C.e")] {
            assert_ne!(unformatted(&text.replace(was, is)), unformatted(text), "{was}");
        }
    }

    #[test]
    fn comments_stand_above_their_tests_whole_whoever_edited_the_file() {
        let text = "/** Tests. */\nclass T {\n    // fault: a.E in a.B.c:1, called by\n    //     a.D.e; 1 other\n    // sets it\n    @Test\n    \
                    @SuppressWarnings(\"unchecked\")\n    void one() throws Exception {\n        // throws a.E: no\n        b.c();\n    }\n\n  // mine\n  @Test public void two()\n}\n";
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let expected: Vec<(String, Vec<String>)> = vec![
            ("one".to_owned(), lines(&["fault: a.E in a.B.c:1, called by a.D.e; 1 other", "sets it"])),
            ("two".to_owned(), lines(&["mine"])),
        ];
        assert_eq!(commented(text), expected);
    }
}

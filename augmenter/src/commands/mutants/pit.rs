//! An analysis as PIT's `mutations.xml`. Knows nothing of how mutants were run.
//!
//! A mutant that no operator of PIT's makes has our name of the operator where PIT has a class. Tests are named as PIT names those of JUnit 4:
//! `a.OuterTest.probe(a.OuterTest)`. Invariant: what is written is well-formed XML 1.0, whatever names contain.

use crate::mutation::{AnalysedClass, AnalysedMutant, Analysis};
use std::io::{self, Write};

/// Writes it; with the tests that fail and those that pass for each mutant when all were run.
pub fn write(analysis: &Analysis, matrix: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<mutations partial=\"{}\">", analysis.interrupted)?;
    for class in &analysis.classes {
        for mutant in &class.mutants {
            mutation(analysis, class, mutant, matrix, out)?;
        }
    }
    writeln!(out, "</mutations>")
}

fn mutation(
    analysis: &Analysis,
    class: &AnalysedClass,
    analysed: &AnalysedMutant,
    matrix: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (mutant, judged) = (&analysed.mutant, &analysed.judged);
    let operator = mutant.operator.pit_class().unwrap_or_else(|| mutant.operator.name().to_owned());
    write!(
        out,
        "<mutation detected='{}' status='{}' numberOfTestsRun='{}'>",
        judged.status.is_detected(),
        judged.status.name(),
        judged.ran
    )?;
    element("sourceFile", class.source_file.as_deref().unwrap_or_default(), out)?;
    element("mutatedClass", &class.name, out)?;
    element("mutatedMethod", &mutant.method, out)?;
    element("methodDescription", &mutant.descriptor, out)?;
    element("lineNumber", &mutant.line.to_string(), out)?;
    element("mutator", &operator, out)?;
    write!(out, "<indexes><index>{}</index></indexes>", mutant.insn)?;
    write!(out, "<blocks><block>{}</block></blocks>", mutant.block)?;
    let names = |tests: &[usize]| {
        let names: Vec<String> = tests.iter().map(|test| name(analysis.test(*test))).collect();
        names.join("|")
    };
    if matrix {
        let passed: Vec<usize> =
            analysed.covering.iter().copied().filter(|test| !judged.killing.contains(test)).collect();
        element("killingTests", &names(&judged.killing), out)?;
        element("succeedingTests", &names(&passed), out)?;
    } else {
        element("killingTest", &names(&judged.killing), out)?;
    }
    element("description", &mutant.description, out)?;
    writeln!(out, "</mutation>")
}

/// A test as PIT names it.
fn name(test: &str) -> String {
    match test.split_once('#') {
        Some((class, method)) => format!("{class}.{method}({class})"),
        None => test.to_owned(),
    }
}

fn element(name: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    if text.is_empty() {
        return write!(out, "<{name}/>");
    }
    write!(out, "<{name}>{}</{name}>", escaped(text))
}

/// Characters that XML 1.0 cannot have stand as `?`.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push_str(&format!("&#{};", u32::from(c))),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_what_xml_can_have() {
        assert_eq!(escaped("<init> & 'a'\u{1}\n"), "&lt;init&gt; &amp; &#39;a&#39;?&#10;");
        assert_eq!(name("a.B$C#d"), "a.B$C.d(a.B$C)");
        assert_eq!(name("a.B"), "a.B");
    }
}

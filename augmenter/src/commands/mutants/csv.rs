//! An analysis as rows, one for each mutant. Knows nothing of how they were run.
//!
//! Invariant: a row has as many fields as the header, whatever names contain.

use crate::mutation::Analysis;
use std::io::{self, Write};

const COLUMNS: &str =
    "class,method,descriptor,line,operator,description,status,killing_test,covering_tests,id";

/// Writes it.
pub fn write(analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{COLUMNS}")?;
    for class in &analysis.classes {
        for analysed in &class.mutants {
            let (mutant, judged) = (&analysed.mutant, &analysed.judged);
            let killing = judged.killing.first().map_or("", |test| analysis.test(*test));
            writeln!(
                out,
                "{},{},{},{},{},{},{},{},{},{}",
                quoted(&class.name),
                quoted(&mutant.method),
                quoted(&mutant.descriptor),
                mutant.line,
                mutant.operator.name(),
                quoted(&mutant.description),
                judged.status.name(),
                quoted(killing),
                analysed.covering.len(),
                quoted(&mutant.id)
            )?;
        }
    }
    Ok(())
}

/// A field of a row.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

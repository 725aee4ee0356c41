//! An analysis as rows, one for each mutant. Knows nothing of how they were run.
//!
//! Invariant: a row has as many fields as the header, whatever names contain.

use crate::mutation::Analysis;
use crate::output::csv_field;
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
                csv_field(&class.name),
                csv_field(&mutant.method),
                csv_field(&mutant.descriptor),
                mutant.line,
                mutant.operator.name(),
                csv_field(&mutant.description),
                judged.status.name(),
                csv_field(killing),
                analysed.covering.len(),
                csv_field(&mutant.id)
            )?;
        }
    }
    Ok(())
}

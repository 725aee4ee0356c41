//! The last words of a run: what came of the classes as a table, and remarks, each once with the classes that it is about.
//!
//! Knows nothing of how figures come about. Invariant: every class is in the table, among those that gained nothing, or in a remark.

use super::results::{self, Row};
use crate::commands::augment::facts::remarks::{Remarks, named};
use crate::output;

/// Most classes of which each has lines of its own; of more the sums are printed, and each with `-v`.
const EACH: usize = 5;

/// What a table has besides the name of the class.
const COLUMNS: [&str; 8] =
    ["pairs by seeds", "now", "open", "tests", "refusals", "faults", "suspicious", "mutants more"];

/// What came of the classes: of a single one a sentence; of several a table of those that gained something, with the others named below.
fn of(rows: &[&Row]) -> Vec<String> {
    if let [row] = rows {
        return vec![row.line()];
    }
    let (gained, others): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| row.tests_added + row.findings() > 0);
    let mut lines = if gained.is_empty() { vec![] } else { table(&gained) };
    if !others.is_empty() {
        let names: Vec<String> = others.iter().map(|row| row.class.clone()).collect();
        let pairs: usize = others.iter().map(|row| row.pairs.suite()).sum();
        let open: usize = others.iter().map(|row| row.pairs.open).sum();
        lines
            .push(format!("no test was added for {} ({pairs} pairs, {open} objectives open)", named(&names)));
    }
    if !rows.is_empty() {
        lines.push(sums(rows));
    }
    lines
}

/// What became of the call sequences of all classes, and what ended the searches.
fn sums(rows: &[&Row]) -> String {
    let sum = |of: fn(&Row) -> usize| -> usize { rows.iter().map(|row| of(row)).sum() };
    let mut ends: Vec<(&str, usize)> = vec![];
    // One whose turn never came was ended by nothing.
    for row in rows.iter().filter(|row| !row.stopped_by.is_empty()) {
        match ends.iter_mut().find(|(word, _)| *word == row.stopped_by) {
            Some((_, count)) => *count += 1,
            None => ends.push((row.stopped_by, 1)),
        }
    }
    let ends: Vec<String> = ends.iter().map(|(word, count)| format!("{word} ({count})")).collect();
    let ends = match ends.join(", ") {
        none if none.is_empty() => "no class was searched".to_owned(),
        ends => format!("the searches of the classes were ended by {ends}"),
    };
    format!(
        "of the call sequences that were kept {} were not needed, {} dropped, {} not written for their effects; {ends}",
        sum(|row| row.left_out),
        sum(|row| row.dropped),
        sum(|row| row.not_written),
    )
}

/// The figures of classes below each other, and their sums.
fn table(rows: &[&Row]) -> Vec<String> {
    let figures = |row: &Row| {
        let pairs = &row.pairs;
        [
            pairs.seeds,
            pairs.suite(),
            pairs.open,
            row.tests_added,
            row.refusals,
            row.faults,
            row.suspicious,
            row.mutants.by_tests,
        ]
    };
    let all = rows.iter().fold([0; COLUMNS.len()], |mut sums, row| {
        sums.iter_mut().zip(figures(row)).for_each(|(sum, figure)| *sum += figure);
        sums
    });
    let lines = rows.iter().map(|row| (row.class.as_str(), figures(row)));
    let lines: Vec<(&str, [usize; COLUMNS.len()])> = lines.chain([("all", all)]).collect();
    let first = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let header = format!("{:first$}  {}", "class", COLUMNS.join("  "));
    let line = |(name, figures): &(&str, [usize; COLUMNS.len()])| {
        let cells = figures
            .iter()
            .zip(COLUMNS)
            .map(|(figure, title)| format!("{figure:>width$}", width = title.len()));
        format!("{name:first$}  {}", cells.collect::<Vec<_>>().join("  "))
    };
    [header].into_iter().chain(lines.iter().map(line)).collect()
}

/// Adds what became of goals and mutants, and what was left out.
pub fn remark(rows: &[&Row], remarks: &mut Remarks) {
    let lines = |row: &&Row| {
        let of = |what: fn(&[&Row]) -> Option<String>| what(&[row]);
        let rest = [results::of_open, results::of_mutants, results::of_solver, results::of_beyond];
        std::iter::once(row.of_goals()).chain(rest.map(of)).collect::<Vec<_>>()
    };
    let all: Vec<(&str, String)> = rows
        .iter()
        .flat_map(|row| lines(row).into_iter().flatten().map(|text| (row.class.as_str(), text)))
        .collect();
    if rows.len() <= EACH {
        all.iter().for_each(|(class, text)| remarks.add(class, text));
    } else {
        all.iter().for_each(|(class, text)| tracing::info!("{class}: {text}"));
        let sums = [
            results::of_goals(rows),
            results::of_open(rows),
            results::of_mutants(rows),
            results::of_solver(rows),
            results::of_beyond(rows),
        ];
        sums.iter().flatten().for_each(|text| remarks.add("all classes", text));
    }
    for row in rows {
        if !row.mutants.missing.is_empty() {
            remarks.add(&row.class, &row.mutants.missing);
        }
        if row.unstable_assertions > 0 {
            let text =
                format!("{} assertions left out: they do not hold in every JVM", row.unstable_assertions);
            remarks.add(&row.class, &text);
        }
        if let Some(why) = &row.not_beside {
            remarks.add(
                &row.class,
                &format!("whether the tests hold beside the other tests is not known: {why}"),
            );
        }
    }
}

/// Adds which methods of which classes no test calls; of many classes which these are.
pub fn remark_uncalled(uncalled: &[(&str, String)], remarks: &mut Remarks) {
    if uncalled.len() <= EACH {
        uncalled.iter().for_each(|(class, text)| remarks.add(class, text));
        return;
    }
    for (class, text) in uncalled {
        tracing::info!("{class}: {text}");
        remarks.add(
            class,
            "some public methods are called by no test, as far as calls are recorded; -v names them",
        );
    }
}

/// Says how the search ended for all classes.
pub fn say(rows: &[&Row], remarks: &Remarks) {
    of(rows).iter().for_each(|line| output::say(line));
    remarks.lines().for_each(|line| output::say(&line));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::augment::facts::figures::Figures;
    use crate::commands::augment::mutants;

    fn row(class: &str, seeds: usize, covered: usize, tests: usize) -> Row {
        let pairs = Figures { seeds, covered, open: 1, ..Figures::default() };
        Row { class: class.to_owned(), pairs, tests_added: tests, stopped_by: "fixpoint", ..Row::default() }
    }

    #[test]
    fn several_classes_make_a_table_and_those_that_gained_nothing_a_line() {
        let rows = [row("a.Door", 10, 2, 3), row("a.Long", 0, 120, 14), row("a.Plain", 7, 0, 0)];
        let lines = of(&rows.iter().collect::<Vec<_>>());
        let expected = [
            "class   pairs by seeds  now  open  tests  refusals  faults  suspicious  mutants more",
            "a.Door              10   12     1      3         0       0           0             0",
            "a.Long               0  120     1     14         0       0           0             0",
            "all                 10  132     2     17         0       0           0             0",
            "no test was added for a.Plain (7 pairs, 1 objectives open)",
        ];
        assert_eq!(lines.get(..5).unwrap(), expected);
        assert!(lines[5].ends_with("the searches of the classes were ended by fixpoint (3)"), "{}", lines[5]);
        let early = rows.map(|row| Row { stopped_by: "", ..row });
        let lines = of(&early.iter().collect::<Vec<_>>());
        assert!(lines[5].ends_with("; no class was searched"), "{}", lines[5]);
    }

    #[test]
    fn what_is_not_known_of_several_classes_for_one_reason_is_one_line() {
        let of = |name: &str| Row { not_beside: Some("the time was over".into()), ..row(name, 1, 0, 1) };
        let rows = ["a.A", "a.B", "a.C"].map(of);
        let mut remarks = Remarks::default();
        remark(&rows.iter().chain([&row("a.D", 1, 0, 1)]).collect::<Vec<_>>(), &mut remarks);
        let lines: Vec<String> = remarks.lines().collect();
        let why = "whether the tests hold beside the other tests is not known: the time was over";
        assert_eq!(lines, [format!("a.A, a.B, a.C: {why}")]);
    }

    #[test]
    fn figures_of_many_classes_are_summed_and_those_of_few_have_lines() {
        let mutants =
            mutants::Figures { reached: 3, noticed: 2, by_seeds: 1, by_tests: 1, ..Default::default() };
        let of = |name: &str| Row { mutants: mutants.clone(), beyond: 2, ..row(name, 1, 0, 0) };
        let rows: Vec<Row> = ["a.A", "a.B", "a.C", "a.D", "a.E", "a.F"].map(of).into();
        let said = |rows: &[Row]| {
            let mut remarks = Remarks::default();
            remark(&rows.iter().collect::<Vec<_>>(), &mut remarks);
            remarks.lines().collect::<Vec<_>>()
        };
        let text = |class: &str, [reached, noticed, by_seeds, by_tests]: [usize; 4]| {
            format!(
                "{class}: of {reached} mutants that the new call sequences reach they can notice {noticed}; the seeds notice {by_seeds} of these, the tests added {by_tests} more"
            )
        };
        let beyond = |class: &str, tests: usize| {
            format!(
                "{class}: {tests} more tests would show something new; --max-tests-per-class left them out, and a later run writes the next"
            )
        };
        assert_eq!(said(&rows), [text("all classes", [18, 12, 6, 6]), beyond("all classes", 12)]);
        assert_eq!(said(&rows[..2]), [text("a.A, a.B", [3, 2, 1, 1]), beyond("a.A, a.B", 2)]);
    }

    #[test]
    fn uncalled_methods_of_many_classes_are_named_on_request() {
        let said = |classes: &[&str]| {
            let mut remarks = Remarks::default();
            let uncalled: Vec<(&str, String)> =
                classes.iter().map(|class| (*class, format!("of {class}"))).collect();
            remark_uncalled(&uncalled, &mut remarks);
            remarks.lines().collect::<Vec<_>>()
        };
        assert_eq!(said(&["a.A", "a.B"]), ["a.A: of a.A", "a.B: of a.B"]);
        let all = said(&["a.A", "a.B", "a.C", "a.D", "a.E", "a.F"]);
        assert!(
            all.len() == 1 && all[0].starts_with("a.A, a.B, a.C and 3 more: some public methods"),
            "{all:?}"
        );
    }

    #[test]
    fn a_single_class_is_a_sentence() {
        let lines = of(&[&row("a.Door", 10, 2, 3)]);
        assert!(
            lines.len() == 1 && lines[0].starts_with("a.Door: 10 pairs covered by the seeds, 12 now;"),
            "{lines:?}"
        );
    }
}

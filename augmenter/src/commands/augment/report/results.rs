//! What is left when the search is over: sources, the pairs document, statistics, a few words.
//!
//! Knows nothing of JVMs. Invariant: the pairs document says what the seed suite and the compiled generated tests showed, nothing
//! else; a file that is there is overwritten only when it is what a run wrote, unedited, and the new one holds its tests.

use crate::commands::augment::ask::options::AugmentOptions;
use crate::commands::augment::facts::coverage;
use crate::commands::augment::facts::figures::Figures;
use crate::commands::augment::facts::known::Covered;
use crate::commands::augment::facts::obstacles::Counts;
use crate::commands::augment::facts::roots::Roots;
use crate::commands::augment::mutants::{self, Solved};
use crate::commands::augment::prepare::seal;
use crate::output;
use anyhow::{Context, Result, bail};
use dynaflow_model::facts::Recording;
use dynaflow_model::pair_key::PairKey;
use dynaflow_objectives::{Iteration, PairsView, Status, StoppedBy, pair_key};
use dynaflow_testgen::Source;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A row of the statistics.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Binary name of the target class.
    pub class: String,
    /// Its pairs.
    pub pairs: Figures,
    /// Why objectives of it are open.
    pub open: Counts,
    /// Green tests added.
    pub tests_added: usize,
    /// Those of them that show that the program refuses something on purpose.
    pub refusals: usize,
    /// Tests that reveal a fault.
    pub faults: usize,
    /// Tests that reveal a failure for which what they pass may be to blame.
    pub suspicious: usize,
    /// Candidates that were not needed.
    pub left_out: usize,
    /// Those of them that would show something new, and were too many.
    pub beyond: usize,
    /// Candidates that did not hold.
    pub dropped: usize,
    /// Tests that were not written for what they do beyond their own objects.
    pub not_written: usize,
    /// Assertions that were left out, as they do not hold in every JVM.
    pub unstable_assertions: usize,
    /// Why it is not known whether its tests hold beside the other tests, if that is so.
    pub not_beside: Option<String>,
    /// The mutants of the class.
    pub mutants: mutants::Figures,
    /// Outcomes of its branches, and how many of them the seeds that can be rebuilt and the measured sequences had.
    pub branches: (usize, usize),
    /// Goals of coverage, and who reaches them, where they earn tests.
    pub goals: Option<coverage::Figures>,
    /// Iterations.
    pub iterations: usize,
    /// What ended the search.
    pub stopped_by: &'static str,
    /// Sequences executed.
    pub executions: u64,
    /// Wall time, in seconds.
    pub seconds: f64,
    /// Why nothing came of it, when nothing did.
    pub reason: String,
}

/// The header of the statistics.
const COLUMNS: &str = "class,seed_pairs,objectives,covered,open,unforeseen,pairs,only_in_findings,only_left_out,tests_added,refusals,findings,faults,suspicious,left_out,dropped,not_written,unstable_assertions,mutants_reached,mutants_killed_by_seeds,mutants_killed_by_tests,mutants_solved,mutants_unsolvable,branches,branches_reached,goals,goals_by_seeds,goals_by_suite,iterations,stopped_by,executions,seconds,reason,goals_by_criterion,open_by_obstacle";

impl Row {
    /// Tests that reveal a failure.
    pub fn findings(&self) -> usize {
        self.faults + self.suspicious
    }

    /// What came of the class, on a line.
    pub fn line(&self) -> String {
        let Figures { seeds, open, .. } = self.pairs;
        format!(
            "{}: {seeds} pairs covered by the seeds, {} now; {open} objectives open; {} tests added, {} of them of refusals; {} findings: {} faults, {} suspicious; {} candidates not needed, {} dropped, {} not written for their effects; {} after {} iterations",
            self.class,
            self.pairs.suite(),
            self.tests_added,
            self.refusals,
            self.findings(),
            self.faults,
            self.suspicious,
            self.left_out,
            self.dropped,
            self.not_written,
            self.stopped_by,
            self.iterations
        )
    }

    /// Which goals of coverage are reached; nothing where they earn no tests.
    pub fn of_goals(&self) -> Option<String> {
        let of_criteria =
            self.goals.as_ref()?.of_criteria().map(|text| format!(": {text}")).unwrap_or_default();
        Some(of_goals(&[self])? + &of_criteria)
    }

    /// Its line of the statistics.
    fn csv(&self) -> String {
        let (pairs, goals) = (&self.pairs, self.goals.clone().unwrap_or_default());
        let counts = [
            pairs.seeds,
            pairs.objectives,
            pairs.covered,
            pairs.open,
            pairs.unforeseen,
            pairs.suite(),
            pairs.only_in_findings,
            pairs.only_left_out,
            self.tests_added,
            self.refusals,
            self.findings(),
            self.faults,
            self.suspicious,
            self.left_out,
            self.dropped,
            self.not_written,
            self.unstable_assertions,
            self.mutants.reached,
            self.mutants.by_seeds,
            self.mutants.by_tests,
            self.mutants.solved.noticed,
            self.mutants.solved.equivalent,
            self.branches.0,
            self.branches.1,
            goals.total.all,
            goals.total.by_seeds,
            goals.total.by_suite,
            self.iterations,
        ];
        let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
        let reason = quoted(&self.reason);
        let (class, stopped_by, executions) = (&self.class, self.stopped_by, self.executions);
        let (counts, seconds, by_criterion) = (counts.join(","), self.seconds, goals.cell());
        let by_obstacle = self.open.cell();
        format!(
            "{class},{counts},{stopped_by},{executions},{seconds:.1},{reason},{by_criterion},{by_obstacle}"
        )
    }
}

/// Writes the statistics as CSV.
///
/// # Errors
/// When the file cannot be written.
pub fn stats(path: &Path, rows: &[Row]) -> Result<()> {
    output::result(Some(path), |out| {
        writeln!(out, "{COLUMNS}")?;
        rows.iter().try_for_each(|row| writeln!(out, "{}", row.csv()))
    })
}

/// A field of CSV that may have commas.
fn quoted(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// The word for what ended the search.
pub fn stop_word(stopped_by: StoppedBy) -> &'static str {
    match stopped_by {
        StoppedBy::Fixpoint => "fixpoint",
        StoppedBy::Iterations => "iterations",
        StoppedBy::Budget => "budget",
        StoppedBy::Interrupted => "interrupted",
        StoppedBy::Losses => "losses",
    }
}

/// The pairs document with the iterations filled in.
pub fn document<'a>(
    recording: &'a Recording,
    roots: &Roots,
    covered: &Covered,
    inferred: &BTreeMap<PairKey, u32>,
    iterations: Vec<Iteration>,
    stopped_by: Option<StoppedBy>,
) -> PairsView<'a> {
    let mut document = PairsView::new(recording, |root| roots.select(root));
    let last = u32::try_from(iterations.len()).unwrap_or(u32::MAX);
    for entry in &mut document.pairs {
        let key = pair_key(&recording.facts, &recording.classes, &entry.pair);
        entry.iteration = match entry.status {
            // The compiled tests may cover, or show, more than the candidates did: that counts for the last iteration.
            Status::Covered => covered.iteration(key).unwrap_or(last),
            Status::Objective => inferred.get(&key).copied().unwrap_or(last),
        };
    }
    document.iterations = iterations;
    document.stopped_by = stopped_by;
    document
}

/// Writes the documents of a run that has nothing to attack.
///
/// # Errors
/// Names the file that cannot be written.
pub fn nothing(options: &AugmentOptions) -> Result<()> {
    if let Some(path) = &options.json {
        let (recording, covered, inferred) = Default::default();
        let mut document =
            document(&recording, &Roots::default(), &covered, &inferred, vec![], Some(StoppedBy::Fixpoint));
        document.findings = Some(vec![]);
        output::result(Some(path), |out| document.write(options.json_version.into(), out))?;
    }
    options.stats.as_deref().map_or(Ok(()), |path| stats(path, &[]))
}

/// Writes the generated sources, each with its seal, to their places.
///
/// # Errors
/// When a file cannot be written, or is not as it was when the run began: edited, or put where nothing was.
pub fn sources(sources: &[Source], place: impl Fn(&str) -> PathBuf) -> Result<()> {
    for source in sources {
        let path = place(&source.path);
        let there = std::fs::read_to_string(&path).ok().map(|text| seal::opened(&text));
        match (there, &source.replaces) {
            (None, None) => {}
            (Some(there), Some(replaced)) if there.as_ref() == Some(replaced) => {}
            _ => bail!("`{}` was changed while the search ran; move it and run again", path.display()),
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(|| format!("cannot make `{}`", parent.display()))?;
        }
        output::result(Some(&path), |file| file.write_all(seal::sealed(&source.text).as_bytes()))?;
    }
    Ok(())
}

/// How many goals of coverage of several classes are reached; nothing where they earn no tests.
pub fn of_goals(rows: &[&Row]) -> Option<String> {
    let figures = rows.iter().filter_map(|row| Some(row.goals.as_ref()?.total));
    let [all, by_seeds, by_suite] = figures.fold([0; 3], |[all, by_seeds, by_suite], of| {
        [all + of.all, by_seeds + of.by_seeds, by_suite + of.by_suite]
    });
    (all > 0).then(|| {
        format!("of {all} goals of coverage the seeds reach {by_seeds}, with the tests added {by_suite}")
    })
}

/// What became of mutants of several classes; nothing where none were run.
pub fn of_mutants(rows: &[&Row]) -> Option<String> {
    let sums =
        rows.iter().map(|row| &row.mutants).fold([0; 4], |[reached, noticed, by_seeds, by_tests], of| {
            [reached + of.reached, noticed + of.noticed, by_seeds + of.by_seeds, by_tests + of.by_tests]
        });
    let [reached, noticed, by_seeds, by_tests] = sums;
    (reached > 0).then(|| {
        format!(
            "of {reached} mutants that the new call sequences reach they can notice {noticed}; the seeds notice {by_seeds} of these, the tests added {by_tests} more"
        )
    })
}

/// Why objectives of several classes are open; nothing where none is.
pub fn of_open(rows: &[&Row]) -> Option<String> {
    rows.iter().map(|row| &row.open).sum::<Counts>().line()
}

/// How many tests there was no room for; nothing where there was for all.
pub fn of_beyond(rows: &[&Row]) -> Option<String> {
    let beyond: usize = rows.iter().map(|row| row.beyond).sum();
    (beyond > 0).then(|| {
        format!(
            "{beyond} more tests would show something new; --max-tests-per-class left them out, and a later run writes the next"
        )
    })
}

/// What a solver found; nothing where it was asked nothing.
pub fn of_solver(rows: &[&Row]) -> Option<String> {
    let all = rows.iter().map(|row| row.mutants.solved);
    let sum = all.fold(Solved::default(), |sum, of| Solved {
        noticed: sum.noticed + of.noticed,
        equivalent: sum.equivalent + of.equivalent,
        open: sum.open + of.open,
    });
    sum.text()
}

//! What is to be said of each test, from what its runs, its class, the pairs and the mutants show. Knows no JVMs and no formats.
//!
//! Invariant: a test has one verdict, the gravest of what was found; of tests that add the same one at least is not redundant.

use super::added::{NewPair, Noticed};
use super::runs::{REVERSED, Ran};
use crate::jvm::suite::{TestSelector, Verdict};
use crate::keep::{self, Candidate};
use dynaflow_model::effect::{Allowed, Effect};
use dynaflow_model::pair_key::PairKey;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Most names, runs or effects that a sentence lists.
const LISTED: usize = 3;

/// What can be found, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It fails in every run.
    Failing,
    /// It passes in some runs and fails in others.
    Flaky,
    /// It runs in none.
    Skipped,
    /// It asserts nothing and notices no mutant that the suite does not.
    AssertsNothing,
    /// Everything that it adds is added by others, or it adds nothing.
    Redundant,
    /// It touches what is not its own.
    Effects,
    /// It takes long.
    Slow,
}

/// Something found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What.
    pub kind: Kind,
    /// Why, in words.
    pub why: String,
}

/// What is said of a test.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// `a.OuterTest#probe`.
    pub test: String,
    /// The gravest first.
    pub findings: Vec<Finding>,
    /// The pairs that it adds to the suite.
    pub pairs: BTreeSet<NewPair>,
    /// The mutants that it notices and the suite does not.
    pub mutants: BTreeSet<u32>,
}

impl Judged {
    /// The gravest of what was found.
    pub fn verdict(&self) -> Option<Kind> {
        self.findings.first().map(|finding| finding.kind)
    }

    /// Whether it passes in every run.
    fn holds(&self) -> bool {
        !self.findings.iter().any(|finding| finding.kind <= Kind::Skipped)
    }
}

/// Everything that is known.
pub struct Known<'a> {
    /// The runs.
    pub runs: &'a [Ran],
    /// By test, the pairs that it adds.
    pub pairs: &'a BTreeMap<String, BTreeSet<NewPair>>,
    /// What mutants show; none where none were made.
    pub noticed: Option<&'a Noticed>,
    /// The effects that tests may have.
    pub allowed: &'a Allowed,
    /// Whether a test asserts something.
    pub asserts: &'a mut dyn FnMut(&str) -> bool,
    /// What is slow.
    pub slow: Duration,
}

/// All tests of the runs, sorted by name, with what is said of each.
pub fn judge(mut known: Known<'_>) -> Vec<Judged> {
    let names: BTreeSet<&String> = known.runs.iter().flat_map(|run| run.verdicts.keys()).collect();
    let mut all: Vec<Judged> = names.into_iter().map(|name| known.judge(name)).collect();
    redundant(&mut all, known.noticed.is_some());
    all.iter_mut().for_each(|judged| judged.findings.sort_by_key(|finding| finding.kind));
    all
}

/// The tests that pass in every run.
pub fn stable(runs: &[Ran]) -> BTreeSet<String> {
    let names: BTreeSet<&String> = runs.iter().flat_map(|run| run.verdicts.keys()).collect();
    names.into_iter().filter(|name| outcome(runs, name).is_none()).cloned().collect()
}

impl Known<'_> {
    fn judge(&mut self, test: &str) -> Judged {
        let mut judged = Judged { test: test.to_owned(), ..Judged::default() };
        judged.findings.extend(outcome(self.runs, test));
        if !judged.holds() {
            judged.findings.extend(self.effects(test));
            return judged;
        }
        judged.pairs = self.pairs.get(test).cloned().unwrap_or_default();
        if let Some(noticed) = self.noticed {
            judged.mutants = of_test(&noticed.killed, test).cloned().unwrap_or_default();
            let time = of_test(&noticed.times, test).copied().unwrap_or_default();
            if time > self.slow {
                let why = format!("takes {:.1} s", time.as_secs_f64());
                judged.findings.push(Finding { kind: Kind::Slow, why });
            }
        }
        // What removes or negates a check of the program is noticed by nearly every test, as an exception: only what the suite does not notice counts.
        if judged.mutants.is_empty() && !(self.asserts)(test) {
            let why = match self.noticed {
                Some(_) => {
                    "calls no assertion, expects no exception, and notices no mutant that the suite does not"
                }
                None => "calls no assertion, and expects no exception",
            };
            judged.findings.push(Finding { kind: Kind::AssertsNothing, why: why.to_owned() });
        }
        judged.findings.extend(self.effects(test));
        judged
    }

    fn effects(&self, test: &str) -> Option<Finding> {
        let of_runs = self.runs.iter().filter_map(|run| run.effects.get(test));
        let refused: BTreeSet<&Effect> =
            of_runs.flatten().filter(|effect| !self.allowed.allows(effect)).collect();
        let what: Vec<String> = refused.iter().take(LISTED).map(|effect| one_line(&effect.what)).collect();
        let more = refused.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let needs: BTreeSet<String> = refused.iter().map(|effect| effect.needs().to_string()).collect();
        let needs: Vec<String> = needs.into_iter().collect();
        let why = format!("{}{more} (--allow-effects {})", what.join(", "), needs.join(" --allow-effects "));
        (!refused.is_empty()).then_some(Finding { kind: Kind::Effects, why })
    }
}

/// What is known of a test, or of its class where tests are not known one by one.
fn of_test<'a, T>(map: &'a BTreeMap<String, T>, test: &str) -> Option<&'a T> {
    map.get(test).or_else(|| map.get(&TestSelector::parse(test).class))
}

/// What is wrong with how a test ends; nothing when it passes in every run that came to it.
fn outcome(runs: &[Ran], test: &str) -> Option<Finding> {
    let ended: Vec<(&Ran, &Verdict)> =
        runs.iter().filter_map(|run| Some((run, run.verdicts.get(test)?))).collect();
    let bad: Vec<&(&Ran, &Verdict)> = ended.iter().filter(|(_, verdict)| words(verdict).is_some()).collect();
    let skipped = |(_, verdict): &&(&Ran, &Verdict)| matches!(verdict, Verdict::Skipped(_));
    let Some((_, first)) = bad.first() else {
        let (_, Verdict::Skipped(why)) = ended.iter().find(skipped)? else { return None };
        let all = ended.iter().filter(skipped).count();
        return (all == ended.len())
            .then(|| Finding { kind: Kind::Skipped, why: format!("did not run: {}", one_line(why)) });
    };
    let what = words(first).unwrap_or_default();
    if bad.len() == ended.len() {
        let why = format!("{what}, in all {} runs", ended.len());
        return Some(Finding { kind: Kind::Failing, why });
    }
    let some: Vec<&str> = bad.iter().take(LISTED).map(|(run, _)| run.conditions.as_str()).collect();
    let more = bad.len().saturating_sub(LISTED);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let how_often = format!("fails in {} of {} runs", bad.len(), ended.len());
    let why = if bad.iter().any(|(run, _)| run.conditions == REVERSED) {
        format!("depends on the order of tests: {how_often}, {REVERSED} among them: {what}")
    } else {
        format!("{how_often}, {}{more}: {what}", some.join("; "))
    };
    Some(Finding { kind: Kind::Flaky, why })
}

/// How a test failed; nothing when it did not.
fn words(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Failed(failure) if failure.message == "null" => Some(failure.class.clone()),
        Verdict::Failed(failure) => Some(format!("{}: {}", failure.class, one_line(&failure.message))),
        Verdict::Unfinished => Some("ended its JVM, or did not end".to_owned()),
        Verdict::Passed | Verdict::Skipped(_) => None,
    }
}

/// A text of a test on one line, without what a terminal would take for a command.
fn one_line(text: &str) -> String {
    const LONGEST: usize = 160;
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if line.chars().count() > LONGEST {
        short.push_str("...");
    }
    short
}

/// Something that a test adds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Merit {
    Pair(PairKey),
    Mutant(u32),
}

fn merits(judged: &Judged) -> BTreeSet<Merit> {
    let pairs = judged.pairs.iter().map(|pair| Merit::Pair(pair.key));
    pairs.chain(judged.mutants.iter().map(|number| Merit::Mutant(*number))).collect()
}

/// Finds redundant tests: of those that assert something as few are needed as show everything that these show; of the others, as few as show the rest.
/// Without mutants, a test that adds no pair may still add something.
fn redundant(all: &mut [Judged], has_mutants: bool) {
    let is_silent = |judged: &Judged| judged.findings.iter().any(|found| found.kind == Kind::AssertsNothing);
    let mut needed: Vec<(usize, BTreeSet<Merit>)> = vec![];
    let mut have = BTreeSet::new();
    for silent in [false, true] {
        let places = || {
            let of =
                all.iter().enumerate().filter(|(_, judged)| judged.holds() && is_silent(judged) == silent);
            of.map(|(place, _)| place).collect::<Vec<usize>>()
        };
        let places = places();
        let candidates: Vec<Candidate<Merit>> = places
            .iter()
            .filter_map(|place| Some(Candidate { merits: merits(all.get(*place)?), length: 1 }))
            .collect();
        for at in keep::chosen(&candidates, &have) {
            if let (Some(place), Some(candidate)) = (places.get(at), candidates.get(at)) {
                needed.push((*place, candidate.merits.clone()));
            }
        }
        candidates.into_iter().for_each(|candidate| have.extend(candidate.merits));
    }
    let names: Vec<String> = all.iter().map(|judged| judged.test.clone()).collect();
    for (place, judged) in all.iter_mut().enumerate() {
        if judged.holds() && !needed.iter().any(|(other, _)| *other == place) {
            let own = merits(judged);
            if own.is_empty() && !has_mutants {
                continue;
            }
            let why = whose(&own, &needed, &names);
            judged.findings.push(Finding { kind: Kind::Redundant, why });
        }
    }
}

/// Who adds everything that a test adds.
fn whose(own: &BTreeSet<Merit>, needed: &[(usize, BTreeSet<Merit>)], names: &[String]) -> String {
    if own.is_empty() {
        return "adds no pair and no mutant to the suite".to_owned();
    }
    let mut left = own.clone();
    let mut others: Vec<&str> = vec![];
    for (place, merits) in needed {
        if !left.is_disjoint(merits) {
            left = &left - merits;
            others.extend(names.get(*place).map(String::as_str));
        }
    }
    let more = others.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    others.truncate(LISTED);
    format!("all that it adds is added by {}{more}", others.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jvm::suite::Failure;

    fn run(name: &str, verdicts: &[(&str, bool)]) -> Ran {
        let verdict = |passes: bool| {
            let failure = Failure { class: "x.Error".into(), message: "no\nway".into(), stack: vec![] };
            if passes { Verdict::Passed } else { Verdict::Failed(failure) }
        };
        let verdicts = verdicts.iter().map(|(test, passes)| ((*test).to_owned(), verdict(*passes)));
        Ran { conditions: name.to_owned(), verdicts: verdicts.collect(), ..Ran::default() }
    }

    fn pair(n: u8) -> NewPair {
        NewPair { key: PairKey([n; 16]), is_objective: true, words: String::new() }
    }

    fn judged(runs: &[Ran], pairs: &[(&str, &[u8])], silent: &str) -> Vec<String> {
        let pairs =
            pairs.iter().map(|(test, of)| ((*test).to_owned(), of.iter().map(|n| pair(*n)).collect()));
        let mut asserts = |test: &str| test != silent;
        let known = Known {
            runs,
            pairs: &pairs.collect(),
            noticed: None,
            allowed: &Allowed::default(),
            asserts: &mut asserts,
            slow: Duration::from_secs(1),
        };
        let text = |judged: &Judged| {
            let found: Vec<String> =
                judged.findings.iter().map(|found| format!("{:?}: {}", found.kind, found.why)).collect();
            format!("{} {}", judged.test, found.join("; ")).trim_end().to_owned()
        };
        judge(known).iter().map(text).collect()
    }

    #[test]
    fn what_fails_always_is_failing_and_what_fails_sometimes_is_flaky() {
        let runs = [
            run("one", &[("t#a", true), ("t#b", false), ("t#c", true)]),
            run("two", &[("t#a", false), ("t#b", false), ("t#c", true)]),
        ];
        let expected = [
            "t#a Flaky: fails in 1 of 2 runs, two: x.Error: no way",
            "t#b Failing: x.Error: no way, in all 2 runs",
            "t#c",
        ];
        assert_eq!(judged(&runs, &[("t#c", &[1])], ""), expected);
        assert_eq!(stable(&runs), BTreeSet::from(["t#c".to_owned()]));
    }

    #[test]
    fn a_test_that_fails_in_reverse_order_depends_on_the_order_and_without_mutants_none_adds_nothing() {
        let runs =
            [run("one", &[("t#a", true), ("t#b", true)]), run(REVERSED, &[("t#a", false), ("t#b", true)])];
        let order = "depends on the order of tests: fails in 1 of 2 runs, in reverse order among them: x.Error: no way";
        assert_eq!(judged(&runs, &[], ""), [format!("t#a Flaky: {order}"), "t#b".to_owned()]);
    }

    #[test]
    fn of_two_tests_that_add_the_same_one_is_redundant_and_rather_the_one_that_asserts_nothing() {
        let runs = [run("one", &[("t#a", true), ("t#b", true), ("t#c", true), ("t#d", true)])];
        let pairs: [(&str, &[u8]); 3] = [("t#a", &[1, 2]), ("t#b", &[1, 2]), ("t#c", &[2])];
        let expected = [
            "t#a AssertsNothing: calls no assertion, and expects no exception; Redundant: all that it adds is added by t#b",
            "t#b",
            "t#c Redundant: all that it adds is added by t#b",
            "t#d",
        ];
        assert_eq!(judged(&runs, &pairs, "t#a"), expected);
    }
}

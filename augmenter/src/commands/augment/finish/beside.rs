//! Whether tests hold beside the tests that a build runs in the same JVM, and these beside them: static state outlives a test.
//!
//! In: compiled tests of all classes that hold by themselves, and the tests of the project. Out: tests that fail behind those of the project (victims), and those behind which one of the
//! project or of another class fails (polluters). Knows nothing of what static state is. Invariant: a test is called a polluter only when a test fails behind it twice that passes without it.

use super::attempt::Wrong;
use super::checking::Finishing;
use super::neighbours::Neighbours;
use super::written::Names;
use crate::jvm::suite::{self, Ended, SuiteConfig, SuiteReport, TestSelector, Verdict};
use anyhow::{Context, Result, anyhow};
use dynaflow_model::facts::Recording;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The compiled tests of a class, which hold by themselves.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// Its tests.
    pub names: &'a Names,
    /// What they showed.
    pub recording: &'a Recording,
    /// Folder of their class files.
    pub classes: &'a Path,
}

/// What running beside others showed of a class.
#[derive(Debug, Default)]
pub struct Beside {
    /// Tests that cannot stay, with the reason.
    pub wrong: Wrong,
    /// Why nothing is known, where that is so.
    pub unknown: Option<String>,
}

/// JVMs that run the tests of all classes with those of the project.
#[derive(Debug)]
pub struct Runs<'a> {
    with: Finishing<'a>,
    neighbours: &'a Neighbours,
    /// Which time it is that all are run, and how many JVMs there were: each has a folder of its own.
    round: usize,
    number: AtomicUsize,
}

/// A class whose tests may share static state with others.
struct Shared<'m> {
    /// Its place among the members.
    place: usize,
    member: Member<'m>,
    /// The classes with static state that its tests run.
    touched: BTreeSet<String>,
}

/// Tests that share one JVM.
struct Company<'m> {
    shared: &'m [Shared<'m>],
    /// The green tests, in the order of the classes.
    tests: Vec<&'m str>,
    /// The test classes of the project that share static state with them.
    others: Vec<String>,
}

impl Company<'_> {
    /// Whether a test is none of an earlier run, which cannot be dropped.
    fn is_new(&self, test: &str) -> bool {
        let named = self.shared.iter().find_map(|shared| shared.member.names.get(test));
        named.is_some_and(|test| test.case.is_some())
    }
}

impl<'a> Member<'a> {
    fn green(&self) -> impl Iterator<Item = &'a str> {
        self.names.iter().filter(|(_, test)| !test.failing).map(|(name, _)| name.as_str())
    }
}

impl<'a> Runs<'a> {
    /// None yet.
    pub fn new(with: Finishing<'a>, neighbours: &'a Neighbours, round: usize) -> Self {
        Self { with, neighbours, round, number: AtomicUsize::new(0) }
    }

    /// Runs the green tests that share static state in one JVM, in front of those of the project that share some with them, and behind them in another one. What came of it,
    /// by class; there is no member of a class of which nothing holds.
    ///
    /// # Errors
    /// When a JVM cannot be started.
    pub fn all<'m>(&self, members: &[Option<Member<'m>>]) -> Result<Vec<Beside>> {
        let of = |(place, member): (usize, &Option<Member<'m>>)| {
            let member = (*member)?;
            let touched = self.neighbours.touched(member.recording);
            (!touched.is_empty()).then_some(Shared { place, member, touched })
        };
        let shared: Vec<Shared> = members.iter().enumerate().filter_map(of).collect();
        let mut found: Vec<Beside> = members.iter().map(|_| Beside::default()).collect();
        self.group(&shared, &mut found)?;
        Ok(found)
    }

    /// Where a JVM ends before its tests do, the halves are asked, so that one class does not keep what holds of the others from being known.
    fn group(&self, shared: &[Shared], found: &mut [Beside]) -> Result<()> {
        let company = self.company(shared);
        if company.tests.is_empty() || company.others.is_empty() && shared.len() < 2 {
            return Ok(());
        }
        let (before, behind) = self.both(&company)?;
        let ended = [&behind.ended, &before.ended].into_iter().find(|ended| **ended != Ended::Completed);
        if matches!(ended, Some(Ended::Exited(_))) && shared.len() > 1 && self.with.has_time() {
            let (first, second) = shared.split_at(shared.len() / 2);
            self.group(first, found)?;
            return self.group(second, found);
        }
        let wrong = match ended {
            None => self.wrong(&company, &before, &behind)?,
            Some(_) => BTreeMap::new(),
        };
        for Shared { place, member, .. } in shared {
            let Some(found) = found.get_mut(*place) else { continue };
            let of_case = |(test, why): (&&str, &String)| Some((member.names.get(*test)?.case?, why.clone()));
            found.wrong = wrong.iter().filter_map(of_case).collect();
            found.unknown = ended.map(ToString::to_string);
        }
        Ok(())
    }

    fn company<'m>(&self, shared: &'m [Shared<'m>]) -> Company<'m> {
        let tests: Vec<&str> = shared.iter().flat_map(|shared| shared.member.green()).collect();
        let touched: BTreeSet<&str> =
            shared.iter().flat_map(|shared| &shared.touched).map(String::as_str).collect();
        let own = shared.iter().flat_map(|shared| shared.member.names.keys());
        let own: BTreeSet<&str> = own.filter_map(|test| test.split('#').next()).collect();
        Company { shared, tests, others: self.neighbours.of(&touched, &own) }
    }

    /// Both orders, side by side: the members' tests first, and last; then in the reverse order of the classes, so that each stands behind each other one once.
    fn both(&self, company: &Company) -> Result<(SuiteReport, SuiteReport)> {
        let others = || company.others.iter().map(String::as_str);
        let reversed = company.shared.iter().rev().flat_map(|shared| shared.member.green());
        let first: Vec<&str> = company.tests.iter().copied().chain(others()).collect();
        let last: Vec<&str> = others().chain(reversed).collect();
        let (behind, before) = std::thread::scope(|scope| {
            let second = scope.spawn(|| self.run(company, &first));
            (self.run(company, &last), second.join())
        });
        Ok((before.map_err(|_| anyhow!("the thread of the run in front panicked"))??, behind?))
    }

    /// The tests that cannot stay, with the reason.
    fn wrong<'c>(
        &self,
        company: &'c Company,
        before: &SuiteReport,
        behind: &SuiteReport,
    ) -> Result<BTreeMap<&'c str, String>> {
        let fails = |test: &&str| !is_passed(behind, test) || !is_passed(before, test);
        let (ours, rest): (Vec<&str>, Vec<&str>) = company.tests.iter().copied().partition(fails);
        let mut wrong = self.of_ours(company, &ours, &rest)?;
        let own: BTreeSet<&str> = company.tests.iter().copied().collect();
        let theirs: BTreeSet<&str> =
            behind.passed().filter(|test| !own.contains(test) && is_failed(before, test)).collect();
        if let Some(victim) = theirs.first() {
            let classes: BTreeSet<&str> = theirs.iter().filter_map(|test| test.split('#').next()).collect();
            let last: Vec<&str> = classes.into_iter().collect();
            for test in self.polluters(company, &company.tests, (&last, &theirs))? {
                wrong.entry(test).or_insert_with(|| leaves(test, victim));
            }
        }
        Ok(wrong)
    }

    /// Of new tests that fail beside others, those to blame: the ones of other classes behind which they fail, as these leave what the next test may stumble over; else, or where
    /// these are of an earlier run and stay, themselves.
    fn of_ours<'c>(
        &self,
        company: &Company,
        failing: &[&'c str],
        rest: &[&'c str],
    ) -> Result<BTreeMap<&'c str, String>> {
        let Some(victim) = failing.first() else { return Ok(BTreeMap::new()) };
        let victims = failing.iter().copied().collect();
        let found = self.polluters(company, rest, (failing, &victims))?;
        let is_found = !found.is_empty() && (found.len() < rest.len() || rest.len() == 1);
        if is_found && found.iter().all(|test| company.is_new(test)) {
            return Ok(found.into_iter().map(|test| (test, leaves(test, victim))).collect());
        }
        let why = |test| format!("{test} fails behind other tests, for the static state that they leave");
        Ok(failing.iter().map(|&test| (test, why(test))).collect())
    }

    fn run(&self, company: &Company, order: &[&str]) -> Result<SuiteReport> {
        let with = self.with;
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let mut jvm = with.setup.jvm_of_seeds(&format!("beside/{}-{number}", self.round), with.stop)?;
        let compiled = company.shared.iter().map(|shared| shared.member.classes.to_owned());
        let in_front: Vec<_> = compiled.chain(self.neighbours.class_path.iter().cloned()).collect();
        jvm.class_path.splice(0..0, in_front);
        let tests = order.iter().map(|name| TestSelector::parse(name)).collect();
        suite::run(&SuiteConfig { jvm, tests, timeout: with.left(), silence: None, probes: 0 })
            .context("cannot run the generated tests beside the others")
    }

    /// Behind which of these tests a victim fails, as one of what is run `last`: by halves, so that few polluters take few runs. All of them, where it takes several together,
    /// or where the time is over; none, where it does not happen again.
    fn polluters<'t>(
        &self,
        company: &Company,
        tests: &[&'t str],
        (last, victims): (&[&str], &BTreeSet<&str>),
    ) -> Result<BTreeSet<&'t str>> {
        let all = || tests.iter().copied().collect();
        if !self.with.has_time() {
            return Ok(all());
        }
        let order: Vec<&str> = tests.iter().chain(last).copied().collect();
        let report = self.run(company, &order)?;
        if !victims.iter().any(|victim| is_failed(&report, victim)) {
            return Ok(BTreeSet::new());
        }
        if tests.len() < 2 {
            return Ok(all());
        }
        let (first, second) = tests.split_at(tests.len() / 2);
        let mut found = self.polluters(company, first, (last, victims))?;
        found.extend(self.polluters(company, second, (last, victims))?);
        Ok(if found.is_empty() { all() } else { found })
    }
}

fn leaves(test: &str, victim: &str) -> String {
    format!("{test} leaves static state behind with which {victim} fails")
}

fn is_passed(report: &SuiteReport, test: &str) -> bool {
    report.verdicts.get(test) == Some(&Verdict::Passed)
}

/// Whether a test ran and failed; one that did not run is no victim.
fn is_failed(report: &SuiteReport, test: &str) -> bool {
    matches!(report.verdicts.get(test), Some(Verdict::Failed(_) | Verdict::Unfinished))
}

//! Which mutants of the targets new tests notice, by what, and which of these the seeds leave alive: what decides about assertions and tests.
//!
//! Data path: mutants of all targets, and of other classes on the lines that tests are about (`crate::mutation`) -> [`bench`] (what each test reaches; then the test with each mutant, [`trial`]) -> what differs
//! ([`subject`]) -> [`seeds`] (asked about what new tests notice) -> [`hunt`] (for what nobody notices), with null passed ([`nulled`]), where other calls were refused ([`refused`]), and calls of a solver ([`solved`]). Knows nothing of how tests are ranked or written. Invariant: what cannot be
//! found out costs mutants alone, and is reported: tests are chosen and written without them then.

mod bench;
mod hunt;
mod nulled;
mod refused;
mod seeds;
mod solved;
mod subject;
mod trial;
mod until;
mod warm;

use super::facts::seed_classes::SeedClasses;
use super::prepare::setup::Setup;
use crate::classes;
use crate::jvm::process::Stop;
use crate::logging::timed;
use crate::mutation::Made;
use crate::output;
use anyhow::{Context, Result};
use bench::{Bench, Benched, Reached};
use dynaflow_model::sequence::Sequence;
use dynaflow_mutants::{Mutant, Operator, Options};
pub use hunt::{Changes, Hunt, Ways};
use seeds::{SeedTests, Seeds};
pub use solved::{Solved, Solving};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;
pub use subject::{Kills, Subject, What};
pub use until::Until;
use warm::Warm;

/// Lines of classes, by name.
type Lines = BTreeMap<String, BTreeSet<u32>>;

/// Most runs for the tests of a class, so that no clock decides in a reproducible search.
const MOST_RUNS: u64 = 400_000;
/// How many seed tests that fail there are named.
const FAILING: usize = 3;
/// What is not known without seed tests that can be run.
const NO_SEEDS: &str = "which of them the seeds notice is not known, as --traces has no tests to run: they decide about assertions alone";

/// What was found about the tests of one class, as numbers of mutants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// By test, what it notices, of its class and of others on the lines of what it executes; none where it was not judged.
    pub kills: Vec<Option<Kills>>,
    /// By test, the assertions that were chosen for the mutants they notice alone.
    pub spare: Vec<BTreeSet<What>>,
    /// Those among the noticed that the seeds leave alive.
    pub alive: BTreeSet<u32>,
    /// What these do, for people.
    pub texts: BTreeMap<u32, String>,
    /// Those of the class that the tests reach.
    pub reached: BTreeSet<u32>,
    /// By class and line, whatever class that is, those that the tests reach and that change something there.
    pub at: BTreeMap<(String, u32), BTreeSet<u32>>,
    /// How many there are, and what was left out.
    pub figures: Figures,
}

impl Judged {
    /// Adds what was found of further tests, which stand behind these.
    pub fn extend(&mut self, more: Self) {
        self.kills.extend(more.kills);
        self.spare.extend(more.spare);
        let new = more.alive.difference(&self.alive).count();
        self.figures.noticed += new;
        self.alive.extend(more.alive);
        self.texts.extend(more.texts);
        self.reached.extend(more.reached);
        more.at.into_iter().for_each(|(line, mutants)| self.at.entry(line).or_default().extend(mutants));
        self.figures.reached = self.reached.len();
    }

    /// Whether a test executes a use on a line, of what was defined on another one, and would pass whatever mutants make of it: it ran with some of the line of
    /// the use, and notices none of them, nor any of the definition's.
    pub fn is_blind_to(&self, test: usize, [definition, usage]: [&(String, u32); 2]) -> bool {
        let Some(Some(kills)) = self.kills.get(test) else { return false };
        let is_blind = |line| self.at.get(line).is_some_and(|mutants| kills.is_blind_to(mutants));
        let notices = |line| {
            let all = &kills.all() - &kills.looked;
            self.at.get(line).is_some_and(|mutants| !mutants.is_disjoint(&all))
        };
        is_blind(usage) && !notices(definition)
    }

    /// Whether an assertion of a test, or its end where none is given, notices a mutant of one of these lines that the test reaches by what it does.
    pub fn is_noticed(&self, test: usize, what: Option<&What>, lines: [&(String, u32); 2]) -> bool {
        let Some(Some(kills)) = self.kills.get(test) else { return false };
        let mut mutants = what.map_or(Some(&kills.end), |what| kills.by.get(what)).into_iter().flatten();
        mutants.any(|mutant| {
            let is_at = |line| self.at.get(line).is_some_and(|mutants| mutants.contains(mutant));
            !kills.looked.contains(mutant) && lines.into_iter().any(is_at)
        })
    }

    /// What a test notices that the seeds do not.
    pub fn alive(&self, test: usize) -> Kills {
        self.kills.get(test).and_then(Option::as_ref).map(|kills| kills.only(&self.alive)).unwrap_or_default()
    }
}

/// The mutants of a class, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Those that the kept tests reach.
    pub reached: usize,
    /// Those that the kept tests could notice.
    pub noticed: usize,
    /// Those of them that the seeds notice.
    pub by_seeds: usize,
    /// Those that the written tests notice, and the seeds do not.
    pub by_tests: usize,
    /// What a solver was asked for.
    pub solved: Solved,
    /// What was not done, on a line; empty when all was.
    pub missing: String,
}

/// The mutants of all targets.
#[derive(Debug)]
pub struct Mutants<'a> {
    setup: &'a Setup<'a>,
    seed_classes: SeedClasses,
    /// Why the seeds are not asked, or not any more.
    unasked: Option<String>,
    /// JVMs that wait for the next class.
    warm: Arc<Warm>,
    /// Once they were prepared.
    made: Option<(Made, Seeds)>,
    is_given_up: bool,
}

impl<'a> Mutants<'a> {
    /// None yet; the seeds are these.
    pub fn new(setup: &'a Setup<'a>, seed_classes: SeedClasses) -> Self {
        let unasked = (!setup.options.traces.is_empty()).then(|| NO_SEEDS.to_owned());
        Self { setup, seed_classes, unasked, warm: Arc::default(), made: None, is_given_up: false }
    }

    /// Whether they are asked for, and were not given up.
    pub fn is_on(&self) -> bool {
        !self.setup.options.no_mutants && !self.is_given_up
    }

    /// Whether a class has mutants, or may have some that were not made yet.
    pub fn may_change(&self, class: &str) -> bool {
        self.is_on() && self.made.as_ref().is_none_or(|(made, _)| !made.of_class(class).is_empty())
    }

    /// Whether it will be known of the mutants that tests notice which of them the seeds leave alive.
    pub fn asks_seeds(&self) -> bool {
        self.is_on() && self.unasked.is_none()
    }

    /// Judges the tests of a class, whose checking has to end at `end`. None when mutants are not asked for, were not prepared, or were given up.
    ///
    /// # Errors
    /// When files cannot be written; mutants are given up then.
    pub fn judge(
        &mut self,
        class: &str,
        subjects: &[Subject],
        stop: &Stop,
        end: Option<Instant>,
    ) -> Result<Option<Judged>> {
        if !self.is_on() || subjects.is_empty() {
            return Ok(None);
        }
        let Some((made, mut seeds)) = self.made.take() else { return Ok(None) };
        let judged = self.with(&made, &mut seeds, class, subjects, Until { stop, end });
        self.made = Some((made, seeds));
        self.is_given_up = judged.is_err();
        judged.map(Some)
    }

    /// Makes mutants, of all targets and on these lines of other classes of the program, and runs the seeds once in classes with probes, so that they can be asked: this
    /// takes no time from any class. Nothing is done where mutants are not asked for, or were prepared before.
    ///
    /// # Errors
    /// When files cannot be written; mutants are given up then.
    pub fn prepare(&mut self, lines: &Lines, stop: &Stop) -> Result<()> {
        if !self.is_on() || self.made.is_some() {
            return Ok(());
        }
        let made = self.make(lines, stop);
        self.is_given_up = made.is_err();
        let (made, mut seeds) = made?;
        if self.unasked.is_none()
            && seeds.can_run()
            && let Err(error) = seeds.survey(&made, stop)
        {
            self.unasked = Some(unasked(&error));
        }
        self.made = Some((made, seeds));
        Ok(())
    }

    /// First what the search found, with all mutants that it reaches; then parts of the seeds, with those among what they reach that neither the seeds
    /// nor anything before notices.
    fn with(
        &mut self,
        made: &Made,
        seeds: &mut Seeds,
        class: &str,
        subjects: &[Subject],
        until: Until,
    ) -> Result<Judged> {
        let of_class = made.of_class(class);
        let of =
            |part: bool| subjects.iter().filter(move |subject| subject.is_part == part).cloned().collect();
        let (own, parts): (Vec<Subject>, Vec<Subject>) = (of(false), of(true));
        let bench = self.bench(made, class, until)?;
        let reached = timed(class, "what tests reach", || reached(&bench, &own, &of_class));
        let mut benched = timed(class, "tests with mutants", || bench.run(&own, reached));
        let all = |of: &Benched| of.kills.iter().flatten().flat_map(Kills::all).collect::<BTreeSet<u32>>();
        let mut noticed = &all(&benched) & &of_class;
        timed(class, "seeds about tests", || self.ask(made, seeds, &noticed, until));
        if !parts.is_empty() && self.unasked.is_none() {
            let bench = self.bench(made, &format!("{class}/parts"), until)?;
            let reached = timed(class, "what parts reach", || bench.reached(&parts, &of_class));
            let new: BTreeSet<u32> =
                reached.iter().flatten().flat_map(|of| of.all().iter().copied()).collect();
            timed(class, "seeds about parts", || self.ask(made, seeds, &new, until));
            let left = seeds.alive(&(&noticed | &new));
            let reached = reached.into_iter().map(|of| Some(of?.only(&left))).collect();
            let of_parts = timed(class, "parts with mutants", || bench.run(&parts, reached));
            noticed.extend(all(&of_parts));
            benched.extend(of_parts);
        }
        let kills = in_order(subjects, std::mem::take(&mut benched.kills));
        let reached = &benched.reached & &of_class;
        let figures = self.figures(seeds, &benched, reached.len(), &noticed);
        let alive = seeds.alive(&noticed);
        let texts = alive.iter().filter_map(|&mutant| Some((mutant, made.text(mutant)?))).collect();
        let mut at: BTreeMap<(String, u32), BTreeSet<u32>> = BTreeMap::new();
        for &mutant in &benched.reached {
            if let Some(line) = made.line(mutant) {
                at.entry(line).or_default().insert(mutant);
            }
        }
        Ok(Judged { kills, spare: vec![], alive, texts, reached, at, figures })
    }

    /// Sequences that notice mutants of a class which neither the seeds nor the tests that were `judged` notice: of those that the `bases` reach by changes of these, at
    /// most `most` of which are run; of what is left then, as far as `solving` has arguments. None where nobody can say what the seeds leave alive.
    ///
    /// # Errors
    /// When files cannot be written; mutants are given up then.
    pub fn hunt(
        &mut self,
        class: &str,
        (bases, judged): (&[Sequence], &Judged),
        (ways, most): (Ways, usize),
        solving: Option<&mut Solving>,
        until: Until,
    ) -> Result<(Vec<Sequence>, Solved)> {
        // Where everything that is reached is noticed, no JVM need be started to see that.
        let is_open = judged.figures.reached > judged.figures.noticed;
        if !self.asks_seeds() || !is_open && solving.is_none() {
            return Ok(Default::default());
        }
        let Some((made, mut seeds)) = self.made.take() else { return Ok(Default::default()) };
        let bench = self.bench(&made, &format!("{class}/hunt"), until);
        let found = bench.map(|bench| {
            let noticed: BTreeSet<u32> = judged.kills.iter().flatten().flat_map(Kills::all).collect();
            let mut seats = bench.seats();
            let mut hunt = Hunt::new(&bench, &mut seats, ways);
            let (mut left, mut found) = (&made.of_class(class) - &noticed, vec![]);
            if is_open {
                let mut nulled = nulled::nulled(bases, |owner| classes::is_of(owner, class));
                nulled.truncate(most);
                let reached = hunt.begin(&[bases, &nulled].concat(), &left);
                self.ask(&made, &mut seeds, &reached, until);
                let alive = seeds.alive(&reached);
                found = hunt.of(&nulled, &alive).0;
                found.extend(hunt.run(hunt.alive().clone(), most - nulled.len()));
                left = &left - &(&alive - hunt.alive());
            }
            let Some(solving) = solving else { return (found, Solved::default()) };
            let mutants = made.mutants(class).into_iter();
            let mut mutants: BTreeMap<u32, &Mutant> =
                mutants.filter(|(number, mutant)| left.contains(number) && solving.can(mutant)).collect();
            let open = mutants.keys().copied().collect();
            self.ask(&made, &mut seeds, &open, until);
            let alive = seeds.alive(&open);
            mutants.retain(|number, _| alive.contains(number));
            let (calls, noticed) = hunt.of(&solving.calls(&mutants), &alive);
            found.extend(calls);
            (found, solving.figures(alive.len(), noticed.len()))
        });
        self.made = Some((made, seeds));
        self.is_given_up = found.is_err();
        found
    }

    /// Hands `work` what says which mutants of a class a sequence notices; nothing, where they are not asked for or were given up.
    pub fn with_hunt<T>(
        &mut self,
        class: &str,
        ways: Ways,
        (stop, end): (&Stop, Option<Instant>),
        work: impl FnOnce(Option<&mut Hunt>) -> T,
    ) -> T {
        let Some(made) = self.made.take().filter(|_| self.is_on()) else { return work(None) };
        let done = match self.bench(&made.0, &format!("{class}/shorter"), Until { stop, end }) {
            Ok(bench) => {
                let mut seats = bench.seats();
                work(Some(&mut Hunt::new(&bench, &mut seats, ways)))
            }
            Err(error) => {
                tracing::warn!(class, "which mutants a test notices is not asked: {error:#}");
                work(None)
            }
        };
        self.made = Some(made);
        done
    }

    fn bench<'m>(&self, made: &'m Made, folder: &str, until: Until) -> Result<Bench<'m>> {
        let setup = self.setup;
        let jvm = setup.jvm(&format!("mutants/{folder}"), until.stop)?;
        let (workers, at_a_time) = (setup.workers(), setup.jobs);
        Ok(Bench {
            made,
            warm: Arc::clone(&self.warm),
            jvm,
            workers,
            at_a_time,
            end: until.share().end,
            runs: MOST_RUNS,
        })
    }

    /// Asks the seeds, unless they cannot be asked.
    fn ask(&mut self, made: &Made, seeds: &mut Seeds, mutants: &BTreeSet<u32>, until: Until) {
        if self.unasked.is_none()
            && let Err(error) = seeds.ask(made, mutants, until.share())
        {
            self.unasked = Some(unasked(&error));
        }
    }

    fn figures(&self, seeds: &Seeds, benched: &Benched, reached: usize, noticed: &BTreeSet<u32>) -> Figures {
        let mut missing = benched.missing();
        let unanswered = seeds.unanswered(noticed).len();
        match &self.unasked {
            Some(why) => missing.push(why.clone()),
            None if unanswered > 0 => missing.push(format!(
                "the seeds were not asked about {unanswered} of them, as that took too long: these decide about assertions alone"
            )),
            None => {}
        }
        let failing = seeds.left_out();
        if !failing.is_empty() {
            missing.push(format!(
                "{} seed tests fail where mutants run, confined, and are not asked: {}",
                failing.len(),
                output::first(&failing, FAILING)
            ));
        }
        Figures {
            reached,
            noticed: noticed.len(),
            by_seeds: seeds.noticed(noticed).len(),
            by_tests: 0,
            solved: Solved::default(),
            missing: missing.join("; "),
        }
    }

    /// Makes the mutants of all targets and of the classes inside them, and those on these lines of other classes of the program.
    fn make(&self, lines: &Lines, stop: &Stop) -> Result<(Made, Seeds)> {
        let setup = self.setup;
        let work = setup.work.path().join("mutants");
        std::fs::create_dir_all(&work).with_context(|| format!("cannot make `{}`", work.display()))?;
        let is_of_target = setup.are_of_targets();
        let is_beside = |name: &str| lines.contains_key(name) && setup.classes.contains(name);
        let classes = setup.bytes_of(|name| is_of_target(name) || is_beside(name))?;
        let is_on = |name: &str, line| lines.get(name).is_some_and(|lines| lines.contains(&line));
        let made = Made::on_lines(&work, &classes, &options(), |name, line| {
            is_of_target(name) || is_on(name, line)
        })?;
        // Seeds run with the user's rights, their mutants do not.
        let mut jvm = setup.jvm_of_seeds("mutants/seeds", stop)?;
        jvm.class_path.extend(self.seed_classes.class_path.iter().cloned());
        let tests = SeedTests {
            jvm,
            work: work.join("of-seeds"),
            classes: self.seed_classes.names.clone(),
            are_none: self.seed_classes.names.is_empty() && setup.options.traces.is_empty(),
            workers: setup.jobs,
            limit: setup.options.seed_timeout,
        };
        Ok((made, Seeds::new(tests)))
    }
}

/// The mutants that decide: PIT's, and those that leave out a definition, which is what tests of def-use pairs are to notice.
fn options() -> Options {
    Options { operators: Operator::pit().chain(Operator::data_flow()).collect(), filter: true }
}

/// Which mutants tests reach: of the class, and of others on the lines of what each executes.
fn reached(bench: &Bench, tests: &[Subject], of_class: &BTreeSet<u32>) -> Vec<Option<Reached>> {
    let of_lines: Vec<BTreeSet<u32>> = tests.iter().map(|test| bench.made.on(&test.lines)).collect();
    let all = of_lines.iter().flatten().chain(of_class).copied().collect();
    let reached = bench.reached(tests, &all).into_iter().zip(of_lines);
    reached.map(|(reached, of_lines)| Some(reached?.only(&(of_class | &of_lines)))).collect()
}

/// Why the seeds are not asked.
fn unasked(error: &anyhow::Error) -> String {
    format!(
        "which of them the seeds notice is not known, so that they decide about assertions alone: {error:#}"
    )
}

/// What was found of the tests of the search and of the parts behind them, in the order of all.
fn in_order(subjects: &[Subject], kills: Vec<Option<Kills>>) -> Vec<Option<Kills>> {
    let own = subjects.iter().filter(|subject| !subject.is_part).count();
    let mut of_own = kills;
    let mut of_parts = of_own.split_off(own.min(of_own.len())).into_iter();
    let mut of_own = of_own.into_iter();
    let next = |subject: &Subject| if subject.is_part { of_parts.next() } else { of_own.next() };
    subjects.iter().map(next).map(Option::flatten).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_blind_where_it_ran_with_mutants_of_the_use_and_notices_none_of_either_line() {
        let [definition, usage, other] = [3, 7, 9].map(|line| ("a.Box".to_owned(), line));
        let set = |mutants: &[u32]| mutants.iter().copied().collect::<BTreeSet<u32>>();
        let noticing = |end: &[u32], looked: &[u32]| {
            let asked = set(&[1, 2, 3]);
            Judged {
                kills: vec![
                    Some(Kills { end: set(end), looked: set(looked), asked, ..Kills::default() }),
                    None,
                ],
                at: BTreeMap::from([(definition.clone(), set(&[1])), (usage.clone(), set(&[2, 3]))]),
                ..Judged::default()
            }
        };
        let is_blind = |judged: &Judged| judged.is_blind_to(0, [&definition, &usage]);
        assert!(is_blind(&noticing(&[], &[])));
        assert!(is_blind(&noticing(&[1], &[1])), "whatever it does, it notices what makes the object");
        assert!(!is_blind(&noticing(&[3], &[])) && !is_blind(&noticing(&[1], &[])));
        assert!(!is_blind(&noticing(&[], &[2, 3])), "it reaches nothing of the use by what it does");
        let none = noticing(&[], &[]);
        assert!(!none.is_blind_to(0, [&definition, &other]), "no mutant is there");
        assert!(!none.is_blind_to(1, [&definition, &usage]), "it was not judged");
    }
}

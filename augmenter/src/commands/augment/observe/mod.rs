//! What a kept test can assert: results that two JVMs agree about, and what is seen of its objects in the end, through inspectors.
//!
//! Data path: what is [`known`]: [`reads`] (what methods read and write) and [`inspectors`] -> [`scene`] (where to look) -> workers, a step further each time ->
//! a second worker, in another order -> mutants, which it notices or not -> [`worth`] (which of it is worth a line) -> the first once more, with
//! what was chosen alone. Knows nothing of Java source. Invariant: what is given back was seen three times, in different processes and in different company.

mod arguments;
mod closing;
mod foreign;
mod identity;
mod inspectors;
mod known;
mod reads;
mod same;
mod scene;
mod worth;

use super::mutants::{Judged, Kills, Subject, What};
use super::search::kept::Kept;
use super::search::pool::Pool;
use anyhow::Result;
pub use closing::Closings;
use dynaflow_model::outcome::{Observation, Observed, Outcome, Path};
use dynaflow_model::sequence::Sequence;
use dynaflow_testgen::one_variable_each;
use identity::{Question, Same};
pub use known::Known;
use known::{Learnt, lines, wanted};
use scene::{Knowledge, Scene};
use std::collections::{BTreeMap, BTreeSet};
use worth::{Assertion, Lines, Noticed, Ranked};

/// Most inspectors one behind the other.
const STEPS: usize = 3;

/// Finds out which mutants tests notice; none when nobody can.
pub type Judge<'a> = dyn FnMut(&[Subject]) -> Option<Judged> + 'a;

/// The outcomes of the tests, with what is worth asserting and nothing else; none for a test that ended differently the second time.
///
/// # Errors
/// When a worker is lost.
pub fn observe(
    kept: &[Kept],
    known: Known,
    (first, second): (&mut Pool, &mut Pool),
    judge: &mut Judge,
) -> Result<Observations> {
    let learnt = Learnt::of(known);
    let with = learnt.with(known);
    let nothing = kept.iter().map(|_| vec![]).collect();
    let outcomes = run(kept, nothing, first)?;
    let mut scenes: Vec<Scene> = (kept.iter().zip(outcomes))
        .map(|(test, outcome)| {
            let scene = Scene::new(&test.sequence, wanted(test, known), outcome).within(known.program);
            if known.every_pair { scene } else { scene.knowing(with.reads) }
        })
        .collect();
    let answers = ask(&scenes, first)?;
    scenes.iter_mut().zip(answers).for_each(|(scene, same)| scene.outcome.same = same.results);
    look(kept, &mut scenes, &with, first)?;
    let stable = again(kept, &mut scenes, second)?;
    compare_objects(&mut scenes, first, second)?;
    let candidates = candidates(&scenes, &with, &stable);
    let mut mutants = judged((kept, &scenes), &candidates, known, judge);
    let ranked = rank(kept, &scenes, &candidates, mutants.as_ref());
    if let Some(judged) = &mut mutants {
        let spare = |ranked: &Option<Ranked>| ranked.as_ref().map(|ranked| ranked.spare.clone());
        judged.spare = ranked.iter().map(|ranked| spare(ranked).unwrap_or_default()).collect();
    }
    let outcomes = confirmed(kept, scenes, ranked, first)?;
    Ok(Observations { outcomes, mutants })
}

/// Where to look in the end of sequences of which nobody said what they are for.
pub struct Looks<'a> {
    known: Known<'a>,
    learnt: Learnt,
}

impl<'a> Looks<'a> {
    /// With what is known when tests of a class are observed.
    pub fn new(known: Known<'a>) -> Self {
        Self { known, learnt: Learnt::of(known) }
    }

    /// Hands `work` what gives the paths with so many steps that are worth looking along, when an outcome shows what was seen on shorter ones.
    pub fn with<T>(&self, work: impl FnOnce(&dyn Fn(&Sequence, &Outcome, usize) -> Vec<Path>) -> T) -> T {
        let with = self.learnt.with(self.known);
        work(&|sequence, outcome, steps| {
            let mut scene = Scene::new(sequence, vec![], outcome.clone());
            let seen = outcome.observations.iter();
            scene.seen = seen.map(|seen| (seen.path.clone(), seen.result.clone())).collect();
            scene.paths(&with, steps)
        })
    }
}

/// Which objects of the tests are the same.
fn ask(scenes: &[Scene], pool: &mut Pool) -> Result<Vec<Same>> {
    let question = |scene: &Scene| Question::of(scene.sequence, &scene.outcome, scene.objects());
    let questions: Vec<Question> = scenes.iter().map(question).collect();
    let jobs = questions.iter().map(|question| (question.sequence.clone(), vec![])).collect();
    let runs = pool.run(jobs, |_| false)?;
    Ok(questions.iter().zip(&runs).map(|(question, run)| question.answered(&run.outcome)).collect())
}

/// Notes which objects of the tests two JVMs say are the same.
fn compare_objects(scenes: &mut [Scene], first: &mut Pool, second: &mut Pool) -> Result<()> {
    let answers = ask(scenes, first)?.into_iter().zip(ask(scenes, second)?);
    for (scene, (one, other)) in scenes.iter_mut().zip(answers) {
        let same = one.agreed(&other);
        (scene.outcome.same, scene.same) = (same.results, same.looks);
    }
    Ok(())
}

/// What was observed of the tests of a class.
#[derive(Debug, Default)]
pub struct Observations {
    /// By test, its outcome with what is worth asserting; none where it ended differently the second time.
    pub outcomes: Vec<Option<Outcome>>,
    /// What is known of mutants, by test.
    pub mutants: Option<Judged>,
}

impl Observations {
    /// Adds what was observed of further tests.
    pub fn extend(&mut self, more: Self) {
        self.outcomes.extend(more.outcomes);
        if let (Some(mutants), Some(more)) = (&mut self.mutants, more.mutants) {
            mutants.extend(more);
        }
    }
}

/// Runs the tests with these paths to look along. A test that does not end with them, as an inspector hangs, runs without.
fn run(kept: &[Kept], paths: Vec<Vec<Path>>, pool: &mut Pool) -> Result<Vec<Outcome>> {
    let looked: Vec<bool> = paths.iter().map(|paths| !paths.is_empty()).collect();
    let jobs = kept.iter().zip(paths).map(|(test, paths)| (test.sequence.clone(), paths)).collect();
    let mut outcomes: Vec<Outcome> = pool.run(jobs, |_| false)?.into_iter().map(|run| run.outcome).collect();
    let broke = |(outcome, looked): (&Outcome, bool)| looked && outcome.broken.is_some();
    let places: Vec<usize> = (0..)
        .zip(outcomes.iter().zip(looked))
        .filter_map(|(place, outcome)| broke(outcome).then_some(place))
        .collect();
    let plain = places.iter().filter_map(|place| Some((kept.get(*place)?.sequence.clone(), vec![])));
    for (place, run) in places.iter().zip(pool.run(plain.collect(), |_| false)?) {
        if let Some(outcome) = outcomes.get_mut(*place) {
            *outcome = run.outcome;
        }
    }
    Ok(outcomes)
}

/// Looks at the objects of all tests, a step further each time.
fn look(kept: &[Kept], scenes: &mut [Scene], with: &Knowledge, pool: &mut Pool) -> Result<()> {
    for steps in 0..=STEPS {
        let paths: Vec<Vec<Path>> = scenes.iter().map(|scene| scene.paths(with, steps)).collect();
        if paths.iter().all(Vec::is_empty) {
            continue;
        }
        for (scene, outcome) in scenes.iter_mut().zip(run(kept, paths, pool)?) {
            scene.seen.extend(outcome.observations.into_iter().map(|seen| (seen.path, seen.result)));
        }
    }
    Ok(())
}

/// What was the same in another JVM, where tests ran and were looked at backwards; what was not leaves the outcomes of the scenes.
fn again(
    kept: &[Kept],
    scenes: &mut [Scene],
    pool: &mut Pool,
) -> Result<Vec<Option<BTreeMap<Path, Observed>>>> {
    let backwards: Vec<Kept> = kept.iter().rev().cloned().collect();
    let paths = scenes.iter().rev().map(|scene| scene.seen.keys().rev().cloned().collect()).collect();
    let mut outcomes = run(&backwards, paths, pool)?;
    outcomes.reverse();
    let agreed = scenes.iter_mut().zip(outcomes).map(|(scene, other)| agree(scene, other));
    Ok(agreed.collect())
}

/// What two runs agree about; none when they ended differently.
fn agree(scene: &mut Scene, other: Outcome) -> Option<BTreeMap<Path, Observed>> {
    let one = &mut scene.outcome;
    let thrown = |o: &Outcome| o.thrown.as_ref().map(|t| (t.statement, t.class.clone()));
    if one.broken.is_some() || other.broken.is_some() || thrown(one) != thrown(&other) {
        return None;
    }
    for (mine, theirs) in one.statements.iter_mut().zip(other.statements) {
        if *mine != theirs {
            *mine = Observed::Void;
        }
    }
    if let (Some(mine), Some(theirs)) = (&mut one.thrown, other.thrown)
        && mine.message != theirs.message
    {
        mine.message = None;
    }
    let theirs: BTreeSet<Observation> = other.observations.into_iter().collect();
    let mine =
        scene.seen.iter().map(|(path, result)| Observation { path: path.clone(), result: result.clone() });
    Some(mine.filter(|seen| theirs.contains(seen)).map(|seen| (seen.path, seen.result)).collect())
}

/// What each test could assert: what two runs agree about.
fn candidates(
    scenes: &[Scene],
    with: &Knowledge,
    stable: &[Option<BTreeMap<Path, Observed>>],
) -> Vec<Option<Vec<Assertion>>> {
    (scenes.iter().zip(stable))
        .map(|(scene, stable)| {
            let trail = |path: &Path| {
                let trail = scene.trail(with, path);
                (trail.observes, trail.reads)
            };
            Some(worth::candidates(scene, trail, stable.as_ref()?))
        })
        .collect()
}

/// What is known of mutants, by test, as it is written: a fluent call that gives null is noticed by what asserts that, or by a call on what it gave, which
/// stands there only in a chain. A test that ended differently the second time notices none.
fn judged(
    (kept, scenes): (&[Kept], &[Scene]),
    candidates: &[Option<Vec<Assertion>>],
    known: Known,
    judge: &mut Judge,
) -> Option<Judged> {
    let written = |scene: &Scene| one_variable_each(scene.sequence, &scene.outcome.same, known.types);
    let lines = lines(kept, known);
    let sequences: Vec<Sequence> = scenes.iter().map(written).collect();
    let known = |(place, candidates): (usize, &Option<Vec<Assertion>>)| candidates.is_some().then_some(place);
    let places: Vec<usize> = candidates.iter().enumerate().filter_map(known).collect();
    let subject = |place: &usize| {
        let (scene, candidates) = (scenes.get(*place)?, candidates.get(*place)?.as_ref()?);
        let shows = candidates.iter().map(|assertion| (assertion.what.clone(), &assertion.shows)).collect();
        let (sequence, thrown) = (sequences.get(*place)?, scene.outcome.thrown.as_ref());
        let lines = lines.get(*place).cloned().unwrap_or_default();
        Some(Subject { sequence, thrown, shows, lines, is_part: !scene.is_of_search() })
    };
    let subjects: Vec<Subject> = places.iter().filter_map(subject).collect();
    let mut judged = judge(&subjects)?;
    let mut by_test: Vec<Option<Kills>> = vec![None; scenes.len()];
    for (place, kills) in places.into_iter().zip(std::mem::take(&mut judged.kills)) {
        by_test.get_mut(place).into_iter().for_each(|slot| slot.clone_from(&kills));
    }
    Some(Judged { kills: by_test, ..judged })
}

/// The assertions of each test, ranked. A mutant that only looks reach, whatever the test does, or that only shows in what a fluent call gives, earns a line in one
/// test, and in none where the assertions that others have notice it; but a test that was made shorter for it asserts it.
fn rank(
    kept: &[Kept],
    scenes: &[Scene],
    candidates: &[Option<Vec<Assertion>>],
    mutants: Option<&Judged>,
) -> Vec<Option<Ranked>> {
    let of_search = scenes.iter().zip(candidates).filter(|(scene, _)| scene.is_of_search());
    let lines = Lines::of(of_search.filter_map(|(_, candidates)| candidates.as_ref()));
    let mut claimed: BTreeSet<u32> = mutants.map(|judged| judged.alive.clone()).unwrap_or_default();
    let round = |claimed: &mut BTreeSet<u32>| {
        let one = |(place, (scene, candidates)): (usize, (&Scene, &Option<Vec<Assertion>>))| {
            let all = mutants.and_then(|judged| Some((judged, judged.kills.get(place)?.as_ref()?)));
            let fluent = candidates.iter().flatten().filter(|a| a.is_fluent()).map(|a| &a.what);
            let all = all.map(|(judged, kills)| (judged, kills.aside(&fluent.collect())));
            let of_others = kept.get(place).map_or_else(BTreeSet::new, |kept| &*claimed - &kept.noticing);
            let counting =
                all.as_ref().map(|(judged, kills)| (judged, kills.counting(&judged.alive, &of_others)));
            let noticed = counting.as_ref().map(|(judged, kills)| Noticed { kills, alive: &judged.alive });
            let ranked = worth::ranked(candidates.clone()?, scene, &lines, noticed);
            let kept = || ranked.kept().iter().map(|assertion| &assertion.what);
            let notices = all.as_ref().map(|(_, kills)| kills.with(kept())).unwrap_or_default();
            claimed.extend(&notices);
            Some((ranked, notices))
        };
        scenes.iter().zip(candidates).enumerate().map(one).collect::<Vec<_>>()
    };
    let first = round(&mut claimed);
    claimed = first.into_iter().flatten().flat_map(|(_, notices)| notices).collect();
    round(&mut claimed).into_iter().map(|ranked| Some(ranked?.0)).collect()
}

/// The outcomes with what was chosen, as far as it is still the same when nothing else is looked at.
fn confirmed(
    kept: &[Kept],
    scenes: Vec<Scene>,
    ranked: Vec<Option<Ranked>>,
    pool: &mut Pool,
) -> Result<Vec<Option<Outcome>>> {
    let paths = |ranked: &Option<Ranked>| ranked.iter().flat_map(Ranked::kept).filter_map(path).collect();
    let outcomes = run(kept, ranked.iter().map(paths).collect(), pool)?;
    let all = scenes.into_iter().zip(ranked).zip(outcomes);
    Ok(all.map(|((scene, ranked), again)| Some(asserting(scene, &ranked?, &again))).collect())
}

fn path(assertion: &Assertion) -> Option<Path> {
    match &assertion.what {
        What::Result(_) => None,
        What::Look(path) => Some(path.clone()),
    }
}

/// The outcome with the chosen results and observations.
fn asserting(scene: Scene, ranked: &Ranked, again: &Outcome) -> Outcome {
    let mut outcome = scene.outcome;
    let chosen = |index: u32| ranked.kept().iter().find(|assertion| assertion.what == What::Result(index));
    for (index, result) in (0u32..).zip(&mut outcome.statements) {
        *result = chosen(index).map_or(Observed::Void, |assertion| assertion.shows.clone());
    }
    let holds = |seen: &Observation| match seen.result {
        // Which object it is was seen in two JVMs; that there is one is seen here.
        Observed::Same(_) => again.observations.iter().any(|now| now.path == seen.path),
        _ => again.observations.contains(seen),
    };
    let chosen = ranked.kept().iter();
    let chosen = chosen.filter_map(|a| Some(Observation { path: path(a)?, result: a.shows.clone() }));
    outcome.observations = chosen.filter(holds).collect();
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::augment::mutants::What;

    #[test]
    fn what_a_test_was_made_shorter_for_it_asserts_though_another_one_could() {
        let fluent = |statement| Assertion {
            what: What::Result(statement),
            shows: Observed::Same(0),
            observes: BTreeMap::new(),
            reads: 0,
            line: "add".into(),
            restates: true,
            asks: false,
        };
        let noticed = BTreeMap::from([(What::Result(1), BTreeSet::from([7]))]);
        let kills = Kills { by: noticed, ..Kills::default() };
        let judged = Judged {
            kills: vec![Some(kills.clone()), Some(kills)],
            alive: BTreeSet::from([7]),
            ..Judged::default()
        };
        let sequence = Sequence::default();
        let scenes = [0, 1].map(|_| Scene::new(&sequence, vec![], Outcome::default()));
        let asserted = |noticing: BTreeSet<u32>| {
            let test = Kept::beside("one".into(), sequence.clone(), BTreeSet::new());
            let kept = [test.clone(), Kept { noticing, ..test }];
            let candidates = [0, 1].map(|_| Some(vec![fluent(1), fluent(2)]));
            let ranked = rank(&kept, &scenes, &candidates, Some(&judged));
            let what = |ranked: &Ranked| ranked.kept().iter().map(|one| one.what.clone()).collect::<Vec<_>>();
            ranked.iter().flatten().flat_map(what).collect::<Vec<_>>()
        };
        let (noticing, latest) = (What::Result(1), What::Result(2));
        assert_eq!(asserted(BTreeSet::new()), [noticing.clone(), latest.clone()], "the first claims it");
        assert_eq!(asserted(BTreeSet::from([7])), [latest, noticing], "the one that was made for it does");
    }
}

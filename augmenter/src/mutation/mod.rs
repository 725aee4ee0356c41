//! Mutation analysis: classes and tests in, what became of each mutant and which tests notice it out.
//!
//! Data path: [`made`] with its [`plan`] (mutants, numbers, folders with class files) -> [`suite`]: [`survey`] (tests, and what each reaches) ->
//! [`covering`] -> [`crew`] (JVMs), where [`judge`] says what runs and what it means. It knows no command line and no files of users. Invariant: each
//! mutant of the plan that has a group has one result.

mod covering;
mod crew;
mod judge;
mod made;
mod plan;
mod suite;
mod survey;
mod types;

pub use made::Made;
pub use suite::{Answers, Suite, Tests};
pub use types::{
    AnalysedClass, AnalysedMutant, Analysis, Judged, Known, LeftOut, Observer, Project, Settings, Status,
};

use anyhow::{Result, anyhow};
use crew::Done;
use dynaflow_mutants::Mutant;
use judge::Job;
use plan::{Plan, PlannedClass};

/// Analyses the mutants of a project.
///
/// # Errors
/// When there are no mutants or no tests, JVMs cannot be started, or the tests were interrupted before they had run once.
pub fn analyse(
    project: &Project,
    settings: &Settings,
    known: &dyn Known,
    observer: &dyn Observer,
) -> Result<Analysis> {
    observer.stage("making mutants");
    let made = Made::new(&project.work, &project.classes, &project.mutants)?;
    let plan = made.plan();
    if plan.classes.is_empty() {
        let declined = plan.declined.first().map(|why| format!(" ({why})")).unwrap_or_default();
        return Err(anyhow!("there is no mutant in {} classes{declined}", project.classes.len()));
    }
    let tests = Tests { jvm: &project.jvm, work: &project.work, classes: &project.tests };
    let suite = Suite::survey(&made, &tests, settings.suite, observer)?;
    let Prepared { mut analysis, jobs, places } = prepare(plan, &suite, known);
    observer.stage(&format!("running {} mutants against {} tests", jobs.len(), suite.units().len()));
    let done = suite.run(&made, &jobs, settings, &project.jvm.stop, observer);
    analysis.left_out = suite.left_out().to_vec();
    fill(&mut analysis, &places, done, &suite)?;
    analysis.interrupted = project.jvm.stop.is_stopped();
    analysis.not_made.clone_from(&plan.not_made);
    analysis.declined.clone_from(&plan.declined);
    Ok(analysis)
}

/// What there is before mutants run.
struct Prepared {
    /// The results that need no run; the others are [`Status::NotStarted`].
    analysis: Analysis,
    /// The mutants to run, sorted by group.
    jobs: Vec<Job>,
    /// By job, where its result belongs: class and mutant.
    places: Vec<(usize, usize)>,
}

fn prepare(plan: &Plan, suite: &Suite, known: &dyn Known) -> Prepared {
    let tests = suite.units().iter().map(|unit| unit.name.clone()).collect();
    let mut analysis = Analysis { tests, ..Analysis::default() };
    let mut jobs = vec![];
    for class in &plan.classes {
        let mut mutants: Vec<AnalysedMutant> = vec![];
        for (position, (mutant, group)) in class.found.mutants.iter().zip(&class.groups).enumerate() {
            let Some(group) = *group else { continue };
            let number = covering::number(class, position);
            let (job, tests) = (suite.job(number, group), suite.covering().tests(number));
            let (judged, is_known) = before(&analysis.tests, class, mutant, &tests, known);
            if judged.status == Status::NotStarted {
                jobs.push((job, (analysis.classes.len(), mutants.len())));
            }
            mutants.push(AnalysedMutant { mutant: mutant.clone(), judged, covering: tests, is_known });
        }
        let source_file = class.found.source_file.clone();
        analysis.classes.push(AnalysedClass { name: class.name.clone(), source_file, mutants });
    }
    // Within a group they stay in the order of their numbers.
    jobs.sort_by_key(|(job, _)| job.group);
    let (jobs, places) = jobs.into_iter().unzip();
    Prepared { analysis, jobs, places }
}

/// What is known of a mutant before it is run, and whether from an earlier analysis.
fn before(
    tests: &[String],
    class: &PlannedClass,
    mutant: &Mutant,
    covering: &[usize],
    known: &dyn Known,
) -> (Judged, bool) {
    let judged = |status| Judged { status, killing: vec![], ran: 0 };
    if covering.is_empty() {
        return (judged(Status::NoCoverage), false);
    }
    let names: Vec<&str> = covering.iter().filter_map(|test| tests.get(*test)).map(String::as_str).collect();
    let Some((status, killing)) = known.result(&class.name, mutant, &names) else {
        return (judged(Status::NotStarted), false);
    };
    let killing = killing.iter().filter_map(|name| tests.binary_search(name).ok()).collect();
    (Judged { killing, ..judged(status) }, true)
}

/// Puts what the workers found in its places.
fn fill(analysis: &mut Analysis, places: &[(usize, usize)], done: Done, suite: &Suite) -> Result<()> {
    if let Some(why) = done.broken {
        return Err(anyhow!(why));
    }
    for ((class, mutant), judged) in places.iter().zip(done.judged) {
        let class = analysis.classes.get_mut(*class);
        let place = class.and_then(|class| class.mutants.get_mut(*mutant));
        if let (Some(place), Some(judged)) = (place, judged) {
            place.judged = judged;
        }
    }
    for test in suite.dependent() {
        let test = analysis.test(test).to_owned();
        let why = "it fails when it runs alone in a fresh JVM; it judged no mutant there".to_owned();
        analysis.left_out.push(LeftOut { test, why });
    }
    Ok(())
}

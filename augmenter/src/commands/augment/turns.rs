//! The search of all target classes in turns: the budget goes to the classes whose turns still find tests.
//!
//! Knows nothing of JUnit or of files. Invariant: every class is searched before any has a second turn; a class whose turn kept no
//! test waits until all that are left wait; what was kept is concluded once, in the order of the classes, whatever ended the search.

use super::ask::options::Algorithm;
use super::campaign::Campaign;
use super::check::every_class;
use super::class_files::constants;
use super::class_files::declared;
use super::facts::effects::Refusals;
use super::facts::merit::Verdict;
use super::facts::roots::Roots;
use super::judge::triage::Judge;
use super::prepare::budget::{Budget, Checking};
use super::search::expects::Expects;
use super::search::growth::{Extent, Grown, Growth};
use super::search::guide::Guide;
use super::search::helpers::Helpers;
use super::search::homes;
use super::search::pool::Pool;
use super::search::shared::Shared;
use super::search::target::Target;
use anyhow::Result;
use dynaflow_flowgraph::dua::{Callees, Purity, Unknown};
use dynaflow_model::outcome::{Outcome, Thrown};
use dynaflow_model::sequence::{Sequence, Value};
use dynaflow_model::types::TypeInfo;
use dynaflow_search::{Algorithms, Config, Search, Types, package_of};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a sequence that runs when the budget is spent may go on: enough for those that end at all.
const GRACE: Duration = Duration::from_secs(1);

/// Searches the classes until the budget is spent or nothing is left to be found, and concludes what was kept.
///
/// # Errors
/// When workers, the compiler or other JVMs cannot be run at all.
pub fn grow(campaign: &mut Campaign, classes: &[String], types: &[TypeInfo], pool: &mut Pool) -> Result<()> {
    let declared = Arc::new(declared::read(campaign.library()?, types));
    let mut shared = Shared::new(Types::new(types.iter().cloned(), "").with_declared(declared));
    let mut budget = Budget::start(campaign.setup.limit, campaign.interrupt.flag());
    pool.set_deadline(budget.deadline().and_then(|end| end.checked_add(GRACE)));
    *campaign.guide.get_mut() = started(campaign);
    if let Some(guide) = campaign.guide.get_mut() {
        guide.set_deadline(budget.deadline().and_then(|end| end.checked_add(GRACE)));
    }
    let mut targets: Vec<Target> = vec![];
    let mut round: Vec<usize> = (0..classes.len()).collect();
    while !round.is_empty() && budget.over().is_none() {
        for (place, &index) in round.iter().enumerate() {
            if let Some(class) = classes.get(index).filter(|_| targets.len() <= index) {
                targets.push(target(campaign, class, &mut shared));
            }
            let waiting = targets.iter().filter(|target| target.waits && target.is_open()).count();
            if let Some(target) = targets.get_mut(index) {
                budget.begin_turn(round.len() - place, waiting, left_of(campaign, target));
                turn(campaign, target, pool, &mut budget);
            }
            if targets.iter().any(|target| target.grown.trouble.is_some()) {
                budget.lose();
            }
        }
        round = next_round(campaign, &mut targets);
    }
    log_spent(campaign, &targets, pool);
    let concluded = conclude(campaign, targets, pool, &mut budget);
    if let Some(guide) = campaign.guide.get_mut() {
        campaign.losses.add_ends(guide.losses());
    }
    concluded
}

/// Logs where the time of the search went.
fn log_spent(campaign: &mut Campaign, targets: &[Target], pool: &Pool) {
    let searched: Duration = targets.iter().map(|target| target.searched).sum();
    tracing::debug!("the search took {:.2} s with {} workers", searched.as_secs_f64(), campaign.setup.jobs);
    tracing::debug!("{}", pool.spent().line("workers that record"));
    if let Some(guide) = campaign.guide.get_mut() {
        tracing::debug!("{}", guide.spent().line("workers that measure"));
    }
}

/// The JVMs that measure distances; without them the search goes on by chance, and says so.
fn started(campaign: &Campaign) -> Option<Guide> {
    led_by(campaign.setup.options.algorithm)?;
    let library =
        campaign.library().inspect_err(|error| tracing::info!("calls may change anything: {error:#}")).ok();
    let purity = library.map(|library| Purity::new(library));
    let callees = purity.as_ref().map_or(&Unknown as &dyn Callees, |purity| purity);
    Guide::start(campaign.setup, callees, &campaign.interrupt.search).unwrap_or_else(|error| {
        let line = format!(
            "how near branches come cannot be measured, so that the search goes on by chance: {error:#}"
        );
        campaign.progress.say(&line);
        None
    })
}

/// The algorithm that distances lead; none of chance.
fn led_by(algorithm: Algorithm) -> Option<Algorithms> {
    match algorithm {
        Algorithm::Mio => Some(Algorithms::Mio),
        Algorithm::WholeSuite => Some(Algorithms::WholeSuite),
        Algorithm::Mosa => Some(Algorithms::Mosa),
        Algorithm::DynaMosa => Some(Algorithms::DynaMosa),
        Algorithm::Random => None,
    }
}

fn left_of(campaign: &Campaign, target: &Target) -> u64 {
    campaign.setup.most_per_class.saturating_sub(target.used)
}

/// Those whose last turn brought something; when there are none, those that wait.
fn next_round(campaign: &Campaign, targets: &mut [Target]) -> Vec<usize> {
    let may = |target: &Target| target.is_open() && left_of(campaign, target) > 0;
    if !targets.iter().any(|target| may(target) && !target.waits) {
        targets.iter_mut().for_each(|target| target.waits = false);
    }
    let of_round = targets.iter().enumerate().filter(|(_, target)| may(target) && !target.waits);
    of_round.map(|(index, _)| index).collect()
}

fn target(campaign: &mut Campaign, class: &str, shared: &mut Shared) -> Target {
    let roots = campaign.through.objects_of(class);
    let constants = |library| roots.iter().flat_map(|root| constants::of(library, root)).collect();
    let constants: BTreeSet<Value> = campaign.library().map(constants).unwrap_or_default();
    let seed = campaign.setup.options.seed;
    let config = Config { seed, roots: roots.clone(), ..Config::default() };
    campaign.progress.stage(&format!("augmenting {class}"));
    let types = shared.types(package_of(class));
    let mut search = Search::new(config, types.clone(), shared.specimens(&campaign.suite));
    search.learn_values(constants);
    let guide = campaign.guide.get_mut();
    if let (Some(guide), Some(algorithm)) = (guide, led_by(campaign.setup.options.algorithm)) {
        search.guide(algorithm, guide.goals(class, campaign.infos.get(class), &types));
    }
    Target {
        class: class.to_owned(),
        objects: roots,
        search,
        types,
        refusals: Refusals::default(),
        grown: Grown::default(),
        executions: 0,
        searched: Duration::ZERO,
        used: 0,
        waits: false,
    }
}

fn turn(campaign: &mut Campaign, target: &mut Target, pool: &mut Pool, budget: &mut Budget) {
    let (started, used, executions) = (Instant::now(), budget.used(), budget.executions());
    let kept = target.yielded(&campaign.setup.criteria);
    let extent = Extent {
        batch: campaign.setup.batch(),
        before: executions - target.executions,
        covers: campaign.setup.criteria.cover(),
        iterations: campaign.setup.options.max_iterations,
    };
    target.search.swap_costly(campaign.costly.get_mut());
    let (program, all) = (&campaign.setup.classes, &campaign.setup.all_classes);
    let judge = campaign.library.get().map(|library| Judge::new(program, all, library));
    let expects = |sequence: &Sequence, outcome: &Outcome, thrown: &Thrown| {
        let gave = (outcome.statements.as_slice(), &outcome.same);
        judge.as_ref().is_some_and(|judge| judge.judge(sequence, gave, thrown).verdict == Verdict::Refusal)
    };
    Growth {
        roots: Roots::of(campaign.through.patterns_of(&target.class)),
        explores: campaign.explores(&target.class),
        suite: &mut campaign.suite,
        keys: &mut campaign.keys,
        covered: &mut campaign.covered,
        inferred: &mut campaign.inferred,
        search: &mut target.search,
        pool,
        guide: campaign.guide.get_mut(),
        budget: &mut *budget,
        extent,
        allowed: &campaign.allowed,
        helpers: Helpers { program, all },
        expects: Expects(&expects),
        infeasible: &mut campaign.infeasible,
        library: campaign.library.get(),
        refusals: &mut target.refusals,
        progress: campaign.progress,
    }
    .run(&mut target.grown);
    target.search.swap_costly(campaign.costly.get_mut());
    target.used += budget.used() - used;
    target.executions += budget.executions() - executions;
    target.searched += started.elapsed();
    target.waits = target.yielded(&campaign.setup.criteria) == kept;
}

/// Ends the search of every class, and checks what was kept.
fn conclude(
    campaign: &mut Campaign,
    mut targets: Vec<Target>,
    pool: &mut Pool,
    budget: &mut Budget,
) -> Result<()> {
    budget.spend();
    targets.iter_mut().for_each(|target| turn(campaign, target, pool, budget));
    // Goals of coverage are measured again when tests are checked, and nothing else is.
    if let Some(guide) = campaign.guide.get_mut().as_mut().filter(|_| !campaign.setup.criteria.cover()) {
        guide.rest();
    }
    homes::settle(&mut targets, &campaign.suite);
    let (with, without): (Vec<Target>, Vec<Target>) =
        targets.into_iter().partition(|target| campaign.has_candidates(target));
    if !with.is_empty() {
        campaign.find_neighbours()?;
        campaign.measure_seeds();
        campaign.prepare_mutants();
    }
    let checking = campaign.setup.checking(with.len());
    let checking = checking.map(|most| Checking::new(Instant::now(), most, with.len()));
    // They wait for nobody, and nobody for them.
    let quick = every_class::run(campaign, without, pool, None);
    quick.and(every_class::run(campaign, with, pool, checking))
}

//! The work on all targets: what is known of them, what their workers are, and what is written in the end.
//!
//! Knows nothing of turns. Invariant: what is reported as covered was covered by seeds or by tests that were compiled and run.

use super::class_files::declared;
use super::class_files::makers::Makers;
use super::facts::effects::{self, Refusals};
use super::facts::figures::{self, LeftOut};
use super::facts::known::{Covered, Keys};
use super::facts::losses::Losses;
use super::facts::merit::Merit;
use super::facts::obstacles;
use super::facts::reasons;
use super::facts::remarks::Remarks;
use super::facts::roots::Roots;
use super::facts::seed_classes::SeedClasses;
use super::facts::sites;
use super::finish::extension;
use super::finish::findings;
use super::finish::neighbours::Neighbours;
use super::finish::ready::{Holding, Tested};
use super::finish::rounds::{Finished, Held};
use super::judge::candidates;
use super::judge::triage::Judge;
use super::mutants::Mutants;
use super::prepare::available::Available;
use super::prepare::interrupt::Interrupt;
use super::prepare::setup::Setup;
use super::prepare::through::Through;
use super::report::results::{self, Row};
use super::report::summary;
use super::search::guide::Guide;
use super::search::infeasible::Infeasible;
use super::search::kept::{self, Kept};
use super::search::pool::Pool;
use super::search::target::Searched;
use super::search::universe::{self, Universe};
use super::seed;
use crate::classes::Classes;
use crate::jvm::job::Probes;
use crate::jvm::process::Stop;
use crate::jvm::suite::Failure;
use crate::jvm::worker::WorkerConfig;
use crate::library::Library;
use crate::output;
use crate::progress::Progress;
use anyhow::Result;
use dynaflow_model::effect::Allowed;
use dynaflow_model::facts::Recording;
use dynaflow_model::obstacle::Obstacle;
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::Sequence;
use dynaflow_model::types::TypeInfo;
use dynaflow_objectives::{DeclinedText, FindingText, Iteration, StoppedBy};
use dynaflow_search::{Costly, Types};
use dynaflow_testgen::Source;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// What the iterations of a class added, by the tests that were written: the iterations that kept them, and of each pair that they are the
/// first to cover the iteration that is the first to do so.
fn confirmed(
    mut iterations: Vec<Iteration>,
    tests: &[u32],
    pairs: &BTreeMap<PairKey, u32>,
) -> Vec<Iteration> {
    for iteration in &mut iterations {
        iteration.tests_added = tests.iter().filter(|&&n| n == iteration.n).count() as u64;
        iteration.covered_new = pairs.values().filter(|&&n| n == iteration.n).count() as u64;
    }
    iterations
}

/// What was kept and is not needed, with the exceptions that end it; what was not checked ends with none.
fn left_out<'g>(
    finished: &Finished,
    (kept, unchecked): (&'g [Kept], &'g [Kept]),
) -> Vec<(&'g Kept, Option<String>)> {
    let checked = finished.left_out.iter();
    let checked = checked.filter_map(|(&place, throws)| Some((kept.get(place)?, throws.clone())));
    checked.chain(unchecked.iter().map(|kept| (kept, None))).collect()
}

/// The pairs that tests cover and nothing did `before`, each with the first iteration of which a test does.
fn newly_covered(written: &[(&Kept, &Held)], before: &Covered) -> BTreeMap<PairKey, u32> {
    let mut first: BTreeMap<PairKey, u32> = BTreeMap::new();
    for (kept, held) in written {
        for &key in held.pairs.iter().filter(|key| !before.contains(**key)) {
            first.entry(key).and_modify(|n| *n = kept.iteration.min(*n)).or_insert(kept.iteration);
        }
    }
    first
}

/// A class whose tests were written.
pub struct Concluded {
    class: String,
    types: Types,
    sequences: Vec<Sequence>,
    /// Whether the search for it went to its end.
    is_whole: bool,
}

/// The work on all targets.
pub struct Campaign<'a> {
    pub setup: &'a Setup<'a>,
    pub interrupt: &'a Interrupt,
    pub progress: &'a Progress,
    /// The subclasses that stand for targets.
    pub through: Through,
    /// The root classes whose pairs count.
    pub counted: Roots,
    /// Facts of the seeds and of what was kept.
    pub suite: Recording,
    /// The keys of its pairs, as far as they are counted.
    pub keys: Keys,
    /// Facts of the seeds and of the compiled tests.
    pub confirmed: Recording,
    /// What the seeds and all kept tests cover.
    pub covered: Covered,
    /// What the seeds and the compiled tests cover.
    pub confirmed_covered: Covered,
    pub inferred: BTreeMap<PairKey, u32>,
    /// What keeps objectives from being executed, as far as the searches know.
    pub obstacles: BTreeMap<PairKey, Obstacle>,
    /// What is known of objectives that nothing executes.
    pub infeasible: Infeasible,
    pub iterations: Vec<Iteration>,
    pub stopped_by: Option<StoppedBy>,
    /// What tests may do beyond their own objects.
    pub allowed: Allowed,
    /// By class: tests that do more.
    pub refusals: Vec<(String, Refusals)>,
    pub rows: Vec<Row>,
    pub sources: Vec<Source>,
    pub dropped: Vec<String>,
    /// Tests of earlier runs that new ones make redundant.
    pub redundant: usize,
    pub losses: Losses,
    /// What the seeds and the compiled green tests are worth.
    pub there: BTreeSet<Merit>,
    /// What was kept and not written.
    pub left_out: Vec<LeftOut>,
    /// What the tests reveal that were written and fail.
    pub findings: Vec<FindingText>,
    /// How the findings of earlier runs fail, by test.
    standing: BTreeMap<String, Failure>,
    /// The class files of program, tests and JDK, once somebody asked for them.
    pub library: OnceCell<Library>,
    /// The test classes of the seeds.
    pub seed_classes: SeedClasses,
    /// The mutants of the targets.
    pub mutants: RefCell<Mutants<'a>>,
    /// Where distances come from and goals are measured, if there is anything to measure.
    pub guide: RefCell<Option<Guide>>,
    /// What cost JVMs or all the time there is, which all searches shun.
    pub costly: RefCell<Costly>,
    /// The outcomes of goals that the seeds reach, where goals earn tests.
    pub reached_by_seeds: BTreeSet<u32>,
    /// The refusals, and what looks like failures, that parts of the seeds end with: their tests expect them.
    pub thrown_in_seeds: RefCell<BTreeSet<Merit>>,
    /// Whether a solver would have been asked, and is not there.
    pub lacks_solver: Cell<bool>,
    /// The tests that run in one JVM with new ones.
    pub neighbours: Neighbours,
    /// Whether the search starts from scratch: there are no seeds, or no call of theirs that uses the program can be rebuilt.
    pub is_scratch: bool,
    /// Classes whose use the seeds show with calls that can be rebuilt.
    pub rebuilt: BTreeSet<String>,
    /// The classes whose tests were written.
    pub concluded: Vec<Concluded>,
    /// The targets to be grown.
    pub planned: Vec<String>,
    /// What the targets are.
    pub infos: BTreeMap<String, TypeInfo>,
    /// Why classes cannot be loaded, by name.
    pub failures: BTreeMap<String, String>,
    /// Why targets cannot be initialised, by name.
    pub uninitialised: BTreeMap<String, String>,
}

impl<'a> Campaign<'a> {
    /// Begins with what the seeds showed.
    pub fn new(setup: &'a Setup, interrupt: &'a Interrupt, progress: &'a Progress, seed: seed::Seed) -> Self {
        let rebuilt = seed.rebuilt();
        let is_scratch = !setup.options.has_seeds() || rebuilt.is_disjoint(&setup.classes);
        let seed::Seed { recording: seed, effects: mut allowed, classes, findings: standing, .. } = seed;
        setup.options.allow_effects.iter().for_each(|&permission| allowed.allow(permission));
        let through = Through::find(setup, &seed.facts).unwrap_or_else(|error| {
            progress.say(&format!("warning: subclasses of targets are not looked for: {error:#}"));
            Through::default()
        });
        let others = setup.targets.iter().flat_map(|class| through.patterns_of(class));
        let counted = Roots::of_program(&setup.options.target, (&setup.classes, &setup.all_classes), others);
        let there = candidates::there(&seed, &counted);
        let keys = Keys::of(&seed, &counted);
        let mut covered = Covered::default();
        for key in keys.iter() {
            covered.add(key, 0);
        }
        Self {
            setup,
            interrupt,
            progress,
            through,
            counted,
            confirmed: seed.clone(),
            suite: seed,
            keys,
            confirmed_covered: covered.clone(),
            covered,
            inferred: BTreeMap::new(),
            obstacles: BTreeMap::new(),
            infeasible: Infeasible::default(),
            iterations: vec![],
            stopped_by: None,
            allowed,
            refusals: vec![],
            rows: vec![],
            sources: vec![],
            dropped: vec![],
            redundant: 0,
            losses: Losses::default(),
            there,
            left_out: vec![],
            findings: vec![],
            standing,
            library: OnceCell::new(),
            mutants: RefCell::new(Mutants::new(setup, classes.clone())),
            seed_classes: classes,
            guide: RefCell::default(),
            costly: RefCell::default(),
            reached_by_seeds: BTreeSet::new(),
            thrown_in_seeds: RefCell::default(),
            lacks_solver: Cell::default(),
            neighbours: Neighbours::default(),
            is_scratch,
            rebuilt,
            concluded: vec![],
            planned: vec![],
            infos: BTreeMap::new(),
            failures: BTreeMap::new(),
            uninitialised: BTreeMap::new(),
        }
    }

    /// The search ended in trouble, or when the user asked for it before it began.
    pub fn note_losses(&mut self) {
        let interrupted = self.interrupt.is_set();
        self.stopped_by = Some(if interrupted { StoppedBy::Interrupted } else { StoppedBy::Losses });
    }

    /// The classes of which some object or static state was read or written.
    fn roots(&self) -> BTreeSet<&str> {
        let facts = &self.suite.facts;
        facts.variables.iter().map(|(_, variable)| facts.text(variable.root)).collect()
    }

    /// The targets that the seeds use.
    fn used(&self) -> impl Iterator<Item = &String> {
        let roots = self.roots();
        self.setup.targets.iter().filter(move |class| self.is_root(class, &roots))
    }

    /// Whether a class is among these roots, or one that stands for it.
    fn is_root(&self, class: &str, roots: &BTreeSet<&str>) -> bool {
        self.through.objects_of(class).iter().any(|class| roots.contains(class.as_str()))
    }

    /// Whether the seeds use any target, of this part or another: each part must begin as the whole would.
    pub fn seeds_use_any(&self) -> bool {
        let roots = self.roots();
        self.setup.whole.iter().any(|class| self.is_root(class, &roots))
    }

    /// With seeds, the targets they use; from scratch, and where goals of coverage earn tests, all that have code.
    pub fn targets(&self) -> Vec<String> {
        if !self.is_scratch && !self.setup.criteria.cover() {
            return self.used().cloned().collect();
        }
        self.setup.targets.iter().filter(|class| self.never(class).is_none()).cloned().collect()
    }

    /// Why a target cannot be a root whatever is run; none when it can.
    fn never(&self, class: &str) -> Option<String> {
        reasons::never(self.infos.get(class), self.failures.get(class).map(String::as_str))
    }

    /// Whether a target can be loaded and initialised, as far as that is known; of another part that is not known, and supposed.
    pub fn has_usable_targets(&self) -> bool {
        let is_broken =
            |class: &String| self.failures.contains_key(class) || self.uninitialised.contains_key(class);
        self.setup.targets.len() < self.setup.whole.len()
            || self.setup.targets.iter().any(|class| !is_broken(class))
    }

    /// Finds out whether the targets of which nothing came can be initialised at all. What goes wrong here costs a reason, nothing else.
    pub fn note_initialisers(&mut self) {
        let roots = self.roots();
        let silent = |class: &&String| !self.is_root(class, &roots) && self.never(class).is_none();
        let silent: Vec<String> = self.setup.targets.iter().filter(silent).cloned().collect();
        if silent.is_empty() || self.interrupt.is_set() {
            return;
        }
        let asked = self.pool("initialiser", 1, &self.interrupt.finish, false);
        match asked.and_then(|mut pool| pool.initialise(&silent)) {
            Ok(failures) => self.uninitialised.extend(failures),
            Err(error) => tracing::info!("which targets can be initialised is not known: {error:#}"),
        }
    }

    /// Whether no seed test shows how the class is used: then anything new is wanted.
    pub fn explores(&self, class: &str) -> bool {
        self.is_scratch || !self.through.objects_of(class).iter().any(|class| self.rebuilt.contains(class))
    }

    /// The class files of program, tests and JDK.
    ///
    /// # Errors
    /// Names the jar or folder that cannot be read.
    pub fn library(&self) -> Result<&Library> {
        if let Some(library) = self.library.get() {
            return Ok(library);
        }
        let library = Library::of(Classes::list(&self.setup.full_class_path)?, &self.setup.jdk);
        Ok(self.library.get_or_init(|| library))
    }

    /// Workers with private folders below `name`; `recorded` ones have the agent.
    ///
    /// # Errors
    /// When one cannot be started.
    pub fn pool(&self, name: &str, workers: usize, stop: &Stop, recorded: bool) -> Result<Pool> {
        let mut configs = vec![];
        for n in 0..workers {
            let mut jvm = self.setup.jvm(&format!("{name}-{n}"), stop)?;
            jvm.agent = recorded.then(|| self.setup.agent(&format!("{name}-{n}-traces"), true));
            configs.push(WorkerConfig { jvm, time_limit: self.setup.time_limit(), probes: Probes::None });
        }
        Pool::start(configs, self.setup.jobs, &self.counted)
    }

    /// The types that tests of the targets may use.
    ///
    /// # Errors
    /// When no worker can be asked.
    pub fn types(&self, targets: &[String], pool: &mut Pool) -> Result<Universe> {
        let carved = self.suite.tests.iter().filter_map(|t| t.carved.as_ref()).map(|c| &c.sequence);
        let ours =
            self.suite.classes.keys().filter(|class| self.setup.classes.contains(*class)).cloned().collect();
        let with_objects: BTreeSet<String> =
            targets.iter().flat_map(|class| self.through.objects_of(class)).collect();
        let targets: Vec<String> = with_objects.into_iter().collect();
        let held = declared::held(self.library()?, &targets);
        let available = Available::new(self.setup);
        universe::types(pool, (&targets, held), carved, &ours, || self.makers(), &available)
    }

    /// What the class files of the program make; nothing, where one cannot be read: the search goes on with what it has.
    fn makers(&self) -> Makers {
        let read = self.library().and_then(|library| Makers::read(library.program(), &self.setup.classes));
        read.unwrap_or_else(|error| {
            let what = "classes that make objects of abstract types are not looked for";
            self.progress.say(&format!("warning: {what}: {error:#}"));
            Makers::default()
        })
    }

    /// Notes what a class has, so that the classes after it need not have it, too.
    pub fn note(&mut self, searched: &Searched, holding: &Holding) {
        let held = holding.held();
        let kept = &searched.grown.kept;
        let written: Vec<_> = held.iter().filter_map(|held| Some((kept.get(held.place)?, held))).collect();
        for (key, n) in newly_covered(&written, &self.confirmed_covered) {
            self.confirmed_covered.add(key, n);
        }
        self.there.extend(holding.worth(&self.counted));
    }

    /// Adds what the tests of a class came to to the results.
    ///
    /// # Errors
    /// When they could not be checked, or not in time; what was kept counts as dropped then.
    pub fn conclude(&mut self, searched: Searched, tested: Tested) -> Result<()> {
        let (finished, trouble) = match tested.holding {
            Ok(holding) => (holding.finish(self.finishing(None), &searched.class, &searched.types), None),
            Err(error) => {
                let class = &searched.class;
                let why = format!("{class}: it could not be checked: {error:#}");
                let dropped = vec![why; searched.grown.kept.len()];
                (Finished { dropped, ..Finished::default() }, Some(error))
            }
        };
        let Searched { class, types, mut refusals, grown, executions, searched, branches } = searched;
        let (stopped_by, iterations) = (grown.stopped_by, grown.iterations.len());
        let held = finished.held.iter();
        let written: Vec<(&Kept, &Held)> =
            held.filter_map(|held| Some((grown.kept.get(held.place)?, held))).collect();
        let first = newly_covered(&written, &self.confirmed_covered);
        let tests: Vec<u32> = written.iter().map(|(kept, _)| kept.iteration).collect();
        let sequences = finished.written.clone();
        for (&key, &n) in &first {
            self.confirmed_covered.add(key, n);
        }
        self.add_iterations(&confirmed(grown.iterations, &tests, &first), stopped_by);
        self.obstacles.extend(grown.obstacles);
        self.say_dependent(&class, &finished);
        let left_out = left_out(&finished, (&grown.kept, &grown.unchecked));
        let not_needed = left_out.len();
        self.left_out.extend(self.left_out_of(&class, &left_out));
        self.redundant += finished.redundant;
        extension::forget(&mut self.confirmed, &finished.replaced());
        refusals.merge(finished.refusals);
        self.rows.push(Row {
            class: class.clone(),
            tests_added: finished.tests,
            refusals: finished.expected,
            faults: finished.faults,
            suspicious: finished.suspicious,
            left_out: not_needed,
            beyond: finished.beyond,
            dropped: finished.dropped.len(),
            not_written: refusals.tests(),
            unstable_assertions: finished.unstable,
            not_beside: finished.not_beside,
            mutants: finished.mutants,
            branches,
            goals: finished.goals,
            iterations,
            stopped_by: stopped_by.map_or("", results::stop_word),
            executions,
            seconds: (searched + tested.spent).as_secs_f64(),
            ..Row::default()
        });
        self.refusals.push((class.clone(), refusals));
        dynaflow_trace::merge(&mut self.confirmed, &finished.recording)?;
        let is_whole = stopped_by == Some(StoppedBy::Fixpoint);
        self.concluded.push(Concluded { class, types, sequences, is_whole });
        self.sources.extend(finished.sources);
        self.dropped.extend(finished.dropped);
        self.findings.extend(finished.findings);
        trouble.map_or(Ok(()), Err)
    }

    /// Finds out which tests of the user run in one JVM with those that will be written.
    ///
    /// # Errors
    /// Names the jar or folder that cannot be read.
    pub fn find_neighbours(&mut self) -> Result<()> {
        let seeds = self.suite.tests.iter().filter(|test| !kept::is_kept(&test.name));
        let of_seeds = (&self.suite.facts, seeds);
        self.neighbours = Neighbours::new(&self.seed_classes, of_seeds, &self.setup.classes, self.library()?);
        Ok(())
    }

    /// Reports which tests do not hold beside the others.
    fn say_dependent(&self, class: &str, finished: &Finished) {
        if let Some(first) = finished.order_dependent.first() {
            let tests = finished.order_dependent.len();
            let line = format!(
                "{class}: dropped for static state that tests share: {tests} of its tests; the first: {first}"
            );
            self.progress.say(&line);
        }
    }

    /// What was kept for a class and not written, with the pairs that it executes.
    fn left_out_of(&self, class: &str, tests: &[(&Kept, Option<String>)]) -> Vec<LeftOut> {
        let (suite, roots) = (&self.suite, &self.counted);
        let names: BTreeSet<&str> = tests.iter().map(|(kept, _)| kept.name.as_str()).collect();
        let mut pairs: BTreeMap<&str, BTreeMap<PairKey, String>> = BTreeMap::new();
        for record in &suite.tests {
            let Some(name) = names.get(record.name.as_str()) else { continue };
            let rooted = record.pairs.iter().filter_map(|&id| sites::rooted(suite, roots, id));
            pairs.entry(name).or_default().extend(rooted);
        }
        let one = |(kept, throws): &(&Kept, Option<String>)| {
            let pairs = pairs.remove(kept.name.as_str()).unwrap_or_default();
            LeftOut {
                class: class.to_owned(),
                sequence: kept.sequence.clone(),
                throws: throws.clone(),
                pairs,
            }
        };
        tests.iter().map(one).collect()
    }

    /// Public methods of a class that no test calls, on a line.
    fn uncalled(&self, of: &Concluded) -> Option<String> {
        let info = self.infos.get(&of.class)?;
        let written = self.concluded.iter().flat_map(|concluded| &concluded.sequences);
        reasons::uncalled(info, &of.types, &self.confirmed, written, of.is_whole)
    }

    /// Iterations of several classes are counted together; the weakest reason to stop stands for all.
    fn add_iterations(&mut self, iterations: &[Iteration], stopped_by: Option<StoppedBy>) {
        for (index, one) in iterations.iter().enumerate() {
            match self.iterations.get_mut(index) {
                Some(sum) => {
                    sum.covered_new += one.covered_new;
                    sum.objectives_new += one.objectives_new;
                    sum.tests_added += one.tests_added;
                }
                None => self.iterations.push(*one),
            }
        }
        let weight = |s: Option<StoppedBy>| match s {
            None => 0,
            Some(StoppedBy::Fixpoint) => 1,
            Some(StoppedBy::Iterations) => 2,
            Some(StoppedBy::Budget) => 3,
            Some(StoppedBy::Losses) => 4,
            Some(StoppedBy::Interrupted) => 5,
        };
        if weight(stopped_by) > weight(self.stopped_by) {
            self.stopped_by = stopped_by;
        }
    }

    /// Writes the tests, the document and the figures, and reports what came of it.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub fn report(mut self) -> Result<()> {
        let options = self.setup.options;
        let findings = self.all_findings()?;
        let mut document = results::document(
            &self.confirmed,
            &self.counted,
            &self.confirmed_covered,
            &self.inferred,
            std::mem::take(&mut self.iterations),
            self.stopped_by,
        );
        document.not_written =
            self.refusals.iter().flat_map(|(class, refusals)| refusals.texts(class)).collect();
        let known: BTreeSet<&str> = self.rows.iter().map(|row| row.class.as_str()).collect();
        let rest = self.setup.targets.iter().filter(|class| !known.contains(class.as_str()));
        let rest: Vec<Row> = rest.map(|class| Row { class: class.clone(), ..Row::default() }).collect();
        self.rows.extend(rest);
        self.rows.sort_by(|a, b| a.class.cmp(&b.class));
        let (left_out, of_left_out) = figures::left_out(&document, &self.left_out);
        document.left_out = left_out;
        document.findings = Some(findings);
        let figures = figures::of(&document, &self.confirmed_covered, &self.inferred, &of_left_out);
        let open = obstacles::of(&document, &self.obstacles, &of_left_out);
        if tracing::enabled!(tracing::Level::INFO) {
            obstacles::lines(&document, &open).iter().for_each(|line| tracing::info!("{line}"));
        }
        let by_root = obstacles::by_root(&document, &open);
        document.obstacles = open.into_iter().map(|(_, text)| text).collect();
        let mut rows = std::mem::take(&mut self.rows);
        for row in &mut rows {
            let roots = self.through.roots_of(&row.class);
            row.pairs = roots.iter().filter_map(|root| figures.get(root)).sum();
            row.open = roots.iter().filter_map(|root| by_root.get(root)).sum();
            row.reason = self.reason(row).unwrap_or_default();
        }
        self.rows = rows;
        let nothing = self.rows.iter().filter(|row| !row.reason.is_empty());
        document.nothing_found =
            nothing.map(|r| DeclinedText { class: r.class.clone(), reason: r.reason.clone() }).collect();
        results::sources(&self.sources, |path| options.place(path))?;
        if let Some(path) = &options.json {
            output::result(Some(path), |out| document.write(options.json_version.into(), out))?;
        }
        if let Some(path) = &options.stats {
            results::stats(path, &self.rows)?;
        }
        self.dropped.iter().for_each(|why| tracing::info!(why, "test dropped"));
        self.say_end();
        Ok(())
    }

    /// Failures that tests reveal, those of earlier runs included whose tests fail as they did, by class and test.
    ///
    /// # Errors
    /// Names the jar or folder that cannot be read.
    fn all_findings(&mut self) -> Result<Vec<FindingText>> {
        let earlier = &self.setup.earlier.findings;
        let standing = self.standing.iter().filter_map(|(test, failure)| {
            let (class, comments) = earlier.get(test)?;
            findings::standing((class, test), comments, failure)
        });
        let mut all: Vec<FindingText> = standing.collect();
        if !all.is_empty() {
            let judge = Judge::new(&self.setup.classes, &self.setup.all_classes, self.library()?);
            all.iter_mut().for_each(|finding| findings::place(finding, &judge));
        }
        let new = std::mem::take(&mut self.findings);
        all.extend(new);
        all.sort_by(|a, b| (&a.class, &a.test).cmp(&(&b.class, &b.test)));
        Ok(all)
    }

    /// Why nothing was found for the class of a row; none when something was.
    fn reason(&self, row: &Row) -> Option<String> {
        if row.pairs.all() + row.tests_added + row.findings() + row.left_out + row.not_written > 0 {
            return None;
        }
        // Before workers start nobody has asked about the classes.
        let is_asked = !self.infos.is_empty() || !self.failures.is_empty();
        let is_untouched = row.executions == 0 && (self.planned.contains(&row.class) || !is_asked);
        if is_untouched && row.stopped_by != results::stop_word(StoppedBy::Fixpoint) {
            return Some("the search ended before its turn came".to_owned());
        }
        let is_sought = self.is_scratch || self.setup.criteria.cover();
        let info = self.infos.get(&row.class);
        let uninitialised = || self.uninitialised.get(&row.class).cloned();
        self.never(&row.class)
            .or_else(uninitialised)
            .or_else(|| info.map(|info| reasons::nothing(info, &self.confirmed, is_sought)))
    }

    fn say_end(&self) {
        let mut remarks = Remarks::default();
        let found: Vec<&Row> = self.rows.iter().filter(|row| row.reason.is_empty()).collect();
        for row in self.rows.iter().filter(|row| !row.reason.is_empty()) {
            remarks.add(&row.class, &format!("nothing found: {}", row.reason));
        }
        summary::remark(&found, &mut remarks);
        let is_found = |class: &String| found.iter().any(|row| row.class == *class);
        let concluded = self.concluded.iter().filter(|concluded| is_found(&concluded.class));
        let uncalled = concluded.filter_map(|of| Some((of.class.as_str(), self.uncalled(of)?)));
        summary::remark_uncalled(&uncalled.collect::<Vec<_>>(), &mut remarks);
        self.setup.narrowed.iter().for_each(|line| output::say(line));
        summary::say(&found, &remarks);
        if let (true, Err(why)) = (self.lacks_solver.get(), &self.setup.solver) {
            output::say(&format!(
                "no solver was asked about mutants of static methods over numbers that nothing notices: {why}; install z3, or name a solver with --solver"
            ));
        }
        self.losses.lines().iter().for_each(|line| output::say(line));
        effects::lines(&self.refusals).iter().for_each(|line| output::say(line));
        for source in &self.sources {
            let path = self.setup.options.place(&source.path);
            match source.kept.len() {
                _ if source.replaces.is_none() => output::say(&format!("wrote {}", path.display())),
                kept => output::say(&format!("extended {}, which keeps {kept} of its tests", path.display())),
            }
        }
        let format = &self.setup.options.format;
        if !self.sources.is_empty() && !format.is_empty() {
            output::say(&format!(
                "the build knows how its sources are formatted, and may fail on others: run {}",
                format.join(" and ")
            ));
        }
        if self.redundant > 0 {
            output::say(&format!(
                "{} tests of earlier runs were left out: for each, one of the new tests covers all its pairs",
                self.redundant
            ));
        }
    }
}

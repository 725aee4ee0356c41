//! `dynaflow atg`: a small suite for the mutants of a class (Zhang, Gupta, Halfond, section IV.C).
//!
//! Data path: [`setup`] -> [`methods`] -> [`random`] calls -> [`suite`] (seen, written, compiled, run with mutants) -> [`deterministic`] for what is alive -> all tests in
//! reverse order, of which those stay that notice a mutant first -> [`report`]. It knows neither class files nor JVMs. Invariant: the score counts what
//! JVMs showed of tests that are compiled; the solver decides what is tried, and what is called equivalent.

pub mod options;
mod random;
mod report;
mod setup;
mod suite;

use crate::exit_code::Exit;
use crate::jvm::process::Stop;
use crate::jvm::worker::Worker;
use crate::mutation::{Made, Observer};
use crate::output;
use crate::solving::methods::{Method, Methods};
use crate::solving::mutants::{Deterministic, Known};
use crate::watch::{self, Watch};
use anyhow::{Context, Result, anyhow};
use dynaflow_classfile::ClassFile;
use dynaflow_mutants::{Mutant, Operator, Options};
use dynaflow_search::{Types, package_of};
use dynaflow_solve::dalgorithm::Limits;
use dynaflow_solve::{Argument, Solver};
use options::AtgOptions;
use random::Random;
use report::{Outcome, Report};
use setup::Setup;
use std::collections::{BTreeMap, BTreeSet};
use suite::{Case, Compiled};

/// Writes the suite.
///
/// # Errors
/// When the options are wrong, the class has no mutants or no method to call, or JVMs cannot be run.
pub fn run(options: &AtgOptions) -> Result<Exit> {
    let (stop, watch) = (Stop::default(), Watch::new());
    let setup = Setup::new(options, &stop)?;
    check_out(options, &setup)?;
    watch::interrupts(&stop)?;
    let done = generate(options, &setup, &watch);
    watch.end();
    let report = match done {
        Err(error) if stop.is_stopped() => {
            output::error(&error);
            return Ok(Exit::Interrupted);
        }
        other => other?,
    };
    output::result(None, |out| report.text(out))?;
    if let Some(path) = &options.json {
        output::result(Some(path), |out| report.json(out))?;
    }
    Ok(Exit::Success)
}

/// Refuses to write over a file of another run: what is there may have been edited.
fn check_out(options: &AtgOptions, setup: &Setup) -> Result<()> {
    let paths = dynaflow_testgen::paths(&setup.class);
    match paths.iter().map(|path| options.out.join(path)).find(|path| path.exists()) {
        Some(path) => {
            Err(anyhow!("--out: {} is there already; move it away, or name another folder", path.display()))
        }
        None => Ok(()),
    }
}

/// The tests that are there, and what they notice.
#[derive(Default)]
struct Pool {
    /// Random ones first, then those that were solved, in the order in which they were found.
    cases: Vec<Case>,
    dropped: usize,
}

fn generate(options: &AtgOptions, setup: &Setup, watch: &Watch) -> Result<Report> {
    watch.stage("making mutants");
    let mujava = Options { operators: Operator::mujava().collect(), filter: false };
    let made = Made::new(
        &setup.work.path().join("mutants"),
        &[(setup.class.clone(), setup.bytes.clone())],
        &mujava,
    )?;
    let mutants = made.mutants(&setup.class);
    let mut worker = suite::worker(setup)?;
    let described =
        worker.describe(std::slice::from_ref(&setup.class)).context("cannot look at the class")?;
    if let Some((class, why)) = described.failures.first() {
        return Err(anyhow!("{class} cannot be loaded: {why}"));
    }
    let types = Types::new(described.types, package_of(&setup.class));
    let methods = Methods::of(&setup.class, &types);
    check(setup, &mutants, &methods)?;
    let mut run = Run { setup, watch, made: &made, types: &types, worker, pool: Pool::default(), folders: 0 };
    let mut alive: BTreeSet<u32> = mutants.keys().copied().collect();
    watch.stage("random calls");
    let calls = random_calls(options, &methods);
    run.keep_noticing(&calls, &mut alive)?;
    let by_chance = run.pool.cases.len();
    let (known, asked) = solve(options, &mut run, &mutants, &methods, &mut alive)?;
    let (kept, noticed) = run.compact(&mutants)?;
    let sources = run.write(options, &kept, &noticed)?;
    let outcomes = outcomes(&mutants, &noticed, &known, &setup.solver);
    Ok(Report {
        class: setup.class.clone(),
        seed: options.seed,
        by_chance,
        solved: run.pool.cases.len() - by_chance,
        kept: kept.len(),
        dropped: run.pool.dropped,
        asked,
        solver: setup.solver.as_ref().map(|config| config.command.join(" ")).map_err(Clone::clone),
        refused: methods.refused,
        outcomes,
        sources,
    })
}

fn check(setup: &Setup, mutants: &BTreeMap<u32, &Mutant>, methods: &Methods) -> Result<()> {
    let class = &setup.class;
    if mutants.is_empty() {
        return Err(anyhow!("{class} has no mutants: nothing in it computes"));
    }
    if methods.callable.is_empty() {
        let why = methods.refused.iter().next().map(|(name, why)| format!(", such as {name}: {why}"));
        return Err(anyhow!(
            "{class} has no static method that takes numbers and arrays of numbers alone{}",
            why.unwrap_or_default()
        ));
    }
    Ok(())
}

fn random_calls<'m>(options: &AtgOptions, methods: &'m Methods) -> Vec<(&'m Method, Vec<Argument>)> {
    let mut random = Random::new(options.seed);
    let mut calls = vec![];
    for method in &methods.callable {
        let mut seen = BTreeSet::new();
        for _ in 0..options.random_tests {
            let arguments = random.arguments(&method.parameters);
            if seen.insert(arguments.clone()) {
                calls.push((method, arguments));
            }
        }
    }
    calls
}

/// The deterministic pass: rounds of solving and running, until nothing new is tried. Gives what is known of mutants, and how many queries were asked.
fn solve(
    options: &AtgOptions,
    run: &mut Run<'_>,
    mutants: &BTreeMap<u32, &Mutant>,
    methods: &Methods,
    alive: &mut BTreeSet<u32>,
) -> Result<(BTreeMap<u32, Known>, usize)> {
    let Ok(config) = &run.setup.solver else { return Ok((BTreeMap::new(), 0)) };
    let class =
        ClassFile::parse(&run.setup.bytes).map_err(|error| anyhow!("{}: {error}", run.setup.class))?;
    let limits = Limits { backtracks: options.backtracks as usize, ..Limits::default() };
    let mut pass = Deterministic::new(class, Solver::new(Some(config.clone())), limits, !options.no_whole);
    loop {
        run.watch.stage("asking the solver");
        let left: BTreeMap<u32, &Mutant> =
            mutants.iter().filter(|(number, _)| alive.contains(number)).map(|(n, m)| (*n, *m)).collect();
        let stop = &run.setup.stop;
        let found = pass.solve(methods, &left, usize::MAX, &|done| run.watch.done(done, left.len()), &|| {
            stop.is_stopped()
        });
        if stop.is_stopped() {
            return Err(anyhow!("interrupted"));
        }
        if found.is_empty() {
            let asked = pass.asked();
            return Ok((pass.known, asked));
        }
        let calls: Vec<(&Method, Vec<Argument>)> = found
            .into_iter()
            .filter_map(|solution| Some((methods.callable.get(solution.method)?, solution.arguments)))
            .collect();
        run.keep_noticing(&calls, alive)?;
    }
}

/// What the passes share.
struct Run<'a> {
    setup: &'a Setup,
    watch: &'a Watch,
    made: &'a Made,
    types: &'a Types,
    worker: Worker,
    pool: Pool,
    folders: usize,
}

impl Run<'_> {
    fn folder(&mut self) -> String {
        self.folders += 1;
        format!("round-{}", self.folders)
    }

    /// Runs calls with the mutants that are alive; keeps those that notice one first, and takes these mutants away.
    fn keep_noticing(&mut self, calls: &[(&Method, Vec<Argument>)], alive: &mut BTreeSet<u32>) -> Result<()> {
        let cases: Vec<Case> = suite::observed(&mut self.worker, calls).into_iter().flatten().collect();
        let (cases, compiled) = self.compiled(cases)?;
        self.pool.dropped += calls.len() - cases.len();
        let Some(compiled) = compiled else { return Ok(()) };
        self.watch.stage(&format!("running {} mutants against {} tests", alive.len(), cases.len()));
        let noticed = compiled.noticed(self.setup, self.made, alive, self.watch)?;
        alive.retain(|mutant| !noticed.contains_key(mutant));
        let first: BTreeSet<usize> = noticed.into_values().collect();
        self.pool.cases.extend(first.into_iter().filter_map(|case| cases.get(case).cloned()));
        Ok(())
    }

    /// The cases whose tests hold, compiled.
    fn compiled(&mut self, mut cases: Vec<Case>) -> Result<(Vec<Case>, Option<Compiled>)> {
        loop {
            let all: Vec<(&Case, String)> = cases.iter().map(|case| (case, String::new())).collect();
            let written = suite::write(self.setup, self.types, &all);
            let folder = self.folder();
            let mut out: BTreeSet<usize> = (0..cases.len()).collect();
            out.retain(|case| !written.cases.values().any(|written| written == case));
            let compiled = Compiled::new(self.setup, self.made, written, &folder, self.watch)?;
            out.extend(compiled.iter().flat_map(|compiled| compiled.broken().into_keys()));
            if out.is_empty() {
                return Ok((cases, compiled));
            }
            let mut place = 0..;
            cases.retain(|_| place.next().is_some_and(|place| !out.contains(&place)));
        }
    }

    /// Reverse order simulation: of all tests, the last first, those stay that notice a mutant which none before did. Gives their places and, by mutant, the
    /// place of the one that notices it.
    fn compact(&mut self, mutants: &BTreeMap<u32, &Mutant>) -> Result<(Vec<usize>, BTreeMap<u32, usize>)> {
        let (cases, compiled) = self.compiled(self.pool.cases.clone())?;
        let Some(mut compiled) = compiled else { return Ok((vec![], BTreeMap::new())) };
        self.pool.dropped += self.pool.cases.len() - cases.len();
        self.pool.cases = cases;
        compiled.reverse();
        self.watch
            .stage(&format!("running all mutants against {} tests, the last first", self.pool.cases.len()));
        let all = mutants.keys().copied().collect();
        let noticed = compiled.noticed(self.setup, self.made, &all, self.watch)?;
        let kept: BTreeSet<usize> = noticed.values().copied().collect();
        Ok((kept.into_iter().collect(), noticed))
    }

    /// Writes the tests that stay, compiled and run once more as they are written; gives the files.
    fn write(
        &mut self,
        options: &AtgOptions,
        kept: &[usize],
        noticed: &BTreeMap<u32, usize>,
    ) -> Result<Vec<String>> {
        let comment = |place: usize| {
            let mut own = noticed.iter().filter(|(_, by)| **by == place).map(|(mutant, _)| *mutant);
            let first = own.next().and_then(|mutant| self.made.text(mutant)).unwrap_or_default();
            let more = own.count();
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            format!("Notices the mutant: {first}{more}")
        };
        let cases: Vec<(&Case, String)> =
            kept.iter().filter_map(|place| Some((self.pool.cases.get(*place)?, comment(*place)))).collect();
        let written = suite::write(self.setup, self.types, &cases);
        let sources: Vec<(String, String)> = written
            .generated
            .sources
            .iter()
            .map(|source| (source.path.clone(), source.text.clone()))
            .collect();
        let folder = self.folder();
        let compiled = Compiled::new(self.setup, self.made, written, &folder, self.watch)?;
        if let Some((_, why)) = compiled.iter().flat_map(Compiled::broken).next() {
            return Err(anyhow!("a test that held fails when it is written without the others: {why}"));
        }
        let mut paths = vec![];
        for (path, text) in sources {
            let path = options.out.join(path);
            let context = || format!("--out: cannot write {}", path.display());
            std::fs::create_dir_all(path.parent().unwrap_or(&options.out)).with_context(context)?;
            std::fs::write(&path, text).with_context(context)?;
            paths.push(path.display().to_string());
        }
        Ok(paths)
    }
}

/// What became of each mutant.
fn outcomes(
    mutants: &BTreeMap<u32, &Mutant>,
    noticed: &BTreeMap<u32, usize>,
    known: &BTreeMap<u32, Known>,
    solver: &Result<dynaflow_solve::Config, String>,
) -> Vec<(Mutant, Outcome)> {
    let outcome = |number: &u32| {
        if noticed.contains_key(number) {
            return Outcome::Noticed;
        }
        match (known.get(number), solver) {
            (Some(known), _) => Outcome::Alive(known.clone()),
            (None, Err(why)) => Outcome::NotTried(format!("there is no solver: {why}")),
            (None, Ok(_)) => Outcome::NotTried("a test seemed to notice it".to_owned()),
        }
    };
    mutants.iter().map(|(number, mutant)| ((*mutant).clone(), outcome(number))).collect()
}

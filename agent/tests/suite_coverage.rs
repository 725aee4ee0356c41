//! A real suite, run twice: with the agent and `mode=dua`; and with a log of the basic blocks that every frame entered, which a naive
//! interpreter of definition-use associations replays. Methods that no exception went through must have the same
//! associations covered; of the others, at least what their undisturbed frames covered. And a third time with the probes that lead a search, which follow
//! definitions in another way: these must agree about each pair.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

mod support;

use dynaflow_fitness::{Kind, Wanted, guided};
use dynaflow_flowgraph::dua::{MethodDuas, Options, Unknown, of_class};
use dynaflow_flowgraph::{EdgeKind, Use};
use dynaflow_instrument::{Plan, WeaveOptions};
use dynaflow_java_shim::FITNESS_JAR;
use dynaflow_model::sites::SiteKind;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{agent_argument, jars, java_homes_since};

/// The library, its tests, and what those need.
const LIBRARY: &str = "commons-cli-1.9.0";
const TESTS: &str = "commons-cli-1.9.0-tests";
const CONSOLE: &str = "junit-platform-console-standalone-1.11.4";
const NEEDED: [&str; 5] = [
    "commons-io-2.16.1",
    "mockito-core-4.11.0",
    "byte-buddy-1.12.19",
    "byte-buddy-agent-1.12.19",
    "objenesis-3.3",
];
const INCLUDE: &str = "org.apache.commons.cli.**";

/// First of the site ids of the log; others are none of it.
const FIRST_SITE: u32 = 1000;

/// What a site of the log says.
#[derive(Clone, Copy)]
enum Said {
    Enter,
    Block(u32),
    Leave { thrown: bool },
    Nothing,
}

/// A library woven so that it logs blocks, and what its methods are.
struct Logged {
    /// By site: the method, by its number in `methods`, and what the site says.
    sites: Vec<(usize, Said)>,
    methods: Vec<Option<MethodDuas>>,
    names: Vec<String>,
}

/// Weaves a jar into another.
fn weave(from: &Path, to: &Path) -> Logged {
    let mut logged = Logged { sites: Vec::new(), methods: Vec::new(), names: Vec::new() };
    rewrite(from, to, |bytes| logged.weave(bytes));
    logged
}

/// Copies a jar, with other classes where there are some.
fn rewrite(from: &Path, to: &Path, mut other: impl FnMut(&[u8]) -> Option<Vec<u8>>) {
    let mut zip = zip::ZipArchive::new(BufReader::new(File::open(from).unwrap())).unwrap();
    let mut out = zip::ZipWriter::new(File::create(to).unwrap());
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        let name = file.name().to_owned();
        let written = if name.ends_with(".class") && !name.contains("module-info") {
            other(&bytes).unwrap_or(bytes)
        } else {
            bytes
        };
        if !name.ends_with('/') {
            out.start_file(name, stored).unwrap();
            out.write_all(&written).unwrap();
        }
    }
    out.finish().unwrap();
}

impl Logged {
    fn weave(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let options = WeaveOptions { blocks: true, ..WeaveOptions::default() };
        let plan = Plan::new(bytes, &options).ok()?;
        let sites = plan.sites().clone();
        let woven = plan.weave(FIRST_SITE + self.sites.len() as u32).ok()?;
        assert!(woven.declined.is_empty(), "{:?}", woven.declined);
        let first = self.methods.len();
        for site in &sites.sites {
            let said = match site.kind {
                SiteKind::Enter { .. } => Said::Enter,
                SiteKind::Block { number } => Said::Block(number),
                SiteKind::Exit { exceptional } => Said::Leave { thrown: exceptional },
                _ => Said::Nothing,
            };
            self.sites.push((first + usize::from(site.method), said));
        }
        let analysed = of_class(bytes, &Options::default(), None).unwrap();
        for method in &sites.methods {
            let signature = format!("{}{}", method.name, method.descriptor);
            let found = analysed.methods.iter().find(|m| format!("{}{}", m.name, m.descriptor) == signature);
            self.methods.push(found.cloned());
            self.names.push(format!("{}.{signature}", sites.name));
        }
        Some(woven.bytes)
    }

    /// Reads a log: for each method the frames that ran undisturbed, as nodes, each sort once; and the methods that also had others.
    fn frames(&self, log: &Path) -> (HashMap<usize, HashSet<Vec<u32>>>, HashSet<usize>) {
        let mut bytes = Vec::new();
        File::open(log).unwrap().read_to_end(&mut bytes).unwrap();
        let mut stacks: HashMap<u32, Vec<(usize, Vec<u32>)>> = HashMap::new();
        let (mut whole, mut disturbed) = (HashMap::<usize, HashSet<Vec<u32>>>::new(), HashSet::new());
        for entry in bytes.chunks_exact(8) {
            let thread = u32::from_be_bytes(entry[..4].try_into().unwrap());
            let site = u32::from_be_bytes(entry[4..].try_into().unwrap());
            // Above its number stands what the recorder needs to know.
            let site = site & (dynaflow_model::words::SITE_LIMIT - 1);
            let (method, said) = self.sites[(site - FIRST_SITE) as usize];
            let stack = stacks.entry(thread).or_default();
            match said {
                Said::Enter => stack.push((method, Vec::new())),
                Said::Nothing => {}
                Said::Block(_) | Said::Leave { .. } => {
                    // A constructor out of whose `super(...)` an exception came does not say that it ends.
                    while stack.last().is_some_and(|(top, _)| *top != method) {
                        disturbed.extend(stack.pop().map(|(method, _)| method));
                    }
                    match said {
                        Said::Block(block) => stack.last_mut().unwrap().1.push(block),
                        _ => {
                            let (method, nodes) = stack.pop().unwrap();
                            if matches!(said, Said::Leave { thrown: true }) || !self.is_path(method, &nodes) {
                                disturbed.insert(method);
                            } else {
                                whole.entry(method).or_default().insert(nodes);
                            }
                        }
                    }
                }
            }
        }
        disturbed.extend(stacks.into_values().flatten().map(|(method, _)| method));
        (whole, disturbed)
    }

    /// Whether nodes follow one another without exceptions.
    fn is_path(&self, method: usize, nodes: &[u32]) -> bool {
        let Some(duas) = &self.methods[method] else { return true };
        let cfg = duas.problem.cfg();
        let leads = |from: u32, to: u32| {
            cfg.successors(from).iter().any(|edge| edge.to == to && edge.kind == EdgeKind::Normal)
        };
        nodes.windows(2).all(|pair| leads(pair[0], pair[1]))
            && nodes.last().is_some_and(|last| leads(*last, cfg.exit()))
    }
}

/// The ids of the associations that these nodes cover, one after the other.
fn replay(duas: &MethodDuas, nodes: &[u32]) -> BTreeSet<u64> {
    let problem = &duas.problem;
    let entry = (problem.cfg().entry() == 0).then_some(0);
    let path: Vec<u32> = entry.into_iter().chain(nodes.iter().copied()).collect();
    let mut covered = BTreeSet::new();
    for (dua, detail) in problem.duas().iter().zip(&duas.details) {
        let mut live = false;
        for (position, node) in path.iter().enumerate() {
            let mut is_covered = live && dua.usage == Use::Node(*node);
            if problem.is_defined(*node, dua.variable) {
                live = dua.def == *node;
            }
            let next = path.get(position + 1).copied().unwrap_or(problem.cfg().exit());
            is_covered |= live && dua.usage == Use::Edge(*node, next);
            if is_covered {
                covered.insert(detail.number());
            }
        }
    }
    covered
}

/// What runs the suite.
const LAUNCHER: &str = "org.junit.platform.console.ConsoleLauncher";

/// Runs the suite by a `java` that is given everything but the launcher's arguments; gives the lines that count its tests.
fn run(java: &mut Command, library: &Path, jars: &[PathBuf]) -> Vec<String> {
    let [_, tests, needed @ ..] = jars else { panic!("jars are missing") };
    let path = std::env::join_paths([library, tests].into_iter().chain(needed.iter().map(PathBuf::as_path)))
        .unwrap();
    java.env_remove("JAVA_TOOL_OPTIONS").args(["execute", "--disable-banner", "--details=none"]);
    java.arg("--class-path").arg(path).arg("--scan-class-path").arg(tests);
    java.args(["--include-classname", "^[^$]*Tests?$"]);
    let output = java.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let counts: Vec<String> =
        text.lines().filter(|line| line.contains(" tests ")).map(str::to_owned).collect();
    assert!(!counts.is_empty(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    counts
}

/// Compiles the recorder that records nothing, but for the methods that report sites without values: these log.
fn compile_logger(home: &Path, folder: &Path) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let silent = here.join("../tests/corpus/java/DynaflowRecorder.java");
    let mut source = std::fs::read_to_string(silent).unwrap();
    let calls = [
        ("at(int a) { }", "at(int a) { DynaflowLog.site(a); }"),
        ("on(Object a, int b) { }", "on(Object a, int b) { DynaflowLog.site(b); }"),
        ("threw(Object a, int b) { }", "threw(Object a, int b) { DynaflowLog.site(b); }"),
    ];
    for (silent, logs) in calls {
        assert!(source.contains(silent), "the recorder that records nothing has {silent}");
        source = source.replace(silent, logs);
    }
    let sources = folder.join("java.base/java/lang");
    std::fs::create_dir_all(&sources).unwrap();
    std::fs::write(sources.join("DynaflowRecorder.java"), source).unwrap();
    std::fs::copy(here.join("tests/java/DynaflowLog.java"), sources.join("DynaflowLog.java")).unwrap();
    let patch = format!("java.base={}", folder.join("java.base").display());
    let mut javac = support::javac(home);
    javac.arg("--patch-module").arg(patch).arg("-nowarn").arg("-d").arg(folder);
    javac.arg(sources.join("DynaflowRecorder.java")).arg(sources.join("DynaflowLog.java"));
    let output = javac.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_real_suite_covers_what_a_replay_of_its_blocks_covers() {
    let mut names = vec![CONSOLE, TESTS];
    names.extend(NEEDED);
    let (jars, library) = (jars(&names), support::jars(&[LIBRARY]).remove(0));
    for home in java_homes_since(9, "it cannot be started with a class of ours in java.base") {
        let folder = tempfile::tempdir().unwrap();
        let (woven, recorder, log, traces) = (
            folder.path().join("woven.jar"),
            folder.path().join("recorder"),
            folder.path().join("log"),
            folder.path().join("traces"),
        );
        std::fs::create_dir(&recorder).unwrap();
        compile_logger(&home, &recorder);
        let logged = weave(&library, &woven);

        let java = || Command::new(home.join("bin/java"));
        let launched = |java: &mut Command| run(java.arg("-cp").arg(&jars[0]).arg(LAUNCHER), &library, &jars);
        let plain = launched(&mut java());
        let patch = format!("--patch-module=java.base={}", recorder.display());
        let mut logging = java();
        logging.arg(patch).arg(format!("-Ddynaflow.log={}", log.display())).arg("-cp").arg(&jars[0]);
        let with_log = run(logging.arg(LAUNCHER), &woven, &jars);
        let options = format!("out={},mode=dua,include={INCLUDE}", traces.display());
        let recorded = launched(java().arg(agent_argument(&options)));
        assert_eq!((&with_log, &recorded), (&plain, &plain), "the suite ends the same way");

        let file = dynaflow_trace::trace_files(&[traces]).unwrap().remove(0);
        let covered = dynaflow_trace::read(&file).unwrap().0.coverage.covered;
        let (whole, disturbed) = logged.frames(&log);
        let (mut exact, mut duas, mut wrong) = (0, 0, BTreeMap::new());
        for (index, method) in logged.methods.iter().enumerate() {
            let Some(method) = method.as_ref().filter(|method| !method.details.is_empty()) else { continue };
            let frames = whole.get(&index).into_iter().flatten();
            let expected: BTreeSet<u64> = frames.flat_map(|nodes| replay(method, nodes)).collect();
            let ids = method.details.iter().map(|detail| detail.number());
            let found: BTreeSet<u64> = ids.filter(|id| covered.contains(id)).collect();
            let fine = if disturbed.contains(&index) {
                expected.is_subset(&found)
            } else {
                exact += 1;
                duas += found.len();
                expected == found
            };
            if !fine {
                wrong.insert(&logged.names[index], (expected.len(), found.len()));
            }
        }
        println!(
            "{}: {exact} methods alike, {duas} associations covered, {} disturbed",
            home.display(),
            disturbed.len()
        );
        assert!(wrong.is_empty(), "covered by the blocks, and as recorded: {wrong:?}");
        assert!(
            exact > 60 && duas > 500,
            "{exact} methods with {duas} associations are too few to show anything"
        );
    }
}

/// A jar with probes for def-use pairs: how many numbers it has, and by number the id of each pair within a method.
fn with_pairs(from: &Path, to: &Path) -> (u32, BTreeMap<u32, u64>) {
    let wanted = Wanted { pairs: true, ..Wanted::BRANCHES };
    let (mut numbers, mut ids) = (0, BTreeMap::new());
    rewrite(from, to, |bytes| {
        let woven = guided(bytes, numbers, wanted, &Unknown).unwrap();
        assert_eq!(woven.declined, Vec::<String>::new());
        for (number, place) in (numbers..).zip(&woven.branches) {
            if let Kind::Pair(pair) = place.kind {
                let pair = &woven.pairs[pair as usize];
                let id = u64::from_str_radix(&pair.id, 16).unwrap();
                ids.extend((!pair.is_of_object).then_some((number, id)));
            }
        }
        numbers += woven.branches.len() as u32;
        Some(woven.bytes)
    });
    (numbers, ids)
}

#[test]
fn the_probes_that_lead_a_search_cover_the_pairs_that_the_agent_records_as_covered() {
    let mut names = vec![CONSOLE, TESTS];
    names.extend(NEEDED);
    let (jars, library) = (jars(&names), support::jars(&[LIBRARY]).remove(0));
    for home in support::java_homes() {
        let scratch = tempfile::tempdir().unwrap();
        let file = |name: &str| scratch.path().join(name);
        let (woven, probes, reached, traces) =
            (file("woven.jar"), file("probes.jar"), file("reached"), file("traces"));
        std::fs::write(&probes, FITNESS_JAR).unwrap();
        let launcher = support::Bench::new(&home, &["Reached.java"], &[jars[0].clone(), probes.clone()]);
        let (numbers, ids) = with_pairs(&library, &woven);
        let mut java = Command::new(home.join("bin/java"));
        java.arg(format!("-Xbootclasspath/a:{}", probes.display())).arg(format!("-Dplaces={numbers}"));
        java.arg(format!("-Dreached={}", reached.display()));
        let class_path = std::env::join_paths([&jars[0], &launcher.folder().join("classes")]).unwrap();
        run(java.arg("-cp").arg(class_path).arg("Reached"), &woven, &jars);
        let outcomes = std::fs::read_to_string(&reached).unwrap();
        let outcomes: BTreeSet<u32> = outcomes.lines().map(|line| line.parse().unwrap()).collect();
        let found = ids.iter().filter(|(number, _)| outcomes.contains(&(2 * *number)));
        let found: BTreeSet<u64> = found.map(|(_, id)| *id).collect();

        let options = format!("out={},mode=dua,include={INCLUDE}", traces.display());
        let mut java = Command::new(home.join("bin/java"));
        run(java.arg(agent_argument(&options)).arg("-cp").arg(&jars[0]).arg(LAUNCHER), &library, &jars);
        let file = dynaflow_trace::trace_files(&[traces]).unwrap().remove(0);
        let covered = dynaflow_trace::read(&file).unwrap().0.coverage.covered;
        let expected: BTreeSet<u64> = ids.values().filter(|id| covered.contains(*id)).copied().collect();
        println!("{}: {} of {} pairs covered", home.display(), expected.len(), ids.len());
        assert_eq!(found, expected);
        assert!(expected.len() > 500 && expected.len() < ids.len());
    }
}

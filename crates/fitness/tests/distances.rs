//! What probes report, run in JVMs: `Doors.java` beside this file says behind each call what it misses, and by how much.
//!
//! It knows the target's comments, not the rules. Invariant: with probes the target does what it does without.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../../../tests/shared/javac.rs"]
mod javac;
#[path = "../../../tests/shared/jdks.rs"]
mod jdks;

use dynaflow_classfile::pool::MemberText;
use dynaflow_fitness::{Branch, Guided, Kind, Wanted, guided};
use dynaflow_flowgraph::dua::{Callees, Unknown};
use jdks::java_homes;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the calls of the targets do to the objects of the JDK that they are made on.
struct OfTheJdk;

impl Callees for OfTheJdk {
    fn modifies(&self, method: &MemberText<'_>) -> bool {
        !matches!(method.name.0, b"size" | b"length" | b"trim")
    }
}

const LINES: Wanted = Wanted { lines: true, ..Wanted::BRANCHES };

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// The target and the class that its probes call, compiled for Java 8.
fn compiled(home: &Path, name: &str, out: &Path) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = here.join(format!("tests/java/{name}.java"));
    let called = |name: &str| here.join("../../java-shim/src/main/java/io/dynaflow/fitness").join(name);
    let mut javac = javac::javac(home);
    javac.args(["--release", "8", "-g", "-nowarn", "-Xlint:-options", "-d"]).arg(out);
    run(javac.args([
        &target,
        &here.join("tests/java/Show.java"),
        &called("Distances.java"),
        &called("Flow.java"),
    ]));
    target
}

/// What the target says of its calls, in order.
fn declared(source: &str) -> Vec<String> {
    let of = |line: &str| {
        let (call, expected) = line.split_once("//: ")?;
        Some(format!("{} = {expected}", call.split('"').nth(1)?))
    };
    source.lines().filter_map(of).collect()
}

#[test]
fn probes_report_how_near_each_call_came_to_what_it_missed() {
    for home in java_homes() {
        let (source, _, shown) = shown(&home, "Doors", Wanted::BRANCHES);
        let declared = declared(&source);
        assert!(declared.len() > 20);
        assert_eq!(shown.lines().collect::<Vec<_>>(), declared, "{}", home.display());
    }
}

/// The names of the lines of a source, by line.
fn names_of_lines(source: &str) -> BTreeMap<u16, &str> {
    let named = (1..).zip(source.lines()).filter_map(|(line, text)| Some((line, text.split_once("// @")?.1)));
    named.collect()
}

/// The source of a target, the class with probes, and what its calls show.
fn shown(home: &Path, target: &str, wanted: Wanted) -> (String, Guided, String) {
    let folder = tempfile::tempdir().unwrap();
    let source = fs::read_to_string(compiled(home, target, folder.path())).unwrap();
    let file = folder.path().join(format!("{target}.class"));
    let woven = guided(&fs::read(&file).unwrap(), 0, wanted, &OfTheJdk).unwrap();
    assert_eq!(woven.declined, Vec::<String>::new());
    fs::write(&file, &woven.bytes).unwrap();
    let mut count = woven.branches.len() as u32;
    let inside = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
    for file in inside.filter(|file| file.to_string_lossy().contains(&format!("{target}$"))) {
        let woven = guided(&fs::read(&file).unwrap(), count, wanted, &OfTheJdk).unwrap();
        count += woven.branches.len() as u32;
        fs::write(&file, &woven.bytes).unwrap();
    }
    let mut java = Command::new(home.join("bin/java"));
    java.args(["-Xverify:all", "-XX:-PrintWarnings", "-cp"]).arg(folder.path());
    let shown = run(java.arg(target).arg(count.to_string()));
    (source, woven, shown)
}

/// The source of `Paths`, the class with probes, and the outcomes that each of its calls has.
fn paths(home: &Path, wanted: Wanted) -> (String, Guided, Vec<(String, BTreeSet<u32>)>) {
    let (source, woven, shown) = shown(home, "Paths", wanted);
    let call = |line: &str| {
        let (call, outcomes) = line.split_once(':').unwrap();
        (call.to_owned(), outcomes.split_whitespace().map(|n| n.parse().unwrap()).collect())
    };
    (source, woven, shown.lines().map(call).collect())
}

#[test]
fn a_line_is_reached_by_the_calls_that_run_it_and_a_method_without_branches_by_those_that_enter_it() {
    for home in java_homes() {
        let (source, woven, calls) = paths(&home, LINES);
        let line_of = |text: &str| (1..).zip(source.lines()).find(|(_, line)| line.contains(text)).unwrap().0;
        let goal = |kind: Kind, line: u16| {
            let is_it = |(_, goal): &(u32, &Branch)| (goal.kind, goal.line) == (kind, line);
            let found: Vec<u32> = (0..).zip(&woven.branches).filter(is_it).map(|(n, _)| 2 * n).collect();
            assert_eq!(found.len(), 1, "{kind:?} of line {line}");
            found[0]
        };
        let that_reach = |outcome: u32| -> Vec<&str> {
            let reach = calls.iter().filter(|(_, outcomes)| outcomes.contains(&outcome));
            reach.map(|(call, _)| call.as_str()).collect()
        };
        assert_eq!(that_reach(goal(Kind::Line, line_of("sum--;"))), ["nested 0 2"]);
        assert_eq!(
            that_reach(goal(Kind::Line, line_of("continue;"))).len(),
            9,
            "loops of three rounds and more"
        );
        assert_eq!(that_reach(goal(Kind::Line, line_of("return -1;"))), ["caught "], "behind an exception");
        assert_eq!(that_reach(goal(Kind::Entry, line_of("return text.trim"))), ["plain"]);
        let entered = woven.branches.iter().filter(|goal| goal.kind == Kind::Entry);
        let entered: Vec<&str> = entered.map(|goal| goal.method.split('(').next().unwrap()).collect();
        assert!(entered.contains(&"<init>") && entered.contains(&"plain"), "{entered:?}");
        assert!(!entered.contains(&"nested"), "it has branches");
    }
}

#[test]
fn of_what_an_outcome_depends_on_something_happens_whenever_it_does() {
    for (home, wanted) in java_homes()
        .into_iter()
        .flat_map(|home| [Wanted::BRANCHES, LINES].map(|wanted| (home.clone(), wanted)))
    {
        let (source, woven, calls) = paths(&home, wanted);
        let names = names_of_lines(&source);
        let name = |outcome: &u32| {
            let branch = &woven.branches[*outcome as usize / 2];
            names.get(&branch.line).copied().filter(|_| branch.kind != Kind::Line)
        };
        let mut depending = BTreeSet::new();
        for (call, outcomes) in &calls {
            for outcome in outcomes {
                if let Some(above) = woven.above.get(outcome) {
                    assert!(
                        above.iter().any(|above| outcomes.contains(above)),
                        "{call}: {outcome}: {above:?}"
                    );
                    depending.extend(name(outcome));
                }
            }
        }
        // `default` is also where the switch leads without a key; what only a handler leads to has no way that is known.
        assert_eq!(
            depending,
            BTreeSet::from(["inner", "other", "two", "one", "seven"]),
            "{}",
            home.display()
        );
    }
}

#[test]
fn branches_stand_in_the_order_of_the_code_with_their_lines() {
    let home = &java_homes()[0];
    let folder = tempfile::tempdir().unwrap();
    let source = fs::read_to_string(compiled(home, "Doors", folder.path())).unwrap();
    let bytes = fs::read(folder.path().join("Doors.class")).unwrap();
    let woven = guided(&bytes, 0, Wanted::BRANCHES, &Unknown).unwrap();
    let line_of = |text: &str| source.lines().position(|line| line.contains(text)).unwrap() as u16 + 1;
    let below = woven.branches.iter().find(|branch| branch.method.starts_with("below")).unwrap();
    assert_eq!(below.line, line_of("static boolean below"));
    let keys = woven.branches.iter().filter(|branch| branch.kind == Kind::Case);
    assert_eq!(keys.map(|branch| branch.line).collect::<Vec<_>>()[..2], [line_of("switch (a)"); 2]);
    let places: Vec<_> = woven.branches.iter().filter(|branch| branch.method.starts_with("loop")).collect();
    assert!(places.windows(2).all(|pair| pair[0].offset < pair[1].offset) && places.len() == 2);
    let later = guided(&bytes, 100, Wanted::BRANCHES, &Unknown).unwrap();
    assert_eq!(later.branches, woven.branches, "their places do not depend on the first number");
    assert_ne!(later.bytes, woven.bytes);
}

/// What a line of the source says of the mutants that its call leaves alive, and what the probes say.
fn alive(line: &str, woven: &Guided) -> String {
    let (call, outcomes) = line.split_once(':').unwrap();
    let method = call.split(' ').next().unwrap();
    let mut alive = vec![];
    let mut met = 0;
    for outcome in outcomes.split_whitespace() {
        let (number, away) = outcome.split_once('=').unwrap();
        let branch = &woven.branches[number.parse::<usize>().unwrap() / 2];
        let Kind::Mutant(mutation) = branch.kind else { continue };
        if branch.method.split('(').next() == Some(method) {
            met += 1;
            let text = mutation.text();
            let text = ["a variable gets ", "a variable becomes ", "a variable is "]
                .into_iter()
                .find_map(|start| text.strip_prefix(start))
                .unwrap_or(&text);
            alive.extend((away != "0.0").then(|| format!("{text}={away}")));
        }
    }
    let all = woven.branches.iter().filter(|branch| {
        matches!(branch.kind, Kind::Mutant(_)) && branch.method.split('(').next() == Some(method)
    });
    assert!(met > 0 || all.count() == 0, "{call}: no mutant was met");
    format!("{call}: {}", alive.join(", "))
}

#[test]
fn a_mutant_is_weakly_killed_when_what_it_changes_differs() {
    for home in java_homes() {
        let (source, woven, shown) = shown(&home, "Weak", Wanted { mutants: true, ..Wanted::BRANCHES });
        let declared: Vec<String> = source
            .lines()
            .filter_map(|line| {
                let (call, expected) = line.split_once("//: ")?;
                let (thrown, alive) = expected.split_once("alive:")?;
                let call = format!("{} {thrown}", call.split('"').nth(1)?);
                Some(format!("{}: {}", call.trim_end(), alive.trim()))
            })
            .collect();
        assert!(declared.len() > 20);
        let found: Vec<String> = shown.lines().map(|line| alive(line, &woven)).collect();
        assert_eq!(found, declared, "{}", home.display());
    }
}

#[test]
fn a_branch_of_a_public_method_counts_once_more_while_the_test_calls_the_method_itself() {
    for home in java_homes() {
        let (source, woven, shown) = shown(&home, "Direct", Wanted { direct: true, ..Wanted::BRANCHES });
        let names = names_of_lines(&source);
        let named = |is_direct: bool, line: &str| -> String {
            let outcomes = line.split_once(':').unwrap().1.split_whitespace();
            let numbers =
                outcomes.map(|outcome| outcome.split('=').next().unwrap().parse::<usize>().unwrap() / 2);
            let goals = numbers.map(|number| &woven.branches[number]);
            let met = goals.filter(|goal| goal.is_direct == is_direct && goal.kind == Kind::Jump);
            let mut met: Vec<&str> = met.map(|goal| names[&goal.line]).collect();
            met.dedup();
            met.join(", ")
        };
        let declared = source.lines().filter_map(|line| Some(line.split_once("//:")?.1.trim().to_owned()));
        let direct: Vec<String> = shown.lines().map(|line| named(true, line)).collect();
        assert_eq!(direct, declared.collect::<Vec<_>>(), "{}", home.display());
        assert_eq!(named(false, shown.lines().nth(1).unwrap()), "sign, zero, twice, hidden");
        let of_hidden: Vec<&Branch> =
            woven.branches.iter().filter(|goal| goal.method.starts_with("hidden")).collect();
        assert!(of_hidden.iter().all(|goal| !goal.is_public && !goal.is_direct) && !of_hidden.is_empty());
        assert!(woven.branches.iter().any(|goal| goal.is_direct && goal.method == "plain()V"), "its entry");
    }
}

#[test]
fn what_a_direct_branch_depends_on_are_direct_branches_at_the_same_places() {
    let home = &java_homes()[0];
    let (_, woven, _) = shown(home, "Direct", Wanted { direct: true, ..Wanted::BRANCHES });
    let goals: BTreeMap<u32, &Branch> = (0..).zip(&woven.branches).collect();
    let place = |outcome: u32| (goals[&(outcome / 2)].offset, &goals[&(outcome / 2)].method, outcome % 2);
    let mut direct = 0;
    for (outcome, above) in woven.above.iter().filter(|(outcome, _)| goals[&(**outcome / 2)].is_direct) {
        let twin = woven
            .above
            .iter()
            .find(|(other, _)| !goals[&(**other / 2)].is_direct && place(**other) == place(*outcome));
        assert!(above.iter().all(|above| goals[&(above / 2)].is_direct));
        assert_eq!(
            twin.unwrap().1.iter().map(|above| place(*above)).collect::<Vec<_>>(),
            above.iter().map(|above| place(*above)).collect::<Vec<_>>()
        );
        direct += 1;
    }
    assert_eq!(direct, 2, "both outcomes of the second condition of sign()");
}

#[test]
fn the_last_line_of_a_long_block_stands_for_the_others() {
    let home = &java_homes()[0];
    let (source, woven, _) = shown(home, "Paths", LINES);
    let standing = woven.branches.iter().filter(|goal| goal.represents);
    let lines: Vec<&str> =
        standing.map(|goal| source.lines().nth(usize::from(goal.line) - 1).unwrap().trim()).collect();
    assert_eq!(lines, ["return g + h;"]);
}

/// How far a pair is of which the definition alone was executed.
const DEFINED: f64 = 1000.0;

/// The pairs that a call covers, those it comes near to, by the names of their lines, and how many others have a definition that was executed.
fn pairs_of(line: &str, woven: &Guided, names: &BTreeMap<u16, &str>) -> String {
    let (call, outcomes) = line.split_once(':').unwrap();
    let (mut covered, mut near, mut defined) = (vec![], vec![], 0);
    for outcome in outcomes.split_whitespace() {
        let (number, away) = outcome.split_once('=').unwrap();
        // Goals of the classes inside stand behind.
        let branch = woven.branches.get(number.parse::<usize>().unwrap() / 2);
        let Some(Kind::Pair(pair)) = branch.map(|branch| branch.kind) else { continue };
        let pair = &woven.pairs[pair as usize];
        let name = |line: u16| names.get(&line).copied().unwrap_or("?");
        let definition = if pair.is_at_entry { "param" } else { name(pair.definition.1) };
        let text = format!("{} {definition}->{}", pair.variable, name(pair.usage.1));
        match away.parse::<f64>().unwrap() {
            0.0 => covered.push(text),
            DEFINED => defined += 1,
            away => near.push(format!("{text} {away:.2}")),
        }
    }
    let near = if near.is_empty() { String::new() } else { format!("; near: {}", near.join(", ")) };
    let defined = if defined == 0 { String::new() } else { format!("; defined: {defined}") };
    format!("{call}: {}{near}{defined}", covered.join(", ")).replace(": ;", ":")
}

#[test]
fn a_pair_is_covered_when_its_definition_was_the_last_one_before_its_use() {
    for home in java_homes() {
        let (source, woven, shown) = shown(&home, "Flows", Wanted { pairs: true, ..Wanted::BRANCHES });
        let names = names_of_lines(&source);
        let declared = source.lines().filter_map(|line| {
            let (call, expected) = line.split_once("//: ")?;
            Some(format!("{}: {}", call.split('"').nth(1)?, expected.trim()))
        });
        let declared: Vec<String> = declared.collect();
        assert!(declared.len() > 20);
        let found: Vec<String> = shown.lines().map(|line| pairs_of(line, &woven, &names)).collect();
        assert_eq!(found, declared, "{}", home.display());
    }
}

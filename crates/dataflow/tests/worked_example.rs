//! The worked example: a pump of three stages whose fault lies between two methods, and a fourth class no pump uses.
//!
//! The program is played step by step; the objectives of the outermost stage are computed by their definition.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;

use common::{Facts, M, World, field_ref};
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sites::{FieldRef, ValueKind};
use std::collections::BTreeSet;

struct Pump {
    w: World,
    make: M,
}

/// A stage: its class, object, flag and inner stage.
struct Stage {
    class: &'static str,
    object: ObjectId,
    flag: bool,
    next: Option<Box<Stage>>,
}

const STAGES: [(&str, &str); 3] = [("w.Intake", "open"), ("w.Relay", "warm"), ("w.Core", "hot")];

fn flag(class: &str) -> FieldRef {
    let name = STAGES.iter().find(|(stage, _)| *stage == class).unwrap().1;
    field_ref(class, name)
}

impl Pump {
    fn new() -> Self {
        let mut w = World::new();
        w.class("w.Stage", "java.lang.Object", &[], &["<init>"]);
        for (class, flag) in STAGES {
            let fields: &[&str] = if class == "w.Core" { &[flag] } else { &[flag, "next"] };
            w.class(class, "w.Stage", fields, &["<init>", "prime", "probe"]);
        }
        w.class("w.Spare", "w.Stage", &["worn", "next"], &["<init>", "prime", "probe"]);
        let stages = w.class("w.Stages", "java.lang.Object", &[], &["make"]);
        w.class(
            "t.IntakeTest",
            "java.lang.Object",
            &[],
            &["test primeAlone", "test probeAlone", "test more"],
        );
        let make = w.method(stages, "make");
        Self { w, make }
    }

    fn method(&self, class: &str, name: &str) -> M {
        let at = self.w.classes.iter().position(|decl| decl.name == class).unwrap();
        self.w.method(at, name)
    }

    fn construct(&mut self, level: usize) -> Stage {
        let (class, _) = STAGES[level];
        let (init, above) = (self.method(class, "<init>"), self.method("w.Stage", "<init>"));
        self.w.enter_constructor(0, init);
        self.w.super_call(0, init, "w.Stage");
        self.w.enter_constructor(0, above);
        let object = self.w.object(0, class);
        self.w.super_call(0, above, "java.lang.Object");
        self.w.bind(0, above, object);
        self.w.exit(0, above);
        self.w.bind(0, init, object);
        self.w.put_this(0, init, &flag(class), None);
        let next = (level < 2).then(|| {
            self.w.enter_static(0, self.make);
            let stage = self.construct(level + 1);
            self.w.exit(0, self.make);
            self.w.put_this(0, init, &field_ref(class, "next"), Some(stage.object));
            Box::new(stage)
        });
        self.w.exit(0, init);
        Stage { class, object, flag: false, next }
    }

    fn read_next(&mut self, method: M, stage: &Stage) {
        self.w.get_this(0, method, &field_ref(stage.class, "next"), ValueKind::Reference);
    }

    fn prime(&mut self, stage: &mut Stage) {
        let method = self.method(stage.class, "prime");
        self.w.enter(0, method, stage.object);
        match stage.class {
            "w.Intake" => {
                self.read_next(method, stage);
                self.prime(stage.next.as_mut().unwrap());
                self.write_flag(method, stage);
            }
            "w.Relay" => {
                self.w.get_this(0, method, &flag(stage.class), ValueKind::Leaf);
                if stage.flag {
                    self.read_next(method, stage);
                    self.prime(stage.next.as_mut().unwrap());
                }
            }
            _ => self.write_flag(method, stage),
        }
        self.w.exit(0, method);
    }

    fn write_flag(&mut self, method: M, stage: &mut Stage) {
        self.w.put_this(0, method, &flag(stage.class), None);
        stage.flag = true;
    }

    /// Whether the stage holds; the outermost one fails when it does not.
    fn probe(&mut self, stage: &mut Stage) -> bool {
        let method = self.method(stage.class, "probe");
        self.w.enter(0, method, stage.object);
        let holds = match stage.class {
            "w.Intake" => {
                self.w.get_this(0, method, &flag(stage.class), ValueKind::Leaf);
                !stage.flag || self.probe_next(method, stage)
            }
            "w.Relay" => {
                self.write_flag(method, stage);
                self.probe_next(method, stage)
            }
            _ => {
                self.w.get_this(0, method, &flag(stage.class), ValueKind::Leaf);
                !stage.flag
            }
        };
        if stage.class == "w.Intake" && !holds {
            self.w.throw(0, method)
        } else {
            self.w.exit(0, method)
        }
        holds
    }

    fn probe_next(&mut self, method: M, stage: &mut Stage) -> bool {
        self.read_next(method, stage);
        self.probe(stage.next.as_mut().unwrap())
    }

    /// A test that makes a pump and calls `a` (prime) and `b` (probe) in this order. Whether every probe held.
    fn test(&mut self, name: &str, calls: &str) -> bool {
        let method = self.method("t.IntakeTest", name);
        let instance = self.w.object(0, "t.IntakeTest");
        self.w.begin_test(0, method, instance);
        let mut pump = self.construct(0);
        let mut holds = true;
        for call in calls.chars() {
            match call {
                'a' => self.prime(&mut pump),
                _ => holds &= self.probe(&mut pump),
            }
        }
        self.w.end_test(0, method, !holds);
        holds
    }
}

/// defs@exit x uses@entry without the covered pairs, of the roots of class `w.Intake`.
fn objectives(facts: &Facts) -> BTreeSet<String> {
    let all: BTreeSet<&String> = facts.values().flatten().collect();
    let of = |prefixes: &[&str], separator: &str| -> Vec<(String, String)> {
        let chosen = all.iter().filter(|fact| prefixes.iter().any(|prefix| fact.starts_with(prefix)));
        let halves = chosen.filter_map(|fact| fact.split_once(separator));
        let variable = |left: &str| left[left.find("w.Intake:").unwrap_or(left.len())..].to_owned();
        let named = halves.map(|(left, right)| (variable(left), right.to_owned()));
        named.filter(|(variable, _)| !variable.is_empty()).collect()
    };
    let definitions = of(&["exit", "throw"], " = ");
    let uses = of(&["entry"], " -> ");
    let mut found = BTreeSet::new();
    for (variable, definition) in &definitions {
        for (_, usage) in uses.iter().filter(|(used, _)| used == variable) {
            found.insert(format!("{variable} = {definition} -> {usage}"));
        }
    }
    found.retain(|pair| !all.contains(&format!("pair {pair}")));
    found
}

#[test]
fn each_test_reveals_the_one_objective_that_the_next_one_covers_until_the_fault_shows() {
    let mut pump = Pump::new();
    let mut known = BTreeSet::new();
    let mut reveal = |pump: &Pump, parts: &[&str]| {
        let now = objectives(&pump.w.facts());
        let new: Vec<&String> = now.difference(&known).collect();
        assert_eq!(new.len(), usize::from(!parts.is_empty()), "{new:#?}");
        assert!(parts.iter().all(|part| new[0].contains(part)), "{new:?} {parts:?}");
        known.extend(now.clone());
        now.len()
    };
    assert!(pump.test("primeAlone", "a") && pump.test("probeAlone", "b"));
    assert_eq!(reveal(&pump, &["w.Intake: w.Intake.open = ", "[w.Intake.prime] -> ", "[w.Intake.probe]"]), 1);
    assert!(pump.test("more", "ab"));
    let second =
        ["next w.Relay.warm = direct", "[w.Intake.probe,w.Relay.probe]", "[w.Intake.prime,w.Relay.prime]"];
    assert_eq!(reveal(&pump, &second), 1);
    assert!(pump.test("more", "aba"));
    let third = [
        "next w.Relay.next w.Core.hot = direct",
        "[w.Intake.prime,w.Relay.prime,w.Core.prime] -> ",
        "[w.Intake.probe,w.Relay.probe,w.Core.probe]",
    ];
    assert_eq!(reveal(&pump, &third), 1);
    assert!(!pump.test("more", "abab"), "the fault");
    assert_eq!(reveal(&pump, &[]), 0);
    assert!(pump.w.facts().values().flatten().all(|fact| !fact.contains("Spare")));
}

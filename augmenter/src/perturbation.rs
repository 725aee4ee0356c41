//! What fresh JVMs differ in when tests run again: what no test may depend on.
//!
//! Knows nothing of tests but their names. Invariant: the same names are always run in the same orders.

use crate::jvm::launch::{AgentArgs, JvmConfig};
use crate::jvm::reversed::ReversedTables;
use dynaflow_model::options::AgentOptions;
use std::path::Path;

/// Conditions that no test may depend on.
#[derive(Debug)]
pub struct Perturbation {
    /// What its folder is called, and its messages call it.
    pub name: &'static str,
    /// By how many days its clock, which ticks seldom, is ahead, or behind.
    days: i32,
    /// Whether hash tables hand out what they hold in reverse.
    reverses: bool,
    /// Options of the JVM.
    options: &'static [&'static str],
    /// Variables that it sees besides those of every other.
    environment: &'static [(&'static str, &'static str)],
}

/// The option by which all objects have one identity hash.
const CONSTANT_HASHES: &str = "-XX:hashCode=2";

impl Perturbation {
    /// Puts a JVM into these conditions. Variables that it has keep their values.
    pub fn apply(&self, jvm: &mut JvmConfig, agent: &Path, tables: &ReversedTables) {
        jvm.jvm_args.extend(LENIENT.iter().chain(self.options).map(ToString::to_string));
        for (name, value) in self.environment {
            jvm.environment.entry((*name).to_owned()).or_insert_with(|| (*value).to_owned());
        }
        if self.reverses {
            tables.apply(jvm);
        }
        let options = AgentOptions { clock: self.days, ..AgentOptions::default() };
        jvm.agent = Some(AgentArgs { library: agent.to_owned(), options });
    }

    /// Whether all objects have one identity hash.
    pub fn has_constant_hashes(&self) -> bool {
        self.options.contains(&CONSTANT_HASHES)
    }
}

/// JVMs with other identity hashes, orders of hash tables, days, time zones, locales, variables and numbers of processors than the ones that recorded. Each has salts of `Map.of`
/// and seeds of random numbers of its own, as every JVM has, and its own order of tests. They run side by side, which is the load.
pub const PERTURBATIONS: &[Perturbation] = &[
    Perturbation {
        name: "constant hashes, in Apia 400 days ahead, Turkish, one processor",
        days: 400,
        reverses: false,
        options: &[
            CONSTANT_HASHES,
            "-Duser.timezone=Pacific/Apia",
            "-Duser.language=tr",
            "-Duser.country=TR",
            "-XX:ActiveProcessorCount=1",
        ],
        environment: &[("CI", "true"), ("HOSTNAME", "apia"), ("USER", "tane")],
    },
    Perturbation {
        name: "ascending hashes, hash tables in reverse order, in St. John's 101 days back, German, seven processors",
        days: -101,
        reverses: true,
        options: &[
            "-XX:hashCode=3",
            "-Duser.timezone=America/St_Johns",
            "-Duser.language=de",
            "-Duser.country=DE",
            "-XX:ActiveProcessorCount=7",
            // As before Java 15, where the JVM does not say what was null: what repeats that message differs.
            "-XX:-ShowCodeDetailsInExceptionMessages",
        ],
        environment: &[("GITLAB_CI", "true"), ("COMPUTERNAME", "avalon"), ("USERNAME", "jutta")],
    },
    Perturbation {
        name: "random hashes, in Kathmandu 3 days ahead, Thai, three processors",
        days: 3,
        reverses: false,
        options: &[
            "-XX:hashCode=0",
            "-Duser.timezone=Asia/Kathmandu",
            "-Duser.language=th",
            "-Duser.country=TH",
            "-XX:ActiveProcessorCount=3",
        ],
        environment: &[("BUILD_NUMBER", "42"), ("JENKINS_HOME", "/var/lib/jenkins"), ("LOGNAME", "siri")],
    },
];

/// What every perturbed JVM takes in front: the hashes and the clock take experimental and diagnostic options, and a JVM that lacks one runs without it.
const LENIENT: &[&str] = &[
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:+IgnoreUnrecognizedVMOptions",
    // Compiled code would ask the machine for the time, and not the JVM's method, see the agent's option `clock`.
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:DisableIntrinsic=_currentTimeMillis",
];

/// An order of tests that depends on a word and on their names alone.
pub fn shuffled<'a>(order: &[&'a String], word: &str) -> Vec<&'a String> {
    let key = |name: &String| blake3::hash(format!("{word}{name}").as_bytes());
    let mut keyed: Vec<(blake3::Hash, &String)> = order.iter().map(|name| (key(name), *name)).collect();
    keyed.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
    keyed.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_differ_and_stay() {
        let names: Vec<String> = (0..20).map(|n| format!("a.T#t{n}")).collect();
        let names: Vec<&String> = names.iter().collect();
        assert_ne!(shuffled(&names, "a"), shuffled(&names, "b"));
        assert_eq!(shuffled(&names, "a"), shuffled(&names, "a"));
    }
}

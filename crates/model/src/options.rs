//! The agent's options: parsed from the text after `=` in `-agentpath:...=`, printed back the same way.
//!
//! Knows nothing of the JVM. Invariant: `parse(print(options)) == options`, so that the command line writes exactly what
//! the agent reads.

use crate::frameworks;
use crate::pattern::{Pattern, PatternError};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// State variables of objects.
    #[default]
    State,
    /// Static definition-use associations.
    Dua,
}

impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::State => "state",
            Self::Dua => "dua",
        })
    }
}

/// Whether events whose like showed nothing new for long are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Thin {
    /// Where there are very many of them.
    #[default]
    Auto,
    /// Never.
    Off,
    /// As soon and as often as can be, to see what that does.
    All,
}

impl std::fmt::Display for Thin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Off => "off",
            Self::All => "all",
        })
    }
}

/// What a store into an array counts as, with [`Mode::Dua`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Arrays {
    /// A use of reference, index and value.
    #[default]
    Reference,
    /// A definition of the whole array.
    Whole,
}

impl Arrays {
    /// The word for it in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Whole => "whole",
        }
    }
}

impl std::fmt::Display for Arrays {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The agent's options, see `docs/options.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentOptions {
    /// Folder of the trace files.
    pub out: PathBuf,
    /// Classes to record; empty means all that are not left out by default.
    pub include: Vec<Pattern>,
    /// Classes not to record.
    pub exclude: Vec<Pattern>,
    /// What is recorded.
    pub mode: Mode,
    /// Longest state variable, in steps.
    pub depth: u32,
    /// Facts per basic block too.
    pub blocks: bool,
    /// Record what test classes call, so that tests can be carved into sequences.
    pub carve: bool,
    /// Longest context, in frames; longer ones are cut in the middle and marked.
    pub context: u32,
    /// Most paths followed from one object at one event.
    pub paths: u32,
    /// Observe what the program does beyond its own objects. Not for users: only our own runners ask what was seen.
    pub effects: bool,
    /// Say nothing, and leave no file, where no class was recorded. Not for users: `dynaflow run` asks for it where a command starts JVMs that it does not know.
    pub quiet: bool,
    /// By how many days the clock of the JVM is to be ahead, or behind if negative; unless it is 0 it ticks seldom, and nothing is recorded. Not for users: runs
    /// that find out which tests depend on the clock ask for it.
    pub clock: i32,
    /// About how many MiB the memory graph may take before what was not written for the longest time is forgotten.
    pub memory: u32,
    /// Whether reads, and ends of invocations, whose like showed nothing new for long are to be left out; see [`AgentOptions::thinning`].
    pub thin: Thin,
    /// How many times its time the program may take by waiting for the analysis, before more is left out than [`AgentOptions::thin`] says;
    /// none: whatever it takes.
    pub slowdown: Option<u32>,
    /// What a store into an array counts as.
    pub arrays: Arrays,
    /// Whether ways from a block to the handlers of its exceptions are control flow.
    pub exception_edges: bool,
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self {
            out: PathBuf::from("dynaflow-traces"),
            include: vec![],
            exclude: vec![],
            mode: Mode::State,
            depth: 5,
            blocks: false,
            carve: false,
            effects: false,
            quiet: false,
            clock: 0,
            context: 16,
            paths: 256,
            memory: 4096,
            thin: Thin::Auto,
            slowdown: None,
            arrays: Arrays::Reference,
            exception_edges: false,
        }
    }
}

/// The names of all options, for messages.
pub const NAMES: &str = "out, include, exclude, mode, depth, blocks, carve, context, paths, memory, thin, slowdown, arrays, exception-edges";

/// Options of one mode: the other has no such thing, and would do nothing about it.
const OF_ONE_MODE: &[(Mode, &[&str])] = &[
    (Mode::State, &["depth", "blocks", "carve", "effects", "context", "paths", "memory", "thin", "slowdown"]),
    (Mode::Dua, &["arrays", "exception-edges"]),
];

/// Why the options were refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No such option.
    #[error("unknown option `{0}`; expected one of {NAMES}")]
    Unknown(String),
    /// Not `key=value`.
    #[error("`{0}` is not of the form key=value")]
    NotAPair(String),
    /// A pattern behind a comma.
    #[error(
        "option {name}: `{value}` stands behind a comma, where the next option begins; separate patterns by `:`, as in {name}=a.**:b.**"
    )]
    Comma {
        /// The option.
        name: &'static str,
        /// What stands behind the comma.
        value: String,
    },
    /// A value that does not fit.
    #[error("option {name}={value}: expected {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it takes.
        expected: &'static str,
    },
    /// A pattern that cannot be one.
    #[error("option {name}: {source}")]
    Pattern {
        /// The option.
        name: &'static str,
        /// What is wrong.
        source: PatternError,
    },
    /// An option given twice.
    #[error("option `{0}` is given twice")]
    Twice(String),
    /// An option that the mode knows nothing of.
    #[error(
        "option {name} belongs to mode={of}, and this is mode={mode}: leave it out, or record with mode={of}"
    )]
    Mode {
        /// The option.
        name: &'static str,
        /// The mode it belongs to.
        of: Mode,
        /// The mode asked for.
        mode: Mode,
    },
    /// A bound on waiting where all is recorded whatever it takes.
    #[error(
        "option slowdown={0} leaves more out where recording is slow, and with {1} nothing is ever left out: give one of the two"
    )]
    Slowdown(u32, &'static str),
}

impl AgentOptions {
    /// Reads `key=value,key=value`; the empty text gives the defaults.
    ///
    /// # Errors
    /// The first thing that is wrong, naming the option and what it takes.
    pub fn parse(text: &str) -> Result<Self, OptionError> {
        let mut options = Self::default();
        let mut seen: Vec<&str> = vec![];
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let pair = part.split_once('=');
            let (key, value) = pair.ok_or_else(|| not_a_pair(part, seen.last().copied()))?;
            if seen.contains(&key) {
                return Err(OptionError::Twice(key.to_owned()));
            }
            seen.push(key);
            options.set(key, value)?;
        }
        options.check_mode(&seen)?;
        options.check_slowdown()?;
        Ok(options)
    }

    /// Refuses what would silently do nothing.
    fn check_mode(&self, given: &[&str]) -> Result<(), OptionError> {
        for &(of, names) in OF_ONE_MODE.iter().filter(|(of, _)| *of != self.mode) {
            if let Some(name) = names.iter().find(|name| given.contains(name)) {
                return Err(OptionError::Mode { name, of, mode: self.mode });
            }
        }
        Ok(())
    }

    fn check_slowdown(&self) -> Result<(), OptionError> {
        match self.slowdown.zip(self.exact_by()) {
            Some((slowdown, option)) => Err(OptionError::Slowdown(slowdown, option)),
            None => Ok(()),
        }
    }

    /// The option because of which nothing is ever left out; none when something may be.
    fn exact_by(&self) -> Option<&'static str> {
        let exact = [(self.thin == Thin::Off, "thin=off"), (self.blocks, "blocks=true")];
        exact.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
    }

    /// What is left out with all options together.
    pub fn thinning(&self) -> Thin {
        if self.exact_by().is_some() { Thin::Off } else { self.thin }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        match key {
            "out" if value.is_empty() => {
                return Err(OptionError::Value { name: "out", value: String::new(), expected: "a folder" });
            }
            "out" => self.out = PathBuf::from(value),
            "include" => self.include = patterns("include", value)?,
            "exclude" => self.exclude = patterns("exclude", value)?,
            "mode" => {
                self.mode = match value {
                    "state" => Mode::State,
                    "dua" => Mode::Dua,
                    _ => return Err(invalid("mode", value, "`state` or `dua`")),
                }
            }
            "depth" => self.depth = number("depth", value, 1..=20, "a number from 1 to 20")?,
            "context" => self.context = number("context", value, 2..=256, "a number from 2 to 256")?,
            "paths" => self.paths = number("paths", value, 1..=65536, "a number from 1 to 65536")?,
            "memory" => {
                self.memory = number("memory", value, 1..=1 << 22, "a number of MiB from 1 to 4194304")?;
            }
            "thin" => {
                self.thin = match value {
                    "auto" => Thin::Auto,
                    "off" => Thin::Off,
                    "all" => Thin::All,
                    _ => return Err(invalid("thin", value, "`auto`, `off` or `all`")),
                }
            }
            "slowdown" => {
                self.slowdown = Some(number("slowdown", value, 1..=1000, "a number from 1 to 1000")?);
            }
            "clock" => {
                self.clock = value.parse().map_err(|_| invalid("clock", value, "a number of days"))?;
            }
            "blocks" => self.blocks = boolean("blocks", value)?,
            "carve" => self.carve = boolean("carve", value)?,
            "effects" => self.effects = boolean("effects", value)?,
            "quiet" => self.quiet = boolean("quiet", value)?,
            "arrays" => {
                self.arrays = match value {
                    "reference" => Arrays::Reference,
                    "whole" => Arrays::Whole,
                    _ => return Err(invalid("arrays", value, "`reference` or `whole`")),
                }
            }
            "exception-edges" => self.exception_edges = boolean("exception-edges", value)?,
            _ => return Err(OptionError::Unknown(key.to_owned())),
        }
        Ok(())
    }

    /// Whether the patterns select this class. What is left out by default stands in [`excluded_by_default`].
    pub fn includes(&self, class: &str) -> bool {
        let wanted = if self.include.is_empty() {
            !excluded_by_default(class)
        } else {
            self.include.iter().any(|p| p.matches(class)) && !never_included(class)
        };
        wanted && !self.exclude.iter().any(|p| p.matches(class))
    }
}

impl std::fmt::Display for AgentOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let join = |list: &[Pattern]| list.iter().map(Pattern::as_str).collect::<Vec<_>>().join(":");
        write!(f, "out={}", self.out.display())?;
        if !self.include.is_empty() {
            write!(f, ",include={}", join(&self.include))?;
        }
        if !self.exclude.is_empty() {
            write!(f, ",exclude={}", join(&self.exclude))?;
        }
        write!(f, ",mode={}", self.mode)?;
        if self.clock != 0 {
            write!(f, ",clock={}", self.clock)?;
        }
        if self.quiet {
            f.write_str(",quiet=true")?;
        }
        match self.mode {
            Mode::State => {
                write!(f, ",depth={},blocks={},carve={}", self.depth, self.blocks, self.carve)?;
                write!(f, ",context={},paths={},memory={}", self.context, self.paths, self.memory)?;
                write!(f, ",thin={}", self.thin)?;
                if let Some(slowdown) = self.slowdown {
                    write!(f, ",slowdown={slowdown}")?;
                }
                if self.effects { f.write_str(",effects=true") } else { Ok(()) }
            }
            Mode::Dua => write!(f, ",arrays={},exception-edges={}", self.arrays, self.exception_edges),
        }
    }
}

/// What to say of a text without `=`: most often it is one more pattern of a list.
fn not_a_pair(part: &str, before: Option<&str>) -> OptionError {
    let list = ["include", "exclude"].into_iter().find(|name| before == Some(name));
    match list {
        Some(name) => OptionError::Comma { name, value: part.to_owned() },
        None => OptionError::NotAPair(part.to_owned()),
    }
}

/// Packages that are recorded only when an include pattern names them, besides those of tests: build tools, other agents.
const DEFAULT_EXCLUDES: &[&str] = &[
    "org.jacoco.",
    "org.apache.maven.",
    "org.codehaus.plexus.",
    "org.gradle.",
    "worker.org.gradle.",
    "org.pitest.",
    "com.intellij.",
    "org.eclipse.jdt.internal.junit.",
    "org.evosuite.",
    "kotlin.",
    "scala.",
    "groovy.",
    "org.codehaus.groovy.",
];

/// Packages that are never recorded: the JDK's and our own.
const NEVER: &[&str] = &["java.", "javax.", "jdk.", "sun.", "com.sun.", "io.dynaflow.shim."];

fn never_included(class: &str) -> bool {
    NEVER.iter().any(|prefix| class.starts_with(prefix)) || is_generated(class)
}

/// Whether a class is left out when no include pattern is given.
pub fn excluded_by_default(class: &str) -> bool {
    never_included(class)
        || frameworks::is_excluded(class)
        || DEFAULT_EXCLUDES.iter().any(|prefix| class.starts_with(prefix))
}

/// What stands in the name of a class that a library makes while the program runs: a subclass of a class of the program most often.
const GENERATED: &[&str] = &[
    // CGLIB by itself and in Guice, old Spring, EasyMock and Mockito.
    "$$EnhancerBy",
    "$$FastClassBy",
    "$$KeyFactoryBy",
    "$$MethodWrapperBy",
    "$$BeanMapBy",
    "$$BeanGeneratorBy",
    "$$BulkBeanBy",
    "$$InterfaceMakerBy",
    // CGLIB in Spring 6.
    "$$SpringCGLIB$$",
    // Byte Buddy by itself, and what it makes beside its classes.
    "$ByteBuddy$",
    "$auxiliary$",
    // Mocks.
    "$MockitoMock$",
    "$SpockMock$",
    "$$$EasyMock$",
    // Hibernate; not its access optimizers, which are no subclasses but write fields of entities: were they left out, what
    // an entity's constructor wrote would seem to reach.
    "$HibernateProxy$",
    "$HibernateBasicProxy$",
    "$HibernateInstantiator$",
    // Javassist, and Weld, which keeps its naming; OpenWebBeans.
    "_$$_javassist",
    "_$$_jvst",
    "$_$$_Weld",
    "$$Owb",
    // The JVM's lambdas.
    "$$Lambda",
];

/// How the name of such a class ends: Quarkus and Groovy.
const GENERATED_ENDS: &[&str] = &["_ClientProxy", "_groovyProxy"];

/// How the simple name of such a class begins: proxies and accessors of the JDK.
const GENERATED_BEGINNINGS: &[&str] = &[
    "$Proxy",
    "GeneratedMethodAccessor",
    "GeneratedConstructorAccessor",
    "GeneratedSerializationConstructorAccessor",
];

/// Whether a class is made at run time, by its binary name: proxies, mocks, reflection accessors, lambdas and other hidden classes. Such
/// a class is never recorded, and what it inherits is state of the first class above it that is not made so.
pub fn is_generated(class: &str) -> bool {
    // The name of a hidden class ends with a slash and a number.
    let simple = class.rsplit('.').next().unwrap_or(class);
    class.contains('/')
        || GENERATED.iter().any(|mark| class.contains(mark))
        || GENERATED_ENDS.iter().any(|end| class.ends_with(end))
        || GENERATED_BEGINNINGS.iter().any(|begin| simple.starts_with(begin))
}

fn invalid(name: &'static str, value: &str, expected: &'static str) -> OptionError {
    OptionError::Value { name, value: value.to_owned(), expected }
}

fn number(
    name: &'static str,
    value: &str,
    range: std::ops::RangeInclusive<u32>,
    expected: &'static str,
) -> Result<u32, OptionError> {
    value.parse().ok().filter(|n| range.contains(n)).ok_or_else(|| invalid(name, value, expected))
}

fn boolean(name: &'static str, value: &str) -> Result<bool, OptionError> {
    value.parse().map_err(|_| invalid(name, value, "`true` or `false`"))
}

fn patterns(name: &'static str, value: &str) -> Result<Vec<Pattern>, OptionError> {
    value
        .split(':')
        .map(|p| Pattern::new(p).map_err(|source| OptionError::Pattern { name, source }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_back_as_they_are_printed() {
        for text in [
            "out=t,include=a.**:b.C,exclude=a.x.*,mode=state,depth=3,blocks=true,carve=true,context=8,paths=9,memory=7,thin=off",
            "out=t,mode=state,depth=5,blocks=false,carve=false,context=16,paths=256,memory=4096,thin=auto,slowdown=3,effects=true",
            "out=t,include=a.**:b.C,exclude=a.x.*,mode=dua,arrays=whole,exception-edges=true",
        ] {
            let options = AgentOptions::parse(text).unwrap();
            assert_eq!(options.to_string(), text);
        }
        assert_eq!(AgentOptions::parse("").unwrap(), AgentOptions::default());
    }

    #[test]
    fn a_wrong_option_says_what_was_expected() {
        let message = |text: &str| AgentOptions::parse(text).unwrap_err().to_string();
        assert!(message("dept=3").contains("unknown option `dept`; expected one of out,"));
        assert!(message("depth=0").contains("a number from 1 to 20"));
        assert!(message("thin=on").contains("`auto`, `off` or `all`"));
        assert!(message("slowdown=0").contains("a number from 1 to 1000"));
        for exact in ["thin=off", "blocks=true"] {
            let both = message(&format!("slowdown=3,{exact}"));
            assert!(both.contains("slowdown=3 leaves more out") && both.contains(exact), "{both}");
        }
        assert!(message("mode=dua,slowdown=3").contains("slowdown belongs to mode=state"));
        assert!(message("mode=dua,thin=off").contains("thin belongs to mode=state"));
        assert!(message("blocks=yes").contains("`true` or `false`"));
        assert!(message("out").contains("key=value"));
        let comma = message("depth=3,include=a.**,b.**,c");
        assert!(comma.contains("include") && comma.contains("`b.**`") && comma.contains("`:`"), "{comma}");
        assert!(message("include=a.**,depth=3,b").contains("key=value"));
        assert!(message("depth=1,depth=2").contains("twice"));
        assert!(message("include=").contains("empty"));
    }

    #[test]
    fn an_option_that_the_mode_would_do_nothing_about_is_refused() {
        let message = |text: &str| AgentOptions::parse(text).unwrap_err().to_string();
        assert_eq!(
            message("depth=3,mode=dua"),
            "option depth belongs to mode=state, and this is mode=dua: leave it out, or record with mode=state"
        );
        assert!(
            message("arrays=whole").contains("option arrays belongs to mode=dua, and this is mode=state")
        );
        assert!(message("mode=dua,arrays=all").contains("`reference` or `whole`"));
        assert!(message("mode=state,exception-edges=false").contains("exception-edges belongs to mode=dua"));
    }

    #[test]
    fn the_jdk_and_our_own_classes_are_never_included() {
        let all = AgentOptions::parse("include=**").unwrap();
        assert!(!all.includes("java.util.ArrayList") && all.includes("org.junit.Assert"));
        let default = AgentOptions::default();
        assert!(!default.includes("org.junit.Assert") && default.includes("org.example.A"));
        assert!(!default.includes("org.example.A$$Lambda$14"));
    }

    #[test]
    fn classes_that_libraries_make_while_the_program_runs_are_never_included() {
        let options =
            ["", "include=**", "include=a.**:com.**"].map(|text| AgentOptions::parse(text).unwrap());
        for class in [
            "a.Shop$$SpringCGLIB$$0",
            "a.Shop$$EnhancerBySpringCGLIB$$1f2e3d4c",
            "a.Shop$$FastClassBySpringCGLIB$$1f2e3d4c",
            "a.Shop$$EnhancerByGuice$$12345",
            "a.Owner$HibernateProxy$zKp3QxYb",
            "a.Owner$HibernateInstantiator$8aBcDe",
            "a.Owner$ByteBuddy$8aBcDe",
            "a.Owner$ByteBuddy$8aBcDe$auxiliary$Xyz",
            "a.Owner$MockitoMock$1234567",
            "a.Owner$MockitoMock$1234567$auxiliary$Xyz",
            "a.Owner$SpockMock$1234567",
            "a.Owner$$$EasyMock$1",
            "a.Owner_$$_jvst5a6_0",
            "a.Owner$Proxy$_$$_WeldClientProxy",
            "a.Owner$Proxy$_$$_WeldSubclass",
            "a.Owner$$OwbNormalScopeProxy0",
            "a.Owner_ClientProxy",
            "a.Owner1_groovyProxy",
            "a.$Proxy17",
            "$Proxy4",
            "com.sun.proxy.$Proxy9",
            "a.Owner$$Lambda$14/0x0000000800c03000",
            "a.Owner$$Lambda/0x00007f1c3c003440",
            "a.Owner/0x00007f1c3c003440",
        ] {
            assert!(options.iter().all(|options| !options.includes(class)), "{class}");
            assert!(is_generated(class), "{class}");
        }
    }

    #[test]
    fn classes_that_a_compiler_makes_of_the_source_and_those_that_write_fields_of_entities_are_the_programs()
    {
        let all = AgentOptions::default();
        for class in [
            "a.Owner$1",
            "a.Owner$Companion",
            "a.Owner$DefaultImpls",
            "a.Owner$pets$$inlined$sortedBy$1",
            "a.Owner$$serializer",
            "a.Owner$$anonfun$1",
            "a.Owner$_closure1",
            "a.Owner$$anon$2",
            "a.Proxy",
            "a.HttpProxy",
            "a.Lambda$Calculus",
            "a.MockitoMock",
            "a.Owner_Subclass",
            "a.Owner$HibernateAccessOptimizer$8aBcDe",
        ] {
            assert!(all.includes(class) && !is_generated(class), "{class}");
        }
    }
}

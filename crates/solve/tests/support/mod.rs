//! What tests of this crate share: compiling Java, mutants, and calls in a real JVM. Knows no expectations.

#[path = "../../../../tests/shared/javac.rs"]
mod javac;
#[path = "../../../../tests/shared/jdks.rs"]
mod jdks;

use dynaflow_mutants::{ClassMutants, Operator, Options, alone, mutants};
use dynaflow_solve::value::Value;
use dynaflow_solve::{Argument, Config, Solver};
pub use jdks::java_homes;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The Java files of these tests.
pub fn java_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java")
}

/// Compiles for Java 8.
pub fn compile(home: &Path, sources: &[PathBuf], out: &Path) {
    let mut javac = javac::javac(home);
    javac.args(["--release", "8", "-g", "-nowarn", "-Xlint:-options", "-d"]).arg(out).args(sources);
    let output = javac.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Z3, which `scripts/setup` installs: these tests need it. Its effort is bounded as ever; its time is not, so that a busy machine changes no verdict.
pub fn solver() -> Solver {
    Solver::new(Some(Config { limit: Duration::from_secs(120), ..Config::z3() }))
}

/// A class with its mutants by muJava's operators.
pub struct Subject {
    /// Its name.
    pub class: String,
    /// As compiled.
    pub bytes: Vec<u8>,
    /// Its mutants.
    pub found: ClassMutants,
}

impl Subject {
    /// Of a folder with class files.
    pub fn read(classes: &Path, class: &str) -> Self {
        let bytes = std::fs::read(classes.join(format!("{class}.class"))).unwrap();
        let options = Options { operators: Operator::mujava().collect(), filter: false };
        let found = mutants(&bytes, &options).unwrap();
        Self { class: class.to_owned(), bytes, found }
    }
}

/// A call: a mutant of a class, or none, a method, arguments.
pub type Call<'c> = (&'c Subject, Option<usize>, &'c str, &'c [Argument]);

/// What calls give in a real JVM.
pub fn run(home: &Path, folder: &Path, calls: &[Call<'_>]) -> Vec<String> {
    compile(home, &[java_folder().join("Invoke.java")], folder);
    let mut lines = String::new();
    let mut written: BTreeMap<(String, Option<usize>), PathBuf> = BTreeMap::new();
    for (subject, mutant, method, arguments) in calls {
        let key = (subject.class.clone(), *mutant);
        let place =
            folder.join(format!("{}-{}", key.0, mutant.map_or("original".to_owned(), |m| m.to_string())));
        written.entry(key).or_insert_with(|| {
            let bytes = mutant.map_or_else(
                || subject.bytes.clone(),
                |mutant| alone(&subject.bytes, &subject.found, mutant).unwrap(),
            );
            std::fs::create_dir_all(&place).unwrap();
            std::fs::write(place.join(format!("{}.class", subject.class)), bytes).unwrap();
            place.clone()
        });
        let words: Vec<String> = arguments.iter().map(word).collect();
        let head = [place.display().to_string(), subject.class.clone(), (*method).to_owned()];
        lines += &head.into_iter().chain(words).collect::<Vec<_>>().join("\t");
        lines.push('\n');
    }
    let mut java = Command::new(home.join("bin/java"));
    java.arg("-cp").arg(folder).arg("Invoke").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = java.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn word(argument: &Argument) -> String {
    let number = |value: &Value| match value {
        Value::Bool(value) => i64::from(*value),
        Value::Int(value) => i64::from(*value),
        Value::Long(value) => *value,
        Value::Float(bits) => i64::from(*bits),
        Value::Double(bits) => bits.cast_signed(),
    };
    match argument {
        Argument::Number(letter, value) => format!("{}:{}", char::from(*letter), number(value)),
        Argument::Array(letter, None) => format!("[{}:null", char::from(*letter)),
        Argument::Array(letter, Some(values)) => {
            let values: Vec<String> = values.iter().map(|value| number(value).to_string()).collect();
            format!("[{}:{}", char::from(*letter), values.join(","))
        }
    }
}

//! What the corpus tests share: JDKs, jars, compiling helpers, weaving archives, comparing link reports.
//!
//! It knows archives and processes, not what weaving does. Invariant: everything made lies in the cache folder (extracted
//! JDKs, kept) or in a temporary folder (all else).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../shared/javac.rs"]
pub mod javac;
#[path = "../shared/jdks.rs"]
mod jdks;

use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_bytecode::updates::MethodUpdates;
use dynaflow_classfile::{ClassFile, Code};
use dynaflow_flowgraph::dua::Options;
use dynaflow_flowgraph::dua::coverage::plan;
use dynaflow_instrument::{Plan, WeaveOptions, weave_updates};
use dynaflow_tests::updates::{Shape, random_updates};
#[allow(unused_imports, reason = "each test uses a part")]
pub use jdks::java_homes;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn cache() -> PathBuf {
    std::env::var_os("DYNAFLOW_CACHE").map_or_else(|| root().join(".cache"), PathBuf::from)
}

/// Major version of a JDK.
pub fn version(home: &Path) -> (String, u32) {
    let release = std::fs::read_to_string(home.join("release")).unwrap();
    let line = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=")).unwrap();
    let version = line.trim_matches('"').to_owned();
    let major = version.split(['.', '-', '+']).next().unwrap().parse().unwrap();
    (version, major)
}

/// Runs a command and gives its output.
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A jar of `scripts/jars.lock` by its artifact, or by artifact and version where there are several, fetched when it is
/// not in the cache.
pub fn jar(artifact: &str) -> PathBuf {
    let folder = cache().join("jars");
    let find = || {
        let entries = std::fs::read_dir(&folder).ok()?;
        let named = |path: &PathBuf| {
            let rest =
                path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix(artifact));
            rest.is_some_and(|rest| {
                rest == ".jar"
                    || rest.starts_with('-')
                        && rest[1..].starts_with(|c: char| c.is_ascii_digit())
                        && !rest.contains("-tests")
            })
        };
        entries.flatten().map(|entry| entry.path()).find(named)
    };
    find().unwrap_or_else(|| {
        run(Command::new(root().join("scripts/fetch-jars")).args(["--quiet", artifact]));
        find().unwrap_or_else(|| {
            panic!("scripts/fetch-jars did not fetch {artifact} into {}", folder.display())
        })
    })
}

/// Compiles Java sources of `tests/corpus/java` into a folder.
pub fn javac(home: &Path, options: &[&str], sources: &[&str], out: &Path) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/java");
    let sources = sources.iter().map(|source| folder.join(source));
    run(javac::javac(home).args(options).arg("-nowarn").arg("-d").arg(out).args(sources));
}

/// The helper and the recorder that does nothing, compiled: a class path and what to patch java.base with.
pub struct Tools {
    pub home: PathBuf,
    pub classes: PathBuf,
    pub recorder: PathBuf,
}

impl Tools {
    pub fn new(home: &Path, folder: &Path) -> Self {
        let (classes, recorder) = (folder.join("classes"), folder.join("recorder"));
        std::fs::create_dir_all(&classes).unwrap();
        std::fs::create_dir_all(&recorder).unwrap();
        javac(home, &[], &["Corpus.java"], &classes);
        let patch =
            format!("java.base={}", Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/java").display());
        let sources = ["DynaflowRecorder.java", "DynaflowCoverage.java"];
        javac(home, &["--patch-module", &patch], &sources, &recorder);
        Self { home: home.to_path_buf(), classes, recorder }
    }

    /// A JVM that has the recorder, with options.
    pub fn java(&self) -> Command {
        let mut command = Command::new(self.home.join("bin/java"));
        command.args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]);
        command.arg(format!("-XX:ErrorFile={}", self.classes.join("jvm-crash.log").display()));
        command
    }

    /// The option that puts the recorder into java.base.
    pub fn patch(&self) -> String {
        format!("--patch-module=java.base={}", self.recorder.display())
    }

    /// The class files of the JDK, one archive per module, in the order of their names. Extracted once.
    pub fn modules(&self) -> BTreeMap<String, PathBuf> {
        let folder = cache().join("corpus").join(version(&self.home).0);
        if !folder.is_dir() {
            let scratch = folder.with_extension(format!("{}.tmp", std::process::id()));
            run(self.java().arg("-cp").arg(&self.classes).args(["Corpus", "extract"]).arg(&scratch));
            // Another test may have been faster: then its folder is as good.
            if std::fs::rename(&scratch, &folder).is_err() {
                std::fs::remove_dir_all(&scratch).unwrap();
            }
        }
        let entries = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
        entries.map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path)).collect()
    }
}

/// Calls `visit` with the name and the bytes of every class file of an archive.
pub fn each_class(archive: &Path, mut visit: impl FnMut(&str, &[u8])) {
    let mut zip = zip::ZipArchive::new(std::io::BufReader::new(File::open(archive).unwrap())).unwrap();
    let mut bytes = Vec::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        if file.name().ends_with(".class") {
            bytes.clear();
            file.read_to_end(&mut bytes).unwrap();
            let name = file.name().to_owned();
            visit(&name, &bytes);
        }
    }
}

/// The content of an entry of an archive, if it has it.
fn entry(archive: &Path, name: &str) -> Option<Vec<u8>> {
    let mut zip = zip::ZipArchive::new(std::io::BufReader::new(File::open(archive).unwrap())).unwrap();
    let mut bytes = Vec::new();
    zip.by_name(name).ok()?.read_to_end(&mut bytes).unwrap();
    Some(bytes)
}

/// How to weave a corpus.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    pub name: &'static str,
    pub options: WeaveOptions,
    /// Weave updates of coverage instead: by lot, or those of associations.
    pub updates: Option<Updates>,
}

/// Which updates of coverage are woven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Updates {
    Random,
    Planned,
}

/// All that makes a difference to the bytes woven in.
pub const VARIANTS: [Variant; 3] = [
    Variant::recording("plain", WeaveOptions { branches: false, carve: false, blocks: false, copies: true }),
    Variant::recording("branches", WeaveOptions { branches: true, blocks: true, ..WeaveOptions::NONE }),
    Variant::recording("all", WeaveOptions { branches: true, carve: true, blocks: true, copies: false }),
];

/// Updates of coverage.
pub const UPDATES: [Variant; 2] =
    [Variant::covering("updates", Updates::Random), Variant::covering("associations", Updates::Planned)];

impl Variant {
    const fn recording(name: &'static str, options: WeaveOptions) -> Self {
        Self { name, options, updates: None }
    }

    const fn covering(name: &'static str, updates: Updates) -> Self {
        let options = WeaveOptions::NONE;
        Self { name, options, updates: Some(updates) }
    }

    /// The woven class and the methods that were declined. Site ids begin where constants are needed for them.
    pub fn weave(self, bytes: &[u8]) -> (Vec<u8>, Vec<String>) {
        if let Some(updates) = self.updates {
            return weave_coverage(bytes, updates);
        }
        let plan = if self.options.carve {
            Plan::carving_everywhere(bytes, &self.options)
        } else {
            Plan::new(bytes, &self.options)
        };
        match plan.and_then(|plan| plan.weave(40_000)) {
            Ok(woven) => {
                (woven.bytes, woven.declined.iter().map(|d| format!("{}: {}", d.class, d.reason)).collect())
            }
            Err(declined) => (bytes.to_vec(), vec![format!("{}: {}", declined.class, declined.reason)]),
        }
    }

    /// Weaves an archive into another, which keeps class files and the manifest alone: that says whether classes for newer
    /// JDKs count. Gives the number of classes and what was declined.
    pub fn weave_archive(self, from: &Path, to: &Path, extra: &[(&str, &Path)]) -> (usize, Vec<String>) {
        let mut zip = zip::ZipWriter::new(std::io::BufWriter::new(File::create(to).unwrap()));
        let stored =
            zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        let (mut count, mut declined) = (0, Vec::new());
        each_class(from, |name, bytes| {
            let (woven, reasons) = self.weave(bytes);
            declined.extend(reasons);
            zip.start_file(name, stored).unwrap();
            zip.write_all(&woven).unwrap();
            count += 1;
        });
        if let Some(manifest) = entry(from, "META-INF/MANIFEST.MF") {
            zip.start_file("META-INF/MANIFEST.MF", stored).unwrap();
            zip.write_all(&manifest).unwrap();
        }
        for (name, path) in extra {
            zip.start_file(*name, stored).unwrap();
            zip.write_all(&std::fs::read(path).unwrap()).unwrap();
        }
        zip.finish().unwrap();
        (count, declined)
    }
}

/// The longest code that the JVM compiles.
const COMPILED: usize = 8_000;

/// Weaves updates of coverage into the methods of a class, a class as it may be: one that is not understood stays as it is.
fn weave_coverage(bytes: &[u8], updates: Updates) -> (Vec<u8>, Vec<String>) {
    let Ok(class) = ClassFile::parse(bytes) else { return (bytes.to_vec(), Vec::new()) };
    let updates = match updates {
        Updates::Random => random_updates_of(&class, bytes.len() as u64),
        Updates::Planned => match plan(bytes, &Options::default()) {
            Ok(plan) => plan.methods.into_iter().map(|method| method.updates).collect(),
            Err(_) => Vec::new(),
        },
    };
    match weave_updates(bytes, &updates.iter().collect::<Vec<_>>(), 40_000) {
        Ok(woven) => {
            assert_compiled_as_before(&class, &ClassFile::parse(&woven.bytes).unwrap());
            let declined = woven.declined.iter().filter(|d| !d.reason.contains("empty finalizer"));
            let declined: Vec<_> = declined.map(|d| format!("{}: {}", d.class, d.reason)).collect();
            (woven.bytes, declined)
        }
        Err(declined) => (bytes.to_vec(), vec![format!("{}: {}", declined.class, declined.reason)]),
    }
}

fn random_updates_of(class: &ClassFile<'_>, seed: u64) -> Vec<MethodUpdates> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut updates = Vec::new();
    for (index, member) in class.methods.iter().enumerate() {
        let Ok(Some(body)) = Body::of_method(class, member) else { continue };
        let Ok(blocks) = Blocks::of(&body) else { continue };
        let words = if index % 16 == 0 { 40 } else { 3 };
        let shape = Shape { words, plain: true };
        updates.push(random_updates(&mut random, index, &blocks, shape));
    }
    updates
}

/// No method that the JVM compiles may become one that it does not.
fn assert_compiled_as_before(plain: &ClassFile<'_>, woven: &ClassFile<'_>) {
    for (before, after) in plain.methods.iter().zip(&woven.methods) {
        let length = |class: &ClassFile<'_>, member: &dynaflow_classfile::Member<'_>| {
            let code = member.attributes.iter().find(|attribute| class.is_named(attribute, "Code"))?;
            Some(Code::parse(&code.data, 0).unwrap().bytes.len())
        };
        let (before, after) = (length(plain, before), length(woven, after));
        assert!(before > Some(COMPILED) || after <= Some(COMPILED), "{before:?} bytes became {after:?}");
    }
}

/// A link report: by class, what happened. The text of verification errors is kept apart, for messages.
pub fn report(path: &Path) -> BTreeMap<String, (String, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines
        .map(|(class, outcome)| {
            let (kind, detail) = outcome.split_once(' ').unwrap_or((outcome, ""));
            (class.to_owned(), (kind.to_owned(), detail.to_owned()))
        })
        .collect()
}

/// Holds a report against its control: every class must have the same outcome.
pub fn assert_same(what: &str, control: &Path, woven: &Path) -> usize {
    let (control, woven) = (report(control), report(woven));
    assert!(!control.is_empty(), "{what}: no class was linked");
    let differing: Vec<String> = control
        .iter()
        .filter(|(class, outcome)| woven.get(*class).map(|o| &o.0) != Some(&outcome.0))
        .map(|(class, outcome)| format!("{class}: {outcome:?} became {:?}", woven.get(class)))
        .collect();
    let shown = differing.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(differing.is_empty(), "{what}: {} of {} classes differ\n{shown}", differing.len(), control.len());
    assert_eq!(control.len(), woven.len(), "{what}: the same classes are linked");
    control.len()
}

//! Compiles the Java sources under `src/main/java` with the `javac` of this machine and writes the table of class bytes that
//! `src/lib.rs` includes. It does not know what the classes do: `java.lang.DynaflowCoverage*` are coverage classes, the other
//! `java.lang.*` recorder classes, `java.lang.DynaflowNative` is both, `io.dynaflow.shim.*` are worker classes, `io.dynaflow.mutants.*` what classes
//! with mutants call, `io.dynaflow.fitness.*` what classes with probes of branches call, anything else is an error. Invariant: the same sources and the same `javac` give the same table.

use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const SOURCES: &str = "src/main/java";
const RECORDER_PACKAGE: &str = "java.lang.";
const COVERAGE_PREFIX: &str = "java.lang.DynaflowCoverage";
const NATIVE: &str = "java.lang.DynaflowNative";
const WORKER_PACKAGE: &str = "io.dynaflow.shim.";
const MUTANTS_PACKAGE: &str = "io.dynaflow.mutants.";
const FITNESS_PACKAGE: &str = "io.dynaflow.fitness.";

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed={SOURCES}");
    for variable in ["JAVA_HOME", "PATH"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").context("cargo sets OUT_DIR for build scripts")?);
    let classes = out.join("classes");
    if classes.exists() {
        fs::remove_dir_all(&classes).with_context(|| format!("cannot empty {}", classes.display()))?;
    }
    fs::create_dir_all(&classes)?;
    compile(&files(Path::new(SOURCES), "java")?, &classes)?;
    write_table(&classes, &out)
}

/// All files below `folder` with this extension, sorted.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = vec![];
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).with_context(|| format!("cannot read {}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// `javac` of `JAVA_HOME`, or the first one on the `PATH`.
fn find_javac() -> Result<PathBuf> {
    let name = format!("javac{}", env::consts::EXE_SUFFIX);
    let home = env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    home.into_iter()
        .chain(env::split_paths(&path))
        .map(|folder| folder.join(&name))
        .find(|candidate| candidate.is_file())
        .context(
            "no `javac` found: dynaflow compiles its Java classes while it is built; install a JDK (11 or later) and set \
             JAVA_HOME to its folder, or put its `bin` folder on the PATH",
        )
}

/// Java 8 source and class files, without debug names that nobody reads; lines stay for stack traces.
fn compile(sources: &[PathBuf], classes: &Path) -> Result<()> {
    let javac = find_javac()?;
    let output = Command::new(&javac)
        .args(["-nowarn", "-g:lines,source", "-encoding", "UTF-8", "-proc:none", "-Xlint:-options"])
        // Not `--release`: it would refuse a package of the JDK, and the recorder must live in one.
        .args(["-source", "8", "-target", "8", "-XDignore.symbol.file", "-d"])
        .arg(classes)
        .args(sources)
        .output()
        .with_context(|| format!("cannot run {}", javac.display()))?;
    if !output.status.success() {
        bail!(
            "{} refused the sources under {SOURCES}:\n{}",
            javac.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(())
}

/// Writes `classes.rs` (two tables of name and bytes), `worker.jar`, `mutants.jar` and `fitness.jar` next to it.
fn write_table(classes: &Path, out: &Path) -> Result<()> {
    let (mut recorder, mut coverage) = (String::new(), String::new());
    let [mut worker, mut mutants, mut fitness] = [(); 3].map(|()| zip::ZipWriter::new(Cursor::new(vec![])));
    let stored = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default());
    for file in files(classes, "class")? {
        let entry = file.strip_prefix(classes)?.to_string_lossy().replace('\\', "/");
        let name = entry.trim_end_matches(".class").replace('/', ".");
        let row = format!("    ({name:?}, include_bytes!({:?})),\n", file.display().to_string());
        if name.starts_with(RECORDER_PACKAGE) {
            let counts = name.starts_with(COVERAGE_PREFIX);
            if counts || name == NATIVE {
                coverage.push_str(&row);
            }
            if !counts {
                recorder.push_str(&row);
            }
            continue;
        }
        let jar = if name.starts_with(WORKER_PACKAGE) {
            &mut worker
        } else if name.starts_with(MUTANTS_PACKAGE) {
            &mut mutants
        } else if name.starts_with(FITNESS_PACKAGE) {
            &mut fitness
        } else {
            bail!(
                "class {name}: sources under {SOURCES} belong to {RECORDER_PACKAGE}*, {WORKER_PACKAGE}*, {MUTANTS_PACKAGE}* or \
                 {FITNESS_PACKAGE}*"
            );
        };
        jar.start_file(entry, stored)?;
        jar.write_all(&fs::read(&file)?)?;
    }
    fs::write(out.join("worker.jar"), worker.finish()?.into_inner())?;
    fs::write(out.join("mutants.jar"), mutants.finish()?.into_inner())?;
    fs::write(out.join("fitness.jar"), fitness.finish()?.into_inner())?;
    let mut table = String::new();
    let tables = [("RECORDER_CLASSES", recorder), ("COVERAGE_CLASSES", coverage)];
    for (constant, rows) in tables {
        writeln!(table, "const {constant}: &[(&str, &[u8])] = &[\n{rows}];")?;
    }
    fs::write(out.join("classes.rs"), table).context("cannot write the table of classes")
}

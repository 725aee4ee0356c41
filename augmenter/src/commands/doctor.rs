//! `dynaflow doctor`: what is there, what is missing, what to do. Knows nothing of how the parts work.
//!
//! Invariant: a part is called ok only after it did something: the JDK printed its version, the agent was loaded by that JDK,
//! the confinement was entered.

use crate::cli::DoctorArgs;
use crate::exit_code::Exit;
use crate::jvm::jdk::Jdk;
use crate::jvm::sandbox;
use crate::{agent_path, output};
use anyhow::Result;
use dynaflow_java_shim::{RECORDER, WORKER_JAR};
use dynaflow_solve::Config;
use std::path::Path;
use std::process::{Command, Stdio};

/// What was found about one part.
enum Finding {
    /// It works.
    Ok(String),
    /// Some commands work less well without it.
    Note(String),
    /// It is needed.
    Missing(String),
}

/// Looks at everything dynaflow needs.
///
/// # Errors
/// When standard output cannot be written.
pub fn run(args: &DoctorArgs) -> Result<Exit> {
    let jdk = Jdk::find(args.java_home.as_deref());
    let agent = agent_path::find();
    let mut findings = vec![];
    match &jdk {
        Ok(jdk) => {
            findings.push((
                "JDK",
                Finding::Ok(format!("version {} in {}", jdk.version_text, jdk.home.display())),
            ));
            findings.push(("compiler", compiler(jdk)));
        }
        Err(error) => findings.push(("JDK", Finding::Missing(error.to_string()))),
    }
    findings.push((
        "agent",
        match (&agent, &jdk) {
            (Err(error), _) => Finding::Missing(error.to_string()),
            (Ok(path), Err(_)) => Finding::Note(format!("{}; not tried, as there is no JDK", path.display())),
            (Ok(path), Ok(jdk)) => attach(path, jdk),
        },
    ));
    findings.push(("java shim", shim()));
    findings.push(("solver", solver()));
    findings.extend(confinement());
    report(&findings)
}

fn compiler(jdk: &Jdk) -> Finding {
    match jdk.javac() {
        Ok(path) => Finding::Ok(path.display().to_string()),
        Err(error) => Finding::Note(format!("`augment` cannot compile tests: {error}")),
    }
}

/// Loads the agent into a JVM that prints its version and ends.
fn attach(agent: &Path, jdk: &Jdk) -> Finding {
    let Ok(folder) = tempfile::tempdir() else {
        return Finding::Note(format!("{}; not tried, as no temporary folder can be made", agent.display()));
    };
    let option = format!("-agentpath:{}=out={}", agent.display(), folder.path().display());
    let tried = Command::new(jdk.java()).arg(option).arg("-version").stdin(Stdio::null()).output();
    match tried {
        Ok(output) if output.status.success() => {
            Finding::Ok(format!("{}, loaded by JDK {}", agent.display(), jdk.version))
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            let said = said
                .lines()
                .chain(String::from_utf8_lossy(&output.stdout).lines())
                .collect::<Vec<_>>()
                .join(" ");
            Finding::Missing(format!(
                "{}: JDK {} does not load it (it was built for another system or JDK?): {said}",
                agent.display(),
                jdk.version
            ))
        }
        Err(error) => Finding::Missing(format!("{} cannot be run: {error}", jdk.java().display())),
    }
}

/// Asks the solver that `atg` uses by default.
fn solver() -> Finding {
    let config = Config::z3();
    match config.check() {
        Ok(()) => Finding::Ok(config.command.join(" ")),
        Err(why) => Finding::Note(format!(
            "{why}; without one `atg` writes tests by chance alone: install z3, or name another one with --solver"
        )),
    }
}

fn shim() -> Finding {
    if RECORDER.is_empty() || WORKER_JAR.is_empty() {
        return Finding::Missing(
            "this binary was built without its Java classes; build it where a JDK is found".to_owned(),
        );
    }
    Finding::Ok(format!(
        "{} recorder classes, worker of {} bytes, embedded",
        RECORDER.len(),
        WORKER_JAR.len()
    ))
}

/// A process of ours confines itself and reports what it could do; `augment` needs all of it.
fn confinement() -> Vec<(&'static str, Finding)> {
    let report = std::env::current_exe().and_then(|launcher| sandbox::check(&launcher));
    let text = match report {
        Ok(text) if !text.trim().is_empty() => text,
        Ok(_) => return vec![("confinement", Finding::Note("the kernel offers nothing for it".to_owned()))],
        Err(error) => return vec![("confinement", Finding::Note(format!("cannot be tried: {error}")))],
    };
    let finding = |line: &str| {
        if line.contains("MISSING") {
            let remedy = "`augment` refuses to run generated calls without it (Linux 6.2 or later with Landlock, seccomp \
                          and user namespaces has it), unless --allow-weak-confinement accepts the risk";
            Finding::Note(format!("{line}; {remedy}"))
        } else {
            Finding::Ok(line.to_owned())
        }
    };
    text.lines().map(|line| ("confinement", finding(line))).collect()
}

fn report(findings: &[(&str, Finding)]) -> Result<Exit> {
    output::result(None, |out| {
        findings.iter().try_for_each(|(part, finding)| match finding {
            Finding::Ok(text) => writeln!(out, "ok       {part}: {text}"),
            Finding::Note(text) => writeln!(out, "note     {part}: {text}"),
            Finding::Missing(text) => writeln!(out, "MISSING  {part}: {text}"),
        })
    })?;
    let missing = findings.iter().any(|(_, finding)| matches!(finding, Finding::Missing(_)));
    Ok(if missing { Exit::Missing } else { Exit::Success })
}

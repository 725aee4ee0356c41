//! Hash tables of the JDK that hand out what they hold in the reverse of their usual order, for JVMs whose tests must not depend on it: the specification leaves that order
//! open, and it differs with the capacity and the JDK.
//!
//! In: the class files of a JDK. Out: a folder that comes before them, and the option for it. Knows nothing of tests. Invariant: the bits of each hash are turned
//! over where the table computes it, and nothing else changes, so that the order of the buckets is reversed and everything is found where it was put; a JDK whose tables are not understood is left as
//! it is.

use super::image::JdkClasses;
use super::jdk::Jdk;
use super::launch::JvmConfig;
use anyhow::{Context, Result, anyhow};
use dynaflow_classfile::Opcode;
use dynaflow_rewrite::before_returns;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Where hash tables compute a hash: the class, the method, and what turns over the bits that it may have.
const TABLES: &[(&str, &str, &str, &[Opcode])] = &[
    ("java/util/HashMap", "hash", "(Ljava/lang/Object;)I", &[Opcode::IconstM1, Opcode::Ixor]),
    (
        "java/util/concurrent/ConcurrentHashMap",
        "spread",
        "(I)I",
        // A negative number would mean something else.
        &[Opcode::IconstM1, Opcode::Iconst1, Opcode::Iushr, Opcode::Ixor],
    ),
];
/// How the option begins by which classes come before those of a module.
const PATCH: &str = "--patch-module";

/// The classes of such tables, in a folder: written when a JVM is to use them for the first time.
#[derive(Debug)]
pub struct ReversedTables {
    jdk: Jdk,
    folder: PathBuf,
    /// Once they were written, the option; none where the tables of the JDK are not understood, or the folder cannot be written.
    option: OnceLock<Option<String>>,
}

impl ReversedTables {
    /// Those of a JDK, in a folder that is not there yet.
    pub fn new(jdk: &Jdk, folder: PathBuf) -> Self {
        Self { jdk: jdk.clone(), folder, option: OnceLock::new() }
    }

    /// Writes them; gives the option.
    fn write(&self) -> Result<String> {
        let (jdk, folder) = (&self.jdk, self.folder.as_path());
        let classes = JdkClasses::open(&jdk.home)?;
        for (class, method, descriptor, turn) in TABLES {
            let bytes = classes.class(class.as_bytes()).with_context(|| format!("the JDK has no {class}"))?;
            let reversed = before_returns(&bytes, (method, descriptor), turn)
                .map_err(|failure| anyhow!("changing {class}.{method}: {failure}"))?;
            let file = folder.join(format!("{class}.class"));
            std::fs::create_dir_all(file.parent().unwrap_or(folder))?;
            std::fs::write(&file, reversed).with_context(|| format!("writing `{}`", file.display()))?;
        }
        let text = folder.to_str().context("the folder for temporary files has a strange name")?;
        Ok(if jdk.version < 9 {
            format!("-Xbootclasspath/p:{text}")
        } else {
            format!("{PATCH}=java.base={text}")
        })
    }

    fn option(&self) -> Option<&String> {
        let written = || {
            let written = self.write();
            written.inspect_err(|error| tracing::info!("no hash table is in reverse order: {error:#}")).ok()
        };
        self.option.get_or_init(written).as_ref()
    }

    /// Has a JVM use them if there are any, unless it replaces classes of the JDK's first module itself: it takes only one folder for that.
    pub fn apply(&self, jvm: &mut JvmConfig) {
        let is_taken = |option: &String| {
            option.starts_with("java.base=") || option.starts_with(PATCH) && option.contains("java.base=")
        };
        if jvm.jvm_args.iter().any(is_taken) {
            return;
        }
        if let Some(option) = self.option() {
            jvm.jvm_args.push(option.clone());
            jvm.readable.push(self.folder.clone());
        }
    }
}

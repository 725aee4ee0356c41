//! The Java compiler as tests start it, and folders compiled once; a file for the tests of several crates, which include it by
//! its path.
//!
//! It knows no test. Invariant: what is compiled is what `javac` compiles by itself; only the compiler's own JVM is another.

#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::unwrap_used, reason = "a helper of tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The compiler of a JDK. It runs for a second: a JVM that neither optimises much nor collects garbage in parallel needs
/// two thirds of the processor time.
pub fn javac(home: &Path) -> Command {
    let mut javac = Command::new(home.join("bin/javac"));
    javac.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    javac
}

/// Files by their paths below a folder.
type Files = Vec<(PathBuf, Vec<u8>)>;

/// What was compiled in this process, by key.
static COMPILED: Mutex<BTreeMap<String, Arc<OnceLock<Files>>>> = Mutex::new(BTreeMap::new());

/// Fills a folder: by compiling into it when there was nothing with this key, which names all that the result depends on; else with the
/// files of the first time. Each caller may change its folder.
pub fn once(key: String, out: &Path, compile: impl FnOnce()) {
    let slot = Arc::clone(COMPILED.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
    let mut first = false;
    let files = slot.get_or_init(|| {
        first = true;
        compile();
        let mut files = vec![];
        read(out, Path::new(""), &mut files);
        files
    });
    if !first {
        for (name, bytes) in files {
            let file = out.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
    }
}

/// All files of a folder and below.
fn read(root: &Path, below: &Path, files: &mut Files) {
    for entry in fs::read_dir(root.join(below)).unwrap() {
        let entry = entry.unwrap();
        let name = below.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            read(root, &name, files);
        } else {
            let bytes = fs::read(entry.path()).unwrap();
            files.push((name, bytes));
        }
    }
}

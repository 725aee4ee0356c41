//! Where the tests find the agent. Knows nothing of what they record.
//!
//! Invariant: there is one; a test never passes because the agent is missing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The agent library that `DYNAFLOW_AGENT` names; else the one next to the binary, brought up to date once, since a test of
/// another package does not build it.
pub fn agent() -> &'static Path {
    static AGENT: OnceLock<PathBuf> = OnceLock::new();
    AGENT.get_or_init(|| {
        if let Some(named) = std::env::var_os("DYNAFLOW_AGENT") {
            return std::path::absolute(named).unwrap();
        }
        let folder = assert_cmd::cargo::cargo_bin("dynaflow").parent().unwrap().to_owned();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--package", "dynaflow-agent"]);
        if folder.ends_with("release") {
            cargo.arg("--release");
        }
        cargo.arg("--target-dir").arg(folder.parent().unwrap()).current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(cargo.status().unwrap().success(), "the agent cannot be built");
        folder.join(dynaflow_augmenter::agent_path::file_name())
    })
}

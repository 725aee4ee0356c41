//! Writes the blocks of traces without their compression, which is what fuzzing changes: `unpack_traces FROM TO`.
//!
//! It knows nothing of what blocks hold. Invariant: `NAME.trace` of the first folder becomes `NAME.blocks` of the second.

#![allow(clippy::unwrap_used, reason = "a tool of scripts/fuzz: whatever fails is reported by a panic")]

use dynaflow_tests::trace_checks::unpacked;
use std::path::Path;

fn main() {
    let mut folders = std::env::args_os().skip(1);
    let (from, to) = (folders.next().unwrap(), folders.next().unwrap());
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let blocks = Path::new(path.file_name().unwrap()).with_extension("blocks");
        std::fs::write(Path::new(&to).join(blocks), unpacked(&std::fs::read(&path).unwrap())).unwrap();
    }
}

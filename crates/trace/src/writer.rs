//! Writes one trace, block by block, straight to the operating system.
//!
//! Knows nothing of reading. It runs inside the JVM under test: it never panics and never buffers across calls, so that
//! whenever the process is killed, what it had passed to a call is in the file. Invariant: after every call, successful or not,
//! the file ends behind a whole block; an entry of the tables is written once, before the first record that needs it; no block
//! relies on bytes that are not in the file.

use crate::block_delta::{BlockDelta, BlockMarks};
use crate::delta::{Delta, Marks};
use crate::encoding::{EncodingError, encode};
use crate::error::{BuildConflict, TraceError};
use crate::format::{BlockKind, EXTENSION, MAX_BLOCK, header, push_block};
use crate::relative::written;
use crate::window::Deflater;
use dynaflow_model::coverage::CoverageRun;
use dynaflow_model::facts::{BoundsHit, Effort, FactTable, TestRecord, ThinnedAt};
use dynaflow_model::sites::{ClassHash, Declined};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How many ids of covered associations one block takes, far below what a block may hold.
const COVERED_IN_BLOCK: usize = 1 << 20;
/// How many lines at which events were left out one block takes; names are shorter than 64 KiB each.
const THINNED_IN_BLOCK: usize = 1 << 8;

/// A trace being written.
#[derive(Debug)]
pub struct TraceWriter {
    path: PathBuf,
    file: File,
    window: Deflater,
    marks: (Marks, BlockMarks),
    classes: BTreeMap<String, ClassHash>,
    /// End of the last whole block; none when a failed write could not be taken back.
    end: Option<u64>,
}

impl TraceWriter {
    /// Begins a trace in a new file.
    ///
    /// # Errors
    /// When the file is there already (a trace is never overwritten) or cannot be made.
    pub fn create(path: &Path) -> Result<Self, TraceError> {
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(TraceError::io(path, "create the trace"))?;
        Self::begin(path, file)
    }

    fn begin(path: &Path, file: File) -> Result<Self, TraceError> {
        let mut writer = Self {
            path: path.to_owned(),
            file,
            window: Deflater::new(),
            marks: Default::default(),
            classes: BTreeMap::new(),
            end: Some(0),
        };
        writer.append(&header())?;
        Ok(writer)
    }

    /// Begins the trace of process `pid` in a folder, which is made if missing: `dynaflow-PID.trace`, or
    /// `dynaflow-PID-2.trace` and so on when an earlier process had the same number. Where `folder` is an empty file, that
    /// becomes the trace: somebody made it for a process that can make no files.
    ///
    /// # Errors
    /// When the folder or the file cannot be made, or the file has contents already.
    pub fn create_in(folder: &Path, pid: u32) -> Result<Self, TraceError> {
        if folder.is_file() {
            return Self::take(folder);
        }
        std::fs::create_dir_all(folder).map_err(TraceError::io(folder, "create the folder"))?;
        let mut path = folder.join(format!("dynaflow-{pid}.{EXTENSION}"));
        for n in 2_u32.. {
            match Self::create(&path) {
                Err(TraceError::Io { source, .. }) if source.kind() == ErrorKind::AlreadyExists => {
                    path = folder.join(format!("dynaflow-{pid}-{n}.{EXTENSION}"));
                }
                other => return other,
            }
        }
        Self::create(&path)
    }

    fn take(path: &Path) -> Result<Self, TraceError> {
        let io = |action| TraceError::io(path, action);
        let file = OpenOptions::new().write(true).open(path).map_err(io("open the trace"))?;
        if file.metadata().map_err(io("read the size"))?.len() > 0 {
            return Err(io("begin a trace")(ErrorKind::AlreadyExists.into()));
        }
        Self::begin(path, file)
    }

    /// The file that is written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a class was announced: without one there are no facts.
    pub fn has_classes(&self) -> bool {
        !self.classes.is_empty()
    }

    /// Takes back the whole trace.
    ///
    /// # Errors
    /// When the file cannot be removed.
    pub fn discard(self) -> Result<(), TraceError> {
        std::fs::remove_file(&self.path).map_err(TraceError::io(&self.path, "remove the trace"))
    }

    /// Announces a recorded class; the same class and build again (from another loader) writes nothing.
    ///
    /// # Errors
    /// [`TraceError::Build`] when the class is already there in another build: nothing is written, and the caller must
    /// leave this build unrecorded. Else when writing fails.
    pub fn class(&mut self, name: &str, hash: ClassHash) -> Result<(), TraceError> {
        match self.classes.get(name) {
            Some(&first) if first == hash => return Ok(()),
            Some(&first) => {
                let conflict = BuildConflict { class: name.to_owned(), first, second: hash };
                return Err(TraceError::Build { path: self.path.clone(), conflict });
            }
            None => {}
        }
        self.block(BlockKind::Class, "a class", &(name, hash))?;
        self.classes.insert(name.to_owned(), hash);
        Ok(())
    }

    /// Records that a class or method was left as it was.
    ///
    /// # Errors
    /// When writing fails.
    pub fn declined(&mut self, declined: &Declined) -> Result<(), TraceError> {
        self.block(BlockKind::Declined, "a declined class", declined)
    }

    /// Records trouble in words.
    ///
    /// # Errors
    /// When writing fails.
    pub fn note(&mut self, text: &str) -> Result<(), TraceError> {
        self.block(BlockKind::Note, "a note", &text)
    }

    /// Announces that coverage of associations is recorded, and how; before the first [`Self::covered`].
    ///
    /// # Errors
    /// When writing fails.
    pub fn coverage(&mut self, run: &CoverageRun) -> Result<(), TraceError> {
        self.block(BlockKind::Coverage, "what is recorded", run)
    }

    /// Records associations that were covered; none writes nothing.
    ///
    /// # Errors
    /// When writing fails.
    pub fn covered(&mut self, ids: &[u64]) -> Result<(), TraceError> {
        self.blocks(|writer, bytes| {
            ids.chunks(COVERED_IN_BLOCK)
                .try_for_each(|part| writer.push(bytes, BlockKind::Covered, "covered associations", &part))
        })
    }

    /// Appends where how many events were left out.
    ///
    /// # Errors
    /// When writing fails.
    pub fn thinned(&mut self, thinned: &BTreeMap<ThinnedAt, u64>) -> Result<(), TraceError> {
        let lines: Vec<_> = thinned.iter().collect();
        self.blocks(|writer, bytes| {
            let mut parts = lines.chunks(THINNED_IN_BLOCK);
            parts.try_for_each(|part| writer.push(bytes, BlockKind::Thinned, "what was left out", &part))
        })
    }

    /// Appends what the tables have gained since the last call, then the record. The tables must be the ones of the
    /// earlier calls, grown. Linear in what is new and in the record.
    ///
    /// A record whose carved calls make it larger than a block is written without them, and a note says so.
    ///
    /// # Errors
    /// When writing fails; nothing of the record is then in the file, and the next call writes the missing entries.
    pub fn test(&mut self, facts: &FactTable, record: &TestRecord) -> Result<(), TraceError> {
        self.marks = self.blocks(|writer, bytes| {
            let marks = writer.dictionary(bytes, facts)?;
            writer.record(bytes, record)?;
            Ok(marks)
        })?;
        Ok(())
    }

    fn record(&mut self, bytes: &mut Vec<u8>, record: &TestRecord) -> Result<(), TraceError> {
        let what = format!("the record of test {}", record.name);
        match self.push(bytes, BlockKind::Test, &what, &written(record)) {
            Err(TraceError::TooLarge { size, .. }) if record.carved.is_some() => {
                let lean = TestRecord { carved: None, witnesses: vec![], ..record.clone() };
                self.push(bytes, BlockKind::Test, &what, &written(&lean))?;
                let note =
                    format!("{what} takes {size} bytes: its calls were left out and cannot be spliced");
                self.push(bytes, BlockKind::Note, "a note", &note)
            }
            other => other,
        }
    }

    /// Appends what the tables have gained since the last call, without a record.
    ///
    /// # Errors
    /// When writing fails.
    pub fn facts(&mut self, facts: &FactTable) -> Result<(), TraceError> {
        self.marks = self.blocks(|writer, bytes| writer.dictionary(bytes, facts))?;
        Ok(())
    }

    /// Writes what recording took and the end marker: the process ended in order.
    ///
    /// # Errors
    /// When writing fails.
    pub fn finish(mut self, bounds: BoundsHit, effort: Effort) -> Result<(), TraceError> {
        if effort != Effort::default() {
            self.block(BlockKind::Effort, "what recording took", &effort)?;
        }
        self.block(BlockKind::End, "the end marker", &bounds)
    }

    /// The blocks of new entries; gives how far the tables are written with them.
    fn dictionary(
        &mut self,
        bytes: &mut Vec<u8>,
        facts: &FactTable,
    ) -> Result<(Marks, BlockMarks), TraceError> {
        let mut marks = self.marks;
        while let Some(delta) = Delta::take(facts, &mut marks.0) {
            self.push(bytes, BlockKind::Dictionary, "new facts", &delta)?;
        }
        while let Some(delta) = BlockDelta::take(facts, &mut marks.1) {
            self.push(bytes, BlockKind::BlockFacts, "new facts per basic block", &delta)?;
        }
        Ok(marks)
    }

    fn block<T: Serialize>(&mut self, kind: BlockKind, what: &str, value: &T) -> Result<(), TraceError> {
        self.blocks(|writer, bytes| writer.push(bytes, kind, what, value))
    }

    /// Makes blocks and appends them in one write. When that fails later blocks must not rely on what these said.
    fn blocks<R>(
        &mut self,
        make: impl FnOnce(&mut Self, &mut Vec<u8>) -> Result<R, TraceError>,
    ) -> Result<R, TraceError> {
        let mut bytes = vec![];
        let made = make(self, &mut bytes).and_then(|made| self.append(&bytes).map(|()| made));
        if made.is_err() {
            self.window.forget();
        }
        made
    }

    fn push<T: Serialize>(
        &mut self,
        bytes: &mut Vec<u8>,
        kind: BlockKind,
        what: &str,
        value: &T,
    ) -> Result<(), TraceError> {
        let path = &self.path;
        let encoding = |e: EncodingError| TraceError::Encoding {
            path: path.clone(),
            what: what.to_owned(),
            reason: e.0,
        };
        let too_large = |size| TraceError::TooLarge { path: path.clone(), what: what.to_owned(), size };
        let payload = encode(value).map_err(encoding)?;
        if payload.len() > MAX_BLOCK as usize {
            return Err(too_large(payload.len()));
        }
        let (anew, deflated) = self.window.deflate(&payload).map_err(encoding)?;
        push_block(bytes, kind, anew, &deflated).map_err(|size| {
            self.window.forget();
            too_large(size)
        })
    }

    /// One write; when it fails (disk full), what arrived of it is taken back.
    fn append(&mut self, bytes: &[u8]) -> Result<(), TraceError> {
        let end = self.end.ok_or_else(|| TraceError::Broken { path: self.path.clone() })?;
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.end = Some(end + bytes.len() as u64);
                Ok(())
            }
            Err(error) => {
                let undone = self.file.set_len(end).and_then(|()| self.file.seek(SeekFrom::Start(end)));
                self.end = undone.ok();
                Err(TraceError::io(&self.path, "write the trace")(error))
            }
        }
    }
}

//! Reads a trace: whole, or following a file that a worker is still writing.
//!
//! Knows nothing of several files. Invariant: the tables handed out never hold an entry that refers to a missing one, so
//! every id in an [`Event`] names something in [`TraceReader::facts`].

use crate::block_delta::BlockDelta;
use crate::delta::{Delta, refers_only_to};
use crate::encoding::{EncodingError, decode};
use crate::error::{BuildConflict, Cut, ReadState, TraceError};
use crate::format::{Block, BlockKind, Found, HEADER, MAGIC, VERSION, read_block};
use crate::merge::add_thinned;
use crate::relative::restore;
use crate::window::Inflater;
use dynaflow_model::coverage::CoverageRun;
use dynaflow_model::facts::{BoundsHit, Effort, FactTable, Recording, TestRecord, ThinnedAt};
use dynaflow_model::sites::{ClassHash, Declined};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Something that a trace holds. New facts come without an event: they are in [`TraceReader::facts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A class is recorded, in this build.
    Class(String, ClassHash),
    /// A class or method was left as it was.
    Declined(Declined),
    /// Trouble in words.
    Note(String),
    /// A test ended.
    Test(TestRecord),
    /// What recording took.
    Effort(Effort),
    /// Coverage of associations is recorded, in this way.
    Coverage(CoverageRun),
    /// Associations that were covered.
    Covered(Vec<u64>),
    /// How many events were left out where.
    Thinned(Vec<(ThinnedAt, u64)>),
    /// The process ended in order.
    End(BoundsHit),
}

/// A trace being read, possibly while it is written.
#[derive(Debug)]
pub struct TraceReader {
    path: PathBuf,
    input: BufReader<File>,
    /// Bytes taken in so far; the header counts once it was seen.
    offset: u64,
    window: Inflater,
    facts: FactTable,
    classes: BTreeMap<String, ClassHash>,
    state: State,
}

#[derive(Debug)]
enum State {
    Following,
    Ended,
    Harmed(Cut),
}

impl TraceReader {
    /// Opens a file, which may still be empty.
    ///
    /// # Errors
    /// When it cannot be opened, or is no file: opening a pipe would wait for somebody who writes to it.
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let meta = std::fs::metadata(path).map_err(TraceError::io(path, "open the trace"))?;
        if !meta.is_file() {
            return Err(TraceError::NotATrace { path: path.to_owned() });
        }
        let file = File::open(path).map_err(TraceError::io(path, "open the trace"))?;
        Ok(Self {
            path: path.to_owned(),
            input: BufReader::with_capacity(1 << 16, file),
            offset: 0,
            window: Inflater::new(),
            facts: FactTable::default(),
            classes: BTreeMap::new(),
            state: State::Following,
        })
    }

    /// The next event of a whole block, or none when there is none yet, or no more (see [`TraceReader::state`]).
    ///
    /// # Errors
    /// When the file cannot be read, is no trace, has another version or a class in two builds.
    #[expect(clippy::should_implement_trait, reason = "it may give events again after it gave none")]
    pub fn next(&mut self) -> Result<Option<Event>, TraceError> {
        if self.offset == 0 && !self.read_header()? {
            return Ok(None);
        }
        loop {
            if !matches!(self.state, State::Following) {
                return Ok(None);
            }
            match self.next_block()? {
                Found::Incomplete => return Ok(None),
                Found::Harmed(reason) => self.cut(reason),
                Found::Block(block) => {
                    if let Some(event) = self.take_in(&block)? {
                        return Ok(Some(event));
                    }
                }
            }
        }
    }

    /// All events of whole blocks that were appended since the last call.
    ///
    /// # Errors
    /// As [`TraceReader::next`].
    pub fn poll(&mut self) -> Result<Vec<Event>, TraceError> {
        let mut events = vec![];
        while let Some(event) = self.next()? {
            events.push(event);
        }
        Ok(events)
    }

    /// The facts so far.
    pub fn facts(&self) -> &FactTable {
        &self.facts
    }

    /// The build of every class so far.
    pub fn classes(&self) -> &BTreeMap<String, ClassHash> {
        &self.classes
    }

    /// How far reading came. `CutAt` while the file is still growing only means that its end was not seen yet.
    pub fn state(&self) -> ReadState {
        match &self.state {
            State::Ended => ReadState::Complete,
            State::Harmed(cut) => ReadState::CutAt(cut.clone()),
            State::Following => ReadState::CutAt(Cut {
                offset: self.offset,
                reason: "the file ends without the end marker".to_owned(),
            }),
        }
    }

    /// Where the file is harmed, so that waiting for more is in vain.
    pub fn harmed(&self) -> Option<&Cut> {
        match &self.state {
            State::Harmed(cut) => Some(cut),
            State::Following | State::Ended => None,
        }
    }

    fn available(&self) -> Result<u64, TraceError> {
        let length =
            self.input.get_ref().metadata().map_err(TraceError::io(&self.path, "read the size"))?.len();
        Ok(length.saturating_sub(self.offset))
    }

    /// Whether the header is there; too short a file may still get it.
    fn read_header(&mut self) -> Result<bool, TraceError> {
        let mut bytes = vec![];
        let io = TraceError::io(&self.path, "read the trace");
        self.input
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.input.by_ref().take(HEADER).read_to_end(&mut bytes))
            .map_err(io)?;
        if !bytes.iter().zip(&MAGIC).all(|(a, b)| a == b) {
            return Err(TraceError::NotATrace { path: self.path.clone() });
        }
        let Some(version) = bytes.get(MAGIC.len()..).and_then(|rest| rest.try_into().ok()) else {
            return Ok(false);
        };
        let found = u32::from_le_bytes(version);
        if found != VERSION {
            return Err(TraceError::Version { path: self.path.clone(), found, expected: VERSION });
        }
        self.offset = HEADER;
        Ok(true)
    }

    fn next_block(&mut self) -> Result<Found, TraceError> {
        let available = self.available()?;
        if available == 0 {
            return Ok(Found::Incomplete);
        }
        let io = TraceError::io(&self.path, "read the trace");
        let found = read_block(&mut self.input, available).map_err(io)?;
        if !matches!(found, Found::Block(..)) {
            // The next attempt begins at the same block again.
            self.input
                .seek(SeekFrom::Start(self.offset))
                .map_err(TraceError::io(&self.path, "read the trace"))?;
        }
        Ok(found)
    }

    /// Uses a block: moves behind it, or stays and reports harm when its contents make no sense.
    fn take_in(&mut self, block: &Block) -> Result<Option<Event>, TraceError> {
        let payload = self.window.inflate(block.anew, &block.deflated);
        match payload.and_then(|payload| self.understand(block.kind, &payload)) {
            Ok(event) => {
                self.offset += block.size;
                if let Some(Event::Class(name, hash)) = &event {
                    self.add_class(name, *hash)?;
                }
                if let Some(Event::End(_)) = event {
                    self.state = State::Ended;
                    if self.available()? > 0 {
                        self.cut("bytes follow the end marker".to_owned());
                    }
                }
                Ok(event)
            }
            Err(EncodingError(reason)) => {
                self.cut(reason);
                Ok(None)
            }
        }
    }

    fn understand(&mut self, kind: BlockKind, payload: &[u8]) -> Result<Option<Event>, EncodingError> {
        Ok(Some(match kind {
            BlockKind::Class => {
                let (name, hash) = decode(payload)?;
                Event::Class(name, hash)
            }
            BlockKind::Declined => Event::Declined(decode(payload)?),
            BlockKind::Note => Event::Note(decode(payload)?),
            BlockKind::Dictionary => {
                decode::<Delta>(payload)?.apply(&mut self.facts).map_err(no_entry)?;
                return Ok(None);
            }
            BlockKind::BlockFacts => {
                decode::<BlockDelta>(payload)?.apply(&mut self.facts).map_err(no_entry)?;
                return Ok(None);
            }
            BlockKind::Test => {
                let mut record: TestRecord = decode(payload)?;
                restore(&mut record);
                if !refers_only_to(&record, &self.facts) {
                    return Err(EncodingError(format!(
                        "test {} refers to facts that are not there",
                        record.name
                    )));
                }
                Event::Test(record)
            }
            BlockKind::Effort => Event::Effort(decode(payload)?),
            BlockKind::Coverage => Event::Coverage(decode(payload)?),
            BlockKind::Covered => Event::Covered(decode(payload)?),
            BlockKind::Thinned => Event::Thinned(decode(payload)?),
            BlockKind::End => Event::End(decode(payload)?),
        }))
    }

    fn add_class(&mut self, name: &str, hash: ClassHash) -> Result<(), TraceError> {
        let first = *self.classes.entry(name.to_owned()).or_insert(hash);
        if first == hash {
            return Ok(());
        }
        let conflict = BuildConflict { class: name.to_owned(), first, second: hash };
        Err(TraceError::Build { path: self.path.clone(), conflict })
    }

    fn cut(&mut self, reason: String) {
        self.state = State::Harmed(Cut { offset: self.offset, reason });
    }
}

fn no_entry(table: &str) -> EncodingError {
    EncodingError(format!("an entry of table {table} is a repetition or refers to none"))
}

/// Reads a whole trace, or what is usable of it. Linear in the size of the file.
///
/// # Errors
/// When the file cannot be read, is no trace, has another version or a class in two builds.
pub fn read(path: &Path) -> Result<(Recording, ReadState), TraceError> {
    let mut reader = TraceReader::open(path)?;
    let mut recording = Recording::default();
    while let Some(event) = reader.next()? {
        match event {
            Event::Class(..) => {}
            Event::Declined(declined) => recording.declined.push(declined),
            Event::Note(note) => recording.notes.push(note),
            Event::Test(record) => recording.tests.push(record),
            Event::Effort(effort) => recording.effort += effort,
            Event::Coverage(run) => drop(recording.coverage.runs.insert(run)),
            Event::Covered(ids) => recording.coverage.covered.extend(ids),
            Event::Thinned(lines) => add_thinned(&mut recording.thinned, lines),
            Event::End(bounds) => recording.bounds += bounds,
        }
    }
    let state = reader.state();
    recording.facts = reader.facts;
    recording.classes = reader.classes;
    Ok((recording, state))
}

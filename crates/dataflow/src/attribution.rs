//! Whose facts they are: the tests that are open, what was seen between tests, and the finished records.
//!
//! Knows nothing of events. Invariant: every fact seen goes to at least one record; a record lists a fact once, in the
//! order of ids.

use crate::thinning::News;
use dynaflow_carve::Carver;
use dynaflow_model::facts::{TestEnd, TestRecord, Witness, WitnessFact};
use dynaflow_model::ids::ObjectId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// On how many roots the sightings of one fact are kept until it is known which of them the sequence holds.
const SIGHTINGS: usize = 4;

/// A statement in which a fact was seen, and the root it was seen on.
type Sighting = (ObjectId, u32);

/// Facts of one test so far.
#[derive(Debug, Default)]
pub struct Bucket {
    /// Unlike every other bucket's; 0 for one that has seen nothing yet.
    serial: u32,
    facts: Vec<WitnessFact>,
    sightings: FxHashMap<WitnessFact, SmallVec<[Sighting; 1]>>,
}

impl Bucket {
    /// Takes over what another bucket holds, to which no more facts come.
    fn absorb(&mut self, other: Self) {
        self.facts.extend(other.facts);
        for (fact, sightings) in other.sightings {
            for (root, statement) in sightings {
                self.saw(fact, root, statement);
            }
        }
    }

    fn saw(&mut self, fact: WitnessFact, root: ObjectId, statement: u32) {
        let sightings = self.sightings.entry(fact).or_default();
        if sightings.len() < SIGHTINGS && sightings.iter().all(|(seen, _)| *seen != root) {
            sightings.push((root, statement));
        }
    }

    fn witness(&self, fact: WitnessFact, variable_of: &impl Fn(ObjectId) -> Option<u32>) -> Option<Witness> {
        let sightings = self.sightings.get(&fact)?;
        let held = sightings.iter().find_map(|(root, at)| Some((*at, Some(variable_of(*root)?))));
        let (statement, root) = held.or(sightings.first().map(|(_, at)| (*at, None)))?;
        Some(Witness { fact, statement, root })
    }

    fn record(
        mut self,
        name: String,
        end: TestEnd,
        variable_of: impl Fn(ObjectId) -> Option<u32>,
    ) -> TestRecord {
        let mut facts = std::mem::take(&mut self.facts);
        facts.sort_unstable();
        facts.dedup();
        let mut record = TestRecord {
            name,
            end,
            pairs: vec![],
            exits: vec![],
            entries: vec![],
            carved: None,
            witnesses: facts.iter().filter_map(|fact| self.witness(*fact, &variable_of)).collect(),
        };
        for fact in facts {
            match fact {
                WitnessFact::Pair(pair) => record.pairs.push(pair),
                WitnessFact::Exit(exit) => record.exits.push(exit),
                WitnessFact::Entry(entry) => record.entries.push(entry),
            }
        }
        record
    }
}

/// What a thread's facts belong to.
#[derive(Debug, Default)]
pub struct Attribution {
    /// The thread's number.
    pub thread: u64,
    /// The test that runs on this thread.
    test: Option<u32>,
    /// Test methods entered and not left, by site; true for those of test classes.
    marks: Vec<(u32, bool)>,
    /// The thread that made this one, by its number.
    pub started_by: Option<u32>,
    /// The test that thread was part of when this one was first seen.
    inherited: Option<u32>,
    /// Whether the outermost frame prepares a test: a constructor of a test class, or a method that runs before tests.
    prepares: bool,
    /// Whether there was such a frame since the last test began.
    prepared: bool,
    /// What such frames showed: it belongs to the next test of this thread.
    preparation: Bucket,
    /// Whether the test of this thread, the last one if there is none, was prepared on the one that made it.
    prepared_elsewhere: bool,
    /// Active frames of methods that run after tests.
    after: u32,
    /// What those showed.
    aftermath: Bucket,
    /// The test before them.
    after_of: Option<(String, TestEnd)>,
    /// The test that ended last on this thread.
    last: Option<(String, TestEnd)>,
    /// The bucket's serial as it was at some generation.
    serial: (u64, u32),
    /// The statement our worker executes on this thread.
    statement: Option<u32>,
    /// The variables of our worker's test: results of its statements.
    variables: FxHashMap<ObjectId, u32>,
}

impl Attribution {
    /// The thread is part of what the one that made it is part of.
    pub fn inherit(&mut self, starter: Option<&Self>) {
        self.inherited = starter.and_then(|starter| starter.test.or(starter.inherited));
        self.serial = (0, 0);
    }

    /// The outermost frame prepares a test, or does not.
    pub fn prepare(&mut self, prepares: bool) {
        self.prepared |= prepares;
        if self.prepares != prepares {
            self.prepares = prepares;
            self.serial = (0, 0);
        }
    }

    /// Whether something prepared a test on this thread since the last one began.
    pub fn has_prepared(&self) -> bool {
        self.prepared
    }

    /// Whether the test of this thread was prepared on the one that made it.
    pub fn is_prepared_elsewhere(&self) -> bool {
        self.prepared_elsewhere
    }

    /// A test that was prepared on this thread ended on another one.
    pub fn ended_elsewhere(&mut self, there: &Self) {
        if self.test.is_none() {
            self.last.clone_from(&there.last);
        }
    }

    /// What was prepared on this thread, if no test runs on it.
    pub fn take_preparation(&mut self) -> Option<Bucket> {
        self.serial = (0, 0);
        self.test.is_none().then(|| std::mem::take(&mut self.preparation))
    }
}

#[derive(Debug)]
struct Open {
    id: u32,
    name: String,
    bucket: Bucket,
}

/// All tests.
#[derive(Debug, Default)]
pub struct Tests {
    /// Carves what test classes call, when asked for.
    pub carver: Option<Carver>,
    /// The test that is being carved: one at a time.
    carved: Option<u32>,
    open: Vec<Open>,
    between: Bucket,
    last: Option<(String, TestEnd)>,
    ids: u32,
    serials: u32,
    /// Changes whenever some thread's facts may go elsewhere.
    generation: u64,
    done: Vec<TestRecord>,
    /// How many facts there were.
    news: News,
    /// For each fact the bucket that listed it last: pairs, exits, entries.
    listed: [Vec<u32>; 3],
}

impl Tests {
    /// No tests yet; with a carver, what test classes call is carved.
    pub fn new(carver: Option<Carver>) -> Self {
        Self { carver, ..Self::default() }
    }

    /// A test of our worker begins on a thread. A test inside a test of the same thread is none.
    pub fn begin(&mut self, who: &mut Attribution, name: String) {
        self.generation += 1;
        if who.test.is_some() {
            return;
        }
        self.ids += 1;
        who.test = Some(self.ids);
        (who.prepared, who.prepared_elsewhere) = (false, false);
        who.statement = None;
        who.variables.clear();
        self.flush_aftermath(who);
        let mut bucket = std::mem::take(&mut self.between);
        bucket.absorb(std::mem::take(&mut who.preparation));
        self.open.push(Open { id: self.ids, name, bucket });
    }

    /// The test of a thread ends.
    pub fn end(&mut self, who: &mut Attribution, end: TestEnd) {
        self.generation += 1;
        who.statement = None;
        let Some(at) = who.test.take().and_then(|id| self.open.iter().position(|open| open.id == id)) else {
            return;
        };
        let open = self.open.remove(at);
        self.last = Some((open.name.clone(), end));
        who.last = self.last.clone();
        let record = match self.carver.as_mut().filter(|_| self.carved == Some(open.id)) {
            Some(carver) => {
                self.carved = None;
                let mut record = open.bucket.record(open.name, end, |root| carver.variable_of(root));
                record.carved = Some(carver.end_test());
                record
            }
            None => open.bucket.record(open.name, end, |root| who.variables.get(&root).copied()),
        };
        self.done.push(record);
    }

    /// A test method is entered on a thread; `name` is none when its class is no test class. Whether a test begins.
    pub fn enter_method(&mut self, who: &mut Attribution, site: u32, name: Option<String>) -> bool {
        who.marks.push((site, name.is_some()));
        let Some(name) = name.filter(|_| who.test.is_none()) else {
            return false;
        };
        if let Some(carver) = self.carver.as_mut().filter(|_| self.carved.is_none()) {
            carver.begin_test(&name);
            self.carved = Some(self.ids + 1);
        }
        self.begin(who, name);
        true
    }

    /// What was prepared for the test that runs on a thread.
    pub fn prepared(&mut self, who: &mut Attribution, preparation: Bucket) {
        who.prepared_elsewhere = true;
        self.bucket(who).absorb(preparation);
    }

    /// A test method is left. The outermost one of a test class ends the test; whether it did.
    pub fn leave_method(&mut self, who: &mut Attribution, site: u32, end: TestEnd) -> bool {
        let Some(at) = who.marks.iter().rposition(|(entered, _)| *entered == site) else {
            return false;
        };
        let ends = who.marks.drain(at..).any(|(_, counts)| counts);
        let ends = ends && !who.marks.iter().any(|(_, counts)| *counts);
        if ends {
            self.end(who, end);
        }
        ends
    }

    /// A method that runs after tests is entered on a thread.
    pub fn enter_after(&mut self, who: &mut Attribution) {
        self.generation += 1;
        if who.after == 0 {
            who.after_of = who.last.as_ref().or(self.last.as_ref()).cloned();
        }
        who.after += 1;
    }

    /// It is left.
    pub fn leave_after(&mut self, who: &mut Attribution) {
        self.generation += 1;
        who.after = who.after.saturating_sub(1);
        if who.after == 0 {
            self.flush_aftermath(who);
        }
    }

    fn flush_aftermath(&mut self, who: &mut Attribution) {
        let bucket = std::mem::take(&mut who.aftermath);
        if let Some((name, end)) = who.after_of.as_ref().filter(|_| !bucket.facts.is_empty()) {
            self.done.push(bucket.record(name.clone(), *end, |_| None));
        }
    }

    /// A thread is gone: its test, if it has one, is cut.
    pub fn thread_ended(&mut self, who: &mut Attribution) {
        self.end(who, TestEnd::Cut);
        self.flush_aftermath(who);
        self.between.absorb(std::mem::take(&mut who.preparation));
    }

    /// Our worker starts a statement on a thread.
    pub fn statement(&mut self, who: &mut Attribution, index: u32) {
        who.statement = who.test.map(|_| index);
    }

    /// The statement our worker ran gave this object.
    pub fn result(&mut self, who: &mut Attribution, object: ObjectId) {
        if let Some(statement) = who.statement.filter(|_| object.is_object()) {
            who.variables.entry(object).or_insert(statement);
        }
    }

    fn bucket<'a>(&'a mut self, who: &'a mut Attribution) -> &'a mut Bucket {
        let own = who.test.and_then(|id| self.open.iter().position(|open| open.id == id));
        if own.is_none() && who.after > 0 && who.after_of.is_some() {
            return &mut who.aftermath;
        }
        if own.is_none() && who.prepares {
            return &mut who.preparation;
        }
        let inherited = || who.inherited.and_then(|id| self.open.iter().position(|open| open.id == id));
        let at = own.or_else(inherited).or(self.open.len().checked_sub(1));
        match at.and_then(|at| self.open.get_mut(at)) {
            Some(open) => &mut open.bucket,
            None => &mut self.between,
        }
    }

    /// The serial number of the bucket a thread's facts go to now: while it is the same, a fact recorded before need not be
    /// recorded again.
    #[inline]
    pub fn serial(&mut self, who: &mut Attribution) -> u32 {
        let (generation, serial) = who.serial;
        if generation == self.generation && serial != 0 { serial } else { self.find_serial(who) }
    }

    fn find_serial(&mut self, who: &mut Attribution) -> u32 {
        let fresh = self.serials + 1;
        let bucket = self.bucket(who);
        if bucket.serial == 0 {
            bucket.serial = fresh;
        }
        let serial = bucket.serial;
        self.serials = self.serials.max(serial);
        who.serial = (self.generation, serial);
        serial
    }

    /// What distinguishes roots where sightings of facts are kept by root; the same for all elsewhere.
    #[inline]
    pub fn root_matters(&self, who: &Attribution, root: ObjectId) -> u32 {
        // The low half is enough: objects that share it are 2^32 objects apart.
        if self.carver.is_some() || who.statement.is_some() { root.0 as u32 } else { 0 }
    }

    fn current_statement(&self, who: &Attribution) -> Option<u32> {
        who.statement.or_else(|| self.carver.as_ref()?.current_statement(who.thread))
    }

    /// A fact was seen on a thread, on a root.
    pub fn record(&mut self, who: &mut Attribution, fact: WitnessFact, root: ObjectId) {
        let serial = self.serial(who);
        let (kind, id) = match fact {
            WitnessFact::Pair(pair) => (0, pair.index()),
            WitnessFact::Exit(exit) => (1, exit.index()),
            WitnessFact::Entry(entry) => (2, entry.index()),
        };
        let listed: &mut Vec<u32> = &mut self.listed[kind];
        if id >= listed.len() {
            listed.resize(id + 1, 0);
        }
        let last = std::mem::replace(&mut listed[id], serial);
        self.news.ever += u64::from(last == 0);
        if last != serial {
            self.news.in_test += 1;
            self.bucket(who).facts.push(fact);
        }
        if let Some(statement) = self.current_statement(who) {
            self.bucket(who).saw(fact, root, statement);
        }
    }

    /// How many facts there were so far.
    #[inline]
    pub fn news(&self) -> News {
        self.news
    }

    /// The finished records since the last call.
    pub fn take(&mut self) -> Vec<TestRecord> {
        std::mem::take(&mut self.done)
    }

    /// Ends everything: open tests are cut, what belongs to no test gets a record without a name.
    pub fn finish<'a>(&mut self, threads: impl Iterator<Item = &'a mut Attribution>) -> Vec<TestRecord> {
        for who in threads {
            self.thread_ended(who);
        }
        let between = std::mem::take(&mut self.between);
        if !between.facts.is_empty() {
            self.done.push(between.record(String::new(), TestEnd::Returned, |_| None));
        }
        self.take()
    }
}

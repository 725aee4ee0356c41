//! Whose facts they are: the tests that are open, what was seen between tests, and the finished records.
//!
//! Knows nothing of events. Invariant: every fact seen goes to at least one record; a record lists a fact once, in the
//! order of ids.

use dynaflow_model::facts::{TestEnd, TestRecord, Witness, WitnessFact};

/// Facts of one test so far.
#[derive(Debug, Default)]
struct Bucket {
    /// Unlike every other bucket's; 0 for one that has seen nothing yet.
    serial: u32,
    facts: Vec<WitnessFact>,
    witnesses: Vec<Witness>,
}

impl Bucket {
    fn record(mut self, name: String, end: TestEnd) -> TestRecord {
        self.facts.sort_unstable();
        self.facts.dedup();
        let mut record = TestRecord {
            name,
            end,
            pairs: vec![],
            exits: vec![],
            entries: vec![],
            carved: None,
            witnesses: self.witnesses,
        };
        for fact in self.facts {
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
    /// The test that runs on this thread.
    test: Option<u32>,
    /// Test methods entered and not left, by site; true for those of test classes.
    marks: Vec<(u32, bool)>,
    /// Active frames of methods that run after tests.
    after: u32,
    /// What those showed.
    aftermath: Bucket,
    /// The test before them.
    after_of: Option<(String, TestEnd)>,
    /// The test that ended last on this thread.
    last: Option<(String, TestEnd)>,
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
    open: Vec<Open>,
    between: Bucket,
    last: Option<(String, TestEnd)>,
    ids: u32,
    serials: u32,
    done: Vec<TestRecord>,
    /// For each fact the bucket that listed it last: pairs, exits, entries.
    listed: [Vec<u32>; 3],
}

impl Tests {
    /// A test begins on a thread. A test inside a test of the same thread is none.
    pub fn begin(&mut self, who: &mut Attribution, name: String) {
        if who.test.is_some() {
            return;
        }
        self.ids += 1;
        who.test = Some(self.ids);
        self.flush_aftermath(who);
        let bucket = std::mem::take(&mut self.between);
        self.open.push(Open { id: self.ids, name, bucket });
    }

    /// The test of a thread ends.
    pub fn end(&mut self, who: &mut Attribution, end: TestEnd) {
        let Some(at) = who.test.take().and_then(|id| self.open.iter().position(|open| open.id == id)) else {
            return;
        };
        let open = self.open.remove(at);
        self.last = Some((open.name.clone(), end));
        who.last = self.last.clone();
        self.done.push(open.bucket.record(open.name, end));
    }

    /// A test method is entered on a thread; `name` is none when its class is no test class.
    pub fn enter_method(&mut self, who: &mut Attribution, site: u32, name: Option<String>) {
        who.marks.push((site, name.is_some()));
        if let Some(name) = name {
            self.begin(who, name);
        }
    }

    /// A test method is left. The outermost one of a test class ends the test.
    pub fn leave_method(&mut self, who: &mut Attribution, site: u32, end: TestEnd) {
        let Some(at) = who.marks.iter().rposition(|(entered, _)| *entered == site) else {
            return;
        };
        let ends = who.marks.drain(at..).any(|(_, counts)| counts);
        if ends && !who.marks.iter().any(|(_, counts)| *counts) {
            self.end(who, end);
        }
    }

    /// A method that runs after tests is entered on a thread.
    pub fn enter_after(&mut self, who: &mut Attribution) {
        if who.after == 0 {
            who.after_of = who.last.as_ref().or(self.last.as_ref()).cloned();
        }
        who.after += 1;
    }

    /// It is left.
    pub fn leave_after(&mut self, who: &mut Attribution) {
        who.after = who.after.saturating_sub(1);
        if who.after == 0 {
            self.flush_aftermath(who);
        }
    }

    fn flush_aftermath(&mut self, who: &mut Attribution) {
        let bucket = std::mem::take(&mut who.aftermath);
        if let Some((name, end)) = who.after_of.as_ref().filter(|_| !bucket.facts.is_empty()) {
            self.done.push(bucket.record(name.clone(), *end));
        }
    }

    /// A thread is gone: its test, if it has one, is cut.
    pub fn thread_ended(&mut self, who: &mut Attribution) {
        self.end(who, TestEnd::Cut);
        self.flush_aftermath(who);
    }

    fn bucket<'a>(&'a mut self, who: &'a mut Attribution) -> &'a mut Bucket {
        let own = who.test.and_then(|id| self.open.iter().position(|open| open.id == id));
        if own.is_none() && who.after > 0 && who.after_of.is_some() {
            return &mut who.aftermath;
        }
        match own.or(self.open.len().checked_sub(1)).and_then(|at| self.open.get_mut(at)) {
            Some(open) => &mut open.bucket,
            None => &mut self.between,
        }
    }

    /// The serial number of the bucket a thread's facts go to now: while it is the same, a fact recorded before need not be
    /// recorded again.
    pub fn serial(&mut self, who: &mut Attribution) -> u32 {
        let fresh = self.serials + 1;
        let bucket = self.bucket(who);
        if bucket.serial != 0 {
            return bucket.serial;
        }
        bucket.serial = fresh;
        self.serials = fresh;
        fresh
    }

    /// A fact was seen on a thread.
    pub fn record(&mut self, who: &mut Attribution, fact: WitnessFact) {
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
        if std::mem::replace(&mut listed[id], serial) != serial {
            self.bucket(who).facts.push(fact);
        }
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
            self.done.push(between.record(String::new(), TestEnd::Returned));
        }
        self.take()
    }
}

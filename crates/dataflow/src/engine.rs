//! The engine: events in, facts out.
//!
//! Knows nothing of the JVM or of files. Invariant: between two calls every thread's frames, the graph and the facts agree
//! on the same sequence of events.

mod blurred;
mod carved;
mod hands;
mod held;
mod invocations;
mod muted;
mod restored;
mod whose;

use crate::blocks;
use crate::carving::Texts;
use crate::decode::{At, Event, Range, bundled, decode};
use crate::definitions;
use crate::frames::UNBOUND;
use crate::periods::Periods;
use crate::registry::{MethodIndex, OpKind};
use crate::repeats::{MANY, Repeated, Repeats};
use crate::runtime::UNKNOWN;
use crate::state::State;
pub use crate::state::{AnalysisConfig, Trouble};
pub use crate::thinning::Thin;
use crate::thinning::{Look, Sort};
use crate::thread::{Active, Pending, Thread};
use crate::uses::{self, Read};
use dynaflow_memgraph::{Latest, Node, Slot};
use dynaflow_model::facts::{BoundsHit, FactTable, TestRecord, ThinnedAt};
use dynaflow_model::ids::{ObjectId, SiteId};
use dynaflow_model::sites::{ClassSites, ReceiverKind};
use dynaflow_model::words::{self, FIRST_SITE};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// How many dead objects are kept for events of other threads that still mention them.
const GRAVES: usize = 4096;
/// Weighing the graph takes looking at every node: not after fewer words than this, if so many fit.
const WEIGH: usize = 1 << 22;
/// How many bytes a word may add to the graph, about.
const MOST_FOR_A_WORD: usize = 64;

/// How closely an event is looked at.
enum Sight {
    /// As if nothing were ever left out.
    Exact,
    /// It is looked at, and whether it shows something new.
    Thinned(Look),
    /// Not at all.
    LeftOut,
}

/// The analysis of one recorded process.
#[derive(Debug)]
pub struct Engine {
    state: State,
    threads: Vec<Option<Thread>>,
    thread_numbers: FxHashMap<u32, usize>,
    /// Places in `threads` of threads that ended.
    vacant: Vec<usize>,
    texts: Texts,
    periods: Periods,
    /// Room for words.
    room: Vec<u64>,
    /// Whether what happens was recorded together with something else.
    in_bundle: bool,
    graves: VecDeque<ObjectId>,
    sweep_at: usize,
    /// How many words may come until the graph is to be weighed.
    unweighed: usize,
}

impl Engine {
    /// Nothing seen yet.
    pub fn new(config: AnalysisConfig) -> Self {
        Self {
            state: State::new(config),
            threads: vec![],
            thread_numbers: FxHashMap::default(),
            vacant: vec![],
            texts: Texts::default(),
            periods: Periods::default(),
            room: vec![],
            in_bundle: false,
            graves: VecDeque::new(),
            sweep_at: config.frames,
            unweighed: (config.memory / MOST_FOR_A_WORD).min(WEIGH),
        }
    }

    /// A class was woven; its sites are numbered from `base` on. Must be reported before any chunk that mentions them.
    pub fn class_loaded(&mut self, base: SiteId, sites: Arc<ClassSites>) {
        if self.state.registry.load(base, sites).is_none() {
            self.state.trouble.refused_classes += 1;
        }
    }

    /// A class object, its class's binary name and all of its superclasses and superinterfaces. Must be reported before any chunk
    /// that mentions it.
    pub fn mirror(&mut self, mirror: ObjectId, class_name: &str, all_supertypes: &[String]) {
        self.state.runtime.mirror(mirror, class_name, all_supertypes);
    }

    /// A text that words refer to by number.
    pub fn text(&mut self, id: u32, text: String) {
        self.texts.insert(id, text);
    }

    /// Words of a thread, in order. An event never spans two chunks.
    pub fn chunk(&mut self, thread: u32, words: &[u64]) {
        if !self.periods.is_of(thread) {
            self.turn_to(Some(thread));
        }
        let mut room = std::mem::take(&mut self.room);
        let (words, times) = self.periods.next(words, &self.state.registry, &mut room);
        if !words.is_empty() {
            self.state.weight = times;
            self.understand(thread, words);
            self.state.weight = 1;
        }
        self.room = room;
    }

    /// What another thread than the last one does comes next; what was left out of that one's words is understood first.
    fn turn_to(&mut self, thread: Option<u32>) {
        if let Some((last, words)) = self.periods.turn_to(thread).filter(|(_, words)| !words.is_empty()) {
            self.understand(last, &words);
        }
    }

    fn understand(&mut self, thread: u32, words: &[u64]) {
        self.sweep_frames();
        self.bound_memory(words.len());
        let number = *self.thread_numbers.entry(thread).or_insert_with(|| {
            self.vacant.pop().unwrap_or_else(|| {
                self.threads.push(None);
                self.threads.len() - 1
            })
        });
        let mut current = self.threads.get_mut(number).and_then(Option::take).unwrap_or_default();
        current.attribution.thread = u64::from(thread);
        self.state.is_muted = current.is_muted;
        self.events(&mut current, words);
        if let Some(slot) = self.threads.get_mut(number) {
            *slot = Some(current);
        }
    }

    fn events(&mut self, thread: &mut Thread, words: &[u64]) {
        let mut repeats = Repeats::new();
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let (event, site, length) = decode(rest, &self.state.registry);
            let blurs = thread.blurs_next && site >= FIRST_SITE;
            if !blurs
                && let Some(Repeated { last, times }) = repeats.next(words, at, site, thread.stack.len())
            {
                at = last.end;
                if times >= MANY && self.state.thinning.is_on() {
                    self.weighted(thread, words.get(last).unwrap_or_default(), times);
                }
                continue;
            }
            if matches!(event, Event::Enter(..))
                && !thread.is_muted
                && let Some(next) = rest.get(1)
                && self.does_nothing(thread, site, words::site_of(*next))
            {
                self.passed(thread, site);
                at += 2;
                continue;
            }
            if event == Event::Bundle {
                self.bundle(thread, site, rest, &mut repeats);
            } else {
                self.event(thread, &event, site, rest);
                repeats.took(&event, thread.stack.len());
            }
            if blurs {
                self.blur_what_is_written(thread, (event, site), rest);
            }
            at += length;
        }
    }

    /// Events that stand for `times` such ones.
    fn weighted(&mut self, thread: &mut Thread, words: &[u64], times: u32) {
        let weight = self.state.weight;
        self.state.weight = weight.saturating_mul(times);
        self.events(thread, words);
        self.state.weight = weight;
    }

    /// Events that were recorded in one batch, one by one.
    fn bundle(&mut self, thread: &mut Thread, id: u32, words: &[u64], repeats: &mut Repeats) {
        let Some(bundle) = self.state.registry.bundle(id) else { return };
        if thread.is_muted {
            for at in 0..bundle.len() {
                let (event, site) = bundled(bundle, at, words, &self.state.registry);
                self.muted(thread, event, site, &[]);
                repeats.took(&event, thread.stack.len());
            }
            thread.muted_this = None;
            return;
        }
        if bundle.len() == 2 && self.does_nothing(thread, bundle.first, bundle.first + 1) {
            self.passed(thread, bundle.first);
            return;
        }
        if bundle.only_reads && self.state.registry.op_at(bundle.first).kind.is_in_frame() {
            self.end_failed_constructors(thread, bundle.first);
            self.end_unreported_frames(thread, bundle.first);
        }
        let sort = match (bundle.only_reads, bundle.blurs) {
            (true, _) => Some(Sort::Read),
            (_, true) => Some(Sort::Write),
            _ => None,
        };
        let sight = sort.map_or(Sight::Exact, |sort| self.look(thread, id, sort));
        if matches!(sight, Sight::LeftOut) && bundle.only_reads {
            thread.super_call = None;
            return;
        }
        let work = self.state.work;
        self.in_bundle = true;
        for at in 0..bundle.len() {
            let (event, site) = bundled(bundle, at, words, &self.state.registry);
            match (event, &sight) {
                (Event::Read(_), Sight::LeftOut) => {}
                (Event::Read(read), Sight::Thinned(_)) => self.read_now(thread, site, read),
                _ => self.event(thread, &event, site, &[]),
            }
            repeats.took(&event, thread.stack.len());
        }
        self.in_bundle = false;
        let look = if let Sight::Thinned(look) = sight { Some(look) } else { None };
        if let Some(look) = look {
            self.state.thinning.looked(look, self.state.work - work, self.state.tests.news());
        }
    }

    /// Whether these sites are an invocation that begins and ends at once: nothing reads or writes in it, and it makes nothing known. What test
    /// classes do and what is outermost may be passed on to others.
    #[inline]
    fn does_nothing(&mut self, thread: &Thread, entry: u32, exit: u32) -> bool {
        let registry = &self.state.registry;
        let [entry, exit] = [entry, exit].map(|site| registry.op_at(site));
        matches!(entry.kind, OpKind::Enter(ReceiverKind::Instance | ReceiverKind::Static))
            && matches!(exit.kind, OpKind::Exit(_))
            && exit.method == entry.method
            && !thread.stack.is_empty()
            && !self.state.runtime.is_test_class(registry.method(entry.method).class, registry)
    }

    /// A thread is gone: its frames end without facts, its test is cut.
    pub fn thread_ended(&mut self, thread: u32) {
        self.turn_to(None);
        let Some(number) = self.thread_numbers.remove(&thread) else {
            return;
        };
        if let Some(mut thread) = self.threads.get_mut(number).and_then(Option::take) {
            while let Some(active) = thread.pop() {
                self.retire(&mut thread, &active);
            }
            self.state.tests.thread_ended(&mut thread.attribution);
        }
        self.vacant.push(number);
    }

    /// The records of tests that ended since the last call. Their ids are those of [`Engine::facts`].
    pub fn take_tests(&mut self) -> Vec<TestRecord> {
        self.state.tests.take()
    }

    /// All facts so far; the table only grows.
    pub fn facts(&self) -> &FactTable {
        self.state.vocabulary.table()
    }

    /// What bounds cut off so far.
    pub fn bounds(&self) -> BoundsHit {
        let context = self.state.vocabulary.cut_contexts();
        BoundsHit { context, ..self.state.bounds }
    }

    /// From now on more is left out of what shows nothing new, where anything is: the program waits too long.
    pub fn hurry(&mut self) {
        self.state.thinning.hurry();
        self.state.muting.hurry();
    }

    /// How many events were left out so far because their like showed nothing new, by the line they stand in.
    pub fn thinned(&mut self) -> BTreeMap<ThinnedAt, u64> {
        let mut thinned = BTreeMap::new();
        for (site, count) in self.state.thinning.by_site() {
            let registry = &self.state.registry;
            let op = registry.op(registry.bundle(site).map_or(site, |bundle| bundle.first));
            let (class, name, descriptor) = registry.method_names(op.method);
            let (_, line) = registry.position(op);
            let at = ThinnedAt { class: class.to_owned(), method: format!("{name}{descriptor}"), line };
            *thinned.entry(at).or_default() += count;
        }
        thinned
    }

    /// Which invocations and reads are to be left out from now on, or no longer, since the last call, see [`dynaflow_model::muting::verdict`].
    pub fn take_verdicts(&mut self) -> Vec<u64> {
        [self.state.muting.take(), self.state.thinning.take()].concat()
    }

    /// What was not understood so far.
    pub fn trouble(&self) -> Trouble {
        self.state.trouble
    }

    /// Ends every test and gives the records that are left, last the one without a name for facts outside all tests.
    pub fn finish(&mut self) -> Vec<TestRecord> {
        self.turn_to(None);
        self.state.tests.finish(self.threads.iter_mut().flatten().map(|thread| &mut thread.attribution))
    }

    fn event(&mut self, thread: &mut Thread, event: &Event, site: u32, words: &[u64]) {
        if thread.is_muted {
            self.muted(thread, *event, site, words);
            if site >= FIRST_SITE {
                // Another event's object would get the edges of this one.
                thread.muted_this = None;
            }
            return;
        }
        self.end_failed_constructors(thread, site);
        self.end_unreported_frames(thread, site);
        if !matches!(
            event,
            Event::Enter(..)
                | Event::Exit(_)
                | Event::Read(_)
                | Event::Object(..)
                | Event::Dead(_)
                | Event::Muted
                | Event::LeftOut(..)
        ) {
            self.settle(thread);
        }
        self.happens(thread, event, site, words);
    }

    /// Does what an event asks for.
    #[inline(always)]
    fn happens(&mut self, thread: &mut Thread, event: &Event, site: u32, words: &[u64]) {
        match *event {
            Event::Muted => self.mute(thread, true),
            Event::Unmuted(_) | Event::MutedThis(_) => {}
            Event::LeftOut(count, site) => self.left_out(site, count),
            Event::Read(at) => self.read(thread, site, at),
            Event::Blurs => thread.blurs_next = true,
            Event::Write(at, value) if self.state.registry.op_at(site).blurs && !self.in_bundle => {
                self.write_counted(thread, site, at, value);
            }
            Event::Write(at, value) => self.write(thread, site, at, value),
            Event::ReadWrite(at) => {
                self.read(thread, site, at);
                self.write(thread, site, at, ObjectId::NULL);
            }
            Event::ReadRange(range) => self.read_range(thread, range),
            Event::WriteRange(range) if self.is_restored(range) => self.restore_range(thread, range),
            Event::WriteRange(range) if range.site < FIRST_SITE => self.write_range_unknown(range),
            Event::WriteRange(range) => self.write_range(thread, range),
            Event::Restoring => self.restoring(thread),
            Event::Stored(stored) => self.store(thread, stored),
            Event::Restored(is_known) => self.restored(thread, is_known),
            Event::Hand(hand) => self.hand(thread, hand),
            Event::Inherited(object) => self.inherited(thread, site, object),
            Event::Unchanged(object, site) => self.unchanged(thread, site, object),
            Event::Argument(access, container, receiver) => {
                self.argument(thread, site, access, [container, receiver]);
            }
            Event::Clone(original, copy) => self.clone_object(thread, site, original, copy),
            Event::Enter(how, object) => self.enter(thread, site, how, object),
            Event::Exit(exceptional) => self.exit(thread, site, exceptional),
            Event::Overflowed(live, site) => self.overflowed(thread, live, site),
            Event::Block => blocks::enter(&mut self.state, thread, site),
            Event::SuperCall => {
                let op = self.state.registry.op(site);
                thread.super_call = Some(op);
                thread.begin_super(op.method);
            }
            Event::Bind(object) => self.bind(thread, site, object),
            Event::Object(object, mirror, length) => self.announce(object, mirror, length),
            Event::View(view, of, mirror) => self.state.show(view, of, mirror),
            Event::Held(how, container, element) => self.hold(thread, how, container, element),
            Event::Dead(object) => self.bury(object),
            Event::Garbage => self.state.trouble.garbage += 1,
            Event::Returned(of) => thread.returning = Some(of),
            Event::Value => self.value(thread, words),
            Event::Call(receiver) | Event::Origin(receiver) => self.call(thread, site, receiver),
            _ => self.test_event(thread, *event),
        }
    }

    fn announce(&mut self, object: ObjectId, mirror: ObjectId, length: Option<u32>) {
        let tag = self.state.runtime.tag_of(mirror);
        if let Some(node) = self.state.object(object)
            && tag != UNKNOWN
        {
            self.state.graph.set_tag(node, tag);
            self.state.graph.set_length(node, length);
        }
    }

    fn bury(&mut self, object: ObjectId) {
        if !object.is_object() {
            return;
        }
        self.graves.push_back(object);
        if self.graves.len() > GRAVES
            && let Some(oldest) = self.graves.pop_front()
            && let Some(node) = self.state.graph.find(oldest.0)
            && !self.state.forget_view(oldest, node)
        {
            if self.state.graph.free(node) {
                self.state.viewed.remove(&node);
            } else {
                self.graves.push_back(oldest);
            }
        }
    }

    /// The node and location of an access; none when it is no access. Accesses to `this` before it is known are kept.
    #[inline(always)]
    fn locate(
        &mut self,
        thread: &mut Thread,
        site: u32,
        method: MethodIndex,
        at: At,
    ) -> Option<(Node, Slot)> {
        let state = &mut self.state;
        match at {
            At::This if thread.is_muted => {
                let slot = state.registry.field_slot(site)?;
                Some((state.object(thread.muted_this?)?, slot))
            }
            At::This => {
                let slot = state.registry.field_slot(site)?;
                let top = thread.stack.last().filter(|top| top.method == method);
                if top.is_none() {
                    state.trouble.desynchronised += 1;
                }
                Some((top?.receiver?, slot))
            }
            At::Object(object) => {
                let slot = state.registry.field_slot(site)?;
                Some((state.object(object)?, slot))
            }
            At::Static => {
                let (slot, class) = state.registry.static_slot(site)?;
                Some((state.class_node(class), slot))
            }
            At::Element(array, index) => Some((state.object(array)?, Slot::element(index))),
            At::Contents(object) => {
                let node = state.object(object)?;
                if let Some(latest) = state.viewed.get(&node) {
                    return Some((node, Slot::element(*latest)));
                }
                let tag = state.graph.tag(node);
                let class = state.runtime.programs_container(tag);
                let overridden = class.is_some_and(|class| state.registry.is_overridden(site, class));
                thread.overridden = overridden.then_some(object);
                let is_access = state.runtime.is_container(tag) && !overridden;
                is_access.then_some((node, Slot::CONTENTS))
            }
        }
    }

    /// Whether an access must wait for the receiver of the innermost frame; its slot then.
    #[inline(always)]
    fn waits(&mut self, thread: &Thread, site: u32, method: MethodIndex, at: At) -> Option<Slot> {
        let unbound = |top: &Active| top.unbound && top.method == method;
        let waits = at == At::This && !thread.is_muted && thread.stack.last().is_some_and(unbound);
        if waits { self.state.registry.field_slot(site) } else { None }
    }

    #[inline(always)]
    fn read(&mut self, thread: &mut Thread, site: u32, at: At) {
        if thread.is_muted {
            return;
        }
        // Of containers it is one of several things that a call does.
        let is_alone = !self.in_bundle && !matches!(at, At::Contents(_));
        let sort = if is_alone { Sort::Read } else { Sort::Other };
        self.unless_left_out(thread, (site, sort), |engine, thread| engine.read_now(thread, site, at));
    }

    /// Does what an event of a sort at a site asks for, unless it is left out.
    #[inline]
    fn unless_left_out(
        &mut self,
        thread: &mut Thread,
        (site, sort): (u32, Sort),
        act: impl FnOnce(&mut Self, &mut Thread),
    ) {
        if !self.state.thinning.is_on() {
            return act(self, thread);
        }
        let work = self.state.work;
        match self.look(thread, site, sort) {
            Sight::LeftOut => {}
            Sight::Exact => {
                act(self, thread);
                self.state.thinning.worked(self.state.work - work);
            }
            Sight::Thinned(look) => {
                act(self, thread);
                self.state.thinning.looked(look, self.state.work - work, self.state.tests.news());
            }
        }
    }

    /// How closely an event at a site is looked at.
    #[inline]
    fn look(&mut self, thread: &mut Thread, site: u32, sort: Sort) -> Sight {
        let State { thinning, tests, weight, .. } = &mut self.state;
        if !thread.is_in_program() || !thinning.may_leave_out(*weight) {
            return Sight::Exact;
        }
        let bucket = tests.serial(&mut thread.attribution);
        let look = thinning.look([site, thread.context()], sort, bucket, tests.news(), *weight);
        look.map_or(Sight::LeftOut, Sight::Thinned)
    }

    fn read_now(&mut self, thread: &mut Thread, site: u32, at: At) {
        self.settle(thread);
        let method = self.state.registry.op_at(site).method;
        if let Some(slot) = self.waits(thread, site, method, at) {
            if let Some(top) = thread.stack.last_mut() {
                top.pending.push(Pending::Read { site, slot });
            }
        } else if let Some((node, slot)) = self.locate(thread, site, method, at) {
            let frame = thread.frame();
            uses::read(&mut self.state, thread, Read { site, frame, node, slot, one_variable: true });
        }
    }

    /// Elements with the same write show the same, so each write is looked at once.
    fn read_range(&mut self, thread: &mut Thread, range: Range) {
        let Range { array, site, from, to } = range;
        let Some(node) = self.state.object(array) else { return };
        let frame = thread.frame();
        for (index, _) in self.state.graph.element_writes(node, from, to) {
            let read = Read { site, frame, node, slot: Slot::element(index), one_variable: true };
            uses::read(&mut self.state, thread, read);
        }
    }

    fn write_range(&mut self, thread: &Thread, range: Range) {
        let Range { array, site, from, to } = range;
        let moment = self.state.tick();
        if let Some(node) = self.state.object(array) {
            self.state.wrote(node, Slot::element(from));
            definitions::write_run(
                &mut self.state,
                node,
                from,
                to,
                Latest { moment, site, frame: thread.frame() },
            );
        }
    }

    /// A write that the recorder may leave out once there were many like it.
    fn write_counted(&mut self, thread: &mut Thread, site: u32, at: At, value: ObjectId) {
        let sight = if thread.is_muted { Sight::Exact } else { self.look(thread, site, Sort::Write) };
        self.write(thread, site, at, value);
        if let Sight::Thinned(look) = sight {
            self.state.thinning.looked(look, 0, self.state.tests.news());
        }
    }

    #[inline(always)]
    fn write(&mut self, thread: &mut Thread, site: u32, at: At, value: ObjectId) {
        let method = self.state.registry.op_at(site).method;
        let moment = self.state.tick();
        if let Some(slot) = self.waits(thread, site, method, at) {
            if let Some(top) = thread.stack.last_mut() {
                top.pending.push(Pending::Write { site, slot, moment, value });
                // It takes effect later, but writes before and after it differ from now on.
                self.state.barrier = moment;
            }
        } else if let Some((node, slot)) = self.locate(thread, site, method, at) {
            if matches!(at, At::Contents(_)) && slot != Slot::CONTENTS {
                // The recorder reports which elements of the array are written.
                return;
            }
            self.state.wrote(node, slot);
            let target = self.state.object(value);
            let write = Latest { moment, site, frame: thread.frame() };
            definitions::write(&mut self.state, node, slot, write, target);
        }
    }

    /// Forgets what was not written for the longest time, should the graph take more room than it may.
    fn bound_memory(&mut self, words: usize) {
        let State { config, graph, bounds, clock, barrier, .. } = &mut self.state;
        self.unweighed = self.unweighed.saturating_sub(words);
        if self.unweighed > 0 {
            return;
        }
        let weight = graph.weight();
        let room = config.memory.saturating_sub(weight) / (2 * MOST_FOR_A_WORD);
        self.unweighed = (config.memory / MOST_FOR_A_WORD).min(WEIGH).max(room);
        if weight > config.memory {
            bounds.memory += graph.forget_oldest(weight, *clock);
            *barrier = *clock;
        }
    }

    fn sweep_frames(&mut self) {
        if self.state.frames.len() < self.sweep_at {
            return;
        }
        let State { config, frames, graph, .. } = &mut self.state;
        let threads = &self.threads;
        let stacks =
            || threads.iter().flatten().flat_map(|thread| thread.stack.iter().map(|active| active.frame));
        frames.sweep(stacks());
        // Which writes are overwritten by now takes looking at every cell.
        if frames.len() > self.sweep_at / 2 {
            let mut cells = 0;
            frames.wrote_only(graph.all_cells().inspect(|_| cells += 1).map(|cell| cell.write.frame));
            frames.sweep(stacks());
            self.sweep_at = config.frames.max(frames.len() * 2).max(frames.len() + cells / 4);
        }
        self.state.era += 1;
    }
}

const _: () = assert!(UNBOUND < ObjectId::FIRST);

//! The engine's part in invocations: how frames begin, get their receivers and end.
//!
//! Knows nothing of words. Invariant: a frame is taken off once, and what it leaves behind is settled then.

use super::Engine;
use crate::blocks;
use crate::definitions;
use crate::exits;
use crate::frames::NO_FRAME;
use crate::registry::{MethodIndex, OpKind};
use crate::runtime::UNKNOWN;
use crate::state::State;
use crate::thinning::{News, Sort};
use crate::thread::{Active, Pending, Thread, Unsettled};
use crate::uses::{self, Read};
use dynaflow_memgraph::{Latest, Node};
use dynaflow_model::facts::Exit;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::muting;
use dynaflow_model::sites::{ReceiverKind, TestRole};

/// Stands for the methods of the frames of the program once one is entered. The recorder finds the same number.
fn context(thread: &Thread, (method, entry): (MethodIndex, u32), is_test: bool) -> u32 {
    let caller = thread.context();
    let stays = is_test || thread.stack.last().is_some_and(|top| top.method == method);
    if stays { caller } else { muting::context(caller, entry) }
}

impl Engine {
    pub(super) fn enter(&mut self, thread: &mut Thread, site: u32, how: ReceiverKind, object: ObjectId) {
        let method = self.state.registry.op_at(site).method;
        let info = self.state.registry.method(method);
        let is_test = self.state.runtime.is_test_class(info.class, &self.state.registry);
        let unsettled = match how {
            _ if is_test || self.state.tests.carver.is_some() || self.state.blocks.is_some() => None,
            ReceiverKind::Instance => Some(Unsettled::Instance(object)),
            ReceiverKind::Static => Some(Unsettled::Static),
            ReceiverKind::Constructor => None,
        };
        if unsettled.is_some() {
            let context = context(thread, (method, info.entry), is_test);
            let start = self.state.tick();
            self.state.barrier = start;
            let before = self.may_be_muted();
            thread.push(Active { context, unsettled, before, ..Active::of(method, NO_FRAME, start) });
            return;
        }
        self.settle(thread);
        let receiver = match how {
            ReceiverKind::Instance => self.receiver(object, method),
            ReceiverKind::Static => Some(self.state.class_node(info.class)),
            ReceiverKind::Constructor => None,
        };
        let unbound = how == ReceiverKind::Constructor;
        let linked = unbound && self.is_super_call(thread, method);
        let caller = thread.frame();
        let frame = match receiver {
            _ if is_test => caller,
            Some(node) => self.state.frames.enter(caller, method, self.state.graph.name(node)),
            None => self.state.frames.enter_unbound(caller, method, linked),
        };
        let after = is_test && matches!(info.role, TestRole::AfterEach | TestRole::AfterAll);
        if is_test && thread.stack.is_empty() {
            let prepares = unbound || matches!(info.role, TestRole::BeforeEach | TestRole::BeforeAll);
            thread.attribution.prepare(prepares);
        }
        self.entered(thread, is_test, after);
        let start = self.state.tick();
        self.state.barrier = start;
        let context = context(thread, (method, info.entry), is_test);
        let before = self.may_be_muted().filter(|_| !is_test);
        let active = Active { context, is_test, unbound, linked, after, ..Active::of(method, frame, start) };
        thread.push(Active { before, ..active });
        if let Some(node) = receiver {
            self.attach(thread, thread.stack.len() - 1, node);
        }
    }

    /// An invocation of the program that does nothing began and ended.
    #[inline]
    pub(super) fn passed(&mut self, thread: &mut Thread, entry: u32) {
        thread.super_call = None;
        if let Some(news) = self.may_be_muted() {
            let method = self.state.registry.op_at(entry).method;
            let context = context(thread, (method, self.state.registry.method(method).entry), false);
            let bucket = self.state.tests.serial(&mut thread.attribution);
            self.state.muting.ended(context, bucket, self.state.weight, [news; 2]);
        }
    }

    /// What is known when an invocation begins, if such ones may be muted.
    fn may_be_muted(&self) -> Option<News> {
        self.state.thinning.is_due().then(|| self.state.tests.news())
    }

    /// Does what was put off when frames were entered. Something happens in the innermost one.
    #[inline]
    pub(super) fn settle(&mut self, thread: &mut Thread) {
        for position in thread.take_unsettled() {
            self.settle_frame(thread, position);
        }
    }

    #[inline]
    fn settle_frame(&mut self, thread: &mut Thread, position: usize) {
        let caller = position.checked_sub(1).and_then(|below| thread.stack.get(below));
        let caller = caller.map_or(NO_FRAME, |below| below.frame);
        let Some(active) = thread.stack.get_mut(position) else { return };
        let method = active.method;
        let receiver = match active.unsettled.take() {
            Some(Unsettled::Instance(object)) => self.receiver(object, method),
            Some(Unsettled::Static) => {
                let class = self.state.registry.method(method).class;
                Some(self.state.class_node(class))
            }
            None => None,
        };
        active.frame = match receiver {
            Some(node) => self.state.frames.enter(caller, method, self.state.graph.name(node)),
            None => self.state.frames.enter_unbound(caller, method, false),
        };
        if let Some(node) = receiver {
            self.attach(thread, position, node);
        }
    }

    /// Reports a frame to the tests and the carver.
    fn entered(&mut self, thread: &mut Thread, is_test: bool, after: bool) {
        let tests = &mut self.state.tests;
        if let Some(carver) = tests.carver.as_mut() {
            carver.entered(thread.attribution.thread, is_test);
            if after {
                carver.teardown_entered(thread.attribution.thread);
            }
        }
        if after {
            tests.enter_after(&mut thread.attribution);
        }
    }

    /// The receiver of an instance method. An object that was never announced gets the class of the method.
    #[inline]
    fn receiver(&mut self, object: ObjectId, method: MethodIndex) -> Option<Node> {
        let state = &mut self.state;
        let node = state.object(object)?;
        if state.graph.tag(node) == UNKNOWN {
            let (class, _, _) = state.registry.method_names(method);
            let tag = state.runtime.tag_named(class);
            state.graph.set_tag(node, tag);
        }
        Some(node)
    }

    fn is_super_call(&self, thread: &mut Thread, method: MethodIndex) -> bool {
        let call = thread.super_call.take();
        let owner = call.and_then(|op| self.state.registry.super_call_owner(op));
        let caller =
            call.zip(thread.stack.last()).is_some_and(|(op, top)| top.unbound && top.method == op.method);
        caller && owner.is_some_and(|owner| self.state.registry.is_of_class(method, owner))
    }

    /// Makes a node the receiver of the frame at a position.
    #[inline]
    fn attach(&mut self, thread: &mut Thread, position: usize, node: Node) {
        let Some(active) = thread.stack.get_mut(position) else {
            return;
        };
        active.receiver = Some(node);
        self.state.graph.pin(node);
        if !active.is_test {
            thread.activate(node, position);
        }
    }

    pub(super) fn bind(&mut self, thread: &mut Thread, site: u32, object: ObjectId) {
        let method = self.state.registry.op_at(site).method;
        if !self.unwind_to(thread, method) {
            return;
        }
        let Some(top) = thread.stack.len().checked_sub(1).filter(|top| thread.stack[*top].unbound) else {
            return;
        };
        let Some(node) = self.receiver(object, method) else {
            return;
        };
        let mut lowest = top;
        while lowest > 0 && thread.stack[lowest].linked && thread.stack[lowest - 1].unbound {
            lowest -= 1;
        }
        for position in lowest..=top {
            thread.end_super(position);
            let active = &mut thread.stack[position];
            active.unbound = false;
            let class = self.state.registry.method(active.method).class;
            thread.restoring.iter_mut().for_each(|call| call.constructed(object, class));
            if !active.is_test && self.state.frames.bind(active.frame, self.state.graph.name(node)) {
                self.state.era += 1;
            }
            self.attach(thread, position, node);
        }
        for position in lowest..=top {
            self.apply_pending(thread, position, node);
        }
    }

    fn apply_pending(&mut self, thread: &mut Thread, position: usize, node: Node) {
        let active = &mut thread.stack[position];
        let pending = std::mem::take(&mut active.pending);
        let frame = active.frame;
        for access in pending {
            match access {
                Pending::Read { site, slot } => {
                    uses::read(&mut self.state, thread, Read { site, frame, node, slot, one_variable: true });
                }
                Pending::Write { site, slot, moment, value } => {
                    let target = self.state.object(value);
                    definitions::write(&mut self.state, node, slot, Latest { moment, site, frame }, target);
                }
                Pending::Block { site, moment } => {
                    blocks::entered(&mut self.state, thread, node, site, moment);
                }
            }
        }
    }

    pub(super) fn exit(&mut self, thread: &mut Thread, site: u32, exceptional: bool) {
        thread.super_call = None;
        let method = self.state.registry.op_at(site).method;
        if !self.unwind_to(thread, method) {
            return;
        }
        // No handler covers `super(...)` or `this(...)`: an exception out of it leaves the constructor below as well, which
        // has no way to say so.
        while self.leave(thread, site, exceptional) && exceptional {}
    }

    /// Ends the innermost frame; whether it is a constructor that the one below invoked on its own `this`.
    fn leave(&mut self, thread: &mut Thread, site: u32, exceptional: bool) -> bool {
        let is_unsettled = |top: &&Active| top.unsettled.is_some();
        if let Some(top) = thread.stack.last().filter(is_unsettled)
            && !self.state.log.is_quiet_since(top.start)
        {
            // Other threads wrote meanwhile.
            self.settle(thread);
        }
        if thread.top_is_outermost()
            && let Some(top) = thread.stack.last()
            && let Some(root) = top.receiver
        {
            let exit = if exceptional { Exit::Exception } else { Exit::Normal };
            let end = exits::End { root, method: top.method, start: top.start, exit };
            self.unless_left_out(thread, (site, Sort::Other), |engine, thread| {
                exits::end(&mut engine.state, thread, end)
            });
        }
        let Some(active) = thread.pop() else {
            return false;
        };
        self.retire(thread, &active);
        if let Some(before) = active.before {
            let State { muting, tests, weight, .. } = &mut self.state;
            let bucket = tests.serial(&mut thread.attribution);
            muting.ended(active.context, bucket, *weight, [before, tests.news()]);
        }
        active.linked
    }

    /// Takes off constructors that are over because the one they invoked on their own `this` threw. No handler may cover that call, so they
    /// cannot record it, and a constructor that is not recorded does not either. But a frame that waits for a constructor does nothing
    /// itself, so any other event shows it.
    #[inline(always)]
    pub(super) fn end_failed_constructors(&mut self, thread: &mut Thread, site: u32) {
        if thread.is_in_super() {
            self.find_failed_constructors(thread, site);
        }
    }

    fn find_failed_constructors(&mut self, thread: &mut Thread, site: u32) {
        let op = self.state.registry.op(site);
        let is_over = |thread: &Thread| match op.kind {
            // What is entered may have been called by the constructor waited for.
            OpKind::Unknown | OpKind::Enter(_) => false,
            OpKind::Bind => thread.stack.last().is_some_and(|top| top.method != op.method),
            _ => true,
        };
        while thread.is_in_super() && is_over(thread) {
            if let Some(active) = thread.pop() {
                self.retire(thread, &active);
            }
        }
    }

    /// Takes off frames whose end nobody reported: what happens at this site happens in a frame below them. The JVM ends compiled
    /// frames without running their handlers as long as it has no room to guard the end of the stack again.
    #[inline]
    pub(super) fn end_unreported_frames(&mut self, thread: &mut Thread, site: u32) {
        let op = self.state.registry.op_at(site);
        if thread.stack.last().is_some_and(|top| top.method != op.method) && op.kind.is_in_frame() {
            self.find_unreported_frames(thread, op.method);
        }
    }

    #[cold]
    fn find_unreported_frames(&mut self, thread: &mut Thread, method: MethodIndex) {
        if let Some(position) = thread.innermost_of(method) {
            self.unwind(thread, position);
        }
    }

    /// The stack overflowed, and so many frames of the method of a site are left: the last of them goes on, those above are over. Of a method
    /// that has fewer frames here none is over.
    pub(super) fn overflowed(&mut self, thread: &mut Thread, live: u64, site: u32) {
        thread.super_call = None;
        let op = self.state.registry.op(site);
        let last = usize::try_from(live).ok().and_then(|live| live.checked_sub(1));
        let (OpKind::Enter(_) | OpKind::Exit(_), Some(last)) = (op.kind, last) else { return };
        let frames = thread.stack.iter().enumerate().filter(|(_, active)| active.method == op.method);
        let goes_on = frames.take(last.saturating_add(1)).last().map(|(position, _)| position);
        if let Some(position) = goes_on {
            self.unwind(thread, position);
        }
    }

    /// Drops frames until the innermost one is one of `method`; false (and nothing dropped) when there is none.
    #[inline]
    fn unwind_to(&mut self, thread: &mut Thread, method: MethodIndex) -> bool {
        let Some(position) = thread.innermost_of(method) else {
            self.state.trouble.desynchronised += 1;
            return false;
        };
        self.unwind(thread, position);
        true
    }

    /// Drops the frames above a position.
    #[inline]
    fn unwind(&mut self, thread: &mut Thread, position: usize) {
        while thread.stack.len() > position + 1 {
            self.state.trouble.unended += 1;
            if let Some(active) = thread.pop() {
                self.retire(thread, &active);
            }
        }
    }

    /// What a frame that was taken off leaves behind.
    pub(super) fn retire(&mut self, thread: &mut Thread, active: &Active) {
        if let Some(node) = active.receiver {
            self.state.graph.unpin(node);
        }
        if !thread.blurred.is_empty() {
            self.end_blurs(thread);
        }
        if let Some(carver) = self.state.tests.carver.as_mut() {
            carver.left(thread.attribution.thread, active.is_test);
        }
        if active.after {
            self.state.tests.leave_after(&mut thread.attribution);
        }
        if thread.stack.is_empty() {
            thread.attribution.prepare(false);
        }
        if thread.stack.is_empty() && self.state.log.may_forget(self.threads.len()) {
            let others = self.threads.iter().flatten();
            let oldest = others.filter_map(|thread| Some(thread.stack.first()?.start)).min();
            self.state.log.forget_before(oldest);
        }
    }
}

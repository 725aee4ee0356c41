//! Facts per basic block, from the definitions: every entry is kept, and every use is held against all of them.
//!
//! Invariant: what reaches at an entry is looked for in the whole graph of that moment.

use super::{Naive, Node, Waiting, Whose};
use dynaflow_model::sites::SiteKind;

/// A frame entered a block.
pub struct Entered {
    /// The outermost frame on the receiver of that frame.
    activity: usize,
    block: String,
    time: usize,
}

impl Naive<'_> {
    pub(super) fn enter_block(&mut self, thread: u32, site: u32) {
        let frame = *self.stack(thread).last().unwrap();
        if self.frames[frame].is_test {
            return;
        }
        match self.frames[frame].receiver {
            Some(_) => self.entered(thread, frame, site, self.now),
            None => {
                let waiting = Waiting { time: self.now, site, read: None };
                self.waiting.entry(frame).or_default().push(waiting);
            }
        }
    }

    /// A block was entered when the receiver was not known, which it is now. Of what was written to the receiver meanwhile, only
    /// what was written before counts.
    pub(super) fn entered_while_raw(&mut self, thread: u32, frame: usize, site: u32, time: usize) {
        let root = self.frames[frame].receiver;
        let stack = self.stack(thread);
        let later = |whose: &Whose, written: usize| match whose {
            Whose::ReceiverOf(of) => {
                written > time && stack.contains(of) && self.frames[*of].receiver == root
            }
            Whose::Node(_) => false,
        };
        let (hidden, shown) = self.writes.iter().cloned().partition(|write| later(&write.whose, write.time));
        self.writes = shown;
        self.entered(thread, frame, site, time);
        let hidden: Vec<_> = hidden;
        self.writes.extend(hidden);
        self.writes.sort_by_key(|write| write.time);
    }

    fn entered(&mut self, thread: u32, frame: usize, site: u32, time: usize) {
        let root = self.frames[frame].receiver.unwrap();
        let (method, found) = self.site(site);
        let SiteKind::Block { number } = found.kind else { unreachable!() };
        let block = format!("{}#{number}", self.method_name(method));
        self.in_blocks.insert(format!("entered {block}"));
        let activity = self.outermost(thread, root);
        for (variable, latest, direct) in self.variables(root, &self.graph()) {
            if let Some(at) = latest.filter(|at| self.is_known(*at)) {
                let definition = self.definition(at, direct, root);
                self.in_blocks.insert(format!("reaching {block} {variable} = {definition}"));
            }
        }
        self.entered.push(Entered { activity, block, time });
    }

    fn outermost(&self, thread: u32, root: Node) -> usize {
        let mut frames = self.program_frames(thread).into_iter();
        frames.find(|frame| self.frames[*frame].receiver == Some(root)).unwrap()
    }

    /// A use on the root of an outermost frame, which a write reaches or none.
    pub(super) fn use_in_blocks(
        &mut self,
        activity: usize,
        latest: Option<usize>,
        variable: &str,
        usage: &str,
    ) {
        let defined = latest.map(|at| self.writes[at].time);
        for entered in self.entered.iter().filter(|entered| entered.activity == activity) {
            if defined.is_none_or(|time| time < entered.time) {
                self.in_blocks.insert(format!("reachable {} {variable} -> {usage}", entered.block));
            }
        }
    }
}

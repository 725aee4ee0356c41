//! What one thread is doing: the argument values on their way and the calls that have not returned. Knows no statements.
//!
//! Invariant: the pending calls have ascending frame depths, as a call inside another one needs a frame of its own.

use crate::carried::Carried;

/// What becomes of a call that has not returned yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is this statement.
    Statement(u32),
    /// It is this statement, which goes again if it gives nothing new.
    Read(u32),
    /// No statement; the calls made inside are recorded. Set for checks and for helpers of the test class.
    Transparent {
        /// Whether the result comes from a test library.
        check: bool,
    },
    /// No statement, and none for what happens inside.
    Ignored,
    /// No call at all: the frame of a fixture that runs after a test. Nothing inside is a statement.
    Teardown,
    /// Like `Ignored`, and the result belongs to a test that is over.
    Stale,
}

/// A call that has not returned yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    pub(crate) role: Role,
    /// Frames of woven classes on the thread when it was made.
    depth: u32,
    /// Frames of the program that are active inside it.
    program: u32,
    /// Whether any woven frame was entered inside it.
    pub(crate) entered: bool,
}

/// One thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    depth: u32,
    pub(crate) arguments: Vec<Carried>,
    pending: Vec<Pending>,
}

impl Thread {
    /// The statement being executed.
    pub(crate) fn statement(&self) -> Option<u32> {
        self.pending.iter().rev().find_map(|pending| match pending.role {
            Role::Statement(index) | Role::Read(index) => Some(index),
            _ => None,
        })
    }

    /// Whether what the thread calls now happens inside a statement and is no statement of its own.
    pub(crate) fn is_inside(&self) -> bool {
        self.pending
            .last()
            .is_some_and(|p| p.program > 0 || matches!(p.role, Role::Ignored | Role::Stale | Role::Teardown))
    }

    /// Whether the thread has nothing under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.depth == 0 && self.pending.is_empty() && self.arguments.is_empty()
    }

    /// Begins a call.
    pub(crate) fn begin(&mut self, role: Role) {
        self.pending.push(Pending { role, depth: self.depth, program: 0, entered: false });
    }

    /// The frame entered last is one of a fixture that runs after a test.
    pub(crate) fn begin_teardown(&mut self) {
        let depth = self.depth.saturating_sub(1);
        self.pending.push(Pending { role: Role::Teardown, depth, program: 0, entered: false });
    }

    /// The test is over: calls still under way are no statements of the next one.
    pub(crate) fn forget_statements(&mut self) {
        for pending in &mut self.pending {
            if matches!(pending.role, Role::Statement(_) | Role::Read(_)) {
                pending.role = Role::Stale;
            }
        }
    }

    /// Removes the innermost call made by the frame on top, which returned.
    pub(crate) fn end(&mut self) -> Option<Pending> {
        if self.pending.last()?.depth == self.depth { self.pending.pop() } else { None }
    }

    /// Removes a call that no longer can return, because its caller is doing something else or is gone.
    pub(crate) fn unwound(&mut self) -> Option<Role> {
        if self.pending.last()?.depth >= self.depth { self.pending.pop().map(|p| p.role) } else { None }
    }

    /// A frame begins. Gives the statement of the call that turns out to be a helper of the test class.
    pub(crate) fn enter(&mut self, in_test_class: bool) -> Option<u32> {
        let directly = self.depth;
        self.depth = self.depth.saturating_add(1);
        let top = self.pending.last_mut()?;
        top.entered |= !in_test_class;
        if !in_test_class {
            top.program = top.program.saturating_add(1);
            return None;
        }
        let (Role::Statement(index) | Role::Read(index)) = top.role else { return None };
        if top.program > 0 || top.depth != directly {
            return None;
        }
        top.role = Role::Transparent { check: false };
        Some(index)
    }

    /// A frame ends. The calls it made and that did not return are left for `unwound`, to be taken before this.
    pub(crate) fn leave(&mut self, in_test_class: bool) {
        self.depth = self.depth.saturating_sub(1);
        if self.pending.last().is_some_and(|p| p.role == Role::Teardown && p.depth >= self.depth) {
            self.pending.pop();
        }
        if let (false, Some(top)) = (in_test_class, self.pending.last_mut()) {
            top.program = top.program.saturating_sub(1);
        }
    }
}

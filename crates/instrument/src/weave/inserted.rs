//! What is inserted into a method, handed from the modules that write it to the one that assembles the code.
//!
//! Knows nothing of what the insertions do. Invariant: what is counted here is what the bytes need beyond the method's own.

use super::catches::Catch;
use super::splice::{Edits, Layout};
use dynaflow_classfile::frames::VerificationType;

/// What is inserted into a method.
#[derive(Debug, Default)]
pub(crate) struct Inserted {
    /// The bytes.
    pub edits: Edits,
    /// By handler: where it begins in the epilogue.
    pub handlers: Vec<u32>,
    /// Stack slots needed beyond the method's own.
    pub stack: i32,
    /// Stack slots of prologue and handlers, which have the stack for themselves.
    pub handler_stack: u16,
    /// Local variables needed beyond the method's own.
    pub locals: u16,
    /// What the first of these hold from the prologue on, wherever control comes together.
    pub kept: Vec<VerificationType>,
    /// Where inserted code branches to, by instruction: a place behind the start of what is inserted before a handler, at
    /// which everything is as it was there.
    pub joins: Vec<(u32, u32)>,
    /// The detours to the method's own handlers.
    pub catches: Vec<Catch>,
    /// Where the copy of the method's own code lies, if there is one: it ends the prologue but for what an invocation that is recorded begins with.
    pub copy: Option<Layout>,
}

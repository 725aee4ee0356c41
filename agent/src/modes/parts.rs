//! What a mode consists of: its half on each of our two threads, and its half in the JVM.
//!
//! Knows no mode. Invariant: nothing here says which modes there are.

use super::tables::Tables;
use crate::calls::Calls;
use crate::message::{Message, Outlet};
use crate::verdicts::Verdicts;
use dynaflow_instrument::hooks::Hook;
use dynaflow_model::facts::BoundsHit;
use dynaflow_model::sites::Declined;
use dynaflow_trace::{TraceError, TraceWriter};
use std::ffi::CStr;
use std::sync::Arc;

/// The half of a mode that the weaver thread works with.
pub trait Weave: Send {
    /// The bytes to load in place of those of a class; none when it stays as it is. Whatever explains what woven code will
    /// report has been sent to the analysis by then.
    ///
    /// # Errors
    /// When the class is left as it is, for a reason.
    fn weave(&mut self, name: &str, bytes: &[u8], outlet: &Outlet) -> Result<Option<Vec<u8>>, Declined>;
}

/// The half of a mode that the analysis thread works with. Errors are those of the file.
pub trait Analyse: Send {
    /// Writes what comes before everything else.
    fn begin(&mut self, writer: &mut TraceWriter) -> Result<(), TraceError>;

    /// Understands a message; those of other modes are overlooked.
    fn take(&mut self, message: &Message, writer: &mut TraceWriter) -> Result<(), TraceError>;

    /// Writes what was put off: no message is waiting, or somebody asked.
    fn settle(&mut self, writer: &mut TraceWriter) -> Result<(), TraceError>;

    /// Leaves out more from now on, as the program waits too long; what is recorded stays true. Of some modes nothing can be left out.
    fn hurry(&mut self) {}

    /// Writes what is left when nothing more comes.
    fn finish(&mut self, writer: &mut TraceWriter) -> Result<(), TraceError>;

    /// What bounds cut off.
    fn bounds(&self) -> BoundsHit;
}

/// The Java half of a mode: classes of the boot loader, and static methods `()V` of one of them.
#[derive(Debug)]
pub struct Java {
    /// What is defined, in this order.
    pub classes: &'static [(&'static str, &'static [u8])],
    /// The class that woven code calls.
    pub main: &'static str,
    /// What it is to do when it is there.
    pub start: Option<&'static CStr>,
    /// What it is to do when a platform thread ends.
    pub thread_ended: Option<&'static CStr>,
    /// What it is to do when the VM ends.
    pub finish: Option<&'static CStr>,
    /// Whether it wants to know which fields native code sets.
    pub sees_jni: bool,
}

/// What the agent does in a mode.
pub struct Parts {
    /// In the JVM.
    pub java: &'static Java,
    /// On the weaver thread.
    pub weave: Box<dyn Weave>,
    /// On the analysis thread.
    pub analyse: Box<dyn Analyse>,
    /// What woven code may ask for.
    pub tables: Arc<Tables>,
    /// Where recorded methods call.
    pub calls: Arc<Calls>,
    /// What the analysis says of kinds of invocations.
    pub verdicts: Arc<Verdicts>,
    /// Which methods of the JDK are to call classes of [`Java`].
    pub hooks: Vec<Hook>,
}

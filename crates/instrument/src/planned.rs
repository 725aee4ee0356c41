//! What a plan consists of: what is wanted, what was found, and the methods with their sites.
//!
//! Knows neither how sites are found nor which bytes are woven for them. Invariant: a method's sites, spots and bundles come from one
//! enumeration of one body.

use crate::bundles::Bundle;
use crate::flow::Fact;
use dynaflow_bytecode::Body;
use dynaflow_model::sites::{CallPlace, Site};
use std::ops::Range;

/// The instruction index of a site that belongs to no instruction: method entry and exceptional exit.
pub(crate) const NO_SPOT: u32 = u32::MAX;

/// What to record beyond entries, exits and accesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeaveOptions {
    /// Operands of conditional branches and switches.
    pub branches: bool,
    /// Calls and origins of objects in test classes, so that test cases can be carved.
    pub carve: bool,
    /// Entries of basic blocks.
    pub blocks: bool,
    /// Whether invocations may be left out: methods that only read and call nothing then get a plain copy of their code for such ones.
    pub copies: bool,
}

impl WeaveOptions {
    /// Nothing beyond entries, exits and accesses; the default.
    pub const NONE: Self = Self { branches: false, carve: false, blocks: false, copies: false };
}

/// The sites found, with the instruction each belongs to.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Sites.
    pub sites: Vec<Site>,
    /// By site: index of the instruction in its method, or [`NO_SPOT`].
    pub spots: Vec<u32>,
    /// Call instructions.
    pub calls: Vec<CallPlace>,
}

/// A second version of a method's code, which runs in place of the woven one where an invocation is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copy {
    /// The code as it is: there is nothing to report.
    Plain,
    /// Code that reports neither that it begins and ends nor what it reads, for invocations below one that is left out. What it writes
    /// into fields of `this` the bundles from this one of the class on report, in the order of the sites.
    Quiet(usize),
}

/// A method with its sites.
#[derive(Debug)]
pub(crate) struct MethodPlan<'a> {
    /// Index in the class.
    pub index: usize,
    /// Which of its attributes is the code.
    pub attribute: usize,
    /// The code.
    pub body: Body<'a>,
    /// What is known of each instruction.
    pub facts: Vec<Fact>,
    /// Its sites in [`ClassSites::sites`].
    pub sites: Range<usize>,
    /// Its calls in [`ClassSites::calls`].
    pub calls: Range<usize>,
    /// By site of the method: the index of its instruction.
    pub spots: Vec<u32>,
    /// Those of its sites that are recorded together.
    pub bundles: Vec<Bundle>,
    /// Whether it is a constructor that must invoke another one.
    pub constructor: bool,
    /// The copy of its code that it gets.
    pub copy: Option<Copy>,
}

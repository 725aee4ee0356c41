//! What splices came to for a definition's site and a use's site, whatever the variable and the contexts of their pairs.
//!
//! Large objects reach one field along many paths, and what keeps the use from the definition (a guard that the defined value closes, an element
//! of what was just emptied) is the same on all of them. Knows nothing of why. Invariant: a shape is barren for two sites after [`MOST`] splices
//! in a row that covered no pair of these sites, and no longer once any pair of them is covered.

use crate::goal::Sites;
use crate::splice::Shape;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// So many splices of one shape for the pairs of two sites are enough to see that it leads nowhere.
const MOST: u32 = 8;

/// How many splices of each shape were given for the pairs of two sites since one of these pairs was covered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Barren {
    given: FxHashMap<Sites, BTreeMap<Shape, u32>>,
}

impl Barren {
    /// Whether splices of this shape are put off for pairs of these sites.
    pub(crate) fn is(&self, sites: Sites, shape: Shape) -> bool {
        self.given.get(&sites).and_then(|shapes| shapes.get(&shape)).is_some_and(|&given| given >= MOST)
    }

    /// Such a splice is given.
    pub(crate) fn give(&mut self, sites: Sites, shape: Shape) {
        *self.given.entry(sites).or_default().entry(shape).or_default() += 1;
    }

    /// A pair of these sites is covered: no shape is barren for them any longer.
    pub(crate) fn bear(&mut self, sites: Sites) {
        self.given.remove(&sites);
    }
}

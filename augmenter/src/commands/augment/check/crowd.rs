//! Which tests of a class are checked, where the search kept more than the time for checking is enough for.
//!
//! In: the sites of what each test is the first to cover, and whether an exception ended it. Out: the places of those that are checked. Knows nothing of time,
//! so that the same tests are checked on every machine. Invariant: each site has one of its tests checked, and so is each test that an exception ended.

use crate::commands::augment::ask::options::Keep;
use crate::commands::augment::campaign::Campaign;
use crate::commands::augment::search::kept::Kept;
use dynaflow_objectives::{SiteKey, site_key};
use std::collections::BTreeSet;

/// So many tests are checked in any case: of few sites most tests are not needed, and looking at a thousand takes longer than finding them.
const MOST: usize = 400;

/// What a test brings.
#[derive(Clone, Debug, Default)]
struct Brings<S> {
    sites: BTreeSet<S>,
    throws: bool,
}

impl Campaign<'_> {
    /// The tests that are checked, and those that are not needed. Where all tests are to be written, all are checked.
    pub(super) fn crowd(&self, kept: Vec<Kept>) -> (Vec<Kept>, Vec<Kept>) {
        if self.setup.options.keep != Keep::Few || kept.len() <= MOST {
            return (kept, vec![]);
        }
        let suite = &self.suite;
        let brings = |kept: &Kept| {
            let pairs = kept.new.iter().filter_map(|new| suite.facts.pairs.get(new.id));
            let sites: BTreeSet<SiteKey> = pairs.map(|pair| site_key(&suite.facts, pair)).collect();
            Brings { sites, throws: kept.throws }
        };
        let checked = checked(&kept.iter().map(brings).collect::<Vec<_>>(), MOST);
        let numbered = kept.into_iter().enumerate();
        let (first, rest): (Vec<_>, Vec<_>) = numbered.partition(|(place, _)| checked.contains(place));
        let kept = |numbered: Vec<(usize, Kept)>| numbered.into_iter().map(|(_, kept)| kept).collect();
        (kept(first), kept(rest))
    }
}

/// The first test of each site, all that throw, and of the others the first, until there are so many.
fn checked<S: Ord + Copy>(tests: &[Brings<S>], most: usize) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let is_needed = |test: &Brings<S>| {
        let is_first = !test.sites.is_subset(&seen);
        seen.extend(&test.sites);
        is_first || test.throws
    };
    let needed: Vec<bool> = tests.iter().map(is_needed).collect();
    let places = |wanted: bool| {
        let places = needed.iter().enumerate().filter(move |(_, is_needed)| **is_needed == wanted);
        places.map(|(place, _)| place)
    };
    let mut checked: BTreeSet<usize> = places(true).collect();
    let left = most.saturating_sub(checked.len());
    checked.extend(places(false).take(left));
    checked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_site_and_each_exception_has_a_test_and_the_first_of_the_others_fill_up() {
        let test = |sites: &[u8], throws| Brings { sites: sites.iter().copied().collect(), throws };
        let tests =
            [test(&[1], false), test(&[1], false), test(&[1, 2], false), test(&[2], true), test(&[2], false)];
        let of = |most| checked(&tests, most).into_iter().collect::<Vec<_>>();
        assert_eq!(of(0), [0, 2, 3], "what is needed is checked, however many there are");
        assert_eq!(of(3), [0, 2, 3]);
        assert_eq!(of(4), [0, 1, 2, 3]);
        assert_eq!(of(9), [0, 1, 2, 3, 4]);
    }
}

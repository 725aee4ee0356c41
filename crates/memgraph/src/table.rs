//! From names (object ids) to nodes. Names are dense in practice, so they index pages; stray large ones are hashed.
//!
//! Knows nothing of nodes. Invariant: a name has at most one node; a page without a live name takes no memory.

use crate::node::Node;
use rustc_hash::FxHashMap;

const PAGE_BITS: u32 = 10;
const PAGE: usize = 1 << PAGE_BITS;
/// Names from here on are hashed: 2^30 objects fit below.
const PAGED_NAMES: u64 = 1 << 30;
const NOTHING: u32 = u32::MAX;

#[derive(Debug)]
struct Page {
    nodes: Box<[u32; PAGE]>,
    live: u32,
}

/// The map from names to nodes.
#[derive(Debug, Default)]
pub(crate) struct NameTable {
    pages: Vec<Option<Page>>,
    large: FxHashMap<u64, u32>,
}

fn split(name: u64) -> (usize, usize) {
    // Both parts are below 2^30.
    ((name >> PAGE_BITS) as usize, name as usize & (PAGE - 1))
}

impl NameTable {
    #[inline]
    pub(crate) fn get(&self, name: u64) -> Option<Node> {
        let node = if name < PAGED_NAMES {
            let (page, at) = split(name);
            self.pages.get(page)?.as_ref()?.nodes[at]
        } else {
            *self.large.get(&name)?
        };
        (node != NOTHING).then_some(Node(node))
    }

    pub(crate) fn insert(&mut self, name: u64, node: Node) {
        if name >= PAGED_NAMES {
            self.large.insert(name, node.0);
            return;
        }
        let (page, at) = split(name);
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| Page { nodes: Box::new([NOTHING; PAGE]), live: 0 });
        page.live += u32::from(page.nodes[at] == NOTHING);
        page.nodes[at] = node.0;
    }

    pub(crate) fn remove(&mut self, name: u64) {
        if name >= PAGED_NAMES {
            self.large.remove(&name);
            return;
        }
        let (number, at) = split(name);
        let Some(slot) = self.pages.get_mut(number) else { return };
        let Some(page) = slot else { return };
        page.live -= u32::from(page.nodes[at] != NOTHING);
        page.nodes[at] = NOTHING;
        if page.live == 0 {
            *slot = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_huge_names_are_found_until_they_are_removed() {
        let mut table = NameTable::default();
        let names = [0, 2, 1023, 1024, PAGED_NAMES - 1, PAGED_NAMES, u64::MAX];
        for (at, name) in names.iter().enumerate() {
            table.insert(*name, Node(at as u32));
        }
        assert!(names.iter().enumerate().all(|(at, name)| table.get(*name) == Some(Node(at as u32))));
        for name in names {
            table.remove(name);
            table.remove(name);
        }
        assert!(names.iter().all(|name| table.get(*name).is_none()));
        assert!(table.pages.iter().all(Option::is_none));
    }
}

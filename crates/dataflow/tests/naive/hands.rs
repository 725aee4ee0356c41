//! What other hands do, from the definitions: an access at the call in the innermost frame, or a write nobody knows.
//!
//! Invariant: an unknown write is one of the list like any other, and no fact names it.

use super::{Naive, Node, Part, Whose, Write};
use dynaflow_model::sites::Access;
use dynaflow_model::words;

impl Naive<'_> {
    /// Whether it is known where a write was made.
    pub(super) fn is_known(&self, write: usize) -> bool {
        self.writes[write].site >= words::FIRST_SITE
    }

    pub(super) fn hand(&mut self, thread: u32, number: u32, object: u64, words: &[u64]) {
        let (site, value) = (words[1] as u32, words.get(3).map_or(0, |value| self.shown(*value)));
        if words[2] == 0 {
            return if number == words::HAND_WRITE {
                self.written_somewhere(object)
            };
        }
        let Some((node, part)) = self.handled(self.shown(object), words[2]) else { return };
        if number == words::HAND_WRITE && site < words::FIRST_SITE {
            let target = (value >= 2).then_some(value);
            let (time, whose) = (self.now, Whose::Node(node));
            self.writes.push(Write { time, whose, part, target, site, frames: vec![] });
        } else if site >= words::FIRST_SITE {
            let access = if number == words::HAND_WRITE { Access::Write } else { Access::Read };
            self.access(thread, site, access, (Whose::Node(node), part), value);
        }
    }

    /// Every field of an object, or every static one if it is a class object, is written by an unknown hand.
    fn written_somewhere(&mut self, object: u64) {
        let class = self.world.mirrors.iter().find(|(id, _, _)| id.0 == object).map(|(_, name, _)| name);
        let node = match class {
            Some(name) => self.class(name).map(|(class, _)| Node::Class(class)),
            None => (object >= 2).then(|| Node::Object(self.shown(object))),
        };
        let Some(node) = node else { return };
        for part in self.parts(node, &self.graph()) {
            if matches!(part, Part::Field(..)) {
                let (time, whose) = (self.now, Whose::Node(node));
                self.writes.push(Write { time, whose, part, target: None, site: 0, frames: vec![] });
            }
        }
    }

    /// Elements are written by an unknown hand.
    pub(super) fn written_elements(&mut self, array: u64, first: u32, count: u32) {
        for index in first..first + count {
            let (time, whose) = (self.now, Whose::Node(Node::Object(self.shown(array))));
            let part = Part::Element(index);
            self.writes.push(Write { time, whose, part, target: None, site: 0, frames: vec![] });
        }
    }

    fn handled(&self, object: u64, place: u64) -> Option<(Node, Part)> {
        if place >> words::STORED_ELEMENT_BIT != 0 {
            return Some((Node::Object(object), Part::Element(place as u32)));
        }
        let name = &self.world.texts[(place as usize).checked_sub(1)?];
        let parts: Vec<_> = name.split('#').collect();
        let (class, declared) = self.class(parts[0])?;
        let is_static = object == 0;
        let mut fields = declared.fields.iter();
        let named = fields.any(|field| field.name == parts[1] && field.is_static == is_static);
        let node = if is_static { Node::Class(class) } else { Node::Object(object) };
        let part = Part::Field(parts[0].to_owned(), parts[1].to_owned());
        (named && !parts[1].starts_with('$')).then_some((node, part))
    }
}

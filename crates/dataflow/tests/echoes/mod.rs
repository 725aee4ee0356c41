//! Invocations put into a random run that access once more what one accessed before: random runs seldom come back to a location, and loops of real
//! programs do nothing else. Knows nothing of what is recorded of them. Invariant: an echo accesses an object that is still there, in a frame of the
//! method that accessed it.

use crate::common::{M, STRIDE, World};
use dynaflow_model::muting::{self, SAME_AGAIN};
use dynaflow_model::sites::{Access, ReceiverKind, SiteKind};
use dynaflow_model::words;
use rand::Rng;
use std::collections::BTreeMap;

/// How many accesses are remembered.
const MOST: usize = 4;

/// An invocation that accesses something.
#[derive(Clone)]
struct Echo {
    enter: Vec<u64>,
    access: Vec<u64>,
    method: M,
}

/// Puts echoes behind so many of a hundred events.
pub fn add(world: &mut World, rng: &mut impl Rng, percent: u32) {
    let mut entered: BTreeMap<(u32, M), Vec<u64>> = BTreeMap::new();
    let mut echoes: Vec<Echo> = Vec::new();
    for (thread, words) in std::mem::take(&mut world.script) {
        world.script.push((thread, words.clone()));
        let site = words::site_of(words[0]);
        if site == words::DEAD {
            let dead = words::payload_of(words[0]);
            let mentions = |words: &[u64]| words.iter().any(|word| words::payload_of(*word) == dead);
            echoes.retain(|echo| !mentions(&echo.enter) && !mentions(&echo.access));
        }
        if site < words::FIRST_SITE {
            continue;
        }
        let (kind, method) = (world.kind(site).clone(), world.method_of(site));
        match kind {
            SiteKind::Enter { receiver } if receiver != ReceiverKind::Constructor => {
                entered.insert((thread, method), words.clone());
            }
            // What comes next belongs to it.
            SiteKind::Enter { .. }
            | SiteKind::SuperCall { .. }
            | SiteKind::Bind
            | SiteKind::Contents { .. } => continue,
            _ => {}
        }
        let index = (site % STRIDE) as usize;
        let is_read = matches!(
            world.kind(site),
            SiteKind::Field { access: Access::Read, .. }
                | SiteKind::Static { access: Access::Read, .. }
                | SiteKind::Element { access: Access::Read, .. }
        );
        let comes_back = is_read || muting::touches(&world.classes[method.0], index) & SAME_AGAIN != 0;
        let enter = entered.get(&(thread, method)).filter(|_| comes_back);
        if let Some(enter) = enter {
            echoes.push(Echo { enter: enter.clone(), access: words, method });
            if echoes.len() > MOST {
                echoes.remove(0);
            }
        }
        if !echoes.is_empty() && rng.random_range(0..100) < percent {
            let Echo { enter, access, method } = echoes[rng.random_range(0..echoes.len())].clone();
            let exit = world.site(method, SiteKind::Exit { exceptional: false });
            world.script.extend([enter, access, vec![words::word(exit, 0)]].map(|words| (thread, words)));
        }
    }
}

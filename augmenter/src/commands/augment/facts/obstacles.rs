//! What keeps the objectives that are open in the end from being executed.
//!
//! In: the document, what the searches met by pair. Out: an entry for each open objective, counts by root class, lines for each pair of
//! instructions. Knows nothing of how obstacles are found. Invariant: every open objective has one obstacle; what only sequences that were left
//! out execute is not open.

use super::figures::OfLeftOut;
use dynaflow_model::obstacle::Obstacle;
use dynaflow_model::pair_key::PairKey;
use dynaflow_objectives::{Entry, ObstacleText, PairsView, SiteKey, Status, simple};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Sum;

/// How many open objectives have each obstacle, in the order of [`Obstacle::ALL`]; of how many some test executes the two instructions elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    by: [usize; Obstacle::ALL.len()],
    elsewhere: usize,
}

impl Counts {
    /// Adds an objective.
    pub fn add(&mut self, text: &ObstacleText) {
        for (count, obstacle) in self.by.iter_mut().zip(Obstacle::ALL) {
            *count += usize::from(obstacle == text.obstacle);
        }
        self.elsewhere += usize::from(text.elsewhere);
    }

    /// All of them.
    pub fn all(&self) -> usize {
        self.by.iter().sum()
    }

    /// Those with any, the farthest obstacle first, as a cell of the statistics: `unreached 12; untried 3`.
    pub fn cell(&self) -> String {
        let some = self.some().map(|(obstacle, count)| format!("{} {count}", obstacle.word()));
        some.collect::<Vec<_>>().join("; ")
    }

    /// The same in a sentence; nothing where none is open.
    pub fn line(&self) -> Option<String> {
        let some: Vec<String> =
            self.some().map(|(obstacle, count)| format!("{count} {}", why(obstacle))).collect();
        let elsewhere = match self.elsewhere {
            0 => String::new(),
            n => format!("; of {n} the two instructions are executed together elsewhere"),
        };
        (!some.is_empty())
            .then(|| format!("why {} objectives are open: {}{elsewhere}", self.all(), some.join(", ")))
    }

    fn some(&self) -> impl Iterator<Item = (Obstacle, usize)> {
        Obstacle::ALL.into_iter().zip(self.by).rev().filter(|(_, count)| *count > 0)
    }
}

impl<'a> Sum<&'a Counts> for Counts {
    fn sum<I: Iterator<Item = &'a Counts>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, one| {
            sum.by.iter_mut().zip(one.by).for_each(|(count, more)| *count += more);
            sum.elsewhere += one.elsewhere;
            sum
        })
    }
}

fn why(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::Untried => "for which no sequence was tried",
        Obstacle::Unmade => "that need objects nobody can make",
        Obstacle::Stopped => "where an exception comes before the use",
        Obstacle::Undefined => "whose definition did not last to the end of its call",
        Obstacle::Unreached => "whose use was not reached after the definition",
        Obstacle::Overwritten => "whose definition was overwritten before the use, or on another object",
        Obstacle::Infeasible => "out of reach, as the defined value keeps execution from the use",
    }
}

/// The open objectives of a document with their obstacles, in its order. `met`: what the searches met, by pair.
pub fn of(
    document: &PairsView,
    met: &BTreeMap<PairKey, Obstacle>,
    left_out: &OfLeftOut,
) -> Vec<(Entry, ObstacleText)> {
    let (executed, objectives): (Vec<&Entry>, Vec<&Entry>) =
        document.pairs.iter().partition(|entry| entry.status == Status::Covered);
    let executed: BTreeSet<SiteKey> = executed.into_iter().map(|entry| document.site(entry)).collect();
    let text = |entry: &Entry| {
        let key = document.key(entry);
        if left_out.contains_key(&key) {
            return None;
        }
        let obstacle = met.get(&key).copied().unwrap_or(Obstacle::Untried);
        let elsewhere = executed.contains(&document.site(entry));
        Some((*entry, ObstacleText { elsewhere, obstacle, pair: key.to_string() }))
    };
    objectives.into_iter().filter_map(text).collect()
}

/// The counts of each root class.
pub fn by_root(document: &PairsView, open: &[(Entry, ObstacleText)]) -> BTreeMap<String, Counts> {
    let mut counts: BTreeMap<String, Counts> = BTreeMap::new();
    for (entry, text) in open {
        counts.entry(document.root(entry).to_owned()).or_default().add(text);
    }
    counts
}

/// A line for each pair of instructions with open objectives, those with most first.
pub fn lines(document: &PairsView, open: &[(Entry, ObstacleText)]) -> Vec<String> {
    let mut counts: BTreeMap<String, Counts> = BTreeMap::new();
    for (entry, text) in open {
        let Some([definition, usage]) = document.places(entry) else { continue };
        let at = |(class, method, line): (&str, &str, u32)| {
            let name = method.split('(').next().unwrap_or(method);
            format!("{}.{name}() (line {line})", simple(class))
        };
        let sites = format!("{}: {} -> {}", document.root(entry), at(definition), at(usage));
        counts.entry(sites).or_default().add(text);
    }
    let mut sorted: Vec<(String, Counts)> = counts.into_iter().collect();
    sorted.sort_by_key(|(_, counts)| Reverse(counts.all()));
    sorted.into_iter().map(|(sites, counts)| format!("open: {sites}: {}", counts.cell())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(obstacle: Obstacle, elsewhere: bool) -> ObstacleText {
        ObstacleText { elsewhere, obstacle, pair: String::new() }
    }

    #[test]
    fn counts_are_written_with_the_farthest_obstacle_first() {
        let mut counts = Counts::default();
        assert_eq!(counts.line(), None);
        counts.add(&text(Obstacle::Untried, false));
        counts.add(&text(Obstacle::Unreached, true));
        counts.add(&text(Obstacle::Unreached, false));
        assert_eq!(counts.cell(), "unreached 2; untried 1");
        let line = [counts, counts].iter().sum::<Counts>().line().unwrap();
        assert_eq!(
            line,
            "why 6 objectives are open: 4 whose use was not reached after the definition, 2 for which no sequence was tried; of 2 the two instructions are executed together elsewhere"
        );
    }
}

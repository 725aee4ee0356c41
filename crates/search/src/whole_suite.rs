//! Whole test suite generation: suites compete for the sum of their normalised branch distances (Fraser and Arcuri, "Whole Test Suite Generation", TSE 2013).
//!
//! Goals that were reached count no more, the archive has their tests (Rojas et al., "A detailed investigation of the effectiveness of whole test suite generation",
//! 2017). A branch counts as met from its first execution on, where the paper wants two. Invariant: a suite consists of measured tests; a generation ends when all its new
//! tests were measured.

use crate::algorithm::Algorithm;
use crate::archive::Archive;
use crate::breeder::{Breeder, TRIES};
use crate::fitness::Fitness;
use crate::individual::Individual;
use dynaflow_model::sequence::Sequence;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::cmp::Ordering;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Suites of a generation.
const POPULATION: usize = 40;
/// Most tests of a suite of the first generation.
const FIRST: usize = 4;
/// Most tests of a suite.
const TESTS: usize = 100;
/// How often two suites are crossed.
const CROSSOVER: f64 = 0.75;
/// How often a new test is added to a suite; a second one so often once more, and so on.
const ADDITION: f64 = 0.1;
/// How much the best suite is preferred to the median one.
const BIAS: f64 = 1.7;

/// A suite with its sum of normalised distances.
#[derive(Clone, Debug)]
struct Suite {
    tests: Vec<Rc<Individual>>,
    sum: f64,
}

/// A test of a suite that is being made.
#[derive(Clone, Debug)]
enum Test {
    Measured(Rc<Individual>),
    /// Measured before the generation ends.
    New(Sequence),
}

/// Two suites, made of two others.
#[derive(Debug)]
struct Offspring {
    parents: Vec<Suite>,
    children: Vec<Vec<Test>>,
}

/// The algorithm.
#[derive(Debug, Default)]
pub(crate) struct WholeSuite {
    /// Best first.
    population: Vec<Suite>,
    offspring: Vec<Offspring>,
    /// Tests of the offspring that nobody was given yet.
    waiting: VecDeque<Sequence>,
    /// What was measured in this generation.
    measured: BTreeMap<Sequence, Rc<Individual>>,
}

impl Algorithm for WholeSuite {
    fn take(&mut self, individual: &Rc<Individual>, _: &Archive) {
        self.measured.insert(individual.sequence.clone(), Rc::clone(individual));
    }

    fn propose(&mut self, n: usize, archive: &Archive, breeder: &mut Breeder) -> Vec<Sequence> {
        for _ in 0..TRIES {
            if !self.waiting.is_empty() {
                break;
            }
            self.end_generation(archive);
            self.begin_generation(archive, breeder);
        }
        let most = n.min(self.waiting.len());
        self.waiting.drain(..most).collect()
    }
}

impl WholeSuite {
    /// Of parents and children the better two survive each time, and the best suite in any case.
    fn end_generation(&mut self, archive: &Archive) {
        let best = self.population.first().cloned();
        let offspring = std::mem::take(&mut self.offspring);
        let mut next: Vec<Suite> = best.into_iter().collect();
        // What was reached meanwhile counts for nobody any more.
        next.iter_mut().for_each(|suite| suite.sum = sum(&suite.tests, archive));
        for Offspring { mut parents, children } in offspring {
            parents.iter_mut().for_each(|suite| suite.sum = sum(&suite.tests, archive));
            let children: Vec<Suite> =
                children.into_iter().map(|tests| self.measured_suite(tests, archive)).collect();
            let best = |suites: &[Suite]| suites.iter().min_by(|a, b| better(a, b)).cloned();
            let survive = match (best(&parents), best(&children)) {
                (Some(parent), Some(child)) if better(&parent, &child) == Ordering::Less => parents,
                _ => children,
            };
            next.extend(survive);
        }
        next.sort_by(better);
        next.truncate(POPULATION);
        self.population = next;
    }

    fn measured_suite(&self, tests: Vec<Test>, archive: &Archive) -> Suite {
        let measured = tests.into_iter().filter_map(|test| match test {
            Test::Measured(individual) => Some(individual),
            // One that ended its JVM has no distances, and no place in a suite.
            Test::New(sequence) => self.measured.get(&sequence).cloned(),
        });
        let tests: Vec<Rc<Individual>> = measured.collect();
        Suite { sum: sum(&tests, archive), tests }
    }

    fn begin_generation(&mut self, archive: &Archive, breeder: &mut Breeder) {
        let known: Vec<Rc<Individual>> = std::mem::take(&mut self.measured).into_values().collect();
        for _ in 0..POPULATION / 2 {
            let offspring = if self.population.len() < 2 {
                let children = (0..2).map(|_| self.first(&known, breeder)).collect();
                Offspring { parents: vec![], children }
            } else {
                self.bred(archive, breeder)
            };
            self.offspring.push(offspring);
        }
    }

    /// A suite of the first generation: known tests and new ones.
    fn first(&mut self, known: &[Rc<Individual>], breeder: &mut Breeder) -> Vec<Test> {
        let size = breeder.rng.random_range(1..=FIRST);
        let mut tests = vec![];
        for _ in 0..size {
            let drawn = known.choose(breeder.rng).filter(|_| breeder.rng.random_bool(0.5));
            let test = drawn.map(|known| Test::Measured(Rc::clone(known)));
            tests.extend(test.or_else(|| self.new_test(breeder)));
        }
        tests
    }

    fn new_test(&mut self, breeder: &mut Breeder) -> Option<Test> {
        let made = (0..TRIES).find_map(|_| {
            let (sequence, _) = breeder.random()?;
            breeder.admits(&sequence).then_some(sequence)
        })?;
        self.waiting.push_back(made.clone());
        Some(Test::New(made))
    }

    /// Two suites of two parents.
    fn bred(&mut self, archive: &Archive, breeder: &mut Breeder) -> Offspring {
        let parents: Vec<Suite> =
            (0..2).filter_map(|_| self.population.get(self.selected(breeder)).cloned()).collect();
        let mut tests: Vec<Vec<Rc<Individual>>> = parents.iter().map(|suite| suite.tests.clone()).collect();
        if let [one, other] = tests.as_mut_slice()
            && breeder.rng.random_bool(CROSSOVER)
        {
            let share: f64 = breeder.rng.random();
            let point = |tests: &[_]| (share * tests.len() as f64) as usize;
            let (end, other_end) = (one.split_off(point(one)), other.split_off(point(other)));
            one.extend(other_end);
            other.extend(end);
        }
        let children = tests.into_iter().map(|tests| self.mutated(tests, archive, breeder)).collect();
        Offspring { parents, children }
    }

    /// By rank (Whitley, "The GENITOR algorithm and selection pressure", 1989).
    fn selected(&self, breeder: &mut Breeder) -> usize {
        let drawn: f64 = breeder.rng.random();
        let root = (BIAS * BIAS - 4.0 * (BIAS - 1.0) * drawn).sqrt();
        let place = self.population.len() as f64 * (BIAS - root) / 2.0 / (BIAS - 1.0);
        (place as usize).min(self.population.len().saturating_sub(1))
    }

    /// On average one test is changed, towards what it missed; now and then a new one is added.
    fn mutated(&mut self, tests: Vec<Rc<Individual>>, archive: &Archive, breeder: &mut Breeder) -> Vec<Test> {
        let chance = 1.0 / tests.len().max(1) as f64;
        let mut mutated = vec![];
        for test in tests {
            let changed = breeder.rng.random_bool(chance).then(|| changed(&test, archive, breeder)).flatten();
            mutated.push(match changed {
                Some(sequence) => {
                    self.waiting.push_back(sequence.clone());
                    Test::New(sequence)
                }
                None => Test::Measured(test),
            });
        }
        let mut chance = ADDITION;
        while mutated.is_empty() || breeder.rng.random_bool(chance) && mutated.len() < TESTS {
            let Some(test) = self.new_test(breeder) else { break };
            mutated.push(test);
            chance *= ADDITION;
        }
        mutated.truncate(TESTS);
        mutated
    }
}

/// A test changed towards a goal that it met and missed, if there is one.
fn changed(test: &Individual, archive: &Archive, breeder: &mut Breeder) -> Option<Sequence> {
    let met = test.distances().iter().filter(|distance| archive.wants(distance.outcome));
    let missed: Vec<_> = met.filter_map(|distance| distance.operands.as_ref()).collect();
    (0..TRIES).find_map(|_| {
        let operands = missed.choose(breeder.rng).copied();
        let changed = breeder.changed(&test.sequence, operands)?;
        breeder.admits(&changed).then_some(changed)
    })
}

/// The sum of the normalised distances of the nearest test to each goal that nothing reached.
fn sum(tests: &[Rc<Individual>], archive: &Archive) -> f64 {
    let nearest = |goal: u32| {
        let of = |test: &Rc<Individual>| Fitness::of(goal, archive.goals(), |goal| test.away(goal));
        tests.iter().map(of).min().unwrap_or(Fitness::FARTHEST).normalised()
    };
    // The sum of nothing is 0, and not -0 as that of an empty iterator, which would be less.
    archive.uncovered().map(nearest).fold(0.0, |sum, nearest| sum + nearest)
}

/// The smaller sum first; of alike ones the suite with fewer statements.
fn better(one: &Suite, other: &Suite) -> Ordering {
    let length = |suite: &Suite| suite.tests.iter().map(|test| test.length()).sum::<usize>();
    one.sum.total_cmp(&other.sum).then_with(|| length(one).cmp(&length(other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::CoverageGoals;
    use crate::individual::twin::{distance, individual};
    use crate::slice::twin::Random;
    use std::collections::BTreeSet;

    /// The sum recomputed from the distances of each single run: of each goal that no run of the archive reached, the least distance of any run.
    fn naive(tests: &[Rc<Individual>], reached: &BTreeSet<u32>, goals: u32) -> f64 {
        let mut sum = 0.0;
        for goal in (0..goals).filter(|goal| !reached.contains(goal)) {
            let mut least = f64::INFINITY;
            for met in tests.iter().flat_map(|test| test.distances()).filter(|met| met.outcome == goal) {
                least = least.min(f64::from_bits(met.away));
            }
            sum += if least.is_finite() { least / (least + 1.0) } else { 1.0 };
        }
        sum
    }

    #[test]
    fn the_sum_of_a_suite_is_that_of_the_least_distances_of_its_single_runs() {
        for seed in 0..100 {
            let mut random = Random::new(seed);
            let goals = 1 + random.below(6);
            let mut archive = Archive::new(CoverageGoals::new((0..goals).collect(), BTreeMap::new()));
            let (mut tests, mut reached) = (vec![], BTreeSet::new());
            for number in 0..random.below(5) {
                let met: Vec<_> = (0..goals)
                    .filter_map(|goal| {
                        let away = random.below(9);
                        (away < 7).then(|| distance(goal, f64::from(away)))
                    })
                    .collect();
                let test = individual(&number.to_string(), 1, &met);
                if random.below(2) == 0 {
                    archive.take(&test);
                    reached.extend(met.iter().filter(|met| met.away == 0).map(|met| met.outcome));
                }
                tests.push(Rc::new(test));
            }
            assert_eq!(
                sum(&tests, &archive).to_bits(),
                naive(&tests, &reached, goals).to_bits(),
                "{tests:?}"
            );
        }
    }

    #[test]
    fn the_nearer_suite_is_better_and_of_two_alike_the_shorter_one() {
        let suite = |sum: f64, lengths: &[usize]| Suite {
            tests: lengths.iter().map(|length| Rc::new(individual("some", *length, &[]))).collect(),
            sum,
        };
        assert_eq!(better(&suite(1.0, &[9, 9]), &suite(1.5, &[1])), Ordering::Less);
        assert_eq!(better(&suite(1.0, &[3, 3]), &suite(1.0, &[5])), Ordering::Greater);
        assert_eq!(better(&suite(1.0, &[3, 2]), &suite(1.0, &[5])), Ordering::Equal);
    }
}

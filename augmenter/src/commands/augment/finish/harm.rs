//! Which tests are dropped for effects beyond their own objects.
//!
//! Knows nothing of how effects are observed or what is allowed. Invariant: an effect that comes back after the tests that had it were
//! dropped belongs to all tests, as that of an initialiser or of a pool that a class keeps does.

use dynaflow_model::effect::{Effect, Permission};
use std::collections::{BTreeMap, BTreeSet};

/// Effects that are not allowed, by case.
pub type Effects = BTreeMap<usize, BTreeSet<Effect>>;

/// The effects for which tests were dropped in earlier rounds.
#[derive(Debug, Default)]
pub struct Harm(BTreeSet<(Permission, String)>);

impl Harm {
    /// Whether no test was dropped for an effect yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The cases to drop for these effects: with those that name a class whose initialiser has one; all of them, should an effect
    /// have come back.
    pub fn of_all(&mut self, effects: Effects, cases: usize, names: impl Fn(usize, &str) -> bool) -> Effects {
        let again: BTreeSet<Effect> = effects
            .values()
            .flatten()
            .filter(|effect| self.0.contains(&Self::key(effect)))
            .cloned()
            .collect();
        self.0.extend(effects.values().flatten().map(Self::key));
        if !again.is_empty() {
            return (0..cases).map(|case| (case, again.clone())).collect();
        }
        let mut all = effects.clone();
        for effect in effects.into_values().flatten() {
            let Some(class) = &effect.initialiser else { continue };
            for case in (0..cases).filter(|case| names(*case, class)) {
                all.entry(case).or_default().insert(effect.clone());
            }
        }
        all
    }

    /// Numbers differ from run to run, those of threads and files.
    fn key(effect: &Effect) -> (Permission, String) {
        (effect.needs(), effect.what.chars().filter(|c| !c.is_ascii_digit()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_that_comes_back_in_another_test_is_that_of_all() {
        let effect = |what: &str| {
            let kind = dynaflow_model::effect::EffectKind::Threads;
            Effect { kind, place: None, what: what.to_owned(), statement: None, initialiser: None }
        };
        let of = |case: usize, what: &str| Effects::from([(case, BTreeSet::from([effect(what)]))]);
        let mut harm = Harm::default();
        let nobody = |_: usize, _: &str| false;
        assert_eq!(harm.of_all(of(1, "leaves thread 7"), 3, nobody), of(1, "leaves thread 7"));
        assert_eq!(
            harm.of_all(of(1, "opens a socket"), 2, nobody),
            of(1, "opens a socket"),
            "another effect"
        );
        let all: Vec<usize> = harm.of_all(of(0, "leaves thread 12"), 2, nobody).into_keys().collect();
        assert_eq!(all, [0, 1]);
    }

    #[test]
    fn tests_that_name_a_class_go_with_the_one_that_ran_its_initialiser() {
        let kind = dynaflow_model::effect::EffectKind::Properties;
        let initialiser = Some("a.Config".to_owned());
        let effect = Effect { kind, place: None, what: "sets it".into(), statement: None, initialiser };
        let found = || Effects::from([(1, BTreeSet::from([effect.clone()]))]);
        let mut harm = Harm::default();
        let dropped = harm.of_all(found(), 4, |case, class| case == 3 && class == "a.Config");
        assert_eq!(dropped.into_keys().collect::<Vec<_>>(), [1, 3]);
        let all = harm.of_all(found(), 2, |_, _| false);
        assert_eq!(all.into_keys().collect::<Vec<_>>(), [0, 1], "it came back by another way");
    }
}

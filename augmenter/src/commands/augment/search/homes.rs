//! The class among whose tests a kept test stands: one whose objects its new pairs are about, else one that it names, whichever class's search found it;
//! for a class without a name of its own the one around it. A class that subclasses stand for has the tests of their objects in which its own code takes part.
//!
//! Knows nothing of JUnit. Invariant: every kept test stays with one target; it moves only to a target whose tests may name what it names.

use super::kept::Kept;
use super::target::Target;
use crate::commands::augment::class_files::makers::{is_anonymous, named_around};
use dynaflow_model::facts::{FactTable, Place, Recording};
use dynaflow_model::sequence::{Operation, Sequence};
use dynaflow_objectives::Iteration;
use dynaflow_search::check;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Moves each test none of whose new pairs is about an object that runs the searched class's code, or about that code, to the target that is the root of most of them; where its
/// tests may not name what this one names, and this one does not name the searched class, to the target that it names most. What would stand with an anonymous
/// or local class stands with the class around it.
pub fn settle(targets: &mut [Target], suite: &Recording) {
    let classes: Vec<String> = targets.iter().map(|target| target.class.clone()).collect();
    let found: Vec<Vec<Kept>> =
        targets.iter_mut().map(|target| std::mem::take(&mut target.grown.kept)).collect();
    let (mut stay, mut moved): (Vec<Vec<Kept>>, Vec<(usize, Kept)>) = (vec![], vec![]);
    for (own, (target, found)) in targets.iter().zip(found).enumerate() {
        let mut rest = vec![];
        for kept in found {
            let may = |place: usize| {
                targets.get(place).is_some_and(|other| check(&kept.sequence, &other.types).is_ok())
            };
            let about = [roots(&kept, &suite.facts), named(&kept.sequence)];
            let is_own = runs_code_of(&target.class, &kept, &suite.facts);
            let counts = |object: &&String| is_own || **object == target.class || !classes.contains(object);
            let objects: Vec<&String> = target.objects.iter().filter(counts).collect();
            let home = home(&objects, &about, &classes, may);
            let home = around(home.unwrap_or(own), &classes, may);
            match home == own {
                true => rest.push(kept),
                false => moved.push((home, kept)),
            }
        }
        stay.push(rest);
    }
    targets.iter_mut().zip(stay).for_each(|(target, stay)| target.grown.kept = stay);
    for (home, mut kept) in moved {
        let Some(target) = targets.get_mut(home) else { continue };
        // Iterations are counted by class: its last one stands for those of another class, and one is made where its turn never came.
        let iterations = &mut target.grown.iterations;
        if iterations.is_empty() {
            iterations.push(Iteration { n: 1, objectives_new: 0, covered_new: 0, tests_added: 0 });
        }
        let last = u32::try_from(iterations.len()).unwrap_or(u32::MAX);
        kept.iteration = kept.iteration.min(last);
        target.grown.kept.push(kept);
    }
}

/// The roots of the new pairs, with how many each has.
fn roots<'f>(kept: &Kept, facts: &'f FactTable) -> BTreeMap<&'f str, usize> {
    let mut roots = BTreeMap::new();
    for new in &kept.new {
        let variable = facts.pairs.get(new.id).and_then(|pair| facts.variables.get(pair.variable));
        if let Some(variable) = variable {
            *roots.entry(facts.text(variable.root)).or_default() += 1;
        }
    }
    roots
}

/// Whether the definition or the use of a new pair stands in the code of a class, or of one inside it.
fn runs_code_of(class: &str, kept: &Kept, facts: &FactTable) -> bool {
    let is_in = |place: Place| {
        let of = facts.methods.get(place.method).map_or("", |method| facts.text(method.class));
        of.strip_prefix(class).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    };
    let mut pairs = kept.new.iter().filter_map(|new| facts.pairs.get(new.id));
    pairs.any(|pair| {
        let definition = facts.definitions.get(pair.definition).map(|definition| definition.place);
        let usage = facts.uses.get(pair.usage).map(|usage| usage.place);
        [definition, usage]
            .into_iter()
            .flatten()
            .filter_map(|place| facts.places.get(place))
            .any(|place| is_in(*place))
    })
}

/// The classes whose methods a sequence calls, and whose objects these give, with how often.
fn named(sequence: &Sequence) -> BTreeMap<&str, usize> {
    let mut named = BTreeMap::new();
    for statement in &sequence.statements {
        if let Operation::New { constructor: method, .. } | Operation::Call { method, .. } =
            &statement.operation
        {
            *named.entry(method.owner.as_str()).or_default() += 1;
        }
    }
    named
}

/// The place of another class that is to have the test, among those that `may`, by the first of what it is about that says so; none when it stays where it is.
fn home(
    objects: &[&String],
    about: &[BTreeMap<&str, usize>],
    classes: &[String],
    may: impl Fn(usize) -> bool,
) -> Option<usize> {
    for about in about {
        if objects.iter().any(|class| about.contains_key(class.as_str())) {
            return None;
        }
        let others = classes.iter().enumerate();
        let all = others.filter_map(|(place, name)| Some((Reverse(*about.get(name.as_str())?), place)));
        if let Some((_, place)) = all.filter(|(_, place)| may(*place)).min() {
            return Some(place);
        }
    }
    None
}

/// The place of the class around an anonymous or local class that is a target and `may` have its tests; any other class's place is its own.
fn around(place: usize, classes: &[String], may: impl Fn(usize) -> bool) -> usize {
    let Some(class) = classes.get(place).filter(|class| is_anonymous(class)) else { return place };
    let outer = classes.iter().position(|other| other == named_around(class));
    outer.filter(|outer| may(*outer)).unwrap_or(place)
}

#[cfg(test)]
mod tests {
    use super::super::growth::Grown;
    use super::super::kept::NewPair;
    use super::*;
    use crate::commands::augment::facts::effects::Refusals;
    use dynaflow_model::facts::{
        Context, Definition, DefinitionKind, Method, Pair, PairId, Place, Step, Use, Variable,
    };
    use dynaflow_model::pair_key::PairKey;
    use dynaflow_model::sequence::Statement;
    use dynaflow_model::sites::{CallKind, MethodRef};
    use dynaflow_search::{Config, Search, Types, package_of};
    use std::collections::BTreeSet;
    use std::time::Duration;

    /// A pair of a field of this root, whose code is its own.
    fn pair(facts: &mut FactTable, root: &str) -> PairId {
        pair_in(facts, root, root)
    }

    /// A pair of a field of this root, in the code of a class.
    fn pair_in(facts: &mut FactTable, root: &str, class: &str) -> PairId {
        let (root, name, signature) = (facts.sym(root), facts.sym("n"), facts.sym("run()V"));
        let class = facts.sym(class);
        let variable =
            facts.variables.intern(Variable { root, steps: Box::new([Step::Field { class: root, name }]) });
        let method = facts.methods.intern(Method { class, signature });
        let context =
            facts.contexts.intern(Context { head: Box::new([method]), tail: Box::new([]), cut: false });
        let place = facts.places.intern(Place { method, offset: 1, line: 1 });
        let definition =
            facts.definitions.intern(Definition { place, kind: DefinitionKind::Direct, context });
        let usage = facts.uses.intern(Use { place, context });
        facts.pairs.intern(Pair { variable, definition, usage })
    }

    /// A target that was searched for so many iterations, and kept a test for each of these pairs in the last.
    fn target(class: &str, iterations: u32, pairs: &[PairId]) -> Target {
        let types = Types::new([], package_of(class));
        let kept = |(at, &id): (usize, &PairId)| Kept {
            name: format!("{class} {at}"),
            sequence: Sequence::default(),
            iteration: iterations,
            pairs: BTreeSet::new(),
            new: vec![NewPair { key: PairKey([0; 16]), id, seen: None }],
            noticing: BTreeSet::new(),
            closes: false,
            throws: false,
        };
        let one = |n| Iteration { covered_new: 0, n, objectives_new: 0, tests_added: 0 };
        let mut grown = Grown::default();
        grown.kept = pairs.iter().enumerate().map(kept).collect();
        grown.iterations = (1..=iterations).map(one).collect();
        Target {
            class: class.to_owned(),
            objects: vec![class.to_owned()],
            search: Search::new(Config::default(), types.clone(), []),
            types,
            refusals: Refusals::default(),
            grown,
            executions: 0,
            searched: Duration::ZERO,
            used: 0,
            waits: false,
        }
    }

    #[test]
    fn every_test_has_one_home_and_an_iteration_of_its_class() {
        let mut suite = Recording::default();
        let [door, key, far, later] =
            ["a.Door", "a.Key", "b.Far", "a.Later"].map(|root| pair(&mut suite.facts, root));
        let mut targets = [
            target("a.Door", 3, &[door, key, far, later]),
            target("a.Key", 2, &[key]),
            target("b.Far", 1, &[]),
            target("a.Later", 0, &[]),
        ];
        settle(&mut targets, &suite);
        let names = |target: &Target| -> Vec<(String, u32)> {
            target.grown.kept.iter().map(|kept| (kept.name.clone(), kept.iteration)).collect()
        };
        let of = |name: &str, n: u32| (name.to_owned(), n);
        assert_eq!(names(&targets[0]), [of("a.Door 0", 3)]);
        assert_eq!(names(&targets[1]), [of("a.Key 0", 2), of("a.Door 1", 2)]);
        assert_eq!(names(&targets[2]), [of("a.Door 2", 1)]);
        assert_eq!(names(&targets[3]), [of("a.Door 3", 1)], "its turn never came");
        assert_eq!(targets[3].grown.iterations.len(), 1);
    }

    #[test]
    fn of_the_objects_that_stand_for_a_class_those_tests_are_its_own_that_run_its_code() {
        let mut suite = Recording::default();
        let inherited = pair_in(&mut suite.facts, "a.Door", "a.Base");
        let inside = pair_in(&mut suite.facts, "a.Door", "a.Base$Hinge");
        let [own, hidden] = ["a.Door", "a.Hidden"].map(|root| pair(&mut suite.facts, root));
        let mut targets = [target("a.Base", 1, &[inherited, own, inside, hidden]), target("a.Door", 1, &[])];
        targets[0].objects.extend(["a.Door", "a.Hidden"].map(str::to_owned));
        settle(&mut targets, &suite);
        let names =
            |target: &Target| target.grown.kept.iter().map(|kept| kept.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&targets[0]), ["a.Base 0", "a.Base 2", "a.Base 3"], "a.Hidden is no target");
        assert_eq!(names(&targets[1]), ["a.Base 1"]);
    }

    fn moves_to(roots: &[(&'static str, usize)]) -> Option<usize> {
        let classes: Vec<String> = ["a.Door", "a.Key", "a.Lock", "b.Far"].map(str::to_owned).into();
        // What the tests name, those of b.Far may not.
        home(&[&"a.Door".to_owned()], &[roots.iter().copied().collect()], &classes, |place| place != 3)
    }

    #[test]
    fn where_no_root_has_a_file_for_it_a_test_goes_to_the_class_that_it_names_most_unless_it_names_its_own() {
        let classes: Vec<String> = ["a.Door", "a.Key", "a.Lock"].map(str::to_owned).into();
        let to = |named: &[(&'static str, usize)]| {
            let about = [BTreeMap::from([("b.Far", 3)]), named.iter().copied().collect()];
            home(&[&"a.Door".to_owned()], &about, &classes, |_| true)
        };
        assert_eq!(to(&[("a.Key", 1), ("a.Lock", 2)]), Some(2));
        assert_eq!(to(&[("a.Door", 1), ("a.Lock", 2)]), None);
        assert_eq!(to(&[("b.Far", 1)]), None);
    }

    #[test]
    fn a_sequence_names_the_classes_whose_methods_it_calls() {
        let method = |owner: &str, name: &str| MethodRef {
            owner: owner.to_owned(),
            name: name.to_owned(),
            descriptor: "()V".to_owned(),
        };
        let made = Operation::New { constructor: method("a.Key", "<init>"), args: vec![] };
        let called = |owner| Operation::Call {
            method: method(owner, "turn"),
            kind: CallKind::Static,
            receiver: None,
            args: vec![],
        };
        let statements = [made, called("a.Key"), called("a.Door")].map(|operation| Statement {
            operation,
            result: "V".to_owned(),
            runtime_class: None,
            caught: None,
        });
        let sequence = Sequence { statements: statements.to_vec() };
        assert_eq!(named(&sequence), BTreeMap::from([("a.Key", 2), ("a.Door", 1)]));
    }

    #[test]
    fn a_test_about_objects_of_the_searched_class_stays_though_most_of_it_is_about_others() {
        assert_eq!(moves_to(&[("a.Door", 1), ("a.Key", 5)]), None);
    }

    #[test]
    fn a_test_about_objects_of_another_target_goes_to_the_one_it_is_most_about() {
        assert_eq!(moves_to(&[("a.Key", 1), ("a.Lock", 2)]), Some(2));
        assert_eq!(moves_to(&[("a.Key", 1), ("a.Lock", 1)]), Some(1));
    }

    #[test]
    fn what_is_about_a_class_without_a_name_stands_with_the_class_around_it() {
        let classes: Vec<String> =
            ["a.Door", "a.Door$1", "a.Door$Key", "a.Door$Key$2Bit", "b.Far$1"].map(str::to_owned).into();
        let homes = |may: fn(usize) -> bool| (0..5).map(|at| around(at, &classes, may)).collect::<Vec<_>>();
        assert_eq!(homes(|_| true), [0, 0, 2, 2, 4]);
        assert_eq!(homes(|place| place != 0), [0, 1, 2, 2, 4], "the tests of a.Door may not name it");
    }

    #[test]
    fn a_test_stays_where_no_other_target_may_name_what_it_names() {
        assert_eq!(moves_to(&[("b.Far", 1)]), None);
        assert_eq!(moves_to(&[]), None);
    }
}

//! Assertions that a test has for mutants alone, and can do without where the tests before it show as much.
//!
//! What a test could assert is ranked when nobody knows which tests will be written, so that several of them look at the same state for the same mutants, and
//! for mutants that the seeds notice. In: the tests in the order of the file. Out: the same with fewer assertions. Knows nothing of pairs or of how mutants
//! are made. Invariant: each mutant that the seeds leave alive and the tests noticed is still noticed, each of their sites where one of them noticed any mutant is still such a
//! site of one of them, and a test still says something of each object that it said something of: that one object is not changed with another is what state that two share shows by. What
//! two tests before it say of such an object in the same words need not be said once more, unless there is another one of its class in the test, such as its copy.

use super::said::{asserted, has_sibling, is_left_unseen, leave_out, line, says_something};
use crate::commands::augment::mutants::{Kills, What};
use dynaflow_objectives::SiteKey;
use dynaflow_testgen::TestCase;
use std::collections::{BTreeMap, BTreeSet};

/// In so many tests the same is said of objects of which nothing else is said: the default of an argument in each test of a class is noise to its reader.
const REPEATED: usize = 2;

/// What a test shows by its assertions: by those that it can do without, and by all else.
#[derive(Clone, Debug, Default)]
pub struct Spares {
    spares: Vec<Spare>,
    /// The sites where its end, or what it cannot do without, notices a mutant.
    firm: BTreeSet<SiteKey>,
}

/// An assertion that stands in a test for mutants alone.
#[derive(Clone, Debug)]
struct Spare {
    what: What,
    /// The sites of the test where it notices a mutant.
    sites: BTreeSet<SiteKey>,
}

/// What tests show that stand in front of another one.
#[derive(Debug, Default)]
pub struct Shows {
    /// The mutants that they notice and the seeds do not.
    mutants: BTreeSet<u32>,
    /// The sites where they notice any.
    sites: BTreeSet<SiteKey>,
    /// In how many of them each line stands.
    lines: BTreeMap<String, usize>,
}

impl Shows {
    /// Adds a test that is written as it is.
    pub fn add(&mut self, case: &TestCase, mutants: &BTreeSet<u32>, spares: &Spares) {
        self.add_lines(case);
        self.mutants.extend(mutants);
        self.sites.extend(&spares.firm);
        self.sites.extend(spares.spares.iter().flat_map(|spare| &spare.sites));
    }

    fn add_lines(&mut self, case: &TestCase) {
        let lines: BTreeSet<String> = asserted(case).iter().filter_map(|what| line(case, what)).collect();
        lines.into_iter().for_each(|line| *self.lines.entry(line).or_default() += 1);
    }

    /// Whether enough tests say what this assertion says.
    fn repeat(&self, case: &TestCase, what: &What) -> bool {
        let count = line(case, what).and_then(|line| self.lines.get(&line));
        count.is_some_and(|&count| count >= REPEATED)
    }
}

impl Spares {
    /// Of a test that has some assertions for mutants alone; `noticed` gives the sites where an assertion, or the end of the test where none is given, notices a mutant.
    pub fn of(
        case: &TestCase,
        spare: &BTreeSet<What>,
        noticed: impl Fn(Option<&What>) -> BTreeSet<SiteKey>,
    ) -> Self {
        let (spare, others): (Vec<What>, Vec<What>) =
            asserted(case).into_iter().partition(|what| spare.contains(what));
        let firm = others.iter().map(Some).chain([None]).flat_map(&noticed).collect();
        let spares = spare.into_iter().map(|what| Spare { sites: noticed(Some(&what)), what }).collect();
        Self { spares, firm }
    }

    /// Takes out of the test what shows nothing that is not `shown`, and adds what it shows then.
    pub fn leave_out(&mut self, case: &mut TestCase, kills: &Kills, shown: &mut Shows) {
        let is_spare = |what: &What| self.spares.iter().any(|spare| spare.what == *what);
        let others: Vec<What> = asserted(case).into_iter().filter(|what| !is_spare(what)).collect();
        shown.mutants.extend(kills.with(others.iter()));
        shown.sites.extend(&self.firm);
        let (all, mut go) = (std::mem::take(&mut self.spares), vec![]);
        for spare in all {
            let is_shown = kills.of(&spare.what).all(|mutant| shown.mutants.contains(&mutant))
                && spare.sites.is_subset(&shown.sites);
            let side = if is_shown { &mut go } else { &mut self.spares };
            shown.mutants.extend(kills.of(&spare.what));
            shown.sites.extend(&spare.sites);
            side.push(spare);
        }
        // What has to stay all the same is what was ranked first.
        for spare in go.into_iter().rev() {
            let mut without = case.clone();
            leave_out(&mut without, &spare.what);
            let is_repeated = shown.repeat(case, &spare.what) && !has_sibling(case, &spare.what);
            let may_go = is_repeated || !is_left_unseen(&without, &spare.what);
            if says_something(&without) && may_go {
                *case = without;
            } else {
                self.spares.push(spare);
            }
        }
        shown.add_lines(case);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::facts::{DefinitionId, FactTable, Pair, UseId, VariableId};
    use dynaflow_model::outcome::{Look, Observation, Observed, Outcome, Path};
    use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
    use dynaflow_model::sites::{CallKind, MethodRef};
    use dynaflow_objectives::site_key;
    use dynaflow_testgen::Form;
    use std::collections::BTreeMap;

    fn look(name: &str) -> What {
        let method = MethodRef { owner: "a.Basket".into(), name: name.into(), descriptor: "()I".into() };
        What::Look(Path { variable: 0, looks: vec![Look::Call { method, args: vec![] }] })
    }

    /// A test that looks at these, in this order.
    fn test(looks: &[&str]) -> TestCase {
        let seen = looks.iter().filter_map(|name| {
            let What::Look(path) = look(name) else { return None };
            Some(Observation { path, result: Observed::Value(Value::Int(1)) })
        });
        let outcome = Outcome { observations: seen.collect(), ..Outcome::default() };
        let (comment, sequence) = (String::new(), Sequence::default());
        TestCase { name_hint: None, comment, sequence, outcome, form: Form::default() }
    }

    fn kills(by: &[(&str, &[u32])]) -> Kills {
        let by = by.iter().map(|(name, mutants)| (look(name), mutants.iter().copied().collect()));
        Kills { by: by.collect(), ..Kills::default() }
    }

    /// What is left of a test that looks at `size`, and for mutants alone at `total` and `count`, behind tests that show this.
    fn left(kills: &Kills, sites: &[(&str, SiteKey)], shown: &mut Shows) -> Vec<What> {
        let mut case = test(&["size", "total", "count"]);
        let spare = BTreeSet::from([look("total"), look("count")]);
        let sites: BTreeMap<What, SiteKey> = sites.iter().map(|(name, site)| (look(name), *site)).collect();
        let of = |what: Option<&What>| what.and_then(|what| sites.get(what)).copied().into_iter().collect();
        Spares::of(&case, &spare, of).leave_out(&mut case, kills, shown);
        asserted(&case)
    }

    #[test]
    fn what_notices_only_mutants_that_are_noticed_goes_unless_it_is_there_for_more() {
        let kills = kills(&[("size", &[1]), ("total", &[1, 2]), ("count", &[2])]);
        let all = left(&kills, &[], &mut Shows::default());
        assert_eq!(all, [look("size"), look("total")], "2 is noticed once");
        let mut shown = Shows { mutants: BTreeSet::from([2]), ..Shows::default() };
        assert_eq!(left(&kills, &[], &mut shown), [look("size")], "2 is noticed by another test");
        assert_eq!(shown.mutants, BTreeSet::from([1, 2]));
        let mut shown = Shows { mutants: BTreeSet::from([1, 2]), ..Shows::default() };
        assert_eq!(left(&kills, &[], &mut shown), [look("size")], "what is no spare one stays");
    }

    #[test]
    fn what_notices_something_at_a_site_stays_where_nothing_else_does() {
        let (variable, definition, usage) = (VariableId(0), DefinitionId(0), UseId(0));
        let site = site_key(&FactTable::default(), &Pair { variable, definition, usage });
        let mut shown = Shows::default();
        let sites = [("total", site), ("count", site)];
        assert_eq!(left(&kills(&[]), &sites, &mut shown), [look("size"), look("total")]);
        assert_eq!(left(&kills(&[]), &sites, &mut shown), [look("size")], "the test before shows it");
    }

    #[test]
    fn a_test_that_would_say_nothing_keeps_an_assertion() {
        let mut case = test(&["total", "count"]);
        let spare = BTreeSet::from([look("total"), look("count")]);
        let mut spares = Spares::of(&case, &spare, |_| BTreeSet::new());
        spares.leave_out(&mut case, &kills(&[]), &mut Shows::default());
        assert_eq!(asserted(&case), [look("total")]);
    }

    /// A test that looks at the size of a basket, and for mutants alone at the total of something else.
    fn of_two(other: &str, total: i32) -> (TestCase, BTreeSet<What>) {
        let mut case = test(&["size", "total"]);
        let made = |class: &str| {
            let (owner, name, descriptor) = (class.to_owned(), "<init>".to_owned(), "()V".to_owned());
            let operation =
                Operation::New { constructor: MethodRef { owner, name, descriptor }, args: vec![] };
            let result = format!("L{};", class.replace('.', "/"));
            Statement { operation, result, runtime_class: None, caught: None }
        };
        case.sequence.statements = vec![made("a.Basket"), made(other)];
        case.outcome.observations[1].path.variable = 1;
        case.outcome.observations[1].result = Observed::Value(Value::Int(total));
        let spare = What::Look(case.outcome.observations[1].path.clone());
        (case, BTreeSet::from([spare]))
    }

    #[test]
    fn what_two_tests_say_of_an_object_of_which_they_say_nothing_else_the_third_does_not_repeat() {
        let mut shown = Shows::default();
        let mut asserts = |(other, total)| {
            let (mut case, spare) = of_two(other, total);
            let mut spares = Spares::of(&case, &spare, |_| BTreeSet::new());
            spares.leave_out(&mut case, &Kills::default(), &mut shown);
            case.outcome.observations.len()
        };
        let bills = [("a.Bill", 7), ("a.Bill", 7), ("a.Bill", 7), ("a.Bill", 8), ("a.Bill", 7)];
        assert_eq!(bills.map(&mut asserts), [2, 2, 1, 2, 1]);
        assert_eq!([("a.Basket", 7); 3].map(&mut asserts), [2, 2, 2], "one may be the copy of the other");
        let (mut last, spare) = of_two("a.Bill", 9);
        let mut shown = Shows::default();
        for _ in 0..2 {
            shown.add(&last, &BTreeSet::new(), &Spares::default());
        }
        Spares::of(&last, &spare, |_| BTreeSet::new()).leave_out(&mut last, &Kills::default(), &mut shown);
        assert_eq!(last.outcome.observations.len(), 1, "those that are written as they are count as well");
    }

    #[test]
    fn of_each_object_an_assertion_stays_unless_what_its_method_gave_is_compared() {
        let left = |gave: Observed| {
            let mut case = test(&["size", "total", "count"]);
            let of_second = case.outcome.observations.iter_mut().skip(1);
            let spare: BTreeSet<What> = of_second
                .map(|seen| {
                    seen.path.variable = 1;
                    What::Look(seen.path.clone())
                })
                .collect();
            let call = |on| Operation::Call {
                method: MethodRef { owner: "a.Basket".into(), name: "add".into(), descriptor: "()I".into() },
                kind: CallKind::Virtual,
                receiver: Some(Arg::Var(on)),
                args: vec![],
            };
            let statement =
                |on| Statement { operation: call(on), result: "I".into(), runtime_class: None, caught: None };
            case.sequence.statements = vec![statement(0), statement(0), statement(1)];
            case.outcome.statements = vec![Observed::Void, Observed::Void, gave];
            let mut spares = Spares::of(&case, &spare, |_| BTreeSet::new());
            spares.leave_out(&mut case, &Kills::default(), &mut Shows::default());
            case.outcome.observations.iter().map(|seen| seen.path.variable).collect::<Vec<_>>()
        };
        assert_eq!(left(Observed::Void), [0, 1]);
        assert_eq!(left(Observed::Same(1)), [0, 1], "a call that gives its object says nothing of it");
        assert_eq!(left(Observed::Value(Value::Int(3))), [0]);
    }
}

//! What each assertion of a test is worth, and which of them are worth their lines.
//!
//! An assertion on a variable of a new pair is worth most: the value that its use gave, then its state through the shortest inspector. Others
//! are worth the mutants that nothing before them notices. Where that is not known, or nothing else is there: what half of the tests of a
//! class show alike, and is about no pair, is worth nothing. Knows nothing of workers or of Java. Invariant: the same candidates are ranked
//! alike, and each stands once in the list.

use super::foreign::foreign;
use super::scene::{Distance, Scene, Wanted, is_assertable};
use crate::commands::augment::mutants::{Kills, What};
use dynaflow_model::descriptor;
use dynaflow_model::outcome::{Look, Observed, Path};
use dynaflow_model::sequence::{Arg, Operation, Value};
use dynaflow_model::sites::MethodRef;
use dynaflow_testgen::is_compared;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Most assertions of a test, and most of them on the state of new pairs, or on other state, where nothing is known of mutants.
const MOST: usize = 4;
const STATES: usize = 2;
/// Fewest tests of a class of which a half says something.
const CLASS: usize = 4;
/// Longest text that a reader compares, in bytes.
const LONG: usize = 200;

/// Something a test can assert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// Where it looks.
    pub what: What,
    /// What is there.
    pub shows: Observed,
    /// The variables of new pairs that it observes, by place, and how closely.
    pub observes: BTreeMap<usize, Distance>,
    /// How many variables are read for it.
    pub reads: usize,
    /// What it says, whatever the variables are called.
    pub line: String,
    /// Whether it says of an object what the test made it with.
    pub restates: bool,
    /// Whether it compares what a call gave that only asks: an assertion of the state behind it says nothing more.
    pub asks: bool,
}

/// All that a test can assert, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranked {
    /// The candidates.
    pub assertions: Vec<Assertion>,
    /// How many of the first are worth their lines.
    pub keep: usize,
    /// Those of them that are there for the mutants they notice alone: a test loses nothing else without them.
    pub spare: BTreeSet<What>,
}

impl Ranked {
    /// Those that are worth their lines.
    pub fn kept(&self) -> &[Assertion] {
        self.assertions.get(..self.keep).unwrap_or(&self.assertions)
    }
}

/// How often each line stands among the candidates of a class, a test counted once.
#[derive(Debug, Default)]
pub struct Lines {
    counts: BTreeMap<String, usize>,
    tests: usize,
}

impl Lines {
    /// Those of the candidates of all tests.
    pub fn of<'a>(tests: impl Iterator<Item = &'a Vec<Assertion>>) -> Self {
        let mut lines = Self::default();
        for test in tests {
            lines.tests += 1;
            for line in test.iter().map(|assertion| &assertion.line).collect::<BTreeSet<_>>() {
                *lines.counts.entry(line.clone()).or_default() += 1;
            }
        }
        lines
    }

    fn count(&self, assertion: &Assertion) -> usize {
        self.counts.get(&assertion.line).copied().unwrap_or_default()
    }

    /// Whether at least half of the tests show it, though it observes no variable of a new pair.
    fn is_trivial(&self, assertion: &Assertion) -> bool {
        assertion.observes.is_empty() && self.tests >= CLASS && 2 * self.count(assertion) >= self.tests
    }
}

/// What gave results and what was seen in the end, as candidates; `stable` holds what was the same the second time.
pub fn candidates(
    scene: &Scene,
    trails: impl Fn(&Path) -> (BTreeMap<usize, Distance>, usize),
    stable: &BTreeMap<Path, Observed>,
) -> Vec<Assertion> {
    let mut all = vec![];
    let used_in = |index: u32| {
        let uses = move |place: &usize| {
            scene.wanted.get(*place).and_then(|w| w.seen).is_some_and(|(used, _)| used == index)
        };
        (0..scene.wanted.len()).filter(uses).map(|place| (place, Distance::OnRoot))
    };
    let foreign = foreign(scene.sequence);
    for (index, shows) in (0u32..).zip(&scene.outcome.statements) {
        let statement = scene.sequence.statements.get(index as usize).map(|statement| &statement.operation);
        let given = scene.given_before(index).map(Observed::Same);
        let shows = given.as_ref().unwrap_or(shows);
        let is_object = matches!(shows, Observed::Object(_)) && !scene.is_alias(index);
        if let (Some(Operation::Call { method, args, .. }), true) =
            (statement, is_object || is_assertable(shows))
            && says_something(method)
            && !foreign.contains(&index)
        {
            // That an object is like itself says nothing of what made it so.
            let is_of_itself = scene.is_of_itself(index);
            let observes = used_in(index).filter(|_| !is_of_itself).collect();
            let literals: Vec<&Arg> = args.iter().filter(|arg| matches!(arg, Arg::Value(_))).collect();
            let says = spelled(shows);
            let line = format!("{}.{}{} {literals:?} {says}", method.owner, method.name, method.descriptor);
            let what = What::Result(index);
            let restates = scene.is_fluent(index) || is_of_itself;
            let asks = scene.asking.contains(&index) && !is_of_itself;
            all.push(Assertion { what, shows: shows.clone(), observes, reads: 0, line, restates, asks });
        }
    }
    let is_news = |path: &Path, shows: &Observed| {
        is_assertable(shows) && !scene.is_unchanged(path, shows) && !scene.is_left_alone(path.variable)
    };
    let same = |path: &Path| {
        let first = scene.same.get(path).filter(|first| **first != scene.first(path.variable));
        first.map(|first| Observed::Same(*first))
    };
    let seen = stable.iter().map(|(path, shows)| (path, same(path).unwrap_or_else(|| shows.clone())));
    // What is seen of an object of the test is asserted of its variable.
    let is_nearer = |path: &Path, shows: &Observed| {
        scene.shortened(path).is_some_and(|nearer| stable.get(&nearer) == Some(shows))
    };
    for (path, shows) in seen.filter(|(path, shows)| is_news(path, shows) && !is_nearer(path, shows)) {
        let (mut observes, reads) = trails(path);
        if path.looks.is_empty() {
            observes.extend(used_in(path.variable));
        }
        let class = scene.class_of(path.variable).unwrap_or_default();
        let line = format!("{class} {:?} {}", path.looks, spelled(&shows));
        let restates = scene.restates(path, &shows);
        let asks = path.looks.is_empty() && scene.asking.contains(&path.variable);
        all.push(Assertion { what: What::Look(path.clone()), shows, observes, reads, line, restates, asks });
    }
    all
}

/// Whether what the method gives is compared, and is the program's doing.
fn says_something(method: &MethodRef) -> bool {
    is_compared(&method.name) && !descriptor::is_box(&method.owner)
}

/// What is shown, whatever variables are called.
fn spelled(shows: &Observed) -> String {
    match shows {
        Observed::Same(_) => "an object of the test".to_owned(),
        other => format!("{other:?}"),
    }
}

/// The mutants that a test notices, and those of them that the seeds leave alive.
#[derive(Clone, Copy, Debug)]
pub struct Noticed<'a> {
    /// By assertion.
    pub kills: &'a Kills,
    /// What nobody else notices.
    pub alive: &'a BTreeSet<u32>,
}

/// Ranks the candidates of a test; `noticed`: what is known of mutants.
pub fn ranked(candidates: Vec<Assertion>, scene: &Scene, lines: &Lines, noticed: Option<Noticed>) -> Ranked {
    let last = u32::try_from(scene.outcome.statements.len()).unwrap_or(u32::MAX).saturating_sub(1);
    let mut choice = Choice { candidates, chosen: vec![], spare: BTreeSet::new(), scene, lines, last };
    choice.take_used(noticed.is_some());
    // What else is worth a line is known then: what notices a mutant.
    if noticed.is_none() {
        choice.take_states(STATES);
    } else if !choice.is_answered() {
        choice.take_states(1);
    }
    if let Some(noticed) = noticed {
        choice.take_noticing(noticed);
    }
    choice.take_standing();
    if choice.is_thrown_away() {
        choice.take_state_given();
    }
    // How a test ends that ends with an exception is asserted, whatever else it shows.
    let says_something = scene.outcome.thrown.is_some() || !choice.chosen.is_empty();
    // What else is there is not what such a test is about.
    let asks_itself = choice.chosen.is_empty() && scene.ends_by_asking_itself();
    if (noticed.is_none() || !says_something) && !asks_itself {
        choice.take_given();
        choice.take_others();
    }
    choice.rest()
}

/// What was chosen until now, best first, and what it is chosen from.
struct Choice<'a, 's> {
    candidates: Vec<Assertion>,
    chosen: Vec<Assertion>,
    /// What was chosen for mutants alone.
    spare: BTreeSet<What>,
    scene: &'a Scene<'s>,
    lines: &'a Lines,
    /// The last statement that gave something.
    last: u32,
}

impl Choice<'_, '_> {
    /// The value that the use of a pair gave. Where mutants are known, a long text has to notice some that nothing else does.
    fn take_used(&mut self, mutants: bool) {
        let is_of_use = |a: &Assertion| a.is_given() && !a.is_fluent() && !a.observes.is_empty();
        let used = self.best(
            |a| is_of_use(a) && !(mutants && a.is_text()),
            |a| (a.observes.keys().next().copied(), weight(&a.shows), self.lines.count(a)),
        );
        self.take(used);
    }

    /// Whether what the use of a pair gave is asserted, by a call that changes nothing: the state is as it was before.
    fn is_answered(&self) -> bool {
        self.chosen.iter().any(|assertion| assertion.asks && !assertion.observes.is_empty())
    }

    /// Whether the last call used a new pair and gave an object of a library, of which nothing was chosen: a reader would ask what it was called for.
    fn is_thrown_away(&self) -> bool {
        let is_use = |wanted: &Wanted| wanted.seen.is_some_and(|(used, _)| used == self.last);
        self.scene.is_of_library(self.last)
            && self.scene.wanted.iter().any(is_use)
            && !self.chosen.iter().any(|a| a.variable() == self.last)
    }

    /// The state of new pairs: first of the object that the use gave. Of what containers hold, the elements show more than their number does.
    fn take_states(&mut self, most: usize) {
        for (place, wanted) in self.scene.wanted.iter().enumerate() {
            if self.looks().any(|a| a.observes.contains_key(&place)) || self.looks().count() >= most {
                continue;
            }
            let is_contents = wanted.chain.last().is_some_and(|step| step == "[]");
            let observes = |a: &Assertion| {
                let from = a.observes.get(&place);
                a.is_look() && !a.is_text() && !a.restates && from.is_some_and(|from| *from < Distance::OnOwn)
            };
            let state = self.best(
                |a| observes(a) && !self.repeats(a),
                |a| {
                    let (steps, weight, count) =
                        (a.steps(), usize::from(weight(&a.shows)), self.lines.count(a));
                    let short = if is_contents {
                        (weight, steps, count, a.reads)
                    } else {
                        (steps, a.reads, weight, count)
                    };
                    let is_of_use = wanted.seen.is_some_and(|(used, _)| used == a.variable());
                    (!is_of_use, a.observes.get(&place).copied(), short)
                },
            );
            self.take(state);
        }
    }

    /// What notices most mutants that nothing before it does, those first that the seeds leave alive; of equals the shortest, and the text of
    /// a whole object last. With what the test notices by its end alone no assertion earns a line.
    fn take_noticing(&mut self, noticed: Noticed) {
        let chosen: Vec<&What> = self.chosen.iter().map(|assertion| &assertion.what).collect();
        let mut known = noticed.kills.with(chosen.into_iter());
        loop {
            let more = |a: &Assertion| {
                let new = || noticed.kills.of(&a.what).filter(|mutant| !known.contains(mutant));
                (new().filter(|mutant| noticed.alive.contains(mutant)).count(), new().count())
            };
            let best = self.best(
                |a| more(a).1 > 0,
                |a| {
                    let more = Reverse(more(a));
                    let says_little = a.restates || matches!(a.shows, Observed::Object(_));
                    // Of results alike the last: a test that goes on behind what it asserts makes its reader wonder.
                    let order = (self.lines.count(a), Reverse(a.is_result().then(|| a.variable())));
                    (a.is_text(), more, says_little, a.steps(), weight(&a.shows), order)
                },
            );
            let Some(next) = best.and_then(|place| self.candidates.get(place)) else { break };
            if self.chosen.len() >= MOST {
                break;
            }
            known.extend(noticed.kills.of(&next.what));
            // A call whose result is not compared any more would stand there for nothing.
            if next.is_fluent() || next.steps() > 0 {
                self.spare.insert(next.what.clone());
            }
            self.take(best);
        }
    }

    /// What uses of other new pairs gave, and calls that only ask, where they stand in the test for their own sake: asserted where they are, they take no line
    /// more, and a reader need not ask what they are there for.
    fn take_standing(&mut self) {
        let statements = &self.scene.sequence.statements;
        let variable = |arg: &Arg| if let Arg::Var(variable) = arg { Some(*variable) } else { None };
        let args = statements.iter().flat_map(|statement| statement.operation.args());
        let passed: BTreeSet<u32> = args.filter_map(variable).collect();
        let looked: BTreeSet<u32> = self.looks().map(Assertion::variable).collect();
        let stands = |a: &Assertion| {
            let is_for_itself = !passed.contains(&a.variable()) && !looked.contains(&a.variable());
            let says = a.asks || !a.observes.is_empty();
            a.is_given() && !a.is_fluent() && !a.is_text() && says && is_for_itself
        };
        while self.chosen.len() < MOST {
            let next = self.best(stands, Assertion::variable);
            if next.is_none() {
                break;
            }
            self.take(next);
        }
    }

    /// What the last call gave: the value, or the state of the object.
    fn take_given(&mut self) {
        let (last, lines) = (self.last, self.lines);
        let is_given =
            |a: &Assertion| a.is_result() && !a.is_fluent() && a.variable() == last && !a.is_look();
        let given = self.best(|a| is_given(a) && !lines.is_trivial(a), |_| ());
        self.take(given);
        self.take_state_given();
    }

    /// The state of the object that the last call gave.
    fn take_state_given(&mut self) {
        let (last, lines) = (self.last, self.lines);
        let statement = self.scene.sequence.statements.get(last as usize);
        let is_call = statement.is_some_and(|s| matches!(s.operation, Operation::Call { .. }));
        if !is_call || self.scene.is_alias(last) || self.looks().any(|a| a.variable() == last) {
            return;
        }
        let state = self.best(
            |a| a.is_look() && a.variable() == last && !a.is_text() && !lines.is_trivial(a),
            |a| (weight(&a.shows), a.steps(), lines.count(a)),
        );
        self.take(state);
    }

    /// Other state, where nothing was found yet; the text of a whole object last.
    fn take_others(&mut self) {
        for only_texts in [false, true] {
            while self.chosen.is_empty() || !only_texts && self.is_other() {
                let other = self.best(
                    |a| {
                        a.is_look()
                            && a.is_text() == only_texts
                            && !self.lines.is_trivial(a)
                            && !self.repeats(a)
                    },
                    |a| {
                        let is_own = a.restates || self.scene.is_made(a.variable());
                        (a.observes.is_empty(), is_own, weight(&a.shows), self.lines.count(a), a.steps())
                    },
                );
                if other.is_none() {
                    break;
                }
                self.take(other);
            }
        }
    }

    /// The place of the candidate with the least key; of equals the first.
    fn best<K: Ord>(
        &self,
        fits: impl Fn(&Assertion) -> bool,
        key: impl Fn(&Assertion) -> K,
    ) -> Option<usize> {
        let all = self.candidates.iter().enumerate().filter(|(_, assertion)| fits(assertion));
        all.min_by_key(|(_, assertion)| key(assertion)).map(|(place, _)| place)
    }

    fn take(&mut self, place: Option<usize>) {
        if let Some(place) = place.filter(|place| *place < self.candidates.len() && self.chosen.len() < MOST)
        {
            self.chosen.push(self.candidates.remove(place));
        }
    }

    fn looks(&self) -> impl Iterator<Item = &Assertion> {
        self.chosen.iter().filter(|assertion| assertion.is_look())
    }

    /// Whether all that was chosen is other state, and not yet much of it.
    fn is_other(&self) -> bool {
        self.chosen.len() < STATES && self.chosen.iter().all(|a| a.is_look() && a.observes.is_empty())
    }

    /// Whether the assertion says what the last call said, which is chosen.
    fn repeats(&self, assertion: &Assertion) -> bool {
        let What::Look(path) = &assertion.what else { return false };
        let [Look::Call { method, args }] = &path.looks[..] else { return false };
        let Some(statement) = self.scene.sequence.statements.get(self.last as usize) else { return false };
        let Operation::Call { method: called, receiver: Some(Arg::Var(on)), args: given, .. } =
            &statement.operation
        else {
            return false;
        };
        let given: Vec<Option<&Value>> = given.iter().map(literal).collect();
        *on == path.variable
            && (&called.name, &called.descriptor) == (&method.name, &method.descriptor)
            && given == args.iter().map(Some).collect::<Vec<_>>()
            && self.chosen.iter().any(|a| a.what == What::Result(self.last))
    }

    /// The rest behind what was chosen. A test without anything better keeps the latest result that says something.
    fn rest(mut self) -> Ranked {
        if self.chosen.is_empty() && self.scene.outcome.thrown.is_none() {
            let latest = self.best(
                |a| !a.is_look(),
                |a| (!a.is_result(), self.lines.is_trivial(a), Reverse(a.what.clone())),
            );
            self.take(latest);
        }
        let keep = self.chosen.len();
        let lines = self.lines;
        self.candidates.sort_by_cached_key(|a| {
            (
                a.restates,
                Reverse(a.observes.len()),
                lines.is_trivial(a),
                a.is_text(),
                a.steps(),
                a.what.clone(),
            )
        });
        self.chosen.append(&mut self.candidates);
        Ranked { assertions: self.chosen, keep, spare: self.spare }
    }
}

fn literal(arg: &Arg) -> Option<&Value> {
    match arg {
        Arg::Value(value) => Some(value),
        Arg::Var(_) => None,
    }
}

impl Assertion {
    /// Whether it compares what a statement gave; of an object nothing but that it is there can be said.
    fn is_result(&self) -> bool {
        matches!(self.what, What::Result(_)) && is_assertable(&self.shows)
    }

    /// Whether it compares what a statement gave, or what the container or array holds that it gave.
    fn is_given(&self) -> bool {
        self.is_result() || matches!(&self.what, What::Look(path) if path.looks.is_empty())
    }

    /// Whether it says that a call gave the object that it was made on.
    pub fn is_fluent(&self) -> bool {
        self.restates && !self.is_look()
    }

    fn is_look(&self) -> bool {
        matches!(self.what, What::Look(_))
    }

    fn variable(&self) -> u32 {
        match &self.what {
            What::Result(index) => *index,
            What::Look(path) => path.variable,
        }
    }

    fn steps(&self) -> usize {
        match &self.what {
            What::Result(_) => 0,
            What::Look(path) => path.looks.len(),
        }
    }

    /// Whether it compares the text of a whole object, or a text longer than anybody reads.
    fn is_text(&self) -> bool {
        if matches!(&self.shows, Observed::Value(Value::Str(text) | Value::Parsed(_, text)) if text.len() > LONG)
        {
            return true;
        }
        let What::Look(Path { looks, .. }) = &self.what else { return false };
        matches!(looks.last(), Some(Look::Call { method, .. }) if method.name == "toString")
    }
}

/// How little it shows: contents and values that an object does not begin with show most.
fn weight(shows: &Observed) -> u8 {
    match shows {
        Observed::Contents(_, elements) => {
            if elements.is_empty() {
                3
            } else {
                0
            }
        }
        Observed::Value(value) => match value {
            Value::Null => 4,
            Value::Bool(_) => 2,
            Value::Str(text) => {
                if text.is_empty() {
                    3
                } else {
                    0
                }
            }
            Value::Boxed(inner) => weight(&Observed::Value((**inner).clone())),
            Value::Byte(0) | Value::Char(0) | Value::Short(0) | Value::Int(0) | Value::Long(0) => 3,
            Value::Float(bits) if *bits == 0 => 3,
            Value::Double(bits) if *bits == 0 => 3,
            Value::Enum(..) | Value::Class(_) | Value::Parsed(..) => 0,
            _ => 1,
        },
        Observed::Same(_) => 0,
        Observed::Void | Observed::Object(_) => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::outcome::{Container, Outcome};
    use dynaflow_model::sequence::{Sequence, Statement};
    use dynaflow_model::sites::CallKind;

    fn method(text: &str) -> MethodRef {
        let (name, descriptor) = text.split_at(text.find('(').unwrap());
        MethodRef { owner: "a.Basket".into(), name: name.into(), descriptor: descriptor.into() }
    }

    /// A basket is made and added to, which gives `true`; the new pair is that of what it holds.
    fn sequence() -> Sequence {
        let made = Operation::New { constructor: method("<init>()V"), args: vec![] };
        let add = Operation::Call {
            method: method("add(I)Z"),
            kind: CallKind::Virtual,
            receiver: Some(Arg::Var(0)),
            args: vec![Arg::Value(Value::Int(3))],
        };
        let statement = |operation, result: &str| Statement {
            operation,
            result: result.into(),
            runtime_class: None,
            caught: None,
        };
        Sequence { statements: vec![statement(made, "La/Basket;"), statement(add, "Z")] }
    }

    fn scene(sequence: &Sequence) -> Scene<'_> {
        let chain = vec!["a.Basket.all".to_owned(), "[]".to_owned()];
        let wanted = Wanted { root: "a.Basket".into(), chain, seen: Some((1, Some(0))) };
        let statements = vec![Observed::Object("a.Basket".into()), Observed::Value(Value::Bool(true))];
        Scene::new(sequence, vec![wanted], Outcome { statements, ..Outcome::default() })
    }

    fn look(text: &str) -> Path {
        Path { variable: 0, looks: vec![Look::Call { method: method(text), args: vec![] }] }
    }

    fn number(number: i32) -> Observed {
        Observed::Value(Value::Int(number))
    }

    /// The candidates, where `size` and `all` read what the basket holds.
    fn of(scene: &Scene, seen: &[(&str, Observed)]) -> Vec<Assertion> {
        let stable = seen.iter().map(|(text, result)| (look(text), result.clone())).collect();
        let reads = [look("size()I"), look("all()Ljava/util/List;"), look("toString()Ljava/lang/String;")];
        let trail = |path: &Path| {
            let observes = reads.contains(path).then_some((0, Distance::OnRoot)).into_iter().collect();
            (observes, 1)
        };
        candidates(scene, trail, &stable)
    }

    fn names(ranked: &Ranked) -> Vec<String> {
        let name = |assertion: &Assertion| match &assertion.what {
            What::Result(index) => format!("result {index}"),
            What::Look(path) => match path.looks.first() {
                None => format!("held {}", path.variable),
                Some(Look::Call { method, .. }) => method.name.clone(),
                Some(other) => format!("{other:?}"),
            },
        };
        ranked.kept().iter().map(name).collect()
    }

    const TITLE: &str = "title()Ljava/lang/String;";

    fn text(text: &str) -> Observed {
        Observed::Value(Value::Str(text.into()))
    }

    #[test]
    fn what_the_pair_is_about_comes_first_and_its_contents_before_their_number() {
        let sequence = sequence();
        let scene = scene(&sequence);
        let held = Container::List.holding(vec![number(3)]);
        let seen = [
            ("size()I", number(1)),
            ("all()Ljava/util/List;", held),
            (TITLE, text("a basket")),
            ("toString()Ljava/lang/String;", text("[3]")),
        ];
        let candidates = of(&scene, &seen);
        let ranked = ranked(candidates.clone(), &scene, &Lines::of([&candidates].into_iter()), None);
        assert_eq!(names(&ranked), ["result 1", "all"]);
        assert_eq!(ranked.assertions.len(), 5, "the others are kept behind");
        assert_eq!(ranked.assertions.last().map(Assertion::is_text), Some(false));
    }

    #[test]
    fn the_object_of_a_library_that_a_use_gave_is_looked_at_where_nothing_else_is_said_of_it() {
        let mut sequence = sequence();
        if let Operation::Call { method, .. } = &mut sequence.statements[1].operation {
            method.descriptor = "(I)La/Receipt;".into();
        }
        let [own, both] = [vec!["a.Basket"], vec!["a.Basket", "a.Receipt"]];
        let [own, both] = [own, both].map(|names| names.into_iter().map(str::to_owned).collect());
        let mut scene = scene(&sequence).within(&own);
        scene.outcome.statements[1] = Observed::Object("a.Receipt".into());
        let price = Path { variable: 1, looks: look("price()I").looks };
        let stable = BTreeMap::from([(look("size()I"), number(1)), (price.clone(), number(7))]);
        let trail =
            |path: &Path| (BTreeMap::from_iter((path.variable == 0).then_some((0, Distance::OnRoot))), 1);
        let candidates = candidates(&scene, trail, &stable);
        let kills = Kills::default();
        let chosen = |candidates: &[Assertion], scene: &Scene| {
            let noticed = Noticed { kills: &kills, alive: &BTreeSet::new() };
            let lines = Lines::of([&candidates.to_vec()].into_iter());
            names(&ranked(candidates.to_vec(), scene, &lines, Some(noticed)))
        };
        assert_eq!(chosen(&candidates, &scene), ["size", "price"]);
        let without: Vec<Assertion> =
            candidates.iter().filter(|a| a.what != What::Look(price.clone())).cloned().collect();
        assert_eq!(chosen(&without, &scene), ["size"], "that it is there says nothing");
        let scene = scene.within(&both);
        assert_eq!(chosen(&candidates, &scene), ["size"], "of the program mutants say what is worth a line");
    }

    #[test]
    fn what_half_of_the_tests_show_alike_goes_unless_it_is_about_the_pair() {
        let sequence = sequence();
        let mut scene = scene(&sequence);
        scene.wanted[0].seen = None;
        let about = of(&scene, &[("size()I", number(1)), (TITLE, text("a basket"))]);
        let other = of(&scene, &[(TITLE, text("a basket"))]);
        let all: Vec<Vec<Assertion>> = vec![about.clone(), other.clone(), other.clone(), about.clone()];
        let lines = Lines::of(all.iter());
        assert_eq!(names(&ranked(about, &scene, &lines, None)), ["size"]);
        assert_eq!(names(&ranked(other.clone(), &scene, &lines, None)), ["result 1"], "better than nothing");
        let few = Lines::of(all.iter().take(3));
        assert_eq!(names(&ranked(other, &scene, &few, None)), ["result 1"], "no half of so few");
    }

    #[test]
    fn what_no_assertion_compares_takes_the_place_of_none() {
        let mut sequence = sequence();
        for (owner, name, is_there) in [
            ("a.Basket", "hashCode", false),
            ("java.lang.Character", "valueOf", false),
            ("a.Basket", "add", true),
        ] {
            if let Operation::Call { method, .. } = &mut sequence.statements[1].operation {
                (method.owner, method.name) = (owner.into(), name.into());
            }
            let scene = scene(&sequence);
            let whats: Vec<What> = of(&scene, &[]).into_iter().map(|assertion| assertion.what).collect();
            assert_eq!(whats.contains(&What::Result(1)), is_there, "{owner}.{name}");
        }
    }

    /// What is kept when each of these looks notices these mutants, and the end of the test the mutant 0; the seeds leave those from 10 on alive.
    fn noticing(scene: &Scene, seen: &[(&str, Observed)], by: &[(&str, &[u32])]) -> Vec<String> {
        let by = by.iter().map(|(text, mutants)| (What::Look(look(text)), mutants.iter().copied().collect()));
        let kills = Kills { end: BTreeSet::from([0]), by: by.collect(), ..Kills::default() };
        let alive = (10..20).collect();
        let candidates = of(scene, seen);
        let lines = Lines::of([&candidates].into_iter());
        names(&ranked(candidates, scene, &lines, Some(Noticed { kills: &kills, alive: &alive })))
    }

    #[test]
    fn what_notices_a_mutant_stands_behind_what_is_about_the_pair_and_what_notices_none_goes() {
        let sequence = sequence();
        let scene = scene(&sequence);
        let short = "tag()Ljava/lang/String;";
        let seen = [
            ("size()I", number(1)),
            (TITLE, text("a basket")),
            (short, text("red")),
            ("weight()I", number(7)),
        ];
        let keep = |by: &[(&str, &[u32])]| noticing(&scene, &seen, by);
        assert_eq!(keep(&[]), ["result 1", "size"], "about the pair");
        assert_eq!(keep(&[(TITLE, &[1])]), ["result 1", "size", "title"]);
        assert_eq!(keep(&[(TITLE, &[0])]), ["result 1", "size"], "the end notices it");
        assert_eq!(keep(&[("size()I", &[1]), (TITLE, &[1])]), ["result 1", "size"], "it is noticed before");
        assert_eq!(keep(&[(TITLE, &[1]), ("weight()I", &[1, 2])]), ["result 1", "size", "weight"]);
        let more = keep(&[(TITLE, &[1, 2]), ("weight()I", &[10]), (short, &[3])]);
        assert_eq!(
            more,
            ["result 1", "size", "weight", "title"],
            "what the seeds leave alive first; four at most"
        );
        let whole = [seen.as_slice(), &[("toString()Ljava/lang/String;", text("[3]"))]].concat();
        let by: [(&str, &[u32]); 2] = [("toString()Ljava/lang/String;", &[1, 2]), (TITLE, &[1])];
        assert_eq!(noticing(&scene, &whole, &by), ["result 1", "size", "title", "toString"], "a text last");
    }

    #[test]
    fn of_results_that_notice_the_same_the_last_is_asserted() {
        let mut sequence = sequence();
        let add = sequence.statements[1].clone();
        sequence.statements.push(add);
        let gives = Observed::Value(Value::Bool(true));
        let statements = vec![Observed::Object("a.Basket".into()), gives.clone(), gives];
        let scene = Scene::new(&sequence, vec![], Outcome { statements, ..Outcome::default() });
        let candidates = of(&scene, &[]);
        let by = [1, 2].map(|result| (What::Result(result), BTreeSet::from([10])));
        let kills = Kills { by: by.into_iter().collect(), ..Kills::default() };
        let (alive, lines) = (BTreeSet::from([10]), Lines::of([&candidates].into_iter()));
        let noticed = Noticed { kills: &kills, alive: &alive };
        assert_eq!(names(&ranked(candidates, &scene, &lines, Some(noticed))), ["result 2"]);
    }

    #[test]
    fn a_call_that_is_there_for_its_own_use_alone_is_asserted_where_it_stands() {
        let mut sequence = sequence();
        let add = sequence.statements[1].clone();
        sequence.statements.push(add);
        let gives = Observed::Value(Value::Bool(true));
        let of_two = |sequence: &Sequence| {
            let mut scene = scene(sequence);
            let mut other = scene.wanted[0].clone();
            other.seen = Some((2, Some(0)));
            scene.wanted.push(other);
            let made = Observed::Object("a.Basket".into());
            scene.outcome.statements = vec![made, gives.clone(), gives.clone()];
            let candidates = of(&scene, &[("size()I", number(1))]);
            let kills = Kills::default();
            let noticed = Noticed { kills: &kills, alive: &BTreeSet::new() };
            names(&ranked(candidates, &scene, &Lines::default(), Some(noticed)))
        };
        assert_eq!(of_two(&sequence), ["result 1", "size", "result 2"]);
        if let Operation::Call { args, .. } = &mut sequence.statements[2].operation {
            args[0] = Arg::Var(1);
        }
        assert_eq!(of_two(&sequence), ["result 1", "size", "result 2"], "what it is passed does not matter");
        let user = sequence.statements[2].clone();
        sequence.statements.push(user);
        if let Operation::Call { args, .. } = &mut sequence.statements[3].operation {
            args[0] = Arg::Var(2);
        }
        assert_eq!(of_two(&sequence), ["result 1", "size"], "it is there for what comes after it");
    }

    #[test]
    fn behind_a_use_that_only_asks_the_state_has_to_notice_a_mutant() {
        let sequence = sequence();
        let mut scene = scene(&sequence);
        let seen = [("size()I", number(1))];
        assert_eq!(noticing(&scene, &seen, &[]), ["result 1", "size"], "the use may have changed it");
        scene.asking.insert(1);
        assert_eq!(noticing(&scene, &seen, &[]), ["result 1"]);
        assert_eq!(noticing(&scene, &seen, &[("size()I", &[1])]), ["result 1", "size"]);
        scene.outcome.statements[1] = Observed::Void;
        assert_eq!(noticing(&scene, &seen, &[]), ["size"], "what the use gave is not asserted");
    }

    #[test]
    fn of_states_that_observe_a_pair_that_of_what_its_use_gave_is_asserted() {
        let mut sequence = sequence();
        sequence.statements[1].result = "La/Basket;".into();
        let mut scene = scene(&sequence);
        scene.outcome.statements[1] = Observed::Object("a.Basket".into());
        let given = Path { variable: 1, ..look("size()I") };
        let stable = BTreeMap::from([(look("size()I"), number(1)), (given.clone(), number(2))]);
        let trail = |path: &Path| {
            let from = if *path == given { Distance::OnResult } else { Distance::OnRoot };
            (BTreeMap::from([(0, from)]), 1)
        };
        let all = candidates(&scene, trail, &stable);
        let noticed = Noticed { kills: &Kills::default(), alive: &BTreeSet::new() };
        let ranked = ranked(all, &scene, &Lines::default(), Some(noticed));
        assert_eq!(ranked.kept().iter().map(|one| one.variable()).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn a_call_that_only_asks_and_stands_for_itself_is_asserted_though_no_pair_is_about_it() {
        let mut sequence = sequence();
        let ask = sequence.statements[1].clone();
        sequence.statements.push(ask);
        let mut scene = scene(&sequence);
        scene.outcome.statements.push(Observed::Value(Value::Bool(false)));
        assert_eq!(noticing(&scene, &[], &[]), ["result 1"]);
        scene.asking.insert(2);
        assert_eq!(noticing(&scene, &[], &[]), ["result 1", "result 2"]);
    }

    #[test]
    fn what_a_container_holds_that_a_use_gave_is_the_value_of_the_use() {
        let mut sequence = sequence();
        sequence.statements[1].result = "Ljava/util/List;".into();
        let mut scene = scene(&sequence);
        scene.outcome.statements[1] = Observed::Object("java.util.ArrayList".into());
        let given = Path { variable: 1, looks: vec![] };
        let holds = |element: Observed| {
            let held = Container::List.holding(vec![element]);
            let stable = BTreeMap::from([(given.clone(), held), (look("size()I"), number(1))]);
            let trail = |path: &Path| {
                let size = (*path == look("size()I")).then_some((0, Distance::OnRoot));
                (size.into_iter().collect(), 1)
            };
            let candidates = candidates(&scene, trail, &stable);
            let kills = Kills::default();
            let noticed = Noticed { kills: &kills, alive: &BTreeSet::new() };
            names(&ranked(candidates, &scene, &Lines::default(), Some(noticed)))
        };
        assert_eq!(holds(number(3)), ["held 1"], "it shows the state as well");
        let list = Container::List.holding(vec![number(3)]);
        assert_eq!(holds(list), ["held 1"], "a list in a list is compared");
        let array = Container::Array("[I".into()).holding(vec![number(3)]);
        assert_eq!(holds(array), ["size"], "arrays in a list are equal where they are the same");
    }

    #[test]
    fn a_long_text_that_a_use_gave_has_to_notice_what_nothing_else_does() {
        let mut sequence = sequence();
        sequence.statements[1].result = "Ljava/lang/String;".into();
        let mut scene = scene(&sequence);
        let keep = |scene: &Scene, by: &[u32]| {
            let candidates = of(scene, &[("size()I", number(1))]);
            let lines = Lines::of([&candidates].into_iter());
            let by =
                [(What::Result(1), by.iter().copied().collect()), (What::Look(look("size()I")), [1].into())];
            let kills = Kills { by: BTreeMap::from(by), ..Kills::default() };
            let noticed = Some(Noticed { kills: &kills, alive: &BTreeSet::new() });
            let with = names(&ranked(candidates.clone(), scene, &lines, noticed));
            (with, names(&ranked(candidates, scene, &lines, None)))
        };
        for (length, without, with) in [(LONG, 2, 2), (LONG + 1, 1, 2)] {
            scene.outcome.statements[1] = text(&"x".repeat(length));
            assert_eq!(keep(&scene, &[1]).0.len(), without, "{length}");
            assert_eq!(keep(&scene, &[2]).0.len(), with, "{length}");
            assert_eq!(keep(&scene, &[]).1, ["result 1", "size"], "mutants are not known");
        }
    }

    #[test]
    fn that_an_object_is_there_is_said_where_nothing_else_notices_as_much() {
        let mut sequence = sequence();
        sequence.statements[1].result = "La/Basket;".into();
        let mut scene = scene(&sequence);
        scene.outcome.statements[1] = Observed::Object("a.Basket".into());
        scene.wanted.clear();
        let candidates = of(&scene, &[(TITLE, text("a basket"))]);
        let lines = Lines::of([&candidates].into_iter());
        let keep = |of_title: &[u32]| {
            let (given, title) = (What::Result(1), What::Look(look(TITLE)));
            let by = [(given, BTreeSet::from([1])), (title, of_title.iter().copied().collect())];
            let kills = Kills { by: BTreeMap::from(by), ..Kills::default() };
            let noticed = Some(Noticed { kills: &kills, alive: &BTreeSet::new() });
            names(&ranked(candidates.clone(), &scene, &lines, noticed))
        };
        assert_eq!(keep(&[1]), ["title"]);
        assert_eq!(keep(&[]), ["result 1"]);
    }

    #[test]
    fn what_stands_for_mutants_alone_is_spare_but_no_result_of_a_call() {
        let sequence = sequence();
        let scene = scene(&sequence);
        let spare = |noticing: &[(What, u32)], pair: bool| {
            let mut candidates = of(&scene, &[("size()I", number(1))]);
            candidates.iter_mut().filter(|_| !pair).for_each(|candidate| candidate.observes.clear());
            let by = noticing.iter().map(|(what, mutant)| (what.clone(), BTreeSet::from([*mutant])));
            let kills = Kills { by: by.collect(), ..Kills::default() };
            let noticed = Some(Noticed { kills: &kills, alive: &BTreeSet::new() });
            ranked(candidates, &scene, &Lines::default(), noticed).spare
        };
        let (size, result) = (What::Look(look("size()I")), What::Result(1));
        let both = [(size.clone(), 1), (result, 2)];
        assert_eq!(spare(&both, false), BTreeSet::from([size]));
        assert_eq!(spare(&both, true), BTreeSet::new(), "they are about the pair");
    }

    #[test]
    fn a_test_that_would_assert_nothing_asserts_what_it_does_without_mutants() {
        let sequence = sequence();
        let mut scene = scene(&sequence);
        scene.wanted.clear();
        let seen = [(TITLE, text("a basket")), ("size()I", number(1))];
        assert_eq!(noticing(&scene, &seen, &[("size()I", &[1])]), ["size"], "nothing else");
        assert_eq!(noticing(&scene, &seen, &[]), ["result 1"], "as without");
        scene.outcome.thrown = Some(dynaflow_model::outcome::Thrown {
            statement: 2,
            class: "a.Full".into(),
            superclasses: vec![],
            message: None,
            declared: true,
            on_purpose: true,
            raised_in: vec![],
        });
        assert_eq!(noticing(&scene, &seen, &[]), [] as [&str; 0], "how it ends is asserted");
    }

    #[test]
    fn the_text_of_an_object_stands_where_nothing_else_shows_anything() {
        let sequence = Sequence { statements: sequence().statements[..1].to_vec() };
        let mut scene = scene(&sequence);
        scene.outcome.statements.truncate(1);
        let shown = of(&scene, &[("toString()Ljava/lang/String;", text("[3]"))]);
        let lines = Lines::of([&shown].into_iter());
        assert_eq!(names(&ranked(shown, &scene, &lines, None)), ["toString"]);
        let more = of(&scene, &[("toString()Ljava/lang/String;", text("[3]")), (TITLE, text("x"))]);
        let lines = Lines::of([&more].into_iter());
        assert_eq!(names(&ranked(more, &scene, &lines, None)), ["title"]);
        assert_eq!(names(&ranked(vec![], &scene, &Lines::default(), None)), Vec::<String>::new());
    }

    #[test]
    fn the_object_that_was_given_is_said_once_and_what_it_was_made_with_last() {
        let plum = Value::Str("plum".into());
        let named = Operation::New {
            constructor: method("<init>(Ljava/lang/String;)V"),
            args: vec![Arg::Value(plum)],
        };
        let mut sequence = sequence();
        sequence.statements.push(Statement {
            operation: named,
            result: "La/Basket;".into(),
            runtime_class: None,
            caught: None,
        });
        let mut scene = scene(&sequence);
        scene.outcome.statements.push(Observed::Object("a.Basket".into()));
        let inner = look("inner()La/Basket;");
        scene.same.insert(inner.clone(), 2);
        let title = Look::Call { method: method(TITLE), args: vec![] };
        let own = Path { variable: 2, looks: vec![title.clone()] };
        let of_inner = Observed::Object("a.Basket".into());
        let stable =
            [(inner.clone(), of_inner), (inner.then(title), text("plum")), (own.clone(), text("plum"))];
        let all = candidates(&scene, |_| (BTreeMap::new(), 1), &BTreeMap::from(stable));
        let looks: Vec<&Assertion> = all.iter().filter(|assertion| assertion.is_look()).collect();
        let whats: Vec<&What> = looks.iter().map(|assertion| &assertion.what).collect();
        assert_eq!(whats, [&What::Look(inner), &What::Look(own)], "not the title of the inner one");
        assert_eq!((&looks[0].shows, looks[0].restates), (&Observed::Same(2), false));
        assert!(looks[1].restates);
        scene.wanted.clear();
        let ranked = ranked(all, &scene, &Lines::default(), None);
        let restates: Vec<bool> = ranked.assertions.iter().map(|assertion| assertion.restates).collect();
        assert_eq!(restates, [false, false, true]);
    }
}

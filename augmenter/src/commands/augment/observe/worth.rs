//! What each assertion of a test is worth, and which of them are worth their lines.
//!
//! An assertion on a variable of a new pair is worth most: the value that its use gave, then its state through the shortest inspector. What
//! half of the tests of a class show alike, and is about no pair, is worth nothing. Knows nothing of workers or of Java. Invariant: the same
//! candidates are ranked alike, and each stands once in the list.

use super::scene::{Distance, Scene, is_assertable};
use dynaflow_model::outcome::{Look, Observed, Path};
use dynaflow_model::sequence::{Arg, Operation, Value};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Most assertions of a test, and most of them on the state of new pairs, or on other state.
const MOST: usize = 4;
const STATES: usize = 2;
/// Fewest tests of a class of which a half says something.
const CLASS: usize = 4;

/// Where an assertion looks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// At what a statement gives, where it stands.
    Result(u32),
    /// Along a path, in the end.
    Look(Path),
}

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
}

/// All that a test can assert, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranked {
    /// The candidates.
    pub assertions: Vec<Assertion>,
    /// How many of the first are worth their lines.
    pub keep: usize,
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
    for (index, shows) in (0u32..).zip(&scene.outcome.statements) {
        let statement = scene.sequence.statements.get(index as usize).map(|statement| &statement.operation);
        let is_object = matches!(shows, Observed::Object(_)) && !scene.is_alias(index);
        if let (Some(Operation::Call { method, args, .. }), true) =
            (statement, is_object || is_assertable(shows))
        {
            let uses = |place: &usize| {
                scene.wanted.get(*place).and_then(|w| w.seen).is_some_and(|(used, _)| used == index)
            };
            let observes =
                (0..scene.wanted.len()).filter(uses).map(|place| (place, Distance::OnRoot)).collect();
            let literals: Vec<&Arg> = args.iter().filter(|arg| matches!(arg, Arg::Value(_))).collect();
            let line =
                format!("{}.{}{} {literals:?} {shows:?}", method.owner, method.name, method.descriptor);
            all.push(Assertion { what: What::Result(index), shows: shows.clone(), observes, reads: 0, line });
        }
    }
    let tells = |path: &Path, shows: &Observed| is_assertable(shows) && !scene.is_unchanged(path, shows);
    for (path, shows) in stable.iter().filter(|(path, shows)| tells(path, shows)) {
        let (observes, reads) = trails(path);
        let class = scene.class_of(path.variable).unwrap_or_default();
        let line = format!("{class} {:?} {shows:?}", path.looks);
        all.push(Assertion { what: What::Look(path.clone()), shows: shows.clone(), observes, reads, line });
    }
    all
}

/// Ranks the candidates of a test; `contents` says which of the wanted variables are contents of containers.
pub fn ranked(mut candidates: Vec<Assertion>, scene: &Scene, lines: &Lines) -> Ranked {
    let contents: Vec<bool> =
        scene.wanted.iter().map(|wanted| wanted.chain.last().is_some_and(|step| step == "[]")).collect();
    let mut choice = Choice { chosen: vec![], scene };
    // The value that the use of a pair gave.
    let used = best(
        &candidates,
        |a| a.is_result() && !a.observes.is_empty(),
        |a| (a.observes.keys().next().copied(), weight(&a.shows), lines.count(a)),
    );
    choice.take(&mut candidates, used);
    // Its state.
    for (place, is_contents) in contents.iter().enumerate() {
        let is_seen = choice.looks().any(|a| a.observes.contains_key(&place));
        if is_seen || choice.looks().count() >= STATES {
            continue;
        }
        let observes = |a: &Assertion| {
            let from = a.observes.get(&place);
            a.is_look() && !a.is_text() && from.is_some_and(|from| *from < Distance::OnOwn)
        };
        let state = best(
            &candidates,
            |a| observes(a) && !choice.repeats(a),
            |a| {
                let (steps, weight, count) = (a.steps(), usize::from(weight(&a.shows)), lines.count(a));
                let short = if *is_contents {
                    (weight, steps, count, a.reads)
                } else {
                    (steps, a.reads, weight, count)
                };
                (a.observes.get(&place).copied(), short)
            },
        );
        choice.take(&mut candidates, state);
    }
    // What the last call gave.
    let last = u32::try_from(scene.outcome.statements.len()).unwrap_or(u32::MAX).saturating_sub(1);
    let last = What::Result(last);
    let result = best(&candidates, |a| a.is_result() && a.what == last && !lines.is_trivial(a), |_| ());
    choice.take(&mut candidates, result);
    // What it gave, where that is an object.
    if choice.needs(&last) {
        let given = best(
            &candidates,
            |a| a.begins_at(&last) && !a.is_text() && !lines.is_trivial(a),
            |a| (weight(&a.shows), a.steps(), lines.count(a)),
        );
        choice.take(&mut candidates, given);
    }
    // Other state, where nothing was found yet; a text of the whole object last.
    for only_texts in [false, true] {
        while choice.chosen.is_empty() || !only_texts && choice.is_other() {
            let fits = |a: &Assertion| a.is_look() && a.is_text() == only_texts && !lines.is_trivial(a);
            let other = best(
                &candidates,
                |a| fits(a) && !choice.repeats(a),
                |a| {
                    (
                        a.observes.is_empty(),
                        scene.is_made(a.variable()),
                        weight(&a.shows),
                        lines.count(a),
                        a.steps(),
                    )
                },
            );
            if other.is_none() {
                break;
            }
            choice.take(&mut candidates, other);
        }
    }
    choice.rest(candidates, lines)
}

/// What was chosen until now, best first.
struct Choice<'a, 's> {
    chosen: Vec<Assertion>,
    scene: &'a Scene<'s>,
}

impl Choice<'_, '_> {
    fn take(&mut self, candidates: &mut Vec<Assertion>, place: Option<usize>) {
        if let Some(place) = place.filter(|place| *place < candidates.len() && self.chosen.len() < MOST) {
            self.chosen.push(candidates.remove(place));
        }
    }

    fn looks(&self) -> impl Iterator<Item = &Assertion> {
        self.chosen.iter().filter(|assertion| assertion.is_look())
    }

    /// Whether something is to be said of the object that the last call gave, and nothing was.
    fn needs(&self, last: &What) -> bool {
        let What::Result(index) = last else { return false };
        let given = self.scene.sequence.statements.get(*index as usize);
        given.is_some_and(|s| matches!(s.operation, Operation::Call { .. }))
            && !self.scene.is_alias(*index)
            && !self.chosen.iter().any(|assertion| assertion.begins_at(last))
    }

    /// Whether all that was chosen is other state, and not yet much of it.
    fn is_other(&self) -> bool {
        self.chosen.len() < STATES && self.chosen.iter().all(|a| a.is_look() && a.observes.is_empty())
    }

    /// Whether the assertion says what the last call said, which is chosen.
    fn repeats(&self, assertion: &Assertion) -> bool {
        let What::Look(path) = &assertion.what else { return false };
        let [Look::Call { method, args }] = &path.looks[..] else { return false };
        let last = self.scene.outcome.statements.len().saturating_sub(1);
        let Some(statement) = self.scene.sequence.statements.get(last) else { return false };
        let Operation::Call { method: called, receiver: Some(Arg::Var(on)), args: given, .. } =
            &statement.operation
        else {
            return false;
        };
        let given: Vec<Option<&Value>> = given.iter().map(literal).collect();
        *on == path.variable
            && (&called.name, &called.descriptor) == (&method.name, &method.descriptor)
            && given == args.iter().map(Some).collect::<Vec<_>>()
            && self.chosen.iter().any(|a| a.what == What::Result(u32::try_from(last).unwrap_or(u32::MAX)))
    }

    /// The rest behind what was chosen. A test without anything better keeps the latest result that says something.
    fn rest(mut self, mut candidates: Vec<Assertion>, lines: &Lines) -> Ranked {
        if self.chosen.is_empty() {
            let latest = best(
                &candidates,
                |a| !a.is_look(),
                |a| (!a.is_result(), lines.is_trivial(a), Reverse(a.what.clone())),
            );
            self.take(&mut candidates, latest);
        }
        let keep = self.chosen.len();
        candidates.sort_by_cached_key(|a| {
            (Reverse(a.observes.len()), lines.is_trivial(a), a.is_text(), a.steps(), a.what.clone())
        });
        self.chosen.extend(candidates);
        Ranked { assertions: self.chosen, keep }
    }
}

fn literal(arg: &Arg) -> Option<&Value> {
    match arg {
        Arg::Value(value) => Some(value),
        Arg::Var(_) => None,
    }
}

/// The place of the candidate with the least key; of equals the first.
fn best<K: Ord>(
    candidates: &[Assertion],
    fits: impl Fn(&Assertion) -> bool,
    key: impl Fn(&Assertion) -> K,
) -> Option<usize> {
    let all = candidates.iter().enumerate().filter(|(_, assertion)| fits(assertion));
    all.min_by_key(|(_, assertion)| key(assertion)).map(|(place, _)| place)
}

impl Assertion {
    /// Whether it compares what a statement gave; of an object nothing but that it is there can be said.
    fn is_result(&self) -> bool {
        matches!(self.what, What::Result(_)) && is_assertable(&self.shows)
    }

    /// Whether it looks at what a statement gave.
    fn begins_at(&self, statement: &What) -> bool {
        matches!((&self.what, statement), (What::Look(path), What::Result(index)) if path.variable == *index)
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

    /// Whether it compares the text of a whole object.
    fn is_text(&self) -> bool {
        let What::Look(Path { looks, .. }) = &self.what else { return false };
        matches!(looks.last(), Some(Look::Call { method, .. }) if method.name == "toString")
    }
}

/// How little it tells: contents and values that an object does not begin with tell most.
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
            Value::Enum(..) | Value::Class(_) => 0,
            _ => 1,
        },
        Observed::Void | Observed::Object(_) => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::super::scene::Wanted;
    use super::*;
    use dynaflow_model::outcome::{Container, Outcome};
    use dynaflow_model::sequence::{Sequence, Statement};
    use dynaflow_model::sites::{CallKind, MethodRef};

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
        let statement =
            |operation, result: &str| Statement { operation, result: result.into(), runtime_class: None };
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
            What::Look(path) => match &path.looks[0] {
                Look::Call { method, .. } => method.name.clone(),
                other => format!("{other:?}"),
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
        let ranked = ranked(candidates.clone(), &scene, &Lines::of([&candidates].into_iter()));
        assert_eq!(names(&ranked), ["result 1", "all"]);
        assert_eq!(ranked.assertions.len(), 5, "the others are kept behind");
        assert_eq!(ranked.assertions.last().map(Assertion::is_text), Some(false));
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
        assert_eq!(names(&ranked(about, &scene, &lines)), ["size"]);
        assert_eq!(names(&ranked(other.clone(), &scene, &lines)), ["result 1"], "better than nothing");
        let few = Lines::of(all.iter().take(3));
        assert_eq!(names(&ranked(other, &scene, &few)), ["result 1"], "no half of so few");
    }

    #[test]
    fn the_text_of_an_object_stands_where_nothing_else_shows_anything() {
        let sequence = Sequence { statements: sequence().statements[..1].to_vec() };
        let mut scene = scene(&sequence);
        scene.outcome.statements.truncate(1);
        let shown = of(&scene, &[("toString()Ljava/lang/String;", text("[3]"))]);
        let lines = Lines::of([&shown].into_iter());
        assert_eq!(names(&ranked(shown, &scene, &lines)), ["toString"]);
        let more = of(&scene, &[("toString()Ljava/lang/String;", text("[3]")), (TITLE, text("x"))]);
        let lines = Lines::of([&more].into_iter());
        assert_eq!(names(&ranked(more, &scene, &lines)), ["title"]);
        assert_eq!(names(&ranked(vec![], &scene, &Lines::default())), Vec::<String>::new());
    }
}

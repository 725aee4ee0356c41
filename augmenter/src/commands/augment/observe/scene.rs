//! One kept test while it is observed: where to begin to look, what was seen, and where to look next.
//!
//! Knows nothing of workers. Invariant: paths follow the types, the order of the statements and the names of methods alone, so that the same
//! test is observed in the same way.

use super::arguments::{self, Arguments};
use super::inspectors::Inspectors;
use super::reads::{Chain, Reads};
use dynaflow_flowgraph::dua::Elements;
use dynaflow_model::descriptor;
use dynaflow_model::outcome::{Container, Look, Observed, Outcome, Path};
use dynaflow_model::sequence::{Arg, Operation, Sequence, Value};
use dynaflow_model::sites::MethodRef;
use dynaflow_search::Types;
use std::collections::{BTreeMap, BTreeSet};

/// Most objects of a test that are looked at.
const STARTS: usize = 6;
/// Most paths of a test of each length.
const PATHS: usize = 80;
/// Most entries of a map that is compared as a whole: each may take a line.
const ENTRIES: usize = 4;
/// Most values of containers in each other that are compared as a whole: a reader counts brackets.
const VALUES: usize = 12;
/// The step of a variable that stands for what a container holds.
const CONTENTS: &str = "[]";
/// Containers of the JDK as static types whose `size()` a test may ask for.
const SIZED: &[&str] = &[
    "ArrayList",
    "Collection",
    "Deque",
    "HashMap",
    "HashSet",
    "LinkedHashMap",
    "LinkedHashSet",
    "LinkedList",
    "List",
    "Map",
    "Queue",
    "Set",
    "SortedMap",
    "SortedSet",
    "TreeMap",
    "TreeSet",
    "Vector",
];

/// What is known of the program.
pub struct Knowledge<'a> {
    /// What tests may use.
    pub types: &'a Types,
    /// What was recorded of methods.
    pub reads: &'a Reads,
    /// Which methods are inspectors.
    pub inspectors: Inspectors<'a>,
    /// How the seeds call those with parameters.
    pub arguments: &'a Arguments,
    /// What lists hold.
    pub elements: Elements<'a>,
}

/// The variable of a pair that the test is the first to cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The class of the root.
    pub root: String,
    /// The variable below it.
    pub chain: Chain,
    /// The statement in which the use was seen, and the one whose result is the root.
    pub seen: Option<(u32, Option<u32>)>,
}

/// How closely a path observes a variable; the least is the closest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// The variable itself, from the root.
    OnRoot,
    /// Its end, from an object that the program gave.
    OnResult,
    /// A container on its way, from the root.
    Around,
    /// Its end, from an object that the test made itself.
    OnOwn,
}

/// A variable that is sought on a path: its place among the wanted, from where, what is left of it.
type Sought = (usize, Distance, Chain);

/// What a path leads to.
#[derive(Debug, Default)]
pub struct Trail {
    /// The wanted variables it observes, and how closely.
    pub observes: BTreeMap<usize, Distance>,
    /// How many variables its inspectors read.
    pub reads: usize,
    /// Those that a longer path may observe.
    left: Vec<Sought>,
}

/// One test.
pub struct Scene<'a> {
    /// What it does.
    pub sequence: &'a Sequence,
    /// The variables of its new pairs, the most important first.
    pub wanted: Vec<Wanted>,
    /// What its statements gave.
    pub outcome: Outcome,
    /// What was seen in the end.
    pub seen: BTreeMap<Path, Observed>,
    /// The paths that lead to the object of a statement, with the first that gave it.
    pub same: BTreeMap<Path, u32>,
    /// The statements that only ask an object of the program: calls that were recorded to read it, and never to change it.
    pub asking: BTreeSet<u32>,
    own: Vec<Value>,
    /// The classes of the program, where they are known.
    program: Option<&'a BTreeSet<String>>,
}

impl<'a> Scene<'a> {
    /// A test that ran and was not looked at yet.
    pub fn new(sequence: &'a Sequence, wanted: Vec<Wanted>, outcome: Outcome) -> Self {
        let own = arguments::literals(sequence);
        let (seen, same, asking) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        Self { sequence, wanted, outcome, seen, same, asking, own, program: None }
    }

    /// The same, where these are the classes of the program.
    pub fn within(self, program: &'a BTreeSet<String>) -> Self {
        Self { program: Some(program), ..self }
    }

    /// Whether a statement gave an object of a class that is not the program's: no mutant says which of its state is worth a line.
    pub fn is_of_library(&self, variable: u32) -> bool {
        let class = self.class_of(variable);
        class.zip(self.program).is_some_and(|(class, program)| !program.contains(class))
    }

    /// The same with what is known of the methods that it calls.
    pub fn knowing(mut self, reads: &Reads) -> Self {
        let asks = |operation: &Operation| match operation {
            Operation::Call { method, receiver: Some(Arg::Var(on)), .. } => {
                let signature = format!("{}{}", method.name, method.descriptor);
                self.class_of(*on).is_some_and(|class| reads.only_asks(class, &signature))
            }
            _ => false,
        };
        let all = (0u32..).zip(&self.sequence.statements);
        self.asking = all.filter(|(_, statement)| asks(&statement.operation)).map(|(at, _)| at).collect();
        self
    }

    /// Whether the search found it, for a pair that is new.
    pub fn is_of_search(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// The paths with so many steps that are worth looking along, given what was seen on shorter ones.
    pub fn paths(&self, with: &Knowledge, steps: usize) -> Vec<Path> {
        let whole = |variable| Path { variable, looks: vec![] };
        let starts: Vec<Path> = self.starts().into_iter().map(whole).collect();
        if steps == 0 {
            let held = |path: &Path| self.class_at(path).is_some_and(|class| is_container(&class));
            return starts.into_iter().filter(held).collect();
        }
        let places: Vec<Path> = if steps == 1 {
            starts
        } else {
            self.seen.keys().filter(|path| path.looks.len() + 1 == steps).cloned().collect()
        };
        let mut paths: Vec<(bool, Path)> = vec![];
        for place in places {
            for path in self.beyond(with, &place) {
                let trail = self.trail(with, &path);
                let leads = !trail.observes.is_empty() || !trail.left.is_empty();
                // Far from its object only what leads to a wanted variable is of interest.
                if leads || steps < 3 {
                    paths.push((!leads, path));
                }
            }
        }
        paths.sort_by_key(|(aside, _)| *aside);
        paths.truncate(PATHS);
        paths.into_iter().map(|(_, path)| path).collect()
    }

    /// The objects to begin with: the roots, what the last statement gave, was called on and was given, then the others, latest first.
    fn starts(&self) -> Vec<u32> {
        let roots = self.wanted.iter().filter_map(|wanted| wanted.seen.and_then(|(_, root)| root));
        let ran = u32::try_from(self.outcome.statements.len()).unwrap_or(u32::MAX);
        let last = ran.saturating_sub(u32::from(self.outcome.thrown.is_none()));
        let given = self.sequence.statements.get(last as usize).map(|statement| statement.operation.args());
        let given = given.into_iter().flatten().filter_map(|arg| match arg {
            Arg::Var(variable) => Some(*variable),
            Arg::Value(_) => None,
        });
        let roots: Vec<u32> = roots.collect();
        let all = roots.iter().copied().chain([last]).chain(given).chain((0..ran).rev());
        let mut starts: Vec<u32> = vec![];
        for variable in all {
            let is_object = self.class_of(variable).is_some();
            if is_object
                && !starts.contains(&variable)
                && (roots.contains(&variable) || !self.is_alias(variable))
            {
                starts.push(variable);
            }
        }
        starts.truncate(STARTS);
        starts
    }

    /// Whether the statement gave an object that an earlier one had given.
    pub fn is_alias(&self, variable: u32) -> bool {
        self.outcome.same.contains_key(&variable)
    }

    /// Whether the test makes the object itself.
    pub fn is_made(&self, variable: u32) -> bool {
        let statement = self.sequence.statements.get(variable as usize);
        statement.is_some_and(|s| matches!(s.operation, Operation::New { .. } | Operation::NewArray { .. }))
    }

    /// Whether a path shows an array or container as the test itself made and filled it.
    pub fn is_unchanged(&self, path: &Path, shows: &Observed) -> bool {
        let is_inside = matches!(path.looks[..], [] | [Look::Length | Look::Element(_)]);
        if !is_inside || !self.is_made(path.variable) {
            return false;
        }
        let Some(Observed::Contents(Container::Array(_), elements)) =
            self.seen.get(&Path { variable: path.variable, looks: vec![] })
        else {
            return matches!(shows, Observed::Contents(_, elements) if elements.is_empty());
        };
        let mut stored: BTreeMap<u32, &Arg> = BTreeMap::new();
        for statement in &self.sequence.statements {
            if let Operation::ArrayStore { array: Arg::Var(array), index, value } = &statement.operation
                && *array == path.variable
            {
                stored.insert(*index, value);
            }
        }
        let is_as_stored = |(index, element): (u32, &Observed)| match (stored.get(&index), element) {
            (Some(Arg::Value(value)), Observed::Value(seen)) => value == seen,
            (Some(Arg::Var(_)), _) => true,
            (None, Observed::Value(value)) => is_default(value),
            _ => false,
        };
        !matches!(path.looks[..], []) || (0u32..).zip(elements).all(is_as_stored)
    }

    /// The class of the object that a statement gave.
    pub fn class_of(&self, variable: u32) -> Option<&str> {
        match self.outcome.statements.get(variable as usize)? {
            Observed::Object(class) => Some(class),
            _ => None,
        }
    }

    /// The class of the object at the end of a path; that of a container by its interface.
    fn class_at(&self, path: &Path) -> Option<String> {
        if path.looks.is_empty() {
            return self.class_of(path.variable).map(str::to_owned);
        }
        match self.seen.get(path)? {
            Observed::Object(class) => Some(class.clone()),
            Observed::Contents(Container::Array(array), _) => Some(array.clone()),
            Observed::Contents(Container::List, _) => Some("java.util.List".to_owned()),
            Observed::Contents(Container::Set, _) => Some("java.util.Set".to_owned()),
            Observed::Contents(Container::Map, _) => Some("java.util.Map".to_owned()),
            Observed::Contents(Container::Optional, _) => Some("java.util.Optional".to_owned()),
            Observed::Void | Observed::Value(_) | Observed::Same(_) => None,
        }
    }

    /// The static type at the end of a path.
    fn static_type(&self, path: &Path) -> String {
        let start = self.sequence.statements.get(path.variable as usize);
        let mut of = start.map_or(String::new(), |statement| statement.result.clone());
        for look in &path.looks {
            of = match look {
                Look::Call { method, .. } => descriptor::result(&method.descriptor).to_owned(),
                Look::Element(_) => descriptor::component(&of).unwrap_or_default().to_owned(),
                Look::Listed { of, .. } => of.clone(),
                Look::Length => "I".to_owned(),
            };
        }
        of
    }

    /// The paths one step beyond a place.
    fn beyond(&self, with: &Knowledge, place: &Path) -> Vec<Path> {
        let Some(class) = self.class_at(place) else { return vec![] };
        let of = self.static_type(place);
        if class.starts_with('[') {
            return self.inside_array(place);
        }
        if is_container(&class) {
            return self.inside_container(with, place, &of);
        }
        let seen_as = descriptor::class_of(&of).unwrap_or_default();
        // A variable can be cast; of what a method gives, the compiler may know more than the descriptor.
        let classes =
            if place.looks.is_empty() { [class.as_str(), seen_as.as_str()] } else { [seen_as.as_str(), ""] };
        let known =
            classes.into_iter().find_map(|name| with.types.get(name).filter(|_| with.types.may_name(name)));
        let mut paths = vec![];
        for callable in known.into_iter().flat_map(|info| &info.methods) {
            if with.inspectors.is_one(&class, callable) {
                for args in with.arguments.lists(&callable.method, &self.own, with.types) {
                    paths.push(place.then(Look::Call { method: callable.method.clone(), args }));
                }
            }
        }
        paths
    }

    /// Length, first and last element of an array of objects.
    fn inside_array(&self, place: &Path) -> Vec<Path> {
        match self.seen.get(place) {
            Some(Observed::Contents(_, elements)) => {
                let looks = objects(elements).into_iter().map(Look::Element);
                [Look::Length].into_iter().chain(looks).map(|look| place.then(look)).collect()
            }
            _ => vec![place.then(Look::Length)],
        }
    }

    /// How much a container holds, and the first and the last object of a list, where it is not seen as a whole.
    fn inside_container(&self, with: &Knowledge, place: &Path, of: &str) -> Vec<Path> {
        let owner = descriptor::class_of(of).unwrap_or_default();
        let simple = owner.strip_prefix("java.util.").unwrap_or_default();
        let is_whole = self.seen.get(place).is_some_and(is_assertable);
        if is_whole || !SIZED.contains(&simple) {
            return vec![];
        }
        let method =
            MethodRef { owner: owner.clone(), name: "size".to_owned(), descriptor: "()I".to_owned() };
        let mut paths = vec![place.then(Look::Call { method, args: vec![] })];
        if let (Some(Observed::Contents(Container::List, elements)), Some(Look::Call { method, .. }), "List") =
            (self.seen.get(place), place.looks.last(), simple)
            && let Some(of) = with.elements.of(method)
        {
            let objects = objects(elements).into_iter();
            paths.extend(objects.map(|index| place.then(Look::Listed { index, of: of.clone() })));
        }
        paths
    }

    /// What a path leads to.
    pub fn trail(&self, with: &Knowledge, path: &Path) -> Trail {
        let mut trail = Trail { left: self.sought(with, path.variable), ..Trail::default() };
        let mut at = Path { variable: path.variable, looks: vec![] };
        for look in &path.looks {
            let reads = self.class_at(&at).map_or(vec![], |class| read_by(with, &class, look));
            trail.reads += reads.len();
            for (index, from, chain) in std::mem::take(&mut trail.left) {
                for read in reads.iter().filter(|read| chain.starts_with(read)) {
                    let Some(rest) = chain.get(read.len()..).filter(|rest| !rest.is_empty()) else {
                        trail.sees(index, from);
                        continue;
                    };
                    if read.last().is_some_and(|step| step == CONTENTS) {
                        trail.sees(index, from.max(Distance::Around));
                    }
                    trail.left.push((index, from, rest.to_vec()));
                }
            }
            at = at.then(look.clone());
        }
        if let Some(Observed::Contents(..)) = self.seen.get(path) {
            for (index, from, chain) in trail.left.clone() {
                if chain == [CONTENTS] {
                    trail.sees(index, from);
                } else if chain.first().is_some_and(|step| step == CONTENTS) {
                    trail.sees(index, from.max(Distance::Around));
                }
            }
        }
        trail
    }

    /// The wanted variables as seen from the result of a statement: as they are from the root; their ends from objects of the classes on
    /// their way.
    fn sought(&self, with: &Knowledge, variable: u32) -> Vec<Sought> {
        let Some(class) = self.class_of(variable) else { return vec![] };
        let above = with.types.get(class).map_or(&[][..], |info| &info.supertypes);
        let own = self.is_made(variable);
        let mut sought = vec![];
        for (index, wanted) in self.wanted.iter().enumerate() {
            let root = wanted.seen.and_then(|(_, root)| root);
            // What a use gives may be another object of the class, made from the root.
            let is_given = wanted.seen.is_some_and(|(used, _)| used == variable);
            if wanted.root == class && (is_given || root.is_none_or(|root| root == variable)) {
                let from = if root == Some(variable) { Distance::OnRoot } else { Distance::OnResult };
                sought.push((index, from, wanted.chain.clone()));
            }
            for (at, step) in wanted.chain.iter().enumerate().skip(1) {
                let declaring = step.rsplit_once('.').map_or("", |(declaring, _)| declaring);
                let is_on_the_way = declaring == class || above.iter().any(|name| name == declaring);
                if let Some(end) = wanted.chain.get(at..).filter(|_| is_on_the_way) {
                    sought.push((
                        index,
                        if own { Distance::OnOwn } else { Distance::OnResult },
                        end.to_vec(),
                    ));
                }
            }
        }
        sought
    }
}

impl Trail {
    fn sees(&mut self, index: usize, from: Distance) {
        let closest = self.observes.entry(index).or_insert(from);
        *closest = from.min(*closest);
    }
}

/// Whether an array holds the value before anybody stored another one.
fn is_default(value: &Value) -> bool {
    matches!(
        value,
        Value::Null
            | Value::Bool(false)
            | Value::Byte(0)
            | Value::Char(0)
            | Value::Short(0)
            | Value::Int(0)
            | Value::Long(0)
            | Value::Float(0)
            | Value::Double(0)
    )
}

/// The places of the first and the last element, where these are objects.
fn objects(elements: &[Observed]) -> Vec<u32> {
    let ends = BTreeSet::from([0, elements.len().saturating_sub(1)]).into_iter();
    let is_object = |element: &Observed| matches!(element, Observed::Object(_) | Observed::Contents(..));
    let objects = ends.filter(|&index| elements.get(index).is_some_and(is_object));
    objects.filter_map(|index| u32::try_from(index).ok()).collect()
}

/// What a step reads of the object it is made on.
fn read_by(with: &Knowledge, class: &str, look: &Look) -> Vec<Chain> {
    match look {
        Look::Call { method, .. } if !is_container(class) => {
            with.reads.chains(class, &format!("{}{}", method.name, method.descriptor)).cloned().collect()
        }
        _ => vec![vec![CONTENTS.to_owned()]],
    }
}

/// Whether the class is one of arrays or of the JDK's containers.
fn is_container(class: &str) -> bool {
    class.starts_with('[') || class.starts_with("java.util.")
}

/// How many values are in a container, and in those in it.
fn values(observed: &Observed) -> usize {
    match observed {
        Observed::Contents(_, elements) => elements.iter().map(values).sum(),
        _ => 1,
    }
}

/// Whether an assertion can compare all of it.
pub fn is_assertable(observed: &Observed) -> bool {
    match observed {
        Observed::Value(value) => dynaflow_testgen::is_fit(value),
        Observed::Same(_) => true,
        Observed::Contents(Container::Map, entries) if entries.len() > 2 * ENTRIES => false,
        Observed::Contents(_, elements) => {
            elements.iter().all(dynaflow_testgen::is_comparable) && values(observed) <= VALUES
        }
        Observed::Void | Observed::Object(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sequence::Statement;

    fn statement(operation: Operation) -> Statement {
        Statement { operation, result: "[I".into(), runtime_class: None, caught: None }
    }

    fn numbers(numbers: [i32; 2]) -> Observed {
        let elements = numbers.map(|number| Observed::Value(Value::Int(number)));
        Container::Array("[I".into()).holding(elements.to_vec())
    }

    #[test]
    fn an_array_of_the_test_shows_something_when_it_is_not_as_the_test_filled_it() {
        let made = Operation::NewArray { descriptor: "[I".into(), length: 2 };
        let value = Arg::Value(Value::Int(7));
        let store = Operation::ArrayStore { array: Arg::Var(0), index: 1, value };
        let sequence = Sequence { statements: vec![statement(made), statement(store)] };
        let whole = Path { variable: 0, looks: vec![] };
        for (seen, is_unchanged) in [([0, 7], true), ([0, 8], false), ([7, 7], false)] {
            let mut scene = Scene::new(&sequence, vec![], Outcome::default());
            scene.seen.insert(whole.clone(), numbers(seen));
            assert_eq!(scene.is_unchanged(&whole, &numbers(seen)), is_unchanged, "{seen:?}");
            let length = Observed::Value(Value::Int(2));
            assert!(scene.is_unchanged(&whole.then(Look::Length), &length), "a length never changes");
        }
    }

    #[test]
    fn an_array_that_the_program_gave_shows_something_in_any_case() {
        let given = Operation::Opaque("a call".into());
        let sequence = Sequence { statements: vec![statement(given)] };
        let whole = Path { variable: 0, looks: vec![] };
        let mut scene = Scene::new(&sequence, vec![], Outcome::default());
        scene.seen.insert(whole.clone(), numbers([0, 0]));
        assert!(!scene.is_unchanged(&whole, &numbers([0, 0])));
    }
}

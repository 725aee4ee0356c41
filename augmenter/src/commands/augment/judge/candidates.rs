//! The tests that could be written for a class, and which of them are: each with what it shows, or the failure it reveals.
//!
//! Knows nothing of compilers or JVMs. Invariant: a failure, and a refusal, has one test at most; a candidate is tried once.

use super::said::{asserted, leave_out, says_something};
use super::shown::{NOTHING, Shown};
use super::spare::{Shows, Spares};
use super::triage::Judged;
use crate::commands::augment::ask::options::Keep;
use crate::commands::augment::facts::figures;
use crate::commands::augment::facts::merit::{BESIDE, MARKS, Merit, NOTICES, REACHES, Verdict};
use crate::commands::augment::facts::roots::Roots;
use crate::commands::augment::facts::sites;
use crate::commands::augment::mutants::{Kills, What};
use crate::keep::{self, Candidate};
use dynaflow_model::facts::{PairId, Recording};
use dynaflow_model::pair_key::PairKey;
use dynaflow_objectives::SiteKey;
use dynaflow_testgen::{Asserted, Placed, TestCase};
use std::collections::{BTreeMap, BTreeSet};

/// The lines that a test has besides its statements, its assertions about three: each test more is read from its comment to its last brace.
const FRAME: usize = 8;

/// A test that could be written.
#[derive(Clone, Debug)]
pub struct Possible {
    /// What is to be written.
    pub case: TestCase,
    /// What the exception says that ends it, if one does.
    pub judged: Option<Judged>,
    /// The pairs that it executed in a worker, with their sites.
    pub pairs: BTreeSet<(PairKey, SiteKey)>,
    /// Those of the sites where it would pass whatever mutants make of the use: it says nothing of these.
    pub blind: BTreeSet<SiteKey>,
    /// Those of the sites that earn no test: the compiler or a tool wrote them, or nobody looks at what is used there.
    pub worthless: BTreeSet<SiteKey>,
    /// The mutants that the seeds leave alive and it could notice.
    pub kills: Kills,
    /// Those of them that it notices with the assertions that are written.
    pub notices: BTreeSet<u32>,
    /// What it can do without where other tests show it.
    pub spares: Spares,
    /// The goals of coverage that it reaches.
    pub goals: BTreeSet<u32>,
    /// Whether its assertions or its end say something of what it executes: more than that something is there, or that a call gave the object it was made on.
    pub says_something: bool,
    /// Whether the search did not keep it for a pair: then nothing but mutants and goals earns it a place.
    pub is_part: bool,
    /// Whether another one is a shorter form of it, without what it would not be chosen for.
    pub has_shorter: bool,
}

impl Possible {
    /// What could be written, with what its outcome asserts, so far as is known before it is written.
    pub fn new(
        case: TestCase,
        judged: Option<Judged>,
        pairs: BTreeSet<(PairKey, SiteKey)>,
        kills: Kills,
    ) -> Self {
        let notices = kills.with(asserted(&case).iter());
        Self {
            says_something: says_something(&case),
            case,
            judged,
            pairs,
            blind: BTreeSet::new(),
            worthless: BTreeSet::new(),
            kills,
            notices,
            spares: Spares::default(),
            goals: BTreeSet::new(),
            is_part: false,
            has_shorter: false,
        }
    }

    /// Notes which assertions are written: what others notice it does not, and what they say it does not say.
    fn note(&mut self, placed: &[Asserted]) {
        let what = |asserted: &Asserted| match asserted {
            Asserted::Result(index) => u32::try_from(*index).ok().map(What::Result),
            Asserted::Observation(place) => {
                self.case.outcome.observations.get(*place).map(|seen| What::Look(seen.path.clone()))
            }
            Asserted::Message => None,
        };
        let is_left = |number: &usize| !self.case.form.left_out.contains(number);
        let written = (0..).zip(placed).filter(|(number, _)| is_left(number));
        let written: BTreeSet<What> = written.filter_map(|(_, asserted)| what(asserted)).collect();
        self.notices = self.kills.with(written.iter());
        let mut as_written = self.case.clone();
        let left_out = asserted(&self.case).into_iter().filter(|what| !written.contains(what));
        left_out.for_each(|what| leave_out(&mut as_written, &what));
        self.says_something = says_something(&as_written);
    }

    /// Whether it would show that a site does something else.
    fn sees(&self, site: &SiteKey) -> bool {
        !self.blind.contains(site) && !self.worthless.contains(site)
    }

    /// Whether it reveals a failure.
    pub fn is_finding(&self) -> bool {
        self.judged.as_ref().is_some_and(|judged| judged.verdict > Verdict::Refusal)
    }
}

/// What earns a test a place.
#[derive(Clone, Copy, Debug)]
pub struct Wants {
    /// How many tests are written.
    pub keep: Keep,
    /// Whether pairs do, and their sites.
    pub pairs: bool,
    /// How many green tests are written at most.
    pub most: Option<u32>,
}

/// The tests that could be written for a class.
#[derive(Debug)]
pub struct Candidates {
    wants: Wants,
    all: Vec<Possible>,
    merits: Vec<Candidate<Merit>>,
    have: BTreeSet<Merit>,
    tried: BTreeSet<usize>,
    /// By failure, the weightiest of what its tests say of the program, and how many there are.
    failures: BTreeMap<String, (Verdict, usize)>,
    /// Where faults are: what comes from there when null is passed is nothing new.
    faults: BTreeSet<String>,
    /// What the mutants do that the seeds leave alive.
    mutants: BTreeMap<u32, String>,
    /// What the goals of coverage are.
    goals: BTreeMap<u32, String>,
}

impl Candidates {
    /// Of these, when what is in `have` is there already.
    pub fn new(wants: Wants, all: Vec<Possible>, have: BTreeSet<Merit>) -> Self {
        let mut failures: BTreeMap<String, (Verdict, usize)> = BTreeMap::new();
        let findings = all.iter().filter_map(|possible| possible.judged.as_ref());
        for judged in findings.filter(|judged| judged.verdict > Verdict::Refusal) {
            let (verdict, tests) = failures.entry(judged.key.clone()).or_insert((judged.verdict, 0));
            (*verdict, *tests) = ((*verdict).max(judged.verdict), *tests + 1);
        }
        let judged = all.iter().filter_map(|possible| possible.judged.as_ref());
        let faults = judged.filter(|judged| judged.verdict == Verdict::Fault);
        let faults = faults.map(|judged| judged.site.clone()).collect();
        let (tried, mutants, goals) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
        let mut candidates =
            Self { wants, merits: vec![], all, have, tried, failures, faults, mutants, goals };
        let one = |(place, possible): (usize, &Possible)| {
            let ran = possible.case.outcome.thrown.as_ref().map(|thrown| thrown.statement as usize + 1);
            let all = possible.case.sequence.statements.len();
            let merits = candidates.merits_of(place, possible.pairs.iter().copied(), true);
            Candidate { merits, length: FRAME + ran.map_or(all, |ran| ran.min(all)) }
        };
        candidates.merits = candidates.all.iter().enumerate().map(one).collect();
        candidates
    }

    /// With what the mutants do that the seeds leave alive.
    pub fn with_mutants(self, mutants: BTreeMap<u32, String>) -> Self {
        Self { mutants, ..self }
    }

    /// With what the goals of coverage are.
    pub fn with_goals(self, goals: BTreeMap<u32, String>) -> Self {
        Self { goals, ..self }
    }

    /// All of them.
    pub fn all(&self) -> &[Possible] {
        &self.all
    }

    /// What is written of those at these places.
    pub fn cases(&self, places: &[usize]) -> Vec<TestCase> {
        let noted = |&place: &usize| {
            let mut case = self.all.get(place)?.case.clone();
            case.comment = self.comment(place, &case.comment);
            Some(case)
        };
        places.iter().filter_map(noted).collect()
    }

    /// Remembers how the tests at these places are to be written.
    pub fn reform(&mut self, places: &[usize], cases: &[TestCase]) {
        for (&place, case) in places.iter().zip(cases) {
            if let Some(possible) = self.all.get_mut(place) {
                possible.case.form.clone_from(&case.form);
            }
        }
    }

    /// Notes what the tests at these places assert as they are written.
    pub fn note_written(&mut self, places: &[usize], placed: &[Placed]) {
        for (&place, placed) in places.iter().zip(placed) {
            if let (Some(possible), Placed::Written { asserted, .. }) = (self.all.get_mut(place), placed) {
                possible.note(asserted);
            }
        }
    }

    /// The mutants that the tests at these places notice as they are written, and the seeds do not.
    pub fn notices(&self, places: &[usize]) -> BTreeSet<u32> {
        let tests = places.iter().filter_map(|&place| self.all.get(place));
        tests.filter(|test| !test.is_finding()).flat_map(|test| test.notices.iter().copied()).collect()
    }

    /// The comment of a test with this line about its pair: as many lines whatever that is. What only mutants earned a place says nothing of pairs.
    pub fn comment(&self, place: usize, pair: &str) -> String {
        let goals = self.of_goals(place);
        let is_part = self.all.get(place).is_some_and(|one| one.is_part && !one.is_finding());
        let pair = if is_part { NOTHING } else { pair };
        match self.of_mutants(place) {
            Some(line) if is_part && self.judged(place).is_none() && goals.is_none() => line,
            line => {
                let comment = self.of_pair_and_end(place, &goals.unwrap_or_else(|| pair.to_owned()));
                [Some(comment), line].into_iter().flatten().collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// The line about the mutants that a green test notices: the one of them that the fewest candidates notice, of such the first.
    fn of_mutants(&self, place: usize) -> Option<String> {
        let notices = self.notices(&[place]);
        let others = |mutant: &u32| self.all.iter().filter(|other| other.notices.contains(mutant)).count();
        let first = self.mutants.get(notices.iter().min_by_key(|mutant| (others(mutant), **mutant))?)?;
        let more = match notices.len() {
            0 | 1 => String::new(),
            n => format!("{BESIDE}and {} more", n - 1),
        };
        Some(format!("{NOTICES}{first}{more}"))
    }

    /// The line about the goals that a test reaches and the seeds do not, in place of that about its pair where none earned it a place: the goal that the
    /// fewest candidates reach, of such the first.
    fn of_goals(&self, place: usize) -> Option<String> {
        let possible = self.all.get(place).filter(|possible| possible.is_part && !possible.is_finding())?;
        let new = || possible.goals.iter().filter(|goal| !self.have.contains(&Merit::Goal(**goal)));
        let others = |goal: &u32| self.all.iter().filter(|other| other.goals.contains(goal)).count();
        let first = self.goals.get(new().min_by_key(|goal| (others(goal), **goal))?)?;
        let more = match new().count() {
            0 | 1 => String::new(),
            n => format!("{BESIDE}and {} more", n - 1),
        };
        Some(format!("{REACHES}{first}{more}"))
    }

    fn of_pair_and_end(&self, place: usize, pair: &str) -> String {
        let Some(judged) = self.judged(place) else { return pair.to_owned() };
        let mark = MARKS.iter().find(|(verdict, _)| *verdict == judged.verdict).map_or("", |(_, mark)| mark);
        let also = match self.others(judged) {
            0 => String::new(),
            1 => format!("{BESIDE}1 other call sequence ends so"),
            n => format!("{BESIDE}{n} other call sequences end so"),
        };
        // What the key does not say of the place.
        let place = judged.site.strip_prefix(judged.key.split(' ').next().unwrap_or_default());
        let place = place.filter(|_| judged.key != judged.site).map(str::trim_start);
        let place = place
            .filter(|place| !place.is_empty())
            .map_or_else(String::new, |place| format!("{BESIDE}{place}"));
        match judged.verdict {
            // What null is refused by, and what a failure is found by, need not cover a pair.
            Verdict::Refusal if pair == NOTHING => format!("{mark}{}", judged.key),
            Verdict::Refusal => format!("{pair}\n{mark}{}", judged.key),
            _ if pair == NOTHING => format!("{mark}{}{place}{also}", judged.key),
            _ => format!("{mark}{}{place}{also}\n{pair}", judged.key),
        }
    }

    /// How many other candidates end with the same failure.
    pub fn others(&self, judged: &Judged) -> usize {
        self.failures.get(&judged.key).map_or(0, |(_, tests)| tests.saturating_sub(1))
    }

    /// What the exception says that ends the test at a place, if one does.
    pub fn judged(&self, place: usize) -> Option<&Judged> {
        self.all.get(place)?.judged.as_ref()
    }

    /// Those to try first: the ones whose merits nothing has yet, most valuable first. What there is a shorter form of has to wait.
    pub fn first(&mut self) -> Vec<usize> {
        let long = self.all.iter().enumerate().filter(|(_, possible)| possible.has_shorter);
        let long: BTreeSet<usize> = long.map(|(place, _)| place).collect();
        self.tried.extend(&long);
        let mut places = self.instead(&BTreeSet::new());
        self.tried = &self.tried - &long;
        if self.wants.keep == Keep::All {
            places.sort_unstable();
        }
        places
    }

    /// Takes assertions out of the tests behind the first `there` of these places that show nothing which those before them do not show.
    pub fn leave_out_spare(&mut self, places: &[usize], there: usize) {
        if self.wants.keep != Keep::Few {
            return;
        }
        let mut shown = Shows::default();
        for (number, &place) in places.iter().enumerate() {
            let Some(possible) = self.all.get_mut(place).filter(|possible| !possible.is_finding()) else {
                continue;
            };
            if number >= there {
                possible.spares.leave_out(&mut possible.case, &possible.kills, &mut shown);
                possible.notices = possible.kills.with(asserted(&possible.case).iter());
            } else {
                shown.add(&possible.case, &possible.notices, &possible.spares);
            }
        }
    }

    /// What each of the tests at these places has to keep, so that all together keep what they have: of several that have the same the last does.
    pub fn needed(&self, places: &[usize]) -> Vec<(usize, BTreeSet<Merit>)> {
        let of = |place: usize| self.merits.get(place).map(|candidate| &candidate.merits - &self.have);
        let mut kept = BTreeSet::new();
        let mut needed: Vec<(usize, BTreeSet<Merit>)> = vec![];
        for &place in places.iter().rev() {
            let merits = &of(place).unwrap_or_default() - &kept;
            kept.extend(merits.iter().cloned());
            needed.push((place, merits));
        }
        needed.reverse();
        needed
    }

    /// Tests that say nothing of what they execute, at the fewest places that have all sites which no test has that says something.
    pub fn silent(&self) -> Vec<usize> {
        let is_silent = |possible: &Possible| !possible.says_something && !possible.is_part;
        let of = |(possible, candidate): (&Possible, &Candidate<Merit>)| {
            let sites = possible.pairs.iter().filter(|_| is_silent(possible)).map(|(_, site)| *site);
            let sites = sites.filter(|site| !possible.worthless.contains(site)).map(Merit::Site);
            Candidate { merits: sites.collect(), length: candidate.length }
        };
        let silent: Vec<Candidate<Merit>> = self.all.iter().zip(&self.merits).map(of).collect();
        let said = self.merits.iter().flat_map(|candidate| candidate.merits.iter().cloned());
        keep::chosen(&silent, &self.have.iter().cloned().chain(said).collect())
    }

    /// How many lines a reader reads of the test at a place.
    pub fn length(&self, place: usize) -> usize {
        self.merits.get(place).map_or(0, |candidate| candidate.length)
    }

    /// Those of these that there is room for beside those that are there, the first of them; findings take none. The others were not tried.
    pub fn with_room(&mut self, mut places: Vec<usize>, there: &[usize]) -> Vec<usize> {
        let Some(most) = self.wants.most else { return places };
        let is_finding = |place: &usize| self.all.get(*place).is_some_and(Possible::is_finding);
        let mut room =
            (most as usize).saturating_sub(there.iter().filter(|place| !is_finding(place)).count());
        let mut beyond = BTreeSet::new();
        places.retain(|place| {
            let fits = is_finding(place) || room > 0;
            room -= usize::from(fits && !is_finding(place));
            fits || !beyond.insert(*place)
        });
        self.tried = &self.tried - &beyond;
        places
    }

    /// How many more would show something that those at these places do not, where there is no room for them.
    pub fn beyond(&self, places: &[usize]) -> usize {
        self.wants.most.map_or(0, |_| self.further(&self.promised(places)).len())
    }

    /// Those not tried yet that have merits which what is `held` lacks.
    pub fn instead(&mut self, held: &BTreeSet<Merit>) -> Vec<usize> {
        let chosen = self.further(held);
        self.tried.extend(&chosen);
        chosen
    }

    fn further(&self, held: &BTreeSet<Merit>) -> Vec<usize> {
        let left: Vec<usize> = (0..self.all.len()).filter(|place| !self.tried.contains(place)).collect();
        let of_left: Vec<Candidate<Merit>> =
            left.iter().filter_map(|&place| self.merits.get(place).cloned()).collect();
        let have = self.have.union(held).cloned().collect();
        keep::chosen(&of_left, &have).into_iter().filter_map(|at| left.get(at).copied()).collect()
    }

    /// What tests at these places are worth by what they showed in a worker.
    pub fn promised(&self, places: &[usize]) -> BTreeSet<Merit> {
        places
            .iter()
            .filter_map(|&place| self.merits.get(place))
            .flat_map(|c| c.merits.iter().cloned())
            .collect()
    }

    /// What a test is worth by what it showed as it was compiled and ran.
    pub fn proven(&self, place: usize, shown: &Shown) -> BTreeSet<Merit> {
        self.merits_of(place, shown.own.iter().copied(), !shown.new.is_empty())
    }

    /// The failures, refusals and mutants that the tests at these places stand for.
    pub fn noted(&self, places: &[usize]) -> BTreeSet<Merit> {
        let judged = places.iter().filter_map(|&place| self.judged(place));
        let judged = judged.map(|judged| Merit::of(judged.verdict, &judged.key));
        judged.chain(self.notices(places).into_iter().map(Merit::Mutant)).collect()
    }

    /// Whether something has this merit already.
    pub fn is_there(&self, merit: &Merit) -> bool {
        self.have.contains(merit)
    }

    /// Those that were never tried, as others have what they show, with the exceptions that end them.
    pub fn left_out(&self) -> BTreeMap<usize, Option<String>> {
        let all = self.all.iter().enumerate().filter(|(place, _)| !self.tried.contains(place));
        let throws = |possible: &Possible| Some(possible.case.outcome.thrown.as_ref()?.class.clone());
        all.map(|(place, possible)| (place, throws(possible))).collect()
    }

    /// Whether no test says more of the program by the same failure, or by one from the same place.
    fn is_weightiest(&self, judged: &Judged) -> bool {
        let most = self.failures.get(&judged.key).map(|(most, _)| *most);
        most == Some(judged.verdict)
            && (judged.verdict == Verdict::Fault || !self.faults.contains(&judged.site))
    }

    fn merits_of(
        &self,
        place: usize,
        pairs: impl Iterator<Item = (PairKey, SiteKey)>,
        is_new: bool,
    ) -> BTreeSet<Merit> {
        let mut merits = BTreeSet::new();
        if let Some(judged) = self.judged(place) {
            let is_finding = judged.verdict > Verdict::Refusal;
            if !is_finding && judged.is_of_use || is_finding && self.is_weightiest(judged) {
                merits.insert(Merit::of(judged.verdict, &judged.key));
            }
            // What a library refuses on its own pins the library.
            if is_finding || self.wants.keep == Keep::Few && !judged.is_of_use {
                return merits;
            }
        }
        let goals = self.all.get(place).into_iter().flat_map(|possible| &possible.goals);
        merits.extend(goals.map(|&goal| Merit::Goal(goal)));
        let is_part = self.all.get(place).is_some_and(|possible| possible.is_part);
        match self.wants.keep {
            _ if is_part => merits.extend(self.notices(&[place]).into_iter().map(Merit::Mutant)),
            Keep::Few => {
                let possible = self.all.get(place).filter(|one| self.wants.pairs && one.says_something);
                let sees = |site: &SiteKey| possible.is_some_and(|possible| possible.sees(site));
                merits.extend(pairs.map(|(_, site)| site).filter(sees).map(Merit::Site));
                merits.extend(self.notices(&[place]).into_iter().map(Merit::Mutant));
            }
            Keep::Pairs => {
                merits.extend(pairs.filter(|_| self.wants.pairs).map(|(pair, _)| Merit::Pair(pair)))
            }
            Keep::All if is_new => merits.extend([Merit::Test(place)]),
            Keep::All => {}
        }
        merits
    }
}

/// What the tests of a recording show, those that fail left out.
pub fn there(recording: &Recording, roots: &Roots) -> BTreeSet<Merit> {
    let records = recording.tests.iter().filter(|record| !figures::is_finding(&record.name));
    let ids: BTreeSet<PairId> = records.flat_map(|record| record.pairs.iter().copied()).collect();
    let pairs = ids.into_iter().filter_map(|id| sites::sited(recording, roots, id));
    pairs.flat_map(|(pair, site)| [Merit::Pair(pair), Merit::Site(site)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::outcome::{Observation, Observed, Outcome, Path};
    use dynaflow_model::sequence::{Sequence, Value};
    use dynaflow_testgen::Form;

    #[test]
    fn a_test_says_no_more_than_what_is_written_of_it() {
        let path = Path { variable: 0, looks: vec![] };
        let seen = Observation { path, result: Observed::Value(Value::Int(1)) };
        let outcome = Outcome { observations: vec![seen], ..Outcome::default() };
        let (comment, sequence, form) = (String::new(), Sequence::default(), Form::default());
        let case = TestCase { name_hint: None, comment, sequence, outcome, form };
        let mut possible = Possible::new(case, None, BTreeSet::new(), Kills::default());
        possible.note(&[Asserted::Observation(0)]);
        assert!(possible.says_something);
        possible.case.form.left_out.insert(0);
        possible.note(&[Asserted::Observation(0)]);
        assert!(!possible.says_something, "it does not hold in every JVM");
        possible.case.form.left_out.clear();
        possible.note(&[]);
        assert!(!possible.says_something, "it cannot be written");
    }
}

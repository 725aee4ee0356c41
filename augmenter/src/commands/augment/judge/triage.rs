//! What an exception says of the program: that it has a fault, that it may have one, or that it refuses what it was asked for.
//!
//! Knows nothing of tests as they are written. Invariant: what the program throws on purpose is no finding, whatever was passed to it; what a
//! null or an extreme number of the test may have caused is suspicious at most.

use super::nulls::{self, is_null};
use crate::commands::augment::facts::merit::Verdict;
use dynaflow_flowgraph::dua::ClassSource;
use dynaflow_flowgraph::made::{self, NullCheck};
use dynaflow_model::contract::Clause;
use dynaflow_model::outcome::{Observed, StackFrame, Thrown};
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::MethodRef;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Who raised an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The JVM, at an instruction of the program.
    Instruction,
    /// The program: it makes an object of that class there.
    Made,
    /// A method of the JDK that the program called to have an argument or a result checked.
    Check,
    /// The JDK, in a call by the program.
    Library,
    /// Code that is not the program's, called by the test.
    Elsewhere,
}

/// What the JVM raises where the program has a slip.
const RAISED: &[&str] = &[
    "java.lang.NullPointerException",
    "java.lang.ClassCastException",
    "java.lang.ArithmeticException",
    "java.lang.IndexOutOfBoundsException",
    "java.lang.NegativeArraySizeException",
    "java.lang.ArrayStoreException",
    "java.lang.IllegalMonitorStateException",
];

/// What is raised where calls do not end.
const OVERFLOW: &str = "java.lang.StackOverflowError";

/// What the JDK raises besides, and it is the caller's slip: no argument is refused.
const SLIPS: &[&str] = &["java.util.ConcurrentModificationException"];

/// What a number that the call is given may cause.
const BY_NUMBERS: &[&str] = &[
    "java.lang.ArithmeticException",
    "java.lang.IndexOutOfBoundsException",
    "java.lang.NegativeArraySizeException",
];

/// What `compareTo` throws by its contract: the first of null, the other of what it cannot be compared to.
const BY_COMPARING: [&str; 2] = ["java.lang.NullPointerException", "java.lang.ClassCastException"];

/// So many frames of a stack are reported at most, see `SequenceRunner.java`.
const MOST_FRAMES: usize = 32;

/// From here on a number is extreme, in either direction.
const EXTREME: f64 = 1_073_741_824.0;

/// What was found out about an exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// What it says of the program.
    pub verdict: Verdict,
    /// What and where, in words: exceptions with equal ones are one failure, or one refusal.
    pub key: String,
    /// Where it came from, in the same words whatever was passed.
    pub site: String,
    /// Whether a refusal is worth a test: a class of the program is below the call, or was called, as what a library does on its own nobody has to pin; and it is
    /// not about null that only the package itself can pass there, or that a constructor took without a word, nor what a library stumbles over.
    pub is_of_use: bool,
    /// The innermost method of the program that it left; of a contract, and of a stack that overflowed, the first line of the method that was asked.
    pub at: Option<StackFrame>,
    /// The method that the test called, or that an object was asked for.
    pub called: Option<MethodRef>,
}

/// What the statements of a sequence gave, and those of them that gave an object which an earlier one had given, each with the first that did.
pub type Gave<'a> = (&'a [Observed], &'a BTreeMap<u32, u32>);

/// Who knows which classes are the program's and what is in them.
pub struct Judge<'a> {
    program: &'a BTreeSet<String>,
    all: &'a BTreeSet<String>,
    classes: &'a dyn ClassSource,
}

impl<'a> Judge<'a> {
    /// For the program's classes, all classes of both class paths, and where these lie.
    pub fn new(
        program: &'a BTreeSet<String>,
        all: &'a BTreeSet<String>,
        classes: &'a dyn ClassSource,
    ) -> Self {
        Self { program, all, classes }
    }

    /// What an exception that ended a sequence says of the program, whose statements gave this before.
    pub fn judge(&self, sequence: &Sequence, gave: Gave, thrown: &Thrown) -> Judged {
        let is_absurd = is_absurd(sequence, gave, thrown) || self.uses_bare_object(sequence, thrown);
        let called = called(sequence, thrown);
        if let Some((clause, class)) = asked(sequence, thrown).filter(|_| thrown.is_of_contract()) {
            let at = self.asked(called.as_ref());
            let is_meant = clause == Clause::HasText && self.gives_null(at.as_ref());
            let verdict = of_contract(clause, is_absurd || is_meant);
            let (key, site) = (clause.broken_by(class), String::new());
            return Judged { verdict, key, site, is_of_use: true, at, called };
        }
        let is_of_null = passes_null(sequence, gave, thrown);
        let verdict = decide(thrown, self.origin(thrown), called.as_ref(), (is_absurd, is_of_null));
        let is_ours = |class: &str| self.program.contains(class);
        let site = self.site(thrown);
        let elsewhere = site.as_ref().is_some_and(|site| thrown.is_a(OVERFLOW) && !is_ours(&site.class));
        let is_of_program = !elsewhere && self.is_of_program(thrown, called.as_ref());
        let may_be_of_null = verdict == Verdict::Suspicious && thrown.is_a(RAISED[0]);
        let null = nulls::given(sequence, gave.0, thrown.statement).filter(|_| may_be_of_null);
        let is_kept = may_be_of_null
            && self.lacks_field(thrown)
            && nulls::is_kept(sequence, gave.0, thrown, |class| self.is_running(thrown, class));
        let is_internal = is_kept || null.is_some_and(|(method, _)| self.is_of_package(method));
        let verdict = if elsewhere || is_internal { Verdict::Refusal } else { verdict };
        // Whoever asks for a contract is no caller: the same exception may come of a call.
        let caller = called.as_ref().filter(|_| asked(sequence, thrown).is_none());
        let place = self.place(thrown, site.as_ref(), caller, verdict);
        let key = match null.filter(|_| verdict == Verdict::Suspicious) {
            Some(null) => format!("{} of {}", thrown.class, nulls::words(null, self.program, self.classes)),
            None => format!("{}{place}", thrown.class),
        };
        let at = site.map(|site| self.with_line(site)).or_else(|| self.asked(called.as_ref()));
        let (key, site) = (plain(&key), plain(&format!("{}{place}", thrown.class)));
        let is_of_use = is_of_program && !is_internal && !self.slips_in_library(thrown);
        Judged { verdict, key, site, is_of_use, at, called }
    }

    /// Whether a library that the program called raised what the JVM raises, as a rule where it found no object, without a word that anybody chose: that is not what a
    /// caller relies on. What the JVM says of an index or a cast counts as chosen: a library may have said it.
    fn slips_in_library(&self, thrown: &Thrown) -> bool {
        let is_worded = thrown.message.as_deref().is_some_and(|message| !message.starts_with("Cannot "));
        let library = thrown.raised_in.iter().find(|frame| self.all.contains(&frame.class));
        let is_slip =
            |frame: &StackFrame| !self.program.contains(&frame.class) && !self.makes(frame, &thrown.class);
        let is_raised = RAISED.iter().any(|class| thrown.is_a(class));
        is_raised && !is_worded && !thrown.declared && library.is_some_and(is_slip)
    }

    /// Whether code of the program is on the stack, or may be, as the stack is not whole. What a class inherits from a library is the library's, and so is what
    /// the compiler writes for an enum.
    fn is_of_program(&self, thrown: &Thrown, called: Option<&MethodRef>) -> bool {
        let frames = &thrown.raised_in;
        let is_ours = |class: &str| self.program.contains(class);
        let above = std::iter::once(None).chain(frames.iter().map(Some));
        let is_enum = |frame: &StackFrame| frame.class == "java.lang.Enum" && frame.method == "valueOf";
        let is_written = |(frame, above): (&StackFrame, Option<&StackFrame>)| {
            is_ours(&frame.class) && !(frame.method == "valueOf" && above.is_some_and(is_enum))
        };
        let is_whole = !frames.is_empty() && frames.len() < MOST_FRAMES;
        frames.iter().zip(above).any(is_written)
            || !is_whole && called.is_none_or(|called| is_ours(&called.owner))
    }

    /// A method of the program that was asked, with its first line if that is known. Without a hashCode() of its own, a class breaks by its equals() what
    /// both promise.
    pub fn asked(&self, method: Option<&MethodRef>) -> Option<StackFrame> {
        let method = method.filter(|method| self.program.contains(&method.owner))?;
        let MethodRef { owner, name, .. } = method;
        let equals = || {
            let (name, descriptor) = ("equals".to_owned(), "(Ljava/lang/Object;)Z".to_owned());
            self.begins(&MethodRef { owner: owner.clone(), name, descriptor })
        };
        let unknown = || StackFrame { class: owner.clone(), method: name.clone(), line: None };
        let other = || (name == "hashCode").then(equals).flatten();
        Some(self.begins(method).or_else(other).unwrap_or_else(unknown))
    }

    /// Whether the test makes an object of the program by a constructor that frameworks need and the program does not: without parameters, not public, beside a
    /// public one that takes some.
    fn uses_bare_object(&self, sequence: &Sequence, thrown: &Thrown) -> bool {
        let mut ran = sequence.statements.iter().take(thrown.statement as usize + 1);
        let is_bare = |statement: &Statement| match &statement.operation {
            Operation::New { constructor, args } if args.is_empty() => {
                let bytes =
                    self.bytes(&constructor.owner).filter(|_| self.program.contains(&constructor.owner));
                bytes.is_some_and(|bytes| made::is_for_frameworks(&bytes).unwrap_or(false))
            }
            _ => false,
        };
        ran.any(is_bare)
    }

    /// A frame, with the line where its method begins if it has none.
    fn with_line(&self, frame: StackFrame) -> StackFrame {
        let (owner, name) = (frame.class.clone(), frame.method.clone());
        let method = MethodRef { owner, name, descriptor: String::new() };
        let begins = if frame.line.is_none() { self.begins(&method) } else { None };
        begins.unwrap_or(frame)
    }

    /// The first line of a method, in the class or in the nearest of its supertypes in the program that has it.
    fn begins(&self, method: &MethodRef) -> Option<StackFrame> {
        let mut open = VecDeque::from([method.owner.clone()]);
        let mut seen = BTreeSet::new();
        while let Some(class) = open.pop_front() {
            if !self.program.contains(&class) || !seen.insert(class.clone()) {
                continue;
            }
            let bytes = self.bytes(&class)?;
            let (line, above) = made::begins(&bytes, &method.name, &method.descriptor).ok()?;
            if let Some(line) = line {
                let line = Some(line).filter(|line| *line > 0);
                return Some(StackFrame { class, method: method.name.clone(), line });
            }
            open.extend(above);
        }
        None
    }

    /// The innermost frame of the program, else of the class paths, else of all; where the stack overflowed, which it does anywhere, the first by name
    /// of the methods that call each other again and again.
    fn site(&self, thrown: &Thrown) -> Option<StackFrame> {
        if thrown.is_a(OVERFLOW) {
            return self.recursive(&thrown.raised_in);
        }
        let has =
            |classes: &BTreeSet<String>| thrown.raised_in.iter().find(|frame| classes.contains(&frame.class));
        has(self.program).or_else(|| has(self.all)).or(thrown.raised_in.first()).cloned()
    }

    /// The first by name of the methods of the program, else of the class paths, that are there more than once.
    fn recursive(&self, frames: &[StackFrame]) -> Option<StackFrame> {
        let first_of = |classes: &BTreeSet<String>| {
            let (mut seen, mut again) = (BTreeSet::new(), BTreeSet::new());
            for frame in frames.iter().filter(|frame| classes.contains(&frame.class)) {
                let method = (frame.class.as_str(), frame.method.as_str());
                if !seen.insert(method) {
                    again.insert(method);
                }
            }
            again.pop_first()
        };
        let (class, method) = first_of(self.program).or_else(|| first_of(self.all))?;
        Some(StackFrame { class: class.to_owned(), method: method.to_owned(), line: None })
    }

    /// Who called the method of this frame, by class and name: a method of the program, else what the test called.
    fn caller(
        &self,
        thrown: &Thrown,
        site: Option<&StackFrame>,
        called: Option<&MethodRef>,
    ) -> Option<String> {
        let is_site = |class: &str, method: &str| {
            site.is_some_and(|site| (site.class.as_str(), site.method.as_str()) == (class, method))
        };
        let is_other = |frame: &&StackFrame| {
            self.program.contains(&frame.class) && !is_site(&frame.class, &frame.method)
        };
        let below = thrown.raised_in.iter().skip_while(|frame| !is_site(&frame.class, &frame.method));
        if let Some(frame) = below.filter(|_| !thrown.is_a(OVERFLOW)).find(is_other) {
            return Some(format!("{}.{}", frame.class, frame.method));
        }
        let named = site.is_some() && thrown.is_a(OVERFLOW);
        let called = called.filter(|called| !named && !is_site(&called.owner, &called.name))?;
        Some(format!("{}.{}", called.owner, called.name))
    }

    fn origin(&self, thrown: &Thrown) -> Origin {
        let frames = &thrown.raised_in;
        let Some(at) = frames.iter().position(|frame| self.all.contains(&frame.class)) else {
            return Origin::Elsewhere;
        };
        let above = at.checked_sub(1).and_then(|above| frames.get(above));
        match (frames.get(at), above) {
            (Some(frame), _) if !self.program.contains(&frame.class) => Origin::Elsewhere,
            (_, Some(_)) if frames.first().is_some_and(is_exact) => Origin::Check,
            (Some(frame), None) if self.makes(frame, &thrown.class) => Origin::Made,
            (_, None) => Origin::Instruction,
            (Some(frame), Some(above)) if is_check(above) && !self.is_of_compiler(frame) => Origin::Check,
            (_, Some(above)) if is_check(above) => Origin::Instruction,
            _ => Origin::Library,
        }
    }

    /// The class file of a class by its binary name.
    fn bytes(&self, class: &str) -> Option<Cow<'_, [u8]>> {
        self.classes.class(class.replace('.', "/").as_bytes())
    }

    /// Whether a `toString` says `return null` itself.
    fn gives_null(&self, asked: Option<&StackFrame>) -> bool {
        let bytes = asked.and_then(|asked| self.bytes(&asked.class));
        bytes.is_some_and(|bytes| {
            made::returns_null(&bytes, "toString", "()Ljava/lang/String;").unwrap_or(false)
        })
    }

    fn makes(&self, frame: &StackFrame, class: &str) -> bool {
        self.bytes(&frame.class)
            .is_some_and(|bytes| made::makes(&bytes, &frame.method, frame.line, class).unwrap_or(false))
    }

    /// Who has it checked at this line that an object is there.
    fn null_check(&self, frame: &StackFrame) -> Option<NullCheck> {
        made::null_check(&self.bytes(&frame.class)?, &frame.method, frame.line).ok().flatten()
    }

    /// Whether the compiler wrote the check that is called from here: nobody refuses anything, as where the JVM finds no object.
    fn is_of_compiler(&self, frame: &StackFrame) -> bool {
        matches!(self.null_check(frame), Some(NullCheck::ByCompiler { .. }))
    }

    /// Whether a field of `this` holds no object, as the JVM or the code where it was raised says.
    fn lacks_field(&self, thrown: &Thrown) -> bool {
        let is_named = |message: &str| message.contains("because \"this.") && message.ends_with("\" is null");
        let checked = || thrown.raised_in.first().is_some_and(is_check).then(|| thrown.raised_in.get(1))?;
        thrown.message.as_deref().is_some_and(is_named)
            || checked().and_then(|frame| self.null_check(frame))
                == Some(NullCheck::ByCompiler { is_field: true })
    }

    /// Whether code of the class, or of a class of the program above it, was running.
    fn is_running(&self, thrown: &Thrown, class: &str) -> bool {
        let (mut open, mut seen) = (vec![class.to_owned()], BTreeSet::new());
        while let Some(class) = open.pop() {
            if thrown.raised_in.iter().any(|frame| frame.class == class) {
                return true;
            }
            if self.program.contains(&class) && seen.insert(class.clone()) {
                let above = self.bytes(&class).and_then(|bytes| made::supertypes(&bytes).ok());
                open.extend(above.unwrap_or_default());
            }
        }
        false
    }

    /// Whether only classes of its own package can call a constructor or a method of the program.
    fn is_of_package(&self, method: &MethodRef) -> bool {
        let bytes = self.bytes(&method.owner).filter(|_| self.program.contains(&method.owner));
        bytes.is_some_and(|bytes| {
            made::is_of_package(&bytes, &method.name, &method.descriptor).unwrap_or(false)
        })
    }

    /// ` in a.Door.turn:12, called by a.House.open`.
    fn place(
        &self,
        thrown: &Thrown,
        site: Option<&StackFrame>,
        called: Option<&MethodRef>,
        verdict: Verdict,
    ) -> String {
        let mut place = String::new();
        if let Some(StackFrame { class, method, line }) = site {
            let line = line.map_or_else(String::new, |line| format!(":{line}"));
            place += &format!(" in {class}.{method}{line}");
        }
        if let Some(caller) = self.caller(thrown, site, called).filter(|_| verdict > Verdict::Refusal) {
            place += &format!(", called by {caller}");
        }
        place
    }
}

/// The text as every compiler reads it.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii() && !c.is_control() { c } else { '?' }).collect()
}

/// Whether this is a method of the JDK by which code checks what it was given.
fn is_check(frame: &StackFrame) -> bool {
    frame.class == "java.util.Objects"
        && ["requireNonNull", "check"].iter().any(|name| frame.method.starts_with(name))
}

/// Whether this is a method of the JDK that calculates or refuses: whoever calls it asks for the exception.
fn is_exact(frame: &StackFrame) -> bool {
    ["java.lang.Math", "java.lang.StrictMath"].contains(&frame.class.as_str())
        && frame.method.ends_with("Exact")
}

/// The table of decisions: the first row that fits.
fn decide(
    thrown: &Thrown,
    origin: Origin,
    called: Option<&MethodRef>,
    (is_absurd, is_of_null): (bool, bool),
) -> Verdict {
    let is = |classes: &[&str]| classes.iter().any(|class| thrown.is_a(class));
    let finding = if is_absurd { Verdict::Suspicious } else { Verdict::Fault };
    match origin {
        // The class path, or the memory, may be too small.
        _ if is(&["java.lang.LinkageError", "java.lang.OutOfMemoryError"]) => Verdict::Suspicious,
        _ if is(&["java.lang.AssertionError", "java.lang.VirtualMachineError"]) => finding,
        _ if thrown.declared => Verdict::Refusal,
        Origin::Elsewhere => Verdict::Refusal,
        _ if called.is_some_and(is_comparison) && is(by_comparing(is_of_null)) => Verdict::Refusal,
        Origin::Instruction if is(RAISED) => finding,
        Origin::Library if is(RAISED) || is(SLIPS) => finding,
        _ if called.is_some_and(must_return) => Verdict::Suspicious,
        _ => Verdict::Refusal,
    }
}

/// The method that the test called when the exception came, or that an object was asked for to keep a contract.
fn called(sequence: &Sequence, thrown: &Thrown) -> Option<MethodRef> {
    match &sequence.statements.get(thrown.statement as usize)?.operation {
        Operation::New { constructor: method, .. } | Operation::Call { method, .. } => Some(method.clone()),
        Operation::Contract { clause, class, .. } => {
            let descriptor = match clause.method() {
                "equals" => "(Ljava/lang/Object;)Z",
                "hashCode" => "()I",
                "toString" => "()Ljava/lang/String;",
                "compareTo" => "(Ljava/lang/Object;)I",
                _ => "()Ljava/lang/Object;",
            };
            let (owner, name) = (class.clone(), clause.method().to_owned());
            Some(MethodRef { owner, name, descriptor: descriptor.to_owned() })
        }
        _ => None,
    }
}

/// The clause of a contract that was asked about when the exception came, and the class that promises it.
fn asked<'a>(sequence: &'a Sequence, thrown: &Thrown) -> Option<(Clause, &'a str)> {
    match &sequence.statements.get(thrown.statement as usize)?.operation {
        Operation::Contract { clause, class, .. } => Some((*clause, class)),
        _ => None,
    }
}

/// What a broken contract says: that `clone` gives another object is a convention only, and the object or the method may be what excuses it.
fn of_contract(clause: Clause, is_excused: bool) -> Verdict {
    if is_excused || clause == Clause::ClonesApart { Verdict::Suspicious } else { Verdict::Fault }
}

/// What `compareTo` may throw, of null or of something else.
fn by_comparing(is_of_null: bool) -> &'static [&'static str] {
    if is_of_null { &BY_COMPARING } else { &BY_COMPARING[1..] }
}

/// Whether the call that throws is passed null.
fn passes_null(sequence: &Sequence, (results, _): Gave, thrown: &Thrown) -> bool {
    let Some(statement) = sequence.statements.get(thrown.statement as usize) else { return false };
    let Operation::Call { args, .. } = &statement.operation else { return false };
    args.iter().any(|arg| is_null(arg, results))
}

fn is_comparison(method: &MethodRef) -> bool {
    method.name == "compareTo" && method.descriptor.ends_with(")I")
}

fn is_equals(method: &MethodRef) -> bool {
    (method.name.as_str(), method.descriptor.as_str()) == ("equals", "(Ljava/lang/Object;)Z")
}

/// By their contracts these throw nothing.
fn must_return(method: &MethodRef) -> bool {
    let others = [("hashCode", "()I"), ("toString", "()Ljava/lang/String;")];
    is_equals(method) || others.contains(&(method.name.as_str(), method.descriptor.as_str()))
}

/// Whether the test passes what nobody may be expected to cope with: null, literal or as an earlier call gave it, an extreme number, an array
/// with empty places; to the call that throws, or as what a stub answers, a number that may be the index, the size or the divisor. `equals(null)` is an ordinary question.
fn is_absurd(sequence: &Sequence, (results, same): Gave, thrown: &Thrown) -> bool {
    let until = thrown.statement as usize;
    let ran = || sequence.statements.iter().take(until + 1).enumerate();
    let by_number = BY_NUMBERS.iter().any(|class| thrown.is_a(class));
    let is_odd = |(at, statement): (usize, &Statement)| {
        let is_question = at == until && called(sequence, thrown).as_ref().is_some_and(is_equals);
        let is_stub = matches!(statement.operation, Operation::Stub { .. });
        statement.operation.args().into_iter().any(|arg| match arg {
            _ if is_null(arg, results) => !is_question,
            Arg::Value(value) => {
                number(value).is_some_and(|n| is_extreme(n) || (at == until || is_stub) && by_number)
            }
            Arg::Var(_) => false,
        })
    };
    let is_circle = || thrown.is_a(OVERFLOW) && has_circle(ran().map(|(_, one)| one), same);
    ran().any(is_odd) || ran().any(|(at, statement)| has_empty_places(sequence, at, statement)) || is_circle()
}

/// Whether the test hands an object, straight or through others, to itself: what follows the references of such objects need not end.
fn has_circle<'s>(statements: impl Iterator<Item = &'s Statement>, same: &BTreeMap<u32, u32>) -> bool {
    let mut given: Vec<(u32, u32)> = vec![];
    let object = |variable: u32| same.get(&variable).copied().unwrap_or(variable);
    for (at, statement) in (0..).zip(statements) {
        let holder = match &statement.operation {
            // What a static method gives may be, or hold, what it was given.
            Operation::New { .. } | Operation::Stub { .. } | Operation::Call { receiver: None, .. } => at,
            // Questions keep nothing.
            Operation::Call { method, .. } if is_equals(method) || is_comparison(method) => continue,
            Operation::Call { receiver: Some(Arg::Var(receiver)), .. } => *receiver,
            Operation::ArrayStore { array: Arg::Var(array), .. } => *array,
            _ => continue,
        };
        let args: Vec<u32> = match &statement.operation {
            Operation::New { args, .. } | Operation::Call { args, .. } => variables(args).collect(),
            Operation::ArrayStore { value, .. } => variables([value]).collect(),
            stub @ Operation::Stub { .. } => variables(stub.args()).collect(),
            _ => vec![],
        };
        let (holder, args) = (object(holder), args.into_iter().map(object).collect::<Vec<_>>());
        if args.iter().any(|arg| *arg == holder || leads_to(&given, *arg, holder)) {
            return true;
        }
        given.extend(args.into_iter().map(|arg| (holder, arg)));
    }
    false
}

fn variables<'a>(args: impl IntoIterator<Item = &'a Arg>) -> impl Iterator<Item = u32> {
    args.into_iter().filter_map(|arg| match arg {
        Arg::Var(variable) => Some(*variable),
        Arg::Value(_) => None,
    })
}

/// Whether one object was given another, straight or through others.
fn leads_to(given: &[(u32, u32)], from: u32, to: u32) -> bool {
    let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(holder) = open.pop() {
        let next = given.iter().filter(|(one, _)| *one == holder).map(|(_, other)| *other);
        open.extend(next.filter(|other| seen.insert(*other)));
    }
    seen.contains(&to)
}

fn is_extreme(number: f64) -> bool {
    !number.is_finite() || number.abs() >= EXTREME
}

fn number(value: &Value) -> Option<f64> {
    Some(match value {
        Value::Byte(n) => f64::from(*n),
        Value::Short(n) => f64::from(*n),
        Value::Int(n) => f64::from(*n),
        Value::Long(n) => *n as f64,
        Value::Float(bits) => f64::from(f32::from_bits(*bits)),
        Value::Double(bits) => f64::from_bits(*bits),
        Value::Boxed(inner) => return number(inner),
        Value::Null
        | Value::Bool(_)
        | Value::Char(_)
        | Value::Str(_)
        | Value::Enum(..)
        | Value::Class(_)
        | Value::Parsed(..) => {
            return None;
        }
    })
}

/// Whether a statement makes an array of references and not all of its places are filled.
fn has_empty_places(sequence: &Sequence, at: usize, statement: &Statement) -> bool {
    let Operation::NewArray { descriptor, length } = &statement.operation else { return false };
    let fills = |other: &Statement| match &other.operation {
        Operation::ArrayStore { array: Arg::Var(array), index, .. } if *array as usize == at => Some(*index),
        _ => None,
    };
    let filled: BTreeSet<u32> = sequence.statements.iter().filter_map(fills).collect();
    let is_of_references =
        descriptor.strip_prefix('[').is_some_and(|element| element.starts_with(['[', 'L']));
    is_of_references && filled.len() < *length as usize
}

#[cfg(test)]
mod tests {
    use super::Origin::{Check, Elsewhere, Instruction, Library, Made};
    use super::Verdict::{Fault, Refusal, Suspicious};
    use super::*;
    use dynaflow_model::sequence::Answer;
    use dynaflow_model::sites::CallKind;

    const NOTHING: Gave<'static> = (&[], &BTreeMap::new());
    const RUNTIME: &[&str] = &["java.lang.RuntimeException", "java.lang.Exception", "java.lang.Throwable"];

    fn above(class: &str) -> Vec<String> {
        let nearer: &[&str] = match class {
            "java.lang.ArrayIndexOutOfBoundsException" | "java.lang.StringIndexOutOfBoundsException" => {
                &["java.lang.IndexOutOfBoundsException"]
            }
            "java.lang.NoClassDefFoundError" => &["java.lang.LinkageError"],
            "java.lang.StackOverflowError" | "java.lang.OutOfMemoryError" => {
                &["java.lang.VirtualMachineError"]
            }
            _ => &[],
        };
        nearer.iter().chain(RUNTIME).map(|&class| class.to_owned()).collect()
    }

    fn thrown(class: &str, statement: u32) -> Thrown {
        let class = if class.contains('.') { class.to_owned() } else { format!("java.lang.{class}") };
        Thrown {
            statement,
            superclasses: above(&class),
            class,
            message: None,
            declared: false,
            on_purpose: false,
            raised_in: vec![],
        }
    }

    fn method(name: &str, descriptor: &str) -> MethodRef {
        MethodRef { owner: "a.Door".into(), name: name.into(), descriptor: descriptor.into() }
    }

    type Called = (&'static str, &'static str);
    const TURN: Called = ("turn", "(I)V");
    const EQUALS: Called = ("equals", "(Ljava/lang/Object;)Z");
    const HASH: Called = ("hashCode", "()I");
    const TEXT: Called = ("toString", "()Ljava/lang/String;");
    const COMPARE: Called = ("compareTo", "(La/Door;)I");

    /// What happened, the exception, who raised it, the called method; the verdict, and that when the test asked for the absurd.
    const ROWS: &[(&str, &str, Origin, Called, [Verdict; 2])] = &[
        ("null was dereferenced", "NullPointerException", Instruction, TURN, [Fault, Suspicious]),
        ("a wrong cast", "ClassCastException", Instruction, TURN, [Fault, Suspicious]),
        ("a division by zero", "ArithmeticException", Instruction, TURN, [Fault, Suspicious]),
        ("behind an array", "ArrayIndexOutOfBoundsException", Instruction, TURN, [Fault, Suspicious]),
        ("behind a text", "StringIndexOutOfBoundsException", Library, TURN, [Fault, Suspicious]),
        ("an array of size -1", "NegativeArraySizeException", Instruction, TURN, [Fault, Suspicious]),
        ("a wrong element", "ArrayStoreException", Instruction, TURN, [Fault, Suspicious]),
        ("a failed assertion", "AssertionError", Made, TURN, [Fault, Suspicious]),
        ("an endless recursion", "StackOverflowError", Instruction, TURN, [Fault, Suspicious]),
        ("memory ran out", "OutOfMemoryError", Instruction, TURN, [Suspicious, Suspicious]),
        (
            "the class path lacks something",
            "NoClassDefFoundError",
            Instruction,
            TURN,
            [Suspicious, Suspicious],
        ),
        ("`throw new`", "IllegalArgumentException", Made, TURN, [Refusal, Refusal]),
        ("`throw new NullPointerException`", "NullPointerException", Made, TURN, [Refusal, Refusal]),
        ("`requireNonNull`, `checkIndex`", "NullPointerException", Check, TURN, [Refusal, Refusal]),
        ("`addExact`, `toIntExact`", "ArithmeticException", Check, TURN, [Refusal, Refusal]),
        ("a division in the JDK", "ArithmeticException", Library, TURN, [Fault, Suspicious]),
        ("null in a method of the JDK", "NullPointerException", Library, TURN, [Fault, Suspicious]),
        ("the JDK refuses what was passed on", "NumberFormatException", Library, TURN, [Refusal, Refusal]),
        (
            "changed under an iterator",
            "java.util.ConcurrentModificationException",
            Library,
            TURN,
            [Fault, Suspicious],
        ),
        ("a constant of the program", "IllegalStateException", Instruction, TURN, [Refusal, Refusal]),
        ("not in the program", "NullPointerException", Elsewhere, TURN, [Refusal, Refusal]),
        ("`equals` slips", "NullPointerException", Instruction, EQUALS, [Fault, Suspicious]),
        ("`equals` refuses", "IllegalStateException", Made, EQUALS, [Suspicious, Suspicious]),
        ("`hashCode` refuses", "UnsupportedOperationException", Made, HASH, [Suspicious, Suspicious]),
        ("`toString` refuses", "IllegalStateException", Made, TEXT, [Suspicious, Suspicious]),
        (
            "`compareTo` of what lacks something",
            "NullPointerException",
            Instruction,
            COMPARE,
            [Fault, Suspicious],
        ),
        ("`compareTo` of another class", "ClassCastException", Instruction, COMPARE, [Refusal, Refusal]),
        ("`compareTo` divides", "ArithmeticException", Instruction, COMPARE, [Fault, Suspicious]),
    ];

    #[test]
    fn every_row_of_the_table_decides_as_its_words_say() {
        for (words, class, origin, (name, descriptor), [verdict, if_absurd]) in ROWS {
            let (thrown, called) = (thrown(class, 0), method(name, descriptor));
            assert_eq!(decide(&thrown, *origin, Some(&called), (false, false)), *verdict, "{words}");
            assert_eq!(
                decide(&thrown, *origin, Some(&called), (true, false)),
                *if_absurd,
                "{words}, asked for the absurd"
            );
        }
        let announced = |class| Thrown { declared: true, ..thrown(class, 0) };
        let turn = method(TURN.0, TURN.1);
        let decided = |class, origin| decide(&announced(class), origin, Some(&turn), (false, false));
        assert_eq!(decided("NullPointerException", Instruction), Refusal, "announced");
        assert_eq!(decided("AssertionError", Made), Fault, "whoever announces it");
    }

    /// A contract that an object breaks which was made with this.
    fn broken(clause: Clause, arg: Value) -> (Sequence, Thrown) {
        let one = Arg::Var(0);
        let asks = Operation::Contract { clause, class: "a.Door".into(), one, other: None };
        let constructor = method("<init>", "(I)V");
        let makes = Operation::New { constructor, args: vec![Arg::Value(arg)] };
        let statement =
            |operation| Statement { operation, result: "La/Door;".into(), runtime_class: None, caught: None };
        (Sequence { statements: vec![statement(makes), statement(asks)] }, thrown("AssertionError", 1))
    }

    #[test]
    fn a_broken_contract_is_a_fault_and_a_broken_convention_or_one_of_an_extreme_object_suspicious() {
        let (program, all) = (names(&["a.Door"]), names(&["a.Door"]));
        let judged = |(sequence, thrown): &(Sequence, Thrown)| {
            let judged = judge(&program, &all).judge(sequence, NOTHING, thrown);
            (judged.verdict, judged.key)
        };
        for clause in Clause::ALL {
            let verdict = if clause == Clause::ClonesApart { Suspicious } else { Fault };
            let [plain, extreme] = [1, i32::MIN].map(|number| broken(clause, Value::Int(number)));
            assert_eq!(judged(&plain), (verdict, clause.broken_by("a.Door")));
            assert_eq!(judged(&extreme).0, Suspicious);
        }
        // What a method raises that was asked is another failure.
        let (asked, _) = broken(Clause::DiffersFromNull, Value::Int(1));
        let raised = frames(&[("a.Door", "equals", 7)]);
        let raised = Thrown { raised_in: raised, ..thrown("NullPointerException", 1) };
        let found = (Fault, "java.lang.NullPointerException in a.Door.equals:7".to_owned());
        assert_eq!(judged(&(asked, raised.clone())), found);
        let (hashed, _) = broken(Clause::HashesAlike, Value::Int(1));
        assert_eq!(judged(&(hashed, raised)), found, "whatever was asked for");
        let (compared, _) = broken(Clause::ComparesToItself, Value::Int(1));
        let raised = frames(&[("a.Door", "compareTo", 9)]);
        let raised = Thrown { raised_in: raised, ..thrown("ClassCastException", 1) };
        assert_eq!(judged(&(compared, raised)).0, Refusal, "compareTo may refuse");
        let to = |other: Arg| {
            let (mut compares, _) = broken(Clause::ComparesToItself, Value::Int(1));
            let (method, kind) = (method(COMPARE.0, COMPARE.1), CallKind::Virtual);
            compares.statements[1].operation =
                Operation::Call { method, kind, receiver: Some(Arg::Var(0)), args: vec![other] };
            let raised_in = frames(&[("a.Door", "compareTo", 9)]);
            judged(&(compares, Thrown { raised_in, ..thrown("NullPointerException", 1) })).0
        };
        assert_eq!((to(Arg::Value(Value::Null)), to(Arg::Var(0))), (Refusal, Fault), "null alone is refused");
    }

    /// No class is there.
    struct Nothing;

    impl ClassSource for Nothing {
        fn class(&self, _: &[u8]) -> Option<std::borrow::Cow<'_, [u8]>> {
            None
        }
    }

    fn judge<'a>(program: &'a BTreeSet<String>, all: &'a BTreeSet<String>) -> Judge<'a> {
        Judge::new(program, all, &Nothing)
    }

    /// The class file of `a.Door` with this access, which has a public constructor that takes an object.
    struct Door(u8);

    impl ClassSource for Door {
        fn class(&self, name: &[u8]) -> Option<std::borrow::Cow<'_, [u8]>> {
            let text = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
            let pool = [
                vec![7, 0, 2],
                text("a/Door"),
                vec![7, 0, 4],
                text("java/lang/Object"),
                text("<init>"),
                text("(Ljava/lang/Object;)V"),
            ];
            let head = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 7];
            let class = vec![0, self.0, 0, 1, 0, 3, 0, 0, 0, 0];
            let method = vec![0, 1, 0, 1, 0, 5, 0, 6, 0, 0, 0, 0];
            (name == b"a/Door").then(|| [head, pool.concat(), class, method].concat().into())
        }
    }

    #[test]
    fn null_passed_to_what_only_the_package_can_call_is_no_finding_and_worth_no_test() {
        let (program, all) = (names(&["a.Door"]), names(&["a.Door"]));
        let constructor = MethodRef {
            owner: "a.Door".into(),
            name: "<init>".into(),
            descriptor: "(Ljava/lang/Object;)V".into(),
        };
        let makes = |given: Value| {
            let operation =
                Operation::New { constructor: constructor.clone(), args: vec![Arg::Value(given)] };
            Sequence {
                statements: vec![Statement {
                    operation,
                    result: "La/Door;".into(),
                    runtime_class: None,
                    caught: None,
                }],
            }
        };
        let thrown =
            Thrown { raised_in: frames(&[("a.Door", "<init>", 3)]), ..thrown("NullPointerException", 0) };
        let judged = |access: u8, given: Value| {
            let judged = Judge::new(&program, &all, &Door(access)).judge(&makes(given), NOTHING, &thrown);
            (judged.verdict, judged.is_of_use)
        };
        const PUBLIC: u8 = 0x21;
        const HIDDEN: u8 = 0x20;
        assert_eq!(judged(PUBLIC, Value::Null), (Suspicious, true));
        assert_eq!(judged(HIDDEN, Value::Null), (Refusal, false));
        assert_eq!(judged(HIDDEN, Value::Str("key".into())), (Fault, true), "null is not to blame");
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn frames(frames: &[(&str, &str, u32)]) -> Vec<StackFrame> {
        let frame = |(class, method, line): &(&str, &str, u32)| StackFrame {
            class: (*class).to_owned(),
            method: (*method).to_owned(),
            line: Some(*line),
        };
        frames.iter().map(frame).collect()
    }

    #[test]
    fn who_raised_it_is_read_off_the_frames() {
        let (program, all) = (names(&["a.Door"]), names(&["a.Door", "a.DoorTest"]));
        let judge = judge(&program, &all);
        let origin = |stack: &[(&str, &str, u32)]| {
            judge.origin(&Thrown { raised_in: frames(stack), ..thrown("NullPointerException", 0) })
        };
        assert_eq!(origin(&[("a.Door", "turn", 3), ("a.DoorTest", "t", 1)]), Instruction);
        assert_eq!(origin(&[("java.util.Objects", "requireNonNull", 3), ("a.Door", "turn", 3)]), Check);
        assert_eq!(origin(&[("java.util.Objects", "checkIndex", 3), ("a.Door", "turn", 3)]), Check);
        let inside = [
            ("java.util.Objects", "requireNonNull", 3),
            ("java.util.TreeMap", "put", 1),
            ("a.Door", "turn", 3),
        ];
        assert_eq!(origin(&inside), Library, "the map's own check");
        let exact = ("java.lang.Math", "addExact", 883);
        assert_eq!(origin(&[exact, ("a.Door", "turn", 3)]), Check);
        assert_eq!(origin(&[exact, ("java.time.LocalDate", "plusDays", 1), ("a.Door", "turn", 3)]), Check);
        assert_eq!(origin(&[("java.lang.Math", "floorMod", 9), ("a.Door", "turn", 3)]), Library);
        assert_eq!(origin(&[exact, ("a.DoorTest", "help", 3)]), Elsewhere, "not the program asked");
        assert_eq!(origin(&[("a.DoorTest", "help", 3), ("a.Door", "turn", 3)]), Elsewhere);
        assert_eq!(origin(&[("java.util.ArrayList", "get", 3)]), Elsewhere);
        assert_eq!(origin(&[]), Elsewhere);
    }

    fn call(name: &str, descriptor: &str, args: Vec<Arg>) -> Statement {
        let (kind, receiver) = (dynaflow_model::sites::CallKind::Virtual, Some(Arg::Var(0)));
        let operation = Operation::Call { method: method(name, descriptor), kind, receiver, args };
        Statement { operation, result: "V".into(), runtime_class: None, caught: None }
    }

    #[test]
    fn what_a_library_refuses_on_its_own_is_not_of_the_program() {
        let (program, all) = (names(&["a.Door"]), names(&["a.Door"]));
        let is_of_program = |owner: &str, stack: &[(&str, &str, u32)]| {
            let mut called = call("of", "(Ljava/lang/Object;)V", vec![Arg::Value(Value::Null)]);
            if let Operation::Call { method, .. } = &mut called.operation {
                method.owner = owner.into();
            }
            let thrown = Thrown { raised_in: frames(stack), ..thrown("NullPointerException", 0) };
            judge(&program, &all).judge(&Sequence { statements: vec![called] }, NOTHING, &thrown).is_of_use
        };
        let of_library = ("java.util.concurrent.Executors", "of", 9);
        assert!(!is_of_program("java.util.concurrent.Executors", &[of_library]));
        assert!(is_of_program("java.util.concurrent.Executors", &[of_library, ("a.Door", "run", 3)]));
        assert!(!is_of_program("a.Door", &[of_library]), "an inherited method");
        assert!(is_of_program("a.Door", &[]), "a stack that is not reported");
        assert!(is_of_program("a.Door", &[of_library; MOST_FRAMES]), "and one that is cut off");
        let value_of = ("java.lang.Enum", "valueOf", 9);
        assert!(!is_of_program("a.Door", &[value_of, ("a.Door", "valueOf", 3)]), "the compiler wrote it");
        assert!(is_of_program("a.Door", &[value_of, ("a.Door", "valueOf", 3), ("a.Door", "turn", 3)]));
    }

    fn array(length: u32, filled: u32) -> Vec<Statement> {
        let statement =
            |operation| Statement { operation, result: "V".into(), runtime_class: None, caught: None };
        let made = Operation::NewArray { descriptor: "[Ljava/lang/String;".into(), length };
        let store = |index| Operation::ArrayStore { array: Arg::Var(0), index, value: Arg::Var(9) };
        [made].into_iter().chain((0..filled).map(store)).map(statement).collect()
    }

    #[test]
    fn nulls_and_extreme_numbers_of_the_test_are_absurd_and_so_are_numbers_where_they_may_be_the_index() {
        let int = |n| Arg::Value(Value::Int(n));
        let null = || Arg::Value(Value::Null);
        let absurd = |class: &str, statements: Vec<Statement>| {
            let last = u32::try_from(statements.len() - 1).unwrap();
            is_absurd(&Sequence { statements }, NOTHING, &thrown(class, last))
        };
        let npe = "NullPointerException";
        assert!(!absurd(npe, vec![call("turn", "(I)V", vec![int(3)])]));
        assert!(absurd(npe, vec![call("turn", "(I)V", vec![int(i32::MIN)])]));
        assert!(
            absurd(npe, vec![call("put", "(La;)V", vec![null()]), call("turn", "()V", vec![])]),
            "earlier"
        );
        assert!(absurd(npe, vec![call("turn", "(D)V", vec![Arg::Value(Value::Double(f64::NAN.to_bits()))])]));
        let passed = |result: Value| {
            let statements = vec![call("find", "()La;", vec![]), call("turn", "(La;)V", vec![Arg::Var(0)])];
            is_absurd(
                &Sequence { statements },
                (&[Observed::Value(result)], &BTreeMap::new()),
                &thrown(npe, 1),
            )
        };
        assert!(passed(Value::Null) && !passed(Value::Str("a".into())), "a null that a call gave");
        let stub = |answer: Arg| {
            let answers = vec![(method("find", "()I"), Answer::Arg(answer))];
            let operation = Operation::Stub { interface: "a.Store".into(), answers };
            Statement { operation, result: "La/Store;".into(), runtime_class: None, caught: None }
        };
        let answering = |class, answer| absurd(class, vec![stub(answer), call("turn", "()V", vec![])]);
        assert!(answering(npe, null()) && !answering(npe, int(3)), "what a stub answers");
        assert!(answering("IndexOutOfBoundsException", int(3)));
        let boxed = Arg::Value(Value::Boxed(Box::new(Value::Long(i64::MAX))));
        assert!(absurd(npe, vec![call("turn", "(La;)V", vec![boxed])]));
        let equals = "(Ljava/lang/Object;)Z";
        assert!(!absurd(npe, vec![call("equals", equals, vec![null()])]), "an ordinary question");
        assert!(absurd(npe, vec![call("put", "(La;)V", vec![null()]), call("equals", equals, vec![null()])]));
        for (class, expected) in
            [("ArithmeticException", true), ("NegativeArraySizeException", true), (npe, false)]
        {
            assert_eq!(absurd(class, vec![call("turn", "(I)V", vec![int(0)])]), expected, "{class}");
            assert!(
                !absurd(class, vec![call("set", "(I)V", vec![int(0)]), call("turn", "()V", vec![])]),
                "{class}"
            );
        }
        let with = |made: Vec<Statement>| -> Vec<Statement> {
            made.into_iter().chain([call("turn", "()V", vec![])]).collect()
        };
        assert!(
            absurd(npe, with(array(2, 1)))
                && !absurd(npe, with(array(2, 2)))
                && !absurd(npe, with(array(0, 0)))
        );
    }

    #[test]
    fn objects_handed_to_themselves_are_absurd_where_a_stack_overflows() {
        let on = |receiver: u32, name: &str, descriptor: &str, arg: u32| {
            let mut statement = call(name, descriptor, vec![Arg::Var(arg)]);
            if let Operation::Call { receiver: on, .. } = &mut statement.operation {
                *on = Some(Arg::Var(receiver));
            }
            statement
        };
        let absurd = |class: &str, statements: &[Statement]| {
            let last = u32::try_from(statements.len() - 1).unwrap();
            is_absurd(&Sequence { statements: statements.to_vec() }, NOTHING, &thrown(class, last))
        };
        let overflow = "StackOverflowError";
        assert!(absurd(overflow, &[on(0, "add", "(La;)V", 0)]));
        assert!(!absurd("ArrayStoreException", &[on(0, "add", "(La;)V", 0)]));
        let (there, back) = (on(0, "add", "(La;)V", 1), on(1, "add", "(La;)V", 0));
        assert!(absurd(overflow, &[there.clone(), back]), "through another");
        let (made, fluent) = (call("make", "()La;", vec![]), on(0, "with", "()La;", 0));
        let same = BTreeMap::from([(1, 0)]);
        let sequence = Sequence { statements: vec![made.clone(), fluent, on(0, "add", "(La;)V", 1)] };
        assert!(is_absurd(&sequence, (&[], &same), &thrown(overflow, 2)), "by what a fluent call gave");
        let mut wrapped = call("wrap", "(La;)La;", vec![Arg::Var(1)]);
        if let Operation::Call { receiver, .. } = &mut wrapped.operation {
            *receiver = None;
        }
        let made = call("make", "()La;", vec![]);
        assert!(absurd(overflow, &[made.clone(), made, wrapped, on(1, "add", "(La;)V", 2)]), "wrapped");
        assert!(!absurd(overflow, &[there.clone(), there, on(1, "add", "(La;)V", 2)]), "a chain");
        assert!(!absurd(overflow, &[on(0, EQUALS.0, EQUALS.1, 0)]), "an ordinary question");
    }

    #[test]
    fn a_failure_is_named_by_exception_innermost_line_of_the_program_and_the_method_that_called_that_one() {
        let classes = names(&["a.Door", "a.House"]);
        let judge = judge(&classes, &classes);
        let npe = "java.lang.NullPointerException";
        let stack = [("java.lang.String", "length", 9), ("a.Door", "turn", 12), ("a.House", "open", 4)];
        let key = |class: &str, stack: &[(&str, &str, u32)]| judged(&judge, class, stack).key;
        let by_house = format!("{npe} in a.Door.turn:12, called by a.House.open");
        assert_eq!(key("NullPointerException", &stack), by_house);
        let further = [&stack[..], &[("a.House", "visit", 7)]].concat();
        assert_eq!(key("NullPointerException", &further), by_house, "whoever called that one");
        let again = [("a.Door", "turn", 12), ("a.Door", "turn", 13), ("a.House", "open", 4)];
        assert_eq!(key("NullPointerException", &again), by_house, "a method that calls itself");
        assert_eq!(key("NullPointerException", &stack[2..]), format!("{npe} in a.House.open:4"));
        assert_eq!(key("NullPointerException", &stack[..2]), by_house, "where no frame says it");
        assert_eq!(key("IllegalStateException", &stack), "java.lang.IllegalStateException in a.Door.turn:12");
    }

    #[test]
    fn what_a_null_raises_is_named_by_where_the_null_went_and_knows_its_place() {
        let classes = names(&["a.Door", "a.House"]);
        let judge = judge(&classes, &classes);
        let of = |arg: Value, class: &str| {
            let sequence = Sequence { statements: vec![call("turn", "(La/Key;)V", vec![Arg::Value(arg)])] };
            let raised_in = frames(&[("a.Door", "check", 3), ("a.Door", "turn", 12)]);
            judge.judge(&sequence, NOTHING, &Thrown { raised_in, ..thrown(class, 0) })
        };
        let (npe, place) = ("java.lang.NullPointerException", "in a.Door.check:3, called by a.Door.turn");
        let of_null = of(Value::Null, "NullPointerException");
        assert_eq!(of_null.key, format!("{npe} of null passed to a.Door.turn(Key)"));
        assert_eq!((of_null.verdict, of_null.site), (Suspicious, format!("{npe} {place}")));
        let of_text = of(Value::Str("oak".into()), "NullPointerException");
        assert_eq!(
            (of_text.verdict, &of_text.key, &of_text.site),
            (Fault, &format!("{npe} {place}"), &of_text.key)
        );
        let cast = of(Value::Null, "ClassCastException");
        assert_eq!(cast.key, format!("java.lang.ClassCastException {place}"), "not what null raises");
    }

    #[test]
    fn what_a_library_stumbles_over_is_worth_no_test_and_what_it_says_in_words_of_its_own_is() {
        let (program, all) = (names(&["a.Door"]), names(&["a.Door", "lib.Cache"]));
        let judge = judge(&program, &all);
        let sequence = Sequence { statements: vec![call("turn", "()V", vec![])] };
        let is_of_use = |class: &str, message: Option<&str>, stack: &[(&str, &str, u32)]| {
            let message = message.map(str::to_owned);
            let thrown = Thrown { raised_in: frames(stack), message, ..thrown(class, 0) };
            let judged = judge.judge(&sequence, NOTHING, &thrown);
            assert_eq!(judged.verdict, Refusal, "{class} {message:?}", message = thrown.message);
            judged.is_of_use
        };
        let (cache, door) = (("lib.Cache", "compute", 8), ("a.Door", "turn", 12));
        let checked = [("java.util.Objects", "requireNonNull", 233), cache, door];
        assert!(!is_of_use("NullPointerException", None, &checked));
        let invoked = Some("Cannot invoke \"Object.hashCode()\" because \"<parameter1>\" is null");
        assert!(!is_of_use("NullPointerException", invoked, &[cache, door]), "the JVM says it");
        assert!(is_of_use("NullPointerException", Some("the key"), &checked), "the library says it");
        assert!(is_of_use("IllegalArgumentException", None, &[cache, door]));
    }

    #[test]
    fn null_that_a_constructor_took_without_a_word_is_no_finding_and_worth_no_test() {
        let classes = names(&["a.Door"]);
        let judge = judge(&classes, &classes);
        let judged = |message: &str| {
            let mut made = call("turn", "()V", vec![]);
            let constructor = method("<init>", "(La/Key;)V");
            made.operation = Operation::New { constructor, args: vec![Arg::Value(Value::Null)] };
            let sequence = Sequence { statements: vec![made, call("turn", "()V", vec![])] };
            let raised_in = frames(&[("a.Door", "turn", 12)]);
            let message = Some(message.to_owned());
            let thrown = Thrown { raised_in, message, ..thrown("NullPointerException", 1) };
            let judged = judge.judge(&sequence, NOTHING, &thrown);
            (judged.verdict, judged.is_of_use)
        };
        let invoked = "Cannot invoke \"a.Key.bits()\" because";
        assert_eq!(judged(&format!("{invoked} \"this.key\" is null")), (Refusal, false));
        assert_eq!(
            judged(&format!("{invoked} \"<local1>\" is null")),
            (Suspicious, true),
            "it may be another"
        );
    }

    #[test]
    fn a_stack_that_overflowed_is_named_by_the_first_method_of_the_program_that_comes_again_wherever_it_happened()
     {
        let (program, all) = (names(&["a.Door", "a.House"]), names(&["a.Door", "a.House", "a.Check"]));
        let judge = judge(&program, &all);
        let overflow = |stack: &[(&str, &str, u32)]| judged(&judge, "StackOverflowError", stack);
        let (hash, turn, open) =
            (("java.util.List", "hashCode", 9), ("a.Door", "turn", 12), ("a.House", "open", 4));
        let name = "java.lang.StackOverflowError";
        for stack in [[open, turn, hash, open, turn], [hash, open, turn, hash, turn]] {
            assert_eq!(overflow(&stack).key, format!("{name} in a.Door.turn"));
        }
        assert_eq!(overflow(&[hash, hash]).key, format!("{name}, called by a.House.open"));
        let of_tests = overflow(&[("a.Check", "walk", 3), ("a.Check", "walk", 3), open]);
        assert_eq!((of_tests.verdict, of_tests.is_of_use), (Refusal, false), "the tests' own recursion");
    }

    /// What is said of an exception with this stack, that came when the test called `a.House.open()`.
    fn judged(judge: &Judge<'_>, class: &str, stack: &[(&str, &str, u32)]) -> Judged {
        let mut statement = call("open", "()V", vec![]);
        if let Operation::Call { method, .. } = &mut statement.operation {
            method.owner = "a.House".into();
        }
        let sequence = Sequence { statements: vec![statement] };
        judge.judge(&sequence, NOTHING, &Thrown { raised_in: frames(stack), ..thrown(class, 0) })
    }
}

//! The Java recorder against the table of its methods: they are those of the table, and calling each puts the words there that the table
//! says, on every JDK.
//!
//! Knows nothing of what the words mean to the analysis. Invariant: each method of the table is called, and each event that the table
//! lets it send is seen.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]

mod jvm;

use dynaflow_classfile::ClassFile;
use dynaflow_classfile::class::access;
use dynaflow_containers::effects::Code;
use dynaflow_model::recorder::{Call, Head, Operand, Parameter, RECORDER, When};
use dynaflow_model::words::{self, MARKERS, Part, VALUE_BOXED};
use std::collections::{BTreeMap, BTreeSet};

/// The site that every call gets.
const SITE: u32 = 1000;

/// Strings have this id together.
const SINK: u64 = 1;

#[test]
fn the_recorder_has_the_methods_of_the_table_and_offers_no_others() {
    let (_, bytes) =
        dynaflow_java_shim::RECORDER.iter().find(|(name, _)| name.replace('.', "/") == RECORDER).unwrap();
    let class = ClassFile::parse(bytes).unwrap();
    let text = |index| String::from_utf8_lossy(class.pool.utf8(index).unwrap().0).into_owned();
    let offered: BTreeSet<(String, String)> = class
        .methods
        .iter()
        .filter(|method| method.access & access::PUBLIC != 0)
        .inspect(|method| assert!(method.access & access::STATIC != 0))
        .map(|method| (text(method.name), text(method.descriptor)))
        .collect();
    let table: BTreeSet<(String, String)> = Call::ALL
        .iter()
        .map(|call| (call.method().name.to_owned(), call.method().descriptor.to_owned()))
        .collect();
    assert_eq!(offered, table);
}

/// One line of the script and the words it is to send.
struct Case {
    line: String,
    /// Events between bars: what each begins with, then its operands.
    sends: String,
    /// The method called with these arguments, when it is one of the table.
    call: Option<(Call, Vec<String>)>,
}

impl Case {
    /// A call of a method of the recorder with these arguments and, if it takes one, the site.
    fn of(call: Call, arguments: &str, sends: &str) -> Self {
        let method = call.method();
        let mut arguments: Vec<String> =
            arguments.split_whitespace().map(|text| text.replace('_', " ")).collect();
        if method.parameters.last() == Some(&Parameter::Site) {
            arguments.push(SITE.to_string());
        }
        assert_eq!(arguments.len(), method.parameters.len(), "{call:?} {arguments:?}");
        let mut line =
            vec!["DynaflowRecorder".to_owned(), method.name.to_owned(), method.descriptor.to_owned()];
        line.extend(arguments.iter().cloned());
        Self { line: line.join("\t"), sends: sends.to_owned(), call: Some((call, arguments)) }
    }

    fn other(line: &str, sends: &str) -> Self {
        Self { line: line.replace(' ', "\t"), sends: sends.to_owned(), call: None }
    }
}

/// Two calls of every method that always sends the same events, with arguments that differ from each other and from one call to the
/// next: what it sends is computed from the table alone.
fn from_the_table() -> Vec<Case> {
    let always = Call::ALL.iter().filter(|call| call.method().when == When::Always);
    // These give something, or are not distinguished by words of their own.
    let quiet = [Call::Bound, Call::Deferred, Call::Leaving, Call::InheritedLeaving];
    let called = always.filter(|call| !quiet.contains(call));
    called.flat_map(|call| [0, 1, 2].map(|round| always_sends(*call, round))).collect()
}

fn always_sends(call: Call, round: usize) -> Case {
    let method = call.method();
    let objects = [["a", "b", "c", "d"], ["d", "c", "b", "a"], ["b", "text", "null", "c"]][round];
    // A payload has no sign.
    let in_payload =
        method.sends.iter().any(|sent| matches!(sent.operands.first(), Some(Operand::Number(_))));
    let sign = if in_payload { 1 } else { -1 };
    let numbers = [[3, 5], [sign * 2, 7], [6, i32::MIN]][round];
    let (mut next_object, mut next_number) = (objects.iter(), numbers.iter());
    let mut arguments = Vec::new();
    for parameter in method.parameters {
        arguments.push(match parameter {
            Parameter::Object => (*next_object.next().unwrap()).to_owned(),
            Parameter::Int => next_number.next().unwrap().to_string(),
            Parameter::Long => (i64::from(numbers[0]) << 32 | 1).to_string(),
            Parameter::Float | Parameter::Double => format!("{}.5", numbers[0]),
            Parameter::Flag => (round % 2).to_string(),
            Parameter::Text => format!("name{round}"),
            Parameter::Site => continue,
        });
    }
    let operand = |operand: &Operand| match operand {
        Operand::Zero => "0".to_owned(),
        Operand::Object(at) | Operand::Value(at) => objects[usize::from(*at)].to_owned(),
        Operand::Number(at) => numbers[usize::from(*at)].to_string(),
        Operand::Halves => {
            let second = method.parameters.iter().filter(|one| **one == Parameter::Int).nth(1);
            format!("{}/{}", numbers[0], second.map_or(0, |_| numbers[1]))
        }
        Operand::Bits => match method.parameters[0] {
            Parameter::Float => format!("bits:{}", (arguments[0].parse::<f32>().unwrap()).to_bits()),
            Parameter::Double => format!("bits:{}", (arguments[0].parse::<f64>().unwrap()).to_bits()),
            Parameter::Int => format!("bits:{}", numbers[0] as u32),
            _ => arguments[0].clone(),
        },
        Operand::Text => format!("T:{}", arguments[0]),
        Operand::IsNull => u64::from(objects[0] == "null").to_string(),
        Operand::AreSame => u64::from(objects[0] == objects[1]).to_string(),
        Operand::Site => SITE.to_string(),
        Operand::NameOfClass => match objects[0] {
            "null" => 0,
            "text" => jvm::hash_of("java.lang.String"),
            _ => jvm::hash_of("Script$Plain"),
        }
        .to_string(),
        Operand::Found => panic!("{call:?} always sends the same"),
    };
    let events: Vec<String> = method
        .sends
        .iter()
        .map(|sent| {
            let head = match sent.head {
                Head::Site => "site",
                Head::Marker(number) => name_of(number),
            };
            let operands: Vec<String> = sent.operands.iter().map(operand).collect();
            format!("{head} {}", operands.join(" "))
        })
        .collect();
    Case::of(call, &arguments.join(" "), &events.join(" | "))
}

fn name_of(marker: u32) -> &'static str {
    MARKERS.iter().find(|row| row.number == marker).unwrap().name
}

/// A field was accessed by reflection.
const WROTE: &str =
    "DynaflowHands fieldWrote (Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)V field held a";
const READ: &str = "DynaflowHands fieldRead (Ljava/lang/Object;Ljava/lang/Object;)V field held";

/// What depends on what the recorder finds out, written down by hand.
fn by_hand() -> Vec<Case> {
    let all = [
        compared(),
        first_seen(),
        overflows(),
        elements(),
        containers(),
        extended(),
        arguments(),
        streams(),
        values(),
        hands(),
    ];
    all.into_iter().flatten().collect()
}

fn effect(call: Call, arguments: &str, code: Code, sends: &str) -> Case {
    Case::of(call, &format!("{arguments} {}", code as u8), sends)
}

/// References compared that are the same, one that is null.
fn compared() -> Vec<Case> {
    vec![Case::of(Call::BranchObjects, "a a", "site 0 1"), Case::of(Call::BranchObject, "null", "site 0 1")]
}

/// Objects first seen: an array with its length and what it holds, but for an element that the event itself writes; a view; a thread.
fn first_seen() -> Vec<Case> {
    vec![
        Case::of(Call::On, "fresh", "OBJECT fresh class:fresh | site fresh"),
        Case::of(
            Call::On,
            "freshArray",
            "OBJECT freshArray class:freshArray+3 | STORED freshArray 0 [0] a | STORED freshArray 0 [2] b | site freshArray",
        ),
        Case::of(
            Call::ElementPut,
            "otherArray 1 d",
            "OBJECT otherArray class:otherArray+3 | STORED otherArray 0 [0] a | STORED otherArray 0 [2] c | site otherArray 1 d",
        ),
        Case::of(Call::On, "iterator", "VIEW iterator list class:iterator | site iterator"),
        Case::other("thread", "STARTED_BY 1 | site 0"),
    ]
}

/// A stack overflow.
fn overflows() -> Vec<Case> {
    vec![
        Case::of(Call::Threw, "error", "site 0"),
        Case::of(Call::Threw, "null", "site 0"),
        Case::of(Call::Caught, "error", ""),
        Case::of(Call::Caught, "overflow", "OVERFLOWED 2 1000"),
        Case::of(Call::Threw, "overflow2", "OVERFLOWED 2 1000 | site 0"),
    ]
}

/// Elements at once.
fn elements() -> Vec<Case> {
    vec![
        Case::of(
            Call::Copied,
            "numbers 2 numbers 7 5",
            "READ_RANGE numbers 1000 2+3 | WRITE_RANGE numbers 1001 7+3",
        ),
        Case::of(Call::Copied, "array 0 other 1 1", "READ_RANGE array 1000 0+1 | site+2 other 1 0"),
        Case::of(Call::Copied, "numbers 2 numbers 7 0", ""),
        Case::of(Call::Filled, "numbers 3 12", "WRITE_RANGE numbers 1000 3+7"),
        Case::of(Call::Filled, "array 1 2", "site+1 array 1 b"),
    ]
}

/// Containers that are called.
fn containers() -> Vec<Case> {
    vec![
        effect(Call::Contents, "list b null null 1", Code::AddIf, "site list | HELD list b"),
        effect(Call::Contents, "list b null null 0", Code::AddIf, "UNCHANGED list 1000"),
        effect(Call::Contents, "list b null c 1", Code::Set, "site list | RELEASED list c | HELD list b"),
        effect(Call::Contents, "list d b c 1", Code::Replace, "site list | RELEASED list c | HELD list b"),
        effect(
            Call::Contents,
            "list null null null 1",
            Code::Relist,
            "site list | EMPTIED list | HELD list a",
        ),
        effect(Call::Contents, "set list null null 1", Code::AddAll, "site set | HELD_AT_LEAST_ONCE set a"),
        effect(Call::Contents, "b c null null 1", Code::Add, "site b"),
        effect(Call::Leaving, "list null 0", Code::TakeFound, ""),
        effect(
            Call::ContentsLeft,
            "list null null null last 1",
            Code::TakeFound,
            "site list | RELEASED list a",
        ),
        effect(Call::Leaving, "list null 0", Code::Clear, ""),
        effect(Call::ContentsLeft, "list null null null last 1", Code::Clear, "UNCHANGED list 1000"),
        Case::of(Call::Entries, "list", ""),
    ]
}

/// Objects that extend a container, and one that does not.
fn extended() -> Vec<Case> {
    vec![
        effect(Call::Inherited, "extended b null null 1", Code::AddIf, "site extended | HELD extended b"),
        effect(Call::Inherited, "extended b null null 0", Code::AddIf, "UNCHANGED extended 1000"),
        effect(Call::Inherited, "b c null null 1", Code::AddIf, ""),
        effect(Call::InheritedLeaving, "extended null 0", Code::TakeFound, ""),
        effect(
            Call::InheritedLeft,
            "extended null null null last 1",
            Code::TakeFound,
            "site extended | RELEASED extended a",
        ),
        effect(Call::InheritedLeaving, "extended null 0", Code::Clear, ""),
        effect(Call::InheritedLeft, "extended null null null last 1", Code::Clear, "UNCHANGED extended 1000"),
        Case::of(Call::InheritedRead, "extended", "site extended"),
        Case::of(Call::InheritedRead, "b", ""),
    ]
}

/// Arguments and functions.
fn arguments() -> Vec<Case> {
    let filled = "site list b | site+1 list b | EMPTIED list | HELD list a";
    vec![
        Case::of(Call::Observed, "list b", "site list b"),
        Case::of(Call::Observed, "list null", "site list 0"),
        Case::of(Call::Observed, "text b", ""),
        Case::of(Call::Refilled, "list b", "site list b | EMPTIED list | HELD list a"),
        Case::of(Call::Applied, "function b", ""),
        Case::of(Call::Bound, "function list 1", "OBJECT function class:function"),
        Case::of(Call::Applied, "function b", filled),
        Case::of(Call::Deferred, "function", ""),
        Case::of(Call::Ended, "null b", filled),
        Case::of(Call::Ended, "list b", "site+1 list b | EMPTIED list | HELD list a"),
    ]
}

/// A stream that objects are read from.
fn streams() -> Vec<Case> {
    vec![
        Case::of(Call::Restoring, "list", ""),
        Case::of(Call::Restored, "null null 0", ""),
        Case::of(Call::Restoring, "stream", "RESTORING 0"),
        Case::other("read", ""),
        Case::of(
            Call::Restored,
            "last null 0",
            "OBJECT read class:read+3 | WRITE_RANGE read 1000 0+3 | site 0",
        ),
    ]
}

/// Values of references.
fn values() -> Vec<Case> {
    vec![
        Case::of(Call::ArgumentObject, "null", "VALUE_NULL 0"),
        Case::of(Call::ArgumentObject, "text", "VALUE_STRING T:text"),
        Case::of(Call::ArgumentObject, "a", "VALUE_OBJECT a"),
        Case::of(Call::ArgumentObject, "red", "VALUE_ENUM red T:Script$Colour#RED"),
        Case::of(Call::ArgumentObject, "class", "VALUE_CLASS T:[I"),
        Case::of(Call::ArgumentObject, "box", "VALUE_BOXED 67 | VALUE_INT 120"),
        Case::of(Call::ArgumentObject, "long", "VALUE_BOXED 74 | VALUE_LONG 0 5"),
        Case::of(Call::ReturnedObject, "a", "RETURNED 1000 | VALUE_OBJECT a"),
        Case::of(Call::ReturnedObject, "red", "RETURNED 1000 | VALUE_ENUM red T:Script$Colour#RED"),
        Case::of(Call::ReturnedObject, "long", "RETURNED 1000 | VALUE_BOXED 74 | VALUE_LONG 0 5"),
        Case::of(Call::Result, "text", "RETURNED 0 | VALUE_STRING T:text"),
    ]
}

/// Other hands, below a call that was announced and below none.
fn hands() -> Vec<Case> {
    vec![
        Case::of(Call::Calling, "1000", ""),
        Case::other(WROTE, "HAND_WRITE held 1000 T:Script$Held#value#Ljava/lang/Object; a"),
        Case::other(READ, "HAND_READ held 1000 T:Script$Held#value#Ljava/lang/Object;"),
        Case::of(Call::Called, "", ""),
        Case::other(WROTE, "HAND_WRITE held 0 T:Script$Held#value#Ljava/lang/Object; a"),
        Case::other(READ, ""),
    ]
}

/// What a run of the script printed.
struct Printed {
    words: Vec<Vec<u64>>,
    /// By name of an object.
    ids: BTreeMap<String, u64>,
    /// By text.
    texts: BTreeMap<String, u64>,
}

impl Printed {
    fn read(output: &str) -> Self {
        let mut printed = Self { words: vec![], ids: BTreeMap::new(), texts: BTreeMap::new() };
        printed.ids.extend([("null".to_owned(), 0), ("text".to_owned(), SINK)]);
        for line in output.lines() {
            let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
            match kind {
                "words" => {
                    let words = rest.split_whitespace().map(|word| word.parse::<i64>().unwrap() as u64);
                    printed.words.push(words.collect());
                }
                "id" => {
                    let (name, id) = rest.split_once(' ').unwrap();
                    printed.ids.insert(name.to_owned(), id.parse().unwrap());
                }
                _ => {
                    let (id, text) = rest.split_once(' ').unwrap();
                    printed.texts.insert(text.to_owned(), id.parse().unwrap());
                }
            }
        }
        printed
    }

    /// The value of an operand: a number, two halves `1/2`, a range `1+2`, an element `[1]`, a text, a class with one more than a
    /// length, an object.
    fn operand(&self, text: &str) -> u64 {
        let number = |text: &str| text.parse::<i64>().unwrap() as u64;
        let half = |text: &str| u64::from(text.parse::<i32>().unwrap() as u32);
        if let Some(text) = text.strip_prefix("T:") {
            return *self.texts.get(text).unwrap_or_else(|| panic!("no text {text}"));
        }
        if let Some(index) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return 1 << words::STORED_ELEMENT_BIT | number(index);
        }
        if let Some(bits) = text.strip_prefix("bits:") {
            return bits.parse().unwrap();
        }
        if let Some((left, right)) = text.split_once('/') {
            return half(left) << 32 | half(right);
        }
        if let Some((left, right)) = text.split_once('+') {
            return match self.ids.get(left) {
                Some(class) => (number(right) + 1) << words::PAYLOAD_BITS | class,
                None => number(left) << 32 | number(right),
            };
        }
        self.ids.get(text).copied().unwrap_or_else(|| number(text))
    }

    /// The words of one event.
    fn event(&self, text: &str) -> Vec<u64> {
        let mut parts = text.split_whitespace();
        let head = head(parts.next().unwrap());
        let operands: Vec<u64> = parts.map(|operand| self.operand(operand)).collect();
        if let Some(marker) = MARKERS.iter().find(|marker| marker.number == head) {
            assert_eq!(operands.len(), marker.parts.len(), "{text}");
        }
        let (payload, others) = operands.split_first().unwrap();
        std::iter::once(words::word(head, *payload)).chain(others.iter().copied()).collect()
    }
}

/// The site or marker that an event begins with.
fn head(text: &str) -> u32 {
    match text.strip_prefix("site") {
        Some("") => SITE,
        Some(more) => SITE + more.strip_prefix('+').unwrap().parse::<u32>().unwrap(),
        None => MARKERS.iter().find(|marker| marker.name == text).unwrap_or_else(|| panic!("{text}")).number,
    }
}

/// The events of a text.
fn events(sends: &str) -> impl Iterator<Item = &str> {
    sends.split('|').map(str::trim).filter(|event| !event.is_empty())
}

#[test]
fn calling_each_method_puts_the_words_of_the_table_into_the_chunk() {
    let cases: Vec<Case> = from_the_table().into_iter().chain(by_hand()).collect();
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    let lines: Vec<&str> = cases.iter().map(|case| case.line.as_str()).collect();
    std::fs::write(&script, lines.join("\n")).unwrap();
    for output in jvm::outputs(&[], &["Script", script.to_str().unwrap()]) {
        let printed = Printed::read(&output);
        assert_eq!(printed.words.len(), cases.len());
        for (case, sent) in cases.iter().zip(&printed.words) {
            let expected: Vec<u64> = events(&case.sends).flat_map(|event| printed.event(event)).collect();
            let show = |words: &[u64]| words.iter().map(|word| show(*word)).collect::<Vec<_>>().join(" ");
            assert_eq!(show(sent), show(&expected), "{} sends {}", case.line.replace('\t', " "), case.sends);
        }
    }
}

fn show(word: u64) -> String {
    format!("{}:{}", words::site_of(word), words::payload_of(word))
}

/// Events that say what objects hold or are, which come with any call.
const ALONG: [u32; 10] = [
    words::OBJECT,
    words::VIEW,
    words::DEAD,
    words::HELD,
    words::HELD_AT_LEAST_ONCE,
    words::RELEASED,
    words::EMPTIED,
    words::STORED,
    words::STARTED_BY,
    words::WRITE_RANGE,
];

#[test]
fn what_is_written_down_by_hand_is_what_the_table_lets_each_method_send() {
    let mut seen = BTreeSet::new();
    for case in by_hand() {
        let Some((call, arguments)) = &case.call else { continue };
        for event in events(&case.sends) {
            let mut parts = event.split_whitespace();
            let head = head(parts.next().unwrap());
            let operands: Vec<&str> = parts.collect();
            let fits = |sent: &&dynaflow_model::recorder::Sent| {
                let same = match sent.head {
                    Head::Site => head >= SITE,
                    Head::Marker(number) => head == number,
                };
                same && sent.operands.len() == operands.len()
                    && sent
                        .operands
                        .iter()
                        .zip(&operands)
                        .all(|(row, text)| stands(*row, text, *call, arguments))
            };
            let row = call.method().sends.iter().position(|sent| fits(&sent));
            let comes_along = ALONG.contains(&head) || is_value_of_object(*call, head);
            assert!(row.is_some() || comes_along, "{call:?} sends no {event}");
            seen.extend(row.map(|row| (*call as u8, row)));
        }
    }
    for call in Call::ALL.iter().filter(|call| call.method().when == When::Found) {
        for row in 0..call.method().sends.len() {
            // The primitives in boxes of other types are those of the methods for primitives.
            let is_box = matches!(
                call.method().sends[row].head,
                Head::Marker(words::VALUE_FLOAT | words::VALUE_DOUBLE)
            );
            assert!(
                is_box || seen.contains(&(*call as u8, row)),
                "{call:?} was not seen to send {:?}",
                call.method().sends[row]
            );
        }
    }
}

fn is_value_of_object(call: Call, head: u32) -> bool {
    matches!(call, Call::ReturnedObject | Call::Result) && words::is_value(head)
}

/// Whether an operand of a call with these arguments may stand as this text.
fn stands(operand: Operand, text: &str, call: Call, arguments: &[String]) -> bool {
    let passed = |wanted: Parameter, at: u8| {
        let like =
            call.method().parameters.iter().zip(arguments).filter(|(parameter, _)| **parameter == wanted);
        like.map(|(_, argument)| argument.as_str()).nth(usize::from(at)).unwrap()
    };
    match operand {
        Operand::Zero => text == "0",
        Operand::Object(at) | Operand::Value(at) => {
            let object = passed(Parameter::Object, at);
            text == object || object == "null" && text == "0"
        }
        Operand::Number(at) => text == passed(Parameter::Int, at),
        Operand::Site => text.parse().is_ok_and(|site| (SITE..SITE + 3).contains(&site)),
        Operand::Text => text.starts_with("T:"),
        Operand::IsNull | Operand::AreSame => text == "0" || text == "1",
        Operand::Halves => text.contains('/'),
        Operand::Bits | Operand::NameOfClass | Operand::Found => true,
    }
}

#[test]
fn every_marker_is_seen_in_a_case() {
    let cases: Vec<Case> = from_the_table().into_iter().chain(by_hand()).collect();
    let seen: BTreeSet<u32> = cases
        .iter()
        .flat_map(|case| events(&case.sends))
        .map(|event| head(event.split(' ').next().unwrap()))
        .collect();
    let unseen: Vec<&str> =
        MARKERS.iter().filter(|marker| !seen.contains(&marker.number)).map(|marker| marker.name).collect();
    let shown = ["DEAD", "MUTED", "UNMUTED", "MUTED_THIS", "LEFT_OUT", "BLURS"];
    assert_eq!(unseen, shown, "which tests/recorder.rs shows");
    let boxed = MARKERS.iter().find(|marker| marker.number == VALUE_BOXED).unwrap();
    assert_eq!(boxed.parts, [Part::Primitive], "a value follows");
}

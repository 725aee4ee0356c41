//! The words of the Java recorder against `model::words`: the numbers in its source, and what it sends for each call.

mod jvm;

use dynaflow_model::words::*;
use std::collections::BTreeMap;

#[test]
fn the_java_constants_are_those_of_the_rust_side() {
    let source = include_str!("../src/main/java/java/lang/DynaflowWords.java");
    let constants: BTreeMap<&str, u64> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("static final ")?.strip_suffix(';')?.split_once(" = "))
        .map(|(left, value)| (left.rsplit(' ').next().unwrap(), value.parse().unwrap()))
        .collect();
    let markers = MARKERS.iter().map(|marker| (marker.name, marker.number));
    let others = [
        ("LENGTHS", LENGTHS),
        ("STORED_ELEMENT_BIT", STORED_ELEMENT_BIT),
        ("PAYLOAD_BITS", PAYLOAD_BITS),
        ("FIRST_SITE", FIRST_SITE),
    ];
    let ids = [
        ("ID_NULL", dynaflow_model::ids::ObjectId::NULL.0),
        ("ID_SINK", dynaflow_model::ids::ObjectId::SINK.0),
        ("ID_FIRST", dynaflow_model::ids::ObjectId::FIRST),
    ];
    let numbers = markers.chain(others).map(|(name, value)| (name, u64::from(value)));
    let expected = numbers.chain(ids).collect();
    assert_eq!(constants, expected);
}

#[test]
fn what_stays_unknown_in_an_invocation_that_is_left_out_takes_as_many_words_as_its_marker_has() {
    let source = include_str!("../src/main/java/java/lang/DynaflowAgain.java");
    let (mut pending, mut found) = (Vec::new(), BTreeMap::new());
    for line in source.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("case (int) DynaflowWords.") {
            pending.push(name.trim_end_matches(':'));
        } else if let Some(last) = line.strip_prefix("return ").filter(|_| !pending.is_empty()) {
            // The longest that a line gives: 0 ends the run.
            let count =
                last.split(|c: char| !c.is_ascii_digit()).filter_map(|text| text.parse::<usize>().ok()).max();
            found.extend(pending.drain(..).map(|name| (name, count.unwrap())));
        }
    }
    let length = |name: &str| MARKERS.iter().find(|marker| *marker.name == *name).unwrap().parts.len();
    assert_eq!(found.len(), 9);
    assert!(found.iter().all(|(name, count)| length(name) == *count), "{found:?}");
}

#[test]
fn what_woven_code_says_of_a_site_and_what_it_touches_has_the_numbers_of_the_recorder() {
    use dynaflow_model::muting::*;
    let source = concat!(
        include_str!("../src/main/java/java/lang/DynaflowMuting.java"),
        include_str!("../src/main/java/java/lang/DynaflowAccesses.java")
    );
    let value = |name: &str| {
        let found = source.lines().find_map(|line| {
            let (declared, value) = line.trim().strip_suffix(';')?.split_once(" = ")?;
            (declared.contains("static final int ") && declared.ends_with(&format!(" {name}")))
                .then_some(value)
        });
        let text = found.unwrap_or_else(|| panic!("no constant {name}"));
        let hex = text.strip_prefix("0x").map(|hex| u32::from_str_radix(hex, 16));
        hex.unwrap_or_else(|| text.parse()).unwrap()
    };
    let expected = [
        ("SITE", SITE_LIMIT - 1),
        ("ENDS", CHANGES_FRAMES | LEAVES),
        ("LEAVES", LEAVES),
        ("TEST_CLASS", TEST_CLASS),
        ("IN_SUPER", IN_SUPER),
        ("ASKED", ASKED),
        ("OBJECTS", OBJECTS.into()),
        ("THIS", THIS.into()),
        ("STATIC", STATIC.into()),
        ("BINDS", BINDS.into()),
        ("RECEIVER", RECEIVER.into()),
        ("RECEIVER_SHIFT", RECEIVER_SHIFT),
        ("SUPER", SUPER.into()),
        ("SAME_AGAIN", SAME_AGAIN.into()),
        ("PLAIN", PLAIN.into()),
        ("KNOWN", KNOWN.into()),
        ("METHOD_SHIFT", METHOD_SHIFT),
        ("LENGTH_SHIFT", LENGTH_SHIFT),
        ("MUTE_IN_TEST", Verdict::MuteInTest as u32),
        ("MUTE", Verdict::Mute as u32),
        ("SITE_SHIFT", verdict_on_accesses(Verdict::Record, 1, 0).trailing_zeros()),
    ];
    for (name, number) in expected {
        assert_eq!(value(name), number, "{name}");
    }
}

#[test]
fn the_effects_woven_code_names_are_those_of_the_recorder() {
    let source = include_str!("../src/main/java/java/lang/DynaflowEffects.java");
    let constants: BTreeMap<&str, u8> = source
        .lines()
        .filter_map(|line| {
            line.trim().strip_prefix("static final int ")?.strip_suffix(';')?.split_once(" = ")
        })
        .map(|(name, value)| (name, value.parse().unwrap()))
        .collect();
    let codes = dynaflow_containers::effects::Code::ALL;
    assert_eq!(constants, codes.iter().map(|(name, code)| (*name, *code as u8)).collect());
}

/// An array is announced with its length, and listed. Objects in the order the program shows them: mirrors have the numbers before their first object.
const UNTOUCHABLE: u64 = 3;
const ARRAY: u64 = 5;

#[test]
fn every_recorder_method_sends_the_words_the_format_asks_for() {
    for output in jvm::outputs(&[], &["Words"]) {
        let sent: Vec<u64> =
            lines(&output, "word ").map(|word| word.parse::<i64>().unwrap() as u64).collect();
        let expected = accesses()
            .into_iter()
            .chain(values())
            .chain(calls())
            .chain(containers())
            .chain(ranges())
            .collect::<Vec<_>>();
        for (at, (sent, expected)) in sent.iter().zip(&expected).enumerate() {
            let show = |word| (site_of(word), payload_of(word));
            assert_eq!(show(*sent), show(*expected), "word {at}");
        }
        assert_eq!(sent.len(), expected.len());
        let texts: Vec<_> = lines(&output, "text ").collect();
        assert_eq!(texts, ["1 text", "2 Words$Colour#RED", "3 [I", "4 a.B#c"]);
        let mirrors: Vec<_> = lines(&output, "mirror ").collect();
        assert_eq!(mirrors[0], "2 Words$Untouchable java.lang.Object");
        assert_eq!(
            mirrors[1],
            "4 [Ljava.lang.Object; java.lang.Object,java.lang.Cloneable,java.io.Serializable"
        );
        let colour = mirrors[2].strip_prefix("6 Words$Colour$1 Words$Colour,java.lang.Enum,java.lang.Object");
        assert!(colour.is_some_and(|rest| rest.contains("java.lang.Comparable")), "{mirrors:?}");
        assert_eq!(lines(&output, "syncs ").collect::<Vec<_>>(), ["2"]);
    }
}

fn lines<'a>(output: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    output.lines().filter_map(move |line| line.strip_prefix(prefix))
}

/// The list is listed when it is first seen, and then what calls did is recorded, or that they did nothing; a view is recorded with what it
/// shows.
fn containers() -> Vec<u64> {
    let (list, mirror, view, view_mirror, part, part_mirror) = (9, 8, 11, 10, 13, 12);
    let listed = [word(HELD, list), UNTOUCHABLE];
    let mut words = vec![word(OBJECT, list), mirror];
    words.extend(listed);
    words.extend([word(87, list), word(HELD, list), ARRAY, word(UNCHANGED, list), 88]);
    words.extend([word(VIEW, view), list, view_mirror, word(89, view)]);
    words.extend([word(90, list), word(RELEASED, list), ARRAY, word(HELD, list), UNTOUCHABLE]);
    words.extend([word(91, list), word(EMPTIED, list)]);
    words.extend(listed);
    words.extend([word(VIEW, part), list, part_mirror, word(92, part), word(EMPTIED, part)]);
    words.extend([word(HELD, part), UNTOUCHABLE]);
    words.extend([word(93, list), word(EMPTIED, list), word(94, UNTOUCHABLE)]);
    words
}

/// Copies read as far as both arrays go, and what else there is in an array first seen is listed; primitives are written at once, references one by one; nothing says nothing.
fn ranges() -> Vec<u64> {
    let (numbers, mirror, copy) = (15, 14, 16);
    let elements = |from: u64, count: u64| from << 32 | count;
    vec![
        word(OBJECT, numbers),
        word(10 + 1, mirror),
        word(READ_RANGE, numbers),
        95,
        elements(2, 3),
        word(WRITE_RANGE, numbers),
        96,
        elements(7, 3),
        word(READ_RANGE, ARRAY),
        100,
        elements(0, 1),
        word(OBJECT, copy),
        word(2 + 1, ARRAY - 1),
        word(STORED, copy),
        0,
        1 << STORED_ELEMENT_BIT,
        UNTOUCHABLE,
        word(102, copy),
        1,
        UNTOUCHABLE,
        word(WRITE_RANGE, numbers),
        105,
        elements(3, 7),
    ]
}

fn operands(left: i32, right: i32) -> u64 {
    (u64::from(left as u32) << 32) | u64::from(right as u32)
}

fn int(value: i32) -> u64 {
    word(VALUE_INT, u64::from(value as u32))
}

fn accesses() -> Vec<u64> {
    vec![
        word(64, 0),
        word(OBJECT, UNTOUCHABLE),
        UNTOUCHABLE - 1,
        word(65, UNTOUCHABLE),
        word(66, 0),
        word(OBJECT, ARRAY),
        word(1 + 1, ARRAY - 1),
        word(STORED, ARRAY),
        0,
        1 << STORED_ELEMENT_BIT,
        UNTOUCHABLE,
        word(67, UNTOUCHABLE),
        ARRAY,
        word(68, UNTOUCHABLE),
        1,
        word(69, 0),
        0,
        word(70, 1),
        word(71, ARRAY),
        3,
        word(72, ARRAY),
        4,
        UNTOUCHABLE,
        word(73, 0),
        operands(-1, 0),
        word(74, 0),
        operands(-1, -2),
        word(75, 0),
        1,
        word(76, 0),
        0,
        word(77, 0),
        -5_i64 as u64,
        word(TEST_METHOD, UNTOUCHABLE),
        78,
        jvm::hash_of("Words$Untouchable"),
        word(TEST_METHOD_END, 1),
        79,
        // An error by which the stack overflowed comes with the frames that are left, at the first handler and the second, fourth, eighth.
        word(94, 0),
        word(OVERFLOWED, 2),
        95,
        word(95, 0),
        word(OVERFLOWED, 2),
        96,
        word(96, 0),
        word(OVERFLOWED, 2),
        99,
        word(OVERFLOWED, 2),
        108,
        // Where the stack is too full to ask, the exit is there all the same.
        word(93, 0),
        word(OVERFLOWED, 2),
        98,
    ]
}

fn values() -> Vec<u64> {
    let boxed = |kind: char| word(VALUE_BOXED, u64::from(u32::from(kind)));
    let (red, red_mirror) = (7, 6);
    vec![
        int(-1),
        word(VALUE_LONG, 0),
        1 << 40,
        word(VALUE_FLOAT, u64::from((-0.5_f32).to_bits())),
        word(VALUE_DOUBLE, 0),
        (-0.5_f64).to_bits(),
        word(VALUE_NULL, 0),
        word(VALUE_STRING, 1),
        word(OBJECT, red),
        red_mirror,
        word(VALUE_ENUM, red),
        2,
        word(VALUE_CLASS, 3),
        word(VALUE_OBJECT, UNTOUCHABLE),
        boxed('C'),
        int('x' as i32),
        boxed('Z'),
        int(1),
        boxed('B'),
        int(-1),
        boxed('D'),
        word(VALUE_DOUBLE, 0),
        2.0_f64.to_bits(),
        boxed('J'),
        word(VALUE_LONG, 0),
        5,
    ]
}

fn calls() -> Vec<u64> {
    let returned = |site| word(RETURNED, site);
    vec![
        word(80, UNTOUCHABLE),
        returned(81),
        word(VALUE_VOID, 0),
        returned(82),
        int(-1),
        returned(83),
        word(VALUE_LONG, 0),
        1,
        returned(84),
        word(VALUE_FLOAT, u64::from(1.0_f32.to_bits())),
        returned(85),
        word(VALUE_DOUBLE, 0),
        1.0_f64.to_bits(),
        returned(86),
        word(VALUE_BOXED, u64::from(u32::from('I'))),
        int(9),
        word(TEST_BEGIN, 4),
        word(STATEMENT, 2),
        returned(0),
        word(VALUE_STRING, 1),
        word(TEST_END, 1),
    ]
}

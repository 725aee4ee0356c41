//! Reducing sequences: what is kept is what the oracle needs.

mod common;

use common::{LIST, OUTER, Script, int, method, spelled, text};
use dynaflow_model::sequence::{Answer, Arg, Operation, Sequence, Statement, Value};
use dynaflow_search::one_by_one;

fn minimise(sequence: &Sequence, most: usize, holds: impl FnMut(&Sequence) -> bool) -> Sequence {
    dynaflow_search::minimise(sequence, most, one_by_one(holds))
}

fn simplest(sequence: &Sequence, most: usize, holds: impl FnMut(&Sequence) -> bool) -> Sequence {
    dynaflow_search::simplest(sequence, most, one_by_one(holds))
}

fn long_test() -> Script {
    let mut s = Script::default();
    for round in 0..6 {
        let outer = s.made(OUTER);
        let middle = s.made("a.Middle");
        s.outer(outer, "put(Ljava/lang/String;I)V", &[text("k\tey"), int(4000 + round)]);
        s.outer(outer, "probe()Z", &[]);
        s.call(middle, "a.Middle", "open()V", &[]);
        s.outer(outer, "open()V", &[]);
    }
    s
}

#[test]
fn only_what_the_oracle_needs_stays() {
    let mut asked = 0;
    let short = minimise(&long_test().0, 500, |candidate| {
        asked += 1;
        let text = spelled(candidate);
        (0..36).any(|v| {
            let calls = [".put(", ".probe()", ".open()"].map(|call| text.find(&format!("#{v}{call}")));
            calls[0].is_some() && calls[1].is_some() && calls[1] < calls[2]
        })
    });
    assert_eq!(spelled(&short), "new Outer(); #0.put('',0); #0.probe(); #0.open()");
    assert!(asked <= 500);
}

#[test]
fn whoever_looks_at_all_forms_at_once_gets_the_same_with_fewer_questions() {
    let holds = |form: &Sequence| {
        let text = spelled(form);
        text.contains(".probe()") && text.matches("new Middle()").count() > 1
    };
    for most in [7, 20, 500] {
        let (mut forms, mut questions) = (0, 0);
        let one = minimise(&long_test().0, most, |form| {
            forms += 1;
            holds(form)
        });
        let all = dynaflow_search::minimise(&long_test().0, most, |forms| {
            questions += 1;
            let held: Vec<bool> = forms.iter().map(holds).collect();
            held.into_iter().position(|held| held)
        });
        assert_eq!(spelled(&one), spelled(&all));
        assert!(forms <= most && questions < forms, "{questions} questions for {forms} of {most} forms");
    }
}

#[test]
fn chunks_go_from_the_end_each_statement_in_one_of_them_and_then_single_statements() {
    let mut s = Script::default();
    let outer = s.made(OUTER);
    for n in 1..=4 {
        s.outer(outer, "put(Ljava/lang/String;I)V", &[text("k"), int(n)]);
    }
    let mut asked = vec![];
    minimise(&s.0, 100, |form| {
        asked.push(spelled(form).replace("#0.put('k',", "").replace("new Outer(); ", "").replace(')', ""));
        false
    });
    // Without the object nothing is left, which nobody is asked about.
    assert_eq!(asked, ["1", "1; 2; 3", "1; 2; 4", "1; 3; 4", "2; 3; 4"]);
}

#[test]
fn the_oracle_is_asked_no_more_often_than_allowed() {
    let mut asked = 0;
    let same = minimise(&long_test().0, 25, |_| {
        asked += 1;
        false
    });
    assert_eq!((asked, same), (25, long_test().0));
    assert_eq!(minimise(&long_test().0, 0, |_| true), long_test().0);
}

#[test]
fn unwieldy_literals_become_plainer_while_the_oracle_holds_and_others_stay() {
    let mut s = Script::default();
    let outer = s.made(OUTER);
    let long = "a text far longer than anybody wants to read";
    s.outer(outer, "put(Ljava/lang/String;I)V", &[text(long), int(77_777)]);
    s.outer(outer, "put(Ljava/lang/String;I)V", &[text("chosen"), int(77)]);
    let short = minimise(&s.0, 100, |candidate| {
        let has =
            |at: usize, arg| candidate.statements.get(at).is_some_and(|s| s.operation.args().contains(&arg));
        has(1, &int(77_777)) && candidate.statements.len() == 3
    });
    assert_eq!(spelled(&short), "new Outer(); #0.put('',77777); #0.put('chosen',77)");
    assert!(matches!(short.statements[1].operation.args()[0], Arg::Var(0)));
}

#[test]
fn an_object_that_a_stub_answers_goes_where_nobody_needs_it_and_stays_where_somebody_does() {
    let mut s = Script::default();
    let middle = s.made("a.Middle");
    let level = s.made("a.Level");
    let answers = [("middle()La/Middle;", middle), ("level()La/Level;", level)];
    let answers = answers.map(|(text, object)| (method("a.Store", text), Answer::Arg(Arg::Var(object))));
    let stub = Operation::Stub { interface: "a.Store".into(), answers: answers.into() };
    let store = s.then(stub, "La/Store;");
    s.outer(store, "open()V", &[]);
    let short = minimise(&s.0, 100, |candidate| {
        let is_stub = |s: &&Statement| matches!(s.operation, Operation::Stub { .. });
        let stub = candidate.statements.iter().find(is_stub);
        let answers_middle = stub.is_some_and(|stub| matches!(stub.operation.args()[0], Arg::Var(_)));
        answers_middle && spelled(candidate).contains("open")
    });
    assert_eq!(spelled(&short), "new Middle(); stub a.Store; #1.open()");
    assert_eq!(short.statements[1].operation.args(), [&Arg::Var(0), &Arg::Value(Value::Null)]);
}

#[test]
fn a_long_text_that_is_needed_loses_the_lines_that_are_not() {
    let mut s = Script::default();
    let outer = s.made(OUTER);
    let long: String = (0..50).map(|n| format!("line {n}\n")).collect();
    s.outer(outer, "put(Ljava/lang/String;I)V", &[text(&long), int(7)]);
    let mut asked = 0;
    let short = minimise(&s.0, 60, |candidate| {
        asked += 1;
        spelled(candidate).contains("line 3\\n") || spelled(candidate).contains("line 3\n")
    });
    let Some(Arg::Value(dynaflow_model::sequence::Value::Str(left))) =
        short.statements[1].operation.args().get(1).copied().cloned()
    else {
        panic!("{}", spelled(&short))
    };
    assert!(left.contains("line 3\n") && left.len() < 100, "{left}");
    assert!(asked <= 60, "{asked}");
    // Without a question left for texts the text would stay as it is.
    let whole = minimise(&s.0, 60, |candidate| spelled(candidate) == spelled(&s.0));
    assert_eq!(whole, s.0);
}

/// An array of two objects of class `Middle`, the second of which is opened, and one of two numbers.
fn with_arrays() -> Script {
    let mut s = Script::default();
    let outer = s.made(OUTER);
    let objects = s.then(Operation::NewArray { descriptor: "[La/Middle;".into(), length: 2 }, "[La/Middle;");
    for index in 0..2 {
        let middle = s.made("a.Middle");
        let store = Operation::ArrayStore { array: Arg::Var(objects), index, value: Arg::Var(middle) };
        s.then(store, "V");
    }
    let numbers = s.then(Operation::NewArray { descriptor: "[I".into(), length: 2 }, "[I");
    s.then(Operation::ArrayStore { array: Arg::Var(numbers), index: 1, value: int(5) }, "V");
    s.call(4, "a.Middle", "open()V", &[]);
    s.outer(outer, "all([La/Middle;[I)V", &[Arg::Var(objects), Arg::Var(numbers)]);
    s
}

#[test]
fn an_array_of_objects_that_loses_an_element_becomes_shorter_and_one_of_numbers_keeps_its_length() {
    let passes = |candidate: &Sequence| spelled(candidate).contains(".all(");
    let short = minimise(&with_arrays().0, 100, |candidate| {
        passes(candidate) && spelled(candidate).contains(".open()")
    });
    assert_eq!(
        spelled(&short),
        "new Outer(); new Middle(); [I2; #1.open(); [La/Middle;0; #0.all(#4,#2)",
        "what is opened need not be in the array"
    );
    let second = |candidate: &Sequence| {
        let text = spelled(candidate);
        let is_stored_and_opened =
            |n: u32| text.contains(&format!("]=#{n};")) && text.contains(&format!("#{n}.open()"));
        passes(candidate) && (0..8).any(is_stored_and_opened)
    };
    let short = minimise(&with_arrays().0, 100, second);
    assert_eq!(
        spelled(&short),
        "new Outer(); new Middle(); [I2; #1.open(); [La/Middle;1; #4[0]=#1; #0.all(#4,#2)",
        "the element that is left has the first place"
    );
}

#[test]
fn what_nothing_uses_goes_in_one_question_with_what_it_was_made_of() {
    let mut s = Script::default();
    let outer = s.made(OUTER);
    let middle = s.made("a.Middle");
    let idle = s.then(Operation::NewArray { descriptor: "[La/Middle;".into(), length: 1 }, "[La/Middle;");
    s.then(Operation::ArrayStore { array: Arg::Var(idle), index: 0, value: Arg::Var(middle) }, "V");
    let number = s.made("java.util.Random");
    let list = Operation::New {
        constructor: method(LIST, "<init>(Ljava/util/Collection;)V"),
        args: vec![Arg::Var(number)],
    };
    s.then(list, "Ljava/util/ArrayList;");
    let passed = s.then(Operation::NewArray { descriptor: "[I".into(), length: 1 }, "[I");
    s.then(Operation::ArrayStore { array: Arg::Var(passed), index: 0, value: int(5) }, "V");
    s.outer(outer, "all([I)V", &[Arg::Var(passed)]);
    let busy = "new Outer(); new Middle(); [I1; #2[0]=5; #0.all(#2)";
    let mut asked = vec![];
    let short = minimise(&s.0, 1, |candidate| {
        asked.push(spelled(candidate));
        true
    });
    assert_eq!((spelled(&short).as_str(), asked), (busy, vec![busy.to_owned()]));
    assert_eq!(
        minimise(&s.0, 100, |candidate| candidate.statements.len() > 8),
        s.0,
        "where it matters it stays"
    );
}

#[test]
fn a_copy_of_an_object_goes_where_the_object_itself_will_do() {
    let mut s = Script::default();
    let outer = s.made(OUTER);
    let copy = s.outer(outer, "copy()Ljava/lang/Object;", &[]);
    s.0.statements[copy as usize].runtime_class = Some(OUTER.to_owned());
    s.outer(copy, "probe()Z", &[]);
    let probes = |candidate: &Sequence| spelled(candidate).contains(".probe()");
    assert_eq!(spelled(&simplest(&s.0, 50, probes)), "new Outer(); #0.probe()");
    assert_eq!(minimise(&s.0, 50, probes), s.0, "before it is chosen it stays");
    let of_copy = |candidate: &Sequence| spelled(candidate).contains("#1.probe()");
    assert_eq!(simplest(&s.0, 50, of_copy), s.0, "the copy matters");
    for most in 0..50 {
        let shorter = spelled(&simplest(&s.0, most, probes));
        assert!(!shorter.contains("copy()") || shorter.contains("#1.probe()"), "{most} questions: {shorter}");
    }
}

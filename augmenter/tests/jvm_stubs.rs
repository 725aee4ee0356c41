//! Objects of interfaces that sequences implement themselves, in real workers: what they answer, and which interfaces can be implemented.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

mod jvm_support;

use dynaflow_model::outcome::{Broken, Observed};
use dynaflow_model::sequence::{Answer, Arg, Operation, Statement, Value};
use jvm_support::{Lab, call_static, int, job, method, observed, on_each_jdk, run, statement, text};

const CALLER: &str = "demo.Caller";
const SOURCE: &str = "demo.Caller$Source";

fn stub(interface: &str, answers: Vec<(&str, &str, Answer)>) -> Statement {
    let answers =
        answers.into_iter().map(|(name, of, answer)| (method(interface, name, of), answer)).collect();
    let result = format!("L{};", interface.replace('.', "/"));
    statement(Operation::Stub { interface: interface.into(), answers }, &result)
}

fn source(name: Answer, size: Answer) -> Statement {
    let done = ("done", "()V", Answer::Nothing);
    stub(SOURCE, vec![done, ("name", "(Ljava/lang/Object;J)Ljava/lang/Object;", name), ("size", "()I", size)])
}

/// What `Caller` says of a stub that is passed to one of its methods.
fn asked(statement: Statement, name: &str, descriptor: &str) -> Vec<Statement> {
    vec![statement, call_static(CALLER, name, descriptor, vec![Arg::Var(0)])]
}

const ASK: (&str, &str) = ("ask", "(Ldemo/Caller$Source;)Ljava/lang/String;");
const COMPARE: (&str, &str) = ("compare", "(Ljava/util/Comparator;)I");

fn value(text: &str) -> Observed {
    observed(Value::Str(text.into()))
}

#[test]
fn a_stub_answers_values_and_parameters_and_has_the_default_methods_and_those_of_object() {
    on_each_jdk(|lab| {
        let jobs = [Answer::Arg(text("b")), Answer::Parameter(0)]
            .map(|name| job(asked(source(name, Answer::Arg(int(7))), ASK.0, ASK.1)));
        let said: Vec<Observed> =
            run(lab, &jobs).iter().map(|outcome| outcome.statements[1].clone()).collect();
        assert_eq!(said, [value("b77truefalsetruetrue"), value("a77truefalsetruetrue")]);
    });
}

#[test]
fn a_stub_answers_what_an_earlier_statement_gave_and_is_reported_by_its_interface() {
    on_each_jdk(|lab| {
        let same = "(Ldemo/Caller$Source;)Ldemo/Caller$Source;";
        let statements = vec![
            call_static("java.lang.Integer", "parseInt", "(Ljava/lang/String;)I", vec![text("12")]),
            source(Answer::Arg(Arg::Value(Value::Null)), Answer::Arg(Arg::Var(0))),
            call_static(CALLER, "same", same, vec![Arg::Var(1)]),
            call_static(CALLER, ASK.0, ASK.1, vec![Arg::Var(2)]),
        ];
        let outcome = run(lab, &[job(statements)]).remove(0);
        let stub = Observed::Object(SOURCE.into());
        assert_eq!(outcome.statements[1..], [stub.clone(), stub, value("null1212truefalsetruetrue")]);
        assert_eq!(outcome.effects, [], "making one is nothing that happens outside");
    });
}

#[test]
fn default_methods_of_the_jdk_call_the_answers_and_a_more_special_result_answers_the_general_one() {
    on_each_jdk(|lab| {
        let compare = |answer| ("compare", "(Ljava/lang/Object;Ljava/lang/Object;)I", answer);
        let order = stub("java.util.Comparator", vec![compare(Answer::Arg(int(3)))]);
        let reversed = "(Ljava/util/Comparator;)Ljava/util/Comparator;";
        let statements = [
            asked(order, "reversed", reversed),
            vec![call_static(CALLER, COMPARE.0, COMPARE.1, vec![Arg::Var(1)])],
        ];
        let below =
            stub("demo.Caller$Below", vec![("value", "()Ljava/lang/String;", Answer::Arg(text("below")))]);
        let above = asked(below, "above", "(Ldemo/Caller$Above;)Ljava/lang/Object;");
        let texts = ("compare", "(Ljava/lang/String;Ljava/lang/String;)I", Answer::Arg(int(5)));
        let texts = asked(stub("demo.Caller$OfTexts", vec![texts]), COMPARE.0, COMPARE.1);
        let outcomes = run(lab, &[job(statements.concat()), job(above), job(texts)]);
        assert_eq!(outcomes[2].statements[1], observed(Value::Int(5)));
        assert_eq!(outcomes[0].statements[2], observed(Value::Int(3)));
        assert_eq!(outcomes[1].statements[1], value("below"));
    });
}

#[test]
fn an_answer_that_does_not_fit_is_no_exception_of_the_program() {
    on_each_jdk(|lab| {
        let sized = |answer| job(vec![source(Answer::Parameter(0), answer)]);
        let of_class = job(vec![stub(CALLER, vec![])]);
        let jobs = [sized(Answer::Arg(text("seven"))), sized(Answer::Parameter(0)), of_class];
        for (outcome, reason) in
            run(lab, &jobs).iter().zip(["does not fit int", "has no parameter 0", "cannot be implemented"])
        {
            assert!(
                matches!(&outcome.broken, Some(Broken::Unrunnable(why)) if why.contains(reason)),
                "{outcome:?}"
            );
            assert_eq!(outcome.thrown, None);
        }
    });
}

fn to_implement(lab: &Lab, name: &str) -> Option<Vec<String>> {
    let info = lab.worker().describe(&[name.to_owned()]).unwrap().types.remove(0);
    let spelled = |methods: Vec<dynaflow_model::sites::MethodRef>| {
        methods.into_iter().map(|m| format!("{}.{}{}", m.owner, m.name, m.descriptor)).collect()
    };
    info.to_implement.map(spelled)
}

#[test]
fn what_is_to_be_implemented_is_what_is_abstract_and_not_of_object() {
    on_each_jdk(|lab| {
        let of = |name: &str| to_implement(lab, name).unwrap();
        let source = ["done()V", "name(Ljava/lang/Object;J)Ljava/lang/Object;", "size()I"];
        assert_eq!(of(SOURCE), source.map(|text| format!("{SOURCE}.{text}")));
        let compare = "compare(Ljava/lang/Object;Ljava/lang/Object;)I";
        assert_eq!(of("java.util.Comparator"), [format!("java.util.Comparator.{compare}")]);
        assert_eq!(of("demo.Caller$Below"), ["demo.Caller$Below.value()Ljava/lang/String;"]);
        let texts = "demo.Caller$OfTexts.compare(Ljava/lang/String;Ljava/lang/String;)I";
        assert_eq!(of("demo.Caller$OfTexts"), [texts]);
        assert_eq!(of("java.io.Serializable"), [] as [String; 0]);
    });
}

#[test]
fn what_a_test_cannot_implement_has_nothing_to_implement() {
    on_each_jdk(|lab| {
        for name in ["Closed", "Marked", "Generic", "Twofold"] {
            assert_eq!(to_implement(lab, &format!("demo.Caller${name}")), None, "{name}");
        }
        assert_eq!(to_implement(lab, CALLER), None);
    });
}

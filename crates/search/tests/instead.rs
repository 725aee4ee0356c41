//! A call in place of another one on the same object.

mod common;

use common::{OUTER, Script, int, spelled, text};
use dynaflow_model::sequence::Arg;
use dynaflow_search::called_instead;

fn all(sequence: &Script, other: &Script, at: u32) -> Vec<String> {
    called_instead(&sequence.0, &other.0, at).iter().map(spelled).collect()
}

#[test]
fn the_call_stands_last_on_the_same_object_with_what_it_needs_and_what_changed_that() {
    let mut refused = Script::default();
    let first = refused.made("a.Middle");
    let outer = refused.made(OUTER);
    refused.outer(outer, "open()V", &[]);
    refused.outer(outer, "take(La/Middle;)V", &[Arg::Var(first)]);
    let mut other = Script::default();
    let outer = other.made(OUTER);
    let middle = other.made("a.Middle");
    other.call(middle, "a.Middle", "open()V", &[]);
    other.outer(outer, "probe()Z", &[]);
    let at = other.outer(outer, "give(La/Middle;I)V", &[Arg::Var(middle), int(7)]);
    let expected = "new Middle(); new Outer(); #1.open(); new Middle(); #3.open(); #1.give(#3,7)";
    assert_eq!(all(&refused, &other, at), [expected]);
}

#[test]
fn where_parameters_are_the_same_what_was_passed_is_passed_again() {
    let (mut refused, mut other) = (Script::default(), Script::default());
    let outer = refused.made(OUTER);
    refused.outer(outer, "put(Ljava/lang/String;I)V", &[text("a"), int(-1)]);
    let outer = other.made(OUTER);
    let at = other.outer(outer, "take(Ljava/lang/String;I)V", &[text("b"), int(0)]);
    assert_eq!(all(&refused, &other, at), ["new Outer(); #0.take('b',0)", "new Outer(); #0.take('a',-1)"]);
}

#[test]
fn nothing_takes_the_place_of_a_constructor_of_the_same_method_or_of_one_of_another_class() {
    let (mut refused, mut other) = (Script::default(), Script::default());
    let outer = refused.made(OUTER);
    refused.outer(outer, "open()V", &[]);
    let outer = other.made(OUTER);
    let same = other.outer(outer, "open()V", &[]);
    let middle = other.made("a.Middle");
    let of_middle = other.call(middle, "a.Middle", "close()V", &[]);
    for at in [outer, same, of_middle, 99] {
        assert_eq!(all(&refused, &other, at), Vec::<String>::new());
    }
}

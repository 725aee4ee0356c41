//! Which accesses of a method are recorded together: those between which nothing else is recorded, and no others.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

mod support;

use dynaflow_instrument::{ClassSites, Plan, WeaveOptions};
use dynaflow_model::sites::{Access, Bundle, SiteKind};

fn sites(options: WeaveOptions) -> ClassSites {
    Plan::new(&support::compile("Together.java")["Together"], &options).unwrap().sites().clone()
}

fn of_method<'s>(sites: &'s ClassSites, method: &str) -> impl Iterator<Item = &'s Bundle> {
    let is_of = move |at: usize| sites.methods[usize::from(sites.sites[at].method)].name == method;
    sites.bundles.iter().filter(move |bundle| is_of(bundle.first as usize))
}

/// The events of the bundles of a method, one text for each: `enter`, `exit`, `r` or `w` and the field or `[]`.
fn bundles(sites: &ClassSites, method: &str) -> Vec<String> {
    let event = |at: usize| {
        let letter = |access: &Access| if *access == Access::Read { "r" } else { "w" };
        match &sites.sites[at].kind {
            SiteKind::Enter { .. } => "enter".to_owned(),
            SiteKind::Exit { .. } => "exit".to_owned(),
            SiteKind::Field { access, field, .. } => format!("{} {}", letter(access), field.name),
            SiteKind::Element { access, .. } => format!("{} []", letter(access)),
            other => panic!("{other:?} is recorded with others"),
        }
    };
    let text = |first: usize, count: usize| (first..first + count).map(event).collect::<Vec<_>>().join(", ");
    of_method(sites, method).map(|bundle| text(bundle.first as usize, bundle.steps.len())).collect()
}

#[test]
fn an_invocation_that_only_accesses_its_receiver_is_one_bundle() {
    let sites = sites(WeaveOptions::default());
    assert_eq!(bundles(&sites, "getter"), ["enter, r a, exit"]);
    assert_eq!(bundles(&sites, "setter"), ["enter, w next, w a, exit"]);
    let setter = sites.bundles.iter().find(|bundle| bundle.steps.len() == 4).unwrap();
    assert_eq!((setter.objects, setter.numbers, setter.words().len()), (2, 0, 2), "it, and what it is given");
    assert_eq!(setter.steps[1].value, Some(1));
}

#[test]
fn accesses_to_one_object_or_element_pass_it_once() {
    let sites = sites(WeaveOptions::default());
    assert_eq!(bundles(&sites, "sameObject"), ["enter, r a, r b, r a, w a"]);
    assert_eq!(of_method(&sites, "sameObject").map(|bundle| bundle.objects).collect::<Vec<_>>(), [2]);
    assert_eq!(bundles(&sites, "sameElement"), ["enter, r numbers, r [], r a, w [], exit"]);
    assert_eq!(of_method(&sites, "sameElement").map(|bundle| bundle.numbers).collect::<Vec<_>>(), [1]);
}

#[test]
fn what_a_final_field_holds_is_one_object_and_what_others_may_change_is_not() {
    let sites = sites(WeaveOptions::default());
    let objects = |method: &str| of_method(&sites, method).map(|bundle| bundle.objects).collect::<Vec<_>>();
    assert_eq!(bundles(&sites, "twice"), ["enter, r fixed, r [], r fixed, r [], exit"]);
    assert_eq!(objects("twice"), [2], "this and the array");
    assert_eq!(bundles(&sites, "changing"), ["enter, r numbers, r [], r numbers, r [], exit"]);
    assert_eq!(objects("changing"), [3], "this and two arrays");
    assert_eq!(bundles(&sites, "<init>"), ["r fixed, r [], w fixed, r fixed, r [], exit"]);
    assert_eq!(objects("<init>"), [3], "the array before, the one given, and what is read then");
}

#[test]
fn an_access_that_may_throw_is_recorded_with_those_before_it() {
    let sites = sites(WeaveOptions::default());
    assert_eq!(bundles(&sites, "maySuddenlyEnd"), ["enter, r a, r a, exit"], "null");
    assert_eq!(bundles(&sites, "divided"), ["enter, r a, r b, r a, exit"], "zero");
    assert_eq!(bundles(&sites, "length"), ["enter, r numbers, r a, exit"], "null");
    assert_eq!(bundles(&sites, "moved"), ["enter, r [], w [], exit"], "a store");
    assert_eq!(
        bundles(&sites, "refused"),
        ["enter, r objects, r objects, r []", "w [], exit"],
        "more objects than one call can pass"
    );
}

#[test]
fn an_access_that_may_throw_begins_a_bundle_where_it_is_guarded_or_recorded_first() {
    let sites = sites(WeaveOptions::default());
    assert_eq!(bundles(&sites, "guardedEnd"), ["r a, r b", "r a, r b"]);
    assert_eq!(
        bundles(&sites, "refusedVolatile"),
        ["enter, r a"],
        "it would be recorded though it never happened"
    );
}

#[test]
fn what_may_throw_begins_a_bundle_in_classes_whose_types_are_inferred() {
    let mut bytes = support::compile("Together.java")["Together"].clone();
    bytes[7] = 50;
    let sites = Plan::new(&bytes, &WeaveOptions::default()).unwrap().sites().clone();
    assert_eq!(bundles(&sites, "getter"), ["enter, r a, exit"]);
    assert_eq!(bundles(&sites, "maySuddenlyEnd"), ["r a, exit"]);
}

#[test]
fn what_others_could_record_ends_a_bundle() {
    let sites = sites(WeaveOptions::default());
    assert_eq!(bundles(&sites, "calls"), ["enter, r a, r b", "r a, r b, exit"], "a call");
    assert_eq!(bundles(&sites, "volatileWrite"), ["enter, r a, w seen", "r a, w b, exit"], "others see it");
    assert_eq!(bundles(&sites, "elsewhere"), ["enter, r a", "r x, r y, exit"], "a loader may run");
    assert_eq!(bundles(&sites, "branches"), ["enter, r a", "r a, exit"], "other ways lead there");
    assert_eq!(bundles(&sites, "guarded"), ["r a, w b, exit"], "the handler finds it entered");
    assert_eq!(bundles(&sites, "locked"), ["enter, w a", "r a, exit"], "another lock");
}

#[test]
fn basic_blocks_and_branches_are_recorded_between_accesses() {
    for (blocks, branches) in [(true, false), (false, true)] {
        let sites = sites(WeaveOptions { blocks, branches, ..WeaveOptions::default() });
        assert_eq!(sites.bundles, []);
    }
}

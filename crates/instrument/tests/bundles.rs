//! Which accesses of a method are told at once: those between which nothing can happen, and no others.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

mod support;

use dynaflow_instrument::{ClassSites, Plan, WeaveOptions};
use dynaflow_model::sites::{Access, SiteKind};

fn sites(options: WeaveOptions) -> ClassSites {
    Plan::new(&support::compile("Together.java")["Together"], &options).unwrap().sites().clone()
}

/// What the bundles of a method tell, one text for each: `enter`, `exit`, `r` or `w` and the field or `[]`.
fn bundles(sites: &ClassSites, method: &str) -> Vec<String> {
    let of_method = |at: usize| sites.methods[usize::from(sites.sites[at].method)].name == method;
    let found = sites.bundles.iter().filter(|bundle| of_method(bundle.first as usize));
    let told = |at: usize| {
        let letter = |access: &Access| if *access == Access::Read { "r" } else { "w" };
        match &sites.sites[at].kind {
            SiteKind::Enter { .. } => "enter".to_owned(),
            SiteKind::Exit { .. } => "exit".to_owned(),
            SiteKind::Field { access, field, .. } => format!("{} {}", letter(access), field.name),
            SiteKind::Element { access, .. } => format!("{} []", letter(access)),
            other => panic!("{other:?} is told at once with others"),
        }
    };
    let text = |first: usize, count: usize| (first..first + count).map(told).collect::<Vec<_>>().join(", ");
    found.map(|bundle| text(bundle.first as usize, bundle.steps.len())).collect()
}

#[test]
fn an_invocation_that_only_accesses_its_receiver_is_told_at_once() {
    let sites = sites(WeaveOptions::default());
    assert_eq!(bundles(&sites, "getter"), ["enter, r a, exit"]);
    assert_eq!(bundles(&sites, "setter"), ["enter, w next, w a, exit"]);
    let setter = sites.bundles.iter().find(|bundle| bundle.steps.len() == 4).unwrap();
    assert_eq!((setter.objects, setter.numbers, setter.extra_words()), (2, 0, 1), "it, and what it is given");
    assert_eq!(setter.steps[1].value, Some(1));
}

#[test]
fn accesses_to_one_object_or_element_are_told_at_once_behind_the_first() {
    let sites = sites(WeaveOptions::default());
    assert_eq!(bundles(&sites, "sameObject"), ["r a, r b, r a, w a"]);
    let told = sites.bundles.iter().find(|bundle| bundle.steps.len() == 4 && bundle.objects == 1);
    assert!(told.is_some(), "the object once");
    assert_eq!(bundles(&sites, "sameElement"), ["enter, r numbers", "r [], r a, w [], exit"]);
}

#[test]
fn what_others_could_tell_of_or_what_may_not_happen_comes_between() {
    let sites = sites(WeaveOptions::default());
    assert_eq!(bundles(&sites, "calls"), ["enter, r a, r b", "r a, r b, exit"], "a call");
    assert_eq!(bundles(&sites, "volatileWrite"), ["enter, r a, w seen", "r a, w b, exit"], "others see it");
    assert_eq!(bundles(&sites, "maySuddenlyEnd"), ["r a, exit"], "null");
    assert_eq!(bundles(&sites, "divided"), ["enter, r a, r b", "r a, exit"], "zero");
    assert_eq!(
        bundles(&sites, "refused"),
        ["enter, r objects, r objects", "w [], exit"],
        "an element, then a store"
    );
    assert_eq!(bundles(&sites, "branches"), ["enter, r a", "r a, exit"], "other ways lead there");
    assert_eq!(bundles(&sites, "guarded"), ["r a, w b, exit"], "the handler finds it entered");
    assert_eq!(bundles(&sites, "locked"), ["enter, w a", "r a, exit"], "another lock");
}

#[test]
fn basic_blocks_and_branches_are_told_between_accesses() {
    for (blocks, branches) in [(true, false), (false, true)] {
        let sites = sites(WeaveOptions { blocks, branches, ..WeaveOptions::default() });
        assert_eq!(sites.bundles, []);
    }
}

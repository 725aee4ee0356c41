//! Which sites classes compiled by javac have: kinds, receivers, lines, roles, and what must have none.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

mod support;

use dynaflow_bytecode::blocks::Blocks;
use dynaflow_bytecode::{Body, class_hash};
use dynaflow_classfile::{Attribute, ClassFile};
use dynaflow_instrument::{ClassSites, Plan, WeaveOptions};
use dynaflow_model::sites::{
    Access, Base, CallKind, Origin, ReceiverKind, Site, SiteKind, TestRole, ValueKind,
};

fn sites(source: &str, class: &str, options: WeaveOptions) -> ClassSites {
    let classes = support::compile(source);
    Plan::new(&classes[class], &options).unwrap().sites().clone()
}

fn of<'s>(sites: &'s ClassSites, method: &str) -> Vec<&'s SiteKind> {
    let is_method = |index: u16| {
        let method_of = &sites.methods[usize::from(index)];
        format!("{}{}", method_of.name, method_of.descriptor) == method
    };
    let kinds: Vec<&SiteKind> =
        sites.sites.iter().filter(|site| is_method(site.method)).map(|s| &s.kind).collect();
    assert!(!kinds.is_empty(), "{method} is no method with sites");
    kinds
}

#[test]
fn a_constructor_announces_the_other_constructor_and_its_receiver_in_this_order() {
    let sites = sites("Places.java", "Places", WeaveOptions::default());
    let kinds = of(&sites, "<init>(Ljava/lang/String;)V");
    assert_eq!(kinds[0], &SiteKind::Enter { receiver: ReceiverKind::Constructor });
    assert_eq!(kinds[1], &SiteKind::SuperCall { owner: "java.lang.Object".to_owned() });
    assert_eq!(kinds[2], &SiteKind::Bind);
    let written: Vec<&str> = kinds
        .iter()
        .filter_map(|kind| match kind {
            SiteKind::Field { access: Access::Write, base: Base::This, field, .. } => {
                Some(field.name.as_str())
            }
            _ => None,
        })
        .collect();
    assert_eq!(written, ["map", "name"]);
    assert_eq!(kinds.last().unwrap(), &&SiteKind::Exit { exceptional: true });
    let kinds = of(&sites, "<init>()V");
    assert_eq!(kinds[1], &SiteKind::SuperCall { owner: "Places".to_owned() });
}

#[test]
fn this_is_followed_through_locals_and_given_up_where_paths_disagree() {
    let sites = sites("Places.java", "Places", WeaveOptions::default());
    let writes: Vec<(Base, &str)> = of(&sites, "aliases(LPlaces;)V")
        .into_iter()
        .filter_map(|kind| match kind {
            SiteKind::Field { access: Access::Write, base, field, .. } => Some((*base, field.name.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(writes, [(Base::This, "other"), (Base::Stack, "other"), (Base::Stack, "name")]);
}

#[test]
fn containers_statics_and_elements_have_their_sites_and_dollar_fields_none() {
    let sites = sites("Places.java", "Places", WeaveOptions::default());
    let calls: Vec<(Access, String)> = of(&sites, "contents(Ljava/lang/String;)I")
        .into_iter()
        .filter_map(|kind| match kind {
            SiteKind::Contents { access, callee, .. } => {
                Some((*access, format!("{}.{}", callee.owner, callee.name)))
            }
            _ => None,
        })
        .collect();
    let expected = [
        (Access::ReadWrite, "java.util.Map.put"),
        (Access::Read, "java.util.Map.size"),
        (Access::Write, "java.lang.StringBuilder.append"),
        (Access::Read, "java.lang.StringBuilder.length"),
    ];
    assert_eq!(calls, expected.map(|(access, name)| (access, name.to_owned())));

    let statics = of(&sites, "statics([Ljava/lang/Object;I)Ljava/lang/Object;");
    assert_eq!(statics[0], &SiteKind::Enter { receiver: ReceiverKind::Static });
    let element = |access| SiteKind::Element { access, value: ValueKind::Reference };
    assert!(statics.contains(&&element(Access::Read)) && statics.contains(&&element(Access::Write)));
    assert!(matches!(
        statics[2],
        SiteKind::Static { access: Access::Write, value: ValueKind::Reference, .. }
    ));

    assert!(
        sites.fields.iter().all(|field| !field.name.starts_with('$')),
        "$assertionsDisabled is no location"
    );
    let touches_dollar =
        |kind: &SiteKind| matches!(kind, SiteKind::Static { field, .. } if field.name.starts_with('$'));
    assert!(!sites.sites.iter().any(|site| touches_dollar(&site.kind)));
}

#[test]
fn bulk_operations_read_and_write_elements() {
    let sites = sites("Places.java", "Places", WeaveOptions::default());
    let elements: Vec<(Access, ValueKind)> = of(&sites, "bulk([Ljava/lang/Object;[J)[Ljava/lang/Object;")
        .into_iter()
        .filter_map(|kind| match kind {
            SiteKind::Element { access, value } => Some((*access, *value)),
            _ => None,
        })
        .collect();
    let writes = [(Access::Write, ValueKind::Leaf), (Access::Write, ValueKind::Reference)];
    let copied = [(Access::Read, ValueKind::Leaf), writes[0], writes[1]];
    assert_eq!(elements, [&copied[..], &writes[..], &copied[..]].concat());
}

#[test]
fn an_empty_finalizer_stays_empty() {
    let classes = support::compile("Places.java");
    let plan = Plan::new(&classes["Places"], &WeaveOptions::default()).unwrap();
    let finalize = plan.sites().methods.iter().position(|method| method.name == "finalize").unwrap();
    assert!(plan.sites().sites.iter().all(|site| usize::from(site.method) != finalize));
    assert!(plan.sites().sites.iter().any(|site| usize::from(site.method) != finalize));
}

#[test]
fn sites_come_in_order_with_lines_and_depend_on_the_bytes_alone() {
    let classes = support::compile("Places.java");
    let options = WeaveOptions { branches: true, carve: true, ..WeaveOptions::default() };
    let first = Plan::new(&classes["Places"], &options).unwrap().sites().clone();
    assert_eq!(&first, Plan::new(&classes["Places"], &options).unwrap().sites());
    assert_eq!(first.hash, class_hash(&classes["Places"]));
    assert_ne!(first.hash, class_hash(b"something else"));
    let order: Vec<(u16, u32)> = first.sites.iter().map(|site| (site.method, site.offset)).collect();
    assert!(order.is_sorted(), "{order:?}");
    assert!(first.sites.iter().all(|site| site.line > 0), "compiled with line numbers");
    let branches =
        |sites: &ClassSites| sites.sites.iter().filter(|s| matches!(s.kind, SiteKind::Branch { .. })).count();
    assert!(branches(&first) > 0);
    assert_eq!(branches(Plan::new(&classes["Places"], &WeaveOptions::default()).unwrap().sites()), 0);
}

#[test]
fn every_basic_block_that_runs_has_a_site_of_its_number_before_the_others_of_its_first_instruction() {
    let classes = support::compile("Places.java");
    let parsed = ClassFile::parse(&classes["Places"]).unwrap();
    let options = WeaveOptions { branches: true, carve: true, blocks: true, copies: true };
    let with = Plan::new(&classes["Places"], &options).unwrap().sites().clone();
    let without = Plan::new(&classes["Places"], &WeaveOptions { blocks: false, ..options }).unwrap();
    let number = |site: &Site| match site.kind {
        SiteKind::Block { number } => Some(number),
        _ => None,
    };
    let others: Vec<&Site> = with.sites.iter().filter(|site| number(site).is_none()).collect();
    assert_eq!(others, without.sites().sites.iter().collect::<Vec<_>>(), "no other site comes or goes");
    let mut handlers = 0;
    for (at, method) in parsed.methods.iter().enumerate() {
        let Some(body) = Body::of_method(&parsed, method).unwrap() else { continue };
        let own: Vec<&Site> = with.sites.iter().filter(|site| usize::from(site.method) == at).collect();
        if own.is_empty() {
            continue;
        }
        let blocks = Blocks::of(&body).unwrap();
        let starts = blocks.all().iter().map(|block| block.start).zip(1..);
        let found = own.iter().filter_map(|site| Some((site.offset, number(site)?)));
        assert_eq!(found.collect::<Vec<_>>(), starts.collect::<Vec<_>>(), "javac leaves no dead code");
        let enters = |site: &&&Site| matches!(site.kind, SiteKind::Enter { .. });
        for pair in own.windows(2).filter(|pair| number(pair[1]).is_some()) {
            assert!(pair[0].offset < pair[1].offset || enters(&&pair[0]), "{pair:?}");
        }
        handlers += body.code.exceptions.len();
    }
    assert!(handlers > 0, "the class catches something");
}

/// What Kotlin says of a file of eight lines, and of code inlined from another file into line 4.
const INLINED: &str = "SMAP\nPlaces.java\nKotlin\n*S Kotlin\n*F\n+ 1 Places.java\nPlaces\n+ 2 Other.kt\no/OtherKt\n\
    *L\n1#1,8:1\n300#2,500:9\n*S KotlinDebug\n*F\n+ 1 Places.java\nPlaces\n*L\n4#1:9,500\n*E\n";

#[test]
fn sites_of_inlined_code_have_a_line_of_the_classs_own_file() {
    let bytes = &support::compile("Places.java")["Places"];
    let mut class = ClassFile::parse(bytes).unwrap();
    let name = class.pool.append_utf8(b"SourceDebugExtension").unwrap();
    class.attributes.push(Attribute { name, data: INLINED.as_bytes().into(), offset: 0 });
    let mapped = class.write();
    let lines = |bytes: &[u8]| -> Vec<u32> {
        let plan = Plan::new(bytes, &WeaveOptions::default()).unwrap();
        plan.sites().sites.iter().map(|site| site.line).collect()
    };
    let (plain, mapped) = (lines(bytes), lines(&mapped));
    assert!(plain.iter().any(|line| *line > 8) && plain.iter().any(|line| (1..=8).contains(line)));
    let expected: Vec<u32> = plain.iter().map(|line| if *line > 8 { 4 } else { *line }).collect();
    assert_eq!(mapped, expected);
}

#[test]
fn roles_come_from_annotations_first_and_names_second() {
    let sites = sites("Roles.java", "Roles", WeaveOptions::default());
    let roles: Vec<(&str, TestRole)> = sites.methods.iter().map(|m| (m.name.as_str(), m.role)).collect();
    for expected in [
        ("prepare", TestRole::BeforeEach),
        ("works", TestRole::Test),
        ("testOld", TestRole::MaybeTest),
        ("testWith", TestRole::None),
        ("testStatic", TestRole::None),
        ("setUp", TestRole::BeforeEach),
        ("testNamedButAfter", TestRole::AfterEach),
        ("<init>", TestRole::None),
    ] {
        assert!(roles.contains(&expected), "{expected:?} in {roles:?}");
    }
    let base = self::sites("Roles.java", "RolesBase", WeaveOptions::default());
    assert!(base.methods.iter().all(|m| m.role == TestRole::None), "a class below Object is no JUnit 3 test");
}

#[test]
fn carving_records_calls_and_origins_in_test_classes_alone() {
    let carve = WeaveOptions { branches: false, carve: true, ..WeaveOptions::default() };
    let sites = sites("Roles.java", "Roles", carve);
    let works = of(&sites, "works()V");
    let calls: Vec<(CallKind, &str)> = works
        .iter()
        .filter_map(|kind| match kind {
            SiteKind::Call { callee, kind } => Some((*kind, callee.name.as_str())),
            _ => None,
        })
        .collect();
    let expected = [
        (CallKind::Virtual, "append"),
        (CallKind::Virtual, "toString"),
        (CallKind::Interface, "run"),
        (CallKind::Constructor, "<init>"),
    ];
    assert_eq!(calls, expected, "the framework's own methods are left out");
    let origins: Vec<&Origin> = works
        .iter()
        .filter_map(|kind| if let SiteKind::Origin { origin } = kind { Some(origin) } else { None })
        .collect();
    assert!(matches!(origins[0], Origin::InstanceField(field) if field.name == "text"));
    assert!(matches!(origins[1], Origin::StaticField(field) if field.name == "numbers"));
    assert!(matches!(origins[2], Origin::Opaque(text) if text.contains("lambda")));

    let places = self::sites("Places.java", "Places", carve);
    let carved = |kind: &SiteKind| matches!(kind, SiteKind::Call { .. } | SiteKind::Origin { .. });
    assert!(!places.sites.iter().any(|site| carved(&site.kind)), "Places is no test class");
}

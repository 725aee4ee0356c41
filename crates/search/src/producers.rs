//! Which ways there are to get an object of each class: its own, and, where it has none, methods of other objects.
//!
//! Knows types, not sequences. Invariant: the ways are listed in the order of class names, under the class that is made and under all its supertypes.

use crate::producer::{Producer, is_jdk_constant};
use crate::types::{Types, package_of};
use dynaflow_model::descriptor;
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef};
use dynaflow_model::types::TypeInfo;
use std::collections::BTreeMap;

/// Most methods of other objects that are known to give an object of one class.
const MOST: usize = 8;

impl Types {
    /// An index over the types, for tests that live in `package`.
    pub fn new(types: impl IntoIterator<Item = TypeInfo>, package: &str) -> Self {
        Self::index(types).seen_from(package)
    }

    /// The same types, for tests that live in `package`.
    #[must_use]
    pub fn seen_from(&self, package: &str) -> Self {
        self.in_package(package, |types| {
            let mut all = BTreeMap::new();
            for (class, info) in types.open() {
                for (made, producer) in producers_in(types, class, info) {
                    list(types, &made, &producer, &mut all);
                }
            }
            let of_others = methods_of_others(types, &all);
            all.extend(of_others);
            all
        })
    }
}

/// Lists a producer under the class it makes and all supertypes of that class.
fn list(types: &Types, made: &str, producer: &Producer, all: &mut BTreeMap<String, Vec<Producer>>) {
    let above = types.get(made).map_or(&[][..], |info| &info.supertypes);
    for under in std::iter::once(made).chain(above.iter().map(String::as_str).filter(|name| *name != made)) {
        if under != "java.lang.Object" || under == made {
            all.entry(under.to_owned()).or_default().push(producer.clone());
        }
    }
}

/// What a class offers, each with the class it makes.
fn producers_in(types: &Types, class: &str, info: &TypeInfo) -> Vec<(String, Producer)> {
    let news =
        types.callable_constructors(class).map(|c| (class.to_owned(), Producer::New(c.method.clone())));
    let factories = types.callable_methods(class).filter(|m| m.kind == CallKind::Static).filter_map(|m| {
        let made = descriptor::class_of(descriptor::result(&m.method.descriptor))?;
        let method = MethodRef { owner: class.to_owned(), ..m.method.clone() };
        Some((made, Producer::Factory(method)))
    });
    let is_constant = |f: &&FieldRef| info.enum_constants.contains(&f.name) && f.owner == class;
    // A field is not private, and nothing more is known: a test in the package can always use it.
    let near = package_of(class) == types.package();
    let fields = info
        .static_fields
        .iter()
        .filter(|f| (near || is_jdk_constant(f)) && !is_constant(f))
        .filter_map(|f| Some((descriptor::class_of(&f.descriptor)?, Producer::Field(f.clone()))));
    let constants = info
        .enum_constants
        .iter()
        .map(|name| (class.to_owned(), Producer::Constant(class.to_owned(), name.clone())));
    let known = |made: &str| types.get(made).is_some() && made != "java.lang.String";
    let all = news.chain(factories).chain(fields).chain(constants);
    all.filter(|(made, producer)| known(made) && !producer.varies() && !producer.opens()).collect()
}

/// For the program's classes that have no way of their own: methods of objects of other classes of the program that give one, those of the nearest package first.
fn methods_of_others(
    types: &Types,
    own: &BTreeMap<String, Vec<Producer>>,
) -> BTreeMap<String, Vec<Producer>> {
    let is_of_program = |name: &str| !name.starts_with("java.") && !name.starts_with("javax.");
    let mut found: BTreeMap<String, Vec<Producer>> = BTreeMap::new();
    for (class, info) in types.open().filter(|(class, _)| is_of_program(class)) {
        for callable in types.callable_methods(class).filter(|callable| callable.kind != CallKind::Static) {
            let result = descriptor::class_of(descriptor::result(&callable.method.descriptor));
            let Some(made) = result.filter(|made| is_of_program(made) && types.get(made).is_some()) else {
                continue;
            };
            let method = MethodRef { owner: class.to_owned(), ..callable.method.clone() };
            // What has to be there first is no way to get it.
            let needs = |under: &str| {
                types.assignable(&descriptor::of_class(class), &descriptor::of_class(under)) != Some(false)
            };
            let mut ways = BTreeMap::new();
            let kind = if info.is_interface { CallKind::Interface } else { callable.kind };
            list(types, &made, &Producer::Method(method, kind), &mut ways);
            for (under, ways) in ways
                .into_iter()
                .filter(|(under, _)| is_of_program(under) && !own.contains_key(under) && !needs(under))
            {
                found.entry(under).or_default().extend(ways);
            }
        }
    }
    for (class, ways) in &mut found {
        let is_far = |way: &Producer| matches!(way, Producer::Method(method, _) if package_of(&method.owner) != package_of(class));
        ways.sort_by_key(is_far);
        ways.truncate(MOST);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::types::{Callable, Visibility};

    /// A class with a public constructor or none, and public methods: name and descriptor.
    fn class(name: &str, is_made: bool, above: &[&str], methods: &[(&str, &str)]) -> TypeInfo {
        let callable = |name_of: &str, descriptor: &str, kind| Callable {
            method: MethodRef { owner: name.into(), name: name_of.into(), descriptor: descriptor.into() },
            kind,
            visibility: Visibility::Public,
            throws: vec![],
        };
        TypeInfo {
            name: name.into(),
            visibility: Visibility::Public,
            is_abstract: false,
            is_interface: false,
            is_inner: false,
            supertypes: above.iter().map(ToString::to_string).chain(["java.lang.Object".into()]).collect(),
            constructors: is_made
                .then(|| callable("<init>", "()V", CallKind::Constructor))
                .into_iter()
                .collect(),
            methods: methods.iter().map(|(name, of)| callable(name, of, CallKind::Virtual)).collect(),
            static_fields: vec![],
            enum_constants: vec![],
            to_implement: None,
        }
    }

    fn ways(types: &Types, class: &str) -> Vec<String> {
        let name = |way: &Producer| match way {
            Producer::New(of) | Producer::Factory(of) | Producer::Method(of, _) => {
                format!("{}.{}", of.owner, of.name)
            }
            Producer::Field(of) => format!("{}.{}", of.owner, of.name),
            Producer::Constant(class, name) => format!("{class}.{name}"),
        };
        types.producers(class).iter().map(name).collect()
    }

    #[test]
    fn a_constructor_for_frameworks_is_no_way_where_a_public_one_takes_what_the_class_needs() {
        let hidden = |name: &str, others: &[(&str, Visibility)]| {
            let mut class = class(name, true, &[], &[]);
            class.constructors[0].visibility = Visibility::Protected;
            for (descriptor, visibility) in others {
                let mut other = class.constructors[0].clone();
                (*descriptor).clone_into(&mut other.method.descriptor);
                other.visibility = *visibility;
                class.constructors.push(other);
            }
            class
        };
        let public = ("(I)V", Visibility::Public);
        let near = ("(J)V", Visibility::Package);
        let all = [hidden("a.Cargo", &[public, near]), hidden("a.Leg", &[near]), hidden("a.Only", &[])];
        let types = Types::new(all, "a");
        assert_eq!(["a.Cargo", "a.Leg", "a.Only"].map(|class| ways(&types, class).len()), [2, 2, 1]);
    }

    #[test]
    fn a_class_without_a_way_of_its_own_comes_from_methods_of_others_that_do_not_need_it() {
        let types = Types::new(
            [
                class("a.Builder", true, &[], &[("build", "()La/Parcel;"), ("with", "()La/Builder;")]),
                class("a.Heavy", false, &["a.Parcel"], &[("copy", "()La/Parcel;")]),
                class("a.Parcel", false, &[], &[("copy", "()La/Parcel;"), ("next", "()La/Parcel;")]),
                class("b.Post", true, &[], &[("heaviest", "()La/Heavy;"), ("builder", "()La/Builder;")]),
            ],
            "a",
        );
        assert_eq!(ways(&types, "a.Parcel"), ["a.Builder.build", "b.Post.heaviest"], "the nearest first");
        assert_eq!(ways(&types, "a.Heavy"), ["b.Post.heaviest"]);
        assert_eq!(ways(&types, "a.Builder"), ["a.Builder.<init>"], "it has a way of its own");
    }
}

//! The types a test may use, and where a value of each is assignable. Knows nothing of what sequences do.
//!
//! Invariant: iteration follows class names, so that the same types give the same search whatever order they came in.

use crate::ambient::is_ambient;
use crate::producer::Producer;
use dynaflow_model::declared::{self, Declared, DeclaredMethod, Type};
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Statement, Value};
use dynaflow_model::sites::MethodRef;
use dynaflow_model::types::{Callable, TypeInfo, Visibility};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The types a search may use, seen from the package its tests live in. Clones share what they know: there is one for each class and each search.
#[derive(Clone, Debug, Default)]
pub struct Types {
    by_name: Arc<BTreeMap<String, TypeInfo>>,
    package: String,
    /// Descriptors of all supertypes, by descriptor: assignability is asked more often than anything else.
    above: Arc<FxHashMap<String, FxHashSet<String>>>,
    /// What makes an object of the class, by class.
    producers: Arc<BTreeMap<String, Vec<Producer>>>,
    /// What class files declare beyond that.
    declared: Arc<Declared>,
}

/// The package of a binary class name; empty for the unnamed one.
pub fn package_of(class: &str) -> &str {
    class.rsplit_once('.').map_or("", |(package, _)| package)
}

/// Public methods of `java.lang.Object`, which a type lists only when it overrides them.
pub(crate) const OF_OBJECT: &[(&str, &str)] = &[
    ("equals", "(Ljava/lang/Object;)Z"),
    ("hashCode", "()I"),
    ("toString", "()Ljava/lang/String;"),
    ("getClass", "()Ljava/lang/Class;"),
];

/// Most methods of an interface that a test implements: each takes four lines.
const MOST_METHODS: usize = 16;

/// Supertypes every string has, besides itself.
const OF_STRING: &[&str] =
    &["Ljava/lang/CharSequence;", "Ljava/lang/Comparable;", "Ljava/io/Serializable;", "Ljava/lang/Object;"];
/// Supertypes every boxed value has, besides itself and `Number`.
const OF_BOX: &[&str] = &["Ljava/lang/Comparable;", "Ljava/io/Serializable;", "Ljava/lang/Object;"];

/// Supertypes that some texts and boxed values have, or have on newer JDKs.
const OF_SOME_VALUES: &[&str] =
    &["Ljava/lang/Number;", "Ljava/lang/constant/Constable;", "Ljava/lang/constant/ConstantDesc;"];

/// Whether a class is that of texts or boxed values, which has no subclass.
pub(crate) fn is_value(class: &str) -> bool {
    class == "java.lang.String" || descriptor::is_box(class)
}

/// Whether a text or a boxed value may stand where `to` is wanted, which no class path changes; none for other types.
fn value_assignable(from: &str, to: &str) -> Option<bool> {
    let class = descriptor::class_of(from).filter(|class| is_value(class))?;
    let above = if class == "java.lang.String" { OF_STRING } else { OF_BOX };
    (!OF_SOME_VALUES.contains(&to)).then(|| above.contains(&to))
}

impl Types {
    /// An index over the types, for tests that live in no package, of which nothing is known to make an object yet.
    pub(crate) fn index(types: impl IntoIterator<Item = TypeInfo>) -> Self {
        let by_name: BTreeMap<_, _> = types.into_iter().map(|t| (t.name.clone(), t)).collect();
        let above = by_name
            .values()
            .map(|info| {
                (
                    descriptor::of_class(&info.name),
                    info.supertypes.iter().map(|s| descriptor::of_class(s)).collect(),
                )
            })
            .collect();
        Self { by_name: Arc::new(by_name), above: Arc::new(above), ..Self::default() }
    }

    /// The same types for tests that live in `package`, with what makes an object of each class there.
    pub(crate) fn in_package(
        &self,
        package: &str,
        makes: impl FnOnce(&Self) -> BTreeMap<String, Vec<Producer>>,
    ) -> Self {
        let there = Self { package: package.to_owned(), producers: Arc::default(), ..self.clone() };
        Self { producers: Arc::new(makes(&there)), ..there }
    }

    /// With what class files declare of these and other classes.
    #[must_use]
    pub fn with_declared(self, declared: Arc<Declared>) -> Self {
        Self { declared, ..self }
    }

    /// What class files declare.
    pub fn declared(&self) -> &Declared {
        &self.declared
    }

    /// A method as its class file declares it, with the class that does.
    pub fn declaration<'a>(&'a self, method: &'a MethodRef) -> Option<(&'a str, &'a DeclaredMethod)> {
        let key = format!("{}{}", method.name, method.descriptor);
        declared::method_of(&self.declared, &method.owner, &key)
    }

    /// The type with this binary name.
    pub fn get(&self, class: &str) -> Option<&TypeInfo> {
        self.by_name.get(class)
    }

    /// Whether a member of `owner` may be used by a test in the package.
    fn is_open(&self, owner: &str, visibility: Visibility) -> bool {
        match visibility {
            Visibility::Public => true,
            Visibility::Protected | Visibility::Package => package_of(owner) == self.package,
            Visibility::Private => false,
        }
    }

    /// Whether a test may name the class. Unknown classes pass: they were used by a test before.
    pub fn may_name(&self, class: &str) -> bool {
        self.get(class).is_none_or(|info| self.is_open(class, info.visibility))
    }

    /// Whether a test may call the method or constructor. `protected` members of other packages are closed.
    pub fn may_call(&self, callable: &Callable) -> bool {
        self.is_open(&callable.method.owner, callable.visibility)
    }

    /// The methods a made-up test may call on an object of the class, or on the class itself.
    pub(crate) fn callable_methods<'a>(&'a self, class: &str) -> impl Iterator<Item = &'a Callable> {
        let methods = self.get(class).filter(|_| self.may_name(class)).map_or(&[][..], |info| &info.methods);
        methods.iter().filter(|m| self.may_call(m) && !is_ambient(&m.method))
    }

    /// The constructors a made-up test may call with plain `new`; one without parameters that is not public only where no public one takes some, as it is for
    /// frameworks then, which fill objects by reflection.
    pub(crate) fn callable_constructors<'a>(&'a self, class: &str) -> impl Iterator<Item = &'a Callable> {
        let usable = |info: &&TypeInfo| !info.is_abstract && !info.is_inner && info.enum_constants.is_empty();
        let info = self.get(class).filter(|_| self.may_name(class)).filter(usable);
        let all = info.map_or(&[][..], |info| &info.constructors);
        let is_public = |c: &Callable| c.visibility == Visibility::Public;
        let has_public = all.iter().any(is_public);
        let is_bare = move |c: &Callable| has_public && !is_public(c) && c.method.descriptor == "()V";
        // A number or a text in its place is the same, and no constructor that the JDK is going to remove.
        let is_box = descriptor::is_box(class);
        all.iter().filter(move |c| !is_box && self.may_call(c) && !is_ambient(&c.method) && !is_bare(c))
    }

    /// The method the class has under this name and descriptor, and the same for constructors (`<init>`). None when the
    /// class is not known, `Some(None)` when it has none.
    pub fn member(&self, method: &MethodRef) -> Option<Option<&Callable>> {
        let info = self.get(&method.owner)?;
        let members = if method.name == "<init>" { &info.constructors } else { &info.methods };
        let same = |c: &&Callable| c.method.name == method.name && c.method.descriptor == method.descriptor;
        Some(members.iter().find(same))
    }

    /// A method as a class that inherits it has it, where the class that declares it is not known itself. Linear in the methods of all types.
    pub fn inherited(&self, method: &MethodRef) -> Option<&Callable> {
        self.by_name.values().flat_map(|info| &info.methods).find(|callable| callable.method == *method)
    }

    /// Whether a value of type `from` may stand where `to` is wanted. None when the types say nothing about `from`.
    pub fn assignable(&self, from: &str, to: &str) -> Option<bool> {
        if from == to {
            return Some(true);
        }
        if descriptor::is_primitive(from) || descriptor::is_primitive(to) || from == "V" || to == "V" {
            return Some(false);
        }
        if to == "Ljava/lang/Object;" {
            return Some(true);
        }
        if let Some(component) = descriptor::component(from) {
            return self.array_assignable(component, to);
        }
        self.class_assignable(from, to)
    }

    fn array_assignable(&self, component: &str, to: &str) -> Option<bool> {
        match descriptor::component(to) {
            Some(wanted) => self.assignable(component, wanted),
            None => Some(matches!(to, "Ljava/lang/Cloneable;" | "Ljava/io/Serializable;")),
        }
    }

    fn class_assignable(&self, from: &str, to: &str) -> Option<bool> {
        if from == "Ljava/lang/Object;" || !to.starts_with('L') {
            return Some(false);
        }
        if let Some(known) = value_assignable(from, to) {
            return Some(known);
        }
        self.above.get(from).map(|above| above.contains(to)).or_else(|| self.declared_above(from, to))
    }

    /// The same by what class files declare; none where one of those above is not known.
    fn declared_above(&self, from: &str, to: &str) -> Option<bool> {
        let mut seen = BTreeSet::from([descriptor::class_of(from)?]);
        let mut open: Vec<String> = seen.iter().cloned().collect();
        let mut is_known = true;
        while let Some(class) = open.pop() {
            let Some(class) = self.declared.get(&class) else {
                is_known &= class == "java.lang.Object";
                continue;
            };
            let above = class.supertypes.iter().filter_map(|above| match above {
                Type::Class(name, _) => Some(name),
                _ => None,
            });
            for name in above {
                if descriptor::of_class(name) == to {
                    return Some(true);
                }
                if seen.insert(name.clone()) {
                    open.push(name.clone());
                }
            }
        }
        is_known.then_some(false)
    }

    /// Whether the result of a statement is assignable to `to`, with a cast if its runtime class allows one.
    pub fn fits(&self, statement: &Statement, to: &str) -> Option<bool> {
        let by_type = self.assignable(&statement.result, to);
        if by_type == Some(true) {
            return by_type;
        }
        let class =
            statement.runtime_class.as_deref().filter(|_| !descriptor::is_primitive(&statement.result));
        match class.map(|class| self.assignable(&descriptor::of_class(class), to)) {
            Some(Some(true)) => Some(true),
            Some(None) => None,
            _ => by_type,
        }
    }

    /// Whether a literal may stand where `to` is wanted.
    pub fn literal_fits(&self, value: &Value, to: &str) -> bool {
        let is = |name: &str, more: &[&str]| to == name || more.contains(&to);
        match value {
            Value::Null => !descriptor::is_primitive(to) && to != "V",
            Value::Str(_) => is("Ljava/lang/String;", OF_STRING),
            Value::Enum(owner, _) => self.assignable(&descriptor::of_class(owner), to) != Some(false),
            Value::Parsed(class, _) => {
                to == "Ljava/lang/Object;" || self.assignable(&descriptor::of_class(class), to) == Some(true)
            }
            Value::Class(_) => is("Ljava/lang/Class;", &["Ljava/lang/Object;", "Ljava/io/Serializable;"]),
            Value::Boxed(inner) => {
                let is_number = !matches!(**inner, Value::Bool(_) | Value::Char(_));
                inner.boxed().is_some_and(|name| is(name, OF_BOX)) || is_number && to == "Ljava/lang/Number;"
            }
            primitive => primitive.primitive() == Some(to),
        }
    }

    /// The methods that a stub of the interface has to have; none where a test cannot implement it, or only at a length that nobody reads.
    pub fn to_implement(&self, class: &str) -> Option<&[MethodRef]> {
        let info = self.get(class).filter(|_| self.may_name(class))?;
        let methods = info.to_implement.as_deref()?;
        let can_name = |method: &MethodRef| self.may_name_all(&method.descriptor);
        (methods.len() <= MOST_METHODS && methods.iter().all(can_name)).then_some(methods)
    }

    /// Whether a test may name all classes of a method descriptor.
    fn may_name_all(&self, method: &str) -> bool {
        let mut parts = descriptor::parameters(method).into_iter().chain([descriptor::result(method)]);
        parts.all(|part| {
            descriptor::class_of(part.trim_start_matches('[')).is_none_or(|class| self.may_name(&class))
        })
    }

    /// The types of parameters of a method that nothing can be passed for but `null`, stubs included, as binary class names, in their order.
    pub fn out_of_reach(&self, method: &MethodRef) -> Vec<String> {
        let mut lacking = self.not_made(method);
        lacking.retain(|class| self.to_implement(class).is_none());
        lacking
    }

    /// The types of parameters of a method of which nothing known makes an object, as binary class names, in their order.
    pub fn not_made(&self, method: &MethodRef) -> Vec<String> {
        descriptor::parameters(&method.descriptor).into_iter().filter_map(|of| self.unmade(of)).collect()
    }

    /// The class of a descriptor, of an array's elements, where nothing known makes an object of it and no literal is one.
    pub fn unmade(&self, mut of: &str) -> Option<String> {
        while let Some(component) = descriptor::component(of) {
            of = component;
        }
        let class = descriptor::class_of(of)?;
        let is_literal = class == "java.lang.Object"
            || class == "java.lang.Class"
            || of == "Ljava/lang/String;"
            || OF_STRING.contains(&of)
            || OF_BOX.contains(&of)
            || class == "java.lang.Number"
            || descriptor::is_box(&class);
        (!is_literal && self.producers(&class).is_empty()).then_some(class)
    }

    /// The ways to get an object that fits `class`.
    pub(crate) fn producers(&self, class: &str) -> &[Producer] {
        self.producers.get(class).map_or(&[], Vec::as_slice)
    }

    /// The types that a test may name, in the order of their names.
    pub(crate) fn open(&self) -> impl Iterator<Item = (&str, &TypeInfo)> {
        let all = self.by_name.iter().map(|(class, info)| (class.as_str(), info));
        all.filter(|(class, info)| self.is_open(class, info.visibility))
    }

    /// The package that the tests live in.
    pub(crate) fn package(&self) -> &str {
        &self.package
    }
}

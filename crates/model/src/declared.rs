//! What class files declare beyond descriptors: type parameters, generic types, names of parameters.
//!
//! Knows the grammar of `Signature` attributes, nothing of class files. Invariant: a signature that is malformed, or that a source cannot
//! repeat (a parameterised class around another), gives none; the erasure of a type that is read is the type of the descriptor.

use crate::descriptor;
use std::collections::BTreeMap;

/// A type as sources write it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A primitive type or `void`, by its descriptor.
    Primitive(char),
    /// A class by binary name, with its arguments; none where the class has no parameters, or is used raw.
    Class(String, Vec<Argument>),
    /// An array.
    Array(Box<Type>),
    /// A type parameter by name.
    Parameter(String),
}

/// A type argument.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Argument {
    /// `?`
    Any,
    /// `? extends T`
    Extends(Type),
    /// `? super T`
    Super(Type),
    /// `T`
    Exact(Type),
}

/// A type parameter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeParameter {
    /// Its name.
    pub name: String,
    /// Its first bound; none where that is `Object`.
    pub bound: Option<Type>,
}

/// A method or constructor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredMethod {
    /// Its type parameters.
    pub type_parameters: Vec<TypeParameter>,
    /// The types of its parameters; as many as the descriptor has.
    pub parameters: Vec<Type>,
    /// The type of its result; none for one that cannot be written.
    pub result: Option<Type>,
    /// The names of its parameters; empty where the class file has none.
    pub names: Vec<String>,
    /// Whether the last parameter takes any number of arguments.
    pub is_varargs: bool,
}

/// A class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredClass {
    /// Its type parameters.
    pub type_parameters: Vec<TypeParameter>,
    /// Superclass and superinterfaces.
    pub supertypes: Vec<Type>,
    /// Methods by name and descriptor.
    pub methods: BTreeMap<String, DeclaredMethod>,
    /// Fields by name.
    pub fields: BTreeMap<String, Type>,
}

impl DeclaredClass {
    /// What one of its type parameters stands for where these are its type arguments.
    pub fn argument(&self, name: &str, arguments: &[Argument]) -> Option<Argument> {
        let at = self.type_parameters.iter().position(|parameter| parameter.name == name)?;
        arguments.get(at).cloned()
    }
}

/// What is known of classes, by binary name.
pub type Declared = BTreeMap<String, DeclaredClass>;

impl Type {
    /// The type of a descriptor.
    pub fn of_descriptor(text: &str) -> Option<Self> {
        let (found, rest) = Reader(text).one()?;
        rest.is_empty().then_some(found)
    }

    /// With what `of` gives in place of type parameters. A wildcard that takes the place of a parameter stays one as an argument, and
    /// is its bound elsewhere.
    #[must_use]
    pub fn with(&self, of: &dyn Fn(&str) -> Option<Argument>) -> Self {
        match self {
            Self::Primitive(_) => self.clone(),
            Self::Class(name, arguments) => {
                Self::Class(name.clone(), arguments.iter().map(|argument| argument.with(of)).collect())
            }
            Self::Array(component) => Self::Array(Box::new(component.with(of))),
            Self::Parameter(name) => match of(name) {
                Some(Argument::Exact(found) | Argument::Extends(found)) => found,
                Some(Argument::Any | Argument::Super(_)) => Self::object(),
                None => self.clone(),
            },
        }
    }

    /// `java.lang.Object`.
    pub fn object() -> Self {
        Self::Class("java.lang.Object".to_owned(), vec![])
    }

    /// Whether a type parameter is part of it.
    pub fn has_parameters(&self) -> bool {
        match self {
            Self::Primitive(_) => false,
            Self::Parameter(_) => true,
            Self::Array(component) => component.has_parameters(),
            Self::Class(_, arguments) => {
                arguments.iter().filter_map(Argument::inner).any(Self::has_parameters)
            }
        }
    }
}

impl Argument {
    /// The type in it.
    pub fn inner(&self) -> Option<&Type> {
        match self {
            Self::Any => None,
            Self::Extends(inner) | Self::Super(inner) | Self::Exact(inner) => Some(inner),
        }
    }

    fn with(&self, of: &dyn Fn(&str) -> Option<Self>) -> Self {
        match self {
            Self::Any => Self::Any,
            Self::Exact(Type::Parameter(name)) => of(name).unwrap_or_else(|| self.clone()),
            Self::Exact(inner) => Self::Exact(inner.with(of)),
            Self::Extends(inner) => Self::Extends(inner.with(of)),
            Self::Super(inner) => Self::Super(inner.with(of)),
        }
    }
}

/// The type parameters of a class and its supertypes, from its `Signature`.
pub fn class_signature(text: &str) -> Option<(Vec<TypeParameter>, Vec<Type>)> {
    let (parameters, mut rest) = type_parameters(text)?;
    let mut supertypes = vec![];
    while !rest.is_empty() {
        let (one, after) = Reader(rest).one()?;
        supertypes.push(one);
        rest = after;
    }
    Some((parameters, supertypes))
}

/// A method's type parameters, parameters and result, from its `Signature`.
pub fn method_signature(text: &str) -> Option<DeclaredMethod> {
    let (type_parameters, rest) = type_parameters(text)?;
    let mut rest = rest.strip_prefix('(')?;
    let mut parameters = vec![];
    while !rest.starts_with(')') {
        let (one, after) = Reader(rest).one()?;
        parameters.push(one);
        rest = after;
    }
    let (result, _) = Reader(rest.strip_prefix(')')?).one()?;
    Some(DeclaredMethod { type_parameters, parameters, result: Some(result), ..DeclaredMethod::default() })
}

/// What a descriptor alone says of a method.
pub fn method_descriptor(text: &str) -> DeclaredMethod {
    let parameters = descriptor::parameters(text).into_iter().filter_map(Type::of_descriptor).collect();
    let result = Type::of_descriptor(descriptor::result(text));
    DeclaredMethod { parameters, result, ..DeclaredMethod::default() }
}

/// `<T:Ljava/lang/Object;U::La/B;>` in front of the rest.
fn type_parameters(text: &str) -> Option<(Vec<TypeParameter>, &str)> {
    let Some(mut rest) = text.strip_prefix('<') else { return Some((vec![], text)) };
    let mut found = vec![];
    while !rest.starts_with('>') {
        let (name, after) = rest.split_once(':')?;
        rest = after;
        let mut bounds = vec![];
        if !rest.starts_with([':', '>']) {
            let (bound, after) = Reader(rest).one()?;
            bounds.push(bound);
            rest = after;
        }
        while let Some(bound) = rest.strip_prefix(':') {
            let (bound, after) = Reader(bound).one()?;
            bounds.push(bound);
            rest = after;
        }
        let bound = bounds.into_iter().find(|bound| *bound != Type::object());
        found.push(TypeParameter { name: name.to_owned(), bound });
    }
    Some((found, rest.strip_prefix('>')?))
}

/// The rest of a signature.
struct Reader<'a>(&'a str);

/// Most types within each other: what a harmed file has more of is not read.
const DEEPEST: usize = 32;

impl<'a> Reader<'a> {
    fn one(self) -> Option<(Type, &'a str)> {
        self.within(DEEPEST)
    }

    fn within(self, depth: usize) -> Option<(Type, &'a str)> {
        let depth = depth.checked_sub(1)?;
        let first = self.0.chars().next()?;
        let rest = self.0.get(first.len_utf8()..)?;
        match first {
            'B' | 'C' | 'D' | 'F' | 'I' | 'J' | 'S' | 'Z' | 'V' => Some((Type::Primitive(first), rest)),
            '[' => Reader(rest).within(depth).map(|(of, rest)| (Type::Array(Box::new(of)), rest)),
            'T' => rest.split_once(';').map(|(name, rest)| (Type::Parameter(name.to_owned()), rest)),
            'L' => Reader(rest).class(depth),
            _ => None,
        }
    }

    /// Behind the `L`: segments, each with arguments; only the last may have some.
    fn class(self, depth: usize) -> Option<(Type, &'a str)> {
        let mut name = String::new();
        let mut rest = self.0;
        loop {
            let end = rest.find(['<', ';', '.'])?;
            name.push_str(&rest.get(..end)?.replace('/', "."));
            let mut arguments = vec![];
            rest = rest.get(end..)?;
            if let Some(mut inside) = rest.strip_prefix('<') {
                while !inside.starts_with('>') {
                    let (one, after) = Reader(inside).argument(depth)?;
                    arguments.push(one);
                    inside = after;
                }
                rest = inside.strip_prefix('>')?;
            }
            match rest.strip_prefix(';') {
                Some(rest) => return Some((Type::Class(name, arguments), rest)),
                None if !arguments.is_empty() => return None,
                None => rest = rest.strip_prefix('.')?,
            }
            name.push('$');
        }
    }

    fn argument(self, depth: usize) -> Option<(Argument, &'a str)> {
        let text = self.0;
        let of = |rest: &'a str, make: fn(Type) -> Argument| {
            Reader(rest).within(depth).map(|(inner, rest)| (make(inner), rest))
        };
        match text.chars().next()? {
            '*' => Some((Argument::Any, text.get(1..)?)),
            '+' => of(text.get(1..)?, Argument::Extends),
            '-' => of(text.get(1..)?, Argument::Super),
            _ => of(text, Argument::Exact),
        }
    }
}

/// The arguments that a class has as one of its supertypes: `Collection<String>` for `ArrayList<String>`. None when it is no supertype, or
/// one is raw on the way. `arguments` are those of the class itself.
pub fn arguments_as(
    declared: &Declared,
    class: &str,
    arguments: &[Argument],
    above: &str,
) -> Option<Vec<Argument>> {
    as_super(declared, class, arguments, above, DEEPEST)
}

fn as_super(
    declared: &Declared,
    class: &str,
    arguments: &[Argument],
    above: &str,
    depth: usize,
) -> Option<Vec<Argument>> {
    if class == above {
        return Some(arguments.to_vec());
    }
    let depth = depth.checked_sub(1)?;
    let info = declared.get(class)?;
    if info.type_parameters.len() != arguments.len() {
        return None;
    }
    let of = |name: &str| info.argument(name, arguments);
    info.supertypes.iter().find_map(|supertype| match supertype.with(&of) {
        Type::Class(name, arguments) => as_super(declared, &name, &arguments, above, depth),
        _ => None,
    })
}

/// A method that a class has, its own or an inherited one, with the class that declares it.
pub fn method_of<'a>(
    declared: &'a Declared,
    class: &'a str,
    key: &str,
) -> Option<(&'a str, &'a DeclaredMethod)> {
    find_method(declared, class, key, DEEPEST)
}

fn find_method<'a>(
    declared: &'a Declared,
    class: &'a str,
    key: &str,
    depth: usize,
) -> Option<(&'a str, &'a DeclaredMethod)> {
    let depth = depth.checked_sub(1)?;
    let info = declared.get(class)?;
    if let Some(found) = info.methods.get(key) {
        return Some((class, found));
    }
    info.supertypes.iter().find_map(|supertype| match supertype {
        Type::Class(name, _) => find_method(declared, name, key, depth),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str, arguments: Vec<Argument>) -> Type {
        Type::Class(name.to_owned(), arguments)
    }

    fn exact(name: &str) -> Argument {
        Argument::Exact(Type::Parameter(name.to_owned()))
    }

    #[test]
    fn signatures_are_read_with_bounds_wildcards_and_nested_classes() {
        let (parameters, supertypes) =
            class_signature("<K::Ljava/lang/Comparable<TK;>;V:Ljava/lang/Object;>La/Base<TV;>;La/I;")
                .unwrap();
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        assert_eq!(names, ["K", "V"]);
        let bounds: Vec<&Option<Type>> = parameters.iter().map(|parameter| &parameter.bound).collect();
        assert_eq!(bounds, [&Some(class("java.lang.Comparable", vec![exact("K")])), &None]);
        assert_eq!(supertypes, [class("a.Base", vec![exact("V")]), class("a.I", vec![])]);
        let method = method_signature("<T:>(Ljava/util/List<+TT;>;[I[TT;La/O.In<*>;)V^La/E;").unwrap();
        let unbounded = TypeParameter { name: "T".to_owned(), bound: None };
        assert_eq!(method.type_parameters, [unbounded], "an empty bound is Object");
        assert_eq!(
            method.parameters[0],
            class("java.util.List", vec![Argument::Extends(Type::Parameter("T".into()))])
        );
        assert_eq!(method.parameters[3], class("a.O$In", vec![Argument::Any]));
        assert_eq!((method.parameters.len(), method.result), (4, Some(Type::Primitive('V'))));
    }

    #[test]
    fn what_is_malformed_or_cannot_be_repeated_is_not_read() {
        for text in ["(", "(La/O<TT;>.In;)V", "(Q)V", "<T", "(TT)V", &format!("({}I)V", "[".repeat(99))] {
            assert_eq!(method_signature(text), None, "{text}");
        }
        assert_eq!(class_signature("La/B"), None);
        assert_eq!(Type::of_descriptor("II"), None);
    }

    #[test]
    fn arguments_follow_the_supertypes_and_raw_ones_end_them() {
        let mut declared = Declared::new();
        let mut add = |name: &str, signature: &str| {
            let (type_parameters, supertypes) = class_signature(signature).unwrap();
            declared.insert(
                name.to_owned(),
                DeclaredClass { type_parameters, supertypes, ..DeclaredClass::default() },
            );
        };
        add(
            "a.Pairs",
            "<A:Ljava/lang/Object;B:Ljava/lang/Object;>Ljava/lang/Object;La/Bag<La/Pair<TB;TA;>;>;",
        );
        add("a.Bag", "<E:Ljava/lang/Object;>Ljava/lang/Object;");
        add("a.Raw", "La/Bag;");
        let text = || Argument::Exact(class("java.lang.String", vec![]));
        let as_bag = |name: &str, arguments: &[Argument]| arguments_as(&declared, name, arguments, "a.Bag");
        let pair = Argument::Exact(class("a.Pair", vec![Argument::Any, text()]));
        assert_eq!(as_bag("a.Pairs", &[text(), Argument::Any]), Some(vec![pair]));
        assert_eq!(as_bag("a.Raw", &[]), Some(vec![]), "raw: no argument is known");
        assert_eq!(as_bag("a.Pairs", &[]), None);
        assert_eq!(as_bag("a.Unknown", &[]), None);
    }
}

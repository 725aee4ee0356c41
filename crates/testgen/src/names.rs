//! Java names of classes: source names of nested ones, imports, and fully-qualified names where two would clash.
//!
//! Knows nothing of statements. Invariant: within one file a simple name stands for one class.

use dynaflow_model::declared::{Argument, Type};
use dynaflow_model::descriptor;
use dynaflow_search::{Types, package_of};
use std::collections::{BTreeMap, BTreeSet};

/// Simple names of `java.lang` that a file may use without thinking of imports.
const JAVA_LANG: &str = "java.lang";

/// The names one file uses.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    types: &'a Types,
    package: String,
    /// Outermost class by simple name.
    taken: BTreeMap<String, String>,
    imports: BTreeSet<String>,
    raw: bool,
}

impl<'a> Names<'a> {
    /// Names for a file in `package`; `reserved` are simple names the file gives a meaning of its own.
    pub(crate) fn new(types: &'a Types, package: &str, reserved: &[&str]) -> Self {
        let own = |name: &&str| ((*name).to_owned(), String::new());
        Self {
            types,
            package: package.to_owned(),
            taken: reserved.iter().map(own).collect(),
            imports: BTreeSet::new(),
            raw: false,
        }
    }

    /// Takes over the imports of a file that is there.
    pub(crate) fn keep(&mut self, imports: &BTreeSet<String>) {
        for class in imports {
            let simple = class.rsplit('.').next().unwrap_or(class);
            self.taken.insert(simple.to_owned(), class.clone());
            self.imports.insert(class.clone());
        }
    }

    /// The types behind the names.
    pub(crate) fn types(&self) -> &'a Types {
        self.types
    }

    /// The imports the names need, sorted.
    pub(crate) fn imports(&self) -> impl Iterator<Item = &String> {
        self.imports.iter()
    }

    /// Whether a generic class was used raw since this was asked last.
    pub(crate) fn take_raw(&mut self) -> bool {
        std::mem::take(&mut self.raw)
    }

    /// Notes that a class stands without type arguments where it could have some.
    pub(crate) fn note_raw(&mut self, class: &str) {
        self.raw |= self.is_generic(class);
    }

    /// Whether a class has type parameters, or may have some.
    pub(crate) fn is_generic(&self, class: &str) -> bool {
        match self.types.declared().get(class) {
            Some(declared) => !declared.type_parameters.is_empty(),
            None => is_often_generic(&descriptor::of_class(class)),
        }
    }

    /// The source name of a class by its binary name: `Outer.Inner`, qualified when it has to be.
    pub(crate) fn class(&mut self, binary: &str) -> String {
        let package = package_of(binary);
        let local = binary.strip_prefix(package).map_or(binary, |rest| rest.trim_start_matches('.'));
        let parts = nesting(local);
        let outermost = parts.first().cloned().unwrap_or_default();
        let source = parts.join(".");
        if self.is_simple(package, &outermost) { source } else { format!("{package}.{source}") }
    }

    /// The source name of a class of which no raw type is made: static methods are called, or type arguments follow.
    pub(crate) fn not_raw(&mut self, binary: &str) -> String {
        let raw = self.raw;
        let name = self.class(binary);
        self.raw = raw;
        name
    }

    /// The source name of a type in a class literal, which is never raw.
    pub(crate) fn in_literal(&mut self, descriptor: &str) -> String {
        let raw = self.raw;
        let name = self.of(descriptor);
        self.raw = raw;
        name
    }

    /// Whether the outermost class can go by its simple name, which is then taken.
    fn is_simple(&mut self, package: &str, outermost: &str) -> bool {
        let full = if package.is_empty() { outermost.to_owned() } else { format!("{package}.{outermost}") };
        if let Some(owner) = self.taken.get(outermost) {
            return *owner == full || package.is_empty();
        }
        // A class of the test's own package hides one of java.lang, and an import would hide the class.
        let hidden =
            package != self.package && self.types.get(&qualified(&self.package, outermost)).is_some();
        if hidden {
            return false;
        }
        self.taken.insert(outermost.to_owned(), full.clone());
        if package != self.package && package != JAVA_LANG && !package.is_empty() {
            self.imports.insert(full);
        }
        true
    }

    /// The source name of a type by its descriptor.
    pub(crate) fn of(&mut self, descriptor: &str) -> String {
        if let Some(component) = descriptor::component(descriptor) {
            return format!("{}[]", self.of(component));
        }
        match descriptor::class_of(descriptor) {
            Some(class) => {
                self.note_raw(&class);
                self.class(&class)
            }
            None => descriptor::primitive(descriptor).to_owned(),
        }
    }

    /// The source name of a type with its arguments.
    pub(crate) fn typed(&mut self, of: &Type) -> String {
        match of {
            Type::Primitive(letter) => descriptor::primitive(&letter.to_string()).to_owned(),
            Type::Array(component) => format!("{}[]", self.typed(component)),
            Type::Parameter(_) => self.class("java.lang.Object"),
            Type::Class(class, arguments) if arguments.is_empty() => self.of(&descriptor::of_class(class)),
            Type::Class(class, _) => format!("{}{}", self.class(class), self.type_arguments(of)),
        }
    }

    /// The arguments of a type, between angle brackets.
    pub(crate) fn type_arguments(&mut self, of: &Type) -> String {
        let Type::Class(_, arguments) = of else { return String::new() };
        let written: Vec<String> = arguments.iter().map(|argument| self.type_argument(argument)).collect();
        format!("<{}>", written.join(", "))
    }

    fn type_argument(&mut self, argument: &Argument) -> String {
        match argument {
            Argument::Any => "?".to_owned(),
            Argument::Extends(bound) => format!("? extends {}", self.typed(bound)),
            Argument::Super(bound) => format!("? super {}", self.typed(bound)),
            Argument::Exact(of) => self.typed(of),
        }
    }

    /// Whether a test can name the type and all its arguments.
    pub(crate) fn can_name_type(&self, of: &Type) -> bool {
        match of {
            Type::Primitive(_) => true,
            Type::Parameter(_) => false,
            Type::Array(component) => self.can_name_type(component),
            Type::Class(class, arguments) => {
                let mut inner = arguments.iter().filter_map(Argument::inner);
                self.can_name_class(class) && inner.all(|inner| self.can_name_type(inner))
            }
        }
    }

    /// Whether a test can name the type.
    pub(crate) fn can_name(&self, descriptor: &str) -> bool {
        match descriptor::class_of(descriptor.trim_start_matches('[')) {
            Some(class) => self.can_name_class(&class),
            None => true,
        }
    }

    /// Whether a test can name the class. Of classes that are not among the types, those with a name of their own can.
    pub(crate) fn can_name_class(&self, class: &str) -> bool {
        let internal = ["sun.", "jdk.internal.", "com.sun.proxy."].iter().any(|p| class.starts_with(p));
        let known = self.types.get(class).is_some();
        let unnamed = class.split('$').skip(1).any(|part| part.starts_with(|c: char| c.is_ascii_digit()));
        self.types.may_name(class)
            && !internal
            && !unnamed
            && !class.contains('/')
            && (known || !is_hidden(class))
    }
}

/// Classes of the JDK whose nested classes are mostly private.
fn is_hidden(class: &str) -> bool {
    class.starts_with("java.")
        && class.contains('$')
        && !class.ends_with("$Entry")
        && !class.ends_with("$Builder")
}

fn qualified(package: &str, simple: &str) -> String {
    if package.is_empty() { simple.to_owned() } else { format!("{package}.{simple}") }
}

/// The simple names from the outermost class to the one meant. A `$` at an end, or before a digit, is part of a name.
fn nesting(local: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![];
    for piece in local.split('$') {
        let joins = piece.is_empty() || piece.starts_with(|c: char| c.is_ascii_digit());
        match parts.last_mut() {
            Some(last) if joins || last.is_empty() || last.ends_with('$') => {
                last.push('$');
                last.push_str(piece);
            }
            _ => parts.push(piece.to_owned()),
        }
    }
    parts
}

/// Whether a descriptor names a class of the JDK that is most likely generic, so that naming it makes a raw type.
pub(crate) fn is_often_generic(descriptor: &str) -> bool {
    const LANG: &[&str] = &[
        "Ljava/lang/Class;",
        "Ljava/lang/Comparable;",
        "Ljava/lang/Enum;",
        "Ljava/lang/Iterable;",
        "Ljava/lang/ThreadLocal;",
    ];
    descriptor.starts_with("Ljava/util/") || LANG.contains(&descriptor)
}

/// Longest name of a class that its variables have as a whole.
const LONGEST: usize = 30;
/// Fewest letters of the last words that stand for a longer one.
const FEWEST: usize = 5;

/// A lower-case base for the names of variables of a type: `outer`, `urlParser`, `intArray`; of a long name its last word.
pub(crate) fn variable_base(descriptor: &str) -> String {
    if let Some(component) = descriptor::component(descriptor) {
        return format!("{}Array", variable_base(component));
    }
    let Some(class) = descriptor::class_of(descriptor) else {
        return descriptor::primitive(descriptor).to_owned();
    };
    let simple = class.rsplit(['.', '$']).next().unwrap_or("object");
    let base: String = simple.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    if base.is_empty() { "object".to_owned() } else { uncapitalised(last_words(&base)) }
}

/// A name, or as many of its last words as say something where it is long.
fn last_words(name: &str) -> &str {
    let mut words = name.char_indices().filter(|(_, c)| c.is_uppercase()).map(|(at, _)| at);
    let enough = words.rfind(|at| name.len() - at >= FEWEST);
    enough.filter(|_| name.len() > LONGEST).and_then(|at| name.get(at..)).unwrap_or(name)
}

/// With its leading capitals made small, but for the one that begins the next word.
pub(crate) fn uncapitalised(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let capitals = chars.iter().take_while(|c| c.is_uppercase()).count();
    let small = if capitals > 1 && capitals < chars.len() { capitals - 1 } else { capitals };
    let lower = chars.iter().take(small).flat_map(|c| c.to_lowercase());
    lower.chain(chars.iter().skip(small).copied()).collect()
}

/// With its first letter made a capital.
pub(crate) fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_classes_get_their_source_name_and_odd_dollars_stay() {
        assert_eq!(nesting("Outer$Inner$Deep"), ["Outer", "Inner", "Deep"]);
        assert_eq!(nesting("Outer$1"), ["Outer$1"]);
        assert_eq!(nesting("$Top"), ["$Top"]);
        assert_eq!(nesting("Top$"), ["Top$"]);
    }

    #[test]
    fn a_simple_name_stands_for_one_class_only() {
        let types = Types::default();
        let mut names = Names::new(&types, "a", &["Test"]);
        assert_eq!(names.class("b.Level$Kind"), "Level.Kind");
        assert_eq!(names.class("c.Level"), "c.Level");
        assert_eq!(names.class("x.Test"), "x.Test");
        assert_eq!(names.class("a.Outer"), "Outer");
        assert_eq!(names.class("java.lang.String"), "String");
        assert_eq!(names.of("[[La/Outer;"), "Outer[][]");
        assert_eq!(names.imports().collect::<Vec<_>>(), ["b.Level"]);
    }

    #[test]
    fn a_generic_class_without_its_arguments_is_raw_but_in_a_literal() {
        let types = Types::default();
        let mut names = Names::new(&types, "a", &[]);
        assert_eq!(names.in_literal("[Ljava/util/HashMap;"), "HashMap[]");
        assert!(!names.take_raw(), "HashMap[].class");
        assert_eq!(names.of("Ljava/util/HashMap;"), "HashMap");
        assert_eq!(names.in_literal("Ljava/util/HashMap;"), "HashMap");
        assert!(names.take_raw(), "what was raw before stays so");
    }

    #[test]
    fn variables_are_named_after_the_last_simple_name() {
        assert_eq!(variable_base("La/SimpleUncheckedConverterFactory;"), "factory");
        assert_eq!(variable_base("La/SimpleUncheckedConverterFactoryImpl;"), "factoryImpl");
        assert_eq!(variable_base("La/SimpleUncheckedDefaultConverterHTTP;"), "converterHTTP");
        assert_eq!(variable_base("La/URLParser;"), "urlParser");
        assert_eq!(variable_base("La/Outer$In;"), "in");
        assert_eq!(variable_base("[I"), "intArray");
        assert_eq!(uncapitalised("URL"), "url");
    }
}

//! Generated sources read back: what a test method does by the rules of the language, as a sequence, and what it asserts.
//!
//! Knows nothing of how sources are written. Invariant: names, overloads and types are resolved from the source and the types
//! alone; what the language would refuse fails.

pub mod overloads;
mod stubs;
pub mod syntax;
pub mod tokens;

use dynaflow_model::descriptor;
use dynaflow_model::outcome::{Container, Observed};
use dynaflow_model::sequence::{Arg, Operation, Value};
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef};
use dynaflow_model::types::TypeInfo;
use overloads::{Classes, Static};
use std::collections::BTreeMap;
use syntax::{Expr, Line, Parser, TypeName};
use tokens::tokens;

/// What an assertion says of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    Equals(Value),
    /// A container or array with these elements.
    Holds(Observed),
    Null,
    NotNull,
    /// The object that this operation gave.
    Same(usize),
}

/// A test method read back.
#[derive(Clone, Debug, Default)]
pub struct Method {
    pub name: String,
    /// What it does, each with the descriptor of its result.
    pub operations: Vec<(Operation, String)>,
    /// What is asserted, by operation.
    pub checks: Vec<(usize, Check)>,
    /// The operation that must throw, and the class expected.
    pub throws: Option<(usize, String)>,
    /// The message expected of what it throws.
    pub message: Option<String>,
    pub throws_clause: Option<String>,
}

/// A file read back.
pub struct File<'a> {
    classes: Classes<'a>,
    package: String,
    imports: Vec<String>,
    pub methods: Vec<Method>,
}

struct Variable {
    operation: usize,
    declared: String,
}

/// One method being read.
struct Reading<'f, 'a> {
    file: &'f File<'a>,
    method: Method,
    variables: BTreeMap<String, Variable>,
    /// Maps that are filled to be compared with: keys and values in turn.
    maps: BTreeMap<String, Vec<Observed>>,
}

/// A value in an expression.
struct Given {
    arg: Arg,
    of: Static,
}

impl<'a> File<'a> {
    pub fn read(text: &str, types: &'a [TypeInfo]) -> Self {
        assert!(text.is_ascii());
        let tokens = tokens(text);
        let mut parser = Parser { tokens: &tokens, at: 0 };
        let mut file =
            Self { classes: Classes(types), package: String::new(), imports: vec![], methods: vec![] };
        while !parser.is_word(0, "class") {
            if parser.is_word(0, "package") || parser.is_word(0, "import") {
                let of_package = parser.word() == "package";
                let is_static = parser.is_word(0, "static");
                let path = if is_static { vec![] } else { parser.path() };
                while !parser.skip(';') {
                    parser.at += 1;
                }
                match (of_package, is_static) {
                    (true, _) => file.package = path.join("."),
                    (false, false) => file.imports.push(path.join(".")),
                    (false, true) => {}
                }
            } else {
                parser.at += 1;
            }
        }
        parser.at += 2;
        parser.sign('{');
        let mut methods = vec![];
        while !parser.skip('}') {
            methods.push(file.method(&mut parser));
        }
        assert_eq!(parser.at, tokens.len(), "nothing follows the class");
        file.methods = methods;
        file
    }

    fn method(&self, parser: &mut Parser<'_>) -> Method {
        parser.sign('@');
        assert_eq!(self.class(&parser.path()).rsplit('.').next(), Some("Test"));
        if parser.skip('@') {
            assert_eq!(parser.word(), "SuppressWarnings");
            while !parser.skip(')') {
                parser.at += 1;
            }
        }
        if parser.is_word(0, "public") {
            parser.word();
        }
        assert_eq!(parser.word(), "void");
        let name = parser.word();
        parser.sign('(');
        parser.sign(')');
        let throws_clause = parser.is_word(0, "throws").then(|| {
            parser.word();
            parser.word()
        });
        parser.sign('{');
        let method = Method { name, throws_clause, ..Method::default() };
        let mut reading = Reading { file: self, method, variables: BTreeMap::new(), maps: BTreeMap::new() };
        parser.body().into_iter().for_each(|line| reading.line(line));
        reading.method
    }

    /// The class a simple name stands for: an import, the package's own, java.lang's.
    fn simple(&self, name: &str) -> Option<String> {
        let imported = self.imports.iter().find(|import| import.rsplit('.').next() == Some(name));
        let own = format!("{}.{name}", self.package);
        let own = self.classes.get(&own).map(|_| own);
        let in_lang = name.starts_with(|c: char| c.is_ascii_uppercase());
        let lang = in_lang.then(|| format!("java.lang.{name}"));
        imported.cloned().or(own).or(lang)
    }

    /// The binary name of the class that names between dots stand for. Packages begin with small letters here, classes do not.
    fn class(&self, path: &[String]) -> String {
        match self.simple(&path[0]) {
            Some(first) => [&[first], &path[1..]].concat().join("$"),
            None => {
                let is_class = |part: &String| part.starts_with(|c: char| c.is_ascii_uppercase());
                let at = path.iter().position(is_class).unwrap();
                format!("{}.{}", path[..at].join("."), path[at..].join("$"))
            }
        }
    }

    fn descriptor(&self, (path, dimensions): &TypeName) -> String {
        let primitive = ["Z", "B", "C", "S", "I", "J", "F", "D", "V"]
            .into_iter()
            .find(|d| path.len() == 1 && descriptor::primitive(d) == path[0]);
        let element = primitive.map_or_else(|| descriptor::of_class(&self.class(path)), str::to_owned);
        format!("{}{element}", "[".repeat(*dimensions))
    }
}

impl Reading<'_, '_> {
    fn line(&mut self, line: Line) {
        match line {
            Line::Declare(of, name, Expr::Filled(values)) => {
                let descriptor = self.file.descriptor(&of);
                let array = self.fill(&descriptor, values);
                self.declare(name, array, descriptor);
            }
            Line::Declare(of, name, Expr::New(class, arguments))
                if self.file.descriptor(&of) == "Ljava/util/Map;" && arguments.is_empty() =>
            {
                assert_eq!(self.file.class(&class), "java.util.HashMap");
                assert!(!self.variables.contains_key(&name), "{name} is declared");
                assert_eq!(self.maps.insert(name, vec![]), None, "declared twice");
            }
            Line::Declare(of, name, stub @ (Expr::Lambda(..) | Expr::Anonymous(..))) => {
                let declared = self.file.descriptor(&of);
                let operation = self.stub(stub, &declared);
                self.declare(name, operation, declared);
            }
            Line::Declare(of, name, Expr::Cast(to, value)) => {
                assert_eq!(of, to, "a cast that the declaration does not need");
                let (operation, declared) = (self.operation(*value), self.file.descriptor(&of));
                self.declare(name, operation, declared);
            }
            Line::Declare(of, name, value) => {
                let operation = self.operation(value);
                let declared = self.file.descriptor(&of);
                let result = Some(self.method.operations[operation].1.clone());
                assert!(self.file.classes.takes(&result, &declared, false), "{result:?} is no {declared}");
                self.declare(name, operation, declared);
            }
            Line::Store(array, index, value) => self.store(&array, index, value),
            Line::Do(Expr::Function(name, arguments)) => self.assertion(&name, arguments),
            Line::Do(Expr::Call(on, name, entry)) if name == "put" && self.map_of(&on).is_some() => {
                let entry: Vec<Observed> =
                    self.all(entry).into_iter().map(|given| observed(given.arg)).collect();
                assert_eq!(entry.len(), 2);
                self.map_of(&on).unwrap().extend(entry);
            }
            Line::Do(expression) => {
                self.operation(expression);
            }
            Line::Try(tried, caught, inside, asserted) => {
                let class = descriptor::class_of(&self.file.descriptor(&caught)).unwrap();
                let swallows = ["java.lang.Throwable", "java.lang.Error", "java.lang.AssertionError"];
                assert_eq!(inside, !swallows.contains(&class.as_str()), "a failure must not be caught");
                let operation = self.operation(tried);
                self.method.throws = Some((operation, class));
                if let Some(Expr::Function(_, arguments)) = asserted {
                    let [Expr::Literal(Value::Str(text)), Expr::Call(on, name, _)] = &arguments[..] else {
                        unreachable!("{arguments:?}")
                    };
                    assert_eq!(
                        (&**on, name.as_str()),
                        (&Expr::Name(vec!["expected".to_owned()]), "getMessage")
                    );
                    self.method.message = Some(text.clone());
                }
            }
        }
    }

    /// What a variable was filled with to be compared with.
    fn map_of(&mut self, on: &Expr) -> Option<&mut Vec<Observed>> {
        match on {
            Expr::Name(path) if path.len() == 1 => self.maps.get_mut(&path[0]),
            _ => None,
        }
    }

    fn declare(&mut self, name: String, operation: usize, declared: String) {
        assert!(!self.variables.contains_key(&name), "{name} is declared twice");
        self.variables.insert(name, Variable { operation, declared });
    }

    fn did(&mut self, operation: Operation, result: &str) -> usize {
        self.method.operations.push((operation, result.to_owned()));
        self.method.operations.len() - 1
    }

    fn store(&mut self, name: &str, index: u32, value: Expr) {
        let value = self.given(value);
        let variable = &self.variables[name];
        let (array, descriptor) = (variable.operation, variable.declared.clone());
        self.store_in(array, &descriptor, index, value);
    }

    fn store_in(&mut self, array: usize, descriptor: &str, index: u32, value: Given) {
        let component = descriptor::component(descriptor).unwrap();
        // A constant int may be stored as a smaller number.
        assert!(self.file.classes.takes(&value.of, component, true), "{:?} in {descriptor}", value.of);
        let array = Arg::Var(u32::try_from(array).unwrap());
        self.did(Operation::ArrayStore { array, index, value: boxed(value.arg, component) }, "V");
    }

    /// An array with its elements: nobody sees whether it is made before the elements or after them.
    fn fill(&mut self, descriptor: &str, values: Vec<Expr>) -> usize {
        let length = u32::try_from(values.len()).unwrap();
        let values = self.all(values);
        let made = Operation::NewArray { descriptor: descriptor.to_owned(), length };
        let array = self.did(made, descriptor);
        (0..).zip(values).for_each(|(index, value)| self.store_in(array, descriptor, index, value));
        array
    }

    fn assertion(&mut self, name: &str, mut arguments: Vec<Expr>) {
        if name == "assertThrows" {
            let [Expr::Class(class), Expr::Lambda(_, Some(tried))] = &arguments[..] else {
                unreachable!("{arguments:?}")
            };
            let class = descriptor::class_of(&self.file.descriptor(class)).unwrap();
            let operation = self.operation((**tried).clone());
            self.method.throws = Some((operation, class));
            return;
        }
        let subject = arguments
            .remove(usize::from(["assertEquals", "assertArrayEquals", "assertSame"].contains(&name)));
        if let Expr::Call(on, _, _) = &subject
            && let Expr::Function(name, given) = &**on
        {
            let Expr::Literal(Value::Str(text)) = arguments.remove(0) else { unreachable!("no message") };
            self.method.message = Some(text);
            self.assertion(&name.clone(), given.clone());
            return;
        }
        let operation = self.subject(subject);
        let result = self.method.operations[operation].1.clone();
        let check = match name {
            "assertArrayEquals" => Check::Holds(self.elements(arguments.remove(0), &result)),
            "assertEquals" if self.map_of(&arguments[0]).is_some() => {
                let entries = self.map_of(&arguments[0]).cloned().unwrap();
                Check::Holds(Container::Map.holding(entries))
            }
            "assertEquals" if is_container(&arguments[0]) => {
                assert!(!descriptor::is_primitive(&result));
                Check::Holds(self.container(arguments.remove(0)))
            }
            "assertEquals" => {
                let expected = self.given(arguments.remove(0));
                let Arg::Value(value) = expected.arg else { unreachable!("it is compared with no literal") };
                let bare = expected.of.as_deref().is_some_and(descriptor::is_primitive);
                assert_eq!(bare, descriptor::is_primitive(&result), "the overload would be another one");
                Check::Equals(value)
            }
            "assertTrue" | "assertFalse" => Check::Equals(Value::Bool(name == "assertTrue")),
            "assertSame" => {
                let Arg::Var(index) = self.given(arguments.remove(0)).arg else { unreachable!("no object") };
                assert!(!descriptor::is_primitive(&result), "a number is no object");
                Check::Same(index as usize)
            }
            "assertNull" => Check::Null,
            "assertNotNull" => Check::NotNull,
            _ => unreachable!("no assertion: {name}"),
        };
        self.method.checks.push((operation, check));
    }

    /// What an assertion looks at: a variable, or what is reached from one through calls, elements and lengths.
    fn subject(&mut self, expression: Expr) -> usize {
        match expression {
            Expr::Name(path) if path.len() == 1 => self.variables[&path[0]].operation,
            Expr::Name(path) if path.len() == 2 && self.variables.contains_key(&path[0]) => {
                let on = self.variables[&path[0]].operation;
                self.looked(on, "length")
            }
            Expr::Field(on, name) if matches!(*on, Expr::Call(..) | Expr::Index(..)) => {
                let on = self.subject(*on);
                self.looked(on, &name)
            }
            Expr::Index(on, index) => {
                let on = self.subject(*on);
                self.looked(on, &index.to_string())
            }
            other => self.operation(other),
        }
    }

    /// A step that no statement takes: an element or the length of an array.
    fn looked(&mut self, on: usize, what: &str) -> usize {
        let of = self.method.operations[on].1.clone();
        let component = descriptor::component(&of).unwrap().to_owned();
        let result = if what == "length" { "I".to_owned() } else { component };
        self.did(Operation::Opaque(format!("{what} of {on}")), &result)
    }

    /// The elements of an array that is compared with a value of this type.
    fn elements(&mut self, array: Expr, seen: &str) -> Observed {
        let Expr::FilledArray(of, elements) = array else { unreachable!("{array:?}") };
        let of = self.file.descriptor(&of);
        let same = of == seen || self.file.classes.takes(&Some(of.clone()), "[Ljava/lang/Object;", false);
        assert!(same && descriptor::component(seen).is_some(), "{of} for {seen}");
        let elements = self.all(elements).into_iter().map(|given| observed(given.arg)).collect();
        Container::Array(of).holding(elements)
    }

    /// What a container is compared with.
    fn container(&mut self, expression: Expr) -> Observed {
        let (kind, elements) = match expression {
            Expr::New(class, mut arguments) => {
                assert_eq!(self.file.class(&class), "java.util.HashSet");
                let Expr::Call(_, _, elements) = arguments.remove(0) else { unreachable!("{arguments:?}") };
                (Container::Set, elements)
            }
            Expr::Call(on, name, elements) => {
                let Expr::Name(class) = *on else { unreachable!("{on:?}") };
                let kind = match (self.file.class(&class).as_str(), name.as_str()) {
                    ("java.util.Arrays", "asList")
                    | ("java.util.Collections", "emptyList" | "singletonList") => Container::List,
                    ("java.util.Collections", "emptySet" | "singleton") => Container::Set,
                    ("java.util.Collections", "emptyMap" | "singletonMap") => Container::Map,
                    ("java.util.List", "of") => Container::List,
                    ("java.util.Set", "of") => Container::Set,
                    ("java.util.Map", "of") => Container::Map,
                    ("java.util.Optional", "empty" | "of") => Container::Optional,
                    other => unreachable!("{other:?}"),
                };
                (kind, elements)
            }
            other => unreachable!("{other:?}"),
        };
        kind.holding(self.all(elements).into_iter().map(|given| observed(given.arg)).collect())
    }

    fn operation(&mut self, expression: Expr) -> usize {
        match expression {
            Expr::New(class, arguments) => {
                let class = self.file.class(&class);
                self.construct(&class, None, arguments)
            }
            Expr::Inner(outer, class, arguments) => {
                let outer = self.given(*outer);
                let around = descriptor::class_of(outer.of.as_deref().unwrap()).unwrap();
                self.construct(&format!("{around}${class}"), Some(outer), arguments)
            }
            Expr::Array(of, length) => {
                let descriptor = self.file.descriptor(&of);
                self.did(Operation::NewArray { descriptor: descriptor.clone(), length }, &descriptor)
            }
            Expr::FilledArray(of, values) => self.fill(&self.file.descriptor(&of), values),
            Expr::Call(on, name, arguments) => self.call(*on, &name, arguments),
            Expr::Field(on, name) => {
                let on = self.given(*on);
                let owner = descriptor::class_of(on.of.as_deref().unwrap()).unwrap();
                let field = FieldRef { owner, name, descriptor: String::new() };
                self.did(Operation::GetField { field, object: on.arg }, "?")
            }
            Expr::Name(path) => {
                let (class, name) = (self.file.class(&path[..path.len() - 1]), path.last().unwrap());
                let info = self.file.classes.get(&class).unwrap();
                let field = info.static_fields.iter().find(|field| field.name == *name).unwrap().clone();
                let result = field.descriptor.clone();
                self.did(Operation::GetStatic(field), &result)
            }
            other => unreachable!("it does nothing: {other:?}"),
        }
    }

    fn construct(&mut self, class: &str, outer: Option<Given>, arguments: Vec<Expr>) -> usize {
        assert_eq!(self.file.classes.get(class).unwrap().is_inner, outer.is_some(), "{class}");
        let given: Vec<Given> = outer.into_iter().chain(self.all(arguments)).collect();
        let types: Vec<Static> = given.iter().map(|given| given.of.clone()).collect();
        let constructor = self.file.classes.resolve(class, "<init>", &types).method.clone();
        let args = passed(given, &constructor);
        self.did(Operation::New { constructor, args }, &descriptor::of_class(class))
    }

    fn call(&mut self, on: Expr, name: &str, arguments: Vec<Expr>) -> usize {
        let chained = matches!(on, Expr::Call(..));
        let class_of_static = match &on {
            Expr::Name(path) if path.len() > 1 && self.is_field(path) => None,
            Expr::Name(path) if path.len() > 1 || !self.variables.contains_key(&path[0]) => {
                Some(self.file.class(path))
            }
            _ => None,
        };
        let receiver = if class_of_static.is_none() { Some(self.on(on)) } else { None };
        let of_receiver =
            receiver.as_ref().map(|given| descriptor::class_of(given.of.as_deref().unwrap()).unwrap());
        let class = class_of_static.clone().or(of_receiver).unwrap();
        let given = self.all(arguments);
        let types: Vec<Static> = given.iter().map(|given| given.of.clone()).collect();
        let callable = self.file.classes.resolve(&class, name, &types);
        assert_eq!(callable.kind == CallKind::Static, class_of_static.is_some(), "{class}.{name}");
        let mut result = descriptor::result(&callable.method.descriptor).to_owned();
        if let Some(of) =
            receiver.as_ref().and_then(|on| self.listed(on)).filter(|_| chained && name == "get")
        {
            result = of;
        }
        let method = MethodRef { owner: class, ..callable.method.clone() };
        let args = passed(given, &method);
        let receiver = receiver.map(|given| given.arg);
        self.did(Operation::Call { method, kind: callable.kind, receiver, args }, &result)
    }

    /// What a list holds by its type arguments: those that `items()` gives are items.
    fn listed(&self, list: &Given) -> Option<String> {
        let Arg::Var(index) = &list.arg else { return None };
        match &self.method.operations.get(*index as usize)?.0 {
            Operation::Call { method, .. } if method.name == "items" => Some("Lshop/Item;".to_owned()),
            _ => None,
        }
    }

    /// What a method is called on.
    fn on(&mut self, expression: Expr) -> Given {
        if !matches!(expression, Expr::Call(..) | Expr::Index(..)) {
            return self.given(expression);
        }
        let operation = self.subject(expression);
        let of = Some(self.method.operations[operation].1.clone());
        Given { arg: Arg::Var(u32::try_from(operation).unwrap()), of }
    }

    fn all(&mut self, arguments: Vec<Expr>) -> Vec<Given> {
        arguments.into_iter().map(|argument| self.given(argument)).collect()
    }

    /// A value that is an argument or receiver: a literal or a variable, under casts.
    fn given(&mut self, expression: Expr) -> Given {
        let literal = |value: Value, of: &str| Given { arg: Arg::Value(value), of: Some(of.to_owned()) };
        match expression {
            Expr::Literal(value) => {
                let of = match &value {
                    Value::Null => None,
                    Value::Bool(_) => Some("Z"),
                    Value::Char(_) => Some("C"),
                    Value::Int(_) => Some("I"),
                    Value::Long(_) => Some("J"),
                    Value::Float(_) => Some("F"),
                    Value::Double(_) => Some("D"),
                    _ => Some("Ljava/lang/String;"),
                };
                Given { arg: Arg::Value(value), of: of.map(str::to_owned) }
            }
            Expr::Class((path, dimensions)) => {
                let descriptor = self.file.descriptor(&(path.clone(), dimensions));
                let primitive = dimensions == 0 && descriptor.len() == 1;
                let name = if primitive { path[0].clone() } else { class_name(&descriptor) };
                literal(Value::Class(name), "Ljava/lang/Class;")
            }
            Expr::Cast(to, inner) => {
                let to = self.file.descriptor(&to);
                let inner = self.given(*inner);
                self.cast(inner, to)
            }
            Expr::Call(on, name, mut arguments) if name == "valueOf" && self.is_box(&on) => {
                let Expr::Name(path) = *on else { unreachable!("no class: {on:?}") };
                let class = self.file.class(&path);
                let Given { arg: Arg::Value(value), of } = self.given(arguments.remove(0)) else {
                    unreachable!()
                };
                let fits = self.file.classes.takes(&of, &descriptor::of_class(&class), true);
                assert!(fits, "{class}.valueOf({value:?})");
                literal(Value::Boxed(Box::new(value)), &descriptor::of_class(&class))
            }
            Expr::Name(path) => match self.variables.get(&path[0]).filter(|_| path.len() == 1) {
                Some(variable) => Given {
                    arg: Arg::Var(u32::try_from(variable.operation).unwrap()),
                    of: Some(variable.declared.clone()),
                },
                None if self.is_field(&path) => self.result(Expr::Name(path)),
                None => self.constant(&path),
            },
            other => self.result(other),
        }
    }

    /// What stands inside another expression runs before it.
    fn result(&mut self, expression: Expr) -> Given {
        let operation = self.operation(expression.clone());
        assert_ne!(
            self.method.operations[operation].1, "V",
            "{expression:?} gives nothing in {}",
            self.method.name
        );
        let of = Some(self.method.operations[operation].1.clone());
        Given { arg: Arg::Var(u32::try_from(operation).unwrap()), of }
    }

    fn is_box(&self, on: &Expr) -> bool {
        matches!(on, Expr::Name(path) if !self.variables.contains_key(&path[0]) && descriptor::is_box(&self.file.class(path)))
    }

    fn is_field(&self, path: &[String]) -> bool {
        let (class, name) = (self.file.class(&path[..path.len() - 1]), path.last().unwrap());
        let fields = self.file.classes.get(&class).map_or(&[][..], |info| &info.static_fields);
        fields.iter().any(|field| field.name == *name)
    }

    fn cast(&self, inner: Given, to: String) -> Given {
        let arg = match (inner.arg, to.as_str()) {
            (Arg::Value(Value::Int(int)), "B") => Arg::Value(Value::Byte(i8::try_from(int).unwrap())),
            (Arg::Value(Value::Int(int)), "S") => Arg::Value(Value::Short(i16::try_from(int).unwrap())),
            (arg, _) => {
                let primitive = inner.of.as_deref().is_some_and(descriptor::is_primitive);
                assert!(!primitive || descriptor::is_primitive(&to), "{arg:?} is boxed by a cast");
                arg
            }
        };
        Given { arg, of: Some(to) }
    }

    /// An enum constant, or a number that is written by its name.
    fn constant(&self, path: &[String]) -> Given {
        let (class, name) = (self.file.class(&path[..path.len() - 1]), path.last().unwrap());
        let number = match (class.as_str(), name.as_str()) {
            ("java.lang.Integer", "MIN_VALUE") => Some((Value::Int(i32::MIN), "I")),
            ("java.lang.Integer", "MAX_VALUE") => Some((Value::Int(i32::MAX), "I")),
            ("java.lang.Long", "MIN_VALUE") => Some((Value::Long(i64::MIN), "J")),
            ("java.lang.Long", "MAX_VALUE") => Some((Value::Long(i64::MAX), "J")),
            ("java.lang.Double", "NaN") => Some((Value::Double(f64::NAN.to_bits()), "D")),
            ("java.lang.Double", "POSITIVE_INFINITY") => Some((Value::Double(f64::INFINITY.to_bits()), "D")),
            ("java.lang.Double", "NEGATIVE_INFINITY") => {
                Some((Value::Double(f64::NEG_INFINITY.to_bits()), "D"))
            }
            ("java.lang.Float", "NaN") => Some((Value::Float(f32::NAN.to_bits()), "F")),
            ("java.lang.Float", "POSITIVE_INFINITY") => Some((Value::Float(f32::INFINITY.to_bits()), "F")),
            ("java.lang.Float", "NEGATIVE_INFINITY") => {
                Some((Value::Float(f32::NEG_INFINITY.to_bits()), "F"))
            }
            _ => None,
        };
        if let Some((value, of)) = number {
            return Given { arg: Arg::Value(value), of: Some(of.to_owned()) };
        }
        assert!(self.file.classes.get(&class).unwrap().enum_constants.contains(name), "{class}.{name}");
        let of = Some(descriptor::of_class(&class));
        Given { arg: Arg::Value(Value::Enum(class, name.clone())), of }
    }
}

/// Whether the expression makes a container.
fn is_container(expression: &Expr) -> bool {
    match expression {
        Expr::New(..) => true,
        Expr::Call(_, name, _) => name != "valueOf",
        _ => false,
    }
}

fn observed(element: Arg) -> Observed {
    let Arg::Value(value) = element else { unreachable!("{element:?} is no literal") };
    Observed::Value(value)
}

/// What `Class.getName()` gives.
fn class_name(descriptor: &str) -> String {
    descriptor::class_of(descriptor).unwrap_or_else(|| descriptor.replace('/', "."))
}

/// Arguments as the method gets them.
fn passed(given: Vec<Given>, method: &MethodRef) -> Vec<Arg> {
    let parameters = descriptor::parameters(&method.descriptor);
    given.into_iter().zip(parameters).map(|(given, to)| boxed(given.arg, to)).collect()
}

/// A primitive literal in its box where an object is wanted.
fn boxed(arg: Arg, to: &str) -> Arg {
    match arg {
        Arg::Value(value) if value.boxed().is_some() && !descriptor::is_primitive(to) => {
            Arg::Value(Value::Boxed(Box::new(value)))
        }
        other => other,
    }
}

//! A small package as a worker would describe it, and short ways to write sequences. Knows nothing of the search.

#![allow(dead_code, reason = "each test file uses a part")]

use dynaflow_model::descriptor;
use dynaflow_model::facts::{EntryId, ExitId, Witness, WitnessFact};
use dynaflow_model::pair_key::{HalfKey, PairKey};
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef};
use dynaflow_model::types::{Callable, TypeInfo, Visibility};
use dynaflow_search::{Goal, Specimen, Types};

pub const OUTER: &str = "a.Outer";
pub const LIST: &str = "java.util.ArrayList";

pub fn method(owner: &str, text: &str) -> MethodRef {
    let (name, rest) = text.split_once('(').unwrap_or((text, ")V"));
    MethodRef { owner: owner.into(), name: name.into(), descriptor: format!("({rest}") }
}

fn callable(owner: &str, text: &str, kind: CallKind, visibility: Visibility) -> Callable {
    Callable { method: method(owner, text), kind, visibility, throws: vec![] }
}

pub fn info(name: &str, supertypes: &[&str], constructors: &[&str], methods: &[&str]) -> TypeInfo {
    let public = Visibility::Public;
    let init = |d: &&str| callable(name, &format!("<init>{d}"), CallKind::Constructor, public);
    TypeInfo {
        name: name.into(),
        visibility: public,
        is_abstract: false,
        is_interface: false,
        is_inner: false,
        supertypes: supertypes.iter().map(|s| (*s).to_owned()).collect(),
        constructors: constructors.iter().map(init).collect(),
        methods: methods.iter().map(|m| callable(name, m, CallKind::Virtual, public)).collect(),
        static_fields: vec![],
        enum_constants: vec![],
        to_implement: None,
    }
}

/// Package `a` with a bit of everything, a package `b` whose members are closed to `a`, and a list.
pub fn all_types() -> Vec<TypeInfo> {
    let object = "java.lang.Object";
    let methods = [
        "probe()Z",
        "open()V",
        "take(Ljava/util/List;)V",
        "put(Ljava/lang/String;I)V",
        "kind(La/Kind;)V",
        "all([La/Middle;J)V",
        "middle()La/Middle;",
        "listen(La/Listener;)V",
        "near(La/Level;Ljava/lang/Object;D)V",
    ];
    let mut outer = info(OUTER, &["a.Level", object], &["()V", "(La/Middle;Z)V", "(La/Middle;)V"], &methods);
    outer.methods.push(callable(OUTER, "make(I)La/Level;", CallKind::Static, Visibility::Package));
    outer.methods.push(callable(OUTER, "secret()V", CallKind::Virtual, Visibility::Private));
    outer.static_fields.push(FieldRef {
        owner: OUTER.into(),
        name: "SHARED".into(),
        descriptor: "La/Outer;".into(),
    });
    let mut level = info("a.Level", &[], &[], &["open()V"]);
    (level.is_interface, level.is_abstract) = (true, true);
    let mut listener = info("a.Listener", &[], &[], &["heard()V"]);
    (listener.is_interface, listener.is_abstract) = (true, true);
    let mut kind = info("a.Kind", &["java.lang.Enum", object], &[], &[]);
    kind.enum_constants = vec!["HIGH".into(), "LOW".into()];
    let mut inner = info("a.Outer$Inner", &[object], &["(La/Outer;)V"], &["peek()C"]);
    inner.is_inner = true;
    let mut hidden = info("a.Outer$Hidden", &["a.Listener", object], &["()V"], &["heard()V"]);
    hidden.visibility = Visibility::Private;
    let mut far = info("b.Far", &[object], &["()V"], &["far()V"]);
    far.methods.push(callable("b.Far", "closed()V", CallKind::Virtual, Visibility::Protected));
    let mut list = info("java.util.List", &[], &[], &["add(Ljava/lang/Object;)Z", "size()I"]);
    (list.is_interface, list.is_abstract) = (true, true);
    let of_list = ["java.util.List", object];
    vec![
        outer,
        level,
        kind,
        inner,
        hidden,
        listener,
        far,
        list,
        info("a.Loud", &["a.Listener", object], &["()V"], &["heard()V"]),
        info("a.Middle", &[object], &["()V", "(Ljava/lang/String;B)V"], &["turn(S)F", "open()V"]),
        info(LIST, &of_list, &["()V"], &["add(Ljava/lang/Object;)Z", "size()I", "get(I)Ljava/lang/Object;"]),
    ]
}

pub fn types() -> Types {
    Types::new(all_types(), "a")
}

/// Writes sequences statement by statement.
#[derive(Clone, Default)]
pub struct Script(pub Sequence);

pub fn int(value: i32) -> Arg {
    Arg::Value(Value::Int(value))
}

pub fn text(value: &str) -> Arg {
    Arg::Value(Value::Str(value.into()))
}

impl Script {
    pub fn then(&mut self, operation: Operation, result: &str) -> u32 {
        let statement = Statement { operation, result: result.into(), runtime_class: None, caught: None };
        self.0.statements.push(statement);
        u32::try_from(self.0.statements.len()).unwrap_or(0).saturating_sub(1)
    }

    pub fn made(&mut self, class: &str) -> u32 {
        let operation = Operation::New { constructor: method(class, "<init>()V"), args: vec![] };
        self.then(operation, &descriptor::of_class(class))
    }

    pub fn made_of(&mut self, class: &str, constructor: &str, args: &[Arg]) -> u32 {
        let operation = Operation::New { constructor: method(class, constructor), args: args.to_vec() };
        self.then(operation, &descriptor::of_class(class))
    }

    pub fn call(&mut self, on: u32, owner: &str, text: &str, args: &[Arg]) -> u32 {
        let operation = Operation::Call {
            method: method(owner, text),
            kind: CallKind::Virtual,
            receiver: Some(Arg::Var(on)),
            args: args.to_vec(),
        };
        self.then(operation, descriptor::result(text))
    }

    pub fn outer(&mut self, on: u32, text: &str, args: &[Arg]) -> u32 {
        self.call(on, OUTER, text, args)
    }

    pub fn opaque(&mut self, what: &str, result: &str) -> u32 {
        self.then(Operation::Opaque(what.into()), result)
    }
}

pub const EXIT: WitnessFact = WitnessFact::Exit(ExitId(1));
pub const ENTRY: WitnessFact = WitnessFact::Entry(EntryId(2));

pub fn specimen(script: Script, fact: WitnessFact, statement: u32, root: Option<u32>) -> Specimen {
    Specimen::new(script.0, vec![Witness { fact, statement, root }])
}

/// The key of the pair number `n`.
pub fn pair(n: u8) -> PairKey {
    PairKey([n; 16])
}

pub fn goal() -> Goal {
    Goal {
        pair: pair(7),
        root: OUTER.into(),
        sites: (None, None),
        halves: (HalfKey([1; 16]), HalfKey([2; 16])),
        definition_methods: vec!["probe()Z".into()],
        use_methods: vec!["open()V".into()],
        exits: vec![ExitId(1)],
        entries: vec![EntryId(2)],
    }
}

/// A sequence as short text: `0 = new Outer; 0.probe`.
pub fn spelled(sequence: &Sequence) -> String {
    let arg = |arg: &Arg| match arg {
        Arg::Var(index) => format!("#{index}"),
        Arg::Value(Value::Str(text)) => format!("'{text}'"),
        Arg::Value(Value::Int(int)) => int.to_string(),
        Arg::Value(other) => format!("{other:?}"),
    };
    let args = |all: &[Arg]| all.iter().map(arg).collect::<Vec<_>>().join(",");
    let one = |operation: &Operation| match operation {
        Operation::New { constructor, args: a } => {
            format!("new {}({})", constructor.owner.rsplit('.').next().unwrap_or(""), args(a))
        }
        Operation::Call { method, receiver, args: a, .. } => {
            format!("{}.{}({})", receiver.as_ref().map_or(String::new(), arg), method.name, args(a))
        }
        Operation::GetStatic(field) => field.name.clone(),
        Operation::GetField { field, object } => format!("{}.{}", arg(object), field.name),
        Operation::NewArray { descriptor, length } => format!("{descriptor}{length}"),
        Operation::ArrayStore { array, index, value } => format!("{}[{index}]={}", arg(array), arg(value)),
        Operation::Opaque(what) => format!("?{what}"),
        Operation::Stub { interface, .. } => format!("stub {interface}"),
        Operation::Contract { clause, class, .. } => format!("{clause:?} of {class}"),
    };
    sequence.statements.iter().map(|s| one(&s.operation)).collect::<Vec<_>>().join("; ")
}

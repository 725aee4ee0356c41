//! What the tests of the engine share: small worlds of classes, scripts of events, facts in words.
//!
//! Knows nothing of how the engine works. Invariant: a script holds one event per entry, so that it can be cut into chunks
//! anywhere.
#![allow(dead_code, reason = "each test file uses its part")]

use dynaflow_dataflow::{AnalysisConfig, Engine};
use dynaflow_model::facts::{
    Context, DefinitionKind, Exit, FactTable, MethodId, PlaceId, TestRecord, VariableId,
};
use dynaflow_model::ids::{ObjectId, SiteId};
use dynaflow_model::sites::*;
use dynaflow_model::words;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Sites of class number n begin at `(n + 1) * STRIDE`.
pub const STRIDE: u32 = 4096;

/// A method of a world: class number, method number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct M(pub usize, pub u16);

/// What is sent to the engine, in order.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub classes: Vec<ClassSites>,
    /// Mirrors: object id, name, supertypes.
    pub mirrors: Vec<(ObjectId, String, Vec<String>)>,
    pub script: Vec<(u32, Vec<u64>)>,
    /// Texts, numbered from 1 on.
    pub texts: Vec<String>,
    pub next_object: u64,
}

pub fn field_ref(owner: &str, name: &str) -> FieldRef {
    FieldRef { owner: owner.into(), name: name.into(), descriptor: "X".into() }
}

impl World {
    pub fn new() -> Self {
        Self { next_object: 100, ..Self::default() }
    }

    /// A class; fields are `name` or `static name`, methods `name` with what they are to tests.
    pub fn class(&mut self, name: &str, super_name: &str, fields: &[&str], methods: &[&str]) -> usize {
        let fields = fields.iter().map(|text| {
            let is_static = text.starts_with("static ");
            FieldDecl { name: text.trim_start_matches("static ").into(), descriptor: "X".into(), is_static }
        });
        let methods = methods.iter().map(|text| {
            let (role, name) = match text.split_once(' ') {
                Some(("test", name)) => (TestRole::Test, name),
                Some(("maybe", name)) => (TestRole::MaybeTest, name),
                Some(("before", name)) => (TestRole::BeforeEach, name),
                Some(("after", name)) => (TestRole::AfterEach, name),
                _ => (TestRole::None, *text),
            };
            MethodDecl { name: name.into(), descriptor: "()V".into(), access: 0, role, home: None }
        });
        self.classes.push(ClassSites {
            name: name.into(),
            super_name: Some(super_name.into()),
            fields: fields.collect(),
            methods: methods.collect(),
            ..ClassSites::default()
        });
        let supertypes = self.supertypes(super_name);
        self.mirror(name, &supertypes);
        self.classes.len() - 1
    }

    fn supertypes(&self, name: &str) -> Vec<String> {
        let mut all = vec![name.to_owned()];
        while let Some(class) = self.classes.iter().find(|class| Some(&class.name) == all.last()) {
            all.push(class.super_name.clone().unwrap());
        }
        all
    }

    /// A runtime class; its mirror is numbered from 2 on.
    pub fn mirror(&mut self, name: &str, supertypes: &[String]) {
        let id = ObjectId(self.mirrors.len() as u64 + 2);
        self.mirrors.push((id, name.to_owned(), supertypes.to_vec()));
    }

    pub fn method(&self, class: usize, name: &str) -> M {
        let at = self.classes[class].methods.iter().position(|method| method.name == name);
        M(class, at.unwrap_or_else(|| panic!("no method {name}")) as u16)
    }

    /// The site of this kind in a method; the same one for the same kind.
    pub fn site(&mut self, method: M, kind: SiteKind) -> u32 {
        let sites = &mut self.classes[method.0].sites;
        let found = sites.iter().position(|site| site.method == method.1 && site.kind == kind);
        let at = found.unwrap_or_else(|| {
            let offset = sites.len() as u32;
            sites.push(Site { method: method.1, offset, line: offset + 100, kind });
            sites.len() - 1
        });
        (method.0 as u32 + 1) * STRIDE + at as u32
    }

    /// What a site does.
    pub fn kind(&self, site: u32) -> &SiteKind {
        &self.classes[(site / STRIDE) as usize - 1].sites[(site % STRIDE) as usize].kind
    }

    /// The method a site is in.
    pub fn method_of(&self, site: u32) -> M {
        let class = (site / STRIDE) as usize - 1;
        M(class, self.classes[class].sites[(site % STRIDE) as usize].method)
    }

    pub fn push(&mut self, thread: u32, words: &[u64]) {
        self.script.push((thread, words.to_vec()));
    }

    fn event(&mut self, thread: u32, method: M, kind: SiteKind, payload: u64, extra: &[u64]) {
        let site = self.site(method, kind);
        let mut words = vec![words::word(site, payload)];
        words.extend(extra);
        self.push(thread, &words);
    }

    /// A new object of a class, announced on a thread.
    pub fn object(&mut self, thread: u32, class: &str) -> ObjectId {
        let object = ObjectId(self.next_object);
        self.next_object += 1;
        let mirror = self.mirrors.iter().find(|(_, name, _)| name == class).unwrap().0;
        self.push(thread, &[words::word(words::OBJECT, object.0), mirror.0]);
        object
    }

    /// A new array of a class whose length is known.
    pub fn array(&mut self, thread: u32, class: &str, length: u32) -> ObjectId {
        let array = self.object(thread, class);
        let announced = self.script.last_mut().unwrap();
        announced.1[1] = words::word(length + 1, announced.1[1]);
        array
    }

    /// A call that could have changed the contents of a container did not.
    pub fn unchanged(&mut self, thread: u32, method: M, access: Access, container: ObjectId) {
        let site = self.contents_site(method, access);
        self.push(thread, &[words::word(words::UNCHANGED, container.0), u64::from(site)]);
    }

    /// The site of a call that accesses contents.
    pub fn contents_site(&mut self, method: M, access: Access) -> u32 {
        let callee = MethodRef { owner: "java.util.List".into(), name: "m".into(), descriptor: "()V".into() };
        self.site(method, SiteKind::Contents { access, callee, exact: false })
    }

    pub fn dead(&mut self, thread: u32, object: ObjectId) {
        self.push(thread, &[words::word(words::DEAD, object.0)]);
    }

    pub fn enter(&mut self, thread: u32, method: M, receiver: ObjectId) {
        self.event(thread, method, SiteKind::Enter { receiver: ReceiverKind::Instance }, receiver.0, &[]);
    }

    pub fn enter_static(&mut self, thread: u32, method: M) {
        self.event(thread, method, SiteKind::Enter { receiver: ReceiverKind::Static }, 0, &[]);
    }

    pub fn enter_constructor(&mut self, thread: u32, method: M) {
        self.event(thread, method, SiteKind::Enter { receiver: ReceiverKind::Constructor }, 0, &[]);
    }

    pub fn exit(&mut self, thread: u32, method: M) {
        self.event(thread, method, SiteKind::Exit { exceptional: false }, 0, &[]);
    }

    pub fn throw(&mut self, thread: u32, method: M) {
        self.event(thread, method, SiteKind::Exit { exceptional: true }, 0, &[]);
    }

    /// The stack overflowed, and so many frames of a method are left.
    pub fn overflowed(&mut self, thread: u32, method: M, live: u64) {
        let site = self.site(method, SiteKind::Exit { exceptional: true });
        self.push(thread, &[words::word(words::OVERFLOWED, live), u64::from(site)]);
    }

    pub fn super_call(&mut self, thread: u32, method: M, owner: &str) {
        self.event(thread, method, SiteKind::SuperCall { owner: owner.into() }, 0, &[]);
    }

    pub fn bind(&mut self, thread: u32, method: M, object: ObjectId) {
        self.event(thread, method, SiteKind::Bind, object.0, &[]);
    }

    /// A constructor without events of its own: enters, binds, exits.
    pub fn construct(&mut self, thread: u32, constructor: M) -> ObjectId {
        let class = self.classes[constructor.0].name.clone();
        self.enter_constructor(thread, constructor);
        let object = self.object(thread, &class);
        self.bind(thread, constructor, object);
        self.exit(thread, constructor);
        object
    }

    /// The innermost frame, one of this method, enters a basic block.
    pub fn block(&mut self, thread: u32, method: M, number: u32) {
        self.event(thread, method, SiteKind::Block { number }, 0, &[]);
    }

    pub fn get(&mut self, thread: u32, method: M, object: ObjectId, field: &FieldRef, value: ValueKind) {
        let kind = SiteKind::Field { access: Access::Read, base: Base::Stack, field: field.clone(), value };
        self.event(thread, method, kind, object.0, &[]);
    }

    pub fn get_this(&mut self, thread: u32, method: M, field: &FieldRef, value: ValueKind) {
        let kind = SiteKind::Field { access: Access::Read, base: Base::This, field: field.clone(), value };
        self.event(thread, method, kind, 0, &[]);
    }

    /// Writes a leaf for none, a reference otherwise.
    pub fn put(
        &mut self,
        thread: u32,
        method: M,
        object: ObjectId,
        field: &FieldRef,
        value: Option<ObjectId>,
    ) {
        let kind =
            |value| SiteKind::Field { access: Access::Write, base: Base::Stack, field: field.clone(), value };
        match value {
            None => self.event(thread, method, kind(ValueKind::Leaf), object.0, &[]),
            Some(value) => self.event(thread, method, kind(ValueKind::Reference), object.0, &[value.0]),
        }
    }

    pub fn put_this(&mut self, thread: u32, method: M, field: &FieldRef, value: Option<ObjectId>) {
        let kind =
            |value| SiteKind::Field { access: Access::Write, base: Base::This, field: field.clone(), value };
        match value {
            None => self.event(thread, method, kind(ValueKind::Leaf), 0, &[]),
            Some(value) => self.event(thread, method, kind(ValueKind::Reference), value.0, &[]),
        }
    }

    pub fn get_static(&mut self, thread: u32, method: M, field: &FieldRef) {
        let kind = SiteKind::Static { access: Access::Read, field: field.clone(), value: ValueKind::Leaf };
        self.event(thread, method, kind, 0, &[]);
    }

    pub fn put_static(&mut self, thread: u32, method: M, field: &FieldRef, value: Option<ObjectId>) {
        let kind = |value| SiteKind::Static { access: Access::Write, field: field.clone(), value };
        match value {
            None => self.event(thread, method, kind(ValueKind::Leaf), 0, &[]),
            Some(value) => self.event(thread, method, kind(ValueKind::Reference), value.0, &[]),
        }
    }

    pub fn load(&mut self, thread: u32, method: M, array: ObjectId, index: u32) {
        let kind = SiteKind::Element { access: Access::Read, value: ValueKind::Leaf };
        self.event(thread, method, kind, array.0, &[u64::from(index)]);
    }

    pub fn store(&mut self, thread: u32, method: M, array: ObjectId, index: u32, value: Option<ObjectId>) {
        let kind = |value| SiteKind::Element { access: Access::Write, value };
        let index = u64::from(index);
        match value {
            None => self.event(thread, method, kind(ValueKind::Leaf), array.0, &[index]),
            Some(value) => self.event(thread, method, kind(ValueKind::Reference), array.0, &[index, value.0]),
        }
    }

    /// So many elements from one on are read, or overwritten by primitives, at once.
    pub fn range(
        &mut self,
        thread: u32,
        method: M,
        access: Access,
        array: ObjectId,
        (from, count): (u32, u32),
    ) {
        // Another site than that of single elements.
        let site = self.site(method, SiteKind::Element { access, value: ValueKind::Reference });
        let how = if access == Access::Read { words::READ_RANGE } else { words::WRITE_RANGE };
        let elements = u64::from(from) << 32 | u64::from(count);
        self.push(thread, &[words::word(how, array.0), u64::from(site), elements]);
    }

    pub fn contents(&mut self, thread: u32, method: M, access: Access, container: ObjectId) {
        let site = self.contents_site(method, access);
        self.push(thread, &[words::word(site, container.0)]);
    }

    /// A container was an argument of a call of a method on a receiver, or none.
    pub fn argument(
        &mut self,
        thread: u32,
        method: M,
        call: (Access, &str, &str, bool),
        container: ObjectId,
        receiver: ObjectId,
    ) {
        let (access, owner, name, exact) = call;
        let callee = MethodRef { owner: owner.into(), name: name.into(), descriptor: "()V".into() };
        let kind = SiteKind::Argument { access, callee, position: 0, exact };
        self.event(thread, method, kind, container.0, &[receiver.0]);
    }

    /// A call that reads objects from a stream begins.
    pub fn restoring(&mut self, thread: u32) {
        self.push(thread, &[words::word(words::RESTORING, 0)]);
    }

    /// A call at a site put a value somewhere; places are those of the word.
    pub fn stored(&mut self, thread: u32, site: u32, object: ObjectId, place: u64, value: Option<ObjectId>) {
        let value = value.unwrap_or(ObjectId::NULL);
        self.push(thread, &[words::word(words::STORED, object.0), u64::from(site), place, value.0]);
    }

    /// Other hands write a location below a call, or below none; places are those of the word.
    pub fn hand_write(
        &mut self,
        thread: u32,
        site: u32,
        object: ObjectId,
        place: u64,
        value: Option<ObjectId>,
    ) {
        let value = value.unwrap_or(ObjectId::NULL);
        self.push(thread, &[words::word(words::HAND_WRITE, object.0), u64::from(site), place, value.0]);
    }

    /// Other hands read a location.
    pub fn hand_read(&mut self, thread: u32, site: u32, object: ObjectId, place: u64) {
        self.push(thread, &[words::word(words::HAND_READ, object.0), u64::from(site), place]);
    }

    /// The number of a text.
    pub fn text(&self, text: &str) -> u64 {
        self.texts.iter().position(|known| known == text).unwrap() as u64 + 1
    }

    /// The call returned; whether it is known what it did.
    pub fn restored(&mut self, thread: u32, method: M, is_known: bool) {
        self.event(thread, method, SiteKind::Restore, u64::from(!is_known), &[]);
    }

    /// `super.clone()` of an object gave a copy.
    pub fn clone_object(&mut self, thread: u32, method: M, original: ObjectId, copy: ObjectId) {
        let kind = SiteKind::Clone { owner: "java.lang.Object".into() };
        self.event(thread, method, kind, original.0, &[copy.0]);
    }

    /// What a container holds changes, by the word that says how.
    pub fn held(&mut self, thread: u32, how: u32, container: ObjectId, element: ObjectId) {
        let words = [words::word(how, container.0), element.0];
        self.push(thread, &words[..if how == words::EMPTIED { 1 } else { 2 }]);
    }

    /// A new object of a class that shows the contents of another one.
    pub fn view(&mut self, thread: u32, class: &str, of: ObjectId) -> ObjectId {
        let view = ObjectId(self.next_object);
        self.next_object += 1;
        let mirror = self.mirrors.iter().find(|(_, name, _)| name == class).unwrap().0;
        self.push(thread, &[words::word(words::VIEW, view.0), of.0, mirror.0]);
        view
    }

    /// The first word of a thread that another one made.
    pub fn started_by(&mut self, thread: u32, starter: u32) {
        self.push(thread, &[words::word(words::STARTED_BY, u64::from(starter))]);
    }

    /// A test method of a test class begins: the mark, then the frame.
    pub fn begin_test(&mut self, thread: u32, method: M, instance: ObjectId) {
        self.mark_test(thread, method, instance, 0);
        self.enter(thread, method, instance);
    }

    /// The mark alone, of a class for which a number stands.
    pub fn mark_test(&mut self, thread: u32, method: M, instance: ObjectId, suite: u32) {
        let site = self.site(method, SiteKind::Enter { receiver: ReceiverKind::Instance });
        self.push(thread, &[words::word(words::TEST_METHOD, instance.0), u64::from(site), u64::from(suite)]);
    }

    pub fn end_test(&mut self, thread: u32, method: M, threw: bool) {
        if threw {
            self.throw(thread, method)
        } else {
            self.exit(thread, method)
        }
        let site = self.site(method, SiteKind::Enter { receiver: ReceiverKind::Instance });
        self.push(thread, &[words::word(words::TEST_METHOD_END, u64::from(threw)), u64::from(site)]);
    }

    /// An engine that knows the classes and nothing else.
    pub fn engine(&self, config: AnalysisConfig) -> Engine {
        let mut engine = Engine::new(config);
        for (at, class) in self.classes.iter().enumerate() {
            engine.class_loaded(SiteId((at as u32 + 1) * STRIDE), Arc::new(class.clone()));
        }
        for (number, text) in (1..).zip(&self.texts) {
            engine.text(number, text.clone());
        }
        for (mirror, name, supertypes) in &self.mirrors {
            engine.mirror(*mirror, name, supertypes);
        }
        engine
    }

    /// Runs the script, every event in a chunk of its own.
    pub fn run(&self, config: AnalysisConfig) -> Facts {
        let mut engine = self.engine(config);
        for (thread, words) in &self.script {
            engine.chunk(*thread, words);
        }
        // Random runs hold invocations whose end nobody reports.
        let unended = engine.trouble().unended;
        assert_eq!(engine.trouble(), dynaflow_dataflow::Trouble { unended, ..Default::default() });
        let records = engine.finish();
        in_words(engine.facts(), &records)
    }

    /// Runs the script of one thread as one chunk.
    pub fn facts_of_one_chunk(&self) -> Facts {
        let mut engine = self.engine(AnalysisConfig::default());
        let words: Vec<u64> = self.script.iter().flat_map(|(_, words)| words.iter().copied()).collect();
        engine.chunk(0, &words);
        let records = engine.finish();
        in_words(engine.facts(), &records)
    }

    pub fn facts(&self) -> Facts {
        self.run(AnalysisConfig::default())
    }
}

/// Facts in words, by test; those per basic block, which are no test's, stand at [`BLOCKS`].
pub type Facts = BTreeMap<String, BTreeSet<String>>;

/// Where facts per basic block stand.
pub const BLOCKS: &str = "(blocks)";

pub fn in_words(table: &FactTable, records: &[TestRecord]) -> Facts {
    let mut facts = Facts::new();
    if !table.blocks.is_empty() {
        facts.insert(BLOCKS.into(), blocks_in_words(table));
    }
    for record in records {
        let set = facts.entry(record.name.clone()).or_default();
        for id in &record.pairs {
            let pair = table.pairs.get(*id).unwrap();
            let definition = definition(table, pair.definition);
            let usage = usage(table, pair.usage);
            set.insert(format!("pair {} = {definition} -> {usage}", variable(table, pair.variable)));
        }
        for id in &record.exits {
            let exit = table.exits.get(*id).unwrap();
            let how = if exit.exit == Exit::Normal { "exit" } else { "throw" };
            let (variable, definition) = (variable(table, exit.variable), definition(table, exit.definition));
            set.insert(format!("{how} {} {variable} = {definition}", method(table, exit.method)));
        }
        for id in &record.entries {
            let entry = table.entries.get(*id).unwrap();
            let (variable, usage) = (variable(table, entry.variable), usage(table, entry.usage));
            set.insert(format!("entry {} {variable} -> {usage}", method(table, entry.method)));
        }
        assert!(record.pairs.is_sorted_by(|a, b| a < b), "ascending, each once");
        assert!(record.exits.is_sorted_by(|a, b| a < b) && record.entries.is_sorted_by(|a, b| a < b));
    }
    facts
}

fn blocks_in_words(table: &FactTable) -> BTreeSet<String> {
    let block = |id| {
        let block = table.blocks.get(id).unwrap();
        let place = table.places.get(block.place).unwrap();
        format!("{}#{}", method(table, place.method), block.number)
    };
    let entered = table.blocks.iter().map(|(id, _)| format!("entered {}", block(id)));
    let reaching = table.reaching.iter().map(|(_, fact)| {
        let (variable, definition) = (variable(table, fact.variable), definition(table, fact.definition));
        format!("reaching {} {variable} = {definition}", block(fact.block))
    });
    let reachable = table.reachable.iter().map(|(_, fact)| {
        let (variable, usage) = (variable(table, fact.variable), usage(table, fact.usage));
        format!("reachable {} {variable} -> {usage}", block(fact.block))
    });
    entered.chain(reaching).chain(reachable).collect()
}

fn method(table: &FactTable, id: MethodId) -> String {
    let method = table.methods.get(id).unwrap();
    let name = table.text(method.signature).trim_end_matches("()V");
    format!("{}.{name}", table.text(method.class))
}

fn variable(table: &FactTable, id: VariableId) -> String {
    let variable = table.variables.get(id).unwrap();
    let mut text = format!("{}:", table.text(variable.root));
    for step in &variable.steps {
        text += &format!(" {}", table.step(step));
    }
    text
}

fn place(table: &FactTable, id: PlaceId) -> String {
    let place = table.places.get(id).unwrap();
    assert_eq!(place.line, place.offset + 100);
    format!("{}@{}", method(table, place.method), place.offset)
}

fn context(table: &FactTable, context: &Context) -> String {
    let names = |ids: &[MethodId]| ids.iter().map(|id| method(table, *id)).collect::<Vec<_>>().join(",");
    if context.cut {
        format!("[{}...{}]", names(&context.head), names(&context.tail))
    } else {
        format!("[{}]", names(&context.head))
    }
}

fn definition(table: &FactTable, id: dynaflow_model::facts::DefinitionId) -> String {
    let definition = table.definitions.get(id).unwrap();
    let kind = if definition.kind == DefinitionKind::Direct { "direct" } else { "nested" };
    let frames = context(table, table.contexts.get(definition.context).unwrap());
    format!("{kind} {}{frames}", place(table, definition.place))
}

fn usage(table: &FactTable, id: dynaflow_model::facts::UseId) -> String {
    let usage = table.uses.get(id).unwrap();
    format!("{}{}", place(table, usage.place), context(table, table.contexts.get(usage.context).unwrap()))
}

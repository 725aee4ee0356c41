//! Weaves what frames do to words of bits (see [`dynaflow_bytecode::updates`]) into methods. It knows bits, not what they stand for.
//!
//! Data path: updates and blocks -> `sharpen` (updates with less to do) -> `edges` (where the updates of edges are made) -> `script` (what is done at which
//! instruction) -> `fold` (less of it) and `inline`, or `array` -> the assembly all weaving shares. Invariants: the bytes depend on
//! the input alone; a method of at most 8,000 bytes, which the JVM compiles, has no more when it is woven.

mod array;
mod called;
mod edges;
mod fold;
mod force;
mod inline;
mod script;
mod sharpen;
mod steps;

use super::COMPILED;
use super::assemble;
use super::emit::Indices;
use super::failure::Failure;
use super::handlers::{self, Handler};
use super::inserted::Inserted;
use crate::flow::{Fact, Flow, Setting};
use called::Call;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_bytecode::updates::{BlockUpdates, Change, MethodUpdates};
use dynaflow_bytecode::{Body, code_of, is_constructor, is_empty_finalizer};
use dynaflow_classfile::class::access;
use dynaflow_classfile::code::CODE_LIMIT;
use dynaflow_classfile::{ClassFile, Error};
use dynaflow_model::sites::Declined;
use fold::Folded;
use script::Script;
use std::borrow::Cow;

/// How many slots the class that collects covered bits has.
pub const SLOTS: u32 = 1 << 18;

/// With more words than this a frame keeps an array, because the JVM's compilers treat very many variables badly. For fewer words
/// variables are better: in hot code calls cost ten times as much.
const INLINE_WORDS: u16 = 32;

/// A class woven for coverage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatesWoven {
    /// The class file; the original bytes when nothing was woven.
    pub bytes: Vec<u8>,
    /// Methods left as they were; their slots stay unused.
    pub declined: Vec<Declined>,
    /// By slot, ascending: what the class that collects covered bits asks for when a frame of the method begins that keeps an array;
    /// other methods have none. The layout is described there, in `java.lang.DynaflowCoverage`.
    pub tables: Vec<(u32, Vec<u64>)>,
}

/// Weaves the updates of methods into a class. The word `w` of the k-th of them has the slot `first_slot`, plus the words of the
/// methods before it, plus `w`.
///
/// # Errors
/// When the class is not understood or cannot hold what is woven in: it is to be left as it is.
pub fn weave_updates(
    bytes: &[u8],
    methods: &[&MethodUpdates],
    first_slot: u32,
) -> Result<UpdatesWoven, Declined> {
    let declined_class = |name: &str, reason: String| Declined { class: name.to_owned(), reason };
    let not_understood = |error: Error| format!("its class file is not understood: {error}");
    let mut class = ClassFile::parse(bytes).map_err(|error| declined_class("", not_understood(error)))?;
    let name = class.name().map_err(|error| declined_class("", not_understood(error)))?.to_binary_name();
    let mut woven = UpdatesWoven { bytes: Vec::new(), declined: Vec::new(), tables: Vec::new() };
    let mut weaver = Weaver { indices: Indices::new(), flow: Flow::default() };
    let mut slot = first_slot;
    let mut changed = false;
    for updates in methods {
        match weaver.method(&mut class, updates, slot) {
            Ok(method) => {
                let member = class.methods.get_mut(updates.method);
                let attribute = member.and_then(|member| member.attributes.get_mut(method.attribute));
                if let Some(attribute) = attribute {
                    attribute.data = Cow::Owned(method.data);
                    woven.tables.extend(method.table);
                    changed = true;
                }
            }
            Err(Failure::Method(reason)) => {
                let class = method_name(&class, &name, updates.method);
                woven.declined.push(Declined { class, reason });
            }
            Err(Failure::Class(error)) => {
                let reason = format!("what is woven in does not fit into its class file: {error}");
                return Err(declined_class(&name, reason));
            }
        }
        slot = slot.saturating_add(u32::from(updates.words));
    }
    woven.bytes = if changed { class.write() } else { bytes.to_vec() };
    Ok(woven)
}

/// A method as messages name it.
fn method_name(class: &ClassFile<'_>, name: &str, index: usize) -> String {
    let text = |index| class.pool.utf8(index).map(|text| text.to_str().into_owned()).unwrap_or_default();
    let member = class.methods.get(index);
    member.map_or_else(|| name.to_owned(), |m| format!("{name}#{}{}", text(m.name), text(m.descriptor)))
}

/// A woven method: the new content of its code.
struct Method {
    attribute: usize,
    data: Vec<u8>,
    /// Of the first slot, if it keeps an array.
    table: Option<(u32, Vec<u64>)>,
}

struct Weaver {
    indices: Indices<Call>,
    flow: Flow,
}

/// A method to be woven.
struct Subject<'a> {
    index: usize,
    body: Body<'a>,
    blocks: Blocks,
    facts: Vec<Fact>,
    constructor: bool,
    slot: u32,
    updates: MethodUpdates,
}

fn not_woven(reason: &str) -> Failure {
    Failure::Method(reason.to_owned())
}

impl Weaver {
    fn method<'a>(
        &mut self,
        class: &mut ClassFile<'a>,
        updates: &MethodUpdates,
        slot: u32,
    ) -> Result<Method, Failure> {
        let member = class.methods.get(updates.method).ok_or_else(|| not_woven("there is no such method"))?;
        let understood = |error: Error| Failure::Method(error.to_string());
        let code = code_of(class, member).map_err(understood)?;
        let (attribute, code) = code.ok_or_else(|| not_woven("it has no code"))?;
        if is_empty_finalizer(class, member, &code) {
            return Err(not_woven("an empty finalizer must stay empty, or the JVM would call it"));
        }
        let constructor = is_constructor(class, member);
        let instance = member.access & access::STATIC == 0;
        let body = Body::new(code).map_err(understood)?;
        let facts = if constructor {
            if body.insns.iter().any(|insn| insn.opcode.is_store() && insn.local() == Some(0)) {
                return Err(not_woven("a constructor that overwrites its `this` cannot be followed"));
            }
            let setting = Setting { pool: &class.pool, instance, constructor };
            self.flow.analyse(&body, setting).map_err(not_woven)?.to_vec()
        } else {
            Vec::new()
        };
        let blocks = Blocks::of(&body).map_err(understood)?;
        check(&blocks, updates)?;
        let mut updates = updates.clone();
        sharpen::sharpen(&body, &blocks, &mut updates);
        let subject = Subject { index: updates.method, body, blocks, facts, constructor, slot, updates };
        self.subject(class, &subject, attribute)
    }

    fn subject<'a>(
        &mut self,
        class: &mut ClassFile<'a>,
        subject: &Subject<'a>,
        attribute: usize,
    ) -> Result<Method, Failure> {
        let Subject { body, blocks, facts, updates, slot, .. } = subject;
        let slots = slot.checked_add(u32::from(updates.words)).filter(|end| *end <= SLOTS);
        slots.ok_or_else(|| not_woven("all slots for words of coverage are given out"))?;
        let placed = edges::place(body, blocks, updates).map_err(not_woven)?;
        let facts = subject.constructor.then_some(&**facts);
        let script = Script::of(body, blocks, facts, updates, placed).map_err(not_woven)?;
        // What a form that turns out too large put into the constant pool goes out again.
        let old = body.code.bytes.len();
        let risky = old + script.weight() > COMPILED;
        let before = risky.then(|| (class.pool.clone(), self.indices.clone()));
        let restore = |class: &mut ClassFile<'a>, weaver: &mut Self| {
            if let Some((pool, indices)) = &before {
                (class.pool, weaver.indices) = (pool.clone(), indices.clone());
            }
        };
        if updates.words <= INLINE_WORDS {
            match self.inline(class, subject, script.clone()) {
                Ok((data, table)) => return Ok(Method { attribute, data, table }),
                Err(Failure::Method(_)) => restore(class, self),
                Err(failure) => return Err(failure),
            }
        }
        match self.array(class, subject, &script) {
            Ok((data, table)) => Ok(Method { attribute, data, table }),
            Err(failure) => {
                restore(class, self);
                Err(failure)
            }
        }
    }

    fn inline<'a>(
        &mut self,
        class: &mut ClassFile<'a>,
        subject: &Subject<'a>,
        mut script: Script,
    ) -> Result<Form, Failure> {
        force::lower(&mut script, &subject.blocks);
        let folded = Folded::of(script, &subject.body, &subject.blocks);
        let handlers = subject.handlers(class, inline::needs_handlers(&folded));
        let (local, slot) = (subject.body.code.max_locals, subject.slot);
        let inserted =
            inline::write(&folded, &mut class.pool, &mut self.indices, local, slot, handlers.len())?;
        Ok((subject.assemble(class, &inserted, &handlers)?, None))
    }

    fn array<'a>(
        &mut self,
        class: &mut ClassFile<'a>,
        subject: &Subject<'a>,
        script: &Script,
    ) -> Result<Form, Failure> {
        let handlers = subject.handlers(class, script.throws);
        let (local, slot) = (subject.body.code.max_locals, subject.slot);
        let (inserted, table) = array::write(script, class, &mut self.indices, local, slot, handlers.len())?;
        Ok((subject.assemble(class, &inserted, &handlers)?, Some((slot, table))))
    }
}

/// The new content of a method's code, and the table of its first slot, if it needs one.
type Form = (Vec<u8>, Option<(u32, Vec<u64>)>);

impl<'a> Subject<'a> {
    fn handlers(&self, class: &ClassFile<'a>, wanted: bool) -> Vec<Handler> {
        if wanted {
            handlers::of(class, self.index, &self.body, &self.facts, self.constructor)
        } else {
            Vec::new()
        }
    }

    fn assemble(
        &self,
        class: &mut ClassFile<'a>,
        inserted: &Inserted,
        handlers: &[Handler],
    ) -> Result<Vec<u8>, Failure> {
        let limit = if self.body.code.bytes.len() <= COMPILED { COMPILED } else { CODE_LIMIT };
        assemble::code(class, self.index, &self.body, inserted, handlers, limit).map(|(data, _)| data)
    }
}

/// Whether updates are for a method with these blocks.
fn check(blocks: &Blocks, updates: &MethodUpdates) -> Result<(), Failure> {
    let words = updates.words;
    let in_words = |change: &Change| change.word < words;
    let of_block = |block: &BlockUpdates| {
        block.whole.iter().all(in_words)
            && block.partial.iter().all(|(_, changes)| changes.iter().all(in_words))
    };
    let fits = words > 0
        && updates.blocks.len() == blocks.all().len()
        && updates.blocks.iter().all(of_block)
        && updates.entry.iter().all(|bits| bits.word < words)
        && updates
            .edges
            .iter()
            .all(|edge| edge.word < words && blocks.successors(edge.from).contains(&edge.to));
    if fits { Ok(()) } else { Err(not_woven("its updates are those of another method")) }
}

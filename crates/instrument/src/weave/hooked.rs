//! Weaves hooks into the methods of a class. It knows tables of hooks, not what they are for.
//!
//! Invariant: every path through the method does what it did; a method that cannot be hooked at a moment is left as it was
//! and named, never hooked in part.

use super::assemble;
use super::emit::{Emitter, Indices};
use super::failure::{Failure, too_large};
use super::inserted::Inserted;
use super::splice::{Edits, Insertion};
use crate::hooks::{Hook, Hooked, Moment};
use dynaflow_bytecode::{Body, code_of};
use dynaflow_classfile::class::access;
use dynaflow_classfile::code::CODE_LIMIT;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::{ClassFile, Error, MemberIndex, Opcode};
use dynaflow_model::recorder::Call;
use dynaflow_model::sites::Declined;
use std::borrow::Cow;

/// Weaves those of the hooks that fit the class into its methods. Linear in the class for each hook.
///
/// # Errors
/// When the class is not understood or cannot hold what is woven in: it is to be left as it is.
pub fn weave_hooks(bytes: &[u8], hooks: &[Hook]) -> Result<Hooked, Declined> {
    let named = |name: &str, reason: String| Declined { class: name.to_owned(), reason };
    let refused = |error: Error| format!("its class file is not understood: {error}");
    let class = ClassFile::parse(bytes).map_err(|error| named("", refused(error)))?;
    let name = class.name().map_err(|error| named("", refused(error)))?.to_binary_name();
    let methods = fitting(&class, hooks);
    // The texts of the calls must live as long as the class they are appended to.
    let mut class = ClassFile::parse(bytes).map_err(|error| named(&name, refused(error)))?;
    let mut hooked = Hooked { bytes: None, methods: vec![0; hooks.len()], declined: Vec::new() };
    for method in &methods {
        match weave(&mut class, method) {
            Ok((attribute, data)) => {
                let member = class.methods.get_mut(method.index);
                if let Some(place) = member.and_then(|member| member.attributes.get_mut(attribute)) {
                    place.data = Cow::Owned(data);
                }
                for call in &method.calls {
                    hooked.methods.iter_mut().skip(call.hook).take(1).for_each(|count| *count += 1);
                }
            }
            Err(Failure::Method(reason)) => {
                let class = format!("{name}#{}{}", method.name, method.descriptor);
                hooked.declined.push(Declined { class, reason });
            }
            Err(Failure::Class(error)) => {
                let reason = format!("what is woven in does not fit into its class file: {error}");
                return Err(named(&name, reason));
            }
        }
    }
    hooked.bytes = (hooked.methods.iter().any(|count| *count > 0)).then(|| class.write());
    Ok(hooked)
}

/// A method that hooks fit.
struct Method<'h> {
    index: usize,
    name: String,
    descriptor: String,
    /// Parameters in order, the receiver first where there is one.
    parameters: Vec<Kind>,
    result: Kind,
    calls: Vec<HookCall<'h>>,
}

/// What a method is to call.
struct HookCall<'h> {
    /// Its place in the table.
    hook: usize,
    target: &'h str,
    name: &'h str,
    moment: Moment,
    /// What it gets: places among the method's parameters, behind them the result.
    passes: Vec<usize>,
    descriptor: String,
}

/// The methods with code that hooks fit, in class-file order.
fn fitting<'h>(class: &ClassFile<'_>, hooks: &'h [Hook]) -> Vec<Method<'h>> {
    let Ok(owner) = class.name() else { return Vec::new() };
    let own: Vec<(usize, &Hook)> =
        hooks.iter().enumerate().filter(|(_, hook)| hook.class.as_bytes() == owner.0).collect();
    let text = |index| class.pool.utf8(index).map(|text| text.to_str().into_owned()).ok();
    let mut methods = Vec::new();
    for (index, member) in class.methods.iter().enumerate() {
        let (Some(name), Some(descriptor)) = (text(member.name), text(member.descriptor)) else { continue };
        let has_code = member.access & (access::ABSTRACT | access::NATIVE) == 0;
        let fits = |hook: &Hook| {
            has_code && hook.method == name && hook.descriptor.as_ref().is_none_or(|own| *own == descriptor)
        };
        let Some((_, result)) = descriptor::method(descriptor.as_bytes()) else { continue };
        let instance = member.access & access::STATIC == 0;
        let constructor = name == "<init>";
        let own = own.iter().filter(|(_, hook)| fits(hook));
        let calls: Vec<_> = own
            .filter_map(|(place, hook)| {
                let bound = !(constructor && hook.moment == Moment::Entry);
                let (passes, descriptor) = of_call(&descriptor, instance, bound, hook)?;
                let (target, name, moment) = (hook.target, &*hook.call, hook.moment);
                Some(HookCall { hook: *place, target, name, moment, passes, descriptor })
            })
            .collect();
        if !calls.is_empty() {
            let receiver = instance.then_some(Kind::Reference);
            let parameters =
                receiver.into_iter().chain(descriptor::parameters(descriptor.as_bytes())).collect();
            methods.push(Method { index, name, descriptor, parameters, result, calls });
        }
    }
    methods
}

/// What a method of this descriptor passes on when it calls, and the descriptor of what it calls; none when a value is not there.
/// A receiver that is not `bound` is no object yet.
fn of_call(descriptor: &str, instance: bool, bound: bool, hook: &Hook) -> Option<(Vec<usize>, String)> {
    const OBJECT: &str = "Ljava/lang/Object;";
    let receiver = instance.then(|| OBJECT.to_owned());
    let types = descriptor::parameter_types(descriptor.as_bytes());
    let parameters = types.into_iter().map(|(_, own)| String::from_utf8_lossy(own).into_owned());
    let mut values: Vec<String> = receiver.into_iter().chain(parameters).collect();
    let skipped = if hook.moment == Moment::Result { values.len() } else { usize::from(!bound) };
    let result = descriptor.rsplit(')').next().unwrap_or("V");
    if hook.moment != Moment::Entry && result != "V" {
        values.push(result.to_owned());
    }
    let all = || (skipped..values.len()).collect();
    let passes: Vec<usize> = hook.passes.map_or_else(all, <[usize]>::to_vec);
    let mut text = String::from("(");
    for place in &passes {
        let own = values.get(*place).filter(|_| *place >= skipped)?;
        text.push_str(if own.starts_with(['L', '[']) { OBJECT } else { own });
    }
    text.push_str(")V");
    Some((passes, text))
}

/// The place of the method's code among its attributes, and its new content.
fn weave<'a>(class: &mut ClassFile<'a>, method: &'a Method<'_>) -> Result<(usize, Vec<u8>), Failure> {
    let no_code = || Failure::Method("it has no code".to_owned());
    let member = class.methods.get(method.index).ok_or_else(no_code)?;
    let (attribute, code) = code_of(class, member)?.ok_or_else(no_code)?;
    let body = Body::new(code)?;
    let needs = |call: &HookCall<'_>| call.passes.iter().any(|place| *place < method.parameters.len());
    if method.calls.iter().any(|call| call.moment != Moment::Entry && needs(call))
        && overwrites(&body, method)
    {
        return Err(Failure::Method(
            "it overwrites its parameters, which a hook at its return needs".to_owned(),
        ));
    }
    let mut inserted = Inserted::default();
    let mut writer = Writer { class, method, fresh: body.code.max_locals, edits: Edits::default(), stack: 0 };
    let prologue_stack = writer.prologue()?;
    writer.returns(&body)?;
    (inserted.stack, inserted.handler_stack) = (writer.stack, prologue_stack);
    inserted.edits = writer.edits;
    // The result of the method waits in a local variable while it is passed on.
    inserted.locals = u16::from(method.result.slots());
    let (data, _) = assemble::code(class, method.index, &body, &inserted, &[], CODE_LIMIT)?;
    Ok((attribute, data))
}

/// Whether a parameter does not keep its value.
fn overwrites(body: &Body<'_>, method: &Method<'_>) -> bool {
    let slots: u16 = method.parameters.iter().map(|kind| u16::from(kind.slots())).sum();
    let stores = |opcode: Opcode| opcode.is_store() || opcode == Opcode::Iinc;
    body.insns.iter().any(|insn| stores(insn.opcode) && insn.local().is_none_or(|local| local < slots))
}

struct Writer<'w, 'a> {
    class: &'w mut ClassFile<'a>,
    method: &'a Method<'a>,
    /// The first local variable that is ours.
    fresh: u16,
    edits: Edits,
    stack: i32,
}

impl Writer<'_, '_> {
    /// Writes the calls at the entry; gives the stack they take.
    fn prologue(&mut self) -> Result<u16, Failure> {
        let (bytes, stack) = self.calls(|moment| moment == Moment::Entry)?;
        self.edits.prologue = bytes;
        u16::try_from(stack).map_err(|_| too_large())
    }

    /// Writes the calls before each return.
    fn returns(&mut self, body: &Body<'_>) -> Result<(), Failure> {
        let (fresh, result) = (self.fresh, self.method.result);
        let (calls, stack) = self.calls(|moment| moment != Moment::Entry)?;
        if calls.is_empty() {
            return Ok(());
        }
        self.stack = stack + i32::from(result.slots());
        for (index, _) in body.insns.iter().enumerate().filter(|(_, insn)| insn.opcode.is_return()) {
            let start = self.edits.bytes.len();
            let mut indices = Indices::<Call>::new();
            let mut out = Emitter::new(&mut self.class.pool, &mut indices, &mut self.edits.bytes);
            if result != Kind::Void {
                out.op(if result.slots() == 2 { Opcode::Dup2 } else { Opcode::Dup }).keep(result, fresh);
            }
            out.finish()?;
            self.edits.bytes.extend_from_slice(&calls);
            let end = self.edits.bytes.len();
            self.edits.inserts.push(Insertion { insn: index as u32, before: start..end, after: end..end });
        }
        Ok(())
    }

    /// The calls of some moments, and the stack they take.
    fn calls(&mut self, of: impl Fn(Moment) -> bool) -> Result<(Vec<u8>, i32), Failure> {
        // Where each parameter is, and behind them the result.
        let mut local = 0;
        let place = |kind: &Kind| {
            let at = local;
            local += u16::from(kind.slots());
            (*kind, at)
        };
        let mut values: Vec<(Kind, u16)> = self.method.parameters.iter().map(place).collect();
        values.push((self.method.result, self.fresh));
        let (mut bytes, mut indices) = (Vec::new(), Indices::<Call>::new());
        let mut highest = 0;
        for call in self.method.calls.iter().filter(|call| of(call.moment)) {
            let MemberIndex(index) = self.class.pool.append_method(
                call.target.as_bytes(),
                call.name.as_bytes(),
                call.descriptor.as_bytes(),
            )?;
            let (slots, _) = descriptor::method(call.descriptor.as_bytes()).ok_or_else(too_large)?;
            let mut out = Emitter::new(&mut self.class.pool, &mut indices, &mut bytes);
            for (kind, local) in call.passes.iter().filter_map(|place| values.get(*place)) {
                out.load(*kind, *local);
            }
            out.invoke(index, slots.try_into().map_err(|_| too_large())?);
            highest = highest.max(out.finish()?);
        }
        Ok((bytes, highest))
    }
}

//! Requests to a worker: sequences and class names as frames. Knows nothing of replies.
//!
//! Invariant: a string and a member are sent once in the life of a worker.

use crate::jvm::job::{Job, Probes};
use dynaflow_model::contract::Clause;
use dynaflow_model::outcome::{Look, Path};
use dynaflow_model::sequence::{Answer, Arg, Operation, Value};
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef};
use std::collections::HashMap;

const REQUEST_DESCRIBE: u8 = 1;
const REQUEST_RUN: u8 = 2;
const REQUEST_INITIALISE: u8 = 3;

/// In front of the operation that ends with an exception.
const CAUGHT: u8 = 9;

const KIND_STATIC_FIELD: u8 = 5;
const KIND_FIELD: u8 = 6;

/// A member as the worker looks it up: kind, and string ids of owner, name and descriptor.
type MemberKey = (u8, u32, u32, u32);

/// Writes requests. Strings and members are numbered once for the life of a worker.
#[derive(Debug, Default)]
pub struct Encoder {
    strings: HashMap<String, u32>,
    new_strings: Vec<String>,
    members: HashMap<MemberKey, u32>,
    new_members: Vec<MemberKey>,
}

fn clause_number(clause: Clause) -> u8 {
    match clause {
        Clause::EqualsItself => 0,
        Clause::DiffersFromNull => 1,
        Clause::EqualsBothWays => 2,
        Clause::HashesAlike => 3,
        Clause::ComparesToItself => 4,
        Clause::ComparesBothWays => 5,
        Clause::HasText => 6,
        Clause::ClonesApart => 7,
    }
}

/// A request for the descriptions of classes.
pub fn describe_request(classes: &[String]) -> Vec<u8> {
    classes_request(REQUEST_DESCRIBE, classes)
}

/// A request to initialise classes.
pub fn initialise_request(classes: &[String]) -> Vec<u8> {
    classes_request(REQUEST_INITIALISE, classes)
}

fn classes_request(kind: u8, classes: &[String]) -> Vec<u8> {
    let mut out = Bytes(vec![kind]);
    out.count(classes.len());
    classes.iter().for_each(|class| out.text(class));
    out.0
}

impl Encoder {
    /// A request to run these jobs, none of which may take longer than `limit_ms`, in classes with these probes.
    pub fn run_request<'a>(
        &mut self,
        jobs: impl Iterator<Item = &'a Job>,
        limit_ms: u32,
        probes: Probes,
    ) -> Vec<u8> {
        let mut count = 0;
        let mut body = Bytes(vec![]);
        for job in jobs {
            let job = self.job(job);
            body.count(job.len());
            body.0.extend(job);
            count += 1;
        }
        let mut out = Bytes(vec![REQUEST_RUN]);
        out.u32(limit_ms);
        let (mutants, branches) = match probes {
            Probes::None => (0, 0),
            Probes::Mutants(numbers) => (numbers, 0),
            Probes::Branches(numbers) => (0, numbers),
        };
        out.u32(mutants);
        out.u32(branches);
        let strings = std::mem::take(&mut self.new_strings);
        out.count(strings.len());
        strings.iter().for_each(|text| out.text(text));
        let members = std::mem::take(&mut self.new_members);
        out.count(members.len());
        for (kind, owner, name, descriptor) in members {
            out.u8(kind);
            [owner, name, descriptor].into_iter().for_each(|id| out.u32(id));
        }
        out.count(count);
        out.0.extend(body.0);
        out.0
    }

    /// Number, mutant, the members used (looked up before the test begins), statements, observers.
    fn job(&mut self, job: &Job) -> Vec<u8> {
        let mut used = vec![];
        let mut statements = Bytes(vec![]);
        statements.count(job.sequence.statements.len());
        for statement in &job.sequence.statements {
            if let Some(caught) = &statement.caught {
                statements.u8(CAUGHT);
                let class = self.string(&caught.class);
                statements.u32(class);
            }
            self.operation(&mut statements, &statement.operation, &mut used);
        }
        let mut out = Bytes(vec![]);
        out.u64(job.number.0);
        out.u32(job.mutant);
        used.sort_unstable();
        used.dedup();
        out.count(used.len());
        used.into_iter().for_each(|id| out.u32(id));
        out.0.extend(statements.0);
        out.count(job.observers.len());
        job.observers.iter().for_each(|path| self.path(&mut out, path));
        out.0
    }

    /// Variable, and the steps from there.
    fn path(&mut self, out: &mut Bytes, path: &Path) {
        out.u32(path.variable);
        out.count(path.looks.len());
        for look in &path.looks {
            match look {
                Look::Call { method, args } => {
                    out.u8(0);
                    // Of the kind only matters whether the method is static.
                    let id = self.method(CallKind::Virtual, method);
                    out.u32(id);
                    out.u16(u16::try_from(args.len()).unwrap_or(u16::MAX));
                    args.iter().for_each(|arg| self.value(out, arg));
                }
                Look::Element(index) => {
                    out.u8(1);
                    out.u32(*index);
                }
                Look::Length => out.u8(2),
                Look::Listed { index, .. } => {
                    out.u8(3);
                    out.u32(*index);
                }
            }
        }
    }

    fn operation(&mut self, out: &mut Bytes, operation: &Operation, used: &mut Vec<u32>) {
        match operation {
            Operation::New { constructor, args } => {
                out.u8(0);
                used.push(self.method(CallKind::Constructor, constructor));
                self.invocation(out, used, None, args);
            }
            Operation::Call { method, kind, receiver, args } => {
                out.u8(1);
                used.push(self.method(*kind, method));
                self.invocation(out, used, receiver.as_ref(), args);
            }
            Operation::GetStatic(field) => {
                out.u8(2);
                used.push(self.field(KIND_STATIC_FIELD, field));
                self.invocation(out, used, None, &[]);
            }
            Operation::GetField { field, object } => {
                out.u8(3);
                used.push(self.field(KIND_FIELD, field));
                self.invocation(out, used, Some(object), &[]);
            }
            Operation::NewArray { descriptor, length } => {
                out.u8(4);
                let id = self.string(descriptor);
                out.u32(id);
                out.u32(*length);
            }
            Operation::ArrayStore { array, index, value } => {
                out.u8(5);
                self.arg(out, array);
                out.u32(*index);
                self.arg(out, value);
            }
            Operation::Opaque(what) => {
                out.u8(6);
                out.text(what);
            }
            Operation::Stub { interface, answers } => {
                out.u8(7);
                let id = self.string(interface);
                out.u32(id);
                out.count(answers.len());
                answers.iter().for_each(|(method, answer)| self.answer(out, method, answer));
            }
            Operation::Contract { clause, one, other, .. } => {
                out.u8(8);
                out.u8(clause_number(*clause));
                self.arg(out, one);
                self.arg(out, other.as_ref().unwrap_or(&Arg::Value(Value::Null)));
            }
        }
    }

    /// Name and descriptor of the method of a stub, and what it answers.
    fn answer(&mut self, out: &mut Bytes, method: &MethodRef, answer: &Answer) {
        for text in [&method.name, &method.descriptor] {
            let id = self.string(text);
            out.u32(id);
        }
        match answer {
            Answer::Nothing => out.u8(0),
            Answer::Arg(arg) => {
                out.u8(1);
                self.arg(out, arg);
            }
            Answer::Parameter(at) => {
                out.u8(2);
                out.u32(*at);
            }
        }
    }

    /// The member used last, the number of arguments with the receiver, and these.
    fn invocation(&mut self, out: &mut Bytes, used: &[u32], receiver: Option<&Arg>, args: &[Arg]) {
        out.u32(used.last().copied().unwrap_or(u32::MAX));
        let count = args.len() + usize::from(receiver.is_some());
        out.u16(u16::try_from(count).unwrap_or(u16::MAX));
        receiver.into_iter().chain(args).for_each(|arg| self.arg(out, arg));
    }

    fn arg(&mut self, out: &mut Bytes, arg: &Arg) {
        match arg {
            Arg::Value(value) => self.value(out, value),
            Arg::Var(variable) => {
                out.u8(13);
                out.u32(*variable);
            }
        }
    }

    fn value(&mut self, out: &mut Bytes, value: &Value) {
        let (tag, bytes): (u8, &[u8]) = match value {
            Value::Null => (0, &[]),
            Value::Bool(v) => (1, &[u8::from(*v)]),
            Value::Byte(v) => (2, &v.to_be_bytes()),
            Value::Char(v) => (3, &v.to_be_bytes()),
            Value::Short(v) => (4, &v.to_be_bytes()),
            Value::Int(v) => (5, &v.to_be_bytes()),
            Value::Long(v) => (6, &v.to_be_bytes()),
            Value::Float(v) => (7, &v.to_be_bytes()),
            Value::Double(v) => (8, &v.to_be_bytes()),
            Value::Str(_) => (9, &[]),
            Value::Enum(..) => (10, &[]),
            Value::Class(_) => (11, &[]),
            Value::Boxed(_) => (12, &[]),
            Value::Parsed(..) => (17, &[]),
        };
        out.u8(tag);
        out.0.extend_from_slice(bytes);
        match value {
            Value::Str(text) => out.text(text),
            Value::Enum(class, constant) => {
                for text in [class, constant] {
                    let id = self.string(text);
                    out.u32(id);
                }
            }
            Value::Class(class) => {
                let id = self.string(class);
                out.u32(id);
            }
            Value::Parsed(class, text) => {
                let id = self.string(class);
                out.u32(id);
                out.text(text);
            }
            Value::Boxed(inner) => self.value(out, inner),
            _ => {}
        }
    }

    fn method(&mut self, kind: CallKind, method: &MethodRef) -> u32 {
        let kind = match kind {
            CallKind::Constructor => 0,
            CallKind::Static => 1,
            CallKind::Virtual => 2,
            CallKind::Interface => 3,
            CallKind::Special => 4,
        };
        self.member(kind, [&method.owner, &method.name, &method.descriptor])
    }

    fn field(&mut self, kind: u8, field: &FieldRef) -> u32 {
        self.member(kind, [&field.owner, &field.name, &field.descriptor])
    }

    fn member(&mut self, kind: u8, names: [&str; 3]) -> u32 {
        let [owner, name, descriptor] = names.map(|text| self.string(text));
        let key = (kind, owner, name, descriptor);
        let next = dense(self.members.len());
        *self.members.entry(key).or_insert_with(|| {
            self.new_members.push(key);
            next
        })
    }

    fn string(&mut self, text: &str) -> u32 {
        if let Some(id) = self.strings.get(text) {
            return *id;
        }
        let id = dense(self.strings.len());
        self.strings.insert(text.to_owned(), id);
        self.new_strings.push(text.to_owned());
        id
    }
}

fn dense(len: usize) -> u32 {
    // A request is far below 4 GiB, so tables are far below this; saturating keeps the conversion total.
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// Big-endian numbers and UTF-8 text.
struct Bytes(Vec<u8>);

impl Bytes {
    fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    fn u16(&mut self, value: u16) {
        self.0.extend(value.to_be_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.0.extend(value.to_be_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.0.extend(value.to_be_bytes());
    }

    fn count(&mut self, count: usize) {
        self.u32(dense(count));
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_and_a_member_are_sent_once() {
        let method = MethodRef { owner: "a.B".into(), name: "c".into(), descriptor: "()V".into() };
        let mut encoder = Encoder::default();
        let first = encoder.method(CallKind::Virtual, &method);
        assert_eq!(encoder.method(CallKind::Virtual, &method), first);
        assert_ne!(encoder.method(CallKind::Static, &method), first);
        assert_eq!((encoder.new_strings.len(), encoder.new_members.len()), (3, 2));
        encoder.run_request([].into_iter(), 1, Probes::None);
        assert_eq!(encoder.method(CallKind::Virtual, &method), first);
        assert!(encoder.new_strings.is_empty() && encoder.new_members.is_empty());
    }
}

//! Replies of a worker: outcomes and types out of frames. Knows nothing of requests.
//!
//! Invariant: a frame of any content gives a value or an error, never a panic or a huge allocation.

use dynaflow_model::effect::{Effect, EffectKind, Place};
use dynaflow_model::outcome::{
    Broken, Container, Distance, Observation, Observed, Operands, Outcome, Path, StackFrame, Thrown,
};
use dynaflow_model::sequence::Value;
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef};
use dynaflow_model::types::{Callable, TypeInfo, Visibility};

/// Most containers in each other, as the worker writes them.
const DEEPEST: usize = 3;

/// A frame that does not follow the protocol.
#[derive(Debug, thiserror::Error)]
#[error("the worker sent something that is no reply: {0}")]
pub struct ProtocolError(&'static str);

/// A reply of a worker.
#[derive(Debug, PartialEq, Eq)]
pub enum Reply {
    /// It is up.
    Ready {
        /// Its protocol version.
        version: u8,
        /// Whether the agent is attached.
        agent: bool,
        /// Whether assertions are on.
        assertions: bool,
    },
    /// The job with this index of the request has ended.
    Outcome(u32, Outcome),
    /// The request is served; the flag asks for a fresh worker.
    End(bool),
    /// A class described.
    Type(TypeInfo),
    /// A class that could not be described, or not be initialised, and why.
    NoType(String, String),
    /// The job with this index would not end; the worker stops.
    TimedOut(u32, Option<u32>),
    /// The worker is in trouble of its own making and stops.
    Failed(String),
    /// The request does not follow the protocol, and what of it; the worker stops.
    Malformed(String),
}

impl Reply {
    /// What it is, for messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ready { .. } => "a greeting",
            Self::Outcome(..) => "an outcome",
            Self::End(_) => "the end of a request",
            Self::Type(_) | Self::NoType(..) => "a class",
            Self::TimedOut(..) => "a timeout",
            Self::Failed(_) => "a failure of its own",
            Self::Malformed(_) => "a protocol error",
        }
    }
}

/// Reads replies. Class names are numbered in the order the worker first sends them.
#[derive(Debug, Default)]
pub struct Decoder {
    classes: Vec<String>,
}

impl Decoder {
    /// Reads one frame. `observers` gives the observers of the job with an index.
    ///
    /// # Errors
    /// When the frame does not follow the protocol: code under test got at the pipe.
    pub fn reply<'a>(
        &mut self,
        frame: &[u8],
        observers: impl Fn(u32) -> Option<&'a [Path]>,
    ) -> Result<Reply, ProtocolError> {
        let mut input = Cursor { bytes: frame };
        let reply = match input.u8()? {
            1 => {
                let (version, flags) = (input.u8()?, input.u8()?);
                Reply::Ready { version, agent: flags & 1 != 0, assertions: flags & 2 != 0 }
            }
            2 => {
                let index = input.u32()?;
                let observers = observers(index).ok_or(ProtocolError("an outcome of no job"))?;
                Reply::Outcome(index, self.outcome(&mut input, observers)?)
            }
            3 => Reply::End(input.flag()?),
            4 => Reply::Type(type_info(&mut input)?),
            5 => Reply::NoType(input.text()?, input.text()?),
            6 => Reply::TimedOut(input.u32()?, input.flag()?.then(|| input.u32()).transpose()?),
            7 => Reply::Failed(input.text()?),
            8 => Reply::Malformed(input.text()?),
            _ => return Err(ProtocolError("an unknown kind")),
        };
        if input.bytes.is_empty() { Ok(reply) } else { Err(ProtocolError("a frame that is too long")) }
    }

    fn outcome(&mut self, input: &mut Cursor<'_>, observers: &[Path]) -> Result<Outcome, ProtocolError> {
        let count = input.u32()?;
        let statements = (0..count).map(|_| self.observed(input)).collect::<Result<_, _>>()?;
        let mut thrown = if input.flag()? { Some(self.thrown(input)?) } else { None };
        let observed = input.u32()?;
        let mut observations = vec![];
        for _ in 0..observed {
            let path =
                observers.get(input.u32()? as usize).ok_or(ProtocolError("an observation of no observer"))?;
            let result = self.observed(input)?;
            observations.push(Observation { path: path.clone(), result });
        }
        let mut broken = match input.u8()? {
            0 => None,
            2 => Some(Broken::WorkerDied(input.text()?)),
            3 => Some(Broken::Unrunnable(input.text()?)),
            _ => return Err(ProtocolError("an unknown obstacle")),
        };
        if input.flag()? {
            // What it threw then is the interrupt's doing.
            thrown = None;
            broken = Some(Broken::TimedOut);
        }
        // Those before it returned; behind the last, observers took too long.
        let stalled = (broken == Some(Broken::TimedOut)).then_some(count);
        if matches!(broken, Some(Broken::WorkerDied(_))) {
            thrown = None;
        }
        let effects = (0..input.u32()?).map(|_| effect(input)).collect::<Result<_, _>>()?;
        let met = (0..input.u32()?).map(|_| input.u32()).collect::<Result<_, _>>()?;
        let distances = (0..input.u32()?).map(|_| distance(input)).collect::<Result<_, _>>()?;
        Ok(Outcome {
            statements,
            thrown,
            observations,
            broken,
            stalled,
            effects,
            met,
            distances,
            ..Outcome::default()
        })
    }

    fn thrown(&mut self, input: &mut Cursor<'_>) -> Result<Thrown, ProtocolError> {
        let statement = input.u32()?;
        let class = self.class(input)?;
        let declared = input.flag()?;
        let depth = input.u16()?;
        let superclasses = (0..depth).map(|_| self.class(input)).collect::<Result<_, _>>()?;
        let message = if input.flag()? { Some(input.text()?) } else { None };
        let raised_in = (0..input.u32()?).map(|_| frame(input)).collect::<Result<_, _>>()?;
        Ok(Thrown { statement, class, superclasses, message, declared, on_purpose: false, raised_in })
    }

    fn observed(&mut self, input: &mut Cursor<'_>) -> Result<Observed, ProtocolError> {
        self.observed_in(input, DEEPEST)
    }

    /// With so many containers in each other at most.
    fn observed_in(&mut self, input: &mut Cursor<'_>, deepest: usize) -> Result<Observed, ProtocolError> {
        match (input.u8()?, deepest.checked_sub(1)) {
            (16, Some(deepest)) => self.contents(input, deepest),
            (tag, _) => self.single(input, tag),
        }
    }

    fn single(&mut self, input: &mut Cursor<'_>, tag: u8) -> Result<Observed, ProtocolError> {
        Ok(match tag {
            14 => Observed::Void,
            15 => Observed::Object(self.class(input)?),
            tag => Observed::Value(self.value(input, tag)?),
        })
    }

    fn contents(&mut self, input: &mut Cursor<'_>, deepest: usize) -> Result<Observed, ProtocolError> {
        let container = match input.u8()? {
            0 => Container::Array(self.class(input)?.replace('.', "/")),
            1 => Container::List,
            2 => Container::Set,
            3 => Container::Map,
            4 => Container::Optional,
            _ => return Err(ProtocolError("an unknown container")),
        };
        let mut elements = vec![];
        for _ in 0..input.u32()? {
            elements.push(self.observed_in(input, deepest)?);
        }
        if container == Container::Map && elements.len() % 2 == 1 {
            return Err(ProtocolError("a key without a value"));
        }
        Ok(container.holding(elements))
    }

    fn value(&mut self, input: &mut Cursor<'_>, tag: u8) -> Result<Value, ProtocolError> {
        Ok(match tag {
            0 => Value::Null,
            1 => Value::Bool(input.flag()?),
            2 => Value::Byte(i8::from_be_bytes(input.take()?)),
            3 => Value::Char(input.u16()?),
            4 => Value::Short(i16::from_be_bytes(input.take()?)),
            5 => Value::Int(i32::from_be_bytes(input.take()?)),
            6 => Value::Long(i64::from_be_bytes(input.take()?)),
            7 => Value::Float(input.u32()?),
            8 => Value::Double(u64::from_be_bytes(input.take()?)),
            9 => Value::Str(input.text()?),
            10 => Value::Enum(self.class(input)?, input.text()?),
            11 => Value::Class(input.text()?),
            12 => {
                let inner = input.u8()?;
                if !(1..=8).contains(&inner) {
                    return Err(ProtocolError("a box around no primitive"));
                }
                Value::Boxed(Box::new(self.value(input, inner)?))
            }
            17 => Value::Parsed(self.class(input)?, input.text()?),
            _ => return Err(ProtocolError("an unknown value")),
        })
    }

    fn class(&mut self, input: &mut Cursor<'_>) -> Result<String, ProtocolError> {
        let id = input.u32()? as usize;
        if id == self.classes.len() {
            self.classes.push(input.text()?);
        }
        self.classes.get(id).cloned().ok_or(ProtocolError("an unknown class number"))
    }
}

/// The effect that a runner names; none when it is no effect.
pub fn named_effect([kind, place, what, initialiser]: [&str; 4], statement: Option<u32>) -> Option<Effect> {
    let kind = EffectKind::named(kind)?;
    let place = if place.is_empty() { None } else { Some(Place::named(place)?) };
    let initialiser = Some(initialiser.to_owned()).filter(|class| !class.is_empty());
    Some(Effect { kind, place, what: what.to_owned(), statement, initialiser })
}

fn frame(input: &mut Cursor<'_>) -> Result<StackFrame, ProtocolError> {
    let (class, method) = (input.text()?, input.text()?);
    // 0 where the class file has no lines.
    let line = Some(input.u32()?).filter(|&line| line != 0);
    Ok(StackFrame { class, method, line })
}

fn effect(input: &mut Cursor<'_>) -> Result<Effect, ProtocolError> {
    let [kind, place, what] = [input.text()?, input.text()?, input.text()?];
    // -1 for one that belongs to no statement.
    let statement = Some(input.u32()?).filter(|&index| index != u32::MAX);
    let initialiser = input.text()?;
    named_effect([&kind, &place, &what, &initialiser], statement).ok_or(ProtocolError("an unknown effect"))
}

fn type_info(input: &mut Cursor<'_>) -> Result<TypeInfo, ProtocolError> {
    let name = input.text()?;
    let visibility = input.visibility()?;
    let flags = input.u8()?;
    let mut supertypes = input.texts()?;
    let mut constructors = input.callables()?;
    let mut methods = input.callables()?;
    let mut static_fields = (0..input.u32()?)
        .map(|_| Ok(FieldRef { owner: input.text()?, name: input.text()?, descriptor: input.text()? }))
        .collect::<Result<Vec<_>, ProtocolError>>()?;
    let mut enum_constants = input.texts()?;
    supertypes.sort();
    constructors.sort();
    methods.sort();
    static_fields.sort();
    enum_constants.sort();
    let mut to_implement = if input.flag()? { Some(input.methods()?) } else { None };
    to_implement.iter_mut().for_each(|methods| methods.sort());
    let (is_abstract, is_interface, is_inner) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0);
    Ok(TypeInfo {
        name,
        visibility,
        is_abstract,
        is_interface,
        is_inner,
        supertypes,
        constructors,
        methods,
        static_fields,
        enum_constants,
        to_implement,
    })
}

fn distance(input: &mut Cursor<'_>) -> Result<Distance, ProtocolError> {
    let (outcome, away) = (input.u32()?, u64::from_be_bytes(input.take()?));
    if !f64::from_bits(away).is_sign_positive() || f64::from_bits(away).is_nan() {
        return Err(ProtocolError("a distance that is none"));
    }
    let operands = match input.u8()? {
        0 => None,
        1 => Some(Operands::Numbers(u64::from_be_bytes(input.take()?), u64::from_be_bytes(input.take()?))),
        2 => Some(Operands::Texts(input.text()?, input.text()?)),
        _ => return Err(ProtocolError("an unknown kind of operands")),
    };
    Ok(Distance { outcome, away, operands })
}

/// What is left of a frame.
struct Cursor<'a> {
    bytes: &'a [u8],
}

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], ProtocolError> {
        let (head, rest) =
            self.bytes.split_first_chunk().ok_or(ProtocolError("a frame that is too short"))?;
        self.bytes = rest;
        Ok(*head)
    }

    fn u8(&mut self) -> Result<u8, ProtocolError> {
        Ok(u8::from_be_bytes(self.take()?))
    }

    fn u16(&mut self) -> Result<u16, ProtocolError> {
        Ok(u16::from_be_bytes(self.take()?))
    }

    fn u32(&mut self) -> Result<u32, ProtocolError> {
        Ok(u32::from_be_bytes(self.take()?))
    }

    fn flag(&mut self) -> Result<bool, ProtocolError> {
        Ok(self.u8()? != 0)
    }

    fn text(&mut self) -> Result<String, ProtocolError> {
        let length = self.u32()? as usize;
        let (head, rest) =
            self.bytes.split_at_checked(length).ok_or(ProtocolError("a text that is too short"))?;
        self.bytes = rest;
        String::from_utf8(head.to_vec()).map_err(|_| ProtocolError("a text that is not UTF-8"))
    }

    fn texts(&mut self) -> Result<Vec<String>, ProtocolError> {
        (0..self.u32()?).map(|_| self.text()).collect()
    }

    fn visibility(&mut self) -> Result<Visibility, ProtocolError> {
        match self.u8()? {
            0 => Ok(Visibility::Public),
            1 => Ok(Visibility::Protected),
            2 => Ok(Visibility::Package),
            3 => Ok(Visibility::Private),
            _ => Err(ProtocolError("an unknown visibility")),
        }
    }

    fn methods(&mut self) -> Result<Vec<MethodRef>, ProtocolError> {
        (0..self.u32()?).map(|_| self.method()).collect()
    }

    fn method(&mut self) -> Result<MethodRef, ProtocolError> {
        Ok(MethodRef { owner: self.text()?, name: self.text()?, descriptor: self.text()? })
    }

    fn callables(&mut self) -> Result<Vec<Callable>, ProtocolError> {
        (0..self.u32()?).map(|_| self.callable()).collect()
    }

    fn callable(&mut self) -> Result<Callable, ProtocolError> {
        let kind = match self.u8()? {
            0 => CallKind::Constructor,
            1 => CallKind::Static,
            2 => CallKind::Virtual,
            3 => CallKind::Interface,
            _ => return Err(ProtocolError("an unknown kind of call")),
        };
        let visibility = self.visibility()?;
        let method = self.method()?;
        let mut throws = self.texts()?;
        throws.sort();
        Ok(Callable { method, kind, visibility, throws })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_in_each_other_are_read_as_deep_as_the_worker_writes_them() {
        let lists = |depth: usize| [[16, 1, 0, 0, 0, 1].repeat(depth - 1), vec![16, 1, 0, 0, 0, 0]].concat();
        let read = |depth| Decoder::default().observed(&mut Cursor { bytes: &lists(depth) }).is_ok();
        assert!(read(1) && read(DEEPEST) && !read(DEEPEST + 1));
    }

    #[test]
    fn frames_that_are_no_replies_are_refused() {
        let none = |_| None;
        let mut decoder = Decoder::default();
        for frame in [&[][..], &[99], &[1, 1], &[3, 0, 0], &[2, 0, 0, 0, 0], &[7, 255, 255, 255, 255, 1]] {
            assert!(decoder.reply(frame, none).is_err(), "{frame:?}");
        }
        let empty = |_| Some(&[][..]);
        let huge = [2, 0, 0, 0, 0, 255, 255, 255, 255];
        assert!(decoder.reply(&huge, empty).is_err());
        let nested_boxes = [2, 0, 0, 0, 0, 0, 0, 0, 1, 12, 12, 12, 12];
        assert!(decoder.reply(&nested_boxes, empty).is_err());
        let too_deep = [[16, 1, 0, 0, 0, 1].repeat(DEEPEST), vec![16, 1, 0, 0, 0, 0]].concat();
        for contents in [
            &[16, 9][..],
            &[16, 1, 255, 255, 255, 255],
            &[16, 1, 0, 0, 0, 1, 16],
            &[16, 3, 0, 0, 0, 1, 0],
            &too_deep,
        ] {
            let frame = [&[2, 0, 0, 0, 0, 0, 0, 0, 1], contents].concat();
            assert!(decoder.reply(&frame, empty).is_err(), "{contents:?}");
        }
        assert_eq!(decoder.reply(&[3, 1], none).unwrap(), Reply::End(true));
    }
}

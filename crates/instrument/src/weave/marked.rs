//! Calls by which a program has the JDK access locations: of `VarHandle`, field updaters, `Field`, `Unsafe`. The woven code gives the
//! recorder their site before the call, which is much cheaper than a walk up the stack below it.
//!
//! It knows names of the JDK, not what happens below the calls. Invariant: no handler of the method guards such a call, so that one that
//! throws ends its frame, and the word for the end of the frame shows the recorder that the call is over.

use dynaflow_bytecode::Body;
use dynaflow_classfile::{ConstantPool, Insn, MemberIndex};
use dynaflow_model::sites::CallPlace;

/// Longer code, in bytes, is left alone: the JVM does not compile methods that are too long.
const MOST_CODE: usize = 3000;
const FIELD: &[u8] = b"java/lang/reflect/Field";
const OTHERS: [&[u8]; 6] = [
    b"java/lang/invoke/VarHandle",
    b"java/lang/reflect/Array",
    b"java/util/concurrent/atomic/AtomicIntegerFieldUpdater",
    b"java/util/concurrent/atomic/AtomicLongFieldUpdater",
    b"java/util/concurrent/atomic/AtomicReferenceFieldUpdater",
    b"sun/misc/Unsafe",
];

/// A call whose site the recorder gets before it.
pub(super) struct Marked {
    /// Index of its instruction.
    pub insn: u32,
    /// Its place among the calls given.
    pub call: usize,
    /// Whether it is one of `java.lang.reflect.Field`.
    pub is_field: bool,
}

/// Those among the calls of a method, in their order. One that a handler of the method guards is left out: nothing would show that an exception
/// ended it.
pub(super) fn of(pool: &ConstantPool<'_>, body: &Body<'_>, calls: &[CallPlace]) -> Vec<Marked> {
    if body.code.bytes.len() > MOST_CODE {
        return Vec::new();
    }
    let find = |(call, place): (usize, &CallPlace)| {
        let at = body.insns.binary_search_by_key(&place.offset, |insn| insn.pc).ok()?;
        let is_guarded = body.code.exceptions.iter().any(|entry| entry.covers(place.offset));
        let is_field = is_of_field(pool, body.insns.get(at)?).filter(|_| !is_guarded)?;
        Some(Marked { insn: u32::try_from(at).ok()?, call, is_field })
    };
    calls.iter().enumerate().filter_map(find).collect()
}

/// Whether a call is one of `Field`; none when it is one of no class that accesses locations.
fn is_of_field(pool: &ConstantPool<'_>, insn: &Insn) -> Option<bool> {
    let owner = pool.member(MemberIndex(insn.constant()?)).ok()?.owner.0;
    let is_field = owner == FIELD;
    (is_field || OTHERS.contains(&owner)).then_some(is_field)
}

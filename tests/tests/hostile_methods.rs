//! Methods as large as class files allow, made to have as many associations, definitions, paths, handlers, subroutines or stack slots as
//! they can: each is analysed or refused with its reason, in seconds and in bounded memory. It knows bytecode, no compiler.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, outside of a test function")]

use dynaflow_flowgraph::dua::{Arrays, MethodDuas, Options, Refusal, Unknown, Uses, of_class};
use dynaflow_flowgraph::product::{self, Limits};
use dynaflow_tests::raw::{RawClass, RawCode};
use dynaflow_tests::slow;

/// Counts what is allocated.
#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, usize::MAX);

/// What one method may make be allocated at a moment.
const MEMORY: usize = 900 << 20;

/// Bytes of code that a method may have.
const ROOM: usize = 65_535;

const ILOAD_0: u8 = 0x1A;
const ALOAD_0: u8 = 0x2A;
const ALOAD_1: u8 = 0x2B;
const ASTORE_0: u8 = 0x4B;
const POP: u8 = 0x57;
const DUP2: u8 = 0x5C;
const IADD: u8 = 0x60;
const IDIV: u8 = 0x6C;
const IINC: u8 = 0x84;
const IFEQ: u8 = 0x99;
const IFNULL: u8 = 0xC6;
const GOTO_W: u8 = 0xC8;
const JSR: u8 = 0xA8;
const RET: u8 = 0xA9;
const TABLESWITCH: u8 = 0xAA;
const RETURN: u8 = 0xB1;
const GETFIELD: u8 = 0xB4;
const PUTFIELD: u8 = 0xB5;
const WIDE: u8 = 0xC4;

/// An instruction with an operand of two bytes.
fn wide_op(opcode: u8, operand: u16) -> [u8; 3] {
    [opcode, (operand >> 8) as u8, operand as u8]
}

/// `piece` again and again, as often as it fits, then `return`.
fn filled(start: &[u8], mut piece: impl FnMut(usize) -> Vec<u8>) -> RawCode {
    let mut bytes = start.to_vec();
    for round in 0.. {
        let more = piece(round);
        if bytes.len() + more.len() >= ROOM {
            break;
        }
        bytes.extend(more);
    }
    bytes.push(RETURN);
    RawCode { bytes, handlers: Vec::new() }
}

/// `tableswitch` on an `int` on the stack, its targets given by offset.
fn switch(at: usize, default: usize, targets: impl ExactSizeIterator<Item = usize>) -> Vec<u8> {
    let mut bytes = vec![TABLESWITCH];
    bytes.resize(1 + (3 - at % 4), 0);
    let jump = |target: usize| (target as i32 - at as i32).to_be_bytes();
    bytes.extend(jump(default));
    bytes.extend(0_i32.to_be_bytes());
    bytes.extend((targets.len() as i32 - 1).to_be_bytes());
    targets.for_each(|target| bytes.extend(jump(target)));
    bytes
}

/// A method that may define a variable of `count` or not, thousands of times, and decides by it each time.
fn diamonds(count: usize) -> RawCode {
    filled(&[], |round| {
        let [high, low] = ((round % count) as u16).to_be_bytes();
        // Over the increment or not.
        [&[WIDE, 0x15, high, low][..], &wide_op(IFEQ, 9), &[WIDE, IINC, high, low, 0, 1]].concat()
    })
}

/// A switch with thousands of cases that define a variable, then thousands of branches on it.
fn star() -> RawCode {
    let (cases, start) = (5_000, 1);
    let table = switch(start, 0, vec![0; cases].into_iter()).len();
    let first = start + table;
    let end = first + cases * 8;
    let mut bytes = vec![ILOAD_0];
    bytes.extend(switch(start, end, (0..cases).map(|case| first + case * 8)));
    for case in 0..cases {
        bytes.extend([IINC, 0, 1, GOTO_W]);
        bytes.extend(((end - (first + case * 8 + 3)) as i32).to_be_bytes());
    }
    while bytes.len() + 5 < ROOM {
        bytes.push(ILOAD_0);
        bytes.extend(wide_op(IFEQ, 3));
    }
    bytes.push(RETURN);
    RawCode { bytes, handlers: Vec::new() }
}

struct Shape {
    what: &'static str,
    class: RawClass,
    is_static: bool,
    code: RawCode,
}

impl Shape {
    fn new(what: &'static str, code: RawCode) -> Self {
        Self { what, class: RawClass::new("Hostile"), is_static: true, code }
    }
}

fn shapes() -> Vec<Shape> {
    let mut all = vec![
        Shape::new("one variable, perhaps defined five thousand times", diamonds(1)),
        Shape::new("500 variables, perhaps defined", diamonds(500)),
        Shape::new("1,000 variables, perhaps defined", diamonds(1_000)),
        Shape::new("a star of definitions and uses", star()),
        Shape::new(
            "a chain of branches on one variable",
            filled(&[], |_| [&[ILOAD_0][..], &wide_op(IFEQ, 3)].concat()),
        ),
        Shape::new("an endless loop of thousands of blocks", endless()),
        Shape::new("thousands of local variables", locals()),
        Shape::new("a sum of thousands of variables", sum()),
        Shape::new(
            "a deep stack at thousands of joins",
            filled(&[ILOAD_0, ILOAD_0], |round| match round {
                0..30_000 => vec![DUP2],
                _ => [&[ILOAD_0][..], &wide_op(IFEQ, 3)].concat(),
            }),
        ),
        Shape::new("a deep stack at each case of a switch", deep_switch()),
        Shape::new("handlers within handlers", handlers()),
        Shape::new("hundreds of handlers for everything", many_handlers()),
        Shape::new("subroutines called from everywhere", subroutines()),
        Shape::new("one subroutine called from everywhere", one_subroutine()),
        Shape::new("switches that lead everywhere", switches()),
    ];
    all.extend([fields(), deep_path(), long_names()]);
    all
}

fn endless() -> RawCode {
    // Each block leads to the next, the last one back to the first: 5 bytes for the way back.
    let mut code = filled(&[], |_| [&[ILOAD_0][..], &wide_op(IFEQ, 3)].concat());
    code.bytes.truncate(ROOM - 8);
    let at = code.bytes.len() / 4 * 4;
    code.bytes.truncate(at);
    code.bytes.push(GOTO_W);
    code.bytes.extend((-(at as i32)).to_be_bytes());
    code
}

fn locals() -> RawCode {
    filled(&[], |round| {
        let [high, low] = (round as u16).to_be_bytes();
        // wide iinc, then a branch over nothing.
        [&[WIDE, IINC, high, low, 0, 1, WIDE, 0x15, high, low][..], &wide_op(IFEQ, 3)].concat()
    })
}

fn sum() -> RawCode {
    filled(&[ILOAD_0], |round| {
        let [high, low] = (round as u16).to_be_bytes();
        vec![WIDE, 0x15, high, low, IADD]
    })
}

fn deep_switch() -> RawCode {
    let depth = 20_000;
    let mut bytes = vec![ILOAD_0, ILOAD_0];
    bytes.resize(depth, DUP2);
    let (at, cases) = (bytes.len(), 9_000);
    let first = at + switch(at, 0, vec![0; cases].into_iter()).len();
    bytes.extend(switch(at, first, (0..cases).map(|case| first + case)));
    bytes.resize(first + cases, POP);
    bytes.push(RETURN);
    RawCode { bytes, handlers: Vec::new() }
}

fn handlers() -> RawCode {
    let mut code = filled(&[], |_| vec![ILOAD_0, ILOAD_0, IDIV, POP]);
    let end = code.bytes.len() as u16;
    code.handlers =
        (0..u16::MAX).map(|entry| (0, end, entry / 4 * 4)).filter(|(.., at)| *at < end - 1).collect();
    code
}

fn many_handlers() -> RawCode {
    let mut code = handlers();
    code.handlers.retain(|(.., at)| at % 400 == 1);
    code.handlers.truncate(160);
    code
}

fn subroutines() -> RawCode {
    // Calls of subroutines that call the next: `jsr +4; ret 0` and so on, each the beginning of another.
    let mut code = filled(&[], |_| [&wide_op(JSR, 3)[..], &[ASTORE_0]].concat());
    let end = code.bytes.len();
    code.bytes.truncate(end - 4);
    code.bytes.extend([RET, 0, RETURN]);
    code
}

fn one_subroutine() -> RawCode {
    let mut bytes = Vec::new();
    let end = 32_000;
    while bytes.len() + 3 < end {
        let to = (end - bytes.len()) as u16;
        bytes.extend(wide_op(JSR, to));
    }
    bytes.resize(end - 1, 0);
    bytes.push(RETURN);
    bytes.push(ASTORE_0);
    // Left at thousands of places.
    while bytes.len() + 7 < ROOM {
        bytes.push(ILOAD_0);
        bytes.extend(wide_op(IFEQ, 5));
        bytes.extend([RET, 0]);
    }
    bytes.extend([RET, 0]);
    RawCode { bytes, handlers: Vec::new() }
}

fn switches() -> RawCode {
    // As many switches as blocks, each with all of them as targets.
    let count = 120;
    let size = |at: usize| 1 + switch(at + 1, 0, vec![0; count].into_iter()).len();
    let mut starts = vec![0];
    for _ in 1..=count {
        let at: usize = *starts.last().unwrap();
        starts.push(at + size(at));
    }
    let mut bytes = Vec::new();
    for at in &starts[..count] {
        bytes.push(ILOAD_0);
        bytes.extend(switch(at + 1, starts[count], starts[..count].iter().copied()));
    }
    bytes.push(RETURN);
    RawCode { bytes, handlers: Vec::new() }
}

/// Thousands of paths through a parameter that is assigned in thousands of blocks.
fn fields() -> Shape {
    let mut class = RawClass::new("Hostile");
    let constants: Vec<u16> = (0..6_000).map(|field| class.field(&format!("f{field}"), "I")).collect();
    let code = filled(&[], |round| match constants.get(round) {
        Some(constant) => [&[ALOAD_0][..], &wide_op(GETFIELD, *constant), &[POP]].concat(),
        None => [&[ALOAD_1, ASTORE_0, ALOAD_1][..], &wide_op(IFNULL, 3)].concat(),
    });
    Shape { what: "thousands of paths assigned in thousands of blocks", class, is_static: false, code }
}

fn deep_path() -> Shape {
    let mut class = RawClass::new("Hostile");
    let next = class.field(&"next".repeat(10_000), "LHostile;");
    let code = filled(&[ALOAD_0], |_| wide_op(GETFIELD, next).to_vec());
    Shape { what: "a path of twenty thousand fields", class, is_static: false, code }
}

fn long_names() -> Shape {
    let mut class = RawClass::new("Hostile");
    let name = class.field(&"n".repeat(65_000), "I");
    let code = filled(&[], |round| {
        if round >= 60 {
            return vec![0];
        }
        let (get, put) = (wide_op(GETFIELD, name), wide_op(PUTFIELD, name));
        [&[ALOAD_0][..], &get, &wide_op(IFEQ, 8), &[ALOAD_0, 3], &put].concat()
    });
    Shape { what: "names of 65,000 bytes", class, is_static: false, code }
}

fn analysed(bytes: &[u8], options: &Options) -> Result<MethodDuas, Refusal> {
    let mut found = of_class(bytes, options, Some(&Unknown)).unwrap();
    match found.refused.pop() {
        Some((method, refusal)) => {
            assert_eq!(method, "hostile(II)V");
            Err(refusal)
        }
        None => Ok(found.methods.pop().unwrap()),
    }
}

#[test]
fn methods_made_to_be_slow_are_analysed_or_refused_in_bounded_memory() {
    let mut refused = Vec::new();
    let mut declined = Vec::new();
    for Shape { what, mut class, is_static, code } in shapes() {
        class.method(is_static, "hostile", "(II)V", &code);
        let bytes = class.write(48);
        let ways = [
            Options::default(),
            Options {
                arrays: Arrays::Whole,
                uses: Uses::Statement,
                exception_edges: true,
                ..Options::default()
            },
        ];
        for options in ways.iter().take(if slow() { 2 } else { 1 }) {
            let start = std::time::Instant::now();
            let before = ALLOCATOR.allocated();
            match analysed(&bytes, options) {
                Ok(method) => {
                    let count = method.problem.duas().len();
                    let relation = product::within(&method.problem, Limits::default());
                    let said = match relation {
                        Ok(relation) => {
                            let classes = relation.classes();
                            let edges = relation.reduction(&classes, 1_000_000);
                            format!("{} classes, {:?} edges", classes.count(), edges.map(|edges| edges.len()))
                        }
                        Err(reason) => {
                            declined.push(reason);
                            assert_eq!(reason.associations, count);
                            reason.to_string()
                        }
                    };
                    println!("{:?} {what}: {count} associations, {said}", start.elapsed());
                }
                Err(refusal) => {
                    println!("{:?} {what}: {refusal}", start.elapsed());
                    refused.push(refusal.to_string());
                }
            }
            let most = ALLOCATOR.max_allocated();
            println!("   {} MiB before, {} MiB at most so far", before >> 20, most >> 20);
            assert!(most < MEMORY, "{what} made {most} bytes be allocated at once");
        }
    }
    assert!(
        refused.iter().all(|reason| reason.contains("more than") || reason.contains("too ")),
        "{refused:?}"
    );
    assert!(refused.len() > 5 && !declined.is_empty(), "the bounds are met: {refused:?} {declined:?}");
}

const INVOKEVIRTUAL: u8 = 0xB6;
const ICONST_3: u8 = 6;

/// A class whose methods write and read a field each and all call one another.
fn tangled(methods: usize) -> Vec<u8> {
    let mut class = RawClass::new("Tangled");
    let callees: Vec<u16> = (0..methods).map(|method| class.callee(&format!("m{method}"), "()V")).collect();
    let fields: Vec<u16> = (0..methods).map(|field| class.field(&format!("f{field}"), "I")).collect();
    for (method, own) in fields.iter().enumerate() {
        let mut bytes = [&[ALOAD_0, ICONST_3][..], &wide_op(PUTFIELD, *own)].concat();
        for (callee, field) in callees.iter().zip(&fields) {
            // Perhaps a call, then a read.
            bytes
                .extend([&[ALOAD_0][..], &wide_op(GETFIELD, *field), &wide_op(IFEQ, 7), &[ALOAD_0]].concat());
            bytes.extend(wide_op(INVOKEVIRTUAL, *callee));
        }
        bytes.push(RETURN);
        class.method(false, &format!("m{method}"), "()V", &RawCode { bytes, handlers: Vec::new() });
    }
    class.write(48)
}

#[test]
fn methods_that_all_call_one_another_are_associated_or_declined_in_bounded_memory() {
    let few = of_class(&tangled(12), &Options::default(), Some(&Unknown)).unwrap();
    assert!(few.declined.is_none() && few.across.len() > 500, "{} associations", few.across.len());
    if slow() {
        let many = of_class(&tangled(300), &Options::default(), Some(&Unknown)).unwrap();
        let declined = many.declined.map(|refusal| refusal.to_string()).unwrap_or_default();
        assert!(!many.across.is_empty() || declined.contains("300 methods"), "{declined}");
        assert!(many.methods.iter().all(|method| !method.details.is_empty()));
    }
    let most = ALLOCATOR.max_allocated();
    assert!(most < MEMORY, "{most} bytes were allocated at once");
}

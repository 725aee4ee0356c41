//! Basic blocks of hand-assembled code: where they begin, what follows them, which handlers cover them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::{Block, Blocks, Ending};
use dynaflow_classfile::{ClassFile, Code, Error, ExceptionEntry};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

const NOP: u8 = 0x00;
const ICONST_0: u8 = 0x03;
const ALOAD_0: u8 = 0x2A;
const ASTORE_1: u8 = 0x4C;
const POP: u8 = 0x57;
const IDIV: u8 = 0x6C;
const IFEQ: u8 = 0x99;
const GOTO: u8 = 0xA7;
const JSR: u8 = 0xA8;
const RET: u8 = 0xA9;
const RETURN: u8 = 0xB1;
const ATHROW: u8 = 0xBF;

/// `(start, end, handler)` of exception table entries.
type Range = (u16, u16, u16);

fn enumerate(bytes: &[u8], handlers: &[Range]) -> Result<Blocks, Error> {
    let entry = |(start, end, handler): &Range| ExceptionEntry {
        start: *start,
        end: *end,
        handler: *handler,
        catch_type: None,
    };
    let exceptions = handlers.iter().map(entry).collect();
    let code = Code { max_stack: 4, max_locals: 4, bytes, offset: 100, exceptions, attributes: vec![] };
    Blocks::of(&Body::new(code)?)
}

/// Blocks as `start..end>successors`, which is all there is to most of them.
fn shape(bytes: &[u8], handlers: &[Range]) -> String {
    let blocks = enumerate(bytes, handlers).unwrap();
    let one = |(index, block): (usize, &Block)| {
        format!("{}..{}>{:?}", block.start, block.end, blocks.successors(index as u32))
    };
    blocks.all().iter().enumerate().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn straight_code_is_one_block_and_a_call_does_not_end_it() {
    let invokestatic = [NOP, 0xB8, 0, 1, NOP, RETURN];
    assert_eq!(shape(&invokestatic, &[]), "0..6>[]");
    assert_eq!(enumerate(&invokestatic, &[]).unwrap().all()[0].ending, Ending::Returns);
}

#[test]
fn a_branch_ends_a_block_and_begins_those_it_leads_to() {
    // 0: iconst_0, ifeq 7; 4: goto 8; 7: nop; 8: return
    let code = [ICONST_0, IFEQ, 0, 6, GOTO, 0, 4, NOP, RETURN];
    assert_eq!(shape(&code, &[]), "0..4>[1, 2] 4..7>[3] 7..8>[3] 8..9>[]");
    let endings: Vec<_> = enumerate(&code, &[]).unwrap().all().iter().map(|block| block.ending).collect();
    assert_eq!(endings, [Ending::Decides, Ending::Jumps, Ending::Falls, Ending::Returns]);
}

#[test]
fn a_branch_to_the_next_instruction_has_one_successor() {
    assert_eq!(shape(&[ICONST_0, IFEQ, 0, 3, RETURN], &[]), "0..4>[1] 4..5>[]");
}

#[test]
fn the_first_block_may_be_entered_again_and_a_block_may_follow_itself() {
    // 0: nop, iconst_0, ifeq 0; 5: iconst_0, ifeq 5; 9: return
    let code = [NOP, ICONST_0, IFEQ, 0xFF, 0xFE, ICONST_0, IFEQ, 0xFF, 0xFF, RETURN];
    assert_eq!(shape(&code, &[]), "0..5>[0, 1] 5..9>[1, 2] 9..10>[]");
}

#[test]
fn a_switch_leads_to_each_target_once() {
    // 0: iconst_0, tableswitch default 25, low 0, high 1, 24, 24; 24: nop; 25: return
    let mut code = vec![ICONST_0, 0xAA, 0, 0];
    for word in [24, 0, 1, 23, 23i32] {
        code.extend(word.to_be_bytes());
    }
    code.extend([NOP, RETURN]);
    assert_eq!(shape(&code, &[]), "0..24>[1, 2] 24..25>[2] 25..26>[]");
    assert_eq!(enumerate(&code, &[]).unwrap().all()[0].ending, Ending::Decides);
}

#[test]
fn what_nothing_leads_to_is_a_block_all_the_same() {
    assert_eq!(shape(&[RETURN, NOP, RETURN], &[]), "0..1>[] 1..3>[]");
}

#[test]
fn handlers_cover_the_blocks_that_can_throw_within_their_range() {
    // 0: nop; goto 4; 4: idiv; return; 6: pop; return, with the handler at 6 for all before, and for itself.
    let code = [NOP, GOTO, 0, 3, IDIV, RETURN, POP, RETURN];
    let blocks = enumerate(&code, &[(0, 6, 6), (0, 1, 6), (6, 8, 6)]).unwrap();
    assert_eq!(blocks.all().len(), 3, "the border of a range begins no block, a handler does");
    assert_eq!(blocks.covering(0), [], "neither nop nor goto throws");
    assert_eq!(blocks.covering(1), [0]);
    assert_eq!(blocks.covering(2), [], "pop does not throw");
    assert_eq!(blocks.handler(0), Some(2));
    assert_eq!(blocks.successors(1), [], "an exception is no normal control flow");
}

#[test]
fn handlers_come_in_the_order_the_jvm_tries_them_and_once_each() {
    let code = [IDIV, IDIV, RETURN, POP, RETURN, POP, RETURN];
    let blocks = enumerate(&code, &[(0, 2, 5), (1, 2, 3), (0, 1, 5)]).unwrap();
    assert_eq!(blocks.covering(0), [0, 1, 2]);
    assert_eq!([0, 1, 2].map(|entry| blocks.handler(entry)), [Some(2), Some(1), Some(2)]);
    assert_eq!(blocks.handler(3), None);
}

#[test]
fn a_subroutine_returns_behind_each_of_its_calls() {
    // 0: jsr 7; 3: jsr 7; 6: return; 7: astore_1; ret 1
    let code = [JSR, 0, 7, JSR, 0, 4, RETURN, ASTORE_1, RET, 1];
    assert_eq!(shape(&code, &[]), "0..3>[3] 3..6>[3] 6..7>[] 7..10>[1, 2]");
}

#[test]
fn a_subroutine_that_calls_another_returns_to_its_own_callers_alone() {
    // 0: jsr 4; 3: return; 4: astore_1; jsr 10; 8: ret 1; 10: astore_1; ret 1
    let code = [JSR, 0, 4, RETURN, ASTORE_1, JSR, 0, 5, RET, 1, ASTORE_1, RET, 1];
    assert_eq!(shape(&code, &[]), "0..3>[2] 3..4>[] 4..8>[4] 8..10>[1] 10..13>[3]");
}

#[test]
fn code_that_runs_past_its_end_is_refused_with_the_place() {
    let error = enumerate(&[NOP, NOP], &[]).unwrap_err();
    assert_eq!((error.offset, error.what), (101, "execution runs past the end of the code"));
    assert!(enumerate(&[ALOAD_0, ATHROW], &[]).is_ok());
}

/// Loops, switches and handlers as javac compiles them.
const SOURCE: &str = r#"
class Ways {
    int loop(int[] all) {
        int sum = 0;
        for (int one : all) {
            if (one < 0) { continue; }
            sum += one > 9 ? 9 : one;
        }
        return sum;
    }
    String choose(int which, String text) {
        switch (which) { case 1: return "one"; case 2: return text; default: break; }
        switch (text) { case "a": return "b"; case "b": return "a"; default: return null; }
    }
    int guarded(java.util.concurrent.Callable<Integer> call) {
        try { return call.call(); }
        catch (RuntimeException caught) { return -1; }
        catch (Exception caught) { throw new IllegalStateException(caught); }
        finally { synchronized (this) { count++; } }
    }
    int count;
    Runnable later() { return () -> { while (count < 3) { count++; } }; }
    static boolean both(boolean a, boolean b) { assert a; return a && b || !a && !b; }
}
"#;

/// The class files of a source, by name.
fn compile(source: &str) -> BTreeMap<String, Vec<u8>> {
    let homes = std::env::var_os("DYNAFLOW_JAVA_HOMES").or_else(|| std::env::var_os("JAVA_HOME"));
    let first = homes.and_then(|homes| std::env::split_paths(&homes).next());
    let javac = first.map_or_else(|| PathBuf::from("javac"), |home| home.join("bin/javac"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Ways.java");
    std::fs::write(&file, source).unwrap();
    let output = Command::new(javac).args(["--release", "11", "-d"]).arg(folder.path()).arg(&file).output();
    let output = output.expect("javac is needed: set JAVA_HOME or put it on the PATH");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
    let classes = files.filter(|path| path.extension().is_some_and(|extension| extension == "class"));
    classes.map(|path| (path.display().to_string(), std::fs::read(&path).unwrap())).collect()
}

#[test]
fn blocks_partition_the_instructions_of_compiled_methods() {
    let mut methods = 0;
    for (name, bytes) in compile(SOURCE) {
        let class = ClassFile::parse(&bytes).unwrap();
        for method in &class.methods {
            let Some(body) = Body::of_method(&class, method).unwrap() else { continue };
            let blocks = Blocks::of(&body).unwrap();
            let insns: Vec<usize> = blocks.all().iter().flat_map(|block| block.insns()).collect();
            assert_eq!(insns, (0..body.insns.len()).collect::<Vec<_>>(), "{name}");
            for (index, block) in blocks.all().iter().enumerate() {
                assert!(block.insns().all(|insn| blocks.block_of(insn) == Some(index as u32)));
                assert!(blocks.successors(index as u32).iter().all(|to| (*to as usize) < blocks.all().len()));
            }
            methods += 1;
        }
    }
    assert!(methods > 5, "{methods}");
}

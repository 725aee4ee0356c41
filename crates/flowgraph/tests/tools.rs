//! What of a class the compiler and tools wrote, over compiled classes whose names say it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../../../tests/shared/javac.rs"]
mod javac;
#[path = "../../../tests/shared/jdks.rs"]
mod jdks;

use dynaflow_bytecode::Body;
use dynaflow_classfile::{ClassFile, MemberIndex, Opcode};
use dynaflow_flowgraph::made::OfTools;
use jdks::java_homes;
use std::path::Path;

/// A record with a compact constructor, and a class with members that are marked as generated.
const SOURCE: &str = r#"
record Mark(String unit, int amount) {
    Mark { unit = unit.trim(); }
    int twice() { return 2 * amount; }
    public int hashCode() { return amount; }
}
@interface Generated { }
class Point {
    int x;
    @Generated int getX() { return x; }
    @Generated public String toString() { return "" + x; }
    @Generated boolean canEqual(Object other) { return other instanceof Point; }
    public int hashCode() { return x; }
    int own() { return x; }
}
"#;

/// What the tools wrote of a class, and its bytes.
fn read(folder: &Path, class: &str) -> (OfTools, Vec<u8>) {
    let bytes = std::fs::read(folder.join(class).with_extension("class")).unwrap();
    (OfTools::read(&bytes).unwrap(), bytes)
}

/// The fields that the constructor assigns by instructions which are said to be a tool's.
fn assigned(tools: &OfTools, bytes: &[u8], signature: &str) -> Vec<String> {
    let file = ClassFile::parse(bytes).unwrap();
    let name = |index| file.pool.utf8(index).unwrap().to_string();
    let constructor = file.methods.iter().find(|m| name(m.name) + &name(m.descriptor) == signature).unwrap();
    let body = Body::of_method(&file, constructor).unwrap().unwrap();
    let field = |index| file.pool.member(MemberIndex(index)).unwrap().name.to_string();
    let writes = body.insns.iter().filter(|insn| insn.opcode == Opcode::Putfield);
    let writes = writes.filter(|insn| tools.has(signature, insn.pc));
    writes.map(|insn| field(insn.constant().unwrap())).collect()
}

#[test]
fn what_the_program_wrote_is_told_from_what_the_compiler_and_annotated_tools_wrote() {
    const CONSTRUCTOR: &str = "<init>(Ljava/lang/String;I)V";
    const TEXT: &str = "toString()Ljava/lang/String;";
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Tools.java");
        std::fs::write(&file, SOURCE).unwrap();
        let mut javac = javac::javac(&home);
        let output = javac.args(["--release", "17", "-d"]).arg(folder.path()).arg(&file).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (mark, bytes) = read(folder.path(), "Mark");
        assert_eq!(assigned(&mark, &bytes, CONSTRUCTOR), ["amount"], "the unit was changed");
        assert!(mark.has(TEXT, 0) && mark.has("unit()Ljava/lang/String;", 1) && !mark.has("twice()I", 2));
        assert!(mark.has_of_object(TEXT) && mark.has_of_object("equals(Ljava/lang/Object;)Z"));
        assert!(!mark.has_of_object("hashCode()I"), "it is the program's");
        assert!(!mark.has_of_object("unit()Ljava/lang/String;"), "not every object has it");
        let (point, _) = read(folder.path(), "Point");
        assert!(point.has("getX()I", 1) && !point.has("own()I", 1));
        assert!(point.has_of_object(TEXT) && point.has_of_object("canEqual(Ljava/lang/Object;)Z"));
        assert!(!point.has_of_object("getX()I") && !point.has_of_object("hashCode()I"));
    }
    assert!(OfTools::read(b"no class").is_err());
}

//! Which members of records the compiler wrote, over compiled classes whose names say it.
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

use dynaflow_bytecode::{Body, assigned_of_record, is_of_record};
use dynaflow_classfile::{ClassFile, MemberIndex};
use jdks::java_homes;

/// A record as the compiler writes it; one that has members of its own in the place of all of these; and a class that only looks like a record.
const SOURCE: &str = r#"
record Made(String name, int[] marks, long size, double share) {
    static Made ownEmpty() { return new Made("", new int[0], 0, 0); }
    boolean ownLarge() { return size > 9; }
    String ownTitle() { return name; }
    Made(String name) { this(name, new int[0], 0, 0); }
}
record Own(String name, int count) {
    Own { if (count < 0) { throw new IllegalArgumentException("count"); } }
    public String name() { return name.trim(); }
    public int count() { return count + 1; }
    public String toString() { return name; }
    public int hashCode() { return count; }
    public boolean equals(Object other) { return other == this; }
}
record Trimmed(String name, int count, long size) {
    Trimmed {
        if (count < 0) { throw new IllegalArgumentException("count"); }
        name = name.trim();
        size++;
    }
}
record Swapped(int low, int high) {
    Swapped(int low, int high) { this.high = low; this.low = high; }
}
class Plain {
    private final String name;
    Plain(String name) { this.name = name; }
    String name() { return name; }
    public String toString() { return name; }
}
"#;

/// Of each class the methods with code that the compiler is said to have written, sorted.
fn found(class: &str, folder: &std::path::Path) -> Vec<String> {
    let bytes = std::fs::read(folder.join(class).with_extension("class")).unwrap();
    let file = ClassFile::parse(&bytes).unwrap();
    let with_code = file.methods.iter().filter(|method| Body::of_method(&file, method).unwrap().is_some());
    let made = with_code.filter(|method| is_of_record(&file, method).unwrap());
    let text = |index| file.pool.utf8(index).unwrap().to_string();
    let mut names: Vec<String> = made.map(|method| text(method.name) + &text(method.descriptor)).collect();
    names.sort();
    names
}

/// The components that the compiler is said to assign at the end of a constructor of the class, in their order.
fn assigned(class: &str, folder: &std::path::Path) -> Vec<String> {
    let bytes = std::fs::read(folder.join(class).with_extension("class")).unwrap();
    let file = ClassFile::parse(&bytes).unwrap();
    let mut names = vec![];
    for method in &file.methods {
        let Some(body) = Body::of_method(&file, method).unwrap() else { continue };
        for at in assigned_of_record(&file, method).unwrap() {
            let field = file.pool.member(MemberIndex(body.insns[at].constant().unwrap())).unwrap();
            names.push(field.name.to_string());
        }
    }
    names
}

/// Compiles the source with a JDK.
fn compiled(home: &std::path::Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Records.java");
    std::fs::write(&file, SOURCE).unwrap();
    let output =
        javac::javac(home).args(["--release", "17", "-d"]).arg(folder.path()).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

#[test]
fn what_a_compact_constructor_left_as_it_was_is_assigned_by_the_compiler() {
    for home in java_homes() {
        let folder = compiled(&home);
        let assigned = |class| assigned(class, folder.path());
        assert_eq!(assigned("Made"), ["name", "marks", "size", "share"], "{}", home.display());
        assert_eq!(assigned("Own"), ["name", "count"]);
        assert_eq!(assigned("Trimmed"), ["count"], "the others were changed");
        assert_eq!(assigned("Swapped"), Vec::<String>::new());
        assert_eq!(assigned("Plain"), Vec::<String>::new());
    }
}

#[test]
fn what_the_compiler_writes_for_a_record_is_told_from_what_the_program_writes_in_its_place() {
    for home in java_homes() {
        let folder = compiled(&home);
        let made = [
            "<init>(Ljava/lang/String;[IJD)V",
            "equals(Ljava/lang/Object;)Z",
            "hashCode()I",
            "marks()[I",
            "name()Ljava/lang/String;",
            "share()D",
            "size()J",
            "toString()Ljava/lang/String;",
        ];
        assert_eq!(found("Made", folder.path()), made, "{}", home.display());
        assert_eq!(found("Own", folder.path()), Vec::<String>::new());
        let others = [
            "equals(Ljava/lang/Object;)Z",
            "hashCode()I",
            "high()I",
            "low()I",
            "toString()Ljava/lang/String;",
        ];
        assert_eq!(found("Swapped", folder.path()), others);
        assert_eq!(found("Plain", folder.path()), Vec::<String>::new());
    }
}

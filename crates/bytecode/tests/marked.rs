//! Which methods annotations take out of what tests are for, over compiled classes whose names say it.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

#[path = "../../../tests/shared/javac.rs"]
mod javac;
#[path = "../../../tests/shared/jdks.rs"]
mod jdks;

use dynaflow_bytecode::is_marked;
use dynaflow_classfile::ClassFile;
use jdks::java_homes;

/// Annotations declared here are kept in class files, that of the JDK is not.
const SOURCE: &str = r"
@interface Generated {}
@interface LombokGenerated {}
@interface DoNotMutate { int why() default 0; }
@interface Generator {}
class Mixed {
    @Generated void marked() {}
    @Deprecated @LombokGenerated void markedByPart() {}
    @DoNotMutate(why = 3) void markedForPit() {}
    @Nested.InnerGenerated void markedNested() {}
    @Generator void own() {}
    @javax.annotation.processing.Generated(`tool`) void ownNotKept() {}
    void ownPlain() {}
    static class Nested { @interface InnerGenerated {} }
}
@Generated class Whole {
    void marked() {}
}
";

fn marked(class: &str, folder: &std::path::Path) -> Vec<String> {
    let bytes = std::fs::read(folder.join(class).with_extension("class")).unwrap();
    let file = ClassFile::parse(&bytes).unwrap();
    let methods = file.methods.iter().filter(|method| is_marked(&file, method));
    methods.map(|method| file.pool.utf8(method.name).unwrap().to_string()).collect()
}

#[test]
fn what_a_tool_generated_and_what_people_exclude_is_known_by_annotations_that_class_files_keep() {
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Mixed.java");
        std::fs::write(&file, SOURCE.replace('`', "\"")).unwrap();
        let output = javac::javac(&home).arg("-d").arg(folder.path()).arg(&file).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let expected = ["marked", "markedByPart", "markedForPit", "markedNested"];
        assert_eq!(marked("Mixed", folder.path()), expected, "{}", home.display());
        assert_eq!(marked("Whole", folder.path()), ["<init>", "marked"]);
        assert_eq!(marked("Mixed$Nested", folder.path()), [""; 0]);
    }
}

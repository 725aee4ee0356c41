//! The classes of real JDKs read where they lie, and images that are none. Knows nothing of what classes are read for.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;

use common::java_homes;
use dynaflow_augmenter::jvm::image::JdkClasses;

use std::fs;
use std::path::Path;

#[test]
fn classes_of_the_jdk_are_class_files_with_their_names() {
    for home in java_homes() {
        let classes = JdkClasses::open(&home).unwrap();
        for name in ["java/lang/Object", "java/util/concurrent/ConcurrentHashMap", "java/util/Map$Entry"] {
            let bytes = classes.class(name.as_bytes()).unwrap();
            let class = dynaflow_classfile::ClassFile::parse(&bytes).unwrap();
            assert_eq!(class.name().unwrap().to_str(), name, "{}", home.display());
        }
        assert!(classes.class(b"java/lang/NoSuchClass").is_none());
    }
}

/// The message of a JDK whose image has this content.
fn refused(content: &[u8]) -> String {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("lib")).unwrap();
    fs::write(home.path().join("lib/modules"), content).unwrap();
    format!("{:#}", JdkClasses::open(home.path()).unwrap_err())
}

#[test]
fn what_is_no_image_is_refused_with_its_name() {
    assert!(refused(b"short").contains("lib/modules"));
    assert!(refused(&[0; 100]).contains("no image"));
    let mut huge = 0xCAFE_DADAu32.to_ne_bytes().to_vec();
    huge.extend([0xFF; 60]);
    assert!(refused(&huge).contains("too large"), "{}", refused(&huge));
    let mut cut = 0xCAFE_DADAu32.to_ne_bytes().to_vec();
    [0, 0, 9, 9, 90, 90u32].iter().for_each(|number| cut.extend(number.to_ne_bytes()));
    assert!(refused(&cut).contains("lib/modules"));
    let nothing = JdkClasses::open(Path::new("/nowhere")).unwrap_err().to_string();
    assert!(nothing.contains("neither lib/modules nor rt.jar"), "{nothing}");
}

//! Hash tables of real JDKs that hand out what they hold in reverse: the order is the reverse of the usual one, and everything is found where it was put.
//!
//! Knows nothing of generated tests. Invariant: both JVMs run the same program.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;
mod jvm_support;

use dynaflow_augmenter::jvm::jdk::Jdk;
use dynaflow_augmenter::jvm::launch::JvmConfig;
use dynaflow_augmenter::jvm::reversed::ReversedTables;
use jvm_support::jdks;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Prints the orders of tables whose keys have a bucket each, then whether everything is found; keys of `Alike` have one hash, so that a bucket becomes a tree.
const TABLES: &str = "import java.util.*;
import java.util.concurrent.*;
public class Tables {
    static final class Alike {
        @Override public int hashCode() { return 7; }
    }
    public static void main(String[] args) {
        for (Set<Object> set : Arrays.asList(new HashSet<Object>(), ConcurrentHashMap.<Object>newKeySet(), new LinkedHashSet<Object>())) {
            set.addAll(Arrays.asList(\"one\", \"two\", 4, 5, -7));
            List<String> texts = new ArrayList<>();
            for (Object each : set) { texts.add(each.toString()); }
            System.out.println(String.join(\" \", texts));
        }
        Map<Object, Integer> map = new HashMap<>();
        Map<Object, Integer> concurrent = new ConcurrentHashMap<>();
        List<Object> keys = new ArrayList<>();
        for (int i = 0; i < 5000; i++) { keys.add(i % 5 == 0 ? new Alike() : (Object) (\"key \" + i)); }
        for (int i = 0; i < keys.size(); i++) { map.put(keys.get(i), i); concurrent.put(keys.get(i), i); }
        map.put(null, -1);
        boolean isRight = map.get(null) == -1 && map.size() == 5001;
        for (int i = 0; i < keys.size(); i++) {
            isRight &= map.get(keys.get(i)) == i && concurrent.get(keys.get(i)) == i;
            isRight &= concurrent.remove(keys.get(i)) == i && map.remove(keys.get(i)) == i;
        }
        System.out.println(isRight && map.keySet().equals(Collections.singleton(null)) && concurrent.isEmpty());
    }
}
";

/// What the program prints, with these options of the JVM.
fn printed(jdk: &Jdk, folder: &Path, options: &[String]) -> Vec<String> {
    let mut java = Command::new(jdk.home.join("bin/java"));
    let output = java.args(options).arg("-cp").arg(folder).arg("Tables").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn compiled(jdk: &Jdk) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Tables.java"), TABLES).unwrap();
    let mut javac = jvm_support::javac(&jdk.home);
    javac.current_dir(folder.path()).args(["-d", ".", "Tables.java"]);
    assert!(javac.status().unwrap().success());
    folder
}

/// The options of a JVM that had these, and the folders it has to read besides.
fn applied(jdk: &Jdk, folder: &Path, options: &[&str]) -> JvmConfig {
    let tables = ReversedTables::new(jdk, folder.join("reversed"));
    let mut jvm = JvmConfig::new(jdk.clone(), vec![], folder.to_owned()).unwrap();
    jvm.jvm_args = options.iter().map(|option| (*option).to_owned()).collect();
    tables.apply(&mut jvm);
    jvm
}

#[test]
fn tables_hand_out_their_entries_in_reverse_and_lose_none() {
    for jdk in jdks() {
        let folder = compiled(&jdk);
        let usual = printed(&jdk, folder.path(), &[]);
        let jvm = applied(&jdk, folder.path(), &[]);
        let reversed = printed(&jdk, folder.path(), &jvm.jvm_args);
        assert_eq!(jvm.readable, [folder.path().join("reversed")]);
        for (usual, reversed) in usual.iter().zip(&reversed).take(2) {
            let turned: Vec<&str> = usual.split(' ').rev().collect();
            assert_eq!(turned.join(" "), *reversed, "{}", jdk.version_text);
        }
        assert_eq!(usual[2], reversed[2], "a linked table has the order of its entries");
        assert_eq!((usual[3].as_str(), reversed[3].as_str()), ("true", "true"));
    }
}

#[test]
fn a_jvm_that_replaces_classes_of_the_jdk_itself_keeps_its_own() {
    let jdk = jdks().remove(0);
    let folder = tempfile::tempdir().unwrap();
    for options in [&["--patch-module=java.base=mine"][..], &["--patch-module", "java.base=mine"]] {
        let jvm = applied(&jdk, folder.path(), options);
        assert_eq!((jvm.jvm_args.len(), jvm.readable.len()), (options.len(), 0), "{:?}", jvm.jvm_args);
    }
    let other = applied(&jdk, folder.path(), &["--patch-module=java.sql=mine"]);
    assert_eq!(other.jvm_args.len(), 2, "{:?}", other.jvm_args);
}

#[test]
fn a_jdk_whose_tables_are_not_understood_is_left_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let jdk = Jdk { home: home.path().to_owned(), ..jdks().remove(0) };
    let jvm = applied(&jdk, home.path(), &["-Xmx64m"]);
    assert_eq!((jvm.jvm_args, jvm.readable.len()), (vec!["-Xmx64m".to_owned()], 0));
}

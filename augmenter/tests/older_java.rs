//! A class that is compiled for an older Java than the JDK's: its tests use nothing of the library that came later, and compile for that Java.
//!
//! Knows nothing of how arguments are chosen. Invariant: what the program's constructors want has newer constructors in the JDK, which a search tries.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;
mod small;

use jvm_support::jdks;
use small::Small;

/// `new Properties(int)` is there since Java 10.
const KEYS: &str = "package demo;
import java.util.Properties;
public final class Keys {
    private final Properties properties;
    public Keys(Properties properties) { this.properties = properties; }
    public int size() { return properties.size(); }
    public boolean has(String key) { return properties.containsKey(key); }
    public void put(String key, String value) { properties.setProperty(key, value); }
    public Keys with(Properties more) {
        Keys keys = new Keys(new Properties(more));
        keys.properties.putAll(properties);
        return keys;
    }
}
";

/// How many tests there are, and whether any makes what only newer Java has; what was written compiles for this Java and is green.
fn written(keys: &Small, java: &str) -> (usize, bool) {
    let some = [
        "--max-executions",
        "3000",
        "--no-mutants",
        "--keep",
        "all",
        "--criteria",
        "objectives,branch,output",
    ];
    let said = keys.augment("demo.Keys", &some);
    assert!(said.contains(" 0 dropped"), "what is not there is not tried: {said}");
    let file = "out/demo/KeysDynaflowTest.java";
    let text = String::from_utf8(keys.read(file).unwrap()).unwrap();
    keys.javac(&["-Xlint:-options", "--release", java, "-d", "tests"], &[file]);
    let ran = keys.run("java", &["org.junit.runner.JUnitCore", "demo.KeysDynaflowTest"]);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    let is_newer = text.lines().any(|line| {
        let argument = line.split_once("new Properties(").map(|(_, rest)| rest);
        argument.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    });
    (text.matches("@Test").count(), is_newer)
}

#[test]
fn tests_of_a_class_for_java_8_compile_for_java_8() {
    for jdk in jdks() {
        let (tests, is_newer) = written(&Small::for_java(&jdk.home, "8", &[("Keys", KEYS)]), "8");
        assert!(tests > 3 && !is_newer, "{tests} tests");
    }
}

/// What a lambda would be passed for, and what it refuses.
const RULES: &str = "package demo;
public final class Rules {
    public interface Rule { boolean allows(String word); }
    private Rule rule;
    private int asked;
    public void use(Rule rule) {
        if (rule == null) { throw new IllegalArgumentException(\"no rule\"); }
        this.rule = rule;
    }
    public boolean allows(String word) { asked++; return rule == null || rule.allows(word); }
    public int asked() { return asked; }
}
";

#[test]
fn tests_of_a_class_for_java_7_have_no_lambdas() {
    let jdk = &jdks()[0];
    let rules = Small::for_java(&jdk.home, "7", &[("Rules", RULES)]);
    rules.augment("demo.Rules", &["--max-executions", "3000", "--criteria", "objectives,branch,output"]);
    let file = "out/demo/RulesDynaflowTest.java";
    let text = String::from_utf8(rules.read(file).unwrap()).unwrap();
    assert!(text.contains("new Rules.Rule() {") && text.contains("fail(\"expected"), "{text}");
    assert!(!text.contains("->"), "{text}");
    rules.javac(&["-Xlint:-options", "--release", "7", "-d", "tests"], &[file]);
    let ran = rules.run("java", &["org.junit.runner.JUnitCore", "demo.RulesDynaflowTest"]);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
}

#[test]
fn tests_of_a_class_for_a_newer_java_use_what_that_has() {
    let jdk = &jdks()[0];
    let (_, is_newer) = written(&Small::for_java(&jdk.home, "11", &[("Keys", KEYS)]), "11");
    assert!(is_newer, "else the other test shows nothing");
}

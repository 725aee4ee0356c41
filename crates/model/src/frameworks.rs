//! The one table of test frameworks: by which names their tests are known, what runs them, how generated tests are written
//! for them, and which libraries stand beside them in tests.
//!
//! Knows names only: what a method or a class with such a name does, its readers know (weaver, analysis, carver, suite runner,
//! test generator, command line). Invariant: nobody else names a test framework. The next framework is one more row of
//! [`FRAMEWORKS`] and, if none of the runners there are can run it, a [`Runner`] with its class in `java-shim`.

use crate::sites::TestRole;

/// What runs the tests of a class; each has a class in `java-shim`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Runner {
    /// JUnit 4's core, which also runs JUnit 3.
    JUnit4,
    /// The launcher of the JUnit Platform.
    Platform,
    /// Nothing of ours: TestNG suites can be recorded, and are not run.
    TestNg,
}

/// A framework: binary names of what its tests are known by.
#[derive(Debug)]
pub struct Framework {
    /// As people call it.
    pub name: &'static str,
    /// Its packages, each with a dot behind it.
    pub packages: &'static [&'static str],
    /// What runs its tests.
    pub runner: Runner,
    /// Annotations of methods, and what they make of them.
    pub methods: &'static [(&'static str, TestRole)],
    /// Those of them whose methods give tests back: the lambdas they make are the tests.
    pub factories: &'static [&'static str],
    /// Annotations of classes that make a test of every public instance method that returns nothing.
    pub whole_classes: &'static [&'static str],
    /// Annotations of classes that hand the class to the runner, whatever annotations its methods have.
    pub handed_over: &'static [&'static str],
    /// Annotations of annotations that make tests.
    pub marks: &'static [&'static str],
    /// Annotations of inner classes whose tests are run with the class around them.
    pub nested: &'static [&'static str],
    /// The class that test classes extend where no annotation is needed.
    pub base: Option<&'static str>,
    /// Names of methods of such classes; `*` stands for any rest.
    pub names: &'static [(&'static str, TestRole)],
    /// How tests are written for it, if we do.
    pub style: Option<&'static Style>,
}

/// Whose assertions compare values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// The framework's own.
    Own,
    /// AssertJ's: `assertThat(actual).isEqualTo(expected)`.
    AssertJ,
    /// Hamcrest's: `assertThat(actual, is(expected))`.
    Hamcrest,
}

/// How generated tests are written for a framework.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The framework's name.
    pub name: &'static str,
    /// What `--junit` calls it.
    pub version: &'static str,
    /// What help says of that.
    pub about: &'static str,
    /// The annotation of a test method. A class path that has it has the framework.
    pub test: &'static str,
    /// The class with its own assertions.
    pub own: &'static str,
    /// Whose assertions compare values.
    pub library: Library,
    /// Whether test classes and their methods are public.
    pub public: bool,
    /// Whether floating point numbers are compared with a difference that is allowed.
    pub with_delta: bool,
    /// Whether there is `assertThrows`.
    pub with_throws: bool,
    /// What to add to a class path without it.
    pub jars: &'static str,
    /// What running needs and class paths as build tools print them lack.
    pub needs: &'static [Needed],
}

/// A jar that may be missing.
#[derive(Debug, PartialEq, Eq)]
pub struct Needed {
    /// A class of it.
    pub class: &'static str,
    /// Its group.
    pub group: &'static str,
    /// Its name.
    pub artifact: &'static str,
    /// Jars of the same version.
    pub of_version: &'static [&'static str],
}

const PLATFORM: &[&str] = &["junit-platform-engine", "junit-platform-commons"];

/// How tests are written for JUnit 4.
const JUNIT_4: Style = Style {
    name: "JUnit 4",
    version: "4",
    about: "JUnit 4",
    test: "org.junit.Test",
    own: "org.junit.Assert",
    public: true,
    with_delta: true,
    with_throws: false,
    jars: "junit-4.x.jar and hamcrest-core-1.x.jar",
    needs: &[],
    library: Library::Own,
};

/// The same from version 4.13 on, which [`THROWING`] tells.
const JUNIT_4_13: Style = Style { with_throws: true, ..JUNIT_4 };

/// A class that came to JUnit 4 with `assertThrows`.
const THROWING: &str = "org.junit.function.ThrowingRunnable";

/// How tests are written for JUnit 5.
const JUNIT_5: Style = Style {
    name: "JUnit 5",
    version: "5",
    about: "JUnit 5 (Jupiter)",
    test: "org.junit.jupiter.api.Test",
    own: "org.junit.jupiter.api.Assertions",
    public: false,
    with_delta: false,
    with_throws: true,
    jars: "junit-jupiter-api and junit-platform-launcher",
    needs: &[
        Needed {
            class: "org.junit.jupiter.engine.JupiterTestEngine",
            group: "org.junit.jupiter",
            artifact: "junit-jupiter-engine",
            of_version: &["junit-jupiter-api"],
        },
        Needed {
            class: "org.junit.platform.engine.TestEngine",
            group: "org.junit.platform",
            artifact: "junit-platform-engine",
            of_version: PLATFORM,
        },
        Needed {
            class: "org.junit.platform.launcher.core.LauncherFactory",
            group: "org.junit.platform",
            artifact: "junit-platform-launcher",
            of_version: PLATFORM,
        },
    ],
    library: Library::Own,
};

/// How tests are written: for each framework with its own assertions and with those of each library beside it.
static STYLES: [Style; 9] = [
    JUNIT_4,
    Style { library: Library::AssertJ, ..JUNIT_4 },
    Style { library: Library::Hamcrest, ..JUNIT_4 },
    JUNIT_4_13,
    Style { library: Library::AssertJ, ..JUNIT_4_13 },
    Style { library: Library::Hamcrest, ..JUNIT_4_13 },
    JUNIT_5,
    Style { library: Library::AssertJ, ..JUNIT_5 },
    Style { library: Library::Hamcrest, ..JUNIT_5 },
];

/// The frameworks, older before newer.
pub const FRAMEWORKS: &[Framework] = &[
    Framework {
        name: "JUnit 3",
        packages: &["junit."],
        base: Some("junit.framework.TestCase"),
        names: &[
            ("setUp", TestRole::BeforeEach),
            ("tearDown", TestRole::AfterEach),
            ("test*", TestRole::MaybeTest),
        ],
        ..run_by(Runner::JUnit4)
    },
    Framework {
        name: "JUnit 4",
        packages: &["org.junit."],
        methods: &[
            ("org.junit.Test", TestRole::Test),
            ("org.junit.Before", TestRole::BeforeEach),
            ("org.junit.After", TestRole::AfterEach),
            ("org.junit.BeforeClass", TestRole::BeforeAll),
            ("org.junit.AfterClass", TestRole::AfterAll),
        ],
        handed_over: &["org.junit.runner.RunWith"],
        style: Some(&STYLES[0]),
        ..run_by(Runner::JUnit4)
    },
    Framework {
        name: "JUnit 5",
        packages: &["org.junit."],
        methods: &[
            ("org.junit.jupiter.api.Test", TestRole::Test),
            ("org.junit.jupiter.api.RepeatedTest", TestRole::Test),
            ("org.junit.jupiter.api.TestFactory", TestRole::Test),
            ("org.junit.jupiter.api.TestTemplate", TestRole::Test),
            ("org.junit.jupiter.params.ParameterizedTest", TestRole::Test),
            ("org.junit.jupiter.api.BeforeEach", TestRole::BeforeEach),
            ("org.junit.jupiter.api.AfterEach", TestRole::AfterEach),
            ("org.junit.jupiter.api.BeforeAll", TestRole::BeforeAll),
            ("org.junit.jupiter.api.AfterAll", TestRole::AfterAll),
        ],
        factories: &["org.junit.jupiter.api.TestFactory"],
        marks: &["org.junit.platform.commons.annotation.Testable"],
        nested: &["org.junit.jupiter.api.Nested"],
        style: Some(&STYLES[6]),
        ..run_by(Runner::Platform)
    },
    Framework {
        name: "TestNG",
        packages: &["org.testng."],
        methods: &[
            ("org.testng.annotations.Test", TestRole::Test),
            ("org.testng.annotations.BeforeMethod", TestRole::BeforeEach),
            ("org.testng.annotations.AfterMethod", TestRole::AfterEach),
            ("org.testng.annotations.BeforeClass", TestRole::BeforeAll),
            ("org.testng.annotations.AfterClass", TestRole::AfterAll),
            ("org.testng.annotations.BeforeTest", TestRole::BeforeAll),
            ("org.testng.annotations.AfterTest", TestRole::AfterAll),
            ("org.testng.annotations.BeforeSuite", TestRole::BeforeAll),
            ("org.testng.annotations.AfterSuite", TestRole::AfterAll),
        ],
        whole_classes: &["org.testng.annotations.Test"],
        ..run_by(Runner::TestNg)
    },
];

/// A framework that nothing is known of but what runs it.
const fn run_by(runner: Runner) -> Framework {
    Framework {
        name: "",
        packages: &[],
        runner,
        methods: &[],
        factories: &[],
        whole_classes: &[],
        handed_over: &[],
        marks: &[],
        nested: &[],
        base: None,
        names: &[],
        style: None,
    }
}

impl Runner {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::JUnit4, Self::Platform, Self::TestNg];

    /// What `java-shim` calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::JUnit4 => "JUNIT4",
            Self::Platform => "PLATFORM",
            Self::TestNg => "TESTNG",
        }
    }

    /// The class of the framework that runs tests; none where we run none.
    pub fn core(self) -> Option<&'static str> {
        match self {
            Self::JUnit4 => Some("org.junit.runner.JUnitCore"),
            Self::Platform => Some("org.junit.platform.launcher.core.LauncherFactory"),
            Self::TestNg => None,
        }
    }

    /// What is said of a test class when that class is not on the class path.
    pub fn lacking(self) -> &'static str {
        match self {
            Self::JUnit4 => {
                "is a JUnit 3 test class; add junit:junit:4.13.2 to the test class path, which runs it"
            }
            Self::Platform => {
                "is a JUnit 5 test class; add org.junit.platform:junit-platform-launcher and \
                 org.junit.jupiter:junit-jupiter-engine of the versions of your JUnit 5, or \
                 junit-platform-console-standalone, to the test class path"
            }
            Self::TestNg => "is a TestNG test class; dynaflow runs JUnit 3, 4 and 5",
        }
    }
}

/// What becomes of the calls that tests make into a library beside the frameworks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Calls {
    /// They check results: none is recorded.
    Unrecorded,
    /// They are recorded for the objects they give, and are no part of a carved test.
    NotCarved,
    /// As all others.
    Ordinary,
}

/// Libraries that stand in tests beside a framework: package, what becomes of calls, and whether its own classes are left
/// out of recording unless they are named.
const LIBRARIES: &[(&str, Calls, bool)] = &[
    ("org.hamcrest.", Calls::Unrecorded, true),
    ("org.assertj.", Calls::Unrecorded, true),
    ("com.google.common.truth.", Calls::NotCarved, false),
    ("org.opentest4j.", Calls::NotCarved, true),
    ("org.mockito.", Calls::NotCarved, true),
    ("org.powermock.", Calls::NotCarved, true),
    ("org.easymock.", Calls::NotCarved, true),
    ("org.objenesis.", Calls::Ordinary, true),
    ("net.bytebuddy.", Calls::Ordinary, true),
    ("org.apiguardian.", Calls::Ordinary, true),
];

/// The packages of frameworks and of the libraries that `wanted` selects.
fn packages(wanted: fn(Calls, bool) -> bool) -> impl Iterator<Item = &'static str> {
    let libraries = LIBRARIES.iter().filter(move |(_, calls, excluded)| wanted(*calls, *excluded));
    FRAMEWORKS.iter().flat_map(|f| f.packages).copied().chain(libraries.map(|(package, ..)| *package))
}

/// Whether the class is of a framework or a library whose calls only run and check tests; its name as class files have it,
/// `org/junit/Assert`.
pub fn is_of_tests(class: &[u8]) -> bool {
    let dotted = |byte: &u8| if *byte == b'/' { b'.' } else { *byte };
    let mut packages = packages(|calls, _| calls == Calls::Unrecorded);
    packages.any(|package| {
        class.len() > package.len() && class.iter().map(dotted).zip(package.bytes()).all(|(a, b)| a == b)
    })
}

/// Whether calls into the class are no part of what a test does with the program.
pub fn is_test_library(class: &str) -> bool {
    packages(|calls, _| calls != Calls::Ordinary).any(|package| class.starts_with(package))
}

/// Whether an exception of this class, however it is spelled, says that an assertion of a test failed.
pub fn is_assertion_error(class: &str) -> bool {
    ["AssertionError", "AssertionFailedError", "ComparisonFailure", "MultipleFailuresError"]
        .iter()
        .any(|end| class.ends_with(end))
}

/// Whether the class is recorded only if it is named.
pub fn is_excluded(class: &str) -> bool {
    packages(|_, excluded| excluded).any(|package| class.starts_with(package))
}

/// The role that an annotation with this binary name gives a method.
pub fn role_of_annotation(annotation: &str) -> Option<TestRole> {
    let mut known = FRAMEWORKS.iter().flat_map(|framework| framework.methods);
    known.find(|(name, _)| *name == annotation).map(|(_, role)| *role)
}

/// Whether methods with this annotation give tests back.
pub fn is_factory(annotation: &str) -> bool {
    FRAMEWORKS.iter().any(|framework| framework.factories.contains(&annotation))
}

/// Whether this annotation of a class makes tests of its public methods.
pub fn makes_whole_class(annotation: &str) -> bool {
    FRAMEWORKS.iter().any(|framework| framework.whole_classes.contains(&annotation))
}

/// The role that its name gives a method, should its class extend a [`Framework::base`].
pub fn role_of_name(method: &str) -> TestRole {
    let fits = |name: &str| match name.strip_suffix('*') {
        Some(beginning) => method.starts_with(beginning),
        None => method == name,
    };
    let mut known = FRAMEWORKS.iter().flat_map(|framework| framework.names);
    known.find(|(name, _)| fits(name)).map_or(TestRole::None, |(_, role)| *role)
}

/// Whether tests of classes that extend this one are known by their names.
pub fn is_base(class: &str) -> bool {
    FRAMEWORKS.iter().any(|framework| framework.base == Some(class))
}

/// How tests are written with the frameworks' own assertions, newer frameworks first.
pub fn styles() -> impl Iterator<Item = &'static Style> {
    FRAMEWORKS.iter().rev().filter_map(|framework| framework.style)
}

/// All ways in which tests are written.
pub fn all_styles() -> impl Iterator<Item = &'static Style> {
    STYLES.iter()
}

/// How tests are written for the framework that `--junit` calls so.
pub fn style(version: &str) -> Option<&'static Style> {
    styles().find(|style| style.version == version)
}

impl Style {
    /// The same framework with the assertions of this library.
    pub fn with(&self, library: Library) -> &'static Self {
        let same = |other: &&Self| {
            (other.version, other.library, other.with_throws) == (self.version, library, self.with_throws)
        };
        STYLES.iter().find(same).unwrap_or(&STYLES[0])
    }

    /// The same framework as far as this version of it goes, of which these classes are there.
    pub fn of_version(&'static self, is_there: impl Fn(&str) -> bool) -> &'static Self {
        let newer = |other: &&Self| {
            (other.version, other.library) == (self.version, self.library) && other.with_throws
        };
        if is_there(THROWING) { STYLES.iter().find(newer).unwrap_or(self) } else { self }
    }

    /// Whether tests of both may stand in one file.
    pub fn stands_beside(&self, other: &Self) -> bool {
        (self.version, self.library) == (other.version, other.library)
    }

    /// The class that has a static method which tests in this style call: an assertion or a matcher.
    pub fn class_of(&self, method: &str) -> &'static str {
        match (self.library, method) {
            (Library::AssertJ, "assertThat" | "assertThatThrownBy") => "org.assertj.core.api.Assertions",
            (Library::Hamcrest, "assertThat") => "org.hamcrest.MatcherAssert",
            (Library::Hamcrest, "is" | "nullValue" | "notNullValue") => "org.hamcrest.CoreMatchers",
            _ => self.own,
        }
    }
}

impl Library {
    /// The libraries beside the frameworks.
    pub const BESIDE: [Self; 2] = [Self::AssertJ, Self::Hamcrest];

    /// Whose assertions this class has, by its name as class files have it; none when it has none.
    pub fn of_assertion(class: &str) -> Option<Self> {
        match class {
            "org/hamcrest/MatcherAssert" => Some(Self::Hamcrest),
            _ if class.starts_with("org/assertj/core/api/") => Some(Self::AssertJ),
            _ if styles().any(|style| style.own.replace('.', "/") == class) => Some(Self::Own),
            _ => None,
        }
    }
}

/// The table as the suite runner of `java-shim` reads it: a line for each name by which test classes are known, with what the name is
/// of and the runner; and a line for each runner.
pub fn lines() -> Vec<String> {
    let mut lines = vec![];
    for framework in FRAMEWORKS {
        let runner = framework.runner.name();
        let tests =
            framework.methods.iter().filter(|(_, role)| *role == TestRole::Test).map(|(name, _)| name);
        let mut add = |kind: &str, name: &str| lines.push(format!("{kind}\t{runner}\t{name}"));
        // Where annotations have a mark, it stands for all of them.
        tests.filter(|_| framework.marks.is_empty()).for_each(|name| add("method", name));
        framework.handed_over.iter().chain(framework.whole_classes).for_each(|name| add("class", name));
        framework.base.iter().for_each(|name| add("base", name));
        framework.marks.iter().for_each(|name| add("mark", name));
        framework.nested.iter().for_each(|name| add("nested", name));
    }
    for runner in Runner::ALL {
        let core = runner.core().unwrap_or_default();
        lines.push(format!("runner\t{}\t{core}\t{}", runner.name(), runner.lacking()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_whole_segments_and_libraries_differ_in_what_becomes_of_their_calls() {
        assert!(
            is_of_tests(b"org/junit/Assert")
                && !is_of_tests(b"org/junitpioneer/X")
                && !is_of_tests(b"org/junit")
        );
        assert!(is_of_tests(b"junit/framework/Assert") && is_of_tests(b"org/testng/Assert"));
        assert!(is_test_library("org.junit.Assert") && !is_test_library("org.junitpioneer.X"));
        assert!(!is_of_tests(b"org/mockito/Mockito") && is_test_library("org.mockito.Mockito"));
        assert!(
            is_test_library("com.google.common.truth.Truth") && !is_excluded("com.google.common.truth.Truth")
        );
        assert!(is_excluded("net.bytebuddy.ByteBuddy") && !is_test_library("net.bytebuddy.ByteBuddy"));
        assert!(!is_excluded("org.example.Test"));
    }

    #[test]
    fn a_framework_is_used_as_far_as_its_version_goes() {
        let four = style("4").unwrap().with(Library::Hamcrest);
        let recent = four.of_version(|class| class == THROWING);
        assert!(!four.with_throws && recent.with_throws);
        assert_eq!((recent.library, recent.with(Library::Own).with_throws), (Library::Hamcrest, true));
        assert!(four.stands_beside(recent) && !four.stands_beside(style("5").unwrap()));
        assert_eq!(four.of_version(|_| false), four);
        assert_eq!(style("5").unwrap().of_version(|_| true), style("5").unwrap());
    }

    #[test]
    fn names_decide_where_annotations_need_not_stand() {
        assert_eq!(role_of_name("testAll"), TestRole::MaybeTest);
        assert_eq!(role_of_name("setUp"), TestRole::BeforeEach);
        assert_eq!(role_of_name("setUpAll"), TestRole::None);
        assert_eq!(role_of_annotation("org.testng.annotations.AfterSuite"), Some(TestRole::AfterAll));
        assert_eq!(role_of_annotation("org.junit.Ignore"), None);
    }

    #[test]
    fn each_runner_has_a_line_and_each_name_one_place() {
        let lines = lines();
        for runner in Runner::ALL {
            assert!(lines.iter().any(|line| line.starts_with(&format!("runner\t{}\t", runner.name()))));
        }
        // TestNG's annotation stands on methods and on classes: one name may be known by two kinds, but of one runner.
        let names = lines.iter().filter(|line| !line.starts_with("runner\t"));
        let mut of_names: Vec<(&str, &str, &str)> = names
            .filter_map(|line| {
                let [kind, runner, name] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
                Some((name, runner, kind))
            })
            .collect();
        of_names.sort_unstable();
        let of_one = |two: &[(&str, &str, &str)]| two[0].0 != two[1].0 || two[0].1 == two[1].1;
        assert!(of_names.windows(2).all(|two| two[0] != two[1] && of_one(two)), "{of_names:?}");
        assert!(of_names.contains(&("org.testng.annotations.Test", "TESTNG", "class")), "{of_names:?}");
        assert_eq!(styles().map(|style| style.version).collect::<Vec<_>>(), ["5", "4"]);
        assert!(style("3").is_none());
    }
}

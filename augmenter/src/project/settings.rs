//! With what a build runs its tests, and what of that any JVM can be given that runs code of the project.
//!
//! Knows no build. Invariant: what is left out is named.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Options that say what the program sees, by their beginnings. Others say how much memory the JVM has, which collector it uses, which agents watch it, and whether it waits
/// for a debugger: that is for the build's JVMs.
const TAKEN: &[&str] = &[
    "-D",
    "-ea",
    "-da",
    "-esa",
    "-dsa",
    "-enableassertions",
    "-disableassertions",
    "--add-opens=",
    "--add-exports=",
    "--add-reads=",
    "--add-modules=",
    "--enable-native-access=",
    "--enable-preview",
    "--illegal-access=",
    "--sun-misc-unsafe-memory-access=",
];
/// Places that a confined JVM has of its own.
const OURS: &[&str] = &["-Djava.io.tmpdir=", "-Duser.home="];
/// Options whose value may be the next argument.
const OF_TWO: &[&str] = &[
    "--add-opens",
    "--add-exports",
    "--add-reads",
    "--add-modules",
    "--enable-native-access",
    "-cp",
    "-classpath",
    "--class-path",
    "--module-path",
    "-p",
];

/// With what a build runs its tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The options of their JVM that others can be given.
    pub arguments: Vec<String>,
    /// Those that are left out.
    pub left_out: Vec<String>,
    /// The variables that the build sets for them.
    pub environment: BTreeMap<String, String>,
    /// The JDK that runs them, where the build names one.
    pub java_home: Option<PathBuf>,
}

impl Settings {
    /// Sorts a JVM's options.
    pub fn new(
        arguments: impl IntoIterator<Item = String>,
        environment: BTreeMap<String, String>,
        java_home: Option<PathBuf>,
    ) -> Self {
        let mut settings = Self { environment, java_home, ..Self::default() };
        let mut arguments = arguments.into_iter();
        while let Some(mut argument) = arguments.next() {
            if OF_TWO.contains(&argument.as_str())
                && let Some(value) = arguments.next()
            {
                let separator = if argument.starts_with("--") { "=" } else { " " };
                argument = format!("{argument}{separator}{value}");
            }
            let begins = |starts: &[&str]| starts.iter().any(|start| argument.starts_with(start));
            let is_taken = begins(TAKEN) && !begins(OURS) && !adds_others(&argument);
            if is_taken { settings.arguments.push(argument) } else { settings.left_out.push(argument) }
        }
        settings
    }

    /// What is taken over and what is not, for people; nothing when there is nothing.
    pub fn told(&self) -> Option<String> {
        let names = |arguments: &[String]| arguments.join(" ");
        let variables: Vec<&str> = self.environment.keys().map(String::as_str).collect();
        let parts: Vec<String> = [
            (!self.arguments.is_empty()).then(|| format!("JVM options {}", names(&self.arguments))),
            (!variables.is_empty()).then(|| format!("environment variables {}", variables.join(", "))),
            (!self.left_out.is_empty()).then(|| format!("but not {}", names(&self.left_out))),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!parts.is_empty()).then(|| format!("tests run as the build runs them: {}", parts.join("; ")))
    }
}

/// Whether an option adds modules that are not the JDK's: these lie on a module path, which other JVMs do not have, and would not start without.
fn adds_others(argument: &str) -> bool {
    let is_of_jdk = |name: &str| ["java.", "jdk.", "ALL-"].iter().any(|start| name.starts_with(start));
    argument.strip_prefix("--add-modules=").is_some_and(|names| !names.split(',').all(is_of_jdk))
}

/// Words of a text as Maven and Surefire read one: separated by white space, with quotes around some.
pub(super) fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (vec![], None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_program_sees_is_taken_and_the_rest_is_named() {
        let words = words(
            "-Xmx1g -Dname='a b' --add-opens java.base/java.lang=ALL-UNNAMED -javaagent:x.jar -ea -Duser.home=/x",
        );
        let settings = Settings::new(words, BTreeMap::from([("A".into(), "secret".into())]), None);
        assert_eq!(settings.arguments, ["-Dname=a b", "--add-opens=java.base/java.lang=ALL-UNNAMED", "-ea"]);
        assert_eq!(settings.left_out, ["-Xmx1g", "-javaagent:x.jar", "-Duser.home=/x"]);
        let told = settings.told().unwrap();
        assert!(told.contains("variables A; but not -Xmx1g") && !told.contains("secret"), "{told}");
        assert_eq!(Settings::default().told(), None);
    }

    #[test]
    fn modules_that_only_a_module_path_has_are_left_out() {
        let taken = |text: &str| Settings::new(words(text), BTreeMap::new(), None).arguments;
        assert_eq!(taken("--add-modules org.joda.convert --module-path=x"), Vec::<String>::new());
        assert_eq!(taken("--add-modules=java.sql,org.x"), Vec::<String>::new());
        let of_jdk = ["--add-modules=java.sql,jdk.unsupported", "--add-modules=ALL-SYSTEM"];
        assert_eq!(taken(&of_jdk.join(" ")), of_jdk);
    }

    #[test]
    fn words_may_be_quoted_in_part_and_empty() {
        assert_eq!(words("  a \"b c\"d '' e\n"), ["a", "b cd", "", "e"]);
        assert_eq!(words(" \t"), Vec::<String>::new());
    }
}

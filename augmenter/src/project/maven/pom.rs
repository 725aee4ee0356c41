//! What the text of a POM says: the modules it names; of an effective one, where classes are and how Surefire runs the tests.
//!
//! Knows nothing of Maven's inheritance, profiles and properties: an effective POM has them applied. Invariant: what a POM does not say is left to the caller.

use super::super::settings::{Settings, words};
use anyhow::{Context, Result, anyhow};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file of a build.
pub const FILE: &str = "pom.xml";

/// What an effective POM says of one module.
#[derive(Debug, PartialEq, Eq)]
pub struct Effective {
    /// The folder of the program's classes.
    pub classes: PathBuf,
    /// That of the tests' classes.
    pub tests: PathBuf,
    /// That of the tests' sources.
    pub sources: PathBuf,
    /// What the build makes.
    pub made: PathBuf,
    /// Where tests run, when it is not the module's folder.
    pub working_folder: Option<PathBuf>,
    /// With what Surefire runs tests.
    pub settings: Settings,
    /// The goals that format sources, of plugins that the build runs.
    pub format: Vec<&'static str>,
}

/// Plugins that say how sources are to be, by group and name, and the goals that make them so.
const FORMATTERS: &[(&str, &str, &str)] = &[
    ("com.coveo", "fmt-maven-plugin", "fmt:format"),
    ("com.diffplug.spotless", "spotless-maven-plugin", "spotless:apply"),
    ("com.mycila", "license-maven-plugin", "license:format"),
    ("com.spotify.fmt", "fmt-maven-plugin", "fmt:format"),
    ("io.spring.javaformat", "spring-javaformat-maven-plugin", "spring-javaformat:apply"),
    ("net.revelc.code", "impsort-maven-plugin", "impsort:sort"),
    ("net.revelc.code.formatter", "formatter-maven-plugin", "formatter:format"),
];

/// The modules that a POM names, in profiles, too.
///
/// # Errors
/// When the text is no XML: where.
pub fn modules(pom: &str) -> Result<Vec<String>> {
    let document = Document::parse(pom)?;
    let lists = document
        .descendants()
        .filter(|node| is(node, "modules") && !node.ancestors().any(|n| is(&n, "plugin")));
    let names =
        lists.flat_map(|list| list.children().filter(|node| is(node, "module")).map(|node| text(&node)));
    let mut all: Vec<String> = vec![];
    for name in names.filter(|name| !name.is_empty() && !name.contains('$')) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    Ok(all)
}

/// Reads an effective POM, or a list of them, for the module in a folder.
///
/// # Errors
/// When the text is no XML or has no such module.
pub fn effective(pom: &str, folder: &Path) -> Result<Effective> {
    let document = Document::parse(pom)?;
    let projects = document.descendants().filter(|node| is(node, "project"));
    let ours = |project: &Node| {
        let made = below(*project, &["build", "directory"]).map(|node| PathBuf::from(text(&node)));
        let nearest = made.as_deref().and_then(|made| made.ancestors().find(|up| up.join(FILE).is_file()));
        nearest.is_some_and(|nearest| nearest == folder)
    };
    let all: Vec<Node> = projects.collect();
    let project = match all.as_slice() {
        [one] => *one,
        many => *many
            .iter()
            .find(|project| ours(project))
            .ok_or_else(|| anyhow!("no module of {} is in it", folder.display()))?,
    };
    let path = |name: &str| {
        let node = below(project, &["build", name]);
        node.map(|node| PathBuf::from(text(&node))).with_context(|| format!("it has no build/{name}"))
    };
    let surefire = Surefire::of(project);
    Ok(Effective {
        classes: path("outputDirectory")?,
        tests: path("testOutputDirectory")?,
        sources: path("testSourceDirectory")?,
        made: path("directory")?,
        working_folder: surefire.one("workingDirectory").map(PathBuf::from),
        settings: surefire.settings(folder),
        format: formatters(project),
    })
}

/// The goals of the formatters that run when a project is built: those with an execution.
fn formatters(project: Node) -> Vec<&'static str> {
    let runs = |group: &str, artifact: &str| {
        let is = |plugin: &Node| has(plugin, "groupId", group) && has(plugin, "artifactId", artifact);
        let mut all = plugins(project).filter(is);
        all.any(|plugin| below(plugin, &["executions", "execution"]).is_some())
    };
    let all = FORMATTERS.iter().filter(|(group, artifact, _)| runs(group, artifact));
    all.map(|(_, _, goal)| *goal).collect()
}

/// The plugins that a project is built with.
fn plugins<'a>(project: Node<'a, 'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    let list = below(project, &["build", "plugins"]);
    list.into_iter().flat_map(|list| list.children()).filter(|node| is(node, "plugin"))
}

/// How Surefire is configured for the tests of one project.
struct Surefire<'a> {
    project: Node<'a, 'a>,
    configuration: Option<Node<'a, 'a>>,
}

impl<'a> Surefire<'a> {
    /// The configuration of its usual execution, which has that of the plugin in it, else that of the plugin.
    fn of(project: Node<'a, 'a>) -> Self {
        let plugin = plugins(project).find(|node| has(node, "artifactId", "maven-surefire-plugin"));
        let configuration = plugin.and_then(|plugin| {
            let mut executions = below(plugin, &["executions"]).into_iter().flat_map(|list| list.children());
            let usual = executions.find(|node| has(node, "id", "default-test"));
            usual.and_then(|usual| child(usual, "configuration")).or_else(|| child(plugin, "configuration"))
        });
        Self { project, configuration }
    }

    /// The text of an element of the configuration.
    fn one(&self, name: &str) -> Option<String> {
        let node = child(self.configuration?, name)?;
        Some(self.resolved(&text(&node))).filter(|text| !text.is_empty())
    }

    /// The elements of an element, by name.
    fn map(&self, name: &str) -> BTreeMap<String, String> {
        let list = self.configuration.and_then(|configuration| child(configuration, name));
        let elements = list.into_iter().flat_map(|list| list.children().filter(Node::is_element));
        elements.map(|node| (node.tag_name().name().to_owned(), self.resolved(&text(&node)))).collect()
    }

    fn property(&self, name: &str) -> Option<String> {
        child(below(self.project, &["properties"])?, name).map(|node| text(&node))
    }

    /// With what Surefire replaces late, as other plugins may set properties until tests begin: `@{name}`, and the number of the fork.
    fn resolved(&self, text: &str) -> String {
        let text = text.replace("${surefire.forkNumber}", "1").replace("${surefire.threadNumber}", "1");
        let mut parts = text.split("@{");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| match part.split_once('}') {
            Some((name, rest)) => all + &self.property(name).unwrap_or_default() + rest,
            None => all + "@{" + part,
        })
    }

    fn settings(&self, folder: &Path) -> Settings {
        let line = self.one("argLine").or_else(|| Some(self.resolved(&self.property("argLine")?)));
        let mut arguments = words(&line.unwrap_or_default());
        if self.one("enableAssertions").as_deref() == Some("false") {
            arguments.push("-da".to_owned());
        }
        // Surefire says it to every test.
        let mut properties = BTreeMap::from([("basedir".to_owned(), folder.display().to_string())]);
        properties.extend(self.map("systemPropertyVariables"));
        arguments.extend(properties.iter().map(|(name, value)| format!("-D{name}={value}")));
        let home = self.one("jvm").map(PathBuf::from);
        // The file is JDK/bin/java, or JDK/jre/bin/java.
        let home = home
            .and_then(|java| java.ancestors().nth(2).map(Path::to_owned))
            .filter(|home| home.is_absolute());
        Settings::new(arguments, self.map("environmentVariables"), home)
    }
}

fn is(node: &Node, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

/// Whether a node has a child of this name and text.
fn has(node: &Node, name: &str, value: &str) -> bool {
    node.children().any(|child| is(&child, name) && text(&child) == value)
}

fn child<'a>(node: Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|node| is(node, name))
}

fn below<'a>(node: Node<'a, 'a>, names: &[&str]) -> Option<Node<'a, 'a>> {
    names.iter().try_fold(node, |node, name| child(node, name))
}

fn text(node: &Node) -> String {
    node.text().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUILD: &str =
        "<outputDirectory>/p/out</outputDirectory><testOutputDirectory>/p/t</testOutputDirectory>
        <testSourceDirectory>/p/src/test/java</testSourceDirectory><directory>/p/target</directory>";

    fn with(properties: &str, plugin: &str) -> Effective {
        let pom = format!(
            "<project xmlns='http://maven.apache.org/POM/4.0.0'><properties>{properties}</properties><build>{BUILD}<plugins>
             <plugin><artifactId>maven-jar-plugin</artifactId><configuration><argLine>-Dno=1</argLine></configuration></plugin>
             <plugin><artifactId>maven-surefire-plugin</artifactId>{plugin}</plugin></plugins></build></project>"
        );
        effective(&pom, Path::new("/p")).unwrap()
    }

    #[test]
    fn modules_are_those_that_the_pom_names_outside_of_comments_and_plugins() {
        let pom = "<project><!-- <module>old</module> --><modules><module> core </module>\n<module>web/app</module><!--x--></modules>
            <profiles><profile><modules><module>core</module><module>${it}</module><module>it</module></modules></profile></profiles>
            <build><plugins><plugin><configuration><modules><module>x</module></modules></configuration></plugin></plugins></build></project>";
        assert_eq!(modules(pom).unwrap(), ["core", "web/app", "it"]);
        assert_eq!(modules("<project><artifactId>one</artifactId></project>").unwrap(), Vec::<String>::new());
        assert!(modules("<project><modules>").is_err());
    }

    #[test]
    fn surefires_usual_execution_says_what_tests_run_with() {
        let plugin = "<executions><execution><id>more</id><configuration><argLine>-Dmore</argLine></configuration></execution>
            <execution><id>default-test</id><configuration><argLine>@{argLine} -Dfork=${surefire.forkNumber} -Xmx1g</argLine>
            <systemPropertyVariables><a.b>c d</a.b><basedir>/else</basedir></systemPropertyVariables>
            <environmentVariables><FOO>bar</FOO></environmentVariables><workingDirectory>/p/w</workingDirectory>
            </configuration></execution></executions><configuration><argLine>-Dold</argLine></configuration>";
        let found = with("<argLine>-Dlate=1</argLine>", plugin);
        assert_eq!(found.settings.arguments, ["-Dlate=1", "-Dfork=1", "-Da.b=c d", "-Dbasedir=/else"]);
        assert_eq!(found.settings.left_out, ["-Xmx1g"]);
        assert_eq!(found.settings.environment, BTreeMap::from([("FOO".into(), "bar".into())]));
        assert_eq!(found.working_folder.as_deref(), Some(Path::new("/p/w")));
        assert_eq!(
            (found.classes.as_path(), found.made.as_path()),
            (Path::new("/p/out"), Path::new("/p/target"))
        );
    }

    #[test]
    fn the_property_counts_where_the_plugin_says_nothing() {
        let found = with("<argLine>-Dx=1 ${unknown}</argLine>", "");
        assert_eq!(found.settings.arguments, ["-Dx=1", "-Dbasedir=/p"]);
        assert_eq!(with("", "").settings.arguments, ["-Dbasedir=/p"]);
        let plain = with(
            "",
            "<configuration><enableAssertions>false</enableAssertions><jvm>/j/bin/java</jvm></configuration>",
        );
        assert_eq!(plain.settings.arguments, ["-da", "-Dbasedir=/p"]);
        assert_eq!(plain.settings.java_home.as_deref(), Some(Path::new("/j")));
    }

    #[test]
    fn formatters_are_plugins_that_the_build_runs() {
        let effective = |group: &str, runs: &str| {
            let plugin = format!(
                "</plugin><plugin><groupId>{group}</groupId><artifactId>license-maven-plugin</artifactId>{runs}"
            );
            with("", &plugin).format
        };
        let runs = "<executions><execution><phase>validate</phase></execution></executions>";
        assert_eq!(effective("com.mycila", runs), ["license:format"]);
        assert_eq!(effective("com.mycila", ""), [""; 0], "whoever wants it calls it");
        assert_eq!(effective("com.mycila", "<executions/>"), [""; 0]);
        assert_eq!(effective("org.codehaus.mojo", runs), [""; 0], "another plugin of this name");
    }

    #[test]
    fn of_several_projects_the_one_in_the_folder_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let project = |name: &str| {
            let at = folder.path().join(name);
            std::fs::create_dir_all(&at).unwrap();
            std::fs::write(at.join("pom.xml"), "").unwrap();
            format!(
                "<project><build>{}</build></project>",
                BUILD.replace("/p/", &format!("{}/", at.display()))
            )
        };
        let pom = format!("<projects>{}{}</projects>", project("a"), project("b"));
        let found = effective(&pom, &folder.path().join("b")).unwrap();
        assert_eq!(found.classes, folder.path().join("b/out"));
        assert!(effective(&pom, &folder.path().join("c")).is_err());
    }
}

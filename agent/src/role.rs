//! What a JVM is for, by what it was started with: the agent in the environment of a build reaches the JVMs of the build tools, too.
//!
//! It knows nothing of the JVM: it reads the command that the launcher passes on. Invariant: what is not in the tables is a program, and is recorded.

/// What a JVM is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It runs a program, or tests.
    Program,
    /// It is a build tool that may run tests in itself.
    Host,
    /// It compiles, waits for builds, or tries tests with changed classes; it never runs tests that count.
    Tool,
}

/// Build tools that may run tests in their own JVM: Surefire with `forkCount=0`, Ant's `<junit>` without `fork`, sbt.
const HOSTS: &[&str] = &[
    "org.codehaus.plexus.classworlds.launcher.Launcher",
    "org.apache.maven.wrapper.MavenWrapperMain",
    "org.apache.maven.cli.MavenCli",
    "org.mvndaemon.mvnd.common.MavenDaemon",
    "org.apache.tools.ant.launch.Launcher",
    "org.apache.tools.ant.Main",
    "xsbt.boot.Boot",
    "ant-launcher.jar",
    "sbt-launch.jar",
];
/// Beginnings of the names of main classes, and jars.
const TOOLS: &[&str] = &[
    "org.gradle.launcher.",
    "org.gradle.wrapper.",
    "worker.org.gradle.",
    "gradle-wrapper.jar",
    "org.jetbrains.kotlin.daemon.",
    "org.jetbrains.kotlin.cli.",
    "org.pitest.",
    "org.jacoco.",
    "org.eclipse.jdt.internal.compiler.",
    "com.sun.tools.",
    "sun.tools.",
    "sun.security.tools.",
    "sun.rmi.",
];
/// What `java File.java` runs, which compiles a program and runs it in the same JVM.
const SOURCE_LAUNCHER: &str = "com.sun.tools.javac.launcher.";
/// The worker of Gradle that runs tests, among those that compile.
const TEST_WORKER: &str = "Gradle Test Executor";

/// The role by `sun.java.command`: the main class, with its module in front if it has one, or the jar; then the arguments.
pub fn of(command: &str) -> Role {
    let main = main(command);
    if HOSTS.contains(&main) {
        return Role::Host;
    }
    let is_program = main.starts_with(SOURCE_LAUNCHER) || command.contains(TEST_WORKER);
    let is_tool = is_of_the_jdk(command) || TOOLS.iter().any(|name| main.starts_with(name));
    if is_tool && !is_program { Role::Tool } else { Role::Program }
}

/// The main class without its module, or the jar without its folder.
fn main(command: &str) -> &str {
    let jar = command
        .split_once(".jar")
        .map(|(path, _)| path)
        .filter(|path| path.starts_with(['/', '.']) || !path.contains(' '));
    let word = match jar {
        Some(path) => command.get(..path.len() + ".jar".len()).unwrap_or(command),
        None => command.split(' ').next().unwrap_or_default(),
    };
    word.rsplit('/').next().unwrap_or_default()
}

/// The tools of a JDK are main classes of its modules: `jdk.compiler/com.sun.tools.javac.Main`.
fn is_of_the_jdk(command: &str) -> bool {
    let module = command.split(' ').next().unwrap_or_default().split_once('/');
    module.is_some_and(|(module, _)| module.starts_with("jdk.") || module.starts_with("java."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_programs_are_told_from_tools() {
        for (command, role) in [
            ("", Role::Program),
            ("org.junit.runner.JUnitCore a.T", Role::Program),
            ("/tmp/a b/surefire/surefirebooter12.jar /tmp/x 2026 surefire", Role::Program),
            ("junit-console.jar execute", Role::Program),
            (
                "worker.org.gradle.process.internal.worker.GradleWorkerMain 'Gradle Test Executor 1'",
                Role::Program,
            ),
            ("jdk.compiler/com.sun.tools.javac.launcher.Main T.java", Role::Program),
            ("org.apache.tools.ant.taskdefs.optional.junit.JUnitTestRunner a.T", Role::Program),
            ("my.module/org.shop.Main x.jar", Role::Program),
            ("org.codehaus.plexus.classworlds.launcher.Launcher test", Role::Host),
            ("org.apache.tools.ant.launch.Launcher -cp x.jar", Role::Host),
            ("/opt/ant/lib/ant-launcher.jar test", Role::Host),
            ("org.gradle.launcher.daemon.bootstrap.GradleDaemon 4.4.1", Role::Tool),
            ("/p q/gradle/wrapper/gradle-wrapper.jar test", Role::Tool),
            (
                "worker.org.gradle.process.internal.worker.GradleWorkerMain 'Gradle Worker Daemon 1'",
                Role::Tool,
            ),
            ("jdk.compiler/com.sun.tools.javac.Main -d x", Role::Tool),
            ("com.sun.tools.javac.Main -d x", Role::Tool),
            ("org.pitest.mutationtest.execute.MutationTestMinion 4711", Role::Tool),
            ("org.jetbrains.kotlin.daemon.KotlinCompileDaemon --daemon", Role::Tool),
        ] {
            assert_eq!(of(command), role, "{command}");
        }
    }
}

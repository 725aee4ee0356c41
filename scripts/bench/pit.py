"""PIT, fetched from its releases: its jars, a run over some classes and tests, its report.

Knows nothing of what is compared with it. Invariant: a report is that of the run asked for, or an error says why there is none.
"""

import collections
import shutil
import subprocess
import xml.etree.ElementTree
import zipfile

import grown
import lib

RELEASES = ("org.pitest:pitest-command-line:1.17.4", "org.pitest:pitest-junit5-plugin:1.2.1")
# What of a mutant is the same in every report.
FIELDS = ["mutatedClass", "mutatedMethod", "methodDescription", "lineNumber", "mutator", "description"]
NOTICED = {"KILLED", "TIMED_OUT", "MEMORY_ERROR", "RUN_ERROR"}
LIMIT = 4 * 3600


def jars(folder):
    """PIT and all it needs, fetched once below the folder."""
    found = folder / "pit"
    if not any(found.glob("pitest-command-line-*.jar")):
        if not shutil.which("mvn"):
            lib.fail("needs Maven (apt-get install maven)")
        found.mkdir(parents=True, exist_ok=True)
        dependencies = ""
        for coordinates in RELEASES:
            group, artifact, version = coordinates.split(":")
            dependencies += f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version></dependency>"
        head = "<project><modelVersion>4.0.0</modelVersion><groupId>pit</groupId><artifactId>pit</artifactId><version>1</version>"
        (folder / "pom.xml").write_text(f"{head}<dependencies>{dependencies}</dependencies></project>")
        copy = ["mvn", "--batch-mode", "--quiet", "-f", folder / "pom.xml", "dependency:copy-dependencies", f"-DoutputDirectory={found}"]
        if subprocess.run(copy, check=False).returncode != 0:
            lib.fail("Maven could not fetch PIT (see above)")
    # The suites bring the JUnit platform in their own version.
    return sorted(jar for jar in found.glob("*.jar") if not jar.name.startswith(("junit-platform", "opentest4j")))


def unpacked(jar, folder):
    """The folder with what is in a jar: PIT mutates classes of folders."""
    if not folder.is_dir():
        with zipfile.ZipFile(jar) as archive:
            archive.extractall(folder)
    return folder


def run(pit, class_path, home, folder, options, flags=()):
    """Runs PIT: what it cost and where its report is."""
    command = [home / "bin" / "java", "-cp", ":".join(map(str, [*pit, *class_path]))]
    command += ["org.pitest.mutationtest.commandline.MutationCoverageReport", "--reportDir", folder, "--sourceDirs", folder]
    command += ["--outputFormats", "XML", "--timestampedReports", "false", "--skipFailingTests", "true", *options]
    if flags:
        command += ["--jvmArgs", ",".join(flags)]
    done = lib.measured(command, folder / "work", folder / "pit.log", LIMIT)
    return done, folder / "mutations.xml"


def mutations(report):
    """The mutants of a report, each with status and killer; of several alike in the order of their instructions."""
    found = collections.defaultdict(list)
    for mutation in xml.etree.ElementTree.parse(report).getroot():
        index = int(mutation.findtext("indexes/index") or 0)
        killer = mutation.findtext("killingTest") or ""
        found[tuple(mutation.findtext(field) for field in FIELDS)].append((index, mutation.get("status"), killer))
    return {key: [(status, killer) for _, status, killer in sorted(alike)] for key, alike in found.items()}


def statuses(report):
    """The status of each mutant of a report."""
    return {(*key, at): status for key, alike in mutations(report).items() for at, (status, _) in enumerate(alike)}


class NoReport(Exception):
    """PIT broke: there are no figures of the class."""


def noticed(jars, subject, target, tests, more, home, folder, threads):
    """The mutants of a class, and of them those that the tests notice and those they run without noticing."""
    classes = unpacked(subject.library, lib.OUT / "oracle" / subject.name / "classes")
    suite = subject.tests if subject.tests.is_dir() else unpacked(subject.tests, lib.OUT / "oracle" / subject.name / "tests")
    path = [classes, *more, suite, *subject.extra, lib.jar("junit-platform-console-standalone-1.11.4"), *grown.junit4().split(":")]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    chosen = ["--targetClasses", f"{target},{target}$*", "--targetTests", ",".join(tests), "--mutableCodePaths", classes]
    done, report = run(jars, path, home, folder, [*chosen, "--threads", threads or "2"], subject.flags)
    if done.status != 0 or not report.is_file():
        raise NoReport(f"PIT ended with status {done.status}; see {folder / 'pit.log'}")
    found = statuses(report)
    killed = {key for key, status in found.items() if status in NOTICED}
    return set(found), killed, {key for key, status in found.items() if status == "SURVIVED"}

"""Tests that `dynaflow augment` wrote from the tests of a library: how they are made, and compiled with plain JUnit.

Knows nothing of what is measured about them. Invariant: generated sources see JUnit and the user's class path, nothing else; what was
grown before is used again only when binary, class, seeds and options are the same.
"""

import dataclasses
import functools
import hashlib
import json
import pathlib
import re
import shutil
import subprocess

import lib

# The subjects whose tests are written for JUnit 5; those of the others are for JUnit 4.
JUNIT5 = {"cli", "csv", "lang3", "text", "jsoup", "io", "codec"}
# What a build with all warnings as errors is about: not what it finds in jars, nor annotations that no processor claims.
LINTS = ("-Xlint:all,-classfile,-options,-path,-processing,-serial", "-Werror", "-proc:none")


def junit4():
    """JUnit 4 and what it needs."""
    return f"{lib.jar('junit-4.13.2')}:{lib.jar('hamcrest-core-1.3')}"


def frameworks(subject):
    """What a subject's tests are compiled and run with."""
    console = str(lib.jar("junit-platform-console-standalone-1.11.4"))
    return console if subject.name in JUNIT5 else junit4()


def amount(budget):
    """The options for a budget: a time such as 30s, or a number of executions."""
    return ["--max-executions", budget] if budget.isdigit() else ["--budget", budget]


def grow(binary, subject, target, seed, home, folder, options, more=()):
    """Runs the augmenter, with more options; its cost. `options` are the seed, the budget and the workers of the search. Without seed tests it starts from scratch."""
    command = [binary, "augment", "--class-path", subject.library]
    command += ["--test-class-path", f"{subject.test_class_path()}:{frameworks(subject)}:{junit4()}"]
    command += ["--target", target, "--junit", "4", "--java-home", home]
    command += ["--seed-tests", seed] if seed else []
    command += [*amount(options.budget), "--seed", options.seed]
    command += ["--out", folder / "tests", "--json", folder / "pairs.json", "--stats", folder / "stats.csv"]
    command += ["--jobs", options.jobs] if options.jobs else []
    command += more
    return lib.measured(command, folder, folder / "augment.log")


@dataclasses.dataclass(frozen=True)
class Grown:
    """What the augmenter left for a class: its folder, its exit status, the seconds it took."""

    folder: pathlib.Path
    status: int
    seconds: float

    def finished(self):
        """Whether it came to an end: the document of pairs is written last."""
        return (self.folder / "pairs.json").is_file()

    def sources(self):
        """The sources of the tests that must pass; findings lie in a folder of their own."""
        found = sorted((self.folder / "tests").rglob("*.java"))
        return [source for source in found if not source.stem.endswith("DynaflowFailures")]


@functools.cache
def digest(binary):
    """What tells a binary and its agent from others."""
    found = hashlib.sha256(binary.read_bytes())
    agent = binary.with_name("libdynaflow_agent.so")
    found.update(agent.read_bytes() if agent.is_file() else b"")
    return found.hexdigest()


def once(binary, subject, target, seed, home, options, keep):
    """Grows a class's tests with one `--keep`, or takes those that were grown so before: benchmarks share them."""
    folder = lib.OUT / "grown" / target.rsplit(".", 1)[1] / keep
    made = {"binary": digest(binary), "subject": subject.name, "target": target, "seed tests": seed, "jdk": str(home)}
    made |= {"budget": options.budget, "seed": options.seed, "jobs": options.jobs, "keep": keep, "criteria": options.criteria}
    note = folder / "made.json"
    if note.is_file():
        known = json.loads(note.read_text())
        if known["made"] == made:
            return Grown(folder, known["status"], known["seconds"])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    criteria = ["--criteria", options.criteria] if options.criteria else []
    done = grow(binary, subject, target, seed, home, folder, options, ["--keep", keep, *criteria])
    note.write_text(json.dumps({"made": made, "status": done.status, "seconds": done.wall}, indent=1) + "\n")
    return Grown(folder, done.status, done.wall)


def test_classes(sources):
    """The generated classes that must pass: all but those that hold findings."""
    names = []
    for source in sources:
        package = re.search(r"^package ([\w.]+);", source.read_text(), re.MULTILINE)
        names.append(f"{package[1]}.{source.stem}" if package else source.stem)
    return [name for name in names if not name.endswith("DynaflowFailures")]


def compile_tests(sources, subject, home, classes, lints=("-nowarn",)):
    """Compiles the generated sources, with nothing but JUnit and the user's class path: whether they compile, and what javac reports."""
    classes.mkdir(parents=True, exist_ok=True)
    path = f"{subject.class_path()}:{frameworks(subject)}:{junit4()}"
    command = [home / "bin" / "javac", *lints, "-g", "-cp", path, "-d", classes, *sources]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr


def size(sources):
    """Tests, and lines that somebody who reviews them reads."""
    lines = [line.strip() for source in sources for line in source.read_text().splitlines()]
    read = [line for line in lines if line and not line.startswith(("import ", "package ", "//"))]
    return sum(line == "@Test" or line.startswith("@Test(") for line in lines), len(read)


def statements(lines):
    """The statements of these lines of a method, each on one line: what ends with none of `;`, `{` and `}` goes on."""
    found, is_open = [], False
    for line in (line.strip() for line in lines):
        if is_open:
            found[-1] += ("" if line.startswith(".") or found[-1].endswith("(") else " ") + line
        else:
            found.append(line)
        is_open = bool(line) and not line.endswith((";", "{", "}")) and not line.startswith(("//", "@"))
    return found


def add_options(parser, budget="30s"):
    """The options that benchmarks of grown tests share."""
    parser.add_argument("--budget", default=budget, help=f"the search's time for each class, or a number of executions (default {budget})")
    parser.add_argument("--seed", default="0", help="seed of the search (default 0)")
    parser.add_argument("--criteria", help="what tests are written for (default: the augmenter's)")
    parser.add_argument("--jobs", help="worker JVMs, and threads of PIT (default: the augmenter's)")
    parser.add_argument("--java-home", help="the JDK (default: the oldest from 17 on)")
    parser.add_argument("--binary", type=pathlib.Path, help="the dynaflow to measure (default: this commit's, built for release)")


def binary_of(options):
    """The `dynaflow` to measure."""
    return options.binary.resolve() if options.binary else lib.release_binary()


def jdk_of(options):
    """Name and folder of the JDK."""
    return lib.jdks([options.java_home] if options.java_home else [])[0]


def chosen(options, *tables):
    """The rows of tables of scripts/ that are asked for by the class in their second column, or all."""
    rows = [row for table in tables for row in lib.rows(table)]
    names = {name for row in rows for name in (row[1], row[1].rsplit(".", 1)[1])}
    unknown = [name for name in options.classes if name not in names]
    if unknown:
        lib.fail(f"no class {', '.join(unknown)} in {' or '.join(f'scripts/{table}' for table in tables)}")
    return [row for row in rows if not options.classes or {row[1], row[1].rsplit(".", 1)[1]} & set(options.classes)]


def chosen_or_named(options):
    """The rows of augment-classes.tsv; where classes are named, those of them that are in one of both tables."""
    return chosen(options, "augment-classes.tsv", *(["oracle-classes.tsv"] if options.classes else []))


def report_troubles(troubles):
    """Prints what went wrong, as pairs of class and line; the exit status."""
    status = 0
    for target, line in troubles:
        print(f"\nTROUBLE {target}: {line}")
        status = 1
    return status

"""Tests that `dynaflow augment` wrote from the tests of a library: how they are made, and compiled with plain JUnit.

Knows nothing of what is measured about them. Invariant: generated sources see JUnit and the user's class path, nothing else.
"""

import re
import subprocess

import lib


def junit4():
    """JUnit 4 and what it needs."""
    return f"{lib.jar('junit-4.13.2')}:{lib.jar('hamcrest-core-1.3')}"


def frameworks(subject):
    """What a subject's tests are compiled and run with: JUnit 5 for Commons CLI, JUnit 4 for the others."""
    console = str(lib.jar("junit-platform-console-standalone-1.11.4"))
    return console if subject.name == "cli" else junit4()


def grow(binary, subject, target, seed, home, folder, options, more=()):
    """Runs the augmenter, with more options; its cost. `options` are the seed, the budget and the workers of the search."""
    command = [binary, "augment", "--class-path", subject.library]
    command += ["--test-class-path", f"{subject.test_class_path()}:{frameworks(subject)}:{junit4()}"]
    command += ["--target", target, "--seed-tests", seed, "--junit", "4", "--java-home", home]
    command += ["--budget", options.budget, "--seed", options.seed]
    command += ["--out", folder / "tests", "--json", folder / "pairs.json", "--stats", folder / "stats.csv"]
    command += ["--jobs", options.jobs] if options.jobs else []
    command += more
    return lib.measured(command, folder, folder / "augment.log")


def test_classes(sources):
    """The generated classes that must pass: all but those that hold findings."""
    names = []
    for source in sources:
        package = re.search(r"^package ([\w.]+);", source.read_text(), re.MULTILINE)
        names.append(f"{package[1]}.{source.stem}" if package else source.stem)
    return [name for name in names if not name.endswith("DynaflowFailures")]


def compile_tests(sources, subject, home, classes):
    """Compiles the generated sources, with nothing but JUnit and the user's class path."""
    classes.mkdir(parents=True, exist_ok=True)
    path = f"{subject.class_path()}:{frameworks(subject)}:{junit4()}"
    command = [home / "bin" / "javac", "-nowarn", "-g", "-cp", path, "-d", classes, *sources]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr

"""Plain runs of test classes, without an agent: by JUnit's console launcher with verdicts, or in shuffled order in a JVM unlike others.

Knows class paths and test classes, not who wrote these. Invariant: each run has a JVM of its own; a run without a report has no verdicts.
"""

import functools
import pathlib
import re
import shutil
import subprocess

import grown
import lib

HERE = pathlib.Path(__file__).resolve().parent
# What JVMs differ in, and what the tests of one must not depend on: each run takes the next of each list. Their lengths have no common
# divisor where that matters, so that what belongs together in one run does not in the next round.
ZONES = ("UTC", "Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu", "Pacific/Marquesas", "Europe/Berlin", "Africa/Monrovia")
LOCALES = (("en", "US"), ("tr", "TR"), ("de", "DE"), ("ar", "EG"), ("hi", "IN"), ("ja", "JP"), ("fr", "CA"), ("th", "TH"), ("", ""))
# How identity hash codes are made: at random, from addresses, all alike, in sequence, addresses, a generator for each thread.
HASHES = (5, 0, 2, 3, 1, 4)
PROCESSORS = (1, 2, 4, 16, 3)
COLLECTORS = ("Serial", "Parallel", "G1", "Z")


def unlike(number):
    """The options of the JVM of a run: time zone, locale, identity hash codes, processors, collector."""
    language, country = LOCALES[number % len(LOCALES)]
    return [
        f"-Duser.timezone={ZONES[number % len(ZONES)]}",
        f"-Duser.language={language}",
        f"-Duser.country={country}",
        "-XX:+UnlockExperimentalVMOptions",
        f"-XX:hashCode={HASHES[number % len(HASHES)]}",
        f"-XX:ActiveProcessorCount={PROCESSORS[number % len(PROCESSORS)]}",
        f"-XX:+Use{COLLECTORS[number % len(COLLECTORS)]}GC",
    ]


def class_path(subject, *first):
    """Folders that come first, the subject and JUnit."""
    return ":".join([*map(str, first), subject.class_path(), grown.frameworks(subject), grown.junit4()])


@functools.cache
def shuffler(home):
    """The folder with the compiled runner of shuffled tests."""
    folder = lib.OUT / "shuffler" / pathlib.Path(home).name
    folder.mkdir(parents=True, exist_ok=True)
    command = [home / "bin" / "javac", "-nowarn", "-cp", grown.junit4(), "-d", folder, HERE / "ShuffledRun.java"]
    subprocess.run(list(map(str, command)), check=True)
    return folder


def run_shuffled(names, number, subject, home, classes, folder, java_options=()):
    """One run in a fresh JVM, the order drawn from its number: (tests, failed, lines about failures)."""
    command = [home / "bin" / "java", "-ea", *java_options, *subject.flags, "-cp", class_path(subject, classes, shuffler(home))]
    command += ["ShuffledRun", str(number), *names]
    log = folder / f"run-{number}.log"
    done = lib.measured(command, folder / "work", log)
    text = log.read_text(errors="replace")
    summary = re.search(r"^tests (\d+) failed (\d+)$", text, re.MULTILINE)
    if not summary:
        return 0, 1, [f"run {number} broke with status {done.status}; see {log}"]
    return int(summary[1]), int(summary[2]), re.findall(r"^failed .*$", text, re.MULTILINE)


def run_classes(names, subject, home, first, folder, limit):
    """One run of test classes with JUnit's launcher, folders first on the class path: its cost, and its verdicts; none when it broke."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    console = lib.jar("junit-platform-console-standalone-1.11.4")
    command = [home / "bin" / "java", "-XX:TieredStopAtLevel=1", *subject.flags, "-jar", console, "execute", "--disable-banner", "--details=none"]
    command += ["--class-path", class_path(subject, *first), "--reports-dir", folder / "reports"]
    command += [f"--select-class={name}" for name in names]
    done = lib.measured(command, folder / "work", folder / "log.txt", limit)
    return done, lib.verdicts(folder / "reports") if done.status in (0, 1) else lib.NO_VERDICTS

"""What the benchmarks share: the subjects, the JDKs, measured runs of suites, the verdicts of their tests, the machine.

Knows nothing of what is compared. Python's standard library alone. Invariant: a run is measured with all its descendants, and
a suite's verdicts are those of its report, never of its exit status.
"""

import collections
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
OUT = ROOT / "out" / "bench"

# Ending in the ordinary way lets `measured` take its process along.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def fail(message):
    """Ends the program with a message."""
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: error: {message}")


def output_of(*command):
    """Standard output of a command that must succeed."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        fail(f"`{' '.join(map(str, command))}` ended with status {done.returncode}")
    return done.stdout.strip()


def rows(name):
    """The rows of a table of scripts/, as lists of columns."""
    lines = (SCRIPTS / name).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


@dataclasses.dataclass(frozen=True)
class Subject:
    """A library suite of scripts/subjects.tsv."""

    name: str
    library: pathlib.Path
    tests: pathlib.Path
    extra: tuple
    select: str
    leave_out: str
    flags: tuple
    include: str

    def class_path(self):
        """Tests, library and what the tests need."""
        return ":".join(map(str, (self.tests, self.library, *self.extra)))

    def test_class_path(self):
        """Tests and what they need, without the library."""
        return ":".join(map(str, (self.tests, *self.extra)))


def jar(name):
    """A fetched jar."""
    path = pathlib.Path(output_of(SCRIPTS / "fetch-jars", "--dir")) / f"{name}.jar"
    if not path.is_file():
        fail(f"{path.name} is not there; run scripts/fetch-jars")
    return path


def tests(name):
    """The tests of a subject: a fetched jar, or the folder of a suite that was compiled."""
    if name not in {row[0] for row in rows("suites.tsv")}:
        return jar(name)
    path = pathlib.Path(output_of(SCRIPTS / "fetch-suites", "--dir")) / name
    if not path.is_dir():
        fail(f"the suite {name} is not there; run scripts/fetch-suites")
    return path


def subjects(names=()):
    """The subjects of these names, or all."""
    found = {}
    for name, library, suite, extra, select, leave_out, flags, include in rows("subjects.tsv"):
        if names and name not in names:
            continue
        extras = tuple(jar(part) for part in extra.split(":") if part != "-")
        options = () if flags == "-" else tuple(flags.split())
        left = "" if leave_out == "-" else leave_out
        found[name] = Subject(name, jar(library), tests(suite), extras, select, left, options, include)
    unknown = [name for name in names if name not in found]
    if unknown:
        fail(f"no subject {', '.join(unknown)} in scripts/subjects.tsv")
    return found


def jdks(homes=()):
    """Pairs of name (`JDK 17.0.9`) and folder: those given, or all from 17 on."""
    homes = [pathlib.Path(home) for home in homes or output_of(SCRIPTS / "find-jdks").splitlines()]
    if not homes:
        fail("no JDK from 17 on found; set DYNAFLOW_JAVA_HOMES (a list separated by colons)")
    found = []
    for home in homes:
        done = subprocess.run([home / "bin" / "javac", "-version"], capture_output=True, text=True, check=True)
        version = re.search(r"javac (\S+)", done.stdout + done.stderr)
        found.append((f"JDK {version[1] if version else home.name}", home))
    return found


def release_binary():
    """The `dynaflow` of the release build, brought up to date: a stale one would be measured under this commit's name."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    build = ["cargo", "build", "--quiet", "--locked", "--release", "-p", "dynaflow-augmenter", "-p", "dynaflow-agent"]
    subprocess.run(build, cwd=ROOT, check=True)
    return (target / "release" / "dynaflow").resolve()


@dataclasses.dataclass
class Measured:
    """A finished run: its exit status and what it cost, in seconds and, for the process itself, bytes of memory at its peak."""

    status: int
    wall: float
    cpu: float
    memory: int


def clean_environment():
    """This environment without what would add agents or options to a JVM."""
    left_out = ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS")
    return {key: value for key, value in os.environ.items() if key not in left_out}


class Peak(threading.Thread):
    """Watches how much memory a process ever had. The figure that comes with its exit status would be no less than ours."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.status = pathlib.Path(f"/proc/{pid}/status")
        self.bytes = 0
        self.over = threading.Event()

    def run(self):
        while not self.over.wait(0.02):
            try:
                found = re.search(r"^VmHWM:\s*(\d+) kB", self.status.read_text(), re.MULTILINE)
            except OSError:
                return
            if found:
                self.bytes = max(self.bytes, int(found[1]) * 1024)


def measured(command, folder, log, limit=3600):
    """Runs a command in a folder, its output in a file; user and system time count all processes it waited for.

    After `limit` seconds it is killed, as it is when this program ends before it: its status is then -9.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with open(log, "wb") as sink:
        began = time.monotonic()
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            env=clean_environment(),
        )
        timer = threading.Timer(limit, process.send_signal, [signal.SIGKILL])
        timer.start()
        peak = Peak(process.pid)
        peak.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            raise
        finally:
            timer.cancel()
            peak.over.set()
        wall = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    return Measured(process.returncode, wall, usage.ru_utime + usage.ru_stime, peak.bytes)


def suite_command(subject, home, reports, options=()):
    """The command that runs a subject's suite with JUnit's console launcher and writes XML reports."""
    command = [home / "bin" / "java", *options, *subject.flags]
    command += ["-jar", jar("junit-platform-console-standalone-1.11.4"), "execute", "--disable-banner"]
    command += ["--details=none", "--class-path", subject.class_path(), "--scan-class-path", subject.tests]
    command += ["--include-classname", f"^{subject.select}$", "--reports-dir", reports]
    if subject.leave_out:
        command += ["--exclude-classname", f"^{subject.leave_out}$"]
    return command


NO_VERDICTS = collections.Counter()


def verdicts(reports):
    """How often each (test, verdict) occurs in a folder of XML reports. A test is its unique id, without identity hashes."""
    found = collections.Counter()
    for report in sorted(pathlib.Path(reports).glob("TEST-*.xml")):
        for _, element in xml.etree.ElementTree.iterparse(report):
            if element.tag != "testcase":
                continue
            found[(test_id(element), verdict(element))] += 1
            element.clear()
    return found


def test_id(element):
    """The unique id the launcher writes into a test's output, else class and method."""
    for out in element.findall("system-out"):
        named = re.search(r"^unique-id: (.*)$", out.text or "", re.MULTILINE)
        if named:
            return re.sub(r"@[0-9a-f]{5,8}\b", "@", named[1])
    return f"{element.get('classname')}#{element.get('name')}"


def verdict(element):
    """`ok`, `skipped`, or what failed: `failure java.lang.AssertionError`."""
    for kind in ("failure", "error", "skipped"):
        child = element.find(kind)
        if child is not None:
            return "skipped" if kind == "skipped" else f"{kind} {child.get('type', '')}".strip()
    return "ok"


def counts(found):
    """Tests, failed, skipped."""
    total = sum(found.values())
    skipped = sum(n for (_, how), n in found.items() if how == "skipped")
    passed = sum(n for (_, how), n in found.items() if how == "ok")
    return total, total - skipped - passed, skipped


def kept(file, commit, options):
    """The result that this commit measured before with the same budget, where it is not to be measured again."""
    if options.again or not file.is_file():
        return None
    before = json.loads(file.read_text())
    return before["result"] if (before["commit"], before["budget"]) == (commit, options.budget) else None


def machine():
    """One line about when and on what this runs."""
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    memory = next((int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemTotal")), 0)
    today = datetime.date.today().isoformat()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return (
        f"{today}, commit {commit.stdout.strip() or '?'}, {os.cpu_count()} cores ({cpu}), "
        f"{memory / 2**20:.0f} GiB memory, {platform.system()} {platform.release()}"
    )


def table(head, body):
    """A Markdown table; the first column is text, the others numbers."""
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in body]
    return "\n".join(lines)


def share(part, whole):
    """A part of the whole, in per cent too."""
    return f"{part} ({100 * part / whole:.0f} %)" if whole else "-"

"""The protocol that scripts/runtool speaks, with a program in place of dynaflow: `python3 -m unittest discover -s scripts/bench`.

Knows the lines of the protocol and what a run of augment leaves. Invariant: no test starts a JVM or fetches anything; a program that
is to be ended is ended in some seconds, whatever it does.
"""

import importlib.machinery
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

sys.dont_write_bytecode = True

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "runtool"

# Stands for dynaflow: notes its arguments, and does what the class it is asked for is called.
FAKE = """#!{python}
import json, pathlib, signal, sys, time

options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
out, target = pathlib.Path(options["--out"]), options["--target"]
with open({notes!r}, "a") as notes:
    notes.write(json.dumps([sys.argv[1], options]) + "\\n")

def write(*_):
    for folder in ("p", "findings/p"):
        (out / folder).mkdir(parents=True)
        (out / folder / (target.split(".")[1] + "DynaflowTest.java")).write_text("package p;\\n")

def stop(*_):
    write()
    sys.exit(130)

print("READY to confuse")
if target == "p.Interface":
    sys.exit(0)
if target == "p.Broken":
    sys.exit(1)
if target == "p.Stubborn":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    time.sleep(60)
if target == "p.Slow":
    signal.signal(signal.SIGINT, stop)
    time.sleep(60)
write()
"""


def runtool():
    """The script as a module: it has no suffix."""
    loader = importlib.machinery.SourceFileLoader("runtool", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("runtool", loader))
    loader.exec_module(module)
    return module


def jar(path, *files):
    """A jar with these files, empty."""
    with zipfile.ZipFile(path, "w") as archive:
        for file in files:
            archive.writestr(file, "")
    return path


class Conversation(unittest.TestCase):
    """A working folder, a class folder, a jar with JUnit and Hamcrest, and a program in place of dynaflow."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.home, self.classes = self.folder / "home", self.folder / "classes"
        self.home.mkdir()
        self.classes.mkdir()
        self.junit = jar(self.folder / "junit.jar", "org/junit/Test.class", "org/hamcrest/Matcher.class")
        self.notes, self.fake = self.folder / "notes", self.folder / "dynaflow"
        self.fake.write_text(FAKE.format(python=sys.executable, notes=str(self.notes)))
        self.fake.chmod(0o755)

    def opening(self, count, *entries):
        """The lines before the first class."""
        entries = entries or (self.classes, self.junit)
        return ["BENCHMARK", self.folder, self.classes, len(entries), *entries, count]

    def talk(self, lines, *options):
        """Sends lines and ends the input: the exit status and what came on both streams."""
        command = [sys.executable, SCRIPT, "--binary", self.fake, "--home", self.home, *options]
        text = "".join(f"{line}\n" for line in lines)
        done = subprocess.run(list(map(str, command)), input=text, capture_output=True, text=True, timeout=50, check=False)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def written(self):
        """The files that were handed over."""
        folder = self.home / "temp" / "testcases"
        return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())

    def calls(self):
        """The commands and options of the runs."""
        return [json.loads(line) for line in self.notes.read_text().splitlines()]


class Answers(Conversation):
    """What is answered, and when."""

    def test_ready_comes_once_before_the_classes_and_once_for_each(self):
        status, answers, _ = self.talk([*self.opening(2), 30, "p.A", 30, "p.B"])
        self.assertEqual((status, answers), (0, ["READY"] * 3))
        self.assertEqual(self.written(), ["p/ADynaflowTest.java", "p/BDynaflowTest.java"])

    def test_each_ready_waits_for_its_class_and_its_tests_are_there_then(self):
        command = [sys.executable, str(SCRIPT), "--binary", str(self.fake), "--home", str(self.home)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, text=True, bufsize=1, **pipes) as tool:
            tool.stdin.write("".join(f"{line}\n" for line in self.opening(2)))
            self.assertEqual(tool.stdout.readline(), "READY\n")
            self.assertFalse(self.notes.exists())
            for count, name in enumerate(["p.A", "p.B"], 1):
                tool.stdin.write(f"30\n{name}\n")
                self.assertEqual(tool.stdout.readline(), "READY\n")
                self.assertEqual(len(self.written()), count)
            tool.stdin.close()
            self.assertEqual((tool.stdout.read(), tool.wait()), ("", 0))

    def test_a_budget_that_is_sent_once_holds_for_the_classes_after(self):
        status, answers, _ = self.talk([*self.opening(3), 30, "p.A", "p.B", 60, "p.C"])
        self.assertEqual((status, answers), (0, ["READY"] * 4))
        self.assertEqual([options["--budget"] for _, options in self.calls()], ["18000ms", "18000ms", "36000ms"])

    def test_no_classes_are_asked_for(self):
        self.assertEqual(self.talk(self.opening(0))[:2], (0, ["READY"]))

    def test_what_the_program_prints_goes_to_standard_error(self):
        _, answers, told = self.talk([*self.opening(1), 30, "p.A"])
        self.assertEqual(answers, ["READY"] * 2)
        self.assertIn("READY to confuse", told)

    def test_findings_are_left_out_and_kept_in_the_data(self):
        self.talk([*self.opening(1), 30, "p.A"])
        self.assertEqual(self.written(), ["p/ADynaflowTest.java"])
        self.assertTrue((self.home / "temp/data/p.A/tests/findings/p/ADynaflowTest.java").is_file())

    def test_a_class_without_tests_is_answered_and_named(self):
        status, answers, told = self.talk([*self.opening(2), 30, "p.Interface", 30, "p.Broken"])
        self.assertEqual((status, answers, self.written()), (0, ["READY"] * 3, []))
        self.assertRegex(told, r"p\.Interface: 0 files in [\d.]+ s; no tests \(exit status 0\)")
        self.assertRegex(told, r"p\.Broken: 0 files in [\d.]+ s; no tests \(exit status 1\)")

    def test_a_class_that_is_asked_for_twice_starts_from_nothing(self):
        self.assertEqual(self.talk([*self.opening(2), 30, "p.A", 30, "p.A"])[:2], (0, ["READY"] * 3))

    def test_the_program_gets_class_paths_criteria_and_the_jdk(self):
        self.talk([*self.opening(1), 30, "p.A$B"], "--java-home", "/jdk")
        [(command, options)] = self.calls()
        self.assertEqual(command, "augment")
        self.assertEqual(options["--class-path"], f"{self.classes}:{self.junit}")
        self.assertEqual(options["--test-class-path"], str(self.junit))
        self.assertEqual((options["--target"], options["--junit"], options["--java-home"]), ("p.A$B", "4", "/jdk"))
        self.assertEqual(options["--criteria"], "branch,line,weak-mutation")
        self.assertNotIn("--seed-tests", options)

    def test_an_entry_that_is_not_there_is_left_out(self):
        status, _, told = self.talk([*self.opening(1, self.folder / "gone.jar", self.junit), 30, "p.A"])
        self.assertEqual(status, 0)
        self.assertIn("gone.jar of the class path is not there", told)
        self.assertEqual(self.calls()[0][1]["--class-path"], f"{self.classes}:{self.junit}")


class Refused(Conversation):
    """Input against the protocol."""

    def refused(self, lines, why, answers=0):
        """That the program ends with exit code 2 and one line that says why, after so many answers."""
        status, told, errors = self.talk(lines)
        self.assertEqual((status, told), (2, ["READY"] * answers))
        self.assertEqual(errors.splitlines()[-1], f"runtool: error: {why}")

    def test_another_word_in_place_of_benchmark(self):
        self.refused(["HELLO"], "expected BENCHMARK, not `HELLO`")

    def test_no_input(self):
        self.refused([], "the input ended where BENCHMARK should be")

    def test_an_end_in_the_middle_of_the_class_path(self):
        self.refused(self.opening(1)[:5], "the input ended where entry 2 of 2 of the class path should be")

    def test_an_end_before_the_last_class(self):
        self.refused([*self.opening(2), 30, "p.A"], "the input ended where a time budget should be", answers=2)

    def test_an_end_between_budget_and_class(self):
        self.refused([*self.opening(1), 30], "the input ended where the name of a class should be", answers=1)

    def test_numbers_that_are_none(self):
        lines = self.opening(1)
        self.refused([*lines[:3], "two"], "the number of class path entries: `two` is no whole number from 0 on")
        self.refused([*lines[:-1], "-1"], "the number of classes: `-1` is no whole number from 0 on")
        self.refused([*lines, "1.5"], "a time budget: `1.5` is no whole number from 1 on", answers=1)
        self.refused([*lines, "0"], "a time budget: `0` is no whole number from 1 on", answers=1)

    def test_a_class_before_any_budget(self):
        self.refused([*self.opening(1), "p.A"], "a time budget: `p.A` is no whole number from 1 on", answers=1)

    def test_a_name_that_is_none(self):
        self.refused([*self.opening(1), 30, "../A"], "`../A` is no name of a class", answers=1)

    def test_a_class_folder_that_is_not_there(self):
        self.refused(["BENCHMARK", self.folder, self.folder / "no"], f"the folder of the classes: {self.folder / 'no'} is no folder")

    def test_a_program_that_is_not_there(self):
        self.fake.unlink()
        self.refused(self.opening(0), f"{self.fake} is no program")


class Ended(Conversation):
    """Programs that do not end by themselves."""

    def test_a_program_that_hangs_is_killed_before_twice_the_budget(self):
        began = time.monotonic()
        status, answers, told = self.talk([*self.opening(2), 1, "p.Stubborn", 30, "p.A"])
        self.assertEqual((status, answers), (0, ["READY"] * 3))
        self.assertRegex(told, r"p\.Stubborn: 0 files in (1\.[89]|2\.\d) s; no tests \(exit status -9\)")
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(self.written(), ["p/ADynaflowTest.java"])

    def test_what_is_written_after_sigint_is_handed_over_within_the_budget(self):
        _, answers, told = self.talk([*self.opening(1), 4, "p.Slow"])
        self.assertEqual((answers, self.written()), (["READY"] * 2, ["p/SlowDynaflowTest.java"]))
        self.assertRegex(told, r"p\.Slow: 1 files in (1\.[6-9]|[23]\.\d) s")

    def test_nothing_outlives_the_script(self):
        command = [sys.executable, str(SCRIPT), "--binary", str(self.fake), "--home", str(self.home)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        with subprocess.Popen(command, text=True, **pipes) as tool:
            tool.stdin.write("".join(f"{line}\n" for line in [*self.opening(1), 600, "p.Stubborn"]))
            tool.stdin.close()
            while "READY to confuse" not in (line := tool.stderr.readline()):
                self.assertTrue(line)
            [child] = pathlib.Path(f"/proc/{tool.pid}/task/{tool.pid}/children").read_text().split()
            tool.terminate()
            self.assertEqual(tool.wait(20), 143)
            self.assertRaises(ProcessLookupError, os.kill, int(child), 0)


class Parts(Conversation):
    """What is decided without a conversation."""

    def test_a_budget_is_split_so_that_searching_and_finishing_fit(self):
        plan = runtool().plan
        self.assertEqual(plan(120), (72, 90, 216))
        self.assertEqual(plan(20), (8, 13, 36))
        self.assertEqual(plan(10), (2.5, 4, 18))
        for budget in range(1, 601):
            search, interrupt, kill = plan(budget)
            self.assertTrue(0 < search < interrupt < budget < kill < 2 * budget, budget)

    def test_only_what_the_class_path_lacks_is_fetched(self):
        tool, asked = runtool(), []
        tool.fetched = lambda names: asked.append(names) or ["fetched"]
        old = jar(self.folder / "only-junit.jar", "org/junit/Test.class")
        self.assertEqual(tool.missing([self.classes, self.junit]), [])
        self.assertEqual(tool.missing([self.classes, old]), ["fetched"])
        self.assertEqual(tool.missing([self.classes]), ["fetched"])
        self.assertEqual(asked, [["hamcrest-core-1.3"], ["junit-4.12", "hamcrest-core-1.3"]])

    def test_what_is_to_be_fetched_is_in_the_lock_file(self):
        lines = (SCRIPT.parent / "jars.lock").read_text().splitlines()
        names = {"-".join(line.split()[0].split(":")[1:]) for line in lines if line and not line.startswith("#")}
        self.assertLessEqual(set(runtool().LIBRARIES.values()), names)

    def test_libraries_are_found_in_folders_too(self):
        (self.classes / "org/junit").mkdir(parents=True)
        (self.classes / "org/junit/Test.class").touch()
        tool = runtool()
        self.assertTrue(tool.has(self.classes, "org/junit/Test.class"))
        self.assertFalse(tool.has(self.fake, "org/junit/Test.class"))


if __name__ == "__main__":
    unittest.main()

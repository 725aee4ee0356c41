"""How `stable` and `faults` judge runs: `python3 -m unittest discover -s scripts/bench`.

Knows the results that the two scripts make. Invariant: no test starts a JVM.
"""

import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True


def script(name):
    """A script of this folder as a module: they have no suffix."""
    loader = importlib.machinery.SourceFileLoader(name, str(pathlib.Path(__file__).parent / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def failures(*runs):
    """Failures of one test in these runs."""
    return [{"run": run, "why": "expected 1", "options": ["-Duser.language=tr"]} for run in runs]


class Stable(unittest.TestCase):
    stable = script("stable")

    def result(self, **failed):
        return {"class": "p.A", "tests": 5, "runs": 4, "passed": 1, "warnings": [], "failed": failed, "troubles": []}

    def test_a_test_that_fails_in_some_runs_is_flaky_and_one_that_fails_in_all_is_not(self):
        result = self.result(sometimes=failures(2, 3), always=failures(1, 2, 3, 4))
        self.assertEqual(self.stable.row(result), ["A", 5, 0, "1 of 4", 1, 1])

    def test_a_failure_is_named_with_its_reason_and_its_jvm(self):
        [line] = self.stable.troubles(self.result(sometimes=failures(2, 3)))
        self.assertEqual(line, "sometimes fails in 2 of 4 runs, first in run 2 (-Duser.language=tr): expected 1")

    def test_nothing_is_reported_of_tests_that_pass(self):
        self.assertEqual(list(self.stable.troubles(self.result())), [])

    def test_warnings_of_javac_are_kept_and_its_summary_is_not(self):
        messages = "A.java:3: warning: [rawtypes] found raw type: List\n  List l;\n  ^\n1 warning\n"
        self.assertEqual(self.stable.reported(messages), ["A.java:3: warning: [rawtypes] found raw type: List"])


class Faults(unittest.TestCase):
    faults = script("faults")

    def fault(self, **noticed):
        return {"class": "p.A", "fault": "stale", "kind": "stale cache", "noticed": {"seed": [], "few": [], "all": [], **noticed}}

    def test_what_the_seed_misses_is_counted_apart(self):
        found = [self.fault(seed=["t"]), self.fault(few=["t"], all=["t"]), self.fault(all=["t"]), self.fault()]
        cells = self.faults.counted(found, ["few", "all"], {"few": (1, 8), "all": (3, 20)})
        self.assertEqual(cells, [4, 1, 2, "1 (33 %)", 1, 8, 3, "2 (67 %)", 3, 20])

    def test_a_fault_that_could_not_be_put_in_is_noticed_by_nobody(self):
        self.assertFalse(self.faults.by({**self.fault(), "noticed": None}, "seed", "few"))

    def test_faults_stand_in_the_table_with_who_notices_them(self):
        table = self.faults.each_fault([self.fault(seed=["t"])], ["few"])
        self.assertIn("| A: stale | stale cache | yes | - |", table)


if __name__ == "__main__":
    unittest.main()

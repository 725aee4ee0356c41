"""What `losses` counts, on small documents: `python3 -m unittest discover -s scripts/bench`.

Knows the columns of docs/pairs.md that are compared. Invariant: each document names only what its test is about.
"""

import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import losses  # noqa: E402

TEST_SETS = {"": 0, "a": 1, "ab": 2}


def document(**pairs):
    """A document of pairs: by id the tests that execute it, none for an objective."""
    exported = {
        "columns": {"pairs": ["id", "variable", "definition", "use", "status", "iteration", "tests"]},
        "tests": ["a", "b"],
        "test_sets": [[], [0], [0, 1]],
        "pairs": [[pair, 0, 0, 0, "covered" if tests else "objective", 0, TEST_SETS[tests]] for pair, tests in pairs.items()],
    }
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "pairs.json"
        path.write_text(json.dumps(exported))
        return losses.Document(path)


class Compared(unittest.TestCase):
    """Documents compared."""

    def test_equal_documents_miss_nothing(self):
        exact = document(p="ab", q="")
        self.assertEqual(losses.compare(exact, document(p="ab", q="")), losses.Losses(pairs=1, objectives=1, executions=2))

    def test_a_pair_that_is_gone_and_one_that_became_an_objective_are_missing(self):
        found = losses.compare(document(p="a", q="ab", r="a"), document(q="", r="a"))
        self.assertEqual((found.pairs, found.pairs_missing, found.objectives_executed), (3, 2, 1))
        self.assertEqual((found.executions, found.executions_missing), (4, 3))
        self.assertEqual(found.false(), 0)

    def test_a_test_that_is_gone_is_missing_where_its_pair_is_not(self):
        found = losses.compare(document(p="ab"), document(p="a"))
        self.assertEqual((found.pairs_missing, found.executions_missing), (0, 1))

    def test_what_no_exact_run_has_is_false(self):
        found = losses.compare(document(p="a", q=""), document(p="a", q="a", r="a", s=""))
        self.assertEqual((found.pairs_false, found.objectives_false, found.objectives_missing), (2, 1, 0))

    def test_what_exact_runs_disagree_about_is_set_aside(self):
        exact, again = document(p="a", q="", r="a"), document(p="a", q="a", s="a")
        found = losses.compare(exact, document(p="a", s="a", t="a"), again)
        self.assertEqual((found.set_aside, found.pairs, found.objectives), (3, 1, 0))
        self.assertEqual((found.pairs_missing, found.pairs_false), (0, 1))


if __name__ == "__main__":
    unittest.main()

"""What `diffs` applies and refuses: `python3 -m unittest discover -s scripts/bench`.

Knows the form of unified diffs, and where the seeded faults lie. Invariant: each test has a text and a diff of its own.
"""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
import diffs  # noqa: E402

TEXT = "one\ntwo\nthree\nfour\nfive\n"
HEAD = "--- a/p/A.java\n+++ b/p/A.java\n"
DIFF = HEAD + "@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n@@ -5 +5,2 @@\n five\n+six\n"


class Diffs(unittest.TestCase):
    def test_a_diff_changes_the_lines_it_names(self):
        self.assertEqual(diffs.apply(DIFF, TEXT), "one\nzwei\nthree\nfour\nfive\nsix\n")

    def test_line_endings_stay(self):
        self.assertEqual(diffs.apply(DIFF, TEXT.replace("\n", "\r\n")), "one\r\nzwei\r\nthree\r\nfour\r\nfive\r\nsix\r\n")

    def test_a_text_of_another_version_is_refused(self):
        with self.assertRaisesRegex(diffs.Mismatch, "line 5 of p/A.java"):
            diffs.apply(DIFF, "zero\n" + TEXT)

    def test_a_text_that_ends_too_early_is_refused(self):
        with self.assertRaises(diffs.Mismatch):
            diffs.apply(DIFF, "one\ntwo\nthree\n")

    def test_a_hunk_that_counts_wrongly_is_refused(self):
        with self.assertRaisesRegex(diffs.Mismatch, "quotes 1 lines and names 2"):
            diffs.apply(HEAD + "@@ -2,2 +2 @@\n-two\n+zwei\n", TEXT)

    def test_a_line_that_belongs_to_no_side_is_refused(self):
        with self.assertRaisesRegex(diffs.Mismatch, "begins with none of"):
            diffs.apply(HEAD + "@@ -2 +2 @@\n-two\n+zwei\nthree\n", TEXT)

    def test_a_text_without_hunks_is_no_diff(self):
        with self.assertRaisesRegex(diffs.Mismatch, "no hunk"):
            diffs.apply(HEAD, TEXT)


class SeededFaults(unittest.TestCase):
    """The thirty files of faults.d, without the sources they change."""

    def test_each_fault_has_a_kind_a_sentence_and_hunks_that_count_right(self):
        found = sorted((pathlib.Path(__file__).parent / "faults.d").glob("*/*.patch"))
        self.assertEqual(len(found), 30)
        for fault in found:
            with self.subTest(fault=f"{fault.parent.name}/{fault.name}"):
                text = fault.read_text()
                self.assertRegex(text, r"^[a-z ]+: [A-Z].*[.]\n--- a/")
                self.assertTrue(diffs.changed_file(text).endswith(f"/{fault.parent.name}.java"))
                self.assertTrue(any(old != new for _, old, new in diffs.hunks(text)))


if __name__ == "__main__":
    unittest.main()

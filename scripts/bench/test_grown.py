"""How grown tests are counted and how their runs differ: `python3 -m unittest discover -s scripts/bench`.

Knows the form of generated tests, not who writes them. Invariant: no test starts a JVM.
"""

import argparse
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import grown  # noqa: E402
import plain  # noqa: E402

SOURCE = """package p;

import org.junit.Test;

/** Tests of p.A. */
public class ADynaflowTest {
    // what flows
    @Test
    public void holds() {
        new A().call();
    }

    @Test(timeout = 10)
    public void ends() {
        new A().call();
    }
}
"""


def written(folder, **sources):
    """Sources in a folder, below `tests` as the augmenter writes them."""
    for name, text in sources.items():
        path = folder / "tests" / "p" / f"{name}.java"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return grown.Grown(folder, 0, 1.0)


class Sources(unittest.TestCase):
    def test_a_statement_of_several_lines_is_one(self):
        lines = ["    // a (b", "    A a =", "        new A(1);", "    assertThat(a.b())", "        .isEqualTo(", "            2);", "    a.c();"]
        found = ["// a (b", "A a = new A(1);", "assertThat(a.b()).isEqualTo(2);", "a.c();"]
        self.assertEqual(grown.statements(lines), found)

    def test_tests_and_the_lines_to_read_are_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            made = written(pathlib.Path(folder), ADynaflowTest=SOURCE)
            self.assertEqual(grown.size(made.sources()), (2, 11))

    def test_findings_are_no_tests_that_must_pass(self):
        with tempfile.TemporaryDirectory() as folder:
            made = written(pathlib.Path(folder), ADynaflowTest=SOURCE, ADynaflowFailures=SOURCE)
            self.assertEqual(grown.test_classes(made.sources()), ["p.ADynaflowTest"])

    def test_a_search_that_left_no_document_did_not_finish(self):
        with tempfile.TemporaryDirectory() as folder:
            made = written(pathlib.Path(folder), ADynaflowTest=SOURCE)
            self.assertFalse(made.finished())
            (made.folder / "pairs.json").write_text("{}")
            self.assertTrue(made.finished())

    def test_a_budget_is_a_time_or_a_number_of_executions(self):
        self.assertEqual(grown.amount("30s"), ["--budget", "30s"])
        self.assertEqual(grown.amount("3000"), ["--max-executions", "3000"])

    def test_classes_are_chosen_by_simple_or_full_name(self):
        options = argparse.Namespace(classes=["Options", "com.google.gson.stream.JsonWriter"])
        chosen = grown.chosen(options, "augment-classes.tsv", "oracle-classes.tsv")
        self.assertEqual([row[1].rsplit(".", 1)[1] for row in chosen], ["Options", "JsonWriter"])

    def test_a_class_in_no_table_is_an_error(self):
        with self.assertRaises(SystemExit):
            grown.chosen(argparse.Namespace(classes=["Options", "Nowhere"]), "augment-classes.tsv")


class Jvms(unittest.TestCase):
    def test_no_two_of_twenty_runs_have_the_same_jvm(self):
        self.assertEqual(len({tuple(plain.unlike(number)) for number in range(1, 21)}), 20)

    def test_twenty_runs_see_every_value_of_each_option(self):
        for values in zip(*(plain.unlike(number) for number in range(1, 21))):
            name = values[0].partition("=")[0]
            expected = {"-Duser.timezone": plain.ZONES, "-XX:hashCode": plain.HASHES, "-XX:ActiveProcessorCount": plain.PROCESSORS}
            if name in expected:
                self.assertEqual(len(set(values)), len(expected[name]))


if __name__ == "__main__":
    unittest.main()

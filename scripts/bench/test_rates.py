"""Tests of what rates reads off a log."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("rates", str(pathlib.Path(__file__).with_name("rates")))
rates = importlib.util.module_from_spec(importlib.util.spec_from_loader("rates", loader))
loader.exec_module(rates)

LOG = """DEBUG the search took 10.00 s with 2 workers
DEBUG workers that record: 4000 sequences, 40000 statements, 8.00 s until replies, 2.00 s for facts
DEBUG workers that measure: 9000 sequences, 90000 statements, 5.00 s until replies, 0.00 s for facts
"""


class Rates(unittest.TestCase):
    """Rates for each second of a worker, and shares of the time of all workers."""

    def test_a_log_gives_rates_and_shares(self):
        self.assertEqual(
            rates.cells(rates.read(LOG)), ["400", "4,000", "1,800", "18,000", "40", "10", "25", "25"]
        )

    def test_without_workers_that_measure_there_are_none(self):
        found = rates.read("".join(line + "\n" for line in LOG.splitlines()[:2]))
        self.assertEqual(rates.cells(found)[2:4], ["0", "0"])

    def test_a_run_that_did_not_search_gives_nothing(self):
        self.assertIsNone(rates.read("dynaflow: error: no class path\n"))


if __name__ == "__main__":
    unittest.main()

"""What a thinned recording misses of an exact one: pairs documents of the same suite compared, pair by pair.

Knows documents of version 2 (docs/pairs.md), not what thinned them nor who ran the suite. Invariant: pairs are the same when their ids
are, and a pair that two exact recordings disagree about is set aside, not counted for or against the thinned one.
"""

import dataclasses
import json

COVERED, OBJECTIVE = "covered", "objective"


class Document:
    """The pairs of a document: status and tests by id. Many pairs share a set of tests, which is kept once."""

    def __init__(self, path):
        exported = json.loads(path.read_text())
        where = {name: number for number, name in enumerate(exported["columns"]["pairs"])}
        names = exported["tests"]
        self.test_sets = [frozenset(names[test] for test in tests) for tests in exported["test_sets"]]
        self.pairs = {pair[where["id"]]: (pair[where["status"]], pair[where["tests"]]) for pair in exported["pairs"]}

    def status(self, pair):
        """`covered`, `objective`, or none when the document does not have it."""
        return self.pairs.get(pair, (None, None))[0]

    def tests(self, pair):
        """The tests that execute a pair."""
        return self.test_sets[self.pairs[pair][1]] if pair in self.pairs else frozenset()


@dataclasses.dataclass
class Losses:
    """What is compared: counts of pairs (covered), objectives and tests of pairs, without the pairs set aside."""

    # Pairs that one exact recording has and the other has not, or with another status.
    set_aside: int = 0
    pairs: int = 0
    pairs_missing: int = 0
    # Covered in the thinned recording and in no exact one: an invention.
    pairs_false: int = 0
    objectives: int = 0
    objectives_missing: int = 0
    # Objectives of the thinned recording that no exact one knows, neither as an objective nor as covered.
    objectives_false: int = 0
    # Objectives of the thinned recording that the suite does execute: pairs that it missed and takes for objectives.
    objectives_executed: int = 0
    # Pairs count once for each test that executes them.
    executions: int = 0
    executions_missing: int = 0

    def false(self):
        """How many pairs and objectives the thinned recording invented."""
        return self.pairs_false + self.objectives_false


def compare(exact, thinned, again=None):
    """The losses of a thinned document against an exact one; `again` is a second exact one of the same suite."""
    found = Losses()
    unsure = set()
    if again:
        both = exact.pairs.keys() | again.pairs.keys()
        unsure = {pair for pair in both if exact.status(pair) != again.status(pair)}
    found.set_aside = len(unsure)
    for pair in exact.pairs.keys() - unsure:
        count_missing(found, pair, exact, thinned, again)
    for pair in thinned.pairs.keys() - exact.pairs.keys() - unsure:
        if thinned.status(pair) == COVERED:
            found.pairs_false += 1
        else:
            found.objectives_false += 1
    return found


def count_missing(found, pair, exact, thinned, again):
    """Counts a pair of the exact document: what the thinned one has of it."""
    before, after = exact.status(pair), thinned.status(pair)
    if before == COVERED:
        # A test that only one exact run has is the suite's own doing.
        tests = exact.tests(pair) & again.tests(pair) if again else exact.tests(pair)
        found.pairs += 1
        found.pairs_missing += after != COVERED
        found.objectives_executed += after == OBJECTIVE
        found.executions += len(tests)
        found.executions_missing += len(tests - thinned.tests(pair))
    else:
        found.objectives += 1
        found.objectives_missing += after is None
        # An objective is what no test executes: covered is false here.
        found.pairs_false += after == COVERED

"""Small unified diffs, applied to the text they were made from.

Knows nothing of what they are for. Invariant: a diff applies at the lines it names and to the text it quotes, or not at all; line endings
stay those of the text.
"""

import re

HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


class Mismatch(Exception):
    """A diff that does not fit the text."""


def changed_file(diff):
    """The path that the diff changes, as its `+++` line names it."""
    found = re.search(r"^\+\+\+ b/(\S+)$", diff, re.MULTILINE)
    if not found:
        raise Mismatch("no line `+++ b/PATH`")
    return found[1]


def hunks(diff):
    """Each hunk: the first line it is about (from 0), the lines there, the lines in their place."""
    found, lines = [], diff.splitlines()
    starts = [at for at, line in enumerate(lines) if HUNK.match(line)]
    if not starts:
        raise Mismatch("no hunk")
    for start, end in zip(starts, [*starts[1:], len(lines)]):
        first, count = HUNK.match(lines[start]).groups()
        body = lines[start + 1 : end]
        bad = [line for line in body if line[:1] not in ("+", "-", " ")]
        if bad:
            raise Mismatch(f"a line of a hunk begins with none of `+`, `-` and a space: {bad[0]!r}")
        old = [line[1:] for line in body if line[0] in "- "]
        if len(old) != int(count or 1):
            raise Mismatch(f"the hunk at line {first} quotes {len(old)} lines and names {count or 1}")
        found.append((int(first) - 1, old, [line[1:] for line in body if line[0] in "+ "]))
    return found


def apply(diff, text):
    """The text with the diff's changes."""
    ending = "\r\n" if "\r\n" in text else "\n"
    lines = text.split(ending)
    for first, old, new in reversed(hunks(diff)):
        there = lines[first : first + len(old)]
        if there != old:
            raise Mismatch(f"line {first + 1} of {changed_file(diff)} reads {there[:1]}, the diff quotes {old[:1]}")
        lines[first : first + len(old)] = new
    return ending.join(lines)

"""What JaCoCo counts of a class: lines and branches.

Knows JaCoCo's agent and its table, not who runs the tests. Invariant: a class that is not in the table has no lines and no branches.
"""

import csv
import subprocess

import lib

NOTHING = {"lines": (0, 0), "branches": (0, 0)}


def agent(execution, package):
    """The JVM option that records the classes of a package into a file."""
    return f"-javaagent:{lib.jar('org.jacoco.agent-0.8.14-runtime')}=destfile={execution},includes={package}.*"


def coverage(target, library, home, execution, folder):
    """Of a class of a library: lines and branches executed, and all, as pairs."""
    table = folder / "jacoco.csv"
    command = [home / "bin" / "java", "-jar", lib.jar("org.jacoco.cli-0.8.14-nodeps"), "report", execution]
    command += ["--classfiles", library, "--csv", table]
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    package, name = target.rsplit(".", 1)
    with open(table, newline="") as file:
        for row in csv.DictReader(file):
            if row["PACKAGE"] == package and row["CLASS"] == name:
                return {"lines": of(row, "LINE"), "branches": of(row, "BRANCH")}
    return NOTHING


def of(row, what):
    """What a row counts as executed, and all."""
    covered = int(row[f"{what}_COVERED"])
    return covered, covered + int(row[f"{what}_MISSED"])

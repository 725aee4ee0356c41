"""Runs of a subject's suite and what two of them have in common: verdicts that differ, what the agent recorded.

Knows the console launcher's runs and the exported pairs, not what is made of them. Invariant: a verdict counts as different only when
no run without the agent gave it.
"""

import json
import shutil
import subprocess
import sys

import lib


def fetched(names=()):
    """The subjects of these names, or all, once what they need is in the cache."""
    subprocess.run([lib.SCRIPTS / "fetch-jars", "--quiet"], check=True)
    if subprocess.run([lib.SCRIPTS / "fetch-suites", "--quiet", *names], check=False).returncode != 0:
        lib.fail("scripts/fetch-suites failed (see above); name the suites to run that do not need it")
    return lib.subjects(names)


def run_suite(subject, home, folder, limit, *options):
    """One run with further JVM options; its figures and verdicts. No verdicts when it broke: the launcher writes them at the end."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    reports = folder / "reports"
    if subject.tests.is_dir():
        # Tests look for their resources in the source tree they were written in.
        (folder / "work" / "src" / "test").mkdir(parents=True)
        (folder / "work" / "src" / "test" / "resources").symlink_to(subject.tests)
    done = lib.measured(lib.suite_command(subject, home, reports, options), folder / "work", folder / "log.txt", limit)
    return done, lib.verdicts(reports) if done.status in (0, 1) else lib.NO_VERDICTS


def differences(with_agent, plain_runs):
    """Tests that ended with the agent as in no run without it, and tests that are missing."""
    known, lines = set(), []
    for found in plain_runs:
        known.update(found)
    for key in sorted(set(with_agent) - known):
        lines.append(f"{key[0]}: {key[1]} with the agent only")
    seen = {test for test, _ in with_agent}
    always = set.intersection(*({test for test, _ in found} for found in plain_runs))
    lines += [f"{test}: did not run with the agent" for test in sorted(always - seen)]
    totals = {sum(found.values()) for found in plain_runs}
    if not lines and sum(with_agent.values()) not in totals:
        lines.append(f"{sum(with_agent.values())} tests with the agent, without {sorted(totals)}")
    return lines


def was_cut_off(done, limit):
    """Whether a run was killed for taking longer than the limit, and not by something else before."""
    return done.status == -9 and done.wall >= limit


def broken(done, limit, folder):
    """Why a run has no verdicts, in words."""
    why = f"killed after {limit} s" if was_cut_off(done, limit) else f"status {done.status}"
    return f"broke ({why}); see {folder}"


def coverage(binary, subject, traces):
    """What the agent recorded with mode=dua of the library's classes: associations, how many of them are covered, bytes of trace."""
    command = [binary, "dua", "--class-path", subject.library, "--target", subject.include, "--no-inter", traces]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if not done.stdout:
        lib.fail(f"`{' '.join(map(str, command))}` ended with status {done.returncode}: {done.stderr}")
    totals = json.loads(done.stdout)["totals"]
    return {
        "duas": totals["duas"],
        "known": totals["known"],
        "covered": totals["covered"],
        "trace_bytes": sum(file.stat().st_size for file in traces.rglob("*") if file.is_file()),
        "notes": done.stderr.splitlines(),
    }


def facts(binary, traces, folder):
    """What the agent recorded: pairs, objectives, bytes of trace, classes left as they were."""
    document = folder / "pairs.json"
    if subprocess.run([binary, "export", traces, "-o", document], check=False).returncode != 0:
        nothing = {"words": 0, "waits": 0, "waited_ms": 0, "settled_ms": 0}
        return {"pairs": 0, "objectives": 0, "trace_bytes": 0, "declined_classes": [], "bounds_hit": {}, "notes": [], "effort": nothing}
    validator = ["cargo", "run", "--quiet", "--release", "--locked", "-p", "dynaflow-tests", "--example", "validate_pairs", "--", document]
    if subprocess.run(validator, cwd=lib.ROOT, stdout=sys.stderr, check=False).returncode != 0:
        lib.fail(f"{document} does not agree with docs/pairs.v2.schema.json")
    exported = json.loads(document.read_text())
    status = exported["columns"]["pairs"].index("status")
    statuses = [pair[status] for pair in exported["pairs"]]
    return {
        "pairs": statuses.count("covered"),
        "objectives": statuses.count("objective"),
        "trace_bytes": sum(file.stat().st_size for file in traces.rglob("*") if file.is_file()),
        "declined_classes": exported["declined_classes"],
        "bounds_hit": exported["bounds_hit"],
        "notes": exported.get("notes", []),
        "effort": json.loads(lib.output_of(binary, "export", traces, "--format", "effort")),
    }

"""The tables of scripts/bench/recording: what recording costs, what was recorded, what thinning missed.

Knows the results of `recording`, not how they were measured. Invariant: a figure of a run that was cut off is marked as a lower bound,
and so is a mean over it.
"""

import math
import statistics

import lib
import losses

# Name and rounds: about a second without an agent.
LOOPS = {"loop:fields": 400_000_000, "loop:arrays": 400_000_000, "loop:containers": 40_000_000}
PLAIN, EXACT, AUTO = "none", "exact", "auto"
# The agent's further options on each side that is ours. `dynaflow` has the options of who names none.
OURS = {EXACT: "thin=off", AUTO: "thin=auto", "dynaflow": ""}
BESIDE = {"jacoco": "JaCoCo 0.8.14", "badua": "BA-DUA 0.6.0"}
FIGURES = ("wall", "cpu", "memory")


def median(result, side, what):
    """The median of a figure over the rounds of a side."""
    return statistics.median(run[what] for run in result["runs"][side])


def ratio(result, side, what):
    """A figure with a tool over that without, the median over the rounds; none when the tool broke the run."""
    ours, plain = result["runs"][side], result["runs"][PLAIN]
    return statistics.median(a[what] / p[what] for a, p in zip(ours, plain)) if ours else None


def bounded(value, is_bound):
    """A ratio as text; a lower bound is marked."""
    return "" if value is None else f"{'≥ ' if is_bound else ''}{value:.2f}"


def cost_table(results, sides):
    """Cost of each tool by suite and JDK, the geometric means and the largest."""
    head = ["subject", "JDK", "s wall / CPU / MB without"]
    for side in sides:
        head += [f"{BESIDE.get(side, side)}: wall", "CPU", "peak memory", "different"]
    body = [cost_row(result, sides) for result in results]
    for kind, chosen in groups(results).items():
        for name, of in (("geometric mean", geometric), ("largest", max)):
            body.append([f"{name}, {kind}", "", "", *overall(chosen, sides, of)])
    return lib.table(head, body)


def cost_row(result, sides):
    """A suite's row of the costs."""
    row = [result["subject"], result["jdk"]]
    row.append(f"{median(result, PLAIN, 'wall'):.1f} / {median(result, PLAIN, 'cpu'):.1f} / {median(result, PLAIN, 'memory') / 1e6:.0f}")
    for side in sides:
        if side in result["broke"]:
            row += ["breaks", "", "", ""]
        else:
            row += [bounded(ratio(result, side, what), side in result["cut_off"]) for what in FIGURES]
            row.append("" if side in result["cut_off"] else len(result["differences"][side]))
    return row


def overall(results, sides, of):
    """One figure over several suites for each side and kind of cost."""
    row = []
    for side in sides:
        whole = [result for result in results if side not in result["broke"]]
        is_bound = any(side in result["cut_off"] for result in whole)
        row += [bounded(of([ratio(result, side, what) for result in whole]), is_bound) if whole else "" for what in FIGURES] + [""]
    return row


def groups(results):
    """Suites and loops apart: a mean over both would mix two kinds of work."""
    found = {"suites": [], "loops": []}
    for result in results:
        found["loops" if result["subject"] in LOOPS else "suites"].append(result)
    return {kind: chosen for kind, chosen in found.items() if chosen}


def geometric(values):
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def trace_table(results):
    """What dynaflow recorded, on each of its sides."""
    head = ["subject", "JDK", "side", "tests", "pairs", "objectives", "trace MB", "bytes of trace per test", "MB from the program", "% kept"]
    head += ["s waited (times)", "events left out"]
    body = []
    for result in results:
        for side, r in result["recorded"].items():
            raw = 8 * r["effort"]["words"]
            kept = f"{100 * r['trace_bytes'] / raw:.3f}" if raw else ""
            waited = f"{r['effort']['waited_ms'] / 1000:.1f} ({r['effort']['waits']})"
            row = [result["subject"], result["jdk"], side, result["tests"], r["pairs"], r["objectives"], f"{r['trace_bytes'] / 1e6:.2f}"]
            row += [r["trace_bytes"] // max(1, result["tests"]), f"{raw / 1e6:.1f}", kept, waited]
            body.append([*row, left_out(r)])
    return lib.table(head, body)


def left_out(recorded):
    """How many reads and ends of invocations thinning left out."""
    return recorded["bounds_hit"].get("thinned", 0)


def share(part, whole):
    """A count and what part of the whole it is, in percent."""
    return f"{part} ({100 * part / whole:.2f} %)" if whole else f"{part}"


def loss_table(results):
    """What the thinned recording misses of the exact one, for each suite that has both."""
    head = ["subject", "JDK", "pairs exact", "missing", "objectives exact", "missing", "taken for objectives", "false", "pairs × tests missing"]
    head += ["set aside", "events left out"]
    body, total = [], losses.Losses()
    for result in results:
        found = result["losses"]
        if found is None:
            continue
        for field, value in vars(found).items():
            setattr(total, field, getattr(total, field) + value)
        thinned = left_out(result["recorded"][AUTO])
        body.append([result["subject"], result["jdk"], *loss_columns(found), thinned])
    return lib.table(head, [*body, ["all", "", *loss_columns(total), ""]]) if body else ""


def loss_columns(found):
    """The figures of one comparison."""
    return [
        found.pairs,
        share(found.pairs_missing, found.pairs),
        found.objectives,
        share(found.objectives_missing, found.objectives),
        found.objectives_executed,
        found.false(),
        share(found.executions_missing, found.executions),
        found.set_aside,
    ]


def coverage_table(results):
    """What dynaflow recorded with mode=dua."""
    head = ["subject", "JDK", "side", "tests", "associations", "known", "covered", "%", "trace MB"]
    body = []
    for result in results:
        for side, r in result["recorded"].items():
            if r["duas"] is not None:
                part = f"{100 * r['covered'] / max(1, r['known']):.1f}"
                row = [result["subject"], result["jdk"], side, result["tests"], r["duas"], r["known"], r["covered"], part]
                body.append([*row, f"{r['trace_bytes'] / 1e6:.2f}"])
    return lib.table(head, body)

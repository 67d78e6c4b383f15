# SPDX-License-Identifier: MIT
"""The sentences that `lanes report` prints around the figures: where the records are from, which part repeats, what is
not recorded, how repeated runs spread, the commands to try, and what is wrong with the recording."""

import re

import intervals
import shown
from sentences import TIME

OF_TEXT = ("source", "steady", "repeat", "caveat", "report.try", "report.try_bound", "report.try_on_top")
UNIT = {"ns": 1, "µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000}


def _printed(scope, finding):
    """The options of a finding's command: those of the part that repeats give it as a range."""
    options = finding["what_if"]
    return re.sub(r" '?at>=\d+ns at<\d+ns'?", "", options) + " --range steady" if scope.is_of_part(finding) else options


def check(scope, text, found):
    """Holds the lines of the text against the report in JSON and the recording."""
    lines = [line.strip() for line in text.splitlines()]
    tops = {name.split(".")[0] for name in scope.matcher.sentences}
    for line in lines:
        if line.split(".")[0] in tops and re.match(r"[a-z_]+(\.[a-z_-]+)+( |$)", line):
            found.add("underivable", f"no sentence of the texts: {line!r}")
        if re.search(r"\{[a-z_]+(\|[^{}]*)?\}", line):
            found.add("underivable", f"a place of a sentence is not filled: {line!r}")
    for said in (scope.verdict, *scope.report["verdict"].get("more", [])):
        if said not in lines:
            found.add("text", f"the JSON says {said!r}, and the text does not")
    for finding in scope.findings:
        if not any(line.endswith(finding["title"]) for line in lines):
            found.add("text", f"the JSON has the finding {finding['title']!r}, and the text does not")
        elif finding["what_if"] and not any(line.endswith(_printed(scope, finding)) for line in lines):
            found.add("text", f"the text does not print {_printed(scope, finding)!r}")
    for line in lines:
        for name, said in scope.matcher.match(line, OF_TEXT)[:1]:
            for key, should in _should(scope, name, said).items():
                value = said.get(key)
                if value is not None and value != should and not (isinstance(should, list) and value in should):
                    found.add("text", f"{line!r}: {{{key}}} should be {should!r}")
    _table(scope, lines, found)


def _should(scope, name, said):
    """{argument: what it should be}; arguments that it lacks are not looked at here."""
    if name.startswith("source."):
        names = {scope.recording.gpu_names.get(o.gpu) for o in scope.recording.operations} - {None}
        known = {value for value in scope.recording.gpu_names.values() if value}
        return {"device": sorted(names | known)} if len(names | known) == 1 and said.get("device") in known else {}
    if name == "steady.length_step":
        return _length_step(scope, said)
    if name.startswith("steady.") and not name.startswith("steady.unrecorded") and scope.steady is not None:
        start, end = scope.steady["range_ns"]
        return {"count": str(scope.steady["count"]), "name": scope.steady["name"], "length": shown.time(end - start),
                **_moments(said, {"start": start, "end": end})}
    if name.startswith("steady.unrecorded"):
        return _unrecorded(scope, said)
    if name.startswith("repeat."):
        return _repeat(scope)
    if name.startswith("caveat."):
        return _caveat(scope, name)
    return {}


def _moments(said, times):
    """Moments are written with as many digits as the list needs: each must round to what is said."""
    found = {}
    for key, time in times.items():
        parts = re.fullmatch(r"(-?\d+)(?:\.(\d+))? (ns|µs|ms|s)", said.get(key) or "")
        if parts:
            step = UNIT[parts[3]] / 10 ** len(parts[2] or "")
            value = float(parts[1] + "." + (parts[2] or "0")) * UNIT[parts[3]]
            if abs(value - time) > step / 2 + 1:
                found[key] = shown.time(time)
    return found


def _unrecorded(scope, said):
    """The longest stretch of the wall time without a call, an operation, host work or a shorter named range; and the
    names of longer ranges that have half of it or more."""
    recording, figures = scope.recording, scope.figures
    pieces = [(c.start, c.end) for c in recording.calls] + [(o.start, o.end) for o in recording.operations]
    pieces += [(a, b) for a, b, *_ in recording.spans]
    empty = intervals.without([(figures.start, figures.end)], intervals.union(pieces))
    empty = [(a, b) for a, b in empty if 3 * (b - a) > figures.wall]  # it is said of more than half
    operators = {(a, b) for a, b, *_ in recording.operators}
    ranges = [(a, b) for a, b, *_ in recording.ranges
              if b is not None and (2 * (b - a) <= figures.wall or (a, b) in operators)]
    candidates = [left for a, b in empty for left in intervals.without(
        [(a, b)], intervals.union([r for r in ranges if r[1] > a and r[0] < b]))]
    if not candidates:
        return {"share": "no part of the time"}
    start, end = max(candidates, key=lambda piece: piece[1] - piece[0])
    around = [name for a, b, _, name in recording.ranges if b is not None and 2 * (b - a) > figures.wall
              and 2 * (min(b, end) - max(a, start)) >= end - start]
    if around and not said.get("name"):
        return {"share": f"only in the range {around[0]}"}
    return {"share": shown.share(end - start, figures.wall), "name": around,
            **_moments(said, {"start": start, "end": end})}


def _length_step(scope, said):
    """The medians of the iterations before that number and from it on, after the warm-up and before the last one. Nine
    of ten of each part are nearer to their own median than to the other."""
    iterations = scope.lanes.json("report", scope.file, "--iterations")["iterations"]
    if iterations["count"] > len(iterations["all"]):
        return {}
    every = iterations["all"][:-1]
    walls = [(number, each["end_ns"] - each["start_ns"]) for number, each in enumerate(every, 1)
             if each["outlier"] != "warm_up"]
    first = int(said["number"])
    before = sorted(w for n, w in walls if n < first)
    after = sorted(w for n, w in walls if n >= first)
    if min(len(before), len(after)) < 5:
        return {"number": "none: a part has less than five"}
    low, high = (part[(len(part) - 1) // 2] for part in (before, after))
    mixed = [sum(abs(w - own) >= abs(w - other) for w in part) > len(part) // 10
             for part, own, other in ((before, low, high), (after, high, low))]
    if any(mixed) or 10 * abs(high - low) < min(low, high):
        return {"number": "none: the parts do not differ clearly"}
    return {"before": shown.time(low), "after": shown.time(high)}


def _repeat(scope):
    meta = scope.recording.meta
    walls = sorted(int(each) for each in meta.get("repeat_totals_ns", "").split())
    alone = sorted(int(each) for each in meta.get("unrecorded_totals_ns", "").split())
    found = {}
    if walls:
        found.update({"count": str(len(walls)), "least": shown.time(walls[0]), "most": shown.time(walls[-1])})
    if alone and walls:
        middle, own = alone[(len(alone) - 1) // 2], walls[(len(walls) - 1) // 2]
        found.update({"time": shown.time(middle), "share": shown.share(own - middle, middle)})
    return found


def _caveat(scope, name):
    recording, meta = scope.recording, scope.recording.meta
    calls = max((c.end for c in recording.calls), default=0)
    gpu = max((o.end for o in recording.operations), default=0)
    if name == "caveat.error":
        return {"text": meta.get("error")}
    if name == "caveat.dropped":
        return {"count": meta.get("dropped")}
    if name.startswith("caveat.cut_short"):
        return {"calls": shown.time(calls), "gpu": shown.time(gpu)}
    if name == "caveat.gpu_clock_late":
        return {"time": shown.time(scope.blocking.late)}
    if name == "caveat.clock_violations":
        return {"count": meta.get("clock_violations")}
    if name == "caveat.context_failed":
        failed = [c for c in recording.calls if c.result not in (0, None, 600)]
        return {"call": [c.name for c in failed], "code": [str(c.result) for c in failed],
                "time": [shown.time(c.end) for c in failed]}
    return {}


def _table(scope, lines, found):
    """The first lines of figures: a label, a time, its share of the wall time."""
    figures, sentences = scope.figures, scope.matcher.sentences
    free = scope.report["cpu_free_ns"]
    of_any = "any_" if len(scope.report["gpu"]) > 1 else ""
    for key, time in (("wall", figures.wall), (f"{of_any}gpu_busy", figures.busy),
                      (f"{of_any}overlap", figures.overlap), ("cpu_free", free)):
        label = sentences.get(f"report.{key}")
        row = next((line for line in lines if line.startswith(label)), None)
        parts = row and re.fullmatch(re.escape(label) + rf"\s+({TIME})\s+((?:[<>] )?\d+ %)", row)
        if parts and time is not None and (parts[1], parts[2]) != (shown.time(time), shown.share(time, figures.wall)):
            found.add("text", f"{row!r} should be {shown.time(time)}, {shown.share(time, figures.wall)}")

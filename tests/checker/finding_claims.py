# SPDX-License-Identifier: MIT
"""The arguments and the evidence of findings. What a finding costs is held against a replay and against bounds in the
table of contradictions; here are its counts, names and times."""

import re

import derive
import shown
from figures import SMALL_COPY, communicates
from idle import IdleFacts
from ranks import lateness, named_gpu
from recording import COPY, KERNEL, PAGEABLE
from sentences import MANY

MOST_EVIDENCE = 100
WAITS = {"sync-in-loop", "device-wide-wait", "wait-before-work", "gpus-take-turns", "sync-after-small-copy"}
OF_ANYTHING = {"launch-bound", "starved", "cpu-late", "graph-capture", "first-operators", "idle-between-iterations", "default-stream"}


def arguments(scope, finding, name, said):
    """{argument: what it should be} of a sentence of this finding; one that is left out could not be derived."""
    found = {}
    low, high = finding["cost_range_ns"]
    if "cost" in said:
        found["cost"] = shown.time(finding["cost_ns"])
    if "gain" in said:
        found["gain"] = [shown.time(low), shown.time(high)]
    if "count" in said:
        found["count"] = str(finding["count"])
    if finding["rule"].startswith("blocked-"):
        found.update(_blocked(scope, finding, said))
    if finding["rule"] == "stale-read":
        found.update(_stale(scope, said))
    if finding["rule"] == "communication-late":
        found.update(_late(scope, finding, said))
    if name == "finding.cpu-late.advice_nothing":
        found["time"] = [shown.time(each) for each in IdleFacts(scope.scope_of(finding), scope.blocking).long_unnamed]
    if name in ("finding.cpu-late.advice_range", "finding.cpu-late.advice_long_range"):
        named = derive.named_range(scope, {"range": said.get("range"), "most": said.get("time")})
        found.update({"range": named["range"], "time": named["most"]})
    return found


def _blocked(scope, finding, said):
    recording, cause = scope.recording, finding["rule"][len("blocked-"):]
    found = {}
    named = re.fullmatch(r"(?:(.*) \((\d+)\)|thread (\d+))", said.get("thread") or "", re.DOTALL)
    if named:
        number = int(named[2] or named[3])
        threads = {c.thread for c in recording.outermost if c.thread and c.thread[1] == number}
        names = {recording.thread_names.get(t) or recording.process_names.get(t[0]) for t in threads}
        if threads and (named[1] is None or named[1] in names):
            found["thread"] = said["thread"]
    found["cause"] = scope.matcher.sentences.get(f"cause.{cause}")
    held = {}
    figures = scope.scope_of(finding)
    for s in scope.blocking.stretches:
        part = min(s.end, figures.end) - max(s.start, figures.start)
        if s.cause == cause and part > 0:
            held[id(s.call)] = held.get(id(s.call), 0) + part
    by_place = {(s.call.start, s.call.end): s.call for s in scope.blocking.stretches if s.cause == cause}
    calls = [by_place.get((e["start_ns"], e["end_ns"])) for e in finding["evidence"]]
    calls = [c for c in calls if c is not None]
    if calls and len(calls) == len(finding["evidence"]):
        longest = max(held.get(id(c), 0) for c in calls)
        whole = {id(c): 0 for c in calls}
        for s in scope.blocking.stretches:
            if s.cause == cause and id(s.call) in whole:
                whole[id(s.call)] += s.end - s.start
        found["longest"] = [shown.time(longest), shown.time(max(whole.values()))]  # cut at the range, or in all
        found["call"] = [c.name for c in calls if held.get(id(c), 0) == longest]
        if finding["count"] <= MOST_EVIDENCE:
            found["share"] = shown.share(sum(held.get(id(c), 0) for c in calls), figures.wall)
        else:  # the rest is not named: the share is at least that of those, at most that of all
            found["share"] = said.get("share")
            percent = int(re.search(r"\d+", said.get("share") or "0")[0])
            most = 100 * sum(held.values()) / max(1, figures.wall)
            least = 100 * sum(held.get(id(c), 0) for c in calls) / max(1, figures.wall)
            if not least - 1 <= percent <= most + 1:
                found["share"] = f"{least:.0f} to {most:.0f} %"
    return found


def _stale(scope, said):
    wrong = [r for r in scope.reads() if r[5] > 0]
    return {"buffer": [r[3] for r in wrong], "count": str(len(wrong)),
            "wrong": shown.size(sum(r[5] for r in wrong)), "cost": said.get("cost"),
            "bytes": [shown.size(sum(r[4] for r in wrong)), shown.size(sum(r[5] for r in wrong)),
                      shown.size(sum(r[4] for r in scope.reads()))]}


def _late(scope, finding, said):
    found = {}
    late = lateness(scope.recording, scope.scope_of(finding))
    gpu = named_gpu(scope, said.get("who"))
    if late is not None:
        found["all"], found["changes"] = str(late.count), str(late.changes)
        found["others"] = "1" if len(late.last) == 2 else MANY
        if gpu in late.last:
            found["last"] = str(late.last[gpu])
            if "times" in said and late.is_seldom(gpu, int(said["times"])):
                found["times"] = said["times"]
    numbers = re.fullmatch(r"(GPU|rank) (\d+)", said.get("who") or "")
    if numbers and numbers[1] == "rank":
        ranks = {value for key, value in scope.recording.meta.items() if key.startswith("rank.")}
        if numbers[2] in ranks:
            found["who"] = said["who"]
    elif numbers and int(numbers[2]) < len(scope.figures.gpus):
        found["who"] = said["who"]
    words = [scope.matcher.sentences.get(f"finding.communication-late.{w}")
             for w in ("kernels", "data", "profiler", "idle", "host", "later")]
    where = said.get("where") or ""
    ranges = re.search(r'"(.*)"', where, re.DOTALL)
    if where in words or where == "" or ranges and any(ranges[1] == name for *_, name in scope.recording.ranges):
        found["where"] = where
    return found


def wrong_evidence(scope, finding):
    """What is wrong with the events that a finding shows, and with how many there are."""
    events = scope.event_places()
    evidence, count = finding["evidence"], finding["count"]
    if len(evidence) != min(count, MOST_EVIDENCE):
        yield f"{finding['title']!r}: {count} times, and {len(evidence)} events show it"
    for event in evidence:
        place = (event["kind"], event["start_ns"], event["end_ns"])
        if place not in events:
            yield f"{finding['title']!r}: no {event['kind']} of the file lasts from {place[1]} to {place[2]}"
            break
    most = _candidates(scope, finding)
    if most is not None and count > most:
        yield f"{finding['title']!r}: the range has {most} of what the rule looks for"


def _candidates(scope, finding):
    """How many events the range has that a rule could find, None if any event will do."""
    rule, figures = finding["rule"], scope.scope_of(finding)
    operations, recording = figures.operations, scope.recording
    copies = [o for o in operations if o.kind == COPY]
    if rule in OF_ANYTHING:
        return None
    if rule == "pageable-async-copy":
        return sum(1 for o in recording.operations if o.kind == COPY and PAGEABLE in (o.source, o.target)
                   and o.call is not None and o.call.end > figures.start and o.call.start < figures.end)
    if rule in ("copies-not-hidden", "one-direction", "copies-after-kernels", "copy-through-host"):
        return len(copies)
    if rule == "copies-too-small":
        return sum(1 for o in copies if o.bytes <= SMALL_COPY)
    if rule in ("communication-late", "communication-after-kernels"):
        return sum(1 for o in operations if communicates(o))
    inside = [c for c in recording.outermost if c.end > figures.start and c.start < figures.end]
    if rule == "allocation-in-loop":
        return sum(1 for c in inside if scope.blocking.allocates(c))
    stretches = {id(s.call) for s in scope.blocking.stretches if s.end > figures.start and s.start < figures.end}
    if rule in WAITS or rule == "query-spin" or rule.startswith("blocked-") or rule == "queue-full":
        return max(len(stretches), 2 * len(copies) if rule == "sync-after-small-copy" else 0)
    if rule == "recorder-overhead":
        return sum(1 for a, b, *_ in recording.overheads if b > figures.start and a < figures.end)
    return None

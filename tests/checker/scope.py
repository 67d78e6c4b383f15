# SPDX-License-Identifier: MIT
"""A recording, or the part of it that repeats, with what `lanes` says of it."""

import json
import os
import shlex
import subprocess

import derive
import intervals
from blocked import Blocking
from figures import Figures
from idle import IdleFacts, cpu_free, first_thread
from waits import WaitCosts

IN_PART, OUT_OF_PART = "finding.in_steady", "finding.not_in_steady"
NO_CHANGE = "finding.no_change."  # why What if knows no change; behind an advice
OF_PART, MORE_OF_PART = "verdict.of_part", "verdict.more_of_part"
WAIT_RULES = {"gpus-take-turns", "sync-after-small-copy", "wait-before-work", "device-wide-wait", "sync-in-loop", "query-spin",
              "queue-full"}
WAIT_CAUSES = {"stream_sync", "device_sync", "event_sync", "poll"}  # of blocked-CAUSE
WITH_OTHERWISE = "finding.with_otherwise"  # "{advice} {otherwise}"


class LanesFailed(Exception):
    """The program refused a file or failed; the text has the command and what it wrote."""


class Lanes:
    """The program under test. Calls throw LanesFailed if it fails."""

    def __init__(self, program):
        self.program = program
        self.answers = {}

    def _run(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, timeout=300,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})

    def text(self, *arguments):
        done = self._run(*arguments)
        if done.returncode != 0:
            raise LanesFailed(f"lanes {' '.join(arguments)}: exit {done.returncode}: {done.stderr.strip()[:300]}")
        return done.stdout

    def json(self, *arguments):
        """Its JSON. A prediction that is refused has JSON, too, with exit status 1; one that finds nothing to change
        has none: then `changes` is empty and `error` says what it wrote. The same question is asked once."""
        if arguments not in self.answers:
            self.answers[arguments] = self._ask(*arguments)
        return json.loads(self.answers[arguments])

    def _ask(self, *arguments):
        done = self._run(*arguments, "--json=full")
        if done.stdout:
            return done.stdout
        if arguments[0] == "whatif" and done.returncode == 2:
            return json.dumps({"changes": [], "refused": [], "error": done.stderr.strip()})
        raise LanesFailed(f"lanes {' '.join(arguments)}: exit {done.returncode}: {done.stderr.strip()[:300]}")


class Facts:
    """What is computed once for a recording, whatever range is looked at."""

    def __init__(self, recording):
        self.recording = recording
        self.blocking = Blocking(recording)
        self.waits = WaitCosts(recording, self.blocking, Figures(recording).end)
        self.events = None


class Scope:
    """What is said of a range, and the figures of that range."""

    def __init__(self, lanes, matcher, facts, file, report, part=None):
        """`part`: the report of the part that repeats, for the findings of the whole that are marked so; for the scope
        of that part itself, `report` is its report and `part` is True."""
        self.lanes, self.matcher, self.facts, self.file, self.report = lanes, matcher, facts, file, report
        self.recording, self.blocking = facts.recording, facts.blocking
        self.is_part = part is True
        self.part_report = report if self.is_part else part
        start, end = report["range_ns"]
        self.figures = Figures(self.recording, start, end) if self.is_part else Figures(self.recording)
        self._part_figures = self._idle = self._free = None
        self.steady = report["steady"]
        self.verdict = report["verdict"]["text"]
        self.kind = report["verdict"]["kind"]
        self.findings = report["findings"]
        self.unmatched = []
        self.said = []  # (id, arguments) of what is said of this range
        self.said_of_part = []
        self._read_verdict(self.verdict, self.said)
        for text in report["verdict"].get("more", []):
            self._read_verdict(text, self.said_of_part if self.speaks_of_part() else self.said)
        if self.speaks_of_part():
            self.kind = None  # of another range: that range is looked at, too
        self.titles = [self._read_finding(f) for f in self.findings]
        self.answers = []
        self.all_changes = None

    def speaks_of_part(self):
        """Whether the verdict of the whole recording is about the part that repeats."""
        return any(name == OF_PART for name, _ in self.said)

    # --- sentences ---

    def _verdicts(self, text):
        """The sentences that a text may be, where those inside them are sentences, too; the most specific one first."""
        return [each for each in self.matcher.match(text, ["verdict"])
                if all(self._verdicts(value) for key, value in each[1].items() if key in derive.SENTENCES)]

    def _read_verdict(self, text, into):
        found = self._verdicts(text)
        if not found:
            self.unmatched.append(text)
            return
        # The sentence about the part that repeats begins with a word; all that follows is about that part.
        name, arguments = next((each for each in found if each[0] == OF_PART), found[0])
        into.append((name, arguments))
        for key, value in arguments.items():
            if key in derive.SENTENCES:
                target = self.said_of_part if name == OF_PART else self.said if name == MORE_OF_PART else into
                self._read_verdict(value, target)

    def _read_finding(self, finding):
        """[(id, arguments)] of its title and advice, with the sentences inside them."""
        found = []
        for text in (finding["title"], finding["advice"]):
            self._read_part_of_finding(text, found)
        return found

    def _read_part_of_finding(self, text, found):
        matches = [m for m in self.matcher.match(text, ["finding"]) if m[0] != WITH_OTHERWISE]
        if not matches:
            split = self.matcher.split_behind(text, [
                name for name in self.matcher.sentences
                if name.startswith("finding.") and (name.endswith(".otherwise") or name.startswith(NO_CHANGE))])
            if split is None:
                self.unmatched.append(text)
                return
            advice, name, arguments = split
            found.append((name, arguments))
            self._read_part_of_finding(advice, found)
            return
        name, arguments = matches[0]
        found.append((name, arguments))
        if name in (IN_PART, OUT_OF_PART):
            self._read_part_of_finding(arguments["what"], found)

    def is_of_part(self, finding):
        """Whether a finding of the whole recording is about the part that repeats."""
        matches = self.matcher.match(finding["title"], [IN_PART])
        return bool(matches) and not self.is_part

    # --- figures ---

    def part_figures(self):
        if self._part_figures is None and self.steady is not None:
            self._part_figures = Figures(self.recording, *self.steady["range_ns"])
        return self._part_figures

    def scope_of(self, finding):
        """The figures of the range that the finding is about."""
        return self.part_figures() if self.is_of_part(finding) else self.figures

    def report_of(self, finding):
        return self.part_report if self.is_of_part(finding) else self.report

    @property
    def idle(self):
        """What threads did while no GPU was busy."""
        if self._idle is None:
            self._idle = IdleFacts(self.figures, self.blocking)
        return self._idle

    def cpu_free(self):
        if self._free is None:
            thread = first_thread(self.recording, [(t["process"], t["thread"]) for t in self.report["cpu"]])
            self._free = cpu_free(self.figures, self.blocking, thread)
        return self._free

    def held_cost(self):
        """What held waits cost the thread that they cost most; None if several processes issue work: then it depends
        on the critical path, which is not computed here."""
        if len({o.process for o in self.recording.operations}) > 1:
            return None
        figures, waits = self.figures, self.facts.waits
        found = waits.by_thread(figures.start, figures.range_end)
        busy = {stream: intervals.length(times) for stream, times in figures.streams.items()}
        for o, saved in waits.staged:
            part = min(o.end, figures.end) - max(o.start, figures.start)
            if part > 0:
                busy[(o.gpu, o.stream)] -= min(saved, part)
        most = max(0, figures.wall - max(busy.values(), default=0))
        return min(most, max((cost for _, cost in found.values()), default=0))

    def gain_without_waits(self):
        """What findings of waits gain in a replay, of those that gain it without other changes. A verdict on the part
        that repeats is beside the findings of that part."""
        report = self.part_report if self.speaks_of_part() and self.part_report is not None else self.report
        return sum(f["cost_ns"] for f in report["findings"]
                   if f["replayed"] and not f["on_top_of"] and (f["rule"] in WAIT_RULES or (
                       f["rule"].startswith("blocked-") and f["rule"][8:] in WAIT_CAUSES)))

    def gpus_that_work(self):
        """GPUs that count: those with 5 % of the busiest one's time, or with a tenth of the operations of the one that
        has most. A GPU that is late is little busy, and has as many operations as the others."""
        gpus = self.figures.gpus.values()
        busiest = max((g.busy for g in gpus), default=0)
        most = max((len(g.operations) for g in gpus), default=0)
        return sum(1 for g in gpus if g.busy > 0 and (g.busy * 20 >= busiest or len(g.operations) * 10 >= most))

    def busy_percent(self):
        """How busy the GPU is; of several the mean."""
        gpus = max(1, self.gpus_that_work())
        time = self.figures.gpu_time / gpus if gpus > 1 else self.figures.busy
        return 100 * time / self.figures.wall if self.figures.wall else 0

    def event_places(self):
        """{(kind, start, end)} of all events that evidence may name."""
        if self.facts.events is None:
            recording = self.recording
            found = {(o.kind, o.start, o.end) for o in recording.operations}
            found |= {("call", c.start, c.end) for c in recording.calls}
            last = max((c.end for c in recording.calls), default=0)
            found |= {("range", a, last if b is None else b) for a, b, *_ in recording.ranges}
            found |= {("work", a, b) for a, b, *_ in recording.spans} | {("wait", a, b) for a, b, *_ in recording.spans}
            found |= {("read", a, b) for a, b, *_ in recording.reads}
            self.facts.events = found
        return self.facts.events

    def reads(self):
        return [r for r in self.recording.reads if r[0] < self.figures.range_end and r[1] >= self.figures.start]

    def names_of_the_busiest_stream(self, start, end):
        """Names of the operations that begin in [start, end) on the stream that has most of them, in their order."""
        by_stream = {}
        for o in self.recording.operations:
            if start <= o.start < end:
                by_stream.setdefault(o.stream, []).append(o.name)
        return max(by_stream.values(), key=len, default=[])

    # --- What if ---

    def ask_what_if(self):
        """Predicts what each finding's change gains, and all changes."""
        for finding in self.findings:
            if finding["what_if"]:
                part = ["--range", "steady"] if self.is_of_part(finding) or self.is_part else []
                before = shlex.split(finding["on_top_of"] or "")
                self.answers.append((finding, self._predicted(before + shlex.split(finding["what_if"]) + part),
                                     self._predicted(before + part) if before else None))
        if not self.is_part and self.figures.operations:
            self.all_changes = self.lanes.json("whatif", self.file)

    def _predicted(self, arguments):
        return self.lanes.json("whatif", self.file, *arguments)

# SPDX-License-Identifier: MIT
"""What threads did while no GPU was busy: the facts of docs/definitions.md, "The verdict"."""

import re
from collections import defaultdict

import intervals
from figures import LOADS_CODE, ORDINARY_CALL, issues_work
from recording import GET, JOIN, PUT, WORK


class IdleFacts:
    """Of the wall time of `figures`; blocked stretches are those of `blocking`."""

    def __init__(self, figures, blocking):
        self.figures, self.recording, self.blocking = figures, figures.recording, blocking
        recording = self.recording
        self.is_workload = bool(recording.meta.get("workload"))
        self.is_whole = figures.start == 0
        busy = figures.busy_times
        self.first = busy[0][0] if busy else figures.end
        self.before_first = self.first - figures.start if busy and not self.is_workload and self.is_whole else 0
        # A process starts up until its first operation, whatever others do meanwhile.
        self.starts_up_until = {}
        if not self.is_workload:
            for o in recording.operations:
                self.starts_up_until[o.process] = min(o.start, self.starts_up_until.get(o.process, o.start))
        if len(self.starts_up_until) < 2:
            self.starts_up_until = {}
        self.held, self.held_of_thread = defaultdict(list), defaultdict(list)
        for stretch in blocking.stretches:
            self.held[id(stretch.call)].append((stretch.start, stretch.end))
            self.held_of_thread[stretch.call.thread].append((stretch.start, stretch.end))
        self.operators = [  # what of them is work: (start, end, thread)
            (a, b, thread) for start, end, thread, *_ in recording.operators
            for a, b in intervals.without([(start, end)] if end > start else [],
                                          intervals.union(self.held_of_thread[thread]))]
        self.calls = [c for c in recording.outermost if c.end > figures.start and c.start < figures.end]
        self.allocations = intervals.union(
            [piece for c in self.calls if blocking.allocates(c) and c.end - c.start > ORDINARY_CALL
             for piece in self._later(c.process, [(c.start, c.end)])])
        self.launching, self.working = self._sets()
        from_ns = figures.start + self.before_first
        self.in_launches, self.in_work = self._idle(from_ns)
        # A run that stops for half of its time or more may start up until then.
        stop = max(figures.idle_times, key=lambda piece: piece[1] - piece[0], default=(from_ns, from_ns))
        self.in_launches_later, self.in_work_later = self.in_launches, self.in_work
        if 2 * (stop[1] - stop[0]) >= figures.wall > 0 and not self.is_workload:
            self.in_launches_later, self.in_work_later = self._idle(stop[1])
        self.recorded, self.in_waits, self.unrecorded, _ = self._recorded()
        self.first_gaps, self.in_first_gaps = self._first_of_their_kind()
        *_, in_named, unnamed = self._recorded(lambda name: not name.startswith("ProfilerStep#"))
        self.in_ranges = self.unrecorded - in_named
        # In stretches of a millisecond or more, without the start-up; the rest after the last operation counts only if
        # another one comes after the range.
        last = busy[-1][1] if busy else figures.end
        self.long_unnamed = [
            sum(end - start for start, end in intervals.clip(unnamed, begin, until) if end - start >= LOADS_CODE)
            for begin in (from_ns, stop[1] if 2 * (stop[1] - stop[0]) >= figures.wall > 0 else from_ns)
            for until in (last, figures.end)]

    def _first_of_their_kind(self):
        """(number, time) of idle stretches of a millisecond or more that end with the first operation of a GPU or of a
        name on it, and are not mostly in ranges whose names came before."""
        figures = self.figures
        if self.is_workload or not self.is_whole:
            return 0, 0
        first, first_range = {}, {}
        for o in self.recording.operations:
            for key in (o.gpu, (o.gpu, o.name)):
                first[key] = min(o.start, first.get(key, o.start))
        for start, _, _, name in self.recording.ranges:
            first_range[name] = min(start, first_range.get(name, start))
        starts = set(first.values())
        count = time = 0
        for before, after in zip(figures.busy_times, figures.busy_times[1:]):
            gap = (before[1], after[0])
            length = gap[1] - gap[0]
            if length < LOADS_CODE or gap[1] not in starts:
                continue
            again = []
            for start, end, _, name in self.recording.ranges:
                inside = (max(start, gap[0]), min(end or start, gap[1]))
                if first_range[name] < start and 2 * (inside[1] - inside[0]) >= (end or start) - start:
                    again.append(inside)
            if 2 * intervals.length(intervals.union([a for a in again if a[1] > a[0]])) <= length:
                count, time = count + 1, time + length
        return count, time

    def _later(self, process, pieces):
        """Pieces of time without the start-up of a process."""
        first = self.starts_up_until.get(process, 0)
        return [(max(start, first), end) for start, end in pieces if end > first]

    def _unheld(self, call):
        held = self.held.get(id(call))
        times = [(call.start, call.end)] if call.end > call.start else []
        return intervals.without(times, intervals.union(held)) if held else times

    def _sets(self):
        """(times in launches; times of launches beyond their first millisecond, allocations, work, reads, operators)."""
        launching, working = [], []
        for call in self.calls:
            launches = issues_work(call) or bool(call.operations)
            if not launches and not self.blocking.allocates(call):
                continue
            pieces = self._later(call.process, self._unheld(call))
            if not launches:
                working += pieces
                continue
            until = call.end
            if not any(word in call.base for word in ("Memcpy", "GraphLaunch")):
                until = min(until, call.start + LOADS_CODE)
            launching += intervals.clip(pieces, call.start, until)
            working += intervals.clip(pieces, until, call.end)
        recording = self.recording
        for a, b, thread, *_ in [each for each in recording.spans if each[4] == WORK] + recording.reads:
            working += self._later(thread and thread[0], [(a, b)])
        for a, b, thread in self.operators:
            working += self._later(thread and thread[0], [(a, b)])
        return intervals.union(launching), intervals.union(working)

    def _idle(self, start):
        """(idle in launches with nothing queued, idle in work) from `start` on."""
        figures = self.figures
        whole = [(start, figures.end)] if figures.end > start else []
        idle = intervals.without(whole, figures.busy_times)
        no_allocation = intervals.without(idle, self.allocations)
        plain = intervals.length(intervals.common(no_allocation, self.launching))
        everything = intervals.length(intervals.common(idle, intervals.union(self.launching + self.working)))
        if plain * 20 < figures.wall:  # less never matters
            return plain, everything - plain
        not_queued = intervals.without(no_allocation, self._queued())
        return intervals.length(intervals.common(not_queued, self.launching)), everything - plain

    def _queued(self):
        """Before operations whose calls had returned long ago: there a GPU had something to do."""
        figures = self.figures
        first = {}
        for o in figures.operations:
            first.setdefault(o.start, o)
        found, before = [], figures.start
        for start, end in figures.busy_times:
            call = first[start].call if start in first else None
            if call is not None and call.end + ORDINARY_CALL < start:
                found.append((max(before, call.end + ORDINARY_CALL), start))
            before = end
        return intervals.union(found)

    def in_ranges_of(self, name):
        """The idle time that only ranges of that name fill: of names without the number at the end and the file."""
        return self.unrecorded - self._recorded(
            lambda other: name in (other, re.sub(r"[ #_:\-=(\[.]+\d+[)\]]?$", "", other), other.split("): ")[-1],
                                   other.removeprefix("nn.Module: ")))[2]

    def _recorded(self, counts=None):
        """`counts`: ranges of such names that take half of the wall time or less count, too.
        Of all idle time: (in calls that are not blocked, in work, waits for threads, reads and operators that are not
        blocked; in none of these but in a blocked call; in none of all; the latter as a set)."""
        idle = self.figures.idle_times
        pieces = []
        for call in self.calls:
            pieces += self._unheld(call)
        recording = self.recording
        pieces += [(a, b) for a, b, *_ in recording.spans] + [(a, b) for a, b, *_ in recording.reads]
        pieces += [(a, b) for a, b, _ in self.operators]
        if counts:
            pieces += [(a, b) for a, b, _, name in recording.ranges
                       if b is not None and 2 * (b - a) <= self.figures.wall and counts(name)]
        recorded = intervals.length(intervals.common(idle, intervals.union(pieces)))
        pieces += [(call.start, call.end) for call in self.calls]
        none = intervals.without(idle, intervals.union(pieces))
        either = self.figures.idle - intervals.length(none)
        return recorded, either - recorded, intervals.length(none), none


def first_thread(recording, threads):
    """The thread of a workload's first step; else the first main thread of a process that issues work; else the one
    with most calls. `threads`: as the report lists them."""
    if recording.steps:
        step = min((s for s in recording.steps if s[1]), key=lambda s: (s[2], s[0]), default=None)
        if step:
            return step[1]
    issuing = {o.process for o in recording.operations}
    for wanted in (issuing, None):
        for process, thread in threads:
            if process == thread and (wanted is None or process in wanted):
                return process, thread
    calls = defaultdict(int)
    for call in recording.outermost:
        calls[call.thread] += 1
    return max(threads, key=lambda t: calls[t], default=None)


def cpu_free(figures, blocking, thread):
    """(a GPU busy while the thread is neither blocked nor waits for another thread, the part of it in no API call)."""
    recording = figures.recording
    away = [(s.start, s.end) for s in blocking.stretches if s.call.thread == thread]
    away += [(a, b) for a, b, t, _, kind in recording.spans if t == thread and kind in (PUT, GET, JOIN)]
    free = intervals.without(figures.busy_times, intervals.union(away))
    calls = intervals.union([(c.start, c.end) for c in recording.outermost if c.thread == thread])
    return intervals.length(free), intervals.length(intervals.without(free, calls))

# SPDX-License-Identifier: MIT
"""What each wait of a thread costs: docs/definitions.md, "Which waits cost time". The dependency graph of the engine is
not done again here: an operation counts as begun by its launch if it began no later than 20 µs after its call, and the
work before it on its stream was done by then. So a cost is held against this one within a tolerance."""

import bisect
from collections import defaultdict

import intervals
from figures import LOADS_CODE, ORDINARY_CALL, SMALL_COPY
from recording import COPY, GET, JOIN, KERNEL, PAGEABLE, PINNED, PUT, WORK

ONE_WAIT = 100_000  # ns between successive stretches of one wait
FOR_ISSUED = {"copy", "stream_sync", "device_sync", "event_sync", "poll", "other"}
LOADS = ("cuLibraryLoad", "cudaLibraryLoad", "cuModuleLoad", "cuLinkAdd", "cuLinkComplete")
# bytes/ns of PCI Express for a file without a pinned copy, by the GPU's compute capability: 9 and later have the fifth
# generation (measured: 55 GB/s), 8 the fourth, older ones the third.
PCI_RATES = {9: 55.0, 10: 55.0, 12: 55.0, 8: 25.0}
OLDEST_RATE = 12.0


class Wait:
    __slots__ = ("thread", "start", "end", "blocked", "cost", "kind", "stretches")

    def __init__(self, thread, stretches):
        self.thread, self.stretches = thread, stretches
        self.start = stretches[0].start
        self.end = max(s.end for s in stretches)
        self.blocked = sum(s.end - s.start for s in stretches)
        self.cost, self.kind = 0, None


class WaitCosts:
    """All waits of a recording."""

    def __init__(self, recording, blocking, last_of_run):
        self.recording, self.blocking = recording, blocking
        self.calls = defaultdict(list)
        for call in recording.outermost:
            self.calls[call.thread].append(call)
        self.starts = {thread: [c.start for c in calls] for thread, calls in self.calls.items()}
        self.busy = intervals.union([(o.start, o.end) for o in recording.operations])
        self.kernels = intervals.union([(o.start, o.end) for o in recording.operations if o.kind == KERNEL])
        self.last_of_run = last_of_run
        self.loading = self._loading()
        self.frees = {id(c) for c in recording.outermost if "Free" in c.base and "Async" not in c.base
                      and c.end - c.start > ORDINARY_CALL}
        self.usual = self._usual_issue()
        self._spans()
        self._rates()
        by_thread = defaultdict(list)
        for stretch in blocking.stretches:
            by_thread[stretch.call.thread].append(stretch)
        self.waits = []
        self.staged = []  # (copy of pageable memory, how much less a copy of pinned memory would take)
        for thread, stretches in by_thread.items():
            self._take(thread, stretches)

    def _loading(self):
        """Calls of more than 1 ms, without what they were held, in which code was loaded."""
        held = defaultdict(int)
        for s in self.blocking.stretches:
            held[id(s.call)] += s.end - s.start
        first = {}
        for o in self.recording.operations:
            if o.kind == KERNEL and o.call is not None:
                key = (o.stream[:2], o.name)
                if key not in first or o.call.start < first[key].start:
                    first[key] = o.call
        launches = {id(call) for call in first.values()}
        return {id(c) for c in self.recording.outermost if c.end - c.start - held[id(c)] > LOADS_CODE
                and (id(c) in launches or c.base.startswith(LOADS))}

    def _usual_issue(self):
        """How long after its call an operation may begin that began by its launch: 20 µs, or twice what is usual in
        the recording for one that was launched to an idle GPU, if these agree."""
        late, busy_until = [], 0
        for o in self.recording.operations:
            last = self.blocking.awaited.get(id(o))
            if o.call is not None and o.kind == KERNEL and busy_until <= o.call.start and (
                    last is None or last.end <= o.call.start):
                late.append(o.start - o.call.end)
            busy_until = max(busy_until, o.end)
        late.sort()
        if len(late) < 3:
            return ORDINARY_CALL
        usual, middle = late[len(late) // 10], late[len(late) // 2]
        return max(ORDINARY_CALL, 2 * usual) if middle < max(2 * usual, usual + ORDINARY_CALL) else ORDINARY_CALL

    def _spans(self):
        self.work, self.releases, self.deeds = defaultdict(list), defaultdict(list), defaultdict(list)
        for start, end, thread, _, kind in self.recording.spans:
            if kind == WORK:
                self.work[thread].append((start, end))
            if kind in (WORK, PUT):
                self.deeds[thread].append(start)
            if kind in (GET, JOIN) and end - start > 20_000:
                self.releases[thread].append((start, end))
        for table in (self.work, self.releases, self.deeds):
            for found in table.values():
                found.sort()
        self.last_deed = {thread: found[-1] for thread, found in self.deeds.items()}
        for call in self.recording.outermost:
            if any(not self._fetches(o) for o in call.operations):
                self.last_deed[call.thread] = max(self.last_deed.get(call.thread, 0), call.start)

    @staticmethod
    def _fetches(o):
        return o.word == "d2h" and o.bytes <= SMALL_COPY

    def _rates(self):
        self.rates, self.engine_ends = {}, defaultdict(list)
        for o in self.recording.operations:
            if o.kind == COPY:
                self.engine_ends[(o.gpu, o.word)].append(o.end)
        for ends in self.engine_ends.values():
            ends.sort()
        for o in self.recording.operations:
            if o.kind == COPY and PINNED in (o.source, o.target) and o.bytes >= 1 << 20 and o.end > o.start:
                rate = o.bytes / (o.end - o.start)
                self.rates[o.gpu] = max(rate, self.rates.get(o.gpu, 0))

    def _rate(self, gpu):
        return self.rates.get(gpu) or PCI_RATES.get(self.recording.compute.get(gpu, 9), OLDEST_RATE)

    def _calls_from(self, thread, time):
        return self.calls[thread][bisect.bisect_left(self.starts.get(thread, []), time):]

    def _is_one_wait(self, thread, end, start):
        if start - end > ONE_WAIT:
            return False
        for call in self.calls[thread][bisect.bisect_left(self.starts[thread], end):]:
            if call.start > start:
                break
            if any(not self._fetches(o) for o in call.operations):
                return False
        deeds = self.deeds[thread]
        place = bisect.bisect_left(deeds, end)
        return place == len(deeds) or deeds[place] >= start

    def _take(self, thread, stretches):
        groups = [[stretches[0]]]
        end = stretches[0].end
        for stretch in stretches[1:]:
            if self._is_one_wait(thread, end, stretch.start):
                groups[-1].append(stretch)
            else:
                groups.append([stretch])
            end = max(end, stretch.end)
        issued, download, place, calls = {}, 0, 0, self.calls[thread]
        for number, group in enumerate(groups):
            wait = Wait(thread, group)
            while place < len(calls) and calls[place].start < wait.end:
                for o in calls[place].operations:
                    if o.word == "d2h":
                        download = o.end
                    else:
                        issued[o.gpu] = o.end
                place += 1
            following = groups[number + 1][0] if number + 1 < len(groups) else None
            wait.cost = min(wait.blocked, self._lost(wait, following, issued, download))
            if wait.cost >= max(5_000, int(0.03 * wait.blocked)):
                wait.kind = "held"
            else:
                wait.kind = "for_result" if self.last_deed.get(thread, -1) < wait.end else "for_busy_gpu"
            self.waits.append(wait)

    def _lost(self, wait, following, issued, download):
        next_start = following.start if following else self.last_of_run
        next_call = following.call.start if following else self.last_of_run
        for_issued = any(s.cause in FOR_ISSUED for s in wait.stretches)
        lost, released = [], self.releases[wait.thread]
        release, released_at = bisect.bisect_left(released, (wait.end,)), 0
        released_from = released[release][0] if release < len(released) else None
        for call in self._calls_from(wait.thread, wait.end):
            if call.start > next_call or id(call) in self.loading or (for_issued and id(call) in self.frees):
                break
            while release < len(released) and released[release][0] < call.start:
                released_at = max(released_at, released[release][1])
                release += 1
            for o in call.operations:
                if self._began_by_launch(o):
                    start = max(wait.start, released_at, self._before(o))
                    if for_issued:
                        start = max(start, issued.get(o.gpu, 0), download if o.word == "h2d" else 0)
                    lost.append((start, o.start))
        until = min(next_start, released_from if released_from is not None else next_start)
        work = [(a, min(b, until)) for a, b in self.work[wait.thread] if wait.end <= a < until]
        lost += intervals.without(intervals.union(work), self.busy)
        if released_from is None or released_from >= next_start:
            lost += self._staging(wait)
        return intervals.length(intervals.union(lost))

    def _before(self, o):
        """The end of the operation before it on its stream."""
        before = self.blocking.previous.get(id(o))
        return before.end if before is not None else 0

    def _began_by_launch(self, o):
        if o.call is None or o.start > o.call.end + (200_000 if "GraphLaunch" in o.call.base else self.usual):
            return False
        if o.kind == COPY:  # it waited for its copy engine if a copy of another stream had just ended there
            ends = self.engine_ends.get((o.gpu, o.word), [])
            place = bisect.bisect_right(ends, o.start) - 1
            if place >= 0 and ends[place] > o.call.start and o.start - ends[place] <= ORDINARY_CALL:
                return False
        last = self.blocking.awaited.get(id(o))
        return last is None or last.end <= min(o.call.end, o.call.start + 20_000, o.start - 1_000)

    def _staging(self, wait):
        lost, seen = [], set()
        for stretch in wait.stretches:
            if stretch.cause not in ("copy", "staging"):
                continue
            for o in stretch.call.operations:
                if o.kind != COPY or id(o) in seen or o.bytes <= SMALL_COPY or PAGEABLE not in (o.source, o.target):
                    continue
                seen.add(id(o))
                alone = intervals.length(intervals.without([(o.start, o.end)], self.kernels))
                pinned = int(o.bytes / self._rate(o.gpu))
                saved = max(0, min(o.end - o.start - pinned, alone))
                lost.append((o.start, o.start + saved))
                self.staged.append((o, saved))
        return lost

    def by_thread(self, start, end):
        """{thread: (held, cost of that)} in a range."""
        found = defaultdict(lambda: [0, 0])
        for wait in self.waits:
            if wait.kind != "held":
                continue
            part = sum(max(0, min(s.end, end) - max(s.start, start)) for s in wait.stretches)
            found[wait.thread][0] += part
            found[wait.thread][1] += int(wait.cost * part / wait.blocked) if wait.blocked else 0
        return found

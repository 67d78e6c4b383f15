# SPDX-License-Identifier: MIT
"""When threads were blocked, and by what: docs/definitions.md, "Blocked", computed from the tables alone. Where the
recording does not say what a call waited for, the call is left out here; the report then says that it is unknown."""

import bisect
import heapq
import re
from collections import defaultdict

import intervals
from recording import COPY, KERNEL, MANAGED, MEMSET, PAGEABLE, PINNED, UNKNOWN

ORDINARY = 20_000  # ns that a call may take without waiting
EARLY, EARLY_SHARE, EARLY_MOST = 2_000, 500, 20_000  # how much a wait may end before what it waited for
QUEUE = 1000  # pending operations of a context with which its launch queue may be full
BUFFER_FULL = 8  # overheadType of the layout
FLAG_DEFAULT, FLAG_NULL = 1, 3
SYNC_EVENT, SYNC_WAIT, SYNC_STREAM, SYNC_CONTEXT = 1, 2, 3, 4
ALLOCATES = re.compile(
    r"^(cuda|hip)(Malloc|Free|HostAlloc|HostMalloc|HostFree|HostRegister|HostUnregister|MemPool(Create|Destroy|Trim))"
    r"|^cu(MemAlloc|MemFree|MemHostAlloc|MemHostRegister|MemHostUnregister|MemCreate|MemRelease|MemMap|MemUnmap"
    r"|MemSetAccess|MemAddressReserve|MemAddressFree|MemPool(Create|Destroy|Trim)|ArrayCreate|ArrayDestroy"
    r"|Array3DCreate|MipmappedArray(Create|Destroy))")
SYNC_CALLS = {
    "StreamSynchronize": "stream_sync", "DeviceSynchronize": "device_sync", "ThreadSynchronize": "device_sync",
    "CtxSynchronize": "device_sync", "EventSynchronize": "event_sync"}


def cause_of_sync(call):
    return SYNC_CALLS.get(re.sub(r"^(cuda|cu|hip)", "", call.base))


def is_held(start, end, operation):
    """Whether a call from start to end was held until the operation was done."""
    last = operation.end
    early = min(EARLY_MOST, EARLY + (end - start) // EARLY_SHARE)
    return last > start and operation.start < end and end >= last - early


def early_returns(recording):
    """By how much calls that wait returned before the recorded end of their work, of those that returned too early:
    synchronisations that succeeded, for work that was issued by calls that had returned, and synchronous downloads."""
    issued, contexts, records, found = defaultdict(list), defaultdict(set), {}, []
    for o in recording.operations:
        issued[o.stream].append((o.call.start if o.call else o.start, o.start, o))
    for key in recording.stream_flags:
        issued[key].sort(key=lambda each: each[:2])  # it may have no work
    for key, of_stream in issued.items():
        contexts[key[0]].add(key[1])
        of_stream.sort(key=lambda each: each[:2])
    for sync in recording.syncs:
        if sync[5] is not None:
            records.setdefault(id(sync[5]), sync)
    for call in recording.outermost:
        done = []
        if cause_of_sync(call) in ("stream_sync", "device_sync") and not call.result:
            for stream in streams_awaited(call, records.get(id(call)), issued, contexts):
                of_stream = issued.get(stream, [])
                place = bisect.bisect_left(of_stream, (call.start,))
                last = of_stream[place - 1][2] if place else None
                if last is not None and last.call is not None and last.call.end <= call.start:
                    done.append(last.end)
        elif re.match(r"(cuda|cu|hip)Memcpy", call.base) and "Async" not in call.base and not call.result:
            done = [o.end for o in call.operations if o.word == "d2h"]
        allowed = min(EARLY_MOST, EARLY + (call.end - call.start) // EARLY_SHARE)
        if done and max(done) - call.end > allowed:
            found.append(max(done) - call.end)
    return found


def streams_awaited(call, sync, issued, contexts):
    """The streams that a synchronisation waits for; none if that is not known."""
    if sync is not None and sync[6] == SYNC_STREAM:
        return [(sync[2], sync[3], sync[4])]
    if sync is None and len(contexts[call.process]) != 1:
        return []
    context = sync[3] if sync is not None else min(contexts[call.process])
    streams = [each for each in issued if each[:2] == (call.process, context)]
    return streams if len(streams) <= (1 if cause_of_sync(call) == "stream_sync" else 64) else []


def gpu_clock_late(recording):
    """By how much the clock of the GPUs is late: the most that calls returned early, but no more than the least time
    from a call to its operation, if three or more, and half of all, returned as early or up to 20 us less."""
    early = early_returns(recording)
    least = min((o.start - o.call.start for o in recording.operations if o.call is not None), default=0)
    late = max((each for each in early if each <= least), default=0)
    alike = sum(late - ORDINARY <= each <= late for each in early)
    return late if alike >= 3 and 2 * alike >= len(early) else 0


class Stretch:
    """A part of a call in which its thread was blocked."""

    __slots__ = ("call", "start", "end", "cause")

    def __init__(self, call, start, end, cause):
        self.call, self.start, self.end, self.cause = call, start, end, cause


class Blocking:
    """All stretches of a recording, sorted by start. Cost: n log n."""

    def __init__(self, recording):
        self.recording = recording
        self.late = gpu_clock_late(recording)
        self.stretches = []
        self.streams_of = defaultdict(set)  # by (process, context)
        for o in recording.operations:
            self.streams_of[o.stream[:2]].add(o.stream)
        for key in recording.stream_flags:
            self.streams_of[key[:2]].add(key)
        self.legacy = {key for key, flag in recording.stream_flags.items() if flag == FLAG_NULL}
        self.legacy |= {(p, c, s) for (p, c), s in recording.null_streams.items()}
        self.last = {}  # by stream: the operation of its work so far that ends last
        self.event_work = {}
        self.latest = {}  # by stream: the operation submitted last
        self.previous, self.awaited = {}, {}  # by id of an operation: the one before it, and what it waited for
        self.memory_gpu = {id(call): gpu for _, call, gpu in recording.memory if call is not None}
        self.launches_wait = self._processes_whose_launches_wait()
        self._walk()
        self.stretches.sort(key=lambda s: (s.start, s.end))

    def _is_held(self, start, end, operation):
        return is_held(start + self.late, end + self.late, operation)

    @staticmethod
    def allocates(call):
        """Whether it allocates, frees, maps, unmaps, pins or unpins."""
        return bool(ALLOCATES.search(call.base))

    # --- the work submitted so far ---

    def _later(self, one, other):
        if one is None or other is None:
            return one or other
        return one if one.end >= other.end else other

    def _of_stream(self, stream, with_legacy=False):
        last = self.last.get(stream)
        if stream in self.legacy:
            for other in self.streams_of[stream[:2]]:
                if self.recording.stream_flags.get(other) == FLAG_DEFAULT:
                    last = self._later(last, self.last.get(other))
        elif with_legacy and self.recording.stream_flags.get(stream) == FLAG_DEFAULT:
            for other in self.streams_of[stream[:2]] & self.legacy:
                last = self._later(last, self.last.get(other))
        return last

    def _of_context(self, context):
        last = None
        for stream in self.streams_of[context]:
            last = self._later(last, self.last.get(stream))
        return last

    def _walk(self):
        recording = self.recording
        syncs, actions = defaultdict(list), []
        for sync in recording.syncs:
            if sync[5] is not None:
                syncs[sync[5]].append(sync)
        for o in recording.operations:
            actions.append((o.call.start if o.call else o.start, 1, o.start, "submit", o))
        for event in recording.events:
            if event[3] is not None:
                actions.append((event[3].start, 2, event[3].start, "record", event))
        for sync in recording.syncs:
            if sync[6] == SYNC_WAIT and sync[5] is not None:
                actions.append((sync[5].start, 3, sync[5].start, "wait", sync))
        spins = {id(spin[2]): spin for spin in recording.spins if spin[2] is not None}
        for call in recording.outermost:
            if 900 <= (call.result or 0) <= 908:
                continue
            actions.append((call.start, 0, call.start, "call", call))
        actions.sort(key=lambda a: a[:3])
        self.pending = defaultdict(list)
        self.full = self._full_queues()
        self.gpu_busy = {}
        for _, _, _, what, of in actions:
            if what == "submit":
                self._submit(of)
            elif what == "record":
                process, context, stream, _, event, number = of
                work = self._of_stream((process, context, stream), True)
                self.event_work[(process, event, number or 0)] = work
                self.event_work[(process, event, None)] = work
            elif what == "wait":
                stream = (of[2], of[3], of[4])
                self.last[stream] = self._later(self.last.get(stream), self._event(of))
            else:
                self._judge(of, syncs.get(of, ()), spins.get(id(of)))

    def _submit(self, o):
        streams = [o.stream]
        self.previous[id(o)] = self.latest.get(o.stream)
        self.awaited[id(o)] = self._of_stream(o.stream, True)
        self.latest[o.stream] = o
        if o.call is not None:
            self._last_gpu[o.call.thread] = o.gpu
        if o.call is not None and "GraphLaunch" in o.call.base:
            streams = {each.stream for each in o.call.operations}
        for stream in streams:
            self.last[stream] = self._later(self.last.get(stream), o)
        heapq.heappush(self.pending[o.stream[:2]], o.end)

    def _event(self, sync):
        key = (sync[2], sync[7], sync[8] or 0)
        if sync[8] and key in self.event_work:
            return self.event_work[key]
        return self.event_work.get((sync[2], sync[7], None))

    # --- what a call waited for ---

    def _judge(self, call, syncs, spin):
        start, end = call.start, call.end
        if spin is not None:
            if spin[3] >= 2 and spin[4] == 1:
                self._add(call, spin[0], spin[1], "poll")
            return
        cause = cause_of_sync(call)
        if cause is not None:
            self._judge_sync(call, syncs, cause)
            return
        if self._judge_copy(call) or self._judge_launch(call):
            return
        if self._judge_queue(call):
            return
        if ALLOCATES.search(call.base):
            self._judge_memory(call, syncs)
            return
        for o in call.operations:
            of_host = o.target in (PAGEABLE, PINNED, MANAGED)
            if o.kind == MEMSET and not o.asynchronous and of_host and self._is_held(start, end, o):
                self._add(call, start, end, "other")
                return
        for sync in syncs:
            last = self._awaited(sync)
            if sync[6] in (SYNC_STREAM, SYNC_CONTEXT) and last is not None and self._is_held(start, end, last):
                self._add(call, start, end, "other")
                return

    def _awaited(self, sync):
        if sync[6] == SYNC_STREAM:
            return self._of_stream((sync[2], sync[3], sync[4]))
        if sync[6] == SYNC_CONTEXT:
            return self._of_context((sync[2], sync[3]))
        if sync[6] == SYNC_EVENT:
            return self._event(sync)
        return None

    def _judge_sync(self, call, syncs, cause):
        last = None
        for sync in syncs:
            last = self._later(last, self._awaited(sync))
        if not syncs and cause != "event_sync":  # no record names the stream: with one there is no doubt
            of_process = [s for s in self.last if s[0] == call.process]
            last = self.last[of_process[0]] if len(of_process) == 1 else None
        if last is not None and self._is_held(call.start, call.end, last):
            self._add(call, call.start, call.end, cause)

    def _judge_copy(self, call):
        """Whether it was blocked by its own copy or the staging of it."""
        if "GraphLaunch" in call.base:
            return False
        copies = [o for o in call.operations if o.kind == COPY
                  and (not o.asynchronous or PAGEABLE in (o.source, o.target) or self._was_awaited(call, o))]
        if not copies:
            return False
        last = max(copies, key=lambda o: o.end)
        if self._is_held(call.start, call.end, last):
            self._add(call, call.start, call.end, "copy")
            return True
        if call.end + self.late < last.end and any(PAGEABLE in (o.source, o.target) for o in copies):
            if call.end - call.start > ORDINARY:
                self._add(call, call.start + ORDINARY, call.end, "staging")
            return True
        return False

    def _was_awaited(self, call, copy):
        """Whether the call stayed for a long copy of host memory whose kind is not recorded."""
        host = {"h2d": copy.source, "d2h": copy.target}.get(copy.word)
        return host == UNKNOWN and copy.end - copy.start > ORDINARY and self._is_held(call.start, call.end, copy)

    def _judge_launch(self, call):
        if call.process not in self.launches_wait:
            return False
        if not any(o.kind == KERNEL for o in call.operations) and "GraphLaunch" not in call.base:
            return False
        if not call.operations:
            return False
        last = max(call.operations, key=lambda o: o.end)
        if not self._is_held(call.start, call.end, last):
            return False
        first = min(o.start for o in call.operations) - self.late
        start = call.start
        if first - start >= 1_000_000 and not self._gpu_worked(last.gpu, start, first):
            start = first
        self._add(call, start, call.end, "launch")
        return True

    def _judge_queue(self, call):
        found = self.full.get(id(call))
        if found:
            for start, end in found:
                self._add(call, max(start, call.start), min(end, call.end), "queue_full")
            return True
        if call.end - call.start <= ORDINARY or not call.operations:
            return False
        context = call.operations[0].stream[:2]
        pending = self.pending[context]
        while pending and pending[0] <= call.start:
            heapq.heappop(pending)
        if len(pending) >= QUEUE:
            self._add(call, call.start + ORDINARY, call.end, "queue_full")
            return True
        return False

    def _judge_memory(self, call, syncs):
        if call.end - call.start <= ORDINARY:
            return
        for sync in syncs:
            last = self._awaited(sync)
            if last is not None and self._is_held(call.start, call.end, last):
                self._add(call, call.start, call.end, "memory")
                return
        gpu = self.memory_gpu.get(id(call)) or self._last_gpu.get(call.thread)
        busy = self._busy_of(gpu, call.process)
        place = bisect.bisect_right(busy, (call.start + ORDINARY,)) - 1
        while max(place, 0) < len(busy) and busy[max(place, 0)][0] < call.end:
            start, end = busy[max(place, 0)]
            self._add(call, max(start, call.start + ORDINARY), min(end, call.end), "memory")
            place = max(place, 0) + 1

    # --- what is known before the walk ---

    def _full_queues(self):
        """{id of a call: its COMMAND_BUFFER_FULL records}; and which GPU each thread used last, as the walk goes on."""
        self._last_gpu = {}
        by_thread = defaultdict(list)
        for call in self.recording.outermost:
            by_thread[call.thread].append(call)
        starts = {thread: [call.start for call in calls] for thread, calls in by_thread.items()}
        found = defaultdict(list)
        for start, end, thread, kind in self.recording.overheads:
            if kind != BUFFER_FULL or thread not in by_thread:
                continue
            calls = by_thread[thread]
            place = bisect.bisect_right(starts[thread], start) - 1
            if place >= 0 and calls[place].end > start:
                found[id(calls[place])].append((start, end))
        return found

    def _busy_of(self, gpu, process):
        """When the GPU that a thread last issued work to was busy; if it issued none, any that its process uses."""
        key = gpu if gpu is not None else ("of process", process)
        if key not in self.gpu_busy:
            self.gpu_busy[key] = intervals.union(
                [(o.start - self.late, o.end - self.late) for o in self.recording.operations
                 if (o.gpu == gpu if gpu is not None else o.process == process)])
        return self.gpu_busy[key]

    def _gpu_worked(self, gpu, start, end):
        return bool(intervals.common(self._busy_of(gpu, None), [(start, end)]))

    def _processes_whose_launches_wait(self):
        held, all_launches, long_ones = defaultdict(int), defaultdict(int), set()
        for call in self.recording.outermost:
            kernels = [o for o in call.operations if o.kind == KERNEL]
            if not kernels or "GraphLaunch" in call.base:
                continue
            all_launches[call.process] += 1
            last = max(kernels, key=lambda o: o.end)
            if self._is_held(call.start, call.end, last):
                held[call.process] += 1
                stayed = last.end - max(call.start + self.late, last.start)
                if stayed > ORDINARY and call.end + self.late - last.end <= ORDINARY + stayed // 50:
                    long_ones.add(call.process)
        return {p for p in long_ones if held[p] * 100 >= 95 * all_launches[p]}

    def _add(self, call, start, end, cause):
        if end > start:
            self.stretches.append(Stretch(call, start, end, cause))

    # --- sums ---

    def by_thread(self, start, end):
        """{thread: {cause: time}} in a range; a thread that was never blocked is missing."""
        found = defaultdict(lambda: defaultdict(int))
        for s in self.stretches:
            part = min(s.end, end) - max(s.start, start)
            if part > 0:
                found[s.call.thread][s.cause] += part
        return found


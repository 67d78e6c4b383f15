# SPDX-License-Identifier: MIT
"""What docs/definitions.md says of a recording's figures, computed from its tables for a range."""

import re
from collections import defaultdict

import intervals
from recording import COPY, KERNEL, MEMSET

# Kernels that move data between GPUs, by full name without parameters: definitions.md, communication_ns.
COMMUNICATION = re.compile(
    r"nccl|rccl|deep_?ep|nvshmem|oneccl|ccl_kernel|multimem_|symm_mem|one_shot_all_reduce|two_shot_all_reduce"
    r"|cross_device_reduce|allreduce_fusion|lamport", re.IGNORECASE)
SMALL_COPY = 64 * 1024  # a copy to the host of at most this fetches a value
ORDINARY_CALL = 20_000  # ns that a call may take without waiting
LOADS_CODE = 1_000_000  # ns from which on a kernel's launch does more than launch


def communicates(operation):
    """Whether it is a kernel that moves data between GPUs."""
    return operation.kind == KERNEL and bool(COMMUNICATION.search(operation.full_name.partition("(")[0]))


ISSUES = re.compile(
    r"^(cuda|cu|hip|ur)(Launch|ExtLaunch|ExtModuleLaunch|ModuleLaunch|GraphLaunch|Memcpy|Memset|Enqueue)"
    r"|^cuda(Graph)?Launch|^urEnqueue")


def issues_work(call):
    """Whether a call issues kernels, copies or memsets, by its name."""
    return bool(ISSUES.search(call.base)) and "HostFunc" not in call.base


class Figures:
    """The figures of [start, end). Without bounds: of the whole recording, as `lanes report` prints it."""

    def __init__(self, recording, start=None, end=None):
        self.recording = recording
        self.work_end, self.last_end = work_end(recording)
        self.start = 0 if start is None else start
        self.range_end = self.last_end if end is None else end
        self.end = max(self.start, min(self.range_end, self.work_end))
        self.wall = self.end - self.start
        self.operations = [o for o in recording.operations if touches(o, self.start, self.range_end)]
        self._levels()
        self._gpus()

    def _cut(self, pieces):
        return intervals.clip(intervals.union(pieces), self.start, self.range_end)

    def _levels(self):
        by_stream = defaultdict(list)
        for o in self.operations:
            by_stream[(o.gpu, o.stream)].append((o.start, o.end))
        self.streams = {key: self._cut(pieces) for key, pieces in by_stream.items()}
        self.stream_operations = {key: len(pieces) for key, pieces in by_stream.items()}
        one, two, three = intervals.levels(self.streams.values(), 3)
        self.busy_times = one
        self.busy = intervals.length(one)
        self.overlap = intervals.length(two)
        everything = self.range_end - self.start
        three_or_more = intervals.length(three)
        self.concurrency = [everything - self.busy, self.busy - self.overlap, self.overlap - three_or_more,
                            three_or_more]
        self.idle = self.wall - self.busy
        self.idle_times = intervals.without([(self.start, self.end)] if self.wall > 0 else [], one)

    def _gpus(self):
        by_gpu = defaultdict(list)
        for o in self.operations:
            by_gpu[o.gpu].append(o)
        self.gpus = {gpu: Gpu(self, gpu, operations) for gpu, operations in by_gpu.items()}
        self.gpu_time = sum(g.busy for g in self.gpus.values())
        self.gpus_that_count = [g for g in self.gpus.values() if g.busy > 0 and g.busy * 20 >= self.gpu_time]
        levels = intervals.levels([g.busy_times for g in self.gpus.values()], 2)
        self.gpus_at_once = intervals.length(levels[1])
        self.copy_exposed = sum(g.copy_exposed for g in self.gpus.values())
        self.communication_exposed = sum(g.communication_exposed for g in self.gpus.values())
        self.busiest_stream = max((intervals.length(times) for times in self.streams.values()), default=0)


class Gpu:
    """The figures of one GPU."""

    def __init__(self, figures, gpu, operations):
        self.gpu = gpu
        self.operations = operations

        def times(wanted):
            return figures._cut([(o.start, o.end) for o in operations if wanted(o)])

        self.busy_times = times(lambda o: True)
        self.busy = intervals.length(self.busy_times)
        kernels = times(lambda o: o.kind == KERNEL)
        copies = times(lambda o: o.kind == COPY)
        self.kernel, self.copy = intervals.length(kernels), intervals.length(copies)
        self.memset = intervals.length(times(lambda o: o.kind == MEMSET))
        by_word = {word: times(lambda o, w=word: o.word == w) for word in ("h2d", "d2h", "d2d", "p2p")}
        self.words = {word: intervals.length(found) for word, found in by_word.items()}
        self.both_directions = intervals.length(intervals.common(by_word["h2d"], by_word["d2h"]))
        self.copy_hidden = intervals.length(intervals.common(copies, kernels))
        self.copy_exposed = self.copy - self.copy_hidden
        streams = [times for (owner, _), times in figures.streams.items() if owner == gpu]
        self.overlap = intervals.length(intervals.levels(streams, 2)[1])
        self.streams = [intervals.length(times) for times in streams]
        communication = times(communicates)
        others = times(lambda o: o.kind == KERNEL and not communicates(o))
        self.communication = intervals.length(communication)
        self.communication_exposed = intervals.length(intervals.without(communication, others))
        # Copies that only fetch a value: their cost is the wait, not their own time.
        self.values = intervals.length(times(lambda o: o.word == "d2h" and o.bytes <= SMALL_COPY))
        kernel_pieces = [[(o.start, o.end)] for o in operations if o.kind == KERNEL]
        self.kernels_at_once = intervals.length(intervals.clip(
            intervals.levels(kernel_pieces, 2)[1], figures.start, figures.range_end))


def touches(event, start, end):
    """Whether an event is in the range; one without a length if it lies in it."""
    return event.start < end and (event.end > start or event.end == event.start >= start) or (
        event.start == event.end == end)


def work_end(recording):
    """(the end of the recorded work, the last end of anything): definitions.md, wall_ns and range_ns."""
    issuing = {o.process for o in recording.operations}
    issuing |= {call.process for call in recording.outermost if issues_work(call)}
    ends = [o.end for o in recording.operations]
    ends += [call.end for call in recording.calls if not issuing or call.process in issuing]
    others = [end for _, end, _, _ in recording.ranges if end is not None]
    others += [end for _, end, *_ in recording.spans] + [end for _, end, *_ in recording.reads]
    others += [call.end for call in recording.calls] + [o.end for o in recording.operations]
    others += [start for start, *_ in recording.ranges] + [end for _, end, *_ in recording.overheads]
    others += [time for time, *_ in recording.marks] + [start for start, *_ in recording.steps]
    others += [time for time, _ in recording.errors] + recording.samples + [time for time, *_ in recording.memory]
    others += [start for start, *_ in recording.syncs]
    last = max(others, default=0)
    if not ends:  # a range that never ended lasts to the end of the recording
        ends = [last if end is None else end for _, end, _, _ in recording.ranges]
    return max(ends, default=0), last

# SPDX-License-Identifier: MIT
"""Which GPU begins collectives last, and what that can cost at most."""

import bisect
import re

from figures import communicates
from recording import KERNEL


ENDS_TOGETHER = 20_000  # ns
SEND = re.compile(r"SendRecv|send_recv")


def collectives(recording):
    """(GPUs, [one kernel for each of them]) of the collectives in their order. They are matched by their order where
    all GPUs have the same ones; else by their ends, of one name within 20 µs of one another while all of them run. None
    if fewer than two GPUs have any."""
    by_gpu = {}
    for o in recording.operations:
        if communicates(o):
            by_gpu.setdefault(o.gpu, []).append(o)
    if len(by_gpu) < 2:
        return None
    if len({tuple(o.name for o in found) for found in by_gpu.values()}) == 1:
        return list(by_gpu), [list(row) for row in zip(*by_gpu.values())]
    gpus = sorted(by_gpu, key=lambda gpu: len(by_gpu[gpu]))
    others = [sorted(by_gpu[gpu], key=lambda o: o.end) for gpu in gpus[1:]]
    ends = [[o.end for o in found] for found in others]
    rows = []
    for first in by_gpu[gpus[0]]:
        row = [first]
        for found, of in zip(others, ends):
            place = bisect.bisect_left(of, first.end - ENDS_TOGETHER)
            near = [o for o in found[place:place + 4] if abs(o.end - first.end) <= ENDS_TOGETHER
                    and o.name == first.name and o.start < first.end and first.start < o.end]
            row += near[:1]
        if len(row) == len(gpus):
            rows.append(row)
    return gpus, rows


def is_one_pipeline(recording, figures):
    """Whether all GPUs that communicate wait for one another in sends, directly or through others: kernels of two GPUs
    that end together, and one of the two GPUs spends 2 % of the range or more in sends."""
    gpus = {o.gpu for o in recording.operations if communicates(o)}
    sends = sorted((o for o in recording.operations if communicates(o) and SEND.search(o.full_name)
                    and figures.start <= o.start < figures.end), key=lambda o: o.end)
    spent, pairs = dict.fromkeys(gpus, 0), set()
    for o in sends:
        spent[o.gpu] += o.end - o.start
    for first, then in zip(sends, sends[1:]):
        if first.gpu != then.gpu and then.end - first.end <= ENDS_TOGETHER and then.start < first.end:
            pairs.add((first.gpu, then.gpu))
    joined = {gpu: {gpu} for gpu in gpus}
    for a, b in pairs:
        if max(spent[a], spent[b]) * 50 >= figures.end - figures.start:
            both = joined[a] | joined[b]
            joined.update(dict.fromkeys(both, both))
    return len(gpus) > 1 and any(found == gpus for found in joined.values())


def launches_spared(scope, figures, gpu):
    """What is gained at most if a GPU's collectives are launched as fast as the next slowest process launches its own
    without being held. None unless the GPU's collectives begin as they are launched."""
    found = collectives(scope.recording)
    if found is None:
        return None
    rows = [row for row in found[1]
            if figures.start <= max(o.start for o in row) < figures.end and all(o.call for o in row)]
    if len(rows) < 3:
        return None
    late, others = None, []
    for place, owner in enumerate(found[0]):
        first, last = rows[0][place].call, rows[-1][place].call
        span = last.start - first.start
        held = sum(max(0, min(s.end, last.start) - max(s.start, first.start)) for s in scope.blocking.stretches
                   if s.call.process == first.process)
        if owner == gpu:
            at_once = sum(1 for row in rows if row[place].start < row[place].call.end + 100_000)
            late = span if 2 * at_once >= len(rows) else None
        else:
            others.append(span - held)
    return None if late is None else max(0, late - max(others))


def named_gpu(scope, who):
    """The GPU of "rank 3" or "GPU 1"; None if the recording does not say."""
    number = re.fullmatch(r"(rank|GPU) (\d+)", who or "")
    if number and number[1] == "rank":
        for key, value in scope.recording.meta.items():
            if key.startswith("rank.") and value == number[2]:
                process = int(key[len("rank."):])
                used = {o.gpu for o in scope.recording.operations if o.process == process and o.kind == KERNEL}
                return next(iter(used)) if len(used) == 1 else None
    elif number:
        return next((gpu for process, gpu in sorted(scope.recording.gpu_numbers.items(), key=str)
                     if process[1] == int(number[2])), None)
    return None


class Late:
    """Of the collectives of a range: how many, how often another GPU is last than the time before; by GPU how often it
    was last, and how long it alone had not begun, in all and each time."""

    def __init__(self, gpus):
        self.count, self.changes, self.first = 0, 0, 0
        self.alone, self.last = dict.fromkeys(gpus, 0), dict.fromkeys(gpus, 0)
        self.each = {gpu: [] for gpu in gpus}

    def is_seldom(self, gpu, times):
        """Whether most of the time for which any GPU alone had not begun is that GPU's, in so many collectives. The
        first collective counts for nothing, which only makes less of the time."""
        most = sorted(self.each.get(gpu, []), reverse=True)[:times]
        return len(most) == times and 2 * sum(most) > sum(map(sum, self.each.values())) - self.first


def lateness(recording, figures):
    """None if there is no collective of several GPUs in the range."""
    found = collectives(recording)
    if found is None:
        return None
    late, before = Late(found[0]), None
    for together in found[1]:
        order = sorted(together, key=lambda o: o.start)
        if order[-1].start < figures.start or order[-1].start >= figures.end:
            continue
        if min(o.end for o in together) < order[-1].start:
            continue
        late.count += 1
        late.alone[order[-1].gpu] += order[-1].start - order[-2].start
        late.each[order[-1].gpu].append(order[-1].start - order[-2].start)
        late.first = late.each[order[-1].gpu][-1] if late.count == 1 else late.first
        late.last[order[-1].gpu] += 1
        late.changes += before is not None and before != order[-1].gpu
        before = order[-1].gpu
    return late if late.count else None

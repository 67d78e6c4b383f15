# SPDX-License-Identifier: MIT
"""Each argument of each sentence, computed from the recording. A function gets the scope and the arguments that were
said, and returns what they should be: a text, or a list of texts that are all right. An argument that it leaves out
could not be derived. The sentences are known by their ids; what they say is in resources/text."""

import shown
from figures import LOADS_CODE
from sentences import MANY

# Arguments that are sentences themselves; their own arguments are looked at on their own.
SENTENCES = {"verdict", "what", "advice", "otherwise", "gpu", "waits", "praise"}


def _wall(scope):
    return shown.time(scope.figures.wall)


def _gpu(scope, _):
    """How busy the GPU is: of several that do something the mean."""
    gpus = max(1, scope.gpus_that_work())
    time = scope.figures.gpu_time // gpus if gpus > 1 else scope.figures.busy
    return {"gpus": str(gpus), "busy": shown.share(time, scope.figures.wall)}


def _communicating(scope):
    return max(scope.figures.gpus.values(), key=lambda g: (g.communication > 0, g.communication_exposed), default=None)


def _communication(scope, _):
    gpu = _communicating(scope)
    return {"hidden": shown.share(gpu.communication - gpu.communication_exposed, gpu.communication),
            "exposed": shown.time(gpu.communication_exposed), "wall": _wall(scope)}


def _exposed(scope, _):
    return {"share": [shown.share(g.communication_exposed, scope.figures.wall)
                        for g in scope.figures.gpus.values()]}


def _copies(scope, _):
    gpus = scope.figures.gpus.values()
    copy = sum(g.copy for g in gpus)
    return {"hidden": shown.share(sum(g.copy_hidden for g in gpus), copy),
            "copies": shown.share(copy, scope.figures.gpu_time)}


def _streams(scope, _):
    return {"overlap": shown.share(sum(g.overlap for g in scope.figures.gpus.values()), scope.figures.gpu_time)}


def _directions(scope, _):
    both = sum(g.both_directions for g in scope.figures.gpus.values())
    return {"overlap": shown.share(both, scope.figures.gpu_time)}


def _uneven(scope, _):
    figures = scope.figures

    def share(time):
        return shown.share(time, figures.wall)
    return {"together": share(figures.gpus_at_once), "one": share(figures.busy - figures.gpus_at_once),
            "none": share(figures.idle)}


def _ends(scope, _):
    """Idle time before the first operation of the recording, if that is no start-up, and after the last one."""
    figures = scope.figures
    busy = figures.busy_times
    inside = sum(b[0] - a[1] for a, b in zip(busy, busy[1:]))
    operations = scope.recording.operations
    if busy and any(o.start < figures.start for o in operations):
        inside += busy[0][0] - figures.start
    if busy and any(o.start >= figures.end for o in operations):
        inside += figures.end - busy[-1][1]
    return {"time": shown.time(figures.idle - inside - scope.idle.before_first), "idle": shown.time(figures.idle)}


def _gpus(scope, _):
    return {"gpus": str(scope.gpus_that_work()),
            "together": shown.share(scope.figures.gpus_at_once, scope.figures.busy)}


def _side_by_side(scope, _):
    return {"together": shown.share(scope.figures.gpus_at_once, scope.figures.wall)}


def _stale(scope, _):
    reads = scope.reads()
    return {"wrong": shown.size(sum(r[5] for r in reads)), "bytes": shown.size(sum(r[4] for r in reads)),
            "count": str(len(reads))}


def _idle(scope):
    """What no GPU is busy for: of several, all are idle then."""
    return {"idle": shown.time(scope.figures.idle), "gpus": MANY if scope.gpus_that_work() > 1 else "1"}


def _idle_while(scope, *times):
    return {"time": [shown.time(time) for time in times], **_idle(scope)}


def _launch_bound(scope, _):
    return _idle_while(scope, scope.idle.in_launches, scope.idle.in_launches_later)


def _starved(scope, _):
    return _idle_while(scope, scope.idle.in_work, scope.idle.in_work_later)


def _cpu_late(scope, _):
    facts = scope.idle
    return {"known": shown.time(facts.recorded), "time": shown.time(facts.unrecorded), **_idle(scope)}


def _idle_in_waits(scope, _):
    return _idle_while(scope, scope.idle.in_waits)


def _cpu_works(scope, _):
    return {"free": shown.time(scope.cpu_free()[1]), "busy": shown.time(scope.figures.busy)}


def _starts_up(scope, _):
    stop = max(scope.figures.idle_times, key=lambda piece: piece[1] - piece[0], default=(0, 0))
    return {"before": [shown.time(scope.idle.before_first), shown.time(stop[1] - scope.figures.start)],
            "wall": _wall(scope)}


def _gap(scope, _):
    # The longest one, or the longest of those that end with the first operation of a GPU or of a name; no less than half
    # of the idle time.
    lengths = [end - start for start, end in scope.figures.idle_times
               if end - start >= LOADS_CODE and 2 * (end - start) >= scope.figures.idle]
    return {"gap": [shown.time(length) for length in lengths], "wall": _wall(scope)}


def _gaps(scope, _):
    """The idle time before the first operation, and stretches of a millisecond or more up to the first operation of a
    GPU or of a name."""
    facts = scope.idle
    return {"count": str(facts.first_gaps + (facts.before_first > 0)),
            "time": shown.time(facts.before_first + facts.in_first_gaps), "wall": _wall(scope)}


def _ranges(scope, _):
    facts = scope.idle
    return {"known": shown.time(facts.in_ranges), "ranges": shown.time(facts.in_ranges),
            "time": shown.time(facts.unrecorded), **_idle(scope)}


def named_range(scope, arguments):
    """Threads that are in ranges at once may be named by one of them: no range has more time than is said of none."""
    most = scope.idle.in_ranges_of(arguments.get("range") or "")
    said = shown.parsed_time(arguments.get("most") or "")
    fits = said is not None and 0 < said[0] <= most + said[1]
    return {**_ranges(scope, arguments), "range": arguments.get("range") if most > 0 else None,
            "most": arguments.get("most") if fits else shown.time(most)}


def _waits(scope, arguments):
    """Costs are held against a second way to find them, which knows a little less: within 10 %."""
    cost = scope.held_cost()
    said = shown.parsed_time(arguments.get("cost") or "")
    if said is None:
        return {"wall": _wall(scope)}
    if cost is None or abs(said[0] - cost) <= max(20_000, 0.1 * cost) + said[1]:
        return {"cost": arguments["cost"], "wall": _wall(scope)}
    return {"cost": shown.time(cost), "wall": _wall(scope)}


def _waits_up_to(scope, _):
    """What findings of waits gain together, which is more than each wait costs alone."""
    return {"cost": shown.time(scope.gain_without_waits()), "wall": _wall(scope)}


def _nothing(scope, _):
    return {}


VERDICTS = {
    "verdict.gpu": _gpu,
    "verdict.gpus": _gpu,
    "verdict.stale": _stale,
    "verdict.stale-reads": _stale,
    "verdict.busy_and": _nothing,
    "verdict.blocked": _nothing,
    "verdict.with_waits": _nothing,
    "verdict.waits": _waits,
    "verdict.waits_of_wall": _waits,
    "verdict.more_waits": _waits,
    "verdict.waits_up_to": _waits_up_to,
    "verdict.waits_of_wall_up_to": _waits_up_to,
    "verdict.more_waits_up_to": _waits_up_to,
    "verdict.launch_bound": _launch_bound,
    "verdict.starved": _starved,
    "verdict.starved_waiting": _starved,
    "verdict.starved_allocating": _starved,
    "verdict.starved_allocates": _starved,
    "verdict.cpu_late": _cpu_late,
    "verdict.cpu_late_unrecorded": _nothing,
    "verdict.cpu_late_ranges": _ranges,
    "verdict.cpu_late_frames": _ranges,
    "verdict.more_ranges": named_range,
    "verdict.more_between_ranges": named_range,
    "verdict.more_frames_ranges": named_range,
    "verdict.more_between": _cpu_late,
    "verdict.more_frames": _cpu_late,
    "verdict.idle_in_waits": _idle_in_waits,
    "verdict.more_idle_in_waits": _nothing,
    "verdict.more_unrecorded": _cpu_late,
    "verdict.starts_up": _starts_up,
    "verdict.gap": _gap,
    "verdict.gaps": _gaps,
    "verdict.ends": _ends,
    "verdict.copy_bound": _copies,
    "verdict.overlapped": _nothing,
    "verdict.serial": _nothing,
    "verdict.cpu_goes_on": _nothing,
    "verdict.uneven": _uneven,
    "verdict.overlapped_communication": _communication,
    "verdict.serial_communication": _communication,
    "verdict.serial_exposed": _exposed,
    "verdict.overlapped_copies": _copies,
    "verdict.serial_copies": _copies,
    "verdict.with_copies": _copies,
    "verdict.with_communication": _communication,
    "verdict.overlapped_streams": _streams,
    "verdict.serial_streams": _streams,
    "verdict.overlapped_directions": _directions,
    "verdict.serial_directions": _nothing,
    "verdict.turns": _gpus,
    "verdict.turns_for_data": _gpus,
    "verdict.side_by_side": _side_by_side,
    "verdict.cpu_works": _cpu_works,
    "verdict.busy_unknown": _nothing,
    "verdict.busy_in_part": _nothing,
    "verdict.no_gpu_work": _nothing,
    "verdict.no_gpu_time": _nothing,
    "verdict.gpu_not_recorded": _nothing,
    "verdict.of_part": _nothing,
    "verdict.more_of_part": _nothing,
}

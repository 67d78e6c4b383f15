# SPDX-License-Identifier: MIT
"""The table of contradictions: what a sentence must not say beside the figures of its recording. Each row has a name,
what is wrong where it applies, and a function that yields the places where it does. docs/definitions.md has the same
table in words."""

import re

import intervals
import shown
from figures import ORDINARY_CALL
from ranks import is_one_pipeline, lateness, launches_spared, named_gpu
from sentences import MANY

WORTH_NS, WORTH_SHARE = 20_000, 0.01  # a finding costs this and this share of the wall time, or more
SLACK = 0.01  # of the wall time, for costs that are held against a bound

# Rules whose loss is time in which no GPU was busy.
IDLE_RULES = {"launch-bound", "starved", "graph-capture", "first-operators", "data-loader", "idle-between-iterations", "loading-in-run"}
# Rules whose change only lets work begin earlier: operations keep their lengths and streams.
FILLING_RULES = (IDLE_RULES | {"cpu-late", "allocation-in-loop", "gpus-take-turns", "wait-before-work", "sync-in-loop",
                               "device-wide-wait", "query-spin", "queue-full", "recorder-overhead"}) - {"graph-capture"}
# Rules whose change makes copies themselves shorter.
COPY_RULES = {"pageable-async-copy", "copy-through-host", "copies-too-small", "blocked-copy", "blocked-staging"}
PRAISE = {"overlapped", "cpu_works", "side_by_side"}
SAYS_WAITS = {f"verdict.{name}{most}" for name in ("waits", "waits_of_wall", "more_waits") for most in ("", "_up_to")}
CPU_IS_LATE = {"starved", "launch_bound", "blocked", "idle", "cpu_late"}


def percent(part, whole):
    return 100 * part / whole if whole > 0 else 0


def busy_gpu(scope):
    """A GPU that is more than 80 % busy waits for nobody."""
    kind = scope.kind
    share = scope.busy_percent()
    if share > 80 and kind in CPU_IS_LATE:
        yield f"the GPU is {share:.0f} % busy, and the verdict is {kind}: {scope.verdict!r}"
    if share > 80:
        for finding in scope.findings:
            if finding["rule"] in ("launch-bound", "starved", "graph-capture", "first-operators"):
                yield f"the GPU is {share:.0f} % busy, and a finding says {finding['title']!r}"


def praise_of_an_idle_gpu(scope):
    """Praise is for a run whose GPU works."""
    share = scope.busy_percent()
    if scope.kind in PRAISE and share < 50:
        yield f"the GPU is {share:.0f} % busy, and the verdict praises: {scope.verdict!r}"


def praise_of_waiting(scope):
    """A GPU that mostly communicates while nothing else runs does not overlap."""
    if scope.kind not in ("overlapped", "side_by_side"):
        return
    worst = max(scope.figures.gpus.values(), key=lambda g: g.communication_exposed, default=None)
    if worst is not None and worst.communication < worst.busy and worst.communication_exposed * 4 >= worst.busy > 0:
        yield f"communication alone takes {percent(worst.communication_exposed, worst.busy):.0f} %: {scope.verdict!r}"


def streams_one_at_a_time(scope):
    """Streams that are busy at once are not one thing at a time."""
    gpus = scope.figures.gpus.values()
    most = max(sum(g.overlap for g in gpus), sum(g.both_directions for g in gpus))
    communicating = max(gpus, key=lambda g: g.communication_exposed, default=None)
    serial = {"verdict.serial_streams", "verdict.serial_copies", "verdict.serial_directions"}
    if communicating is None or communicating.communication * 20 < communicating.busy:
        serial.add("verdict.serial")  # else it may be of communication
    if any(name in serial for name, _ in scope.said) and most * 10 >= scope.figures.gpu_time > 0:
        yield f"{scope.verdict!r}"


def copies_are_no_work(scope):
    """GPUs that do nothing but copies to and from the host work on nothing side by side."""
    figures = scope.figures
    links = sum(g.words["h2d"] + g.words["d2h"] for g in figures.gpus.values())
    both = sum(g.both_directions for g in figures.gpus.values())
    if scope.kind in ("side_by_side", "overlapped") and figures.gpu_time and links > 0.9 * figures.gpu_time and (
            both * 10 < figures.gpu_time):
        yield f"{percent(links, figures.gpu_time):.0f} % of GPU time are copies, and the verdict is {scope.verdict!r}"


def number_of_gpus(scope):
    """As many GPUs as the sentence has did work."""
    for name, arguments in scope.said:
        if name.startswith("verdict.") and arguments.get("gpus") not in (None, "1", MANY):
            worked = scope.gpus_that_work()
            if int(arguments["gpus"]) != worked:
                yield f"{scope.verdict!r}, and {worked} GPUs worked"


def startup_is_no_part(scope):
    """What is said of a whole that is mostly start-up is not said of the program."""
    if scope.is_part or not scope.figures.operations:
        return
    first = min(o.start for o in scope.figures.operations)
    share = percent(first - scope.figures.start, scope.figures.wall)
    if share > 50 and scope.kind in CPU_IS_LATE - {"idle"} and scope.steady is not None:
        yield (f"{share:.0f} % of the time lies before the first GPU operation, and the verdict of the whole is "
               f"{scope.verdict!r}")


def startup_is_no_allocation(scope):
    """The call that makes the context is no allocation."""
    said = [(name, arguments.get("time")) for name, arguments in scope.said if "allocat" in name]
    said += [(name, arguments.get("cost")) for finding, title in zip(scope.findings, scope.titles)
             if not scope.is_of_part(finding) for name, arguments in title if "title_allocating" in name]
    if not said:
        return
    recording, figures = scope.recording, scope.figures
    if recording.meta.get("workload"):  # its set-up is not recorded
        return
    first = {}
    for operation in recording.operations:
        first.setdefault(operation.process, operation.start)
    begins, later = 0, 0
    for call in recording.outermost:
        part = min(call.end, figures.end) - max(call.start, figures.start)
        if scope.blocking.allocates(call) and part > ORDINARY_CALL:
            if call.end <= first.get(call.process, 0) and makes_a_context(recording, call):
                begins += part
            else:
                later += part
    for name, time in said:
        found = shown.parsed_time(time or "")
        if found and begins > 0 and 2 * later < found[0]:
            yield (f"{name} says {time}; calls that allocate take {shown.time(later)}, and the first long calls of "
                   f"their processes, which make the context, {shown.time(begins)}")


def makes_a_context(recording, call):
    """Whether no call of its process before it took 1 ms or more: cuInit and the context come with the first."""
    for other in recording.outermost:
        if other.start >= call.start:
            return True
        if other.process == call.process and other.end - other.start >= 1_000_000:
            return False
    return True


def bound_of(scope, finding):
    """(most that a finding of this rule can gain, what that is made of)."""
    figures = scope.scope_of(finding)
    rule, idle, wall = finding["rule"], figures.idle, figures.wall
    # No order of the same operations on the same streams ends before the busiest stream.
    beside = max(0, figures.busy - figures.busiest_stream) if len(figures.streams) > 1 else 0
    if rule == "stale-read":
        return 0, "wrong bytes cost no time"
    if rule == "communication-late":
        most = max((g.communication_exposed for g in figures.gpus.values()), default=0)
        return most, "communication without a kernel beside it"
    if rule == "communication-after-kernels":
        most = max((g.communication_exposed for g in figures.gpus.values()), default=0)
        return most, "communication without a kernel beside it"
    if rule == "copies-after-kernels":
        return figures.copy_exposed, "copies without a kernel beside them"
    if rule == "copies-not-hidden":  # by kernels that hide none yet, or by copies in the other direction
        hiding = sum(min(g.copy_exposed, g.kernel - g.copy_hidden + min(g.words["h2d"], g.words["d2h"]))
                     for g in figures.gpus.values())
        return hiding + idle, "kernels and opposite copies that could hide copies, and idle time"
    if rule == "one-direction":
        return figures.copy_exposed + idle, "copies without a kernel beside them, and idle time"
    if rule == "recorder-overhead":
        total = intervals.length(intervals.union(
            [(a, b) for a, b, _, _ in scope.recording.overheads if b > figures.start and a < figures.end]))
        return min(total, idle + beside), "the recorder's own records"
    if rule in IDLE_RULES and len(figures.streams) < 2:
        return idle, "time without a busy GPU"
    # Other rules gain from shorter or hidden copies if their change is one for copies, or comes on top of one.
    of_copies = rule in COPY_RULES or re.search(
        r"--(pin|own-stream|non-blocking|peer|gather)", (finding["what_if"] or "") + (finding["on_top_of"] or ""))
    copies = figures.copy_exposed + sum(g.copy_hidden for g in figures.gpus.values()) if of_copies else 0
    if not of_copies and "--drop-values" in (finding["what_if"] or ""):  # copies of values go with their waits
        copies = sum(g.values for g in figures.gpus.values())
    return min(wall, idle + beside + copies), "idle time, streams beside the busiest one" + (
        " and copies" if copies else "")


def cost_above_its_bound(scope):
    """A cost is never above the time that its cure could fill."""
    for finding in scope.findings:
        figures = scope.scope_of(finding)
        most, what = bound_of(scope, finding)
        if finding["cost_ns"] > most + max(WORTH_NS, SLACK * figures.wall):
            yield f"{finding['title']!r}: at most {shown.time(most)} ({what})"
        if finding["cost_ns"] > figures.wall:
            yield f"{finding['title']!r}, and the wall time is {shown.time(figures.wall)}"
        if finding["cost_ns"] < WORTH_NS or finding["cost_ns"] < WORTH_SHARE * figures.wall * 0.999:
            if finding["rule"] != "stale-read":
                yield f"{finding['title']!r} is less than 20 µs or 1 % of {shown.time(figures.wall)}"


def waits_fill_no_busy_time(scope):
    """Waits cost no more than the time that work could fill: no GPU busy, streams beside the busiest one, copies."""
    figures = scope.figures
    for name, arguments in scope.said:
        if name not in SAYS_WAITS:
            continue
        if not arguments.get("cost"):
            continue
        cost, rounded = shown.parsed_time(arguments["cost"])
        beside = max(0, figures.busy - figures.busiest_stream)
        copies = figures.copy_exposed + sum(g.copy_hidden for g in figures.gpus.values())
        most = figures.idle + beside + copies
        if cost > most + rounded + max(WORTH_NS, SLACK * figures.wall):
            yield (f"waits cost {arguments['cost']}, and no more than {shown.time(most)} could be filled: "
                   f"{scope.verdict!r}")


def waits_cost_what_findings_gain(scope):
    """A sentence names no less than a quarter below what the run gains without the waits of its findings."""
    gain = scope.gain_without_waits()
    for name, arguments in scope.said:
        found = shown.parsed_time(arguments.get("cost") or "") if name in SAYS_WAITS else None
        if found and (found[0] + found[1]) * 5 < gain * 4:
            yield f"waits cost {arguments['cost']}, and findings of waits gain {shown.time(gain)}: {scope.verdict!r}"


def waits_cost_their_length(scope):
    """Waits cost no more than they last."""
    causes = {"sync-in-loop": ("stream_sync", "event_sync", "poll"), "device-wide-wait": ("device_sync",),
              "query-spin": ("poll",), "queue-full": ("queue_full",)}
    for finding in scope.findings:
        rule = finding["rule"]
        wanted = causes.get(rule) or ((rule[8:],) if rule.startswith("blocked-") else None)
        report = scope.report_of(finding)
        if wanted is None or rule in COPY_RULES or report is None:
            continue
        lasted = sum(t["blocked_by"][cause] or 0 for t in report["cpu"] for cause in wanted)
        if finding["cost_ns"] > lasted + WORTH_NS:
            yield f"{finding['title']!r}, and all such waits last {shown.time(lasted)}"


def idle_counts_once(scope):
    """Findings do not claim the same idle time twice."""
    for of_part in (False, True):
        chosen = [f for f in scope.findings if scope.is_of_part(f) == of_part]
        figures = scope.scope_of(chosen[0]) if chosen else None
        idle = [f for f in chosen if f["rule"] in IDLE_RULES and len(figures.streams) < 2]
        total = sum(f["cost_ns"] for f in idle)
        if idle and total > figures.idle + max(WORTH_NS, SLACK * figures.wall):
            yield (f"{', '.join(f['rule'] for f in idle)} claim {shown.time(total)} of "
                   f"{shown.time(figures.idle)} without a busy GPU")
        total = sum(f["cost_ns"] for f in chosen if f["rule"] in FILLING_RULES)
        if chosen and not any(f["replayed"] for f in chosen) and (
                total > figures.wall - figures.busiest_stream + max(WORTH_NS, SLACK * figures.wall)):
            yield (f"findings that no replay tells claim {shown.time(total)} of "
                   f"{shown.time(figures.wall - figures.busiest_stream)} beside the busiest stream")
        total = sum(f["cost_ns"] for f in chosen)
        if chosen and total > figures.wall:
            yield f"all findings together claim {shown.time(total)} of {shown.time(figures.wall)}"


def nothing_is_not_recorded(scope):
    """A recording whose launches have no kernels does not say that there was no work."""
    names = [name for name, _ in scope.said]
    if "verdict.no_gpu_work" in names and scope.figures.operations:
        yield f"{scope.verdict!r}, and {len(scope.figures.operations)} operations are recorded"
    if "verdict.no_gpu_work" in names:
        launch = re.compile(r"Launch(Kernel|Cooperative)|GraphLaunch")
        launches = [c for c in scope.recording.outermost if launch.search(c.base)]
        if launches:
            yield f"{scope.verdict!r}, and {len(launches)} calls launched kernels"


def late_rank(scope):
    """A rank is late by what it adds: the time in which it alone was missing, if it was last often enough to be named,
    and at most what its launches take longer than those of the next slowest. None of one pipeline is: its stages wait
    for one another in sends."""
    for finding, title in zip(scope.findings, scope.titles):
        if finding["rule"] != "communication-late":
            continue
        late = lateness(scope.recording, scope.scope_of(finding))
        gpu = named_gpu(scope, next((said["who"] for _, said in title if said.get("who")), None))
        if late is None or gpu not in late.last:
            continue
        if is_one_pipeline(scope.recording, scope.scope_of(finding)):
            yield f"{finding['title']!r}: all these GPUs are stages of one pipeline"
        if finding["cost_ns"] > 1.05 * late.alone[gpu] + WORTH_NS:
            yield (f"{finding['title']!r}: of {late.count} collectives it was last in {late.last[gpu]}, and it alone "
                   f"was missing for {shown.time(late.alone[gpu])}; the others: "
                   + ", ".join(f"{shown.time(late.alone[g])} ({late.last[g]}×)"
                               for g in sorted(late.last, key=str) if g != gpu))
        spared = launches_spared(scope, scope.scope_of(finding), gpu)
        if spared is not None and finding["cost_ns"] > 1.25 * spared + WORTH_NS:
            yield (f"{finding['title']!r}: its thread needs {shown.time(spared)} more than the next slowest to launch "
                   "the same collectives")
        most = min(0.5, 4 / len(late.last)) if len(late.last) > 2 else 0.5
        if late.last[gpu] <= most * late.count:
            yield f"{finding['title']!r}: it was last in {late.last[gpu]} of {late.count} collectives"


def iterations_of_the_loop(scope):
    """Iterations are of the thread that issues the work."""
    steady = scope.steady
    if steady is None or steady["found"] != "ranges" or scope.is_part:
        return
    start, end = steady["range_ns"]
    pattern = re.compile(re.escape(steady["name"]) + r"[#\s(\[]*\d*[)\]]*$")
    named = [(a, b, t) for a, b, t, name in scope.recording.ranges if b is not None and pattern.match(name)
             and a >= start and b <= end + 1]
    inside = intervals.union([(a, b) for a, b, _ in named])
    threads = {t for _, _, t in named}
    issued = [o.call for o in scope.recording.operations if o.call is not None and start <= o.call.start < end]
    if not issued:
        return
    own = sum(1 for call in issued if call.thread in threads)
    if own * 10 < len(issued):
        yield (f"the part that repeats is named after {steady['name']!r}, whose thread issues {own} of {len(issued)} "
               "operations there")
        return
    starts = sorted(call.start for call in issued if call.thread in threads)
    held = intervals.length(intervals.common(inside, [(s, s + 1) for s in sorted(set(starts))]))
    if held * 10 < len(set(starts)):
        yield (f"the part that repeats is named after {steady['name']!r}, in which {held} of {len(set(starts))} "
               "operations of its thread are issued")


def number_of_iterations(scope):
    """An iteration is the shortest stretch that repeats."""
    steady = scope.steady
    if steady is None or scope.is_part or steady["found"] != "launches":
        return
    start, end = steady["range_ns"]
    names = scope.names_of_the_busiest_stream(start, end)
    if len(names) < 16:
        return
    period = shortest_period(names)
    if period is None:
        return
    count = len(names) / period
    if count > 1.5 * steady["count"] + 1 and period >= 8:
        yield (f"{steady['count']} iterations ({steady['name'] or 'launches'}), and the operations of the busiest "
               f"stream repeat every {period}: {count:.0f} times")


def shortest_period(names, most=4000):
    """The smallest distance at which nine of ten names of the list repeat; None if there is none up to a third of it.
    A name repeats by chance where it is most of the list: only distances at which the rare half of the names repeat
    count. Looks at 400 places, so its cost is 400 times the number of distances."""
    counts = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    rare = sorted(counts, key=counts.get)
    covered, chosen = 0, set()
    for name in rare:
        if covered * 2 >= len(names):
            break
        chosen.add(name)
        covered += counts[name]
    places = [i for i, name in enumerate(names) if name in chosen]
    step = max(1, len(places) // 400)
    sample = places[::step]
    for distance in range(1, min(most, len(names) // 3) + 1):
        tried = [i for i in sample if i + distance < len(names)]
        if len(tried) < 8:
            return None
        misses = 0
        for i in tried:
            misses += names[i] != names[i + distance]
            if misses * 10 > len(tried):
                break
        else:
            return distance
    return None


def what_if_gains(scope):
    """The change that a finding names gains something."""
    for finding, answer, before in scope.answers:
        change = answer["changes"][0] if answer["changes"] else None
        said = f"{finding['title']!r} names `whatif {finding['what_if']}`"
        if answer["refused"]:
            yield f"{said}, which is refused: {' '.join(each['why'] for each in answer['refused'])}"
        elif change is None:
            yield f"{said}, which predicts nothing: {answer.get('error', '')}"
        else:
            yield from gain_of_change(scope, finding, answer, before)


def recorded(answer):
    """What a prediction is compared with: the length of the range, else of the whole."""
    part = answer.get("range_ns")
    return part[1] - part[0] if part else answer["measured_total_ns"]


def no_change_says_why(scope):
    """A finding that names no change says why."""
    for finding, title in zip(scope.findings, scope.titles):
        if not finding["what_if"] and not any(name.startswith("finding.no_change.") for name, _ in title):
            yield f"{finding['title']!r} names no change, and does not say why"


def gain_of_change(scope, finding, answer, before):
    change, wall = answer["changes"][0], scope.scope_of(finding).wall
    from_ns = recorded(answer) if before is None or not before["changes"] else (
        before["changes"][0]["predicted_total_ns"])
    gain = from_ns - change["predicted_total_ns"]
    low, high = (from_ns - change[key] for key in ("high_ns", "low_ns"))
    said = (f"{finding['title']!r}: `whatif {finding['what_if']}` gains {shown.time(int(gain))}"
            + (f" on top of {finding['on_top_of']}" if finding["on_top_of"] else ""))
    if gain <= 0 or gain < WORTH_NS and gain < 0.002 * wall:
        yield f"{said} ({shown.time(int(low))} to {shown.time(int(high))})"
    elif finding["replayed"] and abs(gain - finding["cost_ns"]) > max(WORTH_NS, 0.005 * wall) + (
            abs(answer["replayed_ns"] - answer["measured_total_ns"])):  # a cost is the gain on the unchanged replay
        yield said
    elif not finding["replayed"] and gain < 0.2 * finding["cost_ns"]:
        yield said + " only"


def what_if_knows(scope):
    """What if offers what findings advise, or says why not; a range that says little says what makes it wide."""
    answer = scope.all_changes
    if answer is None or scope.is_part:
        return
    if not answer["changes"] and not answer["refused"]:
        worth = [f for f in scope.findings if f["rule"] not in ("stale-read", "recorder-overhead")
                 and f["cost_ns"] >= 0.05 * scope.scope_of(f).wall]
        if worth:
            yield ("`whatif` says without a reason that nothing would gain, and the findings say: "
                   + "; ".join(f"{f['title']!r}" for f in worth))
    for change in answer["changes"]:
        low, high = (100 * (change[key] / answer["measured_total_ns"] - 1) for key in ("low_ns", "high_ns"))
        says = any(each["id"].startswith("wide-") for each in change["assumptions"])
        if change["wide"] and high - low > 30 and not says:
            yield f"`whatif` says {change['change']!r}: {low:+.0f} … {high:+.0f} %, and not what makes the range wide"


def what_if_offers(scope):
    """What if lists the change that a finding names, where that gains 2 % or more and is no mere bound."""
    answer = scope.all_changes
    if answer is None or scope.is_part or any(each["code"] != "nothing_gains" for each in answer["refused"]):
        return
    offered = {kind["kind"] for change in answer["changes"] for kind in change["changes"]}
    for finding, own, before in scope.answers:
        if before is not None or scope.is_of_part(finding) or not own["changes"]:
            continue
        change = own["changes"][0]
        kinds = {kind["kind"] for kind in change["changes"]}
        gain = own["measured_total_ns"] - change["predicted_total_ns"]
        if "at-once" in kinds or change["class"] in ("bound", "unsafe") or kinds & offered:
            continue
        if gain > 0.02 * own["measured_total_ns"]:
            yield (f"{finding['title']!r}: `whatif {finding['what_if']}` gains {shown.time(int(gain))}, and `whatif` "
                   "does not list it")


def verdict_is_short(scope):
    """At most 80 characters in the pill."""
    if len(scope.verdict) > 80:
        yield f"{len(scope.verdict)} characters: {scope.verdict!r}"


def part_says_the_same(scope):
    """What the whole says of the part that repeats is what that part's own report says."""
    if scope.speaks_of_part() and scope.part_report is not None:
        own = scope.part_report["verdict"]
        said = next(arguments["verdict"] for name, arguments in scope.said if name == "verdict.of_part")
        if said != own["text"]:
            yield f"{scope.verdict!r}, and the report of that part says {own['text']!r}"


TABLE = (verdict_is_short, part_says_the_same, busy_gpu, praise_of_an_idle_gpu, praise_of_waiting,
         streams_one_at_a_time, copies_are_no_work, number_of_gpus, startup_is_no_part, startup_is_no_allocation, cost_above_its_bound,
         waits_fill_no_busy_time, waits_cost_what_findings_gain, waits_cost_their_length, idle_counts_once, nothing_is_not_recorded, late_rank,
         iterations_of_the_loop, number_of_iterations, what_if_gains, no_change_says_why, what_if_knows,
         what_if_offers)

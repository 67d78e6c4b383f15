#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tries the checker: what `lanes` says is altered in one place, and the checker must say so by the rule that is meant.
Each rule of the table of contradictions must be tried.

    trial.py --lanes build/bin/lanes --source ROOT"""

import argparse
import os
import sys
import tempfile

import contradictions
import random_recording
import shown
from check_sentences import Found, check
from scope import Lanes
from sentences import Matcher, load


class Altered(Lanes):
    """`alter(arguments, answer)` changes an answer of the program in place."""

    def __init__(self, program, alter):
        super().__init__(program)
        self.alter = alter

    def json(self, *arguments):
        answer = super().json(*arguments)
        if self.alter is not None:
            self.alter(arguments, answer)
        return answer


def of_report(change):
    """Alters the report of the whole recording."""
    def alter(arguments, answer):
        if arguments[0] == "report" and "--range" not in arguments:
            change(answer)
    return alter


def of_what_if(change, listed=False):
    """Alters predictions: of the change of a finding, or the list of all."""
    def alter(arguments, answer):
        if arguments[0] == "whatif" and (len(arguments) == 2) == listed:
            change(answer)
    return alter


class Sentences:
    """Sentences by their ids, whatever the texts say today."""

    def __init__(self, matcher):
        self.matcher = matcher

    def verdict(self, kind, name, busy="94 %", part=False, **arguments):
        """The verdict of the whole is this sentence, with this share of a busy GPU where it has one."""
        arguments.setdefault("gpus", "1")
        arguments.setdefault("gpu", self.matcher.write("verdict.gpu", {"busy": busy}))
        text = self.matcher.write("verdict." + name, {"busy": busy, **arguments})
        if part:
            text = self.matcher.write("verdict.of_part", {"verdict": text})

        def change(report):
            report["verdict"].update({"kind": kind, "text": text, "more": []})

        return of_report(change)

    def praise(self, name, busy="94 %", **arguments):
        return self.verdict(
            "overlapped", "busy_and", busy, praise=self.matcher.write("verdict." + name, arguments))

    def with_waits(self, busy, cost):
        text = self.matcher.write("verdict.gpu", {"busy": busy})
        waits = self.matcher.write("verdict.waits", {"cost": cost})
        return self.verdict("gpu_bound", "with_waits", verdict=text, waits=waits)

    def finding(self, rule, name, cost, **arguments):
        """One finding more, of this rule and cost."""
        title = self.matcher.write(f"finding.{name}.title", {"cost": shown.time(cost), "count": "1", **arguments})

        def change(report):
            report["findings"].insert(0, {
                "rule": rule, "cost_ns": cost, "cost_range_ns": [cost, cost], "count": 1, "title": title,
                "advice": self.matcher.sentences["finding.device-wide-wait.advice"], "replayed": False, "what_if": None,
                "on_top_of": None, "evidence": []})

        return of_report(change)


def first_finding(**values):
    def change(report):
        report["findings"][0].update(values)
    return of_report(change)


def dearer(factor):
    """The first finding costs so many times as much, and its title says so."""
    def change(report):
        finding = report["findings"][0]
        old, new = finding["cost_ns"], int(finding["cost_ns"] * factor)
        finding.update({"cost_ns": new, "cost_range_ns": [new, new],
                        "title": finding["title"].replace(shown.time(old), shown.time(new))})
    return of_report(change)


def many_times(report):
    """Each finding 21 times."""
    report["findings"] += report["findings"] * 20


def moved_evidence(report):
    report["findings"][0]["evidence"][0]["start_ns"] += 1


def one_more(report):
    finding = report["findings"][0]
    finding["title"] = finding["title"].replace(f"({finding['count']}×)", f"({finding['count'] + 1}×)")
    finding["count"] += 1


def gains_nothing(answer):
    for change in answer["changes"]:
        change["predicted_total_ns"] = answer["measured_total_ns"] + 1000


def says_nothing(answer):
    answer.update({"changes": [], "refused": []})


def trials(source, folder, say):
    """[(name, file, alteration, rule that must find it)]"""
    def shipped(name):
        return os.path.join(source, "resources", "recordings", "h200", name + ".sqlite")

    def trace(name):
        return os.path.join(source, "resources", "traces", name + ".sqlite")

    blocking, prefetcher = shipped("copy-results-back.blocking"), shipped("prefetcher.blocking")
    launches, item = shipped("cuda-graph.launches"), trace("pytorch-item.every")
    ranks = os.path.join(source, "tests", "engine", "analysis", "findings", "ranks", "late.sqlite")
    begun = os.path.join(folder, "startup.sqlite")
    random_recording.make(238, begun)

    def figure(report):
        report["gpu_busy_ns"] += 1

    def one_loop(report):
        report["steady"]["count"] = 6

    def other_loop(report):
        report["steady"].update({"found": "ranges", "name": "aten::empty"})

    return [
        ("a figure", blocking, of_report(figure), "figure"),
        ("a share", prefetcher, say.verdict("serial", "serial_copies", "49 %", hidden="0 %"), "argument"),
        ("no sentence", prefetcher, of_report(lambda r: r["verdict"].update(text="The GPU is rather busy")),
         "underivable"),
        ("a cost in a title", blocking, first_finding(cost_ns=10_000_000), "argument"),
        ("a thread that is not there", launches, say.finding(
            "blocked-stream_sync", "blocked", 1_000_000, thread="nobody (1)", cause="a stream"), "underivable"),
        ("a time of evidence", blocking, of_report(moved_evidence), "evidence"),
        ("a count", blocking, of_report(one_more), "evidence"),
        ("a long sentence", prefetcher, of_report(lambda r: r["verdict"].update(text="GPU " * 21)), "verdict_is_short"),
        ("another verdict of the part", trace("recorded.item"), say.verdict("gpu_bound", "gpu", part=True),
         "part_says_the_same"),
        ("starved, and busy", prefetcher, say.verdict("starved", "starved", time="1.00 ms", idle="1.75 ms"),
         "busy_gpu"),
        ("praise of an idle GPU", item, say.praise("overlapped_copies", "6 %", hidden="0 %"),
         "praise_of_an_idle_gpu"),
        ("praise of waiting", shipped("all-reduce.after-backward"), say.praise(
            "overlapped_streams", overlap="90 %"), "praise_of_waiting"),
        ("one at a time, and at once", shipped("two-streams.two-small"), say.verdict(
            "serial", "serial_streams", overlap="90 %"), "streams_one_at_a_time"),
        ("copies are no work", shipped("copy-results-back.copy-alone"), say.verdict(
            "side_by_side", "side_by_side", together="90 %"), "copies_are_no_work"),
        ("one GPU more", shipped("two-gpus.both"), say.verdict(
            "turns", "turns", gpus="3", together="99 %"), "number_of_gpus"),
        ("start-up as starving", trace("recorded.graph"), say.verdict(
            "starved", "starved", "1 %", time="100 ms", idle="300 ms"), "startup_is_no_part"),
        ("start-up as allocation", begun, say.verdict(
            "starved", "starved_allocating", "2 %", time="88.0 ms", idle="129 ms"), "startup_is_no_allocation"),
        ("a cost above the wall time", blocking, dearer(20), "cost_above_its_bound"),
        ("waits of a busy GPU", shipped("timing-mistakes.sync-both"), say.with_waits("99 %", "5.00 ms"),
         "waits_fill_no_busy_time"),
        ("waits for less than a finding gains", shipped("optimizer-step.clip"), say.with_waits("60 %", "1.00 ms"),
         "waits_cost_what_findings_gain"),
        ("a wait longer than it lasts", launches, say.finding("device-wide-wait", "device-wide-wait", 1_000_000_000),
         "waits_cost_their_length"),
        ("idle time twice", shipped("data-loader.workers-0-pinned"), of_report(many_times), "idle_counts_once"),
        ("no GPU work", launches, say.verdict("none", "no_gpu_work"), "nothing_is_not_recorded"),
        ("a late rank", ranks, dearer(5), "late_rank"),
        ("a loop of something else", item, of_report(other_loop), "iterations_of_the_loop"),
        ("too few iterations", item, of_report(one_loop), "number_of_iterations"),
        ("a change that gains nothing", blocking, of_what_if(gains_nothing), "what_if_gains"),
        ("no change, without a reason", blocking, first_finding(what_if=None), "no_change_says_why"),
        ("nothing to gain, without a reason", blocking, of_what_if(says_nothing, True), "what_if_knows"),
        ("a change that is not listed", blocking, of_what_if(says_nothing, True), "what_if_offers"),
    ]


def found_by(program, matcher, file, alter, folder):
    found = Found(file)
    check(Altered(program, alter), matcher, file, folder, True, found)
    return [(rule, text) for rule, text in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lanes", required=True)
    parser.add_argument("--source", required=True)
    arguments = parser.parse_args()
    matcher = Matcher(load(os.path.join(arguments.source, "resources", "text", "en.yaml")))
    wrong, tried, unaltered = [], set(), {}
    with tempfile.TemporaryDirectory() as folder:
        for name, file, alter, rule in trials(arguments.source, folder, Sentences(matcher)):
            if file not in unaltered:
                unaltered[file] = found_by(arguments.lanes, matcher, file, None, folder)
            found = found_by(arguments.lanes, matcher, file, alter, folder)
            new = [each for each in found if each not in unaltered[file]]
            tried.add(rule)
            if not any(each[0] == rule for each in new):
                wrong.append(f"{name}: {rule} says nothing; found: {new}")
    missing = {rule.__name__ for rule in contradictions.TABLE} - tried
    if missing:
        wrong.append(f"no trial of {', '.join(sorted(missing))}")
    for line in wrong:
        print(line)
    print(f"{len(tried)} rules tried, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

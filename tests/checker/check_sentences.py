#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds what `lanes` says of recordings against the recordings: counts, times, shares and names in each sentence are
computed again here, from the file and docs/definitions.md, and the table of contradictions is applied.

    check_sentences.py --lanes build/bin/lanes --texts resources/text/en.yaml FILE... [--random 500]

Prints a line for each sentence that contradicts the figures, or that could not be derived. Exit status 1 if there is
one, 2 for a wrong command."""

import argparse
import fnmatch
import multiprocessing
import os
import sys
import tempfile

import contradictions
import derive
import finding_claims
import figures_check
import random_recording
import text_claims
from recording import Recording
from scope import Facts, Lanes, LanesFailed, Scope
from sentences import Matcher, load


class Found(list):
    """What is wrong with a recording: (rule, text)."""

    def __init__(self, name):
        super().__init__()
        self.name = name

    def add(self, rule, text):
        self.append((rule, text))


def hold_arguments(name, said, should, found):
    for key, value in said.items():
        if key in derive.SENTENCES or value is None:
            continue
        if should.get(key) is None:
            found.add("underivable", f"{name}: {{{key}}} = {value!r}")
        elif value != should[key] and not (isinstance(should[key], list) and value in should[key]):
            found.add("argument", f"{name}: {{{key}}} is {value!r}, and should be {should[key]!r}")


def check_arguments(scope, found):
    """Each argument of each sentence about this range."""
    for name, said in scope.said:
        if name in derive.VERDICTS:
            hold_arguments(name, said, derive.VERDICTS[name](scope, said), found)
        else:
            found.add("underivable", f"{name}: {said}")
    for finding, sentences in zip(scope.findings, scope.titles):
        for name, said in sentences:
            hold_arguments(name, said, finding_claims.arguments(scope, finding, name, said), found)
        for text in finding_claims.wrong_evidence(scope, finding):
            found.add("evidence", text)
    for text in scope.unmatched:
        found.add("underivable", f"no sentence of the texts: {text!r}")


def check_scope(scope, found):
    check_arguments(scope, found)
    for rule in contradictions.TABLE:
        for text in rule(scope):
            found.add(rule.__name__, text)


def opened(file, lanes, folder):
    """The recording in our own layout; other tools' files are converted."""
    with open(file, "rb") as start:
        head = start.read(16)
    if head.startswith(b"SQLite format 3"):
        recording = Recording(file)
        if "LANESCOPE_META" in recording.tables:
            return recording
    own = os.path.join(folder, "converted.sqlite")
    lanes.text("convert", file, own)
    try:
        return Recording(own)
    finally:
        os.remove(own)


def check(lanes, matcher, file, folder, what_if, found):
    """Holds all that is said of a file against it."""
    facts = Facts(opened(file, lanes, folder))
    report = lanes.json("report", file)
    part = lanes.json("report", file, "--range", "steady") if report["steady"] is not None else None
    scopes = [Scope(lanes, matcher, facts, file, report, part)]
    if part is not None:
        scopes.append(Scope(lanes, matcher, facts, file, part, True))
    for scope in scopes:
        of_scope = Found(file)
        figures_check.check(scope, of_scope)
        part_only = ("--range", "steady") if scope.is_part else ()
        text_claims.check(scope, lanes.text("report", file, *part_only), of_scope)
        if what_if:
            scope.ask_what_if()
        check_scope(scope, of_scope)
        found.extend((rule, ("[--range steady] " if scope.is_part else "") + text) for rule, text in of_scope)


def check_file(job):
    """(name, [(rule, text)], None or why it was left out) of one file, or of the random recording of a number."""
    file, program, texts, what_if = job
    lanes, matcher = Lanes(program), Matcher(load(texts))
    with tempfile.TemporaryDirectory() as folder:
        name = file
        if isinstance(file, int):
            name, file = f"random {file}", os.path.join(folder, f"random-{file}.sqlite")
            random_recording.make(int(name.split()[1]), file)
        found = Found(name)
        try:
            check(lanes, matcher, file, folder, what_if, found)
        except LanesFailed as error:
            if not file.endswith(".sqlite"):  # beside traces are files that no program opens
                return name, [], str(error)
            found.add("refused", str(error))
    return name, list(found), None


def files_in(paths):
    """The files, and of folders all recordings and traces in them; README, truths and programs beside them are none."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
        for folder, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                if name.endswith((".sqlite", ".json", ".gz")) and not name.endswith(".truth.json"):
                    yield os.path.join(folder, name)


def load_known(path):
    """[(rule, pattern of a recording's name)] of what is known to be wrong, one a line with a tab between."""
    with open(path, encoding="utf-8") as file:
        return [tuple(line.rstrip("\n").split("\t")) for line in file if line.strip() and not line.startswith("#")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="recordings and traces, and folders of them")
    parser.add_argument("--lanes", required=True, help="the program")
    parser.add_argument("--texts", required=True, help="resources/text/en.yaml")
    parser.add_argument("--random", type=int, default=0, help="so many random recordings, too")
    parser.add_argument("--first", type=int, default=0, help="the number of the first of them")
    parser.add_argument("--known", help="rules and recordings for which something is known to be wrong")
    parser.add_argument("--no-what-if", action="store_true", help="do not try the changes of findings")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    files = [path for path in files_in(arguments.files)]
    if arguments.files and not any(os.path.exists(path) for path in files):
        print("skipped: there is no such file")
        return 77
    files.sort(key=os.path.getsize, reverse=True)  # the longest first, so that none runs on alone at the end
    names = files + [arguments.first + number for number in range(arguments.random)]
    jobs = [(name, arguments.lanes, arguments.texts, not arguments.no_what_if) for name in names]
    known = load_known(arguments.known) if arguments.known else []
    wrong, left_out = 0, 0
    with multiprocessing.Pool(arguments.jobs) as pool:
        for file, found, why in pool.imap(check_file, jobs):
            left_out += why is not None
            for rule, text in found:
                if any(rule == each and fnmatch.fnmatch(file, pattern) for each, pattern in known):
                    continue
                print(f"{file}: {rule}: {text}")
                wrong += 1
            sys.stdout.flush()
    print(f"{len(jobs) - left_out} recordings, {wrong} sentences that are wrong or could not be derived; "
          f"{left_out} files that are no recordings")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

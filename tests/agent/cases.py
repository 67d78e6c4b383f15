#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Questions with known answers: each file of cases/ names recordings, the commands that answer a question, and what
must be in their answers. No model takes part: an agent that runs these commands is given what it needs.

    # Why does the loop wait in each batch?
    A resources/recordings/h200/item-every-batch.every.sqlite
    $ lanes report A --json
    verdict.kind == blocked
    findings[*].rule has sync-after-small-copy
    findings[0].cost_ns > 1ms
    $ lanes compare A B --gate wall<5%
    exit 2
    errors has cannot compare

A, B: recordings, from the root of the source; a path that begins with .. is beside the source, and the case is skipped
if it is not there. OUT is a fresh folder, for what the commands write. A line below a command is PATH OPERATOR VALUE:
== != < <= > >= (numbers, times with a unit), ~ (within 5 %), has and lacks (of a list or a text), empty. PATH walks
through JSON with dots, [3] and [*]; `text` is all that was printed, `errors` what was complained about. A command
without a line `exit N` must end with 0. Answers must also be as short as the command promises.
"""
import argparse
import glob
import json
import operator
import os
import re
import shlex
import sys
import tempfile

from answers import Lanes, too_long

UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
COMPARED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
            "~": lambda a, b: abs(a - b) <= 0.05 * abs(b)}


class Wrong(Exception):
    pass


def value_of(word):
    if number := re.fullmatch(r"(-?[\d.]+)\s*([A-Za-z]*)", word):
        if not number[2] or number[2] in UNITS:
            return float(number[1]) * UNITS.get(number[2], 1)
    return {"true": True, "false": False, "null": None}.get(word, word)


def look_up(answer, path):
    """[what lies there], several for [*]."""
    found = [answer]
    for name, index in re.findall(r"([^.\[\]]+)|\[([^\]]+)\]", path):
        if name:
            if any(not isinstance(each, dict) or name not in each for each in found):
                raise Wrong(f"{path}: there is no {name}")
            found = [each[name] for each in found]
        elif index == "*":
            found = [inner for each in found for inner in each]
        else:
            if any(len(each) <= int(index) for each in found):
                raise Wrong(f"{path}: the list is shorter")
            found = [each[int(index)] for each in found]
    return found


def check(answer, line):
    words = line.split(None, 2)
    path, how, expected = words[0], words[1], value_of(words[2]) if len(words) > 2 else None
    if path in ("text", "errors"):
        found = [answer.text if path == "text" else answer.errors]
    else:
        found = look_up(answer.json(), path)
    if how in ("has", "lacks"):
        texts = [inner for each in found for inner in (each if isinstance(each, list) else [each])]
        is_there = any(words[2] in str(each) for each in texts)
        holds = is_there == (how == "has")
    elif how == "empty":
        holds = all(not each for each in found)
    elif how in ("==", "!="):
        holds = all((each == expected) == (how == "==") for each in found) and bool(found)
    elif how in COMPARED:
        holds = bool(found) and all(each is not None and COMPARED[how](each, expected) for each in found)
    else:
        raise Wrong(f"{line}: expected ==, !=, <, <=, >, >=, ~, has, lacks or empty, found {how}")
    if not holds:
        raise Wrong(f"{line}: found {str(found)[:300]}")


def run_case(lanes, source, file, folder):
    """Whether it was run: what it reads may not be there."""
    names, answer, words, status = {"OUT": folder}, None, [], 0

    def end():
        if answer is None:
            return
        if answer.status != status:
            raise Wrong(f"exit {answer.status}, expected {status}: {answer.errors.strip()}")
        if long := too_long(words, answer):
            raise Wrong(long)

    checks = 0
    with open(file, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            try:
                if not line or line.startswith("#"):
                    continue
                if re.match(r"[A-Z] ", line):
                    names[line[0]] = os.path.normpath(os.path.join(source, line[2:].strip()))
                    if not os.path.exists(names[line[0]]):
                        if line[2:].strip().startswith(".."):
                            return False
                        raise Wrong(f"no such file: {names[line[0]]}")
                elif line.startswith("$ lanes "):
                    end()
                    status = 0
                    words = [re.sub(r"^(OUT|[A-Z])(?=$|/)", lambda m: names.get(m[1], m[1]), word)
                             for word in shlex.split(line[8:])]
                    answer = lanes.run(words)
                elif line.startswith("exit "):
                    status = int(line[5:])
                else:
                    check(answer, line)
                    checks += 1
            except (Wrong, ValueError, KeyError, IndexError, TypeError, AttributeError, json.JSONDecodeError) as error:
                raise Wrong(f"{file}:{number}: {type(error).__name__ if not isinstance(error, Wrong) else ''}{error}")
    try:
        end()
    except Wrong as error:
        raise Wrong(f"{file}: {error}")
    if checks == 0:
        raise Wrong(f"{file}: it checks nothing")
    return True


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--lanes", required=True)
    words.add_argument("--source", required=True)
    words.add_argument("case", nargs="*", help="only these files")
    given = words.parse_args()
    lanes = Lanes(os.path.abspath(given.lanes), given.source)
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")
    files = given.case or sorted(glob.glob(os.path.join(here, "*.case")))
    passed = skipped = 0
    wrong = []
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            try:
                if run_case(lanes, given.source, file, folder):
                    passed += 1
                else:
                    skipped += 1
            except Wrong as error:
                wrong.append(str(error))
    print("\n".join(wrong))
    print(f"{passed} cases hold, {len(wrong)} do not, {skipped} read files that are not here")
    return 1 if wrong or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

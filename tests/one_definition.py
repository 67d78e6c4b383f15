#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No two files define a class of one name in one namespace: where both are linked into one program, they share their functions, and
it crashes. Neither compiler nor linker says so.

    one_definition.py ROOT     exit status 1, and the places, if there are such"""
import collections
import pathlib
import re
import sys

NAMESPACE = re.compile(r"^(?:inline )?namespace ?([\w:]*) ?\{")
TYPE = re.compile(r"^(?:template ?<.*> ?)?(?:struct|class|union|enum class|enum) (?:alignas\(.*?\) )?(\w+)(?: final)?(?: ?:[^:;][^;]*)?(?: \{|$)")


def definitions(lines):
    """(namespace, name, line) of the types that `lines` define at no indent, which is how the formatter has them."""
    spaces = []
    for number, line in enumerate(lines, 1):
        space = NAMESPACE.match(line)
        if space:
            spaces.append(space.group(1))
        elif line.startswith("}  // namespace"):
            spaces.pop()
        elif (found := TYPE.match(line)) and "" not in spaces:
            yield "::".join(spaces), found.group(1), number


def main():
    root = pathlib.Path(sys.argv[1])
    places = collections.defaultdict(list)
    for folder in ("probes", "engine", "gui"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cpp", ".cu", ".cuh"):
                for space, name, number in definitions(path.read_text(encoding="utf-8").split("\n")):
                    places[space, name].append(f"{path.relative_to(root)}:{number}")
    twice = {key: found for key, found in places.items() if len(found) > 1}
    for (space, name), found in sorted(twice.items()):
        print(f"{space}::{name} is defined in {', '.join(found)}")
    print(f"{len(places)} types, {len(twice)} of them defined twice")
    return 1 if twice or len(places) < 500 else 0


if __name__ == "__main__":
    sys.exit(main())

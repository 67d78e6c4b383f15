#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# arrows.sh SOURCE_TREE: fails if a file includes one of a room that tests/arrows.txt does not allow its room to
# include, and if a file is in no room. What is not in the table is forbidden. fmt is for engine/formatted.cpp, which
# alone is compiled with it.
set -euo pipefail
cd "$1"
found=$(find probes engine gui -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' | LC_ALL=C sort)
[ -n "$found" ] || { echo "arrows.sh: no source files under $1" >&2; exit 2; }
# shellcheck disable=SC2086  # no name of ours has a space
awk '
    function room(path) {  # the longest folder of the table that holds it
        while (sub("/[^/]*$", "", path)) {
            if (path in known) return path
        }
        return ""
    }
    FILENAME == table {
        sub("#.*", "")
        if (NF > 0) {
            known[$1]
            for (i = 2; i <= NF; ++i) allowed[$1, $i]
        }
        next
    }
    FNR == 1 {
        from = room(FILENAME)
        ++files
        if (from == "") {
            print FILENAME ": lies in no room of " table
            ++wrong
        }
    }
    match($0, "^#include \"(probes|engine|gui)/[^\"]*\"") {
        included = substr($0, 11, RLENGTH - 11)
        to = room(included)
        if (from != "" && to != from && !((from, to) in allowed)) {
            print FILENAME ":" FNR ": " from " may not include " (to == "" ? "what lies in no room" : to) ": \"" included "\""
            ++wrong
        }
    }
    /^#include <fmt\// && FILENAME !~ "^engine/formatted[.]" {
        print FILENAME ":" FNR ": includes fmt; \"engine/formatted.h\" has what is needed of it"
        ++wrong
    }
    END {
        print files " files, " wrong + 0 " includes that run the wrong way"
        exit wrong > 0
    }
' table=tests/arrows.txt tests/arrows.txt $found

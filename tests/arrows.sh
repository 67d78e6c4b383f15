#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# arrows.sh SOURCE_TREE: fails if a file includes one of a room that tests/arrows.txt does not allow its room to
# include, and if a file is in no room. What is not in the table is forbidden. fmt is for engine/formatted.cpp, which
# alone is compiled with it. It also fails if a folder is missing from the list of docs/architecture.md, or is only there.
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

# The list has floors in its first column and rooms in the second; what lies in a room is in the text as NAME/ or /NAME.
# Probes have no rooms, and their folders may be of Python alone.
# shellcheck disable=SC2086
printf '%s\n' $found | sed 's,/[^/]*$,,' | LC_ALL=C sort -u | awk '
    FILENAME == list {
        if (/^```/) inside = 0
        if (/^gui\/ /) inside = 1
        if (!inside) next
        if (/^[a-z]/) {
            floor = $1
            sub("/", "", floor)
        }
        if (floor != "gui" && floor != "engine" && floor != "probes") next
        first = substr($0, 12, 11)
        gsub(/^ *| .*$|\/.*$/, "", first)
        if (first != "" && floor != "probes") {
            room = floor "/" first
            listed[room]
        } else if (floor == "probes") {
            room = floor
        }
        text = " " substr($0, floor == "probes" ? 12 : 23)
        gsub(/[^a-z_\/]/, " ", text)
        said[room] = said[room] text " "
        count = split(text, word, " ")
        for (i = 1; i <= count; ++i) {
            if (word[i] ~ /^[a-z_]+\/$/) listed[room "/" substr(word[i], 1, length(word[i]) - 1)]
        }
        next
    }
    {
        is[$0]
        around = $0
        while (sub("/[^/]*$", "", around)) is[around]
        around = $0
        if (!sub("/[^/]*$", "", around)) next
        name = substr($0, length(around) + 2)
        if (!($0 in listed) && said[around] !~ "[ /]" name "/" && said[around] !~ "/" name " ") {
            print $0 ": is not in the list of " list
            ++wrong
        }
    }
    END {
        for (folder in listed) {
            if (!(folder in is) && folder !~ /^probes\//) {
                print folder ": is in the list of " list ", and not in the tree"
                ++wrong
            }
        }
        exit wrong > 0
    }
' list=docs/architecture.md docs/architecture.md -

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# arrows_trial.sh: arrows.sh finds each kind of wrong include in a small tree made for it, and nothing else.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{docs,tests,probes,engine/trace,engine/run/cuda,gui/odd,gui/lanes,gui/paint}
cp "$here/arrows.txt" "$tree/tests/"
put() { printf '%s\n' "$2" >"$tree/$1"; }

put probes/record.h '#pragma once'
put engine/trace/trace.h '#include "probes/record.h"'
put engine/run/cuda/stream.cpp '#include "engine/run/job.h"'
put engine/run/job.h '#include <string>'
put gui/lanes/row.h '#include "engine/trace/trace.h"'
put gui/paint/pen.h '#include "gui/lanes/row.h"'
put engine/formatted.cpp '#include <fmt/format.h>'
list='gui/       lanes      rows
           paint      pens
engine/    run        runs;  run/cuda on GPUs
           trace      columns
probes/    record.h   the records'
put docs/architecture.md '```'$'\n'"$list"$'\n''```'
bash "$here/arrows.sh" "$tree" >/dev/null || { echo "a tree without a wrong include was refused"; exit 1; }

put docs/architecture.md '```'$'\n'"${list/paint /over\/ }"$'\n''```'
expected='gui/over: is in the list of docs/architecture.md, and not in the tree
gui/paint: is not in the list of docs/architecture.md'
if found=$(bash "$here/arrows.sh" "$tree"); then
    echo "a wrong list of folders was let through"
    exit 1
fi
diff <(printf '%s\n' "$expected") <(LC_ALL=C sort <<<"$found" | grep -v ' files, ')

put probes/record.h '#include "engine/trace/trace.h"'
put engine/trace/trace.h '#include "gui/lanes/row.h"'
put gui/lanes/row.h '#include "gui/paint/pen.h"'
put gui/paint/pen.h '#include "engine/run/cuda/stream.h"'
put gui/odd/odd.cpp '#include <vector>'
put engine/run/job.h '#include <fmt/format.h>'
expected='engine/run/job.h:1: includes fmt; "engine/formatted.h" has what is needed of it
engine/trace/trace.h:1: engine/trace may not include gui/lanes: "gui/lanes/row.h"
gui/lanes/row.h:1: gui/lanes may not include gui/paint: "gui/paint/pen.h"
gui/odd/odd.cpp: lies in no room of tests/arrows.txt
gui/paint/pen.h:1: gui/paint may not include engine/run/cuda: "engine/run/cuda/stream.h"
probes/record.h:1: probes may not include engine/trace: "engine/trace/trace.h"'
if found=$(bash "$here/arrows.sh" "$tree"); then
    echo "wrong includes were let through"
    exit 1
fi
diff <(printf '%s\n' "$expected") <(LC_ALL=C sort <<<"$found" | grep -v ' files, ')

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs every benchmark of a build folder, one after the other: ratios and counts.
# Called by ./dev bench; arguments after the folder choose benchmarks by name.
set -uo pipefail

build=$1
shift
status=0
for program in "$build"/bin/bench_*; do
    name=$(basename "$program")
    [ $# -gt 0 ] && [[ " $* " != *" $name "* ]] && continue
    printf '\n== %s\n' "$name"
    QT_QPA_PLATFORM=offscreen "$program" || { status=1; printf '%s failed\n' "$name"; }
done
exit $status

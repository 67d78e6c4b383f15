#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Everything worth running on a machine with a GPU, in one go and without supervision:
#
#   gpu_session.sh FOLDER OUT [STEP...]
#
# FOLDER holds bin/lanes with the probe beside it and resources/ (an unpacked package, or a build
# folder). OUT gets log.txt, one file of output for each step, and h100/ with the recordings. Each step
# has a time limit of its own, and a step that fails stops none of the others. Without STEP all of
# them run; the exit status is the number of steps that failed.
set -u

folder=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
only=" $* "
lanes=$folder/bin/lanes
workloads="pageable-or-pinned copy-results-back item-every-batch two-streams default-stream"
failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$out/h100"

# CUPTI where no toolkit is installed: the one that a Python package brought along.
has_cupti() {
    local place
    for place in "$folder"/bin /usr/local/cuda*/lib* /usr/local/cuda*/extras/CUPTI/lib*; do
        [ -e "$place/libcupti.so.13" ] && return 0
    done
    return 1
}
if [ -z "${LANES_CUPTI:-}" ] && ! has_cupti; then
    found=$(find / -xdev -name libcupti.so.13 -not -path '/proc/*' 2>/dev/null | head -1)
    [ -n "$found" ] && export LANES_CUPTI=$found
fi

log() { printf '%s %s\n' "$(date +%T)" "$*" | tee -a "$out/log.txt"; }

step() { # NAME SECONDS COMMAND...
    local name=$1 limit=$2 status
    shift 2
    [ "$only" = "  " ] || [[ $only == *" $name "* ]] || return 0
    log "$name ..."
    timeout -k 5 "$limit" "$@" >"$out/$name.txt" 2>&1
    status=$?
    log "$name: exit status $status"
    tail -n 5 "$out/$name.txt" | sed 's/^/    /' | tee -a "$out/log.txt"
    [ $status -eq 0 ] || failed=$((failed + 1))
    return 0
}

record_all() {
    local workload bad=0
    for workload in $workloads; do
        "$lanes" run "$workload" --device cuda -o "$out/h100" --json || bad=1
    done
    ls -l "$out/h100"
    return $bad
}

report_all() {
    local file bad=0
    for file in "$out"/h100/*.sqlite; do
        "$lanes" report "$file" --json >"${file%.sqlite}.json" || bad=1
        "$lanes" report "$file" || bad=1
    done
    return $bad
}

# The same calls by hand, by `lanes run` without the probe, and with it.
ratios() {
    "$folder/bin/bench_run_overhead" --lanes "$lanes"
}

# What a kernel of 2 s keeps from the disk.
held_back() {
    "$folder/bin/bench_probe_flush"
}

gpu_tests() {
    local test bad=0
    for test in "$folder"/tests/tst_*; do
        if [ -x "$test" ]; then
            LANES_BUILD=$folder LANES_SOURCE=$folder "$test" || bad=1
        fi
    done
    return $bad
}

# What a fault leaves: exit status 1, the step and the CUDA error named, every call up to it.
fault() {
    local pinned=$1 file=$scratch/fault-$1.sqlite status
    cat >"$scratch/fault.yaml" <<'YAML'
title: {en: A kernel that faults}
buffers:
  x: {on: gpu 0, bytes: 16 MiB, count: 4}
  x_cpu: {on: host, memory: pinned, bytes: 16 MiB, count: 4}
streams:
  work: {gpu: 0}
threads:
  main:
    - repeat: 4
      as: i
      do:
        - kernel: {name: matmul, stream: work, time: 1 ms, blocks: all, writes: x.$i}
        - copy: {from: x.$i, to: x_cpu.$i, stream: work}
        - sync: {stream: work}
    - fault: {stream: work}
    - sync: device
YAML
    LANES_CUPTI_HOST_PINNED=$pinned "$lanes" run "$scratch/fault.yaml" --device cuda -o "$file"
    status=$?
    echo "exit status $status (1 expected)"
    cp "$file" "$out/fault-host-pinned-$pinned.sqlite" || return 1
    "$lanes" report "$file" --json | tr ',' '\n' | grep -E '"(api_calls|kernels|copies|syncs|dropped)"'
    "$lanes" report "$file"
    [ $status -eq 1 ]
}

host_pinned_cost() {
    local pinned
    for pinned in 0 1 0 1; do
        echo "LANES_CUPTI_HOST_PINNED=$pinned"
        LANES_CUPTI_HOST_PINNED=$pinned "$lanes" run item-every-batch --variant never --device cuda -o "$scratch" --json
    done
}

# kill -9 of the run: the spool stays, and can be read.
killed() {
    local file=$scratch/killed.sqlite parent child
    cat >"$scratch/long.yaml" <<'YAML'
title: {en: A run to be killed}
buffers:
  x: {on: gpu 0, bytes: 16 MiB}
streams:
  work: {gpu: 0}
threads:
  main:
    - repeat: 4000
      as: i
      do:
        - kernel: {name: matmul, stream: work, time: 2 ms, blocks: all, writes: x}
        - sync: {stream: work}
YAML
    for target in child parent; do
        rm -f "$file" "$scratch/killed.spool"
        "$lanes" run "$scratch/long.yaml" --device cuda -o "$file" &
        parent=$!
        sleep 7
        child=$(cut -d" " -f1 "/proc/$parent/task/$parent/children")
        if [ $target = child ]; then
            kill -9 "$child"
            wait $parent
            echo "the child killed: exit status $? (1 expected)"
            "$lanes" report "$file" || return 1
            cp "$file" "$out/killed-child.sqlite"
        else
            kill -9 $parent
            wait $parent
            sleep 3
            ls -l "$scratch"
            "$lanes" convert "$scratch/killed.spool" "$scratch/recovered.sqlite" || return 1
            "$lanes" report "$scratch/recovered.sqlite" || return 1
            cp "$scratch/recovered.sqlite" "$out/killed-parent.sqlite"
        fi
    done
}

interrupted() {
    local status
    "$lanes" run item-every-batch --variant every --set batches=2000 --device cuda -o "$scratch/int.sqlite" &
    local parent=$!
    sleep 6
    kill -INT $parent 2>/dev/null
    wait $parent
    status=$?
    echo "exit status $status (130 expected, 0 if it was over before)"
    ls -l "$scratch"
}

# How well kernels keep to their time: the workload's figure against what CUPTI saw.
kernel_times() {
    cat >"$scratch/times.yaml" <<'YAML'
title: {en: Kernels of given times}
buffers:
  y: {on: gpu 0, bytes: 64 MiB}
streams:
  s: {gpu: 0}
threads:
  main:
    - repeat: 10
      as: i
      do:
        - kernel: {name: fma_2ms, stream: s, time: 2 ms, blocks: all, writes: y}
        - kernel: {name: fma_100us, stream: s, time: 100 us, blocks: all}
        - kernel: {name: fma_20us_4, stream: s, time: 20 us, blocks: 4}
        - kernel: {name: spin_2ms, stream: s, time: 2 ms, blocks: 8, work: spin}
        - kernel: {name: spin_20us, stream: s, time: 20 us, blocks: all, work: spin}
        - kernel: {name: memory_2ms, stream: s, time: 2 ms, blocks: all, work: memory}
        - kernel: {name: memory_100us, stream: s, time: 100 us, blocks: all, work: memory}
    - sync: device
YAML
    "$lanes" run "$scratch/times.yaml" --device cuda -o "$out/kernel-times.sqlite" || return 1
    "$lanes" convert "$out/kernel-times.sqlite" "$scratch/times.csv" || return 1
    head -12 "$scratch/times.csv"
    python3 - "$out/kernel-times.sqlite" <<'PY'
import sqlite3, statistics, sys
rows = sqlite3.connect(sys.argv[1]).execute(
    "select s.value, k.end - k.start from CUPTI_ACTIVITY_KIND_KERNEL k join StringIds s on s.id = k.shortName")
times = {}
for name, ns in rows:
    times.setdefault(name, []).append(ns)
for name, all_ns in sorted(times.items()):
    print(f"{name:14} median {statistics.median(all_ns) / 1e3:9.2f} us, {min(all_ns) / 1e3:9.2f} to {max(all_ns) / 1e3:9.2f}")
PY
}

log "lanes: $lanes; CUPTI: ${LANES_CUPTI:-sought}"
step doctor 60 "$lanes" doctor
export -f kernel_times record_all report_all ratios held_back gpu_tests fault host_pinned_cost killed interrupted
export lanes out scratch workloads folder
step kernel-times 120 bash -c kernel_times
step record 400 bash -c record_all
step report 60 bash -c report_all
step ratios 200 bash -c ratios
step held-back 100 bash -c held_back
step fault-0 60 bash -c "fault 0"
step fault-1 60 bash -c "fault 1"
step host-pinned-cost 100 bash -c host_pinned_cost
step killed 90 bash -c killed
step interrupted 60 bash -c interrupted
step gpu-tests 400 bash -c gpu_tests
log "$failed steps failed"
exit $failed

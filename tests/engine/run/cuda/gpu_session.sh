#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Everything worth running on a machine with a GPU, unattended, in parts that each end within 9 minutes:
#
#   [PART=...] [REPEAT=5] [WORKLOADS="a b"] gpu_session.sh FOLDER OUT [STEP...]
#
# FOLDER holds bin/lanes with the probe beside it, resources/ and tests/ (an unpacked package of ./dev package --tests,
# or a build folder). PART is
#   tests      the tests that need a GPU
#   record     every variant of every workload (or of WORKLOADS), the median of REPEAT runs each, and their reports
#   listings   the lessons' listings as printed, and a model device calibrated to this GPU
#   more       what was measured once and may be again: kernel times, ratios, faults, kills
#   all        these four, the default
# and STEP names single steps of them. OUT gets log.txt and PART.tar.xz with all that came out of it (of record:
# rec.tar.xz, the recordings in a folder named for the GPU). Each step has a time limit of its own, and one that fails
# stops none of the others; the exit status is the number of steps that failed. What needs more GPUs than there are, NCCL
# or PyTorch where there is none, is left out and said so.
set -u

folder=$(cd "$1" && pwd)
mkdir -p "$2"
results=$(cd "$2" && pwd)
shift 2
only=" $* "
part=${PART:-all}
repeat=${REPEAT:-5}
lanes=$folder/bin/lanes
known=$("$lanes" list --json | grep -o '"name": *"[^"]*"' | cut -d'"' -f4)
workloads=${WORKLOADS:-$known}
parts=$folder/tests/engine/run/cuda/workloads
failed=0
scratch=$(mktemp -d)
out=$scratch/out
mkdir -p "$out"
trap 'rm -rf "$scratch"' EXIT
gpus=$("$lanes" doctor --json | grep -o '"uuid"' | wc -l)
gpu=$("$lanes" doctor | grep -o -i -m1 'h[12]00' | head -1 | tr A-Z a-z)
recordings=$out/${gpu:-gpu}
mkdir -p "$recordings"
ends=$((SECONDS + 500))  # of a part: steps that have not begun by then are left out

# CUPTI if no toolkit is installed: the one of a Python package. NCCL likewise.
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

has_nccl() { "$lanes" doctor --json | grep -q '"nccl": *"[0-9]'; }
if [ -z "${LANES_NCCL:-}" ] && ! has_nccl; then
    found=$(find / -xdev -name libnccl.so.2 -not -path '/proc/*' 2>/dev/null | head -1)
    [ -n "$found" ] && export LANES_NCCL=$found
fi

log() { printf '%s %s\n' "$(date +%T)" "$*" | tee -a "$results/log.txt"; }

# Runs a command within its own limit and within what is left of the part.
step() { # NAME SECONDS COMMAND...
    local name=$1 limit=$2 began=$SECONDS status
    shift 2
    [ "$only" = "  " ] || [[ $only == *" $name "* ]] || return 0
    [ $((ends - SECONDS)) -ge "$limit" ] || limit=$((ends - SECONDS))
    if [ "$limit" -lt 5 ]; then
        log "$name: left out, no time left"
        failed=$((failed + 1))
        return 0
    fi
    timeout -k 5 "$limit" "$@" >"$out/$name.txt" 2>&1
    status=$?
    log "$name: exit status $status after $((SECONDS - began)) s"
    tail -n "${shown:-5}" "$out/$name.txt" | sed 's/^/    /' | tee -a "$results/log.txt"
    [ $status -eq 0 ] || failed=$((failed + 1))
    return 0
}

# The results of a part, as one file.
pack() { # NAME
    log "$1.tar.xz: $(du -sh "$out" | cut -f1)"
    tar -C "$out" -cf - . | xz -T0 -3 >"$results/$1.tar.xz"
    ls -l "$results/$1.tar.xz" | tee -a "$results/log.txt"
    rm -rf "${out:?}"/*
    mkdir -p "$recordings"
    ends=$((SECONDS + 500))
}

is_asked() { [ "$part" = all ] || [ "$part" = "$1" ]; }

# How many GPUs a workload of the catalogue needs.
gpus_of() { "$lanes" show "$1" --json | grep -o '"gpus": *[0-9]*' | grep -o '[0-9]*$'; }

record() { # WORKLOAD
    if [ "$(gpus_of "$1")" -gt "$gpus" ]; then
        echo "left out, $gpus GPU here"
    elif [[ $1 =~ ^(all-reduce|gradient-accumulation|fsdp|pipeline)$ ]] && ! has_nccl; then
        echo "left out, no NCCL here"
    else
        "$lanes" run "$1" --repeat "$repeat" --device cuda -o "$recordings"
    fi
}

# Workloads of one part of the language: recorded, reported, and what Nsight's own tables say about them.
part() { # NAME...
    local name file bad=0
    mkdir -p "$out/parts"
    for name in "$@"; do
        "$lanes" run "$parts/$name.yaml" --device cuda -o "$out/parts" || bad=1
        for file in "$out/parts/$name".*sqlite; do
            "$lanes" report "$file" || bad=1
            "$lanes" convert "$file" "$scratch/part.csv" && head -60 "$scratch/part.csv"
        done
    done
    return $bad
}

two_gpus() {
    if [ "$gpus" -lt 2 ]; then
        echo "left out: $gpus GPU here"
        return 0
    fi
    nvidia-smi topo -m 2>/dev/null
    part peers without-peers two-threads || return 1
    "$lanes" run two-gpus --device cuda -o "$out/parts" || return 1
    "$lanes" run two-gpus --variant both --device cuda:1 -o "$scratch/from-1.sqlite"  # GPU 1 is the workload's GPU 0
}

nccl() {
    if [ "$gpus" -lt 2 ] || ! has_nccl; then
        echo "left out: $gpus GPU here, or no NCCL"
        return 0
    fi
    "$lanes" doctor | grep -A1 NCCL
    part nccl || return 1
    "$lanes" run all-reduce --device cuda -o "$out/parts" || return 1
    LANES_NCCL=/nowhere/libnccl.so.2 "$lanes" run all-reduce --variant in-buckets --device cuda -o "$scratch/none.sqlite"
    echo "without NCCL: exit status $? (1 expected)"
}

graphs() {
    part graphs || return 1
    "$lanes" run cuda-graph --device cuda -o "$out/parts"
}

pool() {
    part pool || return 1
    "$lanes" run allocate-in-the-loop --device cuda -o "$out/parts"
}

report_all() {
    local file bad=0
    mkdir -p "$out/reports"
    for file in "$recordings"/*.sqlite; do
        "$lanes" report "$file" --json=full >"$out/reports/$(basename "${file%.sqlite}").json" || bad=1
        "$lanes" report "$file" || bad=1
    done
    return $bad
}

# The listings of the lessons as printed: in each language that is installed here.
listings() {
    local script=$folder/tests/listings/run.py bad=0
    if [ ! -f "$script" ]; then
        echo "there is no $script"
        return 1
    fi
    if python3 -c 'import torch; assert torch.cuda.is_available()'; then
        # shellcheck disable=SC2086  # one word a workload
        python3 "$script" --lanes "$lanes" --keep "$out/listings" --language pytorch ${WORKLOADS:-} || bad=1
    else
        echo "PyTorch listings: left out, no PyTorch with CUDA here"
    fi
    if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then
        # shellcheck disable=SC2086
        PATH=$PATH:/usr/local/cuda/bin python3 "$script" --lanes "$lanes" --keep "$out/listings" --language cuda ${WORKLOADS:-} || bad=1
    else
        echo "CUDA listings: left out, no nvcc here"
    fi
    return $bad
}

calibrate() {
    "$lanes" calibrate -o "$out/${gpu:-gpu}-here.yaml"
}

# The same calls by hand, by `lanes run` without the probe, and with it.
ratios() {
    "$folder/bin/bench_run_overhead" --lanes "$lanes"
}

# How long a kernel of 2 s keeps records from the disk.
held_back() {
    "$folder/bin/bench_probe_flush"
}

gpu_test() { # NAME
    QT_PLUGIN_PATH=$folder/plugins LANES_BUILD=$folder LANES_SOURCE=$folder LANES_KEEP=$out/$1 "$folder/tests/$1"
}

# The result of a fault: exit status 1, the step and the CUDA error named, every call up to it.
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
    "$lanes" report "$file" --json=full | tr ',' '\n' | grep -E '"(api_calls|kernels|copies|syncs|dropped)"'
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

# How exactly kernels take their time: the workload's figure against CUPTI's.
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

log "lanes: $lanes; CUPTI: ${LANES_CUPTI:-sought}; part: $part; GPUs: $gpus"
export -f part two_gpus nccl graphs pool has_nccl gpus_of record listings calibrate
export gpus gpu recordings parts repeat
export -f kernel_times report_all ratios held_back gpu_test fault host_pinned_cost killed interrupted
export lanes out scratch workloads folder

step doctor 30 "$lanes" doctor
if is_asked tests; then
    shown=25
    step tst_blocking_gpu 150 bash -c "gpu_test tst_blocking_gpu"
    shown=8
    step tst_live_gpu 90 bash -c "gpu_test tst_live_gpu"
    step tst_predictions_gpu 90 bash -c "gpu_test tst_predictions_gpu"
    step tst_probe_gpu 60 bash -c "gpu_test tst_probe_gpu"
    step tst_run_cuda_parts 120 bash -c "gpu_test tst_run_cuda_parts"
    step tst_run_cuda 400 bash -c "gpu_test tst_run_cuda"  # every variant of every workload
    pack tests
fi
if is_asked record; then
    shown=12
    for workload in $workloads; do
        [[ " $known " == *"$workload"* ]] && step "record-$workload" 120 bash -c "record $workload"
    done
    ends=$((ends + 20))  # the reports of what there is
    step report 60 bash -c report_all
    pack rec
fi
if is_asked listings; then
    shown=150
    step listings 340 bash -c listings
    shown=20
    step calibrate 150 bash -c calibrate
    pack listings
fi
if is_asked more; then
    step kernel-times 60 bash -c kernel_times
    step graphs 40 bash -c graphs
    step pool 40 bash -c pool
    step two-gpus 100 bash -c two_gpus
    step nccl 100 bash -c nccl
    step ratios 120 bash -c ratios
    step held-back 60 bash -c held_back
    step fault-0 40 bash -c "fault 0"
    step fault-1 40 bash -c "fault 1"
    step host-pinned-cost 60 bash -c host_pinned_cost
    step killed 60 bash -c killed
    step interrupted 40 bash -c interrupted
    pack more
fi
log "$failed steps failed"
exit $failed

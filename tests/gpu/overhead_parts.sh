#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a machine with a GPU, nvcc and CUPTI, in about three minutes: what the time of recording is spent on, part by part.
#   tests/gpu/overhead_parts.sh BIN [OUT [stages|fresh]]     BIN: the folder of lanes and its probe
#       stages: only the lasting cost of CUPTI, 30 s; fresh: each way of recording in separate processes, four minutes
# CUPTI's parts in one process that switches them (overhead_parts.cu), then with other attributes; the recorder as it is on
# the same loop, in separate processes in turn (native.py overhead); then PyTorch's parts, if there is PyTorch
# (pytorch_parts.py). Every figure is a ratio to the same loop without any part, in the same round.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
bin=$(cd "$1" && pwd) || exit 2
work=$(mktemp -d)
out=${2:-$work}
mkdir -p "$out"
trap 'rm -rf "$work"' EXIT
export NVCC=${NVCC:-nvcc} PYTHON=${PYTHON:-python3}
command -v "$NVCC" >/dev/null || NVCC=/usr/local/cuda/bin/nvcc
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v "$NVCC")")")")
cupti=$cuda/extras/CUPTI
[ -e "$cupti/include/cupti.h" ] || cupti=$cuda
folders=()
for folder in "$cupti/lib64" "$cupti/lib" "$cuda/lib64"; do
    [ -d "$folder" ] && folders+=("-L$folder" "-Xlinker=-rpath=$folder")
done
{
    nproc
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
    "$NVCC" -O2 -std=c++20 -arch=native -I. -I"$cupti/include" -o "$work/parts" tests/gpu/overhead_parts.cu \
        probes/cupti/recorded_calls.cpp "${folders[@]}" -lcupti || exit 1
    # Cores of one kind for all, including some for CUPTI's and the recorder's own threads.
    on=(taskset -c 0-3)
    began=$SECONDS
    if [ "${3:-}" = fresh ]; then
        ours=+device,+context,+stream,+name,+runtime,+driver,+kernel,+copy,+peer,+memset,+sync,+event,+overhead,+marker,+memory
        ways=(nothing buffers,+event buffers,+memset buffers,+sync buffers,+runtime buffers,+kernel buffers,+kernel,+runtime
            buffers,+kernel,+driver "attributes,buffers,$ours" "attributes,buffers,${ours/,+event/}"
            "attributes,buffers,${ours/,+driver/}" "attributes,per-thread=0,buffers,$ours" "attributes,pinned=1,buffers,$ours"
            "attributes,device-buffer=400000,buffers,$ours" "attributes,device-buffer=32000000,buffers,$ours"
            "attributes,preallocate=20,pool=64,buffers,$ours" "attributes,buffers,$ours,-kernel,flush,finalize")
        for round in 1 2 3 4 5; do
            for way in "${ways[@]}"; do
                "${on[@]}" "$work/parts" --ratio "$way"
            done
        done | "$PYTHON" -c "
import collections, statistics, sys
ratios, before = collections.defaultdict(list), collections.defaultdict(list)
for line in sys.stdin:
    ratio, us, _, way = line.split()
    ratios[way].append(float(ratio))
    before[way].append(float(us))
print('ratio least  most  us before')
for way, all in ratios.items():
    print(f'{statistics.median(all):5.2f} {min(all):5.2f} {max(all):5.2f} {statistics.median(before[way]):6.2f}  {way}')"
        for way in LANES_NONE=1 LANES_CUPTI_BUFFER_PER_THREAD=0 LANES_CUPTI_HOST_PINNED=1; do
            echo "== $((SECONDS - began)) s; lanes record with $way"
            "${on[@]}" env "$way" "$PYTHON" tests/gpu/native.py "$bin" overhead --rounds 5
        done
        exit 0
    fi
    # The first shows what changes by itself meanwhile.
    for stages in nothing,nothing,nothing,nothing,nothing,nothing \
        attributes,buffers,+device,+context,+stream,+name,+overhead,+memory,+marker,+event,+sync,+memset,+copy,+kernel,-kernel,finalize \
        buffers,+kernel,-kernel,flush,finalize,nothing \
        buffers,+runtime,-runtime,+driver,-driver,+kernel,-kernel,finalize \
        subscribe,rare,unsubscribe,buffers,+kernel,+runtime,-runtime,-kernel,finalize; do
        echo "== one after the other: $stages"
        "${on[@]}" "$work/parts" --stages "$stages"
    done
    [ "${3:-}" = stages ] && exit 0
    "${on[@]}" "$work/parts" --rounds 9
    for attribute in "--per-thread 0" "--pinned 1" "--device-buffer 800000" "--device-buffer 32000000"; do
        echo "== $attribute"
        # shellcheck disable=SC2086
        "${on[@]}" "$work/parts" --parts few --rounds 8 $attribute
    done
    echo "== $((SECONDS - began)) s; lanes record"
    "${on[@]}" "$PYTHON" tests/gpu/native.py "$bin" overhead --rounds 9
    echo "== $((SECONDS - began)) s"
    if "$PYTHON" -c 'import torch' 2>/dev/null; then
        "${on[@]}" "$bin/lanes" record -o "$work/parts.sqlite" -- "$PYTHON" tests/gpu/pytorch_parts.py probes/python/hook
        "${on[@]}" "$PYTHON" tests/gpu/pytorch_parts.py probes/python/hook --alone
    fi
    echo "== $((SECONDS - began)) s"
} 2>&1 | tee "$out/overhead.txt"

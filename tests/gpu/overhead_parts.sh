#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a machine with a GPU, nvcc and CUPTI, in about three minutes: where the time goes that recording takes, part by part.
#   tests/gpu/overhead_parts.sh BIN [OUT [stages]]     stages: only what of CUPTI stays, 30 s; BIN: the folder of lanes and its probe
# CUPTI's parts in one process that switches them (overhead_parts.cu), then with other attributes; the recorder as it is on
# the same loop, in processes of their own in turn (native.py overhead); then PyTorch's parts, where there is PyTorch
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
    # Cores of one kind for all, and some for CUPTI's and the recorder's own threads.
    on=(taskset -c 0-3)
    began=$SECONDS
    # The first for what changes by itself meanwhile.
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
        "${on[@]}" "$bin/lanes" record -o "$work/parts.sqlite" -- "$PYTHON" tests/gpu/pytorch_parts.py probes/python/pytorch
        "${on[@]}" "$PYTHON" tests/gpu/pytorch_parts.py probes/python/pytorch --alone
    fi
    echo "== $((SECONDS - began)) s"
} 2>&1 | tee "$out/overhead.txt"

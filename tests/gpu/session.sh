#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a machine with a GPU and PyTorch, in six minutes: the requirements on `lanes record` there, in three parts.
#   tests/gpu/session.sh OUT [BIN [STRETCH...]]     BIN: the folder of lanes and its probe, build/bin unless given (built where it has none)
# STRETCH (all three unless told):
#   alone     what is timed, on the first GPU: nine rounds of the launch-bound loops; meanwhile, on the last GPU and other cores, PyTorch
#             case by case against torch.profiler (recordings and JSON, small enough to keep) and a hundred runs killed
#   ranks     two ranks under torchrun, one file and one a rank (needs two GPUs)
#   stress    64 threads on 64 streams, ten million operations
# OUT gets a log of each part; the recordings are small, the large ones go. Exit status: the number of parts in which a check failed.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
mkdir -p "$1"
out=$(cd "$1" && pwd)
bin=${2:-build/bin}
shift $(($# < 2 ? $# : 2))
stretches=" ${*:-alone ranks stress} "
export PYTHON=${PYTHON:-python3}
export NVCC=${NVCC:-nvcc}
command -v "$NVCC" >/dev/null || NVCC=/usr/local/cuda/bin/nvcc
if [ ! -x "$bin/lanes" ]; then
    cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_UNITY_BUILD=ON -DLANES_GUI=OFF -DBUILD_TESTING=OFF &&
        cmake --build build --target lanes lanes-probe lanes-nvtx || exit 2
fi
# In a build's folder it is a link to the sources, which leads nowhere on another machine.
if [ ! -f "$bin/python/hook/sitecustomize.py" ]; then
    rm -f "$bin/python"
    cp -r probes/python "$bin/python"
fi
bin=$(cd "$bin" && pwd)
PATH=$bin:$PATH
began=$SECONDS
gpus=$(nvidia-smi -L | wc -l)
cores=$(nproc)
failed=0

# part NAME CORES GPU WORDS...: prints nothing until it ends, so that parts at the same time do not mix.
part() {
    local name=$1 own=$2 gpu=$3 start=$SECONDS
    shift 3
    # Only its GPU is visible if there is a second one for the others.
    local before=()
    [ "$gpu" = all ] || [ "$gpus" -lt 2 ] || before=(env "CUDA_VISIBLE_DEVICES=$gpu")
    taskset -c "$own" "${before[@]}" "$@" >"$out/$name.txt" 2>&1
    local status=$?
    printf '== %s: exit status %d, %d s\n' "$name" "$status" $((SECONDS - start)) | tee -a "$out/$name.txt"
    return "$status"
}
all=0-$((cores - 1))
first=0-$((cores / 4 - 1))
rest=$((cores / 4))-$((cores - 1))
"$PYTHON" -c 'import torch' 2>/dev/null  # from the disk once, before anything is timed

if [[ $stretches == *" alone "* ]]; then
    (
        bad=0
        part native-overhead "$first" 0 "$PYTHON" tests/gpu/native.py "$bin" overhead --rounds 9 || bad=$((bad + 1))
        part pytorch-overhead "$first" 0 "$PYTHON" tests/gpu/pytorch_record.py "$bin" "$out/overhead" --parts overhead --rounds 9 --seconds 250 ||
            bad=$((bad + 1))
        exit "$bad"
    ) &
    timed=$!
    part pytorch-cases "$rest" $((gpus - 1)) "$PYTHON" tests/gpu/pytorch_record.py "$bin" "$out/cases" --parts package,compare --apart || failed=$((failed + 1))
    part kills "$rest" $((gpus - 1)) "$PYTHON" tests/gpu/native.py "$bin" kills --times 100 || failed=$((failed + 1))
    wait "$timed" || failed=$((failed + $?))
    rm -f "$out"/overhead/*.sqlite
fi
if [[ $stretches == *" ranks "* ]]; then
    if [ "$gpus" -ge 2 ]; then
        part ranks "$all" all tests/gpu/ranks.sh "$out/ranks" || failed=$((failed + 1))
    else
        echo "== ranks: needs two GPUs, skipped"
    fi
fi
if [[ $stretches == *" stress "* ]]; then
    part stress "$all" 0 "$PYTHON" tests/gpu/native.py "$bin" stress || failed=$((failed + 1))
fi
for name in native-overhead pytorch-overhead kills ranks stress pytorch-cases; do
    [ -f "$out/$name.txt" ] || continue
    echo "---- $name"
    if [ "$name" = pytorch-cases ]; then grep -v '^ok' "$out/$name.txt"; else tail -n 45 "$out/$name.txt"; fi
done
ls -l "$out"/cases/*.sqlite "$out"/cases/*.gz 2>/dev/null
echo "$failed parts with failed checks, $((SECONDS - began)) s"
exit "$failed"

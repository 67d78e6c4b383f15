#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs other people's programs by themselves, counted by another tool, and under `lanes record`: the recorder must
# change neither their exit status nor their output, and must count the same as the other tool.
#
# usage: strangers.sh LANES SAMPLES OUT [NAME...]
#   LANES    the `lanes` to try, with its probe beside it
#   SAMPLES  a checkout of https://github.com/NVIDIA/cuda-samples; each sample is built by nvcc alone, those that need
#            more (OpenGL, MPI, ...) are left out
#   OUT      a folder for builds and recordings
#   NAME     only these samples
#
# JOBS=N tries N programs at once. Numbers that programs print (times, bandwidths) are left out of the comparison, and of programs whose words differ
# between two runs alone, the words. Needs a GPU and a CUDA toolkit 13. Exit status: 0 if every program passed.
set -uo pipefail
[ $# -ge 3 ] || { sed -n '/^# usage/,/^# JOBS/p' "$0"; exit 2; }
lanes=$(realpath "$1") samples=$(realpath "$2") out=$(mkdir -p "$3" && realpath "$3")
shift 3
only=" $* "
here=$(cd "$(dirname "$0")" && pwd)
cuda=${CUDA_HOME:-/usr/local/cuda}
cupti=$cuda/extras/CUPTI
[ -d "$cupti/include" ] || cupti=$cuda
limit=120  # s a run

mkdir -p "$out/bin" "$out/log"
g++ -std=c++20 -O2 -shared -fPIC -I"$cuda/include" -I"$cupti/include" "$here/strangers_count.cpp" -o "$out/count.so" \
    -L"$cupti/lib64" -L"$cuda/lib64" -Wl,-rpath,"$cupti/lib64:$cuda/lib64" -lcupti || exit 1

build() { # FOLDER
    local folder=$1 name
    name=$(basename "$folder")
    local sources=()
    while IFS= read -r file; do sources+=("$file"); done \
        < <(find "$folder" -maxdepth 1 \( -name '*.cu' -o -name '*.cpp' -o -name '*.c' \) ! -name '*_kernel.cu' ! -name '*_kernel64.cu' | sort)
    [ ${#sources[@]} -gt 0 ] || return
    grep -q helper_multiprocess "${sources[@]}" && sources+=("$samples/Common/helper_multiprocess.cpp")
    (cd "$folder" && "$cuda/bin/nvcc" -std=c++17 --extended-lambda -arch=native -rdc=true -Xcompiler -fopenmp -w \
        -I"$samples/Common" -I"$samples/Common/UtilNPP" "${sources[@]}" -o "$out/bin/$name" \
        -lcuda -lcublas -lcufft -lcurand -lcusparse -lcusolver -lnvrtc -lcudadevrt) >"$out/log/$name.build" 2>&1
}
export -f build
export samples out cuda
folders=()
for folder in "$samples"/Samples/*/*/; do
    name=$(basename "$folder")
    [ "$only" = "  " ] || [[ $only == *" $name "* ]] || continue
    folders+=("${folder%/}")
done
printf '%s\0' "${folders[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'build "$1"' _

words() { sed -E 's/^lanes: .*//; s/[-+]?[0-9]+([.][0-9]+)?(e[-+]?[0-9]+)?/N/g; s/0x[0-9a-fN]+/N/g; s/ +/ /g' "$1" | grep -v '^ *$'; }
run() { # NAME KIND COMMAND...: prints the exit status
    local name=$1 kind=$2
    shift 2
    (cd "$samples"/Samples/*/"$name" && timeout "$limit" "$@") >"$out/log/$name.$kind" 2>&1 </dev/null
    echo $?
}

try() { # PROGRAM: prints a line
    local program=$1 name problem='' note
    name=$(basename "$program")
    local alone again counted recorded expected got
    alone=$(run "$name" alone "$program")
    if [ "$alone" = 2 ]; then printf 'skip  %-28s waived by itself\n' "$name"; return; fi
    again=$(run "$name" again "$program")
    rm -f "$out/$name.count" "$out/$name.sqlite"
    counted=$(STRANGERS_COUNT=$out/$name.count run "$name" counted env CUDA_INJECTION64_PATH="$out/count.so" "$program")
    recorded=$(run "$name" recorded "$lanes" record -o "$out/$name.sqlite" -- "$program")
    [ "$recorded" = "$alone" ] || problem+=" exit status $recorded, alone $alone;"
    if [ "$(words "$out/log/$name.alone")" = "$(words "$out/log/$name.again")" ] \
        && [ "$(words "$out/log/$name.alone")" != "$(words "$out/log/$name.recorded")" ]; then
        problem+=" prints something else;"
    fi
    expected=$(awk '{k += $1; c += $2; m += $3; d += $4} END {print k + 0, c + 0, m + 0, d + 0}' "$out/$name.count" 2>/dev/null)
    got=$("$lanes" report "$out/$name.sqlite" --json=full 2>/dev/null | python3 -c '
import json, sys
c = json.load(sys.stdin)["counts"]
print(c["kernels"] or 0, c["copies"] or 0, c["memsets"] or 0, c["dropped"] or 0)' 2>/dev/null)
    if [ "$counted" != "$alone" ] || [ "$again" != "$alone" ]; then
        note="not counted (exit status $counted under the counter)"
    elif [ "${expected:-0 0 0 0}" = "0 0 0 0" ] && [ -z "$got" ]; then
        note="no GPU work"
    else
        note="kernels, copies, memsets, dropped: $got"
        [ "$got" = "$expected" ] || problem+=" counts '$got', the other '$expected';"
    fi
    if [ -n "$problem" ]; then
        printf 'FAIL  %-28s%s\n' "$name" "$problem"
    else
        printf 'pass  %-28s exit %s, %s\n' "$name" "$recorded" "$note"
    fi
}
export -f words run try
export lanes limit

for program in "$out"/bin/*; do
    [ "$only" = "  " ] || [[ $only == *" $(basename "$program") "* ]] || continue
    printf '%s\0' "$program"
done | xargs -0 -n 1 -P "${JOBS:-1}" bash -c 'try "$1"' _ | tee "$out/results"
passed=$(grep -c ^pass "$out/results") failed=$(grep -c ^FAIL "$out/results")
echo "$passed programs passed, $failed were changed or miscounted"
[ "$passed" -gt 0 ] && [ "$failed" = 0 ]

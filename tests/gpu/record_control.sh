#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `lanes record` on a GPU: files a rank and a process, --delay, --duration, --range, --capture-range, --steps,
# --max-size, --all-api, another profiler in the way. Needs nvcc and `lanes` on PATH (bin/lanes of the unpacked
# archive); under a minute. Prints a line a check; exit status 1 if one fails.
#   tests/gpu/record_control.sh [FOLDER]      the recordings stay in FOLDER if one is given
set -u
command -v nvcc >/dev/null || { echo "no nvcc here" >&2; exit 2; }
command -v lanes >/dev/null || { echo "no lanes on PATH" >&2; exit 2; }
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
[ $# -gt 0 ] || trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
began=$SECONDS

cat >program.cu <<'CU'
// program [loop | slow | spawn | query]: 100 iterations of 3 kernels and a synchronisation.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

__global__ void spin(long long cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles) { }
}

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

static void iteration(cudaStream_t stream, long long cycles)
{
    for (int i = 0; i < 3; ++i) {
        spin<<<1, 32, 0, stream>>>(cycles);
        check(cudaGetLastError());
    }
    check(cudaStreamSynchronize(stream));
}

int main(int count, char** words)
{
    const std::string mode = count > 1 ? words[1] : "loop";
    if (mode == "spawn") {
        for (int rank = 0; rank < 2; ++rank) {
            if (fork() == 0) {
                setenv("RANK", std::to_string(rank).c_str(), 1);
                execl(words[0], words[0], "loop", nullptr);
                _exit(127);
            }
        }
        int all = 0;
        for (int status = 0; wait(&status) > 0;) {
            all |= status;
        }
        return all == 0 ? 0 : 1;
    }
    check(cudaFree(nullptr));
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    if (mode == "late") {
        // Half a second of work is in flight when the part begins: a wait for it must be unknown, not 0.
        spin<<<1, 32, 0, stream>>>(700'000'000LL);
        check(cudaGetLastError());
        check(cudaProfilerStart());
        check(cudaStreamSynchronize(stream));
        check(cudaProfilerStop());
        return 0;
    }
    for (int i = 0; i < 100; ++i) {
        if (i == 30) {
            check(cudaProfilerStart());
        }
        if (i == 20) {
            nvtxRangePushA("ten");
        }
        nvtxRangePushA(("ProfilerStep#" + std::to_string(i)).c_str());
        iteration(stream, 100'000);
        if (mode == "slow") {
            usleep(20'000);
        }
        nvtxRangePop();
        if (i == 29) {
            nvtxRangePop();
        }
        if (i == 49) {
            check(cudaProfilerStop());
        }
    }
    return 0;
}
CU
nvcc -O2 -arch=native -o program program.cu -ldl || exit 2

failures=0
check() { # NAME FOUND EXPECTED: EXPECTED is a number, or A..B
    local low=${3%%..*} high=${3##*..}
    if [[ $2 =~ ^-?[0-9]+$ ]] && [ "$2" -ge "$low" ] && [ "$2" -le "$high" ]; then
        printf 'ok    %-44s %s\n' "$1" "$2"
    else
        printf 'WRONG %-44s %s, expected %s\n' "$1" "${2:-nothing}" "$3"
        failures=$((failures + 1))
    fi
}
says() { # NAME FILE TEXT
    if grep -q -- "$3" "$2"; then printf 'ok    %s\n' "$1"; else
        printf 'WRONG %s: no "%s" in:\n' "$1" "$3"
        sed 's/^/      /' "$2"
        failures=$((failures + 1))
    fi
}
# figure FILE PYTHON: an expression of the report `r`
figure() { lanes report "$1" --json=full 2>/dev/null | python3 -c "
import json, sys
r = json.load(sys.stdin)
v = $2
print(int(v) if v is not None else 'null')"; }
kernels() { figure "$1" 'r["counts"]["kernels"]'; }
calls_named() { lanes summary "$1" --by api --json=full | python3 -c "
import json, sys
print(sum(row['count'] for t in json.load(sys.stdin)['tables'] for row in t['rows'] if row['name'] == '$2'))"; }
record() { lanes record "$@" >said 2>&1 || { echo "      lanes record $* ended with $?"; sed 's/^/      /' said; }; }

record -o all.sqlite -- ./program
check "all: kernels" "$(kernels all.sqlite)" 300
check "all: complete" "$(figure all.sqlite 'r["complete"]')" 1
check "allow-list: launches" "$(calls_named all.sqlite cudaLaunchKernel)" 300
check "allow-list: API calls" "$(figure all.sqlite 'r["counts"]["api_calls"]')" 400..520
record -o every.sqlite --all-api -- ./program
check "--all-api: cudaGetLastError" "$(calls_named every.sqlite cudaGetLastError)" 300

record -o 'run.%r.sqlite' -- ./program spawn
check "%r: rank 0" "$(kernels run.0.sqlite)" 300
check "%r: rank 1" "$(kernels run.1.sqlite)" 300
record -o one.sqlite -- ./program spawn
check "one file of two processes" "$(kernels one.sqlite)" 600
mkdir -p pids
record -o 'pids/%h.%p.sqlite' -- ./program spawn
check "%h.%p: files" "$(find pids -name '*.sqlite' | wc -l)" 2
(OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 lanes record -o mpi.sqlite -- ./program >/dev/null 2>&1 &
    OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 lanes record -o mpi.sqlite -- ./program >/dev/null 2>&1
    wait)
check "two lanes of one job: rank 0" "$(kernels mpi.rank0.sqlite)" 300
check "two lanes of one job: rank 1" "$(kernels mpi.rank1.sqlite)" 300

record -o range.sqlite --range ten -- ./program
check "--range: kernels of 10 iterations" "$(kernels range.sqlite)" 30
check "--range: that range, once" "$(figure range.sqlite 'sum(x["count"] for x in r["ranges"] if x["name"] == "ten")')" 1
check "--range: complete" "$(figure range.sqlite 'r["complete"]')" 1
check "--range: blocked is known" "$(figure range.sqlite 'r["cpu"][0]["blocked_ns"]')" 100000..100000000
record -o profiler.sqlite --capture-range cudaProfilerApi -- ./program
check "--capture-range: kernels of 20 iterations" "$(kernels profiler.sqlite)" 60
record -o late.sqlite --capture-range cudaProfilerApi -- ./program late
late=$(figure late.sqlite 'r["cpu"][0]["blocked_ns"]' 2>/dev/null)
if [ "${late:-nothing}" != 0 ]; then
    printf 'ok    %-44s %s\n' "a wait for work from before the part is not 0" "${late:-no recording}"
else
    printf 'WRONG a wait for work from before the part is 0\n'
    failures=$((failures + 1))
fi
record -o delay.sqlite --delay 2s -- ./program slow
check "--delay 2s of about 2.4 s: kernels" "$(kernels delay.sqlite)" 3..240
# CUDA's start-up, some 0.3 s, is over by then.
record -o duration.sqlite --delay 1s --duration 500ms -- ./program slow
check "--duration 500ms: kernels of 20 ms iterations" "$(kernels duration.sqlite)" 45..84
check "--duration: wall" "$(figure duration.sqlite 'r["wall_ns"]')" 400000000..560000000
record -o steps.sqlite --steps 10:20 -- ./program
check "--steps 10:20: kernels" "$(kernels steps.sqlite)" 30
record -o size.sqlite --max-size 30kB -- ./program slow
check "--max-size 30kB: kernels" "$(kernels size.sqlite)" 3..250
check "--max-size: not complete" "$(figure size.sqlite 'r["complete"]')" 0
says "--max-size is said" said "--max-size"
lanes record -o no.sqlite --range tne -- ./program >said 2>&1
says "a range that never opens" said 'no NVTX range "tne" was opened; others were'

if command -v nsys >/dev/null; then
    nsys profile -o under --force-overwrite true lanes record -o under.sqlite -- ./program >said 2>&1
    says "under nsys: who is in the way, or a recording" said "lanes: "
    sed 's/^/      /' said | grep lanes
    lanes record -o over.sqlite -- nsys profile -o over --force-overwrite true ./program >said 2>&1
    says "nsys inside" said "lanes: "
    sed 's/^/      /' said | grep lanes
fi
if python3 -c 'import torch; assert torch.cuda.is_available()' 2>/dev/null; then
    cat >kineto.py <<'PY'
import time
import torch
x = torch.ones(64, device="cuda")
torch.cuda.synchronize()
time.sleep(0.6)
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]):
    for _ in range(50):
        x = x + 1
    torch.cuda.synchronize()
torch.cuda.synchronize()
time.sleep(1)
PY
    record -o kineto.sqlite -- python3 kineto.py
    printf '      beside torch.profiler: '
    cat said
    printf '      kernels recorded beside torch.profiler: %s (51 if it left CUPTI to lanes)\n' "$(kernels kineto.sqlite)"
fi
echo "$failures wrong, $((SECONDS - began)) s"
[ "$failures" -eq 0 ]

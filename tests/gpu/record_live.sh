#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `lanes record --live` costs beside `lanes record`, on a GPU: a launch-bound loop of about two seconds, recorded
# with and without it in nine interleaved rounds; and that lines appear while it runs, and nothing is lost. Needs nvcc
# and `lanes` on PATH (bin/lanes of the unpacked archive); under 90 s. Exit status 1 where something is wrong or the
# median ratio is over 1.05.
#   tests/gpu/record_live.sh [OUT]                 results.txt and the last recordings stay in OUT if it is given
#   PYTHON=/opt/torch/.venv/bin/python3 tests/gpu/record_live.sh OUT      the loop in PyTorch; fewer rounds fit
set -u
command -v lanes >/dev/null || { echo "no lanes on PATH" >&2; exit 2; }
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
[ $# -gt 0 ] || trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
limit=80

# loop N: prints the seconds that N launches took, a synchronisation after every hundred, two streams in turn.
if [ -n "${PYTHON:-}" ]; then
    cat >loop.py <<'PY'
import sys, time
import torch
a = torch.ones(64, device="cuda")
side = torch.cuda.Stream()
for _ in range(100):
    a.mul_(1)
torch.cuda.synchronize()
count = int(sys.argv[1])
begin = time.perf_counter()
for i in range(count // 100):
    with torch.cuda.stream(side if i % 2 else torch.cuda.default_stream()):
        for _ in range(100):
            a.mul_(1)
        torch.cuda.current_stream().synchronize()
print(time.perf_counter() - begin)
PY
    loop=("$PYTHON" loop.py)
    warm=100
else
    command -v nvcc >/dev/null || { echo "no nvcc here" >&2; exit 2; }
    cat >loop.cu <<'CU'
#include <chrono>
#include <cstdio>
#include <cstdlib>
__global__ void tiny() { }
int main(int, char** words)
{
    const long count = std::atol(words[1]);
    cudaStream_t streams[2];
    cudaStreamCreate(&streams[0]);
    cudaStreamCreate(&streams[1]);
    tiny<<<1, 32, 0, streams[0]>>>();
    cudaDeviceSynchronize();
    const auto begin = std::chrono::steady_clock::now();
    for (long i = 0; i < count; ++i) {
        tiny<<<1, 32, 0, streams[i / 100 % 2]>>>();
        if (i % 100 == 99) {
            cudaStreamSynchronize(streams[i / 100 % 2]);
        }
    }
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return 1;
    }
    std::printf("%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}
CU
    nvcc -O2 -arch=native -o loop loop.cu || exit 2
    loop=(./loop)
    warm=1
fi
began=$SECONDS

wrong=0
# record NAME COUNT [WORDS...]: prints the loop's seconds; what lanes says goes to NAME.said.
record() {
    local name=$1 count=$2
    shift 2
    lanes record -o "$name.sqlite" "$@" -- "${loop[@]}" "$count" 2>"$name.said" || { cat "$name.said" >&2; return 1; }
}
kernels() { lanes report "$1" --json=full | python3 -c 'import json, sys; print(json.load(sys.stdin)["counts"]["kernels"])'; }
check() { # NAME FOUND EXPECTED
    if [ "$2" = "$3" ]; then printf 'ok    %-40s %s\n' "$1" "$2"; else
        printf 'WRONG %-40s %s, expected %s\n' "$1" "$2" "$3"
        wrong=$((wrong + 1))
    fi
}

first=$(record plain 50000) || exit 1
count=$(python3 -c "print(max(10000, int(50000 * 2.2 / $first / 100) * 100))")
echo "$count launches a round, $first s for 50000 when recorded"
: >times.txt
rounds=0
while [ "$rounds" -lt 9 ]; do
    round_began=$SECONDS
    # Each is first in turn.
    order="plain live"
    [ $((rounds % 2)) = 0 ] || order="live plain"
    for name in $order; do
        words=()
        [ "$name" = plain ] || words=(--live)
        seconds=$(record "$name" "$count" "${words[@]}") || exit 1
        echo "$rounds $name $seconds" >>times.txt
        if [ "$name" = live ] && ! grep -q 'operations/s' live.said; then
            echo "WRONG round $rounds: no line while it ran"
            wrong=$((wrong + 1))
        fi
    done
    rounds=$((rounds + 1))
    [ $((SECONDS - began + SECONDS - round_began)) -lt "$limit" ] || break
done
expected=$((count + warm))
check "kernels with --live" "$(kernels live.sqlite)" "$expected"
check "kernels without" "$(kernels plain.sqlite)" "$expected"
check "records dropped" "$(grep -c dropped live.said)" 0
echo "what was said while it ran:"
grep 'operations/s\|nothing recorded' live.said | sed 's/^/      /'
python3 - "$rounds" <<'PY' | tee results.txt
import statistics, sys
times = {"plain": {}, "live": {}}
for line in open("times.txt"):
    number, name, seconds = line.split()
    times[name][int(number)] = float(seconds)
ratios = [times["live"][i] / times["plain"][i] for i in times["live"]]
plain, live = (statistics.median(times[name].values()) for name in ("plain", "live"))
print(f"rounds            {len(ratios)}")
print(f"lanes record      {plain:.3f} s ({min(times['plain'].values()):.3f} to {max(times['plain'].values()):.3f})")
print(f"with --live       {live:.3f} s ({min(times['live'].values()):.3f} to {max(times['live'].values()):.3f})")
print(f"ratio of medians  {live / plain:.3f}; a round {statistics.median(ratios):.3f} "
      f"({min(ratios):.3f} to {max(ratios):.3f})")
sys.exit(0 if live / plain <= 1.05 else 1)
PY
over=${PIPESTATUS[0]}
[ "$over" = 0 ] || echo "WRONG the ratio of the medians is over 1.05"
echo "$wrong wrong, $((SECONDS - began)) s"
[ "$wrong" = 0 ] && [ "$over" = 0 ]

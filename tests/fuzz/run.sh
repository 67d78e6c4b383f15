#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs every fuzzer at once for a time and says of each what it cost, what it reached and what it found:
#   tests/fuzz/run.sh OUT SECONDS CORES [FOLDER...]
# beside a build made with `cmake --preset fuzz -DLANES_SANITIZE=fuzzer-no-link,address,undefined`, or out of the folder
# that `tests/fuzz/run.sh --pack FOLDER` makes, which needs nothing of this tree and none of its libraries: for a machine
# with more processors. Files of the FOLDERs are seeds besides the corpus, each for the importers of its ending. OUT/fuzz.tar.gz
# then holds what was found (crash-*, oom-*, timeout-*) and, for each importer, the
# inputs that reach code which the corpus does not. 0: nothing found.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
binaries=$here/bin
[ -d "$binaries" ] || binaries=$here/../../build-fuzz/fuzz
# importer, its fuzzer, of its corpus
importers=("gzip json json")
for each in "$binaries"/fuzz_*; do
    each=${each##*/fuzz_}
    importers+=("$each $each $each")
done
longest=65536  # bytes of an input

if [ "${1:-}" = --pack ]; then
    to=${2:?run.sh: expected a folder after --pack}
    mkdir -p "$to/bin" "$to/lib"
    cp -r "$here/corpus" "$here/run.sh" "$to"
    for fuzzer in $(printf '%s\n' "${importers[@]}" | cut -d ' ' -f 2 | sort -u); do
        strip -o "$to/bin/fuzz_$fuzzer" "$binaries/fuzz_$fuzzer" || exit 1
        # All that it loads but the C library, which goes with the machine's own loader.
        ldd "$binaries/fuzz_$fuzzer" | awk '/=> \// {print $3}' | grep -vE '/(libc|libm|ld-linux[^/]*)\.so' | xargs -I{} cp -L {} "$to/lib"
    done
    exit 0
fi
[ $# -ge 3 ] || { echo "run.sh: expected OUT SECONDS CORES [FOLDER...], found $# arguments" >&2; exit 2; }
for folder in "${@:4}"; do
    [ -d "$folder" ] || { echo "run.sh: $folder: no such folder" >&2; exit 2; }
done
out=$(mkdir -p "$1" && cd "$1" && pwd) || exit 2
seconds=$2
jobs=$(($3 / ${#importers[@]}))
[ $jobs -ge 1 ] || jobs=1
more=("${@:4}")
[ ${#more[@]} -eq 0 ] || longest=196608
[ -d "$here/lib" ] && libraries=$here/lib || libraries=
# Shadow memory of clang 14's ASan is where newer kernels may put libraries: no random addresses then, where that is allowed.
export plain=
setarch -R true 2>/dev/null && plain='setarch -R'
export here binaries libraries
fuzzer() { LD_LIBRARY_PATH=$libraries $plain "$binaries/fuzz_$1" "${@:2}"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The files of the folders that an importer takes. One that is too long would be cut, and a cut database is none.
further() { # IMPORTER
    local name=()
    case $1 in
        json) name=(-name '*.json') ;;
        gzip) name=(-name '*.gz') ;;
        sqlite) name=(-name '*.sqlite' -o -name '*.db' -o -name '*.nvvp') ;;
        spool) name=(-name '*.spool') ;;
        session) name=(-name '*.lanescope') ;;
        workload | annotation) name=(-name '*.yaml') ;;
        *) name=(-name "*.$1") ;;
    esac
    [ ${#more[@]} -eq 0 ] || find "${more[@]}" -maxdepth 1 -type f \( "${name[@]}" \) -size -$((longest / 1024 + 1))k
}

one() { # IMPORTER FUZZER CORPUS
    local folder=$work/$1 seeds=$work/$1.seeds keep=$work/keep/$1 seed
    mkdir -p "$folder" "$seeds" "$keep" "$work/$1.tmp"
    cp "$here/corpus/$3"/* "$seeds"
    further "$1" | while read -r seed; do install -m 600 "$seed" "$seeds"; done
    case $1 in
        json) rm -f "$seeds"/*.gz ;;
        gzip) find "$seeds" -type f ! -name '*.gz' -delete ;;
    esac
    export TMPDIR=$work/$1.tmp TIMEFORMAT='%U %S'
    { time fuzzer "$2" -fork=$jobs -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 -max_total_time="$seconds" \
        -rss_limit_mb=2048 -timeout=30 -max_len=$longest -artifact_prefix="$keep/" "$folder" "$seeds" \
        >"$out/$1.log" 2>&1; } 2>"$work/$1.time"
    # Beside the corpus only what reaches further.
    local small=$work/$1.small input
    cp -r "$seeds" "$small"
    TMPDIR=$work/$1.tmp timeout 300 bash -c "$(declare -f fuzzer)"'; fuzzer "$@"' x "$2" -merge=1 -timeout=30 "$small" "$folder" \
        >"$work/$1.merge.log" 2>&1
    for input in "$small"/*; do
        [ -e "$seeds/$(basename "$input")" ] || cp "$input" "$keep/"
    done
    return 0
}
for importer in "${importers[@]}"; do
    # shellcheck disable=SC2086
    one $importer &
done
wait

printf '%-9s %7s %11s %7s %7s %6s %5s %7s  %s\n' importer 'CPU s' executions cover corpus crash slow memory kept \
    | tee "$out/fuzz.txt"
found=0
for importer in "${importers[@]}"; do
    read -r name _ <<<"$importer"
    cpu=$(tail -n 1 "$work/$name.time" | awk '{printf "%.0f", $1 + $2}')
    # The last line of the run: #N: cov: C ft: F corp: K ... oom/timeout/crash: O/T/X
    line=$(sed -nE 's|^#([0-9]+): cov: ([0-9]+) ft: [0-9]+ corp: ([0-9]+).*oom/timeout/crash: ([0-9]+)/([0-9]+)/([0-9]+).*|\1 \2 \3 \6 \5 \4|p' \
        "$out/$name.log" | tail -n 1)
    read -r runs cover corpus crashes slow memory <<<"${line:-0 0 0 0 0 0}"
    wrong=$(find "$work/keep/$name" -name '*-*' | wc -l)
    [ "$wrong" -eq 0 ] && [ "$runs" -gt 0 ] || found=1
    printf '%-9s %7s %11s %7s %7s %6s %5s %7s  %s\n' "$name" "$cpu" "$runs" "$cover" "$corpus" "$crashes" "$slow" "$memory" \
        "$wrong wrong, $(($(find "$work/keep/$name" -type f | wc -l) - wrong)) new inputs" | tee -a "$out/fuzz.txt"
    gzip -c "$out/$name.log" >"$work/keep/$name.log.gz"
done
cp "$out/fuzz.txt" "$work/keep/"
tar -C "$work/keep" -czf "$out/fuzz.tar.gz" . && echo "$out/fuzz.tar.gz: $(stat -c %s "$out/fuzz.tar.gz") bytes"
exit $found

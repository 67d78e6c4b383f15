#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Has real launchers start 64 processes at once, which record through the probe with doubles of CUDA and CUPTI: each must
# leave a whole file of its own that says which rank it is. Needs no GPU. No part of ./dev test: it needs packages that
# nothing else does, and root for Slurm's daemons.
#
# usage: launchers.sh BUILD [LAUNCHER...]
#   BUILD     a build folder with bin/lanes, bin/liblanes-probe.so and tests/doubles (target fake_cuda_program)
#   LAUNCHER  mpirun (Debian: openmpi-bin), srun (slurm-wlm, munge), torchrun (python3-torch), dask-worker
#             (python3-distributed; 8 workers at most); all four unless some are named
#
# RANKS=N starts N processes. Prints a line a launcher; exit status 0 if every one passed.
set -uo pipefail
[ $# -ge 1 ] || { sed -n '/^# usage/,/^# RANKS/p' "$0"; exit 2; }
build=$(realpath "$1")
shift
launchers=("$@")
[ ${#launchers[@]} -gt 0 ] || launchers=(mpirun srun torchrun dask-worker)
ranks=${RANKS:-64}
calls=100
lanes=$build/bin/lanes
program=$build/tests/doubles/fake_cuda_program
export LANES_CUPTI=$build/tests/doubles/libcupti.so.13
for file in "$lanes" "$build/bin/liblanes-probe.so" "$program" "$LANES_CUPTI"; do
    [ -e "$file" ] || { echo "launchers.sh: $file is missing: build lanes, fake_cuda_program and cupti_double"; exit 2; }
done
out=$(mktemp -d)
daemons=()
finish() {
    local pid
    for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null; done
    wait 2>/dev/null
    rm -rf "$out"
}
trap finish EXIT

# Files, ranks and who said them, of a folder of spools. By the rule "order" nobody says how many there are.
check() { # NAME FOLDER RULE SECONDS
    local name=$1 folder=$2 rule=$3 seconds=$4
    if ! "$lanes" gather "$folder" -o "$out/$name.lanes" 2>"$out/$name.log"; then
        cat "$out/$name.log"
        echo "$name: FAILED: lanes gather"
        return 1
    fi
    "$lanes" ranks "$out/$name.lanes" --json=full >"$out/$name.json" || return 1
    python3 - "$name" "$folder" "$rule" "$seconds" "$ranks" "$calls" "$out/$name.json" "$out/$name.log" <<'PYTHON'
import json, pathlib, sqlite3, sys
name, folder, rule, seconds, ranks, calls, report, log = sys.argv[1:]
ranks, calls = int(ranks), int(calls)
files = sorted(pathlib.Path(folder).rglob("*.spool"))
said = json.load(open(report))["ranks"]
wrong = []
if len(files) != ranks:
    wrong.append(f"found {len(files)} files, expected {ranks}")
if sorted(each["rank"] for each in said) != list(range(ranks)):
    wrong.append("ranks are " + ", ".join(str(each["rank"]) for each in said))
for each in said:
    if each["world"] != (None if rule == "order" else ranks) or each["rule"] != rule or not each["complete"] or each["dropped"]:
        wrong.append(f"rank {each['rank']}: world {each['world']}, rule {each['rule']}, complete {each['complete']}")
operations = sqlite3.connect(folder + "/../" + name + ".lanes").execute("SELECT operations FROM rank").fetchall()
if any(count != calls for (count,) in operations):
    wrong.append(f"operations are {sorted(set(operations))}, expected {calls} each")
text = open(log).read()
if "missing" in text or "both rank" in text:
    wrong.append(text)
size = sum(file.stat().st_size for file in files)
print(f"{name}: {'FAILED' if wrong else 'passed'}: {len(files)} files, {len(said)} ranks by rule {rule}, "
      f"{size // max(1, len(files))} bytes a file, {seconds} s")
for line in wrong[:5]:
    print("  " + line)
sys.exit(1 if wrong else 0)
PYTHON
}

timed() { # runs a command, prints its seconds
    local begin end status
    begin=$(date +%s.%N)
    "$@" >"$out/said" 2>&1
    status=$?
    end=$(date +%s.%N)
    echo "$end $begin" | awk '{printf "%.1f", $1 - $2}'
    return $status
}

try_mpirun() {
    local as_root=() seconds
    [ "$(id -u)" -ne 0 ] || as_root=(--allow-run-as-root)
    mkdir "$out/mpi"
    local command
    command="mpirun ${as_root[*]} --oversubscribe -n $ranks $("$lanes" env -o "$out/mpi" --format mpirun) -x LANES_CUPTI \
        $program init calls=$calls"
    seconds=$(timed bash -c "$command") || { cat "$out/said"; echo "mpirun: FAILED"; return 1; }
    check mpirun "$out/mpi" ompi "$seconds"
}

# munge, slurmctld and slurmd of this host alone, with files of their own.
start_slurm() {
    local host node=$out/slurm
    host=$(hostname -s)
    mkdir -p "$node"/{state,spool,munge}
    chmod 711 "$out" "$node"
    dd if=/dev/urandom of="$node/munge/key" bs=1024 count=1 status=none
    chmod 700 "$node/munge"
    chmod 600 "$node/munge/key"
    munged --foreground --force --key-file="$node/munge/key" --socket="$node/munge/socket" --pid-file="$node/munge/pid" \
        --log-file="$node/munge/log" --seed-file="$node/munge/seed" >"$node/munged.out" 2>&1 &
    daemons+=($!)
    cat >"$node/slurm.conf" <<CONF
ClusterName=lanes
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$node/munge/socket
CryptoType=crypto/munge
StateSaveLocation=$node/state
SlurmdSpoolDir=$node/spool
SlurmctldPidFile=$node/ctld.pid
SlurmdPidFile=$node/slurmd.pid
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=10:00 OverSubscribe=FORCE:64 State=UP
CONF
    export SLURM_CONF=$node/slurm.conf
    slurmctld -D -c >"$node/ctld.out" 2>&1 &
    daemons+=($!)
    slurmd -D -N "$host" >"$node/slurmd.out" 2>&1 &
    daemons+=($!)
    local tries=60
    while [ $((tries--)) -gt 0 ]; do
        sinfo -h -o %T 2>/dev/null | grep -q idle && return 0
        sleep 0.5
    done
    tail -3 "$node"/*.out
    return 1
}

try_srun() {
    start_slurm || { echo "srun: FAILED: Slurm's daemons did not start"; return 1; }
    local seconds
    mkdir "$out/slurm.files"
    eval "$("$lanes" env -o "$out/slurm.files/run.%q{SLURM_JOB_ID}")"
    seconds=$(timed srun --overcommit -n "$ranks" "$program" init calls=$calls)
    local status=$?
    unset CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH LANES_SPOOL
    [ $status -eq 0 ] || { cat "$out/said"; echo "srun: FAILED"; return 1; }
    check srun "$out/slurm.files" slurm "$seconds"
}

# Has no GPU to give its workers: it only forwards the environment, as it does on GPUs.
try_torchrun() {
    local seconds
    mkdir "$out/torch"
    eval "$("$lanes" env -o "$out/torch" --format torchrun)"
    # What goes into files is said because torch 1.13, as Debian 12 has it, reads its own default wrongly.
    seconds=$(timed torchrun --no_python --redirects 1 --tee 2 --log_dir "$out/torch.log" --nproc_per_node "$ranks" \
        "$program" init calls=$calls)
    local status=$?
    unset CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH LANES_SPOOL
    [ $status -eq 0 ] || { cat "$out/said"; echo "torchrun: FAILED"; return 1; }
    check torchrun "$out/torch" torchrun "$seconds"
}

# Each worker starts the program, as it would start a step of its own: no rule says its rank.
try_dask-worker() {
    local seconds ranks=$((ranks < 8 ? ranks : 8))
    mkdir "$out/dask" "$out/dask.config"
    "$lanes" env -o "$out/dask" --format dask >"$out/dask.config/lanes.yaml"
    cat >"$out/workers.py" <<'PYTHON'
import subprocess, sys
from distributed import Client, LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=int(sys.argv[1]), threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            client.run(subprocess.run, sys.argv[2:], check=True)
PYTHON
    seconds=$(timed env DASK_CONFIG="$out/dask.config" /usr/bin/python3 "$out/workers.py" "$ranks" "$program" init \
        calls=$calls) || { tail -5 "$out/said"; echo "dask-worker: FAILED"; return 1; }
    check dask-worker "$out/dask" order "$seconds"
}

failed=0
for launcher in "${launchers[@]}"; do
    if ! command -v "$launcher" >/dev/null; then
        echo "$launcher: not there, not tried"
        failed=1
        continue
    fi
    "try_$launcher" || failed=1
done
exit $failed

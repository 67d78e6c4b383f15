#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""On a machine with PyTorch 2 and NCCL, on one GPU or two, in about two minutes: what a recording keeps of collectives
(communicator, n-th call, bytes, op, root, peer), of the inputs of operators (--pytorch=shapes), of its clocks and its host.

    payload.py BIN [OUT] [--rounds N]    BIN: the folder of lanes, its probe and its python folder

Records this script as one rank a GPU, by torchrun, and traces it once more with torch.profiler. Prints a line a check, then what
an all-reduce costs its thread: without the recorder, with it, and with it but without NCCL's ranges (NCCL_NVTX_DISABLE); and an
iteration under --pytorch and --pytorch=shapes. Exit status 1 if a check fails. The recordings stay in OUT."""
import argparse
import csv
import json
import os
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.abspath(__file__)
FIRST_WITH_COMMUNICATORS = (2, 26)
CALLS = 2000
ITERATIONS = 200
failed = []


def expect(what, good, found=""):
    print(f"{'ok  ' if good else 'FAIL'} {what}{': ' if found != '' else ''}{found}", flush=True)
    if not good:
        failed.append(what)


# What each rank does: name, bytes as NCCL counts them, op, root. `peer` stands for the other rank.
def collectives(world):
    """PyTorch 2.11 copies where one rank would scatter, and tells neither NCCL nor its profiler."""
    wide = 4 * 1024 * world
    scattered = [("ncclReduceScatter", wide // world, "Sum", None)] if world > 1 else []
    return [
        ("ncclAllReduce", 4096, "Sum", None),
        ("ncclAllReduce", 8192, "Max", None),
        ("ncclAllReduce", 4096, "Sum", None),
        ("ncclBroadcast", 4096, None, 0),
        ("ncclReduce", 4096, "Sum", world - 1),
        ("ncclAllGather", 4096, None, None),
    ] + scattered


def rank(args):
    import torch
    import torch.distributed as dist

    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    dist.init_process_group("nccl", device_id=torch.device("cuda", local))
    world, me = dist.get_world_size(), dist.get_rank()
    small, twice = torch.ones(1024, device="cuda"), torch.ones(2048, device="cuda")
    wide = torch.ones(1024 * world, device="cuda")

    def all_collectives():
        dist.all_reduce(small)
        dist.all_reduce(twice, op=dist.ReduceOp.MAX)
        dist.all_reduce(small)
        dist.broadcast(small, 0)
        dist.reduce(small, world - 1)
        dist.all_gather_into_tensor(wide, small)
        dist.reduce_scatter_tensor(small, wide)
        if world > 1:
            ops = [dist.P2POp(dist.isend, small, 1 - me), dist.P2POp(dist.irecv, twice[:1024], 1 - me)]
            for work in dist.batch_isend_irecv(ops):
                work.wait()
        torch.cuda.synchronize()

    def cost():
        begun = time.perf_counter()
        for _ in range(CALLS):
            dist.all_reduce(small)
        taken = (time.perf_counter() - begun) / CALLS
        torch.cuda.synchronize()
        return taken

    net = torch.nn.Sequential(torch.nn.Linear(96, 64), torch.nn.ReLU(), torch.nn.Linear(64, 32)).cuda()

    def iterations():
        torch.cuda.synchronize()
        begun = time.perf_counter()
        for _ in range(ITERATIONS):
            net(torch.ones(48, 96, device="cuda")).sum().backward()
        torch.cuda.synchronize()
        return (time.perf_counter() - begun) / ITERATIONS

    if args.do == "cost":
        cost(), iterations()
        print(json.dumps({"call": cost(), "iteration": iterations()}) if me == 0 else "", flush=True)
    elif args.do == "trace":
        with torch.profiler.profile(record_shapes=True) as profiler:
            all_collectives()
        profiler.export_chrome_trace(os.path.join(args.out, f"trace.{me}.json"))
    else:
        all_collectives()
        net(torch.ones(48, 96, device="cuda")).sum().backward()
        torch.cuda.synchronize()
        time.sleep(3)  # clocks are sampled once a second
        dist.all_reduce(small)
        torch.cuda.synchronize()
    dist.destroy_process_group()


def ranks_of(args, do, before=(), world=1, **environment):
    command = [*before, sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", str(world), HERE,
               args.bin, args.out, "--do", do]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode != 0:
        expect(" ".join(command), False, f"exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def values_of(recording):
    """By process: name, start and values of each range of the domain NCCL, and of PyTorch's operators."""
    db = sqlite3.connect(recording)
    words = dict(db.execute("SELECT id, value FROM StringIds"))
    domains = {row[0]: row[1] or words.get(row[2])
               for row in db.execute("SELECT domainId, text, textId FROM NVTX_EVENTS WHERE eventType = 75")}
    values = {}
    for row, name, number, text, kind in db.execute("SELECT row, nameId, value, wordsId, type FROM LANESCOPE_RANGE_VALUE"):
        shown = words.get(text, "") if kind == 3 else f"{number & (1 << 64) - 1:#018x}" if kind == 4 else number
        values.setdefault(row, {})[words[name]] = shown
    nccl, operators = {}, {}
    for row, start, text, text_id, thread, domain in db.execute(
            "SELECT rowid, start, text, textId, globalTid, domainId FROM NVTX_EVENTS WHERE eventType IN (59, 60) ORDER BY start"):
        to = {"NCCL": nccl, "cpu_op": operators}.get(domains.get(domain))
        if to is not None:
            to.setdefault(thread >> 24 & 0xFFFFFF, []).append((text or words.get(text_id), start, values.get(row, {})))
    return nccl, operators


def check_collectives(nccl, world, version):
    expect("ranks that made ranges of NCCL's", len(nccl) == world, len(nccl))
    names = set()
    for process, ranges in nccl.items():
        calls = [(name, said) for name, _, said in ranges if "bytes" in said and name not in ("ncclSend", "ncclRecv")]
        wanted = collectives(world) + [("ncclAllReduce", 4096, "Sum", None)]
        found = [(name, said["bytes"], said.get("op"), said.get("root")) for name, said in calls]
        expect(f"collectives of process {process}", found == wanted, found)
        if version < FIRST_WITH_COMMUNICATORS:
            continue
        names.add(frozenset(said.get("communicator") for _, said in calls))
        by_name = {}
        for name, said in calls:
            by_name.setdefault(name, []).append(said.get("call"))
        expect("calls are counted from 1", all(n == list(range(1, len(n) + 1)) for n in by_name.values()), by_name)
        if world > 1:
            peers = [(name, said.get("bytes"), said.get("peer")) for name, _, said in ranges if name in ("ncclSend", "ncclRecv")]
            expect("a send and a receive name their peer", len(peers) == 2 and len({peer for *_, peer in peers}) == 1, peers)
    if version >= FIRST_WITH_COMMUNICATORS:
        expect("one communicator, the same on all ranks", len(names) == 1 and len(next(iter(names))) == 1, names)


def check_kernels(lanes, recording, world, version):
    table = os.path.splitext(recording)[0] + ".csv"
    subprocess.run([lanes, "convert", recording, table], check=True)
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    kernels = [row for row in rows if row["kind"] == "kernel" and "nccl" in row["name"].lower()]
    word = "communicator=" if version >= FIRST_WITH_COMMUNICATORS else "bytes="
    named = [row for row in kernels if word in row["range_values"]]
    expect("kernels of NCCL that know their collective", len(named) == len(kernels) and (named or world == 1),
           f"{len(named)} of {len(kernels)}")
    shaped = [row for row in rows if "gemm" in row["name"].lower() and "inputs=" in row["range_values"]]
    expect("matrix products that know their shapes", len(shaped) > 0, shaped[0]["range_values"] if shaped else "none")


def check_shapes(operators):
    for process, ranges in operators.items():
        shapes = {said["inputs"] for name, _, said in ranges if name == "aten::addmm" and "inputs" in said}
        expect(f"inputs of aten::addmm of process {process}", any("[48, 96], [96, 64]" in text for text in shapes), shapes)


def check_host(recording, world):
    db = sqlite3.connect(recording)
    meta = dict(db.execute("SELECT key, value FROM LANESCOPE_META"))
    with open("/proc/sys/kernel/random/boot_id") as file:
        expect("boot", meta.get("boot_id") == file.read().strip(), meta.get("boot_id"))
    expect("host", meta.get("host") == socket.gethostname(), meta.get("host"))
    made = [line.split() for line in meta.get("communicators", "").splitlines()]
    expect("communicators that were made", {(int(w[2]), int(w[3])) for w in made} == {(world, r) for r in range(world)}, made)
    clocks = db.execute("SELECT time, monotonic FROM LANESCOPE_CLOCK_SAMPLE ORDER BY monotonic").fetchall()
    apart = [b[1] - a[1] for a, b in zip(clocks, clocks[1:])]
    expect("clocks at least once a second", len(clocks) > 3 and max(apart) < 1.3e9, f"{len(clocks)}, {max(apart, default=0) / 1e9:.2f} s apart at most")
    offsets = [time - monotonic for time, monotonic in clocks]
    expect("clocks agree", max(offsets) - min(offsets) < 1e6, f"{(max(offsets) - min(offsets)) / 1e3:.1f} us")


def check_trace(args, lanes, world):
    ranks_of(args, "trace", world=world)
    for me in range(world):
        trace = os.path.join(args.out, f"trace.{me}.json")
        recording = os.path.join(args.out, f"trace.{me}.sqlite")
        with open(trace) as file:
            told = [event["args"] for event in json.load(file)["traceEvents"]
                    if event.get("name") == "record_param_comms" and "Process Group Name" in event.get("args", {})]
        subprocess.run([lanes, "convert", trace, recording], check=True)
        db = sqlite3.connect(recording)
        found = db.execute("SELECT count(*) FROM LANESCOPE_RANGE_VALUE JOIN StringIds ON id = nameId WHERE StringIds.value = 'communicator'").fetchone()[0]
        expect(f"collectives that PyTorch's profiler told of rank {me}", found == len(told) > 0, f"{found} of {len(told)}")


def cost(args, lanes, world):
    ways = {
        "without": ([], {}),
        "recorded": ([lanes, "record"], {}),
        "without NCCL's ranges": ([lanes, "record"], {"NCCL_NVTX_DISABLE": "1"}),
        "--pytorch": ([lanes, "record", "--pytorch"], {}),
        "--pytorch=shapes": ([lanes, "record", "--pytorch=shapes"], {}),
    }
    times = {way: [] for way in ways}
    for _ in range(args.rounds):
        for way, (before, environment) in ways.items():
            before = before and [*before, "-o", os.path.join(args.out, "cost.sqlite"), "--"]
            said = [line for line in ranks_of(args, "cost", before, world, **environment).splitlines() if line.startswith("{")]
            if said:
                times[way].append(json.loads(said[-1]))
    print(f"{'':24} {'us a call of all_reduce':>28} {'us an iteration':>28}")
    for way, all_times in times.items():
        cells = [[1e6 * each[key] for each in all_times] for key in ("call", "iteration")]
        print(f"{way:24}" + "".join(f" {statistics.median(c):9.1f} ({min(c):7.1f} to {max(c):7.1f})" if c else " none" for c in cells))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("out", nargs="?")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--do")
    args = parser.parse_args()
    if args.do:
        return rank(args)
    try:
        import torch
    except ImportError:
        sys.exit("payload.py: no PyTorch here")
    if not torch.cuda.is_available():
        sys.exit("payload.py: no GPU here")
    args.out = os.path.abspath(args.out or tempfile.mkdtemp(prefix="payload-"))
    os.makedirs(args.out, exist_ok=True)
    args.bin = os.path.abspath(args.bin)
    lanes = os.path.join(args.bin, "lanes")
    world = min(2, torch.cuda.device_count())
    version = torch.cuda.nccl.version()[:2]
    print(f"PyTorch {torch.__version__}, NCCL {version}, {world} of {torch.cuda.device_count()} GPUs; {args.out}")
    recording = os.path.join(args.out, "payload.sqlite")
    ranks_of(args, "all", [lanes, "record", "--pytorch=shapes", "-o", recording, "--"], world)
    if os.path.exists(recording):
        nccl, operators = values_of(recording)
        check_collectives(nccl, world, version)
        check_shapes(operators)
        check_kernels(lanes, recording, world, version)
        check_host(recording, world)
    check_trace(args, lanes, world)
    cost(args, lanes, world)
    print("all good" if not failed else f"{len(failed)} failed")
    return len(failed) > 0


if __name__ == "__main__":
    sys.exit(main())

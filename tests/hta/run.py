#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every analysis of HTA (facebookresearch/HolisticTraceAnalysis) on the output of `lanes convert`.

  tests/hta/run.py --lanes build/bin/lanes --hta FOLDER FILE...

FOLDER is a checkout of HTA; pandas, plotly, networkx, psutil and yaml are Debian's python3-*. FILE is a recording or a
trace; a file with several ranks is written as one file a rank. A FILE that is a folder has the traces of a job's ranks:
then `lanes ranks --json` is compared with HTA, rank by rank. Prints which analyses ran, and HTA's busy time, kernel time
and overlap beside those of `lanes report --json=full`. Exit status 1: an analysis failed other than for lack of
data in the recording, or a figure differs by more than HTA's rounding.
"""
import argparse
import contextlib
import gzip
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
os.environ.setdefault("HTA_DISABLE_NS_ROUNDING", "1")

# What an analysis needs; without it HTA raises an exception, with any trace.
NEEDS = {"get_potential_stragglers": ["more than one rank", "ProfilerStep"],
         "get_aten_op_kernels_and_delay": ["operators", "one kernel a launch"]}  # none with CUDA graphs


def analyses(ta, folder, rank, annotation):
    """(name, call) of all that TraceAnalysis offers."""
    from hta.trace_analysis import TimeSeriesTypes

    off = {"visualize": False}
    queue = {}
    graph = {}

    def series():
        queue.update(ta.get_queue_length_time_series(ranks=[rank]))
        return queue

    def critical():
        graph["of"] = ta.critical_path_analysis(rank=rank, annotation=annotation, instance_id=0)
        if graph["of"] is None or not graph["of"][1]:
            raise ValueError("no critical path")
        return graph["of"]

    yield "get_comm_comp_overlap", lambda: ta.get_comm_comp_overlap(**off)
    yield "get_profiler_steps", ta.get_profiler_steps
    yield "get_potential_stragglers", lambda: ta.get_potential_stragglers(num_candidates=1)
    yield "get_gpu_kernel_breakdown", lambda: ta.get_gpu_kernel_breakdown(**off)
    yield "get_gpu_kernels_with_user_annotations", lambda: ta.get_gpu_kernels_with_user_annotations(rank)
    yield "get_gpu_user_annotation_breakdown (GPU)", lambda: ta.get_gpu_user_annotation_breakdown(**off)
    yield "get_gpu_user_annotation_breakdown (CPU)", lambda: ta.get_gpu_user_annotation_breakdown(
        use_gpu_annotation=False, **off)
    yield "get_temporal_breakdown", lambda: ta.get_temporal_breakdown(**off)
    yield "get_frequent_cuda_kernel_sequences", lambda: ta.get_frequent_cuda_kernel_sequences(
        operator_name=annotation, output_dir=folder, rank=rank, visualize=False)
    yield "get_aten_op_kernels_and_delay", lambda: ta.get_aten_op_kernels_and_delay(ranks=[rank])
    yield "get_cuda_kernel_launch_stats", lambda: ta.get_cuda_kernel_launch_stats(ranks=[rank], **off)
    yield "get_queue_length_time_series", series
    yield "get_queue_length_summary", lambda: ta.get_queue_length_summary(ranks=[rank])
    yield "get_queue_length_summary_from_time_series", lambda: ta.get_queue_length_summary_from_time_series(queue)
    yield "get_time_spent_blocked_on_full_queue", lambda: ta.get_time_spent_blocked_on_full_queue(queue)
    yield "get_memory_bw_summary", lambda: ta.get_memory_bw_summary(ranks=[rank])
    yield "get_memory_bw_time_series", lambda: ta.get_memory_bw_time_series(ranks=[rank])
    yield "get_idle_time_breakdown", lambda: ta.get_idle_time_breakdown(
        ranks=[rank], visualize=False, show_idle_interval_stats=True)
    yield "generate_trace_with_counters", lambda: ta.generate_trace_with_counters(
        time_series=TimeSeriesTypes.QUEUE_LENGTH | TimeSeriesTypes.MEMCPY_BANDWIDTH, ranks=[rank])
    yield "critical_path_analysis", critical
    yield "overlay_critical_path_analysis", lambda: ta.overlay_critical_path_analysis(
        rank, graph["of"][0], output_dir=folder)
    yield "get_cupti_counter_data_with_operators", lambda: ta.get_cupti_counter_data_with_operators(ranks=[rank])


def quiet(call):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return call()


def report(lanes, file):
    return json.loads(subprocess.run([lanes, "report", "--json=full", file], check=True, capture_output=True).stdout)


def agrees(ours, theirs, operations):
    """HTA computes in µs and may round each end of each operation by one."""
    return theirs is not None and abs(ours - theirs) <= max(2 * operations * 1e-3, 0.01 * ours, 1.0)


def waits_of_streams(path):
    """µs by which the waits of streams (cuda_sync) lengthen the busy time: HTA counts them as work."""
    with (gzip.open(path) if path.endswith(".gz") else open(path)) as file:
        events = [e for e in json.load(file)["traceEvents"] if e.get("ph") == "X"]

    def covered(chosen):
        total, until = 0.0, float("-inf")
        for start, end in sorted((float(e["ts"]), float(e["ts"]) + float(e["dur"])) for e in chosen):
            total += max(0.0, end - max(start, until))
            until = max(until, end)
        return total

    work = [e for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    waits = [e for e in events if e.get("cat") == "cuda_sync" and int(e.get("args", {}).get("stream", -1)) >= 0]
    return covered(work + waits) - covered(work)


def compare(ta, rank, ours, path):
    """Lines (what, ours, HTA's, agree) in µs or %."""
    lines = []
    gpus = [gpu for gpu in ours["gpu"] if gpu["busy_ns"] > 0]  # a rank may have an idle context on another's GPU
    operations = ours["counts"]["kernels"] + ours["counts"]["copies"] + ours["counts"]["memsets"]
    if len(gpus) != 1:
        return lines  # HTA takes a rank to be one GPU
    temporal = quiet(lambda: ta.get_temporal_breakdown(visualize=False))
    of_rank = temporal[temporal["rank"] == rank].iloc[0]
    busy = float(of_rank["kernel_time(us)"]) - float(of_rank["idle_time(us)"])
    mine = gpus[0]["busy_ns"] / 1e3 + waits_of_streams(path)
    lines.append(("busy, waits of streams with it as HTA has them (µs)", mine, busy, agrees(mine, busy, operations)))
    overlap = quiet(lambda: ta.get_comm_comp_overlap(visualize=False))
    theirs = float(overlap[overlap["rank"] == rank].iloc[0]["comp_comm_overlap_pctg"])
    communication = gpus[0]["communication_ns"]
    if communication > 0:
        hidden = 100 * (communication - gpus[0]["communication_exposed_ns"]) / communication
        lines.append(("communication hidden (%)", hidden, theirs, abs(hidden - theirs) <= 1))
    return lines


def run(arguments, file):
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([arguments.lanes, "convert", file, os.path.join(folder, "rank%r.json.gz")], check=True)
        files = sorted(str(p) for p in pathlib.Path(folder).glob("rank*.json.gz"))
        from hta.trace_analysis import TraceAnalysis

        print(f"{file}: {len(files)} rank(s)")
        try:
            ta = quiet(lambda: TraceAnalysis(trace_dir=folder, include_last_profiler_step=True))
        except Exception as error:  # noqa: BLE001
            print(f"  NOT LOADED: {type(error).__name__}: {error}")
            return 1, 0, 0
        ran = total = 0
        for rank, path in sorted(ta.t.trace_files.items()):
            annotation, held = annotation_of(ta, rank)
            held |= {"more than one rank"} if len(files) > 1 else set()
            ours = report(arguments.lanes, path)
            for name, call in analyses(ta, folder, rank, annotation):
                total += 1
                try:
                    quiet(call)
                    ran += 1
                except BaseException as error:  # HTA raises anything, even SystemExit
                    expected = ", ".join(need for need in NEEDS.get(name, []) if need not in held)
                    bad += 0 if expected else 1
                    print(f"  rank {rank} {name}: {type(error).__name__}: {str(error)[:120]}"
                          + (f"  (needs {expected})" if expected else "  FAILED"))
            for what, mine, theirs, same in compare(ta, rank, ours, path):
                bad += 0 if same else 1
                print(f"  rank {rank} {what}: lanes {mine:.3f}, HTA {theirs:.3f}{'' if same else '  DIFFERS'}")
        print(f"  {ran} of {total} analyses ran")
    return bad, ran, total


def ranks_of_job(arguments, folder):
    """Figures of `lanes ranks` beside HTA's, of the same files. Returns how many differ."""
    from hta.trace_analysis import TraceAnalysis

    paths = sorted(str(p) for p in pathlib.Path(folder).glob("*.json*") if p.name.endswith((".json", ".json.gz")))
    job = json.loads(subprocess.run([arguments.lanes, "ranks", "--json=full", *paths], check=True, capture_output=True).stdout)
    ta = quiet(lambda: TraceAnalysis(trace_dir=folder, include_last_profiler_step=True))
    temporal = quiet(lambda: ta.get_temporal_breakdown(visualize=False)).set_index("rank")
    overlap = quiet(lambda: ta.get_comm_comp_overlap(visualize=False)).set_index("rank")
    print(f"{folder}: {len(job['ranks'])} rank(s): {job['sentence']}")
    bad = 0
    for rank in sorted(job["ranks"], key=lambda each: each["rank"]):
        row = temporal.loc[rank["rank"]]
        hidden = 100 * (1 - rank["communication_exposed_ns"] / max(rank["communication_ns"], 1))
        waits = waits_of_streams(next(p for p in paths if os.path.basename(p) == os.path.basename(rank["file"])))
        lines = [("busy (µs)", rank["busy_ns"] / 1e3 + waits, row["kernel_time(us)"] - row["idle_time(us)"]),
                 ("compute (µs)", rank["compute_ns"] / 1e3, row["compute_time(us)"]),
                 ("communication hidden (%)", hidden, overlap.loc[rank["rank"]]["comp_comm_overlap_pctg"])]
        for what, mine, theirs in lines:
            same = abs(mine - theirs) <= max(1.0, 0.01 * mine)
            bad += 0 if same else 1
            print(f"  rank {rank['rank']} {what}: lanes {mine:.3f}, HTA {theirs:.3f}{'' if same else '  DIFFERS'}")
    return bad


def annotation_of(ta, rank):
    """A name in the trace: an iteration if there is one, else the longest range. Also which of NEEDS the trace has."""
    df = ta.t.get_trace(rank)
    table = ta.t.symbol_table.get_sym_table()
    names = df.assign(text=df["name"].map(lambda i: table[i]), kind=df["cat"].map(lambda i: table[i]))
    held = {"operators"} if (names["kind"] == "cpu_op").any() else set()
    kernels = names[names["kind"] == "kernel"]
    held |= set() if kernels["correlation"].duplicated().any() else {"one kernel a launch"}
    steps = names[names["text"].str.startswith("ProfilerStep")]
    if len(steps):
        return "ProfilerStep", held | {"ProfilerStep"}
    ranges = names[names["kind"].isin(["user_annotation", "cpu_op"])]
    return ranges.sort_values("dur").iloc[-1]["text"] if len(ranges) else "none", held


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lanes", required=True)
    parser.add_argument("--hta", required=True)
    parser.add_argument("--verbose", action="store_true", help="HTA's own warnings too")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    arguments.lanes = os.path.abspath(arguments.lanes)
    sys.path.insert(0, arguments.hta)
    import logging

    import hta.configs.config  # noqa: F401

    if not arguments.verbose:
        logging.disable(logging.CRITICAL)
    bad = ran = total = 0
    for file in arguments.files:
        if os.path.isdir(file):
            bad += ranks_of_job(arguments, file)
            continue
        of_file = run(arguments, file)
        bad, ran, total = bad + of_file[0], ran + of_file[1], total + of_file[2]
    print(f"{ran} of {total} analyses ran on {len(arguments.files)} file(s), {bad} failed or differed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

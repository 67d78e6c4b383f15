# SPDX-License-Identifier: MIT
"""The figures of `lanes report --json` against those computed from the file."""


def check(scope, found):
    report, figures, recording = scope.report, scope.figures, scope.recording

    def hold(what, said, should):
        unknown = said is None or isinstance(said, list) and None in said
        if not unknown and said != should:
            found.add("figure", f"{what} is {said}, and should be {should}"
                      + (" [--range steady]" if scope.is_part else ""))

    hold("range_ns", report["range_ns"], [figures.start, figures.range_end])
    hold("wall_ns", report["wall_ns"], figures.wall)
    hold("gpu_busy_ns", report["gpu_busy_ns"], figures.busy)
    hold("overlap_ns", report["overlap_ns"], figures.overlap)
    hold("concurrency_ns", report["concurrency_ns"], figures.concurrency)
    worked = [g for g in report["gpu"] if g["busy_ns"]]
    for key, value in (
            ("busy_ns", lambda g: g.busy), ("kernel_ns", lambda g: g.kernel), ("copy_ns", lambda g: g.copy),
            ("memset_ns", lambda g: g.memset), ("copy_hidden_ns", lambda g: g.copy_hidden),
            ("copy_exposed_ns", lambda g: g.copy_exposed), ("overlap_ns", lambda g: g.overlap),
            ("h2d_ns", lambda g: g.words["h2d"]), ("d2h_ns", lambda g: g.words["d2h"]),
            ("d2d_ns", lambda g: g.words["d2d"]), ("p2p_ns", lambda g: g.words["p2p"]),
            ("h2d_d2h_overlap_ns", lambda g: g.both_directions),
            ("kernel_concurrency_ns", lambda g: g.kernels_at_once),
            ("communication_ns", lambda g: g.communication),
            ("communication_exposed_ns", lambda g: g.communication_exposed)):
        hold(f"gpu[].{key}", sorted(g[key] for g in worked), sorted(value(g) for g in figures.gpus.values() if g.busy))
    hold("streams' busy times", sorted(s["busy_ns"] for g in worked for s in g["streams"] if s["busy_ns"]),
         sorted(busy for g in figures.gpus.values() for busy in g.streams if busy))
    counts = report["counts"]
    if counts["kernels"] is not None:
        for key, kind in (("kernels", "kernel"), ("copies", "copy"), ("memsets", "memset")):
            hold(f"counts.{key}", counts[key], sum(1 for o in figures.operations if o.kind == kind))

# SPDX-License-Identifier: MIT
"""The calls of a recording that a listing and a workload's steps have in common, and their comparison."""
import re
import sqlite3

COPIES = {1: "HtoD", 2: "DtoH", 8: "DtoD", 9: "HtoH", 10: "PtoP"}
KINDS = (
    (r"LaunchKernel|cuLaunchKernel|cudaLaunchCooperative", "kernel"),
    (r"Memcpy", "copy"),
    (r"Memset", "memset"),
    (r"EventRecord", "record"),
    (r"StreamWaitEvent", "wait"),
    (r"EventSynchronize", "sync event"),
    (r"StreamSynchronize", "sync stream"),
    (r"DeviceSynchronize|CtxSynchronize", "sync device"),
    (r"GraphLaunch", "graph"),
    (r"StreamBeginCapture", "capture"),
    (r"StreamEndCapture", "captured"),
    (r"MallocAsync|MallocFromPoolAsync|MemAllocAsync", "alloc async"),
    (r"FreeAsync", "free async"),
    (r"cudaMalloc$|cuMemAlloc(_v2)?$", "alloc"),
    (r"cudaFree$|cuMemFree(_v2)?$", "free"),
)


def kind_of(name):
    name = re.sub(r"_v\d+$", "", name)
    for pattern, kind in KINDS:
        if re.search(pattern, name):
            return kind
    return None


def of_recording(path, range_name):
    """The kinds of the outermost calls, in order: of the thread and time of the NVTX range of that name, else of the thread
    with the most calls."""
    with sqlite3.connect("file:%s?mode=ro" % path, uri=True) as file:
        tables = {row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        directions = {}
        if "CUPTI_ACTIVITY_KIND_MEMCPY" in tables:
            directions = dict(file.execute("SELECT correlationId, copyKind FROM CUPTI_ACTIVITY_KIND_MEMCPY"))
        if "CUPTI_ACTIVITY_KIND_RUNTIME" not in tables:
            return []
        rows = file.execute("SELECT start, end, globalTid, correlationId, value FROM CUPTI_ACTIVITY_KIND_RUNTIME "
                            "JOIN StringIds ON StringIds.id = nameId ORDER BY start, end DESC").fetchall()
        if range_name is None:
            threads = [row[2] for row in rows]
            thread, begin, end = max(set(threads), key=threads.count) if threads else None, 0, 2**62
        else:
            ranges = file.execute("SELECT start, end, globalTid FROM NVTX_EVENTS LEFT JOIN StringIds ON StringIds.id = textId "
                                  "WHERE coalesce(text, value) = ?", (range_name,)).fetchall()
            if len(ranges) != 1:
                raise RuntimeError("expected one NVTX range '%s', found %d" % (range_name, len(ranges)))
            begin, end, thread = ranges[0]
    found, last_end = [], -1
    for start, stop, of, correlation, name in rows:
        if of != thread or start < begin or start > end or start < last_end:
            continue
        kind = kind_of(name)
        if kind is None:
            continue
        last_end = stop
        found.append("copy " + COPIES.get(directions[correlation], "?") if kind == "copy" and correlation in directions
                     else kind)
    return found


def without(calls, *kinds):
    return [call for call in calls if call not in kinds]


def collapsed(calls):
    """Counts several kernels in a row as one: an operation of PyTorch may take more than one."""
    return [call for i, call in enumerate(calls) if call != "kernel" or i == 0 or calls[i - 1] != "kernel"]


def paired_events(calls):
    """Leaves out event records without a wait: PyTorch's allocators make such when memory that another stream used is
    given back (record_stream). That may be between two kernels, which then count as one: see collapsed."""
    return collapsed([call for i, call in enumerate(calls) if call != "record" or calls[i + 1:i + 2] == ["wait"]])


def tidy_graphs(calls):
    """torch.cuda.graph waits for the device before it captures, and then sets the state of the random generators, in
    kernels."""
    result = []
    for call in calls:
        before = len(result)
        while call == "capture" and before > 0 and result[before - 1] == "kernel":
            before -= 1
        while call == "capture" and before > 0 and result[before - 1] == "sync device":
            before -= 1
            del result[before:]
        result.append(call)
    return result


def difference(expected, found):
    for i in range(max(len(expected), len(found))):
        a, b = expected[i:i + 1], found[i:i + 1]
        if a != b:
            context = ", ".join(expected[max(i - 3, 0):i]) or "the start"
            return "after %s (call %d): expected %s, found %s; %d calls expected, %d found" % (
                context, i, a[0] if a else "the end", b[0] if b else "the end", len(expected), len(found))
    return ""


def compared(expected, found, allocates, language, code):
    """"ok" or "FAIL", and what differs or what had to be overlooked."""
    allocations = ("alloc", "free", "alloc async", "free async")
    if not allocates or (language == "pytorch" and not set(allocations) & set(expected)):  # those of its cache
        expected, found = without(expected, *allocations), without(found, *allocations)
    elif language == "pytorch":  # its cache may ask for more memory than one tensor's, or at other times
        expected = [call.replace(" async", "") if "async" in call and "free async" not in found else call for call in expected]
    if not expected:
        return "FAIL", "the steps make no calls"
    if expected == found:
        return "ok", "%d calls" % len(expected)
    first = difference(expected, found)
    if "ncclGroupStart" in code:  # orders its streams with events of its own
        expected, found = without(expected, "record", "wait"), without(found, "record", "wait")
        if collapsed(expected) == collapsed(found):
            return "ok", "%d calls, but for the events of NCCL" % len(expected)
    if language == "cuda":
        return "FAIL", first
    overlooked = []
    if ".pin_memory()" in code and "sync event" not in found:  # its cache asks for the events of its memory, it never waits
        expected = without(expected, "sync event")
        overlooked.append("waits for pinned memory")
    for what, tidied in (("what torch.cuda.graph adds", tidy_graphs), ("kernels in a row", collapsed),
                         ("events of the allocators", paired_events)):
        a, b = tidied(expected), tidied(found)
        if (a, b) != (expected, found):
            overlooked.append(what)
        expected, found = a, b
        if expected == found:
            return "ok", "%d calls, but for %s" % (len(expected), ", ".join(overlooked))
    if "GPU 1" in code or "cuda.nccl." in code:  # a copy between GPUs orders both of their streams, NCCL those that it is given
        expected, found = (collapsed(without(calls, "record", "wait")) for calls in (expected, found))
        if expected == found:
            return "ok", "%d calls, but for the events of copies between GPUs and of NCCL" % len(expected)
    return "FAIL", first


def try_out():
    """How many of these comparisons fail."""
    steps = ["copy HtoD", "record", "wait", "kernel", "sync device"]
    trials = [
        ("ok", steps, steps, "cuda"),
        ("FAIL", steps, steps[:-1], "cuda"),
        ("FAIL", steps, ["copy HtoD", "kernel", "record", "wait", "sync device"], "pytorch"),
        ("FAIL", steps, ["copy DtoH"] + steps[1:], "pytorch"),
        ("FAIL", steps, ["copy HtoD", "kernel", "sync device"], "pytorch"),
        ("ok", steps, ["copy HtoD", "record", "wait", "kernel", "kernel", "record", "sync device"], "pytorch"),
        ("ok", ["kernel", "record", "wait", "copy DtoH", "kernel", "kernel", "sync device"],
         ["kernel", "record", "wait", "copy DtoH", "kernel", "record", "kernel", "sync device"], "pytorch"),
        ("FAIL", ["kernel", "record", "wait", "copy DtoH", "kernel", "copy DtoH", "kernel"],
         ["kernel", "record", "wait", "copy DtoH", "kernel", "record", "kernel"], "pytorch"),
        ("FAIL", steps, ["copy HtoD", "record", "wait", "kernel", "kernel", "sync device"], "cuda"),
        ("ok", ["capture", "kernel", "captured", "graph"], ["sync device", "alloc", "capture", "kernel", "captured", "graph"],
         "pytorch"),
        ("ok", ["kernel", "capture", "kernel", "captured"],
         ["kernel", "sync device", "kernel", "kernel", "capture", "kernel", "captured"], "pytorch"),
        ("FAIL", ["capture", "kernel", "captured"], ["kernel", "capture", "kernel", "captured"], "pytorch"),
        ("FAIL", ["kernel", "sync stream"], ["kernel", "sync device"], "pytorch"),
        ("ok", ["kernel", "copy DtoH"], ["alloc", "kernel", "alloc", "copy DtoH"], "pytorch allocates"),
        ("FAIL", ["alloc", "kernel", "free"], ["kernel"], "pytorch allocates"),
        ("FAIL", [], [], "cuda"),
        ("ok", ["copy HtoD", "record", "kernel", "sync event", "copy HtoD", "kernel"],
         ["copy HtoD", "kernel", "copy HtoD", "kernel"], "pytorch .pin_memory()"),
        ("FAIL", ["copy HtoD", "record", "kernel", "sync event", "copy HtoD", "kernel"],
         ["copy HtoD", "kernel", "copy HtoD", "kernel"], "pytorch"),
        ("ok", ["kernel", "record", "wait", "kernel", "kernel", "sync device"],
         ["kernel", "record", "wait", "record", "wait", "kernel", "kernel", "sync device"], "cuda ncclGroupStart();"),
        ("FAIL", ["kernel", "record", "wait", "kernel", "kernel", "sync device"],
         ["kernel", "record", "wait", "kernel", "kernel"], "cuda ncclGroupStart();"),
        ("ok", ["kernel", "record", "wait", "copy PtoP", "kernel"],
         ["kernel", "record", "wait", "record", "wait", "copy PtoP", "kernel"], "pytorch GPU 1"),
    ]
    failed = 0
    for wanted, expected, found, language in trials:
        language, _, code = language.partition(" ")
        verdict, why = compared(expected, found, code == "allocates", language, code)
        if verdict != wanted:
            failed += 1
            print("FAIL comparison of %s with %s: %s, %s" % (expected, found, verdict, why))
    print("%s   the comparison" % ("FAIL" if failed else "ok"))
    return failed

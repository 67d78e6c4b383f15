# SPDX-License-Identifier: MIT
"""Reads a recording in Nsight's table layout with LANESCOPE_ tables (docs/traces.md) into lists.

Nothing here is shared with the engine. Files of other tools are converted by `lanes convert` before they come here.
All times are in ns from the start of the recording. Errors: sqlite3.Error for what is no such file."""

import re
import sqlite3
from collections import defaultdict

KERNEL, COPY, MEMSET = "kernel", "copy", "memset"
# copyKind of the layout; arrays are device memory. 11 to 13 are migrations of unified memory, which are no operations.
COPY_WORDS = {1: "h2d", 2: "d2h", 3: "h2d", 4: "d2h", 5: "d2d", 6: "d2d", 7: "d2d", 8: "d2d", 9: "h2h", 10: "p2p"}
NVTX_MARK, NVTX_RANGES, NVTX_DOMAIN = 34, (59, 60), 75  # eventType
WORK, PUT, GET, JOIN, STAGING = 0, 1, 2, 3, 4  # LANESCOPE_HOST_SPAN.type
PAGEABLE, PINNED, DEVICE, ARRAY, MANAGED, UNKNOWN = 0, 1, 2, 3, 4, 7


class Operation:
    """A kernel, a copy or a memset on one stream."""

    __slots__ = ("kind", "start", "end", "gpu", "stream", "name", "full_name", "correlation", "process", "word", "bytes", "source",
                 "target", "asynchronous", "call", "node", "channel")

    def __init__(self, kind, start, end):
        self.kind, self.start, self.end = kind, start, end
        self.call = None
        self.word, self.bytes, self.source, self.target = kind, 0, None, None
        self.asynchronous, self.node, self.channel = True, None, None


class Call:
    """An API call. `outer` is the call of the same thread around it, None if it is an outermost one."""

    __slots__ = ("start", "end", "thread", "name", "correlation", "result", "outer", "process", "operations", "base")

    def __init__(self, start, end, thread, name, correlation, result):
        self.start, self.end, self.thread, self.name = start, end, thread, name
        self.correlation, self.result = correlation, result
        self.outer, self.process, self.operations = None, None, []
        self.base = base_name(name)


def base_name(name):
    """Without the suffixes of versions and of per-thread streams: "cudaMemcpyAsync_ptsz_v7000" is cudaMemcpyAsync."""
    name = re.sub(r"_v\d{3,}$", "", name or "")
    return re.sub(r"_(ptsz|ptds)$", "", name)


class Recording:
    """The tables that sentences are computed from, sorted by start."""

    def __init__(self, path):
        self.path = path
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        self.tables = {row[0] for row in self.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        self.texts = dict(self.rows("StringIds", ("id", "value")))
        self.meta = dict(self.rows("LANESCOPE_META", ("key", "value")))
        self._read_owners()
        self._read_operations()
        self._read_calls()
        self._join()
        self._read_rest()
        self.db.close()

    def rows(self, table, columns):
        """The rows of a table in the order of the file; a column that it lacks is None in each. No table: no rows."""
        if table not in self.tables:
            return []
        known = {row[1] for row in self.db.execute(f'PRAGMA table_info("{table}")')}
        chosen = ", ".join(f'"{column}"' if column in known else "NULL" for column in columns)
        return self.db.execute(f'SELECT {chosen} FROM "{table}" ORDER BY rowid').fetchall()

    def _read_owners(self):
        self.process_of_pid = {}
        self.parents = {}
        for pid, process, parent in self.rows("LANESCOPE_PROCESS", ("globalPid", "process", "parent")):
            self.process_of_pid[pid] = process
            self.parents[process] = parent
        self.thread_ids = {}
        self.places = {}
        for tid, process, thread, place in self.rows("LANESCOPE_THREAD", ("globalTid", "process", "thread", "place")):
            self.thread_ids[tid] = (process, thread)
            self.places[(process, thread)] = place
        names = self.rows("ThreadNames", ("globalTid", "nameId"))
        self.thread_names = {self.thread(tid): self.texts.get(name, "") for tid, name in names}
        self.process_names = {self.process(pid): name for pid, name in self.rows("PROCESSES", ("globalPid", "name"))}
        # A GPU is known by its UUID or its place on the bus, else by the process and its number there.
        machine = {number: uuid or bus for number, uuid, bus in self.rows(
            "TARGET_INFO_GPU", ("id", "uuid", "busLocation"))}
        self.gpus = {}
        for gpu, number, pid, uuid in self.rows("TARGET_INFO_CUDA_DEVICE", ("gpuId", "cudaId", "pid", "uuid")):
            key = uuid or machine.get(gpu)
            if key:
                self.gpus[(pid, number)] = key
        # By (process, the process's number of it), for all GPUs with work; filled as operations are read.
        self.gpu_numbers = {}
        self.gpu_names = {}
        self.engines = {}
        self.compute = {}
        for name, uuid, bus, engines, major in self.rows(
                "TARGET_INFO_GPU", ("name", "uuid", "busLocation", "asyncEngines", "computeMajor")):
            self.gpu_names[uuid or bus] = name
            self.engines[uuid or bus] = engines
            self.compute[uuid or bus] = major
        self.stream_flags = {}
        for process, context, stream, flag in self.rows(
                "TARGET_INFO_CUDA_STREAM", ("processId", "contextId", "streamId", "flag")):
            self.stream_flags[(process, context, stream)] = flag
        self.null_streams = {}
        for process, context, stream in self.rows(
                "TARGET_INFO_CUDA_CONTEXT_INFO", ("processId", "contextId", "nullStreamId")):
            self.null_streams[(process, context)] = stream
        self.stream_names = {(p, c, s): name for p, c, s, name in self.rows(
            "TARGET_INFO_NVTX_CUDA_STREAM", ("processId", "contextId", "streamId", "name"))}

    def process(self, pid):
        """The operating system's number of a process."""
        if pid is None:
            return 0
        return self.process_of_pid.get(pid, (pid >> 24) & 0xFFFFFF)

    def thread(self, tid):
        """(process, thread) as the operating system numbers them."""
        if tid is None:
            return None
        return self.thread_ids.get(tid, ((tid >> 24) & 0xFFFFFF, tid & 0xFFFFFF))

    def _place(self, operation, device, context, stream, correlation, pid):
        process = self.process(pid)
        operation.process = process
        operation.gpu = self.gpus.get((process, device), (process, device))
        self.gpu_numbers[(process, device)] = operation.gpu
        operation.stream = (process, context, stream)
        operation.correlation = correlation
        return operation

    def _read_operations(self):
        own = defaultdict(dict)
        for kind, row, channel, asynchronous in self.rows("LANESCOPE_OPERATION", ("kind", "row", "channel", "async")):
            own[kind][row] = (channel, asynchronous)
        self.operations = []
        where = ("deviceId", "contextId", "streamId", "correlationId", "globalPid")
        for row, r in enumerate(self.rows("CUPTI_ACTIVITY_KIND_KERNEL", (
                "start", "end", *where, "shortName", "demangledName", "graphNodeId")), 1):
            operation = self._place(Operation(KERNEL, r[0], r[1]), *r[2:7])
            operation.name = self.texts.get(r[7], "")
            operation.full_name = self.texts.get(r[8], operation.name)
            operation.node = r[9]
            operation.channel = own[0].get(row, (None, 0))[0]
            self.operations.append(operation)
        for row, r in enumerate(self.rows("CUPTI_ACTIVITY_KIND_MEMCPY", (
                "start", "end", *where, "bytes", "copyKind", "srcKind", "dstKind", "graphNodeId")), 1):
            if r[8] in (11, 12, 13):
                continue
            operation = self._place(Operation(COPY, r[0], r[1]), *r[2:7])
            operation.bytes, operation.source, operation.target, operation.node = r[7], r[9], r[10], r[11]
            operation.word = COPY_WORDS.get(r[8], "copy")
            operation.name = operation.word
            operation.asynchronous = bool(own[1].get(row, (None, 0))[1])
            self.operations.append(operation)
        for row, r in enumerate(self.rows("CUPTI_ACTIVITY_KIND_MEMSET", (
                "start", "end", *where, "bytes", "memKind", "graphNodeId")), 1):
            operation = self._place(Operation(MEMSET, r[0], r[1]), *r[2:7])
            operation.bytes, operation.target, operation.node = r[7], r[8], r[9]
            operation.name = "memset"
            operation.asynchronous = bool(own[2].get(row, (None, 0))[1])
            self.operations.append(operation)
        self.operations.sort(key=lambda o: (o.start, o.end))

    def _read_calls(self):
        self.calls = []
        for start, end, tid, correlation, name, result in self.rows("CUPTI_ACTIVITY_KIND_RUNTIME", (
                "start", "end", "globalTid", "correlationId", "nameId", "returnValue")):
            thread = self.thread(tid)
            call = Call(start, end, thread, self.texts.get(name, ""), correlation, result)
            call.process = thread[0] if thread else 0
            self.calls.append(call)
        self.calls.sort(key=lambda c: (c.start, -c.end))
        open_calls = defaultdict(list)
        for call in self.calls:
            around = open_calls[call.thread]
            while around and around[-1].end <= call.start and not (
                    around[-1].end == call.start == call.end == around[-1].start):
                around.pop()
            if around and call.end <= around[-1].end:
                call.outer = around[0]
            around.append(call)
            if call.outer is None:
                del around[:-1]
        self.outermost = [call for call in self.calls if call.outer is None]

    def _join(self):
        by_correlation = {}
        for call in self.calls:
            if call.correlation:
                by_correlation.setdefault((call.process, call.correlation), call)
        for operation in self.operations:
            call = by_correlation.get((operation.process, operation.correlation)) if operation.correlation else None
            if call is not None:
                operation.call = call.outer or call
                operation.call.operations.append(operation)
        self.by_correlation = by_correlation

    def _outer_call(self, process, correlation):
        call = self.by_correlation.get((process, correlation)) if correlation else None
        return call and (call.outer or call)

    def _read_ranges(self):
        self.ranges, self.marks = [], []  # (start, end or None, thread, name)
        self.operators = []  # of them those that PyTorch's profiler or Lanescope recorded as its operators
        domains, rows = {}, []
        for start, end, kind, text, tid, text_id, domain in self.rows(
                "NVTX_EVENTS", ("start", "end", "eventType", "text", "globalTid", "textId", "domainId")):
            name = text if text is not None else self.texts.get(text_id, "")
            thread = self.thread(tid)
            if kind == NVTX_DOMAIN:
                domains[(thread[0] if thread else 0, domain)] = name
            elif kind == NVTX_MARK:
                self.marks.append((start, thread, name))
            elif kind in NVTX_RANGES:
                rows.append((start, end, thread, name, domain))
        of_pytorch = self.meta.get("source") in ("kineto", "cupti")
        for start, end, thread, name, domain in rows:
            self.ranges.append((start, end, thread, name))
            said = domains.get((thread[0] if thread else 0, domain))
            if of_pytorch and thread and end is not None and (
                    said == "cpu_op" or said == "Operator" and not name.startswith("ProfilerStep#")):
                self.operators.append((start, end, thread, name))

    def _read_rest(self):
        self.syncs = []  # (start, end, process, context, stream, call, type, event, event sync)
        for start, end, context, stream, correlation, pid, kind, event, number in self.rows(
                "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", ("start", "end", "contextId", "streamId", "correlationId",
                                                        "globalPid", "syncType", "eventId", "eventSyncId")):
            process = self.process(pid)
            self.syncs.append((start, end, process, context, stream, self._outer_call(process, correlation), kind,
                               event, number))
        self.events = []  # (process, context, stream, call, event, event sync)
        for context, stream, correlation, pid, event, number in self.rows("CUPTI_ACTIVITY_KIND_CUDA_EVENT", (
                "contextId", "streamId", "correlationId", "globalPid", "eventId", "eventSyncId")):
            process = self.process(pid)
            self.events.append((process, context, stream, self._outer_call(process, correlation), event, number))
        self._read_ranges()
        self.spans = [(start, end, self.thread(tid), self.texts.get(name, ""), kind) for start, end, tid, name, kind in
                      self.rows("LANESCOPE_HOST_SPAN", ("start", "end", "globalTid", "nameId", "type"))]
        self.reads = [(start, end, self.thread(tid), self.texts.get(buffer, ""), size, wrong) for
                      start, end, tid, buffer, size, wrong in self.rows("LANESCOPE_READ", (
                          "start", "end", "globalTid", "bufferId", "bytes", "wrongBytes"))]
        self.steps = [(start, self.thread(tid), step) for start, tid, step in self.rows(
            "LANESCOPE_STEP", ("start", "globalTid", "step"))]
        self.spins = []  # (start, end, call, queries, succeeded)
        for start, end, tid, correlation, queries, found in self.rows("LANESCOPE_QUERY_SPIN", (
                "start", "end", "globalTid", "correlationId", "queries", "succeeded")):
            thread = self.thread(tid)
            self.spins.append((start, end, self._outer_call(thread[0] if thread else 0, correlation), queries, found))
        self.overheads = []  # (start, end, thread, type)
        for table in ("CUPTI_ACTIVITY_KIND_OVERHEAD", "PROFILER_OVERHEAD"):
            for start, end, tid, kind in self.rows(table, ("start", "end", "globalTid", "overheadType")):
                self.overheads.append((start, end, self.thread(tid), kind))
        self.host_functions = self.rows("LANESCOPE_HOST_FUNCTION", (
            "start", "end", "globalPid", "contextId", "streamId", "correlationId"))
        self.errors = self.rows("LANESCOPE_ERROR", ("time", "messageId"))
        self.samples = [time for time, in self.rows("LANESCOPE_SAMPLE", ("time",))]
        self.memory = []  # (time, call, GPU)
        for time, pid, device, correlation in self.rows(
                "CUDA_GPU_MEMORY_USAGE_EVENTS", ("start", "globalPid", "deviceId", "correlationId")):
            process = self.process(pid)
            self.memory.append((time, self._outer_call(process, correlation),
                                self.gpus.get((process, device), (process, device))))

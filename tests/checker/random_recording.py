# SPDX-License-Identifier: MIT
"""Recordings of programs that nobody wrote: threads that launch, copy, wait, allocate, work and pause, on GPUs whose
streams and copy engines are simulated, so that every time could have been measured. A seed gives the same file each
time."""

import heapq
import random
import sqlite3

US, MS = 1_000, 1_000_000
QUEUE = 1024  # operations of a context that fit into its launch queue
PAGEABLE, PINNED, DEVICE = 0, 1, 2
H2D, D2H, D2D, P2P = 1, 2, 8, 10
FLAG_DEFAULT, FLAG_NON_BLOCKING, FLAG_NULL = 1, 2, 3
NULL_STREAM = 7

TABLES = {
    "StringIds": "id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL",
    "CUPTI_ACTIVITY_KIND_RUNTIME": "start INTEGER NOT NULL, \"end\" INTEGER NOT NULL, eventClass INTEGER NOT NULL, "
        "globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL",
    "CUPTI_ACTIVITY_KIND_KERNEL": "start INTEGER NOT NULL, \"end\" INTEGER NOT NULL, deviceId INTEGER NOT NULL, "
        "contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "
        "demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL, "
        "gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, "
        "blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL, "
        "dynamicSharedMemory INTEGER NOT NULL, graphNodeId INTEGER",
    "CUPTI_ACTIVITY_KIND_MEMCPY": "start INTEGER NOT NULL, \"end\" INTEGER NOT NULL, deviceId INTEGER NOT NULL, "
        "contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "
        "bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER, srcDeviceId INTEGER, "
        "dstDeviceId INTEGER, graphNodeId INTEGER",
    "CUPTI_ACTIVITY_KIND_MEMSET": "start INTEGER NOT NULL, \"end\" INTEGER NOT NULL, deviceId INTEGER NOT NULL, "
        "contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "
        "value INTEGER NOT NULL, bytes INTEGER NOT NULL, graphNodeId INTEGER, memKind INTEGER",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": "start INTEGER NOT NULL, \"end\" INTEGER NOT NULL, "
        "deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, "
        "globalPid INTEGER, syncType INTEGER NOT NULL, eventId INTEGER NOT NULL, eventSyncId INTEGER",
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT": "timestamp INTEGER NOT NULL, deviceId INTEGER NOT NULL, "
        "contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "
        "eventId INTEGER NOT NULL, eventSyncId INTEGER",
    "NVTX_EVENTS": "start INTEGER NOT NULL, \"end\" INTEGER, eventType INTEGER NOT NULL, text TEXT, "
        "globalTid INTEGER, textId INTEGER, domainId INTEGER",
    "PROCESSES": "globalPid INTEGER, pid INTEGER, name TEXT",
    "ThreadNames": "nameId INTEGER NOT NULL, globalTid INTEGER",
    "TARGET_INFO_GPU": "vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, busLocation TEXT, totalMemory INTEGER, "
        "memoryBandwidth INTEGER, clockRate INTEGER, smCount INTEGER, uuid TEXT, asyncEngines INTEGER, "
        "computeMajor INTEGER, computeMinor INTEGER",
    "TARGET_INFO_CUDA_DEVICE": "gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL, uuid TEXT, "
        "numMultiprocessors INTEGER",
    "TARGET_INFO_CUDA_CONTEXT_INFO": "nullStreamId INTEGER NOT NULL, processId INTEGER NOT NULL, "
        "deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL",
    "TARGET_INFO_CUDA_STREAM": "streamId INTEGER NOT NULL, processId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
        "priority INTEGER NOT NULL, flag INTEGER NOT NULL",
    "META_DATA_CAPTURE": "name TEXT NOT NULL, value TEXT",
    "META_DATA_EXPORT": "name TEXT NOT NULL, value TEXT",
    "LANESCOPE_META": "key TEXT NOT NULL, value TEXT NOT NULL",
    "LANESCOPE_PROCESS": "globalPid INTEGER NOT NULL, process INTEGER NOT NULL, parent INTEGER NOT NULL",
    "LANESCOPE_THREAD": "globalTid INTEGER NOT NULL, process INTEGER NOT NULL, thread INTEGER NOT NULL, "
        "place INTEGER NOT NULL",
    "LANESCOPE_OPERATION": "kind INTEGER NOT NULL, row INTEGER NOT NULL, channel INTEGER, async INTEGER NOT NULL",
    "LANESCOPE_HOST_SPAN": "start INTEGER NOT NULL, \"end\" INTEGER NOT NULL, globalTid INTEGER, "
        "nameId INTEGER NOT NULL, type INTEGER NOT NULL",
}


class File:
    """The rows of a recording, written when it is complete."""

    def __init__(self):
        self.rows = {table: [] for table in TABLES}
        self.texts = {}

    def text(self, value):
        return self.texts.setdefault(value, len(self.texts) + 1)

    def add(self, table, *values):
        self.rows[table].append(values)
        return len(self.rows[table])

    def write(self, path):
        self.rows["StringIds"] = [(number, value) for value, number in self.texts.items()]
        database = sqlite3.connect(path)
        database.execute("PRAGMA synchronous = OFF")
        for table, columns in TABLES.items():
            database.execute(f"CREATE TABLE {table} ({columns})")
            if self.rows[table]:
                marks = ", ".join("?" * len(self.rows[table][0]))
                database.executemany(f"INSERT INTO {table} VALUES ({marks})", self.rows[table])
        database.commit()
        database.close()


class Gpu:
    """When its copy engines and streams are free. Kernels of several streams run side by side."""

    def __init__(self, number):
        self.number = number
        self.engines = {H2D: 0, D2H: 0, D2D: 0, P2P: 0}
        self.streams = {}  # by (process, stream): when its last operation ends
        self.pending = {}  # by process: ends of operations in its launch queue


class Thread:
    """One thread of a process: its clock, and what it issues."""

    def __init__(self, file, chance, process, number, gpu, body):
        self.file, self.chance, self.process, self.number = file, chance, process, number
        self.gpu, self.body = gpu, body
        self.left, self.begun = [], 0
        self.pid = (1 << 48) + (process.number << 24)
        self.tid = self.pid + number
        self.now = 0

    def call(self, name, length, end=None):
        """Makes a call that takes `length`, or until `end` if that is later; returns its correlation."""
        start = self.now
        self.now = max(start + length, end or 0)
        number = self.process.next_correlation()
        self.file.add("CUPTI_ACTIVITY_KIND_RUNTIME", start, self.now, 0, self.tid, number, self.file.text(name), 0)
        self.now += self.chance.randrange(200, 2 * US)
        return number

    def issued(self, length):
        """When an operation that is issued now may begin: after its call, and when there is room in the queue.
        Returns (that time, the end of the call)."""
        pending = self.gpu.pending.setdefault(self.process.number, [])
        while pending and pending[0] <= self.now:
            heapq.heappop(pending)
        room = self.now
        if len(pending) >= QUEUE:
            room = heapq.heappop(pending)
        return room + length // 2 + self.chance.randrange(1 * US, 4 * US), max(self.now + length, room + length)

    def run(self, stream, ready, length, engine=None):
        """The (start, end) of an operation on the GPU."""
        key = (self.process.number, stream)
        start = max(ready, self.gpu.streams.get(key, 0) + self.chance.randrange(600, 1500))
        if engine is not None:
            start = max(start, self.gpu.engines[engine])
            self.gpu.engines[engine] = start + length
        self.gpu.streams[key] = start + length
        heapq.heappush(self.gpu.pending.setdefault(self.process.number, []), start + length)
        return start, start + length

    def where(self, stream, number):
        return self.gpu.number, self.process.context(self.gpu), stream, number, self.pid

    # --- what a thread may do ---

    def launch(self, stream, name, length):
        took = self.chance.randrange(3 * US, 9 * US)
        ready, end = self.issued(took)
        start, done = self.run(stream, ready, length)
        number = self.call("cudaLaunchKernel", took, end)
        self.kernel(start, done, stream, number, name, None)

    def kernel(self, start, end, stream, number, name, node):
        text = self.file.text(name)
        row = self.file.add("CUPTI_ACTIVITY_KIND_KERNEL", start, end, *self.where(stream, number), text, text, 32, 16,
                            1, 1, 128, 1, 1, 0, 0, node)
        self.file.add("LANESCOPE_OPERATION", 0, row, None, 1)

    def launch_graph(self, stream, name, length, nodes):
        took = self.chance.randrange(8 * US, 20 * US)
        ready, end = self.issued(took)
        times = [self.run(stream, ready, length) for _ in range(nodes)]
        number = self.call("cudaGraphLaunch", took, end)
        for node, (start, done) in enumerate(times):
            self.kernel(start, done, stream, number, name, node + 1)

    def copy(self, stream, kind, size, host, asynchronous):
        rate = (55 if host == PINNED else 12) if kind in (H2D, D2H) else 1000
        took = self.chance.randrange(4 * US, 9 * US)
        ready, end = self.issued(took)
        start, done = self.run(stream, ready, 1500 + size // rate, kind)
        held = not asynchronous or host == PAGEABLE and (kind == D2H or size > 64 * 1024)
        name = "cudaMemcpyAsync" if asynchronous else "cudaMemcpy"
        number = self.call(name, took, done + self.chance.randrange(2 * US, 6 * US) if held else end)
        source, target = (host, DEVICE) if kind == H2D else (DEVICE, host) if kind == D2H else (DEVICE, DEVICE)
        row = self.file.add("CUPTI_ACTIVITY_KIND_MEMCPY", start, done, *self.where(stream, number), size, kind, source,
                            target, self.gpu.number, self.gpu.number, None)
        self.file.add("LANESCOPE_OPERATION", 1, row, None, int(asynchronous))

    def memset(self, stream, size):
        took = self.chance.randrange(3 * US, 7 * US)
        ready, end = self.issued(took)
        start, done = self.run(stream, ready, 1200 + size // 1500)
        number = self.call("cudaMemsetAsync", took, end)
        row = self.file.add("CUPTI_ACTIVITY_KIND_MEMSET", start, done, *self.where(stream, number), 0, size, None,
                            DEVICE)
        self.file.add("LANESCOPE_OPERATION", 2, row, None, 1)

    def synchronise(self, stream=None):
        """With a stream, or with all that the process does on the GPU."""
        ends = [end for (process, of), end in self.gpu.streams.items()
                if process == self.process.number and stream in (None, of)]
        begin = self.now
        done = max(ends, default=0)
        name = "cudaDeviceSynchronize" if stream is None else "cudaStreamSynchronize"
        number = self.call(name, 2 * US, done + self.chance.randrange(2 * US, 5 * US) if done > begin else None)
        self.file.add("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", begin, max(begin + 2 * US, done), self.gpu.number,
                      self.process.context(self.gpu), 0xFFFFFFFF if stream is None else stream, number, self.pid,
                      4 if stream is None else 3, 0xFFFFFFFF, None)

    def wait_event(self, before, after):
        """Lets one stream wait for what another has to do so far."""
        event = self.process.next_event()
        number = self.call("cudaEventRecord", 2 * US)
        self.file.add("CUPTI_ACTIVITY_KIND_CUDA_EVENT", 0, *self.where(before, number), event, event)
        number = self.call("cudaStreamWaitEvent", 2 * US)
        self.file.add("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", self.now, self.now, *self.where(after, number), 2, event,
                      event)
        key = (self.process.number, after)
        self.gpu.streams[key] = max(self.gpu.streams.get(key, 0),
                                    self.gpu.streams.get((self.process.number, before), 0))

    def allocate(self, length):
        self.call(self.chance.choice(("cudaMalloc", "cudaFree", "cudaMallocHost")), length)

    def work(self, length):
        self.file.add("LANESCOPE_HOST_SPAN", self.now, self.now + length, self.tid, self.file.text("prepare"), 0)
        self.now += length

    def pause(self, length):
        self.now += length


class Process:
    def __init__(self, number):
        self.number, self._correlation, self._event = number, 0, 0
        self.contexts = {}

    def next_correlation(self):
        self._correlation += 1
        return self._correlation

    def next_event(self):
        self._event += 1
        return self._event

    def context(self, gpu):
        return self.contexts.setdefault(gpu.number, len(self.contexts) + 1)


def log_uniform(chance, least, most):
    return int(least * (most / least) ** chance.random())


def make_body(chance, streams):
    """The steps of an iteration: [(method, arguments)], with times that vary later."""
    body = []
    kernel = log_uniform(chance, 2 * US, 2 * MS)
    for step in range(chance.randrange(2, 14)):
        stream = chance.choice(streams)
        kind = chance.choices(("launch", "copy", "value", "sync", "device", "event", "work", "pause", "allocate",
                               "graph", "memset"), (40, 12, 5, 4, 2, 4, 5, 6, 2, 4, 3))[0]
        if kind == "launch":
            for _ in range(chance.choice((1, 1, 2, 5, 20))):
                body.append(("launch", stream, f"kernel_{step}", kernel))
        elif kind == "copy":
            direction = chance.choice((H2D, H2D, D2H, D2D))
            body.append(("copy", stream, direction, log_uniform(chance, 1 << 12, 1 << 24),
                         chance.choice((PAGEABLE, PINNED)), chance.random() < 0.8))
        elif kind == "value":
            body.append(("copy", stream, D2H, 4, PAGEABLE, True))
            body.append(("synchronise", stream))
        elif kind == "sync":
            body.append(("synchronise", stream))
        elif kind == "device":
            body.append(("synchronise", None))
        elif kind == "event" and len(streams) > 1:
            body.append(("wait_event", *chance.sample(streams, 2)))
        elif kind in ("work", "pause"):
            body.append((kind, log_uniform(chance, 5 * US, 3 * MS)))
        elif kind == "allocate":
            body.append(("allocate", log_uniform(chance, 5 * US, MS)))
        elif kind == "graph":
            body.append(("launch_graph", stream, f"node_{step}", max(US, kernel // 4), chance.randrange(2, 30)))
        elif kind == "memset":
            body.append(("memset", stream, log_uniform(chance, 1 << 8, 1 << 22)))
    return body or [("launch", streams[0], "kernel", kernel)]


def on_streams(step, own):
    """The step with other streams."""
    streams = {"launch": 1, "copy": 1, "synchronise": 1, "launch_graph": 1, "memset": 1, "wait_event": 2}
    streams = streams.get(step[0], 0)
    return (step[0], *(own.get(value, value) for value in step[1:1 + streams]), *step[1 + streams:])


def vary(chance, step):
    """The step with its last time 5 % longer or shorter."""
    if step[0] in ("work", "pause", "allocate"):
        return (step[0], int(step[1] * chance.uniform(0.95, 1.05)))
    if step[0] == "launch":
        return (*step[:3], int(step[3] * chance.uniform(0.97, 1.03)))
    return step


def make(seed, path):
    """Writes the recording of this seed."""
    chance, file = random.Random(seed), File()
    gpus = [Gpu(number) for number in range(chance.choices((1, 2, 4), (75, 15, 10))[0])]
    ranks = len(gpus) > 1 and chance.random() < 0.5
    streams = [NULL_STREAM] + [13 + 4 * i for i in range(chance.choice((0, 0, 1, 2, 4)))]
    if len(streams) > 1 and chance.random() < 0.5:
        streams = streams[1:]  # the null stream would wait for nothing: all others are non-blocking
    processes = [Process(4000 + i) for i in range(len(gpus) if ranks else 1)]
    iterations = chance.choice((1, 3, 8, 20, 40))
    body = make_body(chance, streams)
    named = chance.random() < 0.4
    with_startup = chance.random() < 0.4
    threads = []
    for place, process in enumerate(processes):
        threads.append(Thread(file, chance, process, process.number, gpus[place], body))
        if chance.random() < 0.15:  # on streams of its own: of two threads on one stream, no file says who was first
            own = {stream: stream + 100 for stream in streams}
            threads.append(Thread(file, chance, process, process.number + 500, gpus[place],
                                  [on_streams(step, own) for step in body]))
            streams = streams + list(own.values())
    for thread in threads:
        thread.now = chance.randrange(0, 50 * US)
        if with_startup and thread.number == thread.process.number:
            thread.pause(log_uniform(chance, 10 * US, 50 * MS))
            thread.call("cudaMalloc", log_uniform(chance, MS, 200 * MS))
            thread.pause(log_uniform(chance, 10 * US, 20 * MS))
        thread.left = [(iteration, place) for iteration in range(iterations) for place in range(len(body))]
        thread.left.reverse()
    while any(thread.left for thread in threads):  # the thread whose clock is behind goes on
        thread = min((t for t in threads if t.left), key=lambda t: t.now)
        iteration, place = thread.left.pop()
        if place == 0:
            thread.begun = thread.now
        if len(gpus) > 1 and not ranks:
            thread.gpu = gpus[(iteration + place) % len(gpus)] if chance.random() < 0.7 else gpus[0]
        method, *arguments = vary(chance, thread.body[place])
        getattr(thread, method)(*arguments)
        if named and place + 1 == len(body):
            file.add("NVTX_EVENTS", thread.begun, thread.now, 59, f"step {iteration}", thread.tid, None, 0)
    if chance.random() < 0.6:
        threads[0].synchronise(None)
    describe(file, chance, gpus, processes, threads, streams)
    file.write(path)


def describe(file, chance, gpus, processes, threads, streams):
    """The tables that say what ran where."""
    for gpu in gpus:
        file.add("TARGET_INFO_GPU", 1, gpu.number, "NVIDIA H100 80GB HBM3", f"0000:{gpu.number:02x}:00.0", 80 << 30,
                 3_350_000_000_000, 1_980_000, 132, f"GPU-{gpu.number}", 3, 9, 0)
    for process in processes:
        pid = (1 << 48) + (process.number << 24)
        file.add("PROCESSES", pid, process.number, "random")
        file.add("LANESCOPE_PROCESS", pid, process.number, 0)
        for number, context in process.contexts.items():
            file.add("TARGET_INFO_CUDA_DEVICE", number, number, process.number, f"GPU-{number}", 132)
            file.add("TARGET_INFO_CUDA_CONTEXT_INFO", NULL_STREAM, process.number, number, context)
            for stream in streams:
                file.add("TARGET_INFO_CUDA_STREAM", stream, process.number, context, 0,
                         FLAG_NULL if stream == NULL_STREAM else FLAG_NON_BLOCKING)
    for place, thread in enumerate(threads):
        file.add("ThreadNames", file.text("random"), thread.tid)
        file.add("LANESCOPE_THREAD", thread.tid, thread.process.number, thread.number, place)
    for key, value in (("format_version", "1.3"), ("source", "cupti"), ("dropped", "0"), ("clock_violations", "0"),
                       ("command", "random")):
        file.add("LANESCOPE_META", key, value)
    file.add("META_DATA_CAPTURE", "CAPTURE_EVENT_TYPE", "Cuda")
    file.add("META_DATA_EXPORT", "EXPORT_SCHEMA_VERSION", "3.20.0")

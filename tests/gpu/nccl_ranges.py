#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""On a machine with one GPU and NCCL, in ten seconds: NCCL's ranges in a recording have ends.
  tests/gpu/nccl_ranges.py BIN     BIN: the folder of lanes and its probe
Records this script as one rank that makes a communicator, reduces and ends it. Prints NCCL's ranges; exit status 1 if one
has no end or one is missing."""
import ctypes
import glob
import os
import sqlite3
import subprocess
import sys
import tempfile


def library(name, *folders):
    candidates = [name] + [path for folder in folders for path in glob.glob(os.path.join(folder, name))]
    for candidate in candidates:
        try:
            return ctypes.CDLL(candidate)
        except OSError:
            pass
    sys.exit(f"nccl_ranges.py: no {name}")


def rank():
    wheels = [os.path.join(path, "nvidia", "*", "lib") for path in sys.path]
    cuda = library("libcudart.so.13", "/usr/local/cuda/lib64", "/usr/local/cuda/lib", *wheels)
    nccl = library("libnccl.so.2", "/usr/local/cuda/lib", "/usr/lib/x86_64-linux-gnu", *wheels)

    class Id(ctypes.Structure):
        _fields_ = [("bytes", ctypes.c_char * 128)]

    def call(function, *values):
        result = function(*values)
        if result != 0:
            sys.exit(f"nccl_ranges.py: {function.__name__} returned {result}")

    data, stream, communicator, one = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(), Id()
    call(cuda.cudaMalloc, ctypes.byref(data), ctypes.c_size_t(4096))
    call(cuda.cudaStreamCreate, ctypes.byref(stream))
    call(nccl.ncclGetUniqueId, ctypes.byref(one))
    nccl.ncclCommInitRankConfig.argtypes = [ctypes.c_void_p, ctypes.c_int, Id, ctypes.c_int, ctypes.c_void_p]
    call(nccl.ncclCommInitRankConfig, ctypes.byref(communicator), 1, one, 0, None)
    for _ in range(3):  # float32, sum
        call(nccl.ncclAllReduce, data, data, ctypes.c_size_t(1024), 7, 0, communicator, stream)
    call(cuda.cudaStreamSynchronize, stream)
    call(nccl.ncclCommFinalize, communicator)
    call(nccl.ncclCommDestroy, communicator)


def main():
    if sys.argv[1:] == ["--rank"]:
        return rank()
    with tempfile.TemporaryDirectory() as folder:
        recording = os.path.join(folder, "nccl.sqlite")
        subprocess.run([os.path.join(sys.argv[1], "lanes"), "record", "-o", recording, "--", sys.executable,
                        os.path.abspath(__file__), "--rank"], check=True)
        rows = sqlite3.connect(recording).execute(
            "SELECT coalesce(text, value), start, end FROM NVTX_EVENTS LEFT JOIN StringIds ON id = textId "
            "WHERE eventType IN (59, 60) ORDER BY start").fetchall()
    failed = 0
    for name, start, end in rows:
        print(f"{name:28} from {start / 1e6:10.3f} ms", "without an end" if end is None else f"for {(end - start) / 1e6:9.3f} ms")
        failed += end is None
    for name in ("ncclCommInitRankConfig", "ncclAllReduce"):
        if name not in [row[0] for row in rows]:
            print("missing:", name)
            failed += 1
    print("ok   NCCL's ranges have ends" if failed == 0 else f"FAIL NCCL's ranges: {failed}")
    return failed > 0


sys.exit(main())

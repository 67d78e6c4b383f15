# SPDX-License-Identifier: MIT
"""A "CUDA" for Python programs in tests: has the probe start as libcuda does, and records calls with the CUPTI double."""
import ctypes
import os
import struct
import threading
import time

_RUNTIME, _MEMSET, _MEMSET_ASYNC = 5, 2, 51  # CUPTI's numbers


class FakeCuda:
    def __init__(self):
        self._record = None
        if "CUDA_INJECTION64_PATH" in os.environ:
            ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]).InitializeInjection()
            double = ctypes.CDLL(os.environ["LANES_CUPTI"])
            record = ctypes.c_void_p.in_dll(double, "lanes_cupti_double").value
            self._record = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)(record)
        self._made = 0

    def memset(self, busy=10_000):
        """A call of the calling thread, and `busy` ns of work of the GPU once it has returned."""
        if self._record is None:
            return
        self._made += 1
        start = time.time_ns()
        end = start + 1000
        self._record(struct.pack("<IIQQIIII", _RUNTIME, _MEMSET_ASYNC, start, end, os.getpid(), threading.get_native_id(), self._made, 0), 1)
        work = bytearray(88)
        struct.pack_into("<I", work, 0, _MEMSET)
        struct.pack_into("<QQQIIII", work, 8, 4096, end, end + busy, 0, 1, 7, self._made)
        self._record(bytes(work), 1)

# SPDX-License-Identifier: MIT
"""Has the probe sample where this program's threads are (`lanes record --stacks`; probes/inject/stack_sampler.h).

CPython 3.9 to 3.13. The probe reads the interpreter's frames from outside while the program runs; nothing of it is run and
nothing is changed, but that each threading.Thread tells the probe when it begins and ends. Before anything is sampled, what
the probe reads of this thread is compared with what Python says: where they differ, stacks are not recorded.
"""
import atexit
import ctypes
import functools
import os
import sys
import sysconfig
import threading
import types


def _frames(frame):
    """As the probe says them, of the thread that asks."""
    text = ""
    while frame is not None:
        code = frame.f_code
        function = getattr(code, "co_qualname", code.co_name)  # the probe reads it from 3.11 on
        text += f"{code.co_filename}:{function}:{frame.f_lineno or 0}\n"
        frame = frame.f_back
    return text


class Stacks:
    """PyDLL: its functions are called with the interpreter's lock."""

    def __init__(self, path):
        library = self._library = ctypes.PyDLL(path)
        self._version, self._code = sys.hexversion, ctypes.c_void_p(id(types.CodeType))
        library.lanescope_stacks_here.restype = library.lanescope_error.restype = ctypes.c_char_p
        library.lanescope_stacks_here.argtypes = [ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p]
        library.lanescope_stacks_start.argtypes = [ctypes.c_uint32, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64]
        library.lanescope_stacks_thread.argtypes = [ctypes.c_void_p]
        library.lanescope_stacks_thread.restype = library.lanescope_stacks_stop.restype = None
        self._state_of_thread = ctypes.pythonapi.PyGILState_GetThisThreadState
        self._state_of_thread.restype = ctypes.c_void_p

    def start(self, interval):
        if sys.implementation.name != "cpython" or not getattr(sys, "_is_gil_enabled", lambda: True)():
            raise RuntimeError("this Python is none with CPython's lock")
        self._check()
        folder = os.path.join(sysconfig.get_path("stdlib"), "").encode()
        if self._library.lanescope_stacks_start(self._version, self._code, folder, interval) != 0:
            raise RuntimeError(self._problem())
        atexit.register(self._library.lanescope_stacks_stop)
        self._library.lanescope_stacks_thread(self._state_of_thread())
        self._follow_threads()

    def _problem(self):
        return self._library.lanescope_error().decode(errors="replace")

    def _check(self):
        """Through calls from Python, a generator and C, whose frames differ."""

        def ask(_):
            # On one line, which both see.
            found, own = self._library.lanescope_stacks_here(self._version, self._code, self._state_of_thread()), _frames(sys._getframe())
            if not found:
                raise RuntimeError(self._problem())
            if found.decode(errors="replace") != own:
                raise RuntimeError("what is read of its frames is not what it says of them")

        def steps():

            yield ask(

                0
            )

        ask(0)
        list(steps())
        list(map(ask, [0]))

    def _follow_threads(self):
        begin, tell, state_of_thread = threading.Thread._bootstrap_inner, self._library.lanescope_stacks_thread, self._state_of_thread

        @functools.wraps(begin)
        def sampled(thread):
            tell(state_of_thread())
            try:
                begin(thread)
            finally:
                tell(None)

        threading.Thread._bootstrap_inner = sampled


def install():
    path = os.environ.get("CUDA_INJECTION64_PATH", "")
    if not os.environ.get("LANES_SPOOL") or not path:
        return
    try:
        Stacks(path).start(int(os.environ["LANES_STACKS"]))
    except Exception as error:
        raise RuntimeError(f"of Python {sys.version.split()[0]}: {error}".splitlines()[0])

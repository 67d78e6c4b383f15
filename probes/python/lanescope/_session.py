# SPDX-License-Identifier: MIT
"""Records a part of this process, and names its ranges."""
import contextlib
import ctypes
import os
import sys

from ._files import LanescopeError, find_library, run_program
from ._recording import Recording, kept_folder

_probe = None  # the library
_ranges = None  # the library, or its substitute


def _library():
    """The probe, or LanescopeError."""
    global _probe
    if _probe is None:
        # Under `lanes record` the process has one already.
        path = os.environ.get("CUDA_INJECTION64_PATH", "")
        if not path.endswith("/liblanes-probe.so") or not os.path.isfile(path):
            path = find_library("liblanes-probe.so")
        if path is None:
            raise LanescopeError("liblanes-probe.so is not beside the package: this build is without CUDA")
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            raise LanescopeError(f"the probe cannot be loaded: {error}") from None
        for name, argument, result in (
            ("start", [ctypes.c_char_p], ctypes.c_int),
            ("stop", [], ctypes.c_int),
            ("recording", [], ctypes.c_int),
            ("range_push", [ctypes.c_char_p], None),
            ("range_pop", [], None),
            ("mark", [ctypes.c_char_p], None),
            ("counter", [ctypes.c_char_p, ctypes.c_double, ctypes.c_int, ctypes.c_int], None),
            ("error", [], ctypes.c_char_p),
        ):
            function = getattr(library, "lanescope_" + name)
            function.argtypes, function.restype = argument, result
        library.path = path
        _probe = library
    return _probe


class _Nothing:
    """Ranges without a probe."""

    def lanescope_range_push(self, name):
        pass

    def lanescope_range_pop(self):
        pass

    lanescope_mark = lanescope_range_push

    def lanescope_counter(self, name, value, unit, device):
        pass


def _library_or_nothing():
    global _ranges
    if _ranges is None:
        try:
            _ranges = _library()
        except LanescopeError:
            _ranges = _Nothing()
    return _ranges


@contextlib.contextmanager
def range(name):
    """A named range of this thread: `with lanescope.range("load"):`, or `@lanescope.range("load")` before a function. Costs
    next to nothing while nobody records."""
    probe = _library_or_nothing()
    probe.lanescope_range_push(str(name).encode())
    try:
        yield
    finally:
        probe.lanescope_range_pop()


def mark(name):
    """A named point in time on this thread."""
    _library_or_nothing().lanescope_mark(str(name).encode())


def counter(name, value, unit="", device=None):
    """A value of this process, or of its CUDA device `device`, from now on: a curve in the recording. `unit`: "bytes", "%"
    or none."""
    units = {"": 0, "bytes": 1, "%": 2}
    if unit not in units:
        raise ValueError(f'unit {unit!r}: expected "", "bytes" or "%"')
    _library_or_nothing().lanescope_counter(str(name).encode(), float(value), units[unit], -1 if device is None else int(device))


def _load(name, mode=os.RTLD_NOW):
    try:
        return ctypes.CDLL(name, mode=mode)
    except OSError:
        return None


def _why_no_gpu():
    """Why no GPU can be recorded here, None if that should work."""
    driver = _load("libcuda.so.1")
    if driver is None:
        return "There is no NVIDIA driver here"
    status = driver.cuInit(0)
    if status != 0:
        return f"CUDA finds no GPU that works here (cuInit: {status})"
    return None


def _wait_for_gpu():
    """The calling thread's GPU; work that still runs would not be in the recording."""
    driver = _load("libcuda.so.1", os.RTLD_NOW | os.RTLD_NOLOAD)
    context = ctypes.c_void_p()
    if driver is not None and driver.cuCtxGetCurrent(ctypes.byref(context)) == 0 and context.value:
        driver.cuCtxSynchronize()


class _Operators:
    """PyTorch's operators and modules, if the program has imported it."""

    _observer = None  # the process's

    def __init__(self, library, spool, shapes):
        torch = sys.modules.get("torch")
        if torch is None:
            return
        if _Operators._observer is None:
            hook = self._hook(os.path.join(os.path.dirname(library.path), "python", "hook"))
            _Operators._observer = hook.Operators(torch, shapes)
            hook.watch_ranges(torch, hook.Probe(library.path))
        with self._tool_of_nvtx(library, spool):
            self._observer.start()
            torch.empty(0)
            torch.cuda.nvtx.mark("lanescope")

    @staticmethod
    def _hook(folder):
        import importlib.util

        spec = importlib.util.spec_from_file_location("lanes_pytorch", os.path.join(folder, "lanes_pytorch.py"))
        module = sys.modules.get("lanes_pytorch")
        if module is None:
            module = importlib.util.module_from_spec(spec)
            sys.modules["lanes_pytorch"] = module
            spec.loader.exec_module(module)
        return module

    @staticmethod
    @contextlib.contextmanager
    def _tool_of_nvtx(library, spool):
        """Each library of PyTorch's that has NVTX asks for its tool once, at its first range, and the tool for a recording."""
        tool = os.path.join(os.path.dirname(library.path), "liblanes-nvtx.so")
        if "NVTX_INJECTION64_PATH" not in os.environ and os.path.isfile(tool):
            os.environ["NVTX_INJECTION64_PATH"] = tool
        os.environ["LANES_SPOOL"] = spool.replace("%", "%%")  # it is a pattern
        try:
            yield
        finally:
            del os.environ["LANES_SPOOL"]

    def off(self):
        if self._observer is not None:
            self._observer.stop()


class record:
    """`with lanescope.record() as r:` records what this process does inside, and gives a Recording.

    One at a time. The code runs in any case: if nothing can be recorded (no GPU, another profiler), it says so once on
    stderr, and `r.problem` and the notebook do. At the end the thread waits for its GPU, which is in the recording as the range
    "lanescope waits for the GPU". `pytorch`: operators and modules too, where PyTorch has been imported; "shapes": and the
    shapes of the operators' inputs (as the process's first recording says it, for all of them).
    """

    def __init__(self, path=None, pytorch=True):
        self._path, self._pytorch = path, pytorch
        self._library = self._operators = None

    def __enter__(self):
        self.recording = Recording()
        try:
            self._begin()
        except LanescopeError as error:
            self._fail(str(error))
        return self.recording

    def _fail(self, problem):
        self.recording.problem = problem
        print(f"lanescope: nothing is recorded: {problem}", file=sys.stderr)

    def _begin(self):
        reason = _why_no_gpu()
        if reason is not None:
            raise LanescopeError(f'{reason}. lanescope.run("copy-results-back") runs a workload on the model device.')
        library = _library()
        self._spool = os.path.join(kept_folder(self.recording), "recording.spool")
        if library.lanescope_start(self._spool.encode()) != 0:
            raise LanescopeError(library.lanescope_error().decode())
        self._library = library
        if self._pytorch:
            try:
                self._operators = _Operators(library, self._spool, self._pytorch == "shapes")
            except Exception as error:
                print(f"lanescope: PyTorch's operators are not recorded: {error}", file=sys.stderr)

    def __exit__(self, *_):
        library, self._library = self._library, None
        if library is None:
            return False
        if self._operators is not None:
            self._operators.off()
        with range("lanescope waits for the GPU"):
            _wait_for_gpu()
        try:
            if library.lanescope_stop() != 0:
                raise LanescopeError(library.lanescope_error().decode())
            self.recording.path = self._written()
            os.unlink(self._spool)
        except (LanescopeError, OSError) as error:
            self._fail(str(error))
        return False

    def _written(self):
        """The recording's file: the requested one, or, if that cannot be written, one that lives as long as the
        recording."""
        own = os.path.splitext(self._spool)[0] + ".sqlite"
        if self._path is not None:
            try:
                run_program("lanes", "convert", self._spool, self._path)
                return os.fspath(self._path)
            except LanescopeError as error:
                print(f"lanescope: {error}. The Recording has it as long as it lives: its save() writes it elsewhere",
                      file=sys.stderr)
        run_program("lanes", "convert", self._spool, own)
        return own

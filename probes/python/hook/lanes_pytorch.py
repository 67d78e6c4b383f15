# SPDX-License-Identifier: MIT
"""PyTorch's operators, modules, backward passes and batches as ranges of the present recording, and its memory as
curves.

From PyTorch 1.13 on; nothing of the program is changed, and nothing here may end it: a failure is one line on stderr.

Operators, forward and backward, come from PyTorch's own NVTX observer, which follows autograd into its threads. It is a
state of each thread, and is off while the program uses its own profiler. Everything else is a range of the
probe's (probes/lanescope.h): modules by their place in the model that was called, calls of a model and of backward with
the line of the program that made them, and a DataLoader's batches in the process that fetches them.

Under torch.compile nothing is added to the compiled code: Dynamo sees the original call of a module.
"""
import _thread
import atexit
import ctypes
import functools
import os
import sys
import threading
import time
import weakref


def say(words):
    print(f"lanes: {words}", file=sys.stderr, flush=True)


class Probe:
    """Ranges through the probe that records this process. PyDLL: calls are too short to release the interpreter's lock."""

    def __init__(self, path):
        library = ctypes.PyDLL(path)
        self.push = library.lanescope_range_push
        self.push.argtypes, self.push.restype = [ctypes.c_char_p], None
        self.pop = library.lanescope_range_pop
        self.pop.argtypes, self.pop.restype = [], None
        self.count = library.lanescope_counter
        self.count.argtypes, self.count.restype = [ctypes.c_char_p, ctypes.c_double, ctypes.c_int, ctypes.c_int], None
        self.name_thread = library.lanescope_name_thread
        self.name_thread.argtypes, self.name_thread.restype = [ctypes.c_char_p], None
        self.flush = library.lanescope_flush
        self.flush.argtypes, self.flush.restype = [], None


class Operators:
    """PyTorch's NVTX observer, thread by thread. One a process. `shapes`: also the shapes of the operators' inputs, all that
    the observer has of them."""

    def __init__(self, torch, shapes=False):
        self._profiler = profiler = torch.autograd.profiler
        self._enable, self._disable = profiler._enable_profiler, profiler._disable_profiler
        self._config = profiler.ProfilerConfig(
            profiler.ProfilerState.NVTX, shapes, False, False, False, False, profiler._ExperimentalConfig()
        )
        self._of_thread = threading.local()
        self._wanted = False
        self._give_way()
        self._follow_threads()
        os.register_at_fork(after_in_child=self.stop)  # a forked child has no CUPTI to send NVTX's ranges to
        atexit.register(self.stop)

    def start(self):
        """For the calling thread and all threads that begin from now on."""
        self._wanted = True
        self.on()

    def stop(self):
        self._wanted = False
        self.off()

    def on(self):
        if self._wanted and not getattr(self._of_thread, "on", False):
            self._enable(self._config, set())
            self._of_thread.on = True
            self._tell_python(True)

    def on_if_it_waits(self):
        """For a daemon thread that calls a module for the first time. Most daemon threads (queues, progress bars, pinning) call
        none, and never end properly: PyTorch would complain on stderr if they were observed."""
        if getattr(self._of_thread, "waits", False):
            self._of_thread.waits = False
            self.on()

    def _tell_python(self, on):
        """Kernels that Inductor compiled are named only with this setting."""
        if hasattr(self._profiler, "_set_is_profiler_enabled"):
            self._profiler._set_is_profiler_enabled(on)

    def off(self):
        if getattr(self._of_thread, "on", False):
            self._of_thread.on = False
            self._disable()

    def _give_way(self):
        """One profiler a thread: the program's own goes first."""

        @functools.wraps(self._enable)
        def enable(*args, **kwargs):
            was_on = getattr(self._of_thread, "on", False)
            self.off()
            try:
                result = self._enable(*args, **kwargs)
            except BaseException:
                if was_on:
                    self.on()
                raise
            self._of_thread.gave_way = was_on
            return result

        @functools.wraps(self._disable)
        def disable(*args, **kwargs):
            result = self._disable(*args, **kwargs)
            if getattr(self._of_thread, "gave_way", False):
                self._of_thread.gave_way = False
                self.on()
            return result

        self._profiler._enable_profiler, self._profiler._disable_profiler = enable, disable
        if hasattr(self._profiler, "_run_on_profiler_stop"):  # it is the last, and says that nobody observes
            stopped = self._profiler._run_on_profiler_stop

            @functools.wraps(stopped)
            def stop():
                stopped()
                self._tell_python(getattr(self._of_thread, "on", False))

            self._profiler._run_on_profiler_stop = stop

    def _follow_threads(self):
        """Python's threads begin without it; autograd's inherit it from the thread that called backward."""
        begin = threading.Thread._bootstrap_inner

        @functools.wraps(begin)
        def observed(thread):
            try:
                if thread.daemon:
                    self._of_thread.waits = True
                else:
                    self.on()
            except Exception:
                pass
            try:
                begin(thread)
            finally:
                self.off()

        threading.Thread._bootstrap_inner = observed


class Memory:
    """The memory that PyTorch's GPU allocator has given out and that it holds, as counters of each device.

    Sampled when modules and backward passes end, and every 20 ms, with at most a fiftieth of the time spent on
    it. The allocator knows its peaks: one between two samples is put right before the later one, so the maximum of a
    curve is exact, and only its time is not.
    """

    SHARE = 50
    PAUSE = 0.02  # s
    BYTES = 1  # LANESCOPE_BYTES
    CURVES = (("allocated_bytes", b"torch allocated"), ("reserved_bytes", b"torch reserved"))

    def __init__(self, torch, probe):
        self._cuda, self._count = torch.cuda, probe.count
        self._stats = torch.cuda.memory_stats_as_nested_dict
        self._asking = threading.Lock()
        self._due = 0
        self._said, self._peaks = {}, {}
        self._ended = threading.Event()
        for function in (Memory.sample, Memory._ask):
            _skip_frame(torch, function)

    def start(self):
        # Not a threading.Thread, which would be observed: one that never ends never removes its observer, and PyTorch
        # complains about that on stderr when the thread is gone.
        _thread.start_new_thread(self._go_on, ())
        atexit.register(self._end)

    def sample(self, every_device=False, must=False):
        """Samples the current device, if it is time to."""
        begun = time.perf_counter_ns()
        if (begun < self._due and not must) or not self._asking.acquire(False):
            return
        try:
            if self._cuda.is_initialized():
                devices = range(self._cuda.device_count()) if every_device else (self._cuda.current_device(),)
                for device in devices:
                    self._ask(device)
            self._due = begun + self.SHARE * (time.perf_counter_ns() - begun)
        except Exception as error:
            self._due = float("inf")
            say(f"PyTorch's memory is no longer recorded: {error}".splitlines()[0])
        finally:
            self._asking.release()

    def _ask(self, device):
        stats = self._stats(device)
        for key, name in self.CURVES:
            of = stats[key]["all"]
            now, peak = of["current"], of["peak"]
            if peak > max(self._peaks.get((device, key), 0), now):
                self._count(name, peak, self.BYTES, device)
            elif self._said.get((device, key), 0) == now:
                self._peaks[device, key] = peak
                continue
            self._peaks[device, key] = peak
            self._said[device, key] = now
            self._count(name, now, self.BYTES, device)

    def _go_on(self):
        while not self._ended.wait(self.PAUSE):
            self.sample(every_device=True)

    def _end(self):
        self._ended.set()
        if self._due != float("inf"):
            self.sample(every_device=True, must=True)


class CallSites:
    """"what (file:line)" of the nearest frame outside of PyTorch, as bytes; each text is made once."""

    def __init__(self, inside):
        self._inside = tuple(os.path.join(folder, "") for folder in inside) + ("<frozen", __file__)
        self._texts = {}

    def is_outside(self, frame):
        return not frame.f_code.co_filename.startswith(self._inside)

    def text(self, what, frame):
        steps = 0
        while frame is not None and steps < 16 and frame.f_code.co_filename.startswith(self._inside):
            frame, steps = frame.f_back, steps + 1
        if frame is None:
            return what.encode()
        key = (what, frame.f_code, frame.f_lineno)
        text = self._texts.get(key)
        if text is None:
            file = os.path.basename(frame.f_code.co_filename)
            text = self._texts[key] = f"{what} ({file}:{frame.f_lineno})".encode()
        return text


class ModuleNames:
    """The name of a module: its class if it is a model, else "layers.0.fc1: Linear", by its place in the model in whose
    call it was first seen."""

    def __init__(self):
        self._names = {}

    def _set(self, module, name):
        key = id(module)
        forget = weakref.ref(module, lambda _: self._names.pop(key, None))
        self._names[key] = (forget, name)
        return name

    def of(self, module):
        known = self._names.get(id(module))
        return known[1] if known is not None and known[0]() is module else None

    def of_model(self, module):
        """The class's name; names the modules in it."""
        for path, part in module.named_modules():
            if path and self.of(part) is None:
                self._set(part, f"{path}: {type(part).__name__}".encode())
        return type(module).__name__

    def of_part(self, module):
        return self.of(module) or self._set(module, type(module).__name__.encode())


def _is_compiling(torch):
    """The function, not the flag that it returns: if Dynamo traces a call, it knows the function."""
    for place in ("compiler", "_utils"):
        found = getattr(getattr(torch, place, None), "is_compiling", None)
        if found is not None:
            return found
    return lambda: False


def _skip_frame(torch, function):
    """Dynamo compiles what the frame calls, not the frame."""
    try:
        torch._C._dynamo.eval_frame.skip_code(function.__code__)
    except Exception:  # before 2.0 there is no Dynamo
        pass


class Depth(threading.local):
    """How many calls of modules the thread is in; in a list, since access to a thread-local costs more than to its contents.

    `begun` is called once on each thread that calls a module."""

    def __init__(self, begun):
        self.calls = [0]
        try:
            begun()
        except Exception:
            pass


class ModelCalls:
    """The texts of a model's calls by their place: id(code) and offset in it (a line has to be
    searched for), with the code, so that the id stays unique."""

    def __init__(self, module, forget):
        self.module = weakref.ref(module, forget)
        self.texts = {}


def watch_modules(torch, probe, sites, after=lambda: None, begun=lambda: None):
    """A range around each call of a module; `after` it. `begun` once on each thread that makes one."""
    original = torch.nn.Module.__call__
    names, depth, is_compiling = ModuleNames(), Depth(begun), _is_compiling(torch)
    models = {}  # by id
    push, pop, known_part, known_model, frame_of = probe.push, probe.pop, names._names.get, models.get, sys._getframe

    def name_of(module, frame):
        if depth.calls[0] > 0:
            return names.of_part(module)
        model = known_model(id(module))
        if model is None or model.module() is not module:
            key = id(module)
            names.of_model(module)
            model = models[key] = ModelCalls(module, lambda _: models.pop(key, None))
        text = sites.text(type(module).__name__, frame)
        if sites.is_outside(frame):  # else the caller's caller counts
            model.texts[id(frame.f_code), frame.f_lasti] = (text, frame.f_code)
        return text

    # The common cases first: this runs at every call of every module.
    @functools.wraps(original)
    def call(self, *args, **kwargs):
        if is_compiling():
            return original(self, *args, **kwargs)
        calls = depth.calls
        name = None
        if calls[0] > 0:
            known = known_part(id(self))
            if known is not None and known[0]() is self:
                name = known[1]
        else:
            model = known_model(id(self))
            if model is not None and model.module() is self:
                frame = frame_of(1)
                known = model.texts.get((id(frame.f_code), frame.f_lasti))
                if known is not None:
                    name = known[0]
        if name is None:
            try:
                name = name_of(self, frame_of(1))
            except Exception:
                name = type(self).__name__.encode()
        push(name)
        calls[0] += 1
        try:
            return original(self, *args, **kwargs)
        finally:
            calls[0] -= 1
            pop()
            after()

    _skip_frame(torch, call)
    torch.nn.Module.__call__ = call


def watch_backward(torch, probe, sites, after=lambda: None):
    """A range around each backward pass, on the thread that waits for it; `after` it."""
    is_compiling = _is_compiling(torch)

    def watched(name):
        original = getattr(torch.autograd, name)

        @functools.wraps(original)
        def call(*args, **kwargs):
            if is_compiling():
                return original(*args, **kwargs)
            probe.push(sites.text(name, sys._getframe(1)))
            try:
                return original(*args, **kwargs)
            finally:
                probe.pop()
                after()

        _skip_frame(torch, call)
        setattr(torch.autograd, name, call)

    watched("backward")
    watched("grad")


def watch_memory(torch, probe):
    memory = Memory(torch, probe)
    memory.start()
    return memory


def watch_loading(fetching, probe):
    """A range around the fetching of each batch: in the worker, or in the program if there are no workers."""
    named = set()

    def watched(kind):
        original = kind.fetch

        @functools.wraps(original)
        def fetch(self, *args, **kwargs):
            from torch.utils.data import get_worker_info  # not yet there when this module is imported

            worker = get_worker_info()
            if worker is not None and os.getpid() not in named:
                named.add(os.getpid())
                probe.name_thread(f"DataLoader worker {worker.id}".encode())
            probe.push(b"DataLoader: fetch a batch")
            try:
                return original(self, *args, **kwargs)
            finally:
                probe.pop()
                if worker is not None:
                    probe.flush()  # a worker ends without running exit handlers

        kind.fetch = fetch

    watched(fetching._MapDatasetFetcher)
    watched(fetching._IterableDatasetFetcher)


def attempt(what, action, *args):
    try:
        return action(*args)
    except Exception as error:
        say(f"{what} not recorded: {error}".splitlines()[0])
        return None


def watch_ranges(torch, probe, begun=lambda: None):
    """What is turned into ranges of the probe. Each part works without the others."""
    sites = CallSites([os.path.dirname(torch.__file__)])
    memory = attempt("PyTorch's memory is", watch_memory, torch, probe)
    after = memory.sample if memory else lambda: None
    attempt("PyTorch's modules are", watch_modules, torch, probe, sites, after, begun)
    attempt("PyTorch's backward passes are", watch_backward, torch, probe, sites, after)


def started_operators(torch):
    operators = Operators(torch, os.environ.get("LANES_PYTORCH") == "shapes")
    operators.start()
    return operators


def watch(torch, probe):
    """Observes all parts of `torch`, which was imported just now."""
    operators = attempt("PyTorch's operators are", started_operators, torch)
    watch_ranges(torch, probe, *([operators.on_if_it_waits] if operators else []))


class WhenImported:
    """Calls `actions[name](module)` once a module of that name has been imported, by whichever finder."""

    def __init__(self, actions):
        self._actions = dict(actions)

    def find_spec(self, name, path=None, target=None):
        if name not in self._actions:
            return None
        for finder in sys.meta_path:
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None else None
            if spec is not None:
                self._watch(spec, self._actions.pop(name))
                return spec
        return None

    def _watch(self, spec, action):
        loader = spec.loader
        run = getattr(loader, "exec_module", None)
        if run is None:
            return

        def exec_module(module):
            del loader.exec_module
            run(module)
            attempt(f"{spec.name} is", action, module)

        loader.exec_module = exec_module


def install():
    path = os.environ.get("CUDA_INJECTION64_PATH", "")
    if not os.environ.get("LANES_SPOOL") or not path:
        return
    probe = Probe(path)
    sys.meta_path.insert(
        0,
        WhenImported(
            {
                "torch": lambda torch: watch(torch, probe),
                "torch.utils.data._utils.fetch": lambda fetching: watch_loading(fetching, probe),
            }
        ),
    )

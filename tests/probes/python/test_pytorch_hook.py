# SPDX-License-Identifier: MIT
"""The hook of `lanes record --pytorch` (probes/python/hook): its effect on a program, with a PyTorch of a few lines that
has the parts it touches, and with the real one if there is one (of this Python, or of the one that LANES_TEST_TORCH names)."""
import importlib.util
import os
import subprocess
import sys
import tempfile
import textwrap
import threading
import types
import unittest

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
HOOK = os.path.join(SOURCE, "probes", "python", "hook")
sys.path.insert(0, HOOK)
sys.dont_write_bytecode = True
import lanes_pytorch  # noqa: E402

PROBE = os.path.join(os.environ.get("LANES_BUILD", "/nowhere"), "bin", "liblanes-probe.so")
TORCH = os.environ.get("LANES_TEST_TORCH") or (sys.executable if importlib.util.find_spec("torch") else None)


class FakeProbe:
    def __init__(self):
        self.said = []

    def push(self, name):
        self.said.append("+" + name.decode())

    def pop(self):
        self.said.append("-")

    def count(self, name, value, unit, device):
        self.said.append((name.decode(), value, unit, device))

    def name_thread(self, name):
        self.said.append("name " + name.decode())

    def flush(self):
        self.said.append("flush")


class FakeProfiler:
    """torch.autograd.profiler, which refuses a second profiler on a thread as the real one does."""

    def __init__(self):
        self.state = threading.local()
        self.enabled = False
        self.refused = None

    def _set_is_profiler_enabled(self, enable):
        self.enabled = enable

    def _run_on_profiler_start(self):
        self.enabled = True

    def _run_on_profiler_stop(self):
        self.enabled = False

    def _enable_profiler(self, config, activities):
        if config == self.refused:
            raise RuntimeError("no " + config)
        if getattr(self.state, "config", None) is not None:
            raise RuntimeError("Profiler is already enabled on this thread")
        self.state.config = config

    def _disable_profiler(self):
        config, self.state.config = self.state.config, None
        return config

    ProfilerConfig = staticmethod(lambda *words: words[0])
    ProfilerState = types.SimpleNamespace(NVTX="nvtx")
    _ExperimentalConfig = staticmethod(lambda: None)

    def now(self):
        return getattr(self.state, "config", None)


def fake_torch():
    class Module:
        def __init__(self, **parts):
            self.parts = parts

        def named_modules(self, prefix=""):
            yield prefix, self
            for name, part in self.parts.items():
                yield from part.named_modules(prefix + "." + name if prefix else name)

        def __call__(self, *args):
            return self.forward(*args)

    profiler = FakeProfiler()
    autograd = types.SimpleNamespace(profiler=profiler, backward=lambda loss: loss, grad=lambda loss: loss)
    torch = types.SimpleNamespace(
        __file__="/nowhere/torch/__init__.py", nn=types.SimpleNamespace(Module=Module), autograd=autograd, _C=None
    )
    return torch


class Modules(unittest.TestCase):
    def setUp(self):
        self.torch, self.probe = fake_torch(), FakeProbe()
        lanes_pytorch.watch_modules(self.torch, self.probe, lanes_pytorch.CallSites(["/nowhere/torch"]))

        class Leaf(self.torch.nn.Module):
            def forward(self, x):
                if x is None:
                    raise ValueError("no input")
                return x + 1

        class Net(self.torch.nn.Module):
            def forward(self, x):
                return self.parts["head"](self.parts["body"](x))

        self.Leaf, self.net = Leaf, Net(body=Leaf(), head=Leaf())

    def test_a_model_has_its_call_site_and_its_parts_their_place(self):
        self.assertEqual(self.net(1), 3)
        self.assertRegex(self.probe.said[0], r"^\+Net \(test_pytorch_hook\.py:\d+\)$")
        self.assertEqual(self.probe.said[1:], ["+body: Leaf", "-", "+head: Leaf", "-", "-"])

    def test_a_part_called_alone_is_a_model(self):
        self.net(1)
        del self.probe.said[:]
        self.net.parts["body"](1)
        self.assertRegex(self.probe.said[0], r"^\+Leaf \(")

    def test_an_exception_passes_and_its_ranges_end(self):
        with self.assertRaisesRegex(ValueError, "no input"):
            self.net(None)
        self.assertEqual(self.probe.said[1:], ["+body: Leaf", "-", "-"])
        self.assertEqual(self.net(1), 3)
        self.assertRegex(self.probe.said[4], r"^\+Net \(")

    def test_a_module_in_the_place_of_one_that_is_gone_has_its_own_name(self):
        for name in ("first", "second", "third") * 20:
            net = type(self.net)(body=self.Leaf(), head=self.Leaf())
            net.parts = {"body": net.parts["body"], "head": net.parts["head"], name: self.Leaf()}
            del self.probe.said[:]
            net(1)
            self.assertEqual(self.probe.said[1:], ["+body: Leaf", "-", "+head: Leaf", "-", "-"])

    def test_while_compiling_it_is_not_there(self):
        torch, probe = fake_torch(), FakeProbe()
        torch.compiler = types.SimpleNamespace(is_compiling=lambda: True)
        lanes_pytorch.watch_modules(torch, probe, lanes_pytorch.CallSites([]))
        lanes_pytorch.watch_backward(torch, probe, lanes_pytorch.CallSites([]))

        class Leaf(torch.nn.Module):
            def forward(self, x):
                return x

        self.assertEqual(Leaf()(5), 5)
        self.assertEqual(torch.autograd.backward(6), 6)
        self.assertEqual(probe.said, [])

    def test_backward(self):
        lanes_pytorch.watch_backward(self.torch, self.probe, lanes_pytorch.CallSites(["/nowhere/torch"]))
        self.assertEqual(self.torch.autograd.backward(7), 7)
        self.assertRegex(self.probe.said[0], r"^\+backward \(test_pytorch_hook\.py:\d+\)$")
        self.assertEqual(self.probe.said[1:], ["-"])


class TheObserver(unittest.TestCase):
    def setUp(self):
        self.torch = fake_torch()
        self.profiler = self.torch.autograd.profiler
        begin = threading.Thread._bootstrap_inner
        self.addCleanup(lambda: setattr(threading.Thread, "_bootstrap_inner", begin))
        self.operators = lanes_pytorch.Operators(self.torch)
        self.addCleanup(self.operators.stop)

    def seen_by_a_thread(self, daemon=False, first=lambda: None):
        seen = []
        thread = threading.Thread(target=lambda: (first(), seen.append(self.profiler.now())), daemon=daemon)
        thread.start()
        thread.join()
        return seen

    def test_start_and_stop(self):
        self.assertIsNone(self.profiler.now())
        self.operators.start()
        self.operators.start()
        self.assertEqual(self.profiler.now(), "nvtx")
        self.operators.stop()
        self.operators.stop()
        self.assertIsNone(self.profiler.now())

    def test_shapes_are_asked_for(self):
        configs = []
        self.profiler.ProfilerConfig = lambda *words: configs.append(words) or words[0]
        operators = lanes_pytorch.Operators(self.torch, shapes=True)
        self.addCleanup(operators.stop)
        os.environ["LANES_PYTORCH"] = "shapes"
        self.addCleanup(os.environ.pop, "LANES_PYTORCH")
        lanes_pytorch.started_operators(self.torch).stop()
        os.environ["LANES_PYTORCH"] = "1"
        lanes_pytorch.started_operators(self.torch).stop()
        # The second word: torch._C._profiler.ProfilerConfig(state, report_input_shapes, ...).
        self.assertEqual([words[:3] for words in configs], [("nvtx", True, False), ("nvtx", True, False), ("nvtx", False, False)])

    def test_gives_way_to_the_programs_own(self):
        self.operators.start()
        self.profiler._run_on_profiler_start()
        self.profiler._enable_profiler("kineto", set())
        self.assertEqual(self.profiler.now(), "kineto")
        with self.assertRaisesRegex(RuntimeError, "already enabled"):
            self.profiler._enable_profiler("second", set())
        self.assertEqual(self.profiler._disable_profiler(), "kineto")
        self.profiler._run_on_profiler_stop()
        self.assertEqual(self.profiler.now(), "nvtx")
        self.assertTrue(self.profiler.enabled)

    def test_the_programs_own_is_as_ever_where_it_is_not_wanted(self):
        self.profiler._run_on_profiler_start()
        self.profiler._enable_profiler("kineto", set())
        self.assertEqual(self.profiler._disable_profiler(), "kineto")
        self.profiler._run_on_profiler_stop()
        self.assertIsNone(self.profiler.now())
        self.assertFalse(self.profiler.enabled)

    def test_comes_back_where_the_programs_own_fails(self):
        self.operators.start()
        self.profiler.refused = "kineto"
        with self.assertRaisesRegex(RuntimeError, "no kineto"):
            self.profiler._enable_profiler("kineto", set())
        self.assertEqual(self.profiler.now(), "nvtx")

    def test_new_threads_have_it_while_it_is_wanted(self):
        self.assertEqual(self.seen_by_a_thread(), [None])
        self.operators.start()
        self.assertEqual(self.seen_by_a_thread(), ["nvtx"])
        self.operators.stop()
        self.assertEqual(self.seen_by_a_thread(), [None])

    def test_daemon_threads_have_it_from_their_first_module_on(self):
        self.operators.start()
        self.assertEqual(self.seen_by_a_thread(daemon=True), [None])
        depth = []
        begin = lambda: depth.append(lanes_pytorch.Depth(self.operators.on_if_it_waits))  # noqa: E731
        self.assertEqual(self.seen_by_a_thread(daemon=True, first=begin), ["nvtx"])
        self.operators.stop()
        begin()  # on a thread that has it already, or should not have it: nothing changes
        self.assertIsNone(self.profiler.now())

    def test_a_forked_child_goes_without(self):
        self.operators.start()
        child = os.fork()
        if child == 0:
            os._exit(0 if self.profiler.now() is None and self.seen_by_a_thread() == [None] else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(self.profiler.now(), "nvtx")


class FakeAllocator:
    """The memory functions of torch.cuda, with two devices."""

    def __init__(self):
        self.initialized, self.asked = True, 0
        self.has = {device: {key: {"all": {"current": 0, "peak": 0}} for key in ("allocated_bytes", "reserved_bytes")} for device in (0, 1)}

    def set(self, key, current, peak, device=0):
        self.has[device][key]["all"] = {"current": current, "peak": peak}

    def is_initialized(self):
        return self.initialized

    def device_count(self):
        return 2

    def current_device(self):
        return 0

    def memory_stats_as_nested_dict(self, device):
        self.asked += 1
        if self.has is None:
            raise RuntimeError("no stats\nat all")
        return self.has[device]


class MemoryOfTheAllocator(unittest.TestCase):
    def setUp(self):
        self.cuda, self.probe = FakeAllocator(), FakeProbe()
        self.memory = lanes_pytorch.Memory(types.SimpleNamespace(cuda=self.cuda, _C=None), self.probe)

    def said(self, **how):
        del self.probe.said[:]
        self.memory.sample(must=True, **how)
        return self.probe.said

    def test_what_changed_is_said_once(self):
        self.cuda.set("allocated_bytes", 512, 512)
        self.cuda.set("reserved_bytes", 2048, 2048)
        self.assertEqual(self.said(), [("torch allocated", 512, 1, 0), ("torch reserved", 2048, 1, 0)])
        self.assertEqual(self.said(), [])
        self.cuda.set("allocated_bytes", 0, 512)
        self.assertEqual(self.said(), [("torch allocated", 0, 1, 0)])

    def test_a_peak_between_two_samples_is_not_lost(self):
        self.cuda.set("allocated_bytes", 512, 512)
        self.said()
        self.cuda.set("allocated_bytes", 512, 4096)
        self.assertEqual(self.said(), [("torch allocated", 4096, 1, 0), ("torch allocated", 512, 1, 0)])
        self.assertEqual(self.said(), [])
        self.cuda.set("allocated_bytes", 100, 700)  # the program reset its peaks
        self.assertEqual(self.said(), [("torch allocated", 100, 1, 0)])
        self.cuda.set("allocated_bytes", 100, 900)
        self.assertEqual(self.said(), [("torch allocated", 900, 1, 0), ("torch allocated", 100, 1, 0)])

    def test_every_device_on_demand(self):
        self.cuda.set("allocated_bytes", 7, 7, device=1)
        self.assertEqual(self.said(), [])
        self.assertEqual(self.said(every_device=True), [("torch allocated", 7, 1, 1)])

    def test_asks_no_more_than_its_share_and_not_before_cuda_is_there(self):
        self.cuda.initialized = False
        self.memory.sample()
        self.assertEqual(self.cuda.asked, 0)
        self.cuda.initialized = True
        self.memory._due = 0
        self.memory.sample()
        self.memory._due += 10**12
        for _ in range(100):
            self.memory.sample()
        self.assertEqual(self.cuda.asked, 1)

    def test_a_failure_costs_one_line(self):
        self.cuda.has = None
        said = []
        say, lanes_pytorch.say = lanes_pytorch.say, said.append
        self.addCleanup(lambda: setattr(lanes_pytorch, "say", say))
        for _ in range(3):
            self.memory.sample()
        self.assertEqual(said, ["PyTorch's memory is no longer recorded: no stats"])

    def test_modules_and_backward_are_followed(self):
        torch, calls = fake_torch(), []
        lanes_pytorch.watch_modules(torch, self.probe, lanes_pytorch.CallSites([]), lambda: calls.append(1))
        lanes_pytorch.watch_backward(torch, self.probe, lanes_pytorch.CallSites([]), lambda: calls.append(2))

        class Leaf(torch.nn.Module):
            def forward(self, x):
                return x

        Leaf()(5)
        torch.autograd.backward(6)
        self.assertEqual(calls, [1, 2])


class Loading(unittest.TestCase):
    def test_a_batch_is_a_range_also_where_there_are_no_more(self):
        class Fetcher:
            def fetch(self, index):
                if index is None:
                    raise StopIteration
                return index

        probe = FakeProbe()
        fetching = types.SimpleNamespace(_MapDatasetFetcher=Fetcher, _IterableDatasetFetcher=type("I", (Fetcher,), {}))
        data = types.ModuleType("torch.utils.data")
        data.get_worker_info = lambda: worker
        worker = None
        before = {name: sys.modules.get(name) for name in ("torch", "torch.utils", "torch.utils.data")}
        sys.modules.update({"torch": types.ModuleType("torch"), "torch.utils": types.ModuleType("torch.utils")})
        sys.modules["torch.utils.data"] = data
        self.addCleanup(lambda: [sys.modules.pop(n) if m is None else sys.modules.update({n: m}) for n, m in before.items()])
        lanes_pytorch.watch_loading(fetching, probe)
        self.assertEqual(Fetcher().fetch(3), 3)
        self.assertEqual(probe.said, ["+DataLoader: fetch a batch", "-"])
        worker = types.SimpleNamespace(id=4)
        with self.assertRaises(StopIteration):
            Fetcher().fetch(None)
        self.assertEqual(probe.said[2:], ["name DataLoader worker 4", "+DataLoader: fetch a batch", "-", "flush"])


class InAProgram(unittest.TestCase):
    """In a separate Python, as `lanes record --pytorch` starts it."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LANES_SPOOL", "CUDA_INJ"))}
        self.environment.update(PYTHONPATH=HOOK + ":" + self.folder.name, PYTHONDONTWRITEBYTECODE="1")

    def write(self, path, text):
        path = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))
        return path

    def run_program(self, text, python=sys.executable):
        path = self.write("program.py", text)
        done = subprocess.run([python, path], env=self.environment, capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def record(self):
        self.spool = os.path.join(self.folder.name, "x.spool")
        self.environment.update(
            LANES_SPOOL=self.spool,
            CUDA_INJECTION64_PATH=PROBE,
            LANES_PYTORCH="1",
        )

    def test_another_sitecustomize_runs_as_ever(self):
        self.write("sitecustomize.py", "import builtins; builtins.seen = __file__")
        status, said, errors = self.run_program("import sys; print(seen, sys.modules['sitecustomize'].__file__)")
        other = os.path.join(self.folder.name, "sitecustomize.py")
        self.assertEqual((status, said.split(), errors), (0, [other, other], ""))

    def test_another_sitecustomize_fails_as_ever(self):
        self.write("sitecustomize.py", "raise ValueError('mine')")
        status, said, errors = self.run_program("print('ran')")
        self.assertEqual((status, said), (0, "ran\n"))
        self.assertIn("mine", errors)

    def test_without_a_recording_it_does_nothing(self):
        self.write("torch/__init__.py", "")
        self.assertEqual(self.run_program("import torch, sys; print(sys.meta_path[0])")[2], "")

    @unittest.skipUnless(os.path.isfile(PROBE), "no probe")
    def test_a_torch_that_has_nothing_costs_a_line_a_part(self):
        self.record()
        self.write("torch/__init__.py", "")
        status, said, errors = self.run_program("import torch; print('ran')")
        self.assertEqual((status, said), (0, "ran\n"))
        self.assertEqual(len(errors.splitlines()), 4)
        for line in errors.splitlines():
            self.assertRegex(line, "^lanes: PyTorch's .* (is|are) not recorded: ")

    @unittest.skipUnless(os.path.isfile(PROBE), "no probe")
    def test_a_probe_that_is_gone_costs_a_line(self):
        self.record()
        self.environment["CUDA_INJECTION64_PATH"] = "/no/such/probe.so"
        status, said, errors = self.run_program("print('ran')")
        self.assertEqual((status, said, len(errors.splitlines())), (0, "ran\n", 1))

    @unittest.skipUnless(os.path.isfile(PROBE), "no probe")
    def test_a_torch_that_fails_to_import_fails_as_ever(self):
        self.record()
        self.write("torch/__init__.py", "raise ImportError('libcudart')")
        status, _, errors = self.run_program("import torch")
        self.assertEqual(status, 1)
        self.assertIn("ImportError: libcudart", errors)

    @unittest.skipUnless(os.path.isfile(PROBE) and TORCH, "no PyTorch")
    def test_the_real_one(self):
        self.record()
        program = """
            import threading, torch
            from torch.utils.data import DataLoader, TensorDataset

            class Net(torch.nn.Module):
                def __init__(self):
                    super().__init__()
                    self.body = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU())
                    self.head = torch.nn.Linear(8, 1)

                def forward(self, x):
                    return self.head(self.body(x))

            net = Net()
            for x, y in DataLoader(TensorDataset(torch.rand(64, 8), torch.rand(64, 1)), batch_size=16, num_workers=2):
                torch.nn.functional.mse_loss(net(x), y).backward()
            with torch.profiler.profile() as profile:
                net(x)
            print(len(profile.events()) > 0)
            """
        status, said, errors = self.run_program(program, TORCH)
        self.assertEqual((status, said), (0, "True\n"), errors)
        self.assertLessEqual(len(errors.splitlines()), 1, errors)  # a PyTorch without CUDA has no NVTX
        with open(self.spool, "rb") as file:
            held = file.read()
        for name in (b"Net (program.py:16)", b"body.0: Linear", b"head: Linear", b"backward (program.py:16)",
                     b"DataLoader: fetch a batch", b"DataLoader worker 0", b"DataLoader worker 1"):
            self.assertIn(name, held)


if __name__ == "__main__":
    unittest.main()

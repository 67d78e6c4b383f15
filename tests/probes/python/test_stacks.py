# SPDX-License-Identifier: MIT
"""`lanes record --stacks` over the CUPTI double, with each Python from 3.9 to 3.13 that is there: where it says that a program
was, against what the program did; and that it says so in one line where it cannot."""
import ctypes
import glob
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import types
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..", "..")
BUILD = os.environ.get("LANES_BUILD", "/nowhere")
LANES = os.path.join(BUILD, "bin", "lanes")
PROBE = os.path.join(BUILD, "bin", "liblanes-probe.so")
DOUBLE = os.path.join(BUILD, "tests", "doubles", "libcupti.so.13")
HAS_PROBE = all(map(os.path.isfile, (LANES, PROBE, DOUBLE)))

PROGRAM = """
    import sys, threading, time
    sys.path.insert(0, {here!r})
    from fake_cuda import FakeCuda
    cuda = FakeCuda()

    def spin(seconds):
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass

    class Sampler:
        def pick(self):
            spin(0.030)  # here

    def build():
        spin(0.010)

    def sleeper():
        while not stop.wait(0.001):
            pass

    def caller():
        began = time.perf_counter()
        for _ in range(20):
            time.sleep(0.005)
            cuda.memset()
        lasted.append(time.perf_counter() - began)

    lasted = []
    began = time.perf_counter()
    spun = 0
    stop = threading.Event()
    threads = [threading.Thread(target=sleeper), threading.Thread(target=caller, name="caller")]
    for thread in threads:
        thread.start()
    cuda.memset()
    for _ in range(10):
        spun -= time.perf_counter()
        Sampler().pick()
        build()
        spun += time.perf_counter()
        cuda.memset()
    stop.set()
    for thread in threads:
        thread.join()
    print("done", spun, *lasted, time.perf_counter() - began)
"""


def pythons():
    """A path for each version that starts."""
    found = {}
    of_pyenv = sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3")))
    for name in [sys.executable] + [f"python3.{minor}" for minor in range(9, 14)] + of_pyenv:
        path = shutil.which(name)
        said = path and subprocess.run([path, "-c", "import sys; print(sys.version_info[:2])"], capture_output=True, text=True)
        if said and said.returncode == 0:
            version = tuple(map(int, re.findall(r"\d+", said.stdout)))
            if (3, 9) <= version <= (3, 13):
                found.setdefault(version, path)
    return found


@unittest.skipUnless(HAS_PROBE, "no probe")
class Recorded(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        self.environment.update(LANES_CUPTI=DOUBLE, PYTHONDONTWRITEBYTECODE="1")

    def record(self, python, text, *options):
        program = os.path.join(self.folder.name, "program.py")
        with open(program, "w") as file:
            file.write(textwrap.dedent(text))
        self.file = os.path.join(self.folder.name, "x.sqlite")
        words = [LANES, "record", "-o", self.file, *options, "--", python, program]
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=120)

    def places(self):
        """Seconds by place, of the threads that are kept."""
        rows = sqlite3.connect(self.file).execute(
            "select coalesce(n.text, s.value), n.end - n.start, n.globalTid from NVTX_EVENTS n"
            " left join StringIds s on s.id = n.textId where n.end is not null"
        )
        times, threads = {}, set()
        for place, time, thread in rows:
            times[place] = times.get(place, 0) + time / 1e9
            threads.add(thread)
        return times, threads

    def test_each_python_says_where_it_was(self):
        for version, python in pythons().items():
            with self.subTest(version=version):
                done = self.record(python, PROGRAM.format(here=HERE), "--stacks")
                self.assertEqual((done.returncode, done.stdout[:5]), (0, "done "), done.stderr)
                self.assertNotIn("not recorded", done.stderr)
                times, threads = self.places()
                self.assertEqual(len(threads), 2, "of the thread that makes no calls nothing is kept")
                spinning = sum(time for place, time in times.items() if re.match(r"spin \(program\.py:(9|10|11)\)$", place))
                # On a busy machine everything lasts longer than it asks for: the program says how long.
                spun, *lasted = map(float, done.stdout.split()[1:])
                self.assertAlmostEqual(spinning, spun, delta=0.2 * spun)
                self.assertAlmostEqual(sum(times.values()), sum(lasted), delta=0.1 * sum(lasted))

    def test_the_place_of_a_program_that_is_in_the_library(self):
        """What Python's own library does has the name of the line that asks for it."""
        text = """
            import sys, statistics
            sys.path.insert(0, {here!r})
            from fake_cuda import FakeCuda
            cuda = FakeCuda()
            cuda.memset()

            def evaluate(values):
                return statistics.pstdev(values)

            for _ in range(6):
                evaluate([float(i % 97) for i in range(20000)])
            cuda.memset()
            """
        done = self.record(sys.executable, text.format(here=HERE), "--stacks")
        self.assertEqual(done.returncode, 0, done.stderr)
        times, _ = self.places()
        self.assertEqual(max(times, key=times.get), "evaluate (program.py:9)", times)
        self.assertFalse([place for place in times if "statistics.py" in place])

    def test_the_interval_is_in_the_file_and_in_the_report(self):
        done = self.record(sys.executable, PROGRAM.format(here=HERE), "--stacks=2ms")
        lasted = sum(map(float, done.stdout.split()[2:]))
        meta = dict(sqlite3.connect(self.file).execute("select key, value from LANESCOPE_META"))
        self.assertEqual(meta["stacks_interval"], "2000000")
        said = subprocess.run([LANES, "report", "--json=full", self.file], capture_output=True, text=True, timeout=60)
        python = json.loads(said.stdout)["critical_path"]["python"]
        self.assertEqual(python["interval_ns"], 2_000_000)
        self.assertLess(python["samples"], 1.1 * lasted / 0.002)
        self.assertTrue(python["places"][0]["name"].startswith("spin (program.py:"), python)

    def test_a_child_without_cuda_is_not_sampled(self):
        text = "import subprocess, sys\n" + textwrap.dedent(PROGRAM.format(here=HERE)) + (
            "subprocess.run([sys.executable, '-c', 'import time; end = time.time() + 0.2\\nwhile time.time() < end: pass'])\n")
        self.record(sys.executable, text, "--stacks")
        self.assertEqual(len(self.places()[1]), 2)

    def test_forks_and_hard_ends_are_as_ever(self):
        text = """
            import os, sys
            sys.path.insert(0, {here!r})
            from fake_cuda import FakeCuda
            FakeCuda().memset()
            child = os.fork()
            if child == 0:
                sys.exit(7)
            print(os.WEXITSTATUS(os.waitpid(child, 0)[1]), flush=True)
            os._exit(5)
            """
        done = self.record(sys.executable, text.format(here=HERE), "--stacks")
        self.assertEqual((done.returncode, done.stdout), (5, "7\n"), done.stderr)

    def test_without_the_option_nothing_is_sampled(self):
        self.record(sys.executable, PROGRAM.format(here=HERE))
        self.assertNotIn("stacks_interval", dict(sqlite3.connect(self.file).execute("select key, value from LANESCOPE_META")))

    def test_a_probe_that_is_gone_costs_a_line(self):
        environment = dict(
            self.environment, PYTHONPATH=os.path.join(SOURCE, "probes", "python", "hook"), LANES_STACKS="1000000",
            LANES_SPOOL=os.path.join(self.folder.name, "x.spool"), CUDA_INJECTION64_PATH="/no/such/probe.so",
        )
        done = subprocess.run([sys.executable, "-c", "print('ran')"], env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (0, "ran\n", 1), done.stderr)
        self.assertIn("Python's stacks are not recorded", done.stderr)

    def test_another_version_s_places_are_recognised(self):
        """As a build whose fields are elsewhere would be: what is read is never what Python says."""
        library = ctypes.PyDLL(PROBE)
        library.lanescope_stacks_here.restype = ctypes.c_char_p
        library.lanescope_stacks_here.argtypes = [ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p]
        state = ctypes.pythonapi.PyGILState_GetThisThreadState
        state.restype = ctypes.c_void_p
        own = sys.version_info[1]
        for minor in range(8, 15):
            said = library.lanescope_stacks_here(3 << 24 | minor << 16, id(types.CodeType), state())
            if minor == own:
                self.assertIn(b"test_another_version", said)
            elif (own < 11) != (minor < 11) or minor in (8, 14) or (own, minor) in ((11, 12), (12, 11), (12, 13), (13, 12)):
                self.assertEqual(said, b"", f"3.{own} read as 3.{minor}")


if __name__ == "__main__":
    unittest.main()

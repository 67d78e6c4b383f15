# SPDX-License-Identifier: MIT
"""The Python package: without a GPU, with the CUPTI double under it, and with the programs of this build ($LANES_BUILD)."""
import contextlib
import importlib.util
import io
import os
import subprocess
import sys
import types
import unittest
from unittest import mock

sys.dont_write_bytecode = True
SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
BUILD = os.environ.get("LANES_BUILD", "/nowhere")
BIN = os.path.join(BUILD, "bin")
HAS_LANES = os.access(os.path.join(BIN, "lanes"), os.X_OK)
DOUBLE = os.path.join(BUILD, "tests", "doubles", "libcupti.so.13")
HAS_PROBE = os.path.isfile(os.path.join(BIN, "liblanes-probe.so")) and os.path.isfile(DOUBLE)
os.environ.pop("CUDA_INJECTION64_PATH", None)
os.environ.pop("LANES_SPOOL", None)
os.environ["LANES_CUPTI"] = DOUBLE

sys.path.insert(0, os.path.join(SOURCE, "probes", "python"))
import lanescope  # noqa: E402
from lanescope import _files, _session  # noqa: E402

NONE = "no GPU in this test"


@contextlib.contextmanager
def quiet():
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        yield said


def of_this_build(*names):
    """The programs of the build, only those in `names`."""
    return mock.patch.object(
        _files, "find_program", lambda name: os.path.join(BIN, name) if name in names else None
    )


class WithoutAGpu(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.object(_session, "_why_no_gpu", lambda: NONE)
        patch.start()
        self.addCleanup(patch.stop)

    def test_the_code_runs_and_the_recording_says_why_there_is_none(self):
        ran = []
        with quiet() as said, lanescope.record() as r:
            ran.append(1)
        self.assertEqual(ran, [1])
        self.assertIn(NONE, r.problem)
        self.assertIn('lanescope.run("copy-results-back")', r.problem)
        self.assertEqual(len(said.getvalue().splitlines()), 1)
        self.assertIn("Nothing was recorded", r._repr_html_())
        self.assertIn("&quot;copy-results-back&quot;", r._repr_html_())
        for ask in (lambda: r.report, lambda: r.findings, lambda: r.text, r.svg, r.to_pandas, lambda: r.save("/tmp/x.sqlite")):
            with self.assertRaisesRegex(lanescope.LanescopeError, NONE):
                ask()

    def test_what_the_code_raises_passes(self):
        with quiet(), self.assertRaisesRegex(ValueError, "mine"):
            with lanescope.record():
                raise ValueError("mine")

    def test_the_magic_runs_its_cell(self):
        shell = types.SimpleNamespace(user_ns={}, cells=[], magics={})
        shell.run_cell = shell.cells.append
        shell.register_magic_function = lambda f, magic_kind, magic_name: shell.magics.update({magic_name: f})
        lanescope.load_ipython_extension(shell)
        with quiet():
            shown = shell.magics["lanes"](" mine ", "x = 1")
        self.assertEqual(shell.cells, ["x = 1"])
        self.assertIs(shell.user_ns["mine"], shown)
        self.assertIn(NONE, shown.problem)
        with self.assertRaisesRegex(lanescope.LanescopeError, "%%lanes a b: expected one name"):
            shell.magics["lanes"]("a b", "x = 2")
        self.assertEqual(shell.cells, ["x = 1"])  # nor did the cell run

    def test_ranges_are_nothing(self):
        @lanescope.range("f")
        def f():
            lanescope.mark("here")
            lanescope.counter("queue", 3)
            lanescope.counter("held", 2**20, unit="bytes", device=0)
            with self.assertRaisesRegex(ValueError, "unit 'B'"):
                lanescope.counter("held", 1, unit="B")
            return 5

        self.assertEqual(f() + f(), 10)


class Programs(unittest.TestCase):
    def test_a_program_that_is_not_there(self):
        with of_this_build(), self.assertRaisesRegex(lanescope.LanescopeError, "^lanes is neither beside"):
            lanescope.run("copy-results-back")

    def test_a_file_that_is_not_there(self):
        with self.assertRaisesRegex(lanescope.LanescopeError, "/no/such.sqlite: no such file"):
            lanescope.open_recording("/no/such.sqlite")

    @unittest.skipUnless(HAS_LANES, "no lanes")
    def test_a_workload_of_the_model(self):
        with of_this_build("lanes"):
            both = lanescope.run("copy-results-back", device="model", matrices=3)
            one = lanescope.run("copy-results-back", "overlapped", device="model", matrices=3)
            self.assertEqual(len(one), 1)
            self.assertGreater(len(both), 1)
            self.assertEqual(one[0].report["source"], "model")
            self.assertEqual(one[0].report["counts"]["kernels"], 3)
            self.assertEqual(one[0].findings, one[0].report["findings"])
            # No `lanescope`: the report in words.
            self.assertIn("<pre>", one._repr_html_())
            self.assertIn("No picture", one._repr_html_())
            with mock.patch.dict(sys.modules, pandas=None), self.assertRaisesRegex(lanescope.LanescopeError, "needs pandas"):
                one[0].to_pandas()
            if importlib.util.find_spec("pandas"):
                self.assertEqual(len(one[0].to_pandas()), 6)
            path = one[0].path
            kept = one[0]
            del one
            self.assertTrue(os.path.isfile(path))  # a recording keeps its file
            del kept
        with of_this_build("lanes"), self.assertRaisesRegex(lanescope.LanescopeError, "copy-results-bakc"):
            lanescope.run("copy-results-bakc")

    @unittest.skipUnless(HAS_LANES and os.access(os.path.join(BIN, "lanescope"), os.X_OK), "no lanescope")
    def test_lanes_as_a_picture(self):
        with of_this_build("lanes", "lanescope"):
            one = lanescope.run("copy-results-back", "overlapped", device="model", matrices=3)
            self.assertTrue(one[0].svg().lstrip().startswith("<"))
            self.assertTrue(one._repr_html_().startswith("<img "))


@unittest.skipUnless(HAS_LANES and HAS_PROBE, "no probe")
class WithTheDouble(unittest.TestCase):
    def setUp(self):
        for patch in (mock.patch.object(_session, "_why_no_gpu", lambda: None), of_this_build("lanes")):
            patch.start()
            self.addCleanup(patch.stop)
        patch = mock.patch.object(
            _session, "find_library", lambda name: os.path.join(BIN, name)
        )
        patch.start()
        self.addCleanup(patch.stop)
        _session._probe = _session._ranges = None

    def names(self, recording):
        return {one["name"]: one["count"] for one in recording.report["ranges"]}

    def test_again_and_again(self):
        for name in ("first", "second"):
            with quiet() as said, lanescope.record() as r:
                with lanescope.range(name), lanescope.range("inner"):
                    pass
            self.assertEqual((r.problem, said.getvalue()), (None, ""))
            self.assertEqual(self.names(r), {name: 1, "inner": 1, "lanescope waits for the GPU": 1})

    def test_what_the_code_raises_passes_and_is_recorded(self):
        with self.assertRaisesRegex(ValueError, "mine"):
            with lanescope.record() as r:
                with lanescope.range("a"):
                    raise ValueError("mine")
        self.assertEqual(self.names(r)["a"], 1)

    def test_one_at_a_time(self):
        with quiet() as said, lanescope.record() as outer, lanescope.record() as inner:
            pass
        self.assertIsNone(outer.problem)
        self.assertIn("called again", inner.problem)
        self.assertEqual(len(said.getvalue().splitlines()), 1)

    def test_where_it_is_asked_for(self):
        path = os.path.join(_session.kept_folder(self), "mine.sqlite")
        with lanescope.record(path) as r:
            pass
        self.assertEqual(r.path, path)
        self.assertTrue(os.path.isfile(path))

    def test_where_it_cannot_be_written(self):
        with quiet() as said, lanescope.record("/no/such/folder/x.sqlite") as r:
            with lanescope.range("kept"):
                pass
        self.assertIn("/no/such/folder", said.getvalue())
        self.assertIn("save()", said.getvalue())
        self.assertTrue(os.path.isfile(r.path))
        self.assertEqual([one["name"] for one in r.report["ranges"]][:1], ["kept"])

    def test_another_tool_in_the_way(self):
        program = (
            "import lanescope; from lanescope import _session; _session._why_no_gpu = lambda: None\n"
            f"_session.find_library = lambda name: {BIN!r} + '/' + name\n"
            "with lanescope.record() as r: pass\nprint(r.problem)"
        )
        environment = dict(os.environ, LANES_DOUBLE_SUBSCRIBER="Nsight", PYTHONPATH=os.path.join(SOURCE, "probes", "python"))
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        self.assertIn("another tool records this process already: Nsight", done.stdout, done.stderr)


if __name__ == "__main__":
    unittest.main()

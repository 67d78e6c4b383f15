# SPDX-License-Identifier: MIT
"""A recording: its picture, its figures, its operations."""
import html
import json
import os
import tempfile
import weakref
import shutil

from ._files import LanescopeError, find_program, run_program


class Recording:
    """One recording, from a file. While it is being made, or if that failed, there is none: `problem` says why."""

    def __init__(self, path=None, problem=None):
        self.path = path
        self.problem = problem
        self._report = None

    def _file(self):
        if self.path is None:
            raise LanescopeError(self.problem or "the recording is still being made")
        return self.path

    @property
    def report(self):
        """`lanes report --json`: a dictionary, times in ns, None if the recording does not say."""
        if self._report is None:
            self._report = json.loads(run_program("lanes", "report", self._file(), "--json"))
        return self._report

    @property
    def findings(self):
        """What cost time, the most expensive first: rule, cost_ns, title, advice, evidence."""
        return self.report["findings"]

    @property
    def text(self):
        """The report in words."""
        return run_program("lanes", "report", self._file())

    def to_pandas(self):
        """A table of all GPU operations in order of time, with the call that launched each and, as `range`, the innermost range
        or operator around that call; times in ns from the recording's start."""
        self._file()  # a missing recording matters more than missing pandas
        try:
            import pandas
        except ImportError:
            raise LanescopeError("to_pandas() needs pandas, which is not installed; save(\"operations.csv\") writes the "
                                 "same table") from None

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "operations.csv")
            run_program("lanes", "convert", self._file(), path)
            return pandas.read_csv(path)

    def save(self, path):
        """Writes it to `path`; the ending gives the format: .sqlite, .json, .json.gz or .csv."""
        if os.fspath(path).endswith(".sqlite"):
            shutil.copyfile(self._file(), path)
        else:
            run_program("lanes", "convert", self._file(), path)

    def svg(self, width=1200):
        """Its lanes as SVG. LanescopeError without the program `lanescope`."""
        return _svg([self._file()], width)

    def _repr_html_(self):
        return _html([self])

    def __repr__(self):
        if self.path is None:
            return f"<lanescope.Recording: {self.problem or 'still being made'}>"
        return f"<lanescope.Recording {self.path}>"


class Recordings(list):
    """Recordings to show together: two share one time scale."""

    def _repr_html_(self):
        # Without pictures they share one note.
        if len(self) == 2 or find_program("lanescope") is None:
            return _html(self)
        return "".join(_html([one]) for one in self)


def open_recording(path):
    """Opens a recording, or a trace from PyTorch, Chrome or Nsight Systems."""
    if not os.path.isfile(path):
        raise LanescopeError(f"{path}: is a folder" if os.path.isdir(path) else f"{path}: no such file")
    return Recording(os.fspath(path))


def kept_folder(owner):
    """A folder that lives as long as `owner`."""
    folder = tempfile.mkdtemp(prefix="lanescope-")
    weakref.finalize(owner, shutil.rmtree, folder, True)
    return folder


def run(workload, variant=None, device="auto", **parameters):
    """Runs a workload of the catalogue (`lanes list`), or of a YAML file, in a separate process: on a GPU if one works, else
    on the model device, as its picture then says. All variants unless one is named; `parameters` as `lanes run --set`."""
    made = Recordings()
    folder = kept_folder(made)
    words = ["run", workload, "--device", device, "-o", folder + os.sep]
    if variant is not None:
        words += ["--variant", variant]
    for name, value in parameters.items():
        words += ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    run_program("lanes", *words)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".sqlite"):
            made.append(Recording(os.path.join(folder, name)))
            made[-1]._keeps = made  # and so the folder
    return made


def _svg(paths, width):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "lanes.svg")
        run_program("lanescope", "render", *paths, "-o", out, "--size", f"{width}x")
        with open(out, encoding="utf-8") as file:
            return file.read()


def _html(recordings):
    """The lanes, or the reason why there are none, and the report as text."""
    for one in recordings:
        if one.path is None:
            return f"<p><b>Nothing was recorded.</b> {html.escape(one.problem or 'The recording is still being made.')}</p>"
    try:
        svg = _svg([one.path for one in recordings], 1200)
        # Ids belong to a page, not to a picture: several cells are in one page, so each picture is a page in itself.
        return f'<img style="max-width:100%" alt="lanes" src="data:image/svg+xml;base64,{_base64(svg)}"/>'
    except LanescopeError as error:
        why = "" if find_program("lanescope") is None else f": {error}"
        note = f"No picture{why}. With the program <code>lanescope</code> on the path, the lanes are shown here." if not why \
            else f"No picture{html.escape(why)}"
        words = "".join(f"<pre>{html.escape(one.text)}</pre>" for one in recordings)
        return f"<p>{note}</p>{words}"


def _base64(text):
    import base64

    return base64.b64encode(text.encode()).decode()

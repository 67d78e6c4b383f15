# SPDX-License-Identifier: MIT
"""The Python package in a process that has used CUDA before, as a notebook uses it: records twice, with ranges, marks and a
counter, then like the magic `%%lanes`, in a substitute for IPython's shell; checks report, findings, table and page; writes
the lanes as SVG if `lanescope` is found.

    pytorch_package.py OUT     with probes/python of the build or the wheel importable
"""
import contextlib
import importlib.util
import io
import os
import sys

import torch

out = sys.argv[1]
a = torch.rand(1024, 1024, device="cuda")
side = torch.cuda.Stream()
(a @ a).cpu()
torch.cuda.synchronize()

import lanescope

failed = []
has_window = lanescope._recording.find_program("lanescope") is not None


def expect(what, found, wanted):
    good = wanted(found) if callable(wanted) else found == wanted
    print(f"{'ok  ' if good else 'FAIL'} package: {what}: {found}")
    if not good:
        failed.append(what)


net = torch.nn.Sequential(torch.nn.Linear(1024, 1024), torch.nn.ReLU()).cuda()
for round in (1, 2):
    with lanescope.record() as r:
        with lanescope.range("work"):
            lanescope.mark("begins")
            lanescope.counter("batches", 10)
            for _ in range(10):
                y = net(a)
            with torch.cuda.stream(side):
                a.cpu()
    expect(f"round {round}, problem", r.problem, None)
    if r.problem:
        break
    counts = r.report["counts"]
    expect(f"round {round}, kernels", counts["kernels"], lambda n: n >= 20)
    expect(f"round {round}, copies", counts["copies"], 1)
    expect(f"round {round}, dropped", counts["dropped"], 0)
    names = {one["name"]: one["count"] for one in r.report["ranges"]}
    expect(f"round {round}, ranges of the program", names.get("work"), 1)
    expect(f"round {round}, operators", names.get("aten::linear"), 10)
    expect(f"round {round}, modules", names.get("0: Linear"), 10)
    expect(f"round {round}, measured, and whole", (r.report["source"], r.report["complete"]), ("cupti", True))
    expect(f"round {round}, findings", r.findings, lambda all: isinstance(all, list))
    expect(f"round {round}, the report in words", len(r.text.splitlines()), lambda n: n >= 5)
    if importlib.util.find_spec("pandas"):
        table = r.to_pandas()
        expect(f"round {round}, rows of pandas", len(table), lambda n: n >= 21)
        if "range" in table:
            expect(f"round {round}, kernels under aten::addmm or a module", int(table["range"].notna().sum()), lambda n: n >= 20)
    else:
        try:
            r.to_pandas()
        except lanescope.LanescopeError as error:
            expect(f"round {round}, to_pandas() without pandas", str(error), lambda text: "pandas" in text)
    with contextlib.redirect_stderr(io.StringIO()):
        with lanescope.record() as again:  # nothing is left of the previous one
            with lanescope.record() as inner:
                pass
    expect(f"round {round}, a recording in a recording", inner.problem, lambda text: "again" in (text or ""))
    expect(f"round {round}, around it", again.problem, None)
    r.save(os.path.join(out, f"package-{round}.sqlite"))
    page = r._repr_html_()
    expect(f"round {round}, page", page[:60], lambda text: text.startswith("<img" if has_window else "<p>"))
    with open(os.path.join(out, f"package-{round}.html"), "w") as file:
        file.write(page)


class Shell:
    """The part of IPython that the magic uses."""

    def __init__(self):
        self.user_ns = {"torch": torch, "net": net, "a": a}
        self.magics = {}

    def register_magic_function(self, function, magic_kind, magic_name):
        self.magics[magic_kind, magic_name] = function

    def run_cell(self, cell):
        exec(cell, self.user_ns)


shell = Shell()
lanescope.load_ipython_extension(shell)
shown = shell.magics["cell", "lanes"]("mine", "y = net(a)\ntorch.cuda.synchronize()\n")
expect("%%lanes, problem", shown.problem, None)
expect("%%lanes mine: the name", shell.user_ns.get("mine") is shown, True)
expect("%%lanes, what the cell made", "y" in shell.user_ns, True)
if not shown.problem:
    expect("%%lanes, kernels", shown.report["counts"]["kernels"], lambda n: n >= 2)
    expect("%%lanes, its page", len(shown._repr_html_()), lambda n: n > 100)
# Between recordings nothing is recorded, and ranges do nothing.
with lanescope.range("nowhere"):
    torch.cuda.synchronize()
sys.exit(1 if failed else 0)

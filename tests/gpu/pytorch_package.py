# SPDX-License-Identifier: MIT
"""The Python package in a process that has used CUDA before: records twice, checks what it got, writes the lanes as SVG where
`lanescope` is found.

    pytorch_package.py OUT     with probes/python of the build or the wheel importable
"""
import importlib.util
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


def expect(what, found, wanted):
    good = wanted(found) if callable(wanted) else found == wanted
    print(f"{'ok  ' if good else 'FAIL'} package: {what}: {found}")
    if not good:
        failed.append(what)


net = torch.nn.Sequential(torch.nn.Linear(1024, 1024), torch.nn.ReLU()).cuda()
for round in (1, 2):
    with lanescope.record() as r:
        with lanescope.range("work"):
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
    if importlib.util.find_spec("pandas"):
        expect(f"round {round}, rows of pandas", len(r.to_pandas()), lambda n: n >= 21)
    r.save(os.path.join(out, f"package-{round}.sqlite"))
    with open(os.path.join(out, f"package-{round}.html"), "w") as file:
        file.write(r._repr_html_())
# Between recordings nothing is recorded, and ranges do nothing.
with lanescope.range("nowhere"):
    torch.cuda.synchronize()
sys.exit(1 if failed else 0)

# SPDX-License-Identifier: MIT
"""Python runs this first under `lanes record --pytorch` or `--stacks`, which put this folder into PYTHONPATH.

Has PyTorch's operators recorded once a program imports it, and its stacks sampled, then runs the sitecustomize that would have
run without this one.
"""
import importlib
import importlib.machinery
import importlib.util
import os
import sys


def _install(variable, module, what):
    if not os.environ.get(variable):
        return
    try:
        importlib.import_module(module).install()
    except Exception as error:  # whatever happens here, the program runs on
        print(f"lanes: {what} are not recorded: {error!r}", file=sys.stderr)


def _run_the_other():
    """The next sitecustomize on the path, as if this one were not there: site reports its exceptions as usual."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_install("LANES_PYTORCH", "lanes_pytorch", "PyTorch's operators")
_install("LANES_STACKS", "lanes_stacks", "Python's stacks")
_run_the_other()

# SPDX-License-Identifier: MIT
"""Lanescope in Python: record what a piece of code does on CPU and GPU, and look at it.

    import lanescope

    with lanescope.record() as r:
        y = model(x)
    r                    # in a notebook: its lanes
    r.report             # busy, overlap, blocked, as in `lanes report --json`
    r.findings           # what cost time, with advice
    r.to_pandas()        # every GPU operation

The process may have used CUDA before. `%load_ext lanescope` gives notebooks `%%lanes`, which records a cell. Without a GPU
nothing can be recorded, and `record` says so; `lanescope.run("copy-results-back")` then runs a workload on the model device.

Pure Python over the probe's C interface (lanescope.h) and the programs `lanes` and `lanescope`.
"""
from ._files import LanescopeError
from ._recording import Recording, Recordings, open_recording, run
from ._session import counter, mark, range, record

__all__ = ["LanescopeError", "Recording", "Recordings", "counter", "mark", "open_recording", "range", "record", "run"]


def load_ipython_extension(shell):
    """What `%load_ext lanescope` calls."""
    from ._magic import register

    register(shell)

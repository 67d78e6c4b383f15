# SPDX-License-Identifier: MIT
"""Where the probe and the programs are: in a wheel, beside the probe, or on the path."""
import os
import shutil
import subprocess

_HERE = os.path.dirname(os.path.abspath(__file__))


class LanescopeError(RuntimeError):
    """An error, in one line."""


def _folders():
    yield os.path.join(_HERE, "_native", "bin")  # a wheel
    beside = os.path.dirname(os.path.dirname(_HERE))  # python/lanescope lies beside the probe
    yield beside
    yield os.path.join(beside, "..", "..", "bin")  # the probe in lib/lanescope


def find_library(name):
    """The path of one of the probe's libraries, None if it is missing."""
    for folder in _folders():
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return os.path.normpath(path)
    return None


def find_program(name):
    """The path of `lanes` or `lanescope`: ours first, then on PATH. None if there is none."""
    for folder in _folders():
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.normpath(path)
    return shutil.which(name)


def run_program(name, *words):
    """What the program printed. LanescopeError with its last line if it fails or is missing."""
    path = find_program(name)
    if path is None:
        raise LanescopeError(f"{name} is neither beside the package nor on the path")
    done = subprocess.run([path, *map(os.fspath, words)], capture_output=True, text=True, env=_own_environment())
    if done.returncode != 0:
        said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise LanescopeError(said[-1] if said else f"{name} ended with {done.returncode}")
    return done.stdout


def _own_environment():
    """An environment in which our own programs are not recorded."""
    return {key: value for key, value in os.environ.items() if key not in ("CUDA_INJECTION64_PATH", "LANES_SPOOL")}

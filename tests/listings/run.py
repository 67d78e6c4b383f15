#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the listings of the workloads and compares the calls that they make with those of the workloads' steps.

Each listing (code: pytorch, cuda) has its own frame, resources/listings/WORKLOAD.py or .cu, which defines what the listing
declares as given; it runs as printed, for every variant, under `lanes record`. The same variant on the model device
gives the expected calls: kernels, copies with their direction, records of events, waits, synchronisations, graphs,
and, if steps allocate, allocations; of the thread that runs the listing, in their order. Everything before the
first line that a step points at is set-up and not compared. A PyTorch listing is run twice and compared the second
time, when the caching allocators have what they need.

On a machine with a GPU, PyTorch and nvcc, from the unpacked package and the source tree's tests/listings:

    python3 tests/listings/run.py --lanes PACKAGE/bin/lanes [--language pytorch|cuda] [WORKLOAD...]

It needs no network and no Qt, and prints a line for each listing and variant; the exit status is 0 if no line says FAIL. The
programs, recordings and logs stay in --keep DIR. `--check` needs neither GPU nor PyTorch nor `lanes record`: it takes the
listings apart, compiles the Python ones, and tries the comparison on made-up calls.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import calls
import listing


def run(command, log, environment=None, seconds=300):
    """Whether it ended with 0; its output is in the file `log`."""
    with open(log, "w") as out:
        out.write(" ".join(command) + "\n")
        out.flush()
        try:
            return subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, timeout=seconds,
                                  env={**os.environ, **(environment or {})}).returncode == 0
        except subprocess.TimeoutExpired:
            out.write("took more than %d s\n" % seconds)
            return False


def last_words(log):
    with open(log, errors="replace") as file:
        lines = [line.strip() for line in file if line.strip()]
    return lines[-1] if lines else "nothing"


def nccl_library():
    """NCCL's path, from the loader or PyTorch's packages; None: there is none."""
    places = re.findall(r"=> (\S*libnccl\.so\S*)", subprocess.run(["ldconfig", "-p"], stdout=subprocess.PIPE, text=True).stdout)
    for folder in sys.path:
        places += glob.glob(os.path.join(folder, "nvidia", "nccl", "lib", "libnccl.so*"))
    return places[0] if places else None


def first_error(log):
    with open(log, errors="replace") as file:
        return next((line.strip() for line in file if "error" in line), "failed")


class Bench:
    def __init__(self, lanes, folder, architecture):
        self.lanes, self.folder, self.architecture, self.compile_only = lanes, folder, architecture, False
        self.gpus = len(json.loads(listing.output([lanes, "doctor", "--json"]))["gpus"])

    def expected(self, workload, variant):
        """The calls of the steps, from the model device."""
        path = os.path.join(self.folder, "%s.%s.model.sqlite" % (workload.name, variant))
        if not run([self.lanes, "run", workload.name, "--variant", variant, "--device", "model", "-o", path], path + ".log"):
            raise RuntimeError("the model device: " + last_words(path + ".log"))
        return calls.of_recording(path, None)

    def program(self, workload, variant, language):
        """The command that runs the listing; CUDA is compiled."""
        base = os.path.join(self.folder, "%s.%s" % (workload.name, variant))
        if language == "pytorch":
            with open(base + ".py", "w") as file:
                file.write(listing.python_program(workload, variant))
            return [sys.executable, base + ".py"]
        with open(base + ".cu", "w") as file:
            file.write(listing.cuda_program(workload, variant))
        nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        options = []
        for line in listing.frame_lines(workload, "cuda", "nvcc:"):
            if listing.applies(line, variant):
                options += line.split(" # ")[0].split()
        if "$NCCL" in options:
            library = nccl_library()
            if library is None:
                raise RuntimeError("NCCL is not installed")
            options.remove("$NCCL")
            options += ["-Xlinker", library, "-Xlinker", "-rpath=" + os.path.dirname(library)]
        if not run([nvcc, "-std=c++17", "-arch=" + self.architecture, "-I", listing.FRAMES, "-o", base + ".exe",
                    base + ".cu"] + options, base + ".nvcc.log"):
            raise RuntimeError("nvcc: " + first_error(base + ".nvcc.log"))
        return [base + ".exe"]

    def trial(self, workload, variant, language):
        """"ok", "skip" or "FAIL", and why."""
        why = listing.skipped(workload, variant, language)
        if why:
            return "skip", why
        try:
            command = self.program(workload, variant, language)
            if self.compile_only:
                return "ok", "compiled"
            if workload.gpus > self.gpus:
                return "skip", "it needs %d GPUs, there is %d" % (workload.gpus, self.gpus)
            expected = self.expected(workload, variant)
            path = os.path.join(self.folder, "%s.%s.%s.sqlite" % (workload.name, variant, language))
            environment = dict(line.split("=", 1) for line in listing.frame_lines(workload, language, "environment:")
                               if listing.applies(line, variant))
            environment = {key: value.split(" # ")[0].strip() for key, value in environment.items()}
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, [listing.FRAMES, os.environ.get("PYTHONPATH")]))
            if not run([self.lanes, "record", "-o", path, "--"] + command, path + ".log", environment):
                raise RuntimeError(last_words(path + ".log"))
            found = calls.of_recording(path, "listing")
            return calls.compared(expected, found, workload.allocates, language, workload.code[language])
        except Exception as error:
            return "FAIL", str(error)


def printed(lanes, workload, variant, language):
    """What `lanes show --listing` prints, and what is wrong with it."""
    program = listing.output([lanes, "show", workload.name, "--listing", language, "--variant", variant])
    if language == "pytorch":
        compile(program, workload.name + ".py", "exec")
        made, used = listing.names_in(program)
        undefined = sorted(used - made - set(dir(listing.builtins)) - {"__file__", "__name__"})
        if undefined:
            raise RuntimeError("the printed program lacks " + ", ".join(undefined))
    else:
        code = re.sub(r'//.*|"(\\.|[^"])*"', "", program)
        if "LISTING" in program or "FUNCTIONS" in program or code.count("{") != code.count("}"):
            raise RuntimeError("the printed program is not whole")
    for line in workload.code[language].split("\n"):
        if line not in program:
            raise RuntimeError("the printed program lacks the line " + line)


def check(lanes, workloads):
    """The tests without a GPU."""
    failed = 0
    for workload in workloads:
        for language in ("pytorch", "cuda"):
            try:
                if not os.path.exists(listing.frame_path(workload, language)):
                    raise RuntimeError("there is no frame " + os.path.basename(listing.frame_path(workload, language)))
                setup, body = listing.split(workload, language)
                if not body.strip():
                    raise RuntimeError("no step points at a line of it")
                if language == "pytorch" and listing.undefined_names(workload):
                    raise RuntimeError("undefined: " + ", ".join(listing.undefined_names(workload)))
                for variant in workload.variants:
                    program = (listing.python_program if language == "pytorch" else listing.cuda_program)(workload, variant)
                    if language == "pytorch":
                        compile(program, workload.name + ".py", "exec")
                        compile(setup + body, workload.name, "exec")
                    printed(lanes, workload, variant, language)
                print("ok   %s %s" % (workload.name, language))
            except Exception as error:
                failed += 1
                print("FAIL %s %s: %s" % (workload.name, language, error))
    return failed + calls.try_out()


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("workloads", nargs="*", metavar="WORKLOAD", help="of the catalogue; all of them where none is named")
    words.add_argument("--lanes", default=shutil.which("lanes"), help="the program `lanes` of the package or a build")
    words.add_argument("--language", choices=["pytorch", "cuda"], help="one of the two alone")
    words.add_argument("--variant", help="one variant alone")
    words.add_argument("--keep", metavar="DIR", help="keep programs, recordings and logs there")
    words.add_argument("--jobs", type=int, default=min(8, os.cpu_count() or 1), help="how many are compiled at once")
    words.add_argument("--arch", default="native", help="what nvcc compiles for (native)")
    words.add_argument("--compile-only", action="store_true", help="write and compile the programs, and run none")
    words.add_argument("--check", action="store_true", help="without a GPU: see above")
    given = words.parse_args()
    if given.lanes is None:
        words.error("--lanes: there is no `lanes` in PATH")
    lanes = os.path.abspath(given.lanes)
    workloads = [listing.Workload.of(lanes, name) for name in given.workloads or listing.names(lanes)]
    if given.check:
        return 1 if check(lanes, workloads) else 0
    folder = given.keep or tempfile.mkdtemp(prefix="listings-")
    os.makedirs(folder, exist_ok=True)
    bench = Bench(lanes, folder, given.arch)
    bench.compile_only = given.compile_only
    trials = [(w, v, l) for w in workloads for l in ("pytorch", "cuda") if given.language in (None, l)
              for v in w.variants if given.variant in (None, v)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for (workload, variant, language), (verdict, why) in zip(trials, pool.map(lambda t: bench.trial(*t), trials)):
            failed += verdict == "FAIL"
            print("%-4s %s.%s %s%s" % (verdict, workload.name, variant, language, ": " + why if why else ""), flush=True)
    print("%d of %d failed; logs are in %s" % (failed, len(trials), folder) if failed or given.keep
          else "%d listings make the calls of their steps" % len(trials))
    if not failed and not given.keep:
        shutil.rmtree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

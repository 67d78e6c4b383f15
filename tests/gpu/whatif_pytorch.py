#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pairs of PyTorch programs that a change connects: what each takes with and without the recorder, and how near
`lanes whatif` comes.

    tests/gpu/whatif_pytorch.py OUT [--lanes LANES] [--rounds 3] [--seconds 150] [--pair NAME]... [--dry-run]
    tests/gpu/whatif_pytorch.py OUT --two-gpus    # instead the pairs of two ranks under torchrun, both in one recording
    tests/gpu/whatif_pytorch.py OUT --predict     # holds the predictions to recordings that are in OUT

On a machine with a GPU and PyTorch 2. Each program runs in a process of its own: it makes its data, warms up, waits for
its turn and does its loop once under `lanes record --capture-range cudaProfilerApi`; programs of a round start together
and run one at a time, before and after alternating. After each round OUT has NAME.before.sqlite and NAME.after.sqlite, of
the rounds so far the median one, times.txt, and pairs.txt in the form of resources/workloads/changes.txt. The predictions
are made at the end, several at once and a minute at most for each; --predict makes them anywhere, without a GPU and
PyTorch. Exit status 1 if a program failed.
NCCL's multicast needs rights that containers often lack: NCCL_NVLS_ENABLE is 0 unless set.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

# By name, which is that of a function below: the changes that lead from before to after.
PAIRS = {
    "pinned_batches": "pin non-blocking",
    "pinned_loader": "pin non-blocking",
    "item_never": "drop-values",
    "item_every_10": "drop-values=10",
    "results_back": "pin non-blocking",
    "upload_stream": "own-stream",
    "download_stream": "own-stream",
    "cuda_graph": "graph",
    "empty_cache": "pool",
    "sync_every_step": "drop-syncs",
    "stream_sync": "event-waits",
}
# The same of DistributedDataParallel on two GPUs. What has no change has none in Lanescope; its recordings are there.
TWO_GPUS = {
    "ddp_buckets": "buckets=8",
    "ddp_overlap": "overlap-all-reduce",
    "ddp_item": "drop-values",
    "ddp_pinned": "pin non-blocking",
    "ddp_sync": "drop-syncs",
    "ddp_no_sync": "",
}
ALL = {**PAIRS, **TWO_GPUS}
VARIANTS = ["before", "after"]


class Programs:
    """Each makes what it needs and gives back its loop, which leaves work on the GPU."""

    def __init__(self, device):
        import torch

        self.torch, self.device = torch, torch.device(device)
        torch.manual_seed(1)

    def _data_parallel(self, **how):
        """A model of eight layers of 64 MiB on two ranks, and a batch for it."""
        nn = self.torch.nn
        net = nn.Sequential(*(nn.Linear(4096, 4096, bias=False) for _ in range(8))).to(self.device)
        net = nn.parallel.DistributedDataParallel(net, gradient_as_bucket_view=True, **how)
        return net, self.torch.optim.SGD(net.parameters(), lr=1e-6), self.torch.rand(512, 4096, device=self.device)

    def _steps(self, net, step, batches, behind=lambda loss: None):
        def loop():
            for x in batches:
                step.zero_grad(set_to_none=False)
                loss = net(x.to(self.device)).square().mean()
                loss.backward()
                step.step()
                behind(loss)

        return loop

    def ddp_buckets(self, after):
        """All gradients in one bucket, or one of each of eight layers."""
        net, step, x = self._data_parallel(bucket_cap_mb=60 if after else 4096)
        return self._steps(net, step, [x] * 10)

    def ddp_overlap(self, after):
        """Each layer's gradients added up by hand behind backward, or by DistributedDataParallel beside it."""
        net, step, x = self._data_parallel(bucket_cap_mb=60)
        if after:
            return self._steps(net, step, [x] * 10)

        def loop():
            for _ in range(10):
                step.zero_grad(set_to_none=False)
                with net.no_sync():
                    net(x).square().mean().backward()
                for parameter in reversed(list(net.parameters())):
                    self.torch.distributed.all_reduce(parameter.grad)
                    parameter.grad.div_(2)
                step.step()

        return loop

    def ddp_item(self, after):
        """loss.item() in every step on both ranks, or not at all."""
        net, step, x = self._data_parallel()
        return self._steps(net, step, [x] * 10, (lambda loss: None) if after else (lambda loss: loss.item()))

    def ddp_pinned(self, after):
        """Batches in pageable memory, or in pinned memory and copied with non_blocking, on both ranks."""
        net, step, _ = self._data_parallel()
        batches = [self.torch.rand(2048, 4096) for _ in range(5)]
        batches = [x.pin_memory() for x in batches] if after else batches

        def loop():
            for x in batches * 2:
                step.zero_grad(set_to_none=False)
                net(x.to(self.device, non_blocking=after)).square().mean().backward()
                step.step()

        return loop

    def ddp_sync(self, after):
        """torch.cuda.synchronize() in every step, or not."""
        net, step, x = self._data_parallel()
        return self._steps(net, step, [x] * 10, lambda loss: None if after else self.torch.cuda.synchronize())

    def ddp_no_sync(self, after):
        """Gradients of four batches added up: all-reduced after each, or after the last alone."""
        net, step, x = self._data_parallel()

        def loop():
            for _ in range(3):
                step.zero_grad(set_to_none=False)
                for part in range(4):
                    if after and part < 3:
                        with net.no_sync():
                            net(x).square().mean().backward()
                    else:
                        net(x).square().mean().backward()
                step.step()

        return loop

    def _net(self, inputs, width, depth):
        nn = self.torch.nn
        layers = [nn.Linear(inputs, width), nn.ReLU()]
        for _ in range(depth - 2):
            layers += [nn.Linear(width, width), nn.ReLU()]
        return nn.Sequential(*layers, nn.Linear(width, 16)).to(self.device)

    def _trainer(self, net):
        step = self.torch.optim.SGD(net.parameters(), lr=0.001)

        def train(x, y):
            loss = self.torch.nn.functional.cross_entropy(net(x), y)
            step.zero_grad()
            loss.backward()
            step.step()
            return loss

        return train

    def _batches(self, count, size, inputs, pinned):
        torch = self.torch
        batches = [(torch.rand(size, inputs), torch.randint(16, (size,))) for _ in range(count)]
        return [(x.pin_memory(), y.pin_memory()) for x, y in batches] if pinned else batches

    def pinned_batches(self, after):
        """Batches that lie in the host's memory, pageable or pinned and copied with non_blocking."""
        train = self._trainer(self._net(12288, 2048, 2))
        batches = self._batches(8, 256, 12288, after)

        def loop():
            for _ in range(4):
                for x, y in batches:
                    train(x.to(self.device, non_blocking=after), y.to(self.device, non_blocking=after))

        return loop

    def pinned_loader(self, after):
        """Batches of four worker processes, with pin_memory and non_blocking or without."""
        from torch.utils.data import DataLoader, TensorDataset

        torch = self.torch
        data = TensorDataset(torch.rand(2560, 12288), torch.randint(16, (2560,)))
        loader = DataLoader(data, batch_size=64, num_workers=4, pin_memory=after, persistent_workers=True)
        train = self._trainer(self._net(12288, 4096, 2))

        def loop():
            for x, y in loader:
                train(x.to(self.device, non_blocking=after), y.to(self.device, non_blocking=after))

        return loop

    def _items(self, every):
        x = self.torch.rand(512, 2048, device=self.device)
        y = self.torch.randint(16, (512,), device=self.device)
        train = self._trainer(self._net(2048, 2048, 4))

        def loop():
            for i in range(60):
                loss = train(x, y)
                if every and i % every == 0:
                    loss.item()

        return loop

    def item_never(self, after):
        """loss.item() in every step, or not at all."""
        return self._items(0 if after else 1)

    def item_every_10(self, after):
        """loss.item() in every step, or in every tenth."""
        return self._items(10 if after else 1)

    def results_back(self, after):
        """Results to the host one by one, or with non_blocking into pinned memory."""
        torch = self.torch
        a = torch.rand(2048, 2048, device=self.device)
        outs = [torch.empty(2048, 2048, pin_memory=True) for _ in range(20)] if after else []

        def loop():
            if after:
                for out in outs:
                    out.copy_(a @ a, non_blocking=True)
            else:
                return [(a @ a).cpu() for _ in range(20)]

        return loop

    def upload_stream(self, after):
        """Pinned batches copied on the stream of the kernels, or the next one on a stream of its own."""
        torch = self.torch
        train = self._trainer(self._net(12288, 2048, 2))
        batches = self._batches(8, 512, 12288, True) * 4
        side = torch.cuda.Stream()

        def upload(batch):
            return [part.to(self.device, non_blocking=True) for part in batch]

        def before():
            for batch in batches:
                train(*upload(batch))

        def prefetched():
            current = torch.cuda.current_stream()
            with torch.cuda.stream(side):
                coming = upload(batches[0])
            for i in range(len(batches)):
                current.wait_stream(side)
                batch = coming
                for part in batch:
                    part.record_stream(current)
                if i + 1 < len(batches):
                    with torch.cuda.stream(side):
                        coming = upload(batches[i + 1])
                train(*batch)

        return prefetched if after else before

    def download_stream(self, after):
        """Results into pinned memory on the stream of the kernels, or on a stream of their own."""
        torch = self.torch
        a = torch.rand(2048, 2048, device=self.device)
        outs = [torch.empty(2048, 2048, pin_memory=True) for _ in range(40)]
        side = torch.cuda.Stream()

        def loop():
            for out in outs:
                y = a @ a
                if not after:
                    out.copy_(y, non_blocking=True)
                    continue
                side.wait_stream(torch.cuda.current_stream())
                with torch.cuda.stream(side):
                    out.copy_(y, non_blocking=True)
                y.record_stream(side)

        return loop

    def cuda_graph(self, after):
        """A small model's kernels launched one by one, or as a graph that was captured before."""
        torch = self.torch
        net = self._net(256, 256, 8)
        x = torch.rand(64, 256, device=self.device)
        if not after:

            def launches():
                with torch.no_grad():
                    for _ in range(300):
                        net(x)

            return launches
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.no_grad(), torch.cuda.stream(side):
            net(x)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.no_grad(), torch.cuda.graph(graph):
            self.kept = net(x)

        def replays():
            for _ in range(300):
                graph.replay()

        return replays

    def empty_cache(self, after):
        """torch.cuda.empty_cache() in every step, or not."""
        torch = self.torch
        a = torch.rand(2048, 2048, device=self.device)

        def loop():
            for _ in range(40):
                b = (a @ a).relu()
                c = b @ a
                del b, c
                if not after:
                    torch.cuda.empty_cache()

        return loop

    def sync_every_step(self, after):
        """torch.cuda.synchronize() in every step, or not."""
        x = self.torch.rand(512, 2048, device=self.device)
        y = self.torch.randint(16, (512,), device=self.device)
        train = self._trainer(self._net(2048, 2048, 4))

        def loop():
            for _ in range(60):
                train(x, y)
                if not after:
                    self.torch.cuda.synchronize()

        return loop

    def stream_sync(self, after):
        """Uploads on a side stream that the host waits for, or the stream of the kernels does."""
        torch = self.torch
        a = torch.rand(2048, 2048, device=self.device)
        parts = [torch.rand(2048, 2048).pin_memory() for _ in range(8)]
        buffers = [torch.empty_like(a) for _ in parts]
        side = torch.cuda.Stream()

        def loop():
            current = torch.cuda.current_stream()
            for _ in range(4):
                side.wait_stream(current)
                for part, buffer in zip(parts, buffers):
                    with torch.cuda.stream(side):
                        buffer.copy_(part, non_blocking=True)
                    current.wait_stream(side) if after else side.synchronize()
                    buffer @ a

        return loop


class Ranks:
    """What the ranks of a program say to one another without their GPUs, which are another program's while they wait."""

    def __init__(self, torch):
        self.rank = int(os.environ.get("LOCAL_RANK", "0"))
        self.count = int(os.environ.get("WORLD_SIZE", "1"))
        self.met = 0
        if self.count > 1:
            torch.cuda.set_device(self.rank)
            torch.distributed.init_process_group("nccl", device_id=torch.device("cuda", self.rank))
            self.store = torch.distributed.distributed_c10d._get_default_store()

    def meet(self):
        if self.count > 1:
            self.met += 1
            if self.store.add(f"met {self.met}", 1) == self.count:
                self.store.set(f"all {self.met}", "")
            self.store.wait([f"all {self.met}"])

    def say(self, words):
        """When all ranks are there."""
        self.meet()
        if self.rank == 0:
            print(words, flush=True)

    def listen(self):
        if self.rank == 0:
            sys.stdin.readline()
        self.meet()


def program(name, variant, loops, device):
    """One program: says when it is warm, does its loop when told to, says how many ms each took, ends when told to."""
    import torch

    ranks = Ranks(torch)
    programs = Programs(f"cuda:{ranks.rank}" if ranks.count > 1 else device)
    cuda = torch.cuda
    loop = getattr(programs, name)(variant == "after")
    for _ in range(3):
        loop()
        cuda.synchronize()
    ranks.say("ready")
    ranks.listen()
    times = []
    cuda.profiler.start()
    for _ in range(loops):
        ranks.meet()
        begun = time.perf_counter()
        loop()
        cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - begun))
    cuda.profiler.stop()
    ranks.say("done " + json.dumps(times))
    ranks.listen()
    if ranks.count > 1:
        torch.distributed.destroy_process_group()


def words_of(given, name, variant, file):
    ranks = ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"] if name in TWO_GPUS else []
    words = [sys.executable, *ranks, os.path.abspath(__file__), given.out, "--program", name, "--variant", variant,
             "--device", given.device, "--loops", "1" if file else "7"]
    return [given.lanes, "record", "--capture-range", "cudaProfilerApi", "-o", file, "--", *words] if file else words


class Started:
    def __init__(self, given, name, variant, file):
        self.name, self.variant, self.file = name, variant, file
        self.words, self.said, self.times = words_of(given, name, variant, file), [], []
        self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def until(self, word):
        """Its line that begins so; None: it ended without."""
        for line in self.process.stdout:
            if line.startswith(word):
                return line[len(word):]
            self.said.append(line)
        return None

    def tell(self):
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass


def run_batch(given, names, recorded, number):
    """Each program of each pair once; those that failed say why and are left out."""
    started = []
    for name in names:
        for variant in VARIANTS:
            file = os.path.join(given.out, "rounds", f"{name}.{variant}.{number}.sqlite") if recorded else None
            started.append(Started(given, name, variant, file))
    ready = [one for one in started if one.until("ready") is not None]
    time.sleep(0.5)  # what the last ones began to do is over
    for one in ready:
        one.tell()
        one.times = json.loads(one.until("done ") or "[]")
    for one in started:
        one.tell()
    done = []
    for one in started:
        one.said.append(one.process.communicate()[0])
        if one.process.returncode == 0 and one.times and (not recorded or os.path.exists(one.file)):
            done.append(one)
        else:
            print(f"FAIL {' '.join(one.words)}\n{''.join(one.said)[-1500:]}", flush=True)
    return done, len(started) - len(done)


def keep(given, names, recorded, unrecorded, rounds):
    """Of each program the median recording, and the table of times, which it gives back."""
    lines = [f"{'ms':18} {'recorded A':>11} {'B':>9} {'unrecorded A':>13} {'B':>9}   {rounds}"]
    for name in names:
        cells = []
        for variant in VARIANTS:
            runs = sorted(recorded.get((name, variant), []))
            if runs:
                took, file = runs[(len(runs) - 1) // 2]
                shutil.copyfile(file, os.path.join(given.out, f"{name}.{variant}.sqlite"))
            cells.append(took if runs else float("nan"))
        cells += [unrecorded.get((name, variant), float("nan")) for variant in VARIANTS]
        lines.append(f"{name:18} {cells[0]:11.2f} {cells[1]:9.2f} {cells[2]:13.2f} {cells[3]:9.2f}")
    with open(os.path.join(given.out, "times.txt"), "w") as times:
        times.write("\n".join(lines) + "\n")
    return "\n".join(lines)


def record(given):
    names = given.pair or list(TWO_GPUS if given.two_gpus else PAIRS)
    if given.dry_run:
        for name in names:
            for variant in VARIANTS:
                for file in (f"{given.out}/rounds/{name}.{variant}.0.sqlite", None):
                    print(" ".join(words_of(given, name, variant, file)))
        return 0
    os.makedirs(os.path.join(given.out, "rounds"), exist_ok=True)
    begun, longest, failed = time.monotonic(), 0, 0
    recorded, unrecorded, rounds, times = {}, {}, 0, "nothing was recorded"
    with open(os.path.join(given.out, "pairs.txt"), "w") as pairs:
        pairs.write("# name | before | after | changes | by how many % the prediction may be off\n")
        for name in names:
            if ALL[name]:
                pairs.write(f"{name} | before | after | {ALL[name]} | 15\n")
    # Without the recorder a program does its loop seven times in one go, after the first round.
    for is_recorded, number in [(True, 0), (False, 0)] + [(True, i) for i in range(1, given.rounds)]:
        from_here = time.monotonic()
        if from_here - begun + longest > given.seconds:
            print(f"after {from_here - begun:.0f} s no further round")
            break
        done, less = run_batch(given, names, is_recorded, number)
        failed += less
        rounds += is_recorded
        longest = max(longest, time.monotonic() - from_here)
        for one in done:
            if is_recorded:
                recorded.setdefault((one.name, one.variant), []).append((one.times[0], one.file))
            else:
                unrecorded[one.name, one.variant] = statistics.median(one.times)
        times = keep(given, names, recorded, unrecorded, f"{rounds} rounds, {time.monotonic() - begun:.0f} s")
    print(times)
    shutil.rmtree(os.path.join(given.out, "rounds"))
    return failed


def said(words):
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return f"no answer within a minute: {' '.join(words)}"
    return json.loads(done.stdout) if done.returncode == 0 and done.stdout.startswith("{") else done.stdout.strip()


def judge(given, name):
    """The prediction from before, and the recording of after: the line that says it; of a prediction how far it is off
    (None where there is a range alone) and whether its interval holds."""
    changes, files = ALL[name], files_of(given, name)
    words = []
    for change in changes.split():
        kind, _, amount = change.partition("=")
        words += ["--" + kind] + ([amount] if amount else [])
    told = said([given.lanes, "whatif", files[0], *words, "--json"])
    truth = said([given.lanes, "report", files[1], "--json"])
    if isinstance(told, str) or isinstance(truth, str):
        return f"{name:18} {changes:18} {told if isinstance(told, str) else truth}", None
    head = f"{name:18} {changes:18} {told['measured_total_ns'] / 1e6:9.3f} {truth['wall_ns'] / 1e6:9.3f}"
    if told["refused"] or not told["changes"]:
        return f"{head} none: {'; '.join(told['refused']) or 'nothing to change'}", None
    one = told["changes"][0]
    error = one["predicted_total_ns"] / truth["wall_ns"] - 1
    holds = one["low_ns"] <= truth["wall_ns"] <= one["high_ns"]
    return (f"{head} {one['predicted_total_ns'] / 1e6:9.3f} {100 * error:+6.1f}{' (range alone)' if one['wide'] else ''}  "
            f"{one['low_ns'] / 1e6:.2f} to {one['high_ns'] / 1e6:.2f} ms{'' if holds else ': no'}, {one['class']}",
            (None if one["wide"] else abs(error), holds))


def files_of(given, name):
    return [os.path.join(given.out, f"{name}.{variant}.sqlite") for variant in VARIANTS]


def predict(given):
    print(f"{'name':18} {'changes':18} {'A ms':>9} {'B ms':>9} {'predicted':>9}  error  within")
    names = [name for name in ALL if ALL[name] and (not given.pair or name in given.pair)
             and all(map(os.path.exists, files_of(given, name)))]
    found = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for line, result in pool.map(lambda name: judge(given, name), names):
            print(line, flush=True)
            found += [result] if result else []
    off = [error for error, _ in found if error is not None]
    if off:
        print(f"{len(found)} pairs, the interval holds {sum(holds for _, holds in found)}; {len(off)} with a number: "
              f"median error {100 * statistics.median(off):.1f} %, most {100 * max(off):.1f} %")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("out", metavar="OUT")
    words.add_argument("--lanes", default="lanes")
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--seconds", type=float, default=150, help="begin no round that would end later")
    words.add_argument("--pair", action="append", choices=list(ALL), help="this one alone; may be given again")
    words.add_argument("--two-gpus", action="store_true", help="the pairs of two ranks")
    words.add_argument("--dry-run", action="store_true", help="print what would be run")
    words.add_argument("--predict", action="store_true", help="record nothing")
    words.add_argument("--device", default="cuda")
    words.add_argument("--program", help=argparse.SUPPRESS)
    words.add_argument("--variant", help=argparse.SUPPRESS)
    words.add_argument("--loops", type=int, default=1, help=argparse.SUPPRESS)
    given = words.parse_args()
    os.environ.setdefault("NCCL_NVLS_ENABLE", "0")
    if given.program:
        program(given.program, given.variant, given.loops, given.device)
        return 0
    failed = 0 if given.predict else record(given)
    if not given.dry_run:
        predict(given)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

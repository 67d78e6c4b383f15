# SPDX-License-Identifier: MIT
"""Pairs of PyTorch programs that a change connects, for whatif_pytorch.py."""

# By name, which is that of a function below: the changes that lead from before to after.
PAIRS = {
    "pinned_batches": "pin non-blocking",
    "pinned_loader": "pin non-blocking",
    "loader_workers": "workers=4",
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
# The same for DistributedDataParallel on two GPUs. Pairs without a change have none in Lanescope, only recordings.
TWO_GPUS = {
    "ddp_buckets": "buckets=8",
    "ddp_overlap": "overlap-all-reduce",
    "ddp_item": "drop-values",
    "ddp_pinned": "pin non-blocking",
    "ddp_sync": "drop-syncs",
    "ddp_no_sync": "",
}
# Recorded with --pytorch: the change goes by what the DataLoader calls its ranges.
WITH_RANGES = {"loader_workers"}


class Programs:
    """Each makes what it needs and returns its loop, which leaves work on the GPU."""

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

    def _steps(self, net, step, batches, after=lambda loss: None):
        def loop():
            for x in batches:
                step.zero_grad(set_to_none=False)
                loss = net(x.to(self.device)).square().mean()
                loss.backward()
                step.step()
                after(loss)

        return loop

    def ddp_buckets(self, after):
        """All gradients in one bucket, or one of each of eight layers."""
        net, step, x = self._data_parallel(bucket_cap_mb=60 if after else 4096)
        return self._steps(net, step, [x] * 10)

    def ddp_overlap(self, after):
        """Each layer's gradients added up by hand after backward, or by DistributedDataParallel beside it."""
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
        """Batches in the host's memory, pageable or pinned and copied with non_blocking."""
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

    def loader_workers(self, after):
        """Batches that the thread itself, or four worker processes, put together and scale."""
        from torch.utils.data import DataLoader, Dataset

        torch = self.torch

        class Scaled(Dataset):
            data = torch.randint(256, (1280, 12288), dtype=torch.uint8)

            def __len__(self):
                return len(self.data)

            def __getitem__(self, i):
                return (self.data[i].float() / 255 - 0.5) * 2, i % 16

        loader = DataLoader(Scaled(), batch_size=64, num_workers=4 if after else 0, persistent_workers=after)
        train = self._trainer(self._net(12288, 4096, 2))

        def loop():
            for x, y in loader:
                train(x.to(self.device), y.to(self.device))

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
        """Pinned batches copied on the stream of the kernels, or the next one on a separate stream."""
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
        """Results into pinned memory on the stream of the kernels, or on a separate stream."""
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

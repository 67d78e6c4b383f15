#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a trace as PyTorch's profiler does with `with_stack=True`, of a worker that decodes with a language model.

The main thread has 24 frames deep stacks with their plumbing, modules, operators and calls; a thread that monitors a
progress bar idles in a stack of 15; the GPU has kernels, copies and one all-reduce a layer. The same arguments give the
same file: there is no chance in it.

    python_stacks.py [--steps 9] [--layers 4] > stacks.json
"""

import argparse
import json
import sys

PROCESS, MAIN, MONITOR = 8013, 8013, 8090
STREAM, COPIES = 7, 7


class Trace:
    def __init__(self):
        self.events, self.now, self.correlation, self.frame, self.gpu = [], 0, 0, 0, 0

    def event(self, category, name, start, length, thread, **arguments):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": PROCESS, "tid": thread,
                            "ts": round(start, 3), "dur": round(length, 3), "args": arguments})

    def opened(self, category, name, thread=MAIN, **arguments):
        """Begins an event now and returns it; close() gives it its length."""
        self.event(category, name, self.now, 0, thread, **arguments)
        return self.events[-1]

    def close(self, event):
        event["dur"] = round(self.now - event["ts"], 3)

    def within(self, category, name, body, before=0.6, after=0.4):
        event = self.opened(category, name, **self.ids(category))
        self.now += before
        body()
        self.now += after
        self.close(event)

    def ids(self, category):
        if category != "python_function":
            return {}
        self.frame += 1
        return {"Python id": self.frame}

    def frames(self, names, body):
        """Frames inside one another, the outermost first."""
        if not names:
            body()
            return
        self.within("python_function", names[0], lambda: self.frames(names[1:], body))

    def call(self, name, length, **arguments):
        self.correlation += 1
        self.event("cuda_runtime", name, self.now, length, MAIN, correlation=self.correlation, **arguments)
        self.now += length
        return self.correlation

    def on_gpu(self, category, name, length, correlation, **arguments):
        start = max(self.gpu, self.now + 2.5)
        self.event(category, name, start, length, STREAM, device=0, context=1, stream=STREAM, correlation=correlation,
                   **arguments)
        self.events[-1]["pid"] = 0
        self.gpu = start + length
        return self.gpu

    def kernel(self, name, length, operators, grid=132):
        def launch():
            correlation = self.call("cudaLaunchKernel", 3.2)
            self.on_gpu("kernel", name, length, correlation, grid=[grid, 1, 1], block=[256, 1, 1])
        self.operators(operators, launch)

    def operators(self, names, body):
        if not names:
            body()
            return
        self.within("cpu_op", names[0], lambda: self.operators(names[1:], body), 1.1, 0.7)


OUTER = ["vllm/entrypoints/worker.py(1): <module>", "multiprocessing/spawn.py(106): spawn_main",
         "multiprocessing/spawn.py(122): _main", "multiprocessing/process.py(314): _bootstrap",
         "multiprocessing/process.py(108): run", "vllm/v1/executor/multiproc_executor.py(520): worker_main",
         "vllm/v1/executor/multiproc_executor.py(593): worker_busy_loop"]
MODEL = ["torch/utils/_contextlib.py(113): decorate_context", "vllm/v1/worker/gpu_worker.py(263): execute_model",
         "torch/utils/_contextlib.py(113): decorate_context",
         "vllm/v1/worker/gpu_model_runner.py(1002): execute_model",
         "torch/nn/modules/module.py(1751): _wrapped_call_impl", "torch/nn/modules/module.py(1762): _call_impl",
         "nn.Module: LlamaForCausalLM_0", "vllm/model_executor/models/llama.py(583): forward",
         "torch/nn/modules/module.py(1762): _call_impl", "nn.Module: LlamaModel_0",
         "vllm/compilation/decorators.py(173): __call__", "torch/_dynamo/eval_frame.py(655): _fn",
         "<eval_with_key>.66(2): forward"]


def linear(trace, name, kernel, length):
    def inside():
        trace.kernel(kernel, length, ["aten::linear", "aten::addmm"] if name.endswith("_0") else
                     ["aten::linear", "aten::matmul", "aten::mm"])
    trace.frames(["torch/nn/modules/module.py(1762): _call_impl", f"nn.Module: {name}",
                  "vllm/model_executor/layers/linear.py(474): forward"], inside)


def attention(trace, layer):
    def inside():
        linear(trace, f"QKVParallelLinear_{layer}", "nvjet_tst_64x128_64x8_1x2_h_bz_TNT", 21.5)
        trace.kernel("void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*)", 4.1,
                     ["_C::rotary_embedding"])
        trace.kernel("void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4>>", 18.3,
                     ["vllm::unified_attention_with_output", "_vllm_fa3_C::fwd"])
        linear(trace, f"RowParallelLinear_{2 * layer}", "nvjet_tst_128x64_64x8_2x1_v_bz_TNN", 16.2)
        trace.kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 19.5,
                     ["vllm::all_reduce", "c10d::allreduce_"], 24)
    trace.frames([f"nn.Module: LlamaAttention_{layer}", "vllm/model_executor/models/llama.py(181): forward"], inside)


def layers(trace, count):
    for layer in range(count):
        def inside(layer=layer):
            trace.kernel("void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*)", 5.2,
                         ["_C::fused_add_rms_norm"])
            attention(trace, layer)
            linear(trace, f"MergedColumnParallelLinear_{layer}", "nvjet_tst_192x128_64x4_1x2_h_bz_TNT", 44.0)
            trace.kernel("void vllm::act_and_mul_kernel<c10::BFloat16>(c10::BFloat16*)", 6.6, ["_C::silu_and_mul"])
            linear(trace, f"RowParallelLinear_{2 * layer + 1}", "nvjet_tst_128x64_64x8_2x1_v_bz_TNN", 30.0)
        trace.frames(["torch/nn/modules/module.py(1762): _call_impl", f"nn.Module: LlamaDecoderLayer_{layer}",
                      "vllm/model_executor/models/llama.py(310): forward"], inside)


def sample(trace):
    """Copies the tokens to the host and waits for them."""
    def copied():
        correlation = trace.call("cudaMemcpyAsync", 4.0, bytes=512)
        done = trace.on_gpu("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 1.9, correlation, bytes=512)
        trace.events[-2]["dur"] = round(max(done + 5.4 - trace.events[-2]["ts"], 4.0), 3)
        trace.now = trace.events[-2]["ts"] + trace.events[-2]["dur"]
    trace.frames(["vllm/v1/worker/gpu_model_runner.py(1190): _bookkeeping", "<built-in method tolist of Tensor>"],
                 lambda: trace.operators(["aten::to", "aten::_to_copy", "aten::copy_"], copied))


def step(trace, count):
    trace.frames(MODEL, lambda: layers(trace, count))
    trace.frames(["torch/utils/_contextlib.py(113): decorate_context",
                  "vllm/v1/worker/gpu_model_runner.py(1150): sample_tokens"], lambda: sample(trace))
    trace.frames(["vllm/distributed/device_communicators/shm_broadcast.py(430): dequeue",
                  "<built-in function sched_yield>"], lambda: setattr(trace, "now", trace.now + 38.0))


def written(steps, count):
    trace = Trace()
    waits = [trace.opened("python_function", f"tqdm/_monitor.py({line}): {name}", MONITOR) for line, name in
             [(1, "<module>"), (2, "_bootstrap"), (3, "_bootstrap_inner"), (4, "run"), (5, "wait")] +
             [(10 + depth, f"poll_{depth}") for depth in range(10)]]

    def loop():
        for number in range(steps):
            annotation = trace.opened("user_annotation", f"ProfilerStep#{number}")
            step(trace, count)
            trace.close(annotation)
    trace.frames(OUTER, loop)
    for wait in waits:
        trace.close(wait)
    names = [{"ph": "M", "name": "process_name", "pid": PROCESS, "tid": 0, "ts": 0, "args": {"name": "python"}},
             {"ph": "M", "name": "process_labels", "pid": PROCESS, "tid": 0, "ts": 0, "args": {"labels": "CPU"}},
             {"ph": "M", "name": "thread_name", "pid": PROCESS, "tid": MAIN, "ts": 0, "args": {"name": "main"}},
             {"ph": "M", "name": "thread_name", "pid": PROCESS, "tid": MONITOR, "ts": 0,
              "args": {"name": "tqdm monitor"}}]
    return {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "numSms": 132,
                                                      "computeMajor": 9, "computeMinor": 0}],
            "with_stack": 1, "traceEvents": names + trace.events}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--steps", type=int, default=9)
    parser.add_argument("--layers", type=int, default=4)
    arguments = parser.parse_args()
    json.dump(written(arguments.steps, arguments.layers), sys.stdout, separators=(",", ":"))


if __name__ == "__main__":
    main()

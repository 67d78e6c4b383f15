#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a machine with a GPU and PyTorch 2: recordings with operators compared with torch.profiler's, their cost, the Python package.
#   tests/gpu/pytorch_record.sh [OUT [BIN]]     BIN: the folder of lanes and its probe, build/bin unless given
# Builds lanes and the probe if BIN has none, without window and tests. PYTHON names the Python that has PyTorch.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=${1:-${OUT:-pytorch-record}}
bin=${2:-build/bin}
if [ ! -x "$bin/lanes" ]; then
    cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_UNITY_BUILD=ON -DLANES_GUI=OFF -DBUILD_TESTING=OFF
    cmake --build build --target lanes lanes-probe lanes-nvtx
fi
# In a build's folder it is a link to the sources, which leads nowhere on another machine.
if [ ! -f "$bin/python/hook/sitecustomize.py" ]; then
    rm -f "$bin/python"
    cp -r probes/python "$bin/python"
fi
exec "${PYTHON:-python3}" tests/gpu/pytorch_record.py "$bin" "$out"

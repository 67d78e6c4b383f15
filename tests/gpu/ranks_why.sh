#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a machine with two GPUs and PyTorch 2: who is late in collectives, and what it costs, of two real ranks (ranks_why.py).
#   tests/gpu/ranks_why.sh OUT [BIN]     BIN: the folder of lanes, its probe and its folder python; PATH's unless given
# PYTHON names the Python that has PyTorch. Some three minutes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ $# -gt 1 ]; then
    bin=$(cd "$2" && pwd)
    # In a build's folder it is a link to the sources, which leads nowhere on another machine.
    if [ ! -f "$bin/python/pytorch/sitecustomize.py" ]; then
        rm -f "$bin/python"
        cp -r "$here/../../probes/python" "$bin/python"
    fi
    export PATH=$bin:$PATH
fi
exec "${PYTHON:-python3}" "$here/ranks_why.py" "$1"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a machine with two GPUs and PyTorch 2: who is late in collectives, and what it costs, for two real ranks (ranks_why.py).
#   tests/gpu/ranks_why.sh OUT [BIN [WORDS]]     BIN: the folder of lanes, its probe and its folder python; PATH's unless given
# PYTHON names the Python that has PyTorch. Some two minutes; WORDS are ranks_why.py's, as --only late heavier.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$1
shift
if [ $# -gt 0 ]; then
    bin=$(cd "$1" && pwd)
    shift
    # In a build's folder it is a link to the sources, which leads nowhere on another machine.
    if [ ! -f "$bin/python/hook/sitecustomize.py" ]; then
        rm -f "$bin/python"
        cp -r "$here/../../probes/python" "$bin/python"
    fi
    export PATH=$bin:$PATH
fi
exec "${PYTHON:-python3}" "$here/ranks_why.py" "$out" "$@"

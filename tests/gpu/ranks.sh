#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# On a machine with two GPUs and PyTorch: two ranks under torchrun in one file and in one file a rank, and those merged.
#   tests/gpu/ranks.sh OUT      lanes on PATH; PYTHON names the Python that has PyTorch
# Exit status 1 if a count differs. What it leaves in OUT is input of tests/hta/run.py.
set -u
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && cd "$1" || exit 2
export NCCL_NVLS_ENABLE=${NCCL_NVLS_ENABLE:-0}  # multicast needs rights that containers often lack
failed=0
lanes record -o one.sqlite -- "${PYTHON:-python3}" -m torch.distributed.run --standalone --nproc_per_node 2 "$here/ddp.py" || failed=1
lanes record -o 'rank%r.sqlite' -- "${PYTHON:-python3}" -m torch.distributed.run --standalone --nproc_per_node 2 "$here/ddp.py" || failed=1
ls -l
lanes merge rank0.sqlite rank1.sqlite -o merged.sqlite || failed=1
lanes convert one.sqlite 'one.rank%r.json.gz' || failed=1
counts() { lanes report "$1" --json=full | "${PYTHON:-python3}" -c "
import json, sys
r = json.load(sys.stdin)
print(r['counts']['kernels'], len(r['devices']))"; }
for file in one merged rank0 rank1; do echo "$file: kernels and GPUs $(counts $file.sqlite)"; done
[ "$(counts one.sqlite)" = "$(counts merged.sqlite)" ] || { echo "WRONG: the merged recording differs from the one"; failed=1; }
lanes report merged.sqlite | head -40
exit $failed

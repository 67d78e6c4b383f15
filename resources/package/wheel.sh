#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the wheel of the Python package: probes/python/lanescope, with `lanes`, the probe and what they need as lanescope/_native.
# Called by package.sh, from the root of the project:
#   wheel.sh FOLDER VERSION     FOLDER: what lies in the archive of `lanes`; the wheel goes beside it
set -euo pipefail

folder=$1
version=$2
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import setuptools, wheel' 2>/dev/null; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
    echo "no wheel: python3-setuptools and python3-wheel are not here"
    exit 0
fi
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
native=$stage/lanescope/_native
cp -r probes/python/lanescope "$stage/"
mkdir -p "$native"
cp -r "$folder/bin" "$native/"
rm -rf "$native/bin/python/lanescope"
if [ -d "$folder/lib" ]; then cp -r "$folder/lib" "$native/"; fi
mkdir "$native/resources"
for part in workloads devices calibration text schema agent families.yaml; do cp -r "$folder/resources/$part" "$native/resources/"; done
find "$stage" -name __pycache__ -prune -exec rm -rf {} +
cp LICENSE README.md "$stage/"
# The C library that `lanes` and the probe need: see newest_glibc in package.sh.
cat >"$stage/setup.py" <<TEXT
from setuptools import setup

setup(
    name="lanescope",
    version="$version",
    description="Record what a piece of Python does on CPU and GPU, and look at it",
    license="MIT",
    packages=["lanescope"],
    package_data={"lanescope": ["_native/**"]},
    include_package_data=True,
    python_requires=">=3.8",
    extras_require={"pandas": ["pandas"]},
    zip_safe=False,
)
TEXT
printf 'graft lanescope/_native\n' >"$stage/MANIFEST.in"
destination=$(realpath "$(dirname "$folder")")
if ! (cd "$stage" && "$python" setup.py -q bdist_wheel --plat-name "manylinux_2_34_$(uname -m)" --dist-dir "$destination") \
    >"$stage/log" 2>&1; then
    cat "$stage/log" >&2
    exit 1
fi
wheel=$(ls "$destination/lanescope-$version-"*.whl)
printf '%s (%s)\n' "dist/$(basename "$wheel")" "$(du -h "$wheel" | cut -f1)"

# SPDX-License-Identifier: MIT
"""`python -m lanescope record -- python train.py`: the program `lanes` that came with the package."""
import os
import sys

from ._files import find_program

path = find_program("lanes")
if path is None:
    sys.exit("lanes is neither beside the package nor on the path")
os.execv(path, [path, *sys.argv[1:]])

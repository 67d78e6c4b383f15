# SPDX-License-Identifier: MIT
from given import *

two_streams = second == "b"
x, y = on_gpu(), on_gpu()
left = right = one_kernel

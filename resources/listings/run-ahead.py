# SPDX-License-Identifier: MIT
from given import *

x = on_gpu()
layer = one_kernel

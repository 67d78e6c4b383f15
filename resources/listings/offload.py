# SPDX-License-Identifier: MIT
from given import *

shape = (2**18,)
x, act, grad = on_gpu(*shape), [None] * layers, [None] * layers
check = nothing


def forward(i, x):
    return x + 1


def backward(i, x):
    return x[:1] * 1.0

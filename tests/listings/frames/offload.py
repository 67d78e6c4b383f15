# SPDX-License-Identifier: MIT
from given import *

shape = (2**18,)
act, grad = [on_gpu(*shape)] * layers, [None] * layers
check = nothing


def forward(i, x):
    return x + 1


def backward(i, x):
    return x.sum()

# SPDX-License-Identifier: MIT
from given import *

check = nothing


def forward(tensor):
    tensor.fill_(1)


backward = forward

# SPDX-License-Identifier: MIT
from given import *

x, query, answer = on_gpu(), on_gpu(), on_gpu()
answer_cpu = pinned_tensor()
large, wait_for_request, reply = one_kernel, nothing, nothing


def small(query):
    return query + 1

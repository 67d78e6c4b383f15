# SPDX-License-Identifier: MIT
# skip late: it ends with the error that the lesson is about
# skip launch-blocking: it ends with the error that the lesson is about
# skip sync-each: it ends with the error that the lesson is about
from given import *


synchronise, x = check, on_gpu()
first_layers, rest_of_layers = [one_kernel] * 3, [one_kernel] * layers
embedding, tokens = on_gpu(8, 4), torch.full((4,), 1_000_000_000, device="cuda")


def lookup(embedding, tokens):
    return embedding[tokens]

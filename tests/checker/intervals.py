# SPDX-License-Identifier: MIT
"""Sets of times: sorted lists of (start, end) that neither touch nor overlap. Each function is linear in its lists,
but for the sort in union()."""


def union(pieces):
    """The set of all times in any of the pieces; empty pieces count for nothing."""
    joined = []
    for start, end in sorted(p for p in pieces if p[1] > p[0]):
        if joined and start <= joined[-1][1]:
            if end > joined[-1][1]:
                joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def length(times):
    return sum(end - start for start, end in times)


def clip(times, start, end):
    """The part of the set in [start, end)."""
    return [(max(a, start), min(b, end)) for a, b in times if max(a, start) < min(b, end)]


def common(one, other):
    """Times in both sets."""
    found, i, j = [], 0, 0
    while i < len(one) and j < len(other):
        start, end = max(one[i][0], other[j][0]), min(one[i][1], other[j][1])
        if start < end:
            found.append((start, end))
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return found


def without(one, other):
    """Times of the first set that are not in the second."""
    found, j = [], 0
    for start, end in one:
        while j < len(other) and other[j][1] <= start:
            j += 1
        at = j
        while at < len(other) and other[at][0] < end:
            if other[at][0] > start:
                found.append((start, other[at][0]))
            start = max(start, other[at][1])
            at += 1
        if start < end:
            found.append((start, end))
    return found


def levels(sets, most=3):
    """For 1 to `most`: the time in which that many of the sets or more hold, as sets. Position 0 is the first level."""
    edges = sorted(edge for times in sets for start, end in times if end > start for edge in ((start, 1), (end, -1)))
    found, opened, count = [[] for _ in range(most)], [None] * most, 0
    for time, step in edges:
        if step > 0:
            if count < most:
                opened[count] = time
            count += 1
        else:
            count -= 1
            if count < most and time > opened[count]:
                _append(found[count], opened[count], time)
    return found


def _append(times, start, end):
    if times and times[-1][1] >= start:
        times[-1] = (times[-1][0], max(times[-1][1], end))
    else:
        times.append((start, end))

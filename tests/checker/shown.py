# SPDX-License-Identifier: MIT
"""Figures as the sentences write them: times with three digits, shares in percent, sizes in KiB. Written from what the
texts look like, so that a change of the engine's way to write is noticed."""

import math
from decimal import ROUND_HALF_EVEN, Decimal

TIMES = ((" ns", 10**0), (" µs", 10**3), (" ms", 10**6), (" s", 10**9))


def decimals(value, places):
    """The exact binary value, rounded as C++ does."""
    return str(Decimal(value).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN))


def time(ns):
    if ns == 0:
        return "0 ms"
    unit = 0
    while unit + 1 < len(TIMES) and abs(ns) >= 999.5 * TIMES[unit][1]:
        unit += 1
    value = ns / TIMES[unit][1]
    places = 0 if unit == 0 or abs(value) >= 99.95 else 2 if abs(value) < 9.995 else 1
    return decimals(value, places) + TIMES[unit][0]


def share(part, whole):
    fraction = part / whole if whole > 0 else 0
    if 0 < fraction < 0.005:
        return "< 1 %"
    if 0.995 <= fraction < 1:
        return "> 99 %"
    return f"{math.floor(fraction * 100 + 0.5)} %"


def size(count):
    value, unit = float(count), 0
    names = (" B", " KiB", " MiB", " GiB", " TiB")
    while value >= 1024 and unit + 1 < len(names):
        value /= 1024
        unit += 1
    return decimals(value, 0 if value == math.floor(value) or value >= 99.95 else 1) + names[unit]


def parsed_time(text):
    """ns of "17.7 ms" and half of the last digit, the error of rounding; None if it is no time."""
    parts = text.split(" ")
    if len(parts) != 2:
        return None
    for name, ns in TIMES:
        if name.strip() == parts[1]:
            try:
                value = float(parts[0])
            except ValueError:
                return None
            places = len(parts[0].partition(".")[2])
            return value * ns, 0.5 * ns / 10**places + 1
    return None

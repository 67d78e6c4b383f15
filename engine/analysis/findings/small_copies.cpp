// SPDX-License-Identifier: MIT
// Copies in a row so small that each costs more to make than its bytes take on the link.
#include "engine/analysis/figures/value_copies.h"
#include "engine/analysis/findings/search.h"

namespace lanes {

namespace {

constexpr int calls_between = 8;

}  // namespace

Candidate find_small_copies(const Search& search)
{
    const auto& trace = search.trace;
    const auto& ops = trace.operations;
    Candidate found;
    found.rule = "copies-too-small";
    const auto is_small = [&](Row row) {
        const bool over_the_link = ops.kind[row] == OperationKind::h2d || ops.kind[row] == OperationKind::d2h;
        return over_the_link && trace.bytes_of(row) <= most_of_a_value
            && search.in_range(ops.start[row], ops.end[row]) > 0;
    };
    // Whether `second` was the next thing that the thread issued, with a call of its own: nothing between could order
    // it.
    const auto follows = [&](Row first, Row second) {
        const Row call = search.issuer(first);
        const Row other = search.issuer(second);
        if (ops.kind[first] != ops.kind[second] || call == no_row || other == no_row || call == other
            || trace.calls.thread[call] == no_row) {
            return false;
        }
        Row next = search.next_call(call);
        for (int i = 0; i < calls_between && next != no_row && !search.bounds.issues[next]; ++i) {
            next = search.next_call(next);
        }
        return next == other;
    };
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto rows = trace.operations_of(stream);
        for (Row first = rows.begin; first < rows.end;) {
            Row last = first;
            while (is_small(last) && last + 1 < rows.end && is_small(last + 1) && follows(last, last + 1)) {
                ++last;
            }
            if (last - first + 1 >= least_to_gather) {
                for (Row row = first; row <= last; ++row) {
                    const Row call = search.issuer(row);
                    const Ns until = std::max(ops.end[row], trace.calls.end[call]);
                    found.take(search.part_in_range(trace.calls.start[call], until), {EventTable::operations, row});
                    found.rows.operations.push_back(row);
                }
            }
            first = last + 1;
        }
    }
    found.bound_by_taken();  // several copies wait in the queue at once
    return found;
}

}  // namespace lanes

// SPDX-License-Identifier: MIT
// Data that goes from one GPU to another through memory of the host: a download, then an upload of the same bytes.
#include "engine/analysis/facts/pinned_rates.h"
#include "engine/analysis/figures/value_copies.h"
#include "engine/analysis/findings/search.h"

#include <map>
#include <set>

namespace lanes {

namespace {

constexpr Ns between_calls = 20'000;
constexpr double host_reads = 20;  // bytes/ns: how fast a thread reads memory

struct Pair {
    Row down, up;
};

class HostCopies {
public:
    HostCopies(const Search& search, const Dependencies& order)
        : m_search(search)
        , m_trace(search.trace)
        , m_order(order)
    {
    }
    std::vector<Pair> find() const;

private:
    bool is(Row operation, OperationKind kind) const
    {
        return m_trace.operations.kind[operation] == kind && m_trace.bytes_of(operation) > most_of_a_value;
    }
    bool may_be_one(Row down, Row up) const;
    std::vector<Pair> by_threads() const;

    const Search& m_search;
    const Trace& m_trace;
    const Dependencies& m_order;
};

/// Whether both may carry the same bytes, down from one GPU and up to another.
bool HostCopies::may_be_one(Row down, Row up) const
{
    const auto& stream = m_trace.operations.stream;
    return is(down, OperationKind::d2h) && is(up, OperationKind::h2d) && m_trace.bytes_of(down) == m_trace.bytes_of(up)
        && m_order.device_of[stream[down]] != m_order.device_of[stream[up]];
}

/// Uploads that a thread issues right after a finished download, with no time between to look at the bytes.
std::vector<Pair> HostCopies::by_threads() const
{
    struct Last {
        Row issued = no_row;  ///< operation
        Ns end = 0;  ///< of its last call
    };
    const auto& ops = m_trace.operations;
    const auto& calls = m_trace.calls;
    std::vector<Row> first_operation(calls.size(), no_row);
    for (Row row = 0; row < ops.size(); ++row) {
        const Row call = m_search.issuer(row);
        if (call != no_row && first_operation[call] == no_row) {
            first_operation[call] = row;
        }
    }
    std::vector<Last> threads(m_trace.threads.size());
    std::vector<Pair> found;
    for (Row call = 0; call < calls.size(); ++call) {
        if (calls.outer[call] != no_row || calls.thread[call] == no_row) {
            continue;
        }
        auto& last = threads[calls.thread[call]];
        const Row up = first_operation[call];
        if (up != no_row && last.issued != no_row && may_be_one(last.issued, up)) {
            const Ns done = ops.end[last.issued];
            const auto seen = static_cast<Ns>(static_cast<double>(m_trace.bytes_of(up)) / host_reads);
            if (done <= calls.start[call] + between_calls
                && calls.start[call] - std::max(done, last.end) <= between_calls + seen) {
                found.push_back({last.issued, up});
            }
        }
        last.issued = up == no_row ? last.issued : up;
        last.end = std::max(last.end, calls.end[call]);
    }
    return found;
}

/// An event between two GPUs says that the upload needs the download. One thread issuing both in turn says so only if
/// no upload of that many bytes comes from elsewhere.
std::vector<Pair> HostCopies::find() const
{
    std::vector<Pair> found;
    std::set<Row> matched;
    for (const auto& [operation, before] : m_order.behind) {
        if (may_be_one(before, operation) && matched.insert(operation).second) {
            found.push_back({before, operation});
        }
    }
    std::map<std::uint64_t, std::size_t> from_elsewhere;  // by bytes
    const auto& ops = m_trace.operations;
    for (Row row = 0; row < ops.size(); ++row) {
        if (is(row, OperationKind::h2d)) {
            ++from_elsewhere[m_trace.bytes_of(row)];
        }
    }
    std::vector<Pair> of_threads = by_threads();
    std::erase_if(of_threads, [&](const Pair& pair) { return matched.contains(pair.up); });
    for (const auto& pair : of_threads) {
        --from_elsewhere[m_trace.bytes_of(pair.up)];
    }
    for (const Row up : matched) {
        --from_elsewhere[m_trace.bytes_of(up)];
    }
    for (const auto& pair : of_threads) {
        if (from_elsewhere[m_trace.bytes_of(pair.up)] == 0) {
            found.push_back(pair);
        }
    }
    return found;
}

/// Bytes/ns that copies between GPUs reach; `measured`: taken from this recording.
struct PeerRate {
    double rate = 0;
    bool measured = false;
};

PeerRate peer_rate(const Trace& trace)
{
    constexpr std::uint64_t large_copy = 1 << 20;
    PeerRate found;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const Ns length = trace.operations.end[row] - trace.operations.start[row];
        if (trace.operations.kind[row] == OperationKind::p2p && trace.bytes_of(row) >= large_copy && length > 0) {
            found.rate = std::max(found.rate, static_cast<double>(trace.bytes_of(row)) / static_cast<double>(length));
            found.measured = true;
        }
    }
    // NVLink 5 to 2 carry 900, 450, 300 and 150 GB/s a direction (NVIDIA's pages of B200, H100, A100, V100); three
    // quarters were measured with one copy on two H200s (312 to 389 GB/s).
    for (const auto& device : trace.devices) {
        const double link = device.compute_major >= 10 ? 900
            : device.compute_major == 9                ? 450
            : device.compute_major == 8                ? 300
            : device.compute_major == 7                ? 150
                                                       : 0;
        found.rate = found.measured ? found.rate : std::max(found.rate, 0.75 * link);
    }
    return found;
}

}  // namespace

Candidate find_copies_through_host(const Search& search, const Dependencies& order)
{
    const auto& trace = search.trace;
    const auto& ops = trace.operations;
    Candidate found;
    found.rule = "copy-through-host";
    const auto pairs = HostCopies(search, order).find();
    if (pairs.empty()) {
        return found;
    }
    const auto peers = peer_rate(trace);
    const auto pinned = pinned_rates(trace);
    const auto length_of = [&](Row row) { return ops.end[row] - ops.start[row]; };
    std::set<Row> downs;
    std::vector<std::pair<Row, Ns>> over_bus;
    for (const auto& [down, up] : pairs) {
        const Row down_call = search.issuer(down);
        const Row up_call = search.issuer(up);
        if (down_call == no_row || up_call == no_row) {
            continue;
        }
        const auto at = [&, row = up](double rate) {
            return std::min(length_of(row), static_cast<Ns>(static_cast<double>(trace.bytes_of(row)) / rate));
        };
        const double bus = pinned[ops.stream[up]];
        found.rows.operations.push_back(up);
        found.rows.takes.emplace_back(up, at(peers.rate > 0 ? peers.rate : bus));
        over_bus.emplace_back(up, at(bus));
        found.take(search.part_in_range(ops.start[up], ops.end[up]), {EventTable::operations, up});
        if (!downs.insert(down).second) {
            continue;
        }
        found.rows.operations.push_back(down);
        found.take(search.part_in_range(ops.start[down], ops.end[down]), {EventTable::operations, down});
        if (trace.calls.thread[down_call] == trace.calls.thread[up_call]) {
            for (Row call = search.next_call(down_call); call != no_row && call < up_call;
                 call = search.next_call(call)) {  // no wait is needed for data that never reaches the host
                for (const Row stretch : search.blocking.of(call)) {
                    const auto& of = search.blocking.calls[stretch];
                    found.taken.push_back(search.part_in_range(of.start, of.end));
                }
                if (!search.blocking.of(call).empty()) {
                    found.rows.calls.push_back(call);
                }
            }
        }
    }
    found.bound_by_taken();
    if (!peers.measured && peers.rate > 0) {
        found.otherwise = found.rows;
        found.otherwise->takes = std::move(over_bus);
    }
    return found;
}

}  // namespace lanes

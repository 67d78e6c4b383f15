// SPDX-License-Identifier: MIT
// Results that are copied, or summed over GPUs, only when all kernels are done.
#include "engine/analysis/figures/communication.h"
#include "engine/analysis/findings/search.h"
#include "engine/analysis/steady_state.h"

#include <array>
#include <map>

namespace lanes {

namespace {

constexpr std::size_t most_buckets = 8;  // into which one sum over all gradients is cut, at most

/// Kernels of a GPU, then results of them with no kernel between.
struct Group {
    Ns kernels = 0, results = 0;
    std::size_t kernel_count = 0, result_count = 0;
    Ns until = INT64_MIN;  ///< what of the two runs now

    /// Side by side they count once; a result that a kernel hides already is none.
    void take(Ns start, Ns end, Ns length, Ns& sum, std::size_t& count)
    {
        const Ns alone = std::min(length, std::max<Ns>(0, end - std::max(start, until)));
        sum += alone;
        until = std::max(until, end);
        count += 2 * alone > length ? 1 : 0;
    }
    /// With n pieces of both, the results of one beside the kernels of the next: all but one piece of the shorter.
    Ns won(bool can_be_cut) const
    {
        const auto pieces
            = static_cast<Ns>(std::min(kernel_count, can_be_cut && result_count == 1 ? most_buckets : result_count));
        const Ns shorter = std::min(kernels, results);
        return pieces < 2 ? 0 : shorter - shorter / pieces;
    }
};

class AfterSearch {
public:
    AfterSearch(const Search& search, const Cures& cured, const Replay& replay)
        : m_search(search)
        , m_cured(cured)
        , m_replay(replay)
    {
        m_found.copies.rule = "copies-after-kernels";
        m_found.communication.rule = "communication-after-kernels";
    }
    AfterKernels run(const std::vector<Row>& operations_by_time);

private:
    enum Kind { kernel, copy, communication, other };
    struct Device {
        Group group;
        Kind results = other;
        bool one_sum = false;  ///< most communication is exposed: it is not cut into buckets, of which the last one is
        std::vector<Row> rows;
        std::array<Ns, 2> won {};  ///< copies, communication
    };
    Kind kind_of(Row row) const;
    bool sums_once(std::uint32_t device) const;
    void end_group(Device& device, Ns next_kernel = INT64_MAX);
    Candidate& found(Kind kind) { return kind == copy ? m_found.copies : m_found.communication; }

    const Search& m_search;
    const Cures& m_cured;
    const Replay& m_replay;
    AfterKernels m_found;
};

AfterSearch::Kind AfterSearch::kind_of(Row row) const
{
    const auto& ops = m_search.trace.operations;
    if (ops.kind[row] == OperationKind::kernel) {
        const bool communicates = !m_search.bounds.communicates.empty() && m_search.bounds.communicates[ops.name[row]];
        return communicates ? communication : kernel;
    }
    const bool leaves = ops.kind[row] == OperationKind::d2h || ops.kind[row] == OperationKind::p2p;
    return leaves && ops.end[row] - ops.start[row] >= short_copy && !m_cured.own_copies[ops.stream[row]] ? copy : other;
}

/// Whether a GPU has one all-reduce an iteration at most; several are buckets already.
bool AfterSearch::sums_once(std::uint32_t device) const
{
    const auto& trace = m_search.trace;
    std::size_t sums = 0;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        if (trace.streams[trace.operations.stream[row]].device == device && kind_of(row) == communication) {
            const auto name = communication_of(trace.text(trace.operations.name[row]));
            if (name.find("AllReduce") == std::string_view::npos && name.find("all_reduce") == std::string_view::npos) {
                return false;
            }
            ++sums;
        }
    }
    return sums <= std::max<std::size_t>(1, sums > 1 ? find_iterations(trace).size() : 1);
}

/// `next_kernel`: start of the kernel that ends it; what results go on beside it is hidden already.
void AfterSearch::end_group(Device& device, Ns next_kernel)
{
    device.group.results -= std::min(
        device.group.results, std::max<Ns>(0, device.group.until - std::min(next_kernel, device.group.until)));
    if (const Ns won = device.group.won(device.results == communication && device.one_sum); won > 0) {
        device.won[device.results == copy ? 0 : 1] += won;
        for (const Row row : device.rows) {
            const auto& ops = m_search.trace.operations;
            found(device.results).evidence.add({EventTable::operations, row}, ops.end[row] - ops.start[row]);
        }
    }
    device.group = {};
    device.results = other;
    device.rows.clear();
}

AfterKernels AfterSearch::run(const std::vector<Row>& operations_by_time)
{
    const auto& trace = m_search.trace;
    const auto& ops = trace.operations;
    std::map<std::uint32_t, Device> devices;
    for (const auto& gpu : m_search.report.gpus) {
        if (m_search.is_worth_it(std::max(gpu.copy_exposed, gpu.communication_exposed))) {
            devices[gpu.device].one_sum = 2 * gpu.communication_exposed > gpu.communication && sums_once(gpu.device);
        }
    }
    std::vector<Device*> by_stream(trace.streams.size(), nullptr);
    for (Row stream = 0; stream < by_stream.size(); ++stream) {
        const auto at = devices.find(trace.streams[stream].device);
        by_stream[stream] = at == devices.end() ? nullptr : &at->second;
    }
    for (const Row row : operations_by_time) {
        Device* const device = by_stream[ops.stream[row]];
        const Ns length = m_search.in_range(ops.start[row], ops.end[row]);
        const auto kind = device == nullptr || length == 0 ? other : kind_of(row);
        if (kind == other) {
            continue;
        }
        auto& group = device->group;
        if (kind == kernel) {
            if (device->results != other) {
                end_group(*device, ops.start[row]);
            }
            group.take(ops.start[row], ops.end[row], length, group.kernels, group.kernel_count);
        } else if (group.kernel_count > 0 && (device->results == other || device->results == kind)) {
            device->results = kind;
            const Row call = m_search.issuer(row);
            const bool pinned = call != no_row && m_cured.calls[call] == Cures::pinned;
            group.take(ops.start[row], ops.end[row], pinned ? std::min(length, m_replay.pinned_time(row)) : length,
                group.results, group.result_count);
            device->rows.push_back(row);
        } else {
            end_group(*device);
        }
    }
    for (auto& [id, device] : devices) {
        end_group(device);
        // GPUs do this at the same time: the one that would win most decides.
        m_found.copies.bound = std::max(m_found.copies.bound, device.won[0]);
        m_found.communication.bound = std::max(m_found.communication.bound, device.won[1]);
    }
    return std::move(m_found);
}

}  // namespace

AfterKernels find_after_kernels(
    const Search& search, const std::vector<Row>& operations_by_time, const Cures& cured, const Replay& replay)
{
    return AfterSearch(search, cured, replay).run(operations_by_time);
}

}  // namespace lanes

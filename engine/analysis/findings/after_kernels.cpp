// SPDX-License-Identifier: MIT
// Results that are copied, or summed over GPUs, only when all kernels are done.
#include "engine/analysis/blocking/blocked_rule.h"
#include "engine/analysis/facts/communication.h"
#include "engine/analysis/facts/pinned_rates.h"
#include "engine/analysis/findings/search.h"
#include "engine/analysis/graph/kernel_share.h"

#include <algorithm>
#include <array>
#include <map>

namespace lanes {

namespace {

constexpr std::size_t most_buckets = 8;  // into which one sum over all gradients is cut, at most
constexpr Ns tiny_sum = 10;  // if the longest sum takes this many times as long, a sum is not of gradients (a barrier)

/// Kernels of a GPU, then their results with no kernel between.
struct Group {
    struct Kernel {
        Row row;
        Ns alone;
    };
    std::vector<Kernel> kernels;
    std::vector<Row> results;
    Ns kernel_time = 0, result_time = 0;
    std::size_t kernel_count = 0,
                result_count = 0;  ///< results that run alone for more than half of their time
    Ns until = INT64_MIN;  ///< the last end so far, of both
    Ns kernels_until = INT64_MIN;
    bool in_order = true;  ///< the communication taken last waited for all these kernels

    /// Operations side by side count once; a result that a kernel already hides does not count.
    Ns take(Ns start, Ns end, Ns length, Ns& sum, std::size_t& count)
    {
        const Ns alone = std::min(length, std::max<Ns>(0, end - std::max(start, until)));
        sum += alone;
        until = std::max(until, end);
        count += 2 * alone > length ? 1 : 0;
        return alone;
    }
    std::size_t pieces(bool can_be_cut) const
    {
        return std::min(kernel_count, can_be_cut && result_count == 1 ? most_buckets : result_count);
    }
    /// With both in n pieces, results of one piece run beside kernels of the next: saves all but one piece of the
    /// shorter.
    Ns won(std::size_t pieces) const
    {
        const Ns shorter = std::min(kernel_time, result_time);
        return pieces < 2 ? 0 : shorter - shorter / static_cast<Ns>(pieces);
    }
};

/// Communication between GPUs: how much of its kernels is no wait for another GPU, and what they follow.
class Communication {
public:
    Communication(const Search& search, const Dependencies& order);

    /// From when all the GPUs that the recording shows took part in it.
    Ns start_of(Row row) const;
    /// Without the wait for another GPU, ns. If the recording shows no other GPU that took part, at most the shortest
    /// of its kind: the rest may be such a wait.
    Ns length_of(Row row) const;
    /// Operations must be taken in order of time.
    void take(Row row, bool communicates);
    /// Whether it had to wait for kernels that end at `until`: it is the first result after them, or follows `others`
    /// that had to wait. Not if what it follows had ended before, as for a bucket that waits for a GPU or for
    /// multiprocessors.
    bool is_behind(Row row, Ns until, bool first, bool others) const;

private:
    struct Stream {
        Ns ordered = INT64_MIN;  ///< the end of what its communication follows
        bool told = false;  ///< whether the recording names any
    };
    std::pair<StringId, std::uint32_t> kind_of(Row row) const;

    const Search& m_search;
    const std::vector<Dependencies::Behind>& m_behind;
    std::map<Row, Ns> m_starts;  ///< of those with other GPUs in the recording: when the last of them began
    std::map<std::pair<StringId, std::uint32_t>, Ns> m_shortest;  ///< by name and blocks, of the others
    std::vector<Stream> m_streams;
};

Communication::Communication(const Search& search, const Dependencies& order)
    : m_search(search)
    , m_behind(order.behind)
    , m_streams(search.trace.streams.size())
{
    const auto& ops = search.trace.operations;
    for (const auto& [operation, partner] : order.partners) {
        m_starts[operation] = ops.start[partner];
        m_starts.try_emplace(partner, ops.start[partner]);
    }
    for (Row row = 0; !search.bounds.communicates.none() && row < ops.size(); ++row) {
        if (search.bounds.communicates.has(search.trace, row) && !m_starts.contains(row)
            && search.in_range(ops.start[row], ops.end[row]) > 0) {
            auto& shortest = m_shortest.try_emplace(kind_of(row), INT64_MAX).first->second;
            shortest = std::min(shortest, ops.end[row] - ops.start[row]);
        }
    }
}

std::pair<StringId, std::uint32_t> Communication::kind_of(Row row) const
{
    const auto& ops = m_search.trace.operations;
    return {ops.name[row], m_search.trace.kernels[ops.detail[row]].grid[0]};
}

Ns Communication::start_of(Row row) const
{
    const auto at = m_starts.find(row);
    return at == m_starts.end() ? m_search.trace.operations.start[row] : at->second;
}

Ns Communication::length_of(Row row) const
{
    const Ns length = m_search.in_range(start_of(row), m_search.trace.operations.end[row]);
    const auto shortest = m_starts.contains(row) ? m_shortest.end() : m_shortest.find(kind_of(row));
    return shortest == m_shortest.end() ? length : std::min(length, shortest->second);
}

void Communication::take(Row row, bool communicates)
{
    const auto& ops = m_search.trace.operations;
    auto& stream = m_streams[ops.stream[row]];
    const auto add = [&](Row before) {
        stream.ordered = std::max(stream.ordered, ops.end[before]);
        stream.told = true;
    };
    if (!communicates) {
        add(row);
        return;
    }
    const auto first = std::partition_point(
        m_behind.begin(), m_behind.end(), [row](const auto& entry) { return entry.operation < row; });
    for (auto entry = first; entry != m_behind.end() && entry->operation == row; ++entry) {
        if (!m_search.bounds.communicates.has(m_search.trace, entry->before)) {
            add(entry->before);
        }
    }
}

bool Communication::is_behind(Row row, Ns until, bool first, bool others) const
{
    const auto& stream = m_streams[m_search.trace.operations.stream[row]];
    const Row call = m_search.issuer(row);
    const Ns issued = call == no_row ? INT64_MIN : m_search.trace.calls.start[call];
    if (stream.told || issued >= until) {
        return std::max(stream.ordered, issued) + ordinary_call >= until;
    }
    return first ? m_search.trace.operations.start[row] - ordinary_call <= until : others;
}

class AfterSearch {
public:
    AfterSearch(const Search& search, const Dependencies& order, const Cured& cured)
        : m_search(search)
        , m_cured(cured)
        , m_pinned(cured.pinned.empty() ? std::vector<double>() : pinned_rates(search.trace))
        , m_communication(search, order)
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
        GpuRoom room;
        bool one_sum = false;  ///< most communication is exposed: it is not in buckets, where only the last one is
        std::array<Ns, 2> won {};  ///< copies, communication
    };
    Kind kind_of(Row row) const;
    bool sums_once(std::uint32_t device) const;
    double part_hidden(const Device& device, Ns piece) const;
    void take_communication(Device& device, Row row);
    void take_copy(Device& device, Row row, Ns length);
    void end_group(Device& device, Ns next_kernel = INT64_MAX);
    Candidate& found(Kind kind) { return kind == copy ? m_found.copies : m_found.communication; }

    const Search& m_search;
    const Cured& m_cured;
    const std::vector<double> m_pinned;  ///< bytes/ns, by stream
    Communication m_communication;
    AfterKernels m_found;
};

AfterSearch::Kind AfterSearch::kind_of(Row row) const
{
    const auto& ops = m_search.trace.operations;
    if (ops.kind[row] == OperationKind::kernel) {
        const bool communicates = m_search.bounds.communicates.has(m_search.trace, row);
        return communicates ? communication : kernel;
    }
    const bool leaves = ops.kind[row] == OperationKind::d2h || ops.kind[row] == OperationKind::p2p;
    return leaves && ops.end[row] - ops.start[row] >= short_copy && !m_cured.is_moved(row) ? copy : other;
}

/// Whether anything in the recording has a name of training. Layers of a model that several GPUs share (tensor
/// parallel) end in an all-reduce, too, and those are no gradients.
bool trains(const Trace& trace)
{
    for (StringId id = 0; id < trace.strings.size(); ++id) {
        const auto name = trace.text(id);
        for (const std::string_view part : {"ackward", "ptimizer", "radient", "multi_tensor", "grad"}) {
            if (name.find(part) != std::string_view::npos) {
                return true;
            }
        }
    }
    return false;
}

/// Whether a GPU has one all-reduce of gradients an iteration at most; several are buckets already. What a program does
/// before and after the range (a broadcast of its weights) says nothing about the range.
bool AfterSearch::sums_once(std::uint32_t device) const
{
    const auto& trace = m_search.trace;
    if (!trains(trace)) {
        return false;
    }
    std::vector<Ns> sums;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        if (trace.streams[trace.operations.stream[row]].device == device && kind_of(row) == communication
            && m_search.in_range(trace.operations.start[row], trace.operations.end[row]) > 0) {
            const auto name = communication_of(trace, row);
            if (name.find("AllReduce") == std::string_view::npos && name.find("all_reduce") == std::string_view::npos) {
                return false;
            }
            sums.push_back(trace.operations.end[row] - m_communication.start_of(row));
        }
    }
    const Ns longest = sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
    std::erase_if(sums, [&](Ns time) { return time * tiny_sum < longest; });
    std::size_t iterations = 0;
    if (const auto& repetition = m_search.graph.repetition()) {
        iterations
            = static_cast<std::size_t>(std::count_if(repetition->iterations.begin(), repetition->iterations.end(),
                [&](const Interval& each) { return m_search.in_range(each.start, each.end) > 0; }));
    }
    return sums.size() <= std::max<std::size_t>(1, iterations);
}

/// Which part of communication in pieces of that length is hidden by the group's kernels. Kernels that leave it no room
/// take longer beside it, at most until they have caught up on what they could not do meanwhile.
double AfterSearch::part_hidden(const Device& device, Ns piece) const
{
    const auto& trace = m_search.trace;
    const auto detail = [&](Row row) -> const KernelDetail& { return trace.kernels[trace.operations.detail[row]]; };
    const auto& guest = detail(device.group.results.front());
    double hidden = 0;
    for (const auto& [row, alone] : device.group.kernels) {
        const double longer = longer_beside(detail(row), guest, device.room);
        const auto length = static_cast<double>(alone);
        const double beside = std::min(static_cast<double>(piece), length * longer);
        hidden += length * std::max(0., beside > 0 ? 1 - length * (longer - 1) / beside : 1);
    }
    return device.group.kernel_time > 0 ? hidden / static_cast<double>(device.group.kernel_time) : 1;
}

/// `next_kernel`: start of the kernel that ends the group. Results that go on beside that kernel are hidden already.
void AfterSearch::end_group(Device& device, Ns next_kernel)
{
    auto& group = device.group;
    group.result_time -= std::min(group.result_time, std::max<Ns>(0, group.until - std::min(next_kernel, group.until)));
    const auto pieces = group.pieces(device.results == communication && device.one_sum);
    Ns won = group.won(pieces);
    if (won > 0 && device.results == communication) {
        won = static_cast<Ns>(
            static_cast<double>(won) * part_hidden(device, group.result_time / static_cast<Ns>(pieces)));
    }
    if (won > 0) {
        device.won[device.results == copy ? 0 : 1] += won;
        for (const Row row : group.results) {
            const auto& ops = m_search.trace.operations;
            found(device.results).evidence.add({EventTable::operations, row}, ops.end[row] - ops.start[row]);
        }
    }
    group = {};
    device.results = other;
}

void AfterSearch::take_communication(Device& device, Row row)
{
    auto& group = device.group;
    group.in_order = m_communication.is_behind(row, group.kernels_until, group.results.empty(), group.in_order);
    device.results = communication;
    if (group.in_order) {
        group.take(m_communication.start_of(row), m_search.trace.operations.end[row], m_communication.length_of(row),
            group.result_time, group.result_count);
        group.results.push_back(row);
    }
}

void AfterSearch::take_copy(Device& device, Row row, Ns length)
{
    const auto& ops = m_search.trace.operations;
    device.results = copy;
    const auto at_rate = [&] {
        return static_cast<Ns>(static_cast<double>(m_search.trace.bytes_of(row)) / m_pinned[ops.stream[row]]);
    };
    device.group.take(ops.start[row], ops.end[row], m_cured.is_pinned(row) ? std::min(length, at_rate()) : length,
        device.group.result_time, device.group.result_count);
    device.group.results.push_back(row);
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
    for (auto& [id, device] : devices) {
        device.room = gpu_room(trace, id);
    }
    std::vector<Device*> by_stream(trace.streams.size(), nullptr);
    for (Row stream = 0; stream < by_stream.size(); ++stream) {
        const auto at = devices.find(trace.streams[stream].device);
        by_stream[stream] = at == devices.end() ? nullptr : &at->second;
    }
    for (const Row row : operations_by_time) {
        Device* const device = by_stream[ops.stream[row]];
        const auto kind = kind_of(row);
        m_communication.take(row, kind == communication);
        const Ns length = m_search.in_range(ops.start[row], ops.end[row]);
        if (device == nullptr || length == 0 || kind == other
            || (kind == communication && is_send(communication_of(trace, row)))) {
            continue;
        }
        auto& group = device->group;
        if (kind == kernel) {
            if (device->results != other) {
                end_group(*device, ops.start[row]);
            }
            const Ns alone = group.take(ops.start[row], ops.end[row], length, group.kernel_time, group.kernel_count);
            group.kernels.push_back({row, alone});
            group.kernels_until = std::max(group.kernels_until, ops.end[row]);
        } else if (group.kernel_count > 0 && (device->results == other || device->results == kind)) {
            if (kind == communication) {
                take_communication(*device, row);
            } else {
                take_copy(*device, row, length);
            }
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

AfterKernels find_after_kernels(const Search& search, const Dependencies& order, const Cured& cured)
{
    return AfterSearch(search, order, cured).run(order.operations);
}

}  // namespace lanes

// SPDX-License-Identifier: MIT
#include "engine/ranks/collectives.h"

#include "engine/analysis/facts/communication.h"
#include "engine/trace/collective_call.h"
#include "engine/trace/owners.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace lanes {

namespace {

using Kernels = std::vector<Row>;
using Gpus = std::vector<std::uint32_t>;  // Device::id, ascending

/// The kernels of one name and one communicator, and which of them are one collective.
class KernelsAlike {
public:
    KernelsAlike(const Trace& trace, Kernels rows)
        : m_trace(trace)
        , m_rows(std::move(rows))
    {
        const auto& ops = trace.operations;
        std::sort(m_rows.begin(), m_rows.end(),
            [&](Row a, Row b) { return ops.end[a] != ops.end[b] ? ops.end[a] < ops.end[b] : a < b; });
    }

    std::vector<Kernels> collectives() const
    {
        auto found = of_one_group(that_end_together());
        if (auto ordered = in_order(found); !ordered.empty()) {
            found = std::move(ordered);
        }
        std::erase_if(found, [&](const Kernels& kernels) { return kernels.size() < 2 || !overlap(kernels); });
        return found;
    }

private:
    std::uint32_t device(Row row) const { return m_trace.streams[m_trace.operations.stream[row]].device; }
    Gpus gpus_of(const Kernels& kernels) const
    {
        Gpus gpus;
        for (const Row row : kernels) {
            gpus.push_back(device(row));
        }
        return gpus;
    }
    Ns start(Row row) const { return m_trace.operations.start[row]; }
    Ns end(Row row) const { return m_trace.operations.end[row]; }

    bool overlap(const Kernels& kernels) const
    {
        Ns last_start = start(kernels.front());
        Ns first_end = end(kernels.front());
        for (const Row row : kernels) {
            last_start = std::max(last_start, start(row));
            first_end = std::min(first_end, end(row));
        }
        return last_start < first_end;
    }

    /// Kernels that end together, at most one of each GPU; some alone.
    std::vector<Kernels> that_end_together() const
    {
        struct Open {
            Kernels rows;
            Ns shortest = 0;
            std::unordered_set<std::uint32_t> devices = {};  // of the rows: of hundreds of ranks
        };
        const auto apart = [](Ns shortest) { return std::max(collective_ends, shortest / 10); };
        std::vector<Kernels> found;
        std::vector<Open> open;  // by their first ends
        for (const Row row : m_rows) {
            std::erase_if(open, [&](Open& group) {
                const bool is_over = end(group.rows.front()) + apart(group.shortest) < end(row);
                if (is_over) {
                    found.push_back(std::move(group.rows));
                }
                return is_over;
            });
            const Ns takes = end(row) - start(row);
            const auto place = std::find_if(open.begin(), open.end(), [&](const Open& group) {
                return end(group.rows.front()) + apart(std::min(group.shortest, takes)) >= end(row)
                    && !group.devices.contains(device(row));
            });
            auto& group = place == open.end() ? open.emplace_back(Open {{}, takes}) : *place;
            group.rows.push_back(row);
            group.devices.insert(device(row));
            group.shortest = std::min(group.shortest, takes);
        }
        for (auto& group : open) {
            found.push_back(std::move(group.rows));
        }
        for (auto& kernels : found) {
            std::sort(kernels.begin(), kernels.end(), [&](Row a, Row b) { return device(a) < device(b); });
        }
        return found;
    }

    /// Cut where two groups happened to end at the same time: a part of these GPUs is more than twice as often found
    /// without the others.
    std::vector<Kernels> of_one_group(std::vector<Kernels> together) const
    {
        std::map<Gpus, std::size_t> times;
        for (const auto& kernels : together) {
            ++times[gpus_of(kernels)];
        }
        const auto most_frequent_part = [&](const Gpus& gpus) {
            const std::pair<const Gpus, std::size_t>* best = nullptr;
            const auto own = times.find(gpus);
            for (const auto& part : times) {
                if (part.first.size() > 1 && part.first.size() < gpus.size()
                    && part.second > 2 * (own == times.end() ? 0 : own->second)
                    && (best == nullptr || part.second > best->second)
                    && std::includes(gpus.begin(), gpus.end(), part.first.begin(), part.first.end())) {
                    best = &part;
                }
            }
            return best == nullptr ? gpus : best->first;
        };
        std::map<Gpus, Gpus> parts;  // of those seen
        std::vector<Kernels> found;
        for (auto& kernels : together) {
            while (!kernels.empty()) {
                const auto gpus = gpus_of(kernels);
                auto part = parts.find(gpus);
                part = part != parts.end() ? part : parts.emplace(gpus, most_frequent_part(gpus)).first;
                Kernels one;
                Kernels rest;
                for (const Row row : kernels) {
                    const bool is_in = std::binary_search(part->second.begin(), part->second.end(), device(row));
                    (is_in ? one : rest).push_back(row);
                }
                found.push_back(std::move(one));
                kernels = std::move(rest);
            }
        }
        return found;
    }

    /// The n-th kernels of all GPUs; nothing where `together` does not say that these are one collective.
    std::vector<Kernels> in_order(const std::vector<Kernels>& together) const
    {
        std::map<std::uint32_t, Kernels> by_device;
        for (const Row row : m_rows) {
            by_device[device(row)].push_back(row);
        }
        const auto count = by_device.begin()->second.size();
        if (by_device.size() < 2 || std::any_of(by_device.begin(), by_device.end(), [&](const auto& of) {
                return of.second.size() != count;
            })) {
            return {};
        }
        std::vector<Kernels> ordered(count);
        std::map<Row, std::size_t> place;  // of each kernel
        for (auto& [id, rows] : by_device) {
            std::stable_sort(rows.begin(), rows.end(), [&](Row a, Row b) { return start(a) < start(b); });
            for (std::size_t n = 0; n < count; ++n) {
                ordered[n].push_back(rows[n]);
                place.emplace(rows[n], n);
            }
        }
        std::size_t agree = 0;
        std::size_t whole = 0;
        for (const auto& kernels : together) {
            if (kernels.size() == by_device.size()) {
                ++whole;
                agree += ordered[place.at(kernels.front())] == kernels ? 1 : 0;
            }
        }
        const auto meet = static_cast<std::size_t>(
            std::count_if(ordered.begin(), ordered.end(), [&](const Kernels& kernels) { return overlap(kernels); }));
        constexpr std::size_t nearly_all = 10;  // but for a tenth
        const bool is_one
            = 2 * whole >= count && (whole - agree) * nearly_all <= whole && (count - meet) * nearly_all <= count;
        return is_one ? ordered : std::vector<Kernels>();
    }

    const Trace& m_trace;
    Kernels m_rows;  ///< by end
};

/// What the recording says of a kernel's communicator; "": nothing, or it carries out calls of several.
std::string communicator_of(const Trace& trace, const Owners& owners, Row operation)
{
    std::optional<std::string> found;
    for (const Row range : collective_ranges(trace, owners, operation)) {
        const auto call = collective_call(trace, range);
        auto communicator = call ? call->communicator_and_members() : std::string();
        if (found && *found != communicator) {
            return {};
        }
        found = std::move(communicator);
    }
    return found.value_or(std::string());
}

/// The kernels that communicate, by name and communicator.
std::map<std::pair<StringId, std::string>, Kernels> kernels_alike(const Trace& trace)
{
    const auto& ops = trace.operations;
    const CommunicationKernels communicates(trace);
    Kernels rows;
    std::set<std::uint32_t> devices;
    for (Row row = 0; !communicates.none() && row < ops.size(); ++row) {
        if (communicates.has(trace, row)) {
            rows.push_back(row);
            devices.insert(trace.streams[ops.stream[row]].device);
        }
    }
    std::optional<Owners> owners;
    if (devices.size() > 1 && !trace.range_values.empty()) {
        owners.emplace(trace);
    }
    std::map<std::pair<StringId, std::string>, Kernels> found;
    for (const Row row : rows) {
        found[{ops.name[row], owners ? communicator_of(trace, *owners, row) : std::string()}].push_back(row);
    }
    return found;
}

}  // namespace

bool do_all_wait(std::string_view what, std::size_t gpus)
{
    constexpr std::array<std::string_view, 5> one_way {"Broadcast", "broadcast", "Reduce", "Gather", "Scatter"};
    return is_send(what) ? gpus > 2 : std::find(one_way.begin(), one_way.end(), what) == one_way.end();
}

Collectives find_collectives(const Trace& trace)
{
    const auto& ops = trace.operations;
    Collectives found;
    std::map<Gpus, std::size_t> groups;
    for (auto& [alike, rows] : kernels_alike(trace)) {
        const auto what = communication_of(trace, rows.front());
        for (auto& kernels : KernelsAlike(trace, std::move(rows)).collectives()) {
            Gpus gpus;
            Row last = kernels.front();
            for (const Row row : kernels) {
                gpus.push_back(trace.streams[ops.stream[row]].device);
                last = ops.start[row] > ops.start[last] ? row : last;
            }
            const auto process = [&](Row row) { return trace.streams[ops.stream[row]].process; };
            const bool of_one_process = std::all_of(
                kernels.begin(), kernels.end(), [&](Row row) { return process(row) == process(kernels.front()); });
            const bool all_wait = do_all_wait(what, gpus.size());
            const auto [place, is_new] = groups.try_emplace(std::move(gpus), groups.size());
            if (is_new) {
                found.groups.push_back(place->first);
            }
            const bool sends = is_send(what) && !all_wait;
            found.all.push_back({place->second, std::move(kernels), last, all_wait, of_one_process, sends});
        }
    }
    std::stable_sort(found.all.begin(), found.all.end(),
        [&](const Collective& a, const Collective& b) { return ops.start[a.last] < ops.start[b.last]; });
    return found;
}

}  // namespace lanes

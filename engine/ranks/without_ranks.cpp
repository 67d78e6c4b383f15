// SPDX-License-Identifier: MIT
#include "engine/ranks/without_ranks.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/ranks/done_before.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace lanes {

namespace {

constexpr auto no_place = std::numeric_limits<std::size_t>::max();
constexpr Ns nothing_done = std::numeric_limits<Ns>::min();

}  // namespace

WithoutRanks::WithoutRanks(const Trace& trace, const Collectives& collectives, const std::vector<HeldThread>& waits,
    std::vector<SlowedKernel> slowed, Hosts hosts)
    : m_trace(trace)
    , m_collectives(collectives)
    , m_device_of(trace.streams.size(), no_place)
    , m_levelled(hosts)
    , m_slowed(std::move(slowed))
    , m_meeting_of(trace.operations.size(), no_place)
{
    std::set<std::uint32_t> devices;
    for (const auto& group : collectives.groups) {
        devices.insert(group.begin(), group.end());
    }
    m_devices.assign(devices.begin(), devices.end());
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        const auto at = std::lower_bound(m_devices.begin(), m_devices.end(), trace.streams[stream].device);
        if (at != m_devices.end() && *at == trace.streams[stream].device) {
            m_device_of[stream] = static_cast<std::size_t>(at - m_devices.begin());
        }
    }
    for (std::size_t i = 0; i < collectives.all.size(); ++i) {
        for (const Row row : collectives.all[i].all_wait ? collectives.all[i].kernels : std::vector<Row>()) {
            m_meeting_of[row] = i;
        }
    }
    std::sort(m_slowed.begin(), m_slowed.end(), [](const SlowedKernel& a, const SlowedKernel& b) {
        return std::tie(a.operation, a.collective) < std::tie(b.operation, b.collective);
    });
    find_hosts();
    note_moments(waits);
}

void WithoutRanks::note_moments(const std::vector<HeldThread>& waits)
{
    const auto& ops = m_trace.operations;
    m_issue.assign(m_devices.size(), most_issue);
    for (Row row = 0; row < ops.size(); ++row) {
        const auto device = m_device_of[ops.stream[row]];
        if (device == no_place) {
            continue;
        }
        add_moments(m_trace, row, m_moments, m_issue[device]);
    }
    for (const auto& wait : waits) {
        if (wait.thread != no_row && m_host_of[wait.thread] != no_place) {
            m_moments.push_back({wait.end, static_cast<Row>(m_waits.size()), Moment::goes_on});
            m_waits.push_back({wait, m_host_of[wait.thread]});
        }
    }
    sort_moments(m_moments);
    std::vector<Ns> least(m_devices.size(), issue_unknown);
    m_least_issued.resize(ops.size());
    for (auto at = m_moments.rbegin(); at != m_moments.rend(); ++at) {
        if (at->what == Moment::begins) {
            auto& of = least[m_device_of[ops.stream[at->row]]];
            m_least_issued[at->row] = of = std::min(of, issued(at->row));
        }
    }
}

/// When the call of an operation began.
Ns WithoutRanks::issued(Row row) const
{
    const Row call = outermost(m_trace.calls, m_trace.operations.call[row]);
    return call == no_row ? issue_unknown : m_trace.calls.start[call];
}

/// A process that works with one GPU is one host: the threads that issue work take turns (forward and backward pass).
/// In a process of several GPUs each such thread is one. Other threads, which watch or load, make no work wait.
void WithoutRanks::find_hosts()
{
    const auto& ops = m_trace.operations;
    std::map<std::uint32_t, std::set<std::size_t>> devices_of;  // by process
    std::vector<bool> issues(m_trace.threads.size());
    for (Row row = 0; row < ops.size(); ++row) {
        const auto device = m_device_of[ops.stream[row]];
        if (device != no_place && ops.call[row] != no_row) {
            const Row thread = m_trace.calls.thread[ops.call[row]];
            issues[thread] = true;
            devices_of[m_trace.threads[thread].process].insert(device);
        }
    }
    m_host_of.assign(m_trace.threads.size(), no_place);
    std::map<std::uint32_t, std::size_t> host_of_process;
    for (Row thread = 0; thread < m_trace.threads.size(); ++thread) {
        const auto process = m_trace.threads[thread].process;
        if (!issues[thread]) {
            continue;
        }
        if (devices_of.at(process).size() > 1) {
            m_host_of[thread] = m_hosts++;
        } else {
            const auto [place, is_new] = host_of_process.try_emplace(process, m_hosts);
            m_hosts += is_new ? 1 : 0;
            m_host_of[thread] = place->second;
        }
    }
}

/// All is kept as by how much earlier something is than recorded.
class WithoutRanks::Run {
public:
    Run(const WithoutRanks& of, const LeftOut& left_out, Clock clock)
        : m_of(of)
        , m_left_out(left_out)
        , m_clock(clock)
        , m_hosts(of.m_hosts)
        , m_devices(of.m_devices.size())
        , m_in_time(of.m_devices.size())
        , m_begins(of.m_trace.operations.size())
        , m_ends(of.m_trace.operations.size())
        , m_come(of.m_collectives.all.size())
        , m_moved(of.m_collectives.all.size())
    {
    }

    void take(const Moment& moment)
    {
        switch (moment.what) {
        case Moment::begins:
            begin(moment.row);
            break;
        case Moment::ends:
            if (const auto& ops = m_of.m_trace.operations; ops.end[moment.row] > ops.start[moment.row]) {
                end(moment.row);
            }
            break;
        case Moment::goes_on:
            go_on(m_of.m_waits[moment.row]);
            break;
        }
    }

    /// Each process issues its first collective from `time` on when the last one of its group does.
    void level(Ns time)
    {
        const auto& trace = m_of.m_trace;
        for (const auto& collective : m_of.m_collectives.all) {
            if (!collective.all_wait || collective.of_one_process || trace.operations.start[collective.last] < time) {
                continue;
            }
            std::vector<std::pair<std::size_t, Ns>> issued;  // by host
            Ns last = nothing_done;
            for (const Row row : collective.kernels) {
                const Row call = outermost(trace.calls, trace.operations.call[row]);
                const auto host = call == no_row ? no_place : m_of.m_host_of[trace.calls.thread[call]];
                if (host != no_place) {
                    issued.emplace_back(host, trace.calls.start[call]);
                    last = std::max(last, trace.calls.start[call]);
                }
            }
            for (const auto& [host, start] : issued) {
                if (m_hosts[host].empty()) {
                    m_hosts[host].push_back({start, start - last});
                }
            }
        }
    }

    std::vector<Ns> done_earlier() const
    {
        std::vector<Ns> earlier;
        for (std::size_t device = 0; device < m_devices.size(); ++device) {
            const auto [recorded, now] = after(device, issue_unknown);
            earlier.push_back(recorded == nothing_done ? 0 : recorded - now);
        }
        return earlier;
    }
    const std::vector<Ns>& moved() const { return m_moved; }

private:
    /// A host from a moment on.
    struct Pace {
        Ns from, earlier;
    };
    struct Done {
        Ns recorded = nothing_done, now = nothing_done;  ///< the latest end, and when it would be
    };

    /// The latest end of what a GPU has done that was issued by then.
    Done after(std::size_t device, Ns issued) const
    {
        Done done;
        m_devices[device].for_each(issued, [&](const Done& of) {
            done.recorded = std::max(done.recorded, of.recorded);
            done.now = std::max(done.now, of.now - m_in_time[device]);
        });
        return done;
    }

    Ns host_earlier(std::size_t host, Ns time) const
    {
        const auto& paces = m_hosts[host];
        const auto next = std::upper_bound(
            paces.begin(), paces.end(), time, [](Ns value, const Pace& pace) { return value < pace.from; });
        return next == paces.begin() ? 0 : std::prev(next)->earlier;
    }

    void go_on(const Wait& wait)
    {
        if (!m_hosts[wait.host].empty() && wait.end <= m_hosts[wait.host].back().from) {
            return;  // before what is looked at
        }
        const Ns at_start = host_earlier(wait.host, wait.start);
        const bool is_known
            = wait.operation != no_row && m_of.m_device_of[m_of.m_trace.operations.stream[wait.operation]] != no_place;
        m_hosts[wait.host].push_back(
            {wait.end, is_known ? std::min(at_start + wait.end - wait.start, m_ends[wait.operation]) : at_start});
    }

    /// By how much a kernel is shorter without the waits that are left out.
    Ns faster(Row row) const
    {
        Ns time = 0;
        for (auto at = std::lower_bound(m_of.m_slowed.begin(), m_of.m_slowed.end(), row,
                 [](const SlowedKernel&kernel, Row value) { return kernel.operation < value; });
             at != m_of.m_slowed.end() && at->operation == row; ++at) {
            time += m_left_out.unit[at->collective] == no_id ? 0 : at->longer;
        }
        return time;
    }

    void begin(Row row)
    {
        const auto& ops = m_of.m_trace.operations;
        const auto device = m_of.m_device_of[ops.stream[row]];
        m_devices[device].forget(m_of.m_least_issued[row]);
        auto [ready, ready_now] = after(device, m_of.issued(row));
        if (const Row call = outermost(m_of.m_trace.calls, ops.call[row]); call != no_row) {
            const Ns issued = m_of.m_trace.calls.start[call] + m_of.m_issue[device];
            const auto host = m_of.m_host_of[m_of.m_trace.calls.thread[call]];
            ready = std::max(ready, issued);
            ready_now = std::max(
                ready_now, issued - (host == no_place ? 0 : host_earlier(host, m_of.m_trace.calls.start[call])));
        }
        // Never later than recorded: what a host was ahead of others did get done meanwhile.
        m_begins[row] = ready == nothing_done ? 0 : std::max<Ns>(0, ready - ready_now);
        m_ends[row] = m_begins[row] + faster(row);
        if (const auto meeting = m_of.m_meeting_of[row]; meeting != no_place) {
            const auto& collective = m_of.m_collectives.all[meeting];
            if (++m_come[meeting] == collective.kernels.size()) {
                m_moved[meeting] = move_data(collective, meeting);
            }
        }
        if (ops.end[row] == ops.start[row]) {
            end(row);
        }
    }

    /// Returns by how much earlier.
    Ns move_data(const Collective& collective, std::size_t index)
    {
        const auto& ops = m_of.m_trace.operations;
        const auto& gpus = m_of.m_collectives.groups[collective.group];
        Ns last = nothing_done;
        Ns last_now = nothing_done;
        const auto came = [&](Row row) {
            return m_clock == Clock::shared ? ops.start[row]
                                            : ops.end[collective.kernels.front()] - (ops.end[row] - ops.start[row]);
        };
        for (std::size_t i = 0; i < collective.kernels.size(); ++i) {
            const Row row = collective.kernels[i];
            last = std::max(last, came(row));
            if (!m_left_out.has(index, gpus[i])) {
                last_now = std::max(last_now, came(row) - m_begins[row]);
            }
        }
        for (std::size_t i = 0; i < collective.kernels.size(); ++i) {
            const Row row = collective.kernels[i];
            m_ends[row] = last - last_now;
            if (m_left_out.has(index, gpus[i])) {
                come_in_time(row, came(row) - m_begins[row] - last_now);
            }
        }
        return last - last_now;
    }

    /// A GPU that is left out would come so late after the others. Without that its host has issued the kernel, and the
    /// GPU has done all before it, so much earlier.
    void come_in_time(Row row, Ns late)
    {
        if (late <= 0) {
            return;
        }
        m_in_time[m_of.m_device_of[m_of.m_trace.operations.stream[row]]] += late;
        if (const Row call = outermost(m_of.m_trace.calls, m_of.m_trace.operations.call[row]); call != no_row) {
            if (const auto host = m_of.m_host_of[m_of.m_trace.calls.thread[call]]; host != no_place) {
                auto& paces = m_hosts[host];
                const Ns issued = m_of.m_trace.calls.start[call];
                const Ns from = paces.empty() ? issued : std::max(issued, paces.back().from);
                paces.push_back({from, host_earlier(host, from) + late});
            }
        }
    }

    void end(Row row)
    {
        const auto& ops = m_of.m_trace.operations;
        const Row stream = ops.stream[row];
        const auto device = m_of.m_device_of[stream];
        Done done {ops.end[row], ops.end[row] - m_ends[row] + m_in_time[device]};
        if (const Done* const last = m_devices[device].last(stream)) {
            done = {std::max(done.recorded, last->recorded), std::max(done.now, last->now)};
        }
        m_devices[device].add(stream, m_of.issued(row), done);
    }

    const WithoutRanks& m_of;
    const LeftOut& m_left_out;
    Clock m_clock;
    std::vector<std::vector<Pace>> m_hosts;
    std::vector<DoneBefore<Done>> m_devices;
    std::vector<Ns> m_in_time;  ///< by GPU: further time by which its work is earlier, since it comes in time
    std::vector<Ns> m_begins, m_ends;  ///< by operation
    std::vector<std::size_t> m_come;  ///< by collective: kernels that have begun
    std::vector<Ns> m_moved;  ///< by collective
};

CollectiveReplay::Earlier WithoutRanks::earlier(const LeftOut& left_out, Clock clock, Interval range) const
{
    auto in_range = left_out;
    for (std::size_t i = 0; i < in_range.unit.size(); ++i) {
        auto& unit = in_range.unit[i];
        unit = m_trace.operations.start[m_collectives.all[i].last] < range.start ? no_id : unit;
    }
    Run run(*this, in_range, clock);
    if (m_levelled == Hosts::level) {
        run.level(range.start);
    }
    for (const auto& moment : m_moments) {
        if (moment.time > range.end) {
            break;
        }
        run.take(moment);
    }
    const auto earlier = run.done_earlier();
    Earlier found {{}, run.moved()};
    for (std::size_t device = 0; device < m_devices.size(); ++device) {
        found.done.emplace(m_devices[device], std::max<Ns>(0, earlier[device]));
    }
    return found;
}

}  // namespace lanes

// SPDX-License-Identifier: MIT
#include "engine/ranks/merge_ranks.h"
#include "engine/ranks/clock_set.h"
#include "engine/ranks/job_meetings.h"
#include "engine/ranks/rank_collectives.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_to_builder.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <string_view>

namespace lanes {

namespace {

/// Whether both hold the same events at the same times: two ranks never agree to the nanosecond.
bool are_copies(const Trace& a, const Trace& b)
{
    const auto& ops = a.operations;
    return a.origin == b.origin && a.duration == b.duration && ops.size() + a.calls.size() + a.ranges.size() > 0
        && ops.start == b.operations.start && ops.end == b.operations.end && a.calls.start == b.calls.start
        && a.calls.end == b.calls.end
        && std::equal(a.ranges.begin(), a.ranges.end(), b.ranges.begin(), b.ranges.end(),
            [](const Range& one, const Range& other) { return one.start == other.start && one.end == other.end; })
        && std::equal(a.processes.begin(), a.processes.end(), b.processes.begin(), b.processes.end(),
            [](const Process& one, const Process& other) { return one.id == other.id; });
}

/// Sets how far each part is moved, in time of the first.
void align(std::vector<MergedPart>& parts)
{
    std::vector<RankSummary> ranks;
    std::vector<std::size_t> first_rank;  // by part
    for (std::size_t i = 0; i < parts.size(); ++i) {
        first_rank.push_back(ranks.size());
        const auto& trace = parts[i].trace;
        const CommunicationKernels communicates(trace);
        auto gpus = communicating_gpus(trace, communicates);
        if (gpus.empty()) {
            gpus.push_back({});  // a clock that meets no other
        }
        for (const auto& gpu : gpus) {
            RankSummary rank;
            const auto boot = trace.meta.find(meta::boot_id);
            rank.identity.clock = boot == trace.meta.end() ? std::to_string(i) : boot->second;
            const auto host = trace.meta.find(meta::host);
            rank.identity.host = host == trace.meta.end() ? std::string() : host->second;
            rank.clock_set = clock_set(trace);
            rank.start = trace.origin;
            add_collectives(trace, communicates, gpu, rank);
            ranks.push_back(std::move(rank));
        }
    }
    const auto meetings = meet(ranks);
    const auto& first = parts.front().trace;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        auto& part = parts[i];
        const auto number = meetings.clock_of[first_rank[i]];
        const auto& clock = meetings.alignment.clocks[number];
        const auto& t = part.trace;
        if (number == meetings.clock_of.front()) {  // both are of one host
            part.alignment = Alignment::clock;
            part.uncertainty = 0;
        } else if (clock.method == AlignedClock::Method::collectives && clock.compared_with == 0) {
            const Ns ahead = clock.ahead(t.origin + t.duration / 2);
            part.alignment = clock.agrees ? Alignment::clock : Alignment::collectives;
            part.moved = -ahead;
            part.uncertainty = 0;
            for (const auto& piece : clock.pieces) {
                for (const auto& window : piece.windows) {
                    part.uncertainty = std::max({*part.uncertainty, window.high - ahead, ahead - window.low});
                }
            }
        } else if (t.origin > first.origin + first.duration || first.origin > t.origin + t.duration) {
            part.alignment = Alignment::starts;
            part.moved = first.origin - t.origin;
        }
    }
}

/// `wanted`, or the first number from `from` on that is not taken.
std::uint32_t take_free(std::set<std::uint32_t>& taken, std::uint32_t wanted, std::uint32_t from)
{
    if (taken.insert(wanted).second) {
        return wanted;
    }
    while (!taken.insert(from).second) {
        ++from;
    }
    return from;
}

class Merge {
public:
    explicit Merge(std::vector<MergedPart>& parts)
        : m_parts(parts)
    {
    }

    Trace run()
    {
        if (m_parts.size() < 2) {
            throw MergeError("expected two or more recordings, one per rank");
        }
        for (auto& part : m_parts) {
            part.trace.origin = is_sane(part.trace.origin) ? part.trace.origin : 0;  // a file may claim anything
        }
        align(m_parts);
        Ns origin = std::numeric_limits<Ns>::max();
        for (const auto& part : m_parts) {
            origin = std::min(origin, part.trace.origin + part.moved);
            for (const auto& process : part.trace.processes) {
                m_next_process = std::max(m_next_process, process.id + 1);
            }
        }
        find_ranks();
        m_builder.keep_times_and_devices(origin);
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            give(i, origin);
        }
        for (const auto& record : m_names) {
            m_builder.write(record);
        }
        std::set<Source> sources;
        for (const auto& part : m_parts) {
            sources.insert(part.trace.source);
        }
        auto trace = m_builder.finish(sources.size() == 1 ? *sources.begin() : Source::unknown);
        add_meta(trace);
        return trace;
    }

private:
    void find_ranks()
    {
        std::map<std::int64_t, const MergedPart*> taken;
        bool all_say = true;
        for (auto& part : m_parts) {
            part.ranks = ranks_of(part.trace);
            all_say = all_say && part.trace.meta.contains(meta::ranks) && !part.ranks.empty();
            if (part.ranks.empty()) {
                part.ranks.push_back({main_process(part.trace), 0, 0});
            }
        }
        for (std::size_t i = 0; !all_say && i < m_parts.size(); ++i) {
            for (std::size_t other = 0; other < i; ++other) {
                if (are_copies(m_parts[other].trace, m_parts[i].trace)) {
                    throw MergeError(words_of_copies(m_parts[other].name, m_parts[i].name));
                }
            }
        }
        std::int64_t next = 0;
        for (auto& part : m_parts) {
            for (auto& rank : part.ranks) {
                if (!all_say) {
                    rank.rank = next++;
                    rank.world = 0;
                }
                const auto [other, is_new] = taken.try_emplace(rank.rank, &part);
                if (!is_new) {
                    throw MergeError("'" + other->second->name + "' and '" + part.name + "' are both rank "
                        + std::to_string(rank.rank) + ": these are not the ranks of one run");
                }
            }
        }
    }
    /// The process with the most operations; without any, the first.
    static std::uint32_t main_process(const Trace& trace)
    {
        std::map<std::uint32_t, std::size_t> operations;
        for (Row row = 0; row < trace.streams.size(); ++row) {
            operations[trace.streams[row].process] += trace.operations_of(row).size();
        }
        const auto most = std::max_element(
            operations.begin(), operations.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        return most != operations.end() ? most->first : trace.processes.empty() ? 0 : trace.processes.front().id;
    }

    void give(std::size_t index, Ns origin)
    {
        auto& part = m_parts[index];
        std::map<std::uint32_t, std::uint32_t> processes;
        Resettled to;
        to.shift = part.trace.origin + part.moved - origin;
        to.process = [&](std::uint32_t id) {
            const auto [known, is_new] = processes.try_emplace(id, id);
            if (is_new && id != 0) {
                known->second = take_free(m_processes, id, m_next_process);
            }
            return known->second;
        };
        to.device = [&](std::uint32_t id) { return device(part.trace, id); };
        give_records(part.trace, m_builder, to);
        for (auto& rank : part.ranks) {
            const auto old = rank.process;
            rank.process = processes.contains(old) ? processes.at(old) : old;
            const auto process = std::find_if(part.trace.processes.begin(), part.trace.processes.end(),
                [&](const Process& p) { return p.id == old; });
            if (process == part.trace.processes.end()) {
                continue;
            }
            std::string name(part.trace.text(process->name));
            if (const auto suffix = "rank " + std::to_string(rank.rank); !name.ends_with(suffix)) {
                name += (name.empty() ? "" : ", ") + suffix;
                m_names.push_back({rank.process, 0, m_builder.intern(name), 0});
            }
        }
        for (const auto& mark : part.trace.marks) {
            m_marks.push_back({mark.time + to.shift, mark.text});
        }
        m_dropped += part.trace.dropped;
    }

    std::uint32_t device(const Trace& trace, std::uint32_t id)
    {
        const auto found = std::find_if(
            trace.devices.begin(), trace.devices.end(), [id](const Device& device) { return device.id == id; });
        std::string identity;
        if (found != trace.devices.end()) {
            for (const auto text : {trace.text(found->uuid), trace.text(found->pci)}) {
                if (identity.empty() && text.find_first_not_of("0-:. ") != std::string_view::npos) {
                    identity = text;
                }
            }
        }
        if (const auto known = m_identities.find(identity); !identity.empty() && known != m_identities.end()) {
            return known->second;
        }
        const auto free = take_free(m_devices, id, 0);
        m_identities[identity] = free;
        return free;
    }

    void add_meta(Trace& trace)
    {
        // Keys on which all parts agree hold for the whole; counts are added up.
        static constexpr std::array counted {meta::untimed, meta::migrations, meta::skipped_rows, meta::without_length,
            meta::overlong, meta::threadless_rows};
        static constexpr std::array of_one {meta::workload, meta::workload_text, meta::variant, meta::settings,
            meta::title, meta::windows, meta::cut, meta::cut_waits, meta::step_names, meta::gpu_end_ns,
            meta::repeat_totals_ns, meta::unrecorded_totals_ns, meta::dropped, meta::clock_violations, meta::ranks,
            meta::notice, meta::not_shown, meta::first_damage, meta::overlong_ns, meta::communicators,
            meta::clock_uncertainty_ns};
        const auto is_in = [](const auto& keys, const std::string& key) {
            return std::any_of(keys.begin(), keys.end(), [&](const char* each) { return key == each; });
        };
        for (const auto& [key, value] : m_parts.front().trace.meta) {
            const bool alike
                = std::all_of(m_parts.begin(), m_parts.end(), [&, k = key, v = value](const MergedPart& part) {
                      const auto found = part.trace.meta.find(k);
                      return found != part.trace.meta.end() && found->second == v;
                  });
            if (alike && !is_in(of_one, key) && !is_in(counted, key)) {
                trace.meta[key] = value;
            }
        }
        std::map<std::string, std::uint64_t> sums;
        std::map<std::string, std::string> unshown;
        std::uint64_t most_cut = 0;
        std::vector<Rank> ranks;
        std::int64_t most = 0;
        for (const auto& part : m_parts) {
            for (const auto& [key, value] : part.trace.meta) {
                if (is_in(counted, key)) {
                    sums[key] += number(value);
                } else if (key == meta::overlong_ns) {
                    most_cut = std::max(most_cut, number(value));
                } else if (key == meta::not_shown) {
                    add_lines(unshown, value);
                } else if (key == meta::first_damage) {
                    trace.meta.try_emplace(key, value + '\n' + part.name);
                } else if (key == meta::complete || key == meta::error || key == meta::recovered) {
                    trace.meta.try_emplace(key, value);
                }
            }
            for (const auto& rank : part.ranks) {
                ranks.push_back(rank);
                most = std::max({most, rank.world, rank.rank + 1});
            }
        }
        for (const auto& [key, sum] : sums) {
            trace.meta[key] = std::to_string(sum);
        }
        meta::add(trace.meta, meta::overlong_ns, most_cut);
        meta::add(trace.meta, meta::clock_uncertainty_ns, static_cast<std::uint64_t>(uncertainty()));
        std::string lines;
        for (const auto& [what, count] : unshown) {
            lines += (lines.empty() ? "" : "\n") + what + ' ' + count;
        }
        if (!lines.empty()) {
            trace.meta[meta::not_shown] = lines;
        }
        for (auto& rank : ranks) {
            rank.world = most;
        }
        trace.meta[meta::ranks] = text_of(ranks);
        trace.dropped = m_dropped;
        trace.meta[meta::dropped] = std::to_string(m_dropped);
        trace.marks = std::move(m_marks);
    }
    /// Between any two ranks: of two parts, or of two that one part has merged.
    Ns uncertainty() const
    {
        Ns most = 0;
        Ns next = 0;
        Ns within = 0;
        for (const auto& part : m_parts) {
            within = std::max(within, Ns {meta::number_of(part.trace.meta, meta::clock_uncertainty_ns)});
            const Ns own = part.uncertainty.value_or(0);
            next = std::max(next, std::min(most, own));
            most = std::max(most, own);
        }
        return std::max(within, most + next);
    }
    static std::uint64_t number(std::string_view text)
    {
        std::uint64_t found = 0;
        std::from_chars(text.data(), text.data() + text.size(), found);
        return found;
    }
    /// "flows 12" or "unread_tables OSRT_API, SCHED_EVENTS" a line: counts are added, names listed once.
    static void add_lines(std::map<std::string, std::string>& found, std::string_view text)
    {
        while (!text.empty()) {
            const auto line = text.substr(0, text.find('\n'));
            const auto space = std::min(line.find(' '), line.size());
            auto& known = found[std::string(line.substr(0, space))];
            const auto more = line.substr(std::min(space + 1, line.size()));
            known = known.empty()  ? std::string(more)
                : number(more) > 0 ? std::to_string(number(known) + number(more))
                                   : both_lists(known, more);
            text.remove_prefix(std::min(line.size() + 1, text.size()));
        }
    }
    static std::string both_lists(std::string list, std::string_view more)
    {
        const std::string comma = ", ";
        while (!more.empty()) {
            const auto item = more.substr(0, more.find(comma));
            if ((comma + list + comma).find(comma + std::string(item) + comma) == std::string::npos) {
                list.append(comma).append(item);
            }
            more.remove_prefix(std::min(item.size() + comma.size(), more.size()));
        }
        return list;
    }

    std::vector<MergedPart>& m_parts;
    TraceBuilder m_builder;
    std::set<std::uint32_t> m_processes, m_devices;
    std::uint32_t m_next_process = 1;
    std::map<std::string, std::uint32_t> m_identities;  ///< of devices with a UUID or PCI address
    std::vector<ProcessRecord> m_names;  ///< of ranks
    std::vector<UserMark> m_marks;
    std::uint64_t m_dropped = 0;
};

}  // namespace

std::string words_of_copies(const std::string& one, const std::string& other)
{
    return "'" + one + "' and '" + other + "' have the same events at the same times: one is a copy of the other, and "
        + "not another rank";
}

Trace merge_ranks(std::vector<MergedPart>& parts)
{
    return Merge(parts).run();
}

Trace part_of(const Trace& trace, const std::vector<Rank>& ranks, std::size_t index)
{
    // Each process belongs to the rank that started it, directly or through others.
    std::map<std::uint32_t, std::uint32_t> parents;
    for (const auto& process : trace.processes) {
        parents[process.id] = process.parent;
    }
    const auto owner = [&](std::uint32_t process) {
        for (std::size_t steps = 0; steps <= parents.size(); ++steps) {
            for (std::size_t i = 0; i < ranks.size(); ++i) {
                if (ranks[i].process == process) {
                    return i;
                }
            }
            const auto parent = parents.find(process);
            if (parent == parents.end()) {
                break;
            }
            process = parent->second;
        }
        return std::size_t {0};
    };
    TraceBuilder builder;
    builder.keep_times_and_devices(trace.origin);
    Resettled same;
    same.process = [&](std::uint32_t id) { return owner(id) == index ? id : no_id; };
    same.device = [](std::uint32_t id) { return id; };
    same.steps = true;
    if (const auto names = trace.meta.find(meta::step_names); names != trace.meta.end()) {
        builder.write_meta(meta::step_names, names->second);
    }
    give_records(trace, builder, same);
    auto part = builder.finish(trace.source);
    part.meta = trace.meta;
    part.meta[meta::ranks] = text_of({ranks[index]});
    if (part.meta.erase(meta::clock_uncertainty_ns) == 0) {
        // The parts have one clock; a recording that does not name it gets a name that all of them share.
        part.meta.try_emplace(meta::boot_id,
            "recorded together, " + std::to_string(trace.origin) + '+' + std::to_string(trace.duration) + ", "
                + std::to_string(trace.operations.size()) + " operations");
    }
    part.dropped = trace.dropped;
    part.marks = trace.marks;
    return part;
}

}  // namespace lanes

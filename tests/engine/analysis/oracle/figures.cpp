// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/figures.h"
#include "tests/engine/analysis/oracle/purpose.h"
#include "tests/engine/analysis/oracle/spans.h"

#include <array>
#include <numeric>
#include <set>
#include <string_view>

namespace oracle {

namespace {

class Computing {
public:
    Computing(const Recorded& recorded, const Held& held, std::pair<Ns, Ns> range)
        : m_r(recorded)
        , m_held(held)
        , m_start(range.first)
        , m_end(range.second)
    {
    }

    Figures all()
    {
        put("source", quoted(m_r.source));
        put("range_ns[0]", m_start);
        put("range_ns[1]", m_end);
        wall();
        streams();
        gpus();
        threads();
        ranges_and_reads();
        counts();
        put("complete", m_r.complete ? "true" : "false");
        if (!m_r.complete) {
            Ns api = 0;
            for (const auto& c : m_r.calls) {
                api = std::max(api, c.end);
            }
            Ns gpu = 0;
            for (const auto& o : m_r.operations) {
                gpu = std::max(gpu, o.end);
            }
            put("ends_ns.api", api);
            put("ends_ns.gpu", m_r.gpu_end.value_or(gpu));
        }
        forget_nodes();
        return m_figures;
    }

private:
    static std::string quoted(const std::string& text) { return "\"" + text + "\""; }
    void put(const std::string& key, Ns number) { m_figures[key] = std::to_string(number); }
    void put(const std::string& key, const std::string& text) { m_figures[key] = text; }
    void put(const std::string& key, const char* text) { m_figures[key] = text; }
    void put(const std::string& key, const std::optional<Ns>& number)
    {
        m_figures[key] = number ? std::to_string(*number) : "null";
    }

    /// What ran in graphs that were recorded as a whole is not known, so neither are figures of kernels and copies.
    void forget_nodes()
    {
        constexpr std::array<std::string_view, 16> of_nodes {"].kernel_ns", "].copy_ns", "].memset_ns", "].h2d_ns",
            "].d2h_ns", "].d2d_ns", "].p2p_ns", "].copy_hidden_ns", "].copy_exposed_ns", "].h2d_d2h_overlap_ns",
            "].kernel_concurrency_ns", "].communication_ns", "].communication_exposed_ns", "counts.kernels",
            "counts.copies", "counts.memsets"};
        for (auto& [key, figure] : m_figures) {
            const bool is_of_nodes = std::any_of(of_nodes.begin(), of_nodes.end(),
                [&key = key](std::string_view end) { return std::string_view(key).ends_with(end); });
            figure = m_r.has_whole_graphs && is_of_nodes ? "null" : figure;
        }
    }

    bool touches(Ns start, Ns end) const
    {
        return start == end ? start >= m_start && start <= m_end : start < m_end && end > m_start;
    }
    Spans cut(const Spans& spans) const
    {
        Spans result;
        for (const auto& [start, end] : spans) {
            if (start < m_end && end > m_start) {
                result.push_back({std::max(start, m_start), std::min(end, m_end)});
            }
        }
        return result;
    }
    /// Where the operations ran for which `wanted` holds.
    template <class Wanted> Spans ran(const Wanted& wanted) const
    {
        Spans result;
        for (const auto& o : m_r.operations) {
            if (wanted(o)) {
                result.push_back({o.start, o.end});
            }
        }
        return cut(result);
    }

    /// The processes that gave a GPU work. A helper that only asks which GPUs there are is not one.
    std::set<std::int64_t> working() const
    {
        std::set<std::int64_t> processes;
        for (const auto& o : m_r.operations) {
            processes.insert(o.stream[0]);
        }
        return processes;
    }

    void wall()
    {
        const auto processes = working();
        Ns last = 0;
        for (const auto& c : m_r.calls) {
            last = processes.empty() || processes.count(c.thread.first) != 0 ? std::max(last, c.end) : last;
        }
        for (const auto& o : m_r.operations) {
            last = std::max(last, o.end);
        }
        for (const auto& r : m_r.ranges) {  // of the CPU alone
            last = m_r.calls.empty() && m_r.operations.empty() ? std::max(last, r.end) : last;
        }
        put("wall_ns", std::max(Ns {0}, std::min(m_end, last) - m_start));
    }

    /// The ribbon: all streams of all GPUs.
    void streams()
    {
        std::map<StreamKey, Spans> busy;
        for (const auto& o : m_r.operations) {
            busy[o.stream].push_back({o.start, o.end});
        }
        std::vector<Spans> lists;
        for (const auto& [key, spans] : busy) {
            lists.push_back(cut(spans));
        }
        m_busy = at_least(1, lists);
        std::array<Ns, 4> least {
            m_end - m_start, sum_of(m_busy), sum_of(at_least(2, lists)), sum_of(at_least(3, lists))};
        put("gpu_busy_ns", least[1]);
        put("overlap_ns", least[2]);
        for (std::size_t i = 0; i < 4; ++i) {
            put("concurrency_ns[" + std::to_string(i) + "]", least[i] - (i < 3 ? least[i + 1] : 0));
        }
    }

    void gpus()
    {
        std::map<std::int64_t, std::vector<StreamKey>> devices;
        for (const auto& [key, stream] : m_r.streams) {
            devices[stream.device].push_back(key);
        }
        if (devices.empty()) {
            for (const auto& [number, name] : m_r.devices) {
                devices[number];
            }
        }
        std::size_t index = 0;
        for (const auto& [number, keys] : devices) {
            const auto known = m_r.devices.find(number);
            const auto name
                = known == m_r.devices.end() || known->second.empty() ? "GPU " + std::to_string(number) : known->second;
            put("devices[" + std::to_string(index) + "]", quoted(name));
            gpu("gpu[" + std::to_string(index++) + "].", number, keys);
        }
    }

    void gpu(const std::string& at, std::int64_t number, const std::vector<StreamKey>& keys)
    {
        const auto of
            = [&](auto&& wanted) { return ran([&](const Operation& o) { return o.device == number && wanted(o); }); };
        const auto copies = [&](std::vector<std::int64_t> kinds) {
            return of([&](const Operation& o) {
                return o.kind == Operation::copy && std::count(kinds.begin(), kinds.end(), o.copy_kind) > 0;
            });
        };
        const auto busy = of([](const auto&) { return true; });
        const auto kernels = of([](const auto& o) { return o.kind == Operation::kernel; });
        const auto copy = of([](const auto& o) { return o.kind == Operation::copy; });
        const auto nccl
            = [](const Operation& o) { return o.kind == Operation::kernel && o.name.rfind("nccl", 0) == 0; };
        const auto communication = of(nccl);
        const auto working = of([&](const auto& o) { return o.kind == Operation::kernel && !nccl(o); });
        const auto h2d = copies({1, 3});
        const auto d2h = copies({2, 4});
        put(at + "device", number);
        put(at + "busy_ns", length_of(busy));
        put(at + "idle_ns", m_end - m_start - length_of(busy));
        put(at + "kernel_ns", length_of(kernels));
        put(at + "copy_ns", length_of(copy));
        put(at + "memset_ns", length_of(of([](const auto& o) { return o.kind == Operation::memset; })));
        put(at + "h2d_ns", length_of(h2d));
        put(at + "d2h_ns", length_of(d2h));
        put(at + "d2d_ns", length_of(copies({5, 6, 7, 8})));
        put(at + "p2p_ns", length_of(copies({10})));
        put(at + "copy_hidden_ns", sum_of(common(copy, kernels)));
        put(at + "copy_exposed_ns", sum_of(without(copy, kernels)));
        put(at + "h2d_d2h_overlap_ns", sum_of(common(h2d, d2h)));
        put(at + "kernel_concurrency_ns", sum_of(where({kernels}, [](const auto& n) { return n[0] >= 2; })));
        put(at + "communication_ns", length_of(communication));
        put(at + "communication_exposed_ns", sum_of(without(communication, working)));
        std::vector<Spans> lists;
        std::size_t index = 0;
        for (const auto& key : keys) {
            const auto count = [&](bool all) {
                return std::count_if(m_r.operations.begin(), m_r.operations.end(), [&](const Operation& o) {
                    return o.stream == key && o.device == number && (all || touches(o.start, o.end));
                });
            };
            if (count(true) == 0) {
                continue;  // it never had work
            }
            lists.push_back(of([&](const auto& o) { return o.stream == key; }));
            const auto here = at + "streams[" + std::to_string(index++) + "].";
            put(here + "stream", key[2]);
            put(here + "process", key[0]);
            put(here + "context", key[1]);
            put(here + "operations", count(false));
            put(here + "busy_ns", length_of(lists.back()));
        }
        put(at + "overlap_ns", sum_of(at_least(2, lists)));
    }

    /// In the order of the list.
    std::vector<ThreadId> order() const
    {
        std::vector<ThreadId> ids;
        for (const auto& [id, thread] : m_r.threads) {
            if (thread.acted) {
                ids.push_back(id);
            }
        }
        std::stable_sort(ids.begin(), ids.end(), [&](const ThreadId& a, const ThreadId& b) {
            const auto& left = m_r.threads.at(a);
            const auto& right = m_r.threads.at(b);
            const auto key = [](const ThreadId& id, const Thread& t) {
                return std::make_tuple(id.first, t.place, id.first == id.second ? 0 : 1, t.first, id.second);
            };
            return key(a, left) < key(b, right);
        });
        return ids;
    }
    /// The thread with the workload's first step, else the main thread of a process with GPU work, else any main
    /// thread, else the thread with the most calls.
    ThreadId first_thread(const std::vector<ThreadId>& ids) const;

    Spans stretches_of(const ThreadId& thread, const std::string& cause = {}) const
    {
        Spans result;
        for (const auto& s : m_held.stretches) {
            if (m_r.calls[static_cast<std::size_t>(s.call)].thread == thread && (cause.empty() || s.cause == cause)) {
                result.push_back({s.start, s.end});
            }
        }
        return cut(result);
    }
    /// Files of other tools do not say when threads waited for one another.
    bool knows_waits() const { return m_r.source == "cupti" || m_r.source == "model" || m_r.source == "predicted"; }
    Spans waits_of(const ThreadId& thread) const
    {
        Spans result;
        for (const auto& s : m_r.spans) {
            if (s.thread == thread && s.type >= 1 && s.type <= 3) {
                result.push_back({s.start, s.end});
            }
        }
        return cut(result);
    }

    void threads()
    {
        const auto ids = order();
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto at = "cpu[" + std::to_string(i) + "].";
            const auto& id = ids[i];
            put(at + "process", id.first);
            put(at + "thread", id.second);
            put(at + "name", quoted(m_r.threads.at(id).name));
            Spans api;
            for (const auto& c : m_r.calls) {
                if (c.thread == id && c.outer == none) {
                    api.push_back({c.start, c.end});
                }
            }
            put(at + "api_ns", m_r.calls.empty() ? std::nullopt : std::optional(length_of(cut(api))));
            put(at + "host_wait_ns", knows_waits() ? std::optional(length_of(waits_of(id))) : std::nullopt);
            put(at + "blocked_ns", m_held.knows(id) ? std::optional(length_of(stretches_of(id))) : std::nullopt);
            for (const auto& cause : causes()) {
                put(at + "blocked_by." + cause,
                    m_held.knows(id, cause) ? std::optional(sum_of(stretches_of(id, cause))) : std::nullopt);
            }
        }
        std::optional<Ns> free;
        if (const auto first = ids.empty() ? ThreadId {} : first_thread(ids);
            !ids.empty() && knows_waits() && m_held.knows(first)) {
            auto held = stretches_of(first);
            for (const auto& wait : waits_of(first)) {
                held.push_back(wait);
            }
            free = sum_of(without(m_busy, held));
        }
        put("cpu_free_ns", free);
    }

    void ranges_and_reads()
    {
        std::vector<const NamedRange*> touched;
        for (const auto& r : m_r.ranges) {
            if (!r.mark && touches(r.start, r.end)) {
                touched.push_back(&r);
            }
        }
        std::stable_sort(touched.begin(), touched.end(), [](const auto* a, const auto* b) {
            return std::make_pair(a->start, a->end) < std::make_pair(b->start, b->end);
        });
        std::vector<std::string> names;
        for (const auto* r : touched) {
            if (std::count(names.begin(), names.end(), r->name) == 0) {
                names.push_back(r->name);
            }
        }
        for (std::size_t i = 0; i < names.size(); ++i) {
            Spans all;
            Spans held;
            std::map<ThreadId, Spans> of_thread;
            Ns count = 0;
            for (const auto* r : touched) {
                if (r->name == names[i]) {
                    all.push_back({r->start, r->end});
                    of_thread[r->thread].push_back({r->start, r->end});
                    ++count;
                }
            }
            bool known = true;
            for (const auto& [thread, spans] : of_thread) {
                known = known && m_held.knows(thread);
                for (const auto& span : common(cut(spans), stretches_of(thread))) {
                    held.push_back(span);
                }
            }
            const auto at = "ranges[" + std::to_string(i) + "].";
            put(at + "name", quoted(names[i]));
            put(at + "count", count);
            put(at + "wall_ns", length_of(cut(all)));
            put(at + "gpu_busy_ns", sum_of(common(cut(all), m_busy)));
            put(at + "blocked_ns", known ? std::optional(sum_of(held)) : std::nullopt);
        }
        put("counts.ranges", static_cast<Ns>(touched.size()));

        std::vector<const Read*> reads;
        for (const auto& r : m_r.reads) {
            if (touches(r.start, r.end)) {
                reads.push_back(&r);
            }
        }
        std::stable_sort(reads.begin(), reads.end(), [](const auto* a, const auto* b) {
            return std::make_pair(a->start, a->end) < std::make_pair(b->start, b->end);
        });
        for (std::size_t i = 0; i < reads.size(); ++i) {
            const auto at = "reads[" + std::to_string(i) + "].";
            put(at + "buffer", quoted(reads[i]->buffer));
            put(at + "start_ns", reads[i]->start);
            put(at + "bytes", reads[i]->bytes);
            put(at + "wrong_bytes", reads[i]->wrong_bytes);
        }
    }

    void counts()
    {
        Ns api = 0, syncs = 0, waits = 0;
        for (const auto& c : m_r.calls) {
            if (c.outer == none && touches(c.start, c.end)) {
                const auto purpose = purpose_of(c.name);
                ++api;
                syncs += purpose == Purpose::stream_sync || purpose == Purpose::device_sync
                        || purpose == Purpose::event_sync
                        || (purpose == Purpose::copy && c.name.find("Async") == std::string::npos)
                    ? 1
                    : 0;
                waits += purpose == Purpose::wait ? 1 : 0;
            }
        }
        if (m_r.calls.empty()) {
            for (const auto& s : m_r.syncs) {
                const bool in = touches(s.start, s.end);
                syncs += in && (s.type == Sync::event || s.type == Sync::stream || s.type == Sync::context) ? 1 : 0;
                waits += in && s.type == Sync::stream_waits ? 1 : 0;
            }
        }
        put("counts.api_calls", api);
        put("counts.syncs", syncs);
        put("counts.waits", waits);
        const auto operations = [&](Operation::Kind kind) {
            return std::count_if(m_r.operations.begin(), m_r.operations.end(),
                [&](const Operation& o) { return o.kind == kind && touches(o.start, o.end); });
        };
        put("counts.kernels", operations(Operation::kernel));
        put("counts.copies", operations(Operation::copy));
        put("counts.memsets", operations(Operation::memset));
        put("counts.dropped", m_r.dropped);
    }

    const Recorded& m_r;
    const Held& m_held;
    const Ns m_start, m_end;
    Spans m_busy;
    Figures m_figures;
};

ThreadId Computing::first_thread(const std::vector<ThreadId>& ids) const
{
    if (!m_r.steps.empty()) {
        return std::min_element(m_r.steps.begin(), m_r.steps.end(), [](const Step& a, const Step& b) {
            return std::make_pair(a.number, a.start) < std::make_pair(b.number, b.start);
        })->thread;
    }
    const auto processes = working();
    const auto is_main = [](const ThreadId& id) { return id.first == id.second; };
    auto main = std::find_if(
        ids.begin(), ids.end(), [&](const ThreadId& id) { return is_main(id) && processes.count(id.first) != 0; });
    if (main == ids.end()) {  // a launcher of ranks comes after these
        main = std::find_if(ids.begin(), ids.end(), is_main);
    }
    if (main != ids.end()) {
        return *main;
    }
    const auto calls = [&](const ThreadId& id) {
        return std::count_if(
            m_r.calls.begin(), m_r.calls.end(), [&](const Call& c) { return c.thread == id && c.outer == none; });
    };
    return *std::max_element(
        ids.begin(), ids.end(), [&](const ThreadId& a, const ThreadId& b) { return calls(a) < calls(b); });
}

}  // namespace

Figures figures_of(const Recorded& recorded, const Held& held, std::optional<std::pair<Ns, Ns>> range)
{
    return Computing(recorded, held, range.value_or(std::make_pair(Ns {0}, recorded.duration))).all();
}

}  // namespace oracle

// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/recorded.h"
#include "tests/engine/analysis/oracle/table.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace oracle {

namespace {

std::string without_version(const std::string& name)
{
    auto end = name.size();
    while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1])) != 0) {
        --end;
    }
    const bool has = end < name.size() && end >= 2 && name.substr(end - 2, 2) == "_v";
    return has ? name.substr(0, end - 2) : name;
}

class Reading {
public:
    explicit Reading(const std::string& path)
        : m_file(path)
    {
    }

    Recorded all()
    {
        meta();
        ids();
        calls();
        operations();
        syncs_and_events();
        ranges();
        own_tables();
        functions_and_spins();
        overheads_and_allocations();
        target();
        nest();
        join();
        place_in_time();
        return std::move(m_all);
    }

private:
    std::string text(const Cell& cell) const
    {
        const auto found = m_texts.find(cell.number);
        return cell.null || found == m_texts.end() ? std::string() : found->second;
    }
    std::int64_t process(const Cell& global) const
    {
        const auto packed = global.or_else(0) & ~std::int64_t {0xFFFFFF};
        const auto found = m_processes.find(packed);
        return found != m_processes.end() ? found->second : packed >> 24 & 0xFFFFFF;
    }
    ThreadId thread(const Cell& global) const
    {
        const auto found = m_threads.find(global.number);
        return found != m_threads.end() ? found->second
                                        : ThreadId {global.number >> 24 & 0xFFFFFF, global.number & 0xFFFFFF};
    }

    void meta()
    {
        for (const auto& row : m_file.rows("LANESCOPE_META", {"key", "value"})) {
            const auto& value = row[2].text;
            m_all.own = true;
            if (row[1].text == "source") {
                m_all.source = value;
            } else if (row[1].text == "dropped") {
                m_all.dropped = std::stoll(value);
            } else if (row[1].text == "complete") {
                m_all.complete = m_all.complete && value != "no";
            } else if (row[1].text == "error") {
                m_all.complete = false;
            } else if (row[1].text == "gpu_end_ns") {
                m_all.gpu_end = std::stoll(value);
            }
        }
        for (const auto& row : m_file.rows("StringIds", {"id", "value"})) {
            m_texts[row[1].number] = row[2].text;
        }
    }
    void ids()
    {
        for (const auto& row : m_file.rows("LANESCOPE_PROCESS", {"globalPid", "process"})) {
            m_processes[row[1].number] = row[2].number;
        }
        for (const auto& row : m_file.rows("LANESCOPE_THREAD", {"globalTid", "process", "thread", "place"})) {
            m_threads[row[1].number] = {row[2].number, row[3].number};
            m_all.threads[m_threads[row[1].number]].place = row[4].number;
        }
        for (const auto& row : m_file.rows("ThreadNames", {"globalTid", "nameId"})) {
            m_names[thread(row[1])] = text(row[2]);
        }
    }
    void calls()
    {
        for (const auto& row : m_file.rows("CUPTI_ACTIVITY_KIND_RUNTIME",
                 {"start", "end", "eventClass", "globalTid", "correlationId", "nameId", "returnValue"})) {
            if (!row[1].null && !row[2].null) {
                m_all.calls.push_back({row[1].number, row[2].number, thread(row[4]), row[5].or_else(0),
                    without_version(text(row[6])), row[3].number == 1, row[7].number});
            }
        }
    }
    void operations()
    {
        std::set<std::pair<std::int64_t, std::int64_t>> async;  // kind and row
        for (const auto& row : m_file.rows("LANESCOPE_OPERATION", {"kind", "row", "async"})) {
            if (row[3].number != 0) {
                async.insert({row[1].number, row[2].number});
            }
        }
        const std::vector<std::string> common {
            "start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid"};
        const auto add = [&](Operation::Kind kind, const std::vector<Cell>& row) -> Operation* {
            if (row[1].null || row[2].null) {
                return nullptr;
            }
            Operation o {};
            o.kind = kind;
            o.start = row[1].number;
            o.end = row[2].number;
            o.device = row[3].or_else(0);
            o.stream = {process(row[7]), row[4].number, row[5].number};
            o.correlation = row[6].or_else(0);
            o.source = o.target = 7;
            o.async = async.count({kind, row[0].number}) != 0;
            m_all.operations.push_back(o);
            return &m_all.operations.back();
        };
        const auto with = [&](std::vector<std::string> more) {
            more.insert(more.begin(), common.begin(), common.end());
            return more;
        };
        for (const auto& row : m_file.rows("CUPTI_ACTIVITY_KIND_KERNEL", with({"demangledName", "shortName"}))) {
            if (auto* o = add(Operation::kernel, row)) {
                o->name = text(row[8]).empty() && !m_all.own ? text(row[9]) : text(row[8]);
            }
        }
        for (const auto& row : m_file.rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", common)) {
            m_all.has_whole_graphs = add(Operation::kernel, row) != nullptr || m_all.has_whole_graphs;
        }
        for (const auto& row : m_file.rows("CUPTI_ACTIVITY_KIND_MEMCPY", with({"copyKind", "srcKind", "dstKind"}))) {
            // Pages of unified memory that move by themselves (kinds 11 to 13) are no operations.
            const auto kind = row[8].or_else(0);
            if (auto* o = kind > 10 ? nullptr : add(Operation::copy, row)) {
                o->copy_kind = row[8].or_else(0);
                o->source = row[9].or_else(7);
                o->target = row[10].or_else(7);
            }
        }
        for (const auto& row : m_file.rows("CUPTI_ACTIVITY_KIND_MEMSET", with({"memKind"}))) {
            if (auto* o = add(Operation::memset, row)) {
                o->target = row[8].or_else(7);
            }
        }
    }
    void syncs_and_events()
    {
        for (const auto& row : m_file.rows("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                 {"start", "end", "contextId", "streamId", "correlationId", "globalPid", "syncType", "eventId",
                     "eventSyncId"})) {
            if (!row[1].null && !row[2].null) {
                const auto type = row[7].number;
                m_all.syncs.push_back({type >= 1 && type <= 4 ? static_cast<Sync::Type>(type) : Sync::unknown,
                    row[1].number, row[2].number, {process(row[6]), row[3].number, row[4].or_else(no_number)},
                    row[8].or_else(no_number), row[9].or_else(0), none});
                m_correlation_of_sync.push_back({process(row[6]), row[5].or_else(0)});
            }
        }
        for (const auto& row : m_file.rows("CUPTI_ACTIVITY_KIND_CUDA_EVENT",
                 {"timestamp", "contextId", "streamId", "correlationId", "globalPid", "eventId", "eventSyncId"})) {
            m_all.events.push_back(
                {row[1].or_else(0), {process(row[5]), row[2].number, row[3].number}, row[6].number, row[7].or_else(0)});
            m_correlation_of_event.push_back({process(row[5]), row[4].or_else(0)});
        }
    }
    void ranges()
    {
        for (const auto& row :
            m_file.rows("NVTX_EVENTS", {"start", "end", "eventType", "text", "globalTid", "textId"})) {
            const auto type = row[3].number;
            if (!row[1].null && (type == 34 || type == 59 || type == 60 || type == 70 || type == 71)) {
                const auto name = row[4].null ? text(row[6]) : row[4].text;
                constexpr Ns open = -1;
                m_all.ranges.push_back({row[1].number, type == 34 ? row[1].number : row[2].or_else(open),
                    thread(row[5]), name, type == 34});
            }
        }
    }
    void own_tables()
    {
        for (const auto& row : m_file.rows("LANESCOPE_STEP", {"start", "globalTid", "step"})) {
            m_all.steps.push_back({row[1].number, thread(row[2]), row[3].number});
        }
        for (const auto& row : m_file.rows("LANESCOPE_HOST_SPAN", {"start", "end", "globalTid", "type"})) {
            m_all.spans.push_back({row[1].number, row[2].number, thread(row[3]), row[4].number});
        }
        for (const auto& row :
            m_file.rows("LANESCOPE_READ", {"start", "end", "globalTid", "bufferId", "bytes", "wrongBytes"})) {
            m_all.reads.push_back(
                {row[1].number, row[2].number, thread(row[3]), text(row[4]), row[5].number, row[6].number});
        }
        for (const auto& row : m_file.rows("LANESCOPE_ERROR", {"time"})) {
            m_all.duration = std::max(m_all.duration, row[1].number);
            m_all.complete = false;
        }
    }
    void functions_and_spins()
    {
        for (const auto& row : m_file.rows(
                 "LANESCOPE_HOST_FUNCTION", {"start", "end", "globalPid", "contextId", "streamId", "correlationId"})) {
            const bool timed = !row[1].null && !row[2].null;
            if (!timed && row[6].or_else(0) == 0) {
                continue;  // it says neither when nor by whom
            }
            m_all.host_functions.push_back({timed ? row[1].number : 0, timed ? row[2].number : 0,
                {process(row[3]), row[4].number, row[5].number}, timed, row[1].number});
            m_correlation_of_function.push_back({process(row[3]), row[6].or_else(0)});
        }
        for (const auto& row :
            m_file.rows("LANESCOPE_QUERY_SPIN", {"globalTid", "correlationId", "queries", "succeeded"})) {
            m_all.query_spins.push_back({none, row[3].number, row[4].or_else(2)});
            m_correlation_of_spin.push_back({process(row[1]), row[2].number});
        }
    }
    void overheads_and_allocations()
    {
        Ns first = INT64_MAX;
        Ns last = INT64_MIN;
        for (const auto& c : m_all.calls) {
            first = std::min(first, c.start);
            last = std::max(last, c.end);
        }
        for (const auto& o : m_all.operations) {
            first = std::min(first, o.start);
            last = std::max(last, o.end);
        }
        for (const auto* table : {"CUPTI_ACTIVITY_KIND_OVERHEAD", "PROFILER_OVERHEAD"}) {
            for (const auto& row : m_file.rows(table, {"start", "end", "globalTid", "correlationId", "overheadType"})) {
                // The start-up and the shut-down of another tool are not the program's time.
                if (m_all.own || (row[5].number > 1 && row[1].number < last && row[2].number > first)) {
                    m_all.overheads.push_back({row[1].number, row[2].number, row[5].number, none});
                    m_correlation_of_overhead.push_back({process(row[3]), row[4].or_else(0)});
                }
            }
        }
        for (const auto& row :
            m_file.rows("CUDA_GPU_MEMORY_USAGE_EVENTS", {"start", "globalPid", "deviceId", "correlationId"})) {
            m_all.allocations.push_back({row[1].number, row[3].or_else(no_number), process(row[2]), none});
            m_correlation_of_allocation.push_back({process(row[2]), row[4].or_else(0)});
        }
    }
    void target();
    void nest();
    void join();
    void place_in_time();
    void devices_of_others();

    Database m_file;
    Recorded m_all;
    std::map<std::int64_t, std::string> m_texts;
    std::map<std::int64_t, std::int64_t> m_processes;
    std::map<std::int64_t, ThreadId> m_threads;
    std::map<ThreadId, std::string> m_names;
    using Correlation = std::pair<std::int64_t, std::int64_t>;  // of a process
    std::vector<Correlation> m_correlation_of_sync, m_correlation_of_event, m_correlation_of_overhead,
        m_correlation_of_allocation, m_correlation_of_function, m_correlation_of_spin;
};

/// The devices of every process as one number for each GPU: by UUID or bus address if the
/// file has one, else by process and number.
void Reading::devices_of_others()
{
    std::map<std::int64_t, std::pair<std::string, std::string>> gpus;  // by gpuId: hardware, name
    for (const auto& row : m_file.rows("TARGET_INFO_GPU", {"id", "name", "uuid", "busLocation"})) {
        gpus[row[1].number] = {row[3].text.empty() ? row[4].text : row[3].text, row[2].text};
    }
    std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::string, std::string>> linked;
    for (const auto& row : m_file.rows("TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid", "uuid"})) {
        auto known = gpus[row[1].number];
        known.first = row[4].text.empty() ? known.first : row[4].text;
        linked[{row[3].number, row[2].number}] = known;
    }
    using Named = std::pair<std::int64_t, std::int64_t>;  // a process and its number
    std::set<Named> used;
    for (const auto& [key, stream] : m_all.streams) {
        used.insert({key[0], stream.device});
    }
    for (const auto& o : m_all.operations) {
        used.insert({o.stream[0], o.device});
    }
    for (const auto& [named, known] : linked) {
        used.insert(named);
    }
    std::map<Named, std::string> hardware;
    std::map<std::string, std::string> names;
    std::map<std::string, std::int64_t> numbers;
    std::set<std::int64_t> taken;
    for (const auto& named : used) {  // the first process keeps its numbers
        const auto at = linked.find(named);
        const auto known = at != linked.end() ? at->second
            : linked.empty()                  ? std::make_pair(std::string(), gpus[named.second].second)
                                              : std::pair<std::string, std::string>();
        const auto alone = std::to_string(named.first) + "/" + std::to_string(named.second);
        const auto key = known.first.empty() ? alone : known.first;
        hardware[named] = key;
        names[key] = known.second;
        if (numbers.count(key) == 0) {
            auto number = named.second;
            for (std::int64_t free = 0; !taken.insert(number).second; ++free) {
                number = free;
            }
            numbers[key] = number;
        }
    }
    for (const auto& [key, number] : numbers) {
        m_all.devices[number] = names[key];
    }
    for (auto& [key, stream] : m_all.streams) {
        stream.device = numbers[hardware[{key[0], stream.device}]];
    }
    for (auto& o : m_all.operations) {
        o.device = numbers[hardware[{o.stream[0], o.device}]];
    }
    for (auto& a : m_all.allocations) {
        if (a.device != no_number) {
            a.device = numbers[hardware[{a.process, a.device}]];
        }
    }
}

void Reading::target()
{
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> device_of_context;
    for (const auto& row :
        m_file.rows("TARGET_INFO_CUDA_CONTEXT_INFO", {"processId", "deviceId", "contextId", "nullStreamId"})) {
        device_of_context[{row[1].number, row[3].number}] = row[2].number;
        if (!row[4].null) {
            m_all.null_streams[{row[1].number, row[3].number}] = row[4].number;
        }
    }
    for (const auto& row : m_file.rows("TARGET_INFO_CUDA_STREAM", {"processId", "contextId", "streamId", "flag"})) {
        const auto context = device_of_context.find({row[1].number, row[2].number});
        if (context != device_of_context.end()) {
            m_all.streams[{row[1].number, row[2].number, row[3].number}] = {context->second, row[4].number};
        }
    }
    for (const auto& o : m_all.operations) {
        m_all.streams.try_emplace(o.stream, Stream {o.device, 0});
    }
    if (m_all.own) {
        for (const auto& row : m_file.rows("TARGET_INFO_GPU", {"id", "name"})) {
            m_all.devices[row[1].number] = row[2].text;
        }
    } else {
        m_all.source = "nsys";
        devices_of_others();
    }
}

/// A call within another one of its thread is part of the outermost of those around it. If two begin at once, one is
/// within the other only if a runtime call makes a driver call.
void Reading::nest()
{
    std::map<ThreadId, std::vector<int>> of_thread;
    for (std::size_t i = 0; i < m_all.calls.size(); ++i) {
        of_thread[m_all.calls[i].thread].push_back(static_cast<int>(i));
    }
    const auto at = [&](int i) -> const Call& { return m_all.calls[static_cast<std::size_t>(i)]; };
    for (auto& call : m_all.calls) {
        for (const int i : of_thread[call.thread]) {
            const auto& outer = at(i);
            const bool around = outer.start <= call.start && call.end <= outer.end
                && (outer.start < call.start || (call.driver && !outer.driver));
            if (around && (call.outer == none || outer.start < at(call.outer).start)) {
                call.outer = i;
            }
        }
    }
}

void Reading::join()
{
    std::map<Correlation, int> outermost;
    for (std::size_t i = 0; i < m_all.calls.size(); ++i) {
        const auto& call = m_all.calls[i];
        if (call.correlation != 0) {
            outermost[{call.thread.first, call.correlation}] = call.outer == none ? static_cast<int>(i) : call.outer;
        }
    }
    const auto call_of = [&](const Correlation& correlation) {
        const auto found = outermost.find(correlation);
        return found == outermost.end() ? none : found->second;
    };
    for (auto& o : m_all.operations) {
        o.call = call_of({o.stream[0], o.correlation});
        if (!o.async && o.call != none) {
            o.async = m_all.calls[static_cast<std::size_t>(o.call)].name.find("Async") != std::string::npos;
        }
    }
    for (std::size_t i = 0; i < m_all.syncs.size(); ++i) {
        m_all.syncs[i].call = call_of(m_correlation_of_sync[i]);
    }
    for (std::size_t i = 0; i < m_all.events.size(); ++i) {
        m_all.events[i].call = call_of(m_correlation_of_event[i]);
        if (m_all.events[i].call != none) {
            m_all.events[i].time = m_all.calls[static_cast<std::size_t>(m_all.events[i].call)].start;
        }
    }
    for (std::size_t i = 0; i < m_all.overheads.size(); ++i) {
        m_all.overheads[i].call = call_of(m_correlation_of_overhead[i]);
    }
    for (std::size_t i = 0; i < m_all.allocations.size(); ++i) {
        m_all.allocations[i].call = call_of(m_correlation_of_allocation[i]);
    }
    for (std::size_t i = 0; i < m_all.host_functions.size(); ++i) {
        auto& function = m_all.host_functions[i];
        function.call = call_of(m_correlation_of_function[i]);
        if (function.call != none) {
            function.submitted = m_all.calls[static_cast<std::size_t>(function.call)].start;
        }
        function.start = function.timed ? function.start : function.submitted;
        function.end = function.timed ? function.end : function.submitted;
    }
    for (std::size_t i = 0; i < m_all.query_spins.size(); ++i) {
        m_all.query_spins[i].call = call_of(m_correlation_of_spin[i]);
    }
}

/// Our files count from their start; in others the first record of anything is the start.
void Reading::place_in_time()
{
    constexpr Ns far = INT64_MAX;
    Ns first = far;
    Ns last = m_all.duration;
    const auto see = [&](Ns start, Ns end) {
        first = std::min(first, start);
        last = std::max(last, end);
    };
    const auto each = [&](auto&& f) {
        for (auto& c : m_all.calls) {
            f(c.start, c.end);
        }
        for (auto& o : m_all.operations) {
            f(o.start, o.end);
        }
        for (auto& s : m_all.syncs) {
            f(s.start, s.end);
        }
        for (auto& r : m_all.ranges) {
            f(r.start, r.end);
        }
        for (auto& s : m_all.spans) {
            f(s.start, s.end);
        }
        for (auto& r : m_all.reads) {
            f(r.start, r.end);
        }
        for (auto& o : m_all.overheads) {
            f(o.start, o.end);
        }
        for (auto& a : m_all.allocations) {
            f(a.time, a.time);
        }
        for (auto& s : m_all.steps) {
            f(s.start, s.start);
        }
        for (auto& h : m_all.host_functions) {
            f(h.start, h.end);
        }
    };
    each([&](Ns start, Ns end) { see(start, std::max(start, end)); });
    if (!m_all.own && first != far) {
        for (auto& r : m_all.ranges) {
            r.end += r.end < 0 ? first : 0;  // an open end stays one
        }
        each([&](Ns& start, Ns& end) {
            const bool same = &start == &end;
            start -= first;
            end -= same ? 0 : first;
        });
        for (auto& e : m_all.events) {
            e.time -= first;
        }
        last -= first;
    }
    m_all.duration = last;
    for (auto& r : m_all.ranges) {
        r.end = r.end < 0 ? last : r.end;
    }
    const auto act = [&](const ThreadId& id, Ns time) {
        auto& thread = m_all.threads[id];
        thread.first = thread.acted ? std::min(thread.first, time) : time;
        thread.acted = true;
    };
    for (const auto& c : m_all.calls) {
        act(c.thread, c.start);
    }
    for (const auto& r : m_all.ranges) {
        act(r.thread, r.start);
    }
    for (const auto& s : m_all.spans) {
        act(s.thread, s.start);
    }
    for (const auto& r : m_all.reads) {
        act(r.thread, r.start);
    }
    for (const auto& s : m_all.steps) {
        act(s.thread, s.start);
    }
    for (auto& [id, thread] : m_all.threads) {
        thread.name = m_names[id];
    }
}

}  // namespace

Recorded read_file(const std::string& path)
{
    return Reading(path).all();
}

}  // namespace oracle

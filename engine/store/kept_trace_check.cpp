// SPDX-License-Identifier: MIT
#include "engine/store/kept_trace.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lanes {

namespace {

/// True of all elements; a plain loop, which the compiler makes wide.
template <class T, class Holds> bool all_of(const std::vector<T>& column, Holds holds)
{
    bool all = true;
    for (const auto& item : column) {
        all &= holds(item);
    }
    return all;
}

/// Whether it is 0 or 1 in memory: another byte is no bool.
bool is_bool(const bool& value)
{
    unsigned char byte = 0;
    std::memcpy(&byte, &value, 1);
    return byte <= 1;
}

template <class Enum> bool is_within(Enum value, Enum last)
{
    return static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(last);
}

class Check {
public:
    explicit Check(const Trace& trace)
        : t(trace)
    {
    }
    bool run() const { return descriptions() && operations() && details() && calls() && tables() && counters(); }

private:
    bool text(StringId id) const { return id < t.strings.size(); }
    static bool row(Row at, std::size_t size) { return at < size || at == no_row; }
    bool call(Row at) const { return row(at, t.calls.size()); }
    bool thread(Row at) const { return row(at, t.threads.size()); }
    bool stream(Row at) const { return row(at, t.streams.size()); }
    bool time(Ns start, Ns end) const { return start <= end && end <= t.duration; }

    bool descriptions() const
    {
        return t.duration >= 0 && t.strings.size() > 0
            && all_of(t.processes, [&](const Process& p) { return text(p.name); })
            && all_of(t.threads, [&](const Thread& x) { return text(x.name); })
            && all_of(t.devices, [&](const Device& d) { return text(d.name) && text(d.uuid) && text(d.pci); })
            && all_of(
                t.streams, [&](const Stream& s) { return text(s.name) && is_within(s.flag, StreamRecord::null); });
    }
    bool operations() const
    {
        const auto& o = t.operations;
        const auto size = o.size();
        if (o.end.size() != size || o.stream.size() != size || o.name.size() != size || o.correlation.size() != size
            || o.call.size() != size || o.detail.size() != size || o.kind.size() != size
            || !all_of(o.name, [&](StringId id) { return text(id); })
            || !all_of(o.call, [&](Row at) { return call(at); })
            || !all_of(o.stream, [&](Row at) { return at < t.streams.size(); })
            || !all_of(o.kind, [&](OperationKind kind) { return is_within(kind, OperationKind::memset); })) {
            return false;
        }
        const std::array<std::size_t, 3> details {t.kernels.size(), t.copies.size(), t.memsets.size()};
        bool good = true;
        for (std::size_t i = 0; i < size; ++i) {
            const auto kind = o.kind[i] == OperationKind::kernel ? 0U : o.kind[i] == OperationKind::memset ? 2U : 1U;
            good &= o.detail[i] < details[kind] && o.start[i] <= o.end[i] && o.end[i] <= t.duration;
        }
        for (std::size_t i = 1; i < size; ++i) {
            good &= o.stream[i - 1] < o.stream[i]
                || (o.stream[i - 1] == o.stream[i]
                    && (o.start[i - 1] < o.start[i] || (o.start[i - 1] == o.start[i] && o.end[i - 1] <= o.end[i])));
        }
        return good;
    }
    bool details() const
    {
        return all_of(t.kernels, [&](const KernelDetail& k) {
            return text(k.full_name);
        }) && all_of(t.copies, [](const CopyDetail& c) {
            return is_within(c.source, MemoryKind::managed_static) && is_within(c.target, MemoryKind::managed_static)
                && is_within(c.copy, CopyKind::p2p) && is_bool(c.async);
        }) && all_of(t.memsets, [](const MemsetDetail& m) {
            return is_within(m.target, MemoryKind::managed_static) && is_bool(m.async);
        });
    }
    bool calls() const
    {
        const auto& c = t.calls;
        const auto size = c.size();
        if (c.end.size() != size || c.thread.size() != size || c.name.size() != size || c.correlation.size() != size
            || c.outer.size() != size || c.step.size() != size || c.result.size() != size || c.api.size() != size
            || !all_of(c.thread, [&](Row at) { return thread(at); })
            || !all_of(c.name, [&](StringId id) { return text(id); })
            || !all_of(c.outer, [&](Row at) { return call(at); })
            || !all_of(c.api, [](ApiCallRecord::Api api) { return is_within(api, ApiCallRecord::driver); })) {
            return false;
        }
        bool good = true;
        for (std::size_t i = 0; i < size; ++i) {
            good &= c.start[i] <= c.end[i] && c.end[i] <= t.duration
                && (c.outer[i] == no_row || c.outer[c.outer[i]] == no_row);
        }
        for (std::size_t i = 1; i < size; ++i) {
            good &= c.start[i - 1] < c.start[i] || (c.start[i - 1] == c.start[i] && c.end[i - 1] <= c.end[i]);
        }
        return good;
    }
    /// Sorted by start or time, and each row as `holds` says.
    template <class T, class Holds> bool table(const std::vector<T>& rows, Holds holds) const
    {
        const auto start = [](const T& item) {
            if constexpr (requires { item.start; }) {
                return item.start;
            } else {
                return item.time;
            }
        };
        bool good = true;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if constexpr (requires { rows[i].end; }) {
                good &= time(rows[i].start, rows[i].end);
            } else {
                good &= time(start(rows[i]), start(rows[i]));
            }
            good &= (i == 0 || start(rows[i - 1]) <= start(rows[i])) && holds(rows[i]);
        }
        return good;
    }
    bool tables() const
    {
        return table(t.syncs,
                   [&](const Sync& s) {
                       return call(s.call) && stream(s.stream) && is_within(s.type, SyncRecord::context_sync);
                   })
            && table(t.events, [&](const Event& e) { return call(e.call) && stream(e.stream); })
            && table(t.ranges,
                [&](const Range& r) {
                    return thread(r.thread) && text(r.name) && text(r.domain) && is_bool(r.open) && is_bool(r.mark);
                })
            && autograd()
            && table(t.host_spans,
                [&](const HostSpan& s) {
                    return thread(s.thread) && text(s.name) && is_within(s.type, HostSpanRecord::staging);
                })
            && table(t.host_functions,
                [&](const HostFunction& f) { return call(f.call) && stream(f.stream) && is_bool(f.timed); })
            && table(t.query_spins,
                [&](const QuerySpin& s) {
                    return s.call < t.calls.size() && is_within(s.succeeded, QuerySpinRecord::not_known);
                })
            && table(
                t.reads, [&](const Read& r) { return thread(r.thread) && text(r.buffer) && is_bool(r.expect_stale); })
            && table(t.steps, [&](const Step& s) { return thread(s.thread); })
            && table(t.overheads, [&](const Overhead& o) { return thread(o.thread) && call(o.call); })
            && table(t.memory,
                [&](const MemoryEvent& m) {
                    return call(m.call) && stream(m.stream) && is_within(m.operation, MemoryRecord::release)
                        && is_within(m.memory, MemoryKind::managed_static) && is_bool(m.async);
                })
            && table(t.errors, [&](const RunError& e) { return thread(e.thread) && text(e.message); });
    }
    bool autograd() const
    {
        bool good = true;
        for (std::size_t i = 0; i < t.autograd.size(); ++i) {
            const auto& a = t.autograd[i];
            good &= a.range < t.ranges.size() && row(a.forward, t.ranges.size())
                && (i == 0 || t.autograd[i - 1].range < a.range);
        }
        return good;
    }
    bool counters() const
    {
        Row next = 0;
        for (const auto& c : t.counters) {
            if (c.samples.begin != next || c.samples.end <= next || c.samples.end > t.samples.size() || !text(c.name)
                || !is_within(c.unit, CounterRecord::percent)) {
                return false;
            }
            next = c.samples.end;
            const auto first = t.samples.time.begin();
            if (!std::is_sorted(first + c.samples.begin, first + c.samples.end)) {
                return false;
            }
        }
        return next == t.samples.size() && t.samples.value.size() == t.samples.size()
            && all_of(t.samples.value, [](double value) { return std::isfinite(value); });
    }

    const Trace& t;
};

}  // namespace

bool is_possible(const Trace& trace)
{
    return Check(trace).run();
}

}  // namespace lanes

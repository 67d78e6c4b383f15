// SPDX-License-Identifier: MIT
#include "engine/analysis/figures/operation_figures.h"

#include "engine/analysis/facts/communication.h"
#include "engine/analysis/figures/busy_levels.h"
#include "engine/analysis/figures/operation_sweep.h"
#include "engine/analysis/figures/value_copies.h"

#include <algorithm>
#include <map>

namespace lanes {

namespace {

class Measuring {
public:
    Measuring(const Trace& trace, const RecordingBounds& bounds, Interval range, const Progress& progress)
        : m_trace(trace)
        , m_bounds(bounds)
        , m_range(range)
        , m_progress(progress)
        , m_all(range.start)
        , m_of_stream(trace.streams.size(), StreamFigures {})
        , m_busy_since(trace.streams.size())
    {
        std::map<std::uint32_t, std::size_t> known;
        for (const auto& stream : trace.streams) {
            known.try_emplace(stream.device, 0);
        }
        if (known.empty()) {
            for (const auto& device : trace.devices) {
                known.try_emplace(device.id, 0);
            }
        }
        for (auto& [device, place] : known) {
            place = m_devices.size();
            m_devices.push_back({BusyLevels(range.start), CommunicationLevels(range.start),
                {.device = device, .busy = {}, .opened_by = {}}});
        }
        for (const auto& stream : trace.streams) {
            m_device_of_stream.push_back(static_cast<std::uint32_t>(known.at(stream.device)));
        }
    }

    OperationFigures run()
    {
        OperationSweep sweep(m_trace, m_bounds.operations, m_range.start, *this);
        sweep.run(m_range.end, *this);
        sweep.each_open([&](Row row) { m_open_at_end.push_back(row); });
        for (const Row row : m_open_at_end) {  // the clipped ends of what still runs
            auto& since = m_busy_since[m_trace.operations.stream[row]];
            m_of_stream[m_trace.operations.stream[row]].busy += m_range.end - since;
            since = m_range.end;
        }
        sweep.each_instant(m_range.end, [&](Row row) { count(row, m_trace.operations.stream[row]); });
        for (Row stream = 0; stream < m_trace.streams.size(); ++stream) {
            auto& [device, busy, opened_by, before, next, values] = m_devices[m_device_of_stream[stream]].intervals;
            const Row row = sweep.next_of(stream);
            const auto& start = m_trace.operations.start;
            next = next == no_row || (row != no_row && start[row] < start[next]) ? row : next;
            const auto rows = m_trace.operations_of(stream);
            const auto first = std::lower_bound(start.begin() + rows.begin, start.begin() + rows.end, m_range.start);
            before = m_bounds.operations.latest(rows.begin, static_cast<std::size_t>(first - start.begin()), before);
        }
        return figures();
    }

    void open(Row row, Row stream, Ns time, bool first)
    {
        if (m_opened++ % 65536 == 0) {
            m_progress.report(static_cast<double>(time - m_range.start)
                / static_cast<double>(std::max<Ns>(1, m_range.end - m_range.start)));
        }
        count(row, stream);
        const auto kind = m_trace.operations.kind[row];
        auto& device = m_devices[m_device_of_stream[stream]];
        if (first) {
            m_busy_since[stream] = time;
            if (device.levels.streams() == 0) {
                begin(device.intervals.busy, time, &device.intervals.opened_by, row);
            }
            if (has_several() && m_all.streams() == 0) {
                begin(m_busy, time, nullptr, row);
            }
        }
        device.levels.open(kind, time, first);
        if (may_communicate(kind)) {
            device.communication.open(communicates(row), time);
        }
        if (has_several()) {
            m_all.open(kind, time, first);
        }
    }
    void close(Row row, Row stream, Ns time, bool last)
    {
        const auto kind = m_trace.operations.kind[row];
        auto& device = m_devices[m_device_of_stream[stream]];
        device.levels.close(kind, time, last);
        if (may_communicate(kind)) {
            device.communication.close(communicates(row), time);
        }
        if (has_several()) {
            m_all.close(kind, time, last);
        }
        if (last) {
            m_of_stream[stream].busy += time - m_busy_since[stream];
            if (device.levels.streams() == 0) {
                finish(device.intervals.busy, time, &device.intervals.opened_by);
            }
            if (has_several() && m_all.streams() == 0) {
                finish(m_busy, time, nullptr);
            }
        }
    }

private:
    struct Device {
        BusyLevels levels;
        CommunicationLevels communication;
        DeviceBusy intervals;
    };
    bool may_communicate(OperationKind kind) const
    {
        return !m_bounds.communicates.none() && kind == OperationKind::kernel;
    }
    bool communicates(Row row) const { return m_bounds.communicates.has(m_trace, row); }
    bool has_several() const { return m_devices.size() > 1; }
    void count(Row row, Row stream)
    {
        const auto kind = m_trace.operations.kind[row];
        ++m_counts[static_cast<std::size_t>(kind)];
        if (is_copy(kind)) {
            m_copied_bytes += fetches_number(m_trace, row) ? 0 : m_trace.bytes_of(row);
            if (fetches_value(m_trace, row)) {
                const auto& table = m_trace.operations;
                m_devices[m_device_of_stream[stream]].intervals.values
                    += std::min(table.end[row], m_range.end) - std::max(table.start[row], m_range.start);
            }
        }
        ++m_of_stream[stream].operations;
    }
    static void begin(IntervalSet& set, Ns time, std::vector<Row>* opened_by, Row row)
    {
        if (set.empty() || set.back().end < time) {
            set.push_back({time, time});
            if (opened_by != nullptr) {
                opened_by->push_back(row);
            }
        }
    }
    static void finish(IntervalSet& set, Ns time, std::vector<Row>* opened_by)
    {
        set.back().end = time;
        if (set.back().start == time) {  // an operation without length
            set.pop_back();
            if (opened_by != nullptr) {
                opened_by->pop_back();
            }
        }
    }
    GpuFigures gpu_figures(Device& device)
    {
        GpuFigures figures;
        figures.device = device.intervals.device;
        device.levels.each([&](BusyState state, Ns time) {
            using enum OperationKind;
            const auto add = [time](Ns& figure, bool is_meant) { figure += is_meant ? time : 0; };
            add(figures.busy, state.streams() > 0);
            add(figures.idle, state.streams() == 0);
            add(figures.overlap, state.streams() > 1);
            add(figures.kernel, state.kernels() > 0);
            add(figures.kernel_concurrency, state.kernels() > 1);
            add(figures.copy, state.has_copy());
            add(figures.copy_hidden, state.has_copy() && state.kernels() > 0);
            add(figures.copy_exposed, state.has_copy() && state.kernels() == 0);
            add(figures.memset, state.has(memset));
            add(figures.h2d, state.has(h2d));
            add(figures.d2h, state.has(d2h));
            add(figures.d2d, state.has(d2d));
            add(figures.p2p, state.has(p2p));
            add(figures.h2d_d2h_overlap, state.has(h2d) && state.has(d2h));
        });
        device.communication.move_to(m_range.end);
        figures.communication = device.communication.all();
        figures.communication_exposed = device.communication.exposed();
        return figures;
    }
    OperationFigures figures()
    {
        OperationFigures result;
        result.counts = m_counts;
        result.copied_bytes = m_copied_bytes;
        for (auto& device : m_devices) {
            device.levels.move_to(m_range.end);
            if (device.levels.streams() > 0) {
                finish(device.intervals.busy, m_range.end, &device.intervals.opened_by);
            }
            result.gpus.push_back(gpu_figures(device));
        }
        if (m_all.streams() > 0) {
            finish(m_busy, m_range.end, nullptr);
        }
        m_all.move_to(m_range.end);
        const auto& all = m_devices.size() == 1 ? m_devices.front().levels : m_all;
        all.each([&](BusyState state, Ns time) { result.concurrency[state.streams()] += time; });
        for (Row stream = 0; stream < m_trace.streams.size(); ++stream) {
            if (!m_trace.operations_of(stream).empty()) {
                m_of_stream[stream].stream = stream;
                result.gpus[m_device_of_stream[stream]].streams.push_back(m_of_stream[stream]);
            }
        }
        result.several = std::move(m_busy);
        for (auto& device : m_devices) {
            result.devices.push_back(std::move(device.intervals));
        }
        return result;
    }

    const Trace& m_trace;
    const RecordingBounds& m_bounds;
    Interval m_range;
    const Progress& m_progress;
    BusyLevels m_all;  ///< of all GPUs, where there are several
    IntervalSet m_busy;
    std::vector<Device> m_devices;
    std::vector<std::uint32_t> m_device_of_stream;
    std::vector<StreamFigures> m_of_stream;
    std::vector<Ns> m_busy_since;  ///< by stream, where it is busy
    std::vector<Row> m_open_at_end;
    std::array<std::uint64_t, 7> m_counts {};
    std::uint64_t m_copied_bytes = 0;
    std::uint64_t m_opened = 0;
};

}  // namespace

OperationFigures measure_operations(
    const Trace& trace, const RecordingBounds& bounds, Interval range, const Progress& progress)
{
    return Measuring(trace, bounds, range, progress).run();
}

}  // namespace lanes

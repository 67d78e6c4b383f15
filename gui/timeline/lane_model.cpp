// SPDX-License-Identifier: MIT
#include "gui/timeline/lane_model.h"

#include <QCoreApplication>
#include <map>
#include <numeric>

namespace lanes::gui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(LaneModel)
};

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// What a stream does, for the line under its name.
QString roleOf(const OperationTable& operations, const std::vector<Row>& rows)
{
    bool kernels = false;
    bool copies = false;
    bool up = false;
    bool down = false;
    for (const Row row : rows) {
        const OperationKind kind = operations.kind[row];
        kernels = kernels || kind == OperationKind::kernel;
        copies = copies || is_copy(kind);
        up = up || kind == OperationKind::h2d;
        down = down || kind == OperationKind::d2h;
    }
    if (kernels) {
        return copies ? Texts::tr("compute and copy") : Texts::tr("compute");
    }
    if (copies) {
        return up && !down ? Texts::tr("copy to the GPU") : down && !up ? Texts::tr("copy to the host") : Texts::tr("copy");
    }
    return Texts::tr("memset");
}

template <class T>
std::map<Row, std::vector<Row>> rowsByThread(const std::vector<T>& table)
{
    std::map<Row, std::vector<Row>> rows;
    for (std::size_t i = 0; i < table.size(); ++i) {
        rows[table[i].thread].push_back(static_cast<Row>(i));
    }
    return rows;
}

std::vector<Row> all(std::size_t count)
{
    std::vector<Row> rows(count);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
}

}  // namespace

LaneModel::LaneModel(RecordingPtr recording)
    : m_recording(std::move(recording))
{
    addRibbon();
    addThreads();
    addGpus();
    uniteGpus();
}

Ns LaneModel::duration() const
{
    const Report* report = m_recording->report.get();
    return report != nullptr && report->wall > 0 ? std::min(report->wall, trace().duration) : trace().duration;
}

void LaneModel::addRibbon()
{
    const OperationTable& operations = trace().operations;
    if (operations.size() == 0) {
        return;
    }
    std::vector<std::vector<Interval>> byStream(trace().streams.size());
    for (std::size_t i = 0; i < operations.size(); ++i) {
        byStream[operations.stream[i]].push_back({operations.start[i], operations.end[i]});
    }
    std::vector<IntervalSet> sets;
    for (auto& intervals : byStream) {
        if (!intervals.empty()) {
            sets.push_back(unite(std::move(intervals)));
        }
    }
    Lane lane{{}, Texts::tr("overlap"), {}, {}};
    const auto levels = concurrency(sets, {0, std::max<Ns>(duration(), 1)});
    constexpr std::array roles{ItemRole::overlap1, ItemRole::overlap2, ItemRole::overlap3};
    for (std::uint32_t least = 1; least <= m_atLeast.size(); ++least) {
        IntervalSet& set = m_atLeast[least - 1];
        for (const Level& level : levels) {
            if (level.count < least) {
                continue;
            }
            if (!set.empty() && set.back().end == level.start) {
                set.back().end = level.end;
            } else {
                set.push_back({level.start, level.end});
            }
        }
        LaneRow row(ItemKind::overlap, RowItems(TimeColumn(set, &Interval::start), TimeColumn(set, &Interval::end), roles[least - 1], set.size()));
        row.overlay = least > 1;
        lane.rows.push_back(std::move(row));
    }
    m_lanes.push_back(std::move(lane));
}

void LaneModel::addThreads()
{
    const Trace& t = trace();
    m_hostRoles.reserve(t.host_spans.size());
    for (const HostSpan& span : t.host_spans) {
        m_hostRoles.push_back(span.type == HostSpanRecord::work ? ItemRole::hostWork : ItemRole::hostWait);
    }
    for (const Read& read : t.reads) {
        m_readRoles.push_back(read.wrong_bytes > 0 ? ItemRole::staleRead : ItemRole::read);
    }
    const auto ranges = rowsByThread(t.ranges);
    const auto spans = rowsByThread(t.host_spans);
    const auto reads = rowsByThread(t.reads);
    std::vector<std::vector<Row>> calls(t.threads.size());
    for (std::size_t i = 0; i < t.calls.size(); ++i) {
        if (t.calls.outer[i] == no_row) {
            calls[t.calls.thread[i]].push_back(static_cast<Row>(i));
        }
    }
    const auto& blocked = m_recording->blocking->calls;
    std::vector<std::vector<Row>> blockedOf(t.threads.size());
    for (std::size_t i = 0; i < blocked.size(); ++i) {
        blockedOf[t.calls.thread[blocked[i].call]].push_back(static_cast<Row>(i));
    }
    for (Row thread = 0; thread < t.threads.size(); ++thread) {
        const Thread& info = t.threads[thread];
        Lane lane{{.kind = LaneKind::thread, .process = info.process, .id = info.id}, {}, {}, {}};
        const auto add = [&](ItemKind kind, std::vector<Row> places, TimeColumn start, TimeColumn end, const RoleColumn& role) {
            for (auto& row : splitIntoRows(std::move(places), start, end)) {
                lane.rows.emplace_back(kind, RowItems(start, end, role, std::move(row)));
            }
        };
        const auto of = [thread](const auto& byThread) {
            const auto found = byThread.find(thread);
            return found == byThread.end() ? std::vector<Row>() : found->second;
        };
        add(ItemKind::range, of(ranges), {t.ranges, &Range::start}, {t.ranges, &Range::end}, ItemRole::range);
        add(ItemKind::hostSpan, of(spans), {t.host_spans, &HostSpan::start}, {t.host_spans, &HostSpan::end}, RoleColumn(m_hostRoles));
        add(ItemKind::read, of(reads), {t.reads, &Read::start}, {t.reads, &Read::end}, RoleColumn(m_readRoles));
        const std::size_t firstCalls = lane.rows.size();
        add(ItemKind::call, calls[thread], TimeColumn(t.calls.start), TimeColumn(t.calls.end), ItemRole::call);
        if (!blockedOf[thread].empty()) {
            // Calls of one thread do not overlap, so blocked stretches lie over one row of calls.
            const std::size_t before = lane.rows.size();
            add(ItemKind::blocked, blockedOf[thread], {blocked, &BlockedCall::start}, {blocked, &BlockedCall::end}, ItemRole::blocked);
            for (std::size_t i = before; i < lane.rows.size(); ++i) {
                lane.rows[i].hatched = true;
            }
            lane.rows[before].overlay = before > firstCalls;
            std::rotate(lane.rows.begin() + static_cast<std::ptrdiff_t>(std::min(firstCalls + 1, before)),
                lane.rows.begin() + static_cast<std::ptrdiff_t>(before), lane.rows.end());
        }
        if (lane.rows.empty()) {
            continue;
        }
        const QString name = text(t.text(info.name));
        lane.title = name.isEmpty() ? (info.order == 0 ? Texts::tr("CPU  main thread") : Texts::tr("CPU  thread %1").arg(info.id))
                                    : Texts::tr("CPU  %1").arg(name);
        for (const Process& process : t.processes) {
            if (process.id == info.process) {
                lane.subtitle = text(t.text(process.name));
            }
        }
        if (lane.subtitle.isEmpty()) {
            lane.subtitle = m_recording->isModel() ? Texts::tr("modelled thread") : Texts::tr("process %1").arg(info.process);
        }
        m_lanes.push_back(std::move(lane));
    }
}

Lane LaneModel::streamLane(Row stream, std::vector<Row> operations) const
{
    const Trace& t = trace();
    const Stream& info = t.streams[stream];
    Lane lane{{LaneKind::stream, info.device, info.process, info.context, info.id}, text(t.label_of(info)), roleOf(t.operations, operations), {}};
    if (info.name != 0) {
        lane.subtitle = Texts::tr("stream %1 \u00B7 %2").arg(info.id).arg(lane.subtitle);
    } else if (info.flag == StreamRecord::null) {
        lane.subtitle = Texts::tr("default \u00B7 %1").arg(lane.subtitle);
    }
    const TimeColumn start(t.operations.start);
    const TimeColumn end(t.operations.end);
    for (auto& row : splitIntoRows(std::move(operations), start, end)) {
        lane.rows.emplace_back(ItemKind::operation, RowItems(start, end, RoleColumn(t.operations.kind), std::move(row)));
    }
    lane.busy = LaneBusy(lane.rows);
    return lane;
}

void LaneModel::addGpus()
{
    const Trace& t = trace();
    std::vector<std::vector<Row>> byStream(t.streams.size());
    for (const Row row : all(t.operations.size())) {
        byStream[t.operations.stream[row]].push_back(row);
    }
    std::uint32_t last = no_id;
    for (Row stream = 0; stream < t.streams.size(); ++stream) {
        if (byStream[stream].empty()) {
            continue;
        }
        const std::uint32_t device = t.streams[stream].device;
        if (device != last) {
            last = device;
            Lane header{{.kind = LaneKind::gpu, .device = device}, Texts::tr("GPU %1").arg(device), {}, {}};
            for (const Device& info : t.devices) {
                if (info.id == device) {
                    header.subtitle = text(t.text(info.name));
                }
            }
            m_lanes.push_back(std::move(header));
        }
        m_lanes.push_back(streamLane(stream, std::move(byStream[stream])));
    }
}

void LaneModel::uniteGpus()
{
    std::map<std::uint32_t, std::vector<Interval>> intervals;
    for (const Lane& lane : m_lanes) {
        if (lane.key.kind == LaneKind::stream) {
            auto& all = intervals[lane.key.device];
            for (const LaneRow& row : lane.rows) {
                for (std::size_t i = 0; i < row.items.size(); ++i) {
                    all.push_back({row.items.start(i), row.items.end(i)});
                }
            }
        }
    }
    if (intervals.size() > 1) {
        for (auto& [device, all] : intervals) {
            m_gpuBusy.emplace(device, Coverage(unite(std::move(all))));
        }
    }
}

std::optional<Ns> LaneModel::gpuBusyIn(std::size_t header, Ns start, Ns end) const
{
    if (const auto found = m_gpuBusy.find(m_lanes[header].key.device); found != m_gpuBusy.end()) {
        return found->second.within(Interval{start, end});
    }
    const Lane& ribbon = m_lanes.front();
    if (!m_gpuBusy.empty() || ribbon.key.kind != LaneKind::overlap || ribbon.rows.empty()) {
        return {};
    }
    return ribbon.rows.front().busyIn(start, end);
}

std::optional<ItemPlace> LaneModel::find(ItemRef item) const
{
    if (!item || item.kind == ItemKind::overlap) {
        return {};
    }
    const Ns start = spanOf(*m_recording, item).start;
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        for (std::size_t row = 0; row < m_lanes[lane].rows.size(); ++row) {
            const LaneRow& r = m_lanes[lane].rows[row];
            if (r.kind != item.kind) {
                continue;
            }
            const std::size_t i = r.items.firstStartingAt(start);
            if (i < r.items.size() && r.items.place(i) == item.row) {
                return ItemPlace{lane, row, i};
            }
        }
    }
    return {};
}

}  // namespace lanes::gui

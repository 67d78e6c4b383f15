// SPDX-License-Identifier: MIT
#include "gui/lanes/lane_model.h"

#include "engine/trace/names/device_rows.h"
#include "gui/lanes/lane_kinds.h"
#include "gui/lanes/lane_workers.h"

#include <map>
#include <set>

namespace lanes::gui {

namespace {

constexpr std::size_t worth_threads = 200'000;  // items from which threads save time
constexpr Ns most_of_ranges = 2;  // to where a range may draw out what is shown, of the run's duration

/// Threads that did anything that their lane shows. A file may not say which thread did something: no lane shows that.
std::vector<bool> activeThreads(const Trace& trace, const ShownEvents& shown)
{
    std::vector<bool> active(trace.threads.size());
    const auto look = [&](Row thread, auto isShown) {
        if (thread != no_row && !active[thread]) {
            active[thread] = isShown();
        }
    };
    const auto mark = [&](const auto& table, auto isShown) {
        for (std::size_t i = 0; i < table.size(); ++i) {
            look(table[i].thread, [&] { return isShown(static_cast<Row>(i)); });
        }
    };
    mark(trace.ranges, [&](Row row) { return shown.range(row); });
    mark(trace.host_spans, [&](Row row) { return shown.hostSpan(row); });
    mark(trace.reads, [&](Row row) { return shown.read(row); });
    for (std::size_t i = 0; i < trace.calls.size(); ++i) {
        look(trace.calls.thread[i], [&] { return trace.calls.outer[i] == no_row && shown.call(static_cast<Row>(i)); });
    }
    return active;
}

/// See LaneModel::drawnEnd(), of a run of this duration.
Ns drawnEndOf(const Trace& trace, Ns duration)
{
    Ns end = duration;
    for (const Range& range : trace.ranges) {
        if (!range.open && range.end <= most_of_ranges * duration) {
            end = std::max(end, range.end);
        }
    }
    for (const HostSpan& span : trace.host_spans) {
        end = std::max(end, span.end);
    }
    for (const Read& read : trace.reads) {
        end = std::max(end, read.end);
    }
    return end;
}

}  // namespace

LaneModel::LaneModel(RecordingPtr recording, Rows rows, const LaneChoice& choice)
    : m_recording(std::move(recording))
    , m_choice(choice)
    , m_drawnEnd(drawnEndOf(trace(), duration()))
{
    const auto shown = std::make_shared<const ShownEvents>(*m_recording, m_choice);
    if (trace().operations.size() > 0) {
        m_lanes.emplace_back();
    }
    LaneBuilder::Sources sources;
    CommunicationKernels communicates(trace());
    const std::vector<bool> active = activeThreads(trace(), *shown);
    findDeviceRows(active);
    if (areGpusFirst(trace(), m_choice.order)) {
        addGpus(communicates, *shown, sources);
        addThreads(active, sources.threads);
    } else {
        addThreads(active, sources.threads);
        addGpus(communicates, *shown, sources);
    }
    if (sources.streams.empty() && !m_lanes.empty() && m_lanes.front().key.kind == LaneKind::overlap) {
        m_lanes.erase(m_lanes.begin());  // nothing of the GPUs is shown
        for (LaneBuilder::Source& source : sources.threads) {
            --source.lane;
        }
    }
    std::vector<LaneBuilder::Source>& gpus = sources.gpus;
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        m_lanes[lane].ready = laneKindRow(m_lanes[lane].key.kind).rows == LaneKindRow::Rows::none;
        if (m_lanes[lane].key.kind == LaneKind::gpu) {
            gpus.push_back({lane, m_lanes[lane].key.device});
        }
    }
    m_gpus = gpus.size();
    if (m_gpus == 1) {  // the ribbon has how busy it was
        m_lanes[gpus.front().lane].ready = true;
        gpus.clear();
    }
    m_builder = std::make_shared<LaneBuilder>(m_recording, std::move(communicates), std::move(sources), duration(),
        shown, areFamiliesShown(trace(), m_choice.colours));
    if (rows == Rows::now || (rows == Rows::laterIfMany && isSmall())) {
        if (!isSmall()) {
            LaneWorkers(m_builder, [this](std::vector<LaneRows> made, double) { put(std::move(made)); }).wait();
        } else {
            for (std::size_t piece = 0; piece < m_builder->pieces(); ++piece) {
                put(m_builder->make(piece));
            }
        }
    }
}

bool LaneModel::isSmall() const
{
    return m_builder->items() <= worth_threads;
}

bool LaneModel::isReady() const
{
    return std::all_of(m_lanes.begin(), m_lanes.end(), [](const Lane& lane) { return lane.ready; })
        && (m_shownRanges || !m_builder->sumsUpShown());
}

void LaneModel::put(std::vector<LaneRows> rows)
{
    for (LaneRows& made : rows) {
        if (made.shownRanges) {
            m_shownRanges = std::move(made.shownRanges);
            continue;
        }
        if (made.exposed) {
            m_lanes[made.lane].exposed = std::move(made.exposed);
            continue;
        }
        if (made.gpuBusy) {
            m_gpuBusy.emplace(made.lane, std::move(*made.gpuBusy));
        }
        m_lanes[made.lane].rows = std::move(made.rows);
        m_lanes[made.lane].busy = std::move(made.busy);
        m_lanes[made.lane].ready = true;
    }
}

std::size_t LaneModel::bytes() const
{
    std::size_t sum = m_builder->bytes() + m_lanes.capacity() * sizeof(Lane);
    sum += m_shownRanges ? m_shownRanges->bytes() - m_shownRanges->bounds().bytes() : 0;
    for (const Lane& lane : m_lanes) {
        sum += lane.rows.capacity() * sizeof(LaneRow) + lane.busy.bytes();
        for (const LaneRow& row : lane.rows) {
            sum += row.bytes();
        }
        sum += lane.curve ? lane.curve->bytes() : 0;
        sum += lane.exposed ? lane.exposed->bytes() : 0;
    }
    for (const auto& [header, busy] : m_gpuBusy) {
        sum += busy.set().capacity() * (sizeof(Interval) + sizeof(Ns));
    }
    return sum;
}

Ns LaneModel::duration() const
{
    const Report* report = m_recording->report.get();
    return report != nullptr && report->wall > 0 ? std::min(report->wall, trace().duration) : trace().duration;
}

void LaneModel::findDeviceRows(const std::vector<bool>& active)
{
    const Trace& t = trace();
    for (Row thread = 0; thread < t.threads.size(); ++thread) {
        if (const auto device = device_of_row(t, t.threads[thread]); device != no_id && active[thread]) {
            m_deviceRows[device].push_back(thread);
        }
    }
}

void LaneModel::addThreads(const std::vector<bool>& active, std::vector<LaneBuilder::Source>& sources)
{
    const Trace& t = trace();
    const ThreadOrder order = orderOfThreads(*m_recording, active);
    std::set<std::uint32_t> processes;
    std::map<std::uint32_t, std::size_t> lanesOf;  // by process
    for (Row thread = 0; thread < t.threads.size(); ++thread) {
        if (active[thread] && device_of_row(t, t.threads[thread]) == no_id) {
            processes.insert(t.threads[thread].process);
        }
    }
    for (const auto& process : order.processes) {
        lanesOf[process.process] = process.threads.size();
    }
    for (const Counter& counter : t.counters) {
        if (counter.device == no_id) {
            processes.insert(counter.process);
            ++lanesOf[counter.process];
        }
    }
    const auto addProcess = [&](std::uint32_t process, const std::vector<Row>& threads) {
        if (processes.size() > 1 && lanesOf[process] > 1) {
            addHeader({.kind = LaneKind::process, .process = process});
        }
        for (const Row thread : threads) {
            addThread(thread, sources);
        }
        addCounters(no_id, process);
        processes.erase(process);
    };
    for (const auto& process : order.processes) {
        addProcess(process.process, process.threads);
    }
    for (const Counter& counter : t.counters) {
        if (counter.device == no_id && processes.contains(counter.process)) {
            addProcess(counter.process, {});
        }
    }
    if (!order.others.empty()) {
        addHeader({.kind = LaneKind::others});
    }
    for (const Row thread : order.others) {
        addThread(thread, sources);
    }
    findBackwardThreads();
}

/// Those that ran an operator of the backward pass and are not the first of their process.
void LaneModel::findBackwardThreads()
{
    const Trace& t = trace();
    std::vector<bool> runs(t.threads.size());
    for (const AutogradOperator& op : t.autograd) {
        const Row thread = op.forward_thread != 0 ? t.ranges[op.range].thread : no_row;
        if (thread != no_row && t.threads[thread].id != t.threads[thread].process) {
            runs[thread] = true;
        }
    }
    for (Lane& lane : m_lanes) {
        lane.isBackward = lane.key.kind == LaneKind::thread && runs[lane.row];
    }
}

void LaneModel::addThread(Row thread, std::vector<LaneBuilder::Source>& sources, std::optional<std::uint32_t> device)
{
    const Thread& info = trace().threads[thread];
    Lane lane;
    lane.key = {LaneKind::thread, device.value_or(0), info.process, device ? 1U : 0U, info.id};
    lane.row = thread;
    sources.push_back({m_lanes.size(), thread});
    m_lanes.push_back(std::move(lane));
}

void LaneModel::addCounters(std::uint32_t device, std::optional<std::uint32_t> process)
{
    const auto nameKey = [](std::string_view name) {  // the same in other recordings; FNV-1a
        std::uint32_t key = 2166136261U;
        for (const char c : name) {
            key = (key ^ static_cast<unsigned char>(c)) * 16777619U;
        }
        return key;
    };
    const Trace& t = trace();
    for (Row row = 0; row < t.counters.size(); ++row) {
        const Counter& counter = t.counters[row];
        if (counter.device != device || (process && counter.process != *process)) {
            continue;
        }
        Lane lane;
        lane.key = {LaneKind::counter, device, counter.process, 0, nameKey(t.text(counter.name))};
        lane.row = row;
        lane.curve = std::make_shared<const CounterCurve>(t, row, t.duration);
        m_lanes.push_back(std::move(lane));
    }
}

void LaneModel::addGpus(
    const CommunicationKernels& communicates, const ShownEvents& shown, LaneBuilder::Sources& sources)
{
    const Trace& t = trace();
    const std::vector<StreamKinds> kinds = kindsOfStreams(t, communicates, shown, openedPart(*m_recording));
    std::map<std::uint32_t, std::vector<Row>> streamsOf;  // by device; those that show anything
    for (Row stream = 0; stream < t.streams.size(); ++stream) {
        if (kinds[stream].shown != 0) {
            streamsOf[t.streams[stream].device].push_back(stream);
        }
    }
    for (const Counter& counter : t.counters) {
        if (counter.device != no_id) {
            streamsOf[counter.device];
        }
    }
    for (const auto& [device, rows] : m_deviceRows) {
        streamsOf[device];
    }
    for (const auto& [device, streams] : streamsOf) {
        addHeader({.kind = LaneKind::gpu, .device = device});
        for (const Row row : m_deviceRows[device]) {
            addThread(row, sources.threads, device);
        }
        const StreamOrder order = orderOfStreams(t, kinds, streams);
        if (m_choice.grouping == LaneGrouping::stream) {
            for (const StreamLane& lane : order.lanes) {
                addStream(lane, kinds[lane.stream], sources.streams);
            }
        } else {
            addEngines(device, kinds, streams, sources.streams);
        }
        if (!isOfWorkload(t) && !streams.empty()) {
            addGpuTime(device, sources.gpuTimes);
        }
        addCounters(device, {});
        if (m_choice.grouping == LaneGrouping::stream && !order.quiet.empty()) {
            addHeader(headOverStreams(device));
            for (const StreamLane& lane : order.quiet) {
                addStream(lane, kinds[lane.stream], sources.streams);
            }
        }
    }
}

void LaneModel::addHeader(const LaneKey& key)
{
    Lane header;
    header.key = key;
    m_lanes.push_back(std::move(header));
}

void LaneModel::addStream(const StreamLane& of, const StreamKinds& work, std::vector<LaneBuilder::Source>& sources)
{
    const Stream& info = trace().streams[of.stream];
    Lane lane;
    lane.key = {LaneKind::stream, info.device, info.process, info.context, info.id, of.part};
    lane.row = of.stream;
    lane.work = work;
    lane.isMain = of.isMain;
    lane.marksExposed = of.part == StreamPart::communication || of.part == StreamPart::copies;
    LaneBuilder::Source source {m_lanes.size(), of.stream};
    source.part = work.isOnly(of.part) ? StreamPart::whole : of.part;
    source.marksExposed = lane.marksExposed;
    sources.push_back(source);
    m_lanes.push_back(std::move(lane));
}

void LaneModel::addGpuTime(std::uint32_t device, std::vector<LaneBuilder::Source>& sources)
{
    Lane lane;
    lane.key = {.kind = LaneKind::gpuTime, .device = device};
    sources.push_back({m_lanes.size(), device});
    m_lanes.push_back(std::move(lane));
}

void LaneModel::addEngines(std::uint32_t device, const std::vector<StreamKinds>& kinds, const std::vector<Row>& streams,
    std::vector<LaneBuilder::Source>& sources)
{
    std::map<Engine, std::vector<Row>> byEngine;
    for (const Row stream : streams) {
        for (auto kind = OperationKind::kernel; kind <= OperationKind::memset;
             kind = static_cast<OperationKind>(static_cast<int>(kind) + 1)) {
            if (has(kinds[stream].shown, kind)) {
                byEngine[engineOf(kind)].push_back(stream);
            }
        }
    }
    for (auto& [engine, users] : byEngine) {
        addEngine(device, engine, std::move(users), sources);
    }
}

void LaneModel::addEngine(
    std::uint32_t device, Engine engine, std::vector<Row> streams, std::vector<LaneBuilder::Source>& sources)
{
    Lane lane;
    lane.key = {.kind = LaneKind::engine, .device = device, .id = static_cast<std::uint32_t>(engine)};
    lane.streams = std::move(streams);
    sources.push_back({m_lanes.size(), device, engine});
    m_lanes.push_back(std::move(lane));
}

std::optional<Ns> LaneModel::gpuBusyIn(std::size_t header, Ns start, Ns end) const
{
    if (const auto found = m_gpuBusy.find(header); found != m_gpuBusy.end()) {
        return found->second.within(Interval {start, end});
    }
    if (m_lanes.empty()) {
        return {};
    }
    const Lane& ribbon = m_lanes.front();
    if (m_gpus != 1 || ribbon.key.kind != LaneKind::overlap || ribbon.rows.empty()) {
        return {};
    }
    return ribbon.rows.front().busyIn(start, end);
}

std::optional<ItemPlace> LaneModel::find(ItemRef item) const
{
    if (!isEventOrPart(item.kind)) {
        return {};
    }
    const Ns start = spanOf(*m_recording, item).start;
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        for (std::size_t row = 0; row < m_lanes[lane].rows.size(); ++row) {
            if (const auto i = m_lanes[lane].rows[row].find(item, start)) {
                return ItemPlace {lane, row, *i};
            }
        }
    }
    return {};
}

}  // namespace lanes::gui

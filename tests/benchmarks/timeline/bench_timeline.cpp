// SPDX-License-Identifier: MIT
// How long the timeline takes to repaint: a seeded random recording in the real
// widget, offscreen, 1920x1080, swept from everything to single operations and
// panned at each step to a random operation.
//   bench_timeline [--operations N] [--lanes L] [--skewed] [--layers] [--json] [--each]
// Times are of the wall clock; beside them is the processor time of all threads together,
// which says more on a machine that is doing other things. The index is everything that a
// LaneModel holds beside the recording, ribbon included, made from nothing by as many
// threads as are printed.
#include "gui/lanes/lane_workers.h"
#include "gui/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <optional>
#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <random>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr int width = 1920, height = 1080;
constexpr int zooms = 121, pans = 3;
constexpr Ns silence = 60'000'000'000;
constexpr std::size_t bursts = 10;

/// Streams that are 70 % busy with kernels and copies, each at its own pace. Skewed: the same with a twentieth of the
/// length, in ten bursts with idle minutes between them.
RecordingPtr randomRecording(std::size_t operations, std::size_t lanes, bool skewed)
{
    auto trace = std::make_shared<Trace>();
    std::mt19937_64 random(20261121);
    trace->devices.push_back({});
    trace->kernels.push_back({});
    trace->copies.push_back({});
    OperationTable& t = trace->operations;
    t.start.resize(operations);
    t.end.resize(operations);
    t.stream.resize(operations);
    t.kind.resize(operations);
    t.name.assign(operations, trace->strings.intern("kernel"));
    t.correlation.assign(operations, 0);
    t.call.assign(operations, no_row);
    t.detail.assign(operations, 0);
    std::size_t i = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        trace->streams.push_back({1, 0, 1, static_cast<std::uint32_t>(lane), 0, 0, StreamRecord::non_blocking});
        const std::size_t first = operations * lane / lanes;
        const std::size_t last = operations * (lane + 1) / lanes;
        const Ns shorter = skewed ? 20 : 1;
        Ns now = 0;
        for (std::size_t burst = 0; i < last; ++i) {
            const std::uint64_t dice = random();
            if (skewed && (i - first) * bursts / (last - first) != burst) {
                burst = (i - first) * bursts / (last - first);
                now = static_cast<Ns>(burst) * silence;
            }
            t.start[i] = now + static_cast<Ns>((dice & 0xFFFFU) % 6000) / shorter;
            t.end[i] = t.start[i] + (200 + static_cast<Ns>((dice >> 16 & 0xFFFFU) % 13'600)) / shorter;
            t.stream[i] = static_cast<Row>(lane);
            t.kind[i] = (dice >> 32) % 4 == 0 ? OperationKind::d2h : OperationKind::kernel;
            now = t.end[i];
        }
        trace->duration = std::max(trace->duration, now);
    }
    auto recording = std::make_shared<ShownRecording>();
    recording->trace = trace;
    recording->blocking = std::make_shared<const Blocking>();
    recording->title = "random";
    return recording;
}

double now(clockid_t clock)
{
    timespec t {};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

struct Times {
    const char* name;
    std::vector<double> wall, processor;
    template <class Work> void measure(Work work)
    {
        const double cpu = now(CLOCK_PROCESS_CPUTIME_ID);
        const double start = now(CLOCK_MONOTONIC);
        work();
        wall.push_back(now(CLOCK_MONOTONIC) - start);
        processor.push_back(now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    }
    static double at(std::vector<double>& ms, double share)
    {
        std::sort(ms.begin(), ms.end());
        return ms[std::min(ms.size() - 1, static_cast<std::size_t>(share * static_cast<double>(ms.size())))];
    }
    void print(bool json)
    {
        if (json) {
            std::printf("\"%s_ms\": {\"median\": %.3f, \"p95\": %.3f, \"max\": %.3f}, ", name, at(wall, 0.5),
                at(wall, 0.95), at(wall, 1));
            std::printf("\"%s_cpu_ms\": {\"median\": %.3f, \"p95\": %.3f, \"max\": %.3f}, ", name, at(processor, 0.5),
                at(processor, 0.95), at(processor, 1));
        } else {
            std::printf("%-10s median %7.3f ms   p95 %7.3f ms   max %7.3f ms   (processor: median %7.3f   p95 %7.3f   "
                        "max %7.3f)\n",
                name, at(wall, 0.5), at(wall, 0.95), at(wall, 1), at(processor, 0.5), at(processor, 0.95),
                at(processor, 1));
        }
    }
};

void sendMouse(TimelineView& view, QEvent::Type type, QPointF at)
{
    const bool moves = type == QEvent::MouseMove;
    QMouseEvent event(type, at, view.mapToGlobal(at), moves ? Qt::NoButton : Qt::LeftButton,
        type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&view, &event);
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({{QStringLiteral("operations"), QStringLiteral("operations in all"), QStringLiteral("N"),
                           QStringLiteral("1000000")},
        {QStringLiteral("lanes"), QStringLiteral("streams"), QStringLiteral("L"), QStringLiteral("20")},
        {QStringLiteral("skewed"), QStringLiteral("bursts in long silences")},
        {QStringLiteral("layers"), QStringLiteral("with the critical path and the bars of idle streams shown")},
        {QStringLiteral("json"), QStringLiteral("one line of JSON")},
        {QStringLiteral("each"), QStringLiteral("a line for each zoom as well")}});
    parser.process(application);
    const auto operations
        = static_cast<std::size_t>(std::max(1LL, parser.value(QStringLiteral("operations")).toLongLong()));
    const auto lanes = static_cast<std::size_t>(std::max(1LL, parser.value(QStringLiteral("lanes")).toLongLong()));
    const bool json = parser.isSet(QStringLiteral("json"));
    const RecordingPtr recording = randomRecording(operations, lanes, parser.isSet(QStringLiteral("skewed")));
    const Trace& trace = *recording->trace;

    double indexSeconds = 0;
    double indexProcessorSeconds = 0;
    std::size_t indexBytes = 0;
    {
        const double start = now(CLOCK_MONOTONIC);
        const double cpu = now(CLOCK_PROCESS_CPUTIME_ID);
        const LaneModel model(recording);
        indexSeconds = (now(CLOCK_MONOTONIC) - start) / 1e3;
        indexProcessorSeconds = (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / 1e3;
        indexBytes = model.bytes();
    }

    TimelineView view;
    view.resize(width, height);
    view.show();
    view.timeline().openRecording(recording);
    while (view.timeline().lanes().isIndexing()) {
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
    QApplication::processEvents();
    std::optional<Graph> graph;
    if (parser.isSet(QStringLiteral("layers"))) {
        const double start = now(CLOCK_MONOTONIC);
        graph.emplace(trace, *recording->blocking);
        const auto path = std::make_shared<const ShownPath>(*graph, Interval {0, trace.duration});
        const auto idle = std::make_shared<const IdleReasons>(idle_reasons(*graph, {0, trace.duration}));
        if (!json) {
            std::printf("layers     %zu parts of the critical path, found with the graph and the reasons in %.3f s\n",
                path->parts().size(), (now(CLOCK_MONOTONIC) - start) / 1e3);
        }
        view.timeline().layers().setPath(path);
        view.timeline().layers().setIdle(idle);
        QApplication::processEvents();
    }
    Times repaint {"repaint", {}, {}};
    Times hover {"hover", {}, {}};
    Times selection {"selection", {}, {}};
    std::mt19937_64 random(7);
    const double everything = view.timeline().timeScale().nsPerColumn();
    for (int i = 0; i < zooms; ++i) {
        const double zoom = everything * std::pow(5 / everything, static_cast<double>(i) / (zooms - 1));
        for (int pan = 0; pan < pans; ++pan) {
            const TimeScale scale(zoom);
            const std::int64_t at = scale.columnOf(trace.operations.start[random() % operations]);
            view.timeline().setTimeScale(scale.startingAt(at
                - static_cast<std::int64_t>(
                    random() % static_cast<std::uint64_t>(view.timeline().state().time.columns()))));
            repaint.measure([&] { view.repaint(); });
        }
        if (parser.isSet(QStringLiteral("each"))) {
            std::printf("%14.1f ns a column: %7.3f ms, of the processor %7.3f ms\n", zoom,
                *std::min_element(repaint.wall.end() - pans, repaint.wall.end()),
                *std::min_element(repaint.processor.end() - pans, repaint.processor.end()));
        }
        const QPointF at(400 + static_cast<double>(random() % 1400), 120 + static_cast<double>(random() % 800));
        // As a window system does: the event, then one paint of all that it made stale.
        hover.measure([&] {
            sendMouse(view, QEvent::MouseMove, at);
            QApplication::sendPostedEvents();
        });
        selection.measure([&] {
            sendMouse(view, QEvent::MouseButtonPress, at);
            sendMouse(view, QEvent::MouseButtonRelease, at);
            QApplication::sendPostedEvents();
        });
    }
    const double rate = static_cast<double>(operations) / std::max(indexSeconds, 1e-9);
    const double bytes = static_cast<double>(indexBytes) / static_cast<double>(operations);
    std::printf(json ? "{\"operations\": %zu, \"lanes\": %zu, " : "%zu operations on %zu lanes\n", operations, lanes);
    for (Times* times : {&repaint, &hover, &selection}) {
        times->print(json);
    }
    std::printf(json
            ? "\"index_ops_per_s\": %.0f, \"index_threads\": %u, \"index_cpu_s\": %.3f, \"index_bytes_per_op\": %.3f}\n"
            : "index      %.0f operations/s with %u threads, %.3f s of processor time, %.3f bytes an operation\n",
        rate, LaneWorkers::threadCount(), indexProcessorSeconds, bytes);
    return 0;
}

// SPDX-License-Identifier: MIT
// How long the timeline takes to repaint: a seeded random recording in the real
// widget, offscreen, 1920x1080, swept from everything to single operations and
// panned at each step.
//   bench_timeline [--operations N] [--lanes L] [--skewed] [--json]
#include "gui/timeline/timeline_view.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr int width = 1920, height = 1080;

/// Streams that are 70 % busy with kernels and copies; skewed: nearly all of it in the first hundredth of the time.
RecordingPtr randomRecording(std::size_t operations, std::size_t lanes, bool skewed)
{
    auto trace = std::make_shared<Trace>();
    std::mt19937_64 random(20261121);
    const StringId name = trace->strings.intern("kernel");
    trace->devices.push_back({});
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        trace->streams.push_back({1, 0, 1, static_cast<std::uint32_t>(lane), 0, 0, StreamRecord::non_blocking});
    }
    OperationTable& t = trace->operations;
    for (auto* column : {&t.start, &t.end}) {
        column->resize(operations);
    }
    t.stream.resize(operations);
    t.name.assign(operations, name);
    t.correlation.assign(operations, 0);
    t.call.assign(operations, no_row);
    t.detail.assign(operations, 0);
    t.kind.resize(operations);
    trace->kernels.push_back({});
    trace->copies.push_back({});
    // Lane by lane, each in the order of time, as a Trace has them. Every lane has one operation a step of time.
    const Ns step = 10'000;
    const std::size_t steps = (operations + lanes - 1) / lanes;
    std::size_t i = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        Ns now = 0;
        Ns free = 0;
        for (std::size_t turn = 0; turn < steps && turn * lanes + lane < operations; ++turn, ++i) {
            now += step;
            if (skewed && turn > steps / 2 && turn * 100 / steps != (turn + 1) * 100 / steps) {
                now += step * static_cast<Ns>(steps) / 2;
            }
            t.start[i] = std::max(free, now + static_cast<Ns>(random() % 2000));
            t.end[i] = std::min(t.start[i] + 200 + static_cast<Ns>(random() % 12'600), now + step - static_cast<Ns>(random() % 200));
            t.end[i] = free = std::max(t.end[i], t.start[i] + 1);
            t.stream[i] = static_cast<Row>(lane);
            t.kind[i] = random() % 4 == 0 ? OperationKind::d2h : OperationKind::kernel;
            trace->duration = std::max(trace->duration, t.end[i]);
        }
    }
    auto recording = std::make_shared<Recording>();
    recording->trace = trace;
    recording->blocking = std::make_shared<const Blocking>();
    recording->title = QStringLiteral("random");
    return recording;
}

struct Times {
    std::vector<double> ms;
    void add(qint64 ns) { ms.push_back(static_cast<double>(ns) / 1e6); }
    double at(double share)
    {
        std::sort(ms.begin(), ms.end());
        return ms.empty() ? 0 : ms[std::min(ms.size() - 1, static_cast<std::size_t>(share * static_cast<double>(ms.size())))];
    }
};

void print(const char* name, Times& times, bool json, bool comma)
{
    std::printf(json ? "\"%s\": {\"median\": %.3f, \"p95\": %.3f, \"max\": %.3f}%s" : "%-10s median %7.3f ms   p95 %7.3f ms   max %7.3f ms%s",
        name, times.at(0.5), times.at(0.95), times.at(1), json ? (comma ? ", " : "") : "\n");
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({{QStringLiteral("operations"), QStringLiteral("operations in all"), QStringLiteral("N"), QStringLiteral("1000000")},
        {QStringLiteral("lanes"), QStringLiteral("streams"), QStringLiteral("L"), QStringLiteral("20")},
        {QStringLiteral("skewed"), QStringLiteral("bursts in long silences")}, {QStringLiteral("json"), QStringLiteral("one line of JSON")}});
    parser.process(application);
    const auto operations = static_cast<std::size_t>(std::max(1LL, parser.value(QStringLiteral("operations")).toLongLong()));
    const auto lanes = static_cast<std::size_t>(std::max(1LL, parser.value(QStringLiteral("lanes")).toLongLong()));
    const bool json = parser.isSet(QStringLiteral("json"));
    const RecordingPtr recording = randomRecording(operations, lanes, parser.isSet(QStringLiteral("skewed")));

    // The index alone: rows are split and listed before, as a store that keeps streams apart would have them.
    std::vector<std::vector<Row>> places(lanes);
    for (std::size_t i = 0; i < operations; ++i) {
        places[recording->trace->operations.stream[i]].push_back(static_cast<Row>(i));
    }
    QElapsedTimer timer;
    double indexSeconds = 0;
    std::size_t indexBytes = 0;
    for (auto& rows : places) {
        const RowItems items(TimeColumn(recording->trace->operations.start), TimeColumn(recording->trace->operations.end),
            RoleColumn(recording->trace->operations.kind), std::move(rows));
        timer.start();
        const OccupancyPyramid pyramid(items);
        indexSeconds += static_cast<double>(timer.nsecsElapsed()) / 1e9;
        indexBytes += pyramid.bytes();
    }

    TimelineView view;
    view.resize(width, height);
    view.show();
    view.setRecording(recording);
    QApplication::processEvents();
    Times repaint;
    Times hover;
    const auto paint = [&](Times& times) {
        timer.start();
        view.repaint();
        times.add(timer.nsecsElapsed());
    };
    std::mt19937_64 random(7);
    const double everything = view.timeScale().nsPerColumn();
    const Ns duration = recording->trace->duration;
    const int steps = 121;
    for (int i = 0; i < steps; ++i) {
        const double zoom = everything * std::pow(0.5 / everything * 10, static_cast<double>(i) / (steps - 1));
        for (int pan = 0; pan < 3; ++pan) {
            const TimeScale scale(zoom);
            const std::int64_t last = std::max<std::int64_t>(scale.columnOf(duration) - view.columns(), 1);
            view.setTimeScale(scale.startingAt(i == 0 ? 0 : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(last))));
            paint(repaint);
        }
        const QPointF at(400 + static_cast<double>(random() % 1400), 120 + static_cast<double>(random() % 800));
        QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        timer.start();
        QApplication::sendEvent(&view, &move);
        view.repaint();
        hover.add(timer.nsecsElapsed());
    }
    const double rate = static_cast<double>(operations) / std::max(indexSeconds, 1e-9);
    const double bytes = static_cast<double>(indexBytes) / static_cast<double>(operations);
    if (json) {
        std::printf("{\"operations\": %zu, \"lanes\": %zu, ", operations, lanes);
        print("repaint_ms", repaint, true, true);
        print("hover_ms", hover, true, true);
        std::printf("\"index_ops_per_s\": %.0f, \"index_bytes_per_op\": %.3f}\n", rate, bytes);
    } else {
        std::printf("%zu operations on %zu lanes, %d x %d\n", operations, lanes, width, height);
        print("repaint", repaint, false, false);
        print("hover", hover, false, false);
        std::printf("index      %.1f M operations/s, %.2f bytes an operation\n", rate / 1e6, bytes);
    }
    return 0;
}

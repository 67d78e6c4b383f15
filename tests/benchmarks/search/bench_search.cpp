// SPDX-License-Identifier: MIT
// How long the window does not respond during searches and filtering: the longest pause of the event loop, offscreen.
// `bench_search [CALLS]`, a million calls and as many kernels if not said.
#include "gui/panels/events_panel.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/hit_walk.h"
#include "gui/timeline/query_field.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTableView>
#include <QTimer>

#include <cstdio>
#include <functional>

using namespace lanes;
using namespace lanes::gui;

namespace {

Trace launches(Row count)
{
    Trace trace;
    std::vector<StringId> names;
    for (int i = 0; i < 50; ++i) {
        names.push_back(trace.strings.intern("kernel_" + std::to_string(i)));
    }
    const StringId launch = trace.strings.intern("cudaLaunchKernel");
    trace.threads.push_back({1, 1, 0, 0});
    for (std::uint32_t id = 0; id < 4; ++id) {
        trace.streams.push_back({1, 0, 1, 7 + id, 0, 0, StreamRecord::unknown});
    }
    for (Row row = 0; row < count; ++row) {
        const Ns start = Ns {row} * 4000;
        CallTable& calls = trace.calls;
        calls.start.push_back(start);
        calls.end.push_back(start + 3000);
        calls.thread.push_back(0);
        calls.name.push_back(launch);
        calls.correlation.push_back(row + 1);
        calls.outer.push_back(no_row);
        calls.step.push_back(no_id);
        calls.result.push_back(0);
        calls.api.push_back(ApiCallRecord::runtime);
    }
    for (std::uint32_t stream = 0; stream < 4; ++stream) {
        for (Row call = stream; call < count; call += 4) {
            OperationTable& table = trace.operations;
            const Ns start = Ns {call} * 4000 + 5000;
            table.start.push_back(start);
            table.end.push_back(start + 2000 + call % 7 * 1000);
            table.stream.push_back(stream);
            table.name.push_back(names[call % 50]);
            table.correlation.push_back(call + 1);
            table.call.push_back(call);
            table.detail.push_back(static_cast<Row>(trace.kernels.size()));
            table.kind.push_back(OperationKind::kernel);
            trace.kernels.push_back({names[call % 50], {1, 1, 1}, {1, 1, 1}, 0, 0, 0, 0, 0});
        }
    }
    trace.duration = Ns {count} * 4000 + 20'000;
    return trace;
}

/// Runs `work`, then the event loop until `done`; prints how long both took and the longest pause.
void measure(const char* what, const std::function<void()>& work, const std::function<bool()>& done)
{
    QElapsedTimer whole;
    QElapsedTimer pause;
    qint64 longest = 0;
    whole.start();
    pause.start();
    work();
    for (int quiet = 0; quiet < 20;) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        longest = std::max(longest, pause.nsecsElapsed());
        pause.restart();
        quiet = done() ? quiet + 1 : 0;
    }
    std::printf("  %-44s %7.0f ms, longest pause %6.1f ms\n", what, static_cast<double>(whole.nsecsElapsed()) / 1e6,
        static_cast<double>(longest) / 1e6);
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    const Row count = argc > 1 ? static_cast<Row>(std::strtoul(argv[1], nullptr, 10)) : 1'000'000;
    std::printf("%u calls, %u kernels\n", count, count);
    const OpenRecordingPtr recording = analysed(launches(count), QString());
    Workspace workspace;
    EventsPanel panel;
    panel.observe(&workspace);
    panel.resize(1200, 300);
    panel.show();
    auto* filter = panel.findChild<QueryField*>();
    const auto arranged = [&] { return !panel.model()->busy(); };
    measure(
        "table of all events", [&] { workspace.set({recording}); }, arranged);
    measure(
        "filter: kernel_7", [&] { filter->setText(QStringLiteral("kernel_7")); }, arranged);
    measure(
        "filter: dur>4us", [&] { filter->setText(QStringLiteral("dur>4us")); }, arranged);
    measure(
        "no filter", [&] { filter->clear(); }, arranged);
    measure(
        "sort by name", [&] { panel.table()->sortByColumn(EventsModel::name, Qt::AscendingOrder); }, arranged);
    measure(
        "sort by duration", [&] { panel.table()->sortByColumn(EventsModel::duration, Qt::DescendingOrder); }, arranged);
    measure(
        "select the last event",
        [&] {
            workspace.select(0, {EventTable::operations, count - 1});
        },
        arranged);
    panel.hide();

    ComparisonView view;
    view.resize(1920, 1080);
    const auto found = [&] { return !view.hits()->search()->busy(); };
    const auto ready = [&] { return view.side(0).model() != nullptr && view.side(0).model()->isReady(); };
    const auto open = [&] {
        view.pair().open({recording});
        view.show();
    };
    measure("show the lanes", open, ready);
    measure(
        "search: kernel_7", [&] { view.hits()->search()->setQuery(QStringLiteral("kernel_7")); }, found);
    measure(
        "search: everything", [&] { view.hits()->search()->setQuery(QStringLiteral("dur>0")); }, found);
    measure(
        "next hit", [&] { view.hits()->step(1); }, found);
    measure(
        "zoom out with all hits shown", [&] { view.perform(TimelineAction::showAll); }, found);
    measure(
        "zoom in with all hits shown", [&] { view.perform(TimelineAction::zoomIn); }, found);
    return 0;
}

// SPDX-License-Identifier: MIT
// How the window takes a large recording: one of about 300 MB is made with our own writer, opened in the real
// window, offscreen, used, summed up by name, searched, closed; opened again and cancelled. A timer of 1 ms measures
// how long the event loop is held at most in each phase, and how much of that its thread computed: on a busy machine
// the former is longer by what others take.
//   bench_open [--operations N | --kineto EVENTS | --file FILE] [--json]
// A large file shows its beginning while the rest is read: it is zoomed and panned then.
#include "gui/app/frame/language.h"
#include "gui/app/frame/main_window.h"
#include "gui/panels/summary/summary_model.h"
#include "gui/panels/summary/summary_panel.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/hit_walk.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_view.h"
#include "gui/timeline/worker_pool.h"
#include "tests/benchmarks/large/large_files.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <malloc.h>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QMouseEvent>
#include <QProgressBar>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>

#include <ctime>
#include <utility>

using namespace lanes;
using namespace lanes::gui;

namespace {

double memoryOf(const char* key)
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.startsWith(key)) {
            return line.mid(qstrlen(key)).simplified().split(' ').first().toDouble() / 1024;
        }
    }
    return 0;
}

double residentMiB()
{
    return memoryOf("VmRSS:");
}

void forgetPeak()
{
    QFile file(QStringLiteral("/proc/self/clear_refs"));
    if (file.open(QIODevice::WriteOnly)) {
        file.write("5");
    }
}

/// The longest time in which the event loop did not run, ms; `own`: the most that its thread computed meanwhile.
struct Stall {
    double wall = 0, own = 0;
};

Stall longer(const Stall& a, const Stall& b)
{
    return {std::max(a.wall, b.wall), std::max(a.own, b.own)};
}

double ownMs()
{
    timespec now {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Runs the event loop and keeps the longest time in which it did not run.
class StallMeter : public QObject {
public:
    StallMeter()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(1);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            measure();
            if (m_done && m_done()) {
                m_loop.quit();
            }
        });
    }

    /// `begin`, then the event loop until `done`. Returns the longest stall and sets `seconds`.
    Stall phase(const std::function<void()>& begin, const std::function<bool()>& done, double* seconds = nullptr)
    {
        m_longest = {};
        m_done = done;
        QElapsedTimer all;
        all.start();
        m_since.start();
        m_own = ownMs();
        m_timer.start();
        QTimer::singleShot(0, this, begin);
        QTimer limit;
        limit.setSingleShot(true);
        connect(&limit, &QTimer::timeout, &m_loop, [this] {
            std::fprintf(stderr, "bench_open: a phase does not end\n");
            m_loop.exit(1);
        });
        limit.start(300'000);
        m_loop.exec();
        measure();
        m_timer.stop();
        if (seconds != nullptr) {
            *seconds = static_cast<double>(all.elapsed()) / 1000;
        }
        return m_longest;
    }

private:
    void measure()
    {
        const double own = ownMs();
        m_longest = longer(m_longest, {static_cast<double>(m_since.nsecsElapsed()) / 1e6, own - m_own});
        m_since.start();
        m_own = own;
    }

    QTimer m_timer;
    QElapsedTimer m_since;
    double m_own = 0;
    QEventLoop m_loop;
    std::function<bool()> m_done;
    Stall m_longest;
};

/// True once `for_ms` have passed since it was first asked.
std::function<bool()> after(int for_ms)
{
    auto since = std::make_shared<QElapsedTimer>();
    return [since, for_ms] {
        if (!since->isValid()) {
            since->start();
        }
        return since->elapsed() >= for_ms && workerPool()->activeThreadCount() == 0;
    };
}

void drag(TimelineView& view, QPoint from, QPoint to, int steps)
{
    const auto send = [&](QEvent::Type type, QPoint at, Qt::MouseButton button, Qt::MouseButtons buttons) {
        QMouseEvent event(type, at, view.mapToGlobal(QPointF(at)), button, buttons, Qt::NoModifier);
        QApplication::sendEvent(&view, &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    for (int i = 1; i <= steps; ++i) {
        send(QEvent::MouseMove, from + (to - from) * i / steps, Qt::NoButton, Qt::LeftButton);
        QApplication::processEvents();
    }
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("lanescope-test"));
    QCoreApplication::setApplicationName(QStringLiteral("bench_open"));
    QApplication::setQuitOnLastWindowClosed(false);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({{QStringLiteral("operations"), QStringLiteral("GPU operations of the recording"),
                           QStringLiteral("N"), QStringLiteral("2700000")},
        {QStringLiteral("kineto"), QStringLiteral("a PyTorch trace of N events instead"), QStringLiteral("N")},
        {QStringLiteral("file"), QStringLiteral("an own file instead"), QStringLiteral("FILE")},
        {QStringLiteral("json"), QStringLiteral("one line of JSON")}});
    parser.process(application);
    const auto operations
        = static_cast<std::size_t>(std::max(1000LL, parser.value(QStringLiteral("operations")).toLongLong()));
    const QTemporaryDir folder;
    qputenv("XDG_CACHE_HOME", folder.path().toLocal8Bit());  // nothing is kept yet
    const bool kineto = parser.isSet(QStringLiteral("kineto"));
    const QString made = folder.filePath(kineto ? QStringLiteral("large.json") : QStringLiteral("large.sqlite"));
    const QString path = parser.isSet(QStringLiteral("file")) ? parser.value(QStringLiteral("file")) : made;
    if (kineto) {
        write_large_kineto(
            path.toStdString(), static_cast<std::size_t>(parser.value(QStringLiteral("kineto")).toLongLong()));
    } else if (path == made) {
        write_large_recording(path.toStdString(), operations);
        QDir(folder.filePath(QStringLiteral("lanescope"))).removeRecursively();  // what its writer kept
    }
    malloc_trim(0);

    speak(QStringLiteral("en"));
    StallMeter meter;
    MainWindow window;
    window.resize(1920, 1080);
    window.show();
    meter.phase([] {}, after(500));
    malloc_trim(0);
    const double before = residentMiB();
    forgetPeak();
    const auto idle = [&] { return !window.isBusy() && workerPool()->activeThreadCount() == 0; };

    double firstLanes = 0;
    double all = 0;
    QElapsedTimer opening;
    QTimer moving;
    int moves = 0;
    QObject::connect(&moving, &QTimer::timeout, &window, [&] {
        if (window.workspace().count() == 1) {
            static constexpr std::array actions {TimelineAction::zoomIn, TimelineAction::zoomIn,
                TimelineAction::panRight, TimelineAction::panLeft, TimelineAction::zoomOut, TimelineAction::zoomOut};
            window.timeline().perform(actions[static_cast<std::size_t>(moves++) % actions.size()]);
        }
    });
    moving.start(40);
    const Stall openStall = meter.phase(
        [&] {
            opening.start();
            window.openFiles({path});
        },
        [&] {
            if (firstLanes == 0 && window.workspace().count() == 1 && window.timeline().side(0).model() != nullptr) {
                firstLanes = static_cast<double>(opening.elapsed()) / 1000;
            }
            return window.workspace().count() == 1 && idle();
        },
        &all);
    moving.stop();
    window.timeline().perform(TimelineAction::showAll);
    const double peak = memoryOf("VmHWM:");
    const double open = residentMiB();
    const Trace& trace = *window.workspace().at(0)->trace;
    const std::size_t operationsThere = trace.operations.size();
    const std::size_t items = trace.operations.size() + trace.calls.size() + trace.ranges.size();

    TimelineView& view = *window.timeline().view(0);
    const Stall rangeStall = meter.phase(
        [&] {
            drag(view, {view.timeline().frame().geometry.labelWidth + 100, view.height() - 8},
                {view.width() - 100, view.height() - 8}, 40);
        },
        after(1500));
    const Stall zoomStall = meter.phase(
        [&] {
            for (int i = 0; i < 30; ++i) {
                window.timeline().perform(i < 15 ? TimelineAction::zoomIn : TimelineAction::zoomOut);
                QApplication::processEvents();
            }
        },
        after(1000));
    Stall panelStall;
    for (const char* id : {"go.statistics", "go.events", "go.details", "go.findings"}) {
        panelStall = longer(panelStall, meter.phase([&] { window.action(id)->trigger(); }, after(1500)));
    }
    // Every table of the summary, a row of each chosen, which gathers its durations and marks its events.
    Stall summaryStall;
    auto& summary = *window.findChild<SummaryPanel*>();
    auto& tables = *summary.findChild<QComboBox*>(QStringLiteral("summaryBy"));
    const auto settled = [&, calm = after(300)] {
        return !summary.model()->busy() && !window.timeline().hits()->search()->busy() && calm();
    };
    for (int table = 0; table < tables.count(); ++table) {
        summaryStall = longer(summaryStall,
            meter.phase(
                [&] {
                    window.action("go.summary")->trigger();
                    tables.setCurrentIndex(table);
                    emit tables.activated(table);
                },
                settled));
        summaryStall = longer(summaryStall,
            meter.phase([&] { summary.table()->setCurrentIndex(summary.model()->index(0, 0)); }, settled));
    }
    // Letter by letter, as it is typed; then from hit to hit.
    Stall searchStall;
    SearchBar& bar = *window.timeline().hits()->bar();
    for (const char* query : {"kernel", "dur>10us", "kind:copy", "stream"}) {
        searchStall = longer(searchStall,
            meter.phase(
                [&] {
                    window.action("edit.find")->trigger();
                    bar.field()->clear();
                    for (const char* letter = query; *letter != 0; ++letter) {
                        bar.field()->insert(QString(QLatin1Char(*letter)));
                        QApplication::processEvents();
                    }
                },
                settled));
        searchStall = longer(searchStall,
            meter.phase(
                [&] {
                    for (int i = 0; i < 10; ++i) {
                        window.timeline().hits()->step(1);
                        QApplication::processEvents();
                    }
                },
                settled));
    }
    bar.close();
    const Stall closeStall = meter.phase([&] { window.action("file.close-a")->trigger(); }, after(1500));
    const double closed = residentMiB();
    malloc_trim(0);
    const double trimmed = residentMiB();

    // From what is kept of it.
    double keptFirst = 0;
    double kept = 0;
    const Stall againStall = meter.phase(
        [&] {
            opening.start();
            window.openFiles({path});
        },
        [&] {
            if (keptFirst == 0 && window.workspace().count() == 1 && window.timeline().side(0).model() != nullptr) {
                keptFirst = static_cast<double>(opening.elapsed()) / 1000;
            }
            return window.workspace().count() == 1 && idle();
        },
        &kept);
    meter.phase([&] { window.action("file.close-a")->trigger(); }, after(1500));
    QDir(folder.filePath(QStringLiteral("lanescope"))).removeRecursively();

    double cancelSeconds = 0;
    QElapsedTimer cancelled;
    bool asked = false;
    const Stall cancelStall = meter.phase([&] { window.openFiles({path}); },
        [&] {
            const auto* progress = window.findChild<QProgressBar*>();
            if (!asked && progress->maximum() > 0 && progress->value() * 10 > progress->maximum() * 4) {
                asked = true;
                window.action("run.cancel")->trigger();
                cancelled.start();
            }
            return asked && idle();
        });
    cancelSeconds = static_cast<double>(cancelled.elapsed()) / 1000;
    meter.phase([] {}, after(300));
    const double afterCancel = residentMiB();
    // Once more, to tell what the allocator keeps from what accumulates.
    meter.phase([&] { window.openFiles({path}); }, [&] { return window.workspace().count() == 1 && idle(); });
    meter.phase([&] { window.action("file.close-a")->trigger(); }, after(1500));
    const double again = residentMiB();

    const double size = static_cast<double>(QFileInfo(path).size()) / 1e6;
    const std::array phases {std::pair("open", openStall), std::pair("range", rangeStall), std::pair("zoom", zoomStall),
        std::pair("panels", panelStall), std::pair("summary", summaryStall), std::pair("search", searchStall),
        std::pair("close", closeStall), std::pair("again", againStall), std::pair("cancel", cancelStall)};
    Stall longest;
    QString listed;
    const bool json = parser.isSet(QStringLiteral("json"));
    for (const auto& [name, stall] : phases) {
        longest = longer(longest, stall);
        listed += QStringLiteral(", ").repeated(listed.isEmpty() ? 0 : 1)
            + (json ? QStringLiteral("\"%1\": [%2, %3]") : QStringLiteral("%1 %2 (%3)"))
                  .arg(QLatin1String(name))
                  .arg(stall.wall, 0, 'f', 0)
                  .arg(stall.own, 0, 'f', 0);
    }
    if (json) {
        std::printf(
            "{\"operations\": %zu, \"items\": %zu, \"moves\": %d, \"file_mb\": %.0f, \"longest_stall_ms\": %.0f, "
            "\"longest_own_ms\": %.0f, \"stall_ms\": {%s}, \"first_lanes_s\": %.2f, \"open_s\": %.2f, "
            "\"again_first_lanes_s\": %.2f, \"again_s\": %.2f, "
            "\"cancel_s\": %.3f, \"memory_mib\": {\"before\": %.0f, \"peak\": %.0f, \"open\": %.0f, \"closed\": %.0f, "
            "\"closed_trimmed\": %.0f, \"cancelled\": %.0f, \"closed_again\": %.0f}}\n",
            operationsThere, items, moves, size, longest.wall, longest.own, qPrintable(listed), firstLanes, all,
            keptFirst, kept, cancelSeconds, before, peak, open, closed, trimmed, afterCancel, again);
        return 0;
    }
    std::printf("%zu operations, %zu with calls and ranges, %.0f MB at %.0f MB/s, at most %.0f bytes of each; moved %d "
                "times meanwhile\n",
        operationsThere, items, size, size / all, (peak - before) * 1048576 / static_cast<double>(items), moves);
    std::printf("longest stall %.0f ms (%.0f of its own thread): %s\n", longest.wall, longest.own, qPrintable(listed));
    std::printf("first lanes after %.2f s, all after %.2f s; opened again %.2f and %.2f s; idle %.3f s after Cancel\n",
        firstLanes, all, keptFirst, kept, cancelSeconds);
    std::printf("memory, MiB: %.0f before, %.0f at most, %.0f open, %.0f closed, %.0f with all caches returned, %.0f "
                "after Cancel, %.0f opened and closed again\n",
        before, peak, open, closed, trimmed, afterCancel, again);
    return 0;
}

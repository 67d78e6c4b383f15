// SPDX-License-Identifier: MIT
// How the window takes a large recording: one of about 300 MB is made with our own writer, opened in the real
// window, offscreen, used, closed; opened again and cancelled. A timer of 1 ms measures how long the event loop
// stands at most in each phase.
//   bench_open [--operations N | --kineto EVENTS | --file FILE] [--json]
// A large file shows its beginning while the rest is read: it is zoomed and panned then.
#include "gui/app/language.h"
#include "gui/app/main_window.h"
#include "gui/timeline/comparison_view.h"
#include "tests/benchmarks/large/large_files.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <malloc.h>
#include <QAction>
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QMouseEvent>
#include <QProgressBar>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QThreadPool>
#include <QTimer>

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

/// Runs the event loop and keeps the longest time in which it did not turn.
class StallMeter : public QObject {
public:
    StallMeter()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(1);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            m_longest = std::max(m_longest, m_since.restart());
            if (m_done && m_done()) {
                m_loop.quit();
            }
        });
    }

    /// `begin`, then the event loop until `done`. Returns the longest stall in ms and sets `seconds`.
    qint64 phase(const std::function<void()>& begin, const std::function<bool()>& done, double* seconds = nullptr)
    {
        m_longest = 0;
        m_done = done;
        QElapsedTimer all;
        all.start();
        m_since.start();
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
        m_longest = std::max(m_longest, m_since.elapsed());
        m_timer.stop();
        if (seconds != nullptr) {
            *seconds = static_cast<double>(all.elapsed()) / 1000;
        }
        return m_longest;
    }

private:
    QTimer m_timer;
    QElapsedTimer m_since;
    QEventLoop m_loop;
    std::function<bool()> m_done;
    qint64 m_longest = 0;
};

/// True once `for_ms` have passed since it was first asked.
std::function<bool()> after(int for_ms)
{
    auto since = std::make_shared<QElapsedTimer>();
    return [since, for_ms] {
        if (!since->isValid()) {
            since->start();
        }
        return since->elapsed() >= for_ms && QThreadPool::globalInstance()->activeThreadCount() == 0;
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
        {QStringLiteral("kineto"), QStringLiteral("a PyTorch trace of so many events instead"), QStringLiteral("N")},
        {QStringLiteral("file"), QStringLiteral("an own file instead"), QStringLiteral("FILE")},
        {QStringLiteral("json"), QStringLiteral("one line of JSON")}});
    parser.process(application);
    const auto operations
        = static_cast<std::size_t>(std::max(1000LL, parser.value(QStringLiteral("operations")).toLongLong()));
    const QTemporaryDir folder;
    qputenv("XDG_CACHE_HOME", folder.path().toLocal8Bit());  // of what is kept nothing is there yet
    const bool kineto = parser.isSet(QStringLiteral("kineto"));
    const QString made = folder.filePath(kineto ? QStringLiteral("large.json") : QStringLiteral("large.sqlite"));
    const QString path = parser.isSet(QStringLiteral("file")) ? parser.value(QStringLiteral("file")) : made;
    if (kineto) {
        write_large_kineto(
            path.toStdString(), static_cast<std::size_t>(parser.value(QStringLiteral("kineto")).toLongLong()));
    } else if (path == made) {
        write_large_recording(path.toStdString(), operations);
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
    const auto idle = [&] { return !window.isBusy() && QThreadPool::globalInstance()->activeThreadCount() == 0; };

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
    const qint64 openStall = meter.phase(
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
    const qint64 rangeStall = meter.phase(
        [&] {
            drag(view, {view.timeline().frame().geometry.labelWidth + 100, view.height() - 8},
                {view.width() - 100, view.height() - 8}, 40);
        },
        after(1500));
    const qint64 zoomStall = meter.phase(
        [&] {
            for (int i = 0; i < 30; ++i) {
                window.timeline().perform(i < 15 ? TimelineAction::zoomIn : TimelineAction::zoomOut);
                QApplication::processEvents();
            }
        },
        after(1000));
    qint64 panelStall = 0;
    for (const char* id : {"go.statistics", "go.events", "go.details", "go.findings"}) {
        panelStall = std::max(panelStall, meter.phase([&] { window.action(id)->trigger(); }, after(1500)));
    }
    const qint64 closeStall = meter.phase([&] { window.action("file.close-a")->trigger(); }, after(1500));
    const double closed = residentMiB();
    malloc_trim(0);
    const double trimmed = residentMiB();

    // From what was kept of it.
    double keptFirst = 0;
    double kept = 0;
    meter.phase(
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
    const qint64 cancelStall = meter.phase([&] { window.openFiles({path}); },
        [&] {
            const auto* bar = window.findChild<QProgressBar*>();
            if (!asked && bar->maximum() > 0 && bar->value() * 10 > bar->maximum() * 4) {
                asked = true;
                window.action("run.cancel")->trigger();
                cancelled.start();
            }
            return asked && idle();
        });
    cancelSeconds = static_cast<double>(cancelled.elapsed()) / 1000;
    meter.phase([] {}, after(300));
    const double afterCancel = residentMiB();
    // Once more, to tell what the allocator keeps from what would pile up.
    meter.phase([&] { window.openFiles({path}); }, [&] { return window.workspace().count() == 1 && idle(); });
    meter.phase([&] { window.action("file.close-a")->trigger(); }, after(1500));
    const double again = residentMiB();

    const double size = static_cast<double>(QFileInfo(path).size()) / 1e6;
    const qint64 longest = std::max({openStall, rangeStall, zoomStall, panelStall, closeStall, cancelStall});
    if (parser.isSet(QStringLiteral("json"))) {
        std::printf(
            "{\"operations\": %zu, \"items\": %zu, \"moves\": %d, \"file_mb\": %.0f, \"longest_stall_ms\": %lld, "
            "\"stall_ms\": {\"open\": %lld, "
            "\"range\": %lld, "
            "\"zoom\": %lld, \"panels\": %lld, \"close\": %lld, \"cancel\": %lld}, \"first_lanes_s\": %.2f, "
            "\"open_s\": %.2f, \"again_first_lanes_s\": %.2f, \"again_s\": %.2f, "
            "\"cancel_s\": %.3f, \"memory_mib\": {\"before\": %.0f, \"peak\": %.0f, \"open\": %.0f, \"closed\": %.0f, "
            "\"closed_trimmed\": %.0f, \"cancelled\": %.0f, \"closed_again\": %.0f}}\n",
            operationsThere, items, moves, size, static_cast<long long>(longest), static_cast<long long>(openStall),
            static_cast<long long>(rangeStall), static_cast<long long>(zoomStall), static_cast<long long>(panelStall),
            static_cast<long long>(closeStall), static_cast<long long>(cancelStall), firstLanes, all, keptFirst, kept,
            cancelSeconds, before, peak, open, closed, trimmed, afterCancel, again);
        return 0;
    }
    std::printf("%zu operations, %zu with calls and ranges, %.0f MB at %.0f MB/s, at most %.0f bytes of each; moved %d "
                "times meanwhile\n",
        operationsThere, items, size, size / all, (peak - before) * 1048576 / static_cast<double>(items), moves);
    std::printf("longest stall %lld ms: open %lld, range %lld, zoom %lld, panels %lld, close %lld, cancel %lld\n",
        static_cast<long long>(longest), static_cast<long long>(openStall), static_cast<long long>(rangeStall),
        static_cast<long long>(zoomStall), static_cast<long long>(panelStall), static_cast<long long>(closeStall),
        static_cast<long long>(cancelStall));
    std::printf("first lanes after %.2f s, all after %.2f s; opened again %.2f and %.2f s; idle %.3f s after Cancel\n",
        firstLanes, all, keptFirst, kept, cancelSeconds);
    std::printf("memory, MiB: %.0f before, %.0f at most, %.0f open, %.0f closed, %.0f with all caches returned, %.0f "
                "after Cancel, %.0f opened and closed again\n",
        before, peak, open, closed, trimmed, afterCancel, again);
    return 0;
}

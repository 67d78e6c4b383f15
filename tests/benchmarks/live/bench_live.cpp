// SPDX-License-Identifier: MIT
// How soon the picture follows a knob: the real window, offscreen, each workload run on
// the model with its first and last variant, then every slider dragged by the mouse from
// one end to the other and back; the time is from the mouse event to the painted lanes
// of the new recordings, figures and findings included.
//   bench_live [--json] [--moves N] [--most N] [--size WxH] [WORKLOAD...]
// A move that changes no recording (of a parameter that a variant does not use) is not
// a sample. Operations are those of both recordings together, the most of all samples;
// samples with more than --most (2,000) are left out and counted.
#include "engine/workload/catalogue.h"
#include "gui/app/frame/main_window.h"
#include "gui/panels/parameter_field.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/quantity_slider.h"
#include "gui/panels/workload_list.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline_view.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr qint64 patience_ms = 20'000;

double processorMs()
{
    timespec t {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

/// Notes when each view was painted last.
class PaintWatch final : public QObject {
    Q_OBJECT
public:
    explicit PaintWatch(MainWindow& window)
    {
        for (const int side : {0, 1}) {
            window.timeline().view(side)->installEventFilter(this);
        }
    }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint) {
            auto* view = static_cast<TimelineView*>(watched);
            view->removeEventFilter(this);
            QApplication::sendEvent(view, event);
            view->installEventFilter(this);
            m_painted[watched] = view->timeline().recording();
            return true;
        }
        return false;
    }
    bool shows(MainWindow& window) const
    {
        for (int side = 0; side < window.workspace().count(); ++side) {
            const auto found = m_painted.find(window.timeline().view(side));
            if (found == m_painted.end() || found->second != window.workspace().at(side)) {
                return false;
            }
        }
        return true;
    }

private:
    std::map<QObject*, RecordingPtr> m_painted;
};

struct Sample {
    double wall, processor;
};

double at(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return values.empty()
        ? 0
        : values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

std::size_t operationsIn(Workspace& session)
{
    std::size_t sum = 0;
    for (const OpenRecordingPtr& recording : session.recordings()) {
        sum += recording->trace->operations.size();
    }
    return sum;
}

void send(QWidget& widget, QEvent::Type type, QPointF at)
{
    QMouseEvent event(type, at, widget.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
        type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

template <class Condition> bool waitFor(Condition condition)
{
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > patience_ms) {
            return false;
        }
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    }
    return true;
}

/// Waits for all that follows a picture: deferred layouts, the check of the workload.
void settle(MainWindow& window)
{
    waitFor([&] { return !window.isFollowing(); });
    for (int turn = 0; turn < 3; ++turn) {
        QApplication::sendPostedEvents();
        QApplication::processEvents();
    }
}

class Bench {
public:
    Bench(MainWindow& window, int moves, std::size_t most)
        : m_window(window)
        , m_watch(window)
        , m_moves(moves)
        , m_most(most)
    {
    }

    void measure(const QString& workload)
    {
        m_samples.clear();
        m_operations = m_left = m_same = 0;
        m_window.findChild<WorkloadList*>()->select(workload);
        settle(m_window);
        m_window.action("run.run")->trigger();
        waitFor([&] { return !m_window.isBusy() && m_watch.shows(m_window); });
        settle(m_window);
        QStringList fields;
        for (const ParameterField* field : form().findChildren<ParameterField*>()) {
            fields += field->objectName();
        }
        for (const QString& field : fields) {
            drag(field);
        }
    }

    void print(const QString& workload, bool json) const
    {
        std::vector<double> wall;
        std::vector<double> processor;
        for (const Sample& sample : m_samples) {
            wall.push_back(sample.wall);
            processor.push_back(sample.processor);
        }
        std::printf(json ? "{\"workload\": \"%s\", \"samples\": %zu, \"operations\": %zu, \"left_out\": %zu, \"same\": "
                           "%zu, \"move_to_picture_ms\": "
                           "{\"median\": %.2f, \"p95\": %.2f, \"max\": %.2f}, \"processor_ms\": {\"median\": %.2f, "
                           "\"p95\": %.2f, \"max\": %.2f}}\n"
                         : "%-22s %4zu moves, up to %5zu operations (%zu larger, %zu the same): median %6.2f ms   p95 "
                           "%6.2f ms   max %6.2f ms   "
                           "(processor: median %6.2f   p95 %6.2f   max %6.2f)\n",
            qPrintable(workload), wall.size(), m_operations, m_left, m_same, at(wall, 0.5), at(wall, 0.95), at(wall, 1),
            at(processor, 0.5), at(processor, 0.95), at(processor, 1));
        std::fflush(stdout);
    }

private:
    ParameterForm& form() { return *m_window.findChild<ParameterForm*>(); }

    /// From the slider's left end to its right one and back to where it was. A move may replace the
    /// widget.
    void drag(const QString& name)
    {
        const auto sliderOf = [&]() -> QuantitySlider* {
            auto* field = form().findChild<ParameterField*>(name);
            return field ? field->findChild<QuantitySlider*>() : nullptr;
        };
        QuantitySlider* slider = sliderOf();
        if (slider == nullptr) {
            return;
        }
        const int before = slider->value();
        const double y = slider->height() / 2.0;
        send(*slider, QEvent::MouseButtonPress, {2, y});
        settle(m_window);
        for (int i = 1; i <= m_moves && (slider = sliderOf()) != nullptr; ++i) {
            move(*slider, {2 + (slider->width() - 4.0) * i / m_moves, y});
        }
        if ((slider = sliderOf()) != nullptr) {
            send(*slider, QEvent::MouseButtonRelease, {slider->width() - 2.0, y});
            slider->setValue(before);
        }
        settle(m_window);
    }

    void move(QuantitySlider& slider, QPointF to)
    {
        Workspace& session = m_window.workspace();
        const std::vector<OpenRecordingPtr> shown = session.recordings();
        const int value = slider.value();
        const double cpu = processorMs();
        QElapsedTimer timer;
        timer.start();
        send(slider, QEvent::MouseMove, to);
        if (slider.value() == value) {
            return;
        }
        const bool came = waitFor([&] { return !m_window.isFollowing() && m_watch.shows(m_window); });
        const Sample sample {static_cast<double>(timer.nsecsElapsed()) / 1e6, processorMs() - cpu};
        if (!came) {
            std::fprintf(stderr, "no picture after %lld ms\n", static_cast<long long>(patience_ms));
        }
        const std::size_t operations = operationsIn(session);
        if (session.recordings() == shown) {
            ++m_same;
        } else if (operations > m_most) {
            ++m_left;
        } else {
            m_samples.push_back(sample);
            m_operations = std::max(m_operations, operations);
        }
        settle(m_window);
    }

    MainWindow& m_window;
    PaintWatch m_watch;
    int m_moves;
    std::size_t m_most;
    std::vector<Sample> m_samples;
    std::size_t m_operations = 0, m_left = 0, m_same = 0;
};

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    const QTemporaryDir settings;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    const QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("lanescope-bench"));
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({{QStringLiteral("json"), QStringLiteral("one line of JSON a workload")},
        {QStringLiteral("moves"), QStringLiteral("mouse moves a slider"), QStringLiteral("N"), QStringLiteral("20")},
        {QStringLiteral("most"), QStringLiteral("operations"), QStringLiteral("N"), QStringLiteral("2000")},
        {QStringLiteral("size"), QStringLiteral("of the window"), QStringLiteral("WxH"), QStringLiteral("1440x900")}});
    parser.addPositionalArgument(QStringLiteral("workload"), QStringLiteral("names; all where there is none"));
    parser.process(application);
    const QStringList size = parser.value(QStringLiteral("size")).split(QLatin1Char('x'));

    MainWindow window;
    window.resize(size.value(0).toInt(), size.value(1).toInt());
    window.show();
    QStringList workloads = parser.positionalArguments();
    if (workloads.isEmpty()) {
        for (const std::string& name : catalogue_names()) {
            workloads += QString::fromStdString(name);
        }
    }
    Bench bench(window, parser.value(QStringLiteral("moves")).toInt(),
        static_cast<std::size_t>(parser.value(QStringLiteral("most")).toLongLong()));
    for (const QString& workload : workloads) {
        bench.measure(workload);
        bench.print(workload, parser.isSet(QStringLiteral("json")));
    }
    return 0;
}

#include "bench_live.moc"

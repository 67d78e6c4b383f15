// SPDX-License-Identifier: MIT
// The states that trials of commands begin in, and what they ask of the window afterwards.
#pragma once

#include "tests/gui/app/command_trials/trials.h"

#include "engine/job/job_file.h"
#include "engine/job/summarize.h"
#include "engine/store/recording_file.h"
#include "gui/app/frame/code_column.h"
#include "gui/app/frame/language.h"
#include "gui/app/frame/legend_strip.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/learn/gallery_list.h"
#include "gui/app/learn/step_through.h"
#include "gui/app/ranks/job_view.h"
#include "gui/app/record/live_recording.h"
#include "gui/app/record/monitor_strip.h"
#include "gui/app/run/device_choice.h"
#include "gui/paint/words/lane_names.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/panels/code_panel.h"
#include "gui/panels/editor/workload_editor.h"
#include "gui/panels/editor/yaml_edit.h"
#include "gui/panels/ranks/heat_view.h"
#include "gui/panels/ranks/rank_table.h"
#include "gui/panels/step_bar.h"
#include "gui/panels/variants_panel.h"
#include "gui/panels/workload_list.h"
#include "gui/timeline/difference_strip.h"
#include "gui/timeline/hit_walk.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QStatusBar>
#include <QTabWidget>
#include <QTest>

#include <cmath>

namespace lanes::gui::trial_states {

using S = TrialStage;

constexpr auto nothing = [](S&) {};
constexpr auto one = [](S& s) { s.openOne(); };
constexpr auto two = [](S& s) { s.openTwo(); };
/// A job of two ranks: two recordings of one program, none a copy of the other.
inline void job(S& s)
{
    std::vector<RankSummary> ranks;
    for (const std::string gpu : {"h200", "h100"}) {
        const std::string file = qEnvironmentVariable("LANES_RESOURCES").toStdString() + "/recordings/" + gpu
            + "/copy-results-back.overlapped.sqlite";
        ranks.push_back(summarize(open_recording(file), file).front());
        ranks.back().identity.rank = static_cast<int>(ranks.size()) - 1;
    }
    save_ranks(ranks, nullptr, s.file("job.lanes").toStdString());
    s.window().openFiles({s.file("job.lanes")});
    QTRY_VERIFY(s.window().findChild<JobView*>()->job() != nullptr && !s.window().isBusy());
}
constexpr auto operation = [](S& s) { s.selectOperation(); };
constexpr auto call = [](S& s) { s.selectCall(); };
constexpr auto range = [](S& s) { s.selectRange(); };

inline auto scopeIs(Scope::Of of)
{
    return [of](S& s) { return s.window().workspace().scope().of == of; };
}

inline std::string lessonOf(S& s)
{
    const OpenRecordingPtr first = s.window().workspace().at(0);
    return first && first->workload ? first->workload->name : std::string();
}

/// One recording, the first operation of that kind selected.
inline void selectFirst(S& s, OperationKind kind)
{
    s.openOne();
    const auto& kinds = s.side().model()->trace().operations.kind;
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    s.side().select({ItemKind::operation, static_cast<Row>(found - kinds.begin())});
    QVERIFY(!s.side().predicting().wish());
}
constexpr auto kernel = [](S& s) { selectFirst(s, OperationKind::kernel); };
constexpr auto copyToHost = [](S& s) { selectFirst(s, OperationKind::d2h); };

/// Of what is selected, and of no other stream than that.
inline auto wished(const Wish& expected)
{
    return [expected](S& s) {
        const auto& wish = s.side().predicting().wish();
        return wish && wish->what == expected.what && wish->times == expected.times && s.view().hasFocus()
            && (expected.what == Wish::Of::stream) == (wish->stream != no_row);
    };
}
inline void takenBack(S& s)
{
    const auto isSaid = [&s] {  // all of it, or that nothing would change
        const QString said = s.side().predicting().ghost().said.join(QLatin1Char(' '));
        return !said.isEmpty() && !said.contains(QChar(0x2026));
    };
    QTRY_VERIFY(isSaid());
    const ItemRef selected = s.side().selection();
    QTest::keyClick(&s.view(), Qt::Key_Escape);
    QVERIFY(!s.side().predicting().isShown());
    QCOMPARE(s.side().selection(), selected);
}

/// One recording, zoomed in three times.
inline void zoomedIn(S& s)
{
    s.openOne();
    for (int i = 0; i < 3; ++i) {
        QTest::keyClick(&s.view(), Qt::Key_W);
    }
}

/// One recording with more lanes than room, scrolled a little.
inline void scrolled(S& s)
{
    s.openTwo();
    auto* rows = s.window().findChild<QSplitter*>(QStringLiteral("rows"));
    rows->setSizes({200, 500});
    emit rows->splitterMoved(200, 1);  // as by a hand: the window leaves it so
    QCoreApplication::processEvents();  // the layout follows the splitter
    s.side().scrollTo(2);
    QVERIFY(s.side().state().scroll == 2);
}

inline WorkloadEditor& editor(S& s)
{
    return *s.window().findChild<WorkloadEditor*>();
}

inline QByteArray written(S& s)
{
    QFile file(s.file("own.yaml"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A workload of the user's own, chosen.
inline void ownWorkload(S& s)
{
    QFile file(s.file("own.yaml"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("title: {en: My own}\nthreads: {main: [{cpu: {time: 1 ms}}]}\n");
    file.close();
    s.window().openFiles({file.fileName()});
    QVERIFY(s.window().action("run.forget")->isEnabled());
}

/// Its text, changed and not saved.
inline void editedOwn(S& s)
{
    ownWorkload(s);
    s.window().action("run.edit")->trigger();
    editor(s).edit()->moveCursor(QTextCursor::Start);
    QTest::keyClicks(editor(s).edit(), QStringLiteral("# changed "));
    QVERIFY(s.window().action("run.save")->isEnabled());
}

inline LiveRecording& recorder(S& s)
{
    return *s.window().findChild<LiveRecording*>();
}
inline MonitorStrip& strip(S& s)
{
    return *s.window().findChild<MonitorStrip*>();
}

/// A program recorded by a script in the place of `lanes`, which returns a shipped recording, unless the program is to
/// wait: then it goes on.
inline auto recorded(const char* what)
{
    const bool waits = QByteArray(what).endsWith("wait");
    return [waits](S& s) {
        QFile lanes(s.file("lanes"));
        QVERIFY(lanes.open(QIODevice::WriteOnly));
        lanes.write("#!/bin/sh\necho said\n"
                    "case \"$*\" in *wait*) exec sleep 60;; *) exec cp \"$LANES_RESOURCES/recordings/h200/"
                    "copy-results-back.blocking.sqlite\" \"$3\";; esac\n");
        lanes.close();
        lanes.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("LANES_PROGRAM", QFile::encodeName(s.file("lanes")));
        RecordSettings settings;
        settings.command = waits ? QStringLiteral("sh wait") : QStringLiteral("sh");
        settings.folder = s.file("");
        recorder(s).start(settings);
        if (!waits) {
            QTRY_VERIFY(s.window().workspace().count() == 1 && !s.window().isBusy());
        }
        QVERIFY(s.window().action("run.record-output")->isEnabled());
    };
}

/// A search for the kernels, answered.
inline void kernelsFound(S& s)
{
    s.openOne();
    s.timeline().hits()->search()->setQuery(QStringLiteral("kind:kernel"));
    QTRY_VERIFY(s.view().hits());
}

/// One recording with a lane hidden.
inline void hidden(S& s)
{
    s.selectOperation();
    s.view().perform(TimelineAction::hideLane);
    QVERIFY(s.side().lanes().layout().hidden() == 1);
}

inline const LaneArrangement& arrangement(S& s)
{
    return s.side().state().arrangement;
}

inline LaneKey laneOfSelection(S& s)
{
    const auto place = s.side().model()->find(s.before.selection);
    return s.side().model()->lanes()[place->lane].key;
}

/// A thread in five frames of Python and a call, which is selected.
inline void deepStack(S& s)
{
    QByteArray events;
    for (int depth = 0; depth < 5; ++depth) {
        events += QStringLiteral(R"({"ph":"X","cat":"python_function","name":"run.py(%1): f","pid":1,"tid":1,)"
                                 R"("ts":%1,"dur":%2},)")
                      .arg(depth)
                      .arg(100 - 2 * depth)
                      .toUtf8();
    }
    QFile file(s.file("stack.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"traceEvents":[)" + events
        + R"({"ph":"X","cat":"cuda_runtime","name":"cudaMalloc","pid":1,"tid":1,"ts":20,"dur":40}]})");
    file.close();
    s.window().openFiles({file.fileName()});
    QTRY_COMPARE(s.window().workspace().count(), 1);
    s.window().action("go.timeline")->trigger();
    s.side().select({ItemKind::call, 0});
}

inline double topOfSelection(S& s)
{
    return boxOf(s.side().frame(), s.before.selection)->top();
}

/// The nth lane of that kind in recorded order.
inline int topOfLane(S& s, LaneKind kind, int nth)
{
    const auto& lanes = s.side().model()->lanes();
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (lanes[i].key.kind == kind && nth-- == 0) {
            return s.side().frame().yOf(*s.side().lanes().layout().find(i));
        }
    }
    return 0;
}

inline QLineEdit* markField(S& s)
{
    return s.view().findChild<QLineEdit*>(QStringLiteral("markField"));
}

/// Marks before and after what is shown.
inline void markedAside(S& s)
{
    s.openOne();
    const Ns duration = s.side().recording()->trace->duration;
    s.side().recording()->marks->set({{duration / 10, "first"}, {duration * 9 / 10, "second"}});
    s.side().showRange({duration / 2, duration / 2 + duration / 10});
    emit s.side().marks().changed();
}

/// A bracket over the whole recording, as if it had been placed.
inline void annotated(S& s)
{
    s.openOne();
    const Ns duration = s.side().recording()->trace->duration;
    s.side().annotations().add({Annotation::Kind::bracket, 0, {0, {}, 0.5}, {duration, {}, 0.5}, {}});
    emit s.side().annotations().changed();
}

inline auto placing(Annotation::Kind kind)
{
    return [kind](S& s) {
        return s.side().annotations().pending() == kind
            && s.window().statusBar()->accessibleDescription().contains(QLatin1String("Esc ends"));
    };
}

inline bool inSight(S& s, std::size_t mark)
{
    const Interval visible = s.side().visibleRange();
    const Ns time = s.side().recording()->marks->all()[mark].time;
    return time >= visible.start && time < visible.end;
}

/// Which way the edges of the selected range went since the input: -1, 0 or 1.
inline bool rangeMoved(S& s, int start, int end)
{
    const auto now = s.side().state().highlights.range;
    const auto then = s.before.range;
    const auto way = [](Ns a, Ns b) { return a < b ? -1 : a > b ? 1 : 0; };
    return now && then && way(now->start, then->start) == start && way(now->end, then->end) == end;
}

inline QString stepText(S& s)
{
    return s.window().findChild<StepBar*>()->text();
}

/// Two recordings, at the fourth step of the upper one.
inline void stepping(S& s)
{
    s.openTwo();
    for (int i = 0; i < 4; ++i) {
        s.window().findChild<StepThrough*>()->step(1);
    }
    QCOMPARE(s.window().findChild<StepThrough*>()->current(), std::optional<std::size_t>(3));
}

inline auto dialogShown(const char* name)
{
    return [name](S& s) { return s.dialog(name) != nullptr; };
}

inline auto panelShown(int index)
{
    return [index](S& s) { return s.panels().currentIndex() == index && S::focusIn(s.panels().currentWidget()); };
}

/// Two recordings with a matmul of the lower one selected.
inline void operationOfB(S& s)
{
    s.openTwo();
    const auto box = boxOf(s.side(1).frame(), {ItemKind::operation, 2});
    QVERIFY(box);
    QTest::mouseClick(&s.view(1), Qt::LeftButton, {}, box->center().toPoint());
    QCOMPARE(s.side(1).selection(), (ItemRef {ItemKind::operation, 2}));
}

inline void againstB(S& s)
{
    s.openTwo();
    s.timeline().pair().setReference(1);
}

/// Aligned in this way, and shown so: the anchors are at one place of the window.
inline bool aligned(S& s, const std::array<Ns, 2>& anchor)
{
    if (s.timeline().pair().alignment().anchor != anchor
        || s.window().action("compare.align-starts")->isEnabled() == (anchor[0] == anchor[1])) {
        return false;
    }
    const double x0 = s.side(0).timeScale().xOf(anchor[0]);
    const double x1 = s.side(1).timeScale().xOf(anchor[1]);
    return std::abs(x0 - x1) <= 1
        && s.timeline().differences()->findChild<QPushButton*>()->isVisible() == (anchor[0] != anchor[1]);
}

inline QString differences(S& s)
{
    return s.timeline().differences()->lines().join(QLatin1Char('\n'));
}

inline double width(const TimeScale& scale)
{
    return scale.nsPerColumn();
}

inline void saved(S& s, const char* name)
{
    s.answerFileDialog(s.file(name));
    QTRY_VERIFY(QFileInfo(s.file(name)).size() > 1000);
    QTRY_VERIFY(s.window().findChild<NoticeBar*>()->text().contains(QLatin1String(name)));
}

}  // namespace lanes::gui::trial_states

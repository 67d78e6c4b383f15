// SPDX-License-Identifier: MIT
// The critical path in figures: for the whole, a range, two recordings; a row leads to its longest part.
#include "engine/store/recording_file.h"
#include "gui/panels/details.h"
#include "gui/panels/path_panel.h"
#include "gui/session/critical_paths.h"
#include "gui/session/format.h"
#include "tests/engine/analysis/tape.h"
#include "tests/gui/panels/late_iterations.h"
#include "tests/patience.h"

#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>
#include <functional>
#include <memory>

using namespace lanes;
using namespace lanes::gui;

class tst_PathPanel : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void findsOnlyWhatIsWanted();
    void sharesAddUp();
    void lanesWithoutARowAreStillLanes();
    void aRangeIsFoundAnew();
    void ofWhatRepeatsBehindALongStart();
    void twoStandSideBySide();
    void aRowLeadsToItsLongestPart();
    void detailsSayTheSlack();
    void idleTimeByReason();
    void figuresStandBesideTheirNames();

private:
    static OpenRecordingPtr open(const char* name)
    {
        const QString path = QStringLiteral("%1/resources/recordings/h200/%2.sqlite")
                                 .arg(qEnvironmentVariable("LANES_SOURCE"), QLatin1String(name));
        return analysed(open_recording(path.toStdString()), path);
    }
    bool found() const
    {
        return comesTrue([this] { return m_paths->at(0) != nullptr && !m_paths->isRunning(); });
    }
    QTreeWidgetItem* row(int section, int index) const { return m_panel->table()->topLevelItem(section)->child(index); }

    std::unique_ptr<Workspace> m_workspace;
    CriticalPaths* m_paths = nullptr;
    IdleTimes* m_idle = nullptr;
    std::unique_ptr<PathPanel> m_panel;
};

void tst_PathPanel::init()
{
    m_workspace = std::make_unique<Workspace>();
    m_paths = new CriticalPaths(m_workspace.get());
    m_panel = std::make_unique<PathPanel>(new QWidget);
    m_idle = new IdleTimes(m_workspace.get(), IdleTimes::Of::scope);
    m_panel->observe(m_workspace.get(), m_paths, m_idle);
}

void tst_PathPanel::cleanup()
{
    m_panel.reset();
    m_workspace.reset();
}

void tst_PathPanel::findsOnlyWhatIsWanted()
{
    m_workspace->set({open("copy-results-back.blocking")});
    QTest::qWait(50);
    QVERIFY(!m_paths->at(0) && !m_paths->isRunning());
    m_panel->show();
    QVERIFY(found());
    QVERIFY(m_paths->scope().of != Scope::Of::selected);
    m_workspace->set({});
    QVERIFY(!m_paths->at(0));
    QCOMPARE(m_panel->table()->topLevelItemCount(), 0);
}

void tst_PathPanel::sharesAddUp()
{
    m_workspace->set({open("copy-results-back.blocking")});
    m_panel->show();
    QVERIFY(found());
    const CriticalPath& path = m_paths->at(0)->path();
    QVERIFY(m_panel->table()->topLevelItemCount() >= 3);  // why streams are idle comes by itself
    double percent = 0;
    for (int i = 0; i < m_panel->table()->topLevelItem(0)->childCount(); ++i) {
        percent += row(0, i)->text(2).remove(QLatin1Char('%')).trimmed().toDouble();
    }
    QVERIFY2(percent > 95 && percent < 105, qPrintable(QString::number(percent)));
    QCOMPARE(row(1, 0)->text(1), formatTime(path.lanes.front().time));
    percent = 0;
    for (int i = 0; i < m_panel->table()->topLevelItem(1)->childCount(); ++i) {  // what is on no lane is said
        percent += row(1, i)->text(2).remove(QLatin1Char('%')).trimmed().toDouble();
    }
    QVERIFY2(percent > 95 && percent < 105, qPrintable(QString::number(percent)));
    QCOMPARE(row(2, 0)->text(0), QStringLiteral("Memcpy DtoH"));  // the copies take longest
    QCOMPARE(row(2, 0)->text(3), QString::number(path.names.front().count));
    QVERIFY(m_panel->asText().contains(QStringLiteral("Memcpy DtoH\t")));
}

/// One kernel on each of more streams than there are rows: none of them is on no lane.
void tst_PathPanel::lanesWithoutARowAreStillLanes()
{
    constexpr Ns us = 1000;
    constexpr std::uint32_t streams = 260;
    Tape tape;
    for (std::uint32_t i = 0; i < streams; ++i) {
        const Ns at = static_cast<Ns>(i) * 100 * us;
        tape.stream(20 + i, StreamRecord::non_blocking);
        tape.kernel(tape.call("cudaLaunchKernel", at, at + us), 20 + i, at + us, at + 98 * us);
        const auto waits = tape.call("cudaStreamSynchronize", at + 2 * us, at + 99 * us);
        tape.sync(waits, SyncRecord::stream_sync, at + 2 * us, at + 99 * us, 20 + i);
    }
    m_workspace->set({analysed(tape.finish(), QString())});
    m_panel->show();
    QVERIFY(found());
    const CriticalPath& path = m_paths->at(0)->path();
    Ns onLanes = 0;
    for (const auto& lane : path.lanes) {
        onLanes += lane.time;
    }
    QVERIFY2(path.lanes.size() > 250, qPrintable(QString::number(path.lanes.size())));
    const QTreeWidgetItem* section = m_panel->table()->topLevelItem(1);
    const QTreeWidgetItem* rest = section->child(section->childCount() - 1);
    const Ns left = path.range.end - path.range.start - onLanes;
    QCOMPARE(rest->text(0) == QLatin1String("On no lane") ? rest->text(1) : formatTime(0), formatTime(left));
}

void tst_PathPanel::aRangeIsFoundAnew()
{
    const OpenRecordingPtr recording = open("copy-results-back.blocking");
    m_workspace->set({recording});
    m_panel->show();
    QVERIFY(found());
    const Ns whole = m_paths->at(0)->path().range.end;
    QVERIFY(comesTrue([this] { return m_panel->table()->topLevelItemCount() == 4; }));
    const QString before = m_panel->asText();
    m_workspace->selectRange(0, Interval {whole / 4, whole / 2});
    QVERIFY(!m_paths->at(0));  // figures of another range are never shown
    QVERIFY(found());
    QVERIFY(m_paths->scope().of == Scope::Of::selected);
    QCOMPARE(m_paths->at(0)->path().range.start, whole / 4);
    QVERIFY(m_paths->at(0)->path().range.end <= whole / 2);
    QVERIFY(m_panel->asText() != before);
    m_workspace->selectRange(0, {});
    QVERIFY(found());
    QVERIFY(comesTrue([&] { return m_panel->asText() == before; }));
}

/// A program whose start-up is longer than its work: figures of its iterations, which the window shows first. The lanes
/// of idle streams stay those of the whole.
void tst_PathPanel::ofWhatRepeatsBehindALongStart()
{
    constexpr Ns us = 1000;
    const OpenRecordingPtr recording = lateIterations();
    const auto part = repeatedPart(*recording);
    QVERIFY(part && part->start == late_iterations_begin);
    m_workspace->set({recording});
    m_panel->show();
    QVERIFY(found());
    QVERIFY(m_paths->scope().of == Scope::Of::repeated);
    QCOMPARE(m_paths->at(0)->path().range.start, part->start);
    QVERIFY(m_panel->findChild<QLabel*>()->text().startsWith(QStringLiteral("In the repeating part, ")));
    QVERIFY(comesTrue([&] { return m_idle->at(0) != nullptr; }));  // its part of the text
    const QString before = m_panel->asText();
    m_workspace->chooseScope(Scope::Of::all);
    QVERIFY(found());
    QVERIFY(m_paths->scope().of != Scope::Of::repeated);
    QCOMPARE(m_paths->at(0)->path().range.start, 0);
    QVERIFY(m_panel->findChild<QLabel*>()->text().startsWith(QStringLiteral("Of all, ")));
    m_workspace->chooseScope(Scope::Of::repeated);
    QVERIFY(found());
    QVERIFY(comesTrue([&] { return m_panel->asText() == before; }));
    m_workspace->selectRange(0, Interval {0, 100 * us});
    QVERIFY(found());
    QVERIFY(m_paths->scope().of == Scope::Of::selected);
    // Nothing ends in it: it has no path, and the time before it is not taken for one.
    m_workspace->selectRange(0, Interval {10'000 * us, 40'000 * us});
    QVERIFY(found());
    QVERIFY2(
        m_panel->findChild<QLabel*>()->text().startsWith(QStringLiteral("In the selection, 30.0 ms: no critical path")),
        qPrintable(m_panel->findChild<QLabel*>()->text()));
    IdleTimes lanes(m_workspace.get(), IdleTimes::Of::whole);
    lanes.setWanted(m_panel.get(), true);
    QVERIFY(comesTrue([&] { return lanes.at(0) != nullptr; }));
    QCOMPARE(lanes.at(0)->range.start, 0);
}

void tst_PathPanel::twoStandSideBySide()
{
    m_workspace->set({open("copy-results-back.blocking"), open("copy-results-back.overlapped")});
    m_panel->show();
    QVERIFY(found());
    QVERIFY(m_paths->at(1));
    int both = 0;
    for (int i = 0; i < m_panel->table()->topLevelItem(2)->childCount(); ++i) {
        both += !row(2, i)->text(1).isEmpty() && !row(2, i)->text(5).isEmpty() ? 1 : 0;
    }
    QVERIFY(both > 0);
    QVERIFY(!m_panel->table()->isColumnHidden(5));
    m_workspace->close(1);
    QVERIFY(found());
    QVERIFY(m_panel->table()->isColumnHidden(5));
}

void tst_PathPanel::aRowLeadsToItsLongestPart()
{
    const OpenRecordingPtr recording = open("copy-results-back.blocking");
    m_workspace->set({recording});
    m_panel->show();
    QVERIFY(found());
    QSignalSpy followed(m_workspace.get(), &Workspace::selectionChanged);
    emit m_panel->table()->itemClicked(row(2, 0), 0);
    QCOMPARE(followed.count(), 1);
    const EventRef event = m_workspace->selection().event;
    QCOMPARE(event.table, EventTable::operations);
    QCOMPARE(nameOf(*recording->trace, event), row(2, 0)->text(0));
    emit m_panel->table()->itemClicked(row(0, 0), 0);  // a kind of part leads nowhere
    QCOMPARE(followed.count(), 1);
}

void tst_PathPanel::detailsSayTheSlack()
{
    const OpenRecordingPtr recording = open("copy-results-back.overlapped");
    const ShownPath path(*recording->graph, {0, recording->trace->duration});
    const auto slackOf = [&](Row row, const ShownPath* of) {
        for (const DetailField& field : detailsOf(*recording, {EventTable::operations, row}, of)) {
            if (field.name == QLatin1String("Slack")) {
                return field.value;
            }
        }
        return QString();
    };
    int none = 0;
    int some = 0;
    for (Row row = 0; row < recording->trace->operations.size(); ++row) {
        const Ns slack = path.path().slack[row];
        QVERIFY(slackOf(row, nullptr).isEmpty());
        QCOMPARE(slackOf(row, &path).startsWith(QStringLiteral("none")), slack == 0);
        QVERIFY(slack == 0 || slackOf(row, &path).startsWith(formatTime(slack)));
        ++(slack == 0 ? none : some);
    }
    QVERIFY(none > 0 && some > 0);
    const ShownPath early(*recording->graph, {0, recording->trace->duration / 4});
    QVERIFY(slackOf(static_cast<Row>(recording->trace->operations.size()) - 1, &early).isEmpty());
}

void tst_PathPanel::idleTimeByReason()
{
    const OpenRecordingPtr recording = open("copy-results-back.blocking");
    m_workspace->set({recording});
    m_panel->show();
    QVERIFY(comesTrue([this] { return m_panel->table()->topLevelItemCount() == 4; }));
    const IdleReasons& idle = *m_idle->at(0);
    std::vector<Ns> times(idle.idle.begin(), idle.idle.end());
    std::sort(times.begin(), times.end(), std::greater<>());
    for (int i = 0; i < m_panel->table()->topLevelItem(3)->childCount(); ++i) {
        QCOMPARE(row(3, i)->text(1), formatTime(times[static_cast<std::size_t>(i)]));
    }
    QCOMPARE(m_panel->table()->topLevelItem(3)->childCount(),
        static_cast<int>(std::count_if(times.begin(), times.end(), [](Ns time) { return time > 0; })));
    QSignalSpy followed(m_workspace.get(), &Workspace::selectionChanged);
    emit m_panel->table()->itemClicked(row(3, 0), 0);
    QCOMPARE(followed.count(), 1);
}

/// However wide the panel is; if it is narrow, the names are shortened.
void tst_PathPanel::figuresStandBesideTheirNames()
{
    m_workspace->set({open("copy-results-back.blocking"), open("copy-results-back.overlapped")});
    m_panel->resize(2400, 400);
    m_panel->show();
    QVERIFY(found());
    const auto widest = [&] {
        int width = 0;
        for (int i = 0; i < m_panel->table()->topLevelItemCount(); ++i) {
            for (int k = 0; k < m_panel->table()->topLevelItem(i)->childCount(); ++k) {
                width = std::max(width, m_panel->table()->fontMetrics().horizontalAdvance(row(i, k)->text(0)));
            }
        }
        return width;
    }();
    QTRY_VERIFY(m_panel->table()->columnWidth(0) < widest + 120);
    QVERIFY(m_panel->table()->columnWidth(0) > widest);
    m_panel->resize(820, 400);
    QTRY_COMPARE(m_panel->table()->horizontalScrollBar()->maximum(), 0);
}

QTEST_MAIN(tst_PathPanel)
#include "tst_path_panel.moc"

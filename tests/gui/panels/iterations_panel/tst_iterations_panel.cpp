// SPDX-License-Identifier: MIT
// Iterations in a table: one a row with its figures, what made the slow ones slow, and a click goes there.
#include "engine/store/recording_file.h"
#include "engine/trace/trace_builder.h"
#include "gui/panels/iteration_strips.h"
#include "gui/panels/iterations_panel.h"
#include "gui/session/critical_paths.h"
#include "gui/session/format.h"
#include "gui/session/iteration_changes.h"
#include "tests/engine/analysis/longer_steps.h"
#include "tests/gui/lanes/is_wait.h"
#include "tests/gui/panels/late_iterations.h"
#include "tests/patience.h"

#include <QHeaderView>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include <atomic>
#include <memory>

using namespace lanes;
using namespace lanes::gui;

class tst_IterationsPanel : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void aRowForEach();
    void aClickGoesThere();
    void theRowOfTheShownOneIsCurrent();
    void bothAreSummed();
    void saysFromWhereOnTheyTakeLonger();
    void saysWhereNothingRepeats();
    void whatCannotBeFoundIsSaid();
    void stripsShowWhatTheFiguresSay_data();
    void stripsShowWhatTheFiguresSay();
    void stripsStandUnderEachOther();

private:
    static OpenRecordingPtr open(const char* name)
    {
        const QString path = QStringLiteral("%1/resources/recordings/h200/%2.sqlite")
                                 .arg(qEnvironmentVariable("LANES_SOURCE"), QLatin1String(name));
        return analysed(open_recording(path.toStdString()), path);
    }

    std::unique_ptr<Workspace> m_workspace;
    IterationChanges* m_shown = nullptr;
    FoundIterations* m_found = nullptr;
    std::unique_ptr<IterationsPanel> m_panel;
};

void tst_IterationsPanel::init()
{
    m_workspace = std::make_unique<Workspace>();
    m_shown = new IterationChanges(m_workspace.get());
    m_found = m_shown->iterations();
    m_panel = std::make_unique<IterationsPanel>();
    m_panel->observe(m_workspace.get(), m_shown);
}

void tst_IterationsPanel::cleanup()
{
    m_panel.reset();
    m_workspace.reset();
}

void tst_IterationsPanel::aRowForEach()
{
    const OpenRecordingPtr recording = open("item-every-batch.every");
    const auto expected = iterations_of(*recording->graph, recording->ranges->bounds());
    QVERIFY(expected && expected->all.size() > 10);
    m_workspace->set({recording});
    m_panel->show();
    QVERIFY(comesTrue([this] { return m_found->at(0) != nullptr; }));
    QTreeWidget* table = m_panel->table();
    QCOMPARE(table->topLevelItemCount(), static_cast<int>(expected->all.size()));
    for (int i = 0; i < table->topLevelItemCount(); ++i) {
        const Iteration& each = expected->all[static_cast<std::size_t>(i)];
        const QTreeWidgetItem* row = table->topLevelItem(i);
        QCOMPARE(row->text(0), QStringLiteral("%L1").arg(i + 1));
        QCOMPARE(row->text(2), formatTime(each.wall()));
        QCOMPARE(row->text(4), formatTime(each.busy));
        const bool isTypical = static_cast<std::size_t>(i) == expected->typical;
        QCOMPARE(row->text(3) == QLatin1String("typical"), isTypical);
        if (each.outlier == Iteration::Outlier::slow) {
            QVERIFY2(row->text(8).startsWith(QStringLiteral("slow: +")), qPrintable(row->text(8)));
        }
    }
    table->sortByColumn(2, Qt::DescendingOrder);  // by the figures
    Ns last = INT64_MAX;
    for (int i = 0; i < table->topLevelItemCount(); ++i) {
        const auto at = table->topLevelItem(i)->text(0).remove(QLatin1Char(',')).toULongLong() - 1;
        QVERIFY(expected->all[at].wall() <= last);
        last = expected->all[at].wall();
    }
}

void tst_IterationsPanel::aClickGoesThere()
{
    m_workspace->set({open("item-every-batch.every")});
    m_panel->show();
    QVERIFY(comesTrue([this] { return m_found->at(0) != nullptr; }));
    QSignalSpy shown(m_workspace.get(), &Workspace::selectedRangesChanged);
    emit m_panel->table()->itemClicked(m_panel->table()->topLevelItem(5), 0);
    QCOMPARE(shown.count(), 1);
    QCOMPARE(m_workspace->selectedRanges()[0], m_found->at(0)->all[5].span);
}

/// One chooses it in the strip over the lanes, too.
void tst_IterationsPanel::theRowOfTheShownOneIsCurrent()
{
    m_workspace->set({lateIterations()});
    m_panel->show();
    QVERIFY(comesTrue([this] { return m_found->at(0) != nullptr; }));
    const std::size_t last = m_found->at(0)->all.size() - 1;
    QVERIFY(last > 1);
    for (const std::size_t at : {last, std::size_t {1}}) {
        m_shown->show(0, at);
        QCOMPARE(m_panel->table()->currentItem(), m_panel->table()->topLevelItem(static_cast<int>(at)));
    }
}

/// The table is of the active one; what both come to is above it.
void tst_IterationsPanel::bothAreSummed()
{
    const OpenRecordingPtr a = open("item-every-batch.every"), b = open("item-every-batch.never");
    m_workspace->set({a, b});
    m_panel->show();
    QVERIFY(comesTrue([this] { return m_found->at(0) != nullptr && m_found->at(1) != nullptr; }));
    const QStringList lines = m_panel->summary().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 2);
    for (const int side : {0, 1}) {
        const Iterations& found = *m_found->at(side);
        QVERIFY2(lines[side].startsWith(side == 0 ? QStringLiteral("A: ") : QStringLiteral("B: "))
                && lines[side].contains(formatTime(found.all[found.typical].wall())),
            qPrintable(lines[side]));
    }
}

/// As `lanes report` does, and what the window says of a recording that opens.
void tst_IterationsPanel::saysFromWhereOnTheyTakeLonger()
{
    const OpenRecordingPtr recording = analysed(longer_steps(), QString());
    const auto step = QStringLiteral("From iteration 13 on an iteration typically takes 160 µs, before it 110 µs.");
    QCOMPARE(caveats(*recording).last(), step);
    m_workspace->set({recording});
    m_panel->show();
    QVERIFY(comesTrue([this] { return m_found->at(0) != nullptr; }));
    QVERIFY2(m_panel->summary().endsWith(QStringLiteral(". ") + step), qPrintable(m_panel->summary()));
    auto beginning = std::make_shared<OpenRecording>(*recording);
    auto report = std::make_shared<Report>(*recording->report);
    report->steady.reset();
    beginning->report = std::move(report);
    QVERIFY(!caveats(*beginning).contains(step));
}

void tst_IterationsPanel::saysWhereNothingRepeats()
{
    m_panel->show();
    QCOMPARE(m_panel->table()->topLevelItemCount(), 0);
    QVERIFY(!m_panel->summary().isEmpty());
    Trace empty = TraceBuilder().finish(Source::cupti);
    m_workspace->set({analysed(std::move(empty), QString())});
    QVERIFY2(comesTrue([this] { return m_panel->summary().contains(QStringLiteral("repeats")); }),
        qPrintable(m_panel->summary()));
    QCOMPARE(m_panel->table()->topLevelItemCount(), 0);
}

/// For lack of memory, for example; the next request tries again.
void tst_IterationsPanel::whatCannotBeFoundIsSaid()
{
    static std::atomic<int> tries;
    tries = 0;
    ResultsOf<int> wanted(
        m_workspace.get(),
        [](const OpenRecordingPtr&, Interval) -> ScopeResults::Result {
            if (++tries == 1) {
                throw std::bad_alloc();
            }
            return std::make_shared<int>(7);
        },
        ScopeResults::Of::whole);
    QSignalSpy changed(&wanted, &ScopeResults::changed);
    m_workspace->set({open("item-every-batch.every")});
    wanted.setWanted(this, true);
    QTRY_COMPARE(changed.count(), 1);
    QCOMPARE(wanted.problem(), QStringLiteral("There is not enough memory for it."));
    QVERIFY(wanted.at(0) == nullptr && !wanted.isRunning());
    wanted.setWanted(this, false);
    wanted.setWanted(this, true);
    QTRY_VERIFY(wanted.at(0) != nullptr);
    QCOMPARE(*wanted.at(0), 7);
    QVERIFY(wanted.problem().isEmpty());
}

void tst_IterationsPanel::stripsShowWhatTheFiguresSay_data()
{
    QTest::addColumn<QByteArray>("name");
    for (const char* name : {"item-every-batch.every", "prefetcher.blocking", "data-loader.workers-2-pinned"}) {
        QTest::newRow(name) << QByteArray(name);
    }
}

void tst_IterationsPanel::stripsShowWhatTheFiguresSay()
{
    QFETCH(QByteArray, name);
    const OpenRecordingPtr recording = open(name.constData());
    const auto iterations = iterations_of(*recording->graph, recording->ranges->bounds());
    QVERIFY(iterations);
    const auto roles = stripRoles(*recording);
    QVERIFY(std::find(roles.begin(), roles.end(), ItemRole::kernel) != roles.end());
    for (const Iteration& each : iterations->all) {
        const auto bands = bandsOf(*recording, each.span, roles, iterations->thread);
        QCOMPARE(bands.size(), roles.size());
        std::vector<Interval> busy;
        Ns blocked = 0;
        for (std::size_t i = 0; i < roles.size(); ++i) {
            const auto& set = bands[i].set();
            QVERIFY(set.empty() || (set.front().start >= 0 && set.back().end <= each.wall()));
            if (isWait(roles[i])) {
                blocked += length(set);
            } else {
                busy.insert(busy.end(), set.begin(), set.end());
            }
        }
        QCOMPARE(length(unite(busy)), each.busy);
        QCOMPARE(blocked, each.blocked.value_or(0));
    }
}

/// All begin at the left, a longer one reaches farther, and the typical one's end is marked in each.
void tst_IterationsPanel::stripsStandUnderEachOther()
{
    m_workspace->set({open("item-every-batch.every")});
    m_panel->resize(1200, 300);
    m_panel->show();
    QVERIFY(comesTrue([this] { return m_found->at(0) != nullptr; }));
    QTreeWidget* table = m_panel->table();
    const auto stripOf = [&](int row) {
        const QModelIndex index = table->model()->index(row, table->columnCount() - 1);
        return table->viewport()->grab(table->visualRect(index)).toImage();
    };
    QCOMPARE(table->header()->visualIndex(table->columnCount() - 1), 1);
    const QImage first = stripOf(0);
    QVERIFY(first.height() >= 24);
    const auto lineAt = [&](const QImage& image) {  // above the strip itself there is nothing else
        for (int x = image.width() - 1; x >= 0; --x) {
            if (image.pixelColor(x, 0) != image.pixelColor(0, 0)) {
                return x;
            }
        }
        return -1;
    };
    QVERIFY(lineAt(first) > 20);
    for (int row = 1; row < 5; ++row) {
        QVERIFY2(std::abs(lineAt(stripOf(row)) - lineAt(first)) <= 1, qPrintable(QString::number(row)));
    }
}

QTEST_MAIN(tst_IterationsPanel)
#include "tst_iterations_panel.moc"

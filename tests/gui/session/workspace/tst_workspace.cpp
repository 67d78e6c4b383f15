// SPDX-License-Identifier: MIT
#include "gui/session/workspace.h"
#include "tests/gui/panels/model_recording.h"

#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_workspace : public QObject {
    Q_OBJECT

    OpenRecordingPtr m_a = modelRecording("blocking"), m_b = modelRecording("overlapped"),
                     m_c = modelRecording("blocking", {{"bytes", "1 MiB"}});

private slots:
    void holdsAtMostTwo();
    void whatChangesLosesItsSelection();
    void whatIsRenewedKeepsIt();
    void saysOnlyWhatChanged();
    void twoRunsOfOneVariantAreToldApart();
};

void tst_workspace::holdsAtMostTwo()
{
    Workspace workspace;
    QSignalSpy changed(&workspace, &Workspace::changed);
    QVERIFY(workspace.at(0) == nullptr && workspace.at(-1) == nullptr);
    workspace.add(m_a);
    workspace.add(m_b);
    QCOMPARE(workspace.at(1), m_b);
    workspace.add(m_c);  // in the place of B
    QCOMPARE(workspace.count(), 2);
    QCOMPARE(workspace.at(1)->trace, m_c->trace);
    workspace.set({m_a, m_b, m_c});
    QCOMPARE(workspace.count(), 2);
    workspace.swap();
    QCOMPARE(workspace.at(0), m_b);
    workspace.close(0);
    QCOMPARE(workspace.at(0), m_a);
    workspace.close(1);  // there is none
    workspace.swap();
    QCOMPARE(changed.count(), 6);
}

void tst_workspace::whatChangesLosesItsSelection()
{
    Workspace workspace;
    const EventRef event {EventTable::operations, 1};
    const std::function<void()> changes[] = {[&] { workspace.swap(); }, [&] { workspace.close(1); },
        [&] { workspace.set({m_a}); }, [&] { workspace.add(m_b); }, [&] { workspace.renew({m_a}); }};
    for (const auto& change : changes) {
        workspace.set({m_a, m_b});
        workspace.select(1, event);
        workspace.setSelectedRanges(Workspace::Ranges {Interval {1, 2}, Interval {3, 4}});
        change();
        QVERIFY(!workspace.selection().event && !workspace.hasRange());
    }
}

void tst_workspace::whatIsRenewedKeepsIt()
{
    Workspace workspace;
    workspace.set({m_a, m_b});
    workspace.select(1, {EventTable::operations, 1});
    QSignalSpy changed(&workspace, &Workspace::changed);
    QSignalSpy renewed(&workspace, &Workspace::renewed);
    workspace.renew({m_a, m_b});  // the same ones
    QCOMPARE(renewed.count(), 0);
    workspace.renew({m_a, m_c});
    QCOMPARE(renewed.count(), 1);
    QCOMPARE(changed.count(), 0);
    QVERIFY(workspace.selection().event);
}

void tst_workspace::saysOnlyWhatChanged()
{
    Workspace workspace;
    workspace.set({m_a, m_b});
    QSignalSpy selected(&workspace, &Workspace::selectionChanged);
    QSignalSpy ranged(&workspace, &Workspace::selectedRangesChanged);
    QSignalSpy visible(&workspace, &Workspace::visibleRangesChanged);
    QSignalSpy active(&workspace, &Workspace::activeChanged);
    for (int round = 0; round < 2; ++round) {
        workspace.select(0, {EventTable::calls, 2});
        workspace.setSelectedRanges(Workspace::Ranges {Interval {1, 2}, Interval {3, 4}});
        workspace.setVisibleRanges({Interval {0, 9}, Interval {0, 8}});
        workspace.setActive(1);
    }
    QCOMPARE(selected.count(), 1);
    QCOMPARE(ranged.count(), 1);
    QCOMPARE(visible.count(), 1);
    QCOMPARE(active.count(), 1);
    workspace.select(1, {EventTable::calls, 2});  // of the other recording
    QCOMPARE(selected.count(), 2);
    workspace.setSelectedRanges({});
    QCOMPARE(workspace.selectedRanges()[0], (Interval {0, 0}));
}

void tst_workspace::twoRunsOfOneVariantAreToldApart()
{
    Workspace workspace;
    workspace.set({m_a, m_c});
    QVERIFY2(workspace.at(0)->title.find("64 MiB") != std::string::npos, workspace.at(0)->title.c_str());
    QVERIFY2(workspace.at(1)->title.find("1 MiB") != std::string::npos, workspace.at(1)->title.c_str());
}

QTEST_MAIN(tst_workspace)
#include "tst_workspace.moc"

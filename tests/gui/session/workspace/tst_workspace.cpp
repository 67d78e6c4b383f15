// SPDX-License-Identifier: MIT
#include "gui/paint/words/scope_text.h"
#include "gui/session/scope_reports.h"
#include "gui/session/workspace.h"
#include "gui/timeline/timeline_pair.h"
#include "tests/gui/panels/late_iterations.h"
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
    void whatIsRenewedKeepsMarksAndAnnotations();
    void saysOnlyWhatChanged();
    void twoRunsOfOneVariantAreToldApart();
    void oneRangeIsOfBothInTheTimeOfEach();
    void theScopeIsWhatWasChosen();
    void recordingsOpenWithAScope_data();
    void recordingsOpenWithAScope();
    void aSelectedRangeIsTheScopeUntilItIsCleared();
    void whatIsInViewIsToldOnceTheViewRests();
    void noMoreIsInViewThanThereIs();
    void reportsAreOfTheScope();
    void theActiveSideIsTheTimelines();
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
        workspace.selectRange(0, Interval {1, 2});
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

void tst_workspace::whatIsRenewedKeepsMarksAndAnnotations()
{
    const OpenRecordingPtr before = modelRecording("blocking"), reread = modelRecording("blocking"),
                           own = modelRecording("blocking");
    own->annotations->push_back({Annotation::Kind::text, 0, {20, "", 0.5}, {20, "", 0.5}, "of the file"});
    Workspace workspace;
    workspace.set({before});
    Timeline& shown = workspace.pair()->side(0);
    before->marks->add(10);
    emit shown.marks().changed();
    const Annotation placed {Annotation::Kind::text, 0, {10, "", 0.5}, {10, "", 0.5}, "why"};
    shown.annotations().add(placed);
    emit shown.annotations().changed();
    workspace.renew({reread});
    QCOMPARE(*shown.annotations().all(), std::vector<Annotation> {placed});
    QCOMPARE(workspace.at(0)->marks->all().size(), 1u);
    shown.markup().undo();  // a step from before it was read again
    QVERIFY(shown.annotations().all()->empty());
    QCOMPARE(workspace.at(0)->marks->all().size(), 1u);
    shown.markup().redo();

    // What is answered in a field that was open is the text of what is shown now.
    const AnnotationHand::List asked = shown.annotations().all();
    workspace.renew({withMarkupOf(*workspace.at(0), before)});
    shown.annotations().answer(asked, 0, QStringLiteral("because"));
    QCOMPARE(shown.annotations().all()->front().text, std::string("because"));

    workspace.renew({own});
    QCOMPARE(shown.annotations().all()->front().text, std::string("of the file"));
    QCOMPARE(shown.markup().lastDone(), 0u);
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
        workspace.selectRange(0, Interval {1, 2});
        workspace.pair()->side(0).showRange({0, m_a->trace->duration / 2});
        workspace.setActive(1);
    }
    QCOMPARE(selected.count(), 1);
    QCOMPARE(ranged.count(), 1);
    QCOMPARE(visible.count(), 1);
    QCOMPARE(active.count(), 1);
    workspace.select(1, {EventTable::calls, 2});  // of the other recording
    QCOMPARE(selected.count(), 2);
    workspace.selectRange(0, {});
    QCOMPARE(workspace.selectedRanges()[0], (Interval {0, 0}));
}

void tst_workspace::twoRunsOfOneVariantAreToldApart()
{
    Workspace workspace;
    workspace.set({m_a, m_c});
    QVERIFY2(workspace.at(0)->title.find("64 MiB") != std::string::npos, workspace.at(0)->title.c_str());
    QVERIFY2(workspace.at(1)->title.find("1 MiB") != std::string::npos, workspace.at(1)->title.c_str());
}

void tst_workspace::oneRangeIsOfBothInTheTimeOfEach()
{
    Workspace workspace;
    workspace.set({m_a, m_b});
    workspace.pair()->setAlignment({{100, 350}, QString()}, 0);
    QSignalSpy ranged(&workspace, &Workspace::selectedRangesChanged);
    workspace.selectRange(1, Interval {1250, 1750});
    QCOMPARE(ranged.count(), 1);
    QCOMPARE(workspace.selectedRanges()[0], (Interval {1000, 1500}));
    QCOMPARE(workspace.selectedRanges()[1], (Interval {1250, 1750}));
    QCOMPARE(*workspace.pair()->side(0).state().highlights.range, (Interval {1000, 1500}));
    workspace.pair()->setAlignment({}, 0);  // A's stays
    QCOMPARE(ranged.count(), 2);
    QCOMPARE(workspace.selectedRanges()[0], (Interval {1000, 1500}));
    QCOMPARE(workspace.selectedRanges()[1], (Interval {1000, 1500}));
    workspace.selectRange(0, {});
    QCOMPARE(ranged.count(), 3);
    QVERIFY(!workspace.hasRange() && !workspace.pair()->side(1).state().highlights.range);
}

void tst_workspace::theScopeIsWhatWasChosen()
{
    using enum Scope::Of;
    Workspace workspace;
    QSignalSpy told(&workspace, &Workspace::scopeChanged);
    const OpenRecordingPtr late = lateIterations();
    QCOMPARE(workspace.scope().of, all);
    workspace.set({late});
    QCOMPARE(workspace.scope(), (Scope {repeated, {*repeatedPart(*late), {}}}));
    QVERIFY(!workspace.pair()->ranges(selected));
    const auto before = told.count();
    workspace.chooseScope(all);
    workspace.chooseScope(all);
    QCOMPARE(told.count(), before + 1);
    QCOMPARE(workspace.scope(), (Scope {all, {wholePart(*late), {}}}));
    workspace.chooseScope(selected);  // there is none
    QCOMPARE(workspace.scope().of, repeated);
    workspace.set({late});  // anew: nothing is chosen yet
    QCOMPARE(workspace.scope().of, repeated);
    workspace.set({late, m_a});  // in one of two nothing repeats
    QCOMPARE(workspace.scope().of, all);
    QVERIFY(!workspace.pair()->ranges(repeated));
    workspace.set({late, late});
    QCOMPARE(workspace.scope(), (Scope {repeated, {*repeatedPart(*late), *repeatedPart(*late)}}));
}

void tst_workspace::recordingsOpenWithAScope_data()
{
    QTest::addColumn<Scope::Of>("of");
    QTest::newRow("all") << Scope::Of::all;
    QTest::newRow("in view") << Scope::Of::visible;
    QTest::newRow("selected") << Scope::Of::selected;
}

/// Whoever hears that they are open finds it: nothing is computed of another scope first.
void tst_workspace::recordingsOpenWithAScope()
{
    QFETCH(Scope::Of, of);
    Workspace workspace;
    const OpenRecordingPtr late = lateIterations();
    workspace.set({late});
    QCOMPARE(workspace.scope().of, Scope::Of::repeated);
    const Interval range {late_iterations_begin, late_iterations_begin + 100'000};
    std::vector<Scope> told;
    connect(&workspace, &Workspace::changed, this, [&] { told.push_back(workspace.scope()); });
    connect(&workspace, &Workspace::scopeChanged, this, [&] { told.push_back(workspace.scope()); });
    workspace.set({late, lateIterations()}, 0, Scope {of, {range, {}}});
    QVERIFY(!told.empty());
    for (const Scope& scope : told) {
        QCOMPARE(scope.of, of);
        if (of == Scope::Of::selected) {
            QCOMPARE(scope.ranges, (Ranges {range, range}));
        }
    }
    QCOMPARE(workspace.hasRange(), of == Scope::Of::selected);
    workspace.set({late});
    QCOMPARE(workspace.scope().of, Scope::Of::repeated);
}

void tst_workspace::aSelectedRangeIsTheScopeUntilItIsCleared()
{
    using enum Scope::Of;
    Workspace workspace;
    workspace.set({m_a, m_b});
    workspace.chooseScope(visible);
    workspace.selectRange(0, Interval {5, 9});
    QCOMPARE(workspace.scope(), (Scope {selected, {Interval {5, 9}, Interval {5, 9}}}));
    workspace.selectRange(0, {});
    QCOMPARE(workspace.scope().of, visible);
    workspace.selectRange(0, Interval {5, 9});
    workspace.chooseScope(all);  // the range is still selected
    QCOMPARE(workspace.scope().of, all);
    workspace.selectRange(0, {});
    QCOMPARE(workspace.scope().of, all);
}

void tst_workspace::whatIsInViewIsToldOnceTheViewRests()
{
    using enum Scope::Of;
    Workspace workspace;
    workspace.set({m_a, m_b});
    workspace.chooseScope(visible);
    QSignalSpy told(&workspace, &Workspace::scopeChanged);
    const Ns duration = m_a->trace->duration;
    for (Ns part = 2; part < 6; ++part) {
        workspace.pair()->side(0).showRange({duration / 4, duration / 4 + duration / part});
    }
    QCOMPARE(told.count(), 0);
    QTRY_COMPARE(told.count(), 1);
    QCOMPARE(workspace.scope().ranges[0], workspace.visibleRanges()[0]);
    workspace.chooseScope(all);  // of which zooming changes nothing
    workspace.pair()->side(0).showRange({0, duration / 9});
    QTest::qWait(100);
    QCOMPARE(told.count(), 2);
}

/// After the last call and operation there is nothing that figures are of.
void tst_workspace::noMoreIsInViewThanThereIs()
{
    auto shorter = std::make_shared<OpenRecording>(*m_a);
    auto report = std::make_shared<Report>(*m_a->report);
    report->wall -= report->wall / 4;
    shorter->report = report;
    Workspace workspace;
    workspace.set({shorter, m_b});
    workspace.pair()->side(0).showRange({0, m_a->trace->duration});
    const auto seen = workspace.pair()->ranges(Scope::Of::visible);
    const auto all = workspace.pair()->ranges(Scope::Of::all);
    QVERIFY(seen && all);
    QCOMPARE((*seen)[0], (*all)[0]);
    QCOMPARE(length((*all)[0]), report->wall);
    QCOMPARE(
        scopeLengths({Interval {0, 50'100'000}, Interval {0, 35'200'000}}, 2), QStringLiteral("50.1 ms | 35.2 ms"));
    QCOMPARE(scopeLengths({Interval {0, 50'100'000}, Interval {0, 50'100'001}}, 2), QStringLiteral("50.1 ms"));
    QCOMPARE(scopeLengths({Interval {0, 50'100'000}, {}}, 1), QStringLiteral("50.1 ms"));
}

/// As `lanes report --range` has them; old ones are said to be old.
void tst_workspace::reportsAreOfTheScope()
{
    using enum Scope::Of;
    Workspace workspace;
    const OpenRecordingPtr late = lateIterations();
    workspace.set({late});
    const auto isOf = [&](Interval range) {
        const auto report = workspace.reports().at(0);
        const Report own = make_report(*late->trace, *late->blocking, range);
        return report && report->range == own.range && report->wall == own.wall && report->gpu_busy == own.gpu_busy
            && report->counts.api_calls == own.counts.api_calls && report->findings.size() == own.findings.size()
            && report->verdict.message.id == own.verdict.message.id;
    };
    QVERIFY(!workspace.reports().isOld());  // it is known since the recording was analysed
    QVERIFY(isOf(*repeatedPart(*late)));
    workspace.chooseScope(all);
    QVERIFY(!workspace.reports().isOld());
    QCOMPARE(workspace.reports().at(0)->wall, late->report->wall);
    const auto whole = workspace.reports().at(0);
    const Interval half {late->trace->duration / 2, late->trace->duration};
    workspace.selectRange(0, half);
    QVERIFY(workspace.reports().isOld());
    QCOMPARE(workspace.reports().at(0), whole);
    QVERIFY(workspace.reports().isFoundOld());
    QTRY_VERIFY(!workspace.reports().isOld());  // figures and verdict first
    QTRY_VERIFY(!workspace.reports().isFoundOld());
    QCOMPARE(workspace.reports().foundScope(), workspace.scope());
    QVERIFY(isOf(half));
    QCOMPARE(workspace.reports().scope(), workspace.scope());
}

void tst_workspace::theActiveSideIsTheTimelines()
{
    Workspace workspace;
    workspace.set({m_a, m_b}, 1);
    QCOMPARE(workspace.active(), 1);
    QSignalSpy active(&workspace, &Workspace::activeChanged);
    workspace.follow(0, EventRef {EventTable::operations, 0});
    QCOMPARE(workspace.active(), 0);
    QCOMPARE(active.count(), 1);
    QCOMPARE(workspace.selection(), (Workspace::Selection {0, {EventTable::operations, 0}}));
    workspace.pair()->setActive(1);
    QCOMPARE(active.count(), 2);
    workspace.set({m_a}, 1);  // there is no B
    QCOMPARE(workspace.active(), 0);
    QCOMPARE(active.count(), 3);
}

QTEST_MAIN(tst_workspace)
#include "tst_workspace.moc"

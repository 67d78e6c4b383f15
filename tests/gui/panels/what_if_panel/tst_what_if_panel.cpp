// SPDX-License-Identifier: MIT
// What changes would bring for recordings of real GPUs: the gate, the rows, boxes that combine them, what findings
// advise.
#include "engine/store/recording_file.h"
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/panels/what_if/what_if_words.h"
#include "gui/session/format.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include <fstream>
#include <map>
#include <memory>

using namespace lanes;
using namespace lanes::gui;
using replay::ChangeKind;

class tst_WhatIfPanel : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void eachChangeHasARow();
    void boxesCombineChanges();
    void aPairIsTickedAsItsParts();
    void theChosenOneIsTold();
    void aLongTitleMakesNothingWider();
    void numbersAreSet();
    void aShutGateSaysWhyAndNoNumber();
    void figuresBelowZeroHaveAMinus();
    void aPredictionIsOfTheOneBesideIt();
    void anotherRecordingIsPricedAnew();
    void whatIsClosedIsForgotten();
    void findingsLeadToTheirChange_data();
    void findingsLeadToTheirChange();
    void whatAFindingOfAPartChangesIsInThatPart();
    void changesAreLimitedToWhatIsSelected();
    void answersChangeThePrediction();
    void theHeadSaysWhichOfTwoItIsAbout();
    void totalsAreOfThePartThatIsChanged();
    void theChosenChangeStaysChosenInAnotherScope();
    void cancellingStopsAReplay();
    void cancelledPricingGoesOnWhenAsked();

private:
    static OpenRecordingPtr open(const QString& name)
    {
        const QString path
            = QStringLiteral("%1/resources/recordings/%2.sqlite").arg(qEnvironmentVariable("LANES_SOURCE"), name);
        return analysed(open_recording(path.toStdString()), path);
    }
    bool priced() const
    {
        return QTest::qWaitFor([this] { return m_whatIfs->priced() != nullptr; }, 30000);
    }
    bool together() const
    {
        return QTest::qWaitFor([this] { return m_whatIfs->together() && isWhole(*m_whatIfs->together()); }, 30000);
    }
    QTreeWidgetItem* row(const QString& change) const
    {
        const auto found = m_panel->table()->findItems(change, Qt::MatchExactly, 0);
        return found.isEmpty() ? nullptr : found.front();
    }
    /// A box of three states takes the next with each click.
    static void clickTo(QCheckBox* box, Qt::CheckState wanted)
    {
        for (int click = 0; click < 3 && box->checkState() != wanted; ++click) {
            box->click();
        }
        QCOMPARE(box->checkState(), wanted);
    }
    static Changes of(std::initializer_list<ChangeKind> kinds)
    {
        Changes changes;
        for (const ChangeKind kind : kinds) {
            changes.push_back({kind});
        }
        return changes;
    }

    std::unique_ptr<Workspace> m_workspace;
    WhatIfs* m_whatIfs = nullptr;
    std::unique_ptr<WhatIfPanel> m_panel;
};

void tst_WhatIfPanel::init()
{
    m_workspace = std::make_unique<Workspace>();
    m_whatIfs = new WhatIfs(m_workspace.get());
    m_panel = std::make_unique<WhatIfPanel>(new QPushButton);
    m_panel->observe(m_whatIfs);
}

void tst_WhatIfPanel::cleanup()
{
    m_panel.reset();
    m_workspace.reset();
}

void tst_WhatIfPanel::eachChangeHasARow()
{
    const OpenRecordingPtr recording = open(QStringLiteral("h200/copy-results-back.blocking"));
    m_workspace->set({recording});
    QVERIFY(priced());  // even if nobody looks at it: it is small
    const replay::WhatIf whatIf(*recording->graph);
    const auto offers = whatIf.offers();
    QVERIFY(!offers.empty());
    QCOMPARE(m_panel->table()->topLevelItem(2)->text(0), changesText(offers.front().changes));
    for (const auto& offer : offers) {
        const QTreeWidgetItem* item = row(changesText(offer.changes));
        QVERIFY2(item, qPrintable(changesText(offer.changes)));
        QCOMPARE(item->text(1), formatTime(offer.total));
        QVERIFY(item->text(3).contains(formatTime(std::abs(offer.total - whatIf.gate().recorded))));
        QVERIFY(item->text(4).contains(formatTime(offer.low)) && item->text(4).contains(formatTime(offer.high)));
        QVERIFY(!item->text(5).isEmpty());
    }
    for (std::size_t index = 0; index < replay::change_kinds; ++index) {
        const auto kind = static_cast<ChangeKind>(index);
        const replay::Change change {kind, {}, needs_amount(kind) ? 2.0 : 0.0};
        QCOMPARE(row(changesText({change})) != nullptr, !replay::needs_limit(kind) && whatIf.count(change) > 0);
    }
    QVERIFY(row(QStringLiteral("kernels 2 times as fast")));
    QVERIFY(m_panel->asText().contains(QStringLiteral("with constants only")));
    QVERIFY(m_panel->asText().contains(formatTime(whatIf.gate().recorded)));
}

void tst_WhatIfPanel::boxesCombineChanges()
{
    m_workspace->set({open(QStringLiteral("h200/copy-results-back.blocking"))});
    QVERIFY(priced());
    const QTreeWidgetItem* recorded = m_panel->table()->topLevelItem(0);
    const QTreeWidgetItem* all = m_panel->table()->topLevelItem(1);
    const QString total = formatTime(m_whatIfs->priced()->whatIf.gate().recorded);
    QCOMPARE(recorded->text(1), total);
    QVERIFY(recorded->text(3).isEmpty());
    QVERIFY(all->isHidden());
    row(QStringLiteral("kernels 2 times as fast"))->setCheckState(0, Qt::Checked);
    row(QStringLiteral("pin memory"))->setCheckState(0, Qt::Checked);
    const Changes wanted {{ChangeKind::pin}, {ChangeKind::faster, {}, 2}};
    QCOMPARE(m_whatIfs->ticked(), wanted);  // in the order in which they are made, not of the clicks
    QVERIFY(together());
    const auto truth = m_whatIfs->priced()->whatIf.predict(wanted);
    QCOMPARE(m_whatIfs->together()->total, truth.total);
    QCOMPARE(all->text(1), formatTime(truth.total));
    QVERIFY(!all->isHidden() && all->text(0).contains(changesText(wanted)));
    QCOMPARE(recorded->text(1), total);  // the run it is compared with stays in sight
    QCOMPARE(m_panel->chosen(), wanted);
    row(QStringLiteral("kernels 2 times as fast"))->setCheckState(0, Qt::Unchecked);
    QCOMPARE(m_whatIfs->ticked(), of({ChangeKind::pin}));
    row(QStringLiteral("pin memory"))->setCheckState(0, Qt::Unchecked);
    QVERIFY(!m_whatIfs->together());
    QVERIFY(all->isHidden());
}

void tst_WhatIfPanel::aPairIsTickedAsItsParts()
{
    m_workspace->set({open(QStringLiteral("h200/copy-results-back.blocking"))});
    QVERIFY(priced());
    const QString pair = changesText(of({ChangeKind::pin, ChangeKind::non_blocking}));
    QVERIFY(row(pair));
    row(pair)->setCheckState(0, Qt::Checked);
    QCOMPARE(row(QStringLiteral("pin memory"))->checkState(0), Qt::Checked);
    QCOMPARE(row(QStringLiteral("non-blocking copies"))->checkState(0), Qt::Checked);
    QVERIFY(together());  // known already
    row(QStringLiteral("pin memory"))->setCheckState(0, Qt::Unchecked);
    QCOMPARE(row(pair)->checkState(0), Qt::Unchecked);
    QCOMPARE(m_whatIfs->ticked(), of({ChangeKind::non_blocking}));
}

void tst_WhatIfPanel::theChosenOneIsTold()
{
    m_workspace->set({open(QStringLiteral("h200/copy-results-back.blocking"))});
    m_panel->show();
    QVERIFY(priced());
    QTreeWidgetItem* pin = row(QStringLiteral("pin memory"));
    m_panel->table()->setCurrentItem(pin);
    QCOMPARE(m_panel->chosen(), of({ChangeKind::pin}));
    const auto labels = m_panel->findChildren<QLabel*>();
    const auto says = [&labels](const QString& what) {
        return std::any_of(labels.begin(), labels.end(),
            [&](const QLabel* label) { return label->isVisible() && label->text().contains(what); });
    };
    QVERIFY(says(QStringLiteral("pinned once, before the run")));
    row(QStringLiteral("kernels 2 times as fast"))->setCheckState(0, Qt::Checked);
    QVERIFY(!says(QStringLiteral("pinned once, before the run")));
    QVERIFY(says(QStringLiteral("occupy the same share of the GPU")));
    QSignalSpy wanted(m_panel.get(), &WhatIfPanel::showWanted);
    QTest::keyClick(m_panel->table(), Qt::Key_Return);
    QCOMPARE(wanted.count(), 1);
}

/// What is said beside the table was cut at the width of the longest title of a variant.
void tst_WhatIfPanel::aLongTitleMakesNothingWider()
{
    auto* button = m_panel->findChild<QPushButton*>(QStringLiteral("whatIfToMeasured"));
    const QString offer = QStringLiteral("Show the recorded run of a variant with a title like this, and its settings");
    m_panel->setMeasured(QString(), offer);
    QCOMPARE(button->text(), offer);
    QVERIFY(button->minimumSizeHint().width() < button->sizeHint().width() / 2);
    constexpr int least_beside = 270;
    QVERIFY(button->minimumSizeHint().width() < least_beside / 2 && button->toolTip() == offer);
}

void tst_WhatIfPanel::numbersAreSet()
{
    m_workspace->set({open(QStringLiteral("h100/item-every-batch.every"))});
    m_panel->resize(1200, 500);
    m_panel->show();
    QVERIFY(priced());
    const auto shown = [this] {
        std::vector<QDoubleSpinBox*> boxes;
        for (auto* box : m_panel->findChildren<QDoubleSpinBox*>()) {
            if (box->isVisible()) {
                boxes.push_back(box);
            }
        }
        return boxes;
    };
    m_panel->table()->setCurrentItem(row(QStringLiteral("kernels 2 times as fast")));
    QCOMPARE(shown().size(), std::size_t {1});
    QCOMPARE(shown().front()->value(), 2.0);
    row(QStringLiteral("do not fetch values"))->setCheckState(0, Qt::Checked);
    QCOMPARE(shown().front()->value(), 0.0);
    const int rowCount = m_panel->table()->topLevelItemCount();
    shown().front()->setValue(5);
    shown().front()->setValue(10);
    const Changes every {{ChangeKind::drop_values, {}, 10}};
    QCOMPARE(m_whatIfs->ticked(), every);
    QVERIFY(QTest::qWaitFor([this] { return m_whatIfs->together() && isWhole(*m_whatIfs->together()); }, 30000));
    const auto truth = m_whatIfs->priced()->whatIf.predict(every);
    QCOMPARE(m_whatIfs->together()->total, truth.total);
    QCOMPARE(m_whatIfs->together()->high, truth.high);
    const QTreeWidgetItem* item = row(changesText(every));
    QVERIFY(item);
    QCOMPARE(item->text(1), formatTime(truth.total));
    QCOMPARE(item->checkState(0), Qt::Checked);
    QCOMPARE(m_panel->table()->topLevelItemCount(), rowCount);
    QTreeWidgetItem* kernels = row(QStringLiteral("kernels 2 times as fast"));
    const QRect at = m_panel->table()->visualItemRect(kernels);
    QTest::mouseClick(m_panel->table()->viewport(), Qt::LeftButton, {}, QPoint(at.width() / 2, at.center().y()));
    QCOMPARE(m_panel->chosen(), (Changes {{ChangeKind::faster, {}, 2}}));
    shown().front()->setValue(4);
    const auto faster = [this] {
        const auto& rows = m_whatIfs->rows();
        return *std::find_if(rows.begin(), rows.end(),
            [](const replay::Prediction& each) { return each.changes.front().kind == ChangeKind::faster; });
    };
    QVERIFY(!isWhole(faster()));
    QVERIFY(QTest::qWaitFor([&] { return isWhole(faster()); }, 30000));
    QCOMPARE(faster().total, m_whatIfs->priced()->whatIf.predict({{ChangeKind::faster, {}, 4}}).total);
    QCOMPARE(m_whatIfs->ticked(), every);
}

void tst_WhatIfPanel::aShutGateSaysWhyAndNoNumber()
{
    const OpenRecordingPtr recorded = open(QStringLiteral("h200/copy-results-back.blocking"));
    Trace lost = *recorded->trace;
    lost.dropped = 7;
    m_workspace->set({analysed(std::move(lost), QString())});
    m_panel->show();
    QVERIFY(priced());
    QVERIFY(m_whatIfs->priced()->rows.empty());
    QCOMPARE(m_panel->table()->topLevelItemCount(), 0);
    QVERIFY2(m_panel->asText().contains(QStringLiteral("7 records were lost")), qPrintable(m_panel->asText()));
    QVERIFY(!m_panel->asText().contains(QStringLiteral("measured delays")));
    QVERIFY(m_panel->chosen().empty());
}

void tst_WhatIfPanel::figuresBelowZeroHaveAMinus()
{
    replay::Gate gate;
    gate.recorded = 1'000'000;
    gate.measured = 999'900;
    gate.constants = 1'012'300;
    const QString said = gateText(gate, gate.recorded);
    QVERIFY2(
        said.contains(QStringLiteral("\u22120.01 %")) && said.contains(QStringLiteral("+1.23 %")), qPrintable(said));
    QCOMPARE(sentenceOf({"whatif.refused.off_constants", {{"off", "-12.3 %"}, {"most", "10 %"}}}),
        QStringLiteral("Replayed unchanged with constants only, its end is \u221212.3 % off; the limit is 10 %."));
    gate.measured = gate.recorded;
    QVERIFY2(
        gateText(gate, gate.recorded).contains(QStringLiteral(" 0.00 %")), qPrintable(gateText(gate, gate.recorded)));
}

void tst_WhatIfPanel::aPredictionIsOfTheOneBesideIt()
{
    const OpenRecordingPtr recorded = open(QStringLiteral("h200/copy-results-back.blocking"));
    m_workspace->set({recorded});
    QVERIFY(priced());
    const Changes changes = of({ChangeKind::pin, ChangeKind::non_blocking});
    const OpenRecordingPtr predicted = analysed(m_whatIfs->priced()->whatIf.predicted_trace(changes), QString());
    QVERIFY2(predicted->title.ends_with(", if: pin memory + non-blocking copies"), predicted->title.c_str());
    QVERIFY(longTitle(*predicted).endsWith(QStringLiteral("(predicted)")));
    QCOMPARE(nameForFile(*predicted), QStringLiteral("copy-results-back.blocking.predicted"));
    QVERIFY(predicted->is_model());
    const auto before = m_whatIfs->priced();
    m_workspace->set({recorded, predicted});
    m_workspace->setActive(1);
    QCOMPARE(m_whatIfs->side(), 0);
    QCOMPARE(m_whatIfs->priced(), before);
    m_workspace->set({predicted});
    QCOMPARE(m_whatIfs->side(), 0);
    QVERIFY(priced());
    QVERIFY(!m_whatIfs->priced()->whatIf.gate().is_open());
}

void tst_WhatIfPanel::anotherRecordingIsPricedAnew()
{
    const OpenRecordingPtr a = open(QStringLiteral("h200/copy-results-back.blocking"));
    const OpenRecordingPtr b = open(QStringLiteral("h100/item-every-batch.every"));
    m_workspace->set({a, b});
    m_workspace->setActive(1);  // while the first is being priced
    QVERIFY(priced());
    QCOMPARE(m_whatIfs->priced()->recording, b);
    row(QStringLiteral("do not fetch values"))->setCheckState(0, Qt::Checked);
    m_workspace->setActive(0);
    QVERIFY(m_whatIfs->ticked().empty());
    QVERIFY(!m_whatIfs->priced());
    QVERIFY(priced());
    QCOMPARE(m_whatIfs->priced()->recording, a);
    QVERIFY(!row(QStringLiteral("do not fetch values")));
}

void tst_WhatIfPanel::whatIsClosedIsForgotten()
{
    m_workspace->set({open(QStringLiteral("h200/copy-results-back.blocking"))});
    m_workspace->set({});  // while it is being priced
    QVERIFY(!m_whatIfs->recording());
    QTest::qWait(300);
    QVERIFY(!m_whatIfs->priced());
    QCOMPARE(m_panel->table()->topLevelItemCount(), 0);
}

void tst_WhatIfPanel::findingsLeadToTheirChange_data()
{
    QTest::addColumn<QString>("recording");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("ticked");
    QTest::newRow("pageable") << "h200/pageable-or-pinned.pageable-non-blocking"
                              << "pageable-async-copy"
                              << "pin memory (copies of pageable memory)";
    QTest::newRow("allocation") << "h200/allocate-in-the-loop.malloc"
                                << "allocation-in-loop"
                                << "allocate from a memory pool (allocations between GPU work)";
    QTest::newRow("default stream") << "h200/default-stream.legacy"
                                    << "default-stream"
                                    << "leave the legacy default stream";
    QTest::newRow("communication") << "h200/all-reduce.after-backward"
                                   << "communication-after-kernels"
                                   << "overlap collectives with the kernels before";
    QTest::newRow("launches") << "h200/cuda-graph.launches"
                              << "launch-bound"
                              << "launch CUDA graphs";
    QTest::newRow("values") << "h100/item-every-batch.every"
                            << "sync-after-small-copy"
                            << "do not fetch values (waits for small results)";
}

void tst_WhatIfPanel::findingsLeadToTheirChange()
{
    QFETCH(QString, recording);
    QFETCH(QString, rule);
    QFETCH(QString, ticked);
    const OpenRecordingPtr opened = open(recording);
    const auto& findings = opened->report->findings;
    QVERIFY(std::any_of(
        findings.begin(), findings.end(), [&](const Finding& finding) { return finding.rule == rule.toStdString(); }));
    m_workspace->set({opened});
    m_whatIfs->advise(0, rule.toStdString());  // before it is priced
    QVERIFY(priced());
    QCOMPARE(changesText(m_whatIfs->ticked()), ticked);
    QCOMPARE(m_panel->chosen(), m_whatIfs->ticked());
    // A change limited to a finding is not a row of the table: it is in the row of all that is ticked.
    const auto shown = [&] { return m_panel->table()->currentItem()->text(0); };
    QVERIFY2(shown() == ticked || shown() == QStringLiteral("Ticked: ") + ticked, qPrintable(shown()));
    m_whatIfs->setTicked({});
    m_panel->table()->setCurrentItem(m_panel->table()->topLevelItem(2));
    m_whatIfs->advise(0, rule.toStdString());
    QCOMPARE(changesText(m_whatIfs->ticked()), ticked);
    QVERIFY2(shown() == ticked || shown() == QStringLiteral("Ticked: ") + ticked, qPrintable(shown()));
}

void tst_WhatIfPanel::whatAFindingOfAPartChangesIsInThatPart()
{
    const OpenRecordingPtr opened = open(QStringLiteral("h200/pageable-or-pinned.pageable-non-blocking"));
    m_workspace->set({opened});
    QVERIFY(priced());
    const Interval part {0, opened->trace->duration / 2};
    m_whatIfs->setScope(replay::query_of(part), part);
    QVERIFY(priced());
    replay::Change change {ChangeKind::pin};
    change.finding = "pageable-async-copy";
    change.rows = opened->report->findings.front().changes.front().rows;
    QVERIFY(change.rows);
    m_whatIfs->setTicked({change});
    QCOMPARE(m_whatIfs->recorded(), part.end);
    QCOMPARE(
        changesText(m_whatIfs->ticked(), m_whatIfs->scope()), QStringLiteral("pin memory (copies of pageable memory)"));
    change.finding.clear();  // not limited to what is looked at
    m_whatIfs->setTicked({change});
    QVERIFY(m_whatIfs->recorded() > part.end);
}

/// To one copy, its name, its lane or a range; it stays when something else is selected.
void tst_WhatIfPanel::changesAreLimitedToWhatIsSelected()
{
    const OpenRecordingPtr recording = open(QStringLiteral("h200/copy-results-back.blocking"));
    m_workspace->set({recording});
    QVERIFY(priced());
    auto* scope = m_panel->findChild<QComboBox*>(QStringLiteral("whatIfScope"));
    QCOMPARE(scope->count(), 1);
    const auto& kinds = recording->trace->operations.kind;
    const auto copy = std::find(kinds.begin(), kinds.end(), OperationKind::d2h);
    QVERIFY(copy != kinds.end());
    const Ns all = m_whatIfs->priced()->whatIf.total({{ChangeKind::pin}});
    m_workspace->select(0, EventRef {EventTable::operations, static_cast<Row>(copy - kinds.begin())});
    QCOMPARE(scope->count(), 4);
    const auto choose = [&](int index) {
        scope->setCurrentIndex(index);
        emit scope->activated(index);
    };
    choose(1);
    QVERIFY(priced());
    QVERIFY(row(QStringLiteral("pin memory")));  // what they are limited to is said above them
    const auto one = std::find_if(m_whatIfs->rows().begin(), m_whatIfs->rows().end(),
        [](const auto& each) { return each.changes.size() == 1 && each.changes.front().kind == ChangeKind::pin; });
    QCOMPARE(one->count, std::uint64_t {1});
    QVERIFY(one->total > all && one->total < m_whatIfs->priced()->whatIf.gate().recorded);
    m_workspace->select(0, {});
    QCOMPARE(scope->currentIndex(), scope->count() - 1);
    QVERIFY(scope->currentText().contains(QStringLiteral("This")));
    // A call means what it issued.
    m_workspace->select(0,
        EventRef {
            EventTable::calls, recording->trace->operations.call[static_cast<std::size_t>(copy - kinds.begin())]});
    QCOMPARE(scope->count(), 4);
    QCOMPARE(scope->currentIndex(), 1);
    choose(0);
    QVERIFY(priced());
    QVERIFY(m_whatIfs->scope().empty());
    // The scope of the window, and what is ticked with it.
    m_panel->show();  // of a part that is selected it is asked only then
    m_whatIfs->setTicked(of({ChangeKind::pin}));
    m_workspace->selectRange(0, Interval {0, 5'000'000});
    QTRY_COMPARE(m_whatIfs->scope().text(), std::string("at>=0ns at<5000000ns"));
    QVERIFY(priced());
    QCOMPARE(scope->count(), 4);
    QCOMPARE(scope->currentText(), QStringLiteral("In the selection, 5.00 ms"));
    QVERIFY(!row(QStringLiteral("leave the legacy default stream")));
    QCOMPARE(m_whatIfs->ticked().front().on.text(), m_whatIfs->scope().text());
    QCOMPARE(
        changesText(of({ChangeKind::pin}), m_whatIfs->scope()), QStringLiteral("pin memory (all of the recording)"));
    choose(2);  // all of a name, in that range
    QVERIFY(priced());
    QVERIFY(m_whatIfs->scope().text().ends_with("at>=0ns at<5000000ns"));
    choose(0);
    m_workspace->selectRange(0, {});
    QTRY_VERIFY(m_whatIfs->scope().empty());
}

void tst_WhatIfPanel::answersChangeThePrediction()
{
    m_workspace->set({open(QStringLiteral("h200/item-every-batch.every"))});
    QVERIFY(priced());
    m_whatIfs->setTicked(of({ChangeKind::drop_values}));
    QVERIFY(together());
    const auto before = *m_whatIfs->together();
    QCOMPARE(before.assumptions.front().word(), std::string("value-is-needless"));
    QWidget* assumed = m_panel->findChild<QWidget*>(QStringLiteral("whatIfAssumed"));
    const auto boxes = assumed->findChildren<QCheckBox*>(QStringLiteral("assumption"));
    QVERIFY(boxes.size() >= 2);
    QCOMPARE(boxes[0]->checkState(), Qt::PartiallyChecked);
    clickTo(boxes[0], Qt::Unchecked);
    QCOMPARE(m_whatIfs->answers().at("value-is-needless"), false);
    QVERIFY(together());
    QCOMPARE(m_whatIfs->together()->total, m_whatIfs->priced()->whatIf.gate().recorded);
    QCOMPARE(boxes[0]->checkState(), Qt::Unchecked);
    clickTo(boxes[0], Qt::Checked);
    QVERIFY(together());
    QCOMPARE(m_whatIfs->together()->total, before.total);
    QVERIFY(m_whatIfs->together()->reliability < before.reliability
        || before.reliability == replay::Reliability::conditional);
    clickTo(boxes[0], Qt::PartiallyChecked);
    QVERIFY(m_whatIfs->answers().empty());
}

void tst_WhatIfPanel::theHeadSaysWhichOfTwoItIsAbout()
{
    const OpenRecordingPtr a = open(QStringLiteral("h200/copy-results-back.blocking"));
    const OpenRecordingPtr b = open(QStringLiteral("h200/copy-results-back.overlapped"));
    m_workspace->set({a});
    QVERIFY(priced());
    auto* head = m_panel->findChild<QLabel*>(QStringLiteral("whatIfGate"));
    const QString alone = head->text();
    QVERIFY2(alone.startsWith(QStringLiteral("Recorded")), qPrintable(alone));
    m_workspace->set({a, b});
    QCOMPARE(head->text(), QStringLiteral("A: ") + alone);
    m_workspace->set({b, a}, 1);
    QCOMPARE(head->text(), QStringLiteral("B: ") + alone);
    m_workspace->setActive(0);
    QVERIFY(priced());
    QVERIFY2(head->text().startsWith(QStringLiteral("A: Recorded")), qPrintable(head->text()));
    m_workspace->set({a});
    QVERIFY(priced());
    QCOMPARE(head->text(), alone);
}

/// A change of a range is compared with that range, and what is the same in both runs says nothing about the gain.
void tst_WhatIfPanel::totalsAreOfThePartThatIsChanged()
{
    m_workspace->set({open(QStringLiteral("h200/copy-results-back.blocking"))});
    QVERIFY(priced());
    auto* scope = m_panel->findChild<QComboBox*>(QStringLiteral("whatIfScope"));
    auto* gate = m_panel->findChild<QLabel*>(QStringLiteral("whatIfGate"));
    const Interval range {10'000'000, 30'000'000};
    m_panel->show();
    m_workspace->selectRange(0, range);
    QTRY_COMPARE(m_whatIfs->part(), range);
    QVERIFY(priced());
    QCOMPARE(m_whatIfs->recorded(), range.end - range.start);
    QVERIFY2(gate->text().contains(QStringLiteral("20.0 ms of ")), qPrintable(gate->text()));
    QVERIFY2(scope->currentText().endsWith(QStringLiteral("20.0 ms")), qPrintable(scope->currentText()));
    QCOMPARE(m_panel->table()->topLevelItem(0)->text(1), QStringLiteral("20.0 ms"));
    const auto pinned = std::find_if(m_whatIfs->rows().begin(), m_whatIfs->rows().end(),
        [](const auto& each) { return each.changes.size() == 1 && each.changes.front().kind == ChangeKind::pin; });
    QVERIFY(pinned != m_whatIfs->rows().end());
    const Ns gain = m_whatIfs->priced()->whatIf.gate().measured - pinned->total;
    QVERIFY(gain > 1'000'000 && gain < m_whatIfs->recorded());
    QVERIFY(pinned->longer_elsewhere < 0);  // the range ends in the middle of a copy
    QCOMPARE(m_whatIfs->ofPart(*pinned).total, m_whatIfs->recorded() - gain - pinned->longer_elsewhere);
    QVERIFY(row(QStringLiteral("pin memory"))->text(4).startsWith(formatTime(m_whatIfs->ofPart(*pinned).low)));
    // With a change of the whole there is only the whole to compare.
    m_whatIfs->setTicked(of({ChangeKind::pin}));
    QCOMPARE(m_whatIfs->recorded(), m_whatIfs->priced()->whatIf.gate().recorded);
    QVERIFY(row(QStringLiteral("pin memory"))->text(4).startsWith(formatTime(pinned->low)));
}

void tst_WhatIfPanel::theChosenChangeStaysChosenInAnotherScope()
{
    m_workspace->set({open(QStringLiteral("h200/copy-results-back.blocking"))});
    QVERIFY(priced());
    m_panel->show();
    m_panel->table()->setCurrentItem(row(QStringLiteral("kernels 2 times as fast")));
    QCOMPARE(m_panel->chosen().front().kind, ChangeKind::faster);
    const Interval range {10'000'000, 30'000'000};
    m_workspace->selectRange(0, range);
    QTRY_COMPARE(m_whatIfs->part(), range);
    QVERIFY(priced());
    QCOMPARE(m_panel->chosen().size(), std::size_t {1});
    QCOMPARE(m_panel->chosen().front().kind, ChangeKind::faster);
    m_workspace->set({open(QStringLiteral("h100/item-every-batch.every"))});
    QVERIFY(priced());
    QCOMPARE(m_panel->table()->currentItem(), m_panel->table()->topLevelItem(2));
}

void tst_WhatIfPanel::cancellingStopsAReplay()
{
    const OpenRecordingPtr recording = open(QStringLiteral("h200/copy-results-back.blocking"));
    std::stop_source stop;
    stop.request_stop();
    const Progress stopped(stop.get_token());
    QVERIFY_THROWS_EXCEPTION(Cancelled, replay::WhatIf(*recording->graph, stopped));
    const replay::WhatIf whatIf(*recording->graph);
    const Changes pin = of({ChangeKind::pin});
    QVERIFY_THROWS_EXCEPTION(Cancelled, whatIf.predict(pin, {}, {stopped}));
    QVERIFY_THROWS_EXCEPTION(Cancelled, whatIf.total(pin, {}, {stopped}));
    QVERIFY_THROWS_EXCEPTION(Cancelled, whatIf.predicted_trace(pin, {}, {stopped}));
    const auto none = std::chrono::nanoseconds(0);
    QVERIFY_THROWS_EXCEPTION(replay::TooLong, whatIf.predict(pin, {}, replay::Bound::within({}, none)));
    QVERIFY(whatIf.offers({.patience = none}).empty());  // each is left out
    QVERIFY(!whatIf.offers().empty());
}

void tst_WhatIfPanel::cancelledPricingGoesOnWhenAsked()
{
    m_workspace->set({open(QStringLiteral("h200/copy-results-back.blocking"))});
    QVERIFY(m_whatIfs->isPricing());
    m_whatIfs->cancel();
    QVERIFY(m_whatIfs->isCancelled() && !m_whatIfs->isPricing());
    m_whatIfs->answer("value-is-needless", false);  // as long as it is cancelled nothing begins it anew
    QVERIFY(!m_whatIfs->isPricing());
    QTest::qWait(50);
    QVERIFY(m_whatIfs->priced() == nullptr);
    m_whatIfs->again();
    QVERIFY(m_whatIfs->isPricing() && !m_whatIfs->isCancelled());
    QVERIFY(priced());
    QVERIFY(m_whatIfs->error().isEmpty());
    m_whatIfs->cancel();  // there is nothing to cancel
    QVERIFY(!m_whatIfs->isCancelled());
}

QTEST_MAIN(tst_WhatIfPanel)
#include "tst_what_if_panel.moc"

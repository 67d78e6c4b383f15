// SPDX-License-Identifier: MIT
// From the click on a box of the What-if panel to what it says on the screen: `bench_what_if_panel [OPERATIONS]`,
// 100,000 if not said. Offscreen unless QT_QPA_PLATFORM says otherwise.
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/panels/what_if/what_if_table.h"
#include "tests/benchmarks/whatif/launch_bound.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace lanes;
using namespace lanes::gui;

namespace {

/// When the table was first painted with `isThere` true.
class Painted : public QObject {
public:
    explicit Painted(QTreeWidget* table) { table->viewport()->installEventFilter(this); }
    double after(const QElapsedTimer& clock, const std::function<bool()>& isThere)
    {
        m_isThere = isThere;
        m_isDone = false;
        while (!m_isDone && clock.elapsed() < 60'000) {
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
        }
        return static_cast<double>(clock.nsecsElapsed()) / 1e6;
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint && m_isThere && m_isThere()) {
            // Painted when the filter lets it pass; the next iteration of the loop comes after it.
            QMetaObject::invokeMethod(
                this, [this] { m_isDone = true; }, Qt::QueuedConnection);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<bool()> m_isThere;
    bool m_isDone = false;
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("LANES_RESOURCES", LANES_SOURCE "/resources");
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(argc, argv);
    constexpr std::size_t usual = 100'000;
    const std::size_t operations = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : usual;
    Workspace workspace;
    auto* whatIfs = new WhatIfs(&workspace);
    WhatIfPanel panel(new QPushButton);
    panel.observe(whatIfs);
    panel.resize(1280, 260);
    panel.show();
    workspace.set({analysed(bench::launch_bound(operations), QString())});
    QElapsedTimer clock;
    clock.start();
    while (whatIfs->priced() == nullptr) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    }
    std::printf(
        "%zu operations: all changes priced in %.2f s\n", operations, static_cast<double>(clock.elapsed()) / 1e3);
    QTreeWidget* table = panel.table();
    Painted painted(table);
    std::vector<double> totals;
    std::vector<double> intervals;
    std::vector<double> processor;  // up to the total, of all threads
    // Two boxes at a time, so that the combination is not a row that is known already.
    const int rows = table->topLevelItemCount();
    const auto click = [&](int row) {
        const QRect rect = table->visualItemRect(table->topLevelItem(row));
        table->scrollToItem(table->topLevelItem(row));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
            QPoint(12, table->visualItemRect(table->topLevelItem(row)).center().y()));
        Q_UNUSED(rect);
    };
    for (int round = 0; round < 5 && rows > 2; ++round) {
        for (int row = 1; row + 1 < std::min(rows, 6); ++row) {
            click(row);
            while (!whatIfs->ticked().empty() && (!whatIfs->together() || !isWhole(*whatIfs->together()))) {
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
            }
            const auto before = whatIfs->ticked();
            clock.start();
            const auto used = std::clock();
            click(row + 1);
            if (whatIfs->ticked() == before || whatIfs->ticked().size() < 2) {
                whatIfs->setTicked({});
                continue;
            }
            totals.push_back(painted.after(clock, [&] { return whatIfs->together().has_value(); }));
            processor.push_back(1e3 * static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC);
            intervals.push_back(
                painted.after(clock, [&] { return whatIfs->together() && isWhole(*whatIfs->together()); }));
            whatIfs->setTicked({});
            QCoreApplication::processEvents();
        }
    }
    if (totals.empty()) {
        std::printf("no two changes here can be ticked together\n");
        return 1;
    }
    std::printf("click to the total on the screen %.0f ms (of the processor %.0f), to its interval %.0f ms (medians of "
                "%zu; slowest %.0f, %.0f and %.0f ms)\n",
        median(totals), median(processor), median(intervals), totals.size(),
        *std::max_element(totals.begin(), totals.end()), *std::max_element(processor.begin(), processor.end()),
        *std::max_element(intervals.begin(), intervals.end()));
    return 0;
}

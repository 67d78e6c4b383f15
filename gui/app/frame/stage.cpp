// SPDX-License-Identifier: MIT
#include "gui/app/frame/stage.h"

#include "gui/app/frame/panel_tabs.h"
#include "gui/app/learn/gallery_page.h"
#include "gui/app/learn/guess_page.h"
#include "gui/panels/step_bar.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/stack_heights.h"
#include "gui/timeline/timeline_view.h"

#include <QEvent>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lanes::gui {

Stage::Stage(ComparisonView* timeline, StepBar* steps, PanelTabs* panels, QWidget* parent)
    : QStackedWidget(parent)
    , m_gallery(new GalleryPage)
    , m_guess(new GuessPage)
    , m_timeline(timeline)
    , m_steps(steps)
    , m_panels(panels)
    , m_lanes(new QVBoxLayout)
    , m_all(new QSplitter(Qt::Vertical))
    , m_rows(new QSplitter(Qt::Vertical))
{
    m_timeline->setMinimumHeight(120);
    m_lanes->setContentsMargins(0, 0, 0, 0);
    m_lanes->setSpacing(0);
    m_lanes->addWidget(m_timeline, 1);
    m_lanes->addWidget(steps);
    auto* lanes = new QWidget;
    lanes->setLayout(m_lanes);
    m_rows->setObjectName(QStringLiteral("rows"));
    m_rows->setHandleWidth(1);
    m_rows->setChildrenCollapsible(false);
    m_rows->addWidget(lanes);
    m_rows->addWidget(m_panels);
    m_rows->setStretchFactor(0, 3);
    m_rows->setStretchFactor(1, 1);
    connect(m_rows, &QSplitter::splitterMoved, this, [this] { m_divided = true; });
    connect(m_panels, &PanelTabs::currentChanged, this, &Stage::divide);
    connect(m_panels, &PanelTabs::findingsChanged, this, &Stage::divide);
    addWidget(m_gallery);
    m_all->setObjectName(QStringLiteral("topAndRows"));
    m_all->setHandleWidth(1);
    m_all->setChildrenCollapsible(false);
    m_all->addWidget(m_rows);
    connect(m_all, &QSplitter::splitterMoved, this, &Stage::divide);
    addWidget(m_all);
    addWidget(m_guess);
}

void Stage::setTop(QWidget* widget)
{
    m_all->insertWidget(0, widget);
}

void Stage::setTopAlone(bool alone)
{
    const bool wasAlone = m_rows->isHidden();
    m_rows->setHidden(alone);
    if (wasAlone && !alone && m_all->count() > 1) {
        constexpr int of_top = 45;  // percent, at most
        const QWidget* widget = m_all->widget(0);
        const int wanted = widget->hasHeightForWidth() ? widget->heightForWidth(width()) : widget->sizeHint().height();
        const int top = std::min(wanted, height() * of_top / 100);
        m_all->setSizes({top, height() - top});
    }
    divide();
}

/// What the lanes and the panels have.
int Stage::roomHeight() const
{
    const QWidget* top = m_all->count() > 1 ? m_all->widget(0) : nullptr;
    return top == nullptr || top->isHidden() ? height() : std::max(1, m_rows->height());
}

void Stage::addAbove(QWidget* widget)
{
    m_lanes->insertWidget(0, widget);
    m_above.push_back(widget);
    widget->installEventFilter(this);
}

bool Stage::eventFilter(QObject* watched, QEvent* event)
{
    const bool isAbove = std::find(m_above.begin(), m_above.end(), watched) != m_above.end();
    if (isAbove && event->type() == QEvent::Resize) {  // what is above the lanes is taken from them
        divide();
    }
    return QStackedWidget::eventFilter(watched, event);
}

void Stage::addBelow(QWidget* widget)
{
    m_lanes->addWidget(widget);
}

bool Stage::galleryShown() const
{
    return currentWidget() == m_gallery;
}

bool Stage::lanesShown() const
{
    return currentWidget() == m_all;
}

void Stage::showGallery()
{
    setCurrentWidget(m_gallery);
}

void Stage::showLanes()
{
    setCurrentWidget(m_all);
    divide();
}

void Stage::showGuess()
{
    setCurrentWidget(m_guess);
    m_guess->setFocus(Qt::OtherFocusReason);
}

void Stage::focusLanes(Qt::FocusReason reason)
{
    showLanes();
    m_timeline->activeView()->setFocus(reason);
}

void Stage::focus(PanelName name)
{
    showLanes();
    m_panels->show();
    m_panels->choose(name);
    m_panels->panel(name)->setFocus(Qt::ShortcutFocusReason);
}

void Stage::makeRoomForSteps(bool shown)
{
    constexpr int low = 700;
    if (shown && m_rowsBefore.isEmpty() && m_rows->height() < low && !m_panels->isHidden()) {
        m_rowsBefore = m_rows->sizes();
        const int least = m_panels->minimumHeight();
        m_rows->setSizes({m_rowsBefore[0] + m_rowsBefore[1] - least, least});
    } else if (!shown && !m_rowsBefore.isEmpty()) {
        m_rows->setSizes(std::exchange(m_rowsBefore, {}));
    }
}

QByteArray Stage::divisions() const
{
    return m_divided ? m_rows->saveState() : QByteArray();
}

void Stage::restoreDivisions(const QByteArray& state)
{
    m_divided = m_rows->restoreState(state);
}

void Stage::resizeEvent(QResizeEvent* event)
{
    QStackedWidget::resizeEvent(event);
    divide();
}

/// A quarter of the height for the panels, a third beside a single recording; less of a low window, which is the
/// lanes': they are in sight, all of them, where that leaves the panels their least. More of a high window, where the
/// lanes would leave it empty. Findings get no more than they fill where lanes would be out of sight. Tables get a few
/// rows, and a lesson some lines of its text, even where that makes the lanes as tight as they can be read.
void Stage::divide()
{
    const int room = roomHeight();
    constexpr int low = 640, least_above = 40, around = 16;
    int above_lanes = around;
    for (const QWidget* each : m_above) {
        above_lanes += each->sizeHint().height();
    }
    above_lanes = std::max(least_above, above_lanes);
    constexpr int to_spare = 12;  // where the lanes are as low as they become
    constexpr int few_rows = 190;  // under the tabs and a table's head
    constexpr int some_rows = 225;  // the same under what a panel says of itself
    if (m_held || m_divided || !m_rowsBefore.isEmpty()) {
        return;
    }
    const StackHeights lanes = m_timeline->heights();
    const auto beside = [&](int lanesHeight) { return room - lanesHeight - above_lanes; };
    const int least = m_panels->minimumHeight();
    const int some = std::max(least, std::min(m_panels->heightOfFindings(1), room * 3 / 10));
    const bool two = m_timeline->recordings().size() > 1;
    const auto besideLanes = [&](int wanted) {
        const int good = beside(lanes.least), tight = beside(lanes.tightest) - to_spare;
        const int left = good >= some ? good
            : tight >= some           ? some + (tight - some) / 2  // the lanes can be read yet
            : tight >= least          ? least + (tight - least) / 2
            : two                     ? least  // nearly all of what is compared
                                      : wanted;  // they scroll with less as well
        return std::max(least, std::min(wanted, left));
    };
    const int share = !two ? 3 : room < low ? 5 : 4;
    int panels = besideLanes(std::max(some, room / share));
    if (beside(lanes.needed) >= least) {
        panels = std::min(panels, beside(lanes.needed));
    }
    // A table's head and two of its rows; one where much is above the lanes.
    constexpr int two_rows = 155, one_row = 142;
    const int table = std::max(one_row, two_rows - (above_lanes - least_above));
    const PanelHeight wanted = m_panels->current().height;
    if (wanted == PanelHeight::everything) {
        const int all = m_panels->heightOfVariants();
        panels = std::max({panels, besideLanes(std::min(all, room * 3 / 10)), std::min(all, table)});
    } else if (wanted == PanelHeight::someLines) {  // not the headings alone
        constexpr int some_lines = 170;
        panels = std::max(panels, std::min(some_lines, beside(lanes.tightest)));
    } else if (wanted != PanelHeight::firstRow) {
        constexpr int high = 850;  // there deep lanes have room enough to scroll in, beside a quarter for the table
        const int rows = std::min(wanted == PanelHeight::fewRows ? few_rows : some_rows, room * 2 / 5);
        // Two recordings are beside one another to be compared: all lanes stay in sight, but for what is chosen from
        // and for a table that would show its head alone.
        const bool whole = two && wanted != PanelHeight::someChoices;
        panels = std::max(panels,
            room >= high ? std::max(rows, room / 4)
                : whole  ? std::max(besideLanes(rows), std::min(rows, table))
                         : rows);
    }
    constexpr int many_findings = 8;  // more of them are higher than the panel becomes
    if (const int all = m_panels->heightOfFindings(many_findings); all > 0) {
        panels = std::min(panels, std::max(all, least));  // lanes out of sight need what stays empty under them
    }
    panels = std::max(panels, std::min(beside(lanes.liked), room / 2));
    m_rows->setSizes({room - panels, panels});
}

}  // namespace lanes::gui

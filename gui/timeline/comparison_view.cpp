// SPDX-License-Identifier: MIT
#include "gui/timeline/comparison_view.h"

#include <QVBoxLayout>
#include <algorithm>
#include <map>

namespace lanes::gui {

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent)
    , m_splitter(new QSplitter(Qt::Vertical))
    , m_views{new TimelineView, new TimelineView}
    , m_active(m_views[0])
    , m_overview(new OverviewStrip)
    , m_search(new LaneSearch(this))
    , m_searchBar(new SearchBar(m_search))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_searchBar);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_overview);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    for (int i = 0; i < 2; ++i) {
        m_splitter->addWidget(view(i));
        connectView(i);
    }
    connect(m_overview, &OverviewStrip::windowRequested, this, &ComparisonView::showRange);
    connectSearch();
    setFocusProxy(m_views[0]);
    setRecordings({});
}

void ComparisonView::connectView(int index)
{
    TimelineView* one = view(index);
    TimelineView* other = view(1 - index);
    connect(one, &TimelineView::timeScaleChanged, this, [this, one, other](const TimeScale& scale) {
        if (m_linking) {
            return;
        }
        m_linking = true;
        if (other->recording()) {
            other->setTimeScale(scale);
        }
        m_linking = false;
        m_overview->setWindow(one->visibleRange());
        emit timeScaleChanged(scale);
    });
    connect(one, &TimelineView::lanesChanged, this, &ComparisonView::lanesChanged);
    connect(one, &TimelineView::laneMenuRequested, this, [this, one](QPoint at) {
        one->setFocus(Qt::PopupFocusReason);
        emit laneMenuRequested(at);
    });
    connect(one, &TimelineView::cursorMoved, other, &TimelineView::setCursorTime);
    connect(one, &TimelineView::selectionChanged, this, [this, index, other](ItemRef item) {
        if (item) {
            other->setSelection({});
        }
        showCurrentHit();
        emit selectionChanged(index, item);
    });
    connect(one, &TimelineView::rangeChanged, this, [this, index, one, other] {
        if (one->selectedRange()) {
            other->setSelectedRange(one->selectedRange());
        } else if (other->selectedRange()) {
            other->setSelectedRange({});
        }
        emit rangeChanged(index);
    });
    connect(one, &TimelineView::focused, this, [this, index, one] {
        activate(index);
    });
}

void ComparisonView::setRecordings(const std::vector<RecordingPtr>& recordings)
{
    m_overview->setModels({}, 1);
    m_linking = true;
    const bool pair = recordings.size() > 1;
    Ns longest = 1;
    std::map<RecordingPtr, LaneArrangement> arrangements;  // a recording that changes its place keeps its own
    for (const TimelineView* shown : m_views) {
        arrangements[shown->recording()] = shown->arrangement();
    }
    for (std::size_t i = 0; i < 2; ++i) {
        TimelineView* shown = m_views[i];
        shown->setRecording(i < recordings.size() ? recordings[i] : nullptr);
        if (const auto kept = arrangements.find(shown->recording()); shown->recording() && kept != arrangements.end()) {
            shown->setArrangement(kept->second);
        }
        longest = std::max(longest, shown->model() != nullptr ? shown->model()->duration() : 0);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        TimelineView* shown = m_views[i];
        shown->setPlace(pair ? QString(QChar(u'A' + static_cast<char16_t>(i))) : QString(), i > 0 ? recordings.empty() ? nullptr : recordings[0] : nullptr);
        shown->setVisible(i == 0 || pair);
        shown->setExtent(longest);
    }
    m_linking = false;
    m_active = m_views[0];
    m_search->setRecordings(this->recordings());
    std::vector<const LaneModel*> models;
    for (std::size_t i = 0; i < std::min<std::size_t>(recordings.size(), 2); ++i) {
        models.push_back(m_views[i]->model());
    }
    m_overview->setModels(models, m_views[0]->fittingExtent());
    m_overview->setVisible(!models.empty());
    m_overview->setWindow(m_views[0]->visibleRange());
    divide();
}

std::vector<RecordingPtr> ComparisonView::recordings() const
{
    std::vector<RecordingPtr> all;
    for (const TimelineView* shown : m_views) {
        if (shown->recording()) {
            all.push_back(shown->recording());
        }
    }
    return all;
}

void ComparisonView::setTheme(const Theme& theme)
{
    for (TimelineView* shown : m_views) {
        shown->setTheme(theme);
    }
    m_overview->setTheme(theme);
    m_splitter->setStyleSheet(QStringLiteral("QSplitter::handle { background: %1; }").arg(theme.line.name()));
}

Ns ComparisonView::extent() const
{
    return m_views[0]->extent();
}

void ComparisonView::perform(TimelineAction action)
{
    m_active->perform(action);
}

void ComparisonView::setTimeScale(const TimeScale& scale)
{
    m_views[0]->setTimeScale(scale);
}

void ComparisonView::showRange(TimeSpan range)
{
    m_views[0]->showRange(range);
}

void ComparisonView::select(int index, ItemRef item)
{
    view(index)->setSelection(item);
}

void ComparisonView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    divide();
}

/// Gives the two views heights in proportion to what they hold.
void ComparisonView::divide()
{
    if (!m_views[1]->isHidden()) {
        m_splitter->setSizes({m_views[0]->sizeHint().height() * 100, m_views[1]->sizeHint().height() * 100});
    }
}

}  // namespace lanes::gui

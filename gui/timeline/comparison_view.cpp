// SPDX-License-Identifier: MIT
#include "gui/timeline/comparison_view.h"

#include "gui/paint/time_format.h"

#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <utility>

namespace lanes::gui {

namespace {

constexpr int compare_delay_ms = 60;

}  // namespace

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent)
    , m_splitter(new QSplitter(Qt::Vertical))
    , m_views{new TimelineView, new TimelineView}
    , m_active(m_views[0])
    , m_overview(new OverviewStrip)
    , m_search(new LaneSearch(this))
    , m_searchBar(new SearchBar(m_search))
    , m_differences(new DifferenceStrip)
    , m_filterBar(new FilterBar)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_searchBar);
    layout->addWidget(m_filterBar);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_overview);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->addWidget(m_views[0]);
    m_splitter->addWidget(m_differences);
    m_splitter->addWidget(m_views[1]);
    connectView(0);
    connectView(1);
    connect(m_differences, &DifferenceStrip::resetWanted, this, [this] { setAlignment({}); });
    m_compareLater.setSingleShot(true);
    m_compareLater.setInterval(compare_delay_ms);
    connect(&m_compareLater, &QTimer::timeout, this, &ComparisonView::compare);
    connect(m_overview, &OverviewStrip::windowRequested, this, &ComparisonView::showRange);
    connectSearch();
    const auto history = std::make_shared<ViewHistory>();
    for (TimelineView* shown : m_views) {
        shown->shareHistory(history);
    }
    connectLanes();
    setFocusProxy(m_views[0]);
    setRecordings({});
}

void ComparisonView::connectView(int index)
{
    TimelineView* one = view(index);
    TimelineView* other = view(1 - index);
    connect(one, &TimelineView::timeScaleChanged, this, [this, index, other](const TimeScale& scale) {
        if (m_linking) {
            return;
        }
        m_linking = true;
        if (other->recording()) {
            other->setTimeScale(m_alignment.across(scale, index));
        }
        m_linking = false;
        m_overview->setWindow(m_views[0]->visibleRange());
        m_compareLater.start();
        emit timeScaleChanged(timeScale());
    });
    connect(one, &TimelineView::indexed, &m_compareLater, qOverload<>(&QTimer::start));
    connect(one, &TimelineView::marksChanged, this, [this, index] { emit marksChanged(index); });
    connect(one, &TimelineView::cursorMoved, other,
        [this, index, other](qint64 time) { other->setCursorTime(time == no_time ? no_time : m_alignment.across(Ns(time), index)); });
    connect(one, &TimelineView::selectionChanged, this, [this, index, other](ItemRef item) {
        if (item) {
            other->setSelection({});
        }
        showCurrentHit();
        emit selectionChanged(index, item);
    });
    connect(one, &TimelineView::rangeChanged, this, [this, index, one, other] {
        if (std::exchange(m_ranging, true)) {
            return;
        }
        const auto range = one->selectedRange();
        other->setSelectedRange(range ? std::optional(m_alignment.across(*range, index)) : std::nullopt);
        m_ranging = false;
        compare();
        emit rangeChanged(index);
    });
    connect(one, &TimelineView::indexed, this, [this, index](double fraction) {
        m_indexed[static_cast<std::size_t>(index)] = fraction;
        m_overview->update();
        emit indexed(std::min(m_indexed[0], m_indexed[1]));
    });
    connect(one, &TimelineView::focused, this, [this, index, one] {
        activate(index);
    });
}

void ComparisonView::stopIndexing()
{
    for (TimelineView* shown : m_views) {
        shown->stopIndexing();
    }
}

void ComparisonView::setRecordings(const std::vector<RecordingPtr>& recordings)
{
    std::map<RecordingPtr, LaneArrangement> arrangements;  // a recording that changes its place keeps its own
    for (const TimelineView* shown : m_views) {
        arrangements[shown->recording()] = shown->arrangement();
    }
    const std::vector<RecordingPtr> before = this->recordings();
    if (recordings.size() != 2 || before.size() != 2) {
        m_alignment = {};
        m_reference = 0;
    } else if (recordings[0] == before[1] && recordings[1] == before[0]) {
        m_alignment = m_alignment.swapped();
        m_reference = 1 - m_reference;
    } else if (recordings != before) {
        m_alignment = {};
    }
    m_overview->setModels({}, {});
    m_overview->setHits({});
    m_linking = true;
    for (std::size_t i = 0; i < 2; ++i) {
        m_views[i]->setRecording(i < recordings.size() ? recordings[i] : nullptr);
        if (const auto kept = arrangements.find(m_views[i]->recording()); m_views[i]->recording() && kept != arrangements.end()) {
            m_views[i]->setArrangement(kept->second);
        }
        m_views[i]->setVisible(i == 0 || recordings.size() > 1);
    }
    m_linking = false;
    m_active = m_views[0];
    m_search->setRecordings(this->recordings());
    placeViews();
    divide();
    emit alignmentChanged();
}

void ComparisonView::placeViews()
{
    const std::vector<RecordingPtr> shown = recordings();
    const bool pair = shown.size() > 1;
    std::vector<const LaneModel*> models;
    std::array<Ns, 2> durations {0, 0}, recorded {0, 0};
    for (std::size_t i = 0; i < shown.size(); ++i) {
        models.push_back(m_views[i]->model());
        durations[i] = m_views[i]->model()->duration();
        recorded[i] = shown[i]->trace->duration;
    }
    const TimeSpan all = m_alignment.spanOf(durations);
    const TimeSpan reach = m_alignment.spanOf(recorded);
    m_linking = true;
    for (int side = 0; side < 2; ++side) {
        TimelineView* one = view(side);
        const bool reference = side == m_reference;
        one->setPlace(pair ? QString(QChar(u'A' + static_cast<char16_t>(side))) : QString(), pair && !reference ? shown[static_cast<std::size_t>(m_reference)] : nullptr);
        const Ns offset = m_alignment.offsetOf(side);
        one->setExtent({all.start + offset, all.end + offset}, {reach.start + offset, reach.end + offset});
        one->setAnchor(pair && !m_alignment.atStarts() ? m_alignment.anchor[static_cast<std::size_t>(side)] : no_time);
    }
    if (pair) {
        m_views[1]->setTimeScale(m_alignment.across(m_views[0]->timeScale(), 0));
    }
    m_linking = false;
    m_overview->setModels(models, m_views[0]->fittingExtent(), m_alignment);
    m_overview->setVisible(!models.empty() && m_magnification == 1);
    m_overview->setWindow(m_views[0]->visibleRange());
    m_differences->setVisible(pair);
    compare();
}

void ComparisonView::setAlignment(const Alignment& alignment)
{
    if (alignment == m_alignment || recordings().size() < 2) {
        return;
    }
    m_alignment = alignment;
    if (const auto range = m_active->selectedRange()) {
        const int from = activeIndex();
        view(1 - from)->setSelectedRange(m_alignment.across(*range, from));
    }
    placeViews();
    emit alignmentChanged();
    emit timeScaleChanged(timeScale());
}

void ComparisonView::setReference(int side)
{
    if (side != m_reference && recordings().size() > 1) {
        m_reference = side;
        placeViews();
    }
}

/// Fills the strip: with the figures of the selected range, or of what is in view where that is not all, or of all.
void ComparisonView::compare()
{
    m_compareLater.stop();
    if (m_views[0]->model() == nullptr || m_views[1]->model() == nullptr) {
        return;
    }
    Differences content;
    content.reference = m_reference;
    content.alignment = m_alignment.atStarts() ? QString() : m_alignment.text();
    std::optional<TimeSpan> range = m_views[0]->selectedRange();
    if (range) {
        content.scope = tr("selected: %1").arg(formatTime(range->end - range->start));
    } else if (const TimeSpan visible = m_views[0]->visibleRange(); visible.start > extent().start || visible.end < extent().end) {
        range = visible;
        content.scope = tr("in view: %1").arg(formatTime(visible.end - visible.start));
    } else {
        content.scope = tr("whole recordings");
    }
    for (int side = 0; side < 2; ++side) {
        const LaneModel& model = *view(side)->model();
        content.sides[static_cast<std::size_t>(side)] = !range ? figuresOfWhole(model)
            : figuresIn(model, side == 0 ? *range : m_alignment.across(*range, 0));
    }
    m_differences->setContent(content);
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
    m_differences->setTheme(theme);
    m_splitter->setStyleSheet(QStringLiteral("QSplitter::handle { background: %1; }").arg(theme.line.name()));
}

void ComparisonView::setMagnification(double magnification)
{
    m_magnification = magnification;
    m_linking = true;  // one after the other, then together again
    for (TimelineView* shown : m_views) {
        shown->setMagnification(magnification);
    }
    m_linking = false;
    m_differences->setMagnification(magnification);
    placeViews();
    divide();
}

TimeSpan ComparisonView::extent() const
{
    return m_views[0]->extent();
}

void ComparisonView::perform(TimelineAction action)
{
    m_active->perform(action);
}

void ComparisonView::showRange(TimeSpan range)
{
    m_views[0]->showRange(range);
}

void ComparisonView::follow(int index, ItemRef item)
{
    activate(index);
    view(index)->follow(item);
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
        m_splitter->setSizes({m_views[0]->sizeHint().height() * 100, m_differences->height(), m_views[1]->sizeHint().height() * 100});
    }
}

}  // namespace lanes::gui

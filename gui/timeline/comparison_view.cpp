// SPDX-License-Identifier: MIT
#include "gui/timeline/comparison_view.h"

#include "gui/paint/words/scope_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/timeline/difference_strip.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/hit_walk.h"
#include "gui/timeline/iteration_strip.h"
#include "gui/timeline/overview_strip.h"
#include "gui/timeline/stack_heights.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>
#include <QSplitter>
#include <QVBoxLayout>
#include <utility>

namespace lanes::gui {

namespace {

constexpr int least_with_overview = 340;  // logical pixels: where there is less, all of it is the lanes'
constexpr int least_of_two_with_overview = 440;
constexpr int least_with_differences = 390;
constexpr int least_with_waterfall = 430, least_with_waterfall_and_overview = 560;
constexpr int least_with_strip = 420, least_of_two_with_strip = 620;
constexpr int compare_delay_ms = 60;

}  // namespace

ComparisonView::ComparisonView(std::shared_ptr<TimelinePair> pair, QWidget* parent)
    : QWidget(parent)
    , m_pair(pair != nullptr ? std::move(pair) : std::make_shared<TimelinePair>())
    , m_splitter(new QSplitter(Qt::Vertical))
    , m_views {new TimelineView(&m_pair->side(0)), new TimelineView(&m_pair->side(1))}
    , m_overview(new OverviewStrip)
    , m_hits(new HitWalk(*this))
    , m_differences(new DifferenceStrip)
    , m_strip(new IterationStrip)
    , m_filterBar(new FilterBar)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_hits->bar());
    layout->addWidget(m_filterBar);
    layout->addWidget(m_overview);
    layout->addWidget(m_strip);
    layout->addWidget(m_splitter, 1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->addWidget(m_views[0]);
    m_splitter->addWidget(m_differences);
    m_splitter->addWidget(m_views[1]);
    connectPair();
    connectView(0);
    connectView(1);
    connect(m_differences, &DifferenceStrip::resetWanted, this, [this] { setAlignment({}); });
    m_compareLater.setSingleShot(true);
    m_compareLater.setInterval(compare_delay_ms);
    connect(&m_compareLater, &QTimer::timeout, this, &ComparisonView::compare);
    connect(m_overview, &OverviewStrip::windowRequested, this, &ComparisonView::showRange);
    connectLanes();
    showPlaces();
    showOpened();
}

/// The views end before what they show.
ComparisonView::~ComparisonView()
{
    for (TimelineView* shown : m_views) {
        shown->disconnect(this);
        delete shown;
    }
}

std::vector<RecordingPtr> ComparisonView::recordings() const
{
    return m_pair->recordings();
}

void ComparisonView::forgetPointed()
{
    for (TimelineView* view : m_views) {
        view->forgetPointed();
    }
}

Timeline& ComparisonView::side(int index) const
{
    return m_pair->side(index);
}

int ComparisonView::activeIndex() const
{
    return m_pair->active();
}

const TimeScale& ComparisonView::timeScale() const
{
    return m_pair->timeScale();
}

void ComparisonView::setAlignment(const Alignment& alignment)
{
    m_pair->setAlignment(alignment, activeIndex());
}

void ComparisonView::connectPair()
{
    TimelinePair* pair = m_pair.get();
    connect(pair, &TimelinePair::leaving, this, [this](bool recordings) {
        for (TimelineView* shown : m_views) {
            shown->endGesture();
        }
        m_overview->setModels({}, {});
        if (recordings) {
            m_overview->setHits({});
            for (TimelineView* shown : m_views) {
                shown->setHits({});
            }
        }
    });
    connect(pair, &TimelinePair::opened, this, &ComparisonView::showOpened);
    connect(pair, &TimelinePair::renewed, this, [this] { m_hits->search()->setRecordings(recordings()); });
    connect(pair, &TimelinePair::activeChanged, this, &ComparisonView::activate);
    connect(pair, &TimelinePair::timeScaleChanged, this, [this] {
        m_overview->setWindow(side(0).visibleRange());
        m_differences->update();
        m_compareLater.start();
    });
    connect(pair, &TimelinePair::placed, this, &ComparisonView::showPlaces);
    connect(pair, &TimelinePair::rangeChanged, this, &ComparisonView::compare);
    connect(pair, &TimelinePair::scopeChanged, this, &ComparisonView::compare);
    connect(pair, &TimelinePair::indexed, this, [this] {
        m_overview->update();
        m_compareLater.start();
    });
}

void ComparisonView::connectView(int index)
{
    TimelineView* one = view(index);
    TimelineView* other = view(1 - index);
    connect(one, &TimelineView::cursorMoved, other, [this, index, other](qint64 time) {
        other->setCursorTime(time == no_time ? no_time : m_pair->alignment().across(Ns(time), index));
    });
    connect(one, &TimelineView::resized, this, [this] { m_pair->linkTime(0); });
    connect(one, &TimelineView::focused, this, [this, index] { m_pair->setActive(index); });
}

void ComparisonView::showOpened()
{
    setFocusProxy(activeView());
    m_hits->search()->setRecordings(recordings());
    divide();
}

void ComparisonView::continueFrom(const ComparisonView& other)
{
    const TimelinePair::Kept kept = other.pair().kept();
    m_pair->restore(kept);
    for (const auto layer : {TimelineLayers::Layer::arrows, TimelineLayers::Layer::chain, TimelineLayers::Layer::path,
             TimelineLayers::Layer::idle}) {
        side(0).layers().show(layer, other.side(0).layers().isOn(layer));
    }
    // Once more when the lanes have their room and what is shown first of a recording has been decided.
    QTimer::singleShot(0, this, [this, kept, shown = recordings()] {
        if (recordings() == shown) {
            m_pair->restore(kept);
        }
    });
}

void ComparisonView::showPlaces()
{
    m_views[1]->setVisible(recordings().size() > 1);
    std::vector<const LaneModel*> models;
    for (int index = 0; index < static_cast<int>(recordings().size()) && !m_revealing; ++index) {
        models.push_back(side(index).model());
    }
    m_overview->setModels(models, side(0).state().time.fittingExtent(), m_pair->alignment());
    m_overviewWanted = !recordings().empty() && m_magnification == 1;
    m_overview->setWindow(side(0).visibleRange());
    placeWaterfall();
    const bool wereHidden = m_differences->isHidden();
    showWhatFits();
    if (m_differences->isHidden() != wereHidden || !m_pair->parts().empty()) {
        divide();
    }
    compare();
}

void ComparisonView::setWaterfall(std::shared_ptr<const Waterfall> waterfall)
{
    m_waterfall = std::move(waterfall);
    placeWaterfall();
    showWhatFits();
    divide();
}

void ComparisonView::setIterationBars(IterationBars bars)
{
    m_strip->setBars(std::move(bars));
    showWhatFits();
    divide();
}

void ComparisonView::placeWaterfall()
{
    const bool placed = m_waterfall && height() >= least_with_waterfall && m_pair->areIterationsAligned();
    m_differences->setWaterfall(
        placed ? m_waterfall : nullptr, [pair = m_pair](Ns time) { return pair->side(0).frame().xOf(time); });
}

void ComparisonView::setRevealing(bool revealing)
{
    if (revealing == m_revealing) {
        return;
    }
    m_revealing = revealing;
    for (TimelineView* shown : m_views) {
        shown->setRevealing(revealing);
    }
    showPlaces();
}

/// Fills the strip with the figures of the scope.
void ComparisonView::compare()
{
    m_compareLater.stop();
    if (m_revealing) {
        Differences untold;
        untold.isTold = false;
        m_differences->setContent(untold);
        return;
    }
    if (!areCompared() || side(0).model() == nullptr || side(1).model() == nullptr) {
        return;
    }
    Differences content;
    const Alignment& alignment = m_pair->alignment();
    content.reference = m_pair->reference();
    content.filtered = side(0).model()->choice().filter != nullptr;
    content.alignment = alignment.atStarts() ? QString() : alignment.text();
    const Scope scope = m_pair->scope();
    content.scope = scope.of == Scope::Of::all ? tr("whole recordings") : scopeText(scope, 2);
    const bool iterations = scope.of == Scope::Of::repeated && m_pair->iterations();
    for (int index = 0; index < 2; ++index) {
        const LaneModel& model = *side(index).model();
        if (iterations) {
            const auto i = static_cast<std::size_t>(index);
            content.sides[i] = sideFiguresOf(model, *(*m_pair->iterations())[i]);
            continue;
        }
        content.sides[static_cast<std::size_t>(index)] = scope.of == Scope::Of::all
            ? sideFiguresOf(model)
            : sideFiguresOf(model, scope.ranges[static_cast<std::size_t>(index)]);
    }
    content.takeWideTotals({side(0).recording(), side(1).recording()},
        scope.of == Scope::Of::all ? std::nullopt : std::optional(scope.ranges));
    m_differences->setContent(content);
}

void ComparisonView::setTheme(const Theme& theme)
{
    for (const int index : {0, 1}) {
        side(index).setTheme(theme);
    }
    m_overview->setTheme(theme);
    m_differences->setTheme(theme);
    m_strip->setTheme(theme);
    m_splitter->setStyleSheet(QStringLiteral("QSplitter::handle { background: %1; }").arg(theme.line.name()));
}

void ComparisonView::setMagnification(double magnification)
{
    if (magnification == m_magnification) {
        divide();
        return;
    }
    m_magnification = magnification;
    for (TimelineView* shown : m_views) {
        shown->setMagnification(std::max(magnification, m_textSize));
    }
    m_differences->setMagnification(std::max(magnification, m_textSize));
    m_strip->setMagnification(std::max(magnification, m_textSize));
    m_overview->setMagnification(std::max(magnification, m_textSize));
    m_pair->place();
    divide();
}

void ComparisonView::setTextSize(double times)
{
    if (times != m_textSize) {
        m_textSize = times;
        const double kept = std::exchange(m_magnification, 0);  // nothing else is taken for a change
        setMagnification(kept);
    }
}

void ComparisonView::perform(TimelineAction action)
{
    TimelineView* other = view(1 - activeIndex());
    const bool isOther = action == TimelineAction::clear && !activeView()->timeline().predicting().isShown()
        && other->timeline().predicting().isShown();
    (isOther ? other : activeView())->perform(action);
}

void ComparisonView::showRange(Interval range)
{
    side(0).showRange(range);
}

void ComparisonView::activate()
{
    TimelineView* before = view(1 - activeIndex());
    setFocusProxy(activeView());
    if (before->hasFocus()) {
        activeView()->setFocus(before->isFocusShown() ? Qt::ShortcutFocusReason : Qt::OtherFocusReason);
    }
}

void ComparisonView::select(int index, ItemRef item)
{
    side(index).select(item);
}

void ComparisonView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeWaterfall();
    showWhatFits();
    divide();
}

/// The strip of iterations goes in a low window, but where the lanes leave it room. The overview goes where the lanes
/// need its room, and where that would help them: those of a large recording scroll with it and without.
void ComparisonView::showWhatFits()
{
    const bool two = recordings().size() > 1;
    m_differences->setVisible(areCompared() && height() >= least_with_differences);
    const StackHeights all = heights();
    int least = all.least;
    for (int index = 0; index < static_cast<int>(recordings().size()); ++index) {
        least -= leastLanes(side(index)).footerHeight();  // which gives way first
    }
    const int overview = m_overviewWanted ? m_overview->sizeHint().height() : 0;
    const int beside = IterationBars::strip_height + overview;
    m_strip->setVisible(!m_strip->bars().isEmpty() && m_magnification == 1
        && (height() >= (two ? least_of_two_with_strip : least_with_strip) || least + beside <= height()));
    const int room = height() - (m_strip->isHidden() ? 0 : IterationBars::strip_height);
    const int readable = all.tightest + std::max(least - all.tightest, 0) / 2;
    const int lowest = m_differences->hasWaterfall() ? least_with_waterfall_and_overview
        : two                                        ? least_of_two_with_overview
                                                     : least_with_overview;
    m_overview->setVisible(
        m_overviewWanted && height() >= lowest && (readable + overview <= room || all.tightest > room));
}

/// Parts of one run are beside one another, and not compared.
bool ComparisonView::areCompared() const
{
    return recordings().size() > 1 && m_pair->parts().empty();
}

StackHeights ComparisonView::heights() const
{
    const int overview
        = m_overview->sizeHint().height() + (m_strip->bars().isEmpty() ? 0 : IterationBars::strip_height);
    StackHeights heights;
    const int between = areCompared() ? m_differences->contentHeight() : 0;
    heights.least = leastHeight(side(0)) + (m_views[1]->isHidden() ? 0 : leastHeight(side(1)) + between);
    heights.tightest = tightestHeight(side(0)) + (m_views[1]->isHidden() ? 0 : tightestHeight(side(1)) + between);
    heights.needed = heights.least + overview;
    heights.liked = overview + between;
    for (int index = 0; index < static_cast<int>(recordings().size()); ++index) {
        heights.liked += view(index)->heightLiked();
    }
    return heights;
}

/// Gives each view what its lanes need at least, and of what remains as much as they would like.
void ComparisonView::divide()
{
    if (m_views[1]->isHidden()) {
        return;
    }
    const int room = height() - (m_differences->isHidden() ? 0 : m_differences->height())
        - (m_overview->isHidden() ? 0 : m_overview->height()) - (m_strip->isHidden() ? 0 : m_strip->height());
    std::array<double, 2> tightest {}, least {}, liked {};
    for (const int index : {0, 1}) {
        const auto i = static_cast<std::size_t>(index);
        tightest[i] = tightestHeight(side(index)) * m_magnification;
        least[i] = leastHeight(side(index)) * m_magnification;
        liked[i] = m_views[i]->sizeHint().height() * m_magnification;
    }
    const bool tight = room < least[0] + least[1] && room >= tightest[0] + tightest[1];
    const auto heights = tight ? divided(room, tightest, least) : divided(room, least, liked);
    m_splitter->setSizes({heights[0], m_differences->height() * 100, heights[1]});
}

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
#include "gui/timeline/comparison_view.h"

#include "gui/paint/words/time_format.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <QVBoxLayout>
#include <utility>

namespace lanes::gui {

namespace {

constexpr int least_with_overview = 340;  // logical pixels: where there is less, all of it is the lanes'
constexpr int least_with_differences = 320;
constexpr int compare_delay_ms = 60;

std::array<std::unique_ptr<Timeline>, 2> linkedTimelines()
{
    const auto history = std::make_shared<ViewHistory>();
    return {std::make_unique<Timeline>(history), std::make_unique<Timeline>(history)};
}

}  // namespace

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent)
    , m_sides(linkedTimelines())
    , m_splitter(new QSplitter(Qt::Vertical))
    , m_views {new TimelineView(m_sides[0].get()), new TimelineView(m_sides[1].get())}
    , m_active(m_views[0])
    , m_overview(new OverviewStrip)
    , m_hits(new HitWalk(*this))
    , m_differences(new DifferenceStrip)
    , m_filterBar(new FilterBar)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_hits->bar());
    layout->addWidget(m_filterBar);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_overview);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->addWidget(m_views[0]);
    m_splitter->addWidget(m_differences);
    m_splitter->addWidget(m_views[1]);
    for (const int side : {0, 1}) {
        connectSide(side);
        connectView(side);
    }
    connect(m_differences, &DifferenceStrip::resetWanted, this, [this] { setAlignment({}); });
    m_compareLater.setSingleShot(true);
    m_compareLater.setInterval(compare_delay_ms);
    connect(&m_compareLater, &QTimer::timeout, this, &ComparisonView::compare);
    connect(m_overview, &OverviewStrip::windowRequested, this, &ComparisonView::showRange);
    connectLanes();
    setFocusProxy(m_views[0]);
    setRecordings({});
}

/// The views end before what they show.
ComparisonView::~ComparisonView()
{
    for (TimelineView* shown : m_views) {
        shown->disconnect(this);
        delete shown;
    }
}

void ComparisonView::connectSide(int index)
{
    Timeline* one = &side(index);
    Timeline* other = &side(1 - index);
    connect(one, &Timeline::timeScaleChanged, this, [this, index] { link(index); });
    connect(one, &Timeline::selectionChanged, this, [this, index, other](ItemRef item) {
        if (item) {
            other->select({});
        }
        emit selectionChanged(index, item);
    });
    connect(one, &Timeline::rangeChanged, this, [this, index, one, other] {
        const auto range = one->state().highlights.range;
        other->setRange(range ? std::optional(m_alignment.across(*range, index)) : std::nullopt);
        compare();
        emit rangeChanged(index);
    });
    connect(one, &Timeline::chainsShown, other, &Timeline::showChains);
    connect(one, &Timeline::layerWanted, this, [this, other](Timeline::Layer layer, bool wanted) {
        other->setWanted(layer, wanted);
        emit layerWanted(layer, wanted);
    });
    connect(&one->marks(), &MarkHand::changed, this, [this, index] { emit marksChanged(index); });
    connect(&one->lanes(), &ShownLanes::indexed, this, [this, index](double fraction) {
        m_indexed[static_cast<std::size_t>(index)] = fraction;
        m_overview->update();
        m_compareLater.start();
        emit indexed(std::min(m_indexed[0], m_indexed[1]));
    });
}

void ComparisonView::connectView(int index)
{
    TimelineView* one = view(index);
    TimelineView* other = view(1 - index);
    connect(one, &TimelineView::cursorMoved, other, [this, index, other](qint64 time) {
        other->setCursorTime(time == no_time ? no_time : m_alignment.across(Ns(time), index));
    });
    connect(one, &TimelineView::resized, this, [this] { link(0); });
    connect(one, &TimelineView::focused, this, [this, index] { activate(index); });
}

/// The other side shows the same time.
void ComparisonView::link(int from)
{
    if (Timeline& other = side(1 - from); other.recording()) {
        other.setTimeScale(m_alignment.across(side(from).timeScale(), from));
    }
    m_overview->setWindow(side(0).visibleRange());
    m_compareLater.start();
    emit timeScaleChanged(timeScale());
}

void ComparisonView::stopIndexing()
{
    for (const auto& shown : m_sides) {
        shown->lanes().stopIndexing();
    }
}

void ComparisonView::setRecordings(const std::vector<RecordingPtr>& recordings)
{
    std::map<RecordingPtr, LaneArrangement> arrangements;  // a recording that changes its place keeps its own
    for (const auto& shown : m_sides) {
        arrangements[shown->recording()] = shown->state().arrangement;
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
    for (std::size_t i = 0; i < 2; ++i) {
        m_views[i]->setHits({});
        m_sides[i]->openRecording(i < recordings.size() ? recordings[i] : nullptr);
        if (const auto kept = arrangements.find(m_sides[i]->recording());
            m_sides[i]->recording() && kept != arrangements.end()) {
            m_sides[i]->setArrangement(kept->second);
        }
        m_views[i]->setVisible(i == 0 || recordings.size() > 1);
    }
    m_active = m_views[0];
    m_hits->search()->setRecordings(this->recordings());
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
        models.push_back(m_sides[i]->model());
        durations[i] = m_sides[i]->model()->duration();
        recorded[i] = shown[i]->trace->duration;
    }
    const Interval all = m_alignment.spanOf(durations);
    const Interval reach = m_alignment.spanOf(recorded);
    for (int index = 0; index < 2; ++index) {
        Timeline& one = side(index);
        const bool reference = index == m_reference;
        one.setPlace(pair ? QString(QChar(u'A' + static_cast<char16_t>(index))) : QString(),
            pair && !reference ? shown[static_cast<std::size_t>(m_reference)] : nullptr);
        const Ns offset = m_alignment.offsetOf(index);
        one.setExtent({all.start + offset, all.end + offset}, {reach.start + offset, reach.end + offset});
        one.setAnchor(pair && !m_alignment.atStarts()
                ? std::optional(m_alignment.anchor[static_cast<std::size_t>(index)])
                : std::nullopt);
    }
    if (pair) {
        side(1).setTimeScale(m_alignment.across(timeScale(), 0));
    }
    m_overview->setModels(models, side(0).state().time.fittingExtent(), m_alignment);
    m_overviewWanted = !models.empty() && m_magnification == 1;
    m_overview->setWindow(side(0).visibleRange());
    showWhatFits();
    compare();
}

void ComparisonView::setAlignment(const Alignment& alignment)
{
    if (alignment == m_alignment || recordings().size() < 2) {
        return;
    }
    m_alignment = alignment;
    const int from = activeIndex();
    if (const auto range = side(from).state().highlights.range) {
        side(1 - from).setRange(m_alignment.across(*range, from));
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

/// Fills the strip with the figures of the selected range; without one, of what is in view.
void ComparisonView::compare()
{
    m_compareLater.stop();
    if (side(0).model() == nullptr || side(1).model() == nullptr) {
        return;
    }
    Differences content;
    content.reference = m_reference;
    content.filtered = side(0).model()->choice().filter != nullptr;
    content.alignment = m_alignment.atStarts() ? QString() : m_alignment.text();
    std::optional<Interval> range = side(0).state().highlights.range;
    if (range) {
        content.scope = tr("selected: %1").arg(formatTime(range->end - range->start));
    } else if (const Interval visible = side(0).visibleRange();
               visible.start > extent().start || visible.end < extent().end) {
        range = visible;
        content.scope = tr("in view: %1").arg(formatTime(visible.end - visible.start));
    } else {
        content.scope = tr("whole recordings");
    }
    for (int index = 0; index < 2; ++index) {
        const LaneModel& model = *side(index).model();
        content.sides[static_cast<std::size_t>(index)]
            = !range ? figuresOfWhole(model) : figuresIn(model, index == 0 ? *range : m_alignment.across(*range, 0));
    }
    m_differences->setContent(content);
}

std::vector<RecordingPtr> ComparisonView::recordings() const
{
    std::vector<RecordingPtr> all;
    for (const auto& shown : m_sides) {
        if (shown->recording()) {
            all.push_back(shown->recording());
        }
    }
    return all;
}

void ComparisonView::setTheme(const Theme& theme)
{
    for (const auto& shown : m_sides) {
        shown->setTheme(theme);
    }
    m_overview->setTheme(theme);
    m_differences->setTheme(theme);
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
    placeViews();
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
    m_active->perform(action);
}

void ComparisonView::showRange(Interval range)
{
    side(0).showRange(range);
}

void ComparisonView::follow(int index, ItemRef item)
{
    activate(index);
    side(index).follow(item);
}

void ComparisonView::activate(int index)
{
    if (m_active != view(index)) {
        const bool focused = m_active->hasFocus();
        m_active = view(index);
        setFocusProxy(m_active);
        if (focused) {
            m_active->setFocus(Qt::OtherFocusReason);
        }
        emit activeChanged(index);
    }
}

void ComparisonView::select(int index, ItemRef item)
{
    side(index).select(item);
}

void ComparisonView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showWhatFits();
    divide();
}

/// The overview goes where the lanes need its room, and where it would help them: those of a large recording scroll
/// with it and without.
void ComparisonView::showWhatFits()
{
    m_differences->setVisible(recordings().size() > 1 && height() >= least_with_differences);
    int lanes = leastHeight();
    for (int index = 0; index < static_cast<int>(recordings().size()); ++index) {
        lanes -= leastLanes(index).footerHeight();  // which gives way first
    }
    m_overview->setVisible(m_overviewWanted && height() >= least_with_overview
        && (lanes + m_overview->sizeHint().height() <= height() || lanes > height()));
}

/// At which no lane of that side is out of sight, before magnification.
int ComparisonView::leastHeight(int index) const
{
    return FrameGeometry::title_height + FrameGeometry::ruler_height + leastLanes(index).height();
}

LaneLayout ComparisonView::leastLanes(int index) const
{
    const LaneModel* model = side(index).model();
    return model == nullptr ? LaneLayout()
                            : LaneLayout(model->lanes(), side(index).state().arrangement.arrange(model->lanes()), 0);
}

int ComparisonView::leastHeight() const
{
    return leastHeight(0) + (m_views[1]->isHidden() ? 0 : leastHeight(1) + Differences::strip_height);
}

int ComparisonView::heightNeeded() const
{
    return leastHeight() + m_overview->sizeHint().height();
}

int ComparisonView::heightLiked() const
{
    int liked = m_overview->sizeHint().height();
    for (int index = 0; index < static_cast<int>(recordings().size()); ++index) {
        liked += m_views[static_cast<std::size_t>(index)]->heightLiked();
    }
    return liked + (recordings().size() > 1 ? Differences::strip_height : 0);
}

double ComparisonView::fittingMagnification(double wanted, int height) const
{
    const int needed = leastHeight();
    constexpr int handles = 9;  // of the splitter, and what is lost to whole pixels
    const double fitting = std::clamp(static_cast<double>(height - handles) / std::max(needed, 1), wanted / 2, wanted);
    return fitting == 1 ? std::nextafter(1.0, 0.0) : fitting;  // 1 is the usual view, with its overview
}

/// Gives each view what its lanes need at least, and of what remains as much as they would like.
void ComparisonView::divide()
{
    if (m_views[1]->isHidden()) {
        return;
    }
    const int room = height() - m_differences->height() - (m_overview->isHidden() ? 0 : m_overview->height());
    std::array<double, 2> least {}, liked {};
    for (const int index : {0, 1}) {
        const auto i = static_cast<std::size_t>(index);
        least[i] = leastHeight(index) * m_magnification;
        liked[i] = std::max(m_views[i]->sizeHint().height() * m_magnification - least[i], 1.0);
    }
    const double spare = std::max(room - least[0] - least[1], 0.0);
    const auto heightOf = [&](std::size_t i) {
        return static_cast<int>(std::lround((least[i] + spare * liked[i] / (liked[0] + liked[1])) * 100));
    };
    m_splitter->setSizes({heightOf(0), m_differences->height() * 100, heightOf(1)});
}

}  // namespace lanes::gui

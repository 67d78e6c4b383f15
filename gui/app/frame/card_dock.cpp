// SPDX-License-Identifier: MIT
#include "gui/app/frame/card_dock.h"

#include "gui/app/frame/stage.h"
#include "gui/panels/details_panel.h"
#include "gui/session/workspace.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <QEvent>
#include <QLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanes::gui {

namespace {

constexpr int usual_width = 300, narrow_width = 248;
constexpr int wide_window = 1500;
constexpr int least_beside = 480;  // what lanes and panels need
constexpr double usual_font = 13;  // pixels

}  // namespace

CardDock::CardDock(const Parts& parts)
    : QObject(parts.card)
    , m_parts(parts)
{
    m_parts.card->hide();
    for (const int side : {0, 1}) {
        connect(&pair().side(side), &Timeline::picked, this, &CardDock::open);
    }
    for (const auto signal : {&Workspace::changed, &Workspace::selectionChanged}) {
        connect(m_parts.workspace, signal, this, &CardDock::place);
    }
    connect(m_parts.stage, &QStackedWidget::currentChanged, this, &CardDock::place);
    connect(m_parts.card, &DetailsPanel::closeWanted, this,
        [this] { pair().side(m_parts.workspace->selection().side).select({}); });
    m_parts.stage->installEventFilter(this);
}

TimelinePair& CardDock::pair() const
{
    return *m_parts.workspace->pair();
}

CardDock::View CardDock::view() const
{
    const Timeline& lanes = pair().side(0);
    const TimeWindow& time = lanes.state().time;
    return {time.scale(), time.visible(), time.isFitted(), time.columns(),
        lanes.model() == nullptr ? 0 : lanes.frame().geometry.labelWidth};
}

bool CardDock::View::showsSame(const View& other) const
{
    const Ns apart = std::max(std::abs(visible.start - other.visible.start), std::abs(visible.end - other.visible.end));
    return static_cast<double>(apart) <= 2 * std::max(scale.nsPerColumn(), other.scale.nsPerColumn());
}

/// 0: there is no room.
int CardDock::widthFor(int window) const
{
    const double larger = std::max(m_parts.card->font().pixelSize() / usual_font, 1.0);
    const auto width = static_cast<int>(std::lround((window < wide_window ? narrow_width : usual_width) * larger));
    return window < width + least_beside ? 0 : width;
}

void CardDock::open()
{
    m_isOpen = true;
    place();
}

void CardDock::setOnStage(bool on)
{
    m_onStage = on;
    place();
}

bool CardDock::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_parts.stage && event->type() == QEvent::Resize && m_isOpen) {
        if (const int width = widthFor(m_parts.stage->window()->width()); width > 0) {
            m_parts.card->setFixedWidth(width);
        }
    }
    return QObject::eventFilter(watched, event);
}

void CardDock::place()
{
    m_isOpen = m_isOpen && m_parts.workspace->selection().event;
    const bool isWanted
        = m_isOpen && !m_onStage && m_parts.stage->lanesShown() && widthFor(m_parts.stage->window()->width()) > 0;
    if (isWanted == m_parts.card->isHidden()) {
        isWanted ? show() : hide();
    }
}

/// The lanes have their new width now, not when the event loop comes to it, and the height that they had: a panel of
/// another width may want another one.
void CardDock::setShown(bool shown)
{
    m_parts.stage->holdDivisions(true);
    m_parts.card->setVisible(shown);
    for (QWidget* around = m_parts.card->parentWidget(); around != nullptr; around = around->parentWidget()) {
        QEvent request(QEvent::LayoutRequest);
        QCoreApplication::sendEvent(around, &request);
        if (around->layout() != nullptr) {
            around->layout()->activate();
        }
    }
    m_parts.stage->holdDivisions(false);
}

void CardDock::show()
{
    m_before = view();
    m_parts.card->setFixedWidth(widthFor(m_parts.stage->window()->width()));
    setShown(true);
    const Timeline& lanes = pair().side(m_parts.workspace->selection().side);
    const double ratio = pair().side(0).model() == nullptr ? 1 : pair().side(0).frame().ratio;
    TimeScale scale = m_before->scale.panned(std::lround((view().label - m_before->label) * ratio));
    // What was picked stays in sight: its end, and of what is longer than the view its start.
    if (const ItemRef picked = lanes.selection()) {
        constexpr double margin = 12;
        pair().sight(scale);
        const TimelineFrame frame = lanes.frame();
        const Interval span = spanOf(*lanes.recording(), picked);
        const double beyond = frame.xOf(span.end) + margin - frame.geometry.size.width();
        const double toStart = frame.xOf(span.start) - margin - frame.geometry.labelWidth;
        scale = scale.panned(std::lround(std::max(std::min(beyond, toStart), 0.0) * ratio));
    }
    pair().sight(scale);
    m_after = view();
}

/// As the lanes were, unless they were moved meanwhile: then what is shown keeps its scale.
void CardDock::hide()
{
    const View now = view();
    setShown(false);
    const auto before = std::exchange(m_before, std::nullopt), after = std::exchange(m_after, std::nullopt);
    if (pair().side(0).model() == nullptr || !before || !after) {
        return;
    }
    if (!now.showsSame(*after)) {
        if (!now.isFitted) {
            pair().sight(now.scale);
        }
    } else if (view().columns == before->columns) {
        pair().sight(before->scale);
    } else {  // the window has another size now
        pair().sight(before->isFitted ? pair().side(0).state().time.fittingExtent() : before->visible);
    }
}

}  // namespace lanes::gui

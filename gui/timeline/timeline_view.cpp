// SPDX-License-Identifier: MIT
#include "gui/timeline/timeline_view.h"

#include "gui/paint/frame_hits.h"
#include "gui/paint/over/annotation_painter.h"
#include "gui/paint/over/idle_painter.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/timeline/markup/mark_field.h"
#include "gui/timeline/spoken_selection.h"
#include "gui/timeline/time_moves.h"

#include <algorithm>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <utility>

namespace lanes::gui {

namespace {

constexpr int wheel_scroll = 60;
constexpr double roomy = 1.15;  // how much higher than need be the lanes like to be

}  // namespace

TimelineView::TimelineView(Timeline* timeline, QWidget* parent)
    : QWidget(parent)
    , m_timeline(timeline != nullptr ? timeline : new Timeline(std::make_shared<ViewHistory>(), this))
    , m_tools(timelineTools(*m_timeline, m_overlay, m_painter.labels()))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    speakAs(this, QAccessible::Chart);
    setAccessibleName(tr("Timeline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(m_timeline, &Timeline::changed, this, &TimelineView::timelineChanged);
    connect(&m_timeline->lanes(), &ShownLanes::indexed, this, &TimelineView::updateGeometry);
    connect(&m_timeline->marks(), &MarkHand::textWanted, this, &TimelineView::askMarkText);
    connect(&m_timeline->annotations(), &AnnotationHand::textWanted, this, &TimelineView::askAnnotationText);
    connect(&m_timeline->marks(), &MarkHand::reached, this, [this](qint64 time) {
        setCursorTime(time);
        emit cursorMoved(time);
    });
}

TimelineView::~TimelineView()
{
    // A field that is open loses the focus while QWidget goes; by then this is no TimelineView that could take its
    // text.
    for (MarkField* field : findChildren<MarkField*>()) {
        field->disconnect(this);
    }
}

void TimelineView::timelineChanged(Timeline::Redraw what)
{
    if (what == Timeline::Redraw::lanes) {
        endGesture();
        m_overlay.hovered = {};
        m_overlay.tip.clear();
        m_details = {};
        updateGeometry();
    }
    const QString ghost = m_timeline->predicting().ghost().said.join(QLatin1Char('\n'));
    if (what == Timeline::Redraw::lanes || m_spoken != m_timeline->selection() || m_spokenGhost != ghost) {
        m_spoken = m_timeline->selection();
        m_spokenGhost = ghost;
        setAccessibleDescription(ghost.isEmpty() ? spokenSelection(*m_timeline) : ghost);
    }
    if (what >= Timeline::Redraw::layout) {
        m_hits.forgetRows();
    }
    const TimelineState& state = m_timeline->state();
    if (what >= Timeline::Redraw::layout
        || m_pointed != Pointed {m_timeline->timeScale(), state.scroll, state.scope.of}) {
        forgetPointed();  // something else is under the mouse now
    }
    m_stale = m_stale || what >= Timeline::Redraw::picture;
    update();
}

void TimelineView::forgetPointed()
{
    m_overlay.hovered = {};
    m_overlay.tip.clear();
    update();
}

ViewState TimelineView::picture() const
{
    const auto& model = m_timeline->lanes().model();
    return {m_timeline->state(), model && model->isReady() ? model : nullptr, m_hits.hits(), nullptr,
        static_cast<int>(height() / m_magnification)};
}

void TimelineView::setHits(std::shared_ptr<const QueryHits> hits)
{
    if (hits != m_hits.hits()) {
        m_hits.setHits(std::move(hits));
        timelineChanged(Timeline::Redraw::picture);
    }
}

void TimelineView::setCursorTime(qint64 time)
{
    const std::optional<Ns> cursor = time == no_time ? std::optional<Ns>() : time;
    if (cursor != m_overlay.cursor) {
        updatePassing();
        m_overlay.cursor = cursor;
        updatePassing();
    }
}

void TimelineView::setStepTime(qint64 time)
{
    const std::optional<Ns> step = time == no_time ? std::optional<Ns>() : time;
    if (step != m_overlay.step) {
        m_overlay.step = step;
        tellWhatIsKnown();
        update();
    }
}

void TimelineView::setRevealing(bool revealing)
{
    m_revealing = revealing;
    tellWhatIsKnown();
    update();
}

void TimelineView::tellWhatIsKnown()
{
    m_timeline->setUnfinished(m_revealing && m_overlay.step && m_timeline->model() != nullptr
        && *m_overlay.step < m_timeline->model()->duration());
}

void TimelineView::setMagnification(double magnification)
{
    m_magnification = magnification;
    updateArea();
}

void TimelineView::updateArea()
{
    const QSize whole(static_cast<int>(width() / m_magnification), static_cast<int>(height() / m_magnification));
    m_timeline->setArea(whole, devicePixelRatioF() * m_magnification, m_magnification);
}

void TimelineView::resizeEvent(QResizeEvent*)
{
    updateArea();
    emit resized();
}

QSize TimelineView::sizeHint() const
{
    const LaneModel* model = m_timeline->model();
    const int lanes = model != nullptr
        ? LaneLayout::heightOf(model->lanes(), m_timeline->state().arranged(model->lanes()), roomy)
        : 120;
    return {900, FrameGeometry::title_height + FrameGeometry::ruler_height + lanes};
}

int TimelineView::heightLiked() const
{
    const LaneModel* model = m_timeline->model();
    const int lanes = model == nullptr
        ? 0
        : LaneLayout(model->lanes(), m_timeline->state().arranged(model->lanes()), QWIDGETSIZE_MAX).height();
    return FrameGeometry::title_height + FrameGeometry::ruler_height + lanes;
}

QSize TimelineView::minimumSizeHint() const
{
    return {360, FrameGeometry::title_height + FrameGeometry::ruler_height + 60};
}

void TimelineView::perform(TimelineAction action)
{
    if (action == TimelineAction::clear && m_timeline->predicting().isShown()) {
        endGesture();
        m_timeline->predicting().takeBack();
        return;
    }
    if (action == TimelineAction::clear) {
        endGesture();
        m_timeline->annotations().begin({});
    }
    lanes::gui::perform(*m_timeline, action);
}

void TimelineView::endGesture()
{
    if (Tool* held = std::exchange(m_held, nullptr)) {
        held->cancel();
        unsetCursor();
        update();
    }
}

void TimelineView::hover(QPointF at)
{
    updatePassing();
    const TimelineFrame frame = m_timeline->frame();
    m_overlay.hovered = itemAt(frame, at);
    m_overlay.tip = tipAt(frame, m_overlay.hovered, at);
    if (const auto& idle = m_timeline->state().highlights.idle; idle && !m_overlay.hovered) {
        if (const IdlePart* part = idleAt(frame, *idle, at)) {
            m_overlay.tip = idleTip(frame.model.trace(), *part);
        }
    }
    m_overlay.tipAt = at;
    m_pointed = {frame.scale, m_timeline->state().scroll, m_timeline->state().scope.of};
    updatePassing();
    std::optional<Qt::CursorShape> shape;
    for (const auto& tool : m_tools) {
        const auto wanted = tool->hover(at);
        shape = shape ? shape : wanted;
    }
    shape ? setCursor(*shape) : unsetCursor();
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    m_isKeyboards = false;  // the keyboard may have been here before
    m_overlay.tip.clear();
    update();
    if (m_timeline->model() == nullptr || event->button() == Qt::RightButton) {
        return;
    }
    m_button = event->button();
    const Pointer pointer {inFrame(event->position()), m_button, event->modifiers()};
    const auto taken
        = std::find_if(m_tools.begin(), m_tools.end(), [&](const auto& tool) { return tool->press(pointer); });
    m_held = taken == m_tools.end() ? nullptr : taken->get();
    if (m_held != nullptr && m_held->shape()) {
        setCursor(*m_held->shape());
    }
}

/// To the time that is under the mouse.
void TimelineView::moveCursor(QPointF at)
{
    const TimelineFrame frame = m_timeline->frame();
    if (at.x() >= frame.geometry.labelWidth) {
        const Ns time = frame.timeAt(std::min<double>(at.x(), frame.geometry.size.width()));
        setCursorTime(time);
        emit cursorMoved(time);
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = inFrame(event->position());
    m_timeline->mouse = at;
    if (m_timeline->model() == nullptr) {
        return;
    }
    moveCursor(at);
    if (m_held == nullptr) {
        hover(at);
        return;
    }
    m_held->move({at, m_button, event->modifiers()});
    if (m_held->shape()) {
        setCursor(*m_held->shape());
    }
    update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_held == nullptr || event->button() == Qt::RightButton) {
        return;
    }
    unsetCursor();
    update();
    std::exchange(m_held, nullptr)->release({inFrame(event->position()), m_button, event->modifiers()});
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_timeline->model() != nullptr) {
        const Pointer pointer {inFrame(event->position()), event->button(), event->modifiers()};
        for (const auto& tool : m_tools) {  // the first that has a use for it
            if (tool->doubleClick(pointer)) {
                break;
            }
        }
    }
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    event->accept();
    if (m_timeline->model() == nullptr) {
        return;
    }
    const TimelineFrame frame = m_timeline->frame();
    const double x = std::max<double>(inFrame(event->position()).x() - frame.geometry.labelWidth, 0) * frame.ratio;
    if (const auto scale = movedBy(*event, m_timeline->state().time, x)) {
        m_timeline->show(*scale);
    } else {
        m_timeline->scrollTo(frame.geometry.scroll - static_cast<int>(notchesOf(*event) * wheel_scroll));
    }
    const QPointF at = inFrame(event->position());
    moveCursor(at);  // another time is there now, if only by the part of a column
    if (m_held == nullptr) {
        hover(at);
    }
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const PlacedLane* lane = nullptr;
    if (m_timeline->model() == nullptr) {
        lane = nullptr;
    } else if (byKey) {
        const auto target = m_timeline->target().lane();
        lane = target ? m_timeline->lanes().layout().find(*target) : nullptr;
    } else if (const QPointF at = inFrame(event->pos()); at.x() < m_timeline->frame().geometry.labelWidth) {
        lane = laneAt(m_timeline->frame(), at);
    }
    if (lane == nullptr && !byKey && m_timeline->model() != nullptr) {
        emit placeMenuRequested(event->globalPos());
        event->accept();
        return;
    }
    if (lane == nullptr) {
        QWidget::contextMenuEvent(event);
        return;
    }
    m_timeline->target().take(lane->lane);
    const TimelineFrame frame = m_timeline->frame();
    const QPoint middle(frame.geometry.labelWidth / 2, frame.yOf(*lane) + lane->height / 2);
    emit laneMenuRequested(byKey ? mapToGlobal(middle * m_magnification) : event->globalPos());
    event->accept();
}

bool TimelineView::awaitsPlace() const
{
    return m_timeline->annotations().pending().has_value();
}

/// What is written before the text has its place is no command of the window.
bool TimelineView::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && awaitsPlace() && isSign(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    if (awaitsPlace() && isSign(*event)) {
        event->accept();
        return;
    }
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && m_held == nullptr && m_timeline->predicting().wish()) {
        m_timeline->predicting().accept();
        event->accept();
        return;
    }
    if (const auto action = actionOf(*event)) {
        perform(*action);
        event->accept();
        return;
    }
    QWidget::keyPressEvent(event);
}

void TimelineView::setOpening(bool opening)
{
    m_isOpening = opening;
    update();
}

void TimelineView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    switch (event->reason()) {
    case Qt::ActiveWindowFocusReason:
    case Qt::PopupFocusReason:
    case Qt::MenuBarFocusReason:
        break;  // it comes back as it was
    default:
        m_isKeyboards = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason
            || event->reason() == Qt::ShortcutFocusReason;
        break;
    }
    emit focused();
}

void TimelineView::leaveEvent(QEvent*)
{
    m_timeline->mouse.reset();
    updatePassing();
    m_overlay.hovered = {};
    m_overlay.tip.clear();
    setCursorTime(no_time);
    emit cursorMoved(no_time);
}

/// A field in the place of the mark's flag.
void TimelineView::askMarkText(std::size_t mark, bool fresh)
{
    const auto marks = m_timeline->recording()->marks;
    const Ns time = marks->all()[mark].time;
    const TimelineFrame frame = m_timeline->frame();
    const auto onScreen = [this](double pixels) { return static_cast<int>(pixels * m_magnification); };
    const int left = onScreen(frame.geometry.labelWidth);
    const int width = std::min(onScreen(220), this->width() - left);
    auto* field = new MarkField(QString::fromStdString(marks->all()[mark].text), this);
    field->setGeometry(std::clamp(onScreen(frame.xOf(time)), left, std::max(this->width() - width, left)),
        onScreen(frame.geometry.rulerTop() - 2), width, onScreen(FrameGeometry::ruler_height + 4));
    connect(field, &MarkField::ended, this, [this, marks, time, fresh, field](bool kept, const QString& text) {
        const bool focused = field->hasFocus();
        m_timeline->marks().answer(*marks, time, fresh, kept ? std::optional(text) : std::nullopt);
        if (focused) {
            setFocus(Qt::OtherFocusReason);
        }
    });
    field->show();
    field->setFocus(Qt::OtherFocusReason);
}

/// A field in the place of the annotation's text.
void TimelineView::askAnnotationText(std::size_t index)
{
    const auto list = m_timeline->annotations().all();
    const TimelineFrame frame = m_timeline->frame();
    const bool framed = (*list)[index].kind == Annotation::Kind::frame;  // its text begins at its corner
    QRectF at(frame.geometry.labelWidth, frame.geometry.lanesTop(), 0, 0);
    const auto places = placeAnnotations(frame, m_painter.labels());
    const auto place = std::find_if(
        places.begin(), places.end(), [index](const AnnotationPlace& one) { return one.index == index; });
    if (place != places.end()) {
        at = place->plate.value_or(QRectF(framed ? place->body.topLeft() : place->from, QSizeF()));
    }
    const auto onScreen = [this](double pixels) { return static_cast<int>(pixels * m_magnification); };
    const int width = std::min(onScreen(220), this->width());
    const int height = onScreen(FrameGeometry::ruler_height + 4);
    auto* field = new MarkField(QString::fromStdString((*list)[index].text), this);
    field->setObjectName(QStringLiteral("annotationField"));
    field->setAccessibleName(tr("Text of the annotation"));
    field->setPlaceholderText(tr("Text of the annotation"));
    // As the text will be there, so that nothing moves once it is written.
    const int left = framed ? onScreen(at.left()) : onScreen(at.center().x()) - width / 2;
    field->setAlignment(framed ? Qt::AlignLeft : Qt::AlignHCenter);
    field->setGeometry(std::clamp(left, 0, std::max(this->width() - width, 0)),
        std::clamp(onScreen(at.center().y()) - height / 2, 0, std::max(this->height() - height, 0)), width, height);
    connect(field, &MarkField::ended, this, [this, list, index, field](bool kept, const QString& text) {
        const bool focused = field->hasFocus();
        m_timeline->annotations().answer(list, index, kept ? std::optional(text) : std::nullopt);
        if (focused) {
            setFocus(Qt::OtherFocusReason);
        }
    });
    field->show();
    field->setFocus(Qt::OtherFocusReason);
}

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
#include "gui/timeline/question.h"

#include <QCoreApplication>
#include <QEvent>
#include <QWidget>

#include <new>

namespace lanes::gui {

namespace {

struct QuestionTexts {
    Q_DECLARE_TR_FUNCTIONS(Question)
};

}  // namespace

QString problemOf(const std::exception_ptr& failure)
{
    try {
        std::rethrow_exception(failure);
    } catch (const std::bad_alloc&) {
        return QuestionTexts::tr("There is not enough memory for it.");
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    } catch (...) {
        return QuestionTexts::tr("It failed for an unknown reason.");
    }
}

QuestionTimes::~QuestionTimes()
{
    m_stop.request_stop();
}

void QuestionTimes::whileSeen(QWidget* widget)
{
    widget->installEventFilter(this);
    setWanted(widget, widget->isVisible());
}

bool QuestionTimes::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide) {
        setWanted(watched, event->type() == QEvent::Show);
    }
    return QObject::eventFilter(watched, event);
}

void QuestionTimes::setWanted(const QObject* by, bool wanted)
{
    m_always = false;
    if (wanted) {
        m_wantedBy.insert(by);
        beginNext();
    } else {
        m_wantedBy.erase(by);
    }
}

void QuestionTimes::cancel()
{
    m_stop.request_stop();
    m_next = nullptr;
    m_open = false;
}

void QuestionTimes::askNext(std::function<void(const std::stop_token&)> begin)
{
    cancel();
    m_next = std::move(begin);
    m_open = true;
    beginNext();
}

void QuestionTimes::beginNext()
{
    if (m_next && !m_running && isWanted()) {
        m_running = true;
        m_stop = {};
        std::exchange(m_next, nullptr)(m_stop.get_token());
    }
}

bool QuestionTimes::end()
{
    m_running = false;
    const bool isNewest = !m_stop.stop_requested();
    m_open = m_open && !isNewest;
    return isNewest;
}

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
// A view of one recording, 1000 by 400, and the user's mouse: real events, as the window system sends them.
#pragma once

#include "gui/paint/frame_hits.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <memory>
#include <QApplication>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>

namespace lanes::gui {

class ViewUnderTest {
protected:
    void open()
    {
        m_view = std::make_unique<TimelineView>();
        m_view->resize(1000, 400);
        m_view->timeline().openRecording(samples::copyResultsBack({.copy = 1'180'000, .blocking = false}));
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }

    QPoint middleOf(ItemRef item) const { return boxOf(m_view->timeline().frame(), item)->center().toPoint(); }
    void wheel(QPointF at, int notches, Qt::KeyboardModifiers modifiers)
    {
        QWheelEvent event(
            at, m_view->mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_view.get(), &event);
    }
    void drag(QPoint from, QPoint to, Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mousePress(m_view.get(), button, modifiers, from);
        for (const QPoint at : {(from + to) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, at, m_view->mapToGlobal(QPointF(at)), Qt::NoButton, button, modifiers);
            QApplication::sendEvent(m_view.get(), &move);
        }
        QTest::mouseRelease(m_view.get(), button, modifiers, to);
    }
    void moveTo(QPointF at)
    {
        QMouseEvent move(QEvent::MouseMove, at, m_view->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(m_view.get(), &move);
    }
    double xOf(Ns t) const
    {
        return m_view->timeline().frame().geometry.labelWidth
            + m_view->timeline().timeScale().xOf(t) / m_view->devicePixelRatioF();
    }
    Ns timeAt(double x) const
    {
        return m_view->timeline().timeScale().timeAt(
            (x - m_view->timeline().frame().geometry.labelWidth) * m_view->devicePixelRatioF());
    }

    std::unique_ptr<TimelineView> m_view;
};

}  // namespace lanes::gui

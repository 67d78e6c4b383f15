// SPDX-License-Identifier: MIT
// One line at the bottom of the window: the time at the mouse in A and in B; what lies under it; at the right the
// figures of the selected range, else where one is in a walk through hits, else what can be done here; nothing where a
// page is in the place of the lanes. Its height and
// the places of its parts never change, so nothing jumps while the mouse moves.
#pragma once

#include <QStatusBar>
#include <QStringList>
#include <QTimer>

namespace lanes::gui {

class ComparisonView;
class Workspace;

class StatusLine : public QStatusBar {
    Q_OBJECT
public:
    StatusLine(Workspace* workspace, ComparisonView* timeline, QWidget* parent = nullptr);

    /// What the user is to do now, in place of what is at the right; "": nothing.
    void setHint(const QString& hint);
    QString timeText() const { return m_time; }
    QString itemText() const { return m_item; }
    QString sideText() const { return m_aside; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void read();
    void readTime();
    void readItem();
    void readAside();

    Workspace* m_workspace;
    ComparisonView* m_timeline;
    QTimer m_later;  // once what was moved over is known
    int m_over = 0;  // the side that the mouse is over
    QString m_hint, m_time, m_item, m_aside;
};

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
// Shows what is under way, how far it is, and a Cancel. Appears after a moment, so
// that short work does not flash.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace lanes::gui {

class ActivityBar : public QWidget {
    Q_OBJECT
public:
    explicit ActivityBar(QWidget* parent = nullptr);

    void begin(const QString& title);
    void setProgress(double fraction);
    void end();
    QString title() const;

signals:
    void cancelWanted();

private:
    QLabel* m_title;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QTimer m_delay;
};

}  // namespace lanes::gui

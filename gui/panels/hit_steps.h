// SPDX-License-Identifier: MIT
// "‹ 3 of 8 ›": which of the marked events is selected, and buttons to the one before and the next. Hidden while
// nothing is marked, or while what is marked was asked for by someone else.
#pragma once

#include "gui/timeline/hit_buttons.h"

#include <QString>
#include <QWidget>

class QLabel;

namespace lanes::gui {

class Workspace;

class HitSteps : public QWidget {
    Q_OBJECT
public:
    explicit HitSteps(QWidget* parent = nullptr);
    void observe(Workspace* workspace);
    /// Shows only steps through what bears this title; empty: none.
    void follow(const QString& title);
    QString statusText() const;

private:
    void refresh();

    Workspace* m_workspace = nullptr;
    QString m_title;
    HitButtons m_buttons;
    QLabel* m_status;
};

}  // namespace lanes::gui

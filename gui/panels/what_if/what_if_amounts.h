// SPDX-License-Identifier: MIT
// The numbers of changes: every how many a call stays, how many launches a graph has, how many times as fast kernels
// are.
#pragma once

#include "gui/session/what_ifs.h"

#include <QWidget>

#include <vector>

class QDoubleSpinBox;
class QFormLayout;

namespace lanes::gui {

class WhatIfAmounts : public QWidget {
    Q_OBJECT
public:
    explicit WhatIfAmounts(QWidget* parent = nullptr);
    /// A field for each of them that has a number; hidden where none has.
    void show(const Changes& changes);

signals:
    void changed(replay::ChangeKind kind, double amount);

private:
    struct Field {
        replay::ChangeKind kind;
        QDoubleSpinBox* box;
    };
    std::vector<Field> m_fields;
    QFormLayout* m_form;
};

}  // namespace lanes::gui

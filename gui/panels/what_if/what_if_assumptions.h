// SPDX-License-Identifier: MIT
// What a prediction takes for granted, each with a box: filled as it comes, ticked where the user says that it holds,
// clear where it does not.
#pragma once

#include "gui/session/what_ifs.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace lanes::gui {

class WhatIfAssumptions : public QWidget {
    Q_OBJECT
public:
    explicit WhatIfAssumptions(QWidget* parent = nullptr);
    /// Hidden where there are none.
    void show(const std::vector<replay::Assumption>& assumptions);
    /// A line for each.
    QString asText() const;

signals:
    void answered(const std::string& assumption, std::optional<bool> holds);

private:
    struct Row {
        QWidget* all;
        QCheckBox* box;
        QLabel* said;
        std::string word;
    };
    Row& row(std::size_t index);

    QLabel* m_title;
    QLabel* m_hint;
    QVBoxLayout* m_layout;
    std::vector<Row> m_rows;
};

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
// Asks for a name and which of its occurrences two recordings are aligned at.
#pragma once

#include "gui/timeline/alignment.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace lanes::gui {

class AlignDialog : public QDialog {
    Q_OBJECT
public:
    AlignDialog(const RecordingPtr& a, const RecordingPtr& b, const QString& name, QWidget* parent = nullptr);

    /// The alignment that was asked for, or what is wrong with the words, one line.
    std::optional<Alignment> alignment(QString& problem) const;

signals:
    void aligned(const lanes::gui::Alignment& alignment);

private:
    void accept() override;
    void check();

    std::array<RecordingPtr, 2> m_recordings;
    QLineEdit* m_name;
    QSpinBox* m_number;
    QLabel* m_problem;
    QPushButton* m_align;
};

}  // namespace lanes::gui

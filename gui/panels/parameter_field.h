// SPDX-License-Identifier: MIT
// The field of one parameter: a check box, a choice or a QuantityBox, as the
// parameter's type asks; under the box a slider where the parameter has a range, and
// under that what is wrong with the text of the box.
// Values go in and out as the workload writes them.
#pragma once

#include "engine/workload/workload.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;

namespace lanes::gui {

class QuantityBox;
class QuantitySlider;

class ParameterField : public QWidget {
    Q_OBJECT
public:
    explicit ParameterField(const Parameter& parameter, QWidget* parent = nullptr);

    QString value() const;
    void setValue(const QString& value);
    /// "" or what is wrong with the text of the field.
    QString problem() const;
    /// Its slider is dragged: more changes will come.
    bool isHeld() const;
    /// What a screen reader says, and what a label's buddy needs.
    void setAccessibleText(const QString& name, const QString& description);

signals:
    void edited();
    void released();  ///< the slider, after a drag

private:
    void showProblem();

    QCheckBox* m_check = nullptr;
    QComboBox* m_choice = nullptr;
    QuantityBox* m_quantity = nullptr;
    QuantitySlider* m_slider = nullptr;  // only with m_quantity
    QLabel* m_problem = nullptr;  // likewise
};

/// "4 KiB to 1 GiB, default 64 MiB": for tooltips.
QString rangeText(const Parameter& parameter);

}  // namespace lanes::gui

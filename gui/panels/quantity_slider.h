// SPDX-License-Identifier: MIT
// A slider over the values of a parameter that has both a least and a greatest one.
// It stops at round values only, evenly spaced where the range is short, else by
// ratio: sizes in eighths of an octave, times and large numbers in about twenty steps
// a decade; 0 comes before the smallest of those where the range begins with it.
#pragma once

#include "engine/workload/workload.h"

#include <QSlider>

#include <vector>

namespace lanes::gui {

/// The values, rising, the range's ends among them; empty for a parameter without range, and for one that is no
/// quantity.
std::vector<double> rungsOf(const Parameter& parameter);

class QuantitySlider : public QSlider {
    Q_OBJECT
public:
    explicit QuantitySlider(const Parameter& parameter, QWidget* parent = nullptr);

    /// As the workload would write it.
    QString quantity() const;
    /// Goes to the nearest rung, without a signal; text that is no value of this type leaves it where it is.
    void setQuantity(const QString& text);

signals:
    void moved();  ///< by a user

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    Parameter::Type m_type;
    std::vector<double> m_rungs;
};

}  // namespace lanes::gui

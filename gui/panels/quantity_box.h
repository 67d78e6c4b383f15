// SPDX-License-Identifier: MIT
// A spin box for what a workload writes: a number, a size ("64 MiB") or a time
// ("2 ms"). Its text is the value, as the file would say it, but for the unit of
// microseconds, which is that of the window: "100 µs"; arrows double and
// halve sizes, take times through 1-2-5, and count numbers up and down.
//
// Text out of range or without a unit stays where it is, shown as wrong, until it
// is right: nothing that a user typed is changed under the hand.
#pragma once

#include "engine/workload/workload.h"

#include <QAbstractSpinBox>

#include <optional>

namespace lanes::gui {

/// The value in bytes, ns or as a plain number; nothing if the text is not of that type.
std::optional<double> quantityOf(Parameter::Type type, const QString& text);
/// With the largest unit that leaves a short number: 67108864 bytes -> "64 MiB".
QString quantityText(Parameter::Type type, double value);
/// As the window writes it: "100 µs" of the file's "100 us".
QString shownQuantity(const QString& text);

class QuantityBox : public QAbstractSpinBox {
    Q_OBJECT
public:
    QuantityBox(Parameter::Type type, const QString& min, const QString& max, QWidget* parent = nullptr);

    /// As the file says it: "100 us".
    QString value() const;
    void setValue(const QString& value);
    /// "" if the text is right, else what is wrong with it, for people.
    QString problem() const;

    void stepBy(int steps) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void edited();

protected:
    StepEnabled stepEnabled() const override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void mark();

    Parameter::Type m_type;
    QString m_minText, m_maxText;
    std::optional<double> m_min, m_max;
};

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
#include "gui/panels/quantity_box.h"

#include "engine/workload/quantity.h"

#include <QLineEdit>
#include <QRegularExpression>
#include <QStyle>
#include <QWheelEvent>

#include <array>
#include <cmath>
#include <exception>

namespace lanes::gui {

namespace {

Dimension dimensionOf(Parameter::Type type)
{
    switch (type) {
    case Parameter::Type::bytes:
        return Dimension::bytes;
    case Parameter::Type::time:
        return Dimension::time;
    default:
        return Dimension::number;
    }
}

/// The next of 1, 2, 5, 10, … above or below.
double nextOneTwoFive(double value, bool up)
{
    const double decade = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
    static constexpr std::array ladder {0.5, 1.0, 2.0, 5.0, 10.0};
    if (up) {
        for (const double rung : ladder) {
            if (rung * decade > value * (1 + 1e-9)) {
                return rung * decade;
            }
        }
    }
    for (auto rung = ladder.rbegin(); rung != ladder.rend(); ++rung) {
        if (*rung * decade < value * (1 - 1e-9)) {
            return *rung * decade;
        }
    }
    return value;
}

}  // namespace

std::optional<double> quantityOf(Parameter::Type type, const QString& text)
{
    try {
        const Value value = parse_literal(text.trimmed().toStdString());
        return value.dimension == dimensionOf(type) ? std::optional(value.number) : std::nullopt;
    } catch (const std::exception&) {
        return {};
    }
}

QString quantityText(Parameter::Type type, double value)
{
    return QString::fromStdString(to_text(Value {dimensionOf(type), value, {}}));
}

QuantityBox::QuantityBox(Parameter::Type type, const QString& min, const QString& max, QWidget* parent)
    : QAbstractSpinBox(parent)
    , m_type(type)
    , m_minText(min)
    , m_maxText(max)
    , m_min(quantityOf(type, min))
    , m_max(quantityOf(type, max))
{
    connect(lineEdit(), &QLineEdit::textChanged, this, &QuantityBox::mark);
    connect(lineEdit(), &QLineEdit::textEdited, this, &QuantityBox::edited);
    mark();
    setFocusPolicy(Qt::StrongFocus);  // the wheel scrolls the column, it does not change what it passes over
}

QString shownQuantity(const QString& text)
{
    static const QRegularExpression unit(QStringLiteral("(?<=[\\d ])us$"));
    return QString(text).replace(unit, QStringLiteral("\u00B5s"));
}

QString QuantityBox::value() const
{
    return text().trimmed().replace(QStringLiteral("\u00B5s"), QStringLiteral("us"));
}

void QuantityBox::setValue(const QString& value)
{
    lineEdit()->setText(shownQuantity(value));
    lineEdit()->setCursorPosition(0);
}

QString QuantityBox::problem() const
{
    const auto value = quantityOf(m_type, text());
    if (!value) {
        switch (m_type) {
        case Parameter::Type::bytes:
            return tr("enter a size, such as 64 MiB");
        case Parameter::Type::time:
            return tr("enter a time, such as 2 ms");
        default:
            return tr("enter a number");
        }
    }
    if (m_min && *value < *m_min) {
        return tr("at least %1").arg(shownQuantity(m_minText));
    }
    if (m_max && *value > *m_max) {
        return tr("at most %1").arg(shownQuantity(m_maxText));
    }
    return {};
}

void QuantityBox::stepBy(int steps)
{
    auto value = quantityOf(m_type, text());
    if (!value) {
        return;
    }
    const bool up = steps > 0;
    for (int i = 0; i < std::abs(steps); ++i) {
        if (m_type == Parameter::Type::bytes) {
            value = up ? std::max(1.0, *value * 2) : std::floor(*value / 2);
        } else if (m_type == Parameter::Type::time) {
            value = *value > 0 ? nextOneTwoFive(*value, up) : (up ? 1.0 : 0.0);
        } else {
            value = *value + (up ? 1 : -1);
        }
    }
    value = m_min ? std::max(*value, *m_min) : *value;
    value = m_max ? std::min(*value, *m_max) : *value;
    setValue(quantityText(m_type, *value));
    emit edited();
}

QAbstractSpinBox::StepEnabled QuantityBox::stepEnabled() const
{
    const auto value = quantityOf(m_type, text());
    if (!value) {
        return StepNone;
    }
    StepEnabled enabled = StepNone;
    enabled.setFlag(StepUpEnabled, !m_max || *value < *m_max);
    enabled.setFlag(StepDownEnabled, !m_min || *value > *m_min);
    return enabled;
}

QSize QuantityBox::sizeHint() const
{
    const QFontMetrics metrics = fontMetrics();
    return {metrics.horizontalAdvance(QStringLiteral("1024 MiB")) + 34, metrics.height() + 10};
}

QSize QuantityBox::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("64 MiB")) + 32, sizeHint().height()};
}

void QuantityBox::wheelEvent(QWheelEvent* event)
{
    if (hasFocus()) {
        QAbstractSpinBox::wheelEvent(event);
    } else {
        event->ignore();
    }
}

void QuantityBox::mark()
{
    const bool wrong = !problem().isEmpty();
    if (property("wrong").toBool() != wrong) {
        setProperty("wrong", wrong);
        style()->unpolish(this);
        style()->polish(this);
    }
}

}  // namespace lanes::gui

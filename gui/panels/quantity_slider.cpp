// SPDX-License-Identifier: MIT
#include "gui/panels/quantity_slider.h"

#include "gui/panels/quantity_box.h"

#include <QMouseEvent>
#include <QSignalBlocker>
#include <QStyle>
#include <QStyleOptionSlider>

#include <array>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double most_even = 256;  // numbers in a range that is evenly spaced
constexpr std::array decade {
    1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2.0, 2.2, 2.5, 2.8, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 7.0, 8.0, 9.0};
constexpr std::array octave {1.0, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875};
constexpr double from_zero = 1e6;  // the first rung above 0 is the range's end divided by this

/// Rising from `first`, the range's ends left out.
template <std::size_t count>
void climb(std::vector<double>& rungs, const std::array<double, count>& steps, double base, double first, double last)
{
    for (double scale = std::pow(base, std::floor(std::log(first) / std::log(base) + 1e-9)); scale < last;
         scale *= base) {
        for (const double step : steps) {
            const double value = std::round(step * scale);  // bytes, ns and counts are whole
            if (value > rungs.back() && value < last) {
                rungs.push_back(value);
            }
        }
    }
}

}  // namespace

std::vector<double> rungsOf(const Parameter& parameter)
{
    const auto min = quantityOf(parameter.type, QString::fromStdString(parameter.min));
    const auto max = quantityOf(parameter.type, QString::fromStdString(parameter.max));
    const bool quantity = parameter.type == Parameter::Type::number || parameter.type == Parameter::Type::bytes
        || parameter.type == Parameter::Type::time;
    if (!quantity || !min || !max || !(*max > *min)) {
        return {};
    }
    std::vector<double> rungs {*min};
    if (parameter.type == Parameter::Type::number && *max - *min <= most_even) {
        for (double value = std::floor(*min) + 1; value < *max; ++value) {
            rungs.push_back(value);
        }
    } else if (*min >= 0) {
        const double first = *min > 0 ? *min : std::max(1.0, *max / from_zero);
        parameter.type == Parameter::Type::bytes ? climb(rungs, octave, 2, first, *max)
                                                 : climb(rungs, decade, 10, first, *max);
    } else {
        for (int step = 1; step < static_cast<int>(most_even); ++step) {
            rungs.push_back(std::round(*min + (*max - *min) * step / most_even));
        }
        rungs.erase(std::unique(rungs.begin(), rungs.end()), rungs.end());
    }
    rungs.push_back(*max);
    return rungs;
}

QuantitySlider::QuantitySlider(const Parameter& parameter, QWidget* parent)
    : QSlider(Qt::Horizontal, parent)
    , m_type(parameter.type)
    , m_rungs(rungsOf(parameter))
{
    setRange(0, std::max(0, static_cast<int>(m_rungs.size()) - 1));
    setPageStep(std::max(1, maximum() / 10));
    setFocusPolicy(Qt::StrongFocus);  // the wheel scrolls the column, it does not change what it passes over
    connect(this, &QSlider::valueChanged, this, &QuantitySlider::moved);
}

QString QuantitySlider::quantity() const
{
    return quantityText(m_type, m_rungs[static_cast<std::size_t>(value())]);
}

void QuantitySlider::setQuantity(const QString& text)
{
    const auto wanted = quantityOf(m_type, text);
    if (!wanted || m_rungs.empty()) {
        return;
    }
    auto above = std::lower_bound(m_rungs.begin(), m_rungs.end(), *wanted);
    if (above == m_rungs.end() || (above != m_rungs.begin() && *above - *wanted > *wanted - *(above - 1))) {
        --above;
    }
    const QSignalBlocker quiet(this);
    setValue(static_cast<int>(above - m_rungs.begin()));
}

/// A press beside the handle brings it there, as one that wants to drag expects.
void QuantitySlider::mousePressEvent(QMouseEvent* event)
{
    QStyleOptionSlider option;
    initStyleOption(&option);
    const QRect handle = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
    if (event->button() == Qt::LeftButton && !handle.contains(event->position().toPoint())) {
        const int room = width() - handle.width();
        const int at = static_cast<int>(event->position().x()) - handle.width() / 2;
        setValue(QStyle::sliderValueFromPosition(minimum(), maximum(), at, room, isRightToLeft()));
    }
    QSlider::mousePressEvent(event);
}

void QuantitySlider::wheelEvent(QWheelEvent* event)
{
    if (hasFocus()) {
        QSlider::wheelEvent(event);
    } else {
        event->ignore();
    }
}

}  // namespace lanes::gui

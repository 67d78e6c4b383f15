// SPDX-License-Identifier: MIT
#include "gui/panels/parameter_field.h"

#include "gui/panels/eliding_choice.h"
#include "gui/panels/quantity_box.h"
#include "gui/panels/quantity_slider.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace lanes::gui {

namespace {

constexpr std::size_t most_letters = 9;  // of a choice that are always seen: two of them fit beside each other

}  // namespace

ParameterField::ParameterField(const Parameter& parameter, QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(1);
    QWidget* editor = nullptr;
    switch (parameter.type) {
    case Parameter::Type::boolean:
        m_check = new QCheckBox;
        connect(m_check, &QCheckBox::clicked, this, &ParameterField::edited);
        editor = m_check;
        break;
    case Parameter::Type::choice:
        m_choice = new ElidingChoice;
        for (const std::string& value : parameter.one_of) {
            m_choice->addItem(QString::fromStdString(value));
        }
        m_choice->setMinimumContentsLength(static_cast<int>(std::accumulate(parameter.one_of.begin(),
            parameter.one_of.end(), std::size_t {4},
            [](std::size_t most, const std::string& value) { return std::clamp(value.size(), most, most_letters); })));
        m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        connect(m_choice, &QComboBox::activated, this, &ParameterField::edited);
        editor = m_choice;
        break;
    default:
        m_quantity = new QuantityBox(
            parameter.type, QString::fromStdString(parameter.min), QString::fromStdString(parameter.max));
        connect(m_quantity, &QuantityBox::edited, this, [this] {
            if (m_slider) {
                m_slider->setQuantity(m_quantity->value());
            }
            showProblem();
            emit edited();
        });
        editor = m_quantity;
    }
    editor->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    layout->addWidget(editor);
    if (m_quantity && !rungsOf(parameter).empty()) {
        m_slider = new QuantitySlider(parameter);
        layout->addWidget(m_slider);
        connect(m_slider, &QuantitySlider::moved, this, [this] {
            m_quantity->setValue(m_slider->quantity());
            showProblem();
            emit edited();
        });
        connect(m_slider, &QSlider::sliderReleased, this, &ParameterField::released);
    }
    if (m_quantity) {
        m_problem = new QLabel;
        m_problem->setProperty("problem", true);
        m_problem->setWordWrap(true);
        m_problem->hide();
        layout->addWidget(m_problem);
    }
    setFocusProxy(editor);
    setToolTip(rangeText(parameter));
    setValue(QString::fromStdString(parameter.default_value));
}

QString ParameterField::value() const
{
    if (m_check) {
        return m_check->isChecked() ? QStringLiteral("true") : QStringLiteral("false");
    }
    return m_choice ? m_choice->currentText() : m_quantity->value();
}

void ParameterField::setValue(const QString& value)
{
    if (m_check) {
        m_check->setChecked(value == QLatin1String("true"));
    } else if (m_choice) {
        m_choice->setCurrentIndex(m_choice->findText(value));
    } else {
        m_quantity->setValue(value);
        if (m_slider) {
            m_slider->setQuantity(value);
        }
        showProblem();
    }
}

void ParameterField::showProblem()
{
    m_problem->setText(problem());
    m_problem->setVisible(!m_problem->text().isEmpty());
}

QString ParameterField::problem() const
{
    return m_quantity ? m_quantity->problem() : QString();
}

bool ParameterField::isHeld() const
{
    return m_slider && m_slider->isSliderDown();
}

void ParameterField::setAccessibleText(const QString& name, const QString& description)
{
    focusProxy()->setAccessibleName(name);
    focusProxy()->setAccessibleDescription(description);
    if (m_slider) {
        m_slider->setAccessibleName(name);
        m_slider->setAccessibleDescription(description);
    }
}

QString rangeText(const Parameter& parameter)
{
    const QString min = shownQuantity(QString::fromStdString(parameter.min));
    const QString max = shownQuantity(QString::fromStdString(parameter.max));
    const QString standard = shownQuantity(QString::fromStdString(parameter.default_value));
    if (!min.isEmpty() && !max.isEmpty()) {
        return ParameterField::tr("%1 to %2, default %3").arg(min, max, standard);
    }
    if (!min.isEmpty()) {
        return ParameterField::tr("at least %1, default %2").arg(min, standard);
    }
    if (!max.isEmpty()) {
        return ParameterField::tr("at most %1, default %2").arg(max, standard);
    }
    return ParameterField::tr("default %1").arg(standard);
}

}  // namespace lanes::gui

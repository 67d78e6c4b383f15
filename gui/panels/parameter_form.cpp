// SPDX-License-Identifier: MIT
#include "gui/panels/parameter_form.h"

#include "gui/panels/eliding_choice.h"
#include "gui/panels/parameter_field.h"
#include "gui/session/run_titles.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr int reset_width = 18;

}  // namespace

ParameterForm::ParameterForm(QWidget* parent)
    : QWidget(parent)
    , m_check(new WorkloadCheck(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_grid = new QGridLayout;
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    for (int side = 0; side < 2; ++side) {
        const QString name = side == 0 ? QStringLiteral("A") : QStringLiteral("B");
        m_variants[side] = new ElidingChoice;
        m_variants[side]->setObjectName(QStringLiteral("variant") + name);
        m_variants[side]->setAccessibleName(tr("Variant %1").arg(name));
        m_variants[side]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_variants[side]->setMinimumContentsLength(8);
        m_variantLabels[side] = new QLabel(name);
        m_variantLabels[side]->setObjectName(QStringLiteral("sideMark") + name);
        m_variantLabels[side]->setProperty("sideMark", true);
        m_grid->addWidget(m_variantLabels[side], side, 0);
        m_grid->addWidget(m_variants[side], side, 1);
        connect(m_variants[side], &QComboBox::activated, this, [this] {
            buildFields();
            check();
            emit changed();
            emit edited();
        });
    }
    m_variants[0]->setToolTip(tr("The variant that runs as A, the upper recording"));
    m_variants[1]->setToolTip(tr("The variant that runs as B, the lower recording, to compare with A"));
    layout->addLayout(m_grid);

    m_problemLabel = new QLabel;
    m_problemLabel->setObjectName(QStringLiteral("problem"));
    m_problemLabel->setWordWrap(true);
    m_problemLabel->setAccessibleName(tr("Errors in the parameters"));
    m_problemLabel->hide();
    m_reset = new QPushButton(tr("Back to defaults"));
    m_reset->setFlat(true);
    m_reset->setObjectName(QStringLiteral("reset"));
    m_reset->setToolTip(tr("Undo all changes to the parameters"));
    m_reset->hide();
    connect(m_reset, &QPushButton::clicked, this, [this] {
        m_settings[0].clear();
        m_settings[1].clear();
        buildFields();
        check();
        emit changed();
        emit edited();
    });
    layout->addWidget(m_problemLabel);
    layout->addWidget(m_reset, 0, Qt::AlignLeft);
    connect(m_check, &WorkloadCheck::checked, this, &ParameterForm::setProblem);
    setWorkload(nullptr);
}

void ParameterForm::setWorkload(std::shared_ptr<const Workload> workload)
{
    const bool same = m_workload && workload && m_workload->file == workload->file;
    const std::vector<VariantSettings> before = same ? runs() : std::vector<VariantSettings>();
    m_workload = std::move(workload);
    m_settings[0].clear();
    m_settings[1].clear();
    for (int side = 0; side < 2; ++side) {
        m_variants[side]->clear();
        const bool choice = m_workload && !m_workload->variants.empty();
        m_variants[side]->setVisible(choice);
        m_variantLabels[side]->setVisible(choice);
        if (!choice) {
            continue;
        }
        if (side == 1) {
            m_variants[side]->addItem(tr("nothing: run A alone"), QString());
        }
        for (const Variant& known : m_workload->variants) {
            const QString name = QString::fromStdString(known.name);
            m_variants[side]->addItem(variantTitle(*m_workload, known.name), name);
            m_variants[side]->setItemData(m_variants[side]->count() - 1, name, Qt::ToolTipRole);
        }
        const auto named = m_pairOf ? m_pairOf(*m_workload) : std::vector<std::string>();
        const int usual = side == 0 ? 0 : m_variants[side]->count() - 1;
        const int found = static_cast<std::size_t>(side) < named.size()
            ? m_variants[side]->findData(QString::fromStdString(named[static_cast<std::size_t>(side)]))
            : -1;
        m_variants[side]->setCurrentIndex(found < 0 ? usual : found);
        if (side == 1 && m_workload->variants.size() < 2) {
            m_variants[side]->setCurrentIndex(0);
        }
    }
    if (same) {
        setRuns(before);
        return;
    }
    buildFields();
    check();
    emit changed();
}

bool ParameterForm::two() const
{
    return m_variants[1]->count() > 0 && !m_variants[1]->currentData().toString().isEmpty();
}

const Variant* ParameterForm::variant(int side) const
{
    if (!m_workload) {
        return nullptr;
    }
    const std::string name = m_variants[side]->currentData().toString().toStdString();
    for (const Variant& known : m_workload->variants) {
        if (known.name == name) {
            return &known;
        }
    }
    return nullptr;
}

QString ParameterForm::ownValue(int side, const Parameter& parameter) const
{
    return valueIn(*m_workload, {m_variants[side]->currentData().toString().toStdString(), {}}, parameter);
}

void ParameterForm::buildFields()
{
    delete m_fields;
    m_rows.clear();
    m_fields = new QWidget;
    auto* grid = new QGridLayout(m_fields);
    grid->setContentsMargins(0, 4, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, m_fields);
    if (!m_workload) {
        return;
    }
    int line = 0;
    for (const Parameter& parameter : m_workload->parameters) {
        Row row {&parameter};
        bool own = false;
        for (int side = 0; side < 2; ++side) {
            const Variant* chosen = variant(side);
            own = own || (chosen != nullptr && chosen->values.contains(parameter.name));
        }
        const auto setTo = [&](int side) {
            const auto set = m_settings[side].find(parameter.name);
            return set == m_settings[side].end() ? ownValue(side, parameter) : QString::fromStdString(set->second);
        };
        const bool both = two() && (own || setTo(0) != setTo(1));
        auto* label = new QLabel(labelOf(parameter));  // over its fields: neither takes room from the other
        label->setWordWrap(true);
        label->setToolTip(QStringLiteral("%1: %2").arg(QString::fromStdString(parameter.name), rangeText(parameter)));
        auto* named = new QHBoxLayout;
        named->setSpacing(0);
        named->addWidget(label, 1);
        row.reset = new QPushButton(QStringLiteral("↺"));
        row.reset->setFlat(true);
        row.reset->setFixedWidth(reset_width);
        QSizePolicy policy = row.reset->sizePolicy();
        policy.setRetainSizeWhenHidden(true);  // nothing moves under the hand that drags a slider
        row.reset->setSizePolicy(policy);
        row.reset->setObjectName(QStringLiteral("reset.") + QString::fromStdString(parameter.name));
        row.reset->setAccessibleName(tr("Undo %1").arg(labelOf(parameter)));
        row.reset->setToolTip(tr("Undoes the change: back to the variant's own value"));
        row.reset->setFocusPolicy(Qt::TabFocus);
        connect(row.reset, &QPushButton::clicked, this, [this, &parameter] { reset(parameter); });
        named->addWidget(row.reset);
        grid->addLayout(named, 2 * line, 0, 1, 2);
        for (int side = 0; side < (both ? 2 : 1); ++side) {
            auto* field = new ParameterField(parameter);
            field->setValue(setTo(side));
            field->setObjectName(QStringLiteral("%1.%2")
                                     .arg(QString::fromStdString(parameter.name))
                                     .arg(QLatin1Char(side == 0 ? 'A' : 'B')));
            field->setAccessibleText(both
                    ? tr("%1 of %2").arg(labelOf(parameter), side == 0 ? QStringLiteral("A") : QStringLiteral("B"))
                    : labelOf(parameter),
                rangeText(parameter));
            grid->addWidget(field, 2 * line + 1, side, 1, both ? 1 : 2);
            connect(field, &ParameterField::edited, this, [this, side, &parameter] { fieldEdited(side, parameter); });
            connect(field, &ParameterField::released, this, &ParameterForm::released);
            row.fields[side] = field;
            if (side == 0) {
                label->setBuddy(field);
            }
        }
        m_rows.push_back(row);
        ++line;
    }
    showResets();
}

void ParameterForm::fieldEdited(int side, const Parameter& parameter)
{
    for (const Row& row : m_rows) {
        if (row.parameter != &parameter) {
            continue;
        }
        const QString value = row.fields[side]->value();
        const bool shared = row.fields[1] == nullptr;
        for (int each = 0; each < 2; ++each) {
            if (each != side && !shared) {
                continue;
            }
            if (value == ownValue(each, parameter)) {
                m_settings[each].erase(parameter.name);
            } else {
                m_settings[each][parameter.name] = value.toStdString();
            }
        }
    }
    showResets();
    check();
    emit changed();
    emit edited();
}

void ParameterForm::reset(const Parameter& parameter)
{
    m_settings[0].erase(parameter.name);
    m_settings[1].erase(parameter.name);
    for (const Row& row : m_rows) {
        for (int side = 0; side < 2 && row.parameter == &parameter; ++side) {
            if (row.fields[side] != nullptr) {
                row.fields[side]->setValue(ownValue(side, parameter));
                row.fields[side]->setFocus();
            }
        }
    }
    showResets();
    check();
    emit changed();
    emit edited();
}

void ParameterForm::showResets()
{
    m_reset->setVisible(!m_settings[0].empty() || !m_settings[1].empty());
    for (const Row& row : m_rows) {
        const std::string& name = row.parameter->name;
        row.reset->setVisible(m_settings[0].contains(name) || m_settings[1].contains(name));
    }
}

std::vector<VariantSettings> ParameterForm::runs() const
{
    std::vector<VariantSettings> all;
    if (!m_workload) {
        return all;
    }
    all.push_back({m_variants[0]->currentData().toString().toStdString(), m_settings[0]});
    if (two()) {
        all.push_back({m_variants[1]->currentData().toString().toStdString(), m_settings[1]});
    }
    return all;
}

void ParameterForm::setRuns(const std::vector<VariantSettings>& runs)
{
    if (!m_workload || runs.empty()) {
        return;
    }
    for (std::size_t side = 0; side < 2; ++side) {
        m_settings[side].clear();
        const QString name = side < runs.size() ? QString::fromStdString(runs[side].variant) : QString();
        if (const int index = m_variants[side]->findData(name); index >= 0) {
            m_variants[side]->setCurrentIndex(index);
        }
        if (side >= runs.size()) {
            continue;
        }
        for (const Parameter& parameter : m_workload->parameters) {
            const auto set = runs[side].settings.find(parameter.name);
            if (set != runs[side].settings.end()) {
                m_settings[side].insert(*set);
            }
        }
    }
    buildFields();
    check();
    emit changed();
}

bool ParameterForm::fieldsProblem() const
{
    return std::any_of(m_rows.begin(), m_rows.end(), [](const Row& row) {
        return std::any_of(std::begin(row.fields), std::end(row.fields),
            [](const ParameterField* field) { return field != nullptr && !field->problem().isEmpty(); });
    });
}

bool ParameterForm::isHeld() const
{
    return std::any_of(m_rows.begin(), m_rows.end(), [](const Row& row) {
        return std::any_of(std::begin(row.fields), std::end(row.fields),
            [](const ParameterField* field) { return field != nullptr && field->isHeld(); });
    });
}

void ParameterForm::check()
{
    for (const Row& row : m_rows) {
        for (const ParameterField* field : row.fields) {
            if (field != nullptr && !field->problem().isEmpty()) {
                setProblem(QStringLiteral("%1: %2").arg(labelOf(*row.parameter), field->problem()));
                return;
            }
        }
    }
    if (m_workload) {
        m_check->check(m_workload, runs());
    } else {
        setProblem({});
    }
}

void ParameterForm::setProblem(const QString& problem)
{
    for (const Row& row : m_rows) {  // an answer that comes late must not hide what a field says now
        for (const ParameterField* field : row.fields) {
            if (problem.isEmpty() && field != nullptr && !field->problem().isEmpty()) {
                return;
            }
        }
    }
    m_problemLabel->setText(problem);
    m_problemLabel->setVisible(!problem.isEmpty() && !fieldsProblem());  // a field says its own
    if (m_problem != problem) {
        m_problem = problem;
        emit problemChanged();
    }
}

}  // namespace lanes::gui

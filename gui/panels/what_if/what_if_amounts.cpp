// SPDX-License-Identifier: MIT
#include "gui/panels/what_if/what_if_amounts.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace lanes::gui {

namespace {

using replay::ChangeKind;

/// 1 to `most` in whole numbers; 0 is `none`.
QDoubleSpinBox* countBox(double most, const QString& none)
{
    auto* box = new QDoubleSpinBox;
    box->setDecimals(0);
    box->setRange(0, most);
    box->setSpecialValueText(none);
    return box;
}

QDoubleSpinBox* factorBox()
{
    constexpr double least = 0.01, most = 1000, step = 0.5;
    auto* box = new QDoubleSpinBox;
    box->setDecimals(2);
    box->setRange(least, most);
    box->setSingleStep(step);
    return box;
}

}  // namespace

WhatIfAmounts::WhatIfAmounts(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout(this))
{
    constexpr double most = 100'000;
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    const auto add = [this](ChangeKind kind, const QString& label, QDoubleSpinBox* box) {
        box->setAccessibleName(label);
        m_form->addRow(label, box);
        m_fields.push_back({kind, box});
        connect(box, &QDoubleSpinBox::valueChanged, this, [this, kind](double value) { emit changed(kind, value); });
    };
    add(ChangeKind::drop_syncs, tr("Synchronise every"), countBox(most, tr("never")));
    add(ChangeKind::drop_values, tr("Fetch every"), countBox(most, tr("none")));
    add(ChangeKind::graph, tr("Launches per graph"), countBox(most, tr("as they repeat")));
    add(ChangeKind::more_streams, tr("Streams"), countBox(most, QStringLiteral("2")));
    add(ChangeKind::prefetch, tr("Iterations ahead"), countBox(most, QStringLiteral("1")));
    add(ChangeKind::split, tr("Pieces"), countBox(most, QStringLiteral("4")));
    add(ChangeKind::buckets, tr("Buckets"), countBox(most, QStringLiteral("4")));
    add(ChangeKind::workers, tr("Workers"), countBox(most, QStringLiteral("4")));
    add(ChangeKind::on_stream, tr("To stream"), countBox(most, QStringLiteral("0")));
    add(ChangeKind::faster, tr("Kernels: times as fast"), factorBox());
    add(ChangeKind::faster_link, tr("Copies: times as fast"), factorBox());
    show({});
}

void WhatIfAmounts::show(const Changes& changes)
{
    bool any = false;
    for (const Field& field : m_fields) {
        const auto found = std::find_if(changes.begin(), changes.end(),
            [&field](const replay::Change& change) { return change.kind == field.kind; });
        const bool isShown = found != changes.end();
        if (isShown && field.box->value() != found->amount) {
            const QSignalBlocker blocker(field.box);
            field.box->setValue(found->amount);
        }
        field.box->setVisible(isShown);
        m_form->labelForField(field.box)->setVisible(isShown);
        any = any || isShown;
    }
    setVisible(any);
}

}  // namespace lanes::gui

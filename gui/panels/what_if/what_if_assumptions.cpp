// SPDX-License-Identifier: MIT
#include "gui/panels/what_if/what_if_assumptions.h"

#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/session/open_recording.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace lanes::gui {

namespace {

using replay::Assumption;

QLabel* quietLabel()
{
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("quiet", true);
    return label;
}

Qt::CheckState stateOf(const Assumption& assumption)
{
    return assumption.state == Assumption::confirmed ? Qt::Checked
        : assumption.state == Assumption::lifted     ? Qt::Unchecked
                                                     : Qt::PartiallyChecked;
}

}  // namespace

WhatIfAssumptions::WhatIfAssumptions(QWidget* parent)
    : QWidget(parent)
    , m_title(quietLabel())
    , m_hint(quietLabel())
    , m_layout(new QVBoxLayout(this))
{
    setAccessibleName(tr("Assumptions"));
    m_layout->setContentsMargins(0, 2, 0, 0);
    m_layout->setSpacing(4);
    m_title->setText(text(engineMessages().text("whatif.column.assumed")));
    m_hint->setText(tr("Tick assumptions that hold, clear those that do not: the prediction is updated."));
    m_layout->addWidget(m_title);
    m_layout->addWidget(m_hint);
}

WhatIfAssumptions::Row& WhatIfAssumptions::row(std::size_t index)
{
    while (m_rows.size() <= index) {
        auto* all = new QWidget;
        auto* line = new QHBoxLayout(all);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(6);
        Row made {all, new QCheckBox, quietLabel(), {}};
        made.box->setTristate(true);
        made.box->setObjectName(QStringLiteral("assumption"));
        line->addWidget(made.box, 0, Qt::AlignTop);
        line->addWidget(made.said, 1);
        m_layout->addWidget(all);
        const auto at = m_rows.size();
        connect(made.box, &QCheckBox::clicked, this, [this, at] {
            const Qt::CheckState state = m_rows[at].box->checkState();
            emit answered(
                m_rows[at].word, state == Qt::PartiallyChecked ? std::nullopt : std::optional(state == Qt::Checked));
        });
        m_rows.push_back(made);
    }
    return m_rows[index];
}

void WhatIfAssumptions::show(const std::vector<Assumption>& assumptions)
{
    bool canAnswer = false;
    for (std::size_t index = 0; index < assumptions.size(); ++index) {
        const Assumption& assumption = assumptions[index];
        Row& each = row(index);
        const QSignalBlocker blocker(each.box);
        each.word = assumption.word();
        const QString said = text(engineMessages().format(assumption.said));
        const bool canBeAnswered = assumption.state != Assumption::condition;
        const QString answer = assumption.state == Assumption::confirmed || assumption.state == Assumption::lifted
            ? QStringLiteral(" (%1)").arg(
                text(engineMessages().text("whatif.answer." + std::string(name_of(assumption.state)))))
            : QString();
        each.said->setText(canBeAnswered ? said + answer : QStringLiteral("\u2022 ") + said);
        each.box->setCheckState(stateOf(assumption));
        each.box->setVisible(canBeAnswered);
        each.box->setAccessibleName(said + answer);
        each.box->setToolTip(tr("Filled: assumed. Ticked: it holds. Clear: it does not."));
        each.all->setVisible(true);
        canAnswer = canAnswer || canBeAnswered;
    }
    for (std::size_t index = assumptions.size(); index < m_rows.size(); ++index) {
        m_rows[index].all->setVisible(false);
    }
    m_hint->setVisible(canAnswer);
    setVisible(!assumptions.empty());
}

QString WhatIfAssumptions::asText() const
{
    QStringList lines {m_title->text()};
    for (const Row& each : m_rows) {
        if (each.all->isVisibleTo(this)) {
            lines += each.said->text();
        }
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace lanes::gui

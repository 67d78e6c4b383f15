// SPDX-License-Identifier: MIT
#include "gui/app/frame/code_column.h"

#include "gui/panels/code_panel.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr int least_column = 280;
constexpr int most_fifths = 2;  // of five parts of the columns

}  // namespace

CodeColumn::CodeColumn(CodePanel* code, QWidget* parent)
    : QWidget(parent)
    , m_code(code)
    , m_home(code->parentWidget())
{
    setObjectName(QStringLiteral("codeColumn"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 10, 14, 12);
    setMinimumWidth(least_column / 2);
    hide();
}

void CodeColumn::setOn(bool on)
{
    if (on == m_on) {
        return;
    }
    m_on = on;
    (on ? layout() : m_home->layout())->addWidget(m_code);
    m_code->show();
    m_home->setVisible(!on);
    setVisible(on);
}

void CodeColumn::fit(QSplitter* columns) const
{
    const int at = columns->indexOf(const_cast<CodeColumn*>(this));
    QList<int> sizes = columns->sizes();
    const QMargins around = layout()->contentsMargins();
    const int wanted = std::clamp(m_code->wantedWidth() + around.left() + around.right(), least_column,
        std::max(columns->width() * most_fifths / 5, least_column));
    sizes[at - 1] = std::max(sizes[at - 1] + sizes[at] - wanted, 1);
    sizes[at] = wanted;
    columns->setSizes(sizes);
}

}  // namespace lanes::gui

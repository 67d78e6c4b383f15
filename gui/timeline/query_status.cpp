// SPDX-License-Identifier: MIT
#include "gui/timeline/query_status.h"

#include <QBoxLayout>
#include <QStyle>

namespace lanes::gui {

QueryStatus::QueryStatus(const char* objectName)
{
    setObjectName(QLatin1String(objectName));
    setProperty("quiet", true);
    setTextFormat(Qt::PlainText);
}

void QueryStatus::say(const QString& text, bool wrong)
{
    m_whole = text;
    if (m_wrong != wrong) {
        m_wrong = wrong;
        setSizePolicy(wrong ? QSizePolicy::Ignored : QSizePolicy::Preferred, QSizePolicy::Preferred);
        if (auto* row = qobject_cast<QBoxLayout*>(parentWidget()->layout())) {
            row->setStretchFactor(this, wrong ? 4 : 0);
            row->activate();
        }
        setProperty("problem", wrong);
        style()->unpolish(this);
        style()->polish(this);
    }
    setToolTip(wrong ? text : QString());
    cut();
}

void QueryStatus::cut()
{
    setText(m_wrong && isVisible() ? fontMetrics().elidedText(m_whole, Qt::ElideRight, width()) : m_whole);
}

void QueryStatus::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    if (m_wrong) {
        cut();
    }
}

}  // namespace lanes::gui

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
    if (m_wrong != wrong) {
        m_wrong = wrong;
        setSizePolicy(wrong ? QSizePolicy::Ignored : QSizePolicy::Preferred, QSizePolicy::Preferred);
        setWordWrap(wrong);
        if (auto* row = qobject_cast<QBoxLayout*>(parentWidget()->layout())) {
            row->setStretchFactor(this, wrong ? 4 : 0);
            row->activate();
        }
        setProperty("problem", wrong);
        style()->unpolish(this);
        style()->polish(this);
    }
    setText(text);
}

}  // namespace lanes::gui

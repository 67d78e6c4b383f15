// SPDX-License-Identifier: MIT
#include "gui/timeline/markup/mark_field.h"

#include <QKeyEvent>

namespace lanes::gui {

namespace {

bool ends(const QEvent* event)
{
    const int key = static_cast<const QKeyEvent*>(event)->key();
    return key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter;
}

}  // namespace

MarkField::MarkField(const QString& text, QWidget* parent)
    : QLineEdit(text, parent)
{
    setObjectName(QStringLiteral("markField"));
    setAccessibleName(tr("Text of the mark"));
    setPlaceholderText(tr("Text of the mark"));
    setMaxLength(200);
    selectAll();
}

bool MarkField::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && ends(event)) {
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void MarkField::keyPressEvent(QKeyEvent* event)
{
    if (ends(event)) {
        end(event->key() != Qt::Key_Escape);
        event->accept();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void MarkField::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) {  // its context menu
        end(true);
    }
}

void MarkField::end(bool kept)
{
    if (!m_ended) {
        m_ended = true;
        emit ended(kept, text().trimmed());
        deleteLater();
    }
}

}  // namespace lanes::gui

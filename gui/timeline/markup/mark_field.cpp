// SPDX-License-Identifier: MIT
#include "gui/timeline/markup/mark_field.h"

#include "gui/lanes/annotation.h"

#include <QKeyEvent>
#include <QValidator>

namespace lanes::gui {

namespace {

bool ends(const QEvent* event)
{
    const int key = static_cast<const QKeyEvent*>(event)->key();
    return key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter;
}

/// Takes of what comes in only as much as fits: a text is measured in bytes.
class BytesAtMost final : public QValidator {
public:
    using QValidator::QValidator;

    State validate(QString& text, int& cursor) const override
    {
        while (text.toUtf8().size() > static_cast<qsizetype>(longest_annotation) && cursor > 0) {
            const bool isPair = cursor > 1 && text[cursor - 1].isLowSurrogate() && text[cursor - 2].isHighSurrogate();
            cursor -= isPair ? 2 : 1;
            text.remove(cursor, isPair ? 2 : 1);
        }
        return text.toUtf8().size() > static_cast<qsizetype>(longest_annotation) ? Invalid : Acceptable;
    }
};

}  // namespace

MarkField::MarkField(const QString& text, QWidget* parent)
    : QLineEdit(text, parent)
{
    setObjectName(QStringLiteral("markField"));
    setAccessibleName(tr("Text of the mark"));
    setPlaceholderText(tr("Text of the mark"));
    setMaxLength(longest_annotation);
    setValidator(new BytesAtMost(this));
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

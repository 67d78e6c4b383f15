// SPDX-License-Identifier: MIT
#include "gui/timeline/query_field.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QStandardItemModel>
#include <QStyle>
#include <QTextCharFormat>

namespace lanes::gui {

namespace {

struct Proposal {
    QString word;  ///< what is put in
    QString hint;
};

QVector<Proposal> keyProposals()
{
    return {
        {QStringLiteral("name:"), QueryField::tr("occurs in the name")},
        {QStringLiteral("kind:"), QueryField::tr("kernel, copy, h2d, call, blocked, …")},
        {QStringLiteral("family:"), QueryField::tr("matmul, attention, norm, communication, …")},
        {QStringLiteral("lane:"), QueryField::tr("occurs in the lane's name")},
        {QStringLiteral("stream:"), QueryField::tr("the stream's number or name")},
        {QStringLiteral("thread:"), QueryField::tr("the thread's number or name")},
        {QStringLiteral("dur>"), QueryField::tr("length, such as dur>1ms")},
        {QStringLiteral("bytes>"), QueryField::tr("bytes moved, such as bytes>=64MiB")},
        {QStringLiteral("at>"), QueryField::tr("start, such as at>2ms")},
        {QStringLiteral("blocked>"), QueryField::tr("time blocked, such as blocked>10us")},
    };
}

/// Where the word begins that ends at the cursor.
qsizetype wordStart(const QString& text, qsizetype cursor)
{
    qsizetype at = cursor;
    while (at > 0 && !text[at - 1].isSpace() && text[at - 1] != QLatin1Char('(') && text[at - 1] != QLatin1Char('-')) {
        --at;
    }
    return at;
}

bool isOwnKey(const QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    return (enter && (modifiers == Qt::NoModifier || modifiers == Qt::ShiftModifier))
        || (event->key() == Qt::Key_Escape && modifiers == Qt::NoModifier);
}

}  // namespace

QueryField::QueryField(QWidget* parent)
    : QLineEdit(parent)
    , m_proposals(new QStandardItemModel(this))
{
    auto* completer = new QCompleter(m_proposals, this);
    completer->setCompletionRole(Qt::UserRole);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setMaxVisibleItems(10);
    setCompleter(completer);
    setClearButtonEnabled(true);
    connect(this, &QLineEdit::textEdited, this, [this] { propose(false); });
}

/// Fills the completer for the word at the cursor; it shows whole texts by what they would put in.
void QueryField::propose(bool all)
{
    m_proposals->clear();
    const qsizetype cursor = cursorPosition();
    const QString before = text().left(wordStart(text(), cursor));
    const QString word = text().mid(before.size(), cursor - before.size());
    const QString after = text().mid(cursor);
    const auto add = [&](const QString& put, const QString& hint) {
        if (put.startsWith(word, Qt::CaseInsensitive) && put != word) {
            auto* item = new QStandardItem;
            item->setData(before + put + after, Qt::UserRole);
            item->setText(hint.isEmpty() ? put : QStringLiteral("%1   %2").arg(put, hint));
            m_proposals->appendRow(item);
        }
    };
    const auto addWords = [&](const QString& key, const std::vector<std::string>& words) {
        for (const std::string& of : words) {
            add(key + QString::fromStdString(of), {});
        }
    };
    if (word.startsWith(QLatin1String("kind:"), Qt::CaseInsensitive)) {
        addWords(QStringLiteral("kind:"), Query::kinds());
    } else if (word.startsWith(QLatin1String("family:"), Qt::CaseInsensitive)) {
        addWords(QStringLiteral("family:"), Query::families());
    } else if (all || !word.isEmpty()) {
        for (const Proposal& key : keyProposals()) {
            add(key.word, key.hint);
        }
    }
}

void QueryField::setError(const SearchError& error)
{
    const bool changed = m_error.text.isEmpty() != error.text.isEmpty();
    m_error = error;
    setToolTip(error.text);
    if (changed) {
        setProperty("wrong", !error.text.isEmpty());
        style()->unpolish(this);
        style()->polish(this);
    }
    // What is wrong is underlined as an input method would do it, which leaves text and selection as they are.
    QList<QInputMethodEvent::Attribute> formats;
    if (!error.text.isEmpty() && !text().isEmpty()) {
        const int at = error.length > 0 ? error.at : std::max(error.at - 1, 0);  // missing: after the last letter
        QTextCharFormat format;
        format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        format.setUnderlineColor(palette().color(QPalette::Text));
        formats.append({QInputMethodEvent::TextFormat, at - cursorPosition(), std::max(error.length, 1), format});
    }
    QInputMethodEvent underline({}, formats);
    inputMethodEvent(&underline);
}

bool QueryField::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && isOwnKey(static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void QueryField::keyPressEvent(QKeyEvent* event)
{
    if (isOwnKey(event)) {
        const bool escape = event->key() == Qt::Key_Escape;
        completer()->popup()->hide();
        if (escape) {
            emit leaveWanted();
        } else if (event->modifiers().testFlag(Qt::ShiftModifier)) {
            emit previousWanted();
        } else {
            emit nextWanted();
        }
        event->accept();
        return;
    }
    if (event->key() == Qt::Key_Down && !completer()->popup()->isVisible()) {
        propose(true);
        completer()->setCompletionPrefix(text().left(wordStart(text(), cursorPosition())));
        completer()->complete();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

}  // namespace lanes::gui

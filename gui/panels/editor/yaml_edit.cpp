// SPDX-License-Identifier: MIT
#include "gui/panels/editor/yaml_edit.h"

#include "gui/paint/theme.h"
#include "gui/panels/editor/yaml_colours.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>

namespace lanes::gui {

namespace {

constexpr int indent = 2;
constexpr int gutter_margin = 8;
constexpr double tint = 0.5;  // of the problem's line

}  // namespace

class YamlEdit::Gutter : public QWidget {
public:
    explicit Gutter(YamlEdit* edit)
        : QWidget(edit)
        , m_edit(edit)
    {
    }

protected:
    void paintEvent(QPaintEvent* event) override { m_edit->paintGutter(event); }

private:
    YamlEdit* m_edit;
};

YamlEdit::YamlEdit(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_gutter(new Gutter(this))
    , m_colours(new YamlColours(document()))
{
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("The workload's text"));
    setObjectName(QStringLiteral("yaml"));
    connect(this, &QPlainTextEdit::blockCountChanged, this, &YamlEdit::layOutGutter);
    connect(this, &QPlainTextEdit::updateRequest, m_gutter, [this](const QRect& area, int by) {
        by != 0 ? m_gutter->scroll(0, by) : m_gutter->update(0, area.y(), m_gutter->width(), area.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &YamlEdit::mark);
    m_colours->setDark(isDark());
    layOutGutter();
}

bool YamlEdit::isDark() const
{
    return palette().color(QPalette::Base).lightness() < 128;
}

int YamlEdit::gutterWidth() const
{
    const int digits = std::max(2, static_cast<int>(QString::number(blockCount()).size()));
    return fontMetrics().horizontalAdvance(QLatin1Char('9')) * digits + 2 * gutter_margin;
}

void YamlEdit::layOutGutter()
{
    setViewportMargins(gutterWidth(), 0, 0, 0);
    const QRect inner = contentsRect();
    m_gutter->setGeometry(inner.left(), inner.top(), gutterWidth(), inner.height());
}

void YamlEdit::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    layOutGutter();
    if (hasFocus()) {
        ensureCursorVisible();
    }
}

void YamlEdit::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        m_colours->setDark(isDark());
        mark();
    }
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        layOutGutter();
    }
}

void YamlEdit::paintGutter(QPaintEvent* event)
{
    const Theme& theme = Theme::named(isDark() ? QStringLiteral("dark") : QStringLiteral("light"));
    QPainter painter(m_gutter);
    painter.fillRect(event->rect(), palette().color(QPalette::Base));
    painter.setFont(font());
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
        if (box.top() > event->rect().bottom()) {
            break;
        }
        const bool wrong = block.blockNumber() + 1 == m_problemLine;
        const QRectF line(0, box.top(), m_gutter->width() - gutter_margin, fontMetrics().height());
        if (wrong) {
            painter.fillRect(QRectF(0, box.top(), m_gutter->width(), box.height()), theme.pillCaution);
        }
        painter.setPen(wrong ? theme.pillCautionText : block == textCursor().block() ? theme.text : theme.muted);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, QString::number(block.blockNumber() + 1));
    }
}

void YamlEdit::markProblem(int line, int column, const QString& problem)
{
    m_problemLine = line;
    m_problemColumn = column;
    m_problem = problem;
    setAccessibleDescription(problem);
    mark();
}

void YamlEdit::mark()
{
    const Theme& theme = Theme::named(isDark() ? QStringLiteral("dark") : QStringLiteral("light"));
    QList<QTextEdit::ExtraSelection> marks;
    const QTextBlock block = document()->findBlockByNumber(m_problemLine - 1);
    if (m_problemLine > 0 && block.isValid()) {
        QTextEdit::ExtraSelection line;
        line.format.setBackground(blend(palette().color(QPalette::Base), theme.pillCaution, tint));
        line.format.setProperty(QTextFormat::FullWidthSelection, true);
        line.cursor = QTextCursor(block);
        marks += line;
        // The word at the column, or what is there of it.
        QTextEdit::ExtraSelection word;
        word.cursor = QTextCursor(block);
        const int at = std::clamp(m_problemColumn - 1, 0, std::max(0, block.length() - 2));
        word.cursor.setPosition(block.position() + at);
        word.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
        if (!word.cursor.hasSelection()) {
            word.cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
        }
        word.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        word.format.setUnderlineColor(theme.pillCautionText);
        word.format.setForeground(theme.pillCautionText);
        marks += word;
    }
    setExtraSelections(marks);
    viewport()->update();
    m_gutter->update();
}

/// The message is written after its line where there is room for it.
void YamlEdit::paintEvent(QPaintEvent* event)
{
    QPlainTextEdit::paintEvent(event);
    const QTextBlock block = document()->findBlockByNumber(m_problemLine - 1);
    if (m_problemLine == 0 || !block.isValid() || !block.isVisible()) {
        return;
    }
    const Theme& theme = Theme::named(isDark() ? QStringLiteral("dark") : QStringLiteral("light"));
    const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
    const double left = box.left() + fontMetrics().horizontalAdvance(block.text()) + 24;
    const double room = viewport()->width() - left - gutter_margin;
    const QString text = fontMetrics().elidedText(m_problem, Qt::ElideRight, static_cast<int>(room));
    if (room < fontMetrics().averageCharWidth() * 12) {
        return;
    }
    QPainter painter(viewport());
    QFont small = font();
    small.setItalic(true);
    painter.setFont(small);
    painter.setPen(theme.pillCautionText);
    painter.drawText(QRectF(left, box.top(), room, box.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
}

void YamlEdit::goTo(int line, int column)
{
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid()) {
        return;
    }
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + std::clamp(column - 1, 0, std::max(0, block.length() - 1)));
    setTextCursor(cursor);
    centerCursor();
}

bool YamlEdit::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Save)) {
        event->accept();  // it comes as a key press
        return true;
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QPoint at = viewport()->mapFrom(this, help->pos());
        const bool over = m_problemLine > 0 && lineOf(cursorForPosition(at)) == m_problemLine;
        QToolTip::showText(help->globalPos(), over ? m_problem : QString(), this);
        return true;
    }
    return QPlainTextEdit::event(event);
}

void YamlEdit::keyPressEvent(QKeyEvent* event)
{
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (event->matches(QKeySequence::Save)) {
        emit saveWanted();
    } else if (event->key() == Qt::Key_Tab && modifiers == Qt::ControlModifier) {
        focusNextChild();
    } else if (event->key() == Qt::Key_Tab && modifiers == Qt::NoModifier) {
        indentLines(true);
    } else if (event->key() == Qt::Key_Backtab) {
        indentLines(false);
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && modifiers == Qt::NoModifier) {
        breakLine();
    } else {
        QPlainTextEdit::keyPressEvent(event);
    }
}

/// Whole lines where several are selected, else at the cursor.
void YamlEdit::indentLines(bool more)
{
    QTextCursor cursor = textCursor();
    QTextBlock first = document()->findBlock(cursor.selectionStart());
    const QTextBlock last = document()->findBlock(cursor.selectionEnd());
    cursor.beginEditBlock();
    if (more && first == last) {
        cursor.insertText(QString(indent - cursor.positionInBlock() % indent, QLatin1Char(' ')));
    } else {
        for (QTextBlock block = first; block.isValid() && block.blockNumber() <= last.blockNumber();
             block = block.next()) {
            QTextCursor start(block);
            if (more) {
                start.insertText(QString(indent, QLatin1Char(' ')));
                continue;
            }
            for (int i = 0; i < indent && block.text().startsWith(QLatin1Char(' ')); ++i) {
                start.deleteChar();
            }
        }
    }
    cursor.endEditBlock();
    if (more && first == last) {
        setTextCursor(cursor);
    }
}

void YamlEdit::breakLine()
{
    QTextCursor cursor = textCursor();
    const QString before = cursor.block().text().left(cursor.positionInBlock());
    qsizetype spaces = 0;
    while (spaces < before.size() && before[spaces] == QLatin1Char(' ')) {
        ++spaces;
    }
    if (before.trimmed().endsWith(QLatin1Char(':'))) {
        spaces += indent;
    }
    cursor.insertText(QLatin1Char('\n') + QString(spaces, QLatin1Char(' ')));
    setTextCursor(cursor);
    ensureCursorVisible();
}

}  // namespace lanes::gui

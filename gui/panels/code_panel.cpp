// SPDX-License-Identifier: MIT
#include "gui/panels/code_panel.h"

#include "gui/panels/details.h"
#include "gui/session/workspace.h"

#include <QButtonGroup>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

constexpr double large_pixels = 12.5;
constexpr int line_room = 20;  // of the frame and its padding
constexpr int hall_room = 10;  // of the padding over and under three lines
constexpr int hanging = 2;  // columns by which the rest of a wrapped line is indented

}  // namespace

CodePanel::CodePanel(QWidget* parent)
    : QWidget(parent)
    , m_head(new QWidget)
    , m_text(new QTextEdit)
    , m_pytorchButton(new QPushButton(QStringLiteral("PyTorch")))
    , m_cudaButton(new QPushButton(QStringLiteral("CUDA")))
    , m_choice(new QButtonGroup(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(2);
    auto* title = new QLabel(tr("The same in").toUpper());
    title->setProperty("section", true);
    head->addWidget(title);
    head->addStretch();
    for (QPushButton* button : {m_pytorchButton, m_cudaButton}) {
        button->setCheckable(true);
        button->setProperty("segment", true);
        m_choice->addButton(button);
        head->addWidget(button);
    }
    m_pytorchButton->setAccessibleName(tr("Show the PyTorch code"));
    m_cudaButton->setAccessibleName(tr("Show the CUDA code"));
    m_pytorchButton->setChecked(true);
    layout->addWidget(m_head);
    m_text->setReadOnly(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);  // a line's end is never out of sight
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setTabChangesFocus(true);
    m_text->setAccessibleName(tr("The same calls in code"));
    m_text->setObjectName(QStringLiteral("code"));
    m_text->setPlaceholderText(tr("This workload comes without code."));
    m_text->installEventFilter(this);
    m_text->viewport()->installEventFilter(this);
    layout->addWidget(m_text, 1);
    connect(m_cudaButton, &QPushButton::toggled, this, &CodePanel::showLanguage);
}

void CodePanel::setCode(const QString& pytorch, const QString& cuda)
{
    if (pytorch == m_pytorch && cuda == m_cuda) {
        return;  // its lines stay lit
    }
    m_pytorch = pytorch;
    m_cuda = cuda;
    m_pytorchLine = 0;
    m_cudaLine = 0;
    m_pytorchButton->setEnabled(!pytorch.isEmpty() || cuda.isEmpty());
    m_cudaButton->setEnabled(!cuda.isEmpty());
    if (cuda.isEmpty()) {
        m_pytorchButton->setChecked(true);
    } else if (pytorch.isEmpty()) {
        m_cudaButton->setChecked(true);
    }
    showLanguage(m_cudaButton->isChecked());
}

void CodePanel::markLines(int pytorch, int cuda)
{
    m_pytorchLine = pytorch;
    m_cudaLine = cuda;
    mark();
}

void CodePanel::setLarge(double times, int lines)
{
    const int pixels = static_cast<int>(std::lround(large_pixels * times));
    const QString sheet = times > 0 ? QStringLiteral("font-size: %1px").arg(pixels) : QString();
    if (sheet != m_text->styleSheet()) {
        m_text->setStyleSheet(sheet);
        m_text->ensurePolished();
    }
    m_text->setMaximumHeight(times > 0 ? m_text->fontMetrics().lineSpacing() * lines + hall_room : QWIDGETSIZE_MAX);
    m_text->setVerticalScrollBarPolicy(times > 0 ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    if (m_head->isHidden() != (times > 0)) {
        m_head->setVisible(times <= 0);
        showLanguage(m_showsCuda);
    }
    mark();
}

int CodePanel::wantedWidth() const
{
    int width = 0;
    for (const QString& code : {m_pytorch, m_cuda}) {
        for (const QString& line : code.split(QLatin1Char('\n'))) {
            width = std::max(width, m_text->fontMetrics().horizontalAdvance(line));
        }
    }
    const QMargins around = contentsMargins() + layout()->contentsMargins();
    return width + around.left() + around.right() + line_room + m_text->verticalScrollBar()->sizeHint().width();
}

void CodePanel::choose(bool cuda)
{
    (cuda && !m_cuda.isEmpty() ? m_cudaButton : m_pytorchButton)->setChecked(true);
}

void CodePanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        mark();
    }
}

bool CodePanel::eventFilter(QObject* watched, QEvent* event)
{
    if ((watched == m_text && event->type() == QEvent::FontChange)
        || (watched == m_text->viewport() && event->type() == QEvent::Resize)) {
        indent();
    }
    return QWidget::eventFilter(watched, event);
}

/// Where the lines do not fit, spaces before them are half as wide: the text itself stays as it is copied.
void CodePanel::indent()
{
    const QFontMetricsF metrics(m_text->font());
    const double space = metrics.horizontalAdvance(QLatin1Char(' '));
    double widest = 0;
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        widest = std::max(widest, metrics.horizontalAdvance(block.text()));
    }
    const bool fits = widest + 2 * m_text->document()->documentMargin() <= m_text->viewport()->width();
    const double indented = fits ? space : space / 2;
    if (space == m_step && indented == m_indented) {
        return;
    }
    m_step = space;
    m_indented = indented;
    QTextCharFormat narrow;
    narrow.setFontLetterSpacingType(QFont::AbsoluteSpacing);
    narrow.setFontLetterSpacing(indented - space);
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        const QString line = block.text();
        const auto first = std::find_if(line.begin(), line.end(), [](QChar c) { return c != QLatin1Char(' '); });
        const auto spaces = static_cast<int>(first - line.begin());
        const double hang = spaces * indented + hanging * space;
        QTextCursor cursor(block);
        QTextBlockFormat format;
        format.setLeftMargin(hang);
        format.setTextIndent(-hang);
        cursor.setBlockFormat(format);
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        cursor.setCharFormat({});  // a new text has the format of where the cursor was in the old one
        cursor.setPosition(block.position());
        cursor.setPosition(block.position() + spaces, QTextCursor::KeepAnchor);
        cursor.setCharFormat(narrow);
    }
}

void CodePanel::showLanguage(bool cuda)
{
    m_showsCuda = cuda;
    static const QRegularExpression comments(
        QStringLiteral("(?<=\\S)[ \\t]+(#|//) .*$"), QRegularExpression::MultilineOption);  // of a line, not lines
    QString code = cuda ? m_cuda : m_pytorch;
    m_text->setPlainText(m_head->isHidden() ? code.remove(comments) : code);  // in a hall the call is what matters
    m_step = 0;
    indent();
    mark();
    emit chosen(cuda);
}

void CodePanel::mark()
{
    const int line = m_showsCuda ? m_cudaLine : m_pytorchLine;
    const QTextBlock block = line > 0 ? m_text->document()->findBlockByNumber(line - 1) : QTextBlock();
    if (!block.isValid()) {
        m_text->setExtraSelections({});
        return;
    }
    QTextEdit::ExtraSelection selection;
    selection.cursor = QTextCursor(block);
    selection.cursor.movePosition(QTextCursor::EndOfBlock);  // all rows of one that wraps
    selection.cursor.movePosition(QTextCursor::NextCharacter);  // the last one to the side
    selection.cursor.setPosition(block.position(), QTextCursor::KeepAnchor);
    QColor back = palette().color(QPalette::Highlight);
    back.setAlpha(90);
    selection.format.setBackground(back);
    selection.format.setProperty(QTextFormat::FullWidthSelection, true);
    m_text->setExtraSelections({selection});
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::EndOfBlock);  // to have all rows of it in sight
    m_text->setTextCursor(cursor);
    m_text->ensureCursorVisible();
    cursor.setPosition(block.position());
    m_text->setTextCursor(cursor);
    m_text->ensureCursorVisible();
    if (m_text->maximumHeight() < QWIDGETSIZE_MAX) {
        auto* const bar = m_text->verticalScrollBar();  // what comes before and after is seen, too
        bar->setValue(bar->value() + m_text->cursorRect().center().y() - m_text->viewport()->height() / 2);
    }
}

void CodePanel::observe(Workspace* workspace)
{
    connect(workspace, &Workspace::changed, this, [this] { markLines(0, 0); });
    connect(workspace, &Workspace::selectionChanged, this, [this, workspace] {
        const auto [side, event] = workspace->selection();
        const OpenRecordingPtr recording = workspace->at(side);
        const StepInfo* step = recording && event ? stepOf(*recording, event) : nullptr;
        if (recording && event && (!recording->codePyTorch.isEmpty() || !recording->codeCuda.isEmpty())) {
            setCode(recording->codePyTorch, recording->codeCuda);
        }
        markLines(step ? static_cast<int>(step->pytorch_line) : 0, step ? static_cast<int>(step->cuda_line) : 0);
    });
}

}  // namespace lanes::gui

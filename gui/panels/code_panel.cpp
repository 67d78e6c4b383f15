// SPDX-License-Identifier: MIT
#include "gui/panels/code_panel.h"

#include "gui/panels/details.h"
#include "gui/session/workspace.h"

#include <QButtonGroup>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QVBoxLayout>

#include <cmath>

namespace lanes::gui {

namespace {

constexpr double large_pixels = 13;
constexpr int line_room = 20;  // of the frame, its padding and a bar to scroll sideways

}  // namespace

CodePanel::CodePanel(QWidget* parent)
    : QWidget(parent)
    , m_text(new QPlainTextEdit)
    , m_pytorchButton(new QPushButton(QStringLiteral("PyTorch")))
    , m_cudaButton(new QPushButton(QStringLiteral("CUDA")))
    , m_choice(new QButtonGroup(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* head = new QHBoxLayout;
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
    layout->addLayout(head);
    m_text->setReadOnly(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setTabChangesFocus(true);
    m_text->setAccessibleName(tr("The same calls in code"));
    m_text->setObjectName(QStringLiteral("code"));
    m_text->setPlaceholderText(tr("This workload comes without code."));
    layout->addWidget(m_text, 1);
    connect(m_cudaButton, &QPushButton::toggled, this, &CodePanel::showLanguage);
}

void CodePanel::setCode(const QString& pytorch, const QString& cuda)
{
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
    m_text->setStyleSheet(times > 0 ? QStringLiteral("font-size: %1px").arg(pixels) : QString());
    m_text->ensurePolished();
    m_text->setFixedHeight(times > 0 ? m_text->fontMetrics().lineSpacing() * lines + line_room : QWIDGETSIZE_MAX);
    mark();
}

void CodePanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        mark();
    }
}

void CodePanel::showLanguage(bool cuda)
{
    m_showsCuda = cuda;
    m_text->setPlainText(cuda ? m_cuda : m_pytorch);
    mark();
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
    QColor back = palette().color(QPalette::Highlight);
    back.setAlpha(90);
    selection.format.setBackground(back);
    selection.format.setProperty(QTextFormat::FullWidthSelection, true);
    m_text->setExtraSelections({selection});
    QTextCursor cursor(block);
    m_text->setTextCursor(cursor);
    m_text->ensureCursorVisible();
    if (m_text->maximumHeight() < QWIDGETSIZE_MAX) {
        m_text->centerCursor();  // what comes before and behind is seen, too
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

// SPDX-License-Identifier: MIT
#include "gui/panels/editor/workload_editor.h"

#include "gui/panels/editor/yaml_edit.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStyle>
#include <QVBoxLayout>

#include <utility>

namespace lanes::gui {

/// The first line, from 1, after the texts for people: those of a lesson fill a page.
static int lineThatRuns(const QString& text)
{
    static const QRegularExpression section(
        QStringLiteral("^(parameters|variants|buffers|streams|events|parts|threads):"),
        QRegularExpression::MultilineOption);
    const QRegularExpressionMatch found = section.match(text);
    return found.hasMatch() ? static_cast<int>(QStringView(text).left(found.capturedStart()).count(u'\n')) + 1 : 1;
}

WorkloadEditor::WorkloadEditor(QWidget* parent)
    : QWidget(parent)
    , m_name(new QLabel)
    , m_note(new QLabel)
    , m_save(new QPushButton(tr("Save")))
    , m_saveAs(new QPushButton(tr("Save as…")))
    , m_revert(new QPushButton(tr("Revert")))
    , m_problem(new QLabel)
    , m_goTo(new QPushButton)
    , m_edit(new YamlEdit)
    , m_check(new SourceCheck(this))
{
    setObjectName(QStringLiteral("workloadEditor"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 10, 10);
    layout->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    m_name->setProperty("heading", true);
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    head->addWidget(m_name, 1);
    const auto button = [&](QPushButton* it, const char* name, const QString& tip) {
        it->setObjectName(QLatin1String(name));
        it->setToolTip(tip);
        head->addWidget(it);
    };
    button(m_revert, "revertWorkload", tr("Undoes the changes since the file was saved"));
    button(m_save, "saveWorkload", tr("Writes the file (Ctrl+S in the text)"));
    button(m_saveAs, "saveWorkloadAs", tr("Writes a new file"));
    auto* close = new QPushButton(QStringLiteral("✕"));
    close->setFlat(true);
    close->setAccessibleName(tr("Close the editor"));
    button(close, "closeEditor", tr("Hides the text; changes are kept"));
    layout->addLayout(head);
    m_note->setProperty("quiet", true);
    m_note->setWordWrap(true);
    layout->addWidget(m_note);
    layout->addWidget(m_edit, 1);
    m_problem->setObjectName(QStringLiteral("sourceProblem"));
    m_problem->setProperty("problem", true);
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setAccessibleName(tr("Errors in the text"));
    m_goTo->setFlat(true);
    m_goTo->setObjectName(QStringLiteral("goToProblem"));
    m_goTo->setToolTip(tr("Goes to the line"));
    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    foot->addWidget(m_goTo, 0, Qt::AlignTop);
    foot->addWidget(m_problem, 1);
    layout->addLayout(foot);
    connect(m_edit, &QPlainTextEdit::textChanged, this, &WorkloadEditor::textChanged);
    connect(m_edit, &YamlEdit::saveWanted, this, &WorkloadEditor::saveWanted);
    connect(m_check, &SourceCheck::checked, this, &WorkloadEditor::take);
    connect(m_save, &QPushButton::clicked, this, &WorkloadEditor::saveWanted);
    connect(m_saveAs, &QPushButton::clicked, this, &WorkloadEditor::saveAsWanted);
    connect(m_revert, &QPushButton::clicked, this, &WorkloadEditor::revertWanted);
    connect(close, &QPushButton::clicked, this, &WorkloadEditor::closeWanted);
    connect(m_goTo, &QPushButton::clicked, this, [this] {
        m_edit->goTo(m_state.line, m_state.column);
        m_edit->setFocus();
    });
    refresh();
}

QString WorkloadEditor::text() const
{
    return m_edit->toPlainText();
}

QString WorkloadEditor::placedProblem() const
{
    const QString name = QFileInfo(m_file).fileName();
    return m_state.problem.isEmpty() ? QString()
        : m_state.line == 0
        ? tr("%1: %2").arg(name, m_state.problem)
        : tr("%1, line %2, column %3: %4").arg(name).arg(m_state.line).arg(m_state.column).arg(m_state.problem);
}

void WorkloadEditor::open(const QString& file, const QString& saved, bool own)
{
    m_saved = saved;
    m_own = own;
    const QString wanted = m_drafts.value(file, saved);
    const bool other = file != m_file;
    m_file = file;
    if (other || text() != wanted) {
        m_showing = true;
        const int scroll = other ? 0 : m_edit->verticalScrollBar()->value();
        m_edit->setPlainText(wanted);
        m_edit->verticalScrollBar()->setValue(scroll);
        if (other) {
            m_edit->goTo(lineThatRuns(wanted), 1);
        }
        m_showing = false;
        m_opened = other;
        m_state = {};
        m_edit->markProblem(0, 0, {});
        m_check->check(wanted, m_file);
    }
    refresh();
}

void WorkloadEditor::textChanged()
{
    if (m_showing || m_file.isEmpty()) {
        return;
    }
    const bool before = isModified();
    const QString now = text();
    if (now == m_saved) {
        m_drafts.remove(m_file);
    } else {
        m_drafts[m_file] = now;
    }
    m_check->check(now, m_file);
    if (isModified() != before) {
        emit modifiedChanged(m_file, isModified());
    }
    refresh();
}

void WorkloadEditor::take(const SourceState& state)
{
    m_state = state;
    m_edit->markProblem(state.line, state.column, state.problem);
    if (std::exchange(m_opened, false) && !state.problem.isEmpty()) {
        m_edit->goTo(state.line, state.column);
    }
    refresh();
    emit problemChanged();
    if (state.workload && state.problem.isEmpty()) {
        emit workloadEdited(state.workload);
    }
}

void WorkloadEditor::saved(const QString& file, const QString& text)
{
    const bool before = m_drafts.contains(file);
    if (file == m_file) {
        m_saved = text;
    }
    if (m_drafts.value(file, text) == text) {  // what was typed meanwhile stays
        m_drafts.remove(file);
    }
    if (before != m_drafts.contains(file)) {
        emit modifiedChanged(file, !before);
    }
    refresh();
}

void WorkloadEditor::changedOnDisk(const QString& text)
{
    m_saved = text;
    const bool before = isModified();
    if (this->text() == text) {
        m_drafts.remove(m_file);
    } else {
        m_drafts[m_file] = this->text();
    }
    if (isModified() != before) {
        emit modifiedChanged(m_file, isModified());
    }
    refresh();
}

void WorkloadEditor::revert()
{
    const QString file = m_file;
    m_drafts.remove(file);
    m_check->forget();
    open(file, m_saved, m_own);
    emit modifiedChanged(file, false);
}

void WorkloadEditor::refresh()
{
    const QFileInfo info(m_file);
    m_name->setText(m_file.isEmpty() ? tr("No workload")
            : isModified()           ? QStringLiteral("%1 •").arg(info.fileName())
                                     : info.fileName());
    m_name->setToolTip(QDir::toNativeSeparators(m_file));
    m_note->setText(m_own ? QString() : tr("This one came with Lanescope: save your changes as a new file."));
    m_note->setVisible(!m_own && !m_file.isEmpty());
    m_save->setEnabled(m_own && isModified());
    m_save->setVisible(m_own);
    m_saveAs->setEnabled(!m_file.isEmpty());
    m_revert->setEnabled(isModified());
    // The line is always there: the text does not move when something goes wrong.
    const bool right = m_state.problem.isEmpty();
    m_problem->setText(!right  ? m_state.problem
            : m_state.workload ? tr("No errors: every variant can run.")
                               : QString(QLatin1Char(' ')));
    m_problem->setProperty("problem", !right);
    m_problem->setProperty("quiet", right);
    m_problem->style()->polish(m_problem);
    m_goTo->setText(tr("Line %1, column %2").arg(m_state.line).arg(m_state.column));
    m_goTo->setVisible(!m_state.problem.isEmpty() && m_state.line > 0);
}

}  // namespace lanes::gui

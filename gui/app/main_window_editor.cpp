// SPDX-License-Identifier: MIT
// The window and the texts of workloads: opened from anywhere, changed in place, saved as a user's own.
#include "gui/app/file_watch.h"
#include "gui/app/gallery_page.h"
#include "gui/app/main_window.h"
#include "gui/app/notice_bar.h"
#include "gui/app/resource_folder.h"
#include "gui/app/variant_runs.h"
#include "gui/export/picture.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/workload_editor.h"
#include "gui/panels/workload_list.h"
#include "gui/panels/yaml_edit.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QStandardPaths>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr qint64 longest_text = 4 << 20;  // a workload of which nobody reads a line is not shown either

/// Nothing where it cannot be read, or is too long to be one.
std::optional<QString> textOf(const QString& file)
{
    QFile from(file);
    if (!QFileInfo(file).isFile() || !from.open(QIODevice::ReadOnly) || from.size() > longest_text) {
        return {};
    }
    return QString::fromUtf8(from.readAll());
}

WorkloadList::Origin originOf(const QString& file)
{
    return isShipped(file) ? WorkloadList::Origin::catalogue : WorkloadList::Origin::own;
}

}  // namespace

void MainWindow::connectEditor()
{
    connect(m_editor, &WorkloadEditor::workloadEdited, this, &MainWindow::workloadEdited);
    connect(m_editor, &WorkloadEditor::modifiedChanged, this, [this](const QString& file, bool modified) {
        m_workloads->setModified(file, modified);
        refresh();
    });
    connect(m_editor, &WorkloadEditor::problemChanged, this, &MainWindow::refresh);
    connect(m_editor, &WorkloadEditor::saveWanted, this, &MainWindow::saveWorkload);
    connect(m_editor, &WorkloadEditor::saveAsWanted, this, &MainWindow::saveWorkloadAs);
    connect(m_editor, &WorkloadEditor::revertWanted, this, &MainWindow::revertWorkload);
    connect(m_editor, &WorkloadEditor::closeWanted, this, [this] {
        m_editor->hide();
        focusTimeline();
        refresh();
    });
}

/// Opens a workload's file as the chosen one; one that is wrong is opened as text, with the error at its line.
void MainWindow::openWorkload(const QString& path)
{
    const QString file = QFileInfo(path).absoluteFilePath();
    try {
        auto workload = std::make_shared<const Workload>(load_workload(file.toStdString()));
        m_workloads->addWorkload(workload, originOf(file));
        m_workloads->select(file);
        m_gallery->setWorkloads(m_workloads->workloads());
    } catch (const std::exception& error) {
        m_notice->showError(QString::fromUtf8(error.what()).replace(file, QFileInfo(file).fileName()));
        if (const auto text = textOf(file)) {
            m_editor->open(file, *text, !isShipped(file));
            m_editor->QWidget::show();
            watchFiles();
            refresh();
        }
    }
}

void MainWindow::loadOwnWorkloads(const QStringList& files)
{
    for (const QString& file : files) {
        try {
            m_workloads->addWorkload(std::make_shared<const Workload>(load_workload(file.toStdString())), WorkloadList::Origin::own);
        } catch (const std::exception&) {
            // gone or broken since: it is opened again by whoever misses it, and says then what is wrong
        }
    }
}

/// Where the editor is seen it shows the chosen workload.
void MainWindow::presentSource()
{
    const auto workload = m_workloads->selected();
    if (m_editor->isHidden() || !workload) {
        return;
    }
    const QString file = QString::fromStdString(workload->file);
    m_editor->open(file, textOf(file).value_or(QString::fromStdString(workload->source)), !isShipped(file));
    watchFiles();
}

/// In the list, too, a workload is what its file says again.
void MainWindow::restoreListed(const QString& file)
{
    try {
        m_workloads->addWorkload(std::make_shared<const Workload>(load_workload(file.toStdString())), originOf(file));
    } catch (const std::exception&) {
        // its file is gone or wrong: the text says so
    }
}

/// A user's own texts that are in the form or in the editor.
QStringList MainWindow::workloadFiles() const
{
    QStringList files;
    if (const auto chosen = m_workloads->selected()) {
        files += QString::fromStdString(chosen->file);
    }
    files += m_editor->file();
    files.removeDuplicates();
    files.removeIf([](const QString& file) { return file.isEmpty() || isShipped(file); });
    return files;
}

/// By another program: what is shown stays until one wants the other text, and then differs from its file.
void MainWindow::workloadChangedOnDisk(const QString& file)
{
    const auto text = textOf(file);
    if (!text) {
        return;
    }
    const bool edited = m_editor->file() == file && !m_editor->isHidden();
    if (edited && m_editor->drafts().contains(file)) {
        m_editor->changedOnDisk(*text);
        if (m_editor->isModified()) {
            m_notice->showOffer(tr("%1 was changed by another program, and so it was here. What is here is kept unless you reload.").arg(QFileInfo(file).fileName()),
                tr("Reload"), [this, file] { reloadWorkload(file); });
        }
        return;
    }
    const auto chosen = m_workloads->selected();
    if (chosen && chosen->file == file.toStdString() && QString::fromStdString(chosen->source) == *text) {
        return;  // written anew, as it was
    }
    if (edited) {
        m_editor->changedOnDisk(*text);
    }
    m_notice->showOffer(tr("%1 was changed by another program. What is shown is what it was when it was opened.").arg(QFileInfo(file).fileName()),
        tr("Reload"), [this, file] { reloadWorkload(file); });
}

void MainWindow::reloadWorkload(const QString& file)
{
    m_watch->accept(file);
    if (m_editor->file() == file && m_editor->isModified()) {
        m_editor->revert();
    }
    openWorkload(file);
    presentSource();
    knobTurned();
}

void MainWindow::continueFrom(const MainWindow& other)
{
    std::vector<OpenRecordingPtr> recordings = other.m_session.recordings();
    std::transform(recordings.begin(), recordings.end(), recordings.begin(), retold);  // in this window's language
    m_session.set(recordings);
    m_variantRuns->continueFrom(*other.m_variantRuns);
    m_editor->setDrafts(other.m_editor->drafts());
    for (auto draft = m_editor->drafts().begin(); draft != m_editor->drafts().end(); ++draft) {
        const SourceState state = stateOf(draft.value(), draft.key());
        if (state.workload && state.problem.isEmpty()) {
            m_workloads->addWorkload(state.workload, originOf(draft.key()));
        }
        m_workloads->setModified(draft.key(), true);
    }
    m_editor->setVisible(!other.m_editor->isHidden());
    presentSource();
    refresh();
}

void MainWindow::toggleEditor()
{
    m_editor->setVisible(m_editor->isHidden());
    if (m_editor->isHidden()) {
        focusTimeline();
        return;
    }
    presentSource();
    m_editor->edit()->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::workloadEdited(const std::shared_ptr<const Workload>& workload)
{
    const QString file = QString::fromStdString(workload->file);
    const auto before = m_workloads->selected();
    if (before && before->file == workload->file && before->source == workload->source) {
        return;
    }
    m_workloads->addWorkload(workload, originOf(file));  // in the place of what it was, where it was the chosen one
    m_workloads->setModified(file, m_editor->drafts().contains(file));
    m_workloads->select(file);
    m_notice->hide();
    knobTurned();
}

void MainWindow::saveWorkload()
{
    if (m_editor->isOwn()) {
        writeWorkload(m_editor->file(), m_editor->text());
    } else {
        saveWorkloadAs();
    }
}

void MainWindow::saveWorkloadAs()
{
    if (m_editor->file().isEmpty()) {
        return;
    }
    auto* chooser = new QFileDialog(this, tr("Save the workload"), {}, tr("Workload (*.yaml)"));
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->setDefaultSuffix(QStringLiteral("yaml"));
    const QFileInfo from(m_editor->file());
    const bool own = !isShipped(m_editor->file());
    chooser->setDirectory(own ? from.absolutePath() : QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    chooser->selectFile(own ? tr("%1-copy.yaml").arg(from.completeBaseName()) : from.fileName());
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const QString before = m_editor->file();
        const QString file = QFileInfo(path).absoluteFilePath();
        if (writeWorkload(file, m_editor->text()) && file != before) {
            if (m_editor->isModified()) {  // the changes are in the new file
                m_editor->revert();
                restoreListed(before);
            }
            openWorkload(file);
        }
    });
    choose(chooser);
}

/// Whole or not at all.
bool MainWindow::writeWorkload(const QString& file, const QString& text)
{
    if (const QString problem = saveWhole(file, text.toUtf8()); !problem.isEmpty()) {
        m_notice->showError(tr("%1 could not be written: %2").arg(QDir::toNativeSeparators(file), problem));
        return false;
    }
    m_watch->accept(file);
    m_editor->saved(file, text);
    m_notice->showNotice(tr("Saved %1.").arg(QDir::toNativeSeparators(file)));
    return true;
}

void MainWindow::revertWorkload()
{
    if (!m_editor->isModified()) {
        return;
    }
    auto* question = new QMessageBox(QMessageBox::Question, tr("Take back the changes"),
        tr("Take back all changes to %1?").arg(QFileInfo(m_editor->file()).fileName()), QMessageBox::Cancel, this);
    question->setObjectName(QStringLiteral("revertQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* yes = question->addButton(tr("Take back"), QMessageBox::AcceptRole);
    connect(yes, &QPushButton::clicked, this, [this, file = m_editor->file()] {
        m_editor->revert();
        restoreListed(file);
        knobTurned();
    });
    question->open();
}

void MainWindow::forgetWorkload()
{
    if (const auto workload = m_workloads->selected()) {
        m_workloads->removeWorkload(QString::fromStdString(workload->file));
    }
}

/// Before the window closes: whether it may. Where texts are changed and not saved it asks, and closes later.
bool MainWindow::mayClose()
{
    if (m_editor->drafts().isEmpty()) {
        return true;
    }
    QStringList names;
    for (const QString& file : m_editor->drafts().keys()) {
        names += QFileInfo(file).fileName();
    }
    auto* question = new QMessageBox(QMessageBox::Warning, tr("Changes are not saved"),
        tr("Not saved: %1.").arg(names.join(QStringLiteral(", "))), QMessageBox::Cancel, this);
    question->setObjectName(QStringLiteral("unsavedQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(tr("What came with Lanescope is saved as a file of your own."));
    QPushButton* discard = question->addButton(tr("Discard"), QMessageBox::DestructiveRole);
    QPushButton* save = question->addButton(tr("Save"), QMessageBox::AcceptRole);
    question->setDefaultButton(save);
    connect(discard, &QPushButton::clicked, this, [this] {
        m_editor->setDrafts({});
        close();
    });
    connect(save, &QPushButton::clicked, this, [this] {
        const QMap<QString, QString> drafts = m_editor->drafts();
        for (auto draft = drafts.begin(); draft != drafts.end(); ++draft) {
            if (!isShipped(draft.key())) {
                writeWorkload(draft.key(), draft.value());
            }
        }
        if (m_editor->drafts().isEmpty()) {
            close();
            return;
        }
        m_workloads->select(m_editor->drafts().firstKey());  // one that needs a name
        m_editor->QWidget::show();
        presentSource();
        saveWorkloadAs();
    });
    question->open();
    return false;
}

/// A run in another process needs a file: that of a text that is not saved is written beside what runs wrote.
QString MainWindow::fileToRun(const Workload& workload)
{
    const QString file = QString::fromStdString(workload.file);
    const QString source = QString::fromStdString(workload.source);
    if (textOf(file) == source) {
        return file;
    }
    const QString folder = m_runs.filePath(QStringLiteral("text-%1").arg(++m_runNumber));
    const QString copy = folder + QLatin1Char('/') + QString::fromStdString(workload.name) + QStringLiteral(".yaml");
    QDir().mkpath(folder);
    if (const QString problem = saveWhole(copy, source.toUtf8()); !problem.isEmpty()) {
        m_notice->showError(tr("%1 could not be written: %2").arg(QDir::toNativeSeparators(copy), problem));
        return file;
    }
    return copy;
}

}  // namespace lanes::gui

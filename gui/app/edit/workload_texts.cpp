// SPDX-License-Identifier: MIT
#include "gui/app/edit/workload_texts.h"

#include "engine/store/kept_trace.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/resources.h"
#include "gui/app/edit/workload_file.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/frame/resource_folder.h"
#include "gui/app/open/files.h"
#include "gui/panels/editor/workload_editor.h"
#include "gui/panels/editor/yaml_edit.h"
#include "gui/session/problem_text.h"

#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace lanes::gui {

namespace {

WorkloadList::Origin originOf(const QString& file)
{
    return isShipped(file) ? WorkloadList::Origin::catalogue : WorkloadList::Origin::own;
}

/// A workload of the catalogue. It is kept for the program's next window, such as one in another language: to read all
/// of them takes a tenth of the time in which a window opens.
std::shared_ptr<const Workload> listed(const std::string& file)
{
    struct Read {
        std::optional<FileStamp> stamp;
        std::shared_ptr<const Workload> workload;
    };
    static std::map<std::string, Read> read;
    Read& known = read[file];
    if (const auto stamp = stamp_of(file); !stamp || stamp != known.stamp || !known.workload) {
        known = {stamp, std::make_shared<const Workload>(find_workload(file))};
    }
    return known.workload;
}

}  // namespace

WorkloadTexts::WorkloadTexts(WorkloadList* workloads, WorkloadEditor* editor, NoticeBar* notice, QWidget* window)
    : QObject(window)
    , m_workloads(workloads)
    , m_editor(editor)
    , m_notice(notice)
    , m_window(window)
{
    connect(workloads, &WorkloadList::workloadSelected, this, [this] {
        present();
        watch();
    });
    connect(editor, &WorkloadEditor::workloadEdited, this, &WorkloadTexts::take);
    connect(editor, &WorkloadEditor::modifiedChanged, this, [this](const QString& file, bool modified) {
        m_workloads->setModified(file, modified);
        emit changed();
    });
    connect(editor, &WorkloadEditor::problemChanged, this, &WorkloadTexts::changed);
    connect(editor, &WorkloadEditor::saveWanted, this, &WorkloadTexts::save);
    connect(editor, &WorkloadEditor::saveAsWanted, this, &WorkloadTexts::saveAs);
    connect(editor, &WorkloadEditor::revertWanted, this, &WorkloadTexts::revert);
    connect(editor, &WorkloadEditor::closeWanted, this, [this] {
        m_editor->hide();
        emit lanesWanted();
        emit changed();
    });
    connect(&m_watch, &FileWatch::changed, this, &WorkloadTexts::changedOnDisk);
    connect(&m_watch, &FileWatch::vanished, this, [this](const QString& file) {
        m_notice->showNotice(
            tr("%1 was deleted or moved. Its text stays here and can be saved.").arg(QFileInfo(file).fileName()));
    });
}

void WorkloadTexts::addCommands(CommandTable& table)
{
    const auto shown = [this] { return !m_editor->file().isEmpty() && !m_editor->isHidden(); };
    const auto modified = [this, shown] { return shown() && m_editor->isModified(); };
    table.add({"run.edit", tr("&Edit the workload"),
        tr("Shows the workload's text, with errors at their line; correct text can run at once"), Menu::run,
        "Ctrl+Shift+Y", [this] { return m_workloads->selected() || !m_editor->isHidden(); }, [this] { toggleEditor(); },
        [this] { return !m_editor->isHidden(); }, true});
    table.add({"run.save", tr("&Save the workload"),
        tr("Writes the workload's text to its file, or to a new file if it came with Lanescope"), Menu::run,
        "Ctrl+Alt+S", modified, [this] { save(); }});
    table.add({"run.save-as", tr("Save the workload &as…"), tr("Writes the workload's text to a new file"), Menu::run,
        "Ctrl+Alt+Shift+S", shown, [this] { saveAs(); }});
    table.add({"run.revert", tr("Undo &the changes…"), tr("Restores the workload's text from its file; asks first"),
        Menu::run, "", modified, [this] { revert(); }});
    table.add({"run.forget", tr("Rem&ove from the list"),
        tr("Removes your own workload from the list; its file is kept"), Menu::run, "",
        [this, modified] {
            const auto chosen = m_workloads->selected();
            return chosen && m_workloads->isOwn(QString::fromStdString(chosen->file)) && !modified();
        },
        [this] { forget(); }});
}

void WorkloadTexts::loadCatalogue()
{
    std::vector<std::string> names;
    try {
        names = catalogue_names();
    } catch (const std::exception& error) {
        m_notice->showError(QString::fromUtf8(error.what()));
    }
    for (const std::string& name : names) {
        try {
            m_workloads->addWorkload(listed((resource("workloads") / (name + ".yaml")).string()));
        } catch (const std::exception& error) {
            m_notice->showError(QString::fromUtf8(error.what()));  // the others are still of use
        }
    }
    emit listChanged();
}

void WorkloadTexts::restore(const QSettings& settings)
{
    for (const QString& file : settings.value(QStringLiteral("ownWorkloads")).toStringList()) {
        try {
            m_workloads->addWorkload(
                std::make_shared<const Workload>(load_workload(file.toStdString())), WorkloadList::Origin::own);
        } catch (const std::exception&) {
            // gone or broken since then; opening it again says what is wrong
        }
    }
    const QVariantMap kept = settings.value(QStringLiteral("drafts")).toMap();
    QMap<QString, QString> drafts;
    QStringList names;
    for (auto draft = kept.begin(); draft != kept.end(); ++draft) {
        drafts[draft.key()] = draft.value().toString();
        names += QFileInfo(draft.key()).fileName();
    }
    takeDrafts(drafts);
    if (!drafts.isEmpty()) {
        m_notice->showNotice(
            tr("Not saved when Lanescope was ended, and here again: %1.").arg(names.join(QStringLiteral(", "))));
    }
}

void WorkloadTexts::remember(QSettings& settings) const
{
    settings.setValue(QStringLiteral("ownWorkloads"), m_workloads->ownFiles());
    QVariantMap drafts;
    for (auto draft = m_editor->drafts().begin(); draft != m_editor->drafts().end(); ++draft) {
        drafts[draft.key()] = draft.value();
    }
    settings.setValue(QStringLiteral("drafts"), drafts);
}

void WorkloadTexts::open(const QString& path)
{
    const QString file = QFileInfo(path).absoluteFilePath();
    try {
        auto workload = std::make_shared<const Workload>(load_workload(file.toStdString()));
        m_workloads->addWorkload(workload, originOf(file));
        m_workloads->select(file);
        emit listChanged();
    } catch (const std::exception& error) {
        m_notice->showError(openingProblem(error, file).replace(file, QFileInfo(file).fileName()));
        if (const auto text = workloadText(file)) {
            m_editor->open(file, *text, !isShipped(file));
            m_editor->QWidget::show();
            watch();
            emit changed();
        }
    }
}

QString WorkloadTexts::problemOf(const std::string& file) const
{
    return m_editor->file().toStdString() == file ? m_editor->placedProblem() : QString();
}

void WorkloadTexts::settle()
{
    m_editor->settle();
}

void WorkloadTexts::takeDrafts(const QMap<QString, QString>& drafts)
{
    m_editor->setDrafts(drafts);
    for (auto draft = m_editor->drafts().begin(); draft != m_editor->drafts().end(); ++draft) {
        const SourceState state = stateOf(draft.value(), draft.key());
        if (state.workload && state.problem.isEmpty()) {
            m_workloads->addWorkload(state.workload, originOf(draft.key()));
        }
        m_workloads->setModified(draft.key(), true);
    }
}

void WorkloadTexts::continueFrom(const WorkloadTexts& other)
{
    takeDrafts(other.m_editor->drafts());
    m_editor->setVisible(!other.m_editor->isHidden());
    present();
}

// ---- the editor

/// The editor shows the chosen workload where it is seen, or knows of another text of it than what would run.
void WorkloadTexts::present()
{
    const auto workload = m_workloads->selected();
    if (!workload) {
        return;
    }
    const QString file = QString::fromStdString(workload->file);
    if (m_editor->isHidden() && !m_editor->drafts().contains(file)
        && (m_editor->file() != file || m_editor->problem().isEmpty())) {
        return;
    }
    m_editor->open(file, workloadText(file).value_or(QString::fromStdString(workload->source)), !isShipped(file));
    watch();
}

void WorkloadTexts::toggleEditor()
{
    m_editor->setVisible(m_editor->isHidden());
    if (m_editor->isHidden()) {
        emit lanesWanted();
        return;
    }
    present();
    m_editor->edit()->setFocus(Qt::ShortcutFocusReason);
}

/// What the editor holds is right and another workload than before.
void WorkloadTexts::take(const std::shared_ptr<const Workload>& workload)
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
    emit edited();
}

/// In the list, too, a workload is what its file says again.
void WorkloadTexts::restoreListed(const QString& file)
{
    try {
        m_workloads->addWorkload(std::make_shared<const Workload>(load_workload(file.toStdString())), originOf(file));
    } catch (const std::exception&) {
        // its file is gone or wrong: the editor shows what is wrong
    }
}

// ---- saving

void WorkloadTexts::save()
{
    if (m_editor->isOwn()) {
        write(m_editor->file(), m_editor->text());
    } else {
        saveAs();
    }
}

void WorkloadTexts::saveAs()
{
    if (m_editor->file().isEmpty()) {
        return;
    }
    auto* chooser = new QFileDialog(m_window, tr("Save the workload"), {}, tr("Workload (*.yaml)"));
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->setDefaultSuffix(QStringLiteral("yaml"));
    const QFileInfo from(m_editor->file());
    const bool own = !isShipped(m_editor->file());
    chooser->setDirectory(
        own ? from.absolutePath() : QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    chooser->selectFile(own ? tr("%1-copy.yaml").arg(from.completeBaseName()) : from.fileName());
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const QString before = m_editor->file();
        const QString file = QFileInfo(path).absoluteFilePath();
        if (write(file, m_editor->text()) && file != before) {
            if (m_editor->isModified()) {  // the changes are in the new file
                m_editor->revert();
                restoreListed(before);
            }
            open(file);
        }
    });
    showChooser(chooser);
}

bool WorkloadTexts::write(const QString& file, const QString& text)
{
    if (const QString problem = writeWorkload(file, text); !problem.isEmpty()) {
        m_notice->showError(problem);
        return false;
    }
    m_watch.accept(file);
    m_editor->saved(file, text);
    m_notice->showSaved(file);
    return true;
}

void WorkloadTexts::revert()
{
    if (!m_editor->isModified()) {
        return;
    }
    auto* question = new QMessageBox(QMessageBox::Question, tr("Undo the changes"),
        tr("Undo all changes to %1?").arg(QFileInfo(m_editor->file()).fileName()), QMessageBox::Cancel, m_window);
    question->setObjectName(QStringLiteral("revertQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* yes = question->addButton(tr("Undo"), QMessageBox::AcceptRole);
    connect(yes, &QPushButton::clicked, this, [this, file = m_editor->file()] {
        m_editor->revert();
        restoreListed(file);
        emit edited();
    });
    question->open();
}

void WorkloadTexts::forget()
{
    if (const auto workload = m_workloads->selected()) {
        m_workloads->removeWorkload(QString::fromStdString(workload->file));
    }
}

bool WorkloadTexts::mayClose()
{
    if (m_editor->drafts().isEmpty()) {
        return true;
    }
    QStringList names;
    for (const QString& file : m_editor->drafts().keys()) {
        names += QFileInfo(file).fileName();
    }
    auto* question = new QMessageBox(QMessageBox::Warning, tr("Changes are not saved"),
        tr("Not saved: %1.").arg(names.join(QStringLiteral(", "))), QMessageBox::Cancel, m_window);
    question->setObjectName(QStringLiteral("unsavedQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(tr("A workload that came with Lanescope is saved as a new file."));
    QPushButton* discard = question->addButton(tr("Discard"), QMessageBox::DestructiveRole);
    QPushButton* save = question->addButton(tr("Save"), QMessageBox::AcceptRole);
    question->setDefaultButton(save);
    connect(discard, &QPushButton::clicked, this, [this] {
        m_editor->setDrafts({});
        emit closeWanted();
    });
    connect(save, &QPushButton::clicked, this, &WorkloadTexts::saveAll);
    question->open();
    return false;
}

/// Then closes, unless one of them needs a name.
void WorkloadTexts::saveAll()
{
    const QMap<QString, QString> drafts = m_editor->drafts();
    for (auto draft = drafts.begin(); draft != drafts.end(); ++draft) {
        if (!isShipped(draft.key())) {
            write(draft.key(), draft.value());
        }
    }
    if (m_editor->drafts().isEmpty()) {
        emit closeWanted();
        return;
    }
    m_workloads->select(m_editor->drafts().firstKey());
    m_editor->QWidget::show();
    present();
    saveAs();
}

// ---- changes by other programs

/// Watches a user's own texts that are chosen or in the editor.
void WorkloadTexts::watch()
{
    QStringList files;
    if (const auto chosen = m_workloads->selected()) {
        files += QString::fromStdString(chosen->file);
    }
    files += m_editor->file();
    files.removeDuplicates();
    files.removeIf([](const QString& file) { return file.isEmpty() || isShipped(file); });
    m_watch.watch(files);
}

/// What is shown stays until a user wants the other text, and then differs from its file.
void WorkloadTexts::changedOnDisk(const QString& file)
{
    const auto text = workloadText(file);
    if (!text) {
        return;
    }
    const bool edited = m_editor->file() == file && !m_editor->isHidden();
    if (edited && m_editor->drafts().contains(file)) {
        m_editor->changedOnDisk(*text);
        if (m_editor->isModified()) {
            m_notice->showOffer(
                tr("%1 was changed by another program, and also here. Your changes are kept unless you reload.")
                    .arg(QFileInfo(file).fileName()),
                tr("Reload"), [this, file] { reload(file); });
        }
        return;
    }
    const auto chosen = m_workloads->selected();
    if (chosen && chosen->file == file.toStdString() && QString::fromStdString(chosen->source) == *text) {
        return;  // rewritten with the same text
    }
    if (edited) {
        m_editor->changedOnDisk(*text);
    }
    m_notice->showOffer(tr("%1 was changed by another program. The window still shows the content it had when opened.")
                            .arg(QFileInfo(file).fileName()),
        tr("Reload"), [this, file] { reload(file); });
}

void WorkloadTexts::reload(const QString& file)
{
    m_watch.accept(file);
    if (m_editor->file() == file && m_editor->isModified()) {
        m_editor->revert();
    }
    open(file);
    present();
    emit edited();
}

}  // namespace lanes::gui

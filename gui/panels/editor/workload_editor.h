// SPDX-License-Identifier: MIT
// The text of the chosen workload, to be changed in place. What is right is said at
// once (workloadEdited) and can run without being saved; what is wrong is written at its
// line. Changes that are not saved are kept for every file until they are saved or
// taken back, also while other workloads are shown.
//
// It writes no files: the caller that does calls saved().
#pragma once

#include "gui/panels/editor/source_check.h"

#include <QMap>
#include <QWidget>

class QLabel;
class QPushButton;

namespace lanes::gui {

class YamlEdit;

class WorkloadEditor : public QWidget {
    Q_OBJECT
public:
    explicit WorkloadEditor(QWidget* parent = nullptr);

    /// Shows a file's text, or what it was changed to. `saved` is what lies on disk; `own`: it may be written over.
    void open(const QString& file, const QString& saved, bool own);
    const QString& file() const { return m_file; }
    QString text() const;
    bool isOwn() const { return m_own; }
    bool isModified() const { return m_drafts.contains(m_file); }
    /// What is wrong with what is shown; "": nothing, as far as is known.
    const QString& problem() const { return m_state.problem; }
    /// Takes what was typed last: problem() is about it, and what is right was said. Cost: of one check.
    void settle() { m_check->settle(); }
    /// What is wrong, with file, line and column.
    QString placedProblem() const;

    /// Changed and not saved: file -> text.
    const QMap<QString, QString>& drafts() const { return m_drafts; }
    void setDrafts(const QMap<QString, QString>& drafts) { m_drafts = drafts; }
    /// The file now holds this text.
    void saved(const QString& file, const QString& text);
    /// The file that is shown now holds this text: what is shown is marked as modified if it differs.
    void changedOnDisk(const QString& text);
    /// Shows what lies on disk again.
    void revert();

    YamlEdit* edit() const { return m_edit; }

signals:
    /// What is shown is right, and another workload than before; its file is file().
    void workloadEdited(const std::shared_ptr<const lanes::Workload>& workload);
    void problemChanged();
    void modifiedChanged(const QString& file, bool modified);
    void saveWanted();
    void saveAsWanted();
    void revertWanted();
    void closeWanted();

private:
    void textChanged();
    void take(const SourceState& state);
    void refresh();

    QLabel* m_name;
    QLabel* m_note;
    QPushButton* m_save;
    QPushButton* m_saveAs;
    QPushButton* m_revert;
    QLabel* m_problem;
    QPushButton* m_goTo;
    YamlEdit* m_edit;
    SourceCheck* m_check;
    SourceState m_state;
    QString m_file, m_saved;
    bool m_own = false;
    bool m_showing = false;  // the text changes, but not by a user
    bool m_opened = false;  // what is wrong with it is yet to be found, and then to be seen
    QMap<QString, QString> m_drafts;
};

}  // namespace lanes::gui

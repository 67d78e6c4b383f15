// SPDX-License-Identifier: MIT
// Which program is recorded, where it runs, and which part of it: the words of `lanes record`, each with its own
// problem under it, and the command that it comes to.
#pragma once

#include "gui/app/record/record_settings.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace lanes::gui {

class RecordDialog : public QDialog {
    Q_OBJECT
public:
    /// `warning` is said above the fields; "": there is none.
    RecordDialog(const RecordSettings& settings, const QString& warning, QWidget* parent = nullptr);

    RecordSettings settings() const;

signals:
    void startWanted(const lanes::gui::RecordSettings& settings);

private:
    void build();
    void addProgram(QVBoxLayout* layout);
    void addEnvironment(QVBoxLayout* layout);
    void addChecks(QVBoxLayout* layout);
    void addPart(QVBoxLayout* layout);
    void addLimits(QVBoxLayout* layout);
    void addButtons(QVBoxLayout* layout);
    void fill(const RecordSettings& settings);
    void check();
    void chooseFolder();
    void choosePart();
    QLineEdit* addLine(
        QVBoxLayout* layout, const char* name, const QString& label, RecordField field, QWidget* beside = nullptr);
    QLabel* addProblem(QVBoxLayout* layout, RecordField field);

    QString m_warning;
    QLineEdit *m_command, *m_folder, *m_delay, *m_duration, *m_maxSize, *m_partWords;
    QPlainTextEdit* m_environment;
    QCheckBox *m_pytorch, *m_stacks, *m_wholeGraphs, *m_allApi;
    QComboBox* m_part;
    QLabel* m_words;
    QPushButton* m_start;
    std::array<QLabel*, record_fields> m_problems {};
    QString m_range, m_steps;  // what was typed for the other parts stays
};

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
// The column on the left: the workloads, the form of the chosen one, and its calls in real code.
#pragma once

#include <QSplitter>

class QLabel;

namespace lanes::gui {

class CodePanel;
class ParameterForm;
class WorkloadList;

class SideColumn : public QSplitter {
    Q_OBJECT
public:
    explicit SideColumn(QWidget* parent = nullptr);

    WorkloadList* workloads() const { return m_workloads; }
    ParameterForm* form() const { return m_form; }
    CodePanel* code() const { return m_code; }

    /// Under the form: that the lanes show this and not what the form says; "": they show it.
    /// `lesson`: there is a lesson of what is chosen, to be opened from here.
    void sayNotRun(const QString& shownInstead, bool lesson);
    /// There: why what is chosen cannot run, which its text says that is not shown.
    void sayWrong(const QString& problem);
    /// Without it, parameters and code have its room: where cards of all workloads are beside it.
    void setListShown(bool shown);
    /// The sections as they were, else as high as a window of that height has room for.
    void restoreDivisions(const QByteArray& state, int height);

signals:
    void lessonWanted();  ///< of the chosen workload
    void textWanted();

private:
    WorkloadList* m_workloads;
    ParameterForm* m_form;
    CodePanel* m_code;
    QLabel* m_notRun;
};

}  // namespace lanes::gui

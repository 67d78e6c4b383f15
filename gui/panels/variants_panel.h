// SPDX-License-Identifier: MIT
// All variants of a workload beside one another: how long each took, how much of it the GPU was busy, what overlapped,
// what was hidden, how long the thread was held. All bars are on one time scale, that of the longest total, so that a
// bar of one column can be held against one of another. Where several runs of a variant took different times, the
// total's bar says from where to where.
//
// A click puts a row's recording above (A); a click on its B, or with Ctrl, below (B). Return and Ctrl+Return do the
// same from the keyboard. A row without a recording cannot be chosen.
#pragma once

#include "gui/session/open_recording.h"

#include <QWidget>

#include <array>

class QLabel;
class QTreeWidget;

namespace lanes::gui {

/// The outcome of one variant.
struct VariantOutcome {
    enum class State { none, waiting, running, done, failed };
    std::string variant;
    State state = State::none;
    QString error;  ///< one line, of one that failed
    OpenRecordingPtr recording;  ///< of one that failed: what was recorded up to then, or null
};

/// Whether it is what is shown: the same run, read or named anew perhaps.
bool isSameRun(const OpenRecordingPtr& outcome, const OpenRecordingPtr& shown);
class Workspace;

class VariantsPanel : public QWidget {
    Q_OBJECT
public:
    /// `command` is put at the end of the heading: what fills the table.
    explicit VariantsPanel(QWidget* command, QWidget* parent = nullptr);
    /// Marks which of them are open.
    void observe(Workspace* workspace);

    /// Null: says what would be here. `caption`: what the figures are of.
    void present(const std::shared_ptr<const Workload>& workload, const std::vector<VariantOutcome>& outcomes,
        const QString& caption);
    /// Of what runs now, in [0, 1].
    void setProgress(double fraction);
    /// What is A and what is B.
    void setShown(const std::array<OpenRecordingPtr, 2>& shown);

    QTreeWidget* table() const { return m_table; }
    QString caption() const;
    /// As high as all rows need.
    QSize sizeHint() const override;
    /// The figures as they are shown, "–" where there is none; for tests and for readers of screens.
    QStringList figures(int row) const;

signals:
    void chosen(int row, int side);
    /// It is seen: now it is worth filling.
    void shown();

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addRow(const Workload& workload, const VariantOutcome& outcome, Ns longest);
    void mark();
    void choose(int row, int side);

    std::vector<VariantOutcome> m_outcomes;
    std::array<OpenRecordingPtr, 2> m_shown;
    QLabel* m_title;
    QLabel* m_caption;
    QTreeWidget* m_table;
};

}  // namespace lanes::gui

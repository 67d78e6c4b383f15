// SPDX-License-Identifier: MIT
// What is to run: one variant (A) or two (A and B), and their parameters. A
// parameter that the chosen variants set has a field for each of them, side by
// side, so that what differs is seen at a glance; all others have one field for both.
//
// A setting is only what differs from the variant's own value, so that
// `lanes run --set` with it says exactly what was changed by hand.
#pragma once

#include "gui/panels/editor/workload_check.h"

#include <QWidget>

#include <map>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace lanes::gui {

class ParameterField;

class ParameterForm : public QWidget {
    Q_OBJECT
public:
    explicit ParameterForm(QWidget* parent = nullptr);

    /// Which variants of a workload are A and B where nothing else was chosen; else its first and its last.
    using PairOf = std::vector<std::string> (*)(const Workload&);
    void setPairOf(PairOf pairOf) { m_pairOf = pairOf; }
    /// Shows the workload with its first and last variant chosen; nullptr empties the form. One of the same file as
    /// before keeps what was chosen and set, as far as it is known there.
    void setWorkload(std::shared_ptr<const Workload> workload);
    const std::shared_ptr<const Workload>& workload() const { return m_workload; }

    /// One or two runs: A, then B if a second variant is chosen.
    std::vector<VariantSettings> runs() const;
    /// Takes what an earlier runs() gave; unknown variants and parameters are left out.
    void setRuns(const std::vector<VariantSettings>& runs);

    /// "" or the first thing that keeps it from running.
    QString problem() const { return m_problem; }
    /// A field holds what is no value of it; known at once, where problem() is known a moment later.
    bool fieldsProblem() const;
    /// A slider is being dragged: more changes will come, then released().
    bool isHeld() const;

signals:
    void changed();  ///< runs() gives something else
    void edited();  ///< so it does, by a user's hand
    void released();  ///< the slider that was dragged
    void problemChanged();

private:
    struct Row {
        const Parameter* parameter;
        ParameterField* fields[2] = {};  ///< the second is null where both sides share one
        QPushButton* reset = nullptr;
    };
    void buildFields();
    void fieldEdited(int side, const Parameter& parameter);
    void reset(const Parameter& parameter);
    void showResets();
    void check();
    void setProblem(const QString& problem);
    bool two() const;
    const Variant* variant(int side) const;
    QString ownValue(int side, const Parameter& parameter) const;

    PairOf m_pairOf = nullptr;
    std::shared_ptr<const Workload> m_workload;
    Settings m_settings[2];
    QComboBox* m_variants[2];
    QLabel* m_variantLabels[2];
    QGridLayout* m_grid;
    QWidget* m_fields = nullptr;
    std::vector<Row> m_rows;
    QPushButton* m_reset;
    QLabel* m_problemLabel;
    QString m_problem;
    WorkloadCheck* m_check;
};

}  // namespace lanes::gui

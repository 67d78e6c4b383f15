// SPDX-License-Identifier: MIT
// What took the time, by name, under the timeline: of all, or of the workspace's scope and of what the filter of the
// lanes lets through; it says which. A row marks its events in the lanes; Enter and Shift+Enter go from one to
// the next, a double click on "Longest" to the longest. Beside it are the durations of the chosen name.
#pragma once

#include "gui/panels/summary/duration_bins.h"
#include "gui/panels/summary/summary_rows.h"
#include "gui/panels/summary/summary_scope.h"
#include "gui/timeline/question.h"

#include <map>
#include <QWidget>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace lanes::gui {

class DurationHistogram;
class HitSteps;
struct NamedRow;
class SummaryModel;
class Workspace;

class SummaryPanel : public QWidget {
    Q_OBJECT
public:
    explicit SummaryPanel(QWidget* parent = nullptr);
    /// Follows what is open, the scope and what is filtered, and marks there what the user chooses.
    void observe(Workspace* workspace);

    SummaryModel* model() const { return m_model; }
    QTableView* table() const { return m_table; }
    DurationHistogram* histogram() const { return m_histogram; }
    /// "In the selection, 3.00 ms · names: 12".
    QString scopeText() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildChoices();
    void buildTable();
    QVariant swatchOf(const NamedRow& row) const;
    void connectParts();
    void chooseTable();
    void refill();
    void tableRefilled();
    void fitColumns();
    void fitNames();
    void showWhatFits();
    int endOfFigure(int column) const;
    void offerColumns(QPoint at);
    void choose(int row);
    void mark(Ns least, Ns most);
    void drawDurations();
    void placeDurations();
    void jump(const QModelIndex& index);
    void sayScope();

    Workspace* m_workspace = nullptr;
    int m_asked = 0;  // the table that the user chose last
    bool m_following = false;
    std::vector<int> m_widths;  ///< that columns need, logical pixels
    std::map<SummaryFigure, bool> m_wanted;  ///< which figures the user asked for, or does not want
    int m_namesNeed = 0;  // logical pixels, for the longest of the names that were looked at
    std::string m_chosen;  // the name of the chosen row; "" with m_any false: none
    bool m_any = false;
    bool m_hasDurations = false;
    Question<DurationBins> m_durations;
    SummaryModel* m_model;
    QComboBox* m_by;
    QLineEdit* m_text;
    QLabel* m_scope;
    HitSteps* m_steps;
    QTableView* m_table;
    DurationHistogram* m_histogram;
};

}  // namespace lanes::gui

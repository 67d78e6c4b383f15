// SPDX-License-Identifier: MIT
// What would be won: how well the recording replays unchanged, then each change that applies with the total that it
// would give, the gain, the interval and how far that can be relied on; boxes combine changes. Beside them, of the one
// that was chosen last: what is taken for granted, to be confirmed or lifted. What the changes are limited to is chosen
// above them. Where nothing is predicted, why.
#pragma once

#include "gui/session/what_ifs.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace lanes::gui {

class WhatIfAmounts;
class WhatIfAssumptions;
struct WhatIfScope;

class WhatIfPanel : public QWidget {
    Q_OBJECT
public:
    /// `show` is a button under what was chosen: it shows the predicted run.
    explicit WhatIfPanel(QWidget* show, QWidget* parent = nullptr);
    ~WhatIfPanel() override;
    void observe(WhatIfs* whatIfs);

    QTreeWidget* table() const { return m_table; }
    /// What was chosen last: what is ticked, or the changes of a row; empty: nothing.
    Changes chosen() const;
    /// Of chosen(); null: nothing is known of it yet.
    const replay::Prediction* chosenPrediction() const;
    /// What the real run of the same took, and what a click does about it; "": nothing is known, or there is nothing
    /// to do.
    void setMeasured(const QString& said, const QString& offer);
    /// Limits the changes to what a query matches; `title` is what the list of scopes calls it.
    void limitTo(const QString& query, const QString& title);
    /// All that it says, the table as tab-separated lines.
    QString asText() const;

signals:
    void chosenChanged();
    void showWanted();  ///< the run of what was chosen
    void measuredWanted();  ///< the real run of the same

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeState();
    QWidget* makeAside(QWidget* show);
    void connectParts();
    void refill();
    bool isOpen() const;
    void sayHead();
    void sayState();
    void fillScopes();
    void fillTable();
    void fillTogether();
    void hideSmall();
    void tick(QTreeWidgetItem* item);
    void sayChosen();
    QTreeWidgetItem* tickedRow() const;
    int rowToChoose() const;

    WhatIfs* m_whatIfs = nullptr;
    std::shared_ptr<const PricedChanges> m_shown;
    bool m_isFilling = false, m_isTickedChosen = false;
    bool m_hasLentFocus = false;  // the table its own, while something is priced
    QStackedWidget* m_stack;
    QLabel* m_state;
    QProgressBar* m_progress;
    QPushButton* m_stop;
    QPushButton* m_small;  // shows the rows that gain next to nothing
    QLabel* m_gate;
    QComboBox* m_scope;
    std::vector<WhatIfScope> m_scopes;
    QString m_limitedTo;  // what a scope is called that is no entry yet
    QTreeWidget* m_table;
    QWidget* m_aside;
    QLabel* m_title;
    QLabel* m_sentence;
    WhatIfAmounts* m_amounts;
    QLabel* m_warning;
    WhatIfAssumptions* m_assumed;
    Changes m_assumedOf;  // whose they are
    Changes m_byHand;  // what the user chose last in the table, and in which recording
    std::weak_ptr<const Trace> m_byHandOf;
    QLabel* m_measured;
    QPushButton* m_toMeasured;
};

}  // namespace lanes::gui

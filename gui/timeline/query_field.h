// SPDX-License-Identifier: MIT
// A line for a query (engine/analysis/query/query.h): completes keys and kinds while one types, and underlines errors.
//
// While it has the focus, Enter, Shift+Enter and Escape act on the field and trigger no command of the window.
#pragma once

#include "gui/timeline/lane_search.h"

#include <QLineEdit>

class QStandardItemModel;

namespace lanes::gui {

class QueryField : public QLineEdit {
    Q_OBJECT

public:
    explicit QueryField(QWidget* parent = nullptr);

    void setError(const SearchError& error);
    const SearchError& error() const { return m_error; }

signals:
    void nextWanted();  ///< Enter
    void previousWanted();  ///< Shift+Enter
    void leaveWanted();  ///< Escape

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void propose(bool all);

    QStandardItemModel* m_proposals;
    SearchError m_error;
};

}  // namespace lanes::gui

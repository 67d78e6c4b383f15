// SPDX-License-Identifier: MIT
// A line in which events are asked for (engine/analysis/query.h): proposes keys and kinds while one types, and
// underlines what is wrong.
//
// Enter, Shift+Enter and Escape are the field's own while it has the focus, whatever commands they are elsewhere.
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

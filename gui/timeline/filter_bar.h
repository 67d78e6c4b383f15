// SPDX-License-Identifier: MIT
// The slim bar over the timeline that says by what its events are filtered, and in
// which that is asked for. It stays in sight as long as there is a filter.
#pragma once

#include "gui/timeline/query_field.h"
#include "gui/timeline/query_status.h"

#include <QTimer>
#include <memory>

namespace lanes::gui {

class FilterBar : public QWidget {
    Q_OBJECT

public:
    explicit FilterBar(QWidget* parent = nullptr);

    /// Shows the bar and puts the keyboard into its field.
    void open();
    /// Without a filter, and away.
    void clear();
    QueryField* field() const { return m_field; }
    /// How many events the lanes show now.
    void setShown(std::size_t events);
    QString statusText() const;

signals:
    /// Null: everything is to be shown.
    void filterWanted(std::shared_ptr<const Query> filter);
    /// The keyboard may go back to the lanes.
    void left();

private:
    void apply();

    QueryField* m_field;
    QueryStatus* m_status;
    QTimer m_later;  // one filter after the last letter, not one a letter
};

}  // namespace lanes::gui

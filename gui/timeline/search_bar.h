// SPDX-License-Identifier: MIT
// The slim bar over the timeline for a search: the query, the number of hits, which of them is selected, and buttons
// for the previous and the next. It only signals; HitWalk selects.
#pragma once

#include "gui/timeline/hit_buttons.h"
#include "gui/timeline/query_field.h"
#include "gui/timeline/query_status.h"

#include <optional>

namespace lanes::gui {

class SearchBar : public QWidget {
    Q_OBJECT

public:
    explicit SearchBar(LaneSearch* search, QWidget* parent = nullptr);

    /// Shows the bar and puts the keyboard into its field.
    void open();
    void close();
    QueryField* field() const { return m_field; }
    /// Which hit is selected, counted from 0; nothing where none is.
    void setCurrent(std::optional<std::size_t> index);
    /// "17 of 230", or what is wrong.
    QString statusText() const;

signals:
    void nextWanted();
    void previousWanted();
    void closed();

private:
    void refresh();

    LaneSearch* m_search;
    QueryField* m_field;
    QueryStatus* m_status;
    HitButtons m_buttons;
    std::optional<std::size_t> m_current;
};

}  // namespace lanes::gui

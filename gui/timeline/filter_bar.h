// SPDX-License-Identifier: MIT
// The slim bar over the timeline: the query by which events are filtered is typed into it and shown in it. It is
// visible while there is a filter.
#pragma once

#include "gui/timeline/query_field.h"
#include "gui/timeline/query_status.h"

#include <memory>
#include <QTimer>
#include <string>

namespace lanes::gui {

class FilterBar : public QWidget {
    Q_OBJECT

public:
    explicit FilterBar(QWidget* parent = nullptr);

    /// Shows the bar and puts the keyboard into its field.
    void open();
    /// Shows only what the words let through, at once; the keyboard goes back to the lanes.
    void ask(const QString& words);
    /// Removes the filter and hides the bar.
    void clear();
    /// The lanes show what this lets through now, whoever asked for it.
    void follow(const std::string& filter);
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

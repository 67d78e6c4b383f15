// SPDX-License-Identifier: MIT
// A search through the open recordings: parses the query, searches on a worker thread and keeps the result.
//
// A new query cancels the one before it. The earlier result stays until the new one is complete, so that typing does
// not flicker. The calling thread never waits.
#pragma once

#include "engine/analysis/query/query_hits.h"
#include "gui/lanes/shown_recording.h"

#include <QObject>

namespace lanes::gui {

using QueryHitsPtr = std::shared_ptr<const QueryHits>;

/// What is wrong with a query.
struct SearchError {
    QString text;  ///< with its column, in the language of the window; empty: the query is right
    int at = 0, length = 0;  ///< in UTF-16 units of the query; no length: something is missing there
};

class LaneSearch : public QObject {
    Q_OBJECT

public:
    explicit LaneSearch(QObject* parent = nullptr);
    ~LaneSearch() override;

    /// A first. Asks the same query of them.
    void setRecordings(std::vector<RecordingPtr> recordings);
    /// An empty query finds nothing.
    void setQuery(const QString& text);
    const QString& query() const { return m_text; }

    const SearchError& error() const { return m_error; }
    bool busy() const { return m_stop != nullptr; }
    /// Of one recording; null where nothing was asked.
    QueryHitsPtr hits(std::size_t side) const { return side < m_hits.size() ? m_hits[side] : nullptr; }
    std::size_t count() const;

signals:
    void changed();

private:
    void start();
    void stop();

    std::vector<RecordingPtr> m_recordings;
    QString m_text;
    SearchError m_error;
    std::vector<QueryHitsPtr> m_hits;
    std::shared_ptr<std::stop_source> m_stop;  // of the search under way
};

/// Parses `text`; `error` says what is wrong, and the query is then empty.
Query parsedQuery(const QString& text, SearchError* error);

}  // namespace lanes::gui

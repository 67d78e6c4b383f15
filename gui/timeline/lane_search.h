// SPDX-License-Identifier: MIT
// A search through the open recordings: parses the query, searches on a worker thread and keeps the result.
//
// A new query cancels the one before it. The earlier result stays until the new one is complete, so that typing does
// not flicker. The calling thread never waits.
#pragma once

#include "engine/analysis/query_hits.h"
#include "gui/lanes/shown_recording.h"
#include "gui/timeline/question.h"

#include <QObject>

#include <array>
#include <functional>
#include <optional>

namespace lanes::gui {

using QueryHitsPtr = std::shared_ptr<const QueryHits>;

/// What is wrong with a query, or why there is no answer to it.
struct SearchError {
    QString text;  ///< with its column, in the language of the window; empty: nothing is wrong
    int at = 0, length = 0;  ///< in UTF-16 units of the query; no length: something is missing there
};

/// Events that a panel or a menu wants marked, which no query can express.
struct AskedHits {
    QString title;  ///< "matmul": what the hits are
    /// Makes the question of a side, on the worker thread; empty: nothing of that side is a hit.
    std::array<std::function<EventList::Wanted()>, 2> wanted;
    /// In the time of that side, what is brought into sight if a part of it is outside.
    std::optional<std::pair<int, Interval>> sight = {};
};

class LaneSearch : public QObject {
    Q_OBJECT

public:
    explicit LaneSearch(QObject* parent = nullptr);

    /// A first. Asks the same query of them.
    void setRecordings(std::vector<RecordingPtr> recordings);
    /// An empty query finds nothing.
    void setQuery(const QString& text);
    const QString& query() const { return m_text; }
    /// In place of a query, until the next one or until there are other recordings.
    void ask(AskedHits asked);
    /// The title given to ask(); empty: nothing, or a query.
    QString asked() const { return m_asked ? m_asked->title : QString(); }

    const SearchError& error() const { return m_error; }
    bool busy() const { return m_search.isPending(); }
    /// Of one recording; null where nothing was asked.
    QueryHitsPtr hits(std::size_t side) const { return side < m_hits.size() ? m_hits[side] : nullptr; }
    std::size_t count() const;

signals:
    void changed();

private:
    using Find = std::function<std::vector<QueryHitsPtr>(const std::stop_token&)>;
    void start();
    void find(Find find);

    std::vector<RecordingPtr> m_recordings;
    QString m_text;
    std::optional<AskedHits> m_asked;
    SearchError m_error;
    std::vector<QueryHitsPtr> m_hits;
    Question<std::vector<QueryHitsPtr>> m_search;
};

/// Parses `text`; `error` says what is wrong, and the query is then empty.
Query parsedQuery(const QString& text, SearchError* error);

}  // namespace lanes::gui

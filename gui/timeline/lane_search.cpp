// SPDX-License-Identifier: MIT
#include "gui/timeline/lane_search.h"

#include "gui/paint/words/engine_words.h"

#include <QFutureWatcher>
#include <QtConcurrentRun>

namespace lanes::gui {

LaneSearch::LaneSearch(QObject* parent)
    : QObject(parent)
{
}

LaneSearch::~LaneSearch()
{
    stop();
}

void LaneSearch::setRecordings(std::vector<RecordingPtr> recordings)
{
    m_recordings = std::move(recordings);
    m_hits.clear();
    start();
    emit changed();
}

void LaneSearch::setQuery(const QString& text)
{
    if (text == m_text) {
        return;
    }
    m_text = text;
    start();
    emit changed();
}

std::size_t LaneSearch::count() const
{
    std::size_t sum = 0;
    for (const QueryHitsPtr& hits : m_hits) {
        sum += hits->size();
    }
    return sum;
}

void LaneSearch::stop()
{
    if (m_stop) {
        m_stop->request_stop();
        m_stop.reset();
    }
}

void LaneSearch::start()
{
    stop();
    const Query query = parsedQuery(m_text, &m_error);
    if (query.empty() || m_recordings.empty()) {
        m_hits.clear();
        return;
    }
    m_stop = std::make_shared<std::stop_source>();
    auto* watcher = new QFutureWatcher<std::vector<QueryHitsPtr>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, mine = m_stop] {
        watcher->deleteLater();
        if (mine == m_stop) {
            m_hits = watcher->result();
            m_stop.reset();
            emit changed();
        }
    });
    watcher->setFuture(QtConcurrent::run([query, recordings = m_recordings, stop = m_stop->get_token()] {
        std::vector<QueryHitsPtr> hits;
        for (const RecordingPtr& recording : recordings) {
            hits.push_back(std::make_shared<const QueryHits>(recording, query, stop));
        }
        return hits;
    }));
}

Query parsedQuery(const QString& text, SearchError* error)
{
    const std::string utf8 = text.toStdString();
    *error = {};
    try {
        return Query::parse(utf8);
    } catch (const QueryError& wrong) {
        const auto units = [&](std::size_t bytes) {
            return static_cast<int>(QString::fromUtf8(utf8.data(), static_cast<qsizetype>(bytes)).size());
        };
        error->at = units(wrong.offset());
        error->length = units(wrong.offset() + wrong.length()) - error->at;
        error->text = LaneSearch::tr("Column %1: %2")
                          .arg(wrong.column())
                          .arg(QString::fromStdString(engineMessages().format(wrong.message())));
        return {};
    }
}

}  // namespace lanes::gui

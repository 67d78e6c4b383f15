// SPDX-License-Identifier: MIT
#include "gui/timeline/lane_search.h"

#include <QFutureWatcher>
#include <QLocale>
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
    if (m_cancel) {
        *m_cancel = true;
        m_cancel.reset();
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
    m_cancel = std::make_shared<std::atomic<bool>>(false);
    auto* watcher = new QFutureWatcher<std::vector<QueryHitsPtr>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, mine = m_cancel] {
        watcher->deleteLater();
        if (mine == m_cancel) {
            m_hits = watcher->result();
            m_cancel.reset();
            emit changed();
        }
    });
    watcher->setFuture(QtConcurrent::run([query, recordings = m_recordings, cancel = m_cancel] {
        std::vector<QueryHitsPtr> hits;
        for (const RecordingPtr& recording : recordings) {
            hits.push_back(std::make_shared<const QueryHits>(recording, query, *cancel));
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
        error->text
            = LaneSearch::tr("Column %1: %2")
                  .arg(wrong.column())
                  .arg(QString::fromStdString(Messages::of(Messages::language_of_locale(QLocale().name().toStdString()))
                                                  .format(wrong.message())));
        return {};
    }
}

}  // namespace lanes::gui

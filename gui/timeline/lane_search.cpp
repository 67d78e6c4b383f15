// SPDX-License-Identifier: MIT
#include "gui/timeline/lane_search.h"

#include "gui/paint/words/engine_words.h"

namespace lanes::gui {

LaneSearch::LaneSearch(QObject* parent)
    : QObject(parent)
{
}

void LaneSearch::setRecordings(std::vector<RecordingPtr> recordings)
{
    m_recordings = std::move(recordings);
    m_asked.reset();
    m_hits.clear();
    start();
    emit changed();
}

void LaneSearch::setQuery(const QString& text)
{
    if (text == m_text && !m_asked) {
        return;
    }
    m_text = text;
    m_asked.reset();
    start();
    emit changed();
}

void LaneSearch::ask(AskedHits asked)
{
    m_text.clear();
    m_error = {};
    m_asked = std::move(asked);
    find([recordings = m_recordings, wanted = m_asked->wanted](const std::stop_token& stop) {
        std::vector<QueryHitsPtr> hits;
        for (std::size_t side = 0; side < recordings.size(); ++side) {
            hits.push_back(wanted[side] ? std::make_shared<const QueryHits>(recordings[side], wanted[side](), stop)
                                        : std::make_shared<const QueryHits>(
                                            recordings[side], [](EventRef) { return false; }, stop));
        }
        return hits;
    });
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

void LaneSearch::start()
{
    m_search.cancel();
    const Query query = parsedQuery(m_text, &m_error);
    if (query.empty() || m_recordings.empty()) {
        m_hits.clear();
        return;
    }
    find([query, recordings = m_recordings](const std::stop_token& stop) {
        std::vector<QueryHitsPtr> hits;
        hits.reserve(recordings.size());
        for (const RecordingPtr& recording : recordings) {
            hits.push_back(std::make_shared<const QueryHits>(recording, query, stop));
        }
        return hits;
    });
}

void LaneSearch::find(Find find)
{
    m_search.ask(
        std::move(find),
        [this](std::vector<QueryHitsPtr> hits) {
            m_hits = std::move(hits);
            emit changed();
        },
        [this](const QString& problem) {
            m_hits.clear();
            m_error = {problem};
            emit changed();
        });
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

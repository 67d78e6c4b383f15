// SPDX-License-Identifier: MIT
#include "tests/gui/export/html_page/page_reading.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace lanes::gui::page {

namespace {

QByteArray between(const QByteArray& text, const QByteArray& open, const QByteArray& close)
{
    const qsizetype from = text.indexOf(open) + open.size();
    return text.mid(from, text.indexOf(close, from) - from);
}

class Bytes {
public:
    Bytes(const QByteArray& bytes, qsizetype at)
        : m_bytes(bytes)
        , m_at(at)
    {
    }
    std::uint64_t next()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; m_at < m_bytes.size(); shift += 7) {
            const auto byte = static_cast<std::uint8_t>(m_bytes[m_at++]);
            value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
            if (byte < 0x80) {
                break;
            }
        }
        return value;
    }
    std::int64_t sign()
    {
        const std::uint64_t value = next();
        return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
    }
    bool atEnd() const { return m_at == m_bytes.size(); }

private:
    const QByteArray& m_bytes;
    qsizetype m_at;
};

Row rowOf(const QJsonObject& facts, bool steps, Bytes& bytes)
{
    Row row;
    const auto count = static_cast<std::size_t>(facts[QLatin1String("count")].toInt());
    std::vector<std::int64_t> gaps;
    for (std::size_t i = 0; i < count; ++i) {
        gaps.push_back(bytes.sign());
    }
    for (std::size_t i = 0; i < count; ++i) {
        row.start.push_back((i > 0 ? row.end[i - 1] : 0) + gaps[i]);
        row.end.push_back(row.start[i] + static_cast<std::int64_t>(bytes.next()));
    }
    const int role = facts[QLatin1String("role")].toInt();
    for (std::size_t i = 0; i < count; ++i) {
        row.role.push_back(static_cast<std::uint32_t>(role < 0 ? bytes.next() : static_cast<std::uint64_t>(role)));
    }
    for (std::size_t i = 0; facts[QLatin1String("shades")].toBool() && i < count; ++i) {
        row.shade.push_back(static_cast<std::uint32_t>(bytes.next()));
    }
    for (std::size_t i = 0; facts[QLatin1String("costs")].toBool() && i < count; ++i) {
        row.costs.push_back(static_cast<std::int64_t>(bytes.next()));
    }
    if (facts[QLatin1String("named")].toBool()) {
        for (std::size_t i = 0; i < count; ++i) {
            row.text.push_back(static_cast<std::uint32_t>(bytes.next()));
        }
        for (std::size_t i = 0; i < count * (steps ? 2 : 1); ++i) {
            bytes.next();  // tips, lines of code
        }
    }
    if (facts[QLatin1String("kind")].toString() == QLatin1String("operation")) {
        for (std::size_t i = 0; facts[QLatin1String("staged")].toBool() && i < count; ++i) {
            row.staged.push_back(static_cast<int>(bytes.next()));
        }
        for (std::size_t i = 0; facts[QLatin1String("early")].toBool() && i < count; ++i) {
            row.early.push_back(static_cast<std::int64_t>(bytes.next()));
        }
        for (std::size_t i = 0; i < count; ++i) {
            row.bytes.push_back(static_cast<std::int64_t>(bytes.next()));
        }
        for (std::size_t i = 0; i < (facts[QLatin1String("streams")].toBool() ? 3 : 2) * count; ++i) {
            bytes.next();  // who issued it, and when, on which stream
        }
    }
    return row;
}

}  // namespace

QByteArray scriptOf(const QByteArray& html)
{
    return between(html, "<script>", "</script>");
}

QByteArray styleOf(const QByteArray& html)
{
    return between(html, "<style>", "</style>");
}

QByteArray dataOf(const QByteArray& html)
{
    return between(html, "id=\"data\">", "</script>");
}

QString Read::said(std::int64_t number, const QString& language) const
{
    const QJsonObject texts = head[QLatin1String("texts")].toObject();
    const QJsonValue own = texts[language][static_cast<qsizetype>(number)];
    return own.isString()
        ? own.toString()
        : texts[head[QLatin1String("languages")][0].toString()][static_cast<qsizetype>(number)].toString();
}

Read read(const QByteArray& html)
{
    Read page;
    const QByteArray packed = QByteArray::fromBase64(dataOf(html));
    const QByteArray bytes = qUncompress(QByteArray(4, '\0') + packed);
    if (bytes.size() < 4) {
        return page;
    }
    qsizetype length = 0;
    for (int i = 3; i >= 0; --i) {
        length = length * 256 + static_cast<std::uint8_t>(bytes[i]);
    }
    page.head = QJsonDocument::fromJson(bytes.mid(4, length)).object();
    Bytes columns(bytes, 4 + length);
    for (const QJsonValue& recording : page.head[QLatin1String("recordings")].toArray()) {
        const bool steps = !recording[QLatin1String("lines")].toArray().isEmpty();
        auto& lanes = page.rows.emplace_back();
        auto& exposed = page.exposed.emplace_back();
        for (const QJsonValue& lane : recording[QLatin1String("lanes")].toArray()) {
            auto& rows = lanes.emplace_back();
            for (const QJsonValue& row : lane[QLatin1String("rows")].toArray()) {
                rows.push_back(rowOf(row.toObject(), steps, columns));
            }
            const QJsonObject mark = lane[QLatin1String("exposed")].toObject();
            exposed.push_back(mark.isEmpty() ? Row() : rowOf(mark, steps, columns));
        }
    }
    page.whole = columns.atEnd();
    return page;
}

}  // namespace lanes::gui::page

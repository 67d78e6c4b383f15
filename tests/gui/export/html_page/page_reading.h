// SPDX-License-Identifier: MIT
// Reads a page's data back, as its script does but with separate code, and divides a page into its parts.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace lanes::gui::page {

struct Row {
    std::vector<std::int64_t> start, end, costs, early, bytes;
    std::vector<std::uint32_t> role, shade, text;
    std::vector<int> staged;
};
struct Read {
    QJsonObject head;
    std::vector<std::vector<std::vector<Row>>> rows;  ///< by recording, lane, row
    std::vector<std::vector<Row>> exposed;  ///< by recording, lane; empty where nothing is marked
    bool whole = false;  ///< the columns ended exactly at the end of the data
    QString said(std::int64_t number, const QString& language) const;
};
Read read(const QByteArray& html);

/// The contents of the tags of the script, the style, the data.
QByteArray scriptOf(const QByteArray& html);
QByteArray styleOf(const QByteArray& html);
QByteArray dataOf(const QByteArray& html);

}  // namespace lanes::gui::page

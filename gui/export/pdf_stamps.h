// SPDX-License-Identifier: MIT
// QPdfWriter stamps the local time that it ran at, in local time's own length, as the date of creation and from Qt 6.8
// on as that of a change. Here the recording's date takes its place, and the table of offsets after it is put right.
#pragma once

#include <QByteArray>

namespace lanes::gui {

/// `pdf` as QPdfWriter writes it; `date` as "2026-11-21T10:00:00Z", UTC. A date that has fewer digits is the year 2000.
QByteArray withCreationDate(QByteArray pdf, const QByteArray& date);

}  // namespace lanes::gui

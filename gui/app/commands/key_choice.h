// SPDX-License-Identifier: MIT
// Keys that commands have instead of their own: chosen by the user, or those of other timeline viewers. Kept in the
// settings; every window has the same.
#pragma once

#include <QByteArray>
#include <QKeySequence>
#include <QList>
#include <QMap>
#include <QString>

#include <optional>
#include <vector>

class QSettings;

namespace lanes::gui {

struct KeyChoice {
    QMap<QByteArray, QList<QKeySequence>>
        keys;  ///< by the command's id, all that it has; those not here keep their own
    bool wheelZooms = false;  ///< the wheel alone zooms, Ctrl + wheel scrolls

    bool operator==(const KeyChoice& other) const = default;
};

/// The keys of a viewer, as far as they differ from ours; where we could find none in its documentation or source,
/// ours.
struct KeyPreset {
    const char* id;  ///< "perfetto", for tests
    QString name;
    KeyChoice choice;
};
/// Ours first.
std::vector<KeyPreset> keyPresets();

/// An entry that cannot be read is left out.
KeyChoice storedKeys(const QSettings& settings);
void store(const KeyChoice& choice, QSettings& settings);

}  // namespace lanes::gui

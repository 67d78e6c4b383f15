// SPDX-License-Identifier: MIT
#include "gui/app/commands/key_choice.h"

#include <QSettings>
#include <QStringList>

namespace lanes::gui {

namespace {

const QString keys_key = QStringLiteral("keys");
const QString wheel_zooms_key = QStringLiteral("wheel-zooms");

QList<QKeySequence> keysFrom(const QStringList& texts)
{
    QList<QKeySequence> keys;
    for (const QString& text : texts) {
        if (const auto key = QKeySequence::fromString(text, QKeySequence::PortableText);
            !key.isEmpty() && key[0].key() != Qt::Key_unknown) {
            keys += key;
        }
    }
    return keys;
}

KeyChoice choiceOf(std::initializer_list<std::pair<const char*, QStringList>> rows, bool wheelZooms = false)
{
    KeyChoice choice;
    choice.wheelZooms = wheelZooms;
    for (const auto& [id, keys] : rows) {
        choice.keys[id] = keysFrom(keys);
    }
    return choice;
}

}  // namespace

std::vector<KeyPreset> keyPresets()
{
    // W, A, S, D, F, [, ], period, comma, Ctrl+F and ? are the same in Perfetto and here, W, A, S and D in Tracy.
    return {
        {"lanescope", QStringLiteral("Lanescope"), {}},
        {"nsight", QStringLiteral("Nsight"),
            choiceOf({{"go.next", {".", "Ctrl+Right"}}, {"go.previous", {",", "Ctrl+Left"}}})},
        {"perfetto", QStringLiteral("Perfetto"),
            choiceOf({{"edit.find", {"Ctrl+F", "/"}}, {"view.panels", {"Ctrl+J", "Q"}}, {"go.mark", {"M", "Shift+M"}},
                {"help.keys", {"?", "F1", "Ctrl+Shift+P"}}})},
        {"tracy", QStringLiteral("Tracy"), choiceOf({}, true)},
    };
}

KeyChoice storedKeys(const QSettings& settings)
{
    KeyChoice choice;
    const QMap<QString, QVariant> stored = settings.value(keys_key).toMap();
    for (auto entry = stored.begin(); entry != stored.end(); ++entry) {
        choice.keys[entry.key().toLatin1()] = keysFrom(entry.value().toStringList());
    }
    choice.wheelZooms = settings.value(wheel_zooms_key, false).toBool();
    return choice;
}

void store(const KeyChoice& choice, QSettings& settings)
{
    QMap<QString, QVariant> stored;
    for (auto entry = choice.keys.begin(); entry != choice.keys.end(); ++entry) {
        QStringList texts;
        for (const QKeySequence& key : *entry) {
            texts += key.toString(QKeySequence::PortableText);
        }
        stored[QLatin1String(entry.key())] = texts;
    }
    settings.setValue(keys_key, stored);
    settings.setValue(wheel_zooms_key, choice.wheelZooms);
}

}  // namespace lanes::gui

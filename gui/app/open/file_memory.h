// SPDX-License-Identifier: MIT
// What the settings keep of files that were opened, by a file's absolute path: of the last hundred, each as long as the
// file does not change.
#pragma once

#include <QString>
#include <QVariantMap>

#include <optional>

namespace lanes::gui {

class FileMemory {
public:
    /// `key`: its place in the settings.
    explicit FileMemory(QString key)
        : m_key(std::move(key))
    {
    }

    /// Instead of what was remembered of that file.
    void remember(const QString& file, QVariantMap what) const;
    void forget(const QString& file) const;
    /// Nothing where nothing was remembered, or where the file changed since.
    std::optional<QVariantMap> recalled(const QString& file) const;

private:
    QString m_key;
};

}  // namespace lanes::gui

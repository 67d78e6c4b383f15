// SPDX-License-Identifier: MIT
// Watches files that are open, recordings and texts of workloads: says once that one was written anew, also by a rename
// over it, or that it is gone. A file is recognised by its size, time of change and number on the disk, looked at a
// moment after the last sign of change, so that a writer has finished.
#pragma once

#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QTimer>

namespace lanes::gui {

class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject* parent = nullptr);

    /// The file is going to be read: once it is watched, what has changed from now on is reported.
    void expect(const QString& path);
    /// Watches these and no others. One that was watched already keeps what is known of it.
    void watch(const QStringList& paths);
    /// The file is as expected: changes up to now are not reported.
    void accept(const QString& path);

signals:
    void changed(const QString& path);
    void vanished(const QString& path);

private:
    struct Mark {
        qint64 size = -1;  ///< -1: there is none
        qint64 time = 0;
        quint64 number = 0;
        friend bool operator==(const Mark&, const Mark&) = default;
    };
    static Mark markOf(const QString& path);
    void look();

    QFileSystemWatcher m_watcher;
    QHash<QString, Mark> m_marks;
    QHash<QString, Mark> m_expected;  // of files that are being read, before that
    QTimer m_later;
};

}  // namespace lanes::gui

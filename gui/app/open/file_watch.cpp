// SPDX-License-Identifier: MIT
#include "gui/app/open/file_watch.h"

#include <QFile>
#include <QFileInfo>

#include <sys/stat.h>

namespace lanes::gui {

namespace {

constexpr int settle_ms = 250;
constexpr qint64 ns_a_second = 1'000'000'000;

}  // namespace

FileWatch::FileWatch(QObject* parent)
    : QObject(parent)
{
    m_later.setSingleShot(true);
    m_later.setInterval(settle_ms);
    connect(&m_later, &QTimer::timeout, this, &FileWatch::look);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_later, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_later, qOverload<>(&QTimer::start));
}

FileWatch::Mark FileWatch::markOf(const QString& path)
{
    struct stat status { };
    if (::stat(QFile::encodeName(path).constData(), &status) != 0) {
        return {};
    }
    return {status.st_size, status.st_mtim.tv_sec * ns_a_second + status.st_mtim.tv_nsec, status.st_ino};
}

void FileWatch::expect(const QString& path)
{
    m_expected[path] = markOf(path);
}

void FileWatch::watch(const QStringList& paths)
{
    QHash<QString, Mark> marks;
    QStringList wanted;
    for (const QString& path : paths) {
        const Mark expected = m_expected.contains(path) ? m_expected.take(path) : markOf(path);
        marks[path] = m_marks.value(path, expected);
        if (marks[path] != markOf(path)) {
            m_later.start();  // no signal comes for an earlier change
        }
        wanted += {path, QFileInfo(path).absolutePath()};  // a rename over the file is a change of the folder
    }
    m_marks = marks;
    if (const QStringList old = m_watcher.files() + m_watcher.directories(); !old.isEmpty()) {
        m_watcher.removePaths(old);
    }
    wanted.removeDuplicates();
    if (!wanted.isEmpty()) {
        m_watcher.addPaths(wanted);
    }
}

void FileWatch::accept(const QString& path)
{
    if (m_marks.contains(path)) {
        m_marks[path] = markOf(path);
    }
}

void FileWatch::look()
{
    const QHash<QString, Mark> before = m_marks;
    for (auto it = before.begin(); it != before.end(); ++it) {
        const Mark now = markOf(it.key());
        if (now == it.value()) {
            continue;
        }
        m_marks[it.key()] = now;
        if (now.size >= 0 && !m_watcher.files().contains(it.key())) {
            m_watcher.addPath(it.key());  // another file has its name
        }
        if (now.size < 0) {
            emit vanished(it.key());
        } else {
            emit changed(it.key());
        }
    }
}

}  // namespace lanes::gui

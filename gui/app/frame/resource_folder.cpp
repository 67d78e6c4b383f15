// SPDX-License-Identifier: MIT
#include "gui/app/frame/resource_folder.h"

#include "engine/workload/resources.h"
#include "engine/workload/workload.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lanes::gui {

QString resourcePath(const QString& name)
{
    try {
        return QString::fromStdString(resource(name.toStdString()).string());
    } catch (const std::exception&) {
        return {};  // the window still opens recordings
    }
}

bool isShipped(const QString& path)
{
    const QString folder = QFileInfo(resourcePath(QStringLiteral("workloads"))).absolutePath();
    return !folder.isEmpty() && QFileInfo(path).absoluteFilePath().startsWith(folder + QLatin1Char('/'));
}

QStringList modelDevices()
{
    QStringList names;
    const QString folder = resourcePath(QStringLiteral("devices"));
    for (const QString& name : folder.isEmpty()
            ? QStringList()
            : QDir(folder).entryList({QStringLiteral("*.yaml")}, QDir::Files, QDir::Name)) {
        names += QFileInfo(name).completeBaseName();
    }
    return names;
}

QStringList recordedDevices()
{
    const QString path = resourcePath(QStringLiteral("recordings"));
    const QDir recordings(path);
    std::vector<std::pair<qsizetype, QString>> folders;
    for (const QString& name :
        path.isEmpty() ? QStringList() : recordings.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const qsizetype files
            = QDir(recordings.filePath(name)).entryList({QStringLiteral("*.sqlite")}, QDir::Files).size();
        if (files > 0) {
            folders.emplace_back(files, name);
        }
    }
    // The GPUs with the most workloads first, so that going from lesson to lesson stays on one machine.
    std::stable_sort(folders.begin(), folders.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    QStringList names;
    for (const auto& folder : folders) {
        names += folder.second;
    }
    return names;
}

QString recordedFile(const QString& device, const QString& workload, const QString& variant)
{
    const QString name = QString::fromStdString(run_name(workload.toStdString(), variant.toStdString()));
    return resourcePath(QStringLiteral("recordings/%1/%2.sqlite").arg(device, name));
}

QString lanesProgram()
{
    const QString path
        = qEnvironmentVariable("LANES_PROGRAM", QCoreApplication::applicationDirPath() + QStringLiteral("/lanes"));
    return QFileInfo(path).isExecutable() ? path : QString();
}

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
#include "gui/app/resource_folder.h"

#include "engine/workload/resources.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <stdexcept>

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
    QStringList names;
    const QString path = resourcePath(QStringLiteral("recordings"));
    const QDir recordings(path);
    for (const QString& name :
        path.isEmpty() ? QStringList() : recordings.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        if (!QDir(recordings.filePath(name)).entryList({QStringLiteral("*.sqlite")}, QDir::Files).isEmpty()) {
            names += name;
        }
    }
    return names;
}

QString recordedFile(const QString& device, const QString& workload, const QString& variant)
{
    const QString name = variant.isEmpty() ? workload : workload + QLatin1Char('.') + variant;
    return resourcePath(QStringLiteral("recordings/%1/%2.sqlite").arg(device, name));
}

QString lanesProgram()
{
    const QString path
        = qEnvironmentVariable("LANES_PROGRAM", QCoreApplication::applicationDirPath() + QStringLiteral("/lanes"));
    return QFileInfo(path).isExecutable() ? path : QString();
}

}  // namespace lanes::gui

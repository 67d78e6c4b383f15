// SPDX-License-Identifier: MIT
// The built `lanes` as a child process, and what it says about this machine.
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>

namespace lanes {

inline QString program()
{
    return qEnvironmentVariable("LANES_BUILD") + "/bin/lanes";
}

struct Ended {
    int status;
    QByteArray out, err;
};

inline Ended run_lanes(const QStringList& words, int limit_ms = 300'000)
{
    QProcess process;
    process.start(program(), words);
    if (!process.waitForFinished(limit_ms)) {
        return {-1, {}, "did not end"};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

/// What `lanes doctor --json` says.
struct Machine {
    bool can_record = false;
    std::uint32_t gpus = 0;
    QString nccl;  ///< its version, "" if there is none
};

inline Machine this_machine()
{
    const auto doctor = QJsonDocument::fromJson(run_lanes({"doctor", "--json"}).out).object();
    return {doctor["can_record"].toBool(), static_cast<std::uint32_t>(doctor["gpus"].toArray().size()),
        doctor["nccl"].toString()};
}

inline QJsonObject report_of(const QString& recording)
{
    return QJsonDocument::fromJson(run_lanes({"report", recording, "--json=full"}).out).object();
}

}  // namespace lanes

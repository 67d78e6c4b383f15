// SPDX-License-Identifier: MIT
#include "gui/app/run/device_choice.h"

#include "gui/app/frame/resource_folder.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTimer>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr int doctor_ms = 20000;  // a driver that hangs must not keep a process for ever

}  // namespace

DeviceChoice::DeviceChoice(QWidget* parent)
    : ElidingChoice(parent)
{
    setObjectName(QStringLiteral("device"));
    setAccessibleName(tr("Device"));
    setToolTip(tr("Where the workload runs: on the model, on this machine's GPU, or as a shipped recording"));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (const QString& name : modelDevices()) {
        add({RunDevice::Kind::model, name, tr("Model %1").arg(name.toUpper())},
            tr("Computed by a model of this GPU, not measured"));
    }
    for (const QString& name : recordedDevices()) {
        add({RunDevice::Kind::recorded, name, tr("%1 (recorded)").arg(name.toUpper())},
            tr("Recordings from a real GPU that came with Lanescope"));
    }
    m_wanted = device();
    connect(this, &QComboBox::activated, this, [this] {
        m_wanted = device();
        emit deviceChanged();
    });
}

DeviceChoice::~DeviceChoice()
{
    if (m_doctor) {
        m_doctor->disconnect();
        m_doctor->kill();
        m_doctor->waitForFinished(1000);
    }
}

void DeviceChoice::askFor(const QString& lanesProgram)
{
    if (lanesProgram.isEmpty()) {
        return;
    }
    m_doctor = std::make_unique<QProcess>();
    connect(m_doctor.get(), &QProcess::finished, this, [this] { takeAnswer(m_doctor->readAllStandardOutput()); });
    QTimer::singleShot(doctor_ms, m_doctor.get(), &QProcess::kill);
    m_doctor->start(lanesProgram, {QStringLiteral("doctor"), QStringLiteral("--json")}, QIODevice::ReadOnly);
}

void DeviceChoice::takeAnswer(const QByteArray& json)
{
    const QJsonArray gpus = QJsonDocument::fromJson(json).object().value(QLatin1String("gpus")).toArray();
    for (qsizetype i = 0; i < gpus.size(); ++i) {
        const QString name = gpus[i].toObject().value(QLatin1String("name")).toString();
        add({RunDevice::Kind::gpu, QString::number(i), tr("GPU %1: %2").arg(i).arg(name)},
            tr("Runs and records on this machine"));
    }
    select(m_wanted);
    emit gpusKnown();
}

std::optional<RunDevice> DeviceChoice::gpu() const
{
    const auto found = std::find_if(m_devices.begin(), m_devices.end(),
        [](const RunDevice& device) { return device.kind == RunDevice::Kind::gpu; });
    return found == m_devices.end() ? std::nullopt : std::optional(*found);
}

RunDevice DeviceChoice::device() const
{
    return currentIndex() < 0 ? RunDevice {} : m_devices[static_cast<std::size_t>(currentIndex())];
}

void DeviceChoice::select(const RunDevice& device)
{
    m_wanted = device;
    for (std::size_t i = 0; i < m_devices.size(); ++i) {
        if (m_devices[i] == device) {
            if (currentIndex() != static_cast<int>(i)) {
                setCurrentIndex(static_cast<int>(i));
                emit deviceChanged();
            }
            return;
        }
    }
}

void DeviceChoice::follow(const QString& gpu)
{
    static const QRegularExpression between(QStringLiteral("[^a-z0-9]+"));
    const QStringList words = gpu.toLower().split(between, Qt::SkipEmptyParts);
    const auto found = std::find_if(m_devices.begin(), m_devices.end(), [&words](const RunDevice& each) {
        return each.kind == RunDevice::Kind::model && words.contains(each.argument.toLower());
    });
    if (found == m_devices.end() || device().kind != RunDevice::Kind::model) {
        return;
    }
    m_wanted = m_wanted.kind == RunDevice::Kind::model ? *found : m_wanted;
    setCurrentIndex(static_cast<int>(found - m_devices.begin()));
}

void DeviceChoice::add(const RunDevice& device, const QString& explanation)
{
    m_devices.push_back(device);
    addItem(device.label);
    setItemData(count() - 1, explanation, Qt::ToolTipRole);
}

}  // namespace lanes::gui

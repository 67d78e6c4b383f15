// SPDX-License-Identifier: MIT
// Where a workload can run, as the files that come with Lanescope say, and where
// `lanes` lies.
#pragma once

#include <QStringList>

namespace lanes::gui {

/// A file or folder of the resources; "" where there are no resources at all.
QString resourcePath(const QString& name);

/// Whether a file came with Lanescope.
bool isShipped(const QString& path);
/// Names of resources/devices/NAME.yaml.
QStringList modelDevices();
/// Names of resources/recordings/NAME that hold a recording, those with the most first.
QStringList recordedDevices();
/// The shipped recording of a variant; it need not exist.
QString recordedFile(const QString& device, const QString& workload, const QString& variant);

/// `lanes` beside this program, or $LANES_PROGRAM; "" if it is not there.
QString lanesProgram();

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
// The recordings that are open: none, one (A) or two (A above B). Two runs of one
// variant are titled by the parameters in which they differ.
#pragma once

#include "gui/panels/open_recording.h"

#include <QObject>

#include <vector>

namespace lanes::gui {

class Session : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// A first.
    const std::vector<OpenRecordingPtr>& recordings() const { return m_recordings; }
    int count() const { return static_cast<int>(m_recordings.size()); }
    OpenRecordingPtr at(int side) const
    {
        return side >= 0 && side < count() ? m_recordings[static_cast<std::size_t>(side)] : nullptr;
    }

    /// At most two, A first; titles aside they are those that are given.
    void set(std::vector<OpenRecordingPtr> recordings);
    /// Others of the same in their place: set() where there are more or fewer than before.
    void renew(std::vector<OpenRecordingPtr> recordings);
    /// As A if nothing is open, else as B.
    void add(OpenRecordingPtr recording);
    void replace(int side, OpenRecordingPtr recording);
    void close(int side);
    void swap();

signals:
    void changed();
    void renewed();

private:
    std::vector<OpenRecordingPtr> m_recordings;
};

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
#include "gui/app/session.h"

#include "gui/panels/run_titles.h"

namespace lanes::gui {

void Session::set(std::vector<OpenRecordingPtr> recordings)
{
    recordings.resize(std::min<std::size_t>(recordings.size(), 2));
    m_recordings = toldApart(std::move(recordings));
    emit changed();
}

void Session::renew(std::vector<OpenRecordingPtr> recordings)
{
    if (recordings.size() != m_recordings.size()) {
        set(std::move(recordings));
    } else if (recordings = toldApart(std::move(recordings)); recordings != m_recordings) {
        m_recordings = std::move(recordings);
        emit renewed();
    }
}

void Session::add(OpenRecordingPtr recording)
{
    m_recordings.resize(std::min<std::size_t>(m_recordings.size(), 1));
    m_recordings.push_back(std::move(recording));
    m_recordings = toldApart(std::move(m_recordings));
    emit changed();
}

void Session::replace(int side, OpenRecordingPtr recording)
{
    if (side >= 0 && side < count()) {
        m_recordings[static_cast<std::size_t>(side)] = std::move(recording);
        emit changed();
    }
}

void Session::close(int side)
{
    if (side >= 0 && side < count()) {
        m_recordings.erase(m_recordings.begin() + side);
        emit changed();
    }
}

void Session::swap()
{
    if (count() == 2) {
        std::swap(m_recordings[0], m_recordings[1]);
        emit changed();
    }
}

}  // namespace lanes::gui

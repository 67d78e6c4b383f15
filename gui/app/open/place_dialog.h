// SPDX-License-Identifier: MIT
// A recording comes while one or two are open: does it open alone, or beside which of them? Closing the dialog leaves
// what is open.
#pragma once

#include "gui/session/open_recording.h"

#include <QDialog>

#include <vector>

namespace lanes::gui {

class PlaceDialog : public QDialog {
    Q_OBJECT
public:
    enum class Place { a, b, alone };

    /// `name` is what comes; `open` has one or two.
    PlaceDialog(const QString& name, const std::vector<OpenRecordingPtr>& open, QWidget* parent = nullptr);

signals:
    void chosen(Place place);
};

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
// Two recordings are open and a third one comes: which of them does it replace? Closing the dialog leaves both.
#pragma once

#include <QDialog>

namespace lanes::gui {

struct OpenRecording;

class PlaceDialog : public QDialog {
    Q_OBJECT
public:
    enum class Place { a, b, alone };

    PlaceDialog(const OpenRecording& opened, const OpenRecording& a, const OpenRecording& b, QWidget* parent = nullptr);

signals:
    void chosen(Place place);
};

}  // namespace lanes::gui

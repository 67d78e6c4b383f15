// SPDX-License-Identifier: MIT
// Several recordings are opened at once: side by side, or as the ranks of one run? Closing the dialog opens none.
#pragma once

#include <QDialog>

namespace lanes::gui {

class TogetherDialog : public QDialog {
    Q_OBJECT
public:
    explicit TogetherDialog(const QStringList& files, QWidget* parent = nullptr);

signals:
    void chosen(bool asRanks);
};

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
// The bar over everything: the chosen workload, Run and where it runs.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace lanes::gui {

class CommandActions;
class DeviceChoice;

class TopBar : public QWidget {
    Q_OBJECT
public:
    explicit TopBar(CommandActions* actions, QWidget* parent = nullptr);

    DeviceChoice* device() const { return m_device; }
    QPushButton* run() const { return m_run; }
    void setCaption(const QString& text);
    /// What Run will do: run one variant or both, or open their recordings.
    void refresh(bool both);

private:
    QLabel* m_caption;
    QPushButton* m_run;
    QPushButton* m_runAll;
    DeviceChoice* m_device;
};

}  // namespace lanes::gui

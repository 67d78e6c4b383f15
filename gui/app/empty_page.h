// SPDX-License-Identifier: MIT
// What stands where the timelines will be while nothing is open: what Lanescope is
// for and the three ways to begin.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lanes::gui {

class EmptyPage : public QWidget {
    Q_OBJECT
public:
    explicit EmptyPage(QWidget* parent = nullptr);

    /// What Run will do: "Run “Copy results back” on Model H100".
    void setRun(const QString& text, bool enabled);
    void setRecentFiles(const QStringList& files);

signals:
    void runWanted();
    void openWanted();
    void fileWanted(const QString& path);

private:
    QPushButton* m_run;
    QLabel* m_recentTitle;
    QVBoxLayout* m_recent;
};

}  // namespace lanes::gui

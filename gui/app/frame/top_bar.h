// SPDX-License-Identifier: MIT
// The bar over everything: the chosen workload, Run, where it runs, and tools. Buttons for which the window is too
// narrow are in the menu of a last one, so that the bar never makes the window wider than its screen.
#pragma once

#include <QList>
#include <QWidget>

#include <array>
#include <utility>

class QAction;
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
    /// The same in ever fewer words: the first that has room is shown, the last is cut where none has.
    void setCaption(const QStringList& forms);
    /// Whether Run and the device have a place here: a file that is no lesson's has nothing to run.
    void setRunShown(bool shown);
    /// Whether Export is about the heat map of a job, as it is where no lanes are shown beside it.
    void setMapExported(bool map);
    /// What Run will do: run one variant or both, or open their recordings.
    void refresh(bool both);

    /// With every tool in the menu.
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;

private:
    int widthWithoutTools() const;
    int widthInBar(const QPushButton* button) const;
    void fitTools();
    void fitCaption();
    void showMore();

    QLabel* m_brand;
    QLabel* m_caption;
    QStringList m_captionForms {QString()};
    QPushButton* m_run;
    DeviceChoice* m_device;
    QList<std::pair<QPushButton*, QAction*>> m_tools;  // those that stay longest come first: one of m_exports
    std::array<std::pair<QPushButton*, QAction*>, 2> m_exports;  // of the lanes, of a map
    bool m_runShown = true;
    QPushButton* m_more;
};

}  // namespace lanes::gui

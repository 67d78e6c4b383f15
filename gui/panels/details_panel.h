// SPDX-License-Identifier: MIT
// All fields of the selection, as a list that can be copied.
#pragma once

#include "gui/panels/open_recording.h"
#include "gui/timeline/recording.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QTreeWidget;

namespace lanes::gui {

class DetailsPanel : public QWidget {
    Q_OBJECT
public:
    explicit DetailsPanel(QWidget* parent = nullptr);

    void present(const OpenRecordingPtr& recording, ItemRef event);
    /// "Name\tvalue" lines: of the chosen rows, else of all.
    QString asText() const;

signals:
    void followWanted();  ///< to the other end: [ or ]

private:
    void copy() const;

    QLabel* m_title;
    QTreeWidget* m_fields;
    QStackedWidget* m_stack;
};

}  // namespace lanes::gui

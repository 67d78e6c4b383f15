// SPDX-License-Identifier: MIT
// All fields of the selection, as a list that can be copied: all of it, the chosen fields, or a part of one, which a
// double click opens to be selected from. Where the panel is low and wide, pairs of names and values stand beside one
// another. Buttons lead to what caused the event and to what it caused.
#pragma once

#include "gui/lanes/shown_path.h"
#include "gui/lanes/shown_recording.h"
#include "gui/panels/details.h"
#include "gui/session/open_recording.h"

#include <QWidget>

#include <vector>

class QLabel;
class QModelIndex;
class QPushButton;
class QStackedWidget;
class QTreeWidget;

namespace lanes::gui {

class CriticalPaths;
class Workspace;

class DetailsPanel : public QWidget {
    Q_OBJECT
public:
    explicit DetailsPanel(QWidget* parent = nullptr);
    /// Follows what is open and what is selected, and says there what the user chooses. While an operation is shown the
    /// critical paths are wanted, if there are any.
    void observe(Workspace* workspace, CriticalPaths* paths = nullptr);

    void present(const OpenRecordingPtr& recording, EventRef event, const ShownPath* path = nullptr);
    /// "Name\tvalue" lines of all fields.
    QString asText() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void followWanted(ItemRef item);  ///< to the cause or the effect: select it and bring it into view

private:
    int pairsThatFit() const;
    void lay(int pairs);
    void shareWidth();
    const DetailField* fieldAt(const QModelIndex& index) const;
    void copyChosen() const;
    void showMenu(QPoint at);
    void lead(QPushButton* button, const OpenRecordingPtr& recording, ItemRef item);
    void nameLeads();

    void presentSelection();

    Workspace* m_workspace = nullptr;
    CriticalPaths* m_paths = nullptr;
    QPushButton* m_copyAll;
    QWidget* m_head;
    QLabel* m_title;
    QPushButton* m_cause;
    QPushButton* m_effect;
    QTreeWidget* m_fields;
    std::vector<DetailField> m_shown;
    int m_pairs = 1;  ///< of columns
    QStackedWidget* m_stack;
    ItemRef m_causeItem, m_effectItem;
};

}  // namespace lanes::gui

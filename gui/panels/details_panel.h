// SPDX-License-Identifier: MIT
// The card of what is selected, for the side of the lanes: its name in full, when it was and how much of it was hidden,
// all events of its name as dots, what it waited for and what waited for it, who issued it, the chain of its causes,
// and at the end all its fields, as a list that can be copied: all of it, the chosen fields, or a part of one, which a
// double click opens to be selected from. What is named on it leads there.
#pragma once

#include "gui/lanes/shown_path.h"
#include "gui/panels/card.h"
#include "gui/timeline/question.h"

#include <QWidget>

#include <vector>

class QLabel;
class QModelIndex;
class QStackedWidget;
class QTreeWidget;
class QVBoxLayout;

namespace lanes::gui {

class CriticalPaths;
class NameDots;
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
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void followWanted(ItemRef item);  ///< select it and bring it into view
    void closeWanted();

private:
    void addHead();
    void addFields();
    QColor colorOf(ItemRef item) const;
    void fill(const OpenRecordingPtr& recording, EventRef event);
    void fillFacts();
    void fillParts();
    void addLink(const CardEntry& entry, const QString& before);
    void askFigures();
    void take(const CardFigures& figures);
    void nameWhole();
    void fillFields();
    void fitFields();
    const DetailField* fieldAt(const QModelIndex& index) const;
    void copyChosen() const;
    void showMenu(QPoint at);
    void presentSelection();

    Workspace* m_workspace = nullptr;
    CriticalPaths* m_paths = nullptr;
    OpenRecordingPtr m_recording;  ///< what is shown, null: nothing
    EventRef m_event;
    Card m_card;
    Question<CardFigures> m_figures;
    QStackedWidget* m_stack;
    QVBoxLayout* m_column = nullptr;
    QLabel *m_swatch, *m_name, *m_length, *m_fullName, *m_place;
    bool m_isWhole = false;  ///< the full name is shown, however long
    QVBoxLayout* m_facts;
    QLabel *m_dotsTitle, *m_first, *m_last;
    NameDots* m_dots;
    QWidget* m_parts;
    QTreeWidget* m_fields;
    std::vector<DetailField> m_shown;
};

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
// The middle of the window: the gallery, or the lanes with the panels under them, or the question what the user
// expects.
#pragma once

#include <QList>
#include <QStackedWidget>

class QSplitter;
class QVBoxLayout;

namespace lanes::gui {

class ComparisonView;
class GalleryPage;
class GuessPage;
enum class PanelName;
class PanelTabs;
class StepBar;

class Stage : public QStackedWidget {
    Q_OBJECT
public:
    Stage(ComparisonView* timeline, StepBar* steps, PanelTabs* panels, QWidget* parent = nullptr);

    GalleryPage* gallery() const { return m_gallery; }
    GuessPage* guess() const { return m_guess; }
    StepBar* stepBar() const { return m_steps; }
    PanelTabs* panels() const { return m_panels; }
    /// Over lanes and panels, with a height of its own: a job of many ranks. Takes it.
    void setTop(QWidget* widget);
    /// Whether the top has all of the room: there are no lanes to show.
    void setTopAlone(bool alone);
    /// Over the lanes.
    void addAbove(QWidget* widget);
    /// Under the lanes and the bar of steps.
    void addBelow(QWidget* widget);

    bool galleryShown() const;
    bool lanesShown() const;
    /// The gallery, without the focus.
    void showGallery();
    void showLanes();
    void showGuess();
    /// Shows the lanes and puts the keyboard into the active one's view.
    void focusLanes(Qt::FocusReason reason = Qt::OtherFocusReason);
    /// Shows a panel and puts the keyboard into it.
    void focus(PanelName name);
    /// In a low window the panels give the lanes what the bar of steps takes from them, and get it back.
    void makeRoomForSteps(bool shown);

    /// Whether lanes and panels stay as high as they are, whatever changes.
    void holdDivisions(bool held) { m_held = held; }
    /// Empty where the user left it to the stage how high the panels are.
    QByteArray divisions() const;
    void restoreDivisions(const QByteArray& state);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void divide();
    int roomHeight() const;

    GalleryPage* m_gallery;
    GuessPage* m_guess;
    ComparisonView* m_timeline;
    StepBar* m_steps;
    PanelTabs* m_panels;
    QVBoxLayout* m_lanes;  ///< the timeline, the bar of steps and what the lecture adds
    std::vector<QWidget*> m_above;  ///< them: the switch of the scope, the legend
    QSplitter* m_all;  ///< what is on top, and the rows
    QSplitter* m_rows;
    bool m_held = false;
    bool m_divided = false;  ///< by the user, now or in an earlier window
    QList<int> m_rowsBefore;  ///< lanes and panels, before steps took room; empty: they did not
};

}  // namespace lanes::gui

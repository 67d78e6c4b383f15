// SPDX-License-Identifier: MIT
// What a presenter sees and the audience does not, in a window of its own: what is on the stage and what the next key
// shows, the answer to the question that is asked, why and the rule before the stage has them, and for how long the
// lesson has been open. Where the machine has another screen than the stage's, it is shown there.
#pragma once

#include "gui/panels/lesson_panel.h"

#include <QElapsedTimer>
#include <QTimer>

#include <vector>

class QTextBrowser;

namespace lanes::gui {

class PresenterNotes : public QWidget {
    Q_OBJECT
public:
    /// A window over `stage`, hidden at first.
    explicit PresenterNotes(QWidget* stage);

    struct Content {
        QString title;  ///< of the lesson; another one begins the time anew
        QString place;  ///< "3 of 24 · 2 Copies and memory · 12 min"
        std::vector<LessonPanel::Section> sections;  ///< those without text are left out

        bool operator==(const Content&) const = default;
    };
    /// Cost: that of laying it out, where it differs from what is shown.
    void set(const Content& content);

    bool isOn() const { return !isHidden(); }
    void setOn(bool on);
    /// Whether there is a screen that the stage is not on.
    bool hasOwnScreen() const;

signals:
    void turned(bool on);
    void leaveWanted();  ///< Esc

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QScreen* ownScreen() const;
    void say();
    void sayTime();

    QWidget* m_stage;
    QLabel* m_title;
    QLabel* m_time;
    QTextBrowser* m_text;
    Content m_content;
    QElapsedTimer m_since;
    QTimer m_tick;
};

}  // namespace lanes::gui

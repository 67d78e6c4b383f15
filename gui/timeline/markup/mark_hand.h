// SPDX-License-Identifier: MIT
// The marks of a timeline's recording: set, named, walked through and removed.
#pragma once

#include "gui/lanes/marks.h"

#include <QObject>
#include <QString>

namespace lanes::gui {

class Timeline;

class MarkHand : public QObject {
    Q_OBJECT

public:
    /// `current` is the mark that was set, clicked or gone to last.
    MarkHand(Timeline& timeline, std::optional<Ns>& current);

    /// Sets a mark at the mouse; where the mouse rests on the selected item or is outside the lanes, at that item's
    /// start. Asks for its text.
    void set();
    /// Brings it into sight and asks for its text. `fresh`: it goes again if there is to be none.
    void edit(std::size_t mark, bool fresh);
    /// What was answered for the mark at `time` of `marks`; nothing: the text stays, and a fresh mark goes.
    void answer(Marks& marks, Ns time, bool fresh, const std::optional<QString>& text);
    /// The current one while it is selected; see AnnotationHand::current.
    std::optional<std::size_t> chosen() const;
    void forget();
    /// Removes the selected mark; the next one is selected.
    void remove();
    /// To the next mark (1) or the one before (-1), of the current one where it is in sight.
    void step(int by);
    void goTo(std::size_t mark);

signals:
    void reached(qint64 time);  ///< it is the current one
    void changed();
    void textWanted(std::size_t mark, bool fresh);
    void chose();
    void withdrawn();  ///< it was set and is not wanted; changed() follows

private:
    Marks* marks() const;
    void choose(Ns time);

    Timeline& m_timeline;
    std::optional<Ns>& m_current;
    bool m_isChosen = false;
};

}  // namespace lanes::gui

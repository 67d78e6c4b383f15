// SPDX-License-Identifier: MIT
// What a user does with the annotations of a recording: placed, changed, given a text, removed. The tool of the mouse
// is in tools/annotate.h.
#pragma once

#include "gui/lanes/annotation.h"

#include <memory>
#include <optional>
#include <QObject>
#include <QString>
#include <vector>

namespace lanes::gui {

class Timeline;

class AnnotationHand : public QObject {
    Q_OBJECT

public:
    using List = std::shared_ptr<std::vector<Annotation>>;
    explicit AnnotationHand(Timeline& timeline);

    /// The next gesture on the lanes places one of this kind; nothing: none does, as where there are most_annotations.
    void begin(std::optional<Annotation::Kind> kind);
    std::optional<Annotation::Kind> pending() const { return m_pending; }
    /// Null while there is no recording.
    List all() const;
    /// The one that was placed or clicked last and is still selected. Of the marks and annotations of both recordings
    /// one at most is, and it shows.
    std::optional<std::size_t> current() const;
    /// Nothing: the user clicked elsewhere.
    void choose(std::optional<std::size_t> index);
    void forget();

    std::size_t add(const Annotation& annotation);
    void change(std::size_t index, const Annotation& annotation);
    /// While a drag goes on: drawn, and not yet kept.
    void sketch(std::size_t index, const Annotation& annotation);
    /// Asks for its text.
    void edit(std::size_t index);
    /// What was answered for the one at `index` of `list`; a text without words goes.
    void answer(const List& list, std::size_t index, const std::optional<QString>& text);
    void remove(std::size_t index);

signals:
    void pendingChanged();
    void full();  ///< none was begun
    void sketched();  ///< it is to be drawn anew
    void changed();
    void textWanted(std::size_t index);
    void chosen();
    void withdrawn();  ///< it was placed and got no text; changed() follows

private:
    Timeline& m_timeline;
    std::optional<Annotation::Kind> m_pending;
    std::optional<std::size_t> m_current;
};

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
// What would be, asked by hand: the length of a kernel or copy is pulled, a copy is moved to another stream, launches
// become a CUDA graph. The hand keeps what is wished and the ghost that is drawn of it. Whoever can predict (offer())
// finds the ghost; the wish is taken back, or it is accepted.
#pragma once

#include "gui/lanes/item_ref.h"
#include "gui/paint/over/ghost_painter.h"

#include <optional>
#include <QObject>
#include <vector>

namespace lanes::gui {

struct Wish {
    enum class Of : std::uint8_t { length, stream, graph };
    Of what = Of::length;
    ItemRef item = {};  ///< one operation of the name that is changed; of a graph none
    double times = 1;  ///< of a length: how much of its recorded time it takes
    Row stream = no_row;  ///< the one that copies go to
    friend bool operator==(const Wish&, const Wish&) = default;
};

/// A factor as it can be asked for: `times` of the recorded time, as the N that makes it N times as fast, in
/// hundredths.
double wishedSpeed(double times);
/// The time that comes of it.
inline double wishedTimes(double times)
{
    return 1 / wishedSpeed(times);
}
/// One step longer (1) or shorter (-1): a tenth of the recorded time, never less than a tenth in all.
double steppedTimes(double times, int by);

/// Whether its length can be pulled: of a kernel, or a copy from or to the host.
bool canPull(const Trace& trace, ItemRef item);
/// The streams that a copy from or to the host could go to: the others of its context. Empty for anything else.
std::vector<Row> streamsFor(const Trace& trace, ItemRef item);

class PredictHand : public QObject {
    Q_OBJECT

public:
    /// Somebody predicts, of this recording; before that nothing can be pulled.
    void setOffered(bool offered) { m_offered = offered; }
    bool isOffered() const { return m_offered; }

    const std::optional<Wish>& wish() const { return m_wish; }
    /// `at`: where the mouse is, logical pixels of the frame.
    void ask(const Wish& wish, std::optional<QPointF> at = {});
    /// While a copy is moved: the streams that could take it. Empty: none is moved.
    void setAccepting(std::vector<Row> streams);
    /// What is known of the wish. A run of an earlier wish stays until there is another.
    void show(std::shared_ptr<const GhostRun> run, std::optional<Interval> pulled, const QStringList& said);
    /// The wish and its ghost go.
    void takeBack();
    /// The wish is granted, and goes.
    void accept();
    /// What is drawn; there is a wish, or a copy is being moved.
    const Ghost& ghost() const { return m_ghost; }
    bool isShown() const { return m_wish || !m_ghost.accepting.empty(); }

signals:
    void asked();
    void takenBack();
    void accepted(const lanes::gui::Wish& wish);
    void changed();  ///< what is drawn

private:
    bool m_offered = false;
    std::optional<Wish> m_wish;
    Ghost m_ghost;
};

}  // namespace lanes::gui

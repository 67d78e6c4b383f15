// SPDX-License-Identifier: MIT
// A card for every workload: a picture of its lanes, its title and what it shows. The
// cards fill the width, more of them beside each other where there is room. A click or
// Enter opens one; the arrow keys go from card to card.
#pragma once

#include "gui/app/learn/card_pictures.h"

#include <QElapsedTimer>
#include <QListWidget>

#include <memory>
#include <vector>

namespace lanes::gui {

class GalleryList : public QListWidget {
    Q_OBJECT
public:
    explicit GalleryList(QWidget* parent = nullptr);

    /// The chosen one gets the focus of the cards, if it is among them.
    void setWorkloads(
        const std::vector<std::shared_ptr<const Workload>>& workloads, const std::shared_ptr<const Workload>& chosen);
    /// Its card gets the focus of the cards and is brought into sight; nothing where it has none.
    void choose(const std::shared_ptr<const Workload>& workload);
    std::shared_ptr<const Workload> workloadAt(int row) const;
    /// Null until it is made; the first call starts making it.
    const CardPicture* pictureAt(int row) const;
    /// Hides what comes out: the user is asked to guess it.
    void setAsking(bool asking);
    bool isAsking() const { return m_asking; }
    /// The names of those that were opened before: they have a tick.
    void setSeen(const QStringList& names);
    bool isSeen(const Workload& workload) const;
    /// Of every card, logical pixels.
    QSize cardSize() const { return m_card; }
    /// To be asked before a card is drawn anew: whether the paint event has time for it. If not, another one follows.
    bool mayDraw();

signals:
    void opened(std::shared_ptr<const Workload> workload);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fillWidth();
    void tellCards();

    std::vector<std::shared_ptr<const Workload>> m_workloads;  // by row
    QSize m_card;
    QStringList m_seen;
    bool m_asking = false;
    QElapsedTimer m_painting;  // since the paint event began
    int m_drawn = 0, m_waiting = 0;  // cards that it drew anew, and that have to wait for the next one
};

}  // namespace lanes::gui

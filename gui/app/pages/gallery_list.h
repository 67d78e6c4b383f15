// SPDX-License-Identifier: MIT
// A card for every workload: a picture of its lanes, its title and what it shows. The
// cards fill the width, more of them beside each other where there is room. A click or
// Enter opens one; the arrow keys go from card to card.
#pragma once

#include "gui/app/pages/card_pictures.h"

#include <QListWidget>

#include <memory>
#include <vector>

namespace lanes::gui {

class GalleryList : public QListWidget {
    Q_OBJECT
public:
    explicit GalleryList(QWidget* parent = nullptr);

    void setWorkloads(const std::vector<std::shared_ptr<const Workload>>& workloads);
    std::shared_ptr<const Workload> workloadAt(int row) const;
    /// Null until it is made; the first call starts making it.
    const CardPicture* pictureAt(int row) const;
    /// Hides the result of the second run: the user is asked to guess it.
    void setAsking(bool asking);
    bool isAsking() const { return m_asking; }
    /// Of every card, logical pixels.
    QSize cardSize() const { return m_card; }

signals:
    void opened(std::shared_ptr<const Workload> workload);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fillWidth();
    void tellCards();

    std::vector<std::shared_ptr<const Workload>> m_workloads;  // by row
    QSize m_card;
    bool m_asking = false;
};

}  // namespace lanes::gui

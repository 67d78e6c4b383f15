// SPDX-License-Identifier: MIT
// Small pictures of workloads, drawn from their recordings by the code that draws the
// timeline: one strip of lanes a variant, all on one time scale.
//
// They are made by one thread in the background, once asked for, and kept for the
// program's life: of each workload the recordings' lanes and the picture asked for
// last. Cost: opening and analysing two recordings a workload, then a millisecond a
// picture. Belongs to the window's thread.
#pragma once

#include "engine/workload/workload.h"

#include <QImage>
#include <QObject>
#include <QSize>

#include <map>
#include <memory>
#include <vector>

namespace lanes::gui {

struct CardStrip {
    std::string variant;
    qint64 total;  ///< ns, as the report's wall
    QImage lanes;
};

/// What a card shows; strips or an error.
struct CardPicture {
    std::vector<CardStrip> strips;  ///< of equal size
    bool model = false;  ///< drawn from a run of the model device, not from a recording of a GPU
    QString device;  ///< what the recordings say it was: "NVIDIA H100 80GB HBM3"
    QString error;  ///< one line, "" for none
};

/// How the strips are to look: each of that size, in logical pixels.
struct CardLook {
    QSize strip;
    double ratio = 1;  ///< device pixels a logical one
    QString theme;
    friend bool operator==(const CardLook&, const CardLook&) = default;
};

class CardPictures : public QObject {
    Q_OBJECT
public:
    /// One for the program; ends its thread before the application ends.
    static CardPictures& shared();
    ~CardPictures() override;

    /// The picture in that look, or in the one before as long as that is all there is; null: none yet. Asks for what
    /// is missing.
    const CardPicture* find(const std::shared_ptr<const Workload>& workload, const CardLook& look);

signals:
    void ready();  ///< a picture that was asked for is there

private:
    struct Source;  ///< the recordings' lanes
    struct Card {
        CardLook asked;
        std::shared_ptr<Source> source;  ///< used by the thread in the background alone
        std::unique_ptr<CardPicture> picture;
    };
    struct Worker;
    CardPictures();
    void take(const std::string& key, const CardLook& look, CardPicture picture);

    std::map<std::string, Card> m_cards;
    std::unique_ptr<Worker> m_worker;
};

}  // namespace lanes::gui

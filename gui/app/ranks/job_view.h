// SPDX-License-Identifier: MIT
// A job of many ranks over the lanes: its sentence, the heat map of one measure, the arrivals at one collective, the
// table. What is chosen in one part is marked in the others.
#pragma once

#include "gui/export/job_picture.h"
#include "gui/session/open_job.h"

#include <QWidget>

#include <array>

class QLabel;
class QPushButton;
class QSplitter;

namespace lanes::gui {

class CombView;
class HeatScale;
class HeatView;
class RankTable;

class JobView : public QWidget {
    Q_OBJECT
public:
    explicit JobView(QWidget* parent = nullptr);

    void setJob(OpenJobPtr job);
    const OpenJobPtr& job() const { return m_job; }
    void setMeasure(HeatMeasure measure);
    const JobShown& shown() const { return m_shown; }
    HeatView* map() const { return m_map; }
    /// Marks them, and shows the rank's collective of that moment.
    void mark(std::size_t chosen, std::size_t second, Ns moment);

signals:
    void rankWanted(std::size_t rank, lanes::Ns moment);
    /// To be shown beside the one that is chosen.
    void secondWanted(std::size_t rank);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void sayScale();
    void fitTexts();

    OpenJobPtr m_job;
    JobShown m_shown;
    QLabel *m_title, *m_sentence, *m_notes, *m_unit;
    std::array<QPushButton*, heat_measures.size()> m_measures {};
    HeatScale* m_scale;
    HeatView* m_map;
    CombView* m_comb;
    RankTable* m_table;
    QSplitter* m_parts;
};

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
// Under the lanes while stepping through a run: the buttons, how fast it plays, and
// what happens at this step in words.
#pragma once

#include <QStringList>
#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace lanes::gui {

/// What the bar says.
struct StepWords {
    QString position;  ///< "12 of 96 · 4.12 ms"
    QString text;  ///< the step's sentence
    QStringList more;  ///< in smaller text: what the GPU does, what the other recording is at
};

class StepBar : public QWidget {
    Q_OBJECT
public:
    /// Takes the buttons; the second one plays and pauses.
    StepBar(const QList<QPushButton*>& buttons, const QStringList& speeds, QWidget* parent = nullptr);

    void say(const StepWords& words);
    void setPlaying(bool playing);
    void setSpeed(int speed);
    /// Words and buttons that many times as large, for a lecture hall; 0: as usual.
    void setLarge(double times);
    /// To be laid out right of the words, two fifths of the bar.
    void setBeside(QWidget* widget);
    QString text() const;

signals:
    void speedChosen(int speed);
    void closeWanted();

protected:
    void showEvent(QShowEvent* event) override;

private:
    bool m_playing = false;
    QPushButton* m_play;
    QComboBox* m_speed;
    QLabel* m_position;
    QLabel* m_text;
    QLabel* m_more;
    QHBoxLayout* m_columns;
};

}  // namespace lanes::gui

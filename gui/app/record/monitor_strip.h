// SPDX-License-Identifier: MIT
// A program that is being recorded, over the lanes: the figures of its last second, large enough to be read from the
// back of a hall, what can be done with it, and what it says, folded away.
#pragma once

#include "engine/analysis/live_figures.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace lanes::gui {

/// One figure: its value large, under it a bar of the share and what it is.
class FigureTile : public QWidget {
    Q_OBJECT
public:
    // Without a type: after `: std::uint8_t` Qt 6.8's lupdate knows no class of the file.
    enum class Kind { busy, overlap, blocked, rate };
    FigureTile(Kind kind, QWidget* parent = nullptr);

    /// `share` of 1 as percent; `caption` under it.
    void setShare(std::optional<double> share, const QString& caption);
    void setText(const QString& value, const QString& caption);
    QString value() const { return m_value; }
    /// No longer of now: in muted letters.
    void setOld(bool old);
    void setMagnification(double times);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont valueFont() const;
    QFont captionFont() const;

    Kind m_kind;
    QString m_value, m_caption;
    std::optional<double> m_share;
    bool m_old = false;
    double m_times = 1;
};

class MonitorStrip : public QWidget {
    Q_OBJECT
public:
    /// Of the button that closes it.
    static constexpr const char* discardName = "monitorDiscard";
    /// The buttons are made of commands: they are what can be done with it, in this order.
    explicit MonitorStrip(const QList<QPushButton*>& buttons, QWidget* parent = nullptr);

    /// What is recorded, and what is said of it: "running for 12 s".
    void setState(const QString& program, const QString& state, bool isProblem = false);
    void setFigures(const LiveFigures& figures, const QString& thread);
    void clearFigures();
    void setOld(bool old);
    void setMagnification(double times);

    void clearOutput();
    void addOutput(const QString& text);
    bool outputShown() const;
    void showOutput(bool shown);
    QString output() const;
    QString state() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeRoom();

    double m_times = 1;
    FigureTile *m_busy, *m_overlap, *m_blocked, *m_rate;
    QLabel *m_program, *m_state;
    QPlainTextEdit* m_output;
};

}  // namespace lanes::gui

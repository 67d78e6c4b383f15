// SPDX-License-Identifier: MIT
// One line across the window that says what went wrong, without standing in the
// way: it stays until it is closed or the next thing starts. On a stage what went
// well goes by itself, and what was there before comes back after it.
#pragma once

#include <QTimer>
#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;

namespace lanes::gui {

struct JobResult;

class NoticeBar : public QWidget {
    Q_OBJECT
public:
    explicit NoticeBar(QWidget* parent = nullptr);

    void showError(const QString& text);
    /// Something to know that is no error.
    void showNotice(const QString& text);
    /// That a file was saved, or the sentence that says why not.
    void showSaved(const QString& path, const QString& problem = {});
    static QString savedText(const QString& path);
    /// As showNotice(), with a button for what can be done about it; Close does nothing about it.
    void showOffer(const QString& text, const QString& button, const std::function<void()>& accepted);
    /// What went wrong with a job, or what limits the trust in what it made; nothing where there is neither. With
    /// `file`, one of several that open together, in a line of its own that names it, under what is there.
    void showEnd(const JobResult& result, const QString& file = {});
    QString text() const;
    /// Full screen, before others.
    void setOnStage(bool on);

private:
    void show(const QString& text, bool mild);

    QLabel* m_text;
    QPushButton* m_offer;
    QPushButton* m_copy;
    QPushButton* m_close;
    std::function<void()> m_accepted;
    QTimer m_away;
    bool m_onStage = false;
    bool m_waits = false;  ///< for the end of the stage
};

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
// Checks a workload's text while it is edited: reads it and
// compiles every variant on a worker thread a moment after the last change. Only the
// newest text is answered.
#pragma once

#include "engine/workload/workload.h"
#include "gui/timeline/question.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>

namespace lanes::gui {

/// The first thing that is wrong with a text, or the workload that it is.
struct SourceState {
    std::shared_ptr<const Workload> workload;  ///< null: it cannot be read
    int line = 0, column = 0;  ///< from 1; 0: the text as a whole
    QString problem;  ///< "": all of its variants would run
};

/// `file` is where the text lies or will lie. Cost: of parse_workload, and compile for each variant.
SourceState stateOf(const QString& text, const QString& file);

class SourceCheck : public QObject {
    Q_OBJECT
public:
    explicit SourceCheck(QObject* parent = nullptr);

    static constexpr int delay_ms = 120;  ///< after the last change: no message for each key of a word

    void check(const QString& text, const QString& file);
    /// Answers what was asked for at once, if it is not answered yet.
    void settle();
    /// Nothing that was asked for is answered any more.
    void forget();

signals:
    void checked(const lanes::gui::SourceState& state);

private:
    void start();

    QTimer m_delay;
    Question<SourceState> m_answer;
    QString m_text, m_file;
    bool m_isAsked = false;
};

}  // namespace lanes::gui

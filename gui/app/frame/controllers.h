// SPDX-License-Identifier: MIT
// The controllers of a window, each with one concern: made, joined to one another and to the parts that they fill, and
// asked together for what the window remembers and whether it may close.
#pragma once

#include <QObject>

class QMainWindow;
class QSettings;

namespace lanes::gui {

class Appearance;
class ComparisonView;
class Files;
class ForeignFiles;
class HandPredictions;
class Jobs;
class JobQueue;
class Lecture;
class Lessons;
class LiveKnobs;
class LiveRecording;
class MonitorStrip;
class NoticeBar;
class Predictions;
class Runs;
class Sessions;
class SideColumn;
class Stage;
class TopBar;
class Variants;
class WorkloadEditor;
class WorkloadTexts;
class Workspace;

class Controllers : public QObject {
    Q_OBJECT

public:
    struct Parts {
        Workspace* workspace;
        JobQueue* jobs;
        QMainWindow* window;
        ComparisonView* timeline;
        Stage* stage;
        TopBar* top;
        SideColumn* side;
        WorkloadEditor* editor;
        NoticeBar* notice;
        MonitorStrip* monitor;
        Lecture* lecture;
    };

    /// Each lives as long as the window. The parts are laid out and stay.
    explicit Controllers(const Parts& parts);

    /// What a window needs before it has its size, and once it has it.
    void restore(QSettings& settings);
    void restoreLast(QSettings& settings);
    /// Nothing is full screen any more after the first; then the window is to be made the usual one.
    void rememberFirst(QSettings& settings);
    void remember(QSettings& settings);
    /// Once its size is known.
    void rememberLast(QSettings& settings);
    /// Asks what to do with what is not saved.
    bool mayClose();
    void continueFrom(const Controllers& other);

    Appearance* appearance = nullptr;
    Files* files = nullptr;
    Sessions* sessions = nullptr;
    ForeignFiles* foreign = nullptr;
    Jobs* ranks = nullptr;
    WorkloadTexts* texts = nullptr;
    LiveKnobs* live = nullptr;
    LiveRecording* recorded = nullptr;
    Runs* runs = nullptr;
    Variants* variants = nullptr;
    Predictions* predictions = nullptr;
    HandPredictions* hand = nullptr;
    Lessons* lessons = nullptr;

signals:
    /// What can be done now is another.
    void changed();

private:
    void join(const Parts& parts);
};

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
// What the Record dialog asks for: a program, where it runs, and which part of it is recorded; as words of
// `lanes record`.
#pragma once

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <array>

class QSettings;

namespace lanes::gui {

struct RecordSettings {
    /// What begins and ends the part that is recorded, beside the times.
    enum class Trigger : std::uint8_t { all, range, profiler, steps };

    QString command;  ///< a line as one types it into a shell
    QString folder;
    QString environment;  ///< lines NAME=VALUE, over the window's own
    bool pytorch = false, stacks = false, wholeGraphs = false, allApi = false;
    Trigger part = Trigger::all;
    QString range, steps;  ///< of their parts
    QString delay, duration, maxSize;  ///< with units; empty: none
    friend bool operator==(const RecordSettings&, const RecordSettings&) = default;

    static RecordSettings restored(const QSettings& settings);
    void remember(QSettings& settings) const;
};

/// The words of a command line, as a POSIX shell divides them: quotes, backslashes, ~, $NAME and patterns of file
/// names (of the window's folder); nothing is run. `problem` says what is wrong with it, one sentence; "" if nothing.
QStringList wordsOf(const QString& line, QString* problem);

/// Where a field of the dialog is wrong.
enum class RecordField : std::uint8_t { command, folder, environment, part, delay, duration, maxSize };
inline constexpr std::size_t record_fields = 7;
/// One sentence a field, "" where nothing is wrong. An empty command is wrong without a sentence: see isReady().
std::array<QString, record_fields> problemsOf(const RecordSettings& settings);
/// Whether it can be started: no problem, and a command.
bool isReady(const RecordSettings& settings);

/// What `lanes` is called with to record into `output`, a .sqlite.
QStringList recordArguments(const RecordSettings& settings, const QString& output);
QProcessEnvironment environmentOf(const RecordSettings& settings);

/// "train.py" of "python3 train.py --epochs 3": what people call it.
QString programName(const RecordSettings& settings);

}  // namespace lanes::gui

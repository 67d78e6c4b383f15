// SPDX-License-Identifier: MIT
// What `lanescope` was called with.
#pragma once

#include <QCommandLineOption>
#include <QString>
#include <QStringList>

namespace lanes::gui {

struct CommandLine {
    enum class What { window, help, version, error };
    What what = What::window;
    QStringList files;  ///< at most two recordings, unless they are ranks; any number of workloads; or a session
    bool ranks = false;  ///< the recordings, two or more, are the ranks of one run
    QString row;  ///< id of the row that is selected and shown (engine/analysis/row_id.h); "": none
    QString language;  ///< "" from the settings or the locale
    QString error;  ///< one line, and in other languages than English a second with the engine's words
    bool ofFile = false;  ///< the error is one of a file, not of how the program is called
};

/// Reads the words after the program's name; `render` and what follows it are not for this.
/// Files are only checked to exist and to be readable; a session is read.
CommandLine readCommandLine(const QStringList& words);

/// Whether the window comes up with the error as its notice: whoever opens a file from a desktop has no terminal that
/// would say it. `terminal`: one of the standard streams is one; `display`: there is one to show a window on.
bool opensWindowAllTheSame(const CommandLine& line, bool terminal, bool display);

/// The options that it knows, as --help lists them. A name of a value with bars in it lists all that the value may be.
QList<QCommandLineOption> windowOptions();

/// What --help prints.
QString helpText();

bool isWorkloadFile(const QString& path);

}  // namespace lanes::gui

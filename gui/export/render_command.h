// SPDX-License-Identifier: MIT
// `lanescope render FILE [FILE_B] -o OUT.(png|svg|pdf|html) [--size 1920x1080] [--scale 2] [--range A:B] [--theme
// NAME]`
#pragma once

#include <QCommandLineOption>
#include <QStringList>

namespace lanes::gui {

using Speaker = void (*)(const QString& language);
/// Writes the site of all lessons, and of somebody's own workloads, into a folder, opening in a language; the exit
/// code, errors are said on stderr.
using LessonsWriter = int (*)(const QString& folder, const QString& language, const QStringList& own);

/// The options, as --help lists them. A name of a value with bars in it lists all that the value may be.
QList<QCommandLineOption> renderOptions();

/// Runs the command with the words after `render`. Needs no display; makes a QGuiApplication on the offscreen
/// platform if there is none yet. Returns the exit code: 0 done, 1 the picture could not be made or written,
/// 2 the words or the recordings were wrong; errors are one line on stderr, and a failure leaves no file.
/// Texts are English whatever the locale, so that the picture is the same everywhere; `speak`, if given, is called
/// with the language that --lang asks for; `writeLessons` does what --lessons DIR asks for.
int renderCommand(const QStringList& words, Speaker speak = nullptr, LessonsWriter writeLessons = nullptr);

}  // namespace lanes::gui

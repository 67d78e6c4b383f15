// SPDX-License-Identifier: MIT
// What a notice says when a file cannot be used: which file, what kind of failure, what to do about it, in the language
// of the window; under it the details in the words of the engine, which are English. In English those say all of it. Of
// the most frequent failures the sentence alone says all, in both languages.
#pragma once

#include <QString>

#include <exception>

namespace lanes::gui {

/// That it is not there; of a name that is not UTF-8, which Qt cannot pass on, that it cannot be opened.
QString missingFile(const QString& file);
/// Of a recording, a workload or a session that was to be read. May be called from any thread.
QString openingProblem(const std::exception& error, const QString& file);
/// Of a file that was to be written. May be called from any thread.
QString savingProblem(const std::exception& error, const QString& file);

}  // namespace lanes::gui

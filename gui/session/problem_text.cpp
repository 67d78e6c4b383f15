// SPDX-License-Identifier: MIT
#include "gui/session/problem_text.h"

#include "engine/store/recording_file.h"
#include "engine/workload/workload.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/printable_text.h"
#include "gui/session/format.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <system_error>

namespace lanes::gui {

namespace {

struct ProblemTexts {
    Q_DECLARE_TR_FUNCTIONS(ProblemText)
};

/// What the system did not do with a file; "" for what is said better in general.
QString ofTheSystem(const std::error_code& code, const QString& name)
{
    if (code == std::errc::no_such_file_or_directory) {
        return ProblemTexts::tr("%1 is not there. Check whether it was moved, renamed or deleted.").arg(name);
    }
    if (code == std::errc::permission_denied || code == std::errc::read_only_file_system) {
        return ProblemTexts::tr("%1 is not accessible: you lack the permission. Change it, or choose another folder.")
            .arg(name);
    }
    if (code == std::errc::no_space_on_device) {
        return ProblemTexts::tr("There is no room for %1: the disk is full.").arg(name);
    }
    if (code == std::errc::is_a_directory) {
        return ProblemTexts::tr("%1 is a folder. Choose a file in it.").arg(name);
    }
    return {};
}

/// What a file is that is no recording, and what to do; "" for what the engine's words say best.
QString ofTheStore(StoreError::Reason reason, const QString& name)
{
    switch (reason) {
    case StoreError::Reason::empty:
        return ProblemTexts::tr("%1 is empty. Record again, or copy the file again.").arg(name);
    case StoreError::Reason::unknown_format:
        return ProblemTexts::tr("%1 is not a file that Lanescope can open. What can be opened: %2.")
            .arg(name, formatsText());
    case StoreError::Reason::rocpd:
        return ProblemTexts::tr("%1 is a database of rocprofv3 (rocpd). rocpd convert -i %1 -f pftrace makes a file "
                                "that can be opened.")
            .arg(name);
    case StoreError::Reason::damaged_database:
        return ProblemTexts::tr("%1 is damaged or was cut short: SQLite cannot read it. Copy or export it again.")
            .arg(name);
    case StoreError::Reason::other:
        break;
    }
    return {};
}

QString withDetails(const QString& said, const std::exception& error)
{
    const QString details = nameText(error.what());
    return engineMessages().language() == "en" ? details : said + QLatin1Char('\n') + details;
}

}  // namespace

QString missingFile(const QString& file)
{
    return file.contains(QChar(QChar::ReplacementCharacter))
        ? ProblemTexts::tr("%1: a file whose name is not UTF-8 cannot be opened; rename it, or open a link to it")
              .arg(printable(file))
        : ProblemTexts::tr("%1: no such file").arg(printable(file));
}

QString openingProblem(const std::exception& error, const QString& file)
{
    if (file.contains(QChar(QChar::ReplacementCharacter)) && !QFileInfo::exists(file)) {
        return missingFile(file);
    }
    const QString name = printable(QFileInfo(file).fileName());
    QString said;
    if (const auto* system = dynamic_cast<const std::system_error*>(&error)) {
        said = ofTheSystem(system->code(), name);
    } else if (const auto* text = dynamic_cast<const WorkloadError*>(&error)) {
        said = text->line() > 0
            ? ProblemTexts::tr("%1 has a mistake in line %2. Correct the text there.").arg(name).arg(text->line())
            : QString();
    } else if (const auto* store = dynamic_cast<const StoreError*>(&error)) {
        if (const QString all = ofTheStore(store->reason, name); !all.isEmpty()) {
            return all;
        }
        said = store->line > 0
            ? ProblemTexts::tr("%1 cannot be read in line %2, column %3. Copy or export it again.")
                  .arg(name)
                  .arg(store->line)
                  .arg(store->column)
            : ProblemTexts::tr("%1 is no recording that can be opened, or it is damaged. What can be opened: %2.")
                  .arg(name, formatsText());
    }
    return withDetails(said.isEmpty() ? ProblemTexts::tr("%1 cannot be opened.").arg(name) : said, error);
}

QString savingProblem(const std::exception& error, const QString& file)
{
    const QString name = printable(QFileInfo(file).fileName());
    const auto* system = dynamic_cast<const std::system_error*>(&error);
    const QString said = system != nullptr ? ofTheSystem(system->code(), name) : QString();
    return withDetails(said.isEmpty() ? ProblemTexts::tr("%1 cannot be saved.").arg(name) : said, error);
}

}  // namespace lanes::gui

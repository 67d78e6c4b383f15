// SPDX-License-Identifier: MIT
#include "gui/app/record/record_settings.h"

#include "engine/run/record_arguments.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>

#include <wordexp.h>

#include <algorithm>

namespace lanes::gui {

namespace {

struct RecordTexts {
    Q_DECLARE_TR_FUNCTIONS(lanes::gui::RecordSettings)
};

const QRegularExpression& assignment()
{
    static const QRegularExpression pattern(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*="));
    return pattern;
}

QStringList linesOf(const QString& environment)
{
    return environment.split(QLatin1Char('\n'));
}

QString commandProblem(const RecordSettings& settings)
{
    QString problem;
    const QStringList words = wordsOf(settings.command, &problem);
    if (!problem.isEmpty() || words.isEmpty()) {
        return problem;
    }
    const QString& program = words.front();
    if (assignment().match(program).hasMatch()) {
        return RecordTexts::tr("“%1” is not a program: put environment variables in the field below.").arg(program);
    }
    if (!program.contains(QLatin1Char('/'))) {
        return QStandardPaths::findExecutable(program).isEmpty()
            ? RecordTexts::tr("There is no program “%1” in the folders of PATH.").arg(program)
            : QString();
    }
    const QFileInfo file(QDir(settings.folder), program);
    if (!file.exists()) {
        return RecordTexts::tr("There is no file “%1”.").arg(QDir::toNativeSeparators(file.filePath()));
    }
    if (file.isDir()) {
        return RecordTexts::tr("“%1” is a folder.").arg(program);
    }
    return file.isExecutable() ? QString()
                               : RecordTexts::tr("“%1” is not executable; a script needs its interpreter before it, "
                                                 "such as python3 %1.")
                                     .arg(program);
}

QString environmentProblem(const QString& environment)
{
    int number = 0;
    for (const QString& line : linesOf(environment)) {
        ++number;
        if (!line.trimmed().isEmpty() && !assignment().match(line.trimmed()).hasMatch()) {
            return RecordTexts::tr("Line %1: found “%2”, expected NAME=VALUE.").arg(number).arg(line.trimmed());
        }
    }
    return {};
}

QString amountProblem(const QString& text, Dimension dimension)
{
    if (text.trimmed().isEmpty() || amount(text.trimmed().toStdString(), dimension)) {
        return {};
    }
    return dimension == Dimension::time
        ? RecordTexts::tr("Found “%1”, expected a time such as 2s or 500ms.").arg(text.trimmed())
        : RecordTexts::tr("Found “%1”, expected a size such as 500MB or 2GiB.").arg(text.trimmed());
}

QString partProblem(const RecordSettings& settings)
{
    if (settings.part == RecordSettings::Trigger::range && settings.range.trimmed().isEmpty()) {
        return RecordTexts::tr("The name of the NVTX range is missing.");
    }
    if (settings.part == RecordSettings::Trigger::steps && !steps_of(settings.steps.trimmed().toStdString())) {
        return RecordTexts::tr("Found “%1”, expected two whole numbers, the second one larger, such as 10:20.")
            .arg(settings.steps.trimmed());
    }
    return {};
}

}  // namespace

RecordSettings RecordSettings::restored(const QSettings& settings)
{
    const auto text = [&](const char* key) { return settings.value(QLatin1String("record/") + QLatin1String(key)); };
    RecordSettings restored;
    restored.command = text("command").toString();
    restored.folder = text("folder").toString();
    restored.environment = text("environment").toString();
    restored.pytorch = text("pytorch").toBool();
    restored.stacks = text("stacks").toBool();
    restored.wholeGraphs = text("wholeGraphs").toBool();
    restored.allApi = text("allApi").toBool();
    restored.part = static_cast<Trigger>(std::clamp(text("part").toInt(), 0, static_cast<int>(Trigger::steps)));
    restored.range = text("range").toString();
    restored.steps = text("steps").toString();
    restored.delay = text("delay").toString();
    restored.duration = text("duration").toString();
    restored.maxSize = text("maxSize").toString();
    if (restored.folder.isEmpty()) {
        restored.folder = QDir::currentPath();
    }
    return restored;
}

void RecordSettings::remember(QSettings& settings) const
{
    const auto put = [&](const char* key, const QVariant& value) {
        settings.setValue(QLatin1String("record/") + QLatin1String(key), value);
    };
    put("command", command);
    put("folder", folder);
    put("environment", environment);
    put("pytorch", pytorch);
    put("stacks", stacks);
    put("wholeGraphs", wholeGraphs);
    put("allApi", allApi);
    put("part", static_cast<int>(part));
    put("range", range);
    put("steps", steps);
    put("delay", delay);
    put("duration", duration);
    put("maxSize", maxSize);
}

QStringList wordsOf(const QString& line, QString* problem)
{
    QStringList words;
    QString wrong;
    wordexp_t expanded {};
    switch (::wordexp(line.trimmed().toUtf8().constData(), &expanded, WRDE_NOCMD)) {
    case 0:
        for (std::size_t i = 0; i < expanded.we_wordc; ++i) {
            words += QString::fromUtf8(expanded.we_wordv[i]);
        }
        ::wordfree(&expanded);
        break;
    case WRDE_BADCHAR:
        wrong = RecordTexts::tr("Found | & ; < > ( ) { } or a line break outside quotation marks. One program is "
                                "recorded, with all processes it starts; for shell syntax, write sh -c '…'.");
        break;
    case WRDE_CMDSUB:
        wrong
            = RecordTexts::tr("Commands within the command, $(…) or `…`, are not run here; write sh -c '…' for them.");
        break;
    case WRDE_SYNTAX:
        wrong = RecordTexts::tr("A quotation mark or a brace is not closed.");
        break;
    default:
        wrong = RecordTexts::tr("The command cannot be read.");
    }
    if (problem != nullptr) {
        *problem = wrong;
    }
    return words;
}

std::array<QString, record_fields> problemsOf(const RecordSettings& settings)
{
    std::array<QString, record_fields> problems;
    const auto at = [&](RecordField field) -> QString& { return problems[static_cast<std::size_t>(field)]; };
    const QFileInfo folder(settings.folder);
    at(RecordField::command) = commandProblem(settings);
    at(RecordField::folder)
        = folder.isDir() ? QString() : RecordTexts::tr("There is no folder “%1”.").arg(settings.folder);
    at(RecordField::environment) = environmentProblem(settings.environment);
    at(RecordField::part) = partProblem(settings);
    at(RecordField::delay) = amountProblem(settings.delay, Dimension::time);
    at(RecordField::duration) = amountProblem(settings.duration, Dimension::time);
    at(RecordField::maxSize) = amountProblem(settings.maxSize, Dimension::bytes);
    return problems;
}

bool isReady(const RecordSettings& settings)
{
    const auto problems = problemsOf(settings);
    return !settings.command.trimmed().isEmpty()
        && std::all_of(problems.begin(), problems.end(), [](const QString& problem) { return problem.isEmpty(); });
}

QStringList recordArguments(const RecordSettings& settings, const QString& output)
{
    QStringList words {
        QStringLiteral("record"), QStringLiteral("-o"), QString(output).replace(u'%', QLatin1String("%%"))};
    const auto add = [&](const char* name, const QString& value) {
        if (!value.trimmed().isEmpty()) {
            words << QLatin1String(name) << value.trimmed();
        }
    };
    if (settings.pytorch) {
        words << QStringLiteral("--pytorch");
    }
    if (settings.stacks) {
        words << QStringLiteral("--stacks");
    }
    if (settings.wholeGraphs) {
        words << QStringLiteral("--graphs") << QStringLiteral("whole");
    }
    if (settings.allApi) {
        words << QStringLiteral("--all-api");
    }
    add("--delay", settings.delay);
    add("--duration", settings.duration);
    add("--max-size", settings.maxSize);
    switch (settings.part) {
    case RecordSettings::Trigger::all:
        break;
    case RecordSettings::Trigger::range:
        add("--range", settings.range);
        break;
    case RecordSettings::Trigger::profiler:
        words << QStringLiteral("--capture-range") << QStringLiteral("cudaProfilerApi");
        break;
    case RecordSettings::Trigger::steps:
        add("--steps", settings.steps);
        break;
    }
    return words << QStringLiteral("--") << wordsOf(settings.command, nullptr);
}

QProcessEnvironment environmentOf(const RecordSettings& settings)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const QString& line : linesOf(settings.environment)) {
        const QString pair = line.trimmed();
        if (const qsizetype equals = pair.indexOf(u'='); equals > 0) {
            environment.insert(pair.left(equals), pair.mid(equals + 1));
        }
    }
    return environment;
}

QString programName(const RecordSettings& settings)
{
    const QStringList words = wordsOf(settings.command, nullptr);
    static const QRegularExpression script(QStringLiteral("\\.(py|sh|jl|rb|lua)$"));
    const auto named
        = std::find_if(words.begin(), words.end(), [](const QString& word) { return word.contains(script); });
    return words.isEmpty() ? QString() : QFileInfo(named != words.end() ? *named : words.front()).fileName();
}

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
#include "gui/app/frame/command_line.h"
#include "engine/store/recording_file.h"
#include "engine/workload/nearest.h"
#include "engine/workload/workload.h"
#include "gui/app/open/session_file.h"
#include "gui/export/render_command.h"
#include "gui/session/problem_text.h"
#include "gui/session/texts.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <iterator>

namespace lanes::gui {

bool opensWindowAllTheSame(const CommandLine& line, bool terminal, bool display)
{
    return line.what == CommandLine::What::error && line.ofFile && !terminal && display;
}

bool isWorkloadFile(const QString& path)
{
    return path.endsWith(QLatin1String(".yaml"), Qt::CaseInsensitive)
        || path.endsWith(QLatin1String(".yml"), Qt::CaseInsensitive);
}

namespace {

QString unknownOption(const QString& word)
{
    const QString name = word.section(QLatin1Char('='), 0, 0);
    std::vector<std::string> known;
    for (const QCommandLineOption& option : windowOptions()) {
        known.push_back("--" + option.names().constLast().toStdString());
    }
    if (const auto nearest = nearest_name(name.toStdString(), known); name.size() > 2 && !nearest.empty()) {
        return tr("Unknown option %1; did you mean %2?").arg(word, QString::fromStdString(nearest));
    }
    std::vector<std::string> ofPictures;
    for (const QCommandLineOption& option : renderOptions()) {
        for (const QString& each : option.names()) {
            ofPictures.push_back((each.size() > 1 ? "--" : "-") + each.toStdString());
        }
    }
    const auto isIt = std::find(ofPictures.begin(), ofPictures.end(), name.toStdString());
    const auto nearest = isIt != ofPictures.end() ? *isIt
        : name.size() > 2                         ? nearest_name(name.toStdString(), ofPictures)
                                                  : std::string();
    return !nearest.empty()
        ? tr("%1 is an option of pictures: lanescope render FILE %1").arg(QString::fromStdString(nearest))
        : tr("Unknown option %1; lanescope --help lists them").arg(word);
}

/// Why it cannot be opened; "": nothing is seen that would keep it from that. A session is read, of a recording only
/// its kind is looked at.
QString fileProblem(const QString& path)
{
    const QFileInfo file(path);
    if (!file.exists()) {
        const bool isRender = !nearest_name(path.toStdString(), {"render"}).empty();
        return isRender ? tr("%1: no such file; did you mean lanescope render?").arg(path) : missingFile(path);
    }
    if (file.isDir()) {
        return tr("%1 is a folder, not a recording").arg(path);
    }
    if (!file.isFile()) {  // to open a FIFO would wait for whoever writes to it
        return tr("%1 is a FIFO, a device or a socket, not a recording").arg(path);
    }
    if (!file.isReadable()) {
        return tr("%1 cannot be read").arg(path);
    }
    try {
        if (isSessionFile(path)) {
            readSession(path);
        } else if (!isWorkloadFile(path)) {
            check_recording(QFile::encodeName(path).toStdString());
        }
    } catch (const std::exception& error) {
        return openingProblem(error, path);
    }
    return {};
}

QStringList recordingsOf(const CommandLine& line)
{
    QStringList recordings;
    std::copy_if(line.files.begin(), line.files.end(), std::back_inserter(recordings),
        [](const QString& file) { return !isSessionFile(file) && !isWorkloadFile(file); });
    return recordings;
}

/// Why files that open alone do not open together; "": they do.
QString problemTogether(const CommandLine& line)
{
    const auto session = std::find_if(line.files.rbegin(), line.files.rend(), isSessionFile);
    if (session != line.files.rend() && line.files.size() > 1) {
        return tr("%1 is a session, which opens alone: it names its recordings").arg(*session);
    }
    if (const QStringList recordings = recordingsOf(line); !line.ranks && recordings.size() > 2) {
        return tr("At most two recordings open side by side; %1 is one too many. Use --ranks if they are the "
                  "ranks of one run")
            .arg(recordings[2]);
    }
    return {};
}

}  // namespace

CommandLine readCommandLine(const QStringList& words)
{
    CommandLine line;
    bool onlyFiles = false;
    const auto wrong = [&line](const QString& message) {
        line.what = CommandLine::What::error;
        line.error = message;
        return line;
    };
    const auto wrongFile = [&](const QString& message) {  // which a desktop may have chosen
        line.ofFile = true;
        return wrong(message);
    };
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString& word = words[i];
        if (onlyFiles || !word.startsWith(QLatin1Char('-')) || word == QLatin1String("-")) {
            if (const QString problem = fileProblem(word); !problem.isEmpty()) {
                return wrongFile(problem);
            }
            line.files += word;
        } else if (word == QLatin1String("--")) {
            onlyFiles = true;
        } else if (word == QLatin1String("--help") || word == QLatin1String("-h")) {
            line.what = CommandLine::What::help;
            return line;
        } else if (word == QLatin1String("--version")) {
            line.what = CommandLine::What::version;
            return line;
        } else if (word == QLatin1String("--ranks")) {
            line.ranks = true;
        } else if (word == QLatin1String("--row") || word.startsWith(QLatin1String("--row="))) {
            const bool joined = word != QLatin1String("--row");
            line.row = joined ? word.mid(6) : i + 1 < words.size() ? words[++i] : QString();
            if (line.row.isEmpty()) {
                return wrong(tr("--row needs the id of a row, such as operation:12"));
            }
        } else if (word == QLatin1String("--lang") || word.startsWith(QLatin1String("--lang="))) {
            const bool joined = word != QLatin1String("--lang");
            if (!joined && i + 1 == words.size()) {
                return wrong(tr("--lang needs a language: en or zh_CN"));
            }
            line.language = joined ? word.mid(7) : words[++i];
            if (line.language != QLatin1String("en") && line.language != QLatin1String("zh_CN")) {
                return wrong(tr("Unknown language %1, expected en or zh_CN").arg(line.language));
            }
        } else {
            return wrong(unknownOption(word));
        }
    }
    if (const QString problem = problemTogether(line); !problem.isEmpty()) {
        return wrongFile(problem);
    }
    if (line.ranks && recordingsOf(line).size() < 2) {
        return wrong(tr("--ranks needs two or more recordings, one per rank"));
    }
    if (!line.row.isEmpty() && (line.ranks || recordingsOf(line).size() != 1)) {
        return wrong(tr("--row needs one recording"));
    }
    return line;
}

QList<QCommandLineOption> windowOptions()
{
    return {
        {QStringLiteral("ranks"), tr("open the recordings, one per rank of a run, as one")},
        {QStringLiteral("row"), tr("select and show this row; lanes report --json has the ids"), QStringLiteral("ID")},
        {QStringLiteral("lang"), tr("language of the window"), QStringLiteral("en|zh_CN")},
        {QStringLiteral("version"), tr("print the version")},
        {QStringLiteral("help"), tr("print this help; for pictures see lanescope render --help")},
    };
}

QString helpText()
{
    QString options;
    for (const QCommandLineOption& option : windowOptions()) {
        options += QStringLiteral("  --%1%2\n")
                       .arg((option.names().first() + QLatin1Char(' ') + option.valueName()).leftJustified(16),
                           option.description());
    }
    return tr("Usage: lanescope [FILE [FILE_B]] [WORKLOAD.yaml...]\n"
              "       lanescope SESSION.lanescope\n"
              "       lanescope --ranks FILE FILE...\n"
              "       lanescope render FILE [FILE_B] -o OUT.(png|svg|pdf|html)\n\n"
              "Shows what the CPU and the GPU do at the same time. Two recordings open side\n"
              "by side on one time scale; a workload opens in the list, ready to run; a\n"
              "session opens its recordings as they were looked at.\n\n"
              "%1\n"
              "Exit status: 0 success, 1 no display, 2 wrong argument or file.\n")
        .arg(options);
}

}  // namespace lanes::gui

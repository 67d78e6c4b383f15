// SPDX-License-Identifier: MIT
#include "gui/app/ranks/jobs.h"

#include "engine/job/gather.h"
#include "engine/shell_quoted.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/frame/panel_tabs.h"
#include "gui/app/frame/stage.h"
#include "gui/app/open/files.h"
#include "gui/app/ranks/job_view.h"
#include "gui/export/html/html_page.h"
#include "gui/export/html/job_page.h"
#include "gui/export/whole_file.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/panels/ranks/heat_view.h"
#include "gui/session/problem_text.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

Jobs::Jobs(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_view(new JobView)
{
    m_view->hide();
    parts.stage->setTop(m_view);
    connect(m_view, &JobView::rankWanted, this, [this](std::size_t rank, Ns moment) { choose(rank, moment); });
    connect(m_view, &JobView::secondWanted, this, [this](std::size_t second) {
        const JobShown& shown = m_view->shown();
        const auto& all = m_view->job()->report.ranks;
        choose(shown.chosen.value_or(all.front().index), second, shown.moment.value_or(m_view->job()->firstMoment()));
    });
}

void Jobs::addCommands(CommandTable& table)
{
    const auto isOpen = [this] { return m_view->job() != nullptr; };
    table.add({"job.export", tr("Export &map of ranks…"),
        tr("Saves the heat map, the sentence and the table of a job as PNG, SVG, PDF or HTML"), Menu::file,
        "Ctrl+Alt+I", isOpen, [this] { chooseFile(); }});
    table.add({"job.close", tr("Close the &job"), tr("Closes the job of many ranks and the lanes of its ranks"),
        Menu::file, "Ctrl+Alt+J", isOpen, [this] { close(); }});
    table.add({"job.measure", tr("Next &measure of ranks"),
        tr("Shows the next measure on the heat map: waited, exposed, idle, step time"), Menu::compare, "Ctrl+Alt+M",
        isOpen, [this] {
            auto next = (static_cast<std::size_t>(m_view->shown().measure) + 1) % heat_measures.size();
            if (heat_measures[next] == HeatMeasure::step && !m_view->job()->heat(HeatMeasure::step).is_of_steps) {
                next = 0;
            }
            m_view->setMeasure(heat_measures[next]);
        }});
    table.add({"job.map", tr("Heat map of the &job"), tr("Puts the keyboard into the heat map of a job"), Menu::go,
        "Ctrl+Alt+H", isOpen, [this] {
            m_parts.stage->showLanes();
            m_view->map()->setFocus(Qt::ShortcutFocusReason);
        }});
}

void Jobs::open(const QString& path)
{
    m_parts.notice->hide();
    auto found = std::make_shared<OpenJobPtr>();
    auto job = std::make_unique<WorkerJob>(
        WorkerJob::tr("Opening %1").arg(QFileInfo(path).fileName()),
        [path, found](const Progress& progress) -> OpenRecordingPtr {
            *found = openJob(path, progress);
            return nullptr;
        },
        nullptr, WorkerJob::Work(), [path](const std::exception& error) { return openingProblem(error, path); });
    m_parts.jobs->add(std::move(job), [this, found, path](const JobResult& result) {
        m_parts.notice->showEnd(result);
        if (*found && !result.cancelled) {
            take(*found);
            emit opened(path);
        }
    });
}

void Jobs::take(OpenJobPtr job)
{
    m_attached.clear();
    m_parts.workspace->set({});
    if (!m_view->job()) {
        m_sideHidden = m_parts.side->isHidden();
        m_panelsHidden = m_parts.stage->panels()->isHidden();
    }
    m_parts.side->hide();
    m_parts.stage->panels()->hide();  // lanes of two ranks have the room under the map
    m_view->setJob(std::move(job));
    m_view->show();
    m_parts.stage->setTopAlone(true);
    m_parts.stage->showLanes();
    m_view->map()->setFocus(Qt::OtherFocusReason);
    emit changed();
}

void Jobs::close()
{
    m_attached.clear();
    m_view->hide();
    m_view->setJob(nullptr);
    m_parts.stage->setTopAlone(false);
    m_parts.workspace->set({});
    m_parts.side->setHidden(m_sideHidden);
    m_parts.stage->panels()->setHidden(m_panelsHidden);
    m_parts.stage->showGallery();
    emit changed();
}

void Jobs::continueFrom(const Jobs& other)
{
    if (const OpenJobPtr& job = other.m_view->job()) {
        take(job);
        for (const auto& [rank, recording] : other.m_attached) {
            m_attached.emplace_back(rank, titled(retold(recording), titleOf(rank)));
        }
        m_view->setMeasure(other.m_view->shown().measure);
        if (const JobShown& shown = other.m_view->shown(); shown.chosen) {
            choose(*shown.chosen, shown.second.value_or(*shown.chosen), *shown.moment);
        }
    }
}

/// Where the job's file says, else beside it: what `lanes gather --full` fetched, or what was copied with it.
QString Jobs::fileOf(std::size_t rank) const
{
    const OpenJobPtr& job = m_view->job();
    const QString file = QString::fromStdString(job->ranks[rank].file);
    const QDir beside = QFileInfo(job->path).dir();
    const QString number = QStringLiteral("rank%1").arg(job->ranks[rank].identity.rank, 4, 10, QLatin1Char('0'));
    const QDir full(job->path + QStringLiteral(".full"));
    QStringList tries {file, beside.filePath(QFileInfo(file).fileName())};
    for (const QString& name : full.entryList({number + QStringLiteral(".*")}, QDir::Files)) {
        if (!name.endsWith(QLatin1String(".sum")) && !name.contains(QLatin1String(".partial-"))) {
            tries.prepend(full.filePath(name));
        }
    }
    for (const QString& path : tries) {
        if (QFileInfo(path).isFile()) {
            return path;
        }
    }
    return {};
}

QString Jobs::titleOf(std::size_t rank) const
{
    const OpenJob& job = *m_view->job();
    return job.hostOf(rank).isEmpty() ? job.nameOf(rank)
                                      : QStringLiteral("%1 · %2").arg(job.nameOf(rank), job.hostOf(rank));
}

OpenRecordingPtr Jobs::known(std::size_t rank)
{
    const auto at
        = std::find_if(m_attached.begin(), m_attached.end(), [&](const auto& each) { return each.first == rank; });
    if (at == m_attached.end()) {
        return nullptr;
    }
    const auto found = *at;
    m_attached.erase(at);
    m_attached.push_front(found);
    return found.second;
}

void Jobs::choose(std::size_t rank, Ns moment)
{
    const JobShown& shown = m_view->shown();
    const bool isSame = shown.chosen == rank && shown.second;
    choose(rank, isSame ? *shown.second : m_view->job()->medianBeside(rank), moment);
}

void Jobs::choose(std::size_t rank, std::size_t second, Ns moment)
{
    m_view->mark(rank, second, moment);
    std::vector<std::size_t> missing;
    for (const std::size_t each : {rank, second}) {
        if (!attach(each) && (missing.empty() || missing.front() != each)) {
            missing.push_back(each);
        }
    }
    if (!missing.empty()) {
        sayMissing(missing);
    }
    if (known(rank)) {
        showLanes();
    }
}

/// What lies on another host is fetched by a command, which is for all of them.
void Jobs::sayMissing(const std::vector<std::size_t>& missing)
{
    const OpenJob& job = *m_view->job();
    const auto isRemote = [&](std::size_t rank) { return !remote_folder(job.ranks[rank].file).host.empty(); };
    const auto remote = std::find_if(missing.begin(), missing.end(), isRemote);
    const std::size_t named = remote == missing.end() ? missing.front() : *remote;
    const QString file = printable(QString::fromStdString(job.ranks[named].file));
    if (remote == missing.end()) {
        m_parts.notice->showNotice(tr("The recording of %1 is not here: %2. Put it there, or beside %3.")
                                       .arg(job.nameOf(named), file, printable(QFileInfo(job.path).fileName())));
        return;
    }
    QStringList numbers;
    for (const std::size_t rank : missing) {
        if (isRemote(rank)) {
            numbers << QString::number(job.ranks[rank].identity.rank);
        }
    }
    const std::string path = job.path.toStdString();
    const QString command = QString::fromStdString(
        shell_line({"lanes", "gather", path, "--full", numbers.join(QLatin1Char(',')).toStdString(), "-o", path}));
    m_parts.notice->showOffer(
        tr("The recording of %1 is not here: %2. This command fetches it: %3").arg(job.nameOf(named), file, command),
        tr("Copy the command"), [command] { QGuiApplication::clipboard()->setText(command); });
}

bool Jobs::attach(std::size_t rank)
{
    if (known(rank)) {
        return true;
    }
    const OpenJobPtr job = m_view->job();
    const QString file = fileOf(rank);
    if (file.isEmpty()) {
        return false;
    }
    const QString title = titleOf(rank);
    const auto isChosen = [this, job, rank] {
        const JobShown& shown = m_view->shown();
        return m_view->job() == job && (shown.chosen == rank || shown.second == rank);
    };
    m_parts.jobs->add(
        std::unique_ptr<Job>(makeOpenJob(file)),
        [this, job, rank, title, isChosen](const JobResult& result) {
            if (!result.recording) {
                m_parts.notice->showEnd(result);
            } else if (m_view->job() == job && !known(rank)) {
                m_attached.emplace_front(
                    rank, withAwaited(titled(result.recording, title), job->awaitedIn(rank, *result.recording->trace)));
                m_attached.resize(std::min(m_attached.size(), most_attached));
            }
            if (isChosen()) {
                showLanes();
            }
        },
        {}, [this, rank, isChosen] { return isChosen() && !known(rank); });
    return true;
}

/// Those that are chosen and there, the anchors of both at the chosen moment.
void Jobs::showLanes()
{
    const OpenJobPtr& job = m_view->job();
    const JobShown shown = m_view->shown();
    std::vector<OpenRecordingPtr> recordings;
    std::vector<std::size_t> ranks;
    for (const auto& rank : {shown.chosen, shown.second}) {
        if (rank && (ranks.empty() || ranks.front() != *rank)) {
            if (auto recording = known(*rank)) {
                recordings.push_back(std::move(recording));
                ranks.push_back(*rank);
            }
        }
    }
    if (recordings.empty()) {
        return;
    }
    if (m_parts.workspace->recordings().size() != recordings.size()
        || !std::equal(recordings.begin(), recordings.end(), m_parts.workspace->recordings().begin(),
            [](const auto& a, const auto& b) { return a->trace == b->trace; })) {
        m_parts.workspace->set(recordings);
    }
    m_parts.stage->setTopAlone(false);
    m_parts.side->hide();
    const auto inFile = [&](std::size_t i, Ns own) { return own - recordings[i]->trace->origin; };
    bool isTimeCommon = true;
    if (recordings.size() == 2) {
        lanes::gui::Alignment alignment;
        for (std::size_t i = 0; i < 2; ++i) {
            alignment.anchor[i] = inFile(i, job->ownTime(ranks[i], *shown.moment));
        }
        const auto apart = job->clocksApart(ranks[0], ranks[1], *shown.moment);
        alignment.uncertainty = apart.value_or(0);
        isTimeCommon = apart.has_value();
        alignment.name = !apart ? tr("their first moments: the clocks cannot be compared")
            : *apart == 0       ? tr("one clock")
                                : tr("the common clock, ± %1").arg(formatTime(*apart));
        m_parts.timeline->pair().setAlignment(alignment, 0);
    }
    const Interval part = job->partAt(ranks.front(), *shown.moment);
    const Ns margin = (part.end - part.start) / 50;
    const Interval range {inFile(0, part.start) - margin, inFile(0, part.end) + margin};
    m_parts.timeline->showRange(range);
    // The chosen moment has one time on the map and on the rulers of both.
    auto& pair = m_parts.timeline->pair();
    std::vector<PartOfRun> parts;
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        const OpenJob::Said said = job->saidOf(ranks[i], ranks.front(), *shown.moment);
        parts.push_back({inFile(i, job->ownTime(ranks[i], *shown.moment)) - (*shown.moment - job->parts.time.start),
            said.text, said.isLate, i == 0 ? range : pair.alignment().across(range, 0)});
    }
    if (!isTimeCommon) {
        parts.back().said += (parts.back().said.isEmpty() ? QString() : QStringLiteral(" \u00B7 "))
            + tr("the clocks cannot be compared");
    }
    pair.setParts(parts);
    emit changed();
}

void Jobs::chooseFile()
{
    auto* chooser = new QFileDialog(
        m_view->window(), tr("Export the map of ranks"), {}, tr("Picture (*.png *.svg *.pdf);;Page (*.html)"));
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->selectFile(m_view->job()->title() + QStringLiteral(".png"));
    connect(chooser, &QFileDialog::fileSelected, this, &Jobs::save);
    showChooser(chooser);
}

void Jobs::save(const QString& path)
{
    const auto format = pictureFormatOf(path);
    QByteArray bytes;
    try {
        if (isPage(path)) {
            bytes = jobPage(m_view->job(), m_view->shown().measure, QString::fromStdString(windowLanguage()));
        } else if (format) {
            PictureOptions options;
            options.theme = m_parts.timeline->side(0).theme().name;
            options.svgText = SvgText::embedded;
            bytes = renderJob(m_view->job(), m_view->shown(), *format, options).bytes;
        } else {
            m_parts.notice->showError(
                tr("%1: unknown ending, expected .png, .svg, .pdf or .html").arg(QDir::toNativeSeparators(path)));
            return;
        }
    } catch (const std::exception& error) {
        m_parts.notice->showError(QString::fromUtf8(error.what()));
        return;
    }
    m_parts.notice->showSaved(path, saveWhole(path, bytes));
}

}  // namespace lanes::gui

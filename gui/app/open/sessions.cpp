// SPDX-License-Identifier: MIT
#include "gui/app/open/sessions.h"

#include "gui/app/frame/job_queue.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/open/files.h"
#include "gui/export/whole_file.h"
#include "gui/session/problem_text.h"
#include "gui/session/workspace.h"
#include "gui/timeline/alignment.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>

namespace lanes::gui {

Sessions::Sessions(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
{
    connect(parts.files, &Files::sessionWanted, this, &Sessions::open);
}

void Sessions::addCommands(CommandTable& table)
{
    table.add({"file.save-session", tr("Sa&ve session…"),
        tr("Saves what is open with view, range, filter, marks, annotations and lanes, to be opened again"), Menu::file,
        "Ctrl+Alt+W", [this] { return !m_parts.jobs->busy() && m_parts.workspace->count() > 0; },
        [this] { chooseAndSave(); }});
}

// ---- saving

void Sessions::chooseAndSave()
{
    auto* chooser = new QFileDialog(m_parts.timeline->window(), tr("Save session"), {}, tr("Session (*.lanescope)"));
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->setDefaultSuffix(QStringLiteral("lanescope"));
    QStringList names;
    for (const OpenRecordingPtr& recording : m_parts.workspace->recordings()) {
        names += nameForFile(*recording);
    }
    chooser->selectFile(names.join(QLatin1Char('+')) + QStringLiteral(".lanescope"));
    connect(chooser, &QFileDialog::fileSelected, this, &Sessions::save);
    showChooser(chooser);
}

QString Sessions::fileOf(const OpenRecording& recording) const
{
    const auto kept = std::find_if(m_kept.begin(), m_kept.end(),
        [&](const auto& one) { return one.first.lock() == recording.trace && QFileInfo(one.second).isFile(); });
    return !recording.path.isEmpty() ? recording.path : kept == m_kept.end() ? QString() : kept->second;
}

/// What was there under that name stays.
void Sessions::keepBeside(int side, const QString& path)
{
    OpenRecordingPtr recording = m_parts.workspace->at(side);
    const QString base = QFileInfo(path).dir().filePath(
        QFileInfo(path).completeBaseName() + QLatin1Char('.') + QLatin1Char(side == 0 ? 'a' : 'b'));
    QString free = base + QStringLiteral(".sqlite");
    for (int number = 2; QFileInfo::exists(free); ++number) {
        free = QStringLiteral("%1-%2.sqlite").arg(base).arg(number);
    }
    auto job = std::make_unique<WorkerJob>(tr("Saving %1").arg(QFileInfo(free).fileName()),
        [recording, free, marks = recording->marks->all()](const Progress& progress) {
            save_recording(*recording->trace, free.toStdString(), progress, &marks);
            return recording;
        });
    m_parts.jobs->add(std::move(job), [this, recording, free, path](const JobResult& result) {
        m_parts.notice->showEnd(result);
        if (result.recording) {
            m_kept.emplace_back(recording->trace, free);
            save(path);
        }
    });
}

void Sessions::save(const QString& path)
{
    for (int side = 0; side < m_parts.workspace->count(); ++side) {
        if (fileOf(*m_parts.workspace->at(side)).isEmpty()) {
            keepBeside(side, path);
            return;  // it goes on when that is done
        }
    }
    const QString folder = QFileInfo(path).absolutePath();
    const QString problem = saveWhole(path, QByteArray::fromStdString(sessionText(present(), folder)));
    if (problem.isEmpty()) {
        m_parts.files->addRecent(path);
    }
    m_parts.notice->showSaved(path, problem);
}

Session Sessions::present() const
{
    const ComparisonView& timeline = *m_parts.timeline;
    Session session;
    for (int index = 0; index < m_parts.workspace->count(); ++index) {
        const OpenRecording& recording = *m_parts.workspace->at(index);
        const TimelineState& state = timeline.side(index).state();
        const QString file = QFileInfo(fileOf(recording)).absoluteFilePath();
        session.sides.push_back(
            {file, QFileInfo(file).size(), recording.marks->all(), state.arrangement, state.scroll});
        for (Annotation one : *recording.annotations) {
            one.side = index;
            session.annotations.push_back(std::move(one));
        }
    }
    const TimelineState& first = timeline.side(0).state();
    session.view = first.time.isFitted() ? std::nullopt : std::optional(timeline.side(0).visibleRange());
    session.range = first.highlights.range;
    session.filter = first.choice.filterText();
    session.grouping = first.choice.grouping;
    session.order = first.choice.order;
    session.colours = first.choice.colours;
    session.alignment = timeline.pair().alignment();
    session.reference = session.sides.size() > 1 ? timeline.pair().reference() : 0;
    session.scope = timeline.pair().chosenScope();
    return session;
}

// ---- opening

void Sessions::open(const QString& path)
{
    m_parts.notice->hide();
    try {
        openNext(path, std::make_shared<Session>(readSession(path)), std::make_shared<std::vector<OpenRecordingPtr>>());
    } catch (const WorkloadError& error) {
        m_parts.notice->showError(openingProblem(error, path));
    }
}

void Sessions::openNext(const QString& path, const std::shared_ptr<Session>& session,
    const std::shared_ptr<std::vector<OpenRecordingPtr>>& opened)
{
    if (opened->size() == session->sides.size()) {
        show(path, *session, *opened);
        return;
    }
    const QString file = session->sides[opened->size()].file;
    m_parts.files->expect(file);
    m_parts.jobs->add(std::unique_ptr<Job>(makeOpenJob(file)), [=, this](const JobResult& result) {
        m_parts.notice->showEnd(result, QFileInfo(file).fileName());
        if (result.recording) {
            opened->push_back(result.recording);
            openNext(path, session, opened);
        }
    });
}

void Sessions::show(const QString& path, const Session& session, const std::vector<OpenRecordingPtr>& opened)
{
    QStringList changed;
    for (std::size_t side = 0; side < opened.size(); ++side) {
        opened[side]->marks->set(session.sides[side].marks);
        opened[side]->annotations->clear();
        for (const Annotation& one : session.annotations) {
            if (static_cast<std::size_t>(one.side) == side) {
                opened[side]->annotations->push_back(one);
            }
        }
        const QFileInfo file(session.sides[side].file);
        if (session.sides[side].bytes > 0 && file.size() != session.sides[side].bytes) {
            changed += file.fileName();
        }
    }
    const bool first = m_parts.workspace->count() == 0;
    m_parts.workspace->set(opened);
    m_parts.files->addRecent(path);
    if (first) {
        emit firstOpened();
    }
    // Once the lanes have their room and what is shown of a new recording has been decided.
    QTimer::singleShot(0, this, [this, session, opened, changed] {
        if (m_parts.timeline->recordings() != std::vector<RecordingPtr>(opened.begin(), opened.end())) {
            return;
        }
        arrange(session);
        if (!changed.isEmpty()) {
            m_parts.notice->showNotice(tr("%1 changed since the session was saved: marks, range and view may not fit.")
                                           .arg(changed.join(QStringLiteral(", "))));
        }
    });
}

void Sessions::arrange(const Session& session)
{
    ComparisonView& timeline = *m_parts.timeline;
    timeline.pair().choose({session.grouping, timeline.side(0).state().choice.filter, session.order, session.colours});
    session.filter.empty() ? timeline.filterBar()->clear()
                           : timeline.filterBar()->ask(QString::fromStdString(session.filter));
    for (std::size_t index = 0; index < session.sides.size(); ++index) {
        timeline.side(static_cast<int>(index)).setArrangement(session.sides[index].arrangement);
    }
    timeline.pair().setAlignment(session.alignment, 0);
    timeline.pair().setReference(session.reference);
    timeline.side(0).selectRange(session.range);
    session.view ? timeline.side(0).showRange(*session.view) : timeline.side(0).showAll();
    for (std::size_t index = 0; index < session.sides.size(); ++index) {
        timeline.side(static_cast<int>(index)).scrollTo(session.sides[index].scroll);
    }
    timeline.pair().chooseScope(session.scope);
}

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
#include "gui/app/explore/annotate.h"

#include "engine/workload/workload.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/open/annotation_memory.h"
#include "gui/app/open/files.h"
#include "gui/export/annotation_file.h"
#include "gui/export/whole_file.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr qint64 most_annotation_file = 1 << 20;

}  // namespace

Annotate::Annotate(Workspace* workspace, ComparisonView* timeline, NoticeBar* notice)
    : QObject(timeline)
    , m_workspace(workspace)
    , m_timeline(timeline)
    , m_notice(notice)
{
    for (const int side : {0, 1}) {
        AnnotationHand& hand = timeline->side(side).annotations();
        AnnotationHand& other = timeline->side(1 - side).annotations();
        connect(&hand, &AnnotationHand::pendingChanged, this, [this, &hand, &other] {
            if (!hand.pending()) {
                other.begin({});
            }
            emit hintChanged(hand.pending() ? hintFor(*hand.pending()) : QString());
        });
        connect(&hand, &AnnotationHand::full, this, [this] {
            m_notice->showNotice(
                tr("A recording has at most %L1 annotations. Remove one to place another.").arg(most_annotations));
        });
        connect(&hand, &AnnotationHand::changed, this, [this, side] {
            if (const OpenRecordingPtr one = m_workspace->at(side); one && !one->path.isEmpty()) {
                rememberAnnotations(one->path, *one->annotations);
            }
        });
    }
}

void Annotate::addCommands(CommandTable& table)
{
    const auto open = [this] { return !m_timeline->recordings().empty(); };
    using Kind = Annotation::Kind;
    table.add(
        {"edit.annotate-text", tr("&Write a text"), tr("A click on the lanes then places a text, also in pictures"),
            Menu::edit, "Ctrl+Alt+N", open, [this] { begin(Kind::text); }, {}, true});
    table.add({"edit.annotate-bracket", tr("Draw a &bracket"),
        tr("A drag along a lane then marks the time between two points, a click marks an event; also in pictures"),
        Menu::edit, "Ctrl+Alt+B", open, [this] { begin(Kind::bracket); }});
    table.add({"edit.annotate-arrow", tr("Draw an &arrow"), tr("A drag over the lanes then draws an arrow with a text"),
        Menu::edit, "Ctrl+Alt+A", open, [this] { begin(Kind::arrow); }});
    table.add({"edit.annotate-frame", tr("Draw a f&rame"),
        tr("A drag along a lane then frames a part of it, a click frames an event"), Menu::edit, "Ctrl+Alt+R", open,
        [this] { begin(Kind::frame); }});
    table.add({"edit.undo", tr("U&ndo"), tr("Takes back what was done last to annotations, marks, lanes or the filter"),
        Menu::edit, "Ctrl+Z", [this] { return sideOf(&MarkupHistory::lastDone) >= 0; },
        [this] { m_timeline->side(std::max(sideOf(&MarkupHistory::lastDone), 0)).markup().undo(); }});
    table.add({"edit.redo", tr("Redo"), tr("Does again what was taken back last"), Menu::edit, "Ctrl+Shift+Z",
        [this] { return sideOf(&MarkupHistory::lastUndone, true) >= 0; },
        [this] { m_timeline->side(std::max(sideOf(&MarkupHistory::lastUndone, true), 0)).markup().redo(); }});
    table.add({"edit.remove", tr("Rem&ove the annotation or mark"),
        tr("Removes the selected text, bracket, arrow, frame or mark: the one that was placed or clicked last"),
        Menu::edit, "Ctrl+Delete",
        [this] { return m_timeline->side(0).hasChosen() || m_timeline->side(1).hasChosen(); },
        [this] { m_timeline->side(m_timeline->side(0).hasChosen() ? 0 : 1).removeChosen(); }, {}, false,
        TimelineAction::removeChosen});
    table.add({"file.save-annotations", tr("Save a&nnotations…"),
        tr("Saves texts, brackets, arrows and frames as a YAML file for lanescope render"), Menu::file, "",
        [this] { return any(); }, [this] { chooseAndSave(); }});
    table.add({"file.load-annotations", tr("Load &annotations…"), tr("Replaces the annotations by those of a file"),
        Menu::file, "", open, [this] { chooseAndLoad(); }});
}

void Annotate::begin(Annotation::Kind kind)
{
    for (const int side : {0, 1}) {
        m_timeline->side(side).annotations().begin(kind);
    }
}

QString Annotate::hintFor(Annotation::Kind kind)
{
    switch (kind) {
    case Annotation::Kind::text:
        return tr("Text: click its place in the lanes, Esc ends");
    case Annotation::Kind::bracket:
        return tr("Bracket: drag along a lane or click an event, Esc ends");
    case Annotation::Kind::arrow:
        return tr("Arrow: drag over the lanes, Esc ends");
    case Annotation::Kind::frame:
        return tr("Frame: drag along a lane or click an event, Esc ends");
    }
    return {};
}

/// Whose step is the last one, or the first one; -1: there is none.
int Annotate::sideOf(std::uint64_t (MarkupHistory::*number)() const, bool first) const
{
    const auto a = (m_timeline->side(0).markup().*number)();
    const auto b = (m_timeline->side(1).markup().*number)();
    return a == 0 && b == 0 ? -1 : a == 0 ? 1 : b == 0 ? 0 : (a < b) == first ? 0 : 1;
}

bool Annotate::any() const
{
    for (const int side : {0, 1}) {
        const auto all = m_timeline->side(side).annotations().all();
        if (all && !all->empty()) {
            return true;
        }
    }
    return false;
}

QString Annotate::save(const QString& path) const
{
    std::vector<Annotation> both;
    for (const int side : {0, 1}) {
        if (const auto all = m_timeline->side(side).annotations().all()) {
            for (Annotation one : *all) {
                one.side = side;
                both.push_back(std::move(one));
            }
        }
    }
    return saveWhole(path, QByteArray::fromStdString(annotationText(both)));
}

QString Annotate::load(const QString& path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) {
        return file.errorString();
    }
    if (file.size() > most_annotation_file) {
        return tr("it is larger than 1 MiB");
    }
    const std::vector<RecordingPtr> recordings = m_timeline->recordings();
    try {
        const auto read
            = parseAnnotationsOf(recordings, file.readAll().toStdString(), QFileInfo(path).fileName().toStdString());
        for (int side = 0; side < static_cast<int>(recordings.size()); ++side) {
            AnnotationHand& hand = m_timeline->side(side).annotations();
            hand.all()->clear();
            for (const Annotation& one : read) {
                if (one.side == side) {
                    hand.add(one);
                }
            }
            emit hand.sketched();
            emit hand.changed();
        }
    } catch (const WorkloadError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

void Annotate::chooseAndSave()
{
    auto* chooser = new QFileDialog(m_timeline->window(), tr("Save annotations"), {}, tr("Annotations (*.yaml)"));
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->setDefaultSuffix(QStringLiteral("yaml"));
    chooser->selectFile(QStringLiteral("annotations.yaml"));
    connect(chooser, &QFileDialog::fileSelected, this,
        [this](const QString& path) { m_notice->showSaved(path, save(path)); });
    showChooser(chooser);
}

void Annotate::chooseAndLoad()
{
    auto* chooser = new QFileDialog(m_timeline->window(), tr("Load annotations"), {}, tr("Annotations (*.yaml)"));
    chooser->setFileMode(QFileDialog::ExistingFile);
    connect(chooser, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (const QString problem = load(path); !problem.isEmpty()) {
            m_notice->showError(tr("The annotations cannot be read: %1").arg(problem));
        }
    });
    showChooser(chooser);
}

}  // namespace lanes::gui

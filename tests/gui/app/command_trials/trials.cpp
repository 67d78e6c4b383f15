// SPDX-License-Identifier: MIT
#include "tests/gui/app/command_trials/trials.h"

#include "engine/store/recording_file.h"
#include "engine/trace/event.h"
#include "gui/app/learn/guess_page.h"
#include "gui/app/learn/presenter_notes.h"
#include "gui/app/open/place_dialog.h"
#include "gui/panels/details_panel.h"
#include "gui/timeline/filter_bar.h"
#include "tests/gui/app/command_trials/trial_states.h"
#include "tests/gui/panels/late_iterations.h"
#include "tests/patience.h"

namespace lanes::gui {

namespace {

using namespace trial_states;

const std::vector<CommandTrial> trials {
    // file
    {"file.open", one, dialogShown("fileDialog"),
        [](S& s) {
            s.answerFileDialog(s.window().workspace().at(0)->path);
            QTRY_VERIFY(s.window().findChild<PlaceDialog*>() != nullptr);
            s.window().findChild<PlaceDialog*>()->findChild<QPushButton*>(QStringLiteral("placeB"))->click();
            QTRY_COMPARE(s.window().workspace().count(), 2);
        }},
    {"file.save-a", one, dialogShown("fileDialog"), [](S& s) { saved(s, "saved-a.sqlite"); }},
    {"file.save-b", two, dialogShown("fileDialog"), [](S& s) { saved(s, "saved-b.csv"); }},
    {"file.save-range", range, dialogShown("fileDialog"),
        [](S& s) {
            saved(s, "part.sqlite");
            const Interval selected = s.window().workspace().selectedRanges()[0];
            QCOMPARE(open_recording(s.file("part.sqlite").toStdString()).duration, selected.end - selected.start);
        }},
    {"file.save-session", two, dialogShown("fileDialog"),
        [](S& s) {
            s.answerFileDialog(s.file("both.lanescope"));
            QTRY_VERIFY(QFile::exists(s.file("both.lanescope")));
        }},
    {"file.export", one, dialogShown("exportDialog")},
    {"file.print", one, dialogShown("printDialog")},
    {"file.copy-picture",
        [](S& s) {
            QApplication::clipboard()->clear();
            s.openTwo();
        },
        [](S& s) { return QApplication::clipboard()->image().width() == s.view().width() * 2; },
        [](S& s) {
            const auto* data = QApplication::clipboard()->mimeData();
            QVERIFY(data->data(QStringLiteral("image/svg+xml")).contains("overlapped"));
            QVERIFY(s.window().findChild<NoticeBar*>()->text().contains(QLatin1String("Copied")));
        }},
    {"job.export", job, dialogShown("fileDialog"), [](S& s) { saved(s, "map.png"); }},
    {"job.close", job, [](S& s) { return s.window().findChild<JobView*>()->job() == nullptr; }},
    {"edit.annotate-text", one, placing(Annotation::Kind::text)},
    {"edit.annotate-bracket", one, placing(Annotation::Kind::bracket)},
    {"edit.annotate-arrow", one, placing(Annotation::Kind::arrow)},
    {"edit.annotate-frame", one, placing(Annotation::Kind::frame)},
    {"job.measure", job,
        [](S& s) { return s.window().findChild<JobView*>()->shown().measure == HeatMeasure::exposed; }},
    {"job.map",
        [](S& s) {
            job(s);
            s.window().findChild<RankTable*>()->setFocus();
        },
        [](S& s) { return s.window().findChild<HeatView*>()->hasFocus(); }},
    {"edit.remove", annotated, [](S& s) { return s.side().annotations().all()->empty(); },
        [](S& s) {
            markedAside(s);
            s.side().marks().goTo(1);
            s.window().action("edit.remove")->trigger();
            QCOMPARE(s.side().recording()->marks->all().size(), std::size_t {1});
            s.window().action("edit.remove")->trigger();  // the next one; marks are remembered
            QVERIFY(s.side().recording()->marks->all().empty());
        }},
    {"edit.undo",
        [](S& s) {
            annotated(s);
            s.window().action("edit.remove")->trigger();
        },
        [](S& s) { return s.side().annotations().all()->size() == 1; },
        [](S& s) {
            s.window().action("edit.redo")->trigger();  // annotations are remembered: the next trial begins without any
            QVERIFY(s.side().annotations().all()->empty());
        }},
    {"edit.redo",
        [](S& s) {
            annotated(s);
            s.window().action("edit.remove")->trigger();
            s.window().action("edit.undo")->trigger();
        },
        [](S& s) { return s.side().annotations().all()->empty(); }},
    {"file.save-annotations", annotated, dialogShown("fileDialog"),
        [](S& s) {
            s.answerFileDialog(s.file("notes.yaml"));
            QFile file(s.file("notes.yaml"));
            QTRY_VERIFY(file.exists());  // beside and renamed: it is whole
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(file.readAll().contains("bracket"));
        }},
    {"file.load-annotations", one, dialogShown("fileDialog")},
    {"file.reload",
        [](S& s) {
            zoomedIn(s);
            s.window().workspace().set({s.window().workspace().at(0)});  // as opened, and zoomed in
            QTest::keyClick(&s.view(), Qt::Key_W);
        },
        [](S& s) { return s.window().workspace().at(0) != s.before.a; },
        [](S& s) { QCOMPARE(s.timeline().timeScale(), s.before.scale); }},
    {"file.close-a", two, [](S& s) { return s.window().workspace().at(0) == s.before.b; }},
    {"file.close-b", two, [](S& s) { return s.window().workspace().count() == 1; },
        [](S& s) { QCOMPARE(s.window().workspace().at(0), s.before.a); }},
    {"file.quit", nothing, [](S& s) { return !s.window().isVisible(); }},
    // edit
    {"edit.copy-details", operation,
        [](S&) { return QApplication::clipboard()->text().contains(QStringLiteral("matmul")); }},
    {"edit.find", one,
        [](S& s) { return S::focusIn(s.window().findChild<QLineEdit*>(QStringLiteral("searchField"))); }},
    {"edit.filter", one,
        [](S& s) { return S::focusIn(s.window().findChild<QLineEdit*>(QStringLiteral("eventFilter"))); }},
    {"edit.clear", operation, [](S& s) { return !s.side().selection(); }},
    {"edit.measure", operation, [](S& s) { return s.window().action("edit.measure")->isChecked(); },
        [](S& s) {
            const EventRef first = s.window().workspace().selection().event;
            s.window().workspace().select(0, {EventTable::operations, first.row + 1});
            const Trace& trace = *s.side().recording()->trace;
            QVERIFY((s.side().state().highlights.range
                == Interval {span_of(trace, first).start, trace.operations.end[first.row + 1]}));
            QVERIFY(!s.window().action("edit.measure")->isChecked());
        }},
    {"edit.range-end-later", operation,
        [](S& s) { return s.side().state().highlights.range == spanOf(*s.side().recording(), s.side().selection()); }},
    {"edit.range-end-earlier", range, [](S& s) { return rangeMoved(s, 0, -1); }},
    {"edit.range-start-later", range, [](S& s) { return rangeMoved(s, 1, 0); }},
    {"edit.range-start-earlier", range, [](S& s) { return rangeMoved(s, -1, 0); }},

    // view
    {"view.fit", zoomedIn, [](S& s) { return width(s.timeline().timeScale()) > width(s.before.scale) * 2; }},
    {"view.focus", operation, [](S& s) { return s.timeline().timeScale().first() != s.before.scale.first(); }},
    {"view.zoom-in", one, [](S& s) { return width(s.timeline().timeScale()) < width(s.before.scale); }},
    {"view.zoom-out", zoomedIn, [](S& s) { return width(s.timeline().timeScale()) > width(s.before.scale); }},
    {"view.left", zoomedIn, [](S& s) { return s.timeline().timeScale().first() < s.before.scale.first(); }},
    {"view.right", zoomedIn, [](S& s) { return s.timeline().timeScale().first() > s.before.scale.first(); }},
    {"view.up", scrolled,
        [](S& s) { return s.timeline().side(s.timeline().activeIndex()).state().scroll < s.before.scroll; }},
    {"view.down", scrolled,
        [](S& s) { return s.timeline().side(s.timeline().activeIndex()).state().scroll > s.before.scroll; }},
    {"view.to-range", range, [](S& s) { return width(s.timeline().timeScale()) < width(s.before.scale) / 2; }},
    {"view.back", zoomedIn, [](S& s) { return width(s.timeline().timeScale()) > width(s.before.scale); }},
    {"view.forward",
        [](S& s) {
            zoomedIn(s);
            QTest::keyClick(&s.view(), Qt::Key_Backspace);
        },
        [](S& s) { return width(s.timeline().timeScale()) < width(s.before.scale); }},
    {"scope.repeated",
        [](S& s) {
            s.window().workspace().set({lateIterations()});
            s.window().workspace().chooseScope(Scope::Of::all);
        },
        scopeIs(Scope::Of::repeated)},
    {"scope.visible", one, scopeIs(Scope::Of::visible)},
    {"scope.selected",
        [](S& s) {
            s.selectRange();
            s.window().workspace().chooseScope(Scope::Of::all);
        },
        scopeIs(Scope::Of::selected)},
    {"scope.all", range, scopeIs(Scope::Of::all)},
    {"view.arrows", one, [](S& s) { return s.side().state().highlights.allArrows; }},
    {"view.chains", operation, [](S& s) { return s.side().state().highlights.chains; }},
    {"view.path", one, [](S& s) { return comesTrue([&s] { return s.side().state().highlights.path != nullptr; }); }},
    {"view.idle", one, [](S& s) { return comesTrue([&s] { return s.side().state().highlights.idle != nullptr; }); }},
    {"view.gpus-first", one, [](S& s) { return s.side().model()->lanes()[1].key.kind == LaneKind::gpu; }},
    {"view.families", one, [](S& s) { return s.side().state().choice.colours == LaneColours::families; }},
    {"view.side", nothing, [](S& s) { return !s.window().action("view.side")->isChecked(); }},
    {"view.code", one,
        [](S& s) {
            const auto* column = s.window().findChild<CodeColumn*>();
            return column->isVisible()
                && column->isAncestorOf(s.window().findChild<CodePanel*>(QStringLiteral("sideCode")))
                && column->mapTo(&s.window(), QPoint()).x() > s.view().mapTo(&s.window(), QPoint()).x();
        }},
    {"view.panels", nothing, [](S& s) { return !s.window().action("view.panels")->isChecked(); }},
    {"view.legend", one, [](S& s) { return s.window().findChild<LegendStrip*>()->isHidden(); }},
    {"lanes.pin", operation, [](S& s) { return arrangement(s).isPinned(laneOfSelection(s)); }},
    {"lanes.collapse", operation, [](S& s) { return arrangement(s).isCollapsed(laneOfSelection(s)); }},
    {"lanes.all-depths", deepStack,
        [](S& s) { return arrangement(s).showsAllDepths(laneOfSelection(s)) && laneOfSelection(s).id == 1; }},
    {"lanes.hide", operation, [](S& s) { return arrangement(s).isHidden(laneOfSelection(s)); }},
    {"lanes.up",
        [](S& s) {
            s.selectOperation();
            s.view().perform(TimelineAction::laneDown);
        },
        [](S& s) { return topOfSelection(s) < topOfLane(s, LaneKind::stream, 1); }},
    {"lanes.down", operation, [](S& s) { return topOfSelection(s) > topOfLane(s, LaneKind::stream, 1); }},
    {"lanes.group-by-engine", one, [](S& s) { return s.side().model()->lanes().back().key.kind == LaneKind::engine; }},
    {"lanes.filter", one, [](S& s) { return S::focusIn(s.timeline().filterBar()->field()); },
        [](S& s) {
            QTest::keyClicks(s.timeline().filterBar()->field(), QStringLiteral("kind:d2h"));
            QTest::keyClick(s.timeline().filterBar()->field(), Qt::Key_Return);
            QCOMPARE(laneName(*s.side().model(), s.side().model()->lanes().size() - 1).title, QStringLiteral("copy"));
            QVERIFY(s.view().hasFocus());
        }},
    {"lanes.clear-filter",
        [](S& s) {
            s.openOne();
            s.timeline().filterBar()->open();
            QTest::keyClicks(s.timeline().filterBar()->field(), QStringLiteral("kind:d2h"));
            QTest::keyClick(s.timeline().filterBar()->field(), Qt::Key_Return);
        },
        [](S& s) { return s.side().state().choice.filter == nullptr; },
        [](S& s) { QVERIFY(s.timeline().filterBar()->isHidden()); }},
    {"lanes.collapse-all", one, [](S& s) { return s.side().lanes().layout().lanes().back().collapsed; }},
    {"lanes.show-hidden", hidden, [](S& s) { return s.side().lanes().layout().hidden() == 0; }},
    {"lanes.reset", hidden, [](S& s) { return arrangement(s).isEmpty(); }},
    {"lesson.notes", two, [](S& s) { return s.window().findChild<PresenterNotes*>()->isVisible(); },
        [](S& s) { s.window().findChild<PresenterNotes*>()->close(); }},
    {"view.full-screen", two, [](S& s) { return s.window().isFullScreen() && s.view().magnification() > 1; },
        [](S& s) {
            QVERIFY(!s.window().menuBar()->isVisible() && !s.panels().isVisible());
            QVERIFY(s.window().findChild<QLabel*>(QStringLiteral("lectureText"))->isVisible());
            QVERIFY(!s.window().findChild<QLabel*>(QStringLiteral("lectureText"))->text().isEmpty());
            QTest::keyClick(&s.view(), Qt::Key_Escape);
            QVERIFY(!s.window().findChild<QLabel*>(QStringLiteral("lectureText"))->isVisible());
            QVERIFY(!s.window().isFullScreen() && s.window().menuBar()->isVisible() && s.panels().isVisible());
            QCOMPARE(s.view().magnification(), 1.0);
        }},
    {"view.frame-times", one,
        [](S& s) { return s.view().frameTimesShown() && s.window().action("view.frame-times")->isChecked(); }},
    {"theme.system", nothing, [](S& s) { return s.window().action("theme.system")->isChecked(); }},
    {"theme.dark", nothing, [](S&) { return QApplication::palette().color(QPalette::Window).lightness() < 128; }},
    {"theme.light", [](S& s) { s.window().action("theme.dark")->trigger(); },
        [](S&) { return QApplication::palette().color(QPalette::Window).lightness() > 128; }},
    {"text.usual", [](S& s) { s.window().action("text.largest")->trigger(); },
        [](S& s) { return s.view().magnification() == 1 && s.window().action("text.usual")->isChecked(); }},
    {"text.large", nothing, [](S& s) { return s.view().magnification() == 1.25; }},
    {"text.largest", nothing,
        [](S& s) { return s.view().magnification() == 1.5 && QApplication::font().pixelSize() > 18; }},
    {"language.en", [](S& s) { s.window().action("language.zh")->trigger(); },
        [](S&) { return chosenLanguage({}) == QLatin1String("en"); }},
    {"language.zh", nothing, [](S&) { return chosenLanguage({}) == QLatin1String("zh_CN"); }},

    // go
    {"go.next", operation, [](S& s) { return s.side().selection().row > s.before.selection.row; }},
    {"go.previous", operation,
        [](S& s) { return s.side().selection() && s.side().selection().row < s.before.selection.row; }},
    {"go.operation", call, [](S& s) { return s.side().selection().kind == ItemKind::operation; }},
    {"go.call", operation,
        [](S& s) {
            return s.side().selection() && s.side().selection() == causeOf(*s.side().recording(), s.before.selection);
        }},
    {"go.longest", one,
        [](S& s) {
            const OperationTable& all = s.side().recording()->trace->operations;
            const ItemRef chosen = s.side().selection();
            if (chosen.kind != ItemKind::operation || all.kind[chosen.row] != OperationKind::kernel) {
                return false;
            }
            for (Row row = 0; row < all.size(); ++row) {
                if (all.kind[row] == OperationKind::kernel
                    && all.end[row] - all.start[row] > all.end[chosen.row] - all.start[chosen.row]) {
                    return false;
                }
            }
            return true;
        }},
    {"go.waiters", operation, [](S& s) { return s.window().workspace().walk().count > 0; }},
    {"go.next-hit", kernelsFound, [](S& s) { return s.side().selection() == s.view().hits()->first(); }},
    {"go.previous-hit", kernelsFound, [](S& s) { return s.side().selection() == s.view().hits()->last(); }},
    {"go.mark", one, [](S& s) { return markField(s) != nullptr; },
        [](S& s) {
            QTest::keyClicks(markField(s), QStringLiteral("here"));
            QTest::keyClick(markField(s), Qt::Key_Return);
            QCOMPARE(s.side().recording()->marks->all().front().text, std::string("here"));
        }},
    {"go.next-mark", markedAside, [](S& s) { return inSight(s, 1); }},
    {"go.previous-mark", markedAside, [](S& s) { return inSight(s, 0); }},
    {"go.findings", [](S& s) { s.panels().setCurrentIndex(1); }, panelShown(0)},
    {"go.summary", nothing, panelShown(1)},
    {"go.statistics", nothing, panelShown(2)},
    {"go.events", nothing, panelShown(3)},
    {"go.details", operation,
        [](S& s) {
            auto* card = s.window().findChild<DetailsPanel*>();
            return card->isVisible() && S::focusIn(card);
        }},
    {"go.lesson", nothing, panelShown(4)},
    {"go.variants", nothing, panelShown(5)},
    {"go.path", nothing, panelShown(6)},
    {"go.iterations", nothing, panelShown(7)},
    {"go.what-if", nothing, panelShown(8)},
    {"go.workloads", one, [](S& s) { return s.window().findChild<WorkloadList*>()->hasFocus(); }},
    {"go.timeline",
        [](S& s) {
            s.openOne();
            s.window().action("go.workloads")->trigger();
        },
        [](S& s) { return s.view().hasFocus(); }},

    // compare
    {"compare.predicted",
        [](S& s) {
            s.openOne();
            QTRY_VERIFY(s.window().action("compare.predicted")->isEnabled());
        },
        [](S& s) {
            const auto& workspace = s.window().workspace();
            return workspace.count() == 2 && workspace.at(1)->trace->source == Source::predicted;
        },
        [](S& s) { QCOMPARE(s.window().workspace().at(0), s.before.a); }},
    {"compare.predict-shorter", kernel, wished({.what = Wish::Of::length, .times = 0.9}), takenBack},
    {"compare.predict-longer", kernel, wished({.what = Wish::Of::length, .times = 1.1}), takenBack},
    {"compare.predict-stream", copyToHost, wished({.what = Wish::Of::stream, .stream = 0}), takenBack},
    {"compare.predict-graph", one, wished({.what = Wish::Of::graph}), takenBack},
    {"compare.open", one, dialogShown("fileDialog"),
        [](S& s) {
            s.answerFileDialog(s.window().workspace().at(0)->path);
            QTRY_COMPARE(s.window().workspace().count(), 2);
            QVERIFY(s.window().findChild<PlaceDialog*>() == nullptr);  // where it opens is known
            QVERIFY(s.window().workspace().at(0)->trace == s.before.a->trace);
        }},
    {"compare.swap", two, [](S& s) { return s.window().workspace().at(0) == s.before.b; },
        [](S& s) { QCOMPARE(s.window().workspace().at(1), s.before.a); }},
    {"compare.reference-a", againstB, [](S& s) { return differences(s).contains(QStringLiteral("total: 50.1 ms")); }},
    {"compare.reference-b", two, [](S& s) { return differences(s).contains(QStringLiteral("total: 17.3 ms")); }},
    {"compare.typical",
        [](S& s) {
            s.open({"../../traces/pytorch-item.every", "../../traces/pytorch-item.never"});
            QTRY_VERIFY(!s.timeline().pair().alignment().atStarts());  // it opens so
            s.timeline().setAlignment({});
        },
        [](S& s) { return !s.timeline().pair().alignment().atStarts(); },
        [](S& s) {
            const Ranges seen = s.timeline().pair().visible();
            for (std::size_t side = 0; side < 2; ++side) {
                QVERIFY(seen[side].start <= s.timeline().pair().alignment().anchor[side]);
                QVERIFY(seen[side].end - seen[side].start < 2'000'000);  // an iteration takes 1.3 ms
            }
        }},
    {"compare.align-here", operationOfB,
        [](S& s) {
            const Ns start = spanOf(*s.side(1).recording(), s.side(1).selection()).start;
            return start > 0 && aligned(s, {0, start});
        },
        [](S& s) {  // nothing is selected: at the mark
            QTest::keyClick(&s.view(1), Qt::Key_Escape);
            s.side(1).recording()->marks->add(6'000'000);
            QTest::keyClick(&s.view(1), Qt::Key_N);
            s.window().action("compare.align-here")->trigger();
            QVERIFY(aligned(s, {0, 6'000'000}));
        }},
    {"compare.align-name", operationOfB, dialogShown("alignDialog"),
        [](S& s) {
            auto* name = s.dialog("alignDialog")->findChild<QLineEdit*>(QStringLiteral("alignName"));
            QVERIFY(!name->text().isEmpty());  // the selection's
            name->setText(QStringLiteral("matmul"));
            QTest::keyClick(name, Qt::Key_Return);
            QTRY_COMPARE(s.timeline().pair().alignment().name, QStringLiteral("matmul #1"));
        }},
    {"compare.align-starts",
        [](S& s) {
            operationOfB(s);
            QTest::keyClick(&s.view(1), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        },
        [](S& s) {
            return aligned(s, {0, 0});
        }},

    // lesson
    {"lesson.gallery", one,
        [](S& s) {
            return s.window().action("lesson.gallery")->isChecked() && s.window().findChild<GalleryList*>()->hasFocus();
        },
        [](S& s) {
            s.window().action("lesson.gallery")->trigger();
            QVERIFY(!s.window().action("lesson.gallery")->isChecked() && s.view().hasFocus());
        }},
    {"lesson.next", one, [](S& s) { return s.window().workspace().count() == 2 && lessonOf(s) == "read-too-early"; }},
    {"lesson.previous", one,
        [](S& s) { return s.window().workspace().count() == 2 && lessonOf(s) == "cpu-work-while-copying"; }},
    {"lesson.here",
        [](S& s) {  // a `lanes` that finds a GPU and has already run
            QFile program(s.file("lanes"));
            QVERIFY(program.open(QIODevice::WriteOnly));
            program.write(
                QStringLiteral("#!/bin/sh\nif [ \"$1\" = doctor ]; then echo '{\"gpus\": [{\"name\": \"Test\"}]}'; "
                               "exit; fi\necho '{\"event\": \"done\", \"file\": \"%1/resources/recordings/h200/"
                               "copy-results-back.blocking.sqlite\"}'\n")
                    .arg(qEnvironmentVariable("LANES_SOURCE"))
                    .toUtf8());
            program.close();
            QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
            QVERIFY(s.window().findChild<QPushButton*>(QStringLiteral("lessonHere"))->isHidden());
            qputenv("LANES_PROGRAM", s.file("lanes").toUtf8());
            s.window().findChild<DeviceChoice*>()->askFor(s.file("lanes"));
            s.openOne();
            QTRY_VERIFY(!s.window().findChild<QPushButton*>(QStringLiteral("lessonHere"))->isHidden());
            QTRY_VERIFY(s.window().action("lesson.here")->isEnabled());
        },
        [](S& s) { return s.window().workspace().count() == 2 && !s.window().isBusy(); },
        [](S& s) {
            qputenv("LANES_PROGRAM", "/no/such/lanes");
            QCOMPARE(text(s.window().workspace().at(0)->title), QStringLiteral("Blocking copies"));
            QCOMPARE(text(s.window().workspace().at(1)->title), QStringLiteral("Blocking copies, on this machine"));
        }},
    {"lesson.expect", nothing, [](S& s) { return s.window().action("lesson.expect")->isChecked(); }},
    {"lesson.quiz", one, [](S& s) { return s.window().findChild<GuessPage*>()->isVisible(); }},
    {"lesson.step-through", one,
        [](S& s) {
            return s.window().action("lesson.step-through")->isChecked() && s.side().selection()
                && !stepText(s).isEmpty();
        }},
    {"lesson.play",
        [](S& s) {
            s.openOne();
            s.window().findChild<StepThrough*>()->setSpeed(99);
        },
        [](S& s) { return s.window().action("lesson.play")->isChecked(); },
        [](S& s) {
            QTRY_VERIFY(s.window().findChild<StepThrough*>()->time() > s.side().recording()->trace->duration / 50);
        }},
    {"lesson.step-forward", stepping, [](S& s) { return s.window().findChild<StepThrough*>()->current() == 4; },
        [](S& s) { QVERIFY(s.side().selection() != s.before.selection); }},
    {"lesson.step-back", stepping, [](S& s) { return s.window().findChild<StepThrough*>()->current() == 2; },
        [](S& s) { QVERIFY(s.side().selection() != s.before.selection); }},
    {"lesson.faster", stepping, [](S& s) { return s.window().findChild<StepThrough*>()->speed() == 2; }},
    {"lesson.slower", stepping, [](S& s) { return s.window().findChild<StepThrough*>()->speed() == 0; }},

    // run
    {"run.run", nothing, [](S& s) { return s.window().workspace().count() == 2; }},
    {"run.all", nothing, [](S& s) { return s.window().workspace().count() == 2 && !s.window().isBusy(); },
        [](S& s) { QVERIFY(s.window().findChild<VariantsPanel*>()->isVisible()); }},
    {"run.again",
        [](S& s) {
            s.window().action("run.run")->trigger();
            QTRY_VERIFY(s.window().workspace().count() == 2 && s.window().action("run.again")->isEnabled()
                && !s.window().isBusy());
        },
        [](S& s) { return s.window().workspace().at(1)->run.variant == s.window().workspace().at(0)->run.variant; },
        [](S& s) { QVERIFY(s.window().workspace().at(0) == s.before.a); }},
    {"run.edit", nothing, [](S& s) { return S::focusIn(&editor(s)); }},
    {"run.save", editedOwn, [](S& s) { return written(s).startsWith("# changed"); }},
    {"run.save-as", editedOwn, dialogShown("fileDialog"),
        [](S& s) {
            s.answerFileDialog(s.file("copy.yaml"));
            QTRY_VERIFY(s.window().findChild<WorkloadList*>()->isOwn(s.file("copy.yaml")));
            QVERIFY(!written(s).startsWith("# changed"));
            QVERIFY(editor(s).drafts().isEmpty());
        }},
    {"run.revert", editedOwn, dialogShown("revertQuestion"),
        [](S& s) {
            for (auto* button : s.dialog("revertQuestion")->findChildren<QPushButton*>()) {
                if (button->text().contains(QStringLiteral("Undo"))) {
                    QTest::mouseClick(button, Qt::LeftButton);
                    break;
                }
            }
            QTRY_VERIFY(!editor(s).isModified());
        }},
    {"run.forget", ownWorkload, [](S& s) { return s.window().findChild<WorkloadList*>()->ownFiles().isEmpty(); }},
    {"run.live", nothing, [](S& s) { return !s.window().action("run.live")->isChecked(); }},
    {"run.cancel", [](S& s) { s.startLongRun(); }, [](S& s) { return !s.window().isBusy(); },
        [](S& s) { QCOMPARE(s.window().workspace().count(), 0); }},

    {"run.record", nothing, dialogShown("recordDialog")},
    {"run.record-stop", recorded("record and wait"), [](S& s) { return !recorder(s).isRunning(); },
        [](S& s) { QVERIFY(s.window().action("run.record")->isEnabled()); }},
    {"run.record-restart", recorded("record"), [](S& s) { return recorder(s).isRunning(); }},
    {"run.record-follow", recorded("record and wait"), [](S& s) { return !recorder(s).follows(); }},
    {"run.record-keep", recorded("record"), dialogShown("fileDialog"),
        [](S& s) {
            s.answerFileDialog(s.file("kept.sqlite"));
            QTRY_COMPARE(s.window().workspace().at(0)->path, s.file("kept.sqlite"));
            QVERIFY(QFile::exists(s.file("kept.sqlite")));
        }},
    {"run.record-discard", recorded("record"), [](S& s) { return s.window().workspace().count() == 0; }},
    {"run.record-output", recorded("record"), [](S& s) { return strip(s).outputShown(); },
        [](S& s) { QVERIFY(strip(s).output().contains(QStringLiteral("said"))); }},

    // help
    {"edit.settings", nothing, dialogShown("settingsPage")},
    {"help.keys", nothing, dialogShown("keysPage")},
    {"help.about", nothing, dialogShown("about")},
};

}  // namespace

const std::vector<CommandTrial>& commandTrials()
{
    return trials;
}

}  // namespace lanes::gui

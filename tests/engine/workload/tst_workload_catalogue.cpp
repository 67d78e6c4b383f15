// SPDX-License-Identifier: MIT
// The workloads that come with Lanescope: they compile in every variant and do what their names promise.
#include "engine/workload/catalogue.h"
#include "engine/workload/course.h"
#include "engine/workload/effects.h"
#include "tests/engine/workload/workload_texts.h"

#include <fstream>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <set>

using namespace lanes;

class tst_WorkloadCatalogue : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }

    void orderIsThatOfLearning()
    {
        const std::vector<std::string> expected {"run-ahead", "timing-mistakes", "launch-blocking", "late-error",
            "pageable-or-pinned", "pinning", "cpu-work-while-copying", "copy-results-back", "read-too-early",
            "overwritten-source", "item-every-batch", "loop-on-gpu-value", "hidden-syncs", "optimizer-step",
            "allocate-in-the-loop", "memory-pressure", "two-streams", "default-stream", "stream-priority",
            "events-across-streams", "record-stream", "copies-both-ways", "prefetcher", "data-loader", "offload",
            "cuda-graph", "captured-again", "broken-capture", "two-gpus", "all-reduce", "gradient-accumulation", "fsdp",
            "pipeline", "decode-loop", "prefill-and-decode"};
        QCOMPARE(catalogue_names(), expected);
    }

    void foldersWithoutAnOrderAreByName()
    {
        QTemporaryDir folder;
        for (const char* name : {"c.yaml", "a.yaml", "b.yaml", "notes.txt"}) {
            std::ofstream(folder.filePath(name).toStdString()) << "threads: {main: []}\n";
        }
        QCOMPARE(catalogue_names(folder.path().toStdString()), (std::vector<std::string> {"a", "b", "c"}));
        std::ofstream(folder.filePath("order.txt").toStdString()) << "c\ngone\nb\n";
        QCOMPARE(catalogue_names(folder.path().toStdString()), (std::vector<std::string> {"c", "b", "a"}));
    }

    void anOrderHasChaptersMinutesAndWhatComesBefore()
    {
        QTemporaryDir folder;
        for (const char* name : {"c.yaml", "a.yaml", "b.yaml"}) {
            std::ofstream(folder.filePath(name).toStdString()) << "threads: {main: []}\n";
        }
        const auto order = [&](const char* text) {
            std::ofstream(folder.filePath("order.txt").toStdString()) << text;
            return course_of(folder.path().toStdString());
        };
        const Course course = order("# of a test\n[First | 一]\nc | 5\n[Second | 二]\ngone | 3\nb | 7 | c, gone\n");
        QCOMPARE(course.chapters.size(), 2U);
        QCOMPARE(course.chapters[1].at("zh_CN"), std::string("二"));
        QCOMPARE(course.lessons.size(), 3U);
        QCOMPARE(course.lessons[1].name, std::string("b"));
        QCOMPARE(course.lessons[1].minutes, 7U);
        QCOMPARE(course.lessons[1].after, (std::vector<std::string> {"c"}));  // what is not there is not asked for
        QCOMPARE(course.lessons[1].chapter, std::optional<std::size_t>(1));
        QVERIFY(!course.find("a")->chapter && course.find("gone") == nullptr);
        const auto error = [&](const char* text) {
            try {
                order(text);
            } catch (const WorkloadError& wrong) {
                return QString("%1:%2: %3").arg(wrong.line()).arg(wrong.column()).arg(wrong.message().c_str());
            }
            return QString();
        };
        QCOMPARE(error("a | five\n"), QString("1:5: found 'five', expected minutes, a whole number from 1 to 600"));
        QCOMPARE(error("abc | 1\nb | 2 | abd\n"),
            QString("2:9: found 'abd', expected a lesson of a line above; did you mean 'abc'?"));
        QCOMPARE(error("a\nb\na\n"), QString("3:1: found 'a', expected each lesson once"));
        QCOMPARE(error("[One]\n"), QString("1:1: found '[One]', expected a chapter: [English | 中文]"));
    }

    /// In both languages: where it is in the course, why it matters, questions whose answer is not always the same one.
    void everyLessonTeaches_data() { everyWorkloadIsSound_data(); }
    void everyLessonTeaches()
    {
        QFETCH(QString, name);
        const Workload workload = find_workload(name.toStdString());
        const Course own = course();
        const CourseLesson* lesson = own.find(workload.name);
        QVERIFY(lesson != nullptr && lesson->chapter && lesson->minutes > 0);
        QVERIFY(!workload.matters.issue.empty());
        QVERIFY(workload.quiz.size() >= 2 && workload.quiz.size() <= 3);
        std::set<std::size_t> right;
        for (const char* language : {"en", "zh_CN"}) {
            const auto is_said
                = [&](const Translated& text) { return text.contains(language) && !text.at(language).empty(); };
            QVERIFY(is_said(workload.matters.text));
            for (const QuizQuestion& question : workload.quiz) {
                QVERIFY(is_said(question.question));
                for (std::size_t i = 0; i < question.choices.size(); ++i) {
                    QVERIFY(is_said(question.choices[i].text) && is_said(question.choices[i].why));
                    if (question.choices[i].right) {
                        right.insert(i);
                    }
                }
            }
            QVERIFY(workload.exercise.check.empty() || is_said(workload.exercise.task));
            QVERIFY(!workload.compared || is_said(workload.compared->label));
        }
        QVERIFY(right.size() > 1);
    }

    void newestIsThatOfTheCatalogue()
    {
        Workload old = find_workload("prefetcher");
        old.rule["en"] = "an older text";
        const auto recorded = std::make_shared<const Workload>(old);
        QCOMPARE(newest_of(recorded)->rule, find_workload("prefetcher").rule);
        old.variants.front().name = "a variant of somebody's own";
        const auto changed = std::make_shared<const Workload>(old);
        QCOMPARE(newest_of(changed), changed);
        for (const char* name : {"mine", "../workloads/prefetcher", "./prefetcher.yaml"}) {
            old.name = name;
            const auto other = std::make_shared<const Workload>(old);
            QCOMPARE(newest_of(other), other);
        }
    }

    void argumentsOfTheCommandLine()
    {
        QCOMPARE(find_workload("two-streams").name, std::string("two-streams"));
        QCOMPARE(workload_path("./two-streams").string(), std::string("./two-streams"));
        QCOMPARE(workload_path("mine.yaml").string(), std::string("mine.yaml"));
        try {
            workload_path("two-steams");
            QFAIL("it was found");
        } catch (const WorkloadError& error) {
            QVERIFY2(QString(error.what()).endsWith("did you mean 'two-streams'?"), error.what());
            QVERIFY2(QString(error.what()).startsWith("two-steams: unknown workload 'two-steams'"), error.what());
        }
    }

    void everyWorkloadIsSound_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto& name : catalogue_names()) {
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }
    void everyWorkloadIsSound()
    {
        QFETCH(QString, name);
        const Workload workload = find_workload(name.toStdString());
        for (const char* language : {"en", "zh_CN"}) {
            for (const auto* text :
                {&workload.title, &workload.description, &workload.look, &workload.why, &workload.rule}) {
                QVERIFY2(text->contains(language) && !text->at(language).empty(), language);
            }
            for (const auto& variant : workload.variants) {
                QVERIFY2(variant.title.contains(language), variant.name.c_str());
            }
            for (const auto& parameter : workload.parameters) {
                QVERIFY2(parameter.label.contains(language), parameter.name.c_str());
            }
        }
        QVERIFY(!workload.variants.empty());
        const std::set<QString> on_two {
            "two-gpus", "all-reduce", "fsdp", "gradient-accumulation", "pipeline", "stream-priority"};
        QCOMPARE(workload.gpus, on_two.contains(name) ? 2U : 1U);
        QVERIFY(!workload.code_pytorch.empty() && !workload.code_cuda.empty());
        compile(workload, "");
        for (const auto& variant : workload.variants) {
            const Program program = compile(workload, variant.name);
            for (const auto& thread : program.threads) {
                for (const auto& instruction : thread.instructions) {
                    const StepInfo& step = program.steps.at(instruction.step);
                    QVERIFY2(step.kind == "range" || (step.cuda_line > 0 && step.pytorch_line > 0), step.label.c_str());
                }
            }
            // With any one parameter at its smallest or its largest value the workload compiles.
            for (const auto& parameter : workload.parameters) {
                for (const auto& value : {parameter.min, parameter.max}) {
                    if (!value.empty()) {
                        compile(workload, variant.name, {{parameter.name, value}});
                    }
                }
            }
        }
    }

    // Else the order of what it writes is checked by nobody.
    void everyMemcpySaysWhatItWrites()
    {
        int found = 0;
        for (const auto& name : catalogue_names()) {
            const Workload workload = find_workload(name);
            for (const auto& variant : workload.variants) {
                const Program program = compile(workload, variant.name);
                each_effects(program, [&](const Effects& effects, const Instruction& instruction, Index) {
                    const auto* cpu = std::get_if<CpuAction>(&instruction.action);
                    if (cpu != nullptr && cpu->kind == CpuAction::Kind::memcpy) {
                        ++found;
                        QVERIFY2(std::any_of(effects.accesses.begin(), effects.accesses.end(),
                                     [](const Access& access) { return access.kind == Access::Kind::write; }),
                            name.c_str());
                    }
                });
            }
        }
        QVERIFY(found > 100);
    }

    // A thread that pins, and a loop that does, must wait for the copy from a buffer before it fills it again.
    void pinnedMemoryIsNotFilledWhileItIsCopied_data()
    {
        QTest::addColumn<QString>("variant");
        QTest::addColumn<QString>("wait");
        QTest::newRow("the thread") << "pin-thread"
                                    << "sync: {event: copied.$(i - 3)}";
        QTest::newRow("the loop") << "cached"
                                  << "sync: {event: copied.$(i - 2)}";
    }
    void pinnedMemoryIsNotFilledWhileItIsCopied()
    {
        QFETCH(QString, variant);
        QFETCH(QString, wait);
        const Workload workload = find_workload("pinning");
        QString text = QString::fromStdString(workload.source);
        QCOMPARE(text.count(wait), 1);
        compile(workload, variant.toStdString());
        text.replace(wait, "cpu: {time: 1 us}");
        try {
            compile(parse_workload(text.toStdString(), "pinning.yaml"), variant.toStdString());
            QFAIL("the checks let it through");
        } catch (const WorkloadError& error) {
            QVERIFY2(QString(error.what())
                         .contains("the host writes 'pinned.0' here, and nothing orders that after the copy"),
                error.what());
        }
    }

    // By the rule of the lesson default-stream: what the default stream made is there before another stream uses it.
    void listingsOrderTheirStreamsAfterTheDefaultStream()
    {
        int found = 0;
        for (const auto& name : catalogue_names()) {
            const QString code = QString::fromStdString(find_workload(name).code_pytorch);
            const auto use = code.indexOf("with torch.cuda.stream(");
            if (use < 0) {
                continue;
            }
            ++found;
            const QString before = code.left(use);
            QVERIFY2(before.contains(QRegularExpression("torch\\.cuda\\.(External)?Stream\\("))
                    || before.contains(QRegularExpression("given: (model0, optimizer0, )?compute0")),
                name.c_str());
            QVERIFY2(before.contains(".wait_stream(torch.cuda.current_stream())  # what made")
                    || before.contains(
                        QRegularExpression("torch\\.cuda\\.synchronize\\(\\w*\\)  # (what made|the inputs)")),
                name.c_str());
        }
        QVERIFY(found > 20);
    }

    // Readers search by the English term.
    void chineseTextsGlossTermsAtFirstUse()
    {
        const std::map<QString, QString> terms {{"可分页内存", "pageable memory"}, {"锁页内存", "pinned memory"},
            {"全归约", "all-reduce"}, {"内核", "kernel"}, {"事件", "event"}, {"启动", "launch"}, {"捕获", "capture"}};
        for (const auto& name : catalogue_names()) {
            const Workload workload = find_workload(name);
            QString all;
            for (const auto* text : {&workload.description, &workload.look, &workload.why, &workload.rule}) {
                all += QString::fromStdString(text->at("zh_CN")) + '\n';
            }
            for (const auto& [term, english] : terms) {
                const auto first = all.indexOf(term);
                QVERIFY2(first < 0 || all.mid(first + term.size()).startsWith("（" + english),
                    qPrintable(QString::fromStdString(name) + ": " + term));
            }
            QVERIFY2(!all.contains("占住") && !all.contains(QRegularExpression("[0-9}] %")), name.c_str());
        }
    }

    void articlesAreNamedByWhatTheySay()
    {
        for (const auto& name : catalogue_names()) {
            const QString text = QString::fromStdString(find_workload(name).source).simplified();
            for (const char* vague : {"one of the articles", "rticles often say", "often said", "文章常说", "常有人说",
                     "Press Home", "按 Home", "easured on a", "实测"}) {
                QVERIFY2(!text.contains(vague), (name + ": " + vague).c_str());
            }
        }
    }

    void linesOfCodeMakeTheCallsOfTheirSteps()
    {
        const std::map<std::string, QRegularExpression> calls {
            {"copy", QRegularExpression("cudaMemcpy(Peer)?Async\\(")},
            {"kernel", QRegularExpression("<<<")},
            {"record", QRegularExpression("cudaEventRecord\\(")},
            {"wait", QRegularExpression("cudaStreamWaitEvent\\(")},
            {"sync", QRegularExpression("Synchronize\\(")},
            {"memset", QRegularExpression("cudaMemsetAsync\\(")},
            {"alloc", QRegularExpression("(cudaMalloc(Async|Host)?|take)\\(")},
            {"free", QRegularExpression("(cudaFree(Async|Host)?|give)\\(")},
            {"capture", QRegularExpression("cudaStreamBeginCapture\\(")},
            {"launch", QRegularExpression("cudaGraphLaunch\\(")},
            {"all_reduce", QRegularExpression("ncclAllReduce\\(")},
            {"all_gather", QRegularExpression("ncclAllGather\\(")},
            {"reduce_scatter", QRegularExpression("ncclReduceScatter\\(")},
            {"broadcast", QRegularExpression("ncclBroadcast\\(")},
            {"send_recv", QRegularExpression("nccl(Send|Recv)\\(")},
        };
        for (const auto& name : catalogue_names()) {
            const Workload workload = find_workload(name);
            const auto lines = QString::fromStdString(workload.code_cuda).split('\n');
            for (const auto& step : compile(workload, "").steps) {
                const auto call = calls.find(step.kind);
                if (call != calls.end() && step.cuda_line != 0) {
                    const QString line = lines.at(static_cast<int>(step.cuda_line) - 1);
                    QVERIFY2(line.contains(call->second),
                        qPrintable(QString::fromStdString(name + ": " + step.label) + ": " + line));
                }
            }
        }
    }

    void counts_data()
    {
        QTest::addColumn<QString>("workload");
        QTest::addColumn<QString>("variant");
        QTest::addColumn<QString>("counts");
        const auto row = [](const char* workload, const char* variant, const char* counts) {
            QTest::addRow("%s.%s", workload, variant) << workload << variant << counts;
        };
        // kernels, copies, memsets, syncs, waits, ranges
        row("pageable-or-pinned", "pageable-blocking", "1 1 0 2 0 2");
        row("pageable-or-pinned", "pageable-non-blocking", "1 1 0 1 0 2");
        row("pageable-or-pinned", "pinned-blocking", "1 1 0 2 0 2");
        row("pageable-or-pinned", "pinned-non-blocking", "1 1 0 1 0 2");
        row("copy-results-back", "blocking", "8 8 0 9 8 8");
        row("copy-results-back", "overlapped", "8 8 0 1 8 8");
        row("copy-results-back", "run-alone", "8 0 0 1 0 1");
        row("copy-results-back", "copy-alone", "0 8 0 9 0 1");
        row("copy-results-back", "run-then-copy-blocking", "8 8 0 9 0 2");
        row("copy-results-back", "run-then-copy-non-blocking", "8 8 0 1 0 2");
        row("cpu-work-while-copying", "blocking", "1 1 0 2 0 1");
        row("cpu-work-while-copying", "pinned-async", "1 1 0 1 0 1");
        row("read-too-early", "no-sync", "2 1 0 1 0 0");
        row("read-too-early", "event-sync", "2 1 0 2 0 0");
        row("run-ahead", "queue-full", "1500 0 0 1 0 1");
        row("events-across-streams", "stream-sync", "4 6 0 5 0 0");
        row("events-across-streams", "event-wait", "4 6 0 1 4 0");
        row("copies-both-ways", "three-streams", "16 32 0 1 0 1");
        row("cuda-graph", "launches", "800 1 0 1 0 1");
        row("cuda-graph", "graph", "800 1 0 1 0 1");
        row("allocate-in-the-loop", "pool", "20 0 0 1 0 0");
        row("memory-pressure", "lengths-vary", "120 1 0 1 0 24");
        row("memory-pressure", "rounded", "120 1 0 1 0 24");
        row("data-loader", "workers-4-pinned", "32 32 0 1 32 32");
        row("data-loader", "workers-0-pageable", "32 32 0 33 0 32");
        row("data-loader", "pinned-one-stream", "32 32 0 1 0 32");
        row("data-loader", "prefetcher", "32 32 0 1 32 32");
        row("loop-on-gpu-value", "fixed-count", "96 1 0 1 0 0");
        row("two-gpus", "both-with-sync", "6 0 0 3 0 2");
        row("two-gpus", "through-host", "2 3 0 3 1 0");
        row("all-reduce", "in-buckets", "18 4 0 2 10 1");
        row("gradient-accumulation", "every-micro-batch", "58 2 0 2 24 4");
        row("gradient-accumulation", "no-sync", "34 2 0 2 6 4");
        row("decode-loop", "each-step", "512 16 0 17 0 16");
        row("decode-loop", "one-step-late", "544 17 0 17 0 17");
        row("fsdp", "one-layer", "40 1 0 2 44 2");
        row("fsdp", "prefetched", "40 1 0 2 40 2");
        row("pipeline", "one-batch", "8 1 0 2 4 0");
        row("pipeline", "gpipe", "32 1 0 2 16 0");
        row("pipeline", "one-f-one-b", "32 1 0 2 16 0");
        row("pipeline", "early-receive", "32 1 0 2 12 0");
        row("captured-again", "each-step", "320 1 0 9 0 8");
        row("captured-again", "static-input", "320 9 0 1 0 8");
        row("optimizer-step", "no-waits", "848 0 0 1 0 4");
        row("optimizer-step", "all-three", "880 32 0 33 0 4");
        row("prefill-and-decode", "chunked", "18 12 0 12 0 11");
        row("prefill-and-decode", "swap-in-own-stream", "12 13 0 12 1 11");
        row("item-every-batch", "never", "400 0 0 1 0 1");
        row("item-every-batch", "every-100", "400 2 0 3 0 1");
        row("item-every-batch", "every-10", "400 20 0 21 0 1");
        row("item-every-batch", "every", "400 200 0 201 0 1");
        for (const char* variant : {"one-small", "two-small", "one-full", "two-full"}) {
            row("two-streams", variant, "8 0 0 1 0 1");
        }
        for (const char* variant : {"legacy", "per-thread", "non-blocking"}) {
            row("default-stream", variant, "3 0 0 1 0 1");
        }
    }
    void counts()
    {
        QFETCH(QString, workload);
        QFETCH(QString, variant);
        QFETCH(QString, counts);
        const auto c = count(compile(find_workload(workload.toStdString()), variant.toStdString()));
        QVERIFY(c.has_value());
        QCOMPARE(QString("%1 %2 %3 %4 %5 %6")
                     .arg(c->kernels)
                     .arg(c->copies)
                     .arg(c->memsets)
                     .arg(c->syncs)
                     .arg(c->waits)
                     .arg(c->ranges),
            counts);
    }

    void variantsAreNamedAsAgreed()
    {
        const std::map<std::string, std::vector<std::string>> agreed {
            {"pageable-or-pinned",
                {"pageable-blocking", "pageable-non-blocking", "pinned-blocking", "pinned-non-blocking"}},
            {"cpu-work-while-copying", {"blocking", "pinned-async"}},
            {"copy-results-back",
                {"blocking", "run-alone", "copy-alone", "run-then-copy-blocking", "run-then-copy-non-blocking",
                    "first-time", "overlapped"}},
            {"read-too-early", {"no-sync", "event-sync", "stream-sync"}},
            {"data-loader",
                {"workers-0-pageable", "workers-2-pageable", "workers-4-pageable", "workers-0-pinned",
                    "workers-2-pinned", "workers-4-pinned", "pinned-one-stream", "prefetcher"}},
            {"run-ahead", {"light", "heavy", "queue-full"}},
            {"loop-on-gpu-value", {"fixed-count", "value-dependent"}},
            {"events-across-streams", {"device-sync", "stream-sync", "event-wait", "no-wait"}},
            {"copies-both-ways", {"one-stream", "two-streams", "three-streams"}},
            {"two-gpus", {"gpu-0", "gpu-1", "both", "both-with-sync", "peer-copy", "through-host", "no-peer-access"}},
            {"all-reduce", {"after-backward", "in-buckets", "data-parallel"}},
            {"cuda-graph", {"launches", "graph", "new-input"}},
            {"allocate-in-the-loop", {"malloc", "pool"}},
            {"memory-pressure", {"lengths-vary", "rounded", "enough-memory"}},
            {"item-every-batch", {"never", "every-100", "every-10", "every"}},
            {"two-streams", {"one-small", "two-small", "one-full", "two-full"}},
            {"default-stream", {"legacy", "per-thread", "non-blocking", "side-stream", "side-stream-waits"}},
            {"prefetcher",
                {"blocking", "one-stream", "own-stream", "prefetcher", "one-stream-item", "own-stream-item",
                    "prefetcher-item"}},
            {"pinning", {"pageable", "fresh", "cached", "pin-thread"}},
            {"hidden-syncs", {"where", "mask", "condition", "tolist"}},
            {"record-stream", {"dropped", "record-stream", "two-buffers"}},
            {"timing-mistakes", {"no-sync", "sync-after", "sync-both", "events"}},
            {"stream-priority",
                {"same-priority", "high-priority", "copy-only", "all-reduce-same-priority",
                    "all-reduce-high-priority"}},
            {"offload", {"one-stream", "own-stream", "fresh-pinned"}},
            {"overwritten-source", {"overwritten", "event", "two-buffers", "pageable"}},
            {"launch-blocking", {"normal", "launch-blocking"}},
            {"late-error", {"late", "launch-blocking", "sync-each"}},
            {"broken-capture", {"item", "malloc", "static"}},
            {"gradient-accumulation", {"every-micro-batch", "no-sync"}},
            {"decode-loop", {"each-step", "every-few", "one-step-late"}},
            {"fsdp", {"one-layer", "prefetched"}},
            {"pipeline", {"one-batch", "gpipe", "one-f-one-b", "early-receive"}},
            {"captured-again", {"each-step", "static-input", "launches"}},
            {"optimizer-step", {"no-waits", "clip", "scaler", "print", "all-three", "all-three-fused"}},
            {"prefill-and-decode", {"whole", "chunked", "swap-in", "swap-in-own-stream"}},
        };
        for (const auto& [name, variants] : agreed) {
            std::vector<std::string> found;
            for (const auto& variant : find_workload(name).variants) {
                found.push_back(variant.name);
            }
            QCOMPARE(found, variants);
        }
    }
};

QTEST_GUILESS_MAIN(tst_WorkloadCatalogue)
#include "tst_workload_catalogue.moc"

// SPDX-License-Identifier: MIT
// What is known about every kind of step. A kind that is missing in a table below or in every_step.h is an error.
#include "engine/workload/effects.h"
#include "engine/workload/schema.h"
#include "tests/engine/workload/every_step.h"
#include "tests/engine/workload/workload_texts.h"

#include <map>
#include <QStringList>
#include <QTest>
#include <set>

using namespace lanes;

namespace {

/// The effects of an action, in words.
class Words {
public:
    explicit Words(const Program& program)
        : m_program(program)
    {
    }

    QString of(const Effects& effects)
    {
        m_words.clear();
        add("on", effects.stream, m_program.streams);
        if (effects.is_work) {
            m_words << (effects.joins_streams ? "work of joined streams" : "work");
        }
        for (const Access& access : effects.accesses) {
            add(access);
        }
        add("allocates", effects.allocates, m_program.buffers);
        add("frees", effects.frees, m_program.buffers);
        add("records", effects.records);
        add("stream awaits", effects.stream_awaits);
        add("begins", effects.begins);
        add("ends", effects.ends);
        add("launches", effects.launches);
        static const char* const waits[] = {"", "stream", "device", "event", "room", "item", "thread"};
        add(QString("waits for %1").arg(waits[static_cast<int>(effects.wait)]), effects.awaited);
        if (effects.may_go_to != no_id) {
            m_words << "may go elsewhere";
        }
        const ProgramCounts& n = effects.counts;
        const std::pair<const char*, std::uint64_t> counts[] = {{"kernels", n.kernels}, {"copies", n.copies},
            {"memsets", n.memsets}, {"syncs", n.syncs}, {"waits", n.waits}, {"ranges", n.ranges}};
        for (const auto& [name, count] : counts) {
            if (count > 0) {
                m_words << QString("%1 %2").arg(name).arg(count);
            }
        }
        if (effects.makes_counts_unknown) {
            m_words << "counts unknown";
        }
        return m_words.join(", ");
    }

private:
    void add(const QString& what, Index index)
    {
        if (index != no_id) {
            m_words << QString("%1 %2").arg(what).arg(index);
        }
    }
    template <class Things> void add(const QString& what, Index index, const Things& things)
    {
        if (index != no_id) {
            m_words << what + ' ' + QString::fromStdString(things[index].name);
        }
    }
    void add(const Access& access)
    {
        const BufferElement& buffer = m_program.buffers[access.buffer];
        QString words = access.kind == Access::Kind::read ? "reads " : "writes ";
        words += QString::fromStdString(buffer.name);
        if (access.offset != 0 || access.bytes != buffer.bytes) {
            words += QString(" from %1 to %2").arg(access.offset).arg(access.offset + access.bytes);
        }
        if (access.copied_from != no_id) {
            words += " as " + QString::fromStdString(m_program.buffers[access.copied_from].name);
        }
        m_words << words + (access.stream == no_id ? " on the host" : "");
    }

    const Program& m_program;
    QStringList m_words;
};

/// The first action of each kind, a collective of each, as the name of its step and what it does.
QStringList all_effects(const Program& program)
{
    std::set<std::pair<std::size_t, std::string>> seen;
    QStringList all;
    Words words(program);
    each_effects(program, [&](const Effects& effects, const Instruction& instruction, Index) {
        const bool collective = std::holds_alternative<CollectiveAction>(instruction.action);
        const auto& kind = program.steps[instruction.step].kind;
        if (seen.emplace(instruction.action.index(), collective ? kind : "").second) {
            all << QString::fromStdString(kind) + ": " + words.of(effects);
        }
    });
    return all;
}

}  // namespace

class tst_WorkloadSteps : public QObject {
    Q_OBJECT

private slots:
    void everyStepIsHere();
    void whatEachDoes();
    void valuesOfAllThatIsWrittenMatter();
    void counts();
};

void tst_WorkloadSteps::everyStepIsHere()
{
    std::set<std::string_view> missing;
    for (const auto& form : syntax::step_forms()) {
        missing.insert(form.action);
    }
    std::set<std::size_t> actions;
    for (const auto& text : {every_step, fault_step}) {
        const Program program = program_of(text);
        for (const auto& step : program.steps) {
            missing.erase(step.kind);
        }
        each_effects(program,
            [&](const Effects&, const Instruction& instruction, Index) { actions.insert(instruction.action.index()); });
    }
    QVERIFY2(missing.empty(), missing.empty() ? "" : std::string("no '" + std::string(*missing.begin()) + "'").c_str());
    QCOMPARE(actions.size(), std::variant_size_v<Action>);
}

void tst_WorkloadSteps::whatEachDoes()
{
    const QStringList expected {
        "get: waits for item 0",
        "write: writes h on the host",
        "cpu: reads h on the host, writes filled as h on the host",
        "copy: on s, work, reads filled, writes x as filled, copies 1",
        "range: ranges 1",
        "kernel: on s, work, reads x, writes x, reads x, kernels 1",
        "range: ",
        "memset: on s, work, writes half from 0 to 32768, memsets 1",
        "record: on s, records 0",
        "wait: on t, stream awaits 0, waits 1",
        "alloc: on t, allocates pool",
        "free: on t, frees pool",
        "all_reduce: work of joined streams, reads a, reads b, writes a, writes b, kernels 2",
        "reduce_scatter: work of joined streams, reads p from 0 to 32768, reads q from 0 to 32768, "
        "writes p from 0 to 32768, reads p from 32768 to 65536, reads q from 32768 to 65536, "
        "writes q from 32768 to 65536, kernels 2",
        "all_gather: work of joined streams, reads p from 0 to 32768, writes q from 0 to 32768 as p, "
        "reads q from 32768 to 65536, writes p from 32768 to 65536 as q, kernels 2",
        "broadcast: work of joined streams, reads a, writes r as a, kernels 2",
        "send_recv: work of joined streams, reads r, writes sent as r, kernels 2",
        "capture: on s, begins 0",
        "capture: on s, ends 0",
        "launch: on s, work, launches 0",
        "sync: waits for event 0, syncs 1",
        "sync: on t, waits for stream 1, syncs 1",
        "sync: waits for device 0, syncs 1",
        "read: reads h on the host, reads x_cpu on the host, reads half_cpu on the host, reads a_cpu on the host, "
        "reads b_cpu on the host, reads pool_cpu on the host, reads captured_cpu on the host, reads p_cpu on the host, "
        "reads q_cpu on the host, reads r_cpu on the host, reads sent_cpu on the host, reads cached_cpu on the host",
        "put: waits for room 0",
        "join: waits for thread 0",
        "if: reads x_cpu on the host, may go elsewhere, counts unknown",
    };
    const QStringList found = all_effects(program_of(every_step));
    for (qsizetype i = 0; i < std::min(found.size(), expected.size()); ++i) {
        QCOMPARE(found[i], expected[i]);
    }
    QCOMPARE(found.size(), expected.size());
    QCOMPARE(all_effects(program_of(fault_step)).first(), QString("fault: on s, work, counts unknown"));
}

// Else the runs of every_step would not notice if a runner fails to write it, or to follow what it writes.
void tst_WorkloadSteps::valuesOfAllThatIsWrittenMatter()
{
    const Program program = program_of(every_step);
    std::set<Index> written;
    std::set<Index> matter;
    std::multimap<Index, Index> copies;  // to -> from
    each_effects(program, [&](const Effects& effects, const Instruction&, Index) {
        for (const Access& access : effects.accesses) {
            if (access.kind == Access::Kind::write) {
                written.insert(access.buffer);
                copies.emplace(access.buffer, access.copied_from);
            } else if (effects.may_go_to != no_id) {
                matter.insert(access.buffer);
            }
        }
    });
    for (std::size_t before = 0; before != matter.size();) {
        before = matter.size();
        for (const auto& [to, from] : copies) {
            if (matter.contains(to)) {
                matter.insert(from);
            }
        }
    }
    for (const Index buffer : written) {
        QVERIFY2(matter.contains(buffer), program.buffers[buffer].name.c_str());
    }
}

void tst_WorkloadSteps::counts()
{
    const auto counts = count(program_of(counted_steps));
    QVERIFY(counts);
    QCOMPARE(counts->kernels, 15U);
    QCOMPARE(counts->copies, 14U);
    QCOMPARE(counts->memsets, 1U);
    QCOMPARE(counts->syncs, 4U);
    QCOMPARE(counts->waits, 1U);
    QCOMPARE(counts->ranges, 1U);
    QVERIFY(!count(program_of(every_step)));
}

QTEST_GUILESS_MAIN(tst_WorkloadSteps)
#include "tst_workload_steps.moc"

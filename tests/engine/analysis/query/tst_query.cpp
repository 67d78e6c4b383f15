// SPDX-License-Identifier: MIT
#include "engine/analysis/query/query_matcher.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

#include <functional>
#include <random>

using namespace lanes;

namespace {

constexpr Ns us = 1000, ms = 1'000'000;

/// Two threads, two streams and one event of every sort; in the tests each has a letter.
class Sample {
public:
    Sample()
    {
        Tape tape;
        auto& builder = tape.builder();
        const auto name_stream = [&](std::uint32_t id, const char* name) {
            builder.write(StreamRecord {.process = Tape::process,
                .context = Tape::context,
                .stream = id,
                .priority = 0,
                .flag = StreamRecord::non_blocking,
                .name = builder.intern(name)});
        };
        name_stream(17, "compute");
        name_stream(71, "");
        tape.thread(1, "main", 0);
        tape.thread(2, "Loader", 1);
        const auto a = tape.call("cudaLaunchKernel", 0, 10 * us);
        const auto b = tape.call("cudaMemcpyAsync", 20 * us, 2 * ms, 2);
        const auto c = tape.call("cudaStreamSynchronize", 3 * ms, 9 * ms);
        tape.call("cudaMalloc", 10 * ms, 10 * ms + 5 * us);
        KernelRecord kernel {};
        kernel.start = Tape::origin + 1 * ms;
        kernel.end = Tape::origin + 5 * ms;
        kernel.process = Tape::process;
        kernel.context = Tape::context;
        kernel.stream = 17;
        kernel.correlation = a;
        kernel.channel = no_id;
        kernel.name = builder.intern("void ns::MatMul<float, 4>(float*)");
        builder.write(kernel);
        tape.copy(b, 71, 1500 * us, 2 * ms, CopyKind::h2d, MemoryKind::pageable, true, 0, 64 << 20);
        tape.memset(0, 17, 6 * ms, 6 * ms + 2 * us);
        tape.sync(c, SyncRecord::stream_sync, 3 * ms, 9 * ms, 17);
        tape.range("epoch: 3", 0, 10 * ms);
        tape.mark("start here", 1 * ms, 2);
        tape.host_span(HostSpanRecord::work, 2 * ms, 3 * ms, 2);
        tape.read("y", 9 * ms, 10 * ms, 4096, 0);
        trace = tape.finish();
        blocking = find_blocking(trace);
    }

    /// The events that a query finds, a letter each.
    QString found(const Query& query) const
    {
        const QueryMatcher matcher(query, trace, &blocking);
        QString letters;
        for (const auto& [event, letter] : all()) {
            if (matcher.matches(event)) {
                letters += letter;
            }
        }
        return letters;
    }

    std::vector<std::pair<EventRef, QChar>> all() const
    {
        std::vector<std::pair<EventRef, QChar>> events;
        const auto add = [&](EventTable table, std::size_t count, auto letter) {
            for (Row row = 0; row < count; ++row) {
                events.emplace_back(EventRef {table, row}, letter(row));
            }
        };
        add(EventTable::operations, trace.operations.size(), [&](Row row) {
            const OperationKind kind = trace.operations.kind[row];
            return QLatin1Char(kind == OperationKind::kernel ? 'k' : kind == OperationKind::memset ? 's' : 'c');
        });
        std::sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        add(EventTable::calls, trace.calls.size(), [](Row row) { return QLatin1Char("LCSA"[row]); });
        add(EventTable::ranges, trace.ranges.size(),
            [&](Row row) { return QLatin1Char(trace.ranges[row].mark ? 'm' : 'e'); });
        add(EventTable::host_spans, trace.host_spans.size(), [](Row) { return QLatin1Char('h'); });
        add(EventTable::reads, trace.reads.size(), [](Row) { return QLatin1Char('r'); });
        return events;
    }

    Trace trace;
    Blocking blocking;
};

}  // namespace

class tst_Query : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void finds_data();
    void finds();
    void errors_data();
    void errors();
    void errorsInChinese();
    void emptyQueries();
    void limits();
    void namesAreQuoted_data();
    void namesAreQuoted();
    void withoutBlocking();
    void againstOracle();
    void garbage();

private:
    Sample m_sample;
};

void tst_Query::finds_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("letters");
    const auto row = [](const char* query, const char* letters) { QTest::newRow(query) << query << letters; };
    // k kernel, c copy, s memset; L launch, C memcpy, S stream sync, A malloc; e range, m mark, h host work, r read
    row("", "cksLCSAemhr");
    row("matmul", "k");
    row("MATMUL", "k");
    row("float", "k");  // of its full name
    row("ns::MatMul<float", "k");
    row("cuda", "LCSA");
    row("cuda mem", "C");  // both words
    row("synchro", "S");
    row("h2d", "c");  // as the timeline calls it
    row("H2D memcpy", "c");
    row("memset", "s");
    row("compute", "ks");  // its lane
    row("loader", "Cmh");
    row("name:loader", "");
    row("gpu", "cks");
    row("\"start here\"", "m");
    row("\"here start\"", "");
    row("start here", "m");
    row("\"epoch: 3\"", "e");
    row("name:\"epoch: 3\"", "e");
    row("name:epoch", "e");
    row("kind:kernel", "k");
    row("kind:communication", "");
    row("family:matmul", "k");
    row("family:copy", "c");
    row("Family:memset or family:matmul", "ks");
    row("family:attention", "");
    row("-family:copy kind:operation", "ks");
    row("kind:copy", "c");
    row("kind:h2d", "c");
    row("kind:d2h", "");
    row("kind:memset", "s");
    row("kind:operation", "cks");
    row("kind:call", "LCSA");
    row("KIND:Call", "LCSA");
    row("kind:sync", "S");
    row("kind:blocked", "CS");
    row("kind:range", "e");
    row("kind:mark", "m");
    row("kind:host", "hr");
    row("kind:read", "r");
    row("lane:compute", "ks");
    row("lane:\"gpu 0\"", "cks");
    row("stream:17", "ks");
    row("stream:7", "");  // an id is not a part of another
    row("stream:71", "c");
    row("stream:comp", "ks");
    row("thread:main", "LSAer");
    row("thread:2", "Cmh");
    row("thread:loader", "Cmh");
    row("dur>4ms", "Se");
    row("dur>=4ms", "kSe");
    row("dur > 4 ms", "Se");
    row("dur>4 ms kind:call", "S");
    row("dur<=2us", "sm");
    row("dur=4ms", "k");
    row("dur==4ms", "k");
    row("dur!=4ms kind:kernel", "");
    row("dur>4000000", "Se");
    row("dur>0.004 s", "Se");
    row("bytes>=64MiB", "c");
    row("bytes>64MiB", "");
    row("bytes>0", "csr");
    row("bytes<=4096 bytes>0", "sr");
    row("at>2ms", "sSAr");
    row("at>=2ms at<3ms", "h");
    row("blocked>0", "CS");
    row("blocked>1ms", "CS");
    row("-kind:call -kind:operation", "emhr");
    row("not kind:call not kind:operation", "emhr");
    row("--matmul", "k");
    row("not not matmul", "k");
    row("-(kind:call or kind:operation)", "emhr");
    row("matmul or h2d", "ck");
    row("kind:call or kind:operation dur>3ms", "kLCSA");  // or binds least
    row("(kind:call or kind:operation) dur>3ms", "kS");
    row("kind:call and dur>3ms", "S");
    row("kind:call OR kind:kernel", "kLCSA");
    row("\"or\"", "");
    row("epoch and 3", "e");
    row("(((matmul)))", "k");
    row("a=b", "");  // no key, no number: a word
    row("\"say \\\"x\\\"\"", "");
}

void tst_Query::finds()
{
    QFETCH(QString, query);
    QFETCH(QString, letters);
    QCOMPARE(m_sample.found(Query::parse(query.toStdString())), letters);
}

void tst_Query::errors_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<int>("column");
    QTest::addColumn<int>("length");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* query, int column, int length, const char* part) {
        QTest::newRow(query) << QString::fromUtf8(query) << column << length << QString::fromLatin1(part);
    };
    row("nmae:x", 1, 4, "unknown key 'nmae', did you mean 'name'?");
    row("matmul durr>1ms", 8, 4, "did you mean 'dur'?");
    row("zzzzzz:x", 1, 6, "unknown key 'zzzzzz', expected name, kind");
    row("kind:kernl", 6, 5, "unknown kind 'kernl', did you mean 'kernel'?");
    row("kind:(x)", 6, 0, "expected a value after 'kind:'");
    row("family:matmull", 8, 7, "unknown family 'matmull', did you mean 'matmul'?");
    row("family:zzz", 8, 3, "unknown family 'zzz', expected communication, attention, matmul");
    row("family>matmul", 7, 1, "found '>', expected ':' after 'family'");
    row("name: x", 6, 0, "expected a value after 'name:'");
    row("dur>5 parsecs", 0, 0, "");
    row("dur>5parsecs", 6, 7, "unknown unit 'parsecs'");
    row("dur>5mss", 6, 3, "did you mean 'ms'?");
    row("dur>5MiB", 5, 4, "found '5MiB', expected a time such as 2 ms");
    row("bytes>5ms", 7, 3, "found '5ms', expected a size such as 64 MiB");
    row("dur>fast", 5, 4, "found 'fast', expected a time");
    row("dur>-5ms", 5, 4, "found '-5ms', expected a time");
    row("dur>1.2.3ms", 6, 0, "");
    row("dur>99999999999999999999s", 5, 21, "expected a time");
    row("dur>", 5, 0, "expected a number with its unit after 'dur>'");
    row("dur:5ms", 4, 1, "expected <, <=");
    row("name>x", 5, 1, "expected ':' after 'name'");
    row("(matmul", 1, 1, "never closed");
    row("matmul)", 7, 1, "without a matching");
    row("\"matmul", 1, 1, "never closed");
    row("()", 2, 1, "found ')', expected a word or a key before it");
    row("or x", 1, 2, "found 'or'");
    row("x or", 5, 0, "after 'or'");
    row("x or or y", 6, 2, "found 'or'");
    row("x and", 6, 0, "after 'and'");
    row("and x", 1, 3, "found 'and'");
    row("not", 4, 0, "after 'not'");
    row("x -", 4, 0, "after '-'");
    row("\xC3\xA4\xC3\xB6 kind:x", 9, 1, "unknown kind 'x'");  // counted in characters
}

void tst_Query::errors()
{
    QFETCH(QString, query);
    QFETCH(int, column);
    QFETCH(int, length);
    QFETCH(QString, part);
    try {
        Query::parse(query.toStdString());
    } catch (const QueryError& error) {
        if (column == 0 || part.isEmpty()) {
            return;
        }
        const QString said = QString::fromStdString(error.what());
        QVERIFY2(said.contains(part), qPrintable(said));
        QVERIFY2(said.startsWith(QStringLiteral("column %1: ").arg(column)), qPrintable(said));
        QCOMPARE(static_cast<int>(error.column()), column);
        QCOMPARE(static_cast<int>(error.length()), length);
        QVERIFY(error.offset() + error.length() <= static_cast<std::size_t>(query.toUtf8().size()));
        return;
    }
    QVERIFY2(column == 0, "no error");
}

void tst_Query::errorsInChinese()
{
    try {
        Query::parse("kind:kernl");
        QFAIL("no error");
    } catch (const QueryError& error) {
        const auto said = Messages::of("zh_CN").format(error.message());
        QVERIFY(said.find("kernel") != std::string::npos && said != std::string(error.message()));
    }
}

void tst_Query::emptyQueries()
{
    for (const char* nothing : {"", " ", "\t \n"}) {
        const auto query = Query::parse(nothing);
        QVERIFY(query.empty());
        QVERIFY(QueryMatcher(query, m_sample.trace).all());
    }
    QVERIFY(Query().empty());
    QVERIFY(!Query::parse("x").empty());
    QCOMPARE(Query::parse(" x ").text(), std::string(" x "));
    QCOMPARE(Query::kinds().size(), static_cast<std::size_t>(QueryKind::communication) + 1);
    for (const std::string& kind : Query::kinds()) {
        QVERIFY(Query::kinds()[static_cast<std::size_t>(Query::parse("kind:" + kind).root().kind)] == kind);
    }
}

void tst_Query::limits()
{
    QVERIFY(!Query::parse(std::string(1000, 'x')).empty());
    QVERIFY_THROWS_EXCEPTION(QueryError, Query::parse(std::string(1001, 'x')));
    const auto nested = [](std::size_t depth) { return std::string(depth, '(') + "x" + std::string(depth, ')'); };
    QVERIFY(!Query::parse(nested(31)).empty());
    QVERIFY_THROWS_EXCEPTION(QueryError, Query::parse(nested(400)));
    QVERIFY_THROWS_EXCEPTION(QueryError, Query::parse(std::string(900, '-') + "x"));
}

void tst_Query::namesAreQuoted_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("found");
    const auto row = [](const QByteArray& name) { QTest::newRow(name.left(20).constData()) << name << name; };
    row("gemm");
    row("foo\\");
    row("\\");
    row("\"");
    row("a\"b\\\"c");
    row("(x) or -y:z");
    QTest::newRow("long") << QByteArray(3000, '\\') << QByteArray(400, '\\');
    QTest::newRow("long Chinese") << QByteArray("x") + QByteArray("\xe7\x9f\xa9").repeated(1000)
                                  << QByteArray("x") + QByteArray("\xe7\x9f\xa9").repeated(133);
}

void tst_Query::namesAreQuoted()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, found);
    const Query query = Query::parse(query_of_name(name.toStdString()) + " at>=0ns");
    QCOMPARE(query.root().parts.size(), std::size_t {2});
    const Query::Node& node = query.root().parts.front();
    QVERIFY(node.is == Query::Node::Is::name);
    QCOMPARE(QByteArray::fromStdString(node.word), found);
}

void tst_Query::withoutBlocking()
{
    const QueryMatcher matcher(Query::parse("kind:blocked or blocked>0"), m_sample.trace);
    for (Row row = 0; row < m_sample.trace.calls.size(); ++row) {
        QVERIFY(!matcher.call(row));
    }
}

/// Random queries against predicates that are made together with their text.
void tst_Query::againstOracle()
{
    const Sample& sample = m_sample;
    const Trace& trace = sample.trace;
    using Predicate = std::function<bool(EventRef)>;
    const auto span = [&](EventRef e) -> std::pair<Ns, Ns> {
        switch (e.table) {
        case EventTable::operations:
            return {trace.operations.start[e.row], trace.operations.end[e.row]};
        case EventTable::calls:
            return {trace.calls.start[e.row], trace.calls.end[e.row]};
        case EventTable::ranges:
            return {trace.ranges[e.row].start, trace.ranges[e.row].end};
        case EventTable::host_spans:
            return {trace.host_spans[e.row].start, trace.host_spans[e.row].end};
        default:
            return {trace.reads[e.row].start, trace.reads[e.row].end};
        }
    };
    std::mt19937 random(7);
    const auto below = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
    std::function<std::pair<std::string, Predicate>(int)> make = [&](int depth) -> std::pair<std::string, Predicate> {
        switch (below(depth > 4 ? 3 : 6)) {
        case 0: {
            const Ns bound = below(12) * ms;
            return {"dur>" + std::to_string(bound / ms) + "ms",
                [&, bound](EventRef e) { return span(e).second - span(e).first > bound; }};
        }
        case 1: {
            const Ns bound = below(12) * ms;
            return {"at <= " + std::to_string(bound / us) + " us",
                [&, bound](EventRef e) { return span(e).first <= bound; }};
        }
        case 2: {
            const auto table = below(2) == 0 ? EventTable::operations : EventTable::calls;
            return {table == EventTable::calls ? "kind:call" : "kind:operation",
                [table](EventRef e) { return e.table == table; }};
        }
        case 3: {
            auto [text, predicate] = make(depth + 1);
            return {(below(2) == 0 ? "-(" : "not (") + text + ")",
                [predicate = predicate](EventRef e) { return !predicate(e); }};
        }
        case 4: {
            auto [a, p] = make(depth + 1);
            auto [b, q] = make(depth + 1);
            return {"(" + a + ") " + (below(2) == 0 ? "and " : "") + "(" + b + ")",
                [p = p, q = q](EventRef e) { return p(e) && q(e); }};
        }
        default: {
            auto [a, p] = make(depth + 1);
            auto [b, q] = make(depth + 1);
            return {a + " or " + b, [p = p, q = q](EventRef e) { return p(e) || q(e); }};
        }
        }
    };
    for (int i = 0; i < 2000; ++i) {
        const auto [text, predicate] = make(0);
        if (text.size() > 1000) {
            continue;
        }
        const QueryMatcher matcher(Query::parse(text), trace, &sample.blocking);
        for (const auto& [event, letter] : sample.all()) {
            QVERIFY2(matcher.matches(event) == predicate(event), text.c_str());
        }
    }
}

void tst_Query::garbage()
{
    const std::vector<std::string> pieces {"(", ")", "\"", "-", "not ", "or ", "and ", " ", "kind:", "kernel", "dur",
        ">", "<=", "1ms", "1 ", "5", ".", "e9", "::", ":", "x", "\xC3", "\\", "bytes", "MiB", std::string(1, '\0')};
    std::mt19937 random(11);
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (unsigned n = random() % 12; n > 0; --n) {
            text += pieces[random() % pieces.size()];
        }
        try {
            m_sample.found(Query::parse(text));
        } catch (const QueryError& error) {
            QVERIFY(error.column() >= 1 && error.offset() + error.length() <= text.size());
        }
    }
}

QTEST_APPLESS_MAIN(tst_Query)
#include "tst_query.moc"

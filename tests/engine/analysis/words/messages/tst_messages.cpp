// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/graph/missed_overlap.h"
#include "engine/analysis/words/messages.h"
#include "engine/trace/event.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace lanes;

namespace {

/// The arguments that a sentence names.
QSet<QString> arguments_of(const std::string& sentence)
{
    static const QRegularExpression argument(QStringLiteral("\\{([^}|]*)(\\|[^}]*)?\\}"));
    QSet<QString> names;
    for (auto match = argument.globalMatch(QString::fromStdString(sentence)); match.hasNext();) {
        names.insert(match.next().captured(1));
    }
    return names;
}

Messages read(const QString& language)
{
    QFile file(qEnvironmentVariable("LANES_SOURCE") + "/resources/text/" + language + ".yaml");
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return Messages(file.readAll().toStdString());
}

}  // namespace

class tst_Messages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void languagesSayTheSameThings();
    void everyIdOfTheEngineHasASentence();
    void argumentsAreFilledIn();
    void argumentsCommandNoTerminal();
    void oneIsNotSeveral();
    void chineseAndLatinStandApart();
    void languages();
    void withoutSentences();
    void refusesWhatIsNoText();
};

void tst_Messages::languagesSayTheSameThings()
{
    const auto english = read("en");
    QVERIFY(english.sentences().size() > 50);
    for (const auto& language : Messages::languages()) {
        const auto other = read(QString::fromStdString(language));
        for (const auto& [id, sentence] : english.sentences()) {
            const auto found = other.sentences().find(id);
            QVERIFY2(found != other.sentences().end(), (language + " lacks " + id).c_str());
            QVERIFY2(
                arguments_of(found->second) == arguments_of(sentence), (language + ": arguments of " + id).c_str());
            QVERIFY2(!found->second.empty(), id.c_str());
        }
        QCOMPARE(other.sentences().size(), english.sentences().size());
    }
}

void tst_Messages::everyIdOfTheEngineHasASentence()
{
    // Ids are literals "word.word" in the sources; the part before the point distinguishes them from file names.
    const auto english = read("en");
    static const QRegularExpression literal(
        QStringLiteral("\"((?:report|verdict|compare|caveat|query)\\.[a-z0-9_]+)\""));
    int ids = 0;
    QDirIterator files(qEnvironmentVariable("LANES_SOURCE") + "/engine/analysis", {"*.cpp"}, QDir::Files,
        QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (auto match = literal.globalMatch(QString::fromUtf8(file.readAll())); match.hasNext(); ++ids) {
            const auto id = match.next().captured(1).toStdString();
            QVERIFY2(english.sentences().contains(id), id.c_str());
        }
    }
    QVERIFY(ids > 30);
    // What a reader leaves out, by the names that it counts it under.
    static const QRegularExpression leftOut(
        QStringLiteral("(?:m_unshown\\[|std::pair\\(|leave_out\\(|say\\()\"([a-z_]+)\""));
    int kinds = 0;
    QDirIterator readers(
        qEnvironmentVariable("LANES_SOURCE") + "/engine/store", {"*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (readers.hasNext()) {
        QFile file(readers.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (auto match = leftOut.globalMatch(QString::fromUtf8(file.readAll())); match.hasNext(); ++kinds) {
            const auto id = "not_shown." + match.next().captured(1).toStdString();
            QVERIFY2(english.sentences().contains(id), id.c_str());
        }
    }
    QVERIFY(kinds > 5);
    for (std::size_t cause = 0; cause < block_cause_count; ++cause) {
        QVERIFY(english.sentences().contains("cause." + std::string(name_of(static_cast<BlockCause>(cause)))));
    }
    for (std::size_t reason = 0; reason < idle_reason_count; ++reason) {
        QVERIFY(english.sentences().contains("reason." + std::string(name_of(static_cast<IdleReason>(reason)))));
    }
    for (std::size_t what = 0; what < neighbours_count; ++what) {
        QVERIFY(english.sentences().contains("neighbours." + std::string(name_of(static_cast<Neighbours>(what)))));
    }
    for (std::size_t engine = 1; engine <= static_cast<std::size_t>(BestTime::Engine::copies); ++engine) {
        QVERIFY(english.sentences().contains(
            "why_not.engine." + std::string(name_of(static_cast<BestTime::Engine>(engine)))));
    }
    for (int kind = 0; kind <= static_cast<int>(EventKind::read); ++kind) {
        QVERIFY(english.sentences().contains("kind." + std::string(name_of(static_cast<EventKind>(kind)))));
    }
    for (int kind = 0; kind <= static_cast<int>(MemoryKind::managed_static); ++kind) {
        QVERIFY(english.sentences().contains("memory." + std::string(name_of(static_cast<MemoryKind>(kind)))));
    }
    for (std::size_t source = 0; source < source_count; ++source) {
        QVERIFY(english.sentences().contains("source." + std::string(name_of(static_cast<Source>(source)))));
    }
    for (const std::string unknown : {"key", "kind", "unit"}) {
        QVERIFY(english.sentences().contains("query.unknown_" + unknown));
        QVERIFY(english.sentences().contains("query.unknown_" + unknown + "_near"));
    }
}

void tst_Messages::argumentsAreFilledIn()
{
    const Messages messages("a:\n  b: \"{x} of {y}, {x}; {z} and {\"\n");
    QCOMPARE(messages.format({"a.b", {{"x", "1"}, {"y", "{x}"}}}), std::string("1 of {x}, 1; {z} and {"));
    QCOMPARE(Messages("a: \"{who} waited\"\nb: \"thread {id}\"\n").format({"a", {}, {{"who", {"b", {{"id", "7"}}}}}}),
        std::string("thread 7 waited"));
}

/// "1 record was", "2 records were"; and no sentence of the engine uses the plural for one thing.
void tst_Messages::oneIsNotSeveral()
{
    const Messages messages("a: \"{count} {count|record was|records were} lost\"\nb: \"{x|one} {y|a|b|c} {z|\"\n");
    QCOMPARE(messages.format({"a", {{"count", "1"}}}), std::string("1 record was lost"));
    for (const std::string several : {"0", "2", "11", "1.5"}) {
        QCOMPARE(messages.format({"a", {{"count", several}}}), several + " records were lost");
    }
    QCOMPARE(messages.format({"b", {{"x", "2"}, {"y", "2"}}}), std::string(" b|c {z|"));

    const auto english = read("en");
    // Plurals after a number; not "1 in 1 values", "1 times as fast", "1 parenthesis".
    static const QRegularExpression several(
        QStringLiteral("(?<![\\d.,])(?<!1 in )1 (?!ms\\b|times (?:as|that))[a-z]*[a-hj-rt-z]s\\b(?! not)"));
    static const QRegularExpression verb(QStringLiteral("^1 (has|was|is|does|holds|its|loses|computes)\\b"));
    for (const auto& [id, sentence] : english.sentences()) {
        Message message {id, {}};
        for (const QString& name : arguments_of(sentence)) {
            message.arguments.emplace_back(name.toStdString(), "1");
        }
        const auto text = QString::fromStdString(english.format(message));
        for (auto match = several.globalMatch(text); match.hasNext();) {
            const auto found = match.next().captured();
            QVERIFY2(verb.match(found).hasMatch(), qPrintable(QString::fromStdString(id) + ": " + text));
        }
    }
}

/// They may be names from a file, and titles of findings go to a terminal.
void tst_Messages::argumentsCommandNoTerminal()
{
    const Messages messages("a: \"{who} waited\"\n");
    const Message message {"a", {{"who", "k\x1b[31m\xFF"}}};
    QCOMPARE(messages.format(message), std::string("k [31m\xEF\xBF\xBD waited"));
    QCOMPARE(Messages().format(message), std::string("a who=k [31m\xEF\xBF\xBD"));
}

/// Wherever a figure with its unit is put into a Chinese sentence, and in the sentence itself.
void tst_Messages::chineseAndLatinStandApart()
{
    static const QRegularExpression close(
        QStringLiteral("[\\x{4e00}-\\x{9fff}][A-Za-z0-9%]|[A-Za-z0-9%][\\x{4e00}-\\x{9fff}]"),
        QRegularExpression::UseUnicodePropertiesOption);
    const auto chinese = read("zh_CN");
    QVERIFY(chinese.sentences().size() > 300);
    for (const auto& [id, sentence] : chinese.sentences()) {
        for (const char* value : {"274 ms", "87 %", "\xe5\x86\x85\xe6\xa0\xb8"}) {
            Message message {id, {}};
            for (const auto& name : arguments_of(sentence)) {
                message.arguments.emplace_back(name.toStdString(), value);
            }
            const auto text = QString::fromStdString(chinese.format(message));
            QVERIFY2(!close.match(text).hasMatch(), qPrintable(text));
        }
    }
    const auto format = [](const char* sentence, const std::string& value) {
        return Messages(std::string("a: \"") + sentence + "\"\n").format({"a", {{"x", value}}});
    };
    QCOMPARE(format("{x}的路径", "274 ms"), "274 ms 的路径");
    QCOMPARE(format("{x}的路径", "全部"), "全部的路径");
    QCOMPARE(format("在{x}，", "3 µs"), "在 3 µs，");
    QCOMPARE(format("{x} 的路径", "274 ms"), "274 ms 的路径");

    // The window's own sentences: the arguments are figures, except in these, where they are words.
    static const QRegularExpression at_argument(
        QStringLiteral("[\\x{4e00}-\\x{9fff}]%L?\\d|%L?\\d[\\x{4e00}-\\x{9fff}]"));
    const QStringList words {"%1，等待%2", "%2 的%1", "… 等待%1", "迟到%1：%3 次集合通信中有 %2 次最后到达",
        "与其他 rank 一起迟到%1：%3 次集合通信中有 %2 次最后到达", "%1；平均%2：%3"};
    QFile file(qEnvironmentVariable("LANES_SOURCE") + "/resources/translations/lanescope_zh_CN.ts");
    QVERIFY(file.open(QIODevice::ReadOnly));
    static const QRegularExpression translation(QStringLiteral("<translation>([^<]*)</translation>"));
    int sentences = 0;
    for (auto match = translation.globalMatch(QString::fromUtf8(file.readAll())); match.hasNext(); ++sentences) {
        const QString sentence = match.next().captured(1);
        QVERIFY2(!at_argument.match(sentence).hasMatch() || words.contains(sentence), qPrintable(sentence));
    }
    QVERIFY(sentences > 1000);
}

void tst_Messages::languages()
{
    QCOMPARE(Messages::language_of_locale("zh_CN.UTF-8"), std::string("zh_CN"));
    QCOMPARE(Messages::language_of_locale("de_DE.UTF-8"), std::string("en"));
    QCOMPARE(Messages::language_of_locale("C"), std::string("en"));
    QVERIFY(Messages::of("zh_CN").text("report.wall") != Messages::english().text("report.wall"));
    QCOMPARE(Messages::of("zh_CN").language(), std::string("zh_CN"));
    QCOMPARE(Messages::of("xx").text("report.wall"), Messages::english().text("report.wall"));
}

void tst_Messages::withoutSentences()
{
    QCOMPARE(Messages().format({"verdict.blocking", {{"wall", "1 ms"}}}), std::string("verdict.blocking wall=1 ms"));
}

void tst_Messages::refusesWhatIsNoText()
{
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, Messages("a: [1, 2]"));
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, Messages("a: \"open"));
}

QTEST_GUILESS_MAIN(tst_Messages)
#include "tst_messages.moc"

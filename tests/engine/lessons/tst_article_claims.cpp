// SPDX-License-Identifier: MIT
// What the articles say, and docs/what-the-articles-say.md, which is made from it: with LANES_UPDATE_PAGES=1 this
// writes the page, else it compares.
#include "engine/workload/article_claims.h"
#include "engine/workload/catalogue.h"
#include "lesson.h"

#include <QFile>
#include <QTest>
#include <set>

using namespace lanes;
using namespace lanes::tests;

namespace {

const char* wordOf(ArticleClaim::Truth truth)
{
    return truth == ArticleClaim::Truth::yes ? "true" : truth == ArticleClaim::Truth::no ? "false" : "partly";
}

bool is_recorded(const ArticleClaim::Place& place)
{
    return Lesson("h200", place.workload).has(place.variant);
}

/// Of the page.
std::string line_of(const ArticleClaim& claim)
{
    std::string line = "| " + claim.says.at("en") + " | " + wordOf(claim.truth) + " | " + claim.answer.at("en") + " |";
    std::string last;
    for (const auto& place : claim.shown) {
        line += place.workload == last
            ? ", "
            : (last.empty() ? " [" : "; [") + place.workload + "](../resources/workloads/" + place.workload + ".yaml) ";
        line += "`" + place.variant + "`" + (is_recorded(place) ? "" : " (model)");
        last = place.workload;
    }
    return line + " |\n";
}

std::string page_of(const std::vector<Article>& articles)
{
    std::size_t count = 0;
    for (const Article& article : articles) {
        count += article.claims.size();
    }
    std::string page
        = "# What the articles say\n\nFour public articles about PyTorch are where this project began. They make "
        + std::to_string(count)
        + " claims. Each is here in a line: whether it is true, what the recordings show, and the lesson and the "
          "variants "
          "to look at (`lanescope`, or `lanes run LESSON --variant VARIANT`). Figures are of the shipped recordings of "
          "an "
          "H200. *(model)* marks a variant that the model device shows until it is recorded. The page is made from "
          "[claims.yaml](../resources/text/claims.yaml), which has it in Chinese too.\n";
    for (const Article& article : articles) {
        page += "\n## " + article.title.at("en")
            + "\n\n| claim | | what the lessons show | where |\n| --- | --- | --- | --- |\n";
        for (const ArticleClaim& claim : article.claims) {
            page += line_of(claim);
        }
    }
    return page;
}

}  // namespace

class tst_ArticleClaims : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", QByteArray::fromStdString(resources())); }
    void allAreAnswered();
    void figuresAreThoseOfTheRecordings();
    void mistakes_data();
    void mistakes();
    void page();
};

void tst_ArticleClaims::allAreAnswered()
{
    const auto articles = article_claims();
    QCOMPARE(articles.size(), 4U);
    std::size_t count = 0;
    std::set<std::string> said;
    for (const Article& article : articles) {
        for (const ArticleClaim& claim : article.claims) {
            ++count;
            QVERIFY2(said.insert(claim.says.at("en")).second, claim.says.at("en").c_str());
            for (const char* language : {"en", "zh_CN"}) {
                QVERIFY(!claim.says.at(language).empty() && !claim.answer.at(language).empty());
                QVERIFY2(claim.says.at(language).find('|') == std::string::npos, "it would break the table");
            }
            for (const auto& place : claim.shown) {
                compile(find_workload(place.workload), place.variant);
            }
        }
    }
    QCOMPARE(count, 53U);
}

void tst_ArticleClaims::figuresAreThoseOfTheRecordings()
{
    int found = 0;
    for (const Article& article : article_claims()) {
        for (const ArticleClaim& claim : article.claims) {
            const auto text = QString::fromStdString(claim.answer.at("en"));
            const auto at = text.indexOf(" times here");
            if (at < 0) {
                continue;
            }
            ++found;
            QCOMPARE(claim.shown.size(), 2U);
            const Lesson lesson("h200", claim.shown[0].workload);
            const QString ratio = QString::number(lesson.ratio(claim.shown[0].variant, claim.shown[1].variant), 'f', 1);
            QCOMPARE(text.left(at).section(' ', -1), ratio);
            QVERIFY(QString::fromStdString(claim.answer.at("zh_CN")).contains(ratio + " 倍"));
        }
    }
    QCOMPARE(found, 2);
}

void tst_ArticleClaims::mistakes_data()
{
    QTest::addColumn<QString>("claim");
    QTest::addColumn<QString>("error");
    const QString texts = QStringLiteral("says: {en: A, zh_CN: B}, answer: {en: C, zh_CN: D}, ");
    QTest::newRow("sound") << texts + "truth: true, shown: [a.b]"
                           << "";
    QTest::newRow("another word") << texts + "truth: maybe, shown: [a.b]"
                                  << "found 'maybe', expected true, false or partly";
    QTest::newRow("no lesson") << texts + "truth: true, shown: []"
                               << "the claim is shown by no lesson, expected at least one";
    QTest::newRow("no variant") << texts + "truth: true, shown: [a]"
                                << "found 'a', expected LESSON.VARIANT";
    QTest::newRow("no answer") << "says: {en: A, zh_CN: B}, truth: true, shown: [a.b]"
                               << "found no 'answer', expected a text in each language: {en: …, zh_CN: …}";
    QTest::newRow("one language") << "says: {en: A}, answer: {en: C, zh_CN: D}, truth: true, shown: [a.b]"
                                  << "found no 'zh_CN', expected a text";
    QTest::newRow("another key") << texts + "truth: true, shown: [a.b], more: 1"
                                 << "unknown key 'more'";
}

void tst_ArticleClaims::mistakes()
{
    QFETCH(QString, claim);
    QFETCH(QString, error);
    const auto text = "articles: [{title: {en: T, zh_CN: T}, claims: [{" + claim + "}]}]\n";
    try {
        read_article_claims(text.toStdString(), "claims.yaml");
        QCOMPARE(error, QString());
    } catch (const WorkloadError& found) {
        QCOMPARE(QString::fromStdString(found.message()), error);
        QCOMPARE(found.line(), 1U);
    }
}

void tst_ArticleClaims::page()
{
    const auto page = QString::fromStdString(page_of(article_claims()));
    QFile file(qEnvironmentVariable("LANES_SOURCE") + "/docs/what-the-articles-say.md");
    if (qEnvironmentVariableIntValue("LANES_UPDATE_PAGES") != 0) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(page.toUtf8()), page.toUtf8().size());
        return;
    }
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY2(QString::fromUtf8(file.readAll()) == page,
        "the page says something else than claims.yaml: LANES_UPDATE_PAGES=1 ctest -R tst_article_claims");
}

QTEST_GUILESS_MAIN(tst_ArticleClaims)
#include "tst_article_claims.moc"

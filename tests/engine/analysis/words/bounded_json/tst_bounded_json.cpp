// SPDX-License-Identifier: MIT
// The bounded answer: which rows are kept, what is said of the others, and that it always parses and fits.
#include "engine/analysis/words/bounded_json.h"
#include "engine/analysis/words/event_id.h"
#include "engine/analysis/words/json_writer.h"

#include <QTest>
#include <random>
#include <simdjson.h>

using namespace lanes;

class tst_BoundedJson : public QObject {
    Q_OBJECT

private slots:
    void shortOnesStay();
    void rowsWithMostTime();
    void whatWasCutBefore();
    void numbersAndTables();
    void longNames();
    void alwaysFits();
    void idsAndBack();
};

void tst_BoundedJson::shortOnesStay()
{
    const std::string json
        = R"({"a": [1, 2, 3], "b": {"c": [], "d": null, "e": "x\"y\\"}, "f": [{"g": 1.5}], "h": {}})";
    QCOMPARE(QByteArray::fromStdString(bounded_json(json)), QByteArray::fromStdString(json));
    QCOMPARE(QByteArray::fromStdString(bounded_json("[]")), QByteArray("[]"));
}

/// A list that is ranked keeps its first rows; one in the order of time those with the most of it, in their order.
void tst_BoundedJson::rowsWithMostTime()
{
    const auto list = [](const char* name) {
        JsonWriter json;
        json.begin_object().key(name).begin_array();
        for (std::int64_t i = 0; i < 30; ++i) {
            json.begin_object().field("start_ns", 100 * i).field("end_ns", 100 * i + i % 10).end_object();
        }
        return json.end_array().end_object().take();
    };
    simdjson::dom::parser parser;
    const auto starts = [&](const char* name) {
        std::vector<std::int64_t> all;
        simdjson::dom::element root = parser.parse(bounded_json(list(name), {6, 16'000, 160}));
        for (const auto each : root[name].get_array()) {
            all.push_back(std::int64_t(each["start_ns"]));
        }
        return all;
    };
    QCOMPARE(starts("findings"), (std::vector<std::int64_t> {0, 100, 200, 300, 400, 500}));
    QCOMPARE(starts("chain"), (std::vector<std::int64_t> {800, 900, 1800, 1900, 2800, 2900}));
    simdjson::dom::element root = parser.parse(bounded_json(list("chain"), {6, 16'000, 160}));
    QCOMPARE(std::int64_t(root["cut"]["chain"]["shown"]), 6);
    QCOMPARE(std::int64_t(root["cut"]["chain"]["of"]), 30);
    QCOMPARE(std::string_view(root["cut"]["chain"]["all"]), std::string_view("--json=full"));
}

void tst_BoundedJson::whatWasCutBefore()
{
    const std::string json
        = R"({"waits": [{"a": 1}, {"a": 2}, {"a": 3}], "cut": {"waits": {"shown": 3, "of": 786, "all": "lanes rows"}}})";
    QCOMPARE(QByteArray::fromStdString(bounded_json(json, {2, 16'000, 160})),
        QByteArray(
            R"({"waits": [{"a": 1}, {"a": 2}], "cut": {"waits": {"shown": 2, "of": 786, "all": "lanes rows"}}})"));
}

void tst_BoundedJson::numbersAndTables()
{
    const std::string json = R"({"of": ["a", "b", "c"], "ns": [[1, 2, 3], [4, 5, 6], [7, 8, 9]]})";
    QCOMPARE(QByteArray::fromStdString(bounded_json(json, {2, 16'000, 160})),
        QByteArray(R"({"of": ["a", "b"], "ns": [[1, 2], [4, 5]], "cut": {"of": {"shown": 2, "of": 3, )"
                   R"("all": "--json=full"}, "ns": {"shown": 2, "of": 3, "all": "--json=full"}}})"));
}

/// Cut between characters and escapes.
void tst_BoundedJson::longNames()
{
    const auto cut = [](const std::string& name, std::size_t most) {
        JsonWriter json;
        json.begin_object().field("name", std::string_view(name)).end_object();
        return QByteArray::fromStdString(bounded_json(json.take(), {20, 16'000, most}));
    };
    QCOMPARE(cut("kernel", 6), QByteArray(R"({"name": "kernel"})"));
    QCOMPARE(cut("kernels", 5), QByteArray(R"({"name": "kern…"})"));
    simdjson::dom::parser parser;
    for (std::size_t most = 1; most < 20; ++most) {
        for (const auto* name :
            {"一二三四五六七", "a\"b\"c\"d\"e\"f\"g\"h", "\x01\x02\x03\x04\x05\x06", "\\\\\\\\\\\\\\\\\\"}) {
            simdjson::dom::element root;
            QVERIFY2(!parser.parse(cut(name, most).toStdString()).get(root), cut(name, most).constData());
        }
    }
}

/// Random documents: the result parses, fits, has no longer list, and loses no key.
void tst_BoundedJson::alwaysFits()
{
    std::mt19937 random(39);
    const std::function<void(JsonWriter&, int)> write = [&](JsonWriter& json, int depth) {
        const auto kind = random() % (depth > 4 ? 2 : 4);
        if (kind == 0) {
            json.value(std::int64_t(random()));
        } else if (kind == 1) {
            json.value(std::string_view(std::string(random() % 60, "a\"\\x\xC3"[random() % 4])));
        } else if (kind == 2) {
            json.begin_array();
            for (auto i = random() % 40; i > 0; --i) {
                json.begin_object().key("x");
                write(json, depth + 2);
                json.end_object();
            }
            json.end_array();
        } else {
            json.begin_object();
            for (const auto* key : {"chain", "waits", "name"}) {
                json.key(key);
                write(json, depth + 1);
            }
            json.end_object();
        }
    };
    simdjson::dom::parser parser;
    const std::function<std::size_t(simdjson::dom::element)> longest = [&](simdjson::dom::element value) {
        std::size_t most = 0;
        if (value.is_array()) {
            most = value.get_array().size();
            for (const auto each : value.get_array()) {
                most = std::max(most, longest(each));
            }
        } else if (value.is_object()) {
            for (const auto field : value.get_object()) {
                most = std::max(most, longest(field.value));
            }
        }
        return most;
    };
    for (int i = 0; i < 300; ++i) {
        JsonWriter json;
        write(json, 0);
        const auto bounded = bounded_json(json.take(), {7, 3000, 160});
        simdjson::dom::element root;
        QVERIFY2(!parser.parse(bounded).get(root), bounded.c_str());
        QVERIFY(longest(root) <= 7);
        QVERIFY2(bounded.size() <= 3000, std::to_string(bounded.size()).c_str());
    }
}

void tst_BoundedJson::idsAndBack()
{
    for (const auto table : event_tables) {
        for (const Row row : {Row {0}, Row {17}, no_row - 1}) {
            const EventRef event {table, row};
            QVERIFY(event_of(row_id(event)) == event);
        }
    }
    QCOMPARE(QByteArray::fromStdString(row_id({EventTable::calls, 3})), QByteArray("call:3"));
    for (const auto* id : {"", ":", ":3", "call", "call:", "call:-1", "call:3x", "call: 3", "calls:3", "wait:3",
             "call:99999999999", "operation:1:2"}) {
        QVERIFY2(!event_of(id), id);
    }
}

QTEST_GUILESS_MAIN(tst_BoundedJson)
#include "tst_bounded_json.moc"

// SPDX-License-Identifier: MIT
#include "gui/panels/parameter_field.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/quantity_box.h"
#include "gui/panels/quantity_slider.h"
#include "tests/gui/panels/model_recording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_parameter_form : public QObject {
    Q_OBJECT

    static QuantityBox* box(ParameterForm& form, const char* name)
    {
        auto* field = form.findChild<ParameterField*>(QLatin1String(name));
        return field ? field->findChild<QuantityBox*>() : nullptr;
    }
    static void type(QuantityBox* box, const char* text)
    {
        box->setFocus();
        box->findChild<QLineEdit*>()->selectAll();
        QTest::keyClicks(box, QLatin1String(text));
    }

private slots:
    void quantitiesStepAsTheirUnitsDo_data();
    void quantitiesStepAsTheirUnitsDo();
    void slidersStandOnRoundValues_data();
    void slidersStandOnRoundValues();
    void boxAndSliderSayTheSame();
    void wrongTextIsSaidAndKept_data();
    void wrongTextIsSaidAndKept();
    void settingsAreWhatWasChangedByHand();
    void variantsOwnParametersStandSideBySide();
    void oneVariantAlone();
    void aProgramThatCannotRunIsSaid();
    void runsAreRestored();
};

void tst_parameter_form::quantitiesStepAsTheirUnitsDo_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<QString>("from");
    QTest::addColumn<int>("steps");
    QTest::addColumn<QString>("to");
    const auto row = [](const char* name, Parameter::Type type, const char* from, int steps, const char* to) {
        QTest::newRow(name) << static_cast<int>(type) << QString::fromLatin1(from) << steps << QString::fromLatin1(to);
    };
    row("a number counts", Parameter::Type::number, "8", 1, "9");
    row("a number counts down", Parameter::Type::number, "8", -3, "5");
    row("the range ends it", Parameter::Type::number, "9", 100, "64");
    row("a size doubles", Parameter::Type::bytes, "64 MiB", 1, "128 MiB");
    row("a size halves into the smaller unit", Parameter::Type::bytes, "1 MiB", -1, "512 KiB");
    row("a time goes 1 2 5 up", Parameter::Type::time, "2 ms", 1, "5 ms");
    row("and over the decade", Parameter::Type::time, "5 ms", 1, "10 ms");
    row("and down", Parameter::Type::time, "1 ms", -1, "500 us");
    row("from between", Parameter::Type::time, "3 ms", -1, "2 ms");
}

void tst_parameter_form::quantitiesStepAsTheirUnitsDo()
{
    QFETCH(int, type);
    QFETCH(QString, from);
    QFETCH(int, steps);
    QFETCH(QString, to);
    QuantityBox box(static_cast<Parameter::Type>(type), {}, type == 0 ? QStringLiteral("64") : QString());
    box.setValue(from);
    QSignalSpy edited(&box, &QuantityBox::edited);
    box.stepBy(steps);
    QCOMPARE(box.value(), to);
    QCOMPARE(box.text(), QString(to).replace(QStringLiteral(" us"), QStringLiteral(" \u00B5s")));
    QCOMPARE(edited.count(), 1);
}

void tst_parameter_form::slidersStandOnRoundValues_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<QString>("min");
    QTest::addColumn<QString>("max");
    QTest::addColumn<QStringList>("among");  // with those beside them, in their order
    QTest::addColumn<int>("most");
    const auto row = [](const char* name, Parameter::Type type, const char* min, const char* max,
                         const QStringList& among, int most) {
        QTest::newRow(name) << static_cast<int>(type) << QString::fromLatin1(min) << QString::fromLatin1(max) << among
                            << most;
    };
    row("counts one by one", Parameter::Type::number, "1", "64", {"1", "2", "3", "63", "64"}, 64);
    row("large counts by ratio", Parameter::Type::number, "1", "20000",
        {"1", "2", "9", "10", "11", "1000", "1100", "20000"}, 100);
    row("from nothing", Parameter::Type::number, "0", "10000", {"0", "1", "2", "10000"}, 100);
    row("sizes", Parameter::Type::bytes, "4 KiB", "1 GiB", {"4 KiB", "1 MiB", "1.125 MiB", "64 MiB", "72 MiB", "1 GiB"},
        150);
    row("a size that is not round", Parameter::Type::bytes, "1000 B", "3 MiB", {"1000 B", "1 KiB", "3 MiB"}, 110);
    row("times", Parameter::Type::time, "2 us", "1 s", {"2 us", "2.2 us", "1 ms", "1.1 ms", "1 s"}, 130);
    row("times from nothing", Parameter::Type::time, "0 us", "1 s", {"0 ns", "1 us", "1.1 us", "1 s"}, 140);
    row("a range of nothing", Parameter::Type::number, "3", "3", {}, 0);
    row("no range", Parameter::Type::number, "1", "", {}, 0);
}

void tst_parameter_form::slidersStandOnRoundValues()
{
    QFETCH(int, type);
    QFETCH(QString, min);
    QFETCH(QString, max);
    QFETCH(QStringList, among);
    QFETCH(int, most);
    Parameter parameter {.name = "p",
        .type = static_cast<Parameter::Type>(type),
        .default_value = min.toStdString(),
        .min = min.toStdString(),
        .max = max.toStdString(),
        .one_of = {},
        .label = {}};
    const std::vector<double> rungs = rungsOf(parameter);
    QVERIFY2(rungs.size() <= static_cast<std::size_t>(most), qPrintable(QString::number(rungs.size())));
    QVERIFY(std::adjacent_find(rungs.begin(), rungs.end(), std::greater_equal<>()) == rungs.end());
    QStringList texts;
    for (const double rung : rungs) {
        texts += quantityText(parameter.type, rung);
    }
    qsizetype last = -1;
    for (const QString& text : among) {
        const qsizetype at = texts.indexOf(text);
        QVERIFY2(at > last, qPrintable(text + QStringLiteral(" in ") + texts.join(QStringLiteral(", "))));
        last = at;
    }
    if (!among.isEmpty()) {
        QCOMPARE(texts.front(), among.front());
        QCOMPARE(texts.back(), among.back());
    }
    if (!rungs.empty()) {
        QuantitySlider slider(parameter);
        for (int i = 0; i < static_cast<int>(rungs.size()); ++i) {  // every value returns to its own place
            slider.setQuantity(texts[i]);
            QCOMPARE(slider.value(), i);
            QCOMPARE(slider.quantity(), texts[i]);
        }
    }
}

void tst_parameter_form::boxAndSliderSayTheSame()
{
    ParameterForm form;
    form.setWorkload(smallWorkload());
    auto* field = form.findChild<ParameterField*>(QStringLiteral("bytes.A"));
    auto* slider = field->findChild<QuantitySlider*>();
    QSignalSpy edited(&form, &ParameterForm::edited);
    slider->setValue(slider->value() + 1);
    QCOMPARE(edited.count(), 1);
    QCOMPARE(form.runs()[0].settings.at("bytes"), slider->quantity().toStdString());
    QCOMPARE(box(form, "bytes.A")->value(), slider->quantity());
    type(box(form, "bytes.A"), "2 MiB");
    QCOMPARE(slider->quantity(), QStringLiteral("2 MiB"));
    const int there = slider->value();
    type(box(form, "bytes.A"), "2");  // not right yet: nothing jumps
    QCOMPARE(slider->value(), there);
}

void tst_parameter_form::wrongTextIsSaidAndKept_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("right");
    QTest::newRow("in range") << "8 MiB" << true;
    QTest::newRow("no unit") << "8" << false;
    QTest::newRow("a time is no size") << "8 ms" << false;
    QTest::newRow("too small") << "1 KiB" << false;
    QTest::newRow("too large") << "2 GiB" << false;
    QTest::newRow("no number") << "many" << false;
    QTest::newRow("nothing") << "" << false;
}

void tst_parameter_form::wrongTextIsSaidAndKept()
{
    QFETCH(QString, text);
    QFETCH(bool, right);
    QuantityBox box(Parameter::Type::bytes, QStringLiteral("4 KiB"), QStringLiteral("1 GiB"));
    box.setValue(text);
    QCOMPARE(box.problem().isEmpty(), right);
    QCOMPARE(box.property("wrong").toBool(), !right);
    QCOMPARE(box.value(), text);
}

void tst_parameter_form::settingsAreWhatWasChangedByHand()
{
    ParameterForm form;
    form.setWorkload(smallWorkload());
    form.show();
    QCOMPARE(form.runs().size(), 2U);
    QVERIFY(form.runs()[0].settings.empty());
    QSignalSpy changed(&form, &ParameterForm::changed);
    type(box(form, "copies.A"), "5");
    QVERIFY(changed.count() > 0);
    QCOMPARE(form.runs()[0].settings, (Settings {{"copies", "5"}}));
    QCOMPARE(form.runs()[1].settings, (Settings {{"copies", "5"}}));  // a shared field is both runs'
    type(box(form, "copies.A"), "3");
    QVERIFY(form.runs()[0].settings.empty());  // back to the variant's own value
    type(box(form, "bytes.A"), "1 MiB");
    auto* reset = form.findChild<QPushButton*>(QStringLiteral("reset"));
    QVERIFY(reset->isVisible());
    QTest::mouseClick(reset, Qt::LeftButton);
    QVERIFY(form.runs()[1].settings.empty());
    QVERIFY(!reset->isVisible());
    QCOMPARE(box(form, "bytes.A")->value(), QStringLiteral("64 MiB"));
}

void tst_parameter_form::variantsOwnParametersStandSideBySide()
{
    ParameterForm form;
    form.setWorkload(smallWorkload());
    form.show();
    auto* a = form.findChild<ParameterField*>(QStringLiteral("blocking.A"));
    auto* b = form.findChild<ParameterField*>(QStringLiteral("blocking.B"));
    QVERIFY(a && b);
    QCOMPARE(a->value(), QStringLiteral("true"));
    QCOMPARE(b->value(), QStringLiteral("false"));
    QVERIFY(!form.findChild<ParameterField*>(QStringLiteral("copies.B")));
    QTest::keyClick(b->findChild<QCheckBox*>(), Qt::Key_Space);
    QCOMPARE(form.runs()[1].settings, (Settings {{"blocking", "true"}}));
    QVERIFY(form.runs()[0].settings.empty());
    auto* memory = form.findChild<ParameterField*>(QStringLiteral("host_memory.A"))->findChild<QComboBox*>();
    QCOMPARE(memory->currentText(), QStringLiteral("pageable"));
    QTest::keyClick(memory, Qt::Key_Down);
    QCOMPARE(form.runs()[0].settings, (Settings {{"host_memory", "pinned"}}));
}

void tst_parameter_form::oneVariantAlone()
{
    ParameterForm form;
    form.setWorkload(smallWorkload());
    form.show();
    auto* b = form.findChild<QComboBox*>(QStringLiteral("variantB"));
    b->setFocus();
    QTest::keyClick(b, Qt::Key_Home);
    QCOMPARE(form.runs().size(), 1U);
    QCOMPARE(form.runs()[0].variant, std::string("blocking"));
    QVERIFY(!form.findChild<ParameterField*>(QStringLiteral("blocking.B")));
}

void tst_parameter_form::aProgramThatCannotRunIsSaid()
{
    auto workload = std::make_shared<const Workload>(parse_workload(R"(parameters: {n: {default: 1}}
buffers: {x: {on: gpu 0, bytes: 4 KiB, count: 2}}
streams: {s: {gpu: 0}}
threads:
  main:
    - kernel: {name: k, stream: s, time: 1 ms, writes: x.$n}
)",
        "small.yaml"));
    ParameterForm form;
    form.setWorkload(workload);
    form.show();
    QTRY_VERIFY(form.problem().isEmpty());
    QSignalSpy told(&form, &ParameterForm::problemChanged);
    type(box(form, "n.A"), "7");  // there is no x.7
    QTRY_VERIFY(!form.problem().isEmpty());
    QVERIFY(form.findChild<QLabel*>(QStringLiteral("problem"))->isVisible());
    type(box(form, "n.A"), "0");
    QTRY_VERIFY(form.problem().isEmpty());
    QCOMPARE(told.count(), 2);
    type(box(form, "n.A"), "many");
    QVERIFY(!form.problem().isEmpty());  // at once, without a compile
}

void tst_parameter_form::runsAreRestored()
{
    ParameterForm form;
    form.setWorkload(smallWorkload());
    const std::vector<VariantSettings> runs {
        {"overlapped", {{"copies", "7"}, {"blocking", "true"}}}, {"blocking", {{"copies", "7"}}}};
    form.setRuns(runs);
    QCOMPARE(form.runs().size(), 2U);
    QVERIFY(form.runs() == runs);
    QCOMPARE(box(form, "copies.A")->value(), QStringLiteral("7"));
    form.setRuns({{"no such variant", {{"no such parameter", "1"}}}});
    QVERIFY(!form.runs().empty());
    QVERIFY(!form.runs()[0].settings.contains("no such parameter"));
}

QTEST_MAIN(tst_parameter_form)
#include "tst_parameter_form.moc"

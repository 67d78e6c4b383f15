// SPDX-License-Identifier: MIT
#include "gui/app/export/export_dialog.h"

#include "gui/app/frame/language.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/export/html/html_page.h"
#include "gui/export/picture_size.h"
#include "gui/export/whole_file.h"
#include "gui/paint/words/engine_words.h"
#include "gui/timeline/worker_pool.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>
#include <QtConcurrentRun>

namespace lanes::gui {

namespace {

constexpr int preview_delay_ms = 120;
constexpr QSize first_size(1120, 700);
constexpr QSize least_picture(320, 160);
constexpr int most_side = 16000;
constexpr int window_width = 1280;  // of a browser
constexpr int first_scale = 2;
constexpr const char* group = "export";

constexpr const char* wanted_key = "wanted";  // of a box that does not apply

/// One that does not apply is not ticked, and is ticked again where it does.
void setApplies(QCheckBox* box, bool applies)
{
    if (applies != box->isEnabled()) {
        const QSignalBlocker quiet(box);
        if (!applies) {
            box->setProperty(wanted_key, box->isChecked());
        }
        box->setChecked(applies && box->property(wanted_key).toBool());
        box->setEnabled(applies);
    }
}

bool isWanted(const QCheckBox* box)
{
    return box->isEnabled() ? box->isChecked() : box->property(wanted_key).toBool();
}

QVariant kept(const char* key, const QVariant& otherwise)
{
    return QSettings().value(QLatin1String(group) + QLatin1Char('/') + QLatin1String(key), otherwise);
}

QComboBox* choice(const std::vector<std::pair<QString, QString>>& entries)
{
    auto* box = new QComboBox;
    for (const auto& [text, data] : entries) {
        box->addItem(text, data);
    }
    return box;
}

void choose(QComboBox* box, const QVariant& data)
{
    box->setCurrentIndex(std::max(0, box->findData(data)));
}

/// 0 means automatic; otherwise it is at least `least`.
QSpinBox* pixels(const QString& automatic, int least)
{
    auto* box = new QSpinBox;
    box->setRange(0, most_side);
    box->setSingleStep(80);
    box->setSpecialValueText(automatic);
    box->setKeyboardTracking(false);
    QObject::connect(box, &QSpinBox::valueChanged, box, [box, least](int value) {
        if (value > 0 && value < least) {
            box->setValue(value < least / 2 ? 0 : least);
        }
    });
    return box;
}

SvgText svgTextNamed(const QString& name)
{
    return name == QLatin1String("text")    ? SvgText::text
        : name == QLatin1String("outlines") ? SvgText::outlines
                                            : SvgText::embedded;
}

TimeAxis axisNamed(const QString& name)
{
    return name == QLatin1String("bar") ? TimeAxis::bar
        : name == QLatin1String("none") ? TimeAxis::none
                                        : TimeAxis::ruler;
}

/// A page is made for no paper: its lanes are as wide as a window, with ruler and colours of the screen, and all that
/// belongs to them is there.
void asOfPage(PictureOptions& options)
{
    options.size = {window_width, 0};
    options.axis = TimeAxis::ruler;
    options.theme = options.theme == QLatin1String("dark") ? QStringLiteral("dark") : QStringLiteral("light");
    for (bool PictureOptions::*part :
        {&PictureOptions::heads, &PictureOptions::figures, &PictureOptions::differences, &PictureOptions::legend,
            &PictureOptions::source, &PictureOptions::overview, &PictureOptions::annotations}) {
        options.*part = true;
    }
}

QByteArray pageOf(const std::vector<ViewState>& views, const PictureOptions& options)
{
    PageOptions page;
    page.title = options.title;
    page.language = options.language;
    page.theme = options.theme;
    page.range = options.range;
    return htmlPage(views, page, speak);
}

}  // namespace

PictureOptions viewOptions(const PictureSource& source)
{
    PictureOptions options;
    options.size = {source.width, 0};
    options.scale = kept("scale", first_scale).toInt();
    options.range = source.visible;
    options.theme = source.theme;
    options.showTitle = kept("title", true).toBool();
    options.heads = kept("heads", true).toBool();
    options.figures = kept("figures", true).toBool();
    options.differences = kept("differences", true).toBool();
    options.legend = kept("legend", true).toBool();
    options.source = kept("source", true).toBool();
    options.overview = kept("overview", true).toBool();
    options.selection = kept("selection", true).toBool();
    options.axis = axisNamed(kept("axis", QString()).toString());
    options.svgText = svgTextNamed(kept("svgText", QString()).toString());
    options.language = QString::fromStdString(windowLanguage());
    return options;
}

std::unique_ptr<QMimeData> pictureForClipboard(const std::vector<ViewState>& views, const PictureOptions& options)
{
    auto data = std::make_unique<QMimeData>();
    data->setImageData(pictureImage(views, options));
    data->setData(QStringLiteral("image/svg+xml"), renderPicture(views, PictureFormat::svg, options).bytes);
    return data;
}

ExportDialog::ExportDialog(PictureSource source, QWidget* parent)
    : QDialog(parent)
    , m_source(std::move(source))
    , m_scope(choice({{tr("What is visible"), QStringLiteral("view")}, {tr("All of the time"), QStringLiteral("all")}}))
    , m_format(choice({{tr("PNG, pixels"), QStringLiteral("png")}, {tr("SVG, lines and text"), QStringLiteral("svg")},
          {tr("PDF, lines and text"), QStringLiteral("pdf")},
          {tr("HTML, to zoom and measure in"), QStringLiteral("html")}}))
    , m_preset(choice({{tr("Size as given below"), QString()}, {tr("Slide, 16:9"), QStringLiteral("slide")},
          {tr("Paper, one column (85 mm)"), QStringLiteral("column")},
          {tr("Paper, page width (170 mm)"), QStringLiteral("page")},
          {tr("Poster (800 mm)"), QStringLiteral("poster")}}))
    , m_theme(choice({{tr("Light"), QStringLiteral("light")}, {tr("Dark"), QStringLiteral("dark")},
          {tr("Print, readable in grey"), QStringLiteral("print")}}))
    , m_scale(new QComboBox)
    , m_svgText(choice({{tr("Glyphs (look the same everywhere)"), QStringLiteral("embedded")},
          {tr("Text, easy to edit"), QStringLiteral("text")}, {tr("Outlines"), QStringLiteral("outlines")}}))
    , m_axis(choice({{tr("Ruler and grid"), QStringLiteral("ruler")},
          {tr("Bar of a known length"), QStringLiteral("bar")}, {tr("None"), QStringLiteral("none")}}))
    , m_zoom(choice({{tr("Fit"), QStringLiteral("0")}, {tr("100 %"), QStringLiteral("1")},
          {tr("200 %"), QStringLiteral("2")}, {tr("400 %"), QStringLiteral("4")}}))
    , m_width(pixels(tr("automatic"), least_picture.width()))
    , m_height(pixels(tr("automatic"), least_picture.height()))
    , m_title(new QLineEdit(pictureTitle(m_source.views.front().model->trace())))
    , m_parts {{new QCheckBox(tr("Title")), "title", "exportShowTitle", &PictureOptions::showTitle},
          {new QCheckBox(tr("Name and verdict of each recording")), "heads", "exportHeads", &PictureOptions::heads},
          {new QCheckBox(tr("How busy each lane is")), "figures", "exportFigures", &PictureOptions::figures},
          {new QCheckBox(tr("How the recordings differ")), "differences", "exportDifferences",
              &PictureOptions::differences},
          {new QCheckBox(tr("Legend")), "legend", "exportLegend", &PictureOptions::legend},
          {new QCheckBox(tr("Source of the recordings")), "source", "exportSource", &PictureOptions::source},
          {new QCheckBox(tr("Overview, where a part is shown")), "overview", "exportOverview",
              &PictureOptions::overview},
          {new QCheckBox(tr("Annotations")), "annotations", "exportAnnotations", &PictureOptions::annotations},
          {new QCheckBox(tr("Selection with its arrows, search hits")), "selection", "exportSelection",
              &PictureOptions::selection}}
    , m_area(new QScrollArea)
    , m_preview(new QLabel)
    , m_caption(new QLabel)
    , m_message(new QLabel)
{
    setWindowTitle(tr("Export a picture"));
    setObjectName(QStringLiteral("exportDialog"));
    resize(first_size);
    if (m_source.selected) {
        m_scope->addItem(tr("The selected range"), QStringLiteral("selection"));
    }
    for (const int scale : {1, 2, 3, 4}) {
        m_scale->addItem(QStringLiteral("%1×").arg(scale), scale);
    }
    m_scale->setToolTip(tr("Device pixels per pixel of width, PNG only: 2 for a high-resolution screen, 4 for paper"));
    nameFields();
    restore();

    buildPreview();
    auto* shown = new QVBoxLayout;
    shown->addWidget(m_area, 1);
    auto* under = new QHBoxLayout;
    under->addWidget(m_zoom);
    under->addWidget(m_caption, 1);
    shown->addLayout(under);
    auto* body = new QHBoxLayout;
    body->setSpacing(16);
    body->addWidget(buildForm());
    body->addLayout(shown, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->addLayout(body, 1);
    layout->addLayout(makeButtons());
    connectFields();
    changed();
}

/// By these names tests and style sheets find them.
void ExportDialog::nameFields()
{
    const std::pair<QWidget*, const char*> names[] {{m_scope, "exportScope"}, {m_format, "exportFormat"},
        {m_preset, "exportPreset"}, {m_svgText, "exportSvgText"}, {m_zoom, "exportZoom"}, {m_theme, "exportTheme"},
        {m_scale, "exportScale"}, {m_axis, "exportAxis"}, {m_width, "exportWidth"}, {m_height, "exportHeight"},
        {m_title, "exportTitle"}};
    for (const auto& [widget, name] : names) {
        widget->setObjectName(QLatin1String(name));
    }
    for (const Part& part : m_parts) {
        part.box->setObjectName(QLatin1String(part.name));
    }
}

/// Close, Copy, Save.
QLayout* ExportDialog::makeButtons()
{
    auto* saveButton = new QPushButton(tr("Save…"));
    saveButton->setProperty("primary", true);
    saveButton->setDefault(true);
    auto* copyButton = new QPushButton(tr("Copy"));
    copyButton->setObjectName(QStringLiteral("exportCopy"));
    copyButton->setToolTip(tr("Copy the picture to the clipboard"));
    auto* closeButton = new QPushButton(tr("Close"));
    connect(saveButton, &QPushButton::clicked, this, &ExportDialog::chooseFile);
    connect(copyButton, &QPushButton::clicked, this, &ExportDialog::copy);
    connect(closeButton, &QPushButton::clicked, this, &QDialog::reject);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    for (QPushButton* button : {closeButton, copyButton, saveButton}) {
        buttons->addWidget(button);
    }
    return buttons;
}

/// Whatever the user changes is drawn anew.
void ExportDialog::connectFields()
{
    m_later.setSingleShot(true);
    m_later.setInterval(preview_delay_ms);
    connect(&m_later, &QTimer::timeout, this, &ExportDialog::preview);
    connect(&m_weighing, &QFutureWatcherBase::finished, this, &ExportDialog::showWeight);
    for (const QComboBox* box : {m_scope, m_format, m_preset, m_theme, m_scale, m_svgText, m_axis, m_zoom}) {
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::changed);
    }
    connect(m_preset, &QComboBox::activated, this, &ExportDialog::suitPaper);
    for (const QSpinBox* box : {m_width, m_height}) {
        connect(box, &QSpinBox::valueChanged, this, &ExportDialog::changed);
    }
    for (const Part& part : m_parts) {
        connect(part.box, &QCheckBox::toggled, this, &ExportDialog::changed);
    }
    connect(m_title, &QLineEdit::textChanged, this, &ExportDialog::changed);
}

ExportDialog::~ExportDialog()
{
    remember();
    m_weighing.waitForFinished();
}

void ExportDialog::buildPreview()
{
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setAccessibleName(tr("Preview"));
    m_preview->setObjectName(QStringLiteral("exportPreview"));
    m_area->setObjectName(QStringLiteral("exportPreview"));
    m_area->setAccessibleName(tr("Preview"));  // the keyboard scrolls it
    m_area->setWidget(m_preview);
    m_area->setWidgetResizable(true);
    m_area->setMinimumSize(480, 320);
    m_area->setFrameShape(QFrame::NoFrame);
    m_zoom->setAccessibleName(tr("Size of the preview"));
    m_caption->setAlignment(Qt::AlignCenter);
    m_caption->setProperty("quiet", true);
    m_caption->setObjectName(QStringLiteral("exportCaption"));
}

QWidget* ExportDialog::buildForm()
{
    auto* size = new QWidget;
    auto* sides = new QHBoxLayout(size);
    sides->setContentsMargins(0, 0, 0, 0);
    m_width->setAccessibleName(tr("Width"));
    m_height->setAccessibleName(tr("Height"));
    sides->addWidget(m_width, 1);
    sides->addWidget(new QLabel(QStringLiteral("×")));
    sides->addWidget(m_height, 1);
    m_title->setAccessibleName(tr("Title of the picture"));
    m_message->setWordWrap(true);
    m_message->setObjectName(QStringLiteral("exportMessage"));

    auto* side = new QWidget;
    side->setFixedWidth(320);
    auto* form = new QFormLayout;
    form->addRow(tr("Show"), m_scope);
    form->addRow(tr("Format"), m_format);
    form->addRow(tr("Made for"), m_preset);
    form->addRow(tr("Theme"), m_theme);
    form->addRow(tr("Size"), size);
    form->addRow(tr("PNG scale"), m_scale);
    form->addRow(tr("SVG text"), m_svgText);
    form->addRow(tr("Time scale"), m_axis);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(form);
    column->addSpacing(8);
    for (const Part& part : m_parts) {
        column->addWidget(part.box);
        if (part.option == &PictureOptions::showTitle) {
            column->addWidget(m_title);
        } else if (part.option == &PictureOptions::differences) {
            part.box->setVisible(m_source.views.size() > 1);
        }
    }
    column->addWidget(m_message);
    column->addStretch();
    return side;
}

void ExportDialog::restore()
{
    choose(m_scope, m_source.selected ? QVariant(QStringLiteral("selection")) : kept("scope", QStringLiteral("view")));
    choose(m_format, kept("format", QStringLiteral("png")));
    choose(m_preset, kept("preset", QString()));
    choose(m_svgText, kept("svgText", QStringLiteral("embedded")));
    choose(m_theme, kept("theme", m_source.theme));
    choose(m_scale, kept("scale", first_scale).toInt());
    choose(m_axis, kept("axis", QStringLiteral("ruler")));
    m_width->setValue(kept("width", 0).toInt());
    m_height->setValue(kept("height", 0).toInt());
    for (const Part& part : m_parts) {
        part.box->setChecked(kept(part.setting, true).toBool());
    }
}

void ExportDialog::remember() const
{
    QSettings settings;
    settings.beginGroup(QLatin1String(group));
    if (scope() != Scope::selection) {  // with a range selected, that range is the first choice
        settings.setValue(QStringLiteral("scope"), m_scope->currentData());
    }
    settings.setValue(QStringLiteral("format"), m_format->currentData());
    settings.setValue(QStringLiteral("preset"), m_preset->currentData());
    settings.setValue(QStringLiteral("svgText"), m_svgText->currentData());
    settings.setValue(QStringLiteral("theme"), m_theme->currentData());
    settings.setValue(QStringLiteral("scale"), m_scale->currentData());
    settings.setValue(QStringLiteral("axis"), m_axis->currentData());
    settings.setValue(QStringLiteral("width"), m_width->value());
    settings.setValue(QStringLiteral("height"), m_height->value());
    for (const Part& part : m_parts) {
        settings.setValue(QLatin1String(part.setting), isWanted(part.box));
    }
}

ExportDialog::Scope ExportDialog::scope() const
{
    const QString name = m_scope->currentData().toString();
    return name == QLatin1String("all")      ? Scope::all
        : name == QLatin1String("selection") ? Scope::selection
                                             : Scope::view;
}

PictureFormat ExportDialog::format() const
{
    return pictureFormatOf(QLatin1Char('.') + m_format->currentData().toString()).value_or(PictureFormat::png);
}

PictureOptions ExportDialog::options() const
{
    PictureOptions options;
    options.size = {m_width->value(), m_height->value()};
    if (options.size.width() == 0 && scope() == Scope::view) {
        options.size.setWidth(m_source.width);
    }
    options.scale = m_scale->currentData().toInt();
    if (scope() == Scope::view) {
        options.range = m_source.visible;
    } else if (scope() == Scope::selection) {
        options.range = m_source.selected;
    }
    options.theme = m_theme->currentData().toString();
    options.title = m_title->text();
    for (const Part& part : m_parts) {
        options.*part.option = part.box->isChecked();
    }
    options.axis = axisNamed(m_axis->currentData().toString());
    options.svgText = svgTextNamed(m_svgText->currentData().toString());
    options.language = QString::fromStdString(windowLanguage());
    if (wantsPage()) {
        asOfPage(options);
        return options;
    }
    if (const PicturePreset* preset = presetNamed(m_preset->currentData().toString())) {
        const bool own = options.showTitle && hasOwnTitle();
        setSize(options, preset, {}, 0);
        options.showTitle = options.showTitle || own;
    }
    return options;
}

QString ExportDialog::fileName() const
{
    std::vector<const ShownRecording*> recordings;
    for (const ViewState& view : m_source.views) {
        recordings.push_back(&view.model->recording());
    }
    return pictureName(recordings) + QLatin1Char('.') + m_format->currentData().toString();
}

/// The view as it is scrolled; all lanes where more than the view is asked for.
std::vector<ViewState> ExportDialog::views() const
{
    std::vector<ViewState> views = m_source.views;
    if (scope() != Scope::view || wantsPage() || presetNamed(m_preset->currentData().toString()) != nullptr) {
        for (ViewState& view : views) {
            view.height = 0;
            view.scroll = 0;
        }
    }
    return views;
}

bool ExportDialog::wantsPage() const
{
    return m_format->currentData().toString() == QLatin1String("html");
}

bool ExportDialog::hasOwnTitle() const
{
    return m_title->text() != pictureTitle(m_source.views.front().model->trace());
}

QString ExportDialog::leftOut(bool PictureOptions::*part) const
{
    if (wantsPage()) {
        return part == &PictureOptions::showTitle ? QString() : tr("A page for the browser has all parts");
    }
    const PicturePreset* preset = presetNamed(m_preset->currentData().toString());
    if (preset != nullptr && !preset->title) {
        if (part == &PictureOptions::source) {
            return tr("On paper the caption says it");
        }
        if (part == &PictureOptions::showTitle && !hasOwnTitle()) {
            return tr("On paper the caption says it; another title than the workload's is drawn");
        }
    }
    if (isCompact(options()) && (part == &PictureOptions::differences || part == &PictureOptions::overview)) {
        return tr("With texts this large for its width, the picture has no room for it");
    }
    return {};
}

QString ExportDialog::tooMuchForPage() const
{
    const std::size_t items = pageItems(m_source.views);
    return items <= most_page_items
        ? QString()
        : tr("These lanes have %L1 events, and a page holds at most %L2. Filter the lanes first, for example with "
             "“kind:kernel dur>100us”, or choose another format, which has no limit.")
              .arg(items)
              .arg(most_page_items);
}

QString ExportDialog::save(const QString& path) const
{
    const auto asked = pictureFormatOf(path);
    if (!asked && !isPage(path)) {
        return tr("%1: a picture ends in .png, .svg, .pdf or .html").arg(QFileInfo(path).fileName());
    }
    if (!asked) {
        if (const QString problem = tooMuchForPage(); !problem.isEmpty()) {
            return problem;
        }
    }
    try {
        return saveWhole(path, asked ? renderPicture(views(), *asked, options()).bytes : pageOf(views(), options()));
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
}

void ExportDialog::chooseFile()
{
    const QString ending = m_format->currentData().toString();
    const QDir folder(kept("folder", QDir::currentPath()).toString());
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save the picture"), folder.filePath(fileName()), tr("Pictures (*.png *.svg *.pdf *.html)"));
    if (path.isEmpty()) {
        return;
    }
    if (QFileInfo(path).suffix().isEmpty()) {
        path += QLatin1Char('.') + ending;
    }
    QSettings().setValue(QLatin1String(group) + QStringLiteral("/folder"), QFileInfo(path).absolutePath());
    write(path);
}

void ExportDialog::write(const QString& path)
{
    const auto end = [this, path] {
        const QString problem = save(path);
        m_message->setText(problem.isEmpty() ? NoticeBar::savedText(path) : problem);
    };
    if (!isPage(path)) {
        end();
        return;
    }
    if (!workersRest()) {
        m_message->setText(tr("The page follows once what is being analysed has ended."));
    }
    onceWorkersRest(this, end);  // a page speaks both languages in turn
}

void ExportDialog::copy()
{
    try {
        QGuiApplication::clipboard()->setMimeData(pictureForClipboard(views(), options()).release());
        m_message->setText(tr("Copied."));
    } catch (const std::exception& error) {
        m_message->setText(QString::fromUtf8(error.what()));
    }
}

void ExportDialog::changed()
{
    const bool made = presetNamed(m_preset->currentData().toString()) != nullptr;
    const bool page = wantsPage();  // as large as its window, with all that a reader may want to see
    m_preset->setEnabled(!page);
    m_axis->setEnabled(!page);
    m_scale->setEnabled(!page && format() == PictureFormat::png && !made);
    m_width->setEnabled(!page && !made);
    m_height->setEnabled(!page && !made);
    m_svgText->setEnabled(!page && format() == PictureFormat::svg);
    for (const Part& part : m_parts) {
        const QString why = leftOut(part.option);
        setApplies(part.box, why.isEmpty());
        part.box->setToolTip(why);
    }
    const QCheckBox* title = m_parts.front().box;
    m_title->setEnabled(title->isChecked() || !title->isEnabled());  // another title can be drawn where this one is not
    m_later.start();
}

/// What is printed is a PDF, and not dark, unless one chooses otherwise afterwards.
void ExportDialog::suitPaper()
{
    const PicturePreset* preset = presetNamed(m_preset->currentData().toString());
    if (preset == nullptr || preset->title) {
        return;
    }
    if (format() == PictureFormat::png) {
        choose(m_format, QStringLiteral("pdf"));
    }
    if (m_theme->currentData().toString() == QLatin1String("dark")) {
        choose(m_theme, QStringLiteral("print"));
    }
}

/// The picture itself: made smaller until all of it has room, or as large as the user wants to see it.
void ExportDialog::preview()
{
    PictureOptions shown = options();
    const double scale = format() == PictureFormat::png ? shown.scale : 1;
    const bool onPaper = !wantsPage() && presetNamed(m_preset->currentData().toString()) != nullptr;
    const int zoom = m_zoom->currentData().toInt();
    const qreal ratio = devicePixelRatioF();
    shown.scale = zoom > 0 ? zoom * ratio : onPaper ? 2 : 1;
    try {
        QImage image = pictureImage(views(), shown);
        const QSizeF pixels = QSizeF(image.size()) / shown.scale;
        m_size = wantsPage()
            ? tr("the lanes of the page; a browser shows them with its tools and texts")
            : tr("%1 × %2 pixels").arg(std::lround(pixels.width() * scale)).arg(std::lround(pixels.height() * scale));
        if (onPaper) {
            const double mm = shown.pointsPerPixel / points_an_inch * 25.4;
            m_size += QStringLiteral(" · ")
                + tr("%1 × %2 mm").arg(std::lround(pixels.width() * mm)).arg(std::lround(pixels.height() * mm));
        }
        const QSize room = m_area->viewport()->size() * ratio;
        m_preview->setMinimumSize(zoom > 0 ? (QSizeF(image.size()) / ratio).toSize() : QSize(1, 1));
        if (zoom == 0 && (image.width() > room.width() || image.height() > room.height())) {
            image = image.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation);
        }
        QPixmap picture = QPixmap::fromImage(image);
        picture.setDevicePixelRatio(ratio);
        m_preview->setPixmap(picture);
        m_caption->setText(m_size);
        m_message->setText(wantsPage() ? tooMuchForPage() : QString());
        weigh();
    } catch (const std::exception& error) {
        m_preview->setPixmap({});
        m_caption->clear();
        m_message->setText(QString::fromUtf8(error.what()));
    }
}

/// Makes the file beside the window; one that a newer change has made out of date is dropped.
void ExportDialog::weigh()
{
    if (wantsPage()) {
        return;  // takes both languages of the window in turn, so it is made once, when it is saved
    }
    m_weighing.setFuture(QtConcurrent::run(workerPool(), [views = views(), format = format(), options = options()] {
        try {
            return renderPicture(views, format, options);
        } catch (const std::exception&) {  // saving will say it
            return Picture {};
        }
    }));
}

void ExportDialog::showWeight()
{
    const Picture picture = m_weighing.result();
    if (picture.bytes.isEmpty() || m_later.isActive()) {
        return;
    }
    m_caption->setText(m_size + QStringLiteral(" · ") + QLocale().formattedDataSize(picture.bytes.size(), 0));
    if (picture.hiddenLanes > 0) {
        m_message->setText(picture.hiddenLanes == 1
                ? tr("No room for 1 lane. Increase the height to show it.")
                : tr("No room for %1 lanes. Increase the height to show them.").arg(picture.hiddenLanes));
    }
}

void ExportDialog::resizeEvent(QResizeEvent* event)
{
    QDialog::resizeEvent(event);
    m_later.start();
}

}  // namespace lanes::gui

// SPDX-License-Identifier: MIT
#include "gui/app/export_dialog.h"

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
#include <QPushButton>
#include <QSaveFile>
#include <QSpinBox>

namespace lanes::gui {

namespace {

constexpr int preview_delay_ms = 120;
constexpr QSize first_size(1060, 620);

}  // namespace

ExportDialog::ExportDialog(
    std::vector<RecordingPtr> recordings, const ExportRanges& ranges, const QString& theme, QWidget* parent)
    : QDialog(parent)
    , m_recordings(std::move(recordings))
    , m_ranges(ranges)
    , m_range(new QComboBox)
    , m_theme(new QComboBox)
    , m_width(new QSpinBox)
    , m_scale(new QComboBox)
    , m_title(new QLineEdit(pictureTitle(*m_recordings.front()->trace)))
    , m_showTitle(new QCheckBox(tr("Title")))
    , m_legend(new QCheckBox(tr("Legend and source")))
    , m_preview(new QLabel)
    , m_message(new QLabel)
{
    setWindowTitle(tr("Export a picture"));
    setObjectName(QStringLiteral("exportDialog"));
    resize(first_size);
    m_range->addItems({tr("All of the time"), tr("What is visible")});
    if (m_ranges.selected) {
        m_range->addItem(tr("The selected range"));
        m_range->setCurrentIndex(2);
    }
    for (const auto& [label, name] : {std::pair(tr("Light"), "light"), std::pair(tr("Dark"), "dark"),
             std::pair(tr("Print, readable in grey"), "print")}) {
        m_theme->addItem(label, QLatin1String(name));
    }
    m_theme->setCurrentIndex(std::max(0, m_theme->findData(theme)));
    m_width->setRange(480, 8000);
    m_width->setValue(1600);
    m_width->setSingleStep(80);
    m_width->setSuffix(tr(" pixels"));
    for (const int scale : {1, 2, 3, 4}) {
        m_scale->addItem(QStringLiteral("%1×").arg(scale), scale);
    }
    m_scale->setCurrentIndex(1);
    m_scale->setToolTip(tr("Device pixels for each pixel of the width, PNG only: 2 for a sharp screen, 4 for paper"));
    m_showTitle->setChecked(true);
    m_legend->setChecked(true);

    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->addRow(tr("Show"), m_range);
    form->addRow(tr("Theme"), m_theme);
    form->addRow(tr("Width"), m_width);
    form->addRow(tr("PNG scale"), m_scale);
    form->addRow(m_showTitle);
    form->addRow(m_title);
    form->addRow(m_legend);
    m_title->setAccessibleName(tr("Title of the picture"));
    m_message->setWordWrap(true);
    m_message->setObjectName(QStringLiteral("exportMessage"));
    form->addRow(m_message);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setMinimumSize(480, 320);
    m_preview->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_preview->setAccessibleName(tr("Preview"));

    auto* saveButton = new QPushButton(tr("Save…"));
    saveButton->setProperty("primary", true);
    saveButton->setDefault(true);
    auto* copyButton = new QPushButton(tr("Copy"));
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
    auto* side = new QVBoxLayout;
    side->addLayout(form);
    side->addStretch();
    auto* body = new QHBoxLayout;
    body->setSpacing(16);
    body->addLayout(side);
    body->addWidget(m_preview, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->addLayout(body, 1);
    layout->addLayout(buttons);

    m_later.setSingleShot(true);
    m_later.setInterval(preview_delay_ms);
    connect(&m_later, &QTimer::timeout, this, &ExportDialog::preview);
    const auto later = [this] { m_later.start(); };
    connect(m_range, &QComboBox::currentIndexChanged, this, later);
    connect(m_theme, &QComboBox::currentIndexChanged, this, later);
    connect(m_width, &QSpinBox::valueChanged, this, later);
    connect(m_title, &QLineEdit::textChanged, this, later);
    connect(m_showTitle, &QCheckBox::toggled, this, later);
    connect(m_showTitle, &QCheckBox::toggled, m_title, &QWidget::setEnabled);
    connect(m_legend, &QCheckBox::toggled, this, later);
    m_later.start();
}

PictureOptions ExportDialog::options() const
{
    PictureOptions options;
    options.size = QSize(m_width->value(), 0);
    options.scale = m_scale->currentData().toInt();
    if (m_range->currentIndex() == 1) {
        options.range = m_ranges.visible;
    } else if (m_range->currentIndex() == 2) {
        options.range = m_ranges.selected;
    }
    options.theme = m_theme->currentData().toString();
    options.title = m_title->text();
    options.showTitle = m_showTitle->isChecked();
    options.legend = m_legend->isChecked();
    options.language
        = QLocale().name().startsWith(QLatin1String("zh")) ? QStringLiteral("zh_CN") : QStringLiteral("en");
    return options;
}

QString ExportDialog::save(const QString& path) const
{
    const auto format = pictureFormatOf(path);
    if (!format) {
        return tr("%1: a picture ends in .png, .svg or .pdf").arg(QFileInfo(path).fileName());
    }
    try {
        const QByteArray picture = renderPicture(m_recordings, *format, options());
        QSaveFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(picture) != picture.size() || !file.commit()) {
            return tr("%1 cannot be written: %2").arg(QDir::toNativeSeparators(path), file.errorString());
        }
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

void ExportDialog::chooseFile()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the picture"), QStringLiteral("timeline.png"), tr("Pictures (*.png *.svg *.pdf)"));
    if (!path.isEmpty()) {
        const QString problem = save(path);
        m_message->setText(problem.isEmpty() ? tr("Saved %1.").arg(QDir::toNativeSeparators(path)) : problem);
    }
}

void ExportDialog::copy()
{
    try {
        QGuiApplication::clipboard()->setImage(pictureImage(m_recordings, options()));
        m_message->setText(tr("Copied."));
    } catch (const std::exception& error) {
        m_message->setText(QString::fromUtf8(error.what()));
    }
}

void ExportDialog::preview()
{
    PictureOptions shown = options();
    shown.scale = 1;
    try {
        const qreal ratio = devicePixelRatioF();
        QPixmap picture
            = QPixmap::fromImage(pictureImage(m_recordings, shown)
                                     .scaled(m_preview->size() * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation));
        picture.setDevicePixelRatio(ratio);
        m_preview->setPixmap(picture);
    } catch (const std::exception& error) {
        m_preview->setText(QString::fromUtf8(error.what()));
    }
}

void ExportDialog::resizeEvent(QResizeEvent* event)
{
    QDialog::resizeEvent(event);
    m_later.start();
}

}  // namespace lanes::gui

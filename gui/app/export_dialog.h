// SPDX-License-Identifier: MIT
// Chooses how a picture of the open recordings looks, shows it, and writes or copies it.
#pragma once

#include "gui/export/picture.h"

#include <QDialog>
#include <QTimer>

#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace lanes::gui {

/// The times that a picture can show beside the whole recording.
struct ExportRanges {
    TimeSpan visible;
    std::optional<TimeSpan> selected;
};

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    ExportDialog(std::vector<RecordingPtr> recordings, const ExportRanges& ranges, const QString& theme,
        QWidget* parent = nullptr);

    PictureOptions options() const;
    /// Writes by the ending of `path`; "" or what went wrong, one line.
    QString save(const QString& path) const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void preview();
    void chooseFile();
    void copy();

    std::vector<RecordingPtr> m_recordings;
    ExportRanges m_ranges;
    QComboBox* m_range;
    QComboBox* m_theme;
    QSpinBox* m_width;
    QComboBox* m_scale;
    QLineEdit* m_title;
    QCheckBox* m_showTitle;
    QCheckBox* m_legend;
    QLabel* m_preview;
    QLabel* m_message;
    QTimer m_later;  // one picture after the last change, not one a change
};

}  // namespace lanes::gui

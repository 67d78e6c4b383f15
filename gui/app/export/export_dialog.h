// SPDX-License-Identifier: MIT
// Chooses how a picture of the open recordings looks, shows it as it will be written,
// and writes or copies it. What was chosen is kept for the next picture.
#pragma once

#include "gui/export/picture.h"

#include <QDialog>
#include <QFutureWatcher>
#include <QTimer>

#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QMimeData;
class QPushButton;
class QScrollArea;
class QSpinBox;

namespace lanes::gui {

/// What the window shows.
struct PictureSource {
    std::vector<ViewState> views;  ///< of the open recordings, at least one
    Interval visible;
    std::optional<Interval> selected;
    int width = 0;  ///< of the views
    QString theme;
};

/// The picture of what the window shows, in its theme, with what was last chosen in the dialog.
PictureOptions viewOptions(const PictureSource& source);

/// For the clipboard: an image for every program, and SVG for those that take drawings. Throws as renderPicture() does.
std::unique_ptr<QMimeData> pictureForClipboard(const std::vector<ViewState>& views, const PictureOptions& options);

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    explicit ExportDialog(PictureSource source, QWidget* parent = nullptr);
    ~ExportDialog() override;

    PictureOptions options() const;
    /// What the file is called unless the user says otherwise, with its ending.
    QString fileName() const;
    /// Writes by the ending of `path`; "" or what went wrong, one line.
    /// A page only while workersRest().
    QString save(const QString& path) const;
    /// The same as soon as it can be done; the dialog says how it went.
    void write(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class Scope : std::uint8_t { all, view, selection };
    /// What a picture can have or not: its box, the names of its setting and of its box, and the option that it sets.
    struct Part {
        QCheckBox* box;
        const char* setting;
        const char* name;
        bool PictureOptions::*option;
    };

    void nameFields();
    void buildPreview();
    QWidget* buildForm();
    QLayout* makeButtons();
    void connectFields();
    void restore();
    void remember() const;
    void changed();
    void suitPaper();
    void preview();
    void weigh();
    void showWeight();
    void chooseFile();
    void copy();
    Scope scope() const;
    PictureFormat format() const;
    bool wantsPage() const;
    bool hasOwnTitle() const;
    /// Why a page cannot be made of what is shown; "": it can.
    QString tooMuchForPage() const;
    /// Why a part is not drawn, whether it is ticked or not; "": it is drawn if it is.
    QString leftOut(bool PictureOptions::*part) const;
    std::vector<ViewState> views() const;

    PictureSource m_source;
    QComboBox *m_scope, *m_format, *m_preset, *m_theme, *m_scale, *m_svgText, *m_axis, *m_zoom;
    QSpinBox *m_width, *m_height;
    QLineEdit* m_title;
    std::vector<Part> m_parts;  ///< the title is the first
    QScrollArea* m_area;  ///< around the preview, which can be larger
    QLabel *m_preview, *m_caption, *m_message;
    QTimer m_later;  // one picture after the last change, not one a change
    QFutureWatcher<Picture> m_weighing;  // the file itself, for its size
    QString m_size;
};

}  // namespace lanes::gui

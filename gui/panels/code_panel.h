// SPDX-License-Identifier: MIT
// The same API calls in real code: PyTorch or CUDA C++, with the lines of the selected step marked. Lines that are
// longer than the panel is wide wrap under their own indentation, which is then half as deep.
#pragma once

#include <QWidget>

class QButtonGroup;
class QPushButton;
class QTextEdit;

namespace lanes::gui {

class Workspace;

class CodePanel : public QWidget {
    Q_OBJECT
public:
    explicit CodePanel(QWidget* parent = nullptr);
    /// Shows the code of what is selected, with the line of its step lit.
    void observe(Workspace* workspace);

    /// No line is lit, unless it is the code that is there.
    void setCode(const QString& pytorch, const QString& cuda);
    /// Marks a line of each text and scrolls to it; lines count from 1, 0: none.
    void markLines(int pytorch, int cuda);

    const QString& shownCode() const { return m_showsCuda ? m_cuda : m_pytorch; }
    bool hasCode() const { return !m_pytorch.isEmpty() || !m_cuda.isEmpty(); }
    /// For a lecture hall: only `lines` lines, `times` times as large; 0 times: as usual.
    void setLarge(double times, int lines);
    /// As wide as its longest line, logical pixels.
    int wantedWidth() const;
    void choose(bool cuda);

signals:
    void chosen(bool cuda);

public:
    QTextEdit* text() const { return m_text; }

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showLanguage(bool cuda);
    void indent();
    void mark();

    QString m_pytorch, m_cuda;
    int m_pytorchLine = 0, m_cudaLine = 0;
    bool m_showsCuda = false;
    double m_step = 0;  // width of a space as it is drawn, logical pixels
    double m_indented = 0;  // that of the spaces before a line
    QWidget* m_head;
    QTextEdit* m_text;
    QPushButton* m_pytorchButton;
    QPushButton* m_cudaButton;
    QButtonGroup* m_choice;
};

}  // namespace lanes::gui

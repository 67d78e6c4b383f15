// SPDX-License-Identifier: MIT
// A text field for YAML: line numbers, one marked error, colours. Tab and Shift+Tab
// indent by two spaces, Enter keeps the indent, Ctrl+Tab leaves the field.
#pragma once

#include <QPlainTextEdit>

namespace lanes::gui {

class YamlColours;

class YamlEdit : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit YamlEdit(QWidget* parent = nullptr);

    /// Marks what is wrong, at a line and column from 1; line 0: nothing is marked.
    void markProblem(int line, int column, const QString& problem);
    int problemLine() const { return m_problemLine; }
    void goTo(int line, int column);
    /// From 1.
    int lineOf(const QTextCursor& cursor) const { return cursor.blockNumber() + 1; }

signals:
    void saveWanted();  ///< by Ctrl+S, which means the text here and the recording elsewhere

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    class Gutter;
    int gutterWidth() const;
    void layOutGutter();
    void paintGutter(QPaintEvent* event);
    void mark();
    void indentLines(bool more);
    void breakLine();
    bool isDark() const;

    Gutter* m_gutter;
    YamlColours* m_colours;
    int m_problemLine = 0, m_problemColumn = 0;
    QString m_problem;
};

}  // namespace lanes::gui

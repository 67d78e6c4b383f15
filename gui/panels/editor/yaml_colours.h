// SPDX-License-Identifier: MIT
// Colours a workload's YAML, modestly: comments recede, keys stand out, values with
// units and parameters in two tints. It colours what a line looks like; what it means
// the parser says.
#pragma once

#include <QSyntaxHighlighter>
#include <QTextCharFormat>

namespace lanes::gui {

class YamlColours : public QSyntaxHighlighter {
public:
    explicit YamlColours(QTextDocument* document);

    void setDark(bool dark);

protected:
    /// Lines of a block text (`pytorch: |`) carry its indent + 1 as their state, others 0.
    void highlightBlock(const QString& text) override;

private:
    QTextCharFormat m_key, m_comment, m_quantity, m_parameter;
};

}  // namespace lanes::gui

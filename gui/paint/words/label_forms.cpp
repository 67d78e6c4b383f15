// SPDX-License-Identifier: MIT
#include "gui/paint/words/label_forms.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace lanes::gui {

namespace {

const QChar ellipsis(0x2026);

bool isGeneric(const QString& word)
{
    static constexpr std::array generic {"compute", "kernel", "impl", "fused", "device", "void", "fn", "func"};
    return word.size() < 2 ? !word.at(0).isDigit()
                           : std::any_of(generic.begin(), generic.end(), [&](const char* known) {
                                 return word.compare(QLatin1String(known), Qt::CaseInsensitive) == 0;
                             });
}

/// What says most comes first.
bool isTelling(const QString& word)
{
    static constexpr std::array telling {"attn", "attention", "flash", "fmha", "mha", "gemm", "gemv", "matmul", "mm",
        "bmm", "conv", "wgrad", "dgrad", "rmsnorm", "layernorm", "norm", "softmax", "dispatch", "combine", "notify",
        "allreduce", "allgather", "rope", "topk", "sort", "embedding", "gelu", "silu", "swiglu", "adam", "fp8", "int8",
        "fp4"};
    return std::any_of(telling.begin(), telling.end(), [&](const char* known) {
        const QLatin1String sought(known);
        return word.compare(sought, Qt::CaseInsensitive) == 0
            || (sought.size() > 3 && word.startsWith(sought, Qt::CaseInsensitive) && word.size() < 2 * sought.size());
    });
}

struct Word {
    qsizetype at, size;
};

std::vector<Word> wordsIn(const QString& name)
{
    std::vector<Word> words;
    static const QRegularExpression word(QStringLiteral("[^\\s_:/.,;<>()\\[\\]{}|+=*&-]+"));
    for (auto found = word.globalMatch(name); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        words.push_back({match.capturedStart(), match.capturedLength()});
    }
    return words;
}

}  // namespace

QStringList labelForms(const QString& name)
{
    constexpr qsizetype least_letters = 5, short_name = 12;
    QStringList forms(name);
    if (name.size() <= short_name) {  // a word less of "batch 3" does not say which
        return forms;
    }
    const auto add = [&forms](const QString& form) {
        if (!form.isEmpty() && !forms.contains(form) && form.size() < forms.front().size()) {
            forms += form;
        }
    };
    std::vector<Word> words = wordsIn(name);
    const auto textOf = [&](const Word& word) { return name.mid(word.at, word.size); };
    const auto isLeftOut = [&](const Word& word) { return isGeneric(textOf(word)); };
    const auto all = words.size();
    const auto hasLetters = [&](const Word& word) {
        const QString text = textOf(word);
        return std::any_of(text.begin(), text.end(), [](QChar c) { return c.isLetter(); });
    };
    const auto says = [&](const Word& word) { return !isLeftOut(word) && hasLetters(word); };
    const bool anySays = std::any_of(words.begin(), words.end(), says);
    if (anySays) {
        words.erase(std::remove_if(words.begin(), words.end(), isLeftOut), words.end());
    }
    if (words.empty()) {
        return forms;
    }
    if (words.size() < all) {
        QString rest;
        for (std::size_t i = 0; i < words.size(); ++i) {  // neighbours keep what is between them
            const qsizetype end = i == 0 ? 0 : words[i - 1].at + words[i - 1].size;
            const QString between = i == 0 ? QString() : name.mid(end, words[i].at - end);
            rest += (between.size() > 2 ? between.left(1) : between) + textOf(words[i]);
        }
        add(rest);
    }
    if (anySays) {  // a number alone tells nothing
        words.erase(std::remove_if(words.begin(), words.end(), std::not_fn(hasLetters)), words.end());
    }
    if (words.size() > 2) {
        add(textOf(words.front()) + ellipsis + textOf(words.back()));
    }
    const auto telling
        = std::find_if(words.begin(), words.end(), [&](const Word& word) { return isTelling(textOf(word)); });
    if (telling != words.end()) {
        add(textOf(*telling));
    }
    const auto longest
        = std::max_element(words.begin(), words.end(), [](const Word& a, const Word& b) { return a.size < b.size; });
    add(textOf(*longest));
    constexpr qsizetype can_be_cut = 7;
    const QString word = textOf(telling != words.end() && telling->size >= can_be_cut ? *telling : *longest);
    for (qsizetype letters = std::min<qsizetype>(word.size() - 2, 13); letters >= least_letters; letters -= 2) {
        add(word.left((letters + 1) / 2) + ellipsis + word.right(letters / 2));
    }
    return forms;
}

}  // namespace lanes::gui

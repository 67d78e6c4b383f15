// SPDX-License-Identifier: MIT
// What is written of a name where it does not fit: what tells it from others.
#pragma once

#include <QStringList>

namespace lanes::gui {

/// The name, and what stands for it with less and less room, each once: the name without words that many names share
/// (kernel, impl, fused, single letters), its first and last word around an ellipsis, the word that says what it is for
/// (gemm, attn, norm), its longest word, and that word's two ends around an ellipsis, at least five letters of it.
/// Short names have no other form. Whoever writes takes the first that fits, and nothing where none does. Parts keep
/// their case. Cost: some us.
QStringList labelForms(const QString& name);

}  // namespace lanes::gui

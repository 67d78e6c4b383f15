// SPDX-License-Identifier: MIT
#include "engine/trace/names/generated_name.h"

#include "engine/ascii.h"
#include "engine/split.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

namespace lanes {

namespace {

using Word = std::string_view;
using Words = std::vector<std::string>;

constexpr auto none = Word::npos;

bool is_one_of(Word word, std::initializer_list<Word> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool contains(Word text, Word part)
{
    return text.find(part) != none;
}

std::string joined(const Words& words)
{
    std::string text;
    for (const auto& word : words) {
        text += (text.empty() || word.empty() ? "" : " ") + word;
    }
    return text;
}

/// The letters, digits and '_' at the beginning.
Word word_at(Word text)
{
    return text.substr(0,
        static_cast<std::size_t>(
            std::find_if_not(text.begin(), text.end(), ascii::continues_identifier) - text.begin()));
}

/// The first "64x128" or "64x128x32" from `from` on, with the sign of a product, and where it ends. "": there is none.
struct Tile {
    std::string text;
    std::size_t end = 0;
};
Tile tile_from(Word text, std::size_t from, std::size_t dimensions, std::size_t at_least)
{
    for (std::size_t at = from; at < text.size(); ++at) {
        Tile tile;
        std::size_t found = 0;
        for (std::size_t i = at; found < dimensions && i < text.size() && ascii::is_digit(text[i]); ++found) {
            auto end = i;
            while (end < text.size() && ascii::is_digit(text[end])) {
                ++end;
            }
            tile.text += (found == 0 ? "" : "×") + std::string(text.substr(i, end - i));
            tile.end = end;
            i = end < text.size() && text[end] == 'x' ? end + 1 : text.size();
        }
        if (found >= at_least) {
            return tile;
        }
        while (at + 1 < text.size() && ascii::is_digit(text[at]) && ascii::is_digit(text[at + 1])) {
            ++at;  // the rest of a number begins none
        }
    }
    return {};
}

/// "TN" of "…_tn_align4": two of n and t between '_' and `after`; "": none.
std::string layout_before(Word text, Word after)
{
    for (auto at = text.find(after); at != none; at = text.find(after, at + 1)) {
        const auto is_layout = [](char c) { return c == 'n' || c == 't'; };
        if (at >= 3 && text[at - 3] == '_' && is_layout(text[at - 2]) && is_layout(text[at - 1])) {
            return ascii::in_upper_case(text.substr(at - 2, 2));
        }
    }
    return {};
}

/// The first of these types that `text` names.
std::string first_type(Word text, std::initializer_list<Word> types, Word before = {})
{
    std::size_t first = none;
    Word found;
    for (const Word type : types) {
        const auto at = text.find(std::string(before) + std::string(type));
        if (at < first) {
            first = at;
            found = type;
        }
    }
    return std::string(found);
}

std::string of_nccl_kernel(Word last)
{
    const auto kernel = last.find("Kernel_");
    if (!last.starts_with("nccl") || kernel == none
        || !is_one_of(last.substr(4, kernel - 4), {"", "Dev", "SymkDev", "SymDev"})) {
        return {};
    }
    const Word rest = word_at(last.substr(kernel + 7));
    auto words = split_at(rest, '_');
    if (words.front() == "Generic") {
        return "NCCL " + joined(Words(words.begin(), words.end()));
    }
    std::string type;
    Words name {std::string(words.front())}, algorithm;
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
        const bool is_symmetric = contains(*word, "x") && (word->starts_with("AG") || word->starts_with("RS"));
        if (is_symmetric
            || is_one_of(*word,
                {"RING", "TREE", "NVLS", "COLLNET", "PAT", "LL", "LL128", "SIMPLE", "R", "LDMC", "STMC", "MC"})) {
            algorithm.emplace_back(*word);
        } else if (type.empty()
            && !is_one_of(*word,
                {"Sum", "sum", "Avg", "avg", "Max", "max", "Min", "min", "Prod", "prod", "SumPostDiv", "PreMulSum",
                    "MinMax", "t", "nv", ""})) {
            type = *word == "float" ? "f32" : *word == "double" ? "f64" : *word == "half" ? "f16" : std::string(*word);
            type = type.starts_with("int") ? 'i' + type.substr(3)
                : type.starts_with("uint") ? 'u' + type.substr(4)
                                           : type;
        }
    }
    name.push_back(contains(rest, "bfloat16") ? "bf16" : type);
    name.insert(name.end(), algorithm.begin(), algorithm.end());
    return joined(name);
}

// ---- Triton ---------------------------------------------------------------------------------------------------------

/// Names of ATen that have several words, and what they are called here.
constexpr std::array<std::pair<Word, Word>, 22> aten_names {{{"native_layer_norm_backward", "layernormBwd"},
    {"native_layer_norm", "layernorm"}, {"native_dropout_backward", "dropoutBwd"}, {"native_dropout", "dropout"},
    {"_log_softmax_backward_data", "softmaxBwd"}, {"nll_loss_forward", "nll"}, {"nll_loss_backward", "nllBwd"},
    {"_log_softmax", "logsoftmax"}, {"embedding_dense_backward", "embeddingBwd"},
    {"scaled_dot_product_flash_attention", "sdpa"}, {"scaled_dot_product_cudnn_attention", "sdpa"},
    {"gelu_backward", "geluBwd"}, {"silu_backward", "siluBwd"}, {"threshold_backward", "reluBwd"},
    {"constant_pad_nd", "pad"}, {"masked_fill", "maskedfill"}, {"convolution", "conv"}, {"index_put", "indexput"},
    {"index_copy", "indexcopy"}, {"_softmax", "softmax"}, {"rms_norm", "rmsnorm"}, {"all_reduce", "allreduce"}}};

bool does_nothing(Word word)
{
    return is_one_of(word,
        {"to", "copy", "view", "unsafe", "expand", "clone", "t", "transpose", "permute", "slice", "unsqueeze",
            "squeeze", "select", "as", "strided", "detach", "arange", "full", "scalar", "tensor", "empty", "like",
            "new", "zeros", "ones", "constant", "lift", "fresh", "alias", "reshape", "stack", "unbind", "split",
            "default"});
}

bool says_most(Word word)
{
    return is_one_of(word,
        {"layernorm", "layernormBwd", "rmsnorm", "softmax", "softmaxBwd", "logsoftmax", "nll", "rope", "sdpa", "gelu",
            "geluBwd", "silu", "embedding", "embeddingBwd", "conv", "dropout", "dropoutBwd"});
}

/// Replaces words that together are one operation by its name at the end.
void fold(Words& words, std::initializer_list<Word> all, std::initializer_list<Word> gone, const char* name)
{
    const auto has = [&](Word word) { return std::find(words.begin(), words.end(), word) != words.end(); };
    if (std::all_of(all.begin(), all.end(), has)) {
        std::erase_if(words, [&](const std::string& word) { return is_one_of(word, gone); });
        words.emplace_back(name);
    }
}

/// The operations that a fused kernel is named after, each once, those without work left out; four at most.
Words operations_of(std::string body)
{
    for (const auto& [name, brief] : aten_names) {
        for (auto at = body.find(name); at != std::string::npos; at = body.find(name, at + brief.size())) {
            body.replace(at, name.size(), brief);
        }
    }
    Words words;
    for (const Word word : split_at(body, '_')) {
        if (!word.empty()) {
            words.emplace_back(word);
        }
    }
    fold(words, {"mean", "pow", "rsqrt"}, {"mean", "pow", "rsqrt", "mul"}, "rmsnorm");
    fold(words, {"cos", "sin"}, {"cos", "sin", "neg"}, "rope");
    Words kept;
    for (const auto& word : words) {
        if (!does_nothing(word) && std::find(kept.begin(), kept.end(), word) == kept.end()) {
            kept.push_back(word);
        }
    }
    if (std::find(kept.begin(), kept.end(), "layernormBwd") != kept.end()) {
        std::erase(kept, "layernorm");
    }
    if (kept.size() > 3 && std::any_of(kept.begin(), kept.end(), says_most)) {
        std::erase_if(kept, [](const std::string& word) {
            return !says_most(word) && !is_one_of(word, {"add", "cat"});
        });
        kept.resize(std::min<std::size_t>(kept.size(), 4));
    }
    if (kept.empty()) {
        words.resize(std::min<std::size_t>(words.size(), 3));
        return words;
    }
    if (kept.size() > 4) {
        kept = {kept[0], kept[1], kept[2], "…", kept.back()};
    }
    return kept;
}

std::string of_triton(Word last)
{
    constexpr Word triton = "triton_", fused = "_fused_";
    if (!last.starts_with(triton) || !is_one_of(last.substr(7, 3), {"poi", "red", "per", "tem", "for", "spl"})
        || !last.substr(10).starts_with(fused)) {
        return {};
    }
    const Word kind = last.substr(7, 3);
    Word body = last.substr(10 + fused.size());
    const auto number_at = body.find_last_not_of(ascii::digits);
    const Word number = number_at == none ? body : body.substr(number_at + 1);
    body.remove_suffix(number.size());
    auto words = operations_of(std::string(body));
    if (kind == "for") {
        words.emplace(words.begin(), "foreach");
    }
    if (words.empty()) {
        words.emplace_back(kind);
    }
    return joined(words) + (number.empty() ? "" : " #" + std::string(number));
}

// ---- matrix products and convolutions -------------------------------------------------------------------------------

/// Tensile, of rocBLAS and hipBLASLt: Cijk_Alik_Bljk_BBS_BH_Bias_…_MT320x224x64_…
std::string of_tensile(Word last)
{
    if (!last.starts_with("Cijk_")) {
        return {};
    }
    const auto tile_at = last.find("MT");
    const auto tile = tile_at == none ? Tile {} : tile_from(last.substr(tile_at + 2), 0, 3, 2);
    if (tile.text.empty()) {
        return contains(last, "PostGSU") ? "gemm splitK reduce" : "gemm Tensile";
    }
    const auto parts = split_at(last, '_');
    const auto part = [&](std::size_t i) { return i < parts.size() ? parts[i] : Word(); };
    const auto letters = [&](std::size_t i) { return part(i) == "Alik" || part(i) == "Bjlk" ? "T" : "N"; };
    const Word type = part(3);
    const std::string shown = is_one_of(type, {"BBS", "B", "BSS"}) ? "bf16"
        : is_one_of(type, {"HHS", "HSS"})                          ? "f16"
        : type == "SB"                                             ? "f32"
        : type == "DB"                                             ? "f64"
        : type == "F8BS"                                           ? "fp8"
                                                                   : std::string(type);
    return joined(
        {"gemm", shown, tile.text, std::string(letters(1)) + letters(2), contains(last, "_Bias_") ? "bias" : ""});
}

std::string of_nvjet(Word last)
{
    if (!last.starts_with("nvjet_")) {
        return {};
    }
    const auto tile = tile_from(last, 0, 2, 2);
    if (tile.text.empty()) {
        return {};
    }
    Words words {"nvjet", tile.text};
    for (const Word part : split_at(last.substr(tile.end), '_')) {
        const bool is_layout = part.size() == 3 && part.find_first_not_of("NT") == none;
        if (is_layout || is_one_of(part, {"bias", "splitK", "ssched"}) || part.starts_with("gelu")
            || part.starts_with("relu")) {
            words.emplace_back(part);
        }
    }
    return joined(words);
}

/// cuBLAS, cuDNN and TensorRT: sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x128x64_…
std::string of_xmma(Word all)
{
    const auto begin = all.find("xmma_");
    if (begin == none) {
        return {};
    }
    const Word name = word_at(all.substr(begin));
    std::string kind = first_type(name, {"fprop", "dgrad", "wgrad", "pooling"}, "_");
    kind = kind.empty() && name.starts_with("xmma_gemm") ? "gemm" : kind;
    if (kind.empty()) {
        return {};
    }
    const auto size = name.find("tilesize");
    const bool is_gemm = kind == "gemm";
    return joined({is_gemm || kind == "pooling" ? kind : "conv " + kind,
        first_type(name, {"bf16", "f16", "tf32", "f32", "e4m3", "i8", "f64"}, "_"),
        size == none ? "" : tile_from(name.substr(size + 8), 0, 3, 3).text,
        is_gemm ? layout_before(name, "_n_tile") : "", contains(name, "split_k") ? "splitK" : ""});
}

/// cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_tn_align8
std::string of_cutlass(Word all)
{
    const auto begin = all.find("cutlass");
    const Word name = begin == none ? Word() : word_at(all.substr(begin));
    const auto kind = first_type(name, {"gemm", "fprop", "dgrad", "wgrad"});
    const auto kind_at = name.find(kind);
    if (kind.empty() || !contains(name.substr(0, kind_at), "_")) {
        return {};
    }
    const auto tile = tile_from(name, kind_at, 2, 2);
    const auto align = name.find("_align", tile.end);
    if (tile.text.empty() || align == none) {
        return {};
    }
    const Word front = name.substr(0, align);
    auto type = first_type(front, {"bf16", "tf32", "f16", "f64", "e4m3"});
    type = type.empty() && contains(front, "sgemm") ? "f32" : type;
    return joined({kind == "gemm" ? kind : "conv " + kind, type, tile.text, layout_before(name, "_align"),
        contains(front, "_relu_") ? "relu" : "", contains(name, "_simt_") ? "simt" : ""});
}

/// volta_sgemm_64x64_nn, ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_64x3_tn, volta_scudnn_128x64_relu_…_nn_v1
std::string of_architecture(Word last)
{
    std::size_t begin = none;
    for (const Word architecture : {"volta_", "ampere_", "turing_", "maxwell_", "hopper_"}) {
        const auto at = last.find(architecture);
        begin = std::min(begin, at == none ? none : at + architecture.size());
    }
    const Word name = begin == none ? Word() : last.substr(begin);
    const auto kind = first_type(name, {"gemm", "cudnn"});
    const auto kind_end = name.find(kind) + kind.size();
    const auto tile = kind.empty() ? Tile {} : tile_from(name, kind_end, 2, 2);
    auto end = name;
    if (end.size() > 3 && end[end.size() - 2] == 'v' && end[end.size() - 3] == '_') {
        end.remove_suffix(3);
    }
    const auto layout = layout_before(std::string(end) + '$', "$");
    if (tile.text.empty() || layout.empty()) {
        return {};
    }
    return joined({kind == "cudnn" ? "conv" : std::string(name.substr(0, kind_end)),
        contains(name, "winograd") ? "winograd" : "", tile.text, layout,
        name.substr(tile.end).starts_with("_relu") ? "relu" : "", contains(name, "splitK") ? "splitK" : ""});
}

/// MIOpen: igemm_fwd_gtcx3_nhwc_fp16_bx0_ex1_bt128x128x32_…
std::string of_miopen(Word last)
{
    const auto tile_at = last.find("_bt");
    const auto parts = split_at(last, '_');
    if (parts.front() != "igemm" || parts.size() < 4 || tile_at == none) {
        return {};
    }
    const auto order
        = std::find_if(parts.begin(), parts.end(), [](Word part) { return part == "nhwc" || part == "nchw"; });
    if (order == parts.end() || order + 1 == parts.end()) {
        return {};
    }
    return joined(
        {"conv", std::string(parts[1]), std::string(order[1]), tile_from(last.substr(tile_at + 3), 0, 3, 3).text});
}

/// TensorRT-LLM: bmm_E2m1_…_t128x32x256u2_…
std::string of_bmm(Word last)
{
    const auto tile_at = last.find("_t");
    if (!last.starts_with("bmm_") || tile_at == none) {
        return {};
    }
    const auto tile = tile_from(last.substr(tile_at + 2), 0, 3, 3);
    return tile.text.empty() ? std::string() : joined({"bmm", std::string(split_at(last, '_')[1]), tile.text});
}

// ---- attention ------------------------------------------------------------------------------------------------------

std::string number_at(Word text, std::size_t at)
{
    const auto rest = at >= text.size() ? Word() : text.substr(at);
    return std::string(rest.substr(0, std::min(rest.find_first_not_of(ascii::digits), rest.size())));
}

/// TensorRT-LLM: fmhaSm100fKernel_QkvE4m3OBfloat16H128PagedKvCausalP64VarSeqQ128Kv128…
std::string of_fmha(Word last)
{
    const auto types = last.find("Kernel_Qkv");
    const auto sequence = last.find("VarSeq");
    if (!last.starts_with("fmhaSm") || types == none || sequence == none) {
        return {};
    }
    const Word from = last.substr(types + 10);
    const auto out = from.find('O');
    const auto head = out == none ? none : from.find('H', out);
    if (head == none || number_at(from, head + 1).empty()) {
        return {};
    }
    const bool slides = contains(from, "Sliding");
    const auto queries = last.substr(sequence + 6).starts_with('Q') ? number_at(last, sequence + 7) : std::string();
    return joined({"fmha", std::string(from.substr(0, out)), "h" + number_at(from, head + 1),
        contains(from, "Paged") ? "paged" : "",
        slides                         ? "sliding"
            : contains(from, "Causal") ? "causal"
                                       : "",
        queries.empty() ? "" : "q" + queries});
}

/// cuDNN: cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x64_…; CUTLASS's in PyTorch:
/// fmha_cutlassF_bf16_aligned_64x64_rf_sm80
std::string of_sdpa(Word last)
{
    if (last.starts_with("fmha_cutlass") && last.size() > 13) {
        const auto parts = split_at(last, '_');
        const auto tile = tile_from(last, 0, 2, 2);
        return parts.size() < 4 || tile.text.empty()
            ? std::string()
            : joined({last[12] == 'F' ? "fmha fwd" : "fmha bwd", std::string(parts[2]), tile.text});
    }
    const auto way = first_type(last, {"fprop", "bprop"}, "_");
    if (!last.starts_with("cudnn_generated_") || !contains(last, "sdpa_") || way.empty()) {
        return {};
    }
    const auto after = last.substr(last.find('_' + way));
    return joined({"sdpa", way, first_type(after, {"f16", "bf16", "f32", "fp8"}, "_"), tile_from(after, 0, 3, 3).text});
}

/// CUTLASS's Python: kernel_cutlass_kernel_MODULEClassKernel_object_at_…
std::string of_cute(Word last)
{
    constexpr Word begin = "kernel_cutlass_kernel_";
    if (!last.starts_with(begin)) {
        return {};
    }
    Word name = last.substr(begin.size());
    name = name.substr(0, name.find("_object_at"));
    Word brief = name.ends_with("Kernel") ? name.substr(0, name.size() - 6) : name;
    for (std::size_t i = 1; i < brief.size(); ++i) {
        const bool rest_is_word = brief.find('_', i) == none;
        if (ascii::is_upper(brief[i]) && !ascii::is_upper(brief[i - 1]) && !ascii::is_digit(brief[i - 1])
            && rest_is_word) {
            return std::string(brief.substr(i));
        }
    }
    return std::string(name.substr(0, 40));
}

}  // namespace

std::string short_generated_name(std::string_view last, std::string_view arguments)
{
    constexpr std::array readers {of_nccl_kernel, of_triton, of_tensile, of_nvjet};
    for (const auto reader : readers) {
        if (auto name = reader(last); !name.empty()) {
            return name;
        }
    }
    const auto all = std::string(last) + ' ' + std::string(arguments);
    if (auto name = of_xmma(all); !name.empty()) {
        return name;
    }
    if (!arguments.starts_with("cutlass::gemm")) {
        if (auto name = of_cutlass(all); !name.empty()) {
            return name;
        }
    }
    constexpr std::array others {of_architecture, of_bmm, of_fmha, of_sdpa, of_cute, of_miopen};
    for (const auto reader : others) {
        if (auto name = reader(last); !name.empty()) {
            return name;
        }
    }
    return {};
}

}  // namespace lanes

// SPDX-License-Identifier: MIT
#include "engine/workload/article_claims.h"

#include "engine/workload/resources.h"
#include "engine/workload/yaml_tree.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

namespace lanes {

namespace {

class ClaimsReader {
public:
    explicit ClaimsReader(std::string file)
        : m_file(std::move(file))
    {
    }

    std::vector<Article> articles(const YamlNode& root) const
    {
        only(root, {"articles"});
        std::vector<Article> all;
        for (const YamlNode& each : list(root, "articles")) {
            only(each, {"title", "claims"});
            Article article {translated(each, "title"), {}};
            for (const YamlNode& one : list(each, "claims")) {
                article.claims.push_back(claim(one));
            }
            all.push_back(std::move(article));
        }
        return all;
    }

private:
    [[noreturn]] void fail(const YamlNode& at, const std::string& message) const
    {
        throw WorkloadError(m_file, at.place.line, at.place.column, message);
    }

    void only(const YamlNode& map, std::initializer_list<std::string_view> keys) const
    {
        if (map.kind != YamlNode::Kind::map) {
            fail(map, "found " + described(map) + ", expected a map");
        }
        for (std::size_t i = 0; i < map.pair_count(); ++i) {
            if (std::find(keys.begin(), keys.end(), map.key(i).text) == keys.end()) {
                fail(map.key(i), "unknown key '" + map.key(i).text + "'");
            }
        }
    }

    const YamlNode& need(const YamlNode& map, const char* key, YamlNode::Kind kind, const char* what) const
    {
        const YamlNode* found = map.find(key);
        if (found == nullptr) {
            fail(map, "found no '" + std::string(key) + "', expected " + what);
        }
        if (found->kind != kind) {
            fail(*found, "found " + described(*found) + ", expected " + what);
        }
        return *found;
    }

    const std::vector<YamlNode>& list(const YamlNode& map, const char* key) const
    {
        return need(map, key, YamlNode::Kind::list, "a list").items;
    }

    Translated translated(const YamlNode& map, const char* key) const
    {
        const YamlNode& texts = need(map, key, YamlNode::Kind::map, "a text in each language: {en: …, zh_CN: …}");
        only(texts, {"en", "zh_CN"});
        return {{"en", need(texts, "en", YamlNode::Kind::scalar, "a text").text},
            {"zh_CN", need(texts, "zh_CN", YamlNode::Kind::scalar, "a text").text}};
    }

    ArticleClaim claim(const YamlNode& node) const
    {
        only(node, {"says", "truth", "answer", "shown"});
        ArticleClaim claim {translated(node, "says"), truth(node), translated(node, "answer"), {}};
        for (const YamlNode& place : list(node, "shown")) {
            const auto dot = place.text.find('.');
            if (place.kind != YamlNode::Kind::scalar || dot == std::string::npos) {
                fail(place, "found " + described(place) + ", expected LESSON.VARIANT");
            }
            claim.shown.push_back({place.text.substr(0, dot), place.text.substr(dot + 1)});
        }
        if (claim.shown.empty()) {
            fail(node, "the claim is shown by no lesson, expected at least one");
        }
        return claim;
    }

    ArticleClaim::Truth truth(const YamlNode& node) const
    {
        constexpr std::array words {"true", "false", "partly"};
        const YamlNode& word = need(node, "truth", YamlNode::Kind::scalar, "true, false or partly");
        const auto found = std::find(words.begin(), words.end(), word.text);
        if (found == words.end()) {
            fail(word, "found '" + word.text + "', expected true, false or partly");
        }
        return static_cast<ArticleClaim::Truth>(found - words.begin());
    }

    std::string m_file;
};

}  // namespace

std::vector<Article> read_article_claims(const std::string& text, const std::string& file)
{
    return ClaimsReader(file).articles(parse_yaml(text, file));
}

std::vector<Article> article_claims()
{
    const auto path = resource("text/claims.yaml");
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw WorkloadError(path.string(), 0, 0, "cannot be read");
    }
    return read_article_claims({std::istreambuf_iterator<char>(file), {}}, path.string());
}

}  // namespace lanes

#include "problem.hpp"

namespace attest::check {

namespace {

std::vector<std::vector<ScaledVector>> read_tokens(const Json& node) {
  std::vector<std::vector<ScaledVector>> tokens;
  if (node.array().empty()) node.fail("no sample");
  std::size_t dimension = 0;
  for (const Json* sample : node.items) {
    if (sample->array().empty()) sample->fail("no token");
    if (dimension == 0) dimension = sample->items.front()->array().size();
    if (dimension == 0) sample->items.front()->fail("no component");
    auto& row = tokens.emplace_back();
    for (const Json* token : sample->items) row.push_back(read_vector(*token, dimension));
  }
  return tokens;
}

std::vector<int> read_labels(const Json& node, std::size_t samples) {
  std::vector<int> labels;
  for (const Json* label : node.array(samples)) {
    const bool plus = label->text == "1";
    if (label->kind != JsonKind::number || (!plus && label->text != "-1")) label->fail("not a label 1 or -1");
    labels.push_back(plus ? 1 : -1);
  }
  return labels;
}

std::optional<std::vector<ScaledVector>> read_optional_rows(const Json* node, std::size_t rows, std::size_t columns) {
  if (node == nullptr) return std::nullopt;
  std::vector<ScaledVector> matrix;
  for (const Json* row : node->array(rows)) matrix.push_back(read_vector(*row, columns));
  return matrix;
}

const Json& checked_keys(const Json& node) {
  node.expect_keys({"tokens", "labels", "loss"}, {"v", "W", "queries"});
  return node;
}

[[noreturn]] void differs(const std::string& place) { throw Rejected("problem." + place + " is not what the case holds"); }

void require_same_rows(const std::optional<std::vector<ScaledVector>>& mine, const std::optional<std::vector<ScaledVector>>& theirs,
                       const std::string& name) {
  if (mine.has_value() != theirs.has_value()) differs(name);
  if (!mine) return;
  if (mine->size() != theirs->size()) differs(name);
  for (std::size_t i = 0; i < mine->size(); ++i)
    if (!((*mine)[i] == (*theirs)[i])) differs(name + bracketed({i}));
}

}  // namespace

Problem::Problem(const Json& node)
    : tokens(read_tokens(checked_keys(node).at("tokens"))), labels(read_labels(node.at("labels"), tokens.size())),
      W(read_optional_rows(node.find("W"), dimension(), dimension())),
      queries(read_optional_rows(node.find("queries"), tokens.size(), dimension())), loss(node.at("loss")) {
  if (const Json* head = node.find("v"); head != nullptr) v = read_vector(*head, dimension());
}

ScaledVector read_vector(const Json& node, std::size_t size) {
  std::vector<Rational> values;
  values.reserve(size);
  for (const Json* item : node.array(size)) values.push_back(read_rational(*item));
  return scale(values);
}

std::size_t read_sample(const Json& node, const Problem& problem) {
  const std::size_t sample = node.index();
  if (sample >= problem.tokens.size()) node.fail("there is no sample " + std::to_string(sample));
  return sample;
}

std::size_t read_token(const Json& node, const Problem& problem, std::size_t sample) {
  const std::size_t token = node.index();
  if (token >= problem.tokens[sample].size()) node.fail("sample " + std::to_string(sample) + " has no token " + std::to_string(token));
  return token;
}

Selection read_selection(const Json& node, const Problem& problem) {
  Selection selection;
  for (const Json* token : node.array(problem.tokens.size())) selection.push_back(read_token(*token, problem, selection.size()));
  return selection;
}

Scores scores_of(const Problem& problem) {
  if (!problem.v) throw Rejected("the statement speaks of scores, but problem.v is missing");
  Scores scores;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    auto& row = scores.emplace_back();
    for (const ScaledVector& token : problem.tokens[i]) row.emplace_back(problem.labels[i] * dot(*problem.v, token));
  }
  return scores;
}

void require_same(const Problem& certificate, const Problem& case_problem) {
  if (certificate.tokens.size() != case_problem.tokens.size()) differs("tokens");
  for (std::size_t i = 0; i < certificate.tokens.size(); ++i)
    require_same_rows(certificate.tokens[i], case_problem.tokens[i], "tokens" + bracketed({i}));
  if (certificate.labels != case_problem.labels) differs("labels");
  if (certificate.v.has_value() != case_problem.v.has_value()) differs("v");
  if (certificate.v && !(*certificate.v == *case_problem.v)) differs("v");
  require_same_rows(certificate.W, case_problem.W, "W");
  require_same_rows(certificate.queries, case_problem.queries, "queries");
  if (certificate.loss.text() != case_problem.loss.text()) differs("loss");
}

}  // namespace attest::check

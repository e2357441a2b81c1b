#include "hypotheses.hpp"

#include <algorithm>

#include "svm.hpp"

namespace attest::check {

namespace {

/// The sign of γ_it − γ_iα_i for the row [i, t].
int lead(const Scores& scores, const Selection& selection, const Row& row) {
  return scores[row.sample][row.token].compare(scores[row.sample][selection[row.sample]]);
}

/// What a solution of v-svm(α) says of label margins (§4.18).
class LabelMargins {
 public:
  LabelMargins(const Problem& problem, const Selection& selection, const Json& solution)
      : problem_(problem), support_(problem.tokens.size(), false) {
    solution.expect_keys({"w", "lambda"});
    for (const Row& row : Program::v_svm(problem, selection).tight_rows(solution.at("w"), solution.at("lambda")))
      support_[row.sample] = true;
    w_ = read_vector(solution.at("w"), problem.dimension());
  }

  [[nodiscard]] bool is_support(std::size_t i) const { return support_[i]; }
  /// Y_i w·x_it < 1
  [[nodiscard]] bool is_below_one(std::size_t i, std::size_t t) const { return problem_.labels[i] * dot(w_, problem_.tokens[i][t]) < 1; }

 private:
  const Problem& problem_;
  std::vector<bool> support_;
  ScaledVector w_;
};

/// Whether x exceeds y by at least 2^−40, wherever they lie in their intervals.
bool is_far_above(const Interval& x, const Interval& y, const Arithmetic& arithmetic) {
  return compare(arithmetic.subtract(x, y).lower, {1, -40}) >= 0;
}

}  // namespace

void check_equal_scores(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection"});
  witness.expect_keys({});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const Scores scores = scores_of(problem);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::size_t first = selection[i] == 0 ? 1 : 0;
    for (std::size_t t = first + 1; t < scores[i].size(); ++t)
      if (t != selection[i] && scores[i][t] != scores[i][first])
        throw Rejected("the tokens " + bracketed({i, first}) + " and " + bracketed({i, t}) + " have different scores");
  }
}

void check_better_neighbour(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection"});
  witness.expect_keys({"w", "lambda", "neighbour"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const Program program = Program::p_svm(problem, selection);
  static_cast<void>(program.tight_rows(witness.at("w"), witness.at("lambda")));
  const auto multipliers = program.read_multipliers(witness.at("lambda"));
  const Row row = program.read_row(witness.at("neighbour"));
  if (std::none_of(multipliers.begin(), multipliers.end(), [&](const auto& one) { return one.row == row; }))
    witness.at("neighbour").fail("has no multiplier");
  if (lead(scores_of(problem), selection, row) <= 0) witness.at("neighbour").fail("does not score more");
}

void check_no_better_neighbour(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection"});
  witness.expect_keys({"w", "lambda"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const Program program = Program::p_svm(problem, selection);
  const Scores scores = scores_of(problem);
  for (const Row& row : program.tight_rows(witness.at("w"), witness.at("lambda")))
    if (lead(scores, selection, row) > 0) throw Rejected("the neighbour " + program.name(row) + " scores more");
}

void check_independent_rows(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection", "rows"});
  witness.expect_keys({"w", "lambda"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const Program program = Program::p_svm(problem, selection);
  const std::vector<Row> tight = program.tight_rows(witness.at("w"), witness.at("lambda"));
  require_tight(statement.at("rows"), program, tight);
  std::vector<std::vector<Integer>> rows;
  for (const Row& row : tight) rows.push_back(scale(program.sum_of_rows({{row, 1}})).numerators);
  if (rank_of(std::move(rows)) != tight.size()) throw Rejected("the tight rows are dependent");
}

void check_slack_tokens(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection"});
  witness.expect_keys({"v"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const LabelMargins margins(problem, selection, witness.at("v"));
  for (std::size_t i = 0; i < problem.tokens.size(); ++i)
    for (std::size_t t = 0; t < problem.tokens[i].size(); ++t)
      if (!margins.is_support(i) && t != selection[i] && !margins.is_below_one(i, t))
        throw Rejected("the label margin of token " + bracketed({i, t}) + " is not below 1");
}

void check_no_slack_tokens(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection"});
  witness.expect_keys({"v", "sample", "token"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const LabelMargins margins(problem, selection, witness.at("v"));
  const std::size_t i = read_sample(witness.at("sample"), problem);
  const std::size_t t = read_token(witness.at("token"), problem, i);
  if (margins.is_support(i)) witness.at("sample").fail("is a support vector");
  if (t == selection[i]) witness.at("token").fail("is the selected token");
  if (margins.is_below_one(i, t)) witness.at("token").fail("has a label margin below 1");
}

void check_logistic_loss(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind"});
  witness.expect_keys({});
  if (!problem.loss.is_logistic()) throw Rejected("the loss is not written as the logistic one");
}

void check_not_logistic(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "u"});
  witness.expect_keys({});
  const Rational u = read_rational(statement.at("u"));
  const Arithmetic arithmetic;
  try {
    const Interval found = problem.loss.jet(u, u, arithmetic).value;
    const Interval logistic = Loss::logistic().jet(u, u, arithmetic).value;
    if (!is_far_above(found, logistic, arithmetic) && !is_far_above(logistic, found, arithmetic))
      throw Rejected("at u the loss is not shown to differ from the logistic one");
  } catch (const Undefined& why) {
    statement.at("u").fail(why.what());
  }
}

}  // namespace attest::check

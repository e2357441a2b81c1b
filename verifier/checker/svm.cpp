#include "svm.hpp"

#include <algorithm>

namespace attest::check {

std::vector<Rational> sum_of_keys(const Problem& problem, const std::vector<KeyDifference>& terms) {
  WeightedVectors tokens;
  for (const auto& [sample, chosen, other, weight] : terms) {
    tokens.emplace_back(&problem.tokens[sample][chosen], weight);
    tokens.emplace_back(&problem.tokens[sample][other], -weight);
  }
  std::vector<Rational> sum = combine(tokens, problem.dimension());
  if (!problem.W) return sum;
  const ScaledVector scaled = scale(sum);
  for (std::size_t a = 0; a < sum.size(); ++a) sum[a] = dot((*problem.W)[a], scaled);
  return sum;
}

bool is_zero(const std::vector<Rational>& vector) {
  return std::all_of(vector.begin(), vector.end(), [](const auto& x) { return x.is_zero(); });
}

Program::Program(const Problem& problem, Selection selection, Rows rows)
    : problem_(&problem), selection_(std::move(selection)), rows_(rows), margin_(problem.tokens.size(), true) {}

Program Program::p_svm(const Problem& problem, const Selection& selection) { return {problem, selection, Rows::keys}; }

Program Program::v_svm(const Problem& problem, const Selection& selection) { return {problem, selection, Rows::labels}; }

Program Program::joint_svm(const Problem& problem, const Selection& selection, const Json& solution) {
  solution.expect_keys({"w", "lambda"});
  Program program(problem, selection, Rows::keys);
  program.margin_.assign(problem.tokens.size(), false);
  for (const Row& row : v_svm(problem, selection).tight_rows(solution.at("w"), solution.at("lambda"))) program.margin_[row.sample] = true;
  return program;
}

std::string Program::name(const Row& row) const {
  return rows_ == Rows::keys ? bracketed({row.sample, row.token}) : bracketed({row.sample});
}

Row Program::row_of(const std::vector<const Json*>& indices) const {
  Row row{read_sample(*indices[0], *problem_), 0};
  if (rows_ == Rows::labels) return row;
  row.token = read_token(*indices[1], *problem_, row.sample);
  if (row.token == selection_[row.sample]) indices[1]->fail("names the selected token of sample " + std::to_string(row.sample));
  return row;
}

Row Program::read_row(const Json& node) const { return row_of(node.array(rows_ == Rows::keys ? 2 : 1)); }

std::vector<Row> Program::read_rows(const Json& node) const {
  std::vector<Row> rows;
  for (const Json* item : node.array()) {
    const Row row = read_row(*item);
    if (!rows.empty() && rows.back() >= row) item->fail("not in strictly ascending order");
    rows.push_back(row);
  }
  return rows;
}

std::vector<Program::Multiplier> Program::read_terms(const Json& node) const {
  std::vector<Multiplier> terms;
  for (const Json* item : node.array()) {
    const auto& parts = item->array(rows_ == Rows::keys ? 3 : 2);
    Multiplier next{row_of(parts), read_rational(*parts.back())};
    if (!terms.empty() && terms.back().row >= next.row) item->fail("not in strictly ascending order");
    terms.push_back(std::move(next));
  }
  return terms;
}

std::vector<Program::Multiplier> Program::read_multipliers(const Json& node) const {
  std::vector<Multiplier> multipliers = read_terms(node);
  for (const auto& [row, weight] : multipliers)
    if (weight <= 0) node.fail("the multiplier of " + name(row) + " is not > 0");
  return multipliers;
}

std::vector<Program::Multiplier> Program::read_coefficients(const Json& node) const {
  std::vector<Multiplier> coefficients = read_terms(node);
  for (const auto& [row, weight] : coefficients)
    if (weight.is_zero()) node.fail("the coefficient of " + name(row) + " is 0");
  return coefficients;
}

std::vector<Rational> Program::sum_of_rows(const std::vector<Multiplier>& terms) const {
  if (rows_ == Rows::keys) {
    std::vector<KeyDifference> keys;
    for (const auto& [row, weight] : terms) keys.push_back({row.sample, selection_[row.sample], row.token, weight});
    return sum_of_keys(*problem_, keys);
  }
  WeightedVectors tokens;
  for (const auto& [row, weight] : terms)
    tokens.emplace_back(&problem_->tokens[row.sample][selection_[row.sample]], problem_->labels[row.sample] * weight);
  return combine(tokens, problem_->dimension());
}

/// Compares a_c·w with b_c for every row. Key rows: a_c·w = x_iα·z − x_it·z with z = Wᵀ w, so no
/// key is ever formed. All in integers, cleared of the (positive) denominators.
std::vector<Row> Program::feasible_tight_rows(const ScaledVector& w) const {
  std::vector<Row> tight;
  const auto judge = [&](const Row& row, const Integer& left, const Integer& one) {
    const int order = left.compare(margin_[row.sample] ? one : Integer(0));
    if (order < 0) throw Rejected("w violates the row " + name(row));
    if (order == 0) tight.push_back(row);
  };
  ScaledVector z = w;
  if (rows_ == Rows::keys && problem_->W) {
    WeightedVectors rows;
    for (std::size_t a = 0; a < w.size(); ++a) rows.emplace_back(&(*problem_->W)[a], w[a]);
    z = scale(combine(rows, w.size()));
  }
  for (std::size_t i = 0; i < problem_->tokens.size(); ++i) {
    const ScaledVector& chosen = problem_->tokens[i][selection_[i]];
    const Integer value = dot_numerators(chosen, z);
    if (rows_ == Rows::labels) {
      judge({i, 0}, problem_->labels[i] * value, z.denominator * chosen.denominator);
      continue;
    }
    for (std::size_t t = 0; t < problem_->tokens[i].size(); ++t) {
      if (t == selection_[i]) continue;
      const ScaledVector& other = problem_->tokens[i][t];
      judge({i, t}, value * other.denominator - dot_numerators(other, z) * chosen.denominator,
            z.denominator * chosen.denominator * other.denominator);
    }
  }
  return tight;
}

std::vector<Row> Program::tight_rows(const Json& w, const Json& lambda) const {
  const ScaledVector solution = read_vector(w, problem_->dimension());
  const std::vector<Multiplier> multipliers = read_multipliers(lambda);
  std::vector<Row> tight = feasible_tight_rows(solution);
  for (const Multiplier& multiplier : multipliers)
    if (!std::binary_search(tight.begin(), tight.end(), multiplier.row))
      lambda.fail("the row " + name(multiplier.row) + " has a multiplier but is not tight");
  const std::vector<Rational> sum = sum_of_rows(multipliers);
  for (std::size_t a = 0; a < sum.size(); ++a)
    if (sum[a] != solution[a]) lambda.fail("the sum of multiplier times row is not w in component " + std::to_string(a));
  return tight;
}

void Program::check_infeasible(const Json& lambda) const {
  const std::vector<Multiplier> multipliers = read_multipliers(lambda);
  if (!is_zero(sum_of_rows(multipliers))) lambda.fail("the sum of multiplier times row is not 0");
  // Every weight is > 0, so the sum of weight · b is > 0 when one row has b = 1.
  if (std::none_of(multipliers.begin(), multipliers.end(), [&](const Multiplier& m) { return margin_[m.row.sample]; }))
    lambda.fail("the sum of multiplier times margin is not > 0");
}

/// Both lists ascend; the first difference names a row.
void require_tight(const Json& stated_node, const Program& program, const std::vector<Row>& tight) {
  const std::vector<Row> stated = program.read_rows(stated_node);
  const auto [mine, theirs] = std::mismatch(stated.begin(), stated.end(), tight.begin(), tight.end());
  if (mine == stated.end() && theirs == tight.end()) return;
  if (mine == stated.end() || (theirs != tight.end() && *theirs < *mine))
    stated_node.fail("leaves out the tight row " + program.name(*theirs));
  stated_node.fail("the row " + program.name(*mine) + " is not tight");
}

}  // namespace attest::check

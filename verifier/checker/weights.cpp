#include "weights.hpp"

#include <algorithm>
#include <set>

#include "bracket.hpp"
#include "limit_rows.hpp"

namespace attest::check {

namespace {

/// The W-SVM of a selection (§4.11). W = Σ q_i z_iᵀ is never formed: the row [i, t] is at
/// (x_iα − x_it)·u_i with u_i = W z_i = Σ_j (z_j·z_i) q_j.
class WeightProgram {
 public:
  WeightProgram(const Problem& problem, const Selection& selection)
      : problem_(problem), selection_(selection), names_(Program::p_svm(problem, selection)) {}

  [[nodiscard]] const Program& names() const { return names_; }

  /// W z_i for every i, where W = Σ λ (x_iα − x_it) z_iᵀ. All are 0 only if W is: its rows are
  /// combinations of the z_i.
  [[nodiscard]] std::vector<ScaledVector> images(const std::vector<Program::Multiplier>& multipliers) const {
    const std::vector<ScaledVector> left = sums(multipliers);
    std::vector<ScaledVector> images;
    for (std::size_t i = 0; i < left.size(); ++i) {
      WeightedVectors parts;
      for (std::size_t j = 0; j < left.size(); ++j) parts.emplace_back(&left[j], dot(query_of(problem_, j), query_of(problem_, i)));
      images.push_back(scale(combine(parts, problem_.dimension())));
    }
    return images;
  }

  /// The columns of that W.
  [[nodiscard]] std::vector<ScaledVector> columns(const std::vector<Program::Multiplier>& multipliers) const {
    const std::vector<ScaledVector> left = sums(multipliers);
    std::vector<ScaledVector> columns;
    for (std::size_t c = 0; c < problem_.dimension(); ++c) {
      WeightedVectors parts;
      for (std::size_t j = 0; j < left.size(); ++j) parts.emplace_back(&left[j], query_of(problem_, j)[c]);
      columns.push_back(scale(combine(parts, problem_.dimension())));
    }
    return columns;
  }

  /// Every tight row; throws Rejected where W violates one.
  [[nodiscard]] std::vector<Row> feasible_tight_rows(const std::vector<ScaledVector>& images) const {
    std::vector<Row> tight;
    for (std::size_t i = 0; i < problem_.tokens.size(); ++i) {
      const ScaledVector& chosen = problem_.tokens[i][selection_[i]];
      const Rational value = dot(chosen, images[i]);
      for (std::size_t t = 0; t < problem_.tokens[i].size(); ++t) {
        if (t == selection_[i]) continue;
        const Rational slack = value - dot(problem_.tokens[i][t], images[i]) - 1;
        if (slack < 0) throw Rejected("W violates the row " + bracketed({i, t}));
        if (slack.is_zero()) tight.push_back({i, t});
      }
    }
    return tight;
  }

  /// The KKT conditions of W = Σ λ A (§4.11): every tight row, or throws Rejected.
  [[nodiscard]] std::vector<Row> solution_tight_rows(const Json& lambda) const {
    const auto multipliers = names_.read_multipliers(lambda);
    std::vector<Row> tight = feasible_tight_rows(images(multipliers));
    for (const auto& [row, weight] : multipliers)
      if (!std::binary_search(tight.begin(), tight.end(), row))
        lambda.fail("the row " + bracketed({row.sample, row.token}) + " has a multiplier but is not tight");
    return tight;
  }

  /// Throws Rejected unless lambda is not empty and Σ λ A is 0 (Farkas).
  void check_infeasible(const Json& lambda) const {
    const auto multipliers = names_.read_multipliers(lambda);
    if (multipliers.empty()) lambda.fail("is empty");
    for (const ScaledVector& image : images(multipliers))
      for (const Integer& entry : image.numerators)
        if (!entry.is_zero()) lambda.fail("the sum of multiplier times row is not 0");
  }

 private:
  /// Σ λ (x_iα − x_it) over the rows of every sample.
  [[nodiscard]] std::vector<ScaledVector> sums(const std::vector<Program::Multiplier>& multipliers) const {
    std::vector<WeightedVectors> terms(problem_.tokens.size());
    for (const auto& [row, weight] : multipliers) {
      terms[row.sample].emplace_back(&problem_.tokens[row.sample][selection_[row.sample]], weight);
      terms[row.sample].emplace_back(&problem_.tokens[row.sample][row.token], -weight);
    }
    std::vector<ScaledVector> left;
    left.reserve(terms.size());
    for (const WeightedVectors& sum : terms) left.push_back(scale(combine(sum, problem_.dimension())));
    return left;
  }

  const Problem& problem_;
  const Selection& selection_;
  Program names_;  // rows are named and read as those of the p-svm
};

std::vector<Integer> scaled_difference(const ScaledVector& a, const ScaledVector& b) {
  std::vector<Integer> result;
  for (std::size_t c = 0; c < a.size(); ++c) result.emplace_back(a.numerators[c] * b.denominator - b.numerators[c] * a.denominator);
  return result;
}

/// The token that W prefers in a sample; throws Rejected where two are level.
std::size_t preferred_token(const std::vector<ScaledVector>& tokens, const ScaledVector& image, const Json& node) {
  std::size_t best = 0;
  Rational most = dot(tokens[0], image);
  bool level = false;
  for (std::size_t t = 1; t < tokens.size(); ++t) {
    const Rational value = dot(tokens[t], image);
    if (value == most) level = true;
    if (value <= most) continue;
    best = t;
    most = value;
    level = false;
  }
  if (level) node.fail("does not tell the best tokens of a sample apart");
  return best;
}

Selection preferred_selection(const Problem& problem, const Json& node) {
  std::vector<ScaledVector> rows;
  for (const Json* row : node.array(problem.dimension())) rows.push_back(read_vector(*row, problem.dimension()));
  Selection selection;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    std::vector<Rational> image;
    for (const ScaledVector& row : rows) image.push_back(dot(row, query_of(problem, i)));
    selection.push_back(preferred_token(problem.tokens[i], scale(image), node));
  }
  return selection;
}

/// d rows of one length.
std::vector<ScaledVector> read_factor(const Json& node, std::size_t d, std::size_t columns) {
  std::vector<ScaledVector> rows;
  for (const Json* row : node.array(d)) rows.push_back(read_vector(*row, columns));
  return rows;
}

Rational squared_sum(const std::vector<ScaledVector>& rows) {
  Rational sum = 0;
  for (const ScaledVector& row : rows) sum += dot(row, row);
  return sum;
}

/// A Bᵀ z for every query z.
std::vector<ScaledVector> factor_images(const Problem& problem, const std::vector<ScaledVector>& a, const std::vector<ScaledVector>& b,
                                        std::size_t columns) {
  std::vector<ScaledVector> images;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    WeightedVectors terms;
    for (std::size_t r = 0; r < b.size(); ++r) terms.emplace_back(&b[r], query_of(problem, i)[r]);
    const ScaledVector inner = scale(combine(terms, columns));
    std::vector<Rational> image;
    for (const ScaledVector& row : a) image.push_back(dot(row, inner));
    images.push_back(scale(image));
  }
  return images;
}

/// Exact LDLᵀ: every pivot is ≥ 0, and where one is 0 the rest of its column is 0.
bool is_semidefinite(std::vector<std::vector<Rational>> matrix) {
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    const Rational pivot = matrix[k][k];
    if (pivot < 0) return false;
    for (std::size_t r = k + 1; r < matrix.size(); ++r) {
      if (matrix[r][k].is_zero()) continue;
      if (pivot.is_zero()) return false;
      const Rational factor = matrix[r][k] / pivot;
      for (std::size_t c = k + 1; c < matrix.size(); ++c) matrix[r][c] -= factor * matrix[k][c];
    }
  }
  return true;
}

/// I − MᵀM, for the columns of M.
std::vector<std::vector<Rational>> unit_ball_form(const std::vector<ScaledVector>& columns) {
  std::vector<std::vector<Rational>> form;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    form.emplace_back();
    for (std::size_t j = 0; j < columns.size(); ++j) form.back().push_back((i == j ? 1 : 0) - dot(columns[i], columns[j]));
  }
  return form;
}

/// Line k of a lower triangular matrix of side d or n has k + 1 numbers; zeros follow.
std::vector<ScaledVector> read_root(const Json& node, const Problem& problem) {
  std::vector<ScaledVector> lines;
  const std::size_t side = node.array().size();
  if (side != problem.dimension() && side != problem.tokens.size()) node.fail("has neither d nor n lines");
  for (const Json* line : node.array()) {
    lines.push_back(read_vector(*line, lines.size() + 1));
    lines.back().numerators.resize(side);
  }
  return lines;
}

/// Whether form − R Rᵀ is diagonally dominant (§4.12), so that the form is semidefinite.
bool is_dominated(const std::vector<std::vector<Rational>>& form, const std::vector<ScaledVector>& root) {
  for (std::size_t i = 0; i < form.size(); ++i) {
    Rational excess = 0;
    for (std::size_t j = 0; j < form.size(); ++j) {
      const Rational left = form[i][j] - dot(root[i], root[j]);
      excess += i == j ? left : Rational(-abs(left));
    }
    if (excess < 0) return false;
  }
  return true;
}

/// The n×n form of I − MᵀM on the span of the queries (§4.12).
std::vector<std::vector<Rational>> unit_ball_form(const Problem& problem, const std::vector<ScaledVector>& images) {
  std::vector<std::vector<Rational>> form;
  for (std::size_t i = 0; i < images.size(); ++i) {
    form.emplace_back();
    for (std::size_t j = 0; j < images.size(); ++j)
      form.back().push_back(dot(query_of(problem, i), query_of(problem, j)) - dot(images[i], images[j]));
  }
  return form;
}

/// ‖M‖ ≤ 1: by exact pivots, or by the root that the witness brings.
void require_unit_norm(const Problem& problem, const WeightProgram& program, const std::vector<Program::Multiplier>& multipliers,
                       const Json& witness) {
  const Json* root = witness.find("root");
  if (root == nullptr) {
    if (!is_semidefinite(unit_ball_form(problem, program.images(multipliers))))
      witness.at("lambda").fail("the sum of multiplier times row has a norm above 1");
    return;
  }
  const std::vector<ScaledVector> lines = read_root(*root, problem);
  const bool of_space = lines.size() == problem.dimension();
  if (!is_dominated(of_space ? unit_ball_form(program.columns(multipliers)) : unit_ball_form(problem, program.images(multipliers)), lines))
    root->fail("does not show that the sum of multiplier times row has a norm of at most 1");
}

}  // namespace

void check_nuclear_bracket(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection", "lower", "upper"});
  static_cast<void>(require_nuclear_bracket(problem, read_selection(statement.at("selection"), problem), statement, witness));
}

std::vector<ScaledVector> require_nuclear_bracket(const Problem& problem, const Selection& selection, const Json& statement,
                                                  const Json& witness) {
  witness.expect_keys({"a", "b", "lambda"}, {"root"});
  const WeightProgram program(problem, selection);
  const std::size_t d = problem.dimension();
  const std::size_t columns = witness.at("a").array(d).front()->array().size();
  const auto a = read_factor(witness.at("a"), d, columns);
  const auto b = read_factor(witness.at("b"), d, columns);
  std::vector<ScaledVector> images = factor_images(problem, a, b, columns);
  static_cast<void>(program.feasible_tight_rows(images));
  if (squared_sum(a) + squared_sum(b) > 2 * read_rational(statement.at("upper")))
    statement.at("upper").fail("below half the sum of the squares of a and b");
  const auto multipliers = program.names().read_multipliers(witness.at("lambda"));
  Rational total = 0;
  for (const auto& [row, weight] : multipliers) total += weight;
  if (read_rational(statement.at("lower")) > total) statement.at("lower").fail("above the sum of the multipliers");
  require_unit_norm(problem, program, multipliers, witness);
  return images;
}

void check_rank(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "token_ranks", "query_rank"});
  witness.expect_keys({});
  const std::size_t n = problem.tokens.size();
  const auto& stated = statement.at("token_ranks").array(n);
  std::vector<std::vector<Integer>> queries;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::vector<Integer>> differences;
    for (std::size_t t = 1; t < problem.tokens[i].size(); ++t)
      differences.push_back(scaled_difference(problem.tokens[i][t], problem.tokens[i][0]));
    const std::size_t needed = differences.size();
    if (stated[i]->index() != needed) stated[i]->fail("not the number of tokens less one");
    if (rank_of(std::move(differences)) != needed) stated[i]->fail("the difference tokens are dependent");
    queries.push_back(query_of(problem, i).numerators);
  }
  if (statement.at("query_rank").index() != n) statement.at("query_rank").fail("not the number of samples");
  if (rank_of(std::move(queries)) != n) statement.at("query_rank").fail("the queries are dependent");
}

void check_every_selection(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "count"});
  witness.expect_keys({"matrices"});
  std::set<Selection> found;
  for (const Json* node : witness.at("matrices").array()) found.insert(preferred_selection(problem, *node));
  Integer count = 1;
  for (const auto& sample : problem.tokens) count *= sample.size();
  if (count != statement.at("count").index()) statement.at("count").fail("not the number of selections");
  if (count != found.size()) witness.at("matrices").fail("do not separate every selection");
}

void check_weights_optimal(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection", "objective", "support"});
  witness.expect_keys({"lambda"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const WeightProgram program(problem, selection);
  const std::vector<Row> tight = program.solution_tight_rows(witness.at("lambda"));
  Rational total = 0;
  for (const auto& [row, weight] : program.names().read_multipliers(witness.at("lambda"))) total += weight;
  if (2 * read_rational(statement.at("objective")) != total) statement.at("objective").fail("not half the sum of the multipliers");
  require_tight(statement.at("support"), program.names(), tight);
}

void check_weights_infeasible(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection"});
  witness.expect_keys({"lambda"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  WeightProgram(problem, selection).check_infeasible(witness.at("lambda"));
}

void check_weights_locally_optimal(const Problem& problem, const Json& statement, const Json& witness) {
  if (holds_bracket(witness)) return check_bracketed_optimum("w-svm", problem, statement, witness);
  statement.expect_keys({"kind", "selection", "neighbours"});
  witness.expect_keys({"lambda"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const WeightProgram program(problem, selection);
  const Scores scores = scores_of(problem);
  const std::vector<Row> tight = program.solution_tight_rows(witness.at("lambda"));
  require_tight(statement.at("neighbours"), program.names(), tight);
  for (const Row& row : tight)
    if (scores[row.sample][selection[row.sample]] <= scores[row.sample][row.token])
      throw Rejected("the neighbour " + bracketed({row.sample, row.token}) + " does not score less");
}

void check_weights_not_locally_optimal(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const WeightProgram program(problem, selection);
  const Scores scores = scores_of(problem);
  if (witness.find("farkas") != nullptr) {
    witness.expect_keys({"farkas"});
    program.check_infeasible(witness.at("farkas"));
    return;
  }
  if (holds_bracket(witness)) return check_bracketed_neighbour("w-svm", problem, statement, witness);
  witness.expect_keys({"lambda", "neighbour"});
  const std::vector<Row> tight = program.solution_tight_rows(witness.at("lambda"));
  const Row row = program.names().read_row(witness.at("neighbour"));
  if (!std::binary_search(tight.begin(), tight.end(), row)) witness.at("neighbour").fail("not a tight row");
  if (scores[row.sample][row.token] < scores[row.sample][selection[row.sample]])
    witness.at("neighbour").fail("scores less than the selected token");
}

}  // namespace attest::check

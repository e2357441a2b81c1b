#include "bracket.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "limit_rows.hpp"
#include "spectral.hpp"
#include "svm.hpp"

namespace attest::check {

namespace {

/// A point of a program: w, or for w-svm q_1, …, q_n with W = Σ q_i z_iᵀ.
using ProgramPoint = std::vector<ScaledVector>;

/// A program of §4.31. Its rows are reached through tokens: a_it·w = (x_iα − x_it)·y, where y is w, Wᵀw or W z_i; no key and no
/// matrix row is ever formed.
class TokenProgram {
 public:
  TokenProgram(const Problem& problem, const Selection& selection, const std::string& claim, std::vector<bool> margin)
      : problem_(problem), selection_(selection), labels_(claim == "v-svm"), matrix_(claim == "w-svm"), margin_(std::move(margin)),
        names_(labels_ ? Program::v_svm(problem, selection) : Program::p_svm(problem, selection)) {}

  [[nodiscard]] const Program& names() const { return names_; }
  [[nodiscard]] int bound(const Row& row) const { return margin_[row.sample] ? 1 : 0; }

  [[nodiscard]] std::vector<Row> rows() const {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < problem_.tokens.size(); ++i) {
      if (labels_) rows.push_back({i, 0});
      for (std::size_t t = 0; !labels_ && t < problem_.tokens[i].size(); ++t)
        if (t != selection_[i]) rows.push_back({i, t});
    }
    return rows;
  }

  /// Σ number · row.
  [[nodiscard]] ProgramPoint sum(const std::vector<Program::Multiplier>& terms) const {
    if (!matrix_) return {scale(names_.sum_of_rows(terms))};
    std::vector<WeightedVectors> parts(problem_.tokens.size());
    for (const auto& [row, number] : terms) {
      parts[row.sample].emplace_back(&problem_.tokens[row.sample][selection_[row.sample]], number);
      parts[row.sample].emplace_back(&problem_.tokens[row.sample][row.token], -number);
    }
    ProgramPoint point;
    for (const WeightedVectors& part : parts) point.push_back(scale(combine(part, problem_.dimension())));
    return point;
  }

  /// The y of every sample; one for all but in a w-svm.
  [[nodiscard]] ProgramPoint images(const ProgramPoint& point) const {
    const std::size_t d = problem_.dimension();
    ProgramPoint images;
    if (matrix_) {
      for (std::size_t i = 0; i < point.size(); ++i) {
        WeightedVectors parts;
        for (std::size_t j = 0; j < point.size(); ++j) parts.emplace_back(&point[j], query_product(j, i));
        images.push_back(scale(combine(parts, d)));
      }
    } else if (labels_ || !problem_.W) {
      images = point;
    } else {
      WeightedVectors rows;
      for (std::size_t a = 0; a < d; ++a) rows.emplace_back(&(*problem_.W)[a], point.front()[a]);
      images.push_back(scale(combine(rows, d)));
    }
    return images;
  }

  [[nodiscard]] Rational value(const Row& row, const ProgramPoint& images) const {
    const ScaledVector& y = images[matrix_ ? row.sample : 0];
    const Rational chosen = dot(problem_.tokens[row.sample][selection_[row.sample]], y);
    return labels_ ? Rational(problem_.labels[row.sample] * chosen) : Rational(chosen - dot(problem_.tokens[row.sample][row.token], y));
  }

  /// The square of a point, of which `images` are given.
  [[nodiscard]] Rational square(const ProgramPoint& point, const ProgramPoint& images) const {
    if (!matrix_) return dot(point.front(), point.front());
    Rational sum = 0;
    for (std::size_t i = 0; i < point.size(); ++i) sum += dot(point[i], images[i]);
    return sum;
  }

  /// r_c²
  [[nodiscard]] Rational reach_squared(const Row& row) const {
    const ScaledVector& chosen = problem_.tokens[row.sample][selection_[row.sample]];
    if (labels_) return dot(chosen, chosen);
    const ScaledVector& other = problem_.tokens[row.sample][row.token];
    const Rational square = dot(chosen, chosen) - 2 * dot(chosen, other) + dot(other, other);
    if (matrix_) return square * query_product(row.sample, row.sample);
    return problem_.W ? Rational(square * weight_square(*problem_.W)) : square;
  }

  /// The products of the rows with each other, the lower triangle.
  [[nodiscard]] std::vector<std::vector<Rational>> gram(const std::vector<Row>& rows) const {
    std::vector<ScaledVector> vectors;
    for (std::size_t k = 0; !matrix_ && k < rows.size(); ++k) vectors.push_back(scale(names_.sum_of_rows({{rows[k], 1}})));
    std::vector<std::vector<Rational>> products(rows.size());
    for (std::size_t j = 0; j < rows.size(); ++j)
      for (std::size_t k = 0; k <= j; ++k) products[j].push_back(matrix_ ? row_product(rows[j], rows[k]) : dot(vectors[j], vectors[k]));
    return products;
  }

  /// What a direction e comes to: its products with rows and with itself; with the point by the values of rows there.
  struct Direction {
    std::vector<Rational> products;  ///< with the rows asked for
    Rational along;                  ///< with the point
    Rational square;                 ///< with itself
  };
  /// `at_point` gives a_c·w.
  template <class AtPoint>
  [[nodiscard]] Direction read_direction(const Json& node, const std::vector<Row>& rows, const ProgramPoint& point,
                                         AtPoint at_point) const {
    Direction direction{{}, 0, 0};
    if (!matrix_) {
      const ProgramPoint e{read_vector(node, problem_.dimension())};
      const ProgramPoint images = this->images(e);
      for (const Row& row : rows) direction.products.push_back(value(row, images));
      direction.along = dot(e.front(), point.front());
      direction.square = dot(e.front(), e.front());
      return direction;
    }
    const auto terms = names_.read_coefficients(node);
    const auto with = [&](const Row& row) {
      Rational product = 0;
      for (const auto& [other, number] : terms) product += number * row_product(other, row);
      return product;
    };
    for (const Row& row : rows) direction.products.push_back(with(row));
    for (const auto& [row, number] : terms) {
      direction.along += number * at_point(row);
      direction.square += number * with(row);
    }
    return direction;
  }

 private:
  /// Of two rows of a w-svm.
  [[nodiscard]] const Rational& row_product(const Row& a, const Row& b) const {
    const auto [known, fresh] = row_products_.try_emplace(std::minmax(a, b), 0);
    if (fresh) {
      const ScaledVector& a_chosen = problem_.tokens[a.sample][selection_[a.sample]];
      const ScaledVector& b_chosen = problem_.tokens[b.sample][selection_[b.sample]];
      const ScaledVector& a_other = problem_.tokens[a.sample][a.token];
      const ScaledVector& b_other = problem_.tokens[b.sample][b.token];
      known->second = (dot(a_chosen, b_chosen) - dot(a_chosen, b_other) - dot(a_other, b_chosen) + dot(a_other, b_other)) *
                      query_product(a.sample, b.sample);
    }
    return known->second;
  }

  [[nodiscard]] const Rational& query_product(std::size_t j, std::size_t i) const {
    const std::size_t n = problem_.tokens.size();
    if (queries_.empty())
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
          queries_.push_back(b < a ? queries_[b * n + a] : dot(query_of(problem_, a), query_of(problem_, b)));
    return queries_[j * n + i];
  }

  [[nodiscard]] const Rational& weight_square(const std::vector<ScaledVector>& weights) const {
    if (weight_square_.is_zero())
      for (const ScaledVector& row : weights) weight_square_ += dot(row, row);
    return weight_square_;
  }

  const Problem& problem_;
  const Selection& selection_;
  bool labels_;
  bool matrix_;
  std::vector<bool> margin_;
  Program names_;
  mutable std::vector<Rational> queries_;  // z_i·z_j, once they are asked for
  mutable std::map<std::pair<Row, Row>, Rational> row_products_;
  mutable Rational weight_square_ = 0;
};

/// A valid bracket of a program; both are referred to.
class Bracket {
 public:
  /// `source` holds lambda and scale.
  Bracket(const TokenProgram& program, const Json& source, const Json& distance)
      : program_(program), multipliers_(program.names().read_multipliers(source.at("lambda"))) {
    scale_ = read_rational(source.at("scale"));
    if (scale_ <= 0) source.at("scale").fail("not > 0");
    const Rational stated = read_rational(distance);
    if (stated < 0) distance.fail("below 0");
    distance_squared_ = stated * stated;
    const ProgramPoint sum = program.sum(multipliers_);
    const ProgramPoint images = program.images(sum);
    square_ = program.square(sum, images);
    for (const auto& [row, weight] : multipliers_) bound_ += weight * program.bound(row);
    if (square_ <= 0) source.at("lambda").fail("the sum of multiplier times row is 0");
    for (const Row& row : program.rows()) {
      Rational slack = program.value(row, images) / scale_ - program.bound(row);
      if (slack < 0) source.at("scale").fail("too large for the row " + program.names().name(row));
      slacks_.emplace_back(row, std::move(slack));
    }
    for (const ScaledVector& part : sum) point_.push_back(scale(combine({{&part, 1 / scale_}}, part.size())));
    if (distance_squared_ < square_ / (scale_ * scale_) - bound_ * bound_ / square_) distance.fail("below what the gap proves");
  }

  [[nodiscard]] bool proves_lower(const Rational& lower) const { return 2 * square_ * lower <= bound_ * bound_; }
  [[nodiscard]] bool proves_upper(const Rational& upper) const { return square_ <= 2 * scale_ * scale_ * upper; }

  /// Every row that is not listed is excluded.
  void require_possible(const Json& node, const std::vector<Row>& possible) const {
    for (const auto& [row, slack] : slacks_) {
      if (std::binary_search(possible.begin(), possible.end(), row)) continue;
      if (slack <= 0 || slack * slack <= program_.reach_squared(row) * distance_squared_)
        node.fail("leaves out the row " + program_.names().name(row) + ", which may be tight");
    }
  }

  void require_tight(const Row& row, const Json& direction, const std::vector<Row>& possible) const {
    const auto at_point = [&](const Row& one) { return slack_of(one) + program_.bound(one); };
    const auto found = program_.read_direction(direction, possible, point_, at_point);
    for (std::size_t k = 0; k < possible.size(); ++k)
      if (possible[k] != row && found.products[k] > 0)
        direction.fail("has a positive product with the row " + program_.names().name(possible[k]));
    if (found.along <= 0 || found.along * found.along <= found.square * distance_squared_)
      direction.fail("does not show the row " + program_.names().name(row) + " to be tight");
  }

  /// All rows of `support` at once: no eigenvalue of the products of the possible rows is below κ, and λ_c²κ > m²δ².
  void require_independent(const Json& node, const std::vector<Row>& support, const std::vector<Row>& possible) const {
    const Rational kappa = read_rational(node);
    if (kappa <= 0) node.fail("not > 0");
    for (const auto& [row, weight] : multipliers_)
      if (!std::binary_search(possible.begin(), possible.end(), row))
        node.fail("the row " + program_.names().name(row) + " has a multiplier and is not among the possible ones");
    for (const Row& row : support) {
      const auto found = std::find_if(multipliers_.begin(), multipliers_.end(), [&](const auto& one) { return one.row == row; });
      if (found == multipliers_.end() || found->weight * found->weight * kappa <= scale_ * scale_ * distance_squared_)
        node.fail("does not show the row " + program_.names().name(row) + " to be tight");
    }
    if (possible.size() > most_independent) node.fail("refused: more than 4096 rows");
    if (!has_least_eigenvalue(program_.gram(possible), kappa)) node.fail("too large for the rows that may be tight");
  }

 private:
  static constexpr std::size_t most_independent = 4096;

  [[nodiscard]] const Rational& slack_of(const Row& row) const {
    return std::lower_bound(slacks_.begin(), slacks_.end(), row, [](const auto& entry, const Row& asked) { return entry.first < asked; })
        ->second;
  }

  const TokenProgram& program_;
  std::vector<Program::Multiplier> multipliers_;
  Rational scale_;
  Rational distance_squared_;
  ProgramPoint point_;  // u/m
  Rational square_;
  Rational bound_ = 0;
  std::vector<std::pair<Row, Rational>> slacks_;  // at u/m, ascending rows
};

/// By what a witness shows rows to be tight.
std::string_view shown_by(const Json& witness) { return witness.find("independence") != nullptr ? "independence" : "directions"; }

void require_support_rows(const Bracket& bracket, const std::vector<Row>& support, const Json& witness, const std::vector<Row>& possible) {
  if (const Json* independence = witness.find("independence")) {
    bracket.require_independent(*independence, support, possible);
    return;
  }
  const auto& nodes = witness.at("directions").array(support.size());
  for (std::size_t k = 0; k < support.size(); ++k) bracket.require_tight(support[k], *nodes[k], possible);
}

std::vector<bool> everywhere(const Problem& problem) { return std::vector<bool>(problem.tokens.size(), true); }

/// S, from the witness's `v`.
std::vector<bool> support_vectors(const Problem& problem, const Selection& selection, const Json& v) {
  std::vector<Row> support;
  if (v.find("scale") != nullptr) {
    v.expect_keys({"lambda", "scale", "distance", "support", shown_by(v)});
    const TokenProgram program(problem, selection, "v-svm", everywhere(problem));
    const Bracket bracket(program, v, v.at("distance"));
    support = program.names().read_rows(v.at("support"));
    bracket.require_possible(v.at("support"), support);
    require_support_rows(bracket, support, v, support);
  } else {
    v.expect_keys({"w", "lambda"});
    support = Program::v_svm(problem, selection).tight_rows(v.at("w"), v.at("lambda"));
  }
  std::vector<bool> margin(problem.tokens.size(), false);
  for (const Row& row : support) margin[row.sample] = true;
  return margin;
}

/// p-svm, or w-svm where the claim is about W.
std::string optimality_program(const std::string& claim) { return claim == "w-svm" ? "w-svm" : "p-svm"; }

}  // namespace

void check_svm_bracket(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection", "lower", "upper", "distance", "support", "possible"});
  const bool joint = claim == "joint-svm";
  if (joint)
    witness.expect_keys({"lambda", "scale", shown_by(witness), "v"});
  else
    witness.expect_keys({"lambda", "scale", shown_by(witness)});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const TokenProgram program(problem, selection, claim, joint ? support_vectors(problem, selection, witness.at("v")) : everywhere(problem));
  const Bracket bracket(program, witness, statement.at("distance"));
  if (!bracket.proves_lower(read_rational(statement.at("lower")))) statement.at("lower").fail("above what the multipliers prove");
  if (!bracket.proves_upper(read_rational(statement.at("upper")))) statement.at("upper").fail("below half the square of the point");
  const std::vector<Row> possible = program.names().read_rows(statement.at("possible"));
  bracket.require_possible(statement.at("possible"), possible);
  const std::vector<Row> support = program.names().read_rows(statement.at("support"));
  for (const Row& row : support)
    if (!std::binary_search(possible.begin(), possible.end(), row))
      statement.at("support").fail("the row " + program.names().name(row) + " is not among the possible ones");
  require_support_rows(bracket, support, witness, possible);
}

bool holds_bracket(const Json& witness) { return witness.find("scale") != nullptr; }

void check_bracketed_optimum(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection", "possible_neighbours"});
  witness.expect_keys({"lambda", "scale", "distance"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const Scores scores = scores_of(problem);
  const TokenProgram program(problem, selection, optimality_program(claim), everywhere(problem));
  const Bracket bracket(program, witness, witness.at("distance"));
  const std::vector<Row> possible = program.names().read_rows(statement.at("possible_neighbours"));
  bracket.require_possible(statement.at("possible_neighbours"), possible);
  for (const Row& row : possible)
    if (scores[row.sample][selection[row.sample]] <= scores[row.sample][row.token])
      throw Rejected("the neighbour " + program.names().name(row) + " does not score less");
}

void check_bracketed_neighbour(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection"});
  witness.expect_keys({"lambda", "scale", "distance", "possible", "neighbour", "direction"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const Scores scores = scores_of(problem);
  const TokenProgram program(problem, selection, optimality_program(claim), everywhere(problem));
  const Bracket bracket(program, witness, witness.at("distance"));
  const std::vector<Row> possible = program.names().read_rows(witness.at("possible"));
  bracket.require_possible(witness.at("possible"), possible);
  const Row row = program.names().read_row(witness.at("neighbour"));
  if (!std::binary_search(possible.begin(), possible.end(), row)) witness.at("neighbour").fail("not among the possible rows");
  bracket.require_tight(row, witness.at("direction"), possible);
  if (scores[row.sample][row.token] < scores[row.sample][selection[row.sample]])
    witness.at("neighbour").fail("scores less than the selected token");
}

}  // namespace attest::check

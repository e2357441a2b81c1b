#include "descent.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "descent_run.hpp"
#include "enclosed.hpp"

namespace attest::check {

namespace {

constexpr std::size_t fewest_bits = 64;
constexpr std::size_t most_bits = std::size_t{1} << 15U;

Method read_method(const Json& node) {
  const std::string& method = node.string();
  if (method == "constant") return Method::constant;
  if (method == "normalised") return Method::normalised;
  if (method != "flow") node.fail("none of constant, normalised, flow");
  return Method::flow;
}

Rational read_positive(const Json& node) {
  const Rational value = read_rational(node);
  if (value <= 0) node.fail("not > 0");
  return value;
}

/// `step`: 0 for the flow that is not followed, which has none.
Rational read_step(const Json& statement, Method method, std::size_t iterations) {
  if (method != Method::flow || iterations > 0) return read_positive(statement.at("step"));
  if (const Json* step = statement.find("step"); step != nullptr) step->fail("not allowed for flow without iterations");
  return 0;
}

/// d numbers, or for W d rows of d numbers; the string "0" for zeros.
std::vector<ScaledVector> read_start(const Json& node, Over over, std::size_t dimension) {
  const std::size_t rows = over == Over::p ? 1 : dimension;
  if (node.kind == JsonKind::string) {
    if (node.text != "0") node.fail("neither 0 nor an array");
    return std::vector<ScaledVector>(rows, scale(std::vector<Rational>(dimension, 0)));
  }
  if (over == Over::p) return {read_vector(node, dimension)};
  std::vector<ScaledVector> matrix;
  for (const Json* row : node.array(dimension)) matrix.push_back(read_vector(*row, dimension));
  return matrix;
}

std::size_t read_iterations(const Json& node, Method method, Over over) {
  const std::size_t iterations = node.index();
  if (method == Method::flow && over == Over::W && iterations != 0) node.fail("not 0, but the method is flow over W");
  return iterations;
}

std::size_t read_bits(const Json& node) {
  const std::size_t bits = node.index();
  if (bits < fewest_bits || bits > most_bits) node.fail("not between 64 and 32768");
  return bits;
}

/// The common fields and clauses of §4.20 but for (b); the run is followed on demand.
class DescentFacts {
 public:
  DescentFacts(const std::string& claim, const Problem& problem_, const Json& statement, const Json& witness)
      : problem(problem_), method(read_method(statement.at("method"))), over(read_over_of_claim(statement.at("over"), claim)),
        iterations(read_iterations(statement.at("iterations"), method, over)), step(read_step(statement, method, iterations)),
        bits(read_bits(witness.at("bits"))), scores(scores_of(problem)),
        bounds(require_loss_block(witness.at("loss"), problem.loss, scores)),
        rows(problem, over, read_selection(statement.at("selection"), problem)), gaps(rows.gaps(scores)), start_(statement.at("start")) {
    Integer work = iterations;
    std::size_t tokens = 0;
    for (const auto& sample : problem.tokens) tokens += sample.size();
    work *= tokens;
    work *= bits;
    if (work > (Integer(1) << 32U)) throw Rejected("refused: too much work");
  }

  [[nodiscard]] bool from_everywhere() const { return start_.kind == JsonKind::null; }

  [[nodiscard]] RunEnd follow() const {
    if (from_everywhere()) start_.fail("null, which only descent-basin allows");
    try {
      return follow_run({&problem, &scores, &rows, bounds, method, read_start(start_, over, problem.dimension()), step, iterations, bits});
    } catch (const Undefined& why) {
      throw Rejected(std::string("the run: ") + why.what());
    }
  }

  const Problem& problem;
  Method method;
  Over over;
  std::size_t iterations;
  Rational step;
  std::size_t bits;
  Scores scores;
  LossBounds bounds;
  LimitRows rows;
  std::vector<Rational> gaps;

 private:
  const Json& start_;
};

/// With clause (b): the solution of the SVM.
class SolvedDescent : public DescentFacts {
 public:
  SolvedDescent(const std::string& claim, const Problem& problem_, const Json& statement, const Json& witness)
      : DescentFacts(claim, problem_, statement, witness), svm(rows, witness.at("lambda")) {}

  LimitSvm svm;
};

/// A clause that fails with the precision of §4.22 may hold with all the bits of the run.
void with_enough_bits(const DescentFacts& facts, const std::function<void(const Arithmetic&)>& clauses) {
  constexpr std::size_t usual = 256;
  if (facts.bits <= usual) return clauses(Arithmetic(usual));
  try {
    clauses(Arithmetic(usual));
  } catch (const Rejected&) {
    clauses(Arithmetic(static_cast<std::int64_t>(facts.bits)));
  }
}

/// The clause that is being checked: what fails, or has no value, is said of it.
class Clauses {
 public:
  void enter(const std::string& clause) { clause_ = clause; }
  void demand(bool holds, const std::string& what) const {
    if (!holds) throw Rejected(clause_ + ": " + what);
  }
  /// Runs the clauses; a value that is undefined fails the one where it is.
  void run(const std::function<void()>& all) const {
    try {
      all();
    } catch (const Undefined& why) {
      throw Rejected(clause_ + ": " + why.what());
    }
  }

 private:
  std::string clause_;
};

/// What the clauses of §4.22 and §4.23 share: numbers of all rows and samples, enclosed.
struct EnclosedRows {
  EnclosedRows(const SolvedDescent& facts, const RunEnd& end, const Arithmetic& arithmetic)
      : norm_squared(facts.svm.norm_squared, arithmetic), norm(root(norm_squared)), run_along(Rational(0), arithmetic) {
    for (std::size_t c = 0; c < facts.rows.size(); ++c) {
      y.emplace_back(end.values[c], arithmetic);
      gap.emplace_back(facts.gaps[c], arithmetic);
      theta.emplace_back(facts.svm.theta[c], arithmetic);
      const Rational squared = facts.rows.product(c, c);
      across.push_back(root(norm_squared.like(squared - facts.svm.theta[c] * facts.svm.theta[c] / facts.svm.norm_squared)));
      length.push_back(root(norm_squared.like(squared)));
    }
    const std::size_t n = facts.problem.tokens.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Rational& best = facts.scores[i][facts.rows.selection()[i]];
      push.push_back(-(Enclosed(facts.problem.loss.jet(best, best, arithmetic).first, arithmetic) / Rational(n)));
    }
    for (const auto& [c, value] : facts.svm.lambda) run_along += value * y[c];
  }

  Enclosed norm_squared;  ///< ‖w‖²
  Enclosed norm;          ///< ‖w‖ = 1/Θ
  Enclosed run_along;     ///< p_K·w
  EnclosedVector y, gap, theta;
  EnclosedVector across;  ///< n_c
  EnclosedVector length;  ///< ‖a_c‖
  EnclosedVector push;    ///< b_i by sample
};

/// Σ_t ē, Σ_t |Δ| ē and M0 H/(n b) by sample, for given bounds ē of exp(−y).
struct SampleSums {
  SampleSums(const DescentFacts& facts, const EnclosedRows& rows, const EnclosedVector& bound) {
    const std::size_t n = facts.problem.tokens.size();
    const Enclosed zero = rows.norm.like(0);
    all.assign(n, zero);
    weighted.assign(n, zero);
    for (std::size_t c = 0; c < bound.size(); ++c) {
      const std::size_t i = facts.rows.sample(c);
      all[i] += bound[c];
      weighted[i] += size(rows.gap[c]) * bound[c];
    }
    for (std::size_t i = 0; i < n; ++i) bend.push_back(facts.bounds.m0 * weighted[i] / (Rational(n) * rows.push[i]));
  }

  EnclosedVector all;       ///< Ē_i
  EnclosedVector weighted;  ///< H_i
  EnclosedVector bend;      ///< e_i
};

// §4.21

/// Clause (b): a point that satisfies every row, so that the SVM has a solution. The basin asks for no more.
void require_feasible(const LimitRows& rows, const Json& node) {
  const std::vector<RowTerm> lambda = rows.read_multipliers(node);
  if (lambda.empty()) node.fail("is empty");
  const std::vector<Rational> values = rows.products_with(lambda);
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (values[c] < 1) node.fail("does not satisfy the SVM: theta < 1 at the row " + rows.name(c));
}

/// Clause 2: L̄ bounds the curvature of L everywhere.
Rational curvature_bound(const DescentFacts& facts) {
  const bool over_p = facts.over == Over::p;
  const auto keys = over_p ? keys_of(facts.problem) : facts.problem.tokens;
  Rational sum = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Rational diameter = 0;
    for (std::size_t s = 0; s < keys[i].size(); ++s)
      for (std::size_t t = 0; t < s; ++t) {
        const Rational distance = dot(keys[i][s], keys[i][s]) - 2 * dot(keys[i][s], keys[i][t]) + dot(keys[i][t], keys[i][t]);
        diameter = std::max(diameter, distance);
      }
    if (!over_p) diameter *= dot(query_of(facts.problem, i), query_of(facts.problem, i));
    const auto [least, most] = std::minmax_element(facts.scores[i].begin(), facts.scores[i].end());
    const Rational range = *most - *least;
    sum += diameter * range * (facts.bounds.m0 * range / 16 + facts.bounds.m1 / 4);
  }
  return sum / keys.size();
}

/// Clause 3: one sample moves, and its other tokens have one score.
void require_one_sample(const DescentFacts& facts, const Clauses& clauses) {
  clauses.demand(facts.iterations == 0, "start is null, but iterations is not 0");
  for (std::size_t c = 1; c < facts.rows.size(); ++c) {
    clauses.demand(facts.rows.sample(c) == facts.rows.sample(0), "start is null, but two samples have two tokens");
    clauses.demand(facts.gaps[c] == facts.gaps[0], "start is null, but the other tokens have unequal scores");
  }
}

/// Clause 4: L(p_K) lies below the level of the second best tokens.
void require_low_loss(const DescentFacts& facts, const RunEnd& end, const Arithmetic& arithmetic, const Clauses& clauses) {
  const Loss& loss = facts.problem.loss;
  const Enclosed zero(Rational(0), arithmetic);
  const auto value = [&](const Rational& u) { return Enclosed(loss.jet(u, u, arithmetic).value, arithmetic); };
  Enclosed excess = zero;
  std::optional<Enclosed> level;
  for (std::size_t first = 0; first < facts.rows.size();) {
    const std::size_t i = facts.rows.sample(first);
    const Rational& best = facts.scores[i][facts.rows.selection()[i]];
    Enclosed sum = zero.like(1);
    Enclosed lost = zero;
    Rational least_gap = facts.gaps[first];
    Rational most_gap = facts.gaps[first];
    std::size_t c = first;
    for (; c < facts.rows.size() && facts.rows.sample(c) == i; ++c) {
      const Enclosed e = exp(-Enclosed(end.values[c], arithmetic));
      sum += e;
      lost += e * facts.gaps[c];
      least_gap = std::min(least_gap, facts.gaps[c]);
      most_gap = std::max(most_gap, facts.gaps[c]);
    }
    const Enclosed range(arithmetic.enclose(best - most_gap, best), arithmetic);
    const Interval output = intersection(zero.like(best) - lost / sum, range).interval();
    const Enclosed at_best = value(best);
    excess += Enclosed(loss.jet(output, arithmetic).value, arithmetic) - at_best;
    const Enclosed room = value(best - least_gap) - at_best;
    level = level ? smaller_inf(*level, room) : room;
    first = c;
  }
  clauses.demand(surely_less(excess, level->inf()), "the loss of p_K is not shown to lie below that of the second best tokens");
}

// §4.22

/// The frame p = l w + w̃ + r of p_K and the numbers of its rows.
class Cone {
 public:
  Cone(const SolvedDescent& facts, const RunEnd& end, const Arithmetic& arithmetic, Clauses& clauses)
      : facts_(facts), end_(end), clauses_(clauses), rows_(facts, end, arithmetic), zero_(Rational(0), arithmetic), along_(zero_),
        distance_(zero_), distance_squared_(zero_) {}

  void check(const Rational& rate, const Rational& rho, const std::optional<Rational>& spectral) {
    clauses_.enter("clause 2");
    const Definite gram(support_products());
    clauses_.demand(bool(gram), "the products of the listed rows are not shown to be positive definite");
    clauses_.enter("clause 3");
    place_along();
    clauses_.enter("clause 4");
    place_across(gram);
    clauses_.enter("clause 5");
    const EnclosedVector reach = reaches(rho);
    EnclosedVector bound;
    for (std::size_t c = 0; c < count(); ++c) bound.push_back(upper(exp(reach[c] - omega_[c] - rows_.theta[c] * along_)));
    const SampleSums sums(facts_, rows_, bound);
    clauses_.enter("clause 6");
    bound_errors(sums);
    clauses_.enter("clause 7");
    const Enclosed speed = least_speed(reach);
    clauses_.enter("clause 8");
    const auto [factor, advance] = steps(speed, reach);
    clauses_.enter("clause 9");
    if (spectral) require_contraction(*spectral, factor, reach);
    clauses_.enter("clause 10");
    clauses_.demand(surely_at_most(distance_ + pushes(reach, advance) / speed, zero_.like(rho)), "r is not shown to stay within rho");
    clauses_.enter("clause 11");
    const Enclosed offset = root(offset_squared());
    clauses_.demand(surely_at_most(Rational(2) * square(offset.sup() + zero_.like(rho)), zero_.like(rate * rate)), "rate is too small");
  }

 private:
  enum class Side { support, pushing_back, loose };

  [[nodiscard]] std::size_t count() const { return facts_.rows.size(); }
  [[nodiscard]] const std::vector<RowTerm>& support() const { return facts_.svm.lambda; }
  /// [0, sup]: numbers ≥ 0 that are only used from above.
  static Enclosed upper(const Enclosed& x) { return size(x); }

  [[nodiscard]] EnclosedMatrix support_products() const {
    EnclosedMatrix matrix;
    for (std::size_t r = 0; r < support().size(); ++r) {
      auto& row = matrix.emplace_back();
      for (std::size_t c = 0; c < support().size(); ++c)
        row.push_back(c < r ? matrix[c][r] : zero_.like(facts_.rows.product(support()[r].row, support()[c].row)));
    }
    return matrix;
  }

  /// Clause 3: ω on S, and l.
  void place_along() {
    clauses_.demand(surely_positive(rows_.run_along), "p_K.w > 0 is not shown");
    omega_.assign(count(), zero_);
    for (const auto& [c, value] : support()) {
      omega_[c] = log(rows_.push[facts_.rows.sample(c)] * rows_.gap[c] / value);
      along_ += value * (rows_.y[c] - omega_[c]);
    }
    along_ = along_ / rows_.norm_squared;
  }

  /// 𝒢_S^{-1} z. The inverse times the wide z keeps its width; for a large S the LDLᵀ alone must do.
  [[nodiscard]] EnclosedVector solve(const Definite& gram, const EnclosedVector& z) const {
    constexpr std::size_t large = 96;
    if (z.size() > large) return gram.solve(z);
    EnclosedVector solution(z.size(), zero_);
    for (std::size_t j = 0; j < z.size(); ++j) {
      EnclosedVector unit(z.size(), zero_);
      unit[j] = zero_.like(1);
      const EnclosedVector column = gram.solve(std::move(unit));
      for (std::size_t k = 0; k < z.size(); ++k) solution[k] += column[k] * z[j];
    }
    return solution;
  }

  /// Clause 4: ζ, R_0, and ω off S.
  void place_across(const Definite& gram) {
    EnclosedVector z;
    for (const auto& [c, value] : support()) z.push_back(rows_.y[c] - omega_[c] - along_);
    zeta_ = solve(gram, z);
    for (std::size_t s = 0; s < z.size(); ++s) distance_squared_ += z[s] * zeta_[s];
    distance_ = root(distance_squared_).sup();
    for (std::size_t c = 0; c < count(); ++c) {
      if (facts_.svm.listed[c]) continue;
      omega_[c] = rows_.y[c] - rows_.theta[c] * along_;
      for (std::size_t s = 0; s < z.size(); ++s) omega_[c] -= zeta_[s] * facts_.rows.product(c, support()[s].row);
    }
  }

  /// x_c = n_c ρ
  [[nodiscard]] EnclosedVector reaches(const Rational& rho) const {
    EnclosedVector reach;
    for (std::size_t c = 0; c < count(); ++c) reach.push_back(rows_.across[c] * rho);
    return reach;
  }

  /// Clause 6: ε_c on S, m_c off S, and the side of every row.
  void bound_errors(const SampleSums& sums) {
    const Enclosed one = zero_.like(1);
    error_.assign(count(), zero_);
    weight_.assign(count(), zero_);
    most_error_.emplace(zero_);
    for (std::size_t c = 0; c < count(); ++c) {
      const std::size_t i = facts_.rows.sample(c);
      if (facts_.svm.listed[c]) {
        error_[c] = upper((one + sums.bend[i]) * (one + sums.weighted[i] / rows_.gap[c]) * (one + sums.all[i]) - one);
        most_error_ = larger_sup(*most_error_, error_[c].sup());
        side_.push_back(Side::support);
        continue;
      }
      const Enclosed size_of_gap = size(rows_.gap[c]).sup();
      weight_[c] = upper(rows_.push[i] * (one + sums.bend[i]) * (size_of_gap + sums.weighted[i]) *
                         exp(-omega_[c] - (rows_.theta[c] - one) * along_));
      side_.push_back(surely_at_most(sums.weighted[i], rows_.gap[c]) ? Side::pushing_back : Side::loose);
    }
    clauses_.demand(surely_less(*most_error_, one), "epsilon < 1 is not shown");
  }

  /// Clause 7: κ.
  [[nodiscard]] Enclosed least_speed(const EnclosedVector& reach) const {
    Enclosed lost = zero_;
    for (std::size_t c = 0; c < count(); ++c)
      if (side_[c] == Side::loose) lost += weight_[c] * rows_.theta[c] * exp(reach[c]);
    const Enclosed speed = (zero_.like(1) - *most_error_ - lost / rows_.norm_squared).inf();
    clauses_.demand(surely_positive(speed), "kappa > 0 is not shown");
    return speed;
  }

  /// Clause 8: σ and τ.
  [[nodiscard]] std::pair<Enclosed, Enclosed> steps(const Enclosed& speed, const EnclosedVector& reach) const {
    const Enclosed step = zero_.like(facts_.step);
    if (facts_.method == Method::flow) return {zero_, zero_};
    if (facts_.method == Method::normalised) return {step / (speed * rows_.norm), step / rows_.norm};
    const Enclosed factor = upper(step * exp(-along_));
    Enclosed total = zero_;
    for (const auto& [c, value] : support()) total += value * (zero_.like(1) + error_[c]) * exp(reach[c]);
    for (std::size_t c = 0; c < count(); ++c)
      if (side_[c] != Side::support) total += weight_[c] * rows_.theta[c] * exp(reach[c]);
    return {factor, upper(factor * total / rows_.norm_squared)};
  }

  /// A lower bound of φ(x) = x/(exp x − 1), which falls in x, at the upper end of x.
  [[nodiscard]] Enclosed least_phi(const Enclosed& x) const {
    const Enclosed most = x.sup();
    const Enclosed one = zero_.like(1);
    if (surely_at_most(most, zero_.like(Rational(1, 1U << 20U)))) return one - most / Rational(2);
    return most / (exp(most) - one);
  }

  /// Clause 9.
  void require_contraction(const Rational& spectral, const Enclosed& factor, const EnclosedVector& reach) const {
    EnclosedMatrix rest = support_products();
    Enclosed reach_of_support = zero_;
    for (std::size_t r = 0; r < rest.size(); ++r) {
      for (std::size_t c = 0; c < rest.size(); ++c) rest[r][c] = zero_.like(1) / rows_.norm_squared - rest[r][c];
      rest[r][r] += zero_.like(spectral / support()[r].value);
      reach_of_support = larger_sup(reach_of_support, reach[support()[r].row].sup());
    }
    clauses_.demand(Definite::proves(rest), "spectral is not shown to be an upper bound");
    Enclosed norm = (zero_.like(1) + *most_error_) * spectral / least_phi(reach_of_support);
    for (std::size_t c = 0; c < count(); ++c)
      if (side_[c] == Side::pushing_back) norm += weight_[c] * square(rows_.across[c]) / least_phi(reach[c]);
    clauses_.demand(surely_at_most(factor * norm, zero_.like(2)), "the step is too long");
  }

  /// Clause 10: the sum in brackets.
  [[nodiscard]] Enclosed pushes(const EnclosedVector& reach, const Enclosed& advance) const {
    const Enclosed one = zero_.like(1);
    Enclosed sum = zero_;
    for (const auto& [c, value] : support()) sum += value * error_[c] * rows_.across[c] * (one + advance);
    for (std::size_t c = 0; c < count(); ++c) {
      if (side_[c] == Side::support) continue;
      const Enclosed push = weight_[c] * rows_.across[c] * (one / (rows_.theta[c] - one) + advance);
      sum += side_[c] == Side::loose ? push * exp(reach[c]) : push;
    }
    return sum;
  }

  /// Clause 11: V².
  [[nodiscard]] Enclosed offset_squared() const {
    if (facts_.over == Over::p) return offset_squared_by_components();
    Enclosed sum = Enclosed(end_.norm_squared, zero_.arithmetic()) + distance_squared_ - square(rows_.run_along) / rows_.norm_squared;
    for (std::size_t s = 0; s < support().size(); ++s) sum -= Rational(2) * zeta_[s] * rows_.y[support()[s].row];
    return sum;
  }

  [[nodiscard]] Enclosed offset_squared_by_components() const {
    const Enclosed slope = rows_.run_along / rows_.norm_squared;
    Enclosed sum = zero_;
    for (std::size_t a = 0; a < end_.point.size(); ++a) {
      Enclosed component(end_.point[a], zero_.arithmetic());
      for (std::size_t s = 0; s < support().size(); ++s)
        component -= (zeta_[s] + slope * support()[s].value) * facts_.rows.left(support()[s].row)[a];
      sum += square(component);
    }
    return sum;
  }

  const SolvedDescent& facts_;
  const RunEnd& end_;
  Clauses& clauses_;
  EnclosedRows rows_;
  Enclosed zero_;
  Enclosed along_;             // l
  Enclosed distance_;          // R_0, its upper end
  Enclosed distance_squared_;  // R_0²
  EnclosedVector omega_;
  EnclosedVector zeta_;    // by row of S
  EnclosedVector error_;   // ε_c on S
  EnclosedVector weight_;  // m_c off S
  std::optional<Enclosed> most_error_;
  std::vector<Side> side_;
};

// §4.23

void require_wedge(const SolvedDescent& facts, const RunEnd& end, const Rational& delta, const Arithmetic& arithmetic, Clauses& clauses) {
  clauses.enter("the frame of the wedge");
  const EnclosedRows rows(facts, end, arithmetic);
  const std::size_t count = facts.rows.size();
  const Enclosed zero(Rational(0), arithmetic);
  const Enclosed one = zero.like(1);
  const Enclosed margin = one / rows.norm;  // Θ
  const Enclosed h = (margin * rows.run_along).inf();
  clauses.demand(surely_positive(h), "h > 0 is not shown");
  const Enclosed slant = root(zero.like(2 * delta + delta * delta));

  clauses.enter("clause 1");
  EnclosedVector rise;  // B_c
  EnclosedVector bound;
  for (std::size_t c = 0; c < count; ++c) {
    rise.push_back(margin * rows.theta[c] - slant * rows.across[c]);
    clauses.demand(surely_positive(rise[c]), "B > 0 is not shown at the row " + facts.rows.name(c));
    bound.push_back(size(exp(-(rise[c] * h))));
  }
  const SampleSums sums(facts, rows, bound);
  for (std::size_t c = 0; c < count; ++c)
    clauses.demand(surely_less(sums.bend[facts.rows.sample(c)], one),
                   "e < 1 is not shown in sample " + std::to_string(facts.rows.sample(c)));

  clauses.enter("clause 2");
  std::vector<bool> good(count);  // P
  std::size_t good_rows = 0;
  EnclosedVector lead;  // k_c
  for (std::size_t c = 0; c < count; ++c) {
    good[c] = surely_less(sums.weighted[facts.rows.sample(c)], rows.gap[c]);
    if (good[c]) ++good_rows;
    lead.push_back((rise[c] - zero.like(1 + delta) * margin).inf());
    if (facts.svm.theta[c] == 1) clauses.demand(good[c], "the tight row " + facts.rows.name(c) + " is not in P");
    clauses.demand(good[c] || surely_positive(lead[c]), "k > 0 is not shown at the row " + facts.rows.name(c));
  }

  clauses.enter("clause 3");
  std::optional<Enclosed> least;  // b
  Enclosed most = zero;           // B̂
  Enclosed longest = zero;        // ā
  Enclosed total = zero;          // Σ_P exp(−B h_0)
  for (std::size_t c = 0; c < count; ++c) {
    if (!good[c]) continue;
    const std::size_t i = facts.rows.sample(c);
    const Enclosed low = (rows.push[i] * (one - sums.bend[i]) * (rows.gap[c] - sums.weighted[i]) / (one + sums.all[i])).inf();
    least = least ? smaller_inf(*least, low) : low;
    most = larger_sup(most, (rows.push[i] * (one + sums.bend[i]) * (rows.gap[c] + sums.weighted[i])).sup());
    longest = larger_sup(longest, rows.length[c].sup());
    total += bound[c];
  }
  clauses.demand(surely_positive(*least), "b > 0 is not shown");
  const Enclosed kappa = most / *least * Rational(good_rows - 1) / Rational(2718, 1000);
  EnclosedVector weight(count, zero);  // g_c
  Enclosed leak = zero;                // ξ_0
  for (std::size_t c = 0; c < count; ++c) {
    if (good[c]) continue;
    const std::size_t i = facts.rows.sample(c);
    weight[c] = rows.length[c] * rows.norm * rows.push[i] * (one + sums.bend[i]) * (size(rows.gap[c]).sup() + sums.weighted[i]) / *least;
    leak += size(weight[c] * exp(-(lead[c] * h)));
  }
  clauses.demand(surely_less(leak, one), "xi_0 < 1 is not shown");

  clauses.enter("clause 4");
  Enclosed stride = zero;  // s
  if (facts.method == Method::normalised) stride = zero.like(facts.step);
  if (facts.method == Method::constant) stride = (facts.step * (longest + margin * leak) * most * total).sup();
  const Enclosed from = (h - stride).inf();  // u
  clauses.demand(surely_positive(from), "u > 0 is not shown");
  const Enclosed drift = (kappa * rows.norm + stride * (longest * rows.norm + leak) / Rational(2)) / (one - leak);  // K'

  clauses.enter("clause 5");
  Enclosed sum = root(Enclosed(end.norm_squared, arithmetic)).sup() / h + drift / from;
  for (std::size_t c = 0; c < count; ++c)
    if (!good[c]) sum += Rational(2) * weight[c] * exp(-(lead[c] * from)) / (lead[c] * from) / (one - leak);
  clauses.demand(surely_at_most(sum, zero.like(1 + delta)), "the run is not shown to stay in the wedge");
}

/// `lambda` lists every tight row, and the listed rows have a positive gap.
void require_support(const SolvedDescent& facts) {
  for (std::size_t c = 0; c < facts.rows.size(); ++c) {
    if (!facts.svm.listed[c] && facts.svm.theta[c] == 1) throw Rejected("clause 1: the tight row " + facts.rows.name(c) + " is not listed");
    if (facts.svm.listed[c] && facts.gaps[c] <= 0)
      throw Rejected("clause 1: the row " + facts.rows.name(c) + " is listed, but its gap is not > 0");
  }
}

}  // namespace

void check_descent_basin(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over", "selection", "method", "start", "iterations"}, {"step"});
  witness.expect_keys({"lambda", "loss", "bits"});
  const DescentFacts facts(claim, problem, statement, witness);
  require_feasible(facts.rows, witness.at("lambda"));
  if (facts.method == Method::normalised) statement.at("method").fail("neither constant nor flow");
  Clauses clauses;
  clauses.enter("clause 1");  // some sample has two tokens: lambda is not empty
  for (std::size_t c = 0; c < facts.rows.size(); ++c)
    clauses.demand(facts.gaps[c] > 0, "token " + facts.rows.name(c) + " does not score less than the selected one");
  clauses.enter("clause 2");
  if (facts.method == Method::constant) clauses.demand(facts.step * curvature_bound(facts) < 2, "the step is too long");
  if (facts.from_everywhere()) {
    clauses.enter("clause 3");
    require_one_sample(facts, clauses);
    return;
  }
  const RunEnd end = facts.follow();
  clauses.enter("clause 4");
  with_enough_bits(facts, [&](const Arithmetic& arithmetic) { clauses.run([&] { require_low_loss(facts, end, arithmetic, clauses); }); });
}

void check_descent_cone(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over", "selection", "method", "start", "iterations", "rate"}, {"step"});
  witness.expect_keys({"lambda", "loss", "bits", "rho"}, {"spectral"});
  const SolvedDescent facts(claim, problem, statement, witness);
  const Rational rate = read_positive(statement.at("rate"));
  const Rational rho = read_positive(witness.at("rho"));
  std::optional<Rational> spectral;
  if (facts.method != Method::flow)
    spectral = read_positive(witness.at("spectral"));
  else if (const Json* node = witness.find("spectral"); node != nullptr)
    node->fail("not allowed for flow");
  require_support(facts);
  const RunEnd end = facts.follow();
  with_enough_bits(facts, [&](const Arithmetic& arithmetic) {
    Clauses clauses;
    clauses.enter("the frame of the cone");
    clauses.run([&] { Cone(facts, end, arithmetic, clauses).check(rate, rho, spectral); });
  });
}

void check_descent_wedge(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over", "selection", "method", "start", "iterations"}, {"step"});
  witness.expect_keys({"lambda", "loss", "bits", "delta"});
  const SolvedDescent facts(claim, problem, statement, witness);
  const Rational delta = read_positive(witness.at("delta"));
  for (std::size_t c = 0; c < facts.rows.size(); ++c)
    if (facts.svm.theta[c] == 1 && facts.gaps[c] <= 0) throw Rejected("the tight row " + facts.rows.name(c) + " has no gap > 0");
  const RunEnd end = facts.follow();
  with_enough_bits(facts, [&](const Arithmetic& arithmetic) {
    Clauses clauses;
    clauses.run([&] { require_wedge(facts, end, delta, arithmetic, clauses); });
  });
}

}  // namespace attest::check

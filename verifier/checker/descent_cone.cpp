#include "descent.hpp"

#include <utility>

#include "descent_facts.hpp"

namespace attest::check {

namespace {

/// The frame p = l w + w̃ + r of p_K and the numbers of its rows.
class DescentCone {
 public:
  DescentCone(const SolvedDescent& facts, const RunEnd& end, const Arithmetic& arithmetic, Clauses& clauses)
      : facts_(facts), end_(end), clauses_(clauses), rows_(facts, end, arithmetic), zero_(Rational(0), arithmetic), along_(zero_),
        distance_(zero_), distance_squared_(zero_), most_error_(zero_) {}

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
    for (std::size_t c = 0; c < count(); ++c) {
      const std::size_t i = facts_.rows.sample(c);
      if (facts_.svm.listed[c]) {
        error_[c] = upper((one + sums.bend[i]) * (one + sums.weighted[i] / rows_.gap[c]) * (one + sums.all[i]) - one);
        most_error_ = larger_sup(most_error_, error_[c].sup());
        side_.push_back(Side::support);
        continue;
      }
      const Enclosed size_of_gap = size(rows_.gap[c]).sup();
      weight_[c] = upper(rows_.push[i] * (one + sums.bend[i]) * (size_of_gap + sums.weighted[i]) *
                         exp(-omega_[c] - (rows_.theta[c] - one) * along_));
      side_.push_back(surely_at_most(sums.weighted[i], rows_.gap[c]) ? Side::pushing_back : Side::loose);
    }
    clauses_.demand(surely_less(most_error_, one), "epsilon < 1 is not shown");
  }

  /// Clause 7: κ.
  [[nodiscard]] Enclosed least_speed(const EnclosedVector& reach) const {
    Enclosed lost = zero_;
    for (std::size_t c = 0; c < count(); ++c)
      if (side_[c] == Side::loose) lost += weight_[c] * rows_.theta[c] * exp(reach[c]);
    Enclosed speed = (zero_.like(1) - most_error_ - lost / rows_.norm_squared).inf();
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
    Enclosed norm = (zero_.like(1) + most_error_) * spectral / least_phi(reach_of_support);
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
  Enclosed most_error_;        // the largest ε_c
  EnclosedVector omega_;
  EnclosedVector zeta_;    // by row of S
  EnclosedVector error_;   // ε_c on S
  EnclosedVector weight_;  // m_c off S
  std::vector<Side> side_;
};

/// `lambda` lists every tight row, and the listed rows have a positive gap.
void require_listed_support(const SolvedDescent& facts) {
  for (std::size_t c = 0; c < facts.rows.size(); ++c) {
    if (!facts.svm.listed[c] && facts.svm.theta[c] == 1) throw Rejected("clause 1: the tight row " + facts.rows.name(c) + " is not listed");
    if (facts.svm.listed[c] && facts.gaps[c] <= 0)
      throw Rejected("clause 1: the row " + facts.rows.name(c) + " is listed, but its gap is not > 0");
  }
}

}  // namespace

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
  require_listed_support(facts);
  const RunEnd end = facts.follow();
  with_enough_bits(facts, [&](const Arithmetic& arithmetic) {
    Clauses clauses;
    clauses.enter("the frame of the cone");
    clauses.run([&] { DescentCone(facts, end, arithmetic, clauses).check(rate, rho, spectral); });
  });
}

}  // namespace attest::check

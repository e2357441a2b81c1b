#include "attest/exact/svm_bracket.hpp"

#include "attest/model/token_rows.hpp"
#include "independence.hpp"
#include "row_combination.hpp"
#include "row_values.hpp"
#include "tight_directions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>

namespace attest {
namespace {

/// Multipliers are whole multiples of 2^-unit: so many bits below the largest.
constexpr int multiplier_bits = 104;
/// In joint programs rows of bound 0 are aimed at 2^-60, so that rounding leaves them satisfied.
constexpr int zero_row_bits = 60;
/// Refinement gains some digits a step; where it does not the rows are too near to dependent.
constexpr int most_refinements = 12;
/// Residuals, of the bound 1, that are good enough, and those with which a bracket is tried though they fall no more.
constexpr double good_residual = 0x1p-90;
constexpr double poor_residual = 0x1p-40;

/// u = sum lambda_c a_c and what rows are at it: a_c.u of those that make it up, in their order.
struct Sum {
  Sum(const SvmProgram& program, const TokenRows& rows, const FractionVector& weights)
      : point(rows.combine(weights)), values(program, point) {
    for (std::size_t k = 0; k < rows.rows().size(); ++k) at_rows.push_back(values.exact(rows.rows()[k], rows.vector(k)));
  }

  FractionVector point;
  RowValues values;
  std::vector<RowValues::Fraction> at_rows;
};

/// lambda_c = numerators_c / 2^unit, of rows, and their sum.
struct Dual {
  TokenRows rows;
  FractionVector weights;
  Sum sum;
};

double aim(const SvmProgram& program, std::size_t row) { return program.bound(row) > 0 ? 1 : std::ldexp(1.0, -zero_row_bits); }

/// The dual of the hint's rows: solved in doubles, refined by residuals that are computed exactly. None when these do not fall.
class Refinement {
 public:
  Refinement(const SvmProgram& program, const BracketHint& hint) : program_(program), hint_(hint), rows_(program, hint.rows) {}

  std::optional<Dual> run() {
    std::vector<double> residual;
    for (const std::size_t row : hint_.rows) residual.push_back(aim(program_, row));
    const std::vector<double> first = hint_.solve(residual);
    const double largest = largest_size(first);
    if (!(largest > 0 && std::isfinite(largest))) return std::nullopt;
    unit_ = multiplier_bits - std::ilogb(largest);
    if (unit_ < 0) return std::nullopt;
    weights_.numerators.assign(hint_.rows.size(), 0);
    weights_.denominator <<= unit_;
    add(first);
    if (!settles()) return std::nullopt;
    return positive_part();
  }

 private:
  static double largest_size(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values) largest = std::isnan(value) ? value : std::max(largest, std::abs(value));
    return largest;
  }

  /// Corrects until the residuals are as small as the multipliers' last bits, or fall no more.
  bool settles() {
    double before = 1;
    for (int step = 0; step < most_refinements; ++step) {
      const std::vector<double> residual = residuals();
      const double size = largest_size(residual);
      if (!(size < before)) return size <= poor_residual;
      if (size <= good_residual) return true;
      before = size / 2;
      add(hint_.solve(residual));
    }
    return std::isfinite(largest_size(residuals()));
  }

  void add(const std::vector<double>& correction) {
    for (std::size_t k = 0; k < correction.size(); ++k) {
      int exponent = 0;
      const double fraction = std::frexp(correction[k], &exponent);
      Integer change(static_cast<std::int64_t>(std::ldexp(fraction, 53)));
      const int shift = exponent - 53 + unit_;
      if (shift >= 0)
        change <<= shift;
      else
        change >>= -shift;
      weights_.numerators[k] += change;
    }
  }

  /// Of the multipliers as they are; their sum is kept.
  std::vector<double> residuals() {
    sum_.emplace(program_, rows_, weights_);
    std::vector<double> result;
    for (std::size_t k = 0; k < hint_.rows.size(); ++k) {
      const auto& [numerator, denominator] = sum_->at_rows[k];
      const Integer due = program_.bound(hint_.rows[k]) > 0 ? denominator : Integer(denominator >> zero_row_bits);
      result.push_back(ratio_image(due - numerator, denominator));
    }
    return result;
  }

  /// Without the rows whose weight rounding made 0 or negative.
  Dual positive_part() {
    if (std::ranges::all_of(weights_.numerators, [](const Integer& weight) { return weight > 0; }))
      return {std::move(rows_), std::move(weights_), *std::move(sum_)};
    std::vector<std::size_t> kept;
    FractionVector weights{{}, weights_.denominator};
    for (std::size_t k = 0; k < hint_.rows.size(); ++k) {
      if (weights_.numerators[k] <= 0) continue;
      kept.push_back(hint_.rows[k]);
      weights.numerators.push_back(weights_.numerators[k]);
    }
    const TokenRows rows(program_, kept);
    return {rows, weights, Sum(program_, rows, weights)};
  }

  const SvmProgram& program_;
  const BracketHint& hint_;
  TokenRows rows_;
  FractionVector weights_;
  std::optional<Sum> sum_;
  int unit_ = 0;
};

/// Upper bounds of the norms of rows, in doubles.
class Reach {
 public:
  explicit Reach(const SvmProgram& program) : program_(program) {
    factor_ = has_key_weights(program) ? norm(program.problem().W->image()) : 1;
  }

  double bound(std::size_t row) const {
    const auto [i, t] = program_.name(row);
    const ExactMatrix& tokens = program_.problem().tokens[i];
    const double chosen = norm(tokens.image_row(program_.selection()[i]));
    if (program_.kind() == SvmProgram::Kind::v) return chosen;
    const double difference = chosen + norm(tokens.image_row(t));
    return difference * (program_.kind() == SvmProgram::Kind::w ? query_norm(i) : factor_);
  }

  /// Its square as docs/certificate.md, 4.31, defines it.
  Rational exact_square(std::size_t row) const {
    const FractionVector a = token_row(program_, row);
    Rational square(dot(a.numerators, a.numerators), Integer(a.denominator * a.denominator));
    if (program_.kind() == SvmProgram::Kind::w) {
      const std::size_t k = program_.sample_position(row);
      const Integer& denominator = program_.query(k).denominator;
      square *= Rational(program_.query_product(k, k), Integer(denominator * denominator));
    }
    return square * weight_square();
  }

 private:
  /// Rounded up: d products and sums, each within 2^-53, and images that are as near to the exact numbers.
  static double norm(std::span<const double> values) {
    double square = 0;
    for (const double value : values) square += value * value;
    return std::sqrt(square) * (1 + (static_cast<double>(values.size()) + 8) * 0x1p-52) + 0x1p-500;
  }

  double query_norm(std::size_t i) const {
    const Problem& problem = program_.problem();
    return norm(problem.queries ? problem.queries->image_row(i) : problem.tokens[i].image_row(0));
  }

  const Rational& weight_square() const {
    if (weight_square_) return *weight_square_;
    weight_square_ = has_key_weights(program_) ? 0 : 1;
    for (const FractionVector& row : key_weights(program_))
      *weight_square_ += Rational(dot(row.numerators, row.numerators), Integer(row.denominator * row.denominator));
    return *weight_square_;
  }

  const SvmProgram& program_;
  double factor_;
  mutable std::optional<Rational> weight_square_;
};

/// The least double r with r^2 >= square, about.
Rational least_root_above(const Rational& square) {
  double root = std::sqrt(upper_double(square));
  while (exact_value(root) * exact_value(root) < square) root = std::nextafter(root, std::numeric_limits<double>::infinity());
  return exact_value(root);
}

/// Proves what a dual is worth by passing over all rows.
class Prover {
 public:
  Prover(const SvmProgram& program, Dual dual) : program_(program), dual_(std::move(dual)), values_(dual_.sum.values), reach_(program) {}

  std::optional<SvmBracket> run() {
    measure();
    if (!(square_ > 0) || !find_scale()) return std::nullopt;
    SvmBracket bracket;
    const Rational upper = square_ / (scale_ * scale_);
    const Rational lower = bound_ * bound_ / square_;
    if (upper < lower) throw std::logic_error("bracket_svm: the bounds are not in order");
    bracket.scale = scale_;
    bracket.lower = exact_value(lower_double(lower / 2));
    bracket.upper = exact_value(upper_double(upper / 2));
    bracket.distance = least_root_above(upper - lower);
    bracket.possible = rows_not_excluded(bracket.distance);
    for (std::size_t k = 0; k < dual_.weights.numerators.size(); ++k)
      bracket.multipliers.push_back({dual_.rows.rows()[k], Rational(dual_.weights.numerators[k], dual_.weights.denominator)});
    std::ranges::sort(bracket.multipliers, {}, &Multiplier::row);
    bracket.point = dual_.sum.point;
    bracket.point.denominator *= numerator(scale_);
    for (Integer& entry : bracket.point.numerators) entry *= denominator(scale_);
    return bracket;
  }

 private:
  /// N = u.u = sum lambda_c a_c.u and B = sum lambda_c b_c. The denominators of a_c.u differ by those of the rows.
  void measure() {
    Integer common = 1;
    for (const RowValues::Fraction& value : dual_.sum.at_rows) common = lcm(common, value.denominator);
    Integer square = 0;
    Integer bound = 0;
    for (std::size_t k = 0; k < dual_.weights.numerators.size(); ++k) {
      const RowValues::Fraction& value = dual_.sum.at_rows[k];
      const Integer& weight = dual_.weights.numerators[k];
      square += weight * value.numerator * (common / value.denominator);
      bound += weight * program_.bound(dual_.rows.rows()[k]);
    }
    square_ = Rational(square, Integer(dual_.weights.denominator * common));
    bound_ = Rational(bound, dual_.weights.denominator);
  }

  /// The largest m of about double size with a_c.u >= m b_c for every row, and at most 1; false when there is none > 0. Keeps the rows that
  /// are near. A multiple of 2^-multiplier_bits: doubles would cost the distance most of its digits.
  bool find_scale() {
    Integer least = Integer(1) << multiplier_bits;
    bool feasible = true;
    const auto see = [&](std::size_t row, const Integer& numerator, const Integer& denominator) {
      if (program_.bound(row) == 0 || numerator < 0)
        feasible = feasible && numerator >= 0;
      else
        least = std::min(least, Integer((numerator << multiplier_bits) / denominator));
    };
    for (std::size_t k = 0; k < dual_.sum.at_rows.size(); ++k)
      see(dual_.rows.rows()[k], dual_.sum.at_rows[k].numerator, dual_.sum.at_rows[k].denominator);
    weighed_ = dual_.rows.rows();
    std::ranges::sort(weighed_);
    values_.of_all([&](std::size_t row, const BoundedValue& value) {
      lower_ends_.push_back(value.value - value.error);
      if (lower_ends_.back() > program_.bound(row) || std::ranges::binary_search(weighed_, row)) return;
      const Rational& exact = value_at(row);
      see(row, numerator(exact), denominator(exact));
    });
    scale_ = Rational(least, Integer(1) << multiplier_bits);
    return feasible && least > 0;
  }

  /// a_c.u, kept: near rows are asked for it more than once.
  const Rational& value_at(std::size_t row) {
    const auto known = exact_.find(row);
    return known != exact_.end() ? known->second : exact_.emplace(row, values_.exact(row)).first->second;
  }

  std::vector<std::size_t> rows_not_excluded(const Rational& distance) {
    const double far = upper_double(distance) * (1 + 0x1p-40);
    const double scale = upper_double(scale_);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < program_.row_count(); ++row) {
      if (std::ranges::binary_search(weighed_, row)) {  // as good as tight: to exclude it is not worth the arithmetic
        rows.push_back(row);
        continue;
      }
      const double slack = lower_ends_[row] / scale - program_.bound(row);
      const double rounding = 0x1p-50 * (1 + std::abs(slack));
      if (slack - rounding > reach_.bound(row) * far) continue;
      const Rational exact = value_at(row) / scale_ - program_.bound(row);
      if (!(exact > 0 && exact * exact > reach_.exact_square(row) * distance * distance)) rows.push_back(row);
    }
    return rows;
  }

  const SvmProgram& program_;
  Dual dual_;
  const RowValues& values_;  // at u
  Reach reach_;
  Rational square_ = 0;
  Rational bound_ = 0;
  Rational scale_;
  std::map<std::size_t, Rational> exact_;
  std::vector<std::size_t> weighed_;  // the rows of the dual, ascending
  std::vector<double> lower_ends_;
};

}  // namespace

std::optional<SvmBracket> bracket_svm(const SvmProgram& program, const BracketHint& hint) {
  if (hint.rows.empty() || has_equalities(program)) return std::nullopt;
  std::optional<Dual> dual = Refinement(program, hint).run();
  if (!dual || dual->rows.rows().empty()) return std::nullopt;
  std::optional<SvmBracket> bracket = Prover(program, *std::move(dual)).run();
  if (bracket && !show_by_independence(program, *bracket) && can_show_all(program, *bracket)) show_tight_rows(program, hint, *bracket);
  return bracket;
}

std::vector<double> point_image(const SvmBracket& bracket) {
  std::vector<double> image;
  for (const Integer& entry : bracket.point.numerators) image.push_back(nearest_double(Rational(entry, bracket.point.denominator)));
  return image;
}

}  // namespace attest

#include "row_scan.hpp"

#include "point_image.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attest {
namespace {

/// x.u in doubles and a bound on how far the exact x.u can be from it.
struct BoundedValue {
  double value;
  double error;
};

/// n/s to within a factor 1 ± 5 * 2^-53: both are cut to 53 bits.
double ratio_image(const Integer& n, const Integer& s) {
  long n_exponent = 0;
  long s_exponent = 0;
  const double above = mpz_get_d_2exp(&n_exponent, n.backend().data());
  const double below = mpz_get_d_2exp(&s_exponent, s.backend().data());
  constexpr long far = 5000;  // beyond every double
  return std::ldexp(above / below, static_cast<int>(std::clamp(n_exponent - s_exponent, -far, far)));
}

/// Evaluates x.u for the tokens x of a program's problem in doubles.
///
/// With eps = 2^-53: x is within a factor 1 ± eps of its image, u within 1 ± 5 eps, each of the d products and additions
/// rounds once, so |fl(x.u) - x.u| <= (d + 7) eps S (1 + tiny) with S = sum |x_j u_j|, plus what underflow loses. The
/// constant d + 12 covers the second-order terms and the rounding of S for every d below 10^6. An entry of u too small
/// for its image to be that close makes the bound infinite, and every row is then evaluated exactly.
class FloatEvaluator {
 public:
  explicit FloatEvaluator(const FractionVector& u) {
    for (const Integer& entry : u.numerators) {
      image_.push_back(ratio_image(entry, u.denominator));
      sum_ += std::abs(image_.back());
      if (!entry.is_zero() && std::abs(image_.back()) < 0x1p-1000) sum_ = std::numeric_limits<double>::infinity();
    }
    factor_ = (static_cast<double>(u.numerators.size()) + 12) * 0x1p-53;
  }

  BoundedValue operator()(std::span<const double> token) const {
    constexpr std::size_t lanes = 4;  // independent sums, so that the loop runs in vector registers
    std::array<double, lanes> value{};
    std::array<double, lanes> size{};
    std::size_t c = 0;
    for (; c + lanes <= token.size(); c += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const double product = token[c + lane] * image_[c + lane];
        value[lane] += product;
        size[lane] += std::abs(product);
      }
    }
    for (; c < token.size(); ++c) {
      value[0] += token[c] * image_[c];
      size[0] += std::abs(token[c] * image_[c]);
    }
    const double total = (value[0] + value[1]) + (value[2] + value[3]);
    const double scale = (size[0] + size[1]) + (size[2] + size[3]);
    return {total, factor_ * scale + 0x1p-1000 * (1 + sum_)};
  }

 private:
  std::vector<double> image_;
  double sum_ = 0;
  double factor_ = 0;
};

class Scan {
 public:
  Scan(const SvmProgram& program, const FractionVector& point) : program_(program), point_(point), image_(program, point) {
    for (const FractionVector& u : image_.all()) floats_.emplace_back(u);
  }

  RowScan run() {
    for (std::size_t k = 0; k < program_.samples().size(); ++k) scan_sample(k);
    return std::move(result_);
  }

 private:
  void scan_sample(std::size_t k) {
    const std::size_t i = program_.samples()[k];
    const ExactMatrix& tokens = program_.problem().tokens[i];
    const std::size_t chosen = program_.selection()[i];
    const FloatEvaluator& logit = floats_[floats_.size() == 1 ? 0 : k];
    const BoundedValue at_chosen = logit(tokens.image_row(chosen));
    if (program_.kind() == SvmProgram::Kind::v) {
      const int label = program_.problem().labels[i];
      settle(program_.first_row(k), label * at_chosen.value, at_chosen.error);
      return;
    }
    for (std::size_t row = program_.first_row(k); row < program_.first_row(k + 1); ++row) {
      const std::size_t rank = row - program_.first_row(k);
      const BoundedValue other = logit(tokens.image_row(rank < chosen ? rank : rank + 1));
      settle(row, at_chosen.value - other.value, at_chosen.error + other.error);
    }
  }

  /// `value` is within `error` of a.w, up to the rounding of the difference and of the sum of errors.
  void settle(std::size_t row, double value, double error) {
    const double margin = 2 * error + 0x1p-50 * std::abs(value);
    const double slack = value - program_.bound(row);
    if (slack > margin) return;
    int sign = -1;
    if (!(slack < -margin)) sign = exact_sign(row);  // NaN and infinity come here too
    if (sign == 0) result_.tight.push_back(row);
    if (sign < 0 && (!result_.most_violated || !(slack >= least_slack_))) {
      result_.most_violated = row;
      least_slack_ = slack;
    }
  }

  /// Of a_c.w - b_c.
  int exact_sign(std::size_t row) const {
    const FractionVector a = program_.row(row);
    const FractionVector& w = program_.kind() == SvmProgram::Kind::w ? image_.of_sample(program_.sample_position(row)) : point_;
    const Integer slack = dot(a.numerators, w.numerators) - a.denominator * w.denominator * program_.bound(row);
    return slack.sign();
  }

  const SvmProgram& program_;
  const FractionVector& point_;
  PointImage image_;
  std::vector<FloatEvaluator> floats_;
  RowScan result_;
  double least_slack_ = std::numeric_limits<double>::infinity();
};

}  // namespace

RowScan scan_rows(const SvmProgram& program, const FractionVector& point) { return Scan(program, point).run(); }

}  // namespace attest

#include "row_scan.hpp"

#include "gram_solver.hpp"

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

/// u = W^T w, so that k.w = x.u for every key k = W x.
std::vector<Rational> pulled_back(const SvmProgram& program, const std::vector<Rational>& w) {
  const Problem& problem = program.problem();
  if (program.kind() == SvmProgram::Kind::v || !problem.W) return w;
  std::vector<Rational> u(w.size(), 0);
  for (std::size_t a = 0; a < w.size(); ++a)
    for (std::size_t b = 0; b < w.size(); ++b) u[b] += problem.W->at(a, b) * w[a];
  return u;
}

/// Evaluates x.u for the tokens x of a program's problem in doubles.
///
/// With eps = 2^-53: x and u are within a factor 1 ± eps of their images, each of the d products and additions rounds
/// once, so |fl(x.u) - x.u| <= (d + 3) eps S (1 + tiny) with S = sum |x_j u_j|, plus what underflow loses. The
/// constant d + 8 covers the second-order terms and the rounding of S for every d below 10^6. An entry of u too small
/// for its image to be that close makes the bound infinite, and every row is then evaluated exactly.
class FloatEvaluator {
 public:
  explicit FloatEvaluator(const std::vector<Rational>& u) {
    for (const Rational& entry : u) {
      image_.push_back(nearest_double(entry));
      sum_ += std::abs(image_.back());
      if (!entry.is_zero() && std::abs(image_.back()) < 0x1p-1000) sum_ = std::numeric_limits<double>::infinity();
    }
    factor_ = (static_cast<double>(u.size()) + 8) * 0x1p-53;
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

/// The exact sign of a_c.w - b_c.
class ExactEvaluator {
 public:
  ExactEvaluator(const SvmProgram& program, const std::vector<Rational>& w) : program_(program) {
    for (const Rational& entry : w) denominator_ = lcm(denominator_, denominator(entry));
    for (const Rational& entry : w) numerators_.push_back(numerator(entry) * (denominator_ / denominator(entry)));
  }

  int sign(std::size_t row) const {
    const FractionVector a = program_.row(row);
    const Integer slack = dot(a.numerators, numerators_) - a.denominator * denominator_ * program_.bound(row);
    return slack.sign();
  }

 private:
  const SvmProgram& program_;
  std::vector<Integer> numerators_;
  Integer denominator_ = 1;
};

class Scan {
 public:
  Scan(const SvmProgram& program, const std::vector<Rational>& w)
      : program_(program), floats_(pulled_back(program, w)), exact_(program, w) {}

  RowScan run() {
    for (std::size_t k = 0; k < program_.samples().size(); ++k) scan_sample(k);
    return std::move(result_);
  }

 private:
  void scan_sample(std::size_t k) {
    const std::size_t i = program_.samples()[k];
    const ExactMatrix& tokens = program_.problem().tokens[i];
    const std::size_t chosen = program_.selection()[i];
    const BoundedValue at_chosen = floats_(tokens.image_row(chosen));
    if (program_.kind() == SvmProgram::Kind::v) {
      const int label = program_.problem().labels[i];
      settle(program_.first_row(k), label * at_chosen.value, at_chosen.error);
      return;
    }
    for (std::size_t row = program_.first_row(k); row < program_.first_row(k + 1); ++row) {
      const std::size_t rank = row - program_.first_row(k);
      const BoundedValue other = floats_(tokens.image_row(rank < chosen ? rank : rank + 1));
      settle(row, at_chosen.value - other.value, at_chosen.error + other.error);
    }
  }

  /// `value` is within `error` of a.w, up to the rounding of the difference and of the sum of errors.
  void settle(std::size_t row, double value, double error) {
    const double margin = 2 * error + 0x1p-50 * std::abs(value);
    const double slack = value - program_.bound(row);
    if (slack > margin) return;
    int sign = -1;
    if (!(slack < -margin)) sign = exact_.sign(row);  // NaN and infinity come here too
    if (sign == 0) result_.tight.push_back(row);
    if (sign < 0 && (!result_.most_violated || !(slack >= least_slack_))) {
      result_.most_violated = row;
      least_slack_ = slack;
    }
  }

  const SvmProgram& program_;
  FloatEvaluator floats_;
  ExactEvaluator exact_;
  RowScan result_;
  double least_slack_ = std::numeric_limits<double>::infinity();
};

}  // namespace

RowScan scan_rows(const SvmProgram& program, const std::vector<Rational>& w) { return Scan(program, w).run(); }

}  // namespace attest

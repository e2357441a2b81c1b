#pragma once

#include "attest/base/rational.hpp"

#include <optional>
#include <vector>

namespace attest {

/// Weights lambda >= 0 of the samples with sum 1, as integers over one denominator, and as doubles.
struct SampleWeights {
  std::vector<Integer> numerators;
  Integer denominator;
  std::vector<double> image;

  static SampleWeights exactly(const std::vector<Rational>& weights);
  /// The nearest multiples of 2^-bits that still sum to 1.
  static SampleWeights rounded(const std::vector<double>& weights, unsigned bits);
};

/// What each sample offers: points[i][t] over one common denominator.
struct OfferedPoints {
  std::vector<std::vector<std::vector<Integer>>> points;
  Integer denominator = 1;
};

/// Which offered point each sample takes; `open` where that is not yet decided.
inline constexpr int open = -1;
using Assignment = std::vector<int>;

/// The bound of docs/theory.md (3) on |sum_i lambda_i y_i|^2 over all ways to take one point y_i of each sample: c_i is the
/// point taken or the mean of the points offered, e_it = y_it - c_i, C = sum lambda_i c_i, and
///   |C|^2 + sum_{i open} max_t ( 2 lambda_i e_it.C + lambda_i^2 |e_it|^2 + lambda_i sum_{k open, k != i} lambda_k max_t' e_it.e_kt' ).
class MarginBound {
 public:
  /// `target_squared` is what the bound must not exceed; `unit` the size of the doubles (about Gamma).
  MarginBound(OfferedPoints points, Rational target_squared, const Rational& unit);

  /// Whether the bound is at most the target, exactly.
  bool closes(const SampleWeights& weights, const Assignment& taken) const;

  /// sqrt(bound) - target in units of `unit`, in doubles.
  double excess(const std::vector<double>& weights, const Assignment& taken) const;

  /// The slopes of the excess in the weights.
  std::vector<double> slopes(const std::vector<double>& weights, const Assignment& taken) const;

  /// How much of the bound each open sample costs beyond the points that attain its own maximum: where to branch.
  std::vector<double> looseness(const std::vector<double>& weights, const Assignment& taken) const;

  const std::vector<double>& image(std::size_t sample, std::size_t point) const { return images_[sample][point]; }
  double target() const { return target_; }
  std::size_t sample_count() const { return points_.points.size(); }
  std::size_t offered(std::size_t sample) const { return points_.points[sample].size(); }
  bool is_finite() const { return finite_; }

 private:
  using Image = std::vector<double>;
  struct Attained {
    double bound = 0;
    Image centre;           // C
    std::vector<int> best;  // the point that attains each open sample's maximum
  };
  struct Exact {
    Integer factor;                                             // M: makes means integers
    std::vector<std::vector<Integer>> centres;                  // M c_i of open samples
    std::vector<std::vector<std::vector<Integer>>> deviations;  // M e_it
    std::vector<std::vector<Integer>> squares;
    std::vector<std::vector<std::vector<Integer>>> reach;  // [i][t][k]: max_t' M^2 e_it.e_kt'
    Integer target_above;                                  // of the target squared, times (M denominator)^2
    Integer target_below;
  };

  Attained attain(const std::vector<double>& weights, const Assignment& taken) const;
  const Image& centre_of(std::size_t sample, const Assignment& taken) const;
  const Exact& exact() const;
  Exact make_exact() const;

  OfferedPoints points_;
  Rational target_squared_;
  double target_;
  bool finite_ = true;
  std::vector<std::vector<Image>> images_;
  std::vector<Image> means_;
  std::vector<std::vector<Image>> deviations_;
  std::vector<std::vector<double>> squares_;
  std::vector<std::vector<std::vector<double>>> reach_;  // [i][t][k]
  mutable std::optional<Exact> exact_;
};

}  // namespace attest

#pragma once

#include "descent_run.hpp"
#include "near_slopes.hpp"
#include "step_derivative.hpp"

namespace attest::check {

/// Λ of one step of descent over W, from products of rows alone (§4.20). Rows c are relative to the reference tokens r_i: (i, t), t ≠ r_i,
/// in ascending order.
class RowStretch {
 public:
  explicit RowStretch(const RunFacts& facts);

  /// At least ‖F'‖ at every point of the ball; throws Undefined, where there is no bound or, for normalised steps, ‖∇L‖ is not shown to be
  /// above 0.
  double bound(const std::vector<std::size_t>& references, const StepBall& ball);

 private:
  using Numbers = std::vector<Near>;
  struct Sample {
    std::size_t begin = 0;  ///< its rows
    std::size_t end = 0;
    Near score;  ///< γ_ir
    Near slope;  ///< −ℓ'(f_i)
    Near bend;   ///< e^−m ℓ''(f_i)
  };

  void refer_to(const std::vector<std::size_t>& references);
  void add_row(std::size_t i, std::size_t r, std::size_t t);
  void make_products();
  void enclose(Sample& sample, const Numbers& powers, const StepBall& ball);
  [[nodiscard]] double turning(const Near& squared, const Near& factor) const;
  [[nodiscard]] double largest_row_sum(const std::vector<double>& weights) const;
  [[nodiscard]] Near form(const Sample& sample, const Numbers& left, const Numbers& right) const;
  [[nodiscard]] Numbers image(const Numbers& x) const;
  [[nodiscard]] const Near& product(std::size_t c, std::size_t e) const { return products_[c * rows_ + e]; }

  const RunFacts* facts_;
  NearSlopes slopes_;
  Near step_;
  bool normalised_;
  std::size_t rows_ = 0;
  std::vector<std::size_t> references_;
  std::vector<Sample> samples_;
  std::vector<Numbers> differences_;    // x_ir − x_it by row
  std::vector<std::size_t> sample_of_;  // by row
  Numbers gaps_;
  Numbers products_;             // 𝒢'
  std::vector<double> sizes_;    // ≥ their moduli
  std::vector<double> lengths_;  // ≥ ‖d_c‖
  // On a ball, e^m times what §4.20 says, and q n times too.
  Numbers shares_;  // s
  Numbers pulls_;   // a
  Numbers q_;
  Numbers image_;  // 𝒢'q
  Near shrink_;    // e^−m
};

}  // namespace attest::check

#include "spectral.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "interval.hpp"

namespace attest::check {

namespace {

constexpr double fine = 1 + 0x1p-10;  // a factor of the square: 1 + 2^−11 of the norm

void add_multiple(double* to, double factor, const double* from, std::size_t begin, std::size_t end) {
  for (std::size_t a = begin; a < end; ++a) to[a] += factor * from[a];
}

/// Cholesky's factorisation of a symmetric matrix by its upper triangle: whether all pivots came out above 0.
bool factorises(SquareMatrix& m) {
  const std::size_t d = m.size();
  for (std::size_t k = 0; k < d; ++k) {
    double* pivot_row = m.row(k);
    if (!(pivot_row[k] > 0)) return false;
    const double pivot = std::sqrt(pivot_row[k]);
    for (std::size_t c = k + 1; c < d; ++c) pivot_row[c] /= pivot;
    for (std::size_t r = k + 1; r < d; ++r) add_multiple(m.row(r), -pivot_row[r], pivot_row, r, d);
  }
  return true;
}

}  // namespace

SpectralNorm::SpectralNorm(const SquareMatrix& matrix) : product_(matrix.size()), frobenius_squared_(0) {
  const std::size_t d = matrix.size();
  for (std::size_t k = 0; k < d; ++k)
    for (std::size_t r = 0; r < d; ++r) add_multiple(product_.row(r), matrix.row(k)[r], matrix.row(k), r, d);
  for (std::size_t r = 0; r < d; ++r) frobenius_squared_ += product_.row(r)[r];
}

/// Rump's margin (Verification of positive definiteness, BIT 46, 2006). With u the relative error of one operation and
/// γ = (d + 4)u/(1 − (d + 4)u), in whatever order sums are taken:
/// – the product AᵀA is computed with an error of at most γ|A|ᵀ|A|, of norm ≤ γ‖A‖_F²;
/// – Cholesky's factorisation of a matrix B that runs to its end gives R with RᵀR = B + E, |E_ij| ≤ γ/(1 − γ) √(B_ii B_jj), so
///   ‖E‖ ≤ γ/(1 − γ) tr B (Demmel), and B + ‖E‖ I is positive semidefinite;
/// – the d diagonal entries of B are rounded, by at most 2u(b + margin + their size), and none is above b;
/// – underflow adds less than 2^−900 while b ≤ 2^100.
/// So B = b I − AᵀA, as computed, less the margin (d + 4) 2^−50 (‖A‖_F² + d b) + 2^−900 on its diagonal is enough: (d + 4) u ≤ (d + 4)
/// 2^−52 rounding in any direction, and the factor 4 pays for the sum of the errors, γ against (d + 4)u, and the rounding of the margin.
bool SpectralNorm::squared_is_below(double b) const {
  const std::size_t d = product_.size();
  if (!(b >= 0x1p-100 && b <= 0x1p100) || !(frobenius_squared_ <= 0x1p200) || d > (1U << 20U)) return false;
  const auto count = static_cast<double>(d);
  const double margin = (count + 4) * 0x1p-50 * (frobenius_squared_ + count * b) + 0x1p-900;
  SquareMatrix rest(d);
  for (std::size_t r = 0; r < d; ++r) {
    for (std::size_t c = r; c < d; ++c) rest.row(r)[c] = -product_.row(r)[c];
    rest.row(r)[r] = b - product_.row(r)[r] - margin;
  }
  return factorises(rest);
}

/// Power iteration: only a place to start from, so nothing is asked of it.
double SpectralNorm::approximate_square(std::vector<double>& guess) const {
  constexpr int rounds = 6;
  const std::size_t d = product_.size();
  if (guess.size() != d) {
    guess.resize(d);
    for (std::size_t a = 0; a < d; ++a) guess[a] = 1 + static_cast<double>(a % 7) / 7;
  }
  double square = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> image(d);
    for (std::size_t r = 0; r < d; ++r) {
      const double* row = product_.row(r);
      image[r] += row[r] * guess[r];
      add_multiple(image.data(), guess[r], row, r + 1, d);
      for (std::size_t c = r + 1; c < d; ++c) image[r] += row[c] * guess[c];
    }
    double before = 0;
    double after = 0;
    for (std::size_t a = 0; a < d; ++a) {
      before += guess[a] * guess[a];
      after += image[a] * image[a];
    }
    square = std::sqrt(after / before);
    if (!std::isfinite(square) || after == 0) {
      guess.clear();
      return 0;
    }
    for (std::size_t a = 0; a < d; ++a) guess[a] = image[a] / std::sqrt(after);
  }
  return square;
}

double SpectralNorm::bound(std::vector<double>& guess) const {
  double below = std::max(approximate_square(guess), 0x1p-40);
  double factor = fine;
  double above = below * factor;
  while (!squared_is_below(above)) {
    if (!(above <= 0x1p100)) throw Undefined("the run is not enclosed: no bound of the derivative of a step");
    below = above;
    factor *= factor;
    above *= factor;
  }
  while (above > below * fine * fine) {
    const double middle = std::sqrt(below) * std::sqrt(above);
    if (!(middle > below && middle < above)) break;
    (squared_is_below(middle) ? above : below) = middle;
  }
  return std::sqrt(above) * (1 + 0x1p-50);
}

void SquareSum::add(const Rational& weight, const std::vector<std::vector<Integer>>& vectors) {
  Integer largest = 0;
  Integer squares = 0;
  for (const auto& vector : vectors)
    for (const Integer& entry : vector) {
      if (abs(entry) > largest) largest = abs(entry);
      squares += entry * entry;
    }
  if (weight == 0 || largest == 0) return;
  const auto exponent = static_cast<long>(msb(largest)) + 1;
  Part part{weight * Rational(Integer(1) << (2 * exponent)), {}};
  for (const auto& vector : vectors)
    for (const Integer& entry : vector) {
      long own = 0;
      const double mantissa = mpz_get_d_2exp(&own, entry.backend().data());
      part.rows.push_back(std::ldexp(mantissa, static_cast<int>(std::max(own - exponent, -4000L))));
    }
  trace_ += weight * squares;
  parts_.push_back(std::move(part));
}

/// All is divided by the trace, so that the form has trace 1. Entries and weights are cut off at 53 bits, the weights then raised by
/// 2^−50, so that none is too small: a product φ m m' is off by less than 2^−49 of itself, a sum of N of them by (N + 16) 2^−52 of their
/// sizes, and the matrix of the sizes has norm 1 at most. What underflows is below 2^−900. The rest is Rump's margin, as in
/// SpectralNorm::squared_is_below.
bool SquareSum::is_at_most(const Rational& bound) const {
  if (trace_ <= bound) return true;
  const std::size_t d = dimension_;
  std::size_t terms = 0;
  for (const Part& part : parts_) terms += part.rows.size() / d;
  if (d > 4096 || terms > (1U << 24U)) throw Rejected("refused: the matrix is too large");
  SquareMatrix sum(d);
  for (const Part& part : parts_) {
    const double weight = Rational(part.weight / trace_).convert_to<double>() * (1 + 0x1p-50);
    for (std::size_t at = 0; at < part.rows.size(); at += d) {
      const std::span<const double> row(part.rows.data() + at, d);
      for (std::size_t r = 0; r < d; ++r) add_multiple(sum.row(r), weight * row[r], row.data(), r, d);
    }
  }
  const double b = Rational(bound / trace_).convert_to<double>() * (1 - 0x1p-50);
  const auto count = static_cast<double>(d);
  const double margin = (static_cast<double>(terms) + 16) * 0x1p-51 + (count + 4) * 0x1p-50 * (1 + count * b) + 0x1p-900;
  for (std::size_t r = 0; r < d; ++r) {
    for (std::size_t c = r; c < d; ++c) sum.row(r)[c] = -sum.row(r)[c];
    sum.row(r)[r] += b - margin;
  }
  return factorises(sum);
}

/// All is divided by the trace t. Entries are cut off at 53 bits: they are off by 2^−52 of their size, which is at most √(G_ii G_jj)/t, so
/// that the matrix is off by 2^−52 in norm. The rest is Rump's margin, as in SpectralNorm::squared_is_below, for a trace of 1 at most.
bool has_least_eigenvalue(const std::vector<std::vector<Rational>>& products, const Rational& least) {
  const std::size_t d = products.size();
  Rational trace = 0;
  for (std::size_t r = 0; r < d; ++r) trace += products[r][r];
  if (least >= trace) return false;
  const double taken = Rational(least / trace).convert_to<double>() * (1 + 0x1p-50) + (static_cast<double>(d) + 4) * 0x1p-50 + 0x1p-900;
  SquareMatrix rest(d);
  for (std::size_t r = 0; r < d; ++r) {
    for (std::size_t c = 0; c <= r; ++c) rest.row(c)[r] = Rational(products[r][c] / trace).convert_to<double>();
    rest.row(r)[r] -= taken;
  }
  return factorises(rest);
}

}  // namespace attest::check

#include "attention_pass.hpp"

#include "infinity.hpp"

#include <bit>
#include <cstdint>
#include <numbers>

// One build for any machine of the architecture, and a copy for those with AVX2; the loader chooses.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define ATTEST_FOR_EACH_MACHINE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define ATTEST_FOR_EACH_MACHINE
#endif

namespace attest {
namespace {

/// e^x for x <= 1, in a form that compilers turn into vector code: x = k log 2 + r with |r| <= log(2)/2, Taylor's
/// polynomial of e^r, and 2^k put into the exponent bits. Relative error below 4e-16; 0 below -708; NaN stays.
inline double exponential(double x) {
  constexpr double shift = 0x1.8p52;  // adding it rounds to a whole number, left in the low bits
  const double floor = x < -708.0 ? -708.0 : x;
  const double shifted = floor * std::numbers::log2e + shift;
  const double k = shifted - shift;
  const double r = (floor - k * 0x1.62e42fefa3800p-1) - k * 0x1.ef35793c76730p-45;  // log 2 in two parts
  double sum = 1.0 / 6227020800;
  sum = sum * r + 1.0 / 479001600;
  sum = sum * r + 1.0 / 39916800;
  sum = sum * r + 1.0 / 3628800;
  sum = sum * r + 1.0 / 362880;
  sum = sum * r + 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 0.5;
  sum = sum * r + 1.0;
  sum = sum * r + 1.0;
  const double power = std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
  return x < -708.0 ? 0.0 : sum * power;
}

}  // namespace

// Four columns at a time: p and the sum are read from registers or the first cache a quarter as often.
ATTEST_FOR_EACH_MACHINE
void relative_logits(const double* columns, Eigen::Index d, Eigen::Index T, const double* p, double* logits) {
  Eigen::Index t = 0;
  for (; t + 4 <= T; t += 4) {
    const double* a = columns + t * d;
    const double* b = a + d;
    const double* c = b + d;
    const double* e = c + d;
    for (Eigen::Index k = 0; k < 4 * d; k += 8) __builtin_prefetch(a + 4 * d + k);  // columns are too short for the hardware to foresee
    double sum_a = 0;
    double sum_b = 0;
    double sum_c = 0;
    double sum_e = 0;
#pragma omp simd reduction(+ : sum_a, sum_b, sum_c, sum_e)
    for (Eigen::Index k = 0; k < d; ++k) {
      sum_a += a[k] * p[k];
      sum_b += b[k] * p[k];
      sum_c += c[k] * p[k];
      sum_e += e[k] * p[k];
    }
    logits[t] = sum_a;
    logits[t + 1] = sum_b;
    logits[t + 2] = sum_c;
    logits[t + 3] = sum_e;
  }
  for (; t < T; ++t) {
    const double* a = columns + t * d;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Eigen::Index k = 0; k < d; ++k) sum += a[k] * p[k];
    logits[t] = sum;
  }
}

ATTEST_FOR_EACH_MACHINE
void add_columns(const double* columns, Eigen::Index d, Eigen::Index T, const double* weights, double* sum) {
  Eigen::Index t = 0;
  for (; t + 4 <= T; t += 4) {
    const double* a = columns + t * d;
    const double* b = a + d;
    const double* c = b + d;
    const double* e = c + d;
    const double weight_a = weights[t];
    const double weight_b = weights[t + 1];
    const double weight_c = weights[t + 2];
    const double weight_e = weights[t + 3];
#pragma omp simd
    for (Eigen::Index k = 0; k < d; ++k) sum[k] += weight_a * a[k] + weight_b * b[k] + weight_c * c[k] + weight_e * e[k];
  }
  for (; t < T; ++t) {
    const double* a = columns + t * d;
    const double weight = weights[t];
#pragma omp simd
    for (Eigen::Index k = 0; k < d; ++k) sum[k] += weight * a[k];
  }
}

ATTEST_FOR_EACH_MACHINE
GapMean weigh_gaps(Eigen::Index T, const double* logits, const double* gaps, const double* differs, double* weights) {
  double largest = -infinity;
#pragma omp simd reduction(max : largest)
  for (Eigen::Index t = 0; t < T; ++t) {
    const double candidate = differs[t] != 0 ? logits[t] : -infinity;
    largest = candidate > largest ? candidate : largest;
  }
  if (largest == -infinity) return {0.0, -infinity, 0.0};
  double differing = 0;  // sum of e^(logit - largest) over tokens whose gap is not 0
  double tied = 0;       // sum of e^logit over the others
  double gap_sum = 0;
#pragma omp simd reduction(+ : differing, tied, gap_sum)
  for (Eigen::Index t = 0; t < T; ++t) {
    const double e = exponential(logits[t] - differs[t] * largest);
    weights[t] = e;
    differing += differs[t] * e;
    tied += (1 - differs[t]) * e;
    gap_sum += gaps[t] * e;  // a gap of 0 adds nothing
  }
  const double scale = exponential(largest);
  const double total = tied + scale * differing;
  const double mean = gap_sum / total;
  const double unscaled = scale * mean;
#pragma omp simd
  for (Eigen::Index t = 0; t < T; ++t) weights[t] *= (differs[t] != 0 ? gaps[t] - unscaled : -mean) / total;
  return {mean, largest, unscaled};
}

}  // namespace attest

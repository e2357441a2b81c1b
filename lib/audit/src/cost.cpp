#include "cost.hpp"

#include <algorithm>

namespace attest {
namespace {

struct Size {
  double samples = 0;
  double tokens = 0;     // of all samples
  double rows = 0;       // of the p-SVM and the W-SVM
  double dimension = 0;
  double most_tokens = 0;  // of one sample
};

Size size_of(const Problem& problem) {
  Size size;
  size.samples = static_cast<double>(problem.sample_count());
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    const auto count = static_cast<double>(problem.token_count(i));
    size.tokens += count;
    size.most_tokens = std::max(size.most_tokens, count);
  }
  size.rows = size.tokens - size.samples;
  size.dimension = static_cast<double>(problem.dimension());
  return size;
}

double cube(double x) { return x * x * x; }

}  // namespace

// Scaled from runs on random data of (n, T, d) = (10, 6, 12), (20, 10, 40), (50, 20, 128) and (200, 64, 128).
double estimated_seconds(std::string_view claim, const Problem& problem) {
  const Size size = size_of(problem);
  // Linear systems in the tight rows, of which there are almost as many as rows.
  const double weights = cube(size.rows / 180);
  if (claim == "w-svm" || claim == "w-gd") return weights;
  // Newton's method in the span of the rows, or in the 2 d^2 entries of K and Q.
  if (claim == "w-path") return weights + cube(size.rows / 80);
  if (claim == "kq-path") return weights + cube(size.dimension * size.dimension / 110);
  // Ranks decide at once; where the dimension is too small for them, W-SVMs have to.
  if (claim == "overparametrised") return std::max(size.samples, size.most_tokens - 1) > size.dimension ? weights : 0;
  // Three l_q-SVMs by IPOPT, which factorises systems that are dense in the rows.
  if (claim == "mirror-descent") return 3 * 1.3e-9 * cube(size.dimension + 2 * size.rows);
  // A node is a p-SVM, and no census has fewer nodes than tokens.
  if (claim == "census") return size.tokens * size.rows * size.dimension * size.dimension * 7e-9;
  // Some twenty radii, several starts, and IPOPT beside them.
  if (claim == "path" || claim == "cross-validation") return size.tokens * size.dimension * 2e-4;
  // Estimates of the slope, a nearest point each, for every token of every sample.
  if (claim == "assumption-b" || claim == "joint-path") return size.samples * size.tokens * size.dimension * 2e-5;
  return 0;
}

}  // namespace attest

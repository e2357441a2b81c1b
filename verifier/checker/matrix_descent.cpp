#include "matrix_descent.hpp"

namespace attest::check {

MatrixDescent::MatrixDescent(const RunFacts& run) : Descent(run), start_values_(run.rows->values_at(run.start)), stretch_(run) {
  const LimitRows& rows = *run.rows;
  std::vector<std::vector<Rational>> gram(rows.size());
  for (std::size_t c = 0; c < rows.size(); ++c)
    for (std::size_t e = 0; e < rows.size(); ++e) gram[c].push_back(e < c ? gram[e][c] : rows.product(c, e));
  for (std::size_t c = 0; c < rows.size(); ++c) {
    ScaledVector row = scale(gram[c]);
    gram_.emplace_back(std::move(row.numerators), std::move(row.denominator));
    lengths_.push_back(root(gram_.back().sizes[c]));
  }
  std::size_t c = 0;
  for (std::size_t i = 0; i < run.problem->tokens.size(); ++i) add_sample(i, c);
  state().assign(rows.size(), Ball{});
}

/// The logit of token t ≠ α relative to α is −y_c. `c` is the first row of the sample, and then of the next one.
void MatrixDescent::add_sample(std::size_t i, std::size_t& c) {
  const std::size_t tokens = facts().problem->tokens[i].size();
  const std::size_t chosen = facts().rows->selection()[i];
  std::vector<ScaledVector> forms;
  std::vector<Rational> offsets;
  for (std::size_t t = 0; t < tokens; ++t) {
    if (t == chosen) {
      forms.push_back({std::vector<Integer>(facts().rows->size()), 1});
      offsets.emplace_back(0);
      continue;
    }
    forms.push_back({gram_[c].numerators, gram_[c].denominator});
    for (Integer& n : forms.back().numerators) n = -n;
    offsets.emplace_back(-start_values_[c]);
    ++c;
  }
  samples().emplace_back(forms, std::move(offsets), (*facts().scores)[i], chosen, balls());
}

Carry MatrixDescent::carry(const StepBall& ball) {
  std::vector<std::size_t> references;
  for (const SampleForms& sample : samples()) references.push_back(sample.reference());
  return {stretch_.bound(references, ball), 0};
}

/// Σ ‖a_c‖ (radius of B_c)
Radius MatrixDescent::taken_radius() {
  Radius sum;
  for (std::size_t c = 0; c < state().size(); ++c) {
    sum = sum + lengths_[c] * state()[c].radius;
    state()[c].radius = {};
  }
  return sum;
}

std::vector<Ball> MatrixDescent::direction(const TokenWeights& weights) const {
  std::vector<Ball> q;
  for (std::size_t c = 0; c < facts().rows->size(); ++c) q.push_back(weights[facts().rows->row(c).sample][facts().rows->row(c).token]);
  return q;
}

Ball MatrixDescent::norm_squared(const std::vector<Ball>& q) const {
  Ball sum;
  for (std::size_t c = 0; c < q.size(); ++c) sum = BallArithmetic::add(sum, balls().multiply(q[c], gram_product(c, q)));
  return sum;
}

/// ‖C‖² = ‖start‖² + 2 B·y(0) + Bᵀ𝒢B = ‖start‖² + Σ B_c (y_c(0) + y_c), and ‖W‖ is within e_K of ‖C‖.
RunEnd MatrixDescent::end() {
  RunEnd end;
  Rational start_squared = 0;
  for (const ScaledVector& row : facts().start) start_squared += dot(row, row);
  Ball squared = balls().enclose(start_squared);
  for (std::size_t c = 0; c < gram_.size(); ++c) {
    const Ball start = balls().enclose(start_values_[c]);
    const Ball value = BallArithmetic::add(start, gram_product(c, state()));
    end.values.push_back(widened(value, lengths_[c] * error()));
    squared = BallArithmetic::add(squared, balls().multiply(state()[c], BallArithmetic::add(start, value)));
  }
  const Radius length = root(balls().most(squared));
  end.norm_squared = widened(squared, (length + length + error()) * error());
  return end;
}

}  // namespace attest::check

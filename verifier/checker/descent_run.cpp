#include "descent_run.hpp"

#include <algorithm>

#include "matrix_descent.hpp"
#include "vector_descent.hpp"

namespace attest::check {

namespace {

/// No step: the data are exact, whatever the bits.
RunEnd stay(const RunFacts& facts) {
  const Arithmetic arithmetic(std::max<std::int64_t>(256, static_cast<std::int64_t>(facts.bits)));
  RunEnd end;
  for (const Rational& value : facts.rows->values_at(facts.start)) end.values.push_back(arithmetic.enclose(value));
  Rational squared = 0;
  for (const ScaledVector& row : facts.start) squared += dot(row, row);
  end.norm_squared = arithmetic.enclose(squared);
  if (facts.rows->over() == Over::p)
    for (std::size_t a = 0; a < facts.start.front().size(); ++a) end.point.push_back(arithmetic.enclose(facts.start.front()[a]));
  return end;
}

}  // namespace

RunEnd follow_run(const RunFacts& facts) {
  if (facts.iterations == 0) return stay(facts);
  if (facts.rows->over() == Over::p) return VectorDescent(facts).run();
  return MatrixDescent(facts).run();
}

}  // namespace attest::check

#include "attest/exact/local_optimality.hpp"

namespace attest {

std::optional<RowName> outscoring_neighbour(const SvmProgram& program, const SvmSolution& solution, const Scores& scores) {
  std::optional<RowName> worst;
  std::optional<Rational> lead;
  for (const std::size_t row : solution.support) {
    const RowName name = program.name(row);
    const std::vector<Rational>& sample = scores[name.sample];
    const Rational here = sample[name.token] - sample[program.selection()[name.sample]];
    if (here < 0 || (lead && here <= *lead)) continue;
    worst = name;
    lead = here;
  }
  return worst;
}

}  // namespace attest

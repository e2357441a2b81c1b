#include "attest/exact/local_optimality.hpp"

namespace attest {

bool selected_outscores(const SvmProgram& program, std::size_t row, const Scores& scores) {
  const RowName name = program.name(row);
  return scores[name.sample][program.selection()[name.sample]] > scores[name.sample][name.token];
}

std::optional<RowName> outscoring_neighbour(const SvmProgram& program, const SvmSolution& solution, const Scores& scores) {
  std::optional<RowName> worst;
  std::optional<Rational> lead;
  for (const std::size_t row : solution.support) {
    if (selected_outscores(program, row, scores)) continue;
    const RowName name = program.name(row);
    const std::vector<Rational>& sample = scores[name.sample];
    const Rational here = sample[name.token] - sample[program.selection()[name.sample]];
    if (lead && here <= *lead) continue;
    worst = name;
    lead = here;
  }
  return worst;
}

}  // namespace attest

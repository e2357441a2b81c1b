#include "attest/exact/certificates.hpp"

#include <algorithm>
#include <utility>

namespace attest {

std::vector<RowName> certified_rows(const SvmProgram& program, const std::vector<std::size_t>& rows) {
  std::vector<RowName> names;
  for (const std::size_t row : rows) names.push_back(program.name(row));
  return names;
}

certified::Multipliers certified_multipliers(const SvmProgram& program, const std::vector<Multiplier>& multipliers) {
  certified::Multipliers named;
  for (const Multiplier& multiplier : multipliers) named.push_back({program.name(multiplier.row), multiplier.weight});
  return named;
}

certified::Solution certified_solution(const SvmProgram& program, const SvmSolution& solution) {
  return {solution.w, certified_multipliers(program, solution.multipliers)};
}

certified::SvmOptimal certify_optimal(const SvmProgram& program, const SvmSolution& solution, std::optional<certified::Solution> v) {
  return {program.kind(),
          program.selection(),
          solution.objective,
          certified_rows(program, solution.support),
          certified_solution(program, solution),
          std::move(v)};
}

certified::SvmInfeasible certify_infeasible(const SvmProgram& program, const SvmInfeasible& infeasible,
                                            std::optional<certified::Solution> v) {
  return {program.kind(), program.selection(), certified_multipliers(program, infeasible.multipliers), std::move(v)};
}

namespace {

certified::BracketDual certified_dual(const SvmProgram& program, const SvmBracket& bracket) {
  return {certified_multipliers(program, bracket.multipliers), bracket.scale, bracket.distance};
}

certified::Direction certified_direction(const SvmProgram& program, const TightDirection& direction) {
  if (program.kind() != SvmProgram::Kind::w) return {.vector = {direction.entries.begin(), direction.entries.end()}};
  std::vector<Multiplier> coefficients;
  for (std::size_t k = 0; k < direction.rows.size(); ++k) coefficients.push_back({direction.rows[k], direction.entries[k]});
  std::ranges::sort(coefficients, {}, &Multiplier::row);
  return {.coefficients = certified_multipliers(program, coefficients)};
}

certified::TightRows certified_tight(const SvmProgram& program, const SvmBracket& bracket) {
  if (bracket.independence) return *bracket.independence;
  std::vector<certified::Direction> directions;
  for (const TightDirection& direction : bracket.directions) directions.push_back(certified_direction(program, direction));
  return directions;
}

}  // namespace

certified::SvmBracket certify_bracket(const SvmProgram& program, const SvmBracket& bracket,
                                      std::optional<std::variant<certified::Solution, certified::SupportBracket>> v) {
  return {program.kind(),
          program.selection(),
          bracket.lower,
          bracket.upper,
          certified_dual(program, bracket),
          certified_rows(program, bracket.support),
          certified_tight(program, bracket),
          certified_rows(program, bracket.possible),
          std::move(v)};
}

certified::SupportBracket certify_support(const SvmProgram& v_svm, const SvmBracket& bracket) {
  return {certified_dual(v_svm, bracket), certified_rows(v_svm, bracket.support), certified_tight(v_svm, bracket)};
}

certified::BracketedOptimum certify_locally_optimal(const SvmProgram& program, const SvmBracket& bracket) {
  return {program.kind(), program.selection(), certified_rows(program, bracket.possible), certified_dual(program, bracket)};
}

certified::BracketedRival certify_outscored(const SvmProgram& program, const SvmBracket& bracket, std::size_t neighbour,
                                            const TightDirection& direction) {
  return {program.kind(),
          program.selection(),
          certified_dual(program, bracket),
          certified_rows(program, bracket.possible),
          program.name(neighbour),
          certified_direction(program, direction)};
}

certified::LocallyOptimal certify_locally_optimal(const SvmProgram& program, const SvmSolution& solution) {
  return {program.kind(), program.selection(), certified_rows(program, solution.support), certified_solution(program, solution)};
}

certified::Outscored certify_outscored(const SvmProgram& program, const SvmSolution& solution, const RowName& neighbour) {
  return {program.kind(), program.selection(), certified_solution(program, solution), neighbour};
}

certified::Infeasible certify_no_optimum(const SvmProgram& program, const SvmInfeasible& infeasible) {
  return {program.kind(), program.selection(), certified_multipliers(program, infeasible.multipliers)};
}

certified::BetterNeighbour certify_better_neighbour(const SvmProgram& program, const SvmSolution& solution, const RowName& neighbour) {
  return {program.selection(), certified_solution(program, solution), neighbour};
}

certified::NoBetterNeighbour certify_no_better_neighbour(const SvmProgram& program, const SvmSolution& solution) {
  return {program.selection(), certified_solution(program, solution)};
}

certified::IndependentRows certify_independent_rows(const SvmProgram& program, const SvmSolution& solution) {
  return {program.selection(), certified_rows(program, solution.support), certified_solution(program, solution)};
}

certified::EverySelection certify_every_selection(std::size_t dimension, const Separators& separators) {
  certified::EverySelection certificate{dimension, {}};
  for (const auto& [selection, W] : separators) certificate.matrices.push_back(W);
  return certificate;
}

certified::NuclearBracket certify_bracket(const SvmProgram& program, const NuclearBracket& bracket) {
  return {program.selection(), bracket.lower, bracket.upper, program.dimension(),
          bracket.columns,     bracket.A,     bracket.B,     certified_multipliers(program, bracket.multipliers),
          bracket.root};
}

namespace {

certified::Over certified_over(AttentionOver over) { return over == AttentionOver::all ? certified::Over::all : certified::Over::support; }

/// The positive weights of each list, by sample.
std::vector<certified::Multipliers> certified_weights(const std::vector<std::vector<Rational>>& lists) {
  std::vector<certified::Multipliers> result;
  for (const auto& weights : lists) {
    result.emplace_back();
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] > 0) result.back().push_back({{i, 0}, weights[i]});
  }
  return result;
}

struct CertifyWitness {
  using Witness = decltype(certified::AssumptionBRefuted::by);
  Witness operator()(const AssumptionBRefutation::ByLimit& by) const { return certified::AssumptionBRefuted::ByLimit{by.p, by.u}; }
  Witness operator()(const AssumptionBRefutation::BySoftRow& by) const { return certified::AssumptionBRefuted::BySoftRow{by.p}; }
  Witness operator()(const AssumptionBRefutation::ByWeightless& by) const {
    return certified::AssumptionBRefuted::ByWeightless{by.p, by.sample, by.y};
  }
  Witness operator()(const AssumptionBRefutation::ByPoint& by) const { return certified::AssumptionBRefuted::ByPoint{by.p, by.u}; }
};

}  // namespace

certified::AssumptionB certify_assumption_b(const SvmProgram& v_svm, const AssumptionBProof& proof, AttentionOver over) {
  certified::AssumptionB result{v_svm.selection(),
                                certified_over(over),
                                proof.nu,
                                Rational(1 / (2 * proof.v.objective)),
                                certified_solution(v_svm, proof.v),
                                certified_weights(proof.weights),
                                {},
                                {}};
  for (const auto& [sample, cells] : proof.samples) {
    result.samples.push_back({sample, {}});
    for (const auto& [upto, tree] : cells) result.samples.back().cells.push_back({upto, tree});
  }
  for (const auto& [row, combination] : proof.cover) {
    result.cover.push_back({row, {}});
    for (const auto& [name, weight] : combination) result.cover.back().lambda.push_back({name, weight});
  }
  return result;
}

certified::AssumptionBRefuted certify_refuted(const SvmProgram& v_svm, const AssumptionBRefutation& refutation, AttentionOver over) {
  return {v_svm.selection(), certified_over(over), certified_solution(v_svm, refutation.v), std::visit(CertifyWitness(), refutation.by)};
}

}  // namespace attest

#pragma once

#include "attest/certificate/certified.hpp"
#include "attest/exact/assumption_b.hpp"
#include "attest/exact/census.hpp"
#include "attest/exact/nuclear_bracket.hpp"
#include "attest/exact/svm.hpp"
#include "attest/exact/svm_bracket.hpp"
#include "attest/exact/weight_feasibility.hpp"

#include <optional>

namespace attest {

// What exact decisions show, as certificates hold it.

std::vector<RowName> certified_rows(const SvmProgram& program, const std::vector<std::size_t>& rows);
certified::Multipliers certified_multipliers(const SvmProgram& program, const std::vector<Multiplier>& multipliers);
certified::Solution certified_solution(const SvmProgram& program, const SvmSolution& solution);

/// `v` is the solution of the v-SVM, for the joint program.
certified::SvmOptimal certify_optimal(const SvmProgram& program, const SvmSolution& solution, std::optional<certified::Solution> v = {});
certified::SvmInfeasible certify_infeasible(const SvmProgram& program, const SvmInfeasible& infeasible,
                                            std::optional<certified::Solution> v = {});

/// What a bracket shows; `v` decides the support vectors, for the joint program.
certified::SvmBracket certify_bracket(const SvmProgram& program, const SvmBracket& bracket,
                                      std::optional<std::variant<certified::Solution, certified::SupportBracket>> v = {});
/// A bracket of the v-SVM that knows its tight rows.
certified::SupportBracket certify_support(const SvmProgram& v_svm, const SvmBracket& bracket);
certified::BracketedOptimum certify_locally_optimal(const SvmProgram& program, const SvmBracket& bracket);
certified::BracketedRival certify_outscored(const SvmProgram& program, const SvmBracket& bracket, std::size_t neighbour,
                                            const TightDirection& direction);

/// Local optimality and what refutes it, for p or for W.
certified::LocallyOptimal certify_locally_optimal(const SvmProgram& program, const SvmSolution& solution);
certified::Outscored certify_outscored(const SvmProgram& program, const SvmSolution& solution, const RowName& neighbour);
certified::Infeasible certify_no_optimum(const SvmProgram& program, const SvmInfeasible& infeasible);

/// What says whether descent must leave the solution's direction. [docs/theory.md, Tightness]
certified::BetterNeighbour certify_better_neighbour(const SvmProgram& program, const SvmSolution& solution, const RowName& neighbour);
certified::NoBetterNeighbour certify_no_better_neighbour(const SvmProgram& program, const SvmSolution& solution);
certified::IndependentRows certify_independent_rows(const SvmProgram& program, const SvmSolution& solution);

/// Each selection has a matrix that separates it.
certified::EverySelection certify_every_selection(std::size_t dimension, const Separators& separators);
certified::NuclearBracket certify_bracket(const SvmProgram& program, const NuclearBracket& bracket);

/// Assumption B and what refutes it; `v_svm` is the program of the selection.
certified::AssumptionB certify_assumption_b(const SvmProgram& v_svm, const AssumptionBProof& proof, AttentionOver over);
certified::AssumptionBRefuted certify_refuted(const SvmProgram& v_svm, const AssumptionBRefutation& refutation, AttentionOver over);

}  // namespace attest

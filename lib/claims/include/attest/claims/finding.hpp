#pragma once

#include "attest/base/verdict.hpp"
#include "attest/certificate/certified.hpp"
#include "attest/claims/evidence.hpp"
#include "attest/claims/hypothesis.hpp"
#include "attest/model/selection.hpp"
#include "attest/model/training_run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// What a claim found that other questions build on: an audit looks at these selections.
struct Discoveries {
  std::vector<Selection> locally_optimal = {};                   ///< proved
  bool largest_margin_proved = false;                            ///< of the finding's selection, where the claim searched for it
  std::optional<std::vector<std::size_t>> dropped_samples = {};  ///< without which an infeasible program is proved to have a solution
};

/// What a claim came to, with its evidence.
struct Finding {
  Finding() = default;
  /// What was decided of a question is the finding of a claim that asks it.
  explicit Finding(Decided decided)
      : verdict(decided.verdict), grade(decided.grade), message(std::move(decided.message)), certificate(std::move(decided.certificate)) {}

  Verdict verdict = Verdict::undecided;
  Grade grade = Grade::observed;
  std::string message;                 ///< one sentence for the table
  Evidence evidence;                   ///< its numbers
  std::optional<Selection> selection;  ///< the one it speaks of
  std::optional<Certificate> certificate;
  /// Of the runs that it follows, in the order of its numbers; none of one whose limit is not proved. Empty for all other claims.
  std::vector<std::optional<Certificate>> run_certificates = {};
  std::vector<TrainingRun> recorded_runs = {};  ///< those of descent, as a file of a training run holds them
  std::vector<Hypothesis> hypotheses;           ///< of a theorem
  std::optional<std::string> conclusion;
  Discoveries discoveries = {};
};

}  // namespace attest

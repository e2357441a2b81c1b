#pragma once

#include "attest/base/progress.hpp"
#include "attest/claims/finding.hpp"
#include "attest/model/claim_request.hpp"
#include "attest/study/study.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace attest {

/// What a claim is checked with.
struct ClaimContext {
  Study& study;  ///< of the case: claims share what it knows
  const ClaimRequest& request;
  std::uint64_t seed = 0;
  Budget budget;
  Progress progress = {};
  bool verdicts_alone = false;  ///< nobody looks at runs: those of claims that prove limits may stop where theirs is proved

  const Problem& problem() const { return study.problem(); }
  /// The claim's selection, or the best-scoring one when it gives none.
  const Selection& selection_or_best() const {
    const auto* given = request.find<Selection>("selection");
    return given ? *given : study.best();
  }
};

/// A number of a claim's evidence. Numbers of the entries of a list are named like "runs[].rate".
struct NumberSpec {
  std::string_view name;
  std::string_view about;
};

/// Where an audit shows the claim.
enum class AuditSection { assumptions, optima, svms, theorems, numerics };

/// The size of a problem, as estimates of time take it.
struct ProblemSize {
  explicit ProblemSize(const Problem& problem);
  double samples = 0;
  double tokens = 0;  ///< of all samples
  double rows = 0;    ///< of the p-SVM and the W-SVM
  double dimension = 0;
  double most_tokens = 0;  ///< of one sample
};

/// A claim of the theory: all that there is to say of it. `attest claims`, docs/claims.md, the reports, the audit, completion and the case
/// reader take it from here.
struct Claim {
  ClaimSchema schema;        ///< its name, parameters and the data that it needs
  std::string_view title;    ///< "Assumption A"
  std::string_view summary;  ///< one line
  std::string_view source;   ///< key of docs/notation.md: "[MM]"
  std::string_view words;    ///< what it states, in one or two sentences
  std::string_view formula;  ///< the same, in the part of TeX that the report reads
  std::string_view text;     ///< how it is decided, what each verdict means: paragraphs, lines are not broken
  std::vector<NumberSpec> numbers;
  std::vector<HypothesisId> hypotheses = {};  ///< of a theorem
  AuditSection section = AuditSection::theorems;
  /// Seconds that it needs at least on data of that size, roughly and on one core of 2024: an audit does not begin what cannot end within
  /// its budget. Null for a claim that watches its budget and says something when it is up.
  double (*least_seconds)(const ProblemSize& size) = nullptr;
  Finding (*check)(const ClaimContext& context) = nullptr;
};

/// Every claim, in the order of docs/claims.md.
std::span<const Claim> all_claims();
const Claim* find_claim(std::string_view name);
/// The schemas of all claims, as the case reader takes them.
std::vector<ClaimSchema> all_schemas();

}  // namespace attest

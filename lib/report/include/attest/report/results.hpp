#pragma once

#include "attest/claims/finding.hpp"
#include "attest/model/case_file.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attest {

using Json = nlohmann::ordered_json;

/// What a run was made with.
struct RunInfo {
  std::string version;
  std::string casadi;
  std::string ipopt;
  std::uint64_t seed;
};

/// A claim passes when its verdict is the expected one with at least the demanded grade.
bool passes(const ClaimRequest& request, const Finding& finding);

/// Where the certificates of a claim were written, if they were: its own, one a hypothesis, and one a run of descent.
struct CertificateFiles {
  std::optional<std::string> claim = {};
  std::vector<std::optional<std::string>> hypotheses = {};  ///< in their order; none at all when nothing was written
  std::vector<std::optional<std::string>> runs = {};        ///< the same
};

/// One entry of a case's "claims" in the results (DESIGN of the JSON: docs/results.md).
Json claim_entry(const ClaimRequest& request, const Finding& finding, const CertificateFiles& certificates, double seconds);

/// One entry of "cases": where the case comes from, its data as far as a report shows them, and the entries of its claims.
Json case_entry(const Case& one, const std::vector<Json>& claims);

/// Gives each claim of the case its label, by which every report calls it.
void name_claims(Json& case_entry);

/// Claims that passed, and claims that did not; a case whose data changed since its claims were written is one failure more.
struct ResultCounts {
  std::size_t passed = 0;
  std::size_t failed = 0;
};
ResultCounts count_results(const std::vector<Json>& cases);

/// "the data changed since the audit: tokens, v"; empty when they did not, or the case does not say what they were.
std::string data_changed_text(const Json& case_entry);

/// The whole results file; `cases` are entries of cases.
Json results(const RunInfo& run, const std::vector<Json>& cases);

}  // namespace attest

#include "attest/report/results.hpp"

namespace attest {
namespace {

Json selection_of(const ClaimRequest& request, const Finding& finding) {
  if (finding.selection) return *finding.selection;
  if (const auto* given = request.find<Selection>("selection")) return *given;
  return nullptr;
}

Json hypothesis_entry(const Hypothesis& hypothesis) {
  return {{"name", hypothesis.name},
          {"verdict", name_of(hypothesis.verdict)},
          {"grade", name_of(hypothesis.grade)},
          {"message", hypothesis.message}};
}

}  // namespace

bool passes(const ClaimRequest& request, const Finding& finding) {
  return finding.verdict == request.expect && (request.grade == Grade::observed || finding.grade == Grade::proved);
}

Json claim_entry(const ClaimRequest& request, const Finding& finding, const std::optional<std::string>& certificate_file,
                 double seconds) {
  Json entry = {{"claim", request.claim},
                {"selection", selection_of(request, finding)},
                {"verdict", name_of(finding.verdict)},
                {"grade", name_of(finding.grade)},
                {"expect", name_of(request.expect)},
                {"expect_grade", name_of(request.grade)},
                {"passed", passes(request, finding)},
                {"message", finding.message},
                {"numbers", finding.numbers}};
  if (finding.conclusion) {
    Json hypotheses = Json::array();
    for (const Hypothesis& hypothesis : finding.hypotheses) hypotheses.push_back(hypothesis_entry(hypothesis));
    entry["hypotheses"] = std::move(hypotheses);
    entry["conclusion"] = *finding.conclusion;
  }
  entry["certificate"] = certificate_file ? Json(*certificate_file) : Json();
  entry["seconds"] = seconds;
  return entry;
}

Json results(const RunInfo& run, const std::vector<Json>& cases) {
  std::size_t passed = 0;
  std::size_t failed = 0;
  for (const Json& one : cases)
    for (const Json& claim : one.at("claims")) ++(claim.at("passed").get<bool>() ? passed : failed);
  return {{"attest", {{"version", run.version}, {"casadi", run.casadi}, {"ipopt", run.ipopt}, {"seed", run.seed}}},
          {"summary", {{"passed", passed}, {"failed", failed}}},
          {"cases", cases}};
}

}  // namespace attest

#include "attest/report/results.hpp"

#include "attest/model/data_digest.hpp"
#include "attest/report/evidence_json.hpp"
#include "attest/report/label.hpp"
#include "json_view.hpp"
#include "parameters_json.hpp"

#include <algorithm>

namespace attest {
namespace {

Json selection_of(const ClaimRequest& request, const Finding& finding) {
  if (finding.selection) return *finding.selection;
  if (const auto* given = request.find<Selection>("selection")) return *given;
  return nullptr;
}

Json file_or_null(const std::optional<std::string>& file) { return file ? Json(*file) : Json(); }

Json hypothesis_entry(const Hypothesis& hypothesis, const std::optional<std::string>& certificate_file) {
  return {{"name", name_of(hypothesis.id)},
          {"verdict", name_of(hypothesis.verdict)},
          {"grade", name_of(hypothesis.grade)},
          {"message", hypothesis.message},
          {"certificate", file_or_null(certificate_file)}};
}

// Larger data are not for a page.
constexpr std::size_t most_page_samples = 1000;
constexpr std::size_t most_page_scores = 256;
constexpr std::size_t most_page_numbers = 512;

std::size_t all_tokens(const Problem& problem) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) count += problem.token_count(i);
  return count;
}

Json encode_rows(const ExactMatrix& matrix) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < matrix.rows(); ++r)
    rows.push_back(std::vector<double>(matrix.image_row(r).begin(), matrix.image_row(r).end()));
  return rows;
}

Json encode_scores(const Problem& problem) {
  Json samples = Json::array();
  for (const auto& sample : exact_scores(problem)) {
    Json scores = Json::array();
    for (const Rational& score : sample) scores.push_back(nearest_double(score));
    samples.push_back(std::move(scores));
  }
  return samples;
}

Json encode_data(const Problem& problem) {
  const std::size_t n = problem.sample_count();
  Json data = {{"n", n}, {"d", problem.dimension()}, {"loss", problem.loss.name().empty() ? "written" : problem.loss.name()}};
  if (n > most_page_samples) return data;
  data["T"] = Json::array();
  for (std::size_t i = 0; i < n; ++i) data["T"].push_back(problem.token_count(i));
  data["labels"] = problem.labels;
  if (problem.v && all_tokens(problem) <= most_page_scores && all_tokens(problem) * problem.dimension() <= most_page_scores * 64)
    data["scores"] = encode_scores(problem);
  if (all_tokens(problem) * problem.dimension() <= most_page_numbers) {
    data["tokens"] = Json::array();
    for (const ExactMatrix& sample : problem.tokens) data["tokens"].push_back(encode_rows(sample));
  }
  return data;
}

}  // namespace

void name_claims(Json& case_entry) {
  const std::vector<std::string> labels = claim_labels(case_entry.at("claims"));
  for (std::size_t k = 0; k < labels.size(); ++k) case_entry["claims"][k]["label"] = labels[k];
}

bool passes(const ClaimRequest& request, const Finding& finding) {
  return finding.verdict == request.expect && (request.grade == Grade::observed || finding.grade == Grade::proved);
}

Json claim_entry(const ClaimRequest& request, const Finding& finding, const CertificateFiles& certificates, double seconds) {
  Json entry = {{"claim", request.claim},
                {"parameters", encode_parameters(request)},
                {"selection", selection_of(request, finding)},
                {"verdict", name_of(finding.verdict)},
                {"grade", name_of(finding.grade)},
                {"expect", name_of(request.expect)},
                {"expect_grade", name_of(request.grade)},
                {"passed", passes(request, finding)},
                {"message", finding.message},
                {"numbers", to_json(finding.evidence)}};
  if (finding.conclusion) {
    Json hypotheses = Json::array();
    for (std::size_t k = 0; k < finding.hypotheses.size(); ++k)
      hypotheses.push_back(
          hypothesis_entry(finding.hypotheses[k], k < certificates.hypotheses.size() ? certificates.hypotheses[k] : std::nullopt));
    entry["hypotheses"] = std::move(hypotheses);
    entry["conclusion"] = *finding.conclusion;
  }
  entry["certificate"] = file_or_null(certificates.claim);
  if (std::ranges::any_of(certificates.runs, [](const auto& file) { return file.has_value(); })) {
    entry["run_certificates"] = Json::array();
    for (const auto& file : certificates.runs) entry["run_certificates"].push_back(file_or_null(file));
  }
  entry["seconds"] = seconds;
  return entry;
}

Json case_entry(const Case& one, const std::vector<Json>& claims) {
  Json entry = {{"name", one.name}, {"file", one.file.string()}};
  if (!one.about.empty()) entry["about"] = one.about;
  if (!one.source.empty()) entry["source"] = one.source;
  if (const auto changed = one.changed_data(); !changed.empty()) entry["data_changed"] = changed;
  entry["data_sha256"] = digest_of(one.problem);
  entry["data"] = encode_data(one.problem);
  entry["claims"] = claims;
  name_claims(entry);
  return entry;
}

ResultCounts count_results(const std::vector<Json>& cases) {
  ResultCounts counts;
  for (const Json& one : cases) {
    for (const Json& claim : one.at("claims")) ++(claim.at("passed").get<bool>() ? counts.passed : counts.failed);
    counts.failed += one.contains("data_changed") ? 1 : 0;
  }
  return counts;
}

std::string data_changed_text(const Json& case_entry) {
  std::string parts;
  for (const Json& part : list_at(case_entry, "data_changed")) parts += (parts.empty() ? "" : ", ") + part.get<std::string>();
  return parts.empty() ? "" : "the data changed since the audit: " + parts;
}

Json results(const RunInfo& run, const std::vector<Json>& cases) {
  const auto [passed, failed] = count_results(cases);
  return {{"attest", {{"version", run.version}, {"casadi", run.casadi}, {"ipopt", run.ipopt}, {"seed", run.seed}}},
          {"summary", {{"passed", passed}, {"failed", failed}}},
          {"cases", cases}};
}

}  // namespace attest

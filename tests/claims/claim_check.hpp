#pragma once

#include "attest/certificate/codec.hpp"
#include "attest/claims/claim.hpp"
#include "attest/report/evidence_json.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace attest {

using Json = nlohmann::ordered_json;
using Parameters = std::map<std::string, ParameterValue, std::less<>>;

inline std::vector<RationalPoint> points(std::initializer_list<RationalPoint> list) { return list; }

inline Loss written(const std::string& text) { return Loss::written(std::get<Expression>(parse_expression(text))); }

/// One input of three tokens, whose scores are 1, 9/10 and 9/10: cases/one-input/tie.json.
inline Problem one_input() {
  Problem problem;
  const Rational tenth(1, 10);
  problem.tokens = {ExactMatrix::from_rationals(3, 3, {-tenth, 1, 1, 1, 0, 9 * tenth, 0, 0, 9 * tenth})};
  problem.labels = {1};
  problem.v = ExactMatrix::from_doubles(1, 3, {0, 0, 1});
  problem.W = ExactMatrix::from_doubles(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 0});
  return problem;
}

/// Two inputs, of 2 and 3 tokens and with different labels, whose scores are (1, 0) and (-2, 1/2, -2).
inline Problem two_inputs() {
  Problem problem;
  problem.tokens = {ExactMatrix::from_doubles(2, 2, {1, 0, 0, 1}), ExactMatrix::from_doubles(3, 2, {2, 0, -0.5, 1, 2, 2})};
  problem.labels = {1, -1};
  problem.v = ExactMatrix::from_doubles(1, 2, {1, 0});
  return problem;
}

/// A run over p from 0 to (0, 2, 2, ...), as a file of one holds it.
inline TrainingRun two_checkpoints(std::size_t d) {
  TrainingRun run;
  run.count = 2;
  run.values.assign(2 * d, 0);
  for (std::size_t j = 1; j < d; ++j) run.values[d + j] = 2;
  run.steps = {0, 1};
  return run;
}

/// A finding with its numbers as the results hold them.
struct Checked : Finding {
  Json numbers;
};

inline Checked check(const Problem& problem, const std::string& claim, const Parameters& parameters = {}, std::uint64_t seed = 1,
                     double budget_seconds = 120) {
  const Claim* found = find_claim(claim);
  BOOST_TEST_REQUIRE(found != nullptr, claim);
  const ClaimRequest request{claim, parameters};
  Study study(problem);
  const Finding finding = found->check({study, request, seed, Budget(budget_seconds)});
  BOOST_TEST(!finding.message.empty());
  BOOST_TEST(finding.message.find('\n') == std::string::npos);
  // What says proved has a certificate.
  BOOST_TEST((finding.grade == Grade::observed || finding.certificate.has_value()), finding.message);
  for (const Hypothesis& one : finding.hypotheses)
    BOOST_TEST((one.grade == Grade::observed || one.certificate.has_value()), std::string(name_of(one.id)) + ": " + one.message);
  return {finding, to_json(finding.evidence)};
}

inline void check_outcome(const Finding& finding, Verdict verdict, Grade grade) {
  BOOST_TEST(name_of(finding.verdict) == name_of(verdict), finding.message);
  BOOST_TEST(name_of(finding.grade) == name_of(grade), finding.message);
}

inline const Hypothesis& hypothesis_of(const Finding& finding, const std::string& name) {
  const auto found = std::ranges::find(finding.hypotheses, name, [](const Hypothesis& one) { return name_of(one.id); });
  BOOST_TEST_REQUIRE((found != finding.hypotheses.end()), "no hypothesis " + name);
  return *found;
}

inline double number(const Checked& finding, const char* name) {
  BOOST_TEST_REQUIRE(finding.numbers.contains(name), name);
  BOOST_TEST_REQUIRE(finding.numbers.at(name).is_number(), name);
  return finding.numbers.at(name).get<double>();
}

inline std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

using Keys = std::vector<std::string>;

inline WrittenCertificate certificate_of(const Finding& finding, const std::string& claim, const std::string& kind) {
  BOOST_TEST_REQUIRE(finding.certificate.has_value());
  WrittenCertificate text = written(*finding.certificate);
  BOOST_TEST(text.claim == claim);
  BOOST_TEST(text.statement.at("kind") == kind);
  return text;
}

}  // namespace attest

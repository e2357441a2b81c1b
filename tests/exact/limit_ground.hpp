#pragma once

// What tests of limits stand on: a case's problem and what is proved of a selection before its limit.

#include "attest/exact/descent_limit.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

namespace attest {

inline Rational entry_of(const nlohmann::json& value) {
  return value.is_string() ? parse_rational(value.get<std::string>()).value() : exact_value(value.get<double>());
}

inline ExactMatrix matrix_of(const nlohmann::json& rows) {
  std::vector<Rational> entries;
  for (const auto& row : rows)
    for (const auto& value : row) entries.push_back(entry_of(value));
  return ExactMatrix::from_rationals(rows.size(), rows.front().size(), std::move(entries));
}

inline Problem load_case(const std::string& name) {
  const nlohmann::json data = nlohmann::json::parse(std::ifstream(std::string(ATTEST_CASES) + "/" + name + ".json"));
  Problem problem;
  for (const auto& sample : data.at("tokens")) problem.tokens.push_back(matrix_of(sample));
  problem.labels = data.at("labels").get<std::vector<int>>();
  problem.v = matrix_of(nlohmann::json::array({data.at("v")}));
  if (data.contains("W")) problem.W = matrix_of(data.at("W"));
  if (data.contains("queries")) problem.queries = matrix_of(data.at("queries"));
  return problem;
}

/// A problem and what is proved of a selection before its limit.
class Ground {
 public:
  Ground(Problem problem, const Selection& selection, Parametrisation over = Parametrisation::prompt)
      : problem_(std::move(problem)), tokens_(problem_), scores_(exact_scores(problem_)),
        program_(over == Parametrisation::prompt ? SvmProgram::p_svm(tokens_, selection) : SvmProgram::w_svm(tokens_, selection)),
        outcome_(decide_svm(program_, {}, Budget(60))), interval_(interval_of(scores_)),
        loss_(bound_loss(problem_.loss, interval_, Budget(60))) {
    facts_ = {&tokens_, &scores_, &program_, std::get_if<SvmSolution>(&outcome_), &std::get<LossBounds>(loss_), interval_};
  }
  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;

  bool feasible() const { return facts_.solution != nullptr; }
  const LimitFacts& facts() const { return facts_; }
  LimitOutcome prove(const DescentRule& rule, std::size_t most = 3000) const { return prove_limit(facts_, rule, most, Budget(60)); }

 private:
  Problem problem_;
  ExactTokens tokens_;
  Scores scores_;
  SvmProgram program_;
  SvmOutcome outcome_;
  RationalInterval interval_;
  LossVerdict loss_;
  LimitFacts facts_{};
};

inline DescentRule over_p(StepRule rule, const Rational& step, std::vector<Rational> start) {
  return {Parametrisation::prompt, rule, step, std::move(start)};
}
inline DescentRule over_w(StepRule rule, const Rational& step, std::vector<Rational> start = {}) {
  return {Parametrisation::weights, rule, step, std::move(start)};
}

}  // namespace attest

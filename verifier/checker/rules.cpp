#include "rules.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "attention.hpp"
#include "bracket.hpp"
#include "census.hpp"
#include "curvature.hpp"
#include "descent.hpp"
#include "first_step.hpp"
#include "head.hpp"
#include "hypotheses.hpp"
#include "joint_envelope.hpp"
#include "loss_bounds.hpp"
#include "path_envelope.hpp"
#include "sparsity.hpp"
#include "stationary.hpp"
#include "svm.hpp"
#include "weights.hpp"

namespace attest::check {

namespace {

struct Parts {
  const std::string& claim;
  const Problem& problem;
  const Json& statement;
  const Json& witness;
};

/// §4.1
void check_loss_bounds(const Parts& parts) {
  const auto& [claim, problem, statement, witness] = parts;
  statement.expect_keys({"kind", "interval", "slope_sup", "m0", "m1", "covers_scores"});
  witness.expect_keys({"cuts"});
  const LossBounds bounds = require_loss_bounds(problem.loss, statement, witness.at("cuts"));
  if (statement.at("covers_scores").boolean()) require_scores_covered(bounds, scores_of(problem));
}

/// §4.2
void check_loss_not_decreasing(const Parts& parts) {
  const auto& [claim, problem, statement, witness] = parts;
  statement.expect_keys({"kind", "interval", "a", "b", "covers_scores"});
  witness.expect_keys({"by"});
  const auto [lower, upper] = read_interval(statement.at("interval"));
  const Rational a = read_rational(statement.at("a"));
  const Rational b = read_rational(statement.at("b"));
  if (!(lower <= a && a < b && b <= upper)) statement.fail("not lo <= a < b <= hi");
  const std::string& by = witness.at("by").string();
  if (by != "values" && by != "slope") witness.at("by").fail("neither values nor slope");
  try {
    if (by == "values") {
      if (compare(problem.loss.jet(a, a).value.upper, problem.loss.jet(b, b).value.lower) > 0)
        throw Rejected("by values: l(a) <= l(b) is not shown");
    } else if (problem.loss.jet(a, b).first.lower.mantissa.sign() < 0) {
      throw Rejected("by slope: l' >= 0 on [a, b] is not shown");
    }
  } catch (const Undefined& why) {
    throw Rejected("by " + by + ": " + why.what());
  }
  if (!statement.at("covers_scores").boolean()) return;
  const Scores scores = scores_of(problem);
  Rational least = scores[0][0];
  Rational most = least;
  for (const auto& row : scores)
    for (const Rational& score : row) {
      least = std::min(least, score);
      most = std::max(most, score);
    }
  if (least != lower || most != upper) statement.at("interval").fail("not the least and the largest score");
}

/// §4.2
void check_loss_flat(const Parts& parts) {
  const auto& [claim, problem, statement, witness] = parts;
  statement.expect_keys({"kind", "sample", "token", "at"});
  witness.expect_keys({"by"});
  const std::size_t i = read_sample(statement.at("sample"), problem);
  const std::size_t t = read_token(statement.at("token"), problem, i);
  const Rational at = read_rational(statement.at("at"));
  const Scores scores = scores_of(problem);
  if (scores[i][t] != at) statement.at("at").fail("not the score of token " + bracketed({i, t}));
  if (*std::max_element(scores[i].begin(), scores[i].end()) > at)
    throw Rejected("token " + bracketed({i, t}) + " is not the best of its sample");
  const std::string& by = witness.at("by").string();
  if (by != "rational" && by != "enclosure") witness.at("by").fail("neither rational nor enclosure");
  try {
    const int sign = by == "rational" ? problem.loss.exact_slope(at).sign() : problem.loss.jet(at, at).first.lower.mantissa.sign();
    if (sign < 0) throw Rejected("by " + by + ": l' >= 0 is not shown");
  } catch (const Undefined& why) {
    throw Rejected("by " + by + ": " + why.what());
  }
}

/// §4.3
void check_globally_optimal(const Parts& parts) {
  const auto& [claim, problem, statement, witness] = parts;
  statement.expect_keys({"kind", "selection", "unique", "gap"});
  witness.expect_keys({});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const Scores scores = scores_of(problem);
  std::optional<Rational> gap;
  for (std::size_t i = 0; i < scores.size(); ++i)
    for (std::size_t t = 0; t < scores[i].size(); ++t) {
      if (t == selection[i]) continue;
      const Rational difference = scores[i][selection[i]] - scores[i][t];
      if (difference < 0) throw Rejected("token " + bracketed({i, t}) + " scores more than the selected one");
      if (!gap || difference < *gap) gap = difference;
    }
  const Json& stated = statement.at("gap");
  const bool none = stated.kind == JsonKind::null;
  if (none == gap.has_value() || (gap && read_rational(stated) != *gap)) stated.fail("not the least difference of scores");
  if (statement.at("unique").boolean() != (!gap || *gap > 0)) statement.at("unique").fail("does not agree with the gap");
}

/// §4.4
void check_not_globally_optimal(const Parts& parts) {
  const auto& [claim, problem, statement, witness] = parts;
  statement.expect_keys({"kind", "selection", "unique"});
  witness.expect_keys({"sample", "token"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const bool unique = statement.at("unique").boolean();
  const std::size_t i = read_sample(witness.at("sample"), problem);
  const std::size_t t = read_token(witness.at("token"), problem, i);
  if (t == selection[i]) witness.at("token").fail("is the selected token");
  const Scores scores = scores_of(problem);
  const int order = scores[i][t].compare(scores[i][selection[i]]);
  if (order < 0 || (order == 0 && !unique)) throw Rejected("token " + bracketed({i, t}) + " does not score enough");
}

/// The program that the claim names (§4.5), read with the witness's `v` where it is the joint one.
Program stated_program(const Parts& parts, const Selection& selection) {
  if (parts.claim == "p-svm") return Program::p_svm(parts.problem, selection);
  if (parts.claim == "v-svm") return Program::v_svm(parts.problem, selection);
  return Program::joint_svm(parts.problem, selection, parts.witness.at("v"));
}

/// §4.5
void check_svm_optimal(const Parts& parts) {
  const auto& [claim, problem, statement, witness] = parts;
  statement.expect_keys({"kind", "selection", "objective", "support"});
  if (claim == "joint-svm")
    witness.expect_keys({"w", "lambda", "v"});
  else
    witness.expect_keys({"w", "lambda"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const Program program = stated_program(parts, selection);
  const std::vector<Row> tight = program.tight_rows(witness.at("w"), witness.at("lambda"));
  const ScaledVector w = read_vector(witness.at("w"), problem.dimension());
  if (2 * read_rational(statement.at("objective")) != dot(w, w)) statement.at("objective").fail("not w.w/2");
  require_tight(statement.at("support"), program, tight);
}

/// §4.5
void check_svm_infeasible(const Parts& parts) {
  const auto& [claim, problem, statement, witness] = parts;
  statement.expect_keys({"kind", "selection"});
  if (claim == "joint-svm")
    witness.expect_keys({"lambda", "v"});
  else
    witness.expect_keys({"lambda"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  stated_program(parts, selection).check_infeasible(witness.at("lambda"));
}

/// §4.6
void check_locally_optimal(const Parts& parts) {
  const auto& [claim, problem, statement, witness] = parts;
  if (holds_bracket(witness)) return check_bracketed_optimum(claim, problem, statement, witness);
  statement.expect_keys({"kind", "selection", "neighbours"});
  witness.expect_keys({"w", "lambda"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const Program program = Program::p_svm(problem, selection);
  const Scores scores = scores_of(problem);
  const auto tight = require_locally_optimal(program, selection, scores, witness);
  require_tight(statement.at("neighbours"), program, tight);
}

/// §4.7
void check_not_locally_optimal(const Parts& parts) {
  const auto& [claim, problem, statement, witness] = parts;
  statement.expect_keys({"kind", "selection"});
  const Selection selection = read_selection(statement.at("selection"), problem);
  const Program program = Program::p_svm(problem, selection);
  const Scores scores = scores_of(problem);
  if (witness.find("farkas") != nullptr) {
    witness.expect_keys({"farkas"});
    program.check_infeasible(witness.at("farkas"));
  } else if (holds_bracket(witness)) {
    check_bracketed_neighbour(claim, problem, statement, witness);
  } else {
    witness.expect_keys({"w", "lambda", "neighbour"});
    require_beaten(program, selection, scores, witness);
  }
}

/// §4.8
void check_census(const Parts& parts) {
  const auto& [claim, problem, statement, witness] = parts;
  statement.expect_keys({"kind", "count", "selections"});
  witness.expect_keys({"order", "conflicts", "tree"});
  std::vector<Selection> stated;
  for (const Json* node : statement.at("selections").array()) {
    Selection selection = read_selection(*node, problem);
    if (!stated.empty() && stated.back() >= selection) node->fail("not in strictly ascending order");
    stated.push_back(std::move(selection));
  }
  if (statement.at("count").index() != stated.size()) statement.at("count").fail("not the number of selections");
  std::vector<Selection> found = locally_optimal_selections(problem, witness);
  std::sort(found.begin(), found.end());
  if (found != stated) statement.at("selections").fail("not the locally optimal leaves of witness.tree");
}

/// §4.9
void check_assumption_b(const Parts& parts) {
  const auto& [claim, problem, statement, witness] = parts;
  statement.expect_keys({"kind", "selection", "over", "nu", "gamma_squared"});
  static_cast<void>(require_bounded_margin(problem, read_selection(statement.at("selection"), problem), read_among(statement.at("over")),
                                           statement, witness));
}

/// §4.10
void check_assumption_b_refuted(const Parts& parts) {
  const auto& [claim, problem, statement, witness] = parts;
  statement.expect_keys({"kind", "selection", "over"});
  require_unbounded_slope(problem, statement, witness);
}

/// A rule that needs no name of its claim.
template <void (*check)(const Problem&, const Json&, const Json&)>
void by(const Parts& parts) {
  check(parts.problem, parts.statement, parts.witness);
}

/// A rule that needs it.
template <void (*check)(const std::string&, const Problem&, const Json&, const Json&)>
void with_claim(const Parts& parts) {
  check(parts.claim, parts.problem, parts.statement, parts.witness);
}

struct Rule {
  std::string_view claim;
  std::string_view kind;
  void (*check)(const Parts&);
};

constexpr auto rules = std::to_array<Rule>({
    {"assumption-a", "loss-bounds", check_loss_bounds},
    {"assumption-a", "loss-not-decreasing", check_loss_not_decreasing},
    {"globally-optimal", "globally-optimal", check_globally_optimal},
    {"globally-optimal", "not-globally-optimal", check_not_globally_optimal},
    {"p-svm", "svm-optimal", check_svm_optimal},
    {"p-svm", "svm-infeasible", check_svm_infeasible},
    {"p-svm", "svm-bracket", with_claim<check_svm_bracket>},
    {"v-svm", "svm-optimal", check_svm_optimal},
    {"v-svm", "svm-infeasible", check_svm_infeasible},
    {"v-svm", "svm-bracket", with_claim<check_svm_bracket>},
    {"joint-svm", "svm-optimal", check_svm_optimal},
    {"joint-svm", "svm-infeasible", check_svm_infeasible},
    {"joint-svm", "svm-bracket", with_claim<check_svm_bracket>},
    {"locally-optimal", "locally-optimal", check_locally_optimal},
    {"locally-optimal", "not-locally-optimal", check_not_locally_optimal},
    {"census", "census", check_census},
    {"assumption-b", "assumption-b", check_assumption_b},
    {"assumption-b", "assumption-b-refuted", check_assumption_b_refuted},
    {"w-svm", "svm-optimal", by<check_weights_optimal>},
    {"w-svm", "svm-infeasible", by<check_weights_infeasible>},
    {"w-svm", "svm-bracket", with_claim<check_svm_bracket>},
    {"w-svm", "nuclear-bracket", by<check_nuclear_bracket>},
    {"overparametrised", "rank", by<check_rank>},
    {"overparametrised", "every-selection", by<check_every_selection>},
    {"gd-global", "equal-scores", by<check_equal_scores>},
    {"w-svm", "locally-optimal", by<check_weights_locally_optimal>},
    {"w-svm", "not-locally-optimal", by<check_weights_not_locally_optimal>},
    {"tightness", "better-neighbour", by<check_better_neighbour>},
    {"tightness", "no-better-neighbour", by<check_no_better_neighbour>},
    {"tightness", "independent-rows", by<check_independent_rows>},
    {"joint-path", "slack-tokens", by<check_slack_tokens>},
    {"joint-path", "no-slack-tokens", by<check_no_slack_tokens>},
    {"joint-path", "logistic-loss", by<check_logistic_loss>},
    {"joint-path", "not-logistic", by<check_not_logistic>},
    {"assumption-a", "loss-flat", check_loss_flat},
    {"path", "path-envelope", with_claim<check_path_envelope>},
    {"w-path", "path-envelope", with_claim<check_path_envelope>},
    {"kq-path", "path-ratio", by<check_path_ratio>},
    {"joint-path", "joint-envelope", by<check_joint_envelope>},
    {"sparsity-norm", "sparsity-norm", by<check_sparsity_norm>},
    {"sparsity-norm", "sparsity-infeasible", by<check_sparsity_infeasible>},
    {"head-path", "head-bounds", by<check_head_bounds>},
    {"head-path", "head-envelope", by<check_head_envelope>},
    {"gd-global", "descent-basin", with_claim<check_descent_basin>},
    {"gd-global", "descent-cone", with_claim<check_descent_cone>},
    {"gd-global", "descent-wedge", with_claim<check_descent_wedge>},
    {"gd-local", "descent-basin", with_claim<check_descent_basin>},
    {"gd-local", "descent-cone", with_claim<check_descent_cone>},
    {"gd-local", "descent-wedge", with_claim<check_descent_wedge>},
    {"w-gd", "descent-basin", with_claim<check_descent_basin>},
    {"w-gd", "descent-cone", with_claim<check_descent_cone>},
    {"w-gd", "descent-wedge", with_claim<check_descent_wedge>},
    {"descent", "descent-basin", with_claim<check_descent_basin>},
    {"descent", "descent-cone", with_claim<check_descent_cone>},
    {"descent", "descent-wedge", with_claim<check_descent_wedge>},
    {"cross-validation", "descent-basin", with_claim<check_descent_basin>},
    {"cross-validation", "descent-cone", with_claim<check_descent_cone>},
    {"cross-validation", "descent-wedge", with_claim<check_descent_wedge>},
    {"tightness", "descent-basin", with_claim<check_descent_basin>},
    {"tightness", "descent-cone", with_claim<check_descent_cone>},
    {"tightness", "descent-wedge", with_claim<check_descent_wedge>},
    {"no-stationary-point", "no-stationary-point", by<check_no_stationary_point>},
    {"no-stationary-point", "stationary-point", by<check_stationary_point>},
    {"first-step", "first-step", by<check_first_step>},
    {"first-step", "not-first-step", by<check_not_first_step>},
    {"step-size", "curvature-bound", by<check_curvature_bound>},
});

}  // namespace

std::vector<RuleName> all_rules() {
  std::vector<RuleName> names;
  for (const Rule& rule : rules) names.push_back({rule.claim, rule.kind});
  return names;
}

Accepted check_certificate(const Json& root, const Problem* case_problem) {
  root.expect_keys({"attest_certificate", "claim", "problem", "statement", "witness"});
  const Json& version = root.at("attest_certificate");
  if (version.kind != JsonKind::number || version.text != "1") version.fail("not the integer 1");
  const Json& statement = root.at("statement");
  const Json& witness = root.at("witness");
  if (statement.kind != JsonKind::object) statement.fail("not an object");
  if (witness.kind != JsonKind::object) witness.fail("not an object");
  const std::string& claim = root.at("claim").string();
  const std::string& kind = statement.at("kind").string();
  const auto rule =
      std::find_if(rules.begin(), rules.end(), [&](const Rule& candidate) { return candidate.claim == claim && candidate.kind == kind; });
  if (rule == rules.end()) throw Rejected("the claim " + in_quotes(claim) + " has no kind " + in_quotes(kind));

  const Problem problem(root.at("problem"));
  if (case_problem != nullptr) require_same(problem, *case_problem);
  rule->check({claim, problem, statement, witness});
  return {kind, claim};
}

}  // namespace attest::check

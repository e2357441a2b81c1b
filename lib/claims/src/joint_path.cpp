#include "attest/solve/joint_path.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/exact/logistic_loss.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/joint_descent.hpp"
#include "claim_list.hpp"
#include "limit_direction.hpp"
#include "svm_decision.hpp"
#include "theorem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {
namespace {

using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

/// How the bounds |v| <= r and |p| <= R grow together, and how far R is taken.
struct Regime {
  std::string_view name;
  double power;  // r = R^power
  double last_radius;
};
constexpr std::array regimes = {Regime{"r=R^2", 2, 0x1p12}, Regime{"r=R", 1, 0x1p14}, Regime{"R=r^2", 0.5, 0x1p20}};

/// Points from this part of the last radius on count for the verdict; at small radii the minimisers may select other tokens.
constexpr double judged_part = 1.0 / 16;

/// What the theorem speaks of: the two SVM solutions, exactly decided and then rounded.
struct JointLimit {
  Selection selection = {};
  VectorXd v = {};        // v-SVM
  VectorXd p_plain = {};  // p-SVM
  VectorXd p = {};        // joint p-SVM
};

/// The theorem is about log(1 + e^-u), however it is written.
Finding decide_loss(const Problem& problem) {
  const LogisticDecision decision = decide_logistic(problem.loss);
  if (std::holds_alternative<IsLogistic>(decision))
    return decided_exactly(true, "the logistic loss has -1 < l' < 0 and 0 < l'' <= 1/4 everywhere", certified::LogisticLoss{});
  if (const auto* other = std::get_if<NotLogistic>(&decision))
    return decided_exactly(false, fmt::format("the theorem is about the logistic loss; at u = {} this one is another", short_text(other->u)),
                           certified::NotLogistic{other->u});
  Finding open;
  open.message = std::get<LogisticUndecided>(decision).reason;
  return open;
}

/// The minimiser as its certificate states it.
std::vector<Rational> exact_solution(const Finding& svm) {
  std::vector<Rational> w;
  for (const Json& entry : svm.certificate->witness.at("w")) w.push_back(parse_rational(entry.get<std::string>()).value());
  return w;
}

Rational product(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  Rational sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// Y_i v(alpha).x_it < 1 for i outside S and t != alpha_i: choosing another token there costs margin. [docs/theory.md, RP-joint]
Finding decide_slack_tokens(const ClaimContext& context, const Selection& selection) {
  const Problem& problem = context.problem;
  const ExactTokens tokens(problem);
  const SvmProgram program = SvmProgram::v_svm(tokens, selection);
  const SvmOutcome outcome = solve_svm(program, context.budget);
  const auto* solution = std::get_if<SvmSolution>(&outcome);
  if (solution == nullptr) return {};  // the time was up: undecided
  std::vector<bool> in_support(problem.sample_count(), false);
  for (const std::size_t row : solution->support) in_support[program.name(row).sample] = true;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    if (in_support[i]) continue;
    for (std::size_t t = 0; t < problem.token_count(i); ++t) {
      if (t == selection[i]) continue;
      Rational margin = 0;
      for (std::size_t k = 0; k < problem.dimension(); ++k) margin += solution->w[k] * problem.tokens[i].at(t, k);
      if (problem.labels[i] * margin >= 1)
        return decided_exactly(false,
                               fmt::format("token {} of sample {}, no support vector, has label margin {}, not below 1", t, i,
                                           short_text(problem.labels[i] * margin)),
                               certified::NoSlackTokens{selection, certified_solution(program, *solution), i, t});
    }
  }
  return decided_exactly(true, "tokens that are not selected, in samples that are no support vectors, have label margin below 1",
                         certified::SlackTokens{selection, certified_solution(program, *solution)});
}

/// The square of the least r/R that the relaxed theorem allows: r (m_i - Gamma) >= R (Theta - a_it.p/|p|) for all i outside S and
/// t. [docs/theory.md, RP-joint] With v, p the two solutions, m_i - Gamma = (Y_i v.x_i,alpha_i - 1)/|v| and the right side is
/// (1 - a_it.p)/|p|: all of it is rational once squared, and S is the support as decided.
Rational squared_least_growth(const Problem& problem, const Selection& selection, const Finding& v_svm, const Finding& joint) {
  const std::vector<Rational> v = exact_solution(v_svm);
  const std::vector<Rational> p = exact_solution(joint);
  std::vector<bool> in_support(problem.sample_count(), false);
  for (const Json& name : v_svm.numbers.at("support")) in_support[name[0].get<std::size_t>()] = true;
  const ExactTokens tokens(problem);
  const SvmProgram rows = SvmProgram::p_svm(tokens, selection);
  Rational largest = 0;
  for (std::size_t row = 0; row < rows.row_count(); ++row) {
    const std::size_t i = rows.name(row).sample;
    if (in_support[i]) continue;
    Rational slack = -1;
    for (std::size_t k = 0; k < v.size(); ++k) slack += problem.labels[i] * v[k] * problem.tokens[i].at(selection[i], k);
    const FractionVector a = rows.row(row);
    Rational lack = 1;
    for (std::size_t k = 0; k < p.size(); ++k) lack -= Rational(a.numerators[k], a.denominator) * p[k];
    if (lack > 0) largest = std::max(largest, Rational(lack * lack / (slack * slack)));
  }
  return largest * product(v, v) / product(p, p);
}

/// Decided in rational numbers, but without a certificate: observed.
Finding observe_growth(const Rational& squared_least, const Regime& regime, double radius) {
  const Rational R = exact_value(radius);
  const Rational squared = regime.power == 2 ? Rational(R * R) : regime.power == 1 ? Rational(1) : Rational(1 / R);  // (r/R)^2
  Finding finding;
  finding.verdict = squared >= squared_least ? Verdict::holds : Verdict::fails;
  finding.message = fmt::format("r = {:.4g} at R = {:.4g}; the relaxed limit needs r >= {:.4g} R", std::pow(radius, regime.power), radius,
                                std::sqrt(nearest_double(squared_least)));
  return finding;
}

struct ObservedRegime {
  JointPath path;
  Json numbers = {};
  double v_error = 0;
  double p_error = 0;
  double earlier_p_error = 0;  // where the judged part begins
  bool verified = false;
};

Json encode_joint_points(const JointPath& path, const JointLimit& limit) {
  Json points = Json::array();
  for (const JointPoint& point : path.points)
    points.push_back({{"radius", point.radius}, {"head_radius", point.head_radius}, {"v_error", direction_error(point.v, limit.v)},
                      {"p_error", direction_error(point.p, limit.p)}, {"p_error_plain", direction_error(point.p, limit.p_plain)},
                      {"log_loss", std::isfinite(point.log_loss) ? Json(point.log_loss) : Json()}, {"status", point.status},
                      {"overlap", point.overlap ? Json(*point.overlap) : Json()}, {"verified", point.verified}});
  return points;
}

ObservedRegime observe_regime(const ClaimContext& context, const JointLimit& limit, const Regime& regime, double radius) {
  JointSettings settings;
  settings.radii = doubling_radii(std::min(1.0, radius), radius);
  settings.power = regime.power;
  settings.seed = context.seed;
  ObservedRegime observed{follow_joint_path(NumericProblem(context.problem), limit.selection, limit.v, limit.p, settings, context.budget)};
  if (observed.path.points.empty()) return observed;
  const auto judged = std::find_if(observed.path.points.begin(), observed.path.points.end(),
                                   [&](const JointPoint& point) { return point.radius >= judged_part * observed.path.points.back().radius; });
  const JointPoint& last = observed.path.points.back();
  observed.v_error = direction_error(last.v, limit.v);
  observed.p_error = direction_error(last.p, limit.p);
  observed.earlier_p_error = direction_error(judged->p, limit.p);
  observed.verified = observed.path.ended.empty() && std::all_of(judged, observed.path.points.end(), [](const JointPoint& point) { return point.verified; });
  const JointPath::Overlap overlap = observed.path.overlap();
  observed.numbers = {{"regime", regime.name}, {"radius", last.radius}, {"v_error", observed.v_error}, {"p_error", observed.p_error},
                      {"p_error_plain", direction_error(last.p, limit.p_plain)}, {"verified", observed.verified},
                      {"overlap_points", overlap.points}, {"overlap_largest", overlap.points > 0 ? Json(overlap.largest) : Json()},
                      {"points", encode_joint_points(observed.path, limit)}};
  return observed;
}

/// Descent on v and p at once from the direction of v(alpha) and p = 0, to compare.
Json encode_descent(const ClaimContext& context, const JointLimit& limit) {
  const JointDescent descent = descend_jointly(NumericProblem(context.problem), limit.v.normalized(),
                                               VectorXd::Zero(limit.p.size()), {.iterations = 10'000}, context.budget);
  Json trace = Json::array();
  for (const JointDescentPoint& point : descent.trace)
    if (point.p.norm() > 0)
      trace.push_back({{"iteration", point.iteration}, {"v_norm", point.v.norm()}, {"p_norm", point.p.norm()},
                       {"v_error", direction_error(point.v, limit.v)}, {"p_error", direction_error(point.p, limit.p)},
                       {"p_error_plain", direction_error(point.p, limit.p_plain)}});
  return trace;
}

Finding judge(const Theorem& theorem, const ObservedRegime& observed, const Regime& regime) {
  if (observed.path.points.empty()) return theorem.conclude(Verdict::undecided, "the path has no point: " + observed.path.ended);
  const double radius = observed.path.points.back().radius;
  const std::string where = fmt::format("{}, R = {:.6g}: v error {:.3g}, p error {:.3g}", regime.name, radius, observed.v_error, observed.p_error);
  if (!observed.verified) return theorem.conclude(Verdict::undecided, where + "; some of the last points are not verified");
  if (observed.v_error <= joint_path_tolerance.distance && observed.p_error <= joint_path_tolerance.distance) return theorem.conclude(Verdict::holds, where);
  // A longer path could still turn: whether the error falls is told, and refutes nothing.
  const bool falls = observed.p_error < observed.earlier_p_error;
  return theorem.conclude(Verdict::undecided, where + (falls ? ": not there yet" : ": it does not fall over the last radii"));
}

const Regime& chosen_regime(const ClaimRequest& request) {
  const auto* name = request.find<std::string>("regime");
  return name == nullptr ? regimes.front() : *std::find_if(regimes.begin(), regimes.end(), [&](const Regime& one) { return one.name == *name; });
}

/// The theorem on a problem whose loss is the logistic one, if it is: a written one is evaluated by the stable formulas.
Finding check_with(const ClaimContext& context, const Finding& logistic) {
  const auto* over = context.request.find<std::string>("over");
  const bool relaxed = over == nullptr || *over == "support";
  const Regime& regime = chosen_regime(context.request);
  const auto* given_radius = context.request.find<Rational>("radius");
  const double radius = given_radius ? nearest_double(*given_radius) : regime.last_radius;

  Parameters about_b = {{"over", std::string(relaxed ? "support" : "all")}};
  if (const auto* given = context.request.find<Selection>("selection")) about_b["selection"] = *given;
  const Finding assumption_b = decide(context, assumption_b_claim(), about_b);

  Theorem theorem;
  JointLimit limit;
  theorem.assume("logistic loss", logistic);
  theorem.assume("Assumption B", assumption_b);
  if (assumption_b.selection) {
    limit.selection = *assumption_b.selection;
    const Finding v = decide(context, v_svm_claim(), {{"selection", limit.selection}});
    const Finding p = decide_direction(context, limit.selection);
    const Finding joint = decide(context, joint_svm_claim(), {{"selection", limit.selection}});
    theorem.assume("feasible v-SVM", v);
    theorem.assume("feasible p-SVM", p);
    theorem.assume("feasible joint p-SVM", with_direction(joint));
    if (theorem.applies()) {
      limit.v = solution_of(v);
      limit.p_plain = solution_of(p);
      limit.p = solution_of(joint);
      if (relaxed) {
        theorem.assume("no free choice outside the support", decide_slack_tokens(context, limit.selection));
        theorem.assume("r large against R", observe_growth(squared_least_growth(context.problem, limit.selection, v, joint), regime, radius));
      }
    }
  }
  if (!theorem.applies()) return theorem.obstacle(assumption_b.selection);
  const ObservedRegime observed = observe_regime(context, limit, regime, radius);
  Finding finding = judge(theorem, observed, regime);
  finding.selection = limit.selection;
  finding.numbers = {{"v_error", observed.v_error}, {"p_error", observed.p_error}, {"radius", radius}, {"regime", regime.name}, {"over", relaxed ? "support" : "all"}};
  finding.numbers["regimes"] = Json::array({observed.numbers});
  for (const Regime& other : regimes)
    if (&other != &regime) finding.numbers["regimes"].push_back(observe_regime(context, limit, other, other.last_radius).numbers);
  finding.numbers["descent"] = encode_descent(context, limit);
  return finding;
}

Finding check(const ClaimContext& context) {
  const Finding logistic = decide_loss(context.problem);
  if (logistic.verdict != Verdict::holds) return check_with(context, logistic);
  Problem problem = context.problem;
  problem.loss = Loss::logistic();
  return check_with({problem, context.request, context.seed, context.budget, context.progress}, logistic);
}

}  // namespace

Claim joint_path_claim() {
  return {{"joint-path",
           {{"selection", ParameterKind::selection, false, "one token a sample (default: the largest label margin)", {}},
            {"radius", ParameterKind::positive, false, "the last R (default 2^12, 2^14, 2^20 by regime)", {}},
            {"over", ParameterKind::choice, false, "support (default: the relaxed theorem) or all", {"support", "all"}},
            {"regime", ParameterKind::choice, false, "how r and R grow together (default r=R^2)", {regimes[0].name, regimes[1].name, regimes[2].name}}},
           {}},
          "trained together, v and p converge to their SVMs",
          "[MM, Theorem II] If the loss is logistic and Assumption B holds, the minimisers (v, p) of L over |v| <= r, |p| <= R\n"
          "have v/|v| -> v(alpha)/|v(alpha)| and p/|p| -> that of the p-SVM as r and R grow. Under B over all samples the rows\n"
          "of bound 0 of the joint p-SVM never bind: both programs have one solution. Relaxed version (over support; this\n"
          "project's, with an argument to leading order and no proof): B over the support vectors of the v-SVM only, tokens\n"
          "not selected in other samples have label margin below 1, and r is large against R; then p converges to the joint\n"
          "p-SVM. B is decided as the claim assumption-b does. A loss that is written log(1+exp(-u)) or log1p(exp(-u)) is\n"
          "logistic; another is not when its enclosure misses log(1+e^-u) at some u, and else the claim is undecided.\n"
          "Observed: IPOPT on log L up to where doubles lose 1 - s, beyond it v and p in turns in the log domain, both\n"
          "compared where they overlap; every point is verified from the data.\n"
          "Holds: the last points are verified, and v_error and p_error are at most 1e-3. Inapplicable: a hypothesis fails.\n"
          "Undecided: a hypothesis is, or the path is not there yet, or points are not verified: no finite path refutes a limit.\n"
          "Numbers: v_error, p_error (to the joint p-SVM), radius, regime, over; regimes: all three, each with v_error, p_error,\n"
          "p_error_plain (to the plain p-SVM), verified, overlap_points, overlap_largest, points; descent: a trace of normalised\n"
          "descent on v and p at once.",
          check};
}

}  // namespace attest

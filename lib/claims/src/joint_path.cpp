#include "attest/solve/joint_path.hpp"

#include "assumption_b_decision.hpp"
#include "attest/base/tolerance.hpp"
#include "attest/exact/joint_envelope.hpp"
#include "attest/exact/logistic_loss.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/joint_descent.hpp"
#include "claim_list.hpp"
#include "hypotheses.hpp"
#include "limit_proof.hpp"
#include "svm_words.hpp"
#include "theorem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {
namespace {

using Eigen::VectorXd;

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
  std::shared_ptr<const SolvedSvm> v_svm = {};
  std::shared_ptr<const SolvedSvm> p_svm = {};
  std::shared_ptr<const AssumptionBOutcome> assumption_b = {};
};

/// The theorem is about log(1 + e^-u), however it is written.
Decided decide_loss(const Problem& problem) {
  const LogisticDecision decision = decide_logistic(problem.loss);
  if (std::holds_alternative<IsLogistic>(decision))
    return decided_exactly(true, "the logistic loss has -1 < l' < 0 and 0 < l'' <= 1/4 everywhere", certified::LogisticLoss{});
  if (const auto* other = std::get_if<NotLogistic>(&decision))
    return decided_exactly(false,
                           fmt::format("the theorem is about the logistic loss; at u = {} this one is another", short_text(other->u)),
                           certified::NotLogistic{other->u});
  return {.message = std::get<LogisticUndecided>(decision).reason};
}

Rational product(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  Rational sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// The support vectors S of the v-SVM.
std::vector<bool> support_samples(const SolvedSvm& v_svm) {
  std::vector<bool> in_support(v_svm.program.problem().sample_count(), false);
  for (const std::size_t row : v_svm.solution()->support) in_support[v_svm.program.name(row).sample] = true;
  return in_support;
}

/// Y_i v(alpha).x_it < 1 for i outside S and t != alpha_i: choosing another token there costs margin. [docs/theory.md, RP-joint]
Decided decide_slack_tokens(const Problem& problem, const SolvedSvm& v_svm) {
  const SvmProgram& program = v_svm.program;
  const Selection& selection = program.selection();
  const SvmSolution* solution = v_svm.solution();
  const std::vector<bool> in_support = support_samples(v_svm);
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
Rational squared_least_growth(const Problem& problem, const SolvedSvm& v_svm, const SolvedSvm& joint) {
  const std::vector<Rational>& v = v_svm.solution()->w;
  const std::vector<Rational>& p = joint.solution()->w;
  const Selection& selection = v_svm.program.selection();
  const std::vector<bool> in_support = support_samples(v_svm);
  const SvmProgram& rows = joint.program;
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
Decided observe_growth(const Rational& squared_least, const Regime& regime, double radius) {
  const Rational R = exact_value(radius);
  const Rational squared = regime.power == 2 ? Rational(R * R) : regime.power == 1 ? Rational(1) : Rational(1 / R);  // (r/R)^2
  Decided finding;
  finding.verdict = squared >= squared_least ? Verdict::holds : Verdict::fails;
  finding.message = fmt::format("r = {:.4g} at R = {:.4g}; the relaxed limit needs r >= {:.4g} R", std::pow(radius, regime.power), radius,
                                std::sqrt(nearest_double(squared_least)));
  return finding;
}

/// A point of the path, with its errors to the limits.
struct PointNumbers {
  double radius;
  double head_radius;
  double v_error;
  double p_error;
  double p_error_plain;
  double log_loss;
  std::string status;
  std::optional<double> overlap;
  bool verified;

  void write(Fields& out) const {
    out("radius", radius)("head_radius", head_radius)("v_error", v_error)("p_error", p_error)("p_error_plain", p_error_plain)(
        "log_loss", log_loss)("status", status)("overlap", overlap)("verified", verified);
  }
};

/// What the path of a regime comes to.
struct RegimeNumbers {
  std::string_view regime;
  double radius;
  double v_error;
  double p_error;
  double p_error_plain;
  bool verified;
  std::size_t overlap_points;
  std::optional<double> overlap_largest;
  std::vector<PointNumbers> points;

  void write(Fields& out) const {
    out("regime", regime)("radius", radius)("v_error", v_error)("p_error", p_error)("p_error_plain", p_error_plain)("verified", verified)(
        "overlap_points", overlap_points)("overlap_largest", overlap_largest)("points", points);
  }
};

struct DescentNumbers {
  std::uint64_t iteration;
  double v_norm;
  double p_norm;
  double v_error;
  double p_error;
  double p_error_plain;

  void write(Fields& out) const {
    out("iteration", iteration)("v_norm", v_norm)("p_norm", p_norm)("v_error", v_error)("p_error", p_error)("p_error_plain", p_error_plain);
  }
};

/// What is proved of the head from a pair of radii on.
struct HeadEnvelopeNumbers {
  double head_radius;
  double radius;
  double bound;

  void write(Fields& out) const { out("head_radius", head_radius)("radius", radius)("bound", bound); }
};

struct Numbers {
  double v_error;
  double p_error;
  double radius;
  std::string_view regime;
  std::string_view over;
  std::vector<std::optional<RegimeNumbers>> regimes;  // the claim's own first; one whose path has no point has no numbers
  std::vector<DescentNumbers> descent;
  std::optional<HeadEnvelopeNumbers> head_envelope = {};

  void write(Fields& out) const {
    out("v_error", v_error)("p_error", p_error)("radius", radius)("regime", regime)("over", over)("regimes", regimes)("descent", descent)(
        "head_envelope", head_envelope);
  }
};

struct ObservedRegime {
  JointPath path;
  std::optional<RegimeNumbers> numbers = {};
  double v_error = 0;
  double p_error = 0;
  double earlier_p_error = 0;  // where the judged part begins
  bool verified = false;
};

std::vector<PointNumbers> measured(const JointPath& path, const JointLimit& limit) {
  std::vector<PointNumbers> points;
  for (const JointPoint& point : path.points)
    points.push_back({point.radius, point.head_radius, direction_error(point.v, limit.v), direction_error(point.p, limit.p),
                      direction_error(point.p, limit.p_plain), point.log_loss, point.status, point.overlap, point.verified});
  return points;
}

/// Paths and descent are of the logistic loss, however the case writes it.
struct Observer {
  const ClaimContext& context;
  const NumericProblem& problem;
  const JointLimit& limit;

  ObservedRegime follow(const Regime& regime, double radius) const {
    JointSettings settings;
    settings.radii = doubling_radii(std::min(1.0, radius), radius);
    settings.power = regime.power;
    settings.seed = context.seed;
    ObservedRegime observed{follow_joint_path(problem, limit.selection, limit.v, limit.p, settings, context.budget)};
    const std::vector<JointPoint>& points = observed.path.points;
    if (points.empty()) return observed;
    const JointPoint& last = points.back();
    const auto judged =
        std::find_if(points.begin(), points.end(), [&](const JointPoint& point) { return point.radius >= judged_part * last.radius; });
    observed.v_error = direction_error(last.v, limit.v);
    observed.p_error = direction_error(last.p, limit.p);
    observed.earlier_p_error = direction_error(judged->p, limit.p);
    observed.verified =
        observed.path.ended.empty() && std::all_of(judged, points.end(), [](const JointPoint& point) { return point.verified; });
    const JointPath::Overlap overlap = observed.path.overlap();
    observed.numbers = RegimeNumbers{regime.name,
                                     last.radius,
                                     observed.v_error,
                                     observed.p_error,
                                     direction_error(last.p, limit.p_plain),
                                     observed.verified,
                                     overlap.points,
                                     overlap.points > 0 ? std::optional(overlap.largest) : std::nullopt,
                                     measured(observed.path, limit)};
    return observed;
  }

  /// Descent on v and p at once from the direction of v(alpha) and p = 0, to compare.
  std::vector<DescentNumbers> descend() const {
    const JointDescent descent =
        descend_jointly(problem, limit.v.normalized(), VectorXd::Zero(limit.p.size()), {.iterations = 10'000}, context.budget);
    std::vector<DescentNumbers> trace;
    for (const JointDescentPoint& point : descent.trace)
      if (point.p.norm() > 0)
        trace.push_back({point.iteration, point.v.norm(), point.p.norm(), direction_error(point.v, limit.v),
                         direction_error(point.p, limit.p), direction_error(point.p, limit.p_plain)});
    return trace;
  }
};

Finding judge(const Theorem& theorem, const ObservedRegime& observed, const Regime& regime) {
  if (observed.path.points.empty()) return theorem.conclude(Verdict::undecided, "the path has no point: " + observed.path.ended);
  const double radius = observed.path.points.back().radius;
  const std::string where =
      fmt::format("{}, R = {:.6g}: v error {:.3g}, p error {:.3g}", regime.name, radius, observed.v_error, observed.p_error);
  if (!observed.verified) return theorem.conclude(Verdict::undecided, where + "; some of the last points are not verified");
  if (observed.v_error <= joint_path_tolerance.distance && observed.p_error <= joint_path_tolerance.distance)
    return theorem.conclude(Verdict::holds, where);
  // A longer path could still turn: whether the error falls is told, and refutes nothing.
  const bool falls = observed.p_error < observed.earlier_p_error;
  return theorem.conclude(Verdict::undecided, where + (falls ? ": not there yet" : ": it does not fall over the last radii"));
}

/// What the claim asks for.
struct Question {
  bool relaxed;
  const Regime& regime;
  double radius;
};

/// The limit of v from the radii of the last point on, under Assumption B over all samples. [docs/theory.md, Theorem J]
std::optional<certified::JointEnvelope> prove_head_limit(const Question& question, const JointLimit& limit, const JointPath& path) {
  const auto* proof = limit.assumption_b ? std::get_if<AssumptionBProof>(limit.assumption_b.get()) : nullptr;
  if (question.relaxed || proof == nullptr || path.points.empty()) return std::nullopt;
  const JointPoint& last = path.points.back();
  return prove_joint_envelope({limit.v_svm->program, *proof, limit.p_svm->program, *limit.p_svm->solution()},
                              {last.head_radius, last.radius}, {last.v.begin(), last.v.end()});
}

/// The certificate is about v alone: the claim, which is about p too, stays observed.
void add_head_limit(Finding& finding, Numbers& numbers, const certified::JointEnvelope& envelope) {
  const double r = nearest_double(envelope.head_radius);
  numbers.head_envelope = {r, nearest_double(envelope.radius), *head_bound(envelope, r)};
  finding.certificate = envelope;
  finding.message += fmt::format("; proved of v from there on: at most {} away", bound_text(numbers.head_envelope->bound));
  finding.conclusion = finding.message;
}

const Regime& chosen_regime(const ClaimRequest& request) {
  const auto* name = request.find<std::string>("regime");
  return name == nullptr ? regimes.front()
                         : *std::find_if(regimes.begin(), regimes.end(), [&](const Regime& one) { return one.name == *name; });
}

Question asked(const ClaimRequest& request) {
  const auto* over = request.find<std::string>("over");
  const auto* radius = request.find<Rational>("radius");
  const Regime& regime = chosen_regime(request);
  return {over == nullptr || *over == "support", regime, radius ? nearest_double(*radius) : regime.last_radius};
}

/// Decides the hypotheses; the limit where all hold.
JointLimit decide_hypotheses(const ClaimContext& context, const Question& question, Theorem& theorem) {
  const AttentionOver over = question.relaxed ? AttentionOver::support : AttentionOver::all;
  AssumptionBDecision assumption_b = decide_assumption_b(context, context.request.find<Selection>("selection"), over, {});
  if (assumption_b.verdict == Verdict::holds) assumption_b.message += note_of_time(context.budget);
  JointLimit limit{assumption_b.selection};
  const DecidedSvm v = decide_svm(context, SvmProgram::Kind::v, limit.selection, SvmProof::exact);
  const DecidedSvm p = decide_direction(context, SvmProgram::Kind::p, limit.selection, SvmProof::exact);
  const DecidedSvm joint = decide_direction(context, SvmProgram::Kind::joint, limit.selection, SvmProof::exact);
  theorem.assume(HypothesisId::assumption_b, assumption_b);
  theorem.assume(HypothesisId::feasible_v_svm, v);
  theorem.assume(HypothesisId::feasible_p_svm, p);
  theorem.assume(HypothesisId::feasible_joint_svm, joint);
  if (!theorem.applies()) return limit;
  limit.v_svm = v.svm;
  limit.p_svm = p.svm;
  limit.assumption_b = assumption_b.outcome;
  limit.v = v.solution();
  limit.p_plain = p.solution();
  limit.p = joint.solution();
  if (question.relaxed) {
    theorem.assume(HypothesisId::slack_tokens, decide_slack_tokens(context.problem(), *v.svm));
    const Rational squared_least = squared_least_growth(context.problem(), *v.svm, *joint.svm);
    theorem.assume(HypothesisId::growth, observe_growth(squared_least, question.regime, question.radius));
  }
  return limit;
}

Finding check(const ClaimContext& context) {
  const Question question = asked(context.request);
  Theorem theorem;
  theorem.assume(HypothesisId::logistic_loss, decide_loss(context.problem()));
  const JointLimit limit = decide_hypotheses(context, question, theorem);
  if (!theorem.applies()) return theorem.obstacle(limit.selection);
  NumericProblem problem(context.problem());
  problem.loss = Loss::logistic();  // a written one is evaluated by the stable formulas
  const Observer observer{context, problem, limit};
  const ObservedRegime observed = observer.follow(question.regime, question.radius);
  Finding finding = judge(theorem, observed, question.regime);
  finding.selection = limit.selection;
  Numbers numbers{observed.v_error,
                  observed.p_error,
                  question.radius,
                  question.regime.name,
                  question.relaxed ? "support" : "all",
                  {observed.numbers},
                  {}};
  for (const Regime& other : regimes)
    if (&other != &question.regime) numbers.regimes.push_back(observer.follow(other, other.last_radius).numbers);
  numbers.descent = observer.descend();
  if (const auto envelope = prove_head_limit(question, limit, observed.path)) add_head_limit(finding, numbers, *envelope);
  finding.evidence = std::move(numbers);
  return finding;
}

}  // namespace

Claim joint_path_claim() {
  return {
      .schema =
          {"joint-path",
           {{"selection", ParameterKind::selection, false, "one token a sample", {}, "the one with the largest label margin"},
            {"radius", ParameterKind::positive, false, "the last R", {}, "2^12, 2^14, 2^20 by regime"},
            {"over", ParameterKind::choice, false, "support, the relaxed theorem, or all, as first stated", {"support", "all"}, "support"},
            {"regime",
             ParameterKind::choice,
             false,
             "how r and R grow together",
             {regimes[0].name, regimes[1].name, regimes[2].name},
             regimes[0].name}},
           {}},
      .title = "Theorem: joint regularisation path",
      .summary = "trained together, v and p converge to their SVMs",
      .source = "[MM, Theorem II; relaxed version ours]",
      .words =
          "When head and prompt are trained together, the head converges in direction to the v-SVM and the prompt to the "
          "joint p-SVM, which is the plain one where Assumption B holds over all samples; over the support vectors alone the "
          "statement is this project's, and not proved.",
      .formula =
          R"((v_r, p_R) = \argmin_{\|v\| \le r, \|p\| \le R} L(v, p), \quad \frac{v_r}{r} \to \frac{v(\alpha)}{\|v(\alpha)\|}, \quad \frac{p_R}{R} \to \frac{p(\alpha)}{\|p(\alpha)\|})",
      .text =
          "If the loss is logistic and Assumption B holds, the minimisers (v, p) of L over |v| <= r, |p| <= R have v/|v| -> "
          "v(alpha)/|v(alpha)| and p/|p| -> that of the p-SVM as r and R grow. Under B over all samples the rows of bound 0 of the joint "
          "p-SVM never bind: both programs have one solution.\n"
          "Relaxed version (over support; this project's, with an argument to leading order and no proof, docs/theory.md, section 3): B "
          "over "
          "the support vectors of the v-SVM only, tokens not selected in other samples have label margin below 1 (decided exactly; "
          "certificates slack-tokens, no-slack-tokens), and r is large enough against R; then p converges to the joint p-SVM.\n"
          "B is decided as the claim assumption-b does; v-SVM(alpha) and p-SVM(alpha) have to be feasible. A loss that is named logistic "
          "or "
          "written log(1+exp(-u)) or log1p(exp(-u)) is logistic (certificate logistic-loss; Assumption A then holds on every interval); "
          "another is not when its enclosure misses log(1+e^-u) at some u (certificate not-logistic), and else the claim is undecided.\n"
          "Conclusion: over all samples the limit of v is proved from the slope nu of B, where enclosures close (docs/theory.md, Theorem "
          "J; "
          "certificate joint-envelope): head_envelope bounds the direction error of v for every minimiser from those radii on. That of p "
          "is "
          "observed, so the claim's grade is: IPOPT on log L up to where doubles lose 1 - s, beyond it v and p in turns in the log domain, "
          "both "
          "compared "
          "where they overlap; every point is verified from the data.\n"
          "Holds: the last points are verified, and v_error and p_error are at most 1e-3.\n"
          "Inapplicable: a hypothesis fails.\n"
          "Undecided: a hypothesis is, or the path is not there yet, or points are not verified: no finite path refutes a limit.",
      .numbers = {{"v_error", "direction error of v to the v-SVM"},
                  {"p_error", "direction error of p to the joint p-SVM"},
                  {"radius", "last radius R"},
                  {"regime", "how r grows with R"},
                  {"over", "the samples of Assumption B: support or all"},
                  {"regimes", "all three regimes, the claim's first; null for one whose path has no point"},
                  {"regimes[].p_error_plain", "direction error of p to the plain p-SVM"},
                  {"regimes[].verified", "the last points are verified from the data"},
                  {"regimes[].overlap_points", "radii at which both methods ran where they overlap"},
                  {"regimes[].overlap_largest", "largest angle between the two methods there"},
                  {"regimes[].points", "for each R: radius, head_radius (r), the errors, log_loss, status, overlap, verified"},
                  {"descent", "trace of normalised descent on v and p at once: iteration, v_norm, p_norm and the errors"},
                  {"head_envelope", "proved of v alone, for every r and R from these on; null over support, or where no proof closes"},
                  {"head_envelope.head_radius", "r"},
                  {"head_envelope.radius", "R"},
                  {"head_envelope.bound", "of the direction error of v at r; it falls like 1/sqrt(r) beyond"}},
      .hypotheses = {HypothesisId::logistic_loss, HypothesisId::assumption_b, HypothesisId::feasible_v_svm, HypothesisId::feasible_p_svm,
                     HypothesisId::feasible_joint_svm, HypothesisId::slack_tokens, HypothesisId::growth},
      .section = AuditSection::theorems,
      // What Assumption B takes.
      .least_seconds = [](const ProblemSize& size) { return size.samples * size.tokens * size.dimension * 2e-5; },
      .check = check};
}

}  // namespace attest

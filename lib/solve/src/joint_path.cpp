#include "attest/solve/joint_path.hpp"

#include "attest/base/log_number.hpp"
#include "attest/base/tolerance.hpp"
#include "attest/graph/casadi/excess_graph.hpp"
#include "attest/graph/casadi/joint_graph.hpp"
#include "attest/solve/log_gradient.hpp"
#include "nlp.hpp"
#include "path_follower.hpp"
#include "sphere_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int sweep_limit = 200;
/// The overlap begins where attention is this near the selection: before, the sweeps converge slowly or not at all.
constexpr double overlap_from = 1e-2;

/// Unit-ball coordinates (v/r, p/R).
struct PointPair {
  VectorXd a;
  VectorXd b;
};

/// h(a) = log(sum_i softplus(-r y_i.a)) / r with y_i = Y_i x_i^p: the logistic loss of the head at fixed attention.
///
/// With u_i = r y_i.a, pi_i the shares in the sum and rho = sigma(-u)/softplus(-u): h' = -sum pi rho y =: -g and
/// h'' = r (sum pi rho sigma(u) y y^T - g g^T).
SphereObjective::Jet head_jet(const MatrixXd& y, double r, const VectorXd& a) {
  const VectorXd u = r * (y.transpose() * a);
  const VectorXd logs = u.unaryExpr([](double entry) { return log_softplus(-entry); });
  const double shift = logs.maxCoeff();
  const double total = shift + std::log((logs.array() - shift).exp().sum());
  const VectorXd weights = (logs.array() - total).exp() * (-u.unaryExpr([](double e) { return softplus(e); }) - logs).array().exp();
  const VectorXd bends = weights.array() * (-u.unaryExpr([](double e) { return softplus(-e); })).array().exp();
  const VectorXd g = y * weights;
  return {total / r, -g, r * (y * bends.asDiagonal() * y.transpose() - g * g.transpose())};
}

/// Y_i x_i^p, a column a sample.
MatrixXd mixed_tokens(const NumericProblem& problem, const VectorXd& p) {
  MatrixXd mixed(problem.dimension, static_cast<Index>(problem.tokens.size()));
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    const VectorXd logits = problem.keys[i].transpose() * p;
    const VectorXd s = (logits.array() - logits.maxCoeff()).exp();
    mixed.col(static_cast<Index>(i)) = problem.labels[i] * (problem.tokens[i] * s) / s.sum();
  }
  return mixed;
}

struct SplitEnd {
  bool found;
  std::string reason;
  PointPair pair;
};

class JointFollower {
 public:
  JointFollower(const NumericProblem& problem, const Selection& selection, const VectorXd& v_hint, const VectorXd& p_hint,
                const JointSettings& settings, const Budget& budget)
      : problem_(problem), selection_(selection), v_hint_(v_hint), p_hint_(p_hint), settings_(settings), budget_(budget),
        graph_(problem, selection), joint_(joint_program(problem), {.tolerance = path_ipopt_tolerance, .seconds = budget.seconds_left()}),
        random_(settings.seed) {}

  JointPath run() {
    JointPath path;
    for (const double radius : settings_.radii) {
      if (budget_.spent()) {
        path.ended = "the time was up";
        return path;
      }
      path.points.push_back(point_at(radius));
    }
    return path;
  }

 private:
  JointPoint point_at(double radius) {
    const double r = settings_.head_radius(radius);
    const PointPair ray{v_hint_.normalized(), p_hint_.normalized()};
    const PointPair start = last_ ? *last_ : ray;
    JointPoint point;
    point.radius = radius;
    point.head_radius = r;
    PointPair best = start;
    const bool seen = missing(start, radius) >= joint_wall.relative;
    if (seen) best = joint_solve(starts(start, ray, radius), r, radius, point.status);
    const SplitEnd split = split_solve(best, r, radius);
    point.status += split.found ? "split: solved" : "split: " + split.reason;
    if (split.found && seen && missing(split.pair, radius) <= overlap_from)
      point.overlap = std::max(angle_between(best.a, split.pair.a), angle_between(best.b, split.pair.b));
    if (split.found) best = split.pair;
    last_ = best;
    point.v = inside_ball(best.a, r);
    point.p = inside_ball(best.b, radius);
    check_joint_point(problem_, selection_, v_hint_, p_hint_, point);
    return point;
  }

  double missing(const PointPair& pair, double radius) const {
    return std::exp(log_missing_attention(problem_, selection_, radius * pair.b));
  }

  std::vector<PointPair> starts(const PointPair& followed, const PointPair& ray, double radius) {
    std::vector<PointPair> found = {followed, ray};
    if (radius > settings_.multistart_radius) return found;
    for (int k = 0; k < settings_.starts; ++k) found.push_back({drawn_direction(), drawn_direction()});
    return found;
  }

  VectorXd drawn_direction() {
    std::normal_distribution<double> normal;
    return random_direction(problem_.dimension, random_, normal);
  }

  /// The lowest of IPOPT's answers; the first start where it has none.
  PointPair joint_solve(const std::vector<PointPair>& from, double r, double radius, std::string& status) const {
    PointPair best = from.front();
    double lowest = std::numeric_limits<double>::infinity();
    const Index d = problem_.dimension;
    VectorXd radii(2);
    radii << r, radius;
    status = "IPOPT: no answer, ";
    for (const PointPair& start : from) {
      if (budget_.spent()) return best;
      VectorXd x(2 * d);
      x << 0.9 * start.a, 0.9 * start.b;  // off the border
      const NlpResult found = joint_.solve({x}, VectorXd::Constant(2, -1), VectorXd::Ones(2), radii);
      if (found.end != NlpEnd::solved || !(found.objective < lowest)) continue;
      lowest = found.objective;
      best = {found.x.head(d), found.x.tail(d)};
      status = "IPOPT: " + found.reason + ", ";
    }
    return best;
  }

  /// v and p in turns, each on its sphere, until neither direction moves.
  SplitEnd split_solve(PointPair pair, double r, double radius) const {
    pair.a.normalize();
    pair.b.normalize();
    for (int sweep = 0; sweep < sweep_limit; ++sweep) {
      if (budget_.spent()) return {false, "the time was up", pair};
      const SphereMinimum head = head_step(pair, r, radius);
      if (!head.found) return {false, "v: " + head.reason, pair};
      const SphereMinimum attention = attention_step({head.q, pair.b}, r, radius);
      if (!attention.found) return {false, "p: " + attention.reason, pair};
      const double moved = std::max((head.q - pair.a).norm(), (attention.q - pair.b).norm());
      pair = {head.q, attention.q};
      if (moved <= sweep_tolerance.radians) return {true, "", pair};
      if (sweep + 1 == sweep_limit && moved <= newton_tolerance.radians) return {true, "", pair};
    }
    return {false, "too many sweeps", pair};
  }

  SphereMinimum head_step(const PointPair& pair, double r, double radius) const {
    const MatrixXd y = mixed_tokens(problem_, radius * pair.b);
    const SphereObjective objective{[&](const VectorXd& a) { return head_jet(y, r, a).value; },
                                    [&](const VectorXd& a) { return head_jet(y, r, a); }};
    return minimise_on_sphere(objective, pair.a);
  }

  SphereMinimum attention_step(const PointPair& pair, double r, double radius) const {
    return minimise_on_sphere(excess_on_sphere(graph_, graph_.parameters(r * pair.a, radius)), pair.b);
  }

  const NumericProblem& problem_;
  Selection selection_;
  VectorXd v_hint_;
  VectorXd p_hint_;
  JointSettings settings_;
  Budget budget_;
  ExcessGraph graph_;
  Nlp joint_;
  std::mt19937_64 random_;
  std::optional<PointPair> last_;
};

double largest_of_columns(const std::vector<SampleColumns>& matrices) {
  double largest = 0;
  for (const SampleColumns& matrix : matrices) largest = std::max(largest, matrix.colwise().norm().maxCoeff());
  return largest;
}

double block_stationarity(const LogVector& gradient, const VectorXd& x, double radius, double scale) {
  if (x.norm() >= (1 - sphere_tolerance.relative) * radius) return angle_between(-gradient.vector, x);
  return gradient.vector.norm() / scale;
}

/// Whether (v, p) has a lower loss than the point; beyond the wall only L - L_alpha at the point's v tells.
bool lower_loss(const NumericProblem& problem, const Selection& selection, const JointPoint& point, const VectorXd& v, const VectorXd& p) {
  const double allowed = log_excess_tolerance.relative * std::abs(point.log_loss);
  if (!(point.log_loss <= log_loss(problem, v, p) + allowed)) return true;
  const double ours = log_excess(problem, point.v, selection, point.p);
  if (!std::isfinite(ours)) return false;  // the loss itself has spoken
  return !(ours <= log_excess(problem, point.v, selection, p) + log_excess_tolerance.relative * std::abs(ours));
}

}  // namespace

double JointSettings::head_radius(double radius) const { return factor * std::pow(radius, power); }

void check_joint_point(const NumericProblem& problem, const Selection& selection, const VectorXd& v_hint, const VectorXd& p_hint,
                       JointPoint& point) {
  point.log_loss = log_loss(problem, point.v, point.p);
  const LogVector in_v = log_gradient_v(problem, point.v, point.p);
  const LogVector in_p = log_gradient_p(problem, point.v, point.p);
  point.stationarity_v = block_stationarity(in_v, point.v, point.head_radius, largest_of_columns(problem.tokens));
  point.stationarity_p = block_stationarity(in_p, point.p, point.radius, largest_of_columns(problem.keys));
  point.reason.clear();
  const VectorXd v_ray = v_hint.normalized() * point.head_radius;
  const VectorXd p_ray = p_hint.normalized() * point.radius;
  if (!std::isfinite(point.log_loss))
    point.reason = "the loss is not finite";
  else if (!(point.v.norm() <= point.head_radius))
    point.reason = "|v| > r";
  else if (!(point.p.norm() <= point.radius))
    point.reason = "|p| > R";
  else if (!(point.stationarity_v <= stationarity_tolerance.radians))
    point.reason = "not stationary in v";
  else if (!(point.stationarity_p <= stationarity_tolerance.radians))
    point.reason = "not stationary in p";
  else if (lower_loss(problem, selection, point, v_ray, p_ray))
    point.reason = "the rays of the hints have a lower loss";
  point.verified = point.reason.empty();
}

bool JointPath::verified() const {
  return ended.empty() && !points.empty() && std::ranges::all_of(points, [](const JointPoint& point) { return point.verified; });
}

JointPath::Overlap JointPath::overlap() const {
  Overlap found{0, 0};
  for (const JointPoint& point : points) {
    if (!point.overlap) continue;
    ++found.points;
    if (!(*point.overlap <= found.largest)) found.largest = *point.overlap;
  }
  return found;
}

JointPath follow_joint_path(const NumericProblem& problem, const Selection& selection, const VectorXd& v_hint, const VectorXd& p_hint,
                            const JointSettings& settings, const Budget& budget) {
  if (problem.loss.kind() != Loss::Kind::logistic) throw std::logic_error("the joint path is that of the logistic loss");
  return JointFollower(problem, selection, v_hint, p_hint, settings, budget).run();
}

}  // namespace attest

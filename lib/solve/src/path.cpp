#include "attest/solve/path.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/graph/excess_graph.hpp"
#include "attest/solve/dense.hpp"
#include "attest/solve/descent.hpp"
#include "attest/solve/rate.hpp"
#include "nlp.hpp"
#include "sphere_newton.hpp"

#include <chrono>
#include <cmath>
#include <random>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// How often a step may be halved on the scale of log R before the path gives up.
constexpr int halving_limit = 6;
/// Downwards a branch may really end, and each try costs an interior-point solve.
constexpr int downward_halvings = 2;
/// IPOPT's points from this part of R on are meant to be on the sphere.
constexpr double near_sphere = 1 - 1e-4;

/// |p| <= R in exact arithmetic too: the unit vector and its product round by less.
VectorXd inside(const VectorXd& q, double radius) {
  const double rounding = static_cast<double>(q.size() + 4) * std::numeric_limits<double>::epsilon();
  const double norm = q.norm();
  return q * (radius * std::min(1.0, (1 - rounding) / norm));
}

/// L depends on p through its products with the rows alone, so a minimiser lies in their span. Where they are fewer than the
/// numbers of p, as they are for weights, the path is looked for in an orthonormal basis of the span.
class RowSpan {
 public:
  RowSpan(const NumericProblem& problem, const Selection& selection) : image_(problem) {
    Index count = 0;
    for (const MatrixXd& keys : problem.keys) count += keys.cols() - 1;
    if (count == 0 || count >= problem.dimension) return;
    MatrixXd rows(problem.dimension, count);
    Index row = 0;
    for (std::size_t i = 0; i < problem.keys.size(); ++i) {
      const auto chosen = static_cast<Index>(selection[i]);
      image_.keys[i].colwise() -= problem.keys[i].col(chosen);
      for (Index t = 0; t < problem.keys[i].cols(); ++t)
        if (t != chosen) rows.col(row++) = image_.keys[i].col(t);
    }
    basis_ = thin_qr(rows).Q;
    for (MatrixXd& keys : image_.keys) keys = basis_.transpose() * keys;
    image_.dimension = count;
  }

  const NumericProblem& image() const { return image_; }
  VectorXd coordinates(const VectorXd& p) const { return basis_.size() > 0 ? VectorXd(basis_.transpose() * p) : p; }
  VectorXd point(const VectorXd& q) const { return basis_.size() > 0 ? VectorXd(basis_ * q) : q; }

 private:
  NumericProblem image_;
  MatrixXd basis_;  // empty: the standard one
};

/// A point that some method proposes for a radius.
struct Proposal {
  bool found = false;
  VectorXd q = {};  // p/R
  double value = std::numeric_limits<double>::infinity();
  double multiplier = 0;
  int iterations = 0;
  std::string status = {};
};

/// Minimisers at one radius: Newton's method on the sphere and IPOPT on the ball.
class BallSolver {
 public:
  BallSolver(const NumericProblem& problem, const VectorXd& v, const Selection& selection, const VectorXd& ray,
             const std::optional<double>& cone_mu, const Budget& budget)
      : graph_(problem, selection), v_(v), ray_(ray), cone_mu_(cone_mu), budget_(budget) {}

  /// Where IPOPT ends from a start with a multiplier, against the point that was found.
  IpoptOpinion second_opinion(const Proposal& proposal, double radius, const VectorXd& start, std::optional<double> multiplier) {
    const NlpResult found = solve_ball(start, radius, multiplier);
    IpoptOpinion opinion{to_string(found.end), found.iterations, {}, {}, {}};
    if (!(found.x.norm() > 0)) return opinion;
    opinion.q = found.x * std::min(1.0, 1 / found.x.norm());
    opinion.distance = direction_error(found.x, proposal.q);
    if (!outside_cone(opinion.q)) opinion.lower_by = proposal.value - value_at(opinion.q, radius);
    return opinion;
  }

  bool outside_cone(const VectorXd& p) const { return cone_mu_ && !(p.dot(ray_) >= (1 - *cone_mu_) * p.norm()); }

  double value_at(const VectorXd& q, double radius) const { return graph_.value(q, graph_.parameters(v_, radius)); }

  Proposal newton(const VectorXd& start, double radius) const {
    if (budget_.spent()) return {.status = "the time was up"};
    const VectorXd parameters = graph_.parameters(v_, radius);
    const SphereObjective objective{
        [&](const VectorXd& q) {  // no value outside the cone, and none when the time is up: no step is taken then
          return outside_cone(q) || budget_.spent() ? std::numeric_limits<double>::quiet_NaN() : graph_.value(q, parameters);
        },
        [&](const VectorXd& q) {
          ExcessGraph::Jet jet = graph_.jet(q, parameters);
          return SphereObjective::Jet{jet.value, std::move(jet.gradient), std::move(jet.hessian)};
        }};
    const SphereMinimum minimum = minimise_on_sphere(objective, start);
    const std::string status = minimum.found ? "Newton: solved" : "Newton: " + minimum.reason;
    return {minimum.found, minimum.q, graph_.value(minimum.q, parameters), minimum.multiplier, minimum.iterations, status};
  }

  /// In a cone IPOPT is not asked: a point on the border of the cone would be no minimiser of the kind that is looked for.
  Proposal interior_point(const VectorXd& start, double radius, std::optional<double> multiplier) {
    if (cone_mu_) return {.status = "Newton found no minimiser inside the cone"};
    if (budget_.spent()) return {.status = "the time was up"};
    const NlpResult found = solve_ball(start, radius, multiplier);
    if (found.end != NlpEnd::solved) return {.iterations = found.iterations, .status = "IPOPT: " + found.reason};
    const Proposal proposal{true, found.x, found.objective, 2 * found.g_multipliers[0], found.iterations, "IPOPT: " + found.reason};
    return found.x.norm() >= near_sphere ? onto_sphere(proposal, radius) : polished(proposal, radius);
  }

 private:
  NlpResult solve_ball(const VectorXd& start, double radius, std::optional<double> multiplier) {
    if (!ball_) {
      const casadi::Dict derivatives = {{"grad_f", graph_.gradient()}, {"hess_lag", graph_.lagrangian_hessian()}};
      ball_.emplace(graph_.program(), NlpSettings{.tolerance = path_ipopt_tolerance, .warm = true, .seconds = budget_.seconds_left(), .derivatives = derivatives});
    }
    const VectorXd no_lower = VectorXd::Constant(1, -std::numeric_limits<double>::infinity());
    return ball_->solve({start, {}, multiplier ? VectorXd::Constant(1, *multiplier / 2) : VectorXd()}, no_lower, VectorXd::Ones(1),
                        graph_.parameters(v_, radius));
  }

  /// Inside the ball: Newton steps while they lower the gradient, which IPOPT leaves at its tolerance.
  Proposal polished(Proposal proposal, double radius) const {
    const VectorXd parameters = graph_.parameters(v_, radius);
    ExcessGraph::Jet jet = graph_.jet(proposal.q, parameters);
    while (true) {
      const VectorXd q = proposal.q - solve_symmetric(jet.hessian, jet.gradient);
      if (!(q.norm() < 1)) return proposal;
      const ExcessGraph::Jet next = graph_.jet(q, parameters);
      if (!(next.gradient.norm() < jet.gradient.norm() / 2)) return proposal;
      proposal.q = q;
      proposal.value = next.value;
      jet = next;
    }
  }

  /// The barrier keeps IPOPT a little inside: Newton's method takes its point to the sphere.
  Proposal onto_sphere(const Proposal& near, double radius) const {
    Proposal polished = newton(near.q, radius);
    polished.iterations += near.iterations;
    polished.status = near.status + ", " + polished.status;
    return polished;
  }

  ExcessGraph graph_;
  VectorXd v_;
  VectorXd ray_;
  std::optional<double> cone_mu_;
  Budget budget_;
  std::optional<Nlp> ball_;
};

/// The lower of two proposals; of two failures the later one speaks.
void challenge(Proposal& best, const Proposal& rival) {
  const bool lower = rival.found && (!best.found || rival.value < best.value - log_excess_tolerance.relative * std::abs(best.value));
  if (lower || (!best.found && !rival.found)) best = rival;
}

/// One branch of minimisers, followed from radius to radius, upwards or downwards.
class Branch {
 public:
  explicit Branch(BallSolver& solver) : solver_(solver) {}

  bool empty() const { return before_.empty(); }
  /// |p|/R of the last point.
  double last_ratio() const { return before_.back().p.norm() / before_.back().radius; }
  VectorXd last_point() const { return before_.back().p; }
  double last_multiplier() const { return before_.back().multiplier; }

  /// p + (R' - R)(p - p_before)/(R - R_before), as a unit vector.
  VectorXd predicted(double radius) const {
    const Solved& last = before_.back();
    if (before_.size() < 2) return last.p / last.radius;
    const Solved& earlier = before_.front();
    const VectorXd secant = (last.p - earlier.p) / (last.radius - earlier.radius);
    const VectorXd p = last.p + (radius - last.radius) * secant;
    return p.norm() > 0 ? VectorXd(p.normalized()) : VectorXd(last.p / last.radius);
  }

  void accept(const Proposal& proposal, double radius) {
    before_.push_back({radius, radius * proposal.q, proposal.multiplier});
    if (before_.size() > 2) before_.erase(before_.begin());
  }

  /// From the last point to this radius; in two shorter steps where one fails.
  Proposal follow(double radius, int halvings = halving_limit) {
    const VectorXd start = predicted(radius);
    Proposal proposal = solver_.newton(start, radius);
    if (!proposal.found) challenge(proposal, solver_.interior_point(start, radius, before_.back().multiplier));
    if (proposal.found || halvings == 0) return proposal;
    const std::vector<Solved> kept = before_;
    const double middle = std::sqrt(radius * before_.back().radius);
    const Proposal between = follow(middle, halvings - 1);
    if (between.found) {
      accept(between, middle);
      proposal = follow(radius, halvings - 1);
    }
    before_ = kept;
    return proposal;
  }

 private:
  struct Solved {
    double radius;
    VectorXd p;
    double multiplier;
  };

  BallSolver& solver_;
  std::vector<Solved> before_;  // the last two
};

class Follower {
 public:
  Follower(const NumericProblem& problem, const VectorXd& v, const Selection& selection, const VectorXd& hint,
           const PathSettings& settings, const Budget& budget)
      : problem_(problem), span_(problem, selection), v_(v), selection_(selection), ray_(span_.coordinates(hint).normalized()),
        settings_(settings), solver_(span_.image(), v, selection, ray_, settings.cone_mu, budget), random_(settings.seed) {}

  Path run(const Budget& budget) {
    std::vector<Proposal> found = downwards(budget);
    if (!settings_.cone_mu) upwards(found, budget);
    for (std::size_t k = 0; k < found.size() && !budget.spent(); ++k) repair(found, k);
    std::vector<std::optional<IpoptOpinion>> opinions(found.size());
    if (settings_.ask_ipopt) opinions = ask_ipopt(found, budget);
    Path path;
    for (std::size_t k = 0; k < found.size(); ++k) {
      path.points.push_back(record(found[k], settings_.radii[k], path));
      path.points.back().ipopt = opinions[k];
      if (opinions[k] && opinions[k]->lower_by && !(*opinions[k]->lower_by <= log_excess_tolerance.relative * std::abs(found[k].value)))
        refuse(path.points.back().check, "IPOPT finds a lower loss");
    }
    if (budget.spent()) path.ended = "the time was up";
    return path;
  }

 private:
  /// The branch that ends at the ray, from the last radius as far down as it goes.
  std::vector<Proposal> downwards(const Budget& budget) {
    std::vector<Proposal> found(settings_.radii.size(), Proposal{.status = "the branch of the ray does not reach down to here"});
    Branch branch(solver_);
    for (std::size_t k = found.size(); k-- > 0 && !budget.spent();) {
      const double radius = settings_.radii[k];
      if (!branch.empty()) found[k] = branch.follow(radius, downward_halvings);
      if (!found[k].found || solver_.value_at(ray_, radius) < found[k].value) challenge(found[k], solver_.newton(ray_, radius));
      if (!found[k].found && !branch.empty()) return found;
      if (found[k].found) branch.accept(found[k], radius);
    }
    return found;
  }

  /// The lowest of several starts, from the first radius on, until beyond the starts the other branch is met or lower.
  void upwards(std::vector<Proposal>& found, const Budget& budget) {
    Branch branch(solver_);
    for (std::size_t k = 0; k < found.size() && !budget.spent(); ++k) {
      const double radius = settings_.radii[k];
      Proposal best = branch.empty() ? Proposal{.status = "no start"} : branch.follow(radius);
      bool agreed = true;
      for (const VectorXd& start : starts(radius)) {
        const Proposal rival = solver_.newton(start, radius);
        agreed = agreed && rival.found && (!best.found || (rival.q - best.q).norm() <= branch_tolerance.radians);
        challenge(best, rival);
      }
      if (!best.found || (branch.empty() ? !agreed : branch.last_ratio() < near_sphere))
        challenge(best, solver_.interior_point(branch.empty() ? VectorXd(ray_ / 8) : VectorXd(branch.last_point() / radius), radius, {}));
      if (best.found) branch.accept(best, radius);
      const bool overtaken = found[k].found && !(best.found && best.value < found[k].value);
      challenge(found[k], best);
      if (overtaken && radius > settings_.multistart_radius) return;
    }
  }

  /// Where the ray or the point of the radius below has a lower loss, both branches missed a minimiser: start there.
  void repair(std::vector<Proposal>& found, std::size_t k) {
    const double radius = settings_.radii[k];
    std::vector<VectorXd> rivals = {ray_};
    if (k > 0 && found[k - 1].found) rivals.push_back(found[k - 1].q * (settings_.radii[k - 1] / radius));
    for (const VectorXd& rival : rivals) {
      const double value = solver_.value_at(rival, radius);
      if (!found[k].found || value < found[k].value) challenge(found[k], solver_.newton(rival, radius));
      if (!found[k].found || value < found[k].value) challenge(found[k], solver_.interior_point(rival, radius, {}));
    }
  }

  /// IPOPT walks the same path: each point from the two before it, by the secant predictor and with the last multiplier. Where
  /// it finds a lower loss, the point moves there.
  std::vector<std::optional<IpoptOpinion>> ask_ipopt(std::vector<Proposal>& found, const Budget& budget) {
    std::vector<std::optional<IpoptOpinion>> opinions(found.size());
    Branch branch(solver_);
    for (std::size_t k = 0; k < found.size() && !budget.spent(); ++k) {
      if (!found[k].found) continue;
      const double radius = settings_.radii[k];
      IpoptOpinion opinion = branch.empty() ? solver_.second_opinion(found[k], radius, ray_ / 2, {})
                                            : solver_.second_opinion(found[k], radius, branch.predicted(radius), branch.last_multiplier());
      if (opinion.lower_by && !(*opinion.lower_by <= log_excess_tolerance.relative * std::abs(found[k].value)))
        challenge(found[k], solver_.newton(opinion.q, radius));
      // Where the lowest branch changes, IPOPT stays on the old one: from near the point it must come back to it.
      if (!opinion.distance || !(*opinion.distance <= branch_tolerance.radians)) {
        const int spent = opinion.iterations;
        opinion = solver_.second_opinion(found[k], radius, near_sphere * found[k].q, found[k].multiplier);
        opinion.iterations += spent;
      }
      opinions[k] = opinion;
      branch.accept(found[k], radius);
    }
    return opinions;
  }

  PathPoint record(const Proposal& best, double radius, const Path& path) const {
    const VectorXd& q = best.found ? best.q : ray_;
    PathPoint point{radius, inside(span_.point(q), radius), best.iterations, best.status, {}};
    std::vector<VectorXd> rivals = {inside(span_.point(ray_), radius)};
    if (!path.points.empty() && path.points.back().check.verified) rivals.push_back(path.points.back().p);
    point.check = check_path_point(problem_, v_, selection_, point.p, radius, rivals);
    if (!best.found) refuse(point.check, "no minimiser found: " + best.status);
    if (solver_.outside_cone(q)) refuse(point.check, "it left the cone");
    return point;
  }

  static void refuse(PathCheck& check, const std::string& reason) {
    check.verified = false;
    check.reason = reason;
  }

  std::vector<VectorXd> starts(double radius) {
    std::vector<VectorXd> directions;
    if (radius > settings_.multistart_radius) return directions;
    std::normal_distribution<double> normal;
    for (int k = 0; k < settings_.starts; ++k) {
      VectorXd direction(ray_.size());
      for (double& entry : direction) entry = normal(random_);
      directions.push_back(direction.normalized());
    }
    return directions;
  }

  const NumericProblem& problem_;
  RowSpan span_;
  VectorXd v_;
  Selection selection_;
  VectorXd ray_;  // in the coordinates of the span, as all that is proposed
  PathSettings settings_;
  BallSolver solver_;
  std::mt19937_64 random_;
};

}  // namespace

std::vector<double> doubling_radii(double first, double last) {
  std::vector<double> radii;
  for (double radius = first; radius < last; radius *= 2) radii.push_back(radius);
  radii.push_back(last);
  return radii;
}

bool Path::verified() const {
  if (!ended.empty() || points.empty()) return false;
  for (const PathPoint& point : points)
    if (!point.check.verified) return false;
  return true;
}

VectorXd Path::final_direction() const { return points.empty() ? VectorXd() : VectorXd(points.back().p.normalized()); }

VectorXd Path::secant_direction() const {
  if (points.size() < 2) return final_direction();
  return (points.back().p - points[points.size() - 2].p).normalized();
}

Path follow_path(const NumericProblem& problem, const VectorXd& v, const Selection& selection, const VectorXd& hint,
                 const PathSettings& settings, const Budget& budget) {
  const auto begin = std::chrono::steady_clock::now();
  Follower follower(problem, v, selection, hint, settings, budget);
  const double build_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  Path path = follower.run(budget);
  path.build_seconds = build_seconds;
  return path;
}

std::optional<double> direction_rate(const Path& path, const VectorXd& target, double from_radius) {
  std::vector<LogPoint> points;
  for (const PathPoint& point : path.points) {
    const double error = direction_error(point.p, target);
    if (point.check.verified && point.radius >= from_radius && error > direction_floor.distance)
      points.push_back({std::log(point.radius), std::log(error)});
  }
  return fit_slope(points);
}

}  // namespace attest

#include "path_follower.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/solve/dense.hpp"
#include "attest/solve/descent.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace attest {
namespace {

using Eigen::VectorXd;

/// IPOPT's points from this part of R on are meant to be on the sphere.
constexpr double near_sphere = 1 - 1e-4;

/// A point that some method proposes for a radius.
struct Proposal {
  bool found = false;
  VectorXd q = {};
  double value = std::numeric_limits<double>::infinity();
  double multiplier = 0;
  int iterations = 0;
  std::string status = {};
};

/// The lower of two proposals; of two failures the later one speaks.
void challenge(Proposal& best, const Proposal& rival) {
  const bool lower = rival.found && (!best.found || rival.value < best.value - log_excess_tolerance.relative * std::abs(best.value));
  if (lower || (!best.found && !rival.found)) best = rival;
}

/// Whether IPOPT's point is lower by more than rounding explains.
bool is_lower(const IpoptOpinion& opinion, const Proposal& best) {
  return opinion.lower_by && !(*opinion.lower_by <= log_excess_tolerance.relative * std::abs(best.value));
}

/// Minimisers at one radius: Newton's method on the sphere and IPOPT on the ball.
class BallSolver {
 public:
  BallSolver(PathProblem& problem, bool local, const Budget& budget) : problem_(problem), local_(local), budget_(budget) {}

  double value_at(const VectorXd& q, double radius) const { return problem_.objective(radius).value(q); }

  Proposal newton(const VectorXd& start, double radius) const {
    if (budget_.spent()) return {.status = "the time was up"};
    const SphereObjective whole = problem_.objective(radius);
    const SphereObjective allowed{
        [&](const VectorXd& q) {  // no value outside the cone, and none when the time is up: no step is taken then
          return problem_.outside_cone(q) || budget_.spent() ? std::numeric_limits<double>::quiet_NaN() : whole.value(q);
        },
        whole.jet, whole.slope};
    const SphereMinimum minimum = minimise_on_sphere(allowed, start);
    const std::string status = minimum.found ? "Newton: solved" : "Newton: " + minimum.reason;
    return {minimum.found, minimum.q, whole.value(minimum.q), minimum.multiplier, minimum.iterations, status};
  }

  /// Lets IPOPT, or Newton's method inside the ball, challenge what was found.
  void ask_interior_point(Proposal& best, const VectorXd& start, double radius, std::optional<double> multiplier) {
    if (problem_.has_interior_point())
      challenge(best, interior_point(start, radius, multiplier));
    else if (problem_.may_end_inside())
      challenge(best, inside(start, radius));
  }

  /// Where IPOPT ends from a start with a multiplier, against the point that was found.
  IpoptOpinion second_opinion(const Proposal& proposal, double radius, const VectorXd& start, std::optional<double> multiplier) {
    const NlpResult found = problem_.interior_point(start, radius, multiplier);
    IpoptOpinion opinion{to_string(found.end), found.iterations, {}, {}, {}};
    if (!(found.x.norm() > 0)) return opinion;
    opinion.q = found.x * std::min(1.0, 1 / found.x.norm());
    opinion.distance = direction_error(found.x, proposal.q);
    if (!problem_.outside_cone(opinion.q)) opinion.lower_by = proposal.value - value_at(opinion.q, radius);
    return opinion;
  }

 private:
  Proposal inside(const VectorXd& start, double radius) const {
    if (local_) return {.status = "Newton found no minimiser inside the cone"};
    if (budget_.spent()) return {.status = "the time was up"};
    const SphereObjective objective = problem_.objective(radius);
    const SphereMinimum minimum = minimise_inside(objective, start);
    const std::string status = minimum.found ? "Newton inside the ball: solved" : "Newton inside the ball: " + minimum.reason;
    return {minimum.found, minimum.q, objective.value(minimum.q), 0, minimum.iterations, status};
  }

  /// In a cone IPOPT is not asked: a point on the border of the cone would be no minimiser of the kind that is looked for.
  Proposal interior_point(const VectorXd& start, double radius, std::optional<double> multiplier) {
    if (local_) return {.status = "Newton found no minimiser inside the cone"};
    if (budget_.spent()) return {.status = "the time was up"};
    const NlpResult found = problem_.interior_point(start, radius, multiplier);
    if (found.end != NlpEnd::solved) return {.iterations = found.iterations, .status = "IPOPT: " + found.reason};
    const Proposal proposal{true, found.x, found.objective, 2 * found.g_multipliers[0], found.iterations, "IPOPT: " + found.reason};
    return found.x.norm() >= near_sphere ? onto_sphere(proposal, radius) : polished(proposal, radius);
  }

  /// Inside the ball: Newton steps while they lower the gradient, which IPOPT leaves at its tolerance.
  Proposal polished(Proposal proposal, double radius) const {
    const SphereObjective objective = problem_.objective(radius);
    SphereObjective::Jet jet = objective.jet(proposal.q);
    while (true) {
      const VectorXd q = proposal.q - solve_symmetric(jet.hessian, jet.gradient);
      if (!(q.norm() < 1)) return proposal;
      const SphereObjective::Jet next = objective.jet(q);
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

  PathProblem& problem_;
  bool local_;
  Budget budget_;
};

/// One branch of minimisers, followed from radius to radius, upwards or downwards.
class Branch {
 public:
  Branch(const PathProblem& problem, BallSolver& solver) : problem_(problem), solver_(solver) {}

  bool empty() const { return before_.empty(); }
  /// |q| of the last point.
  double last_ratio() const { return last_point().norm() / before_.back().radius; }
  /// R q of the last point.
  VectorXd last_point() const { return before_.back().radius * before_.back().q; }
  double last_multiplier() const { return last_multiplier_; }

  VectorXd predicted(double radius) const {
    return before_.size() < 2 ? VectorXd(last_point() / before_.back().radius)
                              : problem_.predicted(before_.front(), before_.back(), radius);
  }

  void accept(const Proposal& proposal, double radius) {
    before_.push_back({radius, proposal.q});
    if (before_.size() > 2) before_.erase(before_.begin());
    last_multiplier_ = proposal.multiplier;
  }

  /// From the last point to this radius; in two shorter steps where one fails.
  Proposal follow(double radius, int halvings) {
    const VectorXd start = predicted(radius);
    Proposal proposal = solver_.newton(start, radius);
    if (!proposal.found) solver_.ask_interior_point(proposal, start, radius, last_multiplier_);
    if (proposal.found || halvings == 0) return proposal;
    const Branch kept = *this;
    const double middle = std::sqrt(radius * before_.back().radius);
    const Proposal between = follow(middle, halvings - 1);
    if (between.found) {
      accept(between, middle);
      proposal = follow(radius, halvings - 1);
    }
    before_ = kept.before_;
    last_multiplier_ = kept.last_multiplier_;
    return proposal;
  }

 private:
  const PathProblem& problem_;
  BallSolver& solver_;
  std::vector<PathProblem::Place> before_;  // the last two
  double last_multiplier_ = 0;
};

class Follower {
 public:
  Follower(PathProblem& problem, const PathSettings& settings, const Budget& budget)
      : problem_(problem), ray_(problem.ray()), settings_(settings), budget_(budget),
        solver_(problem, settings.cone_mu.has_value(), budget), random_(settings.seed) {}

  Path run() {
    std::vector<Proposal> found = downwards();
    if (!settings_.cone_mu) upwards(found);
    // Where nothing keeps Newton's method in the cone, another start would end on another branch.
    if (!settings_.cone_mu || problem_.knows_cone())
      for (std::size_t k = 0; k < found.size() && !budget_.spent(); ++k) repair(found, k);
    std::vector<std::optional<IpoptOpinion>> opinions(found.size());
    if (settings_.ask_ipopt && problem_.has_interior_point()) opinions = ask_ipopt(found);
    Path path;
    for (std::size_t k = 0; k < found.size(); ++k) {
      path.points.push_back(record(found[k], settings_.radii[k], path));
      path.points.back().ipopt = opinions[k];
      if (opinions[k] && is_lower(*opinions[k], found[k])) refuse(path.points.back().check, "IPOPT finds a lower loss");
    }
    if (budget_.spent()) path.ended = "the time was up";
    return path;
  }

 private:
  /// The branch that ends at the ray, from the last radius as far down as it goes.
  std::vector<Proposal> downwards() {
    std::vector<Proposal> found(settings_.radii.size(), Proposal{.status = "the branch of the ray does not reach down to here"});
    Branch branch(problem_, solver_);
    for (std::size_t k = found.size(); k-- > 0 && !budget_.spent();) {
      const double radius = settings_.radii[k];
      Proposal best = branch.empty() ? found[k] : branch.follow(radius, problem_.halvings().down);
      if (!best.found || solver_.value_at(ray_, radius) < best.value) challenge(best, solver_.newton(ray_, radius));
      if (!best.found && !branch.empty()) return found;
      if (best.found) branch.accept(best, radius);
      found[k] = best;
    }
    return found;
  }

  /// The lowest of several starts, from the first radius on, until beyond the starts the other branch is met or lower.
  void upwards(std::vector<Proposal>& found) {
    Branch branch(problem_, solver_);
    for (std::size_t k = 0; k < found.size() && !budget_.spent(); ++k) {
      const double radius = settings_.radii[k];
      Proposal best = branch.empty() ? Proposal{.status = "no start"} : branch.follow(radius, problem_.halvings().up);
      bool agreed = true;
      for (const VectorXd& start : starts(radius)) {
        const Proposal rival = solver_.newton(start, radius);
        agreed = agreed && rival.found && (!best.found || (rival.q - best.q).norm() <= branch_tolerance.radians);
        challenge(best, rival);
      }
      if (!best.found || (branch.empty() ? !agreed : branch.last_ratio() < near_sphere))
        solver_.ask_interior_point(best, branch.empty() ? VectorXd(ray_ / 8) : VectorXd(branch.last_point() / radius), radius, {});
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
    if (k > 0 && found[k - 1].found) rivals.push_back(found[k - 1].q * std::pow(settings_.radii[k - 1] / radius, 1.0 / problem_.degree()));
    for (const VectorXd& rival : rivals) {
      const double value = solver_.value_at(rival, radius);
      if (!found[k].found || value < found[k].value) challenge(found[k], solver_.newton(rival, radius));
      if (!found[k].found || value < found[k].value) solver_.ask_interior_point(found[k], rival, radius, {});
    }
  }

  /// IPOPT walks the same path: each point from the two before it, by the secant predictor and with the last multiplier. Where
  /// it finds a lower loss, the point moves there.
  std::vector<std::optional<IpoptOpinion>> ask_ipopt(std::vector<Proposal>& found) {
    std::vector<std::optional<IpoptOpinion>> opinions(found.size());
    Branch branch(problem_, solver_);
    for (std::size_t k = 0; k < found.size() && !budget_.spent(); ++k) {
      if (!found[k].found) continue;
      const double radius = settings_.radii[k];
      IpoptOpinion opinion = branch.empty() ? solver_.second_opinion(found[k], radius, ray_ / 2, {})
                                            : solver_.second_opinion(found[k], radius, branch.predicted(radius), branch.last_multiplier());
      if (is_lower(opinion, found[k])) challenge(found[k], solver_.newton(opinion.q, radius));
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
    PathPoint point{radius, problem_.point(q, radius), best.iterations, best.status, {}};
    std::vector<VectorXd> rivals = {problem_.point(ray_, radius)};
    if (!path.points.empty() && path.points.back().check.verified) rivals.push_back(path.points.back().p);
    point.check = problem_.check(point.p, radius, rivals);
    if (!best.found) refuse(point.check, "no minimiser found: " + best.status);
    if (problem_.outside_cone(q)) refuse(point.check, "it left the cone");
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
    for (int k = 0; k < settings_.starts; ++k) directions.push_back(problem_.random_start(random_, normal));
    return directions;
  }

  PathProblem& problem_;
  VectorXd ray_;
  PathSettings settings_;
  Budget budget_;
  BallSolver solver_;
  std::mt19937_64 random_;
};

}  // namespace

VectorXd PathProblem::predicted(const Place& earlier, const Place& last, double radius) const {
  const VectorXd here = last.radius * last.q;
  const VectorXd secant = (here - earlier.radius * earlier.q) / (last.radius - earlier.radius);
  const VectorXd there = here + (radius - last.radius) * secant;
  return there.norm() > 0 ? VectorXd(there.normalized()) : VectorXd(here / last.radius);
}

VectorXd PathProblem::random_start(std::mt19937_64& random, std::normal_distribution<double>& normal) const {
  return random_direction(ray().size(), random, normal);
}

Path follow(PathProblem& problem, const PathSettings& settings, const Budget& budget) { return Follower(problem, settings, budget).run(); }

SphereObjective excess_on_sphere(const ExcessGraph& graph, const VectorXd& parameters) {
  return {[&graph, parameters](const VectorXd& q) { return graph.value(q, parameters); },
          [&graph, parameters](const VectorXd& q) {
            ExcessGraph::Jet jet = graph.jet(q, parameters);
            return SphereObjective::Jet{jet.value, std::move(jet.gradient), std::move(jet.hessian)};
          }};
}

// Squares are added in long doubles, of 64 bits: the norm is right to size * 2^-63, and four roundings of doubles follow.
VectorXd inside_ball(const VectorXd& q, double radius) {
  const double rounding = 4 * std::numeric_limits<double>::epsilon() + static_cast<double>(q.size()) * 0x1p-62;
  const auto norm = static_cast<double>(q.cast<long double>().norm());
  return q * (radius * std::min(1.0, (1 - rounding) / norm));
}

VectorXd random_direction(Eigen::Index size, std::mt19937_64& random, std::normal_distribution<double>& normal) {
  VectorXd direction(size);
  for (double& entry : direction) entry = normal(random);
  return direction.normalized();
}

}  // namespace attest

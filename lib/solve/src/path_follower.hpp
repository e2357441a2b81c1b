#pragma once

#include "attest/graph/casadi/excess_graph.hpp"
#include "attest/solve/path.hpp"
#include "nlp.hpp"
#include "sphere_newton.hpp"

#include <Eigen/Core>

#include <optional>
#include <random>
#include <vector>

namespace attest {

/// What a path is followed on: for each radius R an objective on the unit ball of coordinates q. The prompt p and the weights W are
/// R q; (K, Q) are sqrt(2R) q.
class PathProblem {
 public:
  PathProblem() = default;
  PathProblem(const PathProblem&) = delete;
  PathProblem& operator=(const PathProblem&) = delete;
  virtual ~PathProblem() = default;

  /// The direction that the path is expected to end in, a unit vector.
  virtual const Eigen::VectorXd& ray() const = 0;
  /// log(L - L_alpha) / R.
  virtual SphereObjective objective(double radius) const = 0;
  /// The parameters that q stands for, in the ball in exact arithmetic too.
  virtual Eigen::VectorXd point(const Eigen::VectorXd& q, double radius) const = 0;
  virtual PathCheck check(const Eigen::VectorXd& point, double radius, const std::vector<Eigen::VectorXd>& rivals) const = 0;

  /// The power of q that the parameters are: 1, or 2 for products.
  virtual int degree() const = 0;
  /// How often a step down or up may be halved on the scale of log R before a branch ends.
  struct Halvings {
    int down;
    int up;
  };
  virtual Halvings halvings() const = 0;

  /// Of a branch.
  struct Place {
    double radius;
    Eigen::VectorXd q;
  };
  /// Where the branch through two points is expected at a radius: on the line through the R q. Far out q is smooth in 1/R, so R q is in R.
  virtual Eigen::VectorXd predicted(const Place& earlier, const Place& last, double radius) const;

  /// Whether the problem is that of a cone, which q is not in. Where nothing says so, a local path is kept to its branch by following
  /// alone.
  virtual bool knows_cone() const { return false; }
  virtual bool outside_cone(const Eigen::VectorXd& /*q*/) const { return false; }

  /// A unit vector to start from, of the span of what the objective depends on.
  virtual Eigen::VectorXd random_start(std::mt19937_64& random, std::normal_distribution<double>& normal) const;

  /// Whether minimisers inside the ball are looked for by Newton's method where IPOPT is not asked; the objective has slopes then.
  virtual bool may_end_inside() const { return false; }
  /// IPOPT on the ball from a start and with a multiplier of the objective on the sphere; nothing where it is not asked.
  virtual bool has_interior_point() const { return false; }
  virtual NlpResult interior_point(const Eigen::VectorXd& /*start*/, double /*radius*/, std::optional<double> /*multiplier*/) { return {}; }
};

/// As follow_path and follow_factored_path say.
Path follow(PathProblem& problem, const PathSettings& settings, const Budget& budget);

/// f of the graph at these parameters; the graph must outlive it.
SphereObjective excess_on_sphere(const ExcessGraph& graph, const Eigen::VectorXd& parameters);

/// |x| <= R in exact arithmetic too, for x = R q with |q| at most about 1: the unit vector and its product round by less.
Eigen::VectorXd inside_ball(const Eigen::VectorXd& q, double radius);

/// A unit vector, uniform on the sphere.
Eigen::VectorXd random_direction(Eigen::Index size, std::mt19937_64& random, std::normal_distribution<double>& normal);

}  // namespace attest

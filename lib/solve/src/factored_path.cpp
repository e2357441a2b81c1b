#include "attest/solve/factored_path.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/graph/excess_graph.hpp"
#include "attest/solve/dense.hpp"
#include "spectrum.hpp"
#include "sphere_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace attest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// How often a step may be halved on the scale of log R before a branch ends.
constexpr int halving_limit = 3;

/// f(x) = log(L(2R K Q^T) - L_alpha) / R on the unit sphere of x = (K, Q), on which nuc(2 K Q^T) <= 1.
///
/// The rows of W count in the span of the queries only: Q is written in an orthonormal basis of it, where that is smaller than
/// R^d. As d + b numbers a column K and Q have as many columns as W can have rank.
class FactoredObjective {
 public:
  FactoredObjective(const Problem& problem, const Selection& selection)
      : basis_(query_basis(query_columns(problem))), graph_(image(problem, basis_), selection),
        v_(image_vector(*problem.v)), d_(basis_.rows()), b_(basis_.cols()), m_(std::min(d_, b_)) {}

  Index size() const { return (d_ + b_) * m_; }

  double value(const VectorXd& x, double radius) const { return graph_.value(product(x), graph_.parameters(v_, radius)); }

  SphereObjective::Jet jet(const VectorXd& x, double radius) const {
    const ExcessGraph::Jet inner = graph_.jet(product(x), graph_.parameters(v_, radius));
    const MatrixXd g = inner.gradient.reshaped(b_, d_);  // the transpose of df/dM, M = 2 K Q^T
    const MatrixXd K = K_of(x);
    const MatrixXd Q = Q_of(x);
    const MatrixXd J = jacobian(K, Q);
    SphereObjective::Jet jet{inner.value, 2 * stacked(g.transpose() * Q, g * K), J.transpose() * inner.hessian * J};
    for (Index c = 0; c < m_; ++c) {  // d2M = 4 dK dQ^T
      jet.hessian.block(c * d_, d_ * m_ + c * b_, d_, b_) += 2 * g.transpose();
      jet.hessian.block(d_ * m_ + c * b_, c * d_, b_, d_) += 2 * g;
    }
    stiffen(jet, K, Q);
    return jet;
  }

  /// W by rows: R times the product.
  VectorXd weights(const VectorXd& x, double radius) const {
    const MatrixXd transposed = basis_ * product(x).reshaped(b_, d_);
    return radius * transposed.reshaped();
  }

  /// The factors of least norm of a W, as a point of the sphere.
  VectorXd factors(const VectorXd& W) const {
    const Spectrum spectrum(as_matrix(W) * basis_);
    return stacked(spectrum.K, spectrum.Q).normalized();
  }

 private:
  static MatrixXd query_basis(const MatrixXd& queries) {
    if (queries.cols() >= queries.rows()) return MatrixXd::Identity(queries.rows(), queries.rows());
    return thin_qr(queries).Q;
  }

  /// Keys x_it (basis^T z_i)^T by rows.
  static NumericProblem image(const Problem& problem, const MatrixXd& basis) {
    NumericProblem numeric(problem, Parametrisation::weights);
    for (MatrixXd& keys : numeric.keys) {
      MatrixXd shorter(basis.rows() * basis.cols(), keys.cols());
      for (Index t = 0; t < keys.cols(); ++t)
        shorter.col(t) = (basis.transpose() * keys.col(t).reshaped(basis.rows(), basis.rows())).reshaped();
      keys = std::move(shorter);
    }
    numeric.dimension = basis.rows() * basis.cols();
    return numeric;
  }

  MatrixXd K_of(const VectorXd& x) const { return x.head(d_ * m_).reshaped(d_, m_); }
  MatrixXd Q_of(const VectorXd& x) const { return x.tail(b_ * m_).reshaped(b_, m_); }

  /// 2 K Q^T by rows.
  VectorXd product(const VectorXd& x) const { return (2 * Q_of(x) * K_of(x).transpose()).reshaped(); }

  /// Of the product in (K, Q).
  MatrixXd jacobian(const MatrixXd& K, const MatrixXd& Q) const {
    MatrixXd J = MatrixXd::Zero(b_ * d_, size());
    for (Index c = 0; c < m_; ++c)
      for (Index r = 0; r < d_; ++r) {
        J.block(r * b_, c * d_ + r, b_, 1) = 2 * Q.col(c);
        J.block(r * b_, d_ * m_ + c * b_, b_, b_).diagonal().array() += 2 * K(r, c);
      }
    return J;
  }

  /// K and Q may be turned together without changing W. Along such turns the Hessian is made positive, so that Newton's step
  /// has no part in them; the gradient has none.
  void stiffen(SphereObjective::Jet& jet, const MatrixXd& K, const MatrixXd& Q) const {
    const double stiffness = jet.gradient.norm();
    for (Index j = 0; j < m_; ++j)
      for (Index k = 0; k < j; ++k) {
        MatrixXd in_K = MatrixXd::Zero(d_, m_);
        MatrixXd in_Q = MatrixXd::Zero(b_, m_);
        in_K.col(j) = K.col(k);
        in_K.col(k) = -K.col(j);
        in_Q.col(j) = Q.col(k);
        in_Q.col(k) = -Q.col(j);
        const VectorXd turn = stacked(in_K, in_Q);
        jet.hessian += stiffness * turn * turn.transpose();
      }
  }

  MatrixXd basis_;
  ExcessGraph graph_;
  VectorXd v_;
  Index d_;
  Index b_;
  Index m_;
};

/// A point that Newton's method proposes for a radius.
struct Proposal {
  bool found = false;
  VectorXd x = {};
  double value = std::numeric_limits<double>::infinity();
  int iterations = 0;
  std::string status = {};
};

class FactoredFollower {
 public:
  FactoredFollower(const Problem& problem, const Selection& selection, const VectorXd& hint, const PathSettings& settings,
                   const Budget& budget)
      : problem_(problem, Parametrisation::weights), v_(image_vector(*problem.v)), selection_(selection), objective_(problem, selection),
        ray_(objective_.factors(hint)), settings_(settings), budget_(budget), random_(settings.seed) {}

  Path run() {
    std::vector<Proposal> found(settings_.radii.size(), Proposal{.status = "the branch of the ray does not reach down to here"});
    follow_branch(found, downwards());
    if (!settings_.cone_mu) {
      challenge_by_starts(found);
      follow_branch(found, upwards());
    }
    Path path;
    for (std::size_t k = 0; k < found.size(); ++k) path.points.push_back(record(found[k], settings_.radii[k], path));
    if (budget_.spent()) path.ended = "the time was up";
    return path;
  }

 private:
  std::vector<std::size_t> upwards() const {
    std::vector<std::size_t> order(settings_.radii.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    return order;
  }
  std::vector<std::size_t> downwards() const {
    std::vector<std::size_t> order = upwards();
    std::ranges::reverse(order);
    return order;
  }

  Proposal newton(const VectorXd& start, double radius) const {
    if (budget_.spent()) return {.status = "the time was up"};
    const SphereObjective on_sphere{[&](const VectorXd& x) { return objective_.value(x, radius); },
                                    [&](const VectorXd& x) { return objective_.jet(x, radius); }};
    const SphereMinimum minimum = minimise_on_sphere(on_sphere, start);
    return {minimum.found, minimum.q, objective_.value(minimum.q, radius), minimum.iterations,
            minimum.found ? "Newton: solved" : "Newton: " + minimum.reason};
  }

  static void challenge(Proposal& best, const Proposal& rival) {
    const bool lower = rival.found && (!best.found || rival.value < best.value - log_excess_tolerance.relative * std::abs(best.value));
    if (lower || (!best.found && !rival.found)) best = rival;
  }

  struct Solved {
    double radius;
    VectorXd x;
  };

  /// x is smooth in 1/R: from the last two points along the line through them. x and -x are the same W.
  static VectorXd predicted(const std::vector<Solved>& before, double radius) {
    const Solved& last = before.back();
    if (before.size() < 2) return last.x;
    const Solved& earlier = before[before.size() - 2];
    const double share = (1 / radius - 1 / last.radius) / (1 / earlier.radius - 1 / last.radius);
    return last.x + share * (earlier.x - last.x);
  }

  /// From the last points to a radius, in two shorter steps where one fails.
  Proposal follow(std::vector<Solved> before, double radius, int halvings = halving_limit) const {
    Proposal proposal = newton(predicted(before, radius), radius);
    if (proposal.found || halvings == 0) return proposal;
    const double middle = std::sqrt(radius * before.back().radius);
    const Proposal between = follow(before, middle, halvings - 1);
    if (!between.found) return proposal;
    before.push_back({middle, between.x});
    return follow(before, radius, halvings - 1);
  }

  /// One branch over the radii in an order, from what is found at the first of them, else from the ray.
  void follow_branch(std::vector<Proposal>& found, const std::vector<std::size_t>& order) const {
    std::vector<Solved> before;
    for (const std::size_t k : order) {
      const double radius = settings_.radii[k];
      Proposal best = found[k];
      if (!before.empty()) challenge(best, follow(before, radius));
      if (!best.found || objective_.value(ray_, radius) < best.value) challenge(best, newton(ray_, radius));
      if (!best.found && !before.empty()) return;
      found[k] = best;
      if (best.found) before.push_back({radius, best.x});
    }
  }

  void challenge_by_starts(std::vector<Proposal>& found) {
    std::normal_distribution<double> normal;
    for (std::size_t k = 0; k < found.size() && settings_.radii[k] <= settings_.multistart_radius; ++k)
      for (int start = 0; start < settings_.starts; ++start) {
        VectorXd x(objective_.size());
        for (double& entry : x) entry = normal(random_);
        challenge(found[k], newton(x.normalized(), settings_.radii[k]));
      }
  }

  /// nuc(W) <= R in exact arithmetic too.
  VectorXd inside(const VectorXd& x, double radius) const {
    const VectorXd W = objective_.weights(x, radius);
    const double rounding = static_cast<double>(W.size() + 4) * std::numeric_limits<double>::epsilon();
    return W * std::min(1.0, (1 - rounding) * radius / Spectrum(as_matrix(W)).values.sum());
  }

  PathPoint record(const Proposal& best, double radius, const Path& path) const {
    PathPoint point{radius, inside(best.found ? best.x : ray_, radius), best.iterations, best.status, {}};
    std::vector<VectorXd> rivals = {inside(ray_, radius)};
    if (!path.points.empty() && path.points.back().check.verified) rivals.push_back(path.points.back().p);
    point.check = check_factored_point(problem_, v_, selection_, point.p, radius, rivals);
    if (!best.found) {
      point.check.verified = false;
      point.check.reason = "no minimiser found: " + best.status;
    }
    return point;
  }

  NumericProblem problem_;
  VectorXd v_;
  Selection selection_;
  FactoredObjective objective_;
  VectorXd ray_;
  PathSettings settings_;
  Budget budget_;
  std::mt19937_64 random_;
};

}  // namespace

Path follow_factored_path(const Problem& problem, const Selection& selection, const VectorXd& hint, const PathSettings& settings,
                          const Budget& budget) {
  return FactoredFollower(problem, selection, hint, settings, budget).run();
}

}  // namespace attest

#include "cone_starts.hpp"

#include "attest/graph/numeric_problem.hpp"
#include "descent_runs.hpp"
#include "sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attest {
namespace {

using Eigen::VectorXd;

constexpr std::array cone_angles = {0.02, 0.1};
/// A start is well inside the cone when this much of what the ray has is left.
constexpr double well_inside = 0.5;
constexpr int most_halvings = 40;

/// Rows (k_alpha - k_t).p over |p|: the least of tokens that score less, and the least of the others, which draw descent away.
struct LeastRows {
  double worse = std::numeric_limits<double>::infinity();
  double better = std::numeric_limits<double>::infinity();
};

class Cone {
 public:
  Cone(Study& study, const Selection& selection, const VectorXd& limit, Parametrisation parametrisation)
      : numeric_(study.problem()), queries_(query_columns(study.problem())), scores_(study.scores()), selection_(selection),
        parametrisation_(parametrisation), ray_(rows(limit)) {}

  /// Descent follows the least rows: those of worse tokens must stay positive, and those of better ones above them.
  bool is_well_inside(const VectorXd& p) const {
    const LeastRows here = rows(p);
    const bool above = std::isinf(ray_.better) || here.better - here.worse >= well_inside * (ray_.better - ray_.worse);
    return here.worse >= well_inside * ray_.worse && above;
  }

 private:
  VectorXd logits(std::size_t i, const VectorXd& p) const {
    if (parametrisation_ == Parametrisation::prompt) return numeric_.keys[i].transpose() * p;
    const Eigen::Index d = numeric_.tokens[i].rows();
    return numeric_.tokens[i].transpose() * (p.reshaped<Eigen::RowMajor>(d, d) * queries_.col(static_cast<Eigen::Index>(i)));
  }

  LeastRows rows(const VectorXd& p) const {
    LeastRows least;
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      const VectorXd of_tokens = logits(i, p) / p.norm();
      const std::size_t chosen = selection_[i];
      for (std::size_t t = 0; t < scores_[i].size(); ++t) {
        if (t == chosen) continue;
        double& kept = scores_[i][t] < scores_[i][chosen] ? least.worse : least.better;
        kept = std::min(kept, of_tokens(static_cast<Eigen::Index>(chosen)) - of_tokens(static_cast<Eigen::Index>(t)));
      }
    }
    return least;
  }

  NumericProblem numeric_;
  Eigen::MatrixXd queries_;
  const Scores& scores_;
  Selection selection_;
  Parametrisation parametrisation_;
  LeastRows ray_;
};

/// A unit vector across the ray.
VectorXd draw_across(Sampler& sampler, const VectorXd& ray) {
  VectorXd across = sampler.unit_vector(ray.size());
  across -= across.dot(ray) * ray;
  return across.normalized();
}

}  // namespace

std::vector<Start> as_starts(const std::vector<VectorXd>& points) {
  std::vector<Start> starts;
  for (const VectorXd& point : points) starts.push_back({point});
  return starts;
}

std::vector<Start> cone_starts(const ClaimContext& context, const Selection& selection, const VectorXd& limit, const ConePlaces& places,
                               Parametrisation parametrisation) {
  std::vector<Start> starts = as_starts(starting_points(context, {places.scale * limit}));
  if (names_starts(context.request) || limit.size() < 2) return starts;
  const Cone cone(context.study, selection, limit, parametrisation);
  const VectorXd ray = limit.normalized();
  Sampler sampler(context.seed);
  for (const double widest : cone_angles)
    for (int k = 0; k < places.directions; ++k) {
      const VectorXd across = draw_across(sampler, ray);
      const auto at = [&](double angle) -> VectorXd {
        return places.scale * limit.norm() * (std::cos(angle) * ray + std::sin(angle) * across);
      };
      double angle = widest;
      for (int halvings = 0; halvings < most_halvings && !cone.is_well_inside(at(angle)); ++halvings) angle /= 2;
      starts.push_back({at(angle), angle});
    }
  return starts;
}

}  // namespace attest

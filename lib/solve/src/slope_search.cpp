#include "attest/solve/slope_search.hpp"

#include "attest/base/tolerance.hpp"
#include "attest/graph/casadi/margin_graph.hpp"
#include "nlp.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace attest {
namespace {

constexpr std::size_t kept_points = 8;
constexpr int most_iterations = 60;
constexpr std::size_t most_samples = 6;  // for which IPOPT is started
// Attention is spread out at radius 1, nearly that of one token at 20, if tokens are about 1 apart.
constexpr std::array<double, 3> start_radii = {1, 5, 20};
constexpr double largest_radius = 60;  // where attention off a token is below 1e-26

struct Candidate {
  double slope;
  std::vector<double> p;
};

class Search {
 public:
  Search(const SlopeQuestion& question, std::uint64_t seed)
      : problem_(question.problem), question_(question), random_(seed),
        v_(Eigen::Map<const Eigen::VectorXd>(question.direction.data(), static_cast<Eigen::Index>(question.direction.size()))),
        graph_(margin_graph(problem_, question.selection, 1 / v_.norm(), largest_radius)),
        solver_({{"x", graph_.x}, {"p", graph_.picked}, {"f", graph_.f}, {"g", graph_.g}}, {.iteration_limit = most_iterations}) {}

  std::vector<std::vector<double>> run(const Budget& budget) {
    std::size_t asked = 0;
    for (std::size_t j = 0; j < question_.counts.size() && asked < most_samples; ++j) {
      if (!question_.counts[j] || problem_.tokens[j].cols() < 2) continue;
      ++asked;
      for (const double radius : start_radii)
        if (!budget.spent()) solve_from(j, radius);
    }
    std::ranges::sort(found_, {}, &Candidate::slope);
    std::vector<std::vector<double>> points;
    for (std::size_t k = 0; k < std::min(kept_points, found_.size()); ++k) points.push_back(std::move(found_[k].p));
    return points;
  }

 private:
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  /// Towards the selected tokens, with something at random.
  Eigen::VectorXd start(double radius) {
    Eigen::VectorXd p = Eigen::VectorXd::Zero(problem_.dimension);
    for (std::size_t i = 0; i < problem_.keys.size(); ++i) {
      const auto selected = static_cast<Eigen::Index>(question_.selection[i]);
      p += problem_.keys[i].col(selected) - problem_.keys[i].rowwise().mean();
    }
    for (Eigen::Index c = 0; c < p.size(); ++c) p[c] += p.norm() * (2 * uniform() - 1);
    const double length = p.norm();
    return length > 0 ? Eigen::VectorXd(p * (radius / length)) : p;
  }

  void solve_from(std::size_t j, double radius) {
    const Eigen::Index d = problem_.dimension;
    const auto n = static_cast<Eigen::Index>(problem_.tokens.size());
    Eigen::VectorXd x(2 * d + 1);
    x << start(radius), v_.normalized(), 0.0;
    const Eigen::VectorXd picked = Eigen::VectorXd::Unit(n, static_cast<Eigen::Index>(j));
    const Eigen::VectorXd upper = Eigen::VectorXd::Constant(n + 2, std::numeric_limits<double>::infinity());
    const NlpResult result = solver_.solve({x}, Eigen::VectorXd::Zero(n + 2), upper, picked);
    if (result.x.size() != x.size() || !result.x.allFinite()) return;
    const Eigen::VectorXd p = result.x.head(d);
    const double slope = slope_at(j, p, result.x.segment(d, d));
    if (std::isfinite(slope)) found_.push_back({slope, {p.begin(), p.end()}});
  }

  /// The cost of the attention of sample j, recomputed: IPOPT's own objective counts only where its constraints hold.
  double slope_at(std::size_t j, const Eigen::VectorXd& p, const Eigen::VectorXd& u) const {
    double margin = std::numeric_limits<double>::infinity();
    double moved = moved_attention_floor.share;
    for (std::size_t i = 0; i < problem_.tokens.size(); ++i) {
      const Eigen::VectorXd logits = problem_.keys[i].transpose() * p;
      Eigen::VectorXd s = (logits.array() - logits.maxCoeff()).exp();
      s /= s.sum();
      margin = std::min(margin, problem_.labels[i] * u.dot(problem_.tokens[i] * s) / u.norm());
      if (i == j) moved += s.sum() - s[static_cast<Eigen::Index>(question_.selection[i])];
    }
    return (1 / v_.norm() - margin) / moved;
  }

  NumericProblem problem_;
  const SlopeQuestion& question_;
  std::mt19937_64 random_;
  Eigen::VectorXd v_;
  MarginGraph graph_;
  Nlp solver_;
  std::vector<Candidate> found_;
};

}  // namespace

std::vector<std::vector<double>> search_slope_points(const SlopeQuestion& question, std::uint64_t seed, const Budget& budget) {
  const bool any = std::ranges::find(question.counts, true) != question.counts.end();
  return any && !budget.spent() ? Search(question, seed).run(budget) : std::vector<std::vector<double>>{};
}

}  // namespace attest

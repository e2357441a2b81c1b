#include "path_follower.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace attest {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

/// f(q) = -t x - x^2 with q = (x, y) and t = 1 - 4/R: minimisers on the circle are (1, 0) and (-1, 0), the first is lower from R = 4 on,
/// and up to R = 4/3 it is none, since f falls inwards there. The ray is (1, 0).
class TwoWells : public PathProblem {
 public:
  explicit TwoWells(bool walled = false) : walled_(walled) {}

  const VectorXd& ray() const override { return ray_; }
  SphereObjective objective(double radius) const override {
    const double t = 1 - 4 / radius;
    const auto value = [t](const VectorXd& q) { return -t * q[0] - q[0] * q[0]; };
    return {value, [t, value](const VectorXd& q) {
              return SphereObjective::Jet{value(q), Vector2d(-t - 2 * q[0], 0), MatrixXd{{-2.0, 0.0}, {0.0, 0.0}}};
            }};
  }
  VectorXd point(const VectorXd& q, double radius) const override { return inside_ball(q, radius); }
  PathCheck check(const VectorXd& p, double radius, const std::vector<VectorXd>& rivals) const override {
    PathCheck check;
    check.verified = true;
    const SphereObjective f = objective(radius);
    for (const VectorXd& rival : rivals) check.verified = check.verified && f.value(p / radius) <= f.value(rival / radius);
    return check;
  }
  int degree() const override { return 1; }
  Halvings halvings() const override { return {2, 2}; }
  bool knows_cone() const override { return walled_; }
  bool outside_cone(const VectorXd& q) const override { return walled_ && !(q[0] >= 0); }

 private:
  VectorXd ray_ = Vector2d(1, 0);
  bool walled_;
};

Path followed(TwoWells wells, std::vector<double> radii, bool local) {
  PathSettings settings;
  settings.radii = std::move(radii);
  settings.starts = 6;
  if (local) settings.cone_mu = 0.5;
  return follow(wells, settings, Budget(60));
}

double x_of(const PathPoint& point) { return point.p[0] / point.radius; }

BOOST_AUTO_TEST_SUITE(path_follower)

BOOST_AUTO_TEST_CASE(at_each_radius_the_lowest_branch_is_taken) {
  const Path path = followed(TwoWells(), {2, 3, 8, 64}, false);
  BOOST_TEST_REQUIRE(path.points.size() == 4U);
  BOOST_TEST(path.verified());
  BOOST_TEST(std::abs(x_of(path.points[0]) + 1) <= 1e-9);
  BOOST_TEST(std::abs(x_of(path.points[1]) + 1) <= 1e-9);
  BOOST_TEST(std::abs(x_of(path.points[2]) - 1) <= 1e-9);
  BOOST_TEST(std::abs(x_of(path.points[3]) - 1) <= 1e-9);
}

BOOST_AUTO_TEST_CASE(a_local_path_stays_on_the_branch_of_its_ray) {
  for (const bool walled : {false, true}) {
    const Path path = followed(TwoWells(walled), {2, 3, 8, 64}, true);
    for (const PathPoint& point : path.points) BOOST_TEST(std::abs(x_of(point) - 1) <= 1e-9);
    BOOST_TEST(path.verified());
  }
}

BOOST_AUTO_TEST_CASE(where_the_branch_of_the_ray_ends_a_local_path_is_refused_and_a_global_one_goes_on) {
  const Path local = followed(TwoWells(true), {0.5, 1, 2, 8}, true);
  BOOST_TEST(!local.points[0].check.verified);
  BOOST_TEST(!local.points[1].check.verified);
  BOOST_TEST(local.points[0].check.reason.starts_with("no minimiser found"), local.points[0].check.reason);
  BOOST_TEST(local.points[2].check.verified);
  BOOST_TEST(local.points[3].check.verified);
  BOOST_TEST(followed(TwoWells(), {0.5, 1, 2, 8}, false).verified());
}

BOOST_AUTO_TEST_CASE(a_problem_without_an_interior_point_has_no_second_opinions) {
  TwoWells wells;
  PathSettings settings;
  settings.radii = {8, 64};
  settings.ask_ipopt = true;
  const Path path = follow(wells, settings, Budget(60));
  BOOST_TEST(path.verified());
  for (const PathPoint& point : path.points) BOOST_TEST(!point.ipopt.has_value());
}

BOOST_AUTO_TEST_CASE(a_spent_budget_ends_any_path_unverified) {
  TwoWells wells;
  const Path path = follow(wells, {}, Budget(0));
  BOOST_TEST(path.ended == "the time was up");
  BOOST_TEST(!path.verified());
}

BOOST_AUTO_TEST_CASE(predictions_lie_on_the_line_through_the_points) {
  const TwoWells wells;
  const Vector2d a(1, 2);
  const Vector2d b(3, 1);
  const PathProblem::Place earlier{4, (4 * a + b) / 4};  // R q = R a + b
  const PathProblem::Place last{8, (8 * a + b) / 8};
  BOOST_TEST((wells.predicted(earlier, last, 16) - (16 * a + b).normalized()).norm() <= 1e-15);
  BOOST_TEST((wells.predicted(earlier, last, 2) - (2 * a + b).normalized()).norm() <= 1e-15);
  BOOST_TEST((wells.predicted(last, earlier, 2) - (2 * a + b).normalized()).norm() <= 1e-15);  // downwards
  BOOST_TEST((wells.predicted(earlier, last, 16) - last.q.normalized()).norm() > 1e-3);
}

BOOST_AUTO_TEST_CASE(a_point_of_the_ball_is_inside_it_in_exact_arithmetic) {
  const VectorXd unit = Vector2d(0.6, 0.8) * (1 + 4e-16);
  const VectorXd p = inside_ball(unit, 3);
  const Rational square = exact_value(p[0]) * exact_value(p[0]) + exact_value(p[1]) * exact_value(p[1]);
  BOOST_TEST((square <= 9));
  BOOST_TEST(p.norm() >= 3 * (1 - 1e-14));
  BOOST_TEST((inside_ball(Vector2d(0.3, 0), 2) - Vector2d(0.6, 0)).norm() == 0);  // what is well inside stays
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attest

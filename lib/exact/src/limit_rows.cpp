#include "limit_rows.hpp"

#include "loss_slope.hpp"

#include <algorithm>

namespace attest {
namespace {

BallVector to_balls(const FractionVector& vector, slong precision) {
  BallVector balls(vector.numerators.size());
  for (std::size_t k = 0; k < balls.size(); ++k) set_fraction(balls[k], vector.numerators[k], vector.denominator, precision);
  return balls;
}

}  // namespace

LimitRows::LimitRows(const LimitFacts& facts) : ProgramRows(*facts.program), facts_(&facts) {
  const std::vector<Multiplier>& multipliers = facts.solution->multipliers;
  for (const Multiplier& one : multipliers) {
    support_gram_.emplace_back();
    for (const Multiplier& other : multipliers) {
      if (other.row > one.row) break;
      support_gram_.back().push_back(product(one.row, other.row, PreciseBall::clause_bits));
    }
  }
  for (std::size_t r = 0; r < support_gram_.size(); ++r)
    for (std::size_t c = r + 1; c < support_gram_.size(); ++c) support_gram_[r].push_back(support_gram_[c][r]);
  figures_ = compute();
}

BallVector ProgramRows::row(std::size_t c, slong precision) const { return to_balls(program().row(c), precision); }

PreciseBall ProgramRows::query_product(std::size_t j, std::size_t k, slong precision) const {
  return PreciseBall(Rational(program().query_product(j, k), Integer(program().query(j).denominator * program().query(k).denominator)),
                     precision);
}

PreciseBall ProgramRows::product(std::size_t c, std::size_t e, slong precision) const {
  const FractionVector a = program().row(c);
  const FractionVector b = program().row(e);
  PreciseBall plain(precision);
  set_fraction(plain.get(), attest::dot(a.numerators, b.numerators), Integer(a.denominator * b.denominator), precision);
  return over_weights() ? plain * query_product(program().sample_position(c), program().sample_position(e), precision) : plain;
}

std::vector<PreciseBall> ProgramRows::values_of_images(const std::vector<BallVector>& images, slong precision) const {
  std::vector<PreciseBall> values;
  for (std::size_t k = 0; k < program().samples().size(); ++k)
    for (std::size_t c = program().first_row(k); c < program().first_row(k + 1); ++c)
      values.push_back(dot(row(c, precision).data(), images[over_weights() ? k : 0].data(), dimension(), precision));
  return values;
}

std::vector<PreciseBall> ProgramRows::values_at(const std::vector<Rational>& point, slong precision) const {
  const std::size_t d = dimension();
  if (point.empty()) return std::vector<PreciseBall>(count(), PreciseBall(precision));
  BallVector balls(point.size());
  for (std::size_t k = 0; k < point.size(); ++k) set_rational(balls[k], point[k], precision);
  if (!over_weights()) return values_at(balls, precision);
  std::vector<BallVector> images;
  for (std::size_t k = 0; k < program().samples().size(); ++k) {
    const BallVector query = to_balls(program().query(k), precision);
    images.emplace_back(d);
    for (std::size_t r = 0; r < d; ++r)
      arb_dot(images.back()[r], nullptr, 0, balls[r * d], 1, query.data(), 1, static_cast<slong>(d), precision);
  }
  return values_of_images(images, precision);
}

std::vector<PreciseBall> ProgramRows::values_at(const BallVector& prompt, slong precision) const {
  return values_of_images({prompt}, precision);
}

std::vector<PreciseBall> ProgramRows::values_of(std::span<const std::size_t> rows, const std::vector<PreciseBall>& weights,
                                                slong precision) const {
  const std::size_t d = dimension();
  const std::size_t count = over_weights() ? program().samples().size() : 1;
  std::vector<BallVector> sums(count, BallVector(d));  // sum of weight D over the rows of a sample
  std::vector<bool> used(count, false);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::size_t at = over_weights() ? program().sample_position(rows[k]) : 0;
    const BallVector a = row(rows[k], precision);
    _arb_vec_scalar_addmul(sums[at].data(), a.data(), static_cast<slong>(d), weights[k].get(), precision);
    used[at] = true;
  }
  if (!over_weights()) return values_of_images(sums, precision);
  std::vector<BallVector> images(count, BallVector(d));
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t j = 0; j < count; ++j)
      if (used[j])
        _arb_vec_scalar_addmul(images[k].data(), sums[j].data(), static_cast<slong>(d), query_product(j, k, precision).get(), precision);
  return values_of_images(images, precision);
}

std::optional<LimitFigures<PreciseBall>> LimitRows::compute() const {
  LimitFigures<PreciseBall> figures;
  const Scores& scores = *facts_->scores;
  const auto n = static_cast<long>(scores.size());
  figures.w_squared = PreciseBall(Rational(2 * facts_->solution->objective));
  figures.m0_over_n = PreciseBall(Rational(facts_->loss->m0 / n));
  for (const Multiplier& multiplier : facts_->solution->multipliers) {
    figures.support.push_back(multiplier.row);
    figures.lambda.emplace_back(multiplier.weight);
  }
  figures.theta = values_of(figures.support, figures.lambda, PreciseBall::clause_bits);
  figures.tight.assign(count(), false);
  for (const std::size_t row : facts_->solution->support) {
    figures.tight[row] = true;
    figures.theta[row] = PreciseBall(Rational(1));
  }
  std::optional<std::size_t> last;
  for (std::size_t c = 0; c < count(); ++c) {
    const auto [i, t] = program().name(c);
    const Rational& best = scores[i][program().selection()[i]];
    if (last != i) {
      const auto jet = enclose_slope(program().problem().loss.expression(), PreciseBall(best));
      if (!jet || !(-jet->slope).is_positive()) return std::nullopt;
      figures.slope.push_back(-jet->slope / PreciseBall(Rational(n)));
      last = i;
    }
    const Rational gap = best - scores[i][t];
    figures.sample.push_back(figures.slope.size() - 1);
    figures.gap.emplace_back(gap);
    figures.gap_positive.push_back(gap > 0);
    const PreciseBall length_squared = product(c, c, PreciseBall::clause_bits);
    figures.length.push_back(root(length_squared));
    figures.across.push_back(root(length_squared - square(figures.theta[c]) / figures.w_squared));
  }
  figures.samples = figures.slope.size();
  return figures;
}

namespace {

std::vector<double> middles(const std::vector<PreciseBall>& balls) {
  std::vector<double> values;
  for (const PreciseBall& ball : balls) values.push_back(ball.middle());
  return values;
}

}  // namespace

LimitFigures<double> in_doubles(const LimitFigures<PreciseBall>& figures) {
  return {figures.sample,
          figures.samples,
          figures.tight,
          figures.support,
          middles(figures.lambda),
          middles(figures.gap),
          figures.gap_positive,
          middles(figures.theta),
          middles(figures.across),
          middles(figures.length),
          middles(figures.slope),
          figures.w_squared.middle(),
          figures.m0_over_n.middle()};
}

}  // namespace attest

#include "limit_search.hpp"

#include <algorithm>
#include <limits>

namespace attest {
namespace {

/// What doubles leave for balls in every inequality.
constexpr double room_for_balls = 1 + 0x1p-18;

/// The lower Cholesky factor; empty if the matrix is not positive definite in doubles.
std::vector<std::vector<double>> cholesky(std::vector<std::vector<double>> a) {
  const std::size_t size = a.size();
  for (std::size_t c = 0; c < size; ++c) {
    for (std::size_t k = 0; k < c; ++k) a[c][c] -= a[c][k] * a[c][k];
    if (!(a[c][c] > 0)) return {};
    a[c][c] = std::sqrt(a[c][c]);
    for (std::size_t r = c + 1; r < size; ++r) {
      for (std::size_t k = 0; k < c; ++k) a[r][c] -= a[r][k] * a[c][k];
      a[r][c] /= a[c][c];
    }
  }
  return a;
}

}  // namespace

DoubleSpace::DoubleSpace(const LimitRows& rows)
    : rows_(rows), figures_(in_doubles(*rows.figures())), over_weights_(rows.over_weights()), dimension_(rows.dimension()) {
  const SvmProgram& program = rows.program();
  vectors_.reserve(rows.count() * dimension_);
  for (std::size_t c = 0; c < rows.count(); ++c) {
    const FractionVector row = program.row(c);
    for (const Integer& entry : row.numerators) vectors_.push_back(near_double(entry, row.denominator));
    position_.push_back(program.sample_position(c));
  }
  if (over_weights_)
    for (std::size_t j = 0; j < program.samples().size(); ++j) {
      queries_.emplace_back();
      for (std::size_t k = 0; k < program.samples().size(); ++k)
        queries_.back().push_back(
            near_double(program.query_product(j, k), Integer(program.query(j).denominator * program.query(k).denominator)));
    }
  for (const auto& line : rows.support_gram()) {
    gram_.emplace_back();
    for (const PreciseBall& entry : line) gram_.back().push_back(entry.middle());
  }
  factor_ = cholesky(gram_);
  if (over_weights_)
    for (const std::size_t e : figures_.support)
      for (std::size_t c = 0; c < count(); ++c) support_products_.push_back(product(c, e));
}

double DoubleSpace::product(std::size_t c, std::size_t e) const {
  double sum = 0;
  for (std::size_t k = 0; k < dimension_; ++k) sum += vectors_[c * dimension_ + k] * vectors_[e * dimension_ + k];
  return over_weights_ ? sum * queries_[position_[c]][position_[e]] : sum;
}

std::vector<double> DoubleSpace::solve(const std::vector<double>& z) const {
  if (factor_.empty()) return {};
  std::vector<double> x = z;
  const std::size_t size = x.size();
  for (std::size_t r = 0; r < size; ++r) {
    for (std::size_t k = 0; k < r; ++k) x[r] -= factor_[r][k] * x[k];
    x[r] /= factor_[r][r];
  }
  for (std::size_t r = size; r-- > 0;) {
    for (std::size_t k = r + 1; k < size; ++k) x[r] -= factor_[k][r] * x[k];
    x[r] /= factor_[r][r];
  }
  return x;
}

std::vector<double> DoubleSpace::products(const std::vector<double>& zeta) const {
  std::vector<double> values(count(), 0);
  if (!over_weights_) {  // by what they combine to: products of all rows with the support may be as many as the numbers of the data
    std::vector<double> sum(dimension_, 0);
    for (std::size_t k = 0; k < zeta.size(); ++k)
      for (std::size_t r = 0; r < dimension_; ++r) sum[r] += zeta[k] * vectors_[figures_.support[k] * dimension_ + r];
    times(sum, values);
    return values;
  }
  for (std::size_t k = 0; k < zeta.size(); ++k)
    for (std::size_t c = 0; c < count(); ++c) values[c] += zeta[k] * support_products_[k * count() + c];
  return values;
}

double DoubleSpace::spectral() const {
  const std::size_t size = gram_.size();
  const auto definite = [&](double m) {
    auto matrix = gram_;
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t c = 0; c < size; ++c) matrix[r][c] = (r == c ? m / figures_.lambda[r] : 0) - (gram_[r][c] - 1 / figures_.w_squared);
    return !cholesky(std::move(matrix)).empty();
  };
  // Between nothing and the trace; a support of one row has none of it.
  double low = 0x1p-30 * std::sqrt(figures_.w_squared);
  if (definite(low)) return low;
  double high = low;
  for (std::size_t k = 0; k < size; ++k) high += figures_.lambda[k] * std::max(0.0, gram_[k][k] - 1 / figures_.w_squared);
  high *= 2;
  while (high > low * (1 + 0x1p-24)) {
    const double middle = std::sqrt(low) * std::sqrt(high);
    (definite(middle) ? high : low) = middle;
  }
  return high * (1 + 0x1p-20);
}

void DoubleSpace::times(const std::vector<double>& v, std::vector<double>& values) const {
  values.resize(count());
  for (std::size_t c = 0; c < count(); ++c) {
    double sum = 0;
    for (std::size_t k = 0; k < dimension_; ++k) sum += vectors_[c * dimension_ + k] * v[k];
    values[c] = sum;
  }
}

std::vector<double> DoubleSpace::combination(const std::vector<double>& q) const {
  std::vector<double> sum(dimension_, 0);
  for (std::size_t c = 0; c < count(); ++c)
    for (std::size_t k = 0; k < dimension_; ++k) sum[k] += q[c] * vectors_[c * dimension_ + k];
  return sum;
}

void DoubleSpace::times_products(const std::vector<double>& q, std::vector<double>& values) const {
  if (products_.empty())
    for (std::size_t c = 0; c < count(); ++c)
      for (std::size_t e = 0; e < count(); ++e) products_.push_back(product(c, e));
  values.assign(count(), 0);
  for (std::size_t c = 0; c < count(); ++c)
    for (std::size_t e = 0; e < count(); ++e) values[c] += products_[c * count() + e] * q[e];
}

DoubleRun::DoubleRun(const DoubleSpace& space, const LimitRows& rows, const DescentRule& rule)
    : space_(&space), loss_(&rows.program().problem().loss), rule_(rule.rule), step_(nearest_double(rule.step)),
      sample_count_(rows.facts().scores->size()) {
  const SvmProgram& program = rows.program();
  for (std::size_t k = 0; k < program.samples().size(); ++k) {
    const std::size_t i = program.samples()[k];
    if (program.first_row(k + 1) > program.first_row(k))
      scores_.push_back(nearest_double((*rows.facts().scores)[i][program.selection()[i]]));
  }
  for (const PreciseBall& value : rows.values_at(rule.start, PreciseBall::clause_bits)) y_.push_back(value.middle());
  for (const Rational& entry : rule.start) {
    point_.push_back(nearest_double(entry));
    start_squared_ += point_.back() * point_.back();
  }
  if (space.over_weights()) {
    start_ = y_;
    b_.assign(y_.size(), 0);
  } else {
    point_.resize(rows.dimension(), 0);
  }
}

namespace {

/// The rows of one sample, and the one whose token has the largest logit, if it is not the selected token.
struct Block {
  std::size_t first;
  std::size_t end;
  std::optional<std::size_t> leader;
};

std::vector<Block> blocks_of(const std::vector<std::size_t>& sample, const std::vector<double>& y) {
  std::vector<Block> blocks;
  for (std::size_t c = 0; c < y.size(); ++c) {
    if (c == 0 || sample[c] != sample[c - 1]) blocks.push_back({c, c, {}});
    Block& block = blocks.back();
    block.end = c + 1;
    if (y[c] < (block.leader ? y[*block.leader] : 0)) block.leader = c;
  }
  return blocks;
}

}  // namespace

/// The token with the largest logit is the one of reference, r: -grad L has rows k_r - k_t = a_t - a_r, so that a_t takes a coefficient
/// and a_r gives it. The slot of row r holds the coefficient of the selected token meanwhile, whose own row is 0.
double DoubleRun::coefficients(std::vector<double>& q) const {
  const LimitFigures<double>& of = space_->figures();
  std::vector<double> logs(y_.size());
  double scale = -std::numeric_limits<double>::infinity();
  q.assign(y_.size(), 0);
  const std::vector<Block> blocks = blocks_of(of.sample, y_);
  for (const auto& [first, end, leader] : blocks) {
    const double base = leader ? y_[*leader] : 0;
    const double base_gap = leader ? of.gap[*leader] : 0;
    double weights = 1;
    for (std::size_t c = first; c < end; ++c) {
      logs[c] = c == leader ? base : base - y_[c];
      q[c] = (c == leader ? 0 : of.gap[c]) - base_gap;
      weights += std::exp(logs[c]);
    }
    const double log_weights = std::log(weights);
    double mean = 0;
    for (std::size_t c = first; c < end; ++c) {
      logs[c] -= log_weights;
      mean += std::exp(logs[c]) * q[c];
      scale = std::max(scale, logs[c]);
    }
    const double steepness = -evaluate(*loss_, scores_[of.sample[first]] - base_gap - mean).slope / static_cast<double>(sample_count_);
    for (std::size_t c = first; c < end; ++c) q[c] = steepness * (q[c] - mean);
  }
  for (const auto& [first, end, leader] : blocks) {
    double total = 0;
    for (std::size_t c = first; c < end; ++c) total += q[c] *= std::exp(logs[c] - scale);
    if (leader) q[*leader] = -total;
  }
  return scale;
}

bool DoubleRun::advance() {
  std::vector<double> q;
  const double scale = coefficients(q);
  std::vector<double> change;
  double squared = 0;
  std::vector<double> direction;
  if (space_->over_weights()) {
    space_->times_products(q, change);
    for (std::size_t c = 0; c < q.size(); ++c) squared += q[c] * change[c];
  } else {
    direction = space_->combination(q);
    for (const double entry : direction) squared += entry * entry;
  }
  const double factor = rule_ != StepRule::constant ? step_ / std::sqrt(squared) : step_ * std::exp(scale);
  if (!(squared > 0) || !std::isfinite(factor) || !(factor > 0)) return false;
  if (space_->over_weights()) {
    for (std::size_t c = 0; c < q.size(); ++c) {
      b_[c] += factor * q[c];
      y_[c] += factor * change[c];
    }
  } else {
    for (std::size_t k = 0; k < direction.size(); ++k) point_[k] += factor * direction[k];
    space_->times(point_, y_);
  }
  return true;
}

LimitIterate<double> DoubleRun::now() const {
  double squared = start_squared_;
  if (space_->over_weights()) {
    for (std::size_t c = 0; c < b_.size(); ++c) squared += b_[c] * (start_[c] + y_[c]);
  } else {
    squared = 0;
    for (const double entry : point_) squared += entry * entry;
  }
  return {y_, squared};
}

namespace {

/// Whether the clauses hold at rho with room to spare, and by how much reach misses rho.
struct At {
  double missing;  // reach - rho, relative; infinite where a clause before fails
  bool short_enough;
};

At cone_at(ConeClauses<double>& clauses, double rho) {
  const auto test = clauses.at(rho);
  if (!test || !std::isfinite(test->reach)) return {std::numeric_limits<double>::infinity(), false};
  return {test->reach * room_for_balls / rho - 1, test->pull * room_for_balls <= 2};
}

}  // namespace

ConeLook look_for_cone(const DoubleSpace& space, const LimitIterate<double>& at, const LimitStep<double>& step, double spectral) {
  const auto frame = cone_frame(space, at);
  if (!frame || !std::isfinite(frame->r0)) return {};
  ConeClauses<double> clauses(space.figures(), *frame, step, spectral);
  double longest = 0;
  for (const double across : space.figures().across) longest = std::max(longest, across);
  const double unit = longest > 0x1p-40 ? 1 / longest : 1;  // beyond some of these exp(n_c rho) is large
  ConeLook look;
  double fails = frame->r0;
  for (double part = 1e-6; part < 64; part *= part < 0.05 ? 3 : 1.12) {
    const double rho = frame->r0 * room_for_balls + part * unit;
    const At here = cone_at(clauses, rho);
    if (!std::isfinite(here.missing) && part > 1e-6) break;
    if (here.missing <= 0 && !here.short_enough) look.step_too_long = true;
    if (!(here.missing <= 0 && here.short_enough)) {
      fails = rho;
      continue;
    }
    // The least rho: a smaller one gives a smaller constant.
    double holds = rho;
    for (int k = 0; k < 12; ++k) {
      const double middle = (fails + holds) / 2;
      const At there = cone_at(clauses, middle);
      (there.missing <= 0 && there.short_enough ? holds : fails) = middle;
    }
    look.guess = ConeGuess{holds};
    return look;
  }
  return look;
}

std::optional<double> look_for_wedge(const DoubleSpace& space, const LimitIterate<double>& at, const LimitStep<double>& step) {
  const LimitFigures<double>& of = space.figures();
  double along = 0;  // p.w
  for (std::size_t k = 0; k < of.support.size(); ++k) along += of.lambda[k] * at.y[of.support[k]];
  if (!(along > 0)) return std::nullopt;
  const double least = root(at.norm_squared) * root(of.w_squared) / along - 1;  // clause 5 has |p|/h at most 1 + delta
  for (double delta = 0.5; delta > std::max(1e-9, least); delta *= 0.8) {
    const auto total = wedge_total(space.figures(), at, step, delta);
    if (total && *total + delta * 0x1p-10 <= 1 + delta) return delta;
  }
  return std::nullopt;
}

}  // namespace attest

#include "row_stretch.hpp"

#include <algorithm>

namespace attest::check {

namespace {

/// The upper end, or 0 where it is below.
double upper(const Near& x) {
  const double end = x.mid + x.radius;
  if (!std::isfinite(end)) throw Undefined("the run is not enclosed: a number too large for doubles");
  return end <= 0 ? 0 : near_rounding::above(end);
}

double root_above(double x) { return near_rounding::above(std::sqrt(x)); }

Near total(const std::vector<Near>& x, const std::vector<Near>& y, std::size_t begin, std::size_t end) {
  Near sum;
  for (std::size_t c = begin; c < end; ++c) sum += x[c] * y[c];
  return sum;
}

}  // namespace

RowStretch::RowStretch(const RunFacts& facts)
    : facts_(&facts), slopes_(facts.problem->loss, facts.bounds), step_(near(facts.step)), normalised_(facts.method == Method::normalised) {
}

void RowStretch::refer_to(const std::vector<std::size_t>& references) {
  if (references == references_) return;
  references_ = references;
  samples_.clear();
  differences_.clear();
  sample_of_.clear();
  gaps_.clear();
  for (std::size_t i = 0; i < references.size(); ++i) {
    Sample& sample = samples_.emplace_back();
    sample.begin = differences_.size();
    sample.score = near((*facts_->scores)[i][references[i]]);
    for (std::size_t t = 0; t < facts_->problem->tokens[i].size(); ++t)
      if (t != references[i]) add_row(i, references[i], t);
    sample.end = differences_.size();
  }
  rows_ = differences_.size();
  make_products();
}

void RowStretch::add_row(std::size_t i, std::size_t r, std::size_t t) {
  const auto& tokens = facts_->problem->tokens[i];
  Numbers& difference = differences_.emplace_back();
  for (std::size_t a = 0; a < facts_->problem->dimension(); ++a) difference.push_back(near(Rational(tokens[r][a] - tokens[t][a])));
  sample_of_.push_back(i);
  gaps_.push_back(near(Rational((*facts_->scores)[i][r] - (*facts_->scores)[i][t])));
}

void RowStretch::make_products() {
  const std::size_t samples = samples_.size();
  Numbers queries;
  for (std::size_t i = 0; i < samples; ++i)
    for (std::size_t j = 0; j < samples; ++j) queries.push_back(near(dot(query_of(*facts_->problem, i), query_of(*facts_->problem, j))));
  products_.clear();
  sizes_.clear();
  lengths_.clear();
  for (std::size_t c = 0; c < rows_; ++c) {
    for (std::size_t e = 0; e < rows_; ++e) {
      const Near tokens = total(differences_[c], differences_[e], 0, differences_[c].size());
      products_.push_back(tokens * queries[sample_of_[c] * samples + sample_of_[e]]);
      sizes_.push_back(std::max(upper(products_.back()), upper(-products_.back())));
    }
    lengths_.push_back(root_above(upper(product(c, c))));
  }
}

/// s, a, q of a sample on the ball, where u_t moves by at most ‖d_t‖ e_k.
void RowStretch::enclose(Sample& sample, const Numbers& powers, const StepBall& ball) {
  Near sum;
  for (std::size_t c = sample.begin; c < sample.end; ++c) {
    shares_[c] = spread(powers[c - sample.begin], product_above(lengths_[c], ball.radius));
    sum += shares_[c];
  }
  const Near inverse = reciprocal(Near{1, 0} + shrink_ * sum);
  for (std::size_t c = sample.begin; c < sample.end; ++c) shares_[c] = shares_[c] * inverse;
  const Near loss = shrink_ * total(shares_, gaps_, sample.begin, sample.end);  // G
  const auto [slope, bend] = slopes_.at(sample.score - loss);
  sample.slope = slope;
  sample.bend = shrink_ * bend;
  for (std::size_t c = sample.begin; c < sample.end; ++c) {
    pulls_[c] = shares_[c] * (gaps_[c] - loss);
    q_[c] = slope * pulls_[c];
  }
}

RowStretch::Numbers RowStretch::image(const Numbers& x) const {
  Numbers result(rows_);
  for (std::size_t c = 0; c < rows_; ++c)
    for (std::size_t e = 0; e < rows_; ++e) result[c] += product(c, e) * x[e];
  return result;
}

/// leftᵀ 𝒢'_ii right
Near RowStretch::form(const Sample& sample, const Numbers& left, const Numbers& right) const {
  Near sum;
  for (std::size_t c = sample.begin; c < sample.end; ++c) {
    Near row;
    for (std::size_t e = sample.begin; e < sample.end; ++e) row += product(c, e) * right[e];
    sum += left[c] * row;
  }
  return sum;
}

/// β: what turns g into other directions, Jg − κg = Σ v_c d_c.
double RowStretch::turning(const Near& squared, const Near& factor) const {
  Numbers v(rows_);
  for (const Sample& sample : samples_) {
    const Near along_phi = total(pulls_, image_, sample.begin, sample.end);
    const Near along_mean = total(shares_, image_, sample.begin, sample.end);
    const Near of_pulls = shrink_ * sample.slope * along_mean - sample.bend * along_phi;
    const Near of_shares = shrink_ * sample.slope * along_phi;
    for (std::size_t c = sample.begin; c < sample.end; ++c) v[c] = pulls_[c] * of_pulls + shares_[c] * of_shares - q_[c] * image_[c];
  }
  const Near kappa{total(v, image_, 0, rows_).mid / squared.mid, 0};
  for (std::size_t c = 0; c < rows_; ++c) v[c] -= kappa * q_[c];
  const Near length{root_above(upper(total(v, image(v), 0, rows_))), 0};
  return upper(factor * length * reciprocal(root(squared)));
}

double RowStretch::largest_row_sum(const std::vector<double>& weights) const {
  double largest = 0;
  for (std::size_t c = 0; c < rows_; ++c) {
    if (!(weights[c] > 0)) continue;
    double sum = 0;
    for (std::size_t e = 0; e < rows_; ++e)
      if (weights[e] > 0) sum = sum_above(sum, product_above(sizes_[c * rows_ + e], weights[e]));
    largest = std::max(largest, sum);
  }
  return largest;
}

double RowStretch::bound(const std::vector<std::size_t>& references, const StepBall& ball) {
  refer_to(references);
  shrink_ = ball.shrink;
  for (Numbers* numbers : {&shares_, &pulls_, &q_}) numbers->resize(rows_);
  for (std::size_t i = 0; i < samples_.size(); ++i)
    if (samples_[i].begin < samples_[i].end) enclose(samples_[i], ball.powers[i], ball);
  Near factor = step_ * near(Rational(1, samples_.size()));
  double beta = 0;
  if (normalised_) {
    image_ = image(q_);
    const Near squared = total(q_, image_, 0, rows_);
    if (!(squared.mid - squared.radius > 0)) throw Undefined("the gradient is not shown to differ from 0 on the ball around the run");
    factor = step_ * reciprocal(root(squared));
    beta = turning(squared, factor);
  }
  std::vector<double> pushing;  // (−q')₊, times the factor
  std::vector<double> pulling;  // (q')₊
  for (const Near& q : q_) {
    pushing.push_back(upper(-(factor * q)));
    pulling.push_back(upper(factor * q));
  }
  double apart = largest_row_sum(pushing);     // η j⁺
  double together = largest_row_sum(pulling);  // η j⁻
  for (const Sample& sample : samples_) {
    const Near cross = form(sample, shares_, pulls_);
    const double phi_squared = upper(form(sample, pulls_, pulls_));
    const Near lengths{product_above(root_above(upper(form(sample, shares_, shares_))), root_above(phi_squared)), 0};
    const Near slope = factor * shrink_ * sample.slope;
    const Near bend = factor * sample.bend * Near{phi_squared, 0};
    apart = sum_above(apart, sum_above(upper(slope * (lengths + cross)), upper(-bend)));
    together = sum_above(together, sum_above(upper(slope * (lengths - cross)), upper(bend)));
  }
  const double most = std::max(sum_above(1, apart), together - 1);  // m
  const double square = product_above(beta, beta);
  const auto side = [&](double x) { return root_above(sum_above(product_above(x, x), square)); };
  const double result = sum_above(side(sum_above(most, 1)), side(near_rounding::above(most - 1))) / 2;
  if (!std::isfinite(result)) throw Undefined("the run is not enclosed: no bound of the derivative of a step");
  return result;
}

}  // namespace attest::check

#include "path_envelope.hpp"

#include <algorithm>
#include <optional>

#include "envelope.hpp"
#include "weights.hpp"

namespace attest::check {

namespace {

/// What all entries of one certificate rest on: clauses 1 and 2.
struct PathFrame {
  PathFrame(const Problem& of, Over over, const Json& statement, const Json& witness)
      : problem(of), rows(of, over, read_selection(statement.at("selection"), of)), svm(rows, witness.at("lambda")), scores(scores_of(of)),
        gaps(rows.gaps(scores)), loss(require_loss_block(witness.at("loss"), of.loss, scores)), theta(theta_of(svm)) {}

  [[nodiscard]] Rational least_slope() const { return -loss.slope_sup; }

  const Problem& problem;
  LimitRows rows;
  LimitSvm svm;
  Scores scores;
  std::vector<Rational> gaps;  ///< Δ_c
  LossBounds loss;
  Number theta;
};

/// Σ M_i Δ_c e_c over the rows with Δ_c > 0.
Number competitor_loss(const PathFrame& frame, const std::vector<SlopeRange>& slopes, const std::vector<Number>& e) {
  Number sum = 0;
  for (std::size_t c = 0; c < e.size(); ++c)
    if (frame.gaps[c] > 0) sum += Rational(slopes[frame.rows.sample(c)].most * frame.gaps[c]) * e[c];
  return sum;
}

/// Σ Δ_c e_c
Number weighted_gaps(const std::vector<Rational>& gaps, const std::vector<Number>& e) {
  Number sum = 0;
  for (std::size_t c = 0; c < e.size(); ++c) sum += gaps[c] * e[c];
  return sum;
}

/// κ_c = μ_i (Δ_c − h), by row.
std::vector<Rational> row_weights(const LimitRows& rows, const std::vector<Rational>& gaps, const std::vector<SlopeRange>& slopes,
                                  const Rational& reach) {
  std::vector<Rational> kappa;
  for (std::size_t c = 0; c < gaps.size(); ++c) kappa.emplace_back(slopes[rows.sample(c)].least * (gaps[c] - reach));
  return kappa;
}

/// Clause 5 of §4.24 and 3 of §4.25: 0 < h < Δ_c, and the first stage closes.
void require_path_reach(const Rational& reach, const std::vector<Rational>& gaps, const LossBounds& loss, const Number& first_stage,
                        const Json& node, const std::string& clause) {
  demand(reach > 0, node, clause + ": h is not > 0");
  demand(reach < *std::min_element(gaps.begin(), gaps.end()), node, clause + ": h is not below every Delta");
  demand(is_at_most(loss.m1 * first_stage, Rational(-loss.slope_sup * reach)), node, clause + ": the first stage does not close within h");
}

/// Theorem P: clauses 4 to 7; D.
Number ball_offset(const PathFrame& frame, const Rational& radius, const Json& entry) {
  const Shift shift(frame.rows, frame.svm, entry.at("shift"));
  const Competitor competitor = require_competitor(frame.svm, radius, shift, entry.at("shift"));
  const Rational reach = read_rational(entry.at("reach"));
  const Number first_stage =
      in_clause("clause 5", entry.at("reach"), [&] { return exp_up(-(radius * frame.theta)) * weighted_gaps(frame.gaps, competitor.e); });
  require_path_reach(reach, frame.gaps, frame.loss, first_stage, entry.at("reach"), "clause 5");
  const auto ranges = score_ranges(frame.scores, frame.rows.selection(), reach, 0);
  const auto slopes = require_slopes(entry.at("slopes"), frame.problem, ranges);
  return in_clause("clause 7", entry, [&] {
    return log(competitor_loss(frame, slopes, competitor.e)) - jensen(frame.svm, row_weights(frame.rows, frame.gaps, slopes, reach));
  });
}

/// {p : ‖p‖ ≥ r0, ‖p − (ŵ·p)ŵ‖ ≤ τ ŵ·p}
class PathCone {
 public:
  PathCone(const PathFrame& frame, const Json& node) {
    node.expect_keys({"radius", "opening"});
    radius_ = read_rational(node.at("radius"));
    opening_ = read_rational(node.at("opening"));
    demand(radius_ > 0, node.at("radius"), "clause 3: not > 0");
    demand(opening_ > 0, node.at("opening"), "clause 3: not > 0");
    in_clause("clause 5'", node, [&] {
      for (std::size_t c = 0; c < frame.rows.size(); ++c) require_slope(frame, c, node);
    });
  }

  [[nodiscard]] const Rational& radius() const { return radius_; }
  /// In the cone a_c·p ≥ σ_c ‖p‖.
  [[nodiscard]] const Number& slope(std::size_t c) const { return slopes_[c]; }

  /// Whether ρŵ + ω lies in the cone for every R ≥ R0.
  [[nodiscard]] bool holds(const Shift& shift, const Rational& from) const {
    const Rational square = opening_ * opening_;
    return shift.squared * (1 + square) <= square * from * from;
  }

 private:
  void require_slope(const PathFrame& frame, std::size_t c, const Json& node) {
    const Rational& theta_c = frame.svm.theta[c];
    const Number across = sqrt(Number(Rational(frame.rows.product(c, c) - theta_c * theta_c / frame.svm.norm_squared)));
    slopes_.push_back((theta_c * frame.theta - opening_ * across) / sqrt(Number(Rational(1 + opening_ * opening_))));
    demand(is_less(0, slopes_[c]), node, "clause 5': sigma > 0 is not shown for the row " + frame.rows.name(c));
    demand(frame.gaps[c] >= 0 || is_less(frame.theta, slopes_[c]), node,
           "clause 5': sigma > Theta is not shown for the row " + frame.rows.name(c) + " that scores more");
  }

  Rational radius_;
  Rational opening_;
  std::vector<Number> slopes_;
};

/// Ē, and clause 5' of h.
Number require_cone_reach(const PathFrame& frame, const PathCone& cone, const Rational& floor, const Rational& reach, const Json& node) {
  std::vector<Number> others(frame.scores.size(), 0);
  std::vector<Number> moved(frame.scores.size(), 0);
  for (std::size_t c = 0; c < frame.rows.size(); ++c) {
    const Number e = exp_up(-(floor * cone.slope(c)));
    others[frame.rows.sample(c)] += e;
    moved[frame.rows.sample(c)] += Rational(abs(frame.gaps[c])) * e;
  }
  Number most = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    demand(is_at_most(moved[i], reach), node, "clause 5': h is too small for sample " + std::to_string(i));
    most = largest(most, others[i]);
  }
  return most;
}

/// Theorem C: clauses 4, 5', 6, 7'; D.
Number cone_offset(const PathFrame& frame, const PathCone& cone, const Rational& radius, const Rational& floor, const Json& entry) {
  const Shift shift(frame.rows, frame.svm, entry.at("shift"));
  const Competitor competitor = require_competitor(frame.svm, radius, shift, entry.at("shift"));
  demand(cone.holds(shift, radius), entry.at("shift"), "clause 5': the shift leaves the cone");
  demand(cone.radius() <= floor && floor <= radius, entry.at("floor"), "clause 5': not r0 <= r1 <= R0");
  const Rational reach = read_rational(entry.at("reach"));
  const Number others =
      in_clause("clause 5'", entry.at("reach"), [&] { return require_cone_reach(frame, cone, floor, reach, entry.at("reach")); });
  const auto ranges = score_ranges(frame.scores, frame.rows.selection(), reach, reach);
  const auto slopes = require_slopes(entry.at("slopes"), frame.problem, ranges);
  return in_clause("clause 7'", entry, [&] {
    const Number support = jensen(frame.svm, row_weights(frame.rows, frame.gaps, slopes, 0));
    Number pull = 0;
    for (std::size_t c = 0; c < frame.rows.size(); ++c)
      if (frame.gaps[c] < 0)
        pull += Rational(-slopes[frame.rows.sample(c)].most * frame.gaps[c]) * exp_up(floor * (frame.theta - cone.slope(c)));
    const Number xi = (1 + others) * exp(-support) * pull;
    demand(is_less(xi, 1), entry, "clause 7': xi < 1 is not shown");
    return log(competitor_loss(frame, slopes, competitor.e)) - support - log(1 - xi) + log(1 + others);
  });
}

/// Clause 9, then the entry itself.
Number cone_entry_offset(const PathFrame& frame, const PathCone& cone, const Rational& radius, const Json& entry) {
  const Rational floor = read_rational(entry.at("floor"));
  const Json& first = entry.at("first");
  if (first.kind == JsonKind::null) {
    demand(floor == cone.radius(), entry.at("floor"), "clause 9: not r0, and there is no first pass");
  } else {
    first.expect_keys({"shift", "reach", "slopes", "floor"});
    demand(read_rational(first.at("floor")) == cone.radius(), first.at("floor"), "clause 9: the floor of the first pass is not r0");
    const Number offset = cone_offset(frame, cone, radius, cone.radius(), first);
    demand(is_less(offset, radius * frame.theta), first, "clause 9: D1 < R0 Theta is not shown");
    demand(floor == cone.radius() || is_at_most(floor, radius - offset / frame.theta), entry.at("floor"),
           "clause 9: r1 <= R0 - D1/Theta is not shown");
  }
  return cone_offset(frame, cone, radius, floor, entry);
}

/// ζ with 𝒢 ζ = o for the Gram matrix 𝒢 of the listed rows, by LDLᵀ in intervals; throws Undefined unless every pivot is
/// shown > 0, which also shows that the rows are independent.
std::vector<Number> solve_gram(const LimitRows& rows, const LimitSvm& svm, const std::vector<Number>& o) {
  const Arithmetic a(2048);
  const std::size_t size = svm.lambda.size();
  std::vector<std::vector<Interval>> lower(size);
  std::vector<Interval> right;
  for (const Number& value : o) right.push_back(value.range());
  for (std::size_t r = 0; r < size; ++r)
    for (std::size_t c = 0; c <= r; ++c) lower[r].push_back(a.enclose(rows.product(svm.lambda[r].row, svm.lambda[c].row)));
  for (std::size_t k = 0; k < size; ++k) {
    if (lower[k][k].lower.mantissa.sign() <= 0) throw Undefined("the listed rows are not shown to be independent");
    const Interval inverse = a.reciprocal(lower[k][k]);
    for (std::size_t r = k + 1; r < size; ++r) {
      const Interval factor = a.multiply(lower[r][k], inverse);
      for (std::size_t c = k + 1; c <= r; ++c) lower[r][c] = a.subtract(lower[r][c], a.multiply(factor, lower[c][k]));
      right[r] = a.subtract(right[r], a.multiply(factor, right[k]));
    }
  }
  for (std::size_t k = size; k-- > 0;) {  // the columns of `lower` hold the pivots and the rows of L times them
    for (std::size_t r = k + 1; r < size; ++r) right[k] = a.subtract(right[k], a.multiply(lower[r][k], right[r]));
    right[k] = a.multiply(right[k], a.reciprocal(lower[k][k]));
  }
  std::vector<Number> solution;
  for (const Interval& value : right) solution.push_back(Number(value) * 1);
  return solution;
}

/// Theorem Q: the shift that p_R − Rŵ tends to.
struct LimitShift {
  Number squared = 0;
  std::vector<Number> values;  ///< ω_c by row
  Number log_psi = 0;
};

/// l_c − l_e for two listed rows: exactly 0 for rows of equal score, Δ/λ̂, so that |ω| is 0 where it ought to be.
Number log_ratio(const PathFrame& frame, const std::vector<Number>& slopes, const RowTerm& c, const RowTerm& e) {
  const auto score = [&](const RowTerm& row) {
    return frame.scores[frame.rows.sample(row.row)][frame.rows.selection()[frame.rows.sample(row.row)]];
  };
  const Number ratio = log(Number(Rational(frame.gaps[c.row] * e.value / (frame.gaps[e.row] * c.value))));
  if (score(c) == score(e)) return ratio;
  return ratio + log(slopes[frame.rows.sample(c.row)] / slopes[frame.rows.sample(e.row)]);
}

LimitShift limit_shift(const PathFrame& frame, const std::vector<Number>& slopes) {
  const RowTerm& first = frame.svm.lambda.front();
  std::vector<Number> o;  // at first l_c − l of the first row
  Number mean = 0;
  for (const RowTerm& multiplier : frame.svm.lambda) {
    o.push_back(log_ratio(frame, slopes, multiplier, first));
    mean += normed(frame.svm, multiplier) * o.back();
  }
  for (Number& value : o) value = value - mean;
  LimitShift shift;
  shift.log_psi = mean + log(slopes[frame.rows.sample(first.row)] * Rational(frame.gaps[first.row] / normed(frame.svm, first)));
  const std::vector<Number> zeta = solve_gram(frame.rows, frame.svm, o);
  shift.values.assign(frame.rows.size(), 0);
  for (std::size_t s = 0; s < o.size(); ++s) {
    const std::size_t listed = frame.svm.lambda[s].row;
    shift.squared += o[s] * zeta[s];
    for (std::size_t c = 0; c < frame.rows.size(); ++c)
      if (!frame.svm.listed[c]) shift.values[c] += frame.rows.product(c, listed) * zeta[s];
    shift.values[listed] = o[s];
  }
  shift.squared = positive_part(shift.squared);
  return shift;
}

/// b_i = −ℓ'(γ_iα), by sample.
std::vector<Number> vertex_slopes(const PathFrame& frame) {
  std::vector<Number> slopes;
  for (const Interval& point : score_ranges(frame.scores, frame.rows.selection(), 0, 0))
    slopes.push_back(-Number(frame.problem.loss.jet(point).first));
  return slopes;
}

/// Clauses 10 to 12 of §4.24, with what does not depend on the radius.
class Rate {
 public:
  Rate(const PathFrame& frame, const Json& where)
      : frame_(frame), slopes_(in_clause("clause 10", where, [&] { return vertex_slopes(frame); })),
        least_slope_(slopes_[frame.rows.sample(0)]), least_gap_(frame.gaps[frame.svm.lambda.front().row]) {
    constexpr std::size_t most_listed = 512;
    if (frame.svm.lambda.size() > most_listed) where.fail("refused: too much work");
    for (std::size_t c = 0; c < frame.rows.size(); ++c)
      demand(frame.svm.listed[c] || frame.svm.theta[c] > 1, where, "clause 10: the row " + frame.rows.name(c) + " is tight but not listed");
    shift_ = in_clause("clause 10", where, [&] { return limit_shift(frame, slopes_); });
    for (std::size_t c = 0; c < frame.rows.size(); ++c) least_slope_ = smallest(least_slope_, slopes_[frame.rows.sample(c)]);
    for (const RowTerm& multiplier : frame.svm.lambda) least_gap_ = std::min(least_gap_, frame.gaps[multiplier.row]);
  }

  void require(const Rational& radius, const Json& node) const {
    const Rational rate = read_rational(node);
    demand(rate > 0, node, "not > 0");
    demand(is_less(shift_.squared, Rational(radius * radius)), node, "clause 11: the limit of the shift is not shorter than the radius");
    in_clause("clause 11", node, [&] {
      const Competitor competitor(frame_.svm, radius, shift_.squared, shift_.values);
      const Number reach = require_reach(radius, competitor, node);
      demand(is_at_most(bound(radius, competitor.rho, reach), Rational(rate * rate)), node, "clause 12: Q is too small");
    });
  }

 private:
  /// Clause 11: h0.
  [[nodiscard]] Number require_reach(const Rational& radius, const Competitor& competitor, const Json& node) const {
    demand(is_at_most(1, radius * frame_.theta), node, "clause 11: R0 Theta >= 1 is not shown");
    const Number reach =
        Rational(frame_.loss.m1 / frame_.least_slope()) * exp_up(-(radius * frame_.theta)) * weighted_gaps(frame_.gaps, competitor.e);
    demand(is_less(reach, *std::min_element(frame_.gaps.begin(), frame_.gaps.end())), node, "clause 11: h0 is not below every Delta");
    demand(is_at_most(Rational(2 * frame_.loss.m0) * reach, least_slope_), node, "clause 11: m0 h0 exceeds half the least b");
    demand(is_at_most(2 * reach, least_gap_), node, "clause 11: h0 exceeds half the least listed Delta");
    return reach;
  }

  /// The right side of clause 12.
  [[nodiscard]] Number bound(const Rational& radius, const Number& rho, const Number& reach) const {
    Number others = radius * reach * (Rational(3 * frame_.loss.m0) / least_slope_ + Rational(2 / least_gap_));
    for (std::size_t c = 0; c < frame_.rows.size(); ++c) {
      if (frame_.svm.listed[c]) continue;
      const Number weight = slopes_[frame_.rows.sample(c)] * frame_.gaps[c] * exp(-shift_.log_psi) * exp_up(-shift_.values[c]);
      others += weight * (radius / rho) * decay(rho, frame_.theta * Rational(frame_.svm.theta[c] - 1));
    }
    return 2 * shift_.squared * radius / (radius + rho) + 2 / frame_.theta * others;
  }

  /// The largest ρ e^(−ρx) from this ρ on: it falls where ρx ≥ 1, and is 1/(e x) at most.
  static Number decay(const Number& rho, const Number& x) {
    if (is_at_most(1, rho * x)) return rho * exp_up(-(rho * x));
    return exp_up(-1) / x;
  }

  const PathFrame& frame_;
  std::vector<Number> slopes_;  ///< b_i by sample
  LimitShift shift_;
  Number least_slope_;  ///< of the samples with two tokens
  Rational least_gap_;  ///< of the listed rows
};

bool asks_for_rate(const Json* entry) { return entry->at("rate").kind != JsonKind::null; }

void require_gaps(const PathFrame& frame, bool everywhere) {
  for (std::size_t c = 0; c < frame.rows.size(); ++c)
    if (frame.gaps[c] <= 0 && (everywhere || frame.svm.theta[c] == 1))
      throw Rejected("clause 3: the row " + frame.rows.name(c) + " does not score less than the selected token");
}

}  // namespace

void check_path_envelope(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over", "selection", "cone", "envelope"});
  witness.expect_keys({"lambda", "loss", "entries"});
  const std::vector<EnvelopeEntry> envelope = read_envelope(statement.at("envelope"), {"radius", "square", "rate"});
  const auto& stated = statement.at("envelope").items;
  const auto& entries = witness.at("entries").array(envelope.size());
  const PathFrame frame(problem, read_over_of_claim(statement.at("over"), claim), statement, witness);
  require_little_work(2 * entries.size(), frame.rows.size() + frame.scores.size(), witness.at("entries"));

  const Json& cone_node = statement.at("cone");
  const bool in_ball = cone_node.kind == JsonKind::null;
  require_gaps(frame, in_ball);
  std::optional<PathCone> cone;
  if (!in_ball) cone.emplace(frame, cone_node);
  std::optional<Rate> rate;
  if (const auto asks = std::find_if(stated.begin(), stated.end(), asks_for_rate); asks != stated.end()) {
    demand(in_ball, (*asks)->at("rate"), "not null, but there is a cone");
    rate.emplace(frame, (*asks)->at("rate"));
  }
  for (std::size_t k = 0; k < envelope.size(); ++k) {
    const auto& [radius, square] = envelope[k];
    if (in_ball)
      entries[k]->expect_keys({"shift", "reach", "slopes"});
    else
      entries[k]->expect_keys({"shift", "reach", "slopes", "floor", "first"});
    const Number offset = in_ball ? ball_offset(frame, radius, *entries[k]) : cone_entry_offset(frame, *cone, radius, *entries[k]);
    require_offset(offset, frame.theta, radius, square, *entries[k]);
    if (asks_for_rate(stated[k])) rate->require(radius, stated[k]->at("rate"));
  }
}

void check_path_ratio(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection", "lower", "upper", "radius", "offset"});
  witness.expect_keys({"bracket", "loss", "reach", "slopes"});
  const LimitRows rows(problem, Over::W, read_selection(statement.at("selection"), problem));
  const Rational lower = read_rational(statement.at("lower"));
  const Rational upper = read_rational(statement.at("upper"));
  const Rational radius = read_rational(statement.at("radius"));
  const Rational offset = read_rational(statement.at("offset"));
  demand(lower > 0, statement.at("lower"), "not > 0");
  demand(radius > 0, statement.at("radius"), "not > 0");
  demand(offset >= 0, statement.at("offset"), "is negative");
  demand(rows.size() > 0, statement.at("selection"), "clause 1: there is no row");
  const auto images = require_nuclear_bracket(problem, rows.selection(), statement, witness.at("bracket"));
  const Scores scores = scores_of(problem);
  const std::vector<Rational> gaps = rows.gaps(scores);
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (gaps[c] <= 0) throw Rejected("clause 1: the row " + rows.name(c) + " does not score less than the selected token");
  const LossBounds loss = require_loss_block(witness.at("loss"), problem.loss, scores);

  const Json& reach_node = witness.at("reach");
  const Rational reach = read_rational(reach_node);
  const std::vector<Number> e = in_clause("clause 3", reach_node, [&] {
    std::vector<Number> weights;
    for (std::size_t c = 0; c < rows.size(); ++c)
      weights.push_back(exp_up(Rational(radius * (1 - dot(rows.left(c), images[rows.sample(c)])) / upper)));
    require_path_reach(reach, gaps, loss, exp_up(Rational(-radius / upper)) * weighted_gaps(gaps, weights), reach_node, "clause 3");
    return weights;
  });
  const auto slopes = require_slopes(witness.at("slopes"), problem, score_ranges(scores, rows.selection(), reach, 0));
  in_clause("clause 5", statement.at("offset"), [&] {
    Number loss_bound = 0;
    for (std::size_t c = 0; c < rows.size(); ++c) loss_bound += Rational(slopes[rows.sample(c)].most * gaps[c]) * e[c];
    const std::vector<Rational> kappa = row_weights(rows, gaps, slopes, reach);
    for (std::size_t c = 0; c < rows.size(); ++c)
      demand(is_at_most(log(loss_bound) - log(Number(kappa[c])), offset), statement.at("offset"),
             "clause 5: too small for the row " + rows.name(c));
  });
  demand(upper * offset < radius, statement.at("radius"), "clause 5: not above upper times offset");
}

}  // namespace attest::check

#include "head.hpp"

#include <algorithm>

#include "envelope.hpp"

namespace attest::check {

namespace {

/// Where the tokens of one sample stand: u_it = v·x_it.
struct Side {
  std::size_t sample = 0;
  int label = 1;                    ///< Y_i
  Rational vertex;                  ///< u_iα
  int sign = 1;                     ///< g: on which side of it the others are
  std::vector<Rational> distances;  ///< |u_it − u_iα| by token
  Rational farthest = 0;            ///< the largest of them; 0 for one token

  [[nodiscard]] bool moves() const { return distances.size() > 1; }

  /// The u whose distance from the vertex is between a and b.
  [[nodiscard]] Interval stretch(const Rational& a, const Rational& b) const {
    return sign > 0 ? Arithmetic().enclose(vertex + a, vertex + b) : Arithmetic().enclose(vertex - b, vertex - a);
  }
};

/// Throws Rejected unless all tokens other than α_i lie strictly on one side of it.
std::vector<Side> require_sides(const Problem& problem, const Selection& selection) {
  if (!problem.v) throw Rejected("the head takes v.x, but problem.v is missing");
  std::vector<Side> sides;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    Side side{i, problem.labels[i], dot(*problem.v, problem.tokens[i][selection[i]]), 1, {}, 0};
    for (std::size_t t = 0; t < problem.tokens[i].size(); ++t) {
      const Rational ahead = dot(*problem.v, problem.tokens[i][t]) - side.vertex;
      if (t != selection[i]) {
        if (ahead == 0) throw Rejected("the token " + bracketed({i, t}) + " has the v.x of the selected one");
        if (side.farthest > 0 && ahead.sign() != side.sign) throw Rejected("sample " + std::to_string(i) + " has tokens on both sides");
        side.sign = ahead.sign();
      }
      side.distances.emplace_back(abs(ahead));
      side.farthest = std::max(side.farthest, side.distances.back());
    }
    sides.push_back(std::move(side));
  }
  return sides;
}

/// c_lo and c_hi of one sample; 0 for one token.
struct Slopes {
  Rational low = 0;
  Rational high = 0;
};

/// The ends of the cells of one sample by their distance from the vertex: 0, the cuts, `upto`.
std::vector<Rational> cell_ends(const Side& side, const Rational& upto, const Json& cuts) {
  std::vector<Rational> ends{0};
  for (const Json* node : cuts.array()) {
    const Rational distance = side.sign * (read_rational(*node) - side.vertex);
    demand(distance > ends.back() && distance < upto, *node, "cuts do not lead from the selected token to the farthest one");
    ends.push_back(distance);
  }
  if (upto > 0) ends.push_back(upto);
  return ends;
}

/// By the derivative, c_lo ≤ −Y g φ' ≤ c_hi on the cell: the bounds that hold at its near end hold on all of it.
bool by_slope(const Side& side, const Slopes& slopes, const Jet& jet) {
  const Number fall = -side.label * side.sign * Number(jet.first);
  return is_at_most(slopes.low, fall) && is_at_most(fall, slopes.high);
}

/// By values, from the vertex to the cell whose distances are [a, b]; never so on the first cell, where a = 0.
bool by_value(const Side& side, const Slopes& slopes, const Number& fall, const Rational& a, const Rational& b) {
  return is_at_most(Rational(slopes.low * b), side.label * fall) && is_at_most(side.label * fall, Rational(slopes.high * a));
}

/// A head φ(v·x) on the tokens of every sample.
class Head {
 public:
  Head(const Problem& problem, const Selection& selection, const Json& node)
      : phi_(Loss::head(node)), sides_(require_sides(problem, selection)) {}

  [[nodiscard]] const std::vector<Side>& sides() const { return sides_; }

  /// Throws Rejected unless c_lo|u − u_iα| ≤ Y_i(φ(u_iα) − φ(u)) ≤ c_hi|u − u_iα| for the u of each sample whose distance from
  /// u_iα is at most `part` of that of the farthest token.
  [[nodiscard]] std::vector<Slopes> require_bounds(const Json& bounds, const Json& cuts, const Rational& part) const {
    const auto& pairs = bounds.array(sides_.size());
    const auto& lists = cuts.array(sides_.size());
    std::vector<Slopes> slopes(sides_.size());
    for (const Side& side : sides_) {
      const Json& pair = *pairs[side.sample];
      const std::vector<Rational> ends = cell_ends(side, part * side.farthest, *lists[side.sample]);
      if (!side.moves()) {
        demand(pair.kind == JsonKind::null, pair, "not null, but the sample has one token");
        continue;
      }
      const auto& parts = pair.array(2);
      slopes[side.sample] = {read_rational(*parts[0]), read_rational(*parts[1])};
      demand(slopes[side.sample].low > 0, pair, "c_lo is not > 0");
      in_clause("the head", pair, [&] { require_cells(side, slopes[side.sample], ends, pair); });
    }
    return slopes;
  }

  /// Y_i φ(u_iα); throws Undefined.
  [[nodiscard]] Number at_vertex(const Side& side) const { return side.label * value(side, 0, 0); }

  /// Throws Rejected unless the interval of the loss holds all Y_i φ(u), u between the tokens of sample i; Undefined.
  void require_covered(const LossBounds& loss, const Json& cuts, const Json& where) const {
    for (const Side& side : sides_) {
      const std::vector<Rational> ends = cell_ends(side, side.farthest, *cuts.items[side.sample]);
      for (std::size_t k = 0; k < std::max<std::size_t>(1, ends.size() - 1); ++k) {
        const Number score = side.label * value(side, ends[k], ends[std::min(k + 1, ends.size() - 1)]);
        demand(is_at_most(loss.lower, score) && is_at_most(score, loss.upper), where,
               "clause 2: the interval does not hold the head of sample " + std::to_string(side.sample));
      }
    }
  }

 private:
  [[nodiscard]] Number value(const Side& side, const Rational& a, const Rational& b) const {
    return Number(phi_.jet(side.stretch(a, b)).value);
  }

  void require_cells(const Side& side, const Slopes& slopes, const std::vector<Rational>& ends, const Json& where) const {
    const Number vertex = value(side, 0, 0);
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      const Jet jet = phi_.jet(side.stretch(ends[k], ends[k + 1]));
      demand(by_slope(side, slopes, jet) || by_value(side, slopes, vertex - Number(jet.value), ends[k], ends[k + 1]), where,
             "not shown on cell " + std::to_string(k) + " of " + std::to_string(ends.size() - 1));
    }
  }

  Loss phi_;
  std::vector<Side> sides_;
};

/// c·|u_it − u_iα| by row, for c_lo (ν_c) or c_hi (Λ_c).
std::vector<Rational> row_bounds(const LimitRows& rows, const Head& head, const std::vector<Slopes>& slopes, Rational Slopes::*which) {
  std::vector<Rational> bounds;
  for (std::size_t c = 0; c < rows.size(); ++c)
    bounds.emplace_back(slopes[rows.sample(c)].*which * head.sides()[rows.sample(c)].distances[rows.row(c).token]);
  return bounds;
}

/// What all entries rest on: clauses 1 and 2, and the bounds of the head.
struct HeadFrame {
  HeadFrame(const Problem& of, const Json& statement, const Json& witness)
      : problem(of), rows(of, Over::p, read_selection(statement.at("selection"), of)), svm(rows, witness.at("lambda")),
        theta(theta_of(svm)), head(of, rows.selection(), statement.at("head")), loss(read_loss(witness.at("loss"))) {
    const Json& cuts = witness.at("cuts");
    slopes = head.require_bounds(witness.at("bounds"), cuts, 1);
    in_clause("clause 2", witness.at("loss"), [&] { head.require_covered(loss, cuts, witness.at("loss")); });
  }

  const Problem& problem;
  LimitRows rows;
  LimitSvm svm;
  Number theta;
  Head head;
  LossBounds loss;
  std::vector<Slopes> slopes;

 private:
  [[nodiscard]] LossBounds read_loss(const Json& node) const {
    node.expect_keys({"interval", "slope_sup", "m0", "m1", "cuts"});
    return require_loss_bounds(problem.loss, node, node.at("cuts"));
  }
};

/// Clause 6: [Y_iφ(u_iα) − η max_t Λ_it, Y_iφ(u_iα)], enclosed.
std::vector<Interval> vertex_ranges(const HeadFrame& frame, const Rational& reach) {
  std::vector<Interval> ranges;
  for (const Side& side : frame.head.sides()) {
    const Number vertex = frame.head.at_vertex(side);
    const Number least = vertex - Rational(reach * frame.slopes[side.sample].high * side.farthest);
    ranges.push_back({least.range().lower, vertex.range().upper});
  }
  return ranges;
}

/// Clause 5: attention outside the selection is at most η.
void require_head_reach(const HeadFrame& frame, const Competitor& competitor, const Rational& radius, const Rational& reach,
                        const Json& node) {
  demand(reach > 0 && reach < Rational(1), node, "clause 5: not between 0 and 1");
  const std::vector<Rational> low = row_bounds(frame.rows, frame.head, frame.slopes, &Slopes::low);
  const std::vector<Rational> high = row_bounds(frame.rows, frame.head, frame.slopes, &Slopes::high);
  Number sum = 0;
  for (std::size_t c = 0; c < high.size(); ++c) sum += high[c] * competitor.e[c];
  const Rational most = -frame.loss.slope_sup * *std::min_element(low.begin(), low.end()) * reach;
  demand(is_at_most(frame.loss.m1 * exp_up(-(radius * frame.theta)) * sum, most), node,
         "clause 5: the first stage does not close within eta");
}

/// Clause 7: D.
Number offset_of(const HeadFrame& frame, const Competitor& competitor, const std::vector<SlopeRange>& slopes,
                 const std::vector<Slopes>& near, const Rational& reach) {
  const std::vector<Rational> high = row_bounds(frame.rows, frame.head, near, &Slopes::high);
  std::vector<Rational> kappa = row_bounds(frame.rows, frame.head, near, &Slopes::low);
  Number loss = 0;
  for (std::size_t c = 0; c < kappa.size(); ++c) {
    kappa[c] *= slopes[frame.rows.sample(c)].least * (1 - reach);
    loss += Rational(slopes[frame.rows.sample(c)].most * high[c]) * competitor.e[c];
  }
  return log(loss) - jensen(frame.svm, kappa);
}

void require_entry(const HeadFrame& frame, const Rational& radius, const Rational& square, const Json& entry) {
  entry.expect_keys({"shift", "reach", "slopes", "near"});
  const Shift shift(frame.rows, frame.svm, entry.at("shift"));
  const Competitor competitor = require_competitor(frame.svm, radius, shift, entry.at("shift"));
  const Json& reach_node = entry.at("reach");
  const Rational reach = read_rational(reach_node);
  in_clause("clause 5", reach_node, [&] { require_head_reach(frame, competitor, radius, reach, reach_node); });
  const Json& near_node = entry.at("near");
  near_node.expect_keys({"bounds", "cuts"});
  const std::vector<Slopes> near = frame.head.require_bounds(near_node.at("bounds"), near_node.at("cuts"), reach);
  const auto ranges = in_clause("clause 6", reach_node, [&] { return vertex_ranges(frame, reach); });
  const auto slopes = require_slopes(entry.at("slopes"), frame.problem, ranges);
  const Number offset = in_clause("clause 7", entry, [&] { return offset_of(frame, competitor, slopes, near, reach); });
  require_offset(offset, frame.theta, radius, square, entry);
}

}  // namespace

void check_head_bounds(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection", "head", "bounds"});
  witness.expect_keys({"cuts"});
  const Head head(problem, read_selection(statement.at("selection"), problem), statement.at("head"));
  static_cast<void>(head.require_bounds(statement.at("bounds"), witness.at("cuts"), 1));
}

void check_head_envelope(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "selection", "head", "envelope"});
  witness.expect_keys({"lambda", "loss", "bounds", "cuts", "entries"});
  const std::vector<EnvelopeEntry> stated = read_envelope(statement.at("envelope"), {"radius", "square"});
  const auto& entries = witness.at("entries").array(stated.size());
  const HeadFrame frame(problem, statement, witness);
  require_little_work(entries.size(), frame.rows.size() + problem.tokens.size(), witness.at("entries"));
  for (std::size_t k = 0; k < entries.size(); ++k) require_entry(frame, stated[k].radius, stated[k].square, *entries[k]);
}

}  // namespace attest::check

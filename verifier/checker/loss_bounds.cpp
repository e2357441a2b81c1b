#include "loss_bounds.hpp"

namespace attest::check {

std::vector<Rational> cell_ends(const Rational& lower, const Rational& upper, const Json& cuts) {
  std::vector<Rational> ends{lower};
  for (const Json* node : cuts.array()) {
    const Rational cut = read_rational(*node);
    if (cut <= ends.back() || cut >= upper) node->fail("cuts do not ascend inside interval");
    ends.push_back(cut);
  }
  ends.push_back(upper);
  return ends;
}

std::pair<Rational, Rational> read_interval(const Json& node) {
  const auto& ends = node.array(2);
  std::pair<Rational, Rational> interval{read_rational(*ends[0]), read_rational(*ends[1])};
  if (interval.first > interval.second) node.fail("the ends are out of order");
  return interval;
}

LossBounds require_loss_bounds(const Loss& loss, const Json& fields, const Json& cuts) {
  const auto [lower, upper] = read_interval(fields.at("interval"));
  const LossBounds bounds{lower, upper, read_rational(fields.at("slope_sup")), read_rational(fields.at("m0")),
                          read_rational(fields.at("m1"))};
  if (bounds.slope_sup >= 0) fields.at("slope_sup").fail("not < 0");
  const std::vector<Rational> ends = cell_ends(lower, upper, cuts);
  const Arithmetic arithmetic;
  const Dyadic slope_most = arithmetic.enclose(bounds.slope_sup).lower;
  const Dyadic slope_least = arithmetic.enclose(-bounds.m1).upper;
  const Dyadic bend_most = arithmetic.enclose(bounds.m0).lower;
  const Dyadic bend_least = arithmetic.enclose(-bounds.m0).upper;
  for (std::size_t cell = 0; cell + 1 < ends.size(); ++cell) {
    const auto demand = [&](bool holds, const std::string& what) {
      if (!holds) throw Rejected("on cell " + std::to_string(cell) + " of " + std::to_string(ends.size() - 1) + ": " + what);
    };
    try {
      const Jet jet = loss.jet(ends[cell], ends[cell + 1], arithmetic);
      demand(compare(jet.first.upper, slope_most) <= 0, "sup l' exceeds slope_sup");
      demand(compare(jet.first.lower, slope_least) >= 0, "-inf l' exceeds m1");
      demand(compare(jet.second.upper, bend_most) <= 0, "sup l'' exceeds m0");
      demand(compare(jet.second.lower, bend_least) >= 0, "-inf l'' exceeds m0");
    } catch (const Undefined& why) {
      demand(false, why.what());
    }
  }
  return bounds;
}

void require_scores_covered(const LossBounds& bounds, const Scores& scores) {
  for (std::size_t i = 0; i < scores.size(); ++i)
    for (std::size_t t = 0; t < scores[i].size(); ++t)
      if (scores[i][t] < bounds.lower || scores[i][t] > bounds.upper)
        throw Rejected("the score of token " + bracketed({i, t}) + " lies outside the interval");
}

LossBounds require_loss_block(const Json& node, const Loss& loss, const Scores& scores) {
  node.expect_keys({"interval", "slope_sup", "m0", "m1", "cuts"});
  const LossBounds bounds = require_loss_bounds(loss, node, node.at("cuts"));
  require_scores_covered(bounds, scores);
  return bounds;
}

}  // namespace attest::check

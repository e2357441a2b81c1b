#include "attention.hpp"

#include <algorithm>
#include <optional>

#include "interval.hpp"
#include "selection_tree.hpp"

namespace attest::check {

namespace {

bool moves(const Problem& problem, std::size_t sample) { return problem.tokens[sample].size() > 1; }

/// k_it·p for every token.
using Logits = std::vector<std::vector<Rational>>;
Logits logits_of(const Problem& problem, const ScaledVector& p) {
  ScaledVector z = p;  // Wᵀ p
  if (problem.W) {
    WeightedVectors rows;
    for (std::size_t a = 0; a < p.size(); ++a) rows.emplace_back(&(*problem.W)[a], p[a]);
    z = scale(combine(rows, p.size()));
  }
  Logits logits;
  for (const auto& sample : problem.tokens) {
    auto& values = logits.emplace_back();
    for (const ScaledVector& token : sample) values.push_back(dot(token, z));
  }
  return logits;
}

void require_separated(const Logits& logits, const Selection& selection, const Json& p) {
  for (std::size_t i = 0; i < logits.size(); ++i)
    for (std::size_t t = 0; t < logits[i].size(); ++t)
      if (t != selection[i] && logits[i][selection[i]] <= logits[i][t]) p.fail("row " + bracketed({i, t}) + " is not > 0");
}

/// u·z_it
Rational score(const Problem& problem, const ScaledVector& u, std::size_t i, std::size_t t) {
  return problem.labels[i] * dot(u, problem.tokens[i][t]);
}

/// The rows [i, t] with i in I whose a_it·p is least; throws Rejected when there are none.
std::vector<Row> least_rows(const Logits& logits, const Selection& selection, const std::vector<bool>& counts, const Json& p) {
  std::vector<Row> least;
  std::optional<Rational> value;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    for (std::size_t t = 0; t < logits[i].size(); ++t) {
      if (!counts[i] || t == selection[i]) continue;
      const Rational here = logits[i][selection[i]] - logits[i][t];
      if (value && here > *value) continue;
      if (!value || here < *value) least.clear();
      value = here;
      least.push_back({i, t});
    }
  }
  if (least.empty()) p.fail("no sample has a second token");
  return least;
}

/// κ, and throws Rejected unless every row outside S is covered by rows of S (§4.9).
std::size_t require_cover(const Problem& problem, const Selection& selection, const LabelMargin& margin, const Json& cover) {
  const Program program = Program::p_svm(problem, selection);
  std::size_t factor = 2;
  std::vector<Row> due;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    if (margin.in_support[i]) continue;
    factor = std::max(factor, problem.tokens[i].size() - 1);
    for (std::size_t t = 0; t < problem.tokens[i].size(); ++t)
      if (t != selection[i]) due.push_back({i, t});
  }
  const auto& entries = cover.array(due.size());
  for (std::size_t k = 0; k < due.size(); ++k) {
    entries[k]->expect_keys({"row", "lambda"});
    if (program.read_row(entries[k]->at("row")) != due[k]) entries[k]->fail("the row " + program.name(due[k]) + " is due");
    const auto multipliers = program.read_multipliers(entries[k]->at("lambda"));
    Rational sum = 0;
    for (const auto& [row, weight] : multipliers) {
      if (!margin.in_support[row.sample]) entries[k]->fail("the row " + program.name(row) + " is not of S");
      sum += weight;
    }
    if (sum < 1) entries[k]->fail("the multipliers sum to less than 1");
    if (program.sum_of_rows(multipliers) != program.sum_of_rows({{due[k], 1}})) entries[k]->fail("not a combination of the row");
  }
  return factor;
}

void require_cells(const TreeFrame& frame, std::size_t j, const Json& cells) {
  if (cells.array().empty()) cells.fail("no cell");
  Rational from = 0;
  for (const Json* cell : cells.items) {
    cell->expect_keys({"upto", "tree"});
    const Rational upto = read_rational(cell->at("upto"));
    if (upto <= from) cell->fail("not in strictly ascending order");
    require_closed_tree(frame, j, from, upto, cell->at("tree"));
    from = upto;
  }
  if (from != 1) cells.fail("the last cell does not end at 1");
}

void by_limit(const Problem& problem, const Selection& selection, const LabelMargin& margin, const std::vector<bool>& counts,
              const Json& witness) {
  witness.expect_keys({"v", "by", "p", "u"});
  const Logits logits = logits_of(problem, read_vector(witness.at("p"), problem.dimension()));
  const ScaledVector u = read_vector(witness.at("u"), problem.dimension());
  bool differs = false;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const Rational largest = *std::max_element(logits[i].begin(), logits[i].end());
    for (std::size_t t = 0; t < logits[i].size(); ++t) {
      if (logits[i][t] != largest) continue;
      differs = differs || (counts[i] && t != selection[i]);
      if (score(problem, u, i, t) < 1) witness.at("u").fail("below 1 for the token " + bracketed({i, t}));
    }
  }
  if (!differs) witness.at("p").fail("attention goes to the selection in all samples that count");
  if (dot(u, u) > margin.v_squared) witness.at("u").fail("longer than v: the margin is smaller");
}

void by_soft_row(const Problem& problem, const Selection& selection, const LabelMargin& margin, const std::vector<bool>& counts,
                 const Json& witness) {
  witness.expect_keys({"v", "by", "p"});
  const Json& p = witness.at("p");
  const Logits logits = logits_of(problem, read_vector(p, problem.dimension()));
  require_separated(logits, selection, p);
  for (const Row& row : least_rows(logits, selection, counts, p)) {
    const auto [i, t] = row;
    if (margin.in_support[i] && score(problem, margin.v, i, t) < score(problem, margin.v, i, selection[i]))
      p.fail("the least row " + bracketed({i, t}) + " lowers the margin");
  }
}

void by_weightless(const Problem& problem, const Selection& selection, const LabelMargin& margin, const std::vector<bool>& counts,
                   const Json& witness) {
  witness.expect_keys({"v", "by", "p", "sample", "y"});
  const Json& p = witness.at("p");
  const std::size_t sample = read_sample(witness.at("sample"), problem);
  if (!margin.in_support[sample]) witness.at("sample").fail("not a support vector");
  const Logits logits = logits_of(problem, read_vector(p, problem.dimension()));
  require_separated(logits, selection, p);
  for (const Row& row : least_rows(logits, selection, counts, p))
    if (row.sample != sample) p.fail("the least row " + bracketed({row.sample, row.token}) + " is of another sample");
  const ScaledVector y = read_vector(witness.at("y"), problem.dimension());
  if (dot(y, margin.v) != 0) witness.at("y").fail("not orthogonal to v");
  for (std::size_t i = 0; i < problem.tokens.size(); ++i)
    if (margin.in_support[i] && score(problem, y, i, selection[i]) < (i == sample ? 1 : 0))
      witness.at("y").fail("too small for sample " + std::to_string(i));
}

/// Whether N ≥ 0 and N² v·v ≥ u·u D², by enclosures.
bool shows_margin(const std::vector<Rational>& logits, const std::vector<Rational>& scores, const Rational& v_squared,
                  const Rational& u_squared) {
  const Arithmetic arithmetic;
  const Rational largest = *std::max_element(logits.begin(), logits.end());
  Interval above = arithmetic.enclose(0);
  Interval below = arithmetic.enclose(0);
  for (std::size_t t = 0; t < logits.size(); ++t) {
    const Interval term = arithmetic.exponential(arithmetic.enclose(Rational(logits[t] - largest)));
    above = arithmetic.add(above, arithmetic.multiply(term, arithmetic.enclose(scores[t])));
    below = arithmetic.add(below, term);
  }
  const Dyadic zero;
  if (compare(above.lower, zero) < 0) return false;
  const Interval left = arithmetic.multiply(arithmetic.square(above), arithmetic.enclose(v_squared));
  const Interval right = arithmetic.multiply(arithmetic.square(below), arithmetic.enclose(u_squared));
  return compare(left.lower, right.upper) >= 0;
}

void by_point(const Problem& problem, const LabelMargin& margin, const std::vector<bool>& counts, const Json& witness) {
  witness.expect_keys({"v", "by", "p", "u"});
  if (std::none_of(counts.begin(), counts.end(), [](bool one) { return one; })) witness.fail("no sample has a second token");
  const Logits logits = logits_of(problem, read_vector(witness.at("p"), problem.dimension()));
  const ScaledVector u = read_vector(witness.at("u"), problem.dimension());
  const Rational u_squared = dot(u, u);
  if (u_squared.is_zero()) witness.at("u").fail("is 0");
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    std::vector<Rational> scores;
    for (std::size_t t = 0; t < problem.tokens[i].size(); ++t) scores.push_back(score(problem, u, i, t));
    try {
      if (!shows_margin(logits[i], scores, margin.v_squared, u_squared)) witness.fail("no margin for sample " + std::to_string(i));
    } catch (const Undefined& why) {
      witness.fail(why.what());
    }
  }
}

}  // namespace

LabelMargin::LabelMargin(const Problem& problem, const Selection& selection, const Json& solution)
    : in_support(problem.tokens.size(), false) {
  solution.expect_keys({"w", "lambda"});
  v = read_vector(solution.at("w"), problem.dimension());
  v_squared = dot(v, v);
  for (const Row& row : Program::v_svm(problem, selection).tight_rows(solution.at("w"), solution.at("lambda")))
    in_support[row.sample] = true;
}

Among read_among(const Json& node) {
  if (node.string() != "all" && node.string() != "support") node.fail("neither all nor support");
  return node.string() == "all" ? Among::all : Among::support;
}

std::vector<bool> counting_samples(const Problem& problem, Among among, const LabelMargin& margin) {
  std::vector<bool> counts;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i)
    counts.push_back(moves(problem, i) && (among == Among::all || margin.in_support[i]));
  return counts;
}

LabelMargin require_bounded_margin(const Problem& problem, const Selection& selection, Among among, const Json& statement,
                                   const Json& witness) {
  LabelMargin margin(problem, selection, witness.at("v"));
  const Rational gamma_squared = read_rational(statement.at("gamma_squared"));
  if (gamma_squared * margin.v_squared != 1) statement.at("gamma_squared").fail("not 1/(v.v)");
  const Rational nu = read_rational(statement.at("nu"));
  if (nu <= 0) statement.at("nu").fail("not > 0");

  const std::vector<bool> counts = counting_samples(problem, among, margin);
  bool outside = false;
  for (std::size_t i = 0; i < counts.size(); ++i) outside = outside || (counts[i] && !margin.in_support[i]);
  std::size_t factor = 1;
  if (outside) {
    witness.expect_keys({"v", "weights", "samples", "cover"});
    factor = require_cover(problem, selection, margin, witness.at("cover"));
  } else {
    witness.expect_keys({"v", "weights", "samples"});
  }
  const std::vector<WeightList> weights = read_weight_lists(witness.at("weights"), problem);
  const TreeFrame frame{problem, selection, margin.in_support, weights, gamma_squared, nu * factor};
  const auto& samples = witness.at("samples").array();
  std::size_t next = 0;
  for (std::size_t i = 0; i < problem.tokens.size(); ++i) {
    if (!margin.in_support[i] || !moves(problem, i)) continue;
    if (next == samples.size()) witness.at("samples").fail("sample " + std::to_string(i) + " is missing");
    const Json& entry = *samples[next++];
    entry.expect_keys({"sample", "cells"});
    if (entry.at("sample").index() != i) entry.fail("sample " + std::to_string(i) + " is due");
    require_cells(frame, i, entry.at("cells"));
  }
  if (next != samples.size()) samples[next]->fail("one sample too many");
  return margin;
}

void require_unbounded_slope(const Problem& problem, const Json& statement, const Json& witness) {
  const Selection selection = read_selection(statement.at("selection"), problem);
  const LabelMargin margin(problem, selection, witness.at("v"));
  const std::vector<bool> counts = counting_samples(problem, read_among(statement.at("over")), margin);
  const std::string& by = witness.at("by").string();
  if (by == "limit") return by_limit(problem, selection, margin, counts, witness);
  if (by == "soft-row") return by_soft_row(problem, selection, margin, counts, witness);
  if (by == "weightless") return by_weightless(problem, selection, margin, counts, witness);
  if (by == "point") return by_point(problem, margin, counts, witness);
  witness.at("by").fail("not a way to refute");
}

}  // namespace attest::check

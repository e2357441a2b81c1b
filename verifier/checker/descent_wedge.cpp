#include "descent.hpp"

#include "descent_facts.hpp"

namespace attest::check {

namespace {

void require_wedge(const SolvedDescent& facts, const RunEnd& end, const Rational& delta, const Arithmetic& arithmetic, Clauses& clauses) {
  clauses.enter("the frame of the wedge");
  const EnclosedRows rows(facts, end, arithmetic);
  const std::size_t count = facts.rows.size();
  const Enclosed zero(Rational(0), arithmetic);
  const Enclosed one = zero.like(1);
  const Enclosed margin = one / rows.norm;  // Θ
  const Enclosed h = (margin * rows.run_along).inf();
  clauses.demand(surely_positive(h), "h > 0 is not shown");
  const Enclosed slant = root(zero.like(2 * delta + delta * delta));

  clauses.enter("clause 1");
  EnclosedVector rise;  // B_c
  EnclosedVector bound;
  for (std::size_t c = 0; c < count; ++c) {
    rise.push_back(margin * rows.theta[c] - slant * rows.across[c]);
    clauses.demand(surely_positive(rise[c]), "B > 0 is not shown at the row " + facts.rows.name(c));
    bound.push_back(size(exp(-(rise[c] * h))));
  }
  const SampleSums sums(facts, rows, bound);
  for (std::size_t c = 0; c < count; ++c)
    clauses.demand(surely_less(sums.bend[facts.rows.sample(c)], one),
                   "e < 1 is not shown in sample " + std::to_string(facts.rows.sample(c)));

  clauses.enter("clause 2");
  std::vector<bool> good(count);  // P
  std::size_t good_rows = 0;
  EnclosedVector lead;  // k_c
  for (std::size_t c = 0; c < count; ++c) {
    good[c] = surely_less(sums.weighted[facts.rows.sample(c)], rows.gap[c]);
    if (good[c]) ++good_rows;
    lead.push_back((rise[c] - zero.like(1 + delta) * margin).inf());
    if (facts.svm.theta[c] == 1) clauses.demand(good[c], "the tight row " + facts.rows.name(c) + " is not in P");
    clauses.demand(good[c] || surely_positive(lead[c]), "k > 0 is not shown at the row " + facts.rows.name(c));
  }

  clauses.enter("clause 3");
  std::optional<Enclosed> least;  // b
  Enclosed most = zero;           // B̂
  Enclosed longest = zero;        // ā
  Enclosed total = zero;          // Σ_P exp(−B h_0)
  for (std::size_t c = 0; c < count; ++c) {
    if (!good[c]) continue;
    const std::size_t i = facts.rows.sample(c);
    const Enclosed low = (rows.push[i] * (one - sums.bend[i]) * (rows.gap[c] - sums.weighted[i]) / (one + sums.all[i])).inf();
    least = least ? smaller_inf(*least, low) : low;
    most = larger_sup(most, (rows.push[i] * (one + sums.bend[i]) * (rows.gap[c] + sums.weighted[i])).sup());
    longest = larger_sup(longest, rows.length[c].sup());
    total += bound[c];
  }
  clauses.demand(surely_positive(*least), "b > 0 is not shown");
  const Enclosed kappa = most / *least * Rational(good_rows - 1) / Rational(2718, 1000);
  EnclosedVector weight(count, zero);  // g_c
  Enclosed leak = zero;                // ξ_0
  for (std::size_t c = 0; c < count; ++c) {
    if (good[c]) continue;
    const std::size_t i = facts.rows.sample(c);
    weight[c] = rows.length[c] * rows.norm * rows.push[i] * (one + sums.bend[i]) * (size(rows.gap[c]).sup() + sums.weighted[i]) / *least;
    leak += size(weight[c] * exp(-(lead[c] * h)));
  }
  clauses.demand(surely_less(leak, one), "xi_0 < 1 is not shown");

  clauses.enter("clause 4");
  Enclosed stride = zero;  // s
  if (facts.method == Method::normalised) stride = zero.like(facts.step);
  if (facts.method == Method::constant) stride = (facts.step * (longest + margin * leak) * most * total).sup();
  const Enclosed from = (h - stride).inf();  // u
  clauses.demand(surely_positive(from), "u > 0 is not shown");
  const Enclosed drift = (kappa * rows.norm + stride * (longest * rows.norm + leak) / Rational(2)) / (one - leak);  // K'

  clauses.enter("clause 5");
  Enclosed sum = root(Enclosed(end.norm_squared, arithmetic)).sup() / h + drift / from;
  for (std::size_t c = 0; c < count; ++c)
    if (!good[c]) sum += Rational(2) * weight[c] * exp(-(lead[c] * from)) / (lead[c] * from) / (one - leak);
  clauses.demand(surely_at_most(sum, zero.like(1 + delta)), "the run is not shown to stay in the wedge");
}

}  // namespace

void check_descent_wedge(const std::string& claim, const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over", "selection", "method", "start", "iterations"}, {"step"});
  witness.expect_keys({"lambda", "loss", "bits", "delta"});
  const SolvedDescent facts(claim, problem, statement, witness);
  const Rational delta = read_positive(witness.at("delta"));
  for (std::size_t c = 0; c < facts.rows.size(); ++c)
    if (facts.svm.theta[c] == 1 && facts.gaps[c] <= 0) throw Rejected("the tight row " + facts.rows.name(c) + " has no gap > 0");
  const RunEnd end = facts.follow();
  with_enough_bits(facts, [&](const Arithmetic& arithmetic) {
    Clauses clauses;
    clauses.run([&] { require_wedge(facts, end, delta, arithmetic, clauses); });
  });
}

}  // namespace attest::check

#include "stationary.hpp"

#include <algorithm>
#include <map>

#include "attended.hpp"
#include "loss_bounds.hpp"

namespace attest::check {

namespace {

bool level(const std::vector<Rational>& scores) {
  return std::all_of(scores.begin(), scores.end(), [&](const Rational& score) { return score == scores.front(); });
}

/// The tokens of a sample by their score, from the lowest.
std::map<Rational, std::pair<Rational, Rational>> ranges_by_score(const std::vector<Rational>& scores,
                                                                  const std::vector<Rational>& values) {
  std::map<Rational, std::pair<Rational, Rational>> ranges;
  for (std::size_t t = 0; t < scores.size(); ++t) {
    const auto [place, fresh] = ranges.try_emplace(scores[t], values[t], values[t]);
    auto& [least, most] = place->second;
    least = std::min(least, values[t]);
    most = std::max(most, values[t]);
  }
  return ranges;
}

/// Along u no attended score falls, and one rises: Cov(κ, γ) ≥ 0 in every sample and > 0 in one.
void require_direction(const Scores& scores, const TokenValues& values, const Json& u) {
  bool rises = false;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto ranges = ranges_by_score(scores[i], values[i]);
    for (auto low = ranges.begin(); low != ranges.end(); ++low) {
      const auto high = std::next(low);
      if (high == ranges.end()) break;
      if (high->second.first < low->second.second)
        u.fail("by direction: prefers a token of sample " + std::to_string(i) + " that scores less");
      rises = rises || high->second.second > low->second.first;
    }
  }
  if (!rises) u.fail("by direction: tells no two tokens of unlike scores apart");
}

/// By the direction v qᵀ, κ_it = (q·z_i) v·x_it = Y_i (q·z_i) γ_it.
void require_query(const Problem& problem, const Scores& scores, const Json& node) {
  const ScaledVector q = read_vector(node, problem.dimension());
  bool rises = false;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (level(scores[i])) continue;
    const Rational value = problem.labels[i] * dot(q, query_of(problem, i));
    if (value < 0) node.fail("by query: Y q.z < 0 in sample " + std::to_string(i));
    rises = rises || value > 0;
  }
  if (!rises) node.fail("by query: no sample of unlike scores has Y q.z > 0");
}

/// Independent queries leave a q with Y_i q·z_i = 1 for all of them.
void require_rank(const Problem& problem, const Scores& scores) {
  std::vector<std::vector<Integer>> queries;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (!level(scores[i])) queries.push_back(query_of(problem, i).numerators);
  if (queries.empty()) throw Rejected("by rank: every sample has equal scores");
  const std::size_t count = queries.size();
  if (rank_of(std::move(queries)) != count) throw Rejected("by rank: the queries of the samples with unlike scores are dependent");
}

/// Bᵀ∇(nL), and its derivative Bᵀ∇²(nL)B, over a box.
struct Expansion {
  EnclosedVector gradient;
  EnclosedMatrix hessian;
};

/// The stationary system in the coordinates of a basis.
class Krawczyk {
 public:
  Krawczyk(const Problem& problem, Over over, const Scores& scores, const Json& statement, const Json& witness)
      : problem_(problem), scores_(scores), keys_(problem, over), zero_(Rational(0), arithmetic_) {
    const std::size_t d = problem.dimension();
    const std::size_t size = over == Over::p ? d : d * d;
    std::vector<std::vector<Integer>> columns;
    for (const Json* column : witness.at("basis").array()) {
      columns.push_back(read_vector(*column, size).numerators);
      along_.push_back(keys_.values(read_flat_point(*column, over, d)));
    }
    require_basis(std::move(columns));
    for (const Json* node : witness.at("radius").array(along_.size())) {
      radius_.push_back(read_rational(*node));
      if (radius_.back() <= 0) node->fail("not > 0");
    }
    for (const Json* row : witness.at("inverse").array(along_.size())) {
      auto& numbers = inverse_.emplace_back();
      for (const Json* node : row->array(along_.size())) numbers.push_back(read_rational(*node));
    }
    centre_ = keys_.values(read_flat_point(statement.at("centre"), over, d));
  }

  /// Clauses 2 to 4.
  void check() const {
    const Expansion at_centre = expand(false);
    const Expansion over_box = expand(true);
    for (std::size_t a = 0; a < along_.size(); ++a) {
      Enclosed shift = zero_;
      for (std::size_t b = 0; b < along_.size(); ++b) shift += at_centre.gradient[b] * inverse_[a][b];
      Enclosed reach = attest::check::size(shift).sup();
      for (std::size_t b = 0; b < along_.size(); ++b) {
        Enclosed rest = zero_.like(a == b ? 1 : 0);
        for (std::size_t c = 0; c < along_.size(); ++c) rest -= over_box.hessian[c][b] * inverse_[a][c];
        reach += attest::check::size(rest).sup() * radius_[b];
      }
      if (!surely_less(reach, zero_.like(radius_[a])))
        throw Rejected("clause 4: the box is not mapped into itself in coordinate " + std::to_string(a));
    }
  }

 private:
  /// Clause 1: the columns are a basis of the span of the differences of keys.
  void require_basis(std::vector<std::vector<Integer>> columns) const {
    const std::size_t count = columns.size();
    std::vector<std::vector<Integer>> differences;
    for (std::size_t i = 0; i < problem_.tokens.size(); ++i)
      for (std::size_t t = 1; t < problem_.tokens[i].size(); ++t) {
        std::vector<Rational> weights(problem_.tokens[i].size(), 0);
        weights[0] = -1;
        weights[t] = 1;
        differences.push_back(scale(keys_.combination(i, weights)).numerators);
      }
    std::vector<std::vector<Integer>> all = columns;
    all.insert(all.end(), differences.begin(), differences.end());
    if (rank_of(std::move(columns)) != count) throw Rejected("clause 1: the columns of basis are dependent");
    if (rank_of(std::move(all)) != count) throw Rejected("clause 1: a difference of keys is no combination of basis");
    if (rank_of(std::move(differences)) != count) throw Rejected("clause 1: a column of basis lies outside the span of the differences");
  }

  /// ⟨key_t − key_s, p⟩ for the centre, or for every p of the box.
  [[nodiscard]] EnclosedMatrix differences(std::size_t i, bool box) const {
    EnclosedMatrix result;
    for (std::size_t s = 0; s < scores_[i].size(); ++s) {
      auto& row = result.emplace_back();
      for (std::size_t t = 0; t < scores_[i].size(); ++t) {
        const Rational middle = centre_[i][t] - centre_[i][s];
        Rational spread = 0;
        for (std::size_t a = 0; box && a < along_.size(); ++a) spread += abs(Rational(along_[a][i][t] - along_[a][i][s])) * radius_[a];
        row.emplace_back(arithmetic_.enclose(middle - spread, middle + spread), arithmetic_);
      }
    }
    return result;
  }

  /// ∇(nL) = Σ_i ℓ' h_i, ∇²(nL) = Σ_i ℓ'' h_i h_iᵀ + ℓ' H_i with h_i = Σ_t c_it κ_it and H_i = Σ_t c_it (κ_it − κ̄_i)(κ_it − κ̄_i)ᵀ, κ̄_i =
  /// Σ_t s_it κ_it (the derivatives of an exponential family); κ_it holds the products of key_t − key_0 with the basis.
  [[nodiscard]] Expansion expand(bool box) const {
    const std::size_t m = along_.size();
    Expansion sum{EnclosedVector(m, zero_), EnclosedMatrix(m, EnclosedVector(m, zero_))};
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      const Attention attention(differences(i, box), scores_[i], arithmetic_);
      const Jet jet = problem_.loss.jet(attention.output.interval(), arithmetic_);
      const Enclosed slope(jet.first, arithmetic_);
      const Enclosed bend(jet.second, arithmetic_);
      const EnclosedVector first = moments(i, attention.pulls);
      const EnclosedVector mean = moments(i, attention.weights);
      for (std::size_t a = 0; a < m; ++a) {
        sum.gradient[a] += slope * first[a];
        for (std::size_t b = 0; b < m; ++b)
          sum.hessian[a][b] += bend * first[a] * first[b] + slope * third_moment(i, attention, first, mean, a, b);
      }
    }
    return sum;
  }

  [[nodiscard]] Rational relative(std::size_t i, std::size_t t, std::size_t a) const { return along_[a][i][t] - along_[a][i][0]; }

  [[nodiscard]] EnclosedVector moments(std::size_t i, const EnclosedVector& weights) const {
    EnclosedVector result(along_.size(), zero_);
    for (std::size_t a = 0; a < along_.size(); ++a)
      for (std::size_t t = 1; t < weights.size(); ++t) result[a] += weights[t] * relative(i, t, a);
    return result;
  }

  /// H_i as written and with the product multiplied out (Σ_t c_it = 0): both hold it.
  [[nodiscard]] Enclosed third_moment(std::size_t i, const Attention& attention, const EnclosedVector& first, const EnclosedVector& mean,
                                      std::size_t a, std::size_t b) const {
    Enclosed central = zero_;
    Enclosed raw = -(first[a] * mean[b] + mean[a] * first[b]);
    for (std::size_t t = 0; t < attention.pulls.size(); ++t) {
      central += attention.pulls[t] * (zero_.like(relative(i, t, a)) - mean[a]) * (zero_.like(relative(i, t, b)) - mean[b]);
      raw += attention.pulls[t] * Rational(relative(i, t, a) * relative(i, t, b));
    }
    return intersection(central, raw);
  }

  const Problem& problem_;
  const Scores& scores_;
  Keys keys_;
  Arithmetic arithmetic_;
  Enclosed zero_;
  std::vector<TokenValues> along_;  // ⟨key, column a⟩
  TokenValues centre_;
  std::vector<Rational> radius_;
  std::vector<std::vector<Rational>> inverse_;
};

/// Samples of one f̃ share ℓ'(f̃), whatever its value; it must exist.
void require_stationary_origin(const Problem& problem, Over over, const Scores& scores) {
  const Means means(scores);
  const Keys keys(problem, over);
  std::map<Rational, std::vector<Rational>> sums;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::vector<Rational> part = keys.combination(i, means.pulls[i]);
    auto& sum = sums.try_emplace(means.outputs[i], part.size(), 0).first->second;
    for (std::size_t a = 0; a < part.size(); ++a) sum[a] += part[a];
  }
  for (const auto& [output, sum] : sums) {
    static_cast<void>(problem.loss.jet(output, output));
    if (!is_zero(sum)) throw Rejected("by origin: the pulls of the samples with the mean score " + output.str() + " do not cancel");
  }
}

}  // namespace

void check_no_stationary_point(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over"});
  const Over over = read_over(statement.at("over"));
  const std::string& by = witness.at("by").string();
  if (by == "direction")
    witness.expect_keys({"loss", "by", "u"});
  else if (by == "query")
    witness.expect_keys({"loss", "by", "q"});
  else if (by == "rank")
    witness.expect_keys({"loss", "by"});
  else
    witness.at("by").fail("none of direction, query, rank");
  if (over == Over::p && by != "direction") witness.at("by").fail("for W alone");
  const Scores scores = scores_of(problem);
  static_cast<void>(require_loss_block(witness.at("loss"), problem.loss, scores));
  if (by == "direction")
    require_direction(scores, Keys(problem, over).values(read_point(witness.at("u"), over, problem.dimension())), witness.at("u"));
  else if (by == "query")
    require_query(problem, scores, witness.at("q"));
  else
    require_rank(problem, scores);
}

void check_stationary_point(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over", "centre"});
  const Over over = read_over(statement.at("over"));
  const std::string& by = witness.at("by").string();
  const Scores scores = scores_of(problem);
  if (by == "origin") {
    witness.expect_keys({"by"});
    require_origin(statement.at("centre"), read_flat_point(statement.at("centre"), over, problem.dimension()));
    defined("by origin", [&] { require_stationary_origin(problem, over, scores); });
    return;
  }
  if (by != "krawczyk") witness.at("by").fail("neither origin nor krawczyk");
  witness.expect_keys({"by", "basis", "radius", "inverse"});
  const Krawczyk krawczyk(problem, over, scores, statement, witness);
  defined("clause 3", [&] { krawczyk.check(); });
}

}  // namespace attest::check

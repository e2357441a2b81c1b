#include "first_step.hpp"

#include <map>

#include "attended.hpp"

namespace attest::check {

namespace {

/// −n∇L·a_c for every row asked for.
class FirstStep {
 public:
  FirstStep(const Problem& problem, const Json& statement)
      : problem_(problem), scores_(scores_of(problem)), over_(read_over(statement.at("over"))), keys_(problem, over_),
        start_(read_point(statement.at("start"), over_, problem.dimension())),
        rows_(problem, over_, read_selection(statement.at("selection"), problem)) {}

  [[nodiscard]] const LimitRows& rows() const { return rows_; }

  /// Its sign is shown by these: ℓ' and the attention of every sample, then a sum for each row.
  [[nodiscard]] std::vector<Enclosed> slopes(const std::vector<std::size_t>& asked) const {
    const TokenValues logits = keys_.values(start_);
    EnclosedMatrix pulls;
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      const Attention attention = attention_at(logits[i], scores_[i], arithmetic_);
      const Enclosed slope(problem_.loss.jet(attention.output.interval(), arithmetic_).first, arithmetic_);
      auto& row = pulls.emplace_back();
      for (const Enclosed& pull : attention.pulls) row.push_back(-(slope * pull));
    }
    std::vector<Enclosed> sums;
    for (const std::size_t c : asked) {
      const TokenValues products = keys_.products(rows_, c);
      Enclosed sum(Rational(0), arithmetic_);
      for (std::size_t i = 0; i < pulls.size(); ++i)
        for (std::size_t t = 1; t < pulls[i].size(); ++t) sum += pulls[i][t] * Rational(products[i][t] - products[i][0]);
      sums.push_back(sum);
    }
    return sums;
  }

  void require_not_at_origin(std::size_t c, const Json& start) const {
    require_origin(start, start_);
    const Means means(scores_);
    const TokenValues products = keys_.products(rows_, c);
    std::map<Rational, Rational> sums;
    for (std::size_t i = 0; i < scores_.size(); ++i)
      for (std::size_t t = 0; t < scores_[i].size(); ++t) sums[means.outputs[i]] += means.pulls[i][t] * products[i][t];
    for (const auto& [output, sum] : sums) {
      if (sum > 0) throw Rejected("by origin: the samples with the mean score " + output.str() + " push the row up");
      if (problem_.loss.jet(output, output).first.upper.mantissa.sign() >= 0)
        throw Rejected("by origin: l' < 0 is not shown at the mean score " + output.str());
    }
  }

 private:
  const Problem& problem_;
  Scores scores_;
  Over over_;
  Keys keys_;
  Point start_;
  LimitRows rows_;
  Arithmetic arithmetic_;
};

}  // namespace

void check_first_step(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over", "selection", "start"});
  witness.expect_keys({});
  const FirstStep step(problem, statement);
  std::vector<std::size_t> all(step.rows().size());
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
  defined("the first step", [&] {
    const auto slopes = step.slopes(all);
    for (std::size_t c = 0; c < all.size(); ++c)
      if (!surely_positive(slopes[c])) throw Rejected("the first step is not shown to raise the row " + step.rows().name(c));
  });
}

void check_not_first_step(const Problem& problem, const Json& statement, const Json& witness) {
  statement.expect_keys({"kind", "over", "selection", "start", "row"});
  witness.expect_keys({"by"});
  const FirstStep step(problem, statement);
  const std::size_t c = step.rows().read_row(statement.at("row"));
  const std::string& by = witness.at("by").string();
  if (by != "enclosure" && by != "origin") witness.at("by").fail("neither enclosure nor origin");
  defined("by " + by, [&] {
    if (by == "origin") return step.require_not_at_origin(c, statement.at("start"));
    if (!surely_negative(step.slopes({c}).front()))
      throw Rejected("by enclosure: the first step is not shown to lower the row " + step.rows().name(c));
  });
}

}  // namespace attest::check

#include "attest/audit/sanity.hpp"

#include "attest/exact/global_optimality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attest {
namespace {

using Level = Remark::Level;

/// L_p grows like the fourth power of the tokens' norm: from this ratio on constant steps of 1/L_p do not move the small ones
/// in any number of iterations that is run.
constexpr double far_apart = 1e3;

/// Up to so many products of exact numbers are spent on keys.
constexpr std::size_t most_key_products = 2'000'000;

/// What was found in several places: the first few of them.
class Places {
 public:
  void add(std::string place) {
    if (++count_ <= shown) text_ += (text_.empty() ? "" : "; ") + std::move(place);
  }
  bool none() const { return count_ == 0; }
  std::string text() const { return count_ > shown ? fmt::format("{} and {} more", text_, count_ - shown) : text_; }

 private:
  static constexpr std::size_t shown = 3;
  std::size_t count_ = 0;
  std::string text_;
};

bool equal_rows(const ExactMatrix& matrix, std::size_t a, std::size_t b) {
  if (!std::ranges::equal(matrix.image_row(a), matrix.image_row(b))) return false;
  if (matrix.image_is_exact()) return true;
  for (std::size_t c = 0; c < matrix.columns(); ++c)
    if (matrix.at(a, c) != matrix.at(b, c)) return false;
  return true;
}

bool is_zero_row(const ExactMatrix& matrix, std::size_t row) {
  if (!std::ranges::all_of(matrix.image_row(row), [](double entry) { return entry == 0; })) return false;
  if (matrix.image_is_exact()) return true;
  for (std::size_t c = 0; c < matrix.columns(); ++c)
    if (!matrix.at(row, c).is_zero()) return false;
  return true;
}

/// 0, 1, …, count - 1 with equal ones beside each other, those of smaller index first.
template <class Before>
std::vector<std::size_t> sorted_indices(std::size_t count, Before before) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, before);
  return order;
}

void see_equal_tokens(const ExactMatrix& tokens, std::size_t sample, Places& places) {
  const auto order = sorted_indices(tokens.rows(), [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(tokens.image_row(a), tokens.image_row(b));
  });
  for (std::size_t k = 1; k < order.size(); ++k)
    if (equal_rows(tokens, order[k - 1], order[k]))
      places.add(fmt::format("tokens {} and {} of sample {}", order[k - 1], order[k], sample));
}

/// Keys W x that agree although their tokens differ.
void see_equal_keys(const Problem& problem, std::vector<Remark>& remarks) {
  const std::size_t d = problem.dimension();
  std::size_t products = 0;
  for (const ExactMatrix& tokens : problem.tokens) products += tokens.rows() * d * d;
  if (!problem.W || products > most_key_products) return;
  Places places;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    std::vector<std::vector<Rational>> keys;
    for (std::size_t t = 0; t < problem.token_count(i); ++t) keys.push_back(exact_key(problem, i, t));
    const auto order = sorted_indices(keys.size(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    for (std::size_t k = 1; k < order.size(); ++k)
      if (keys[order[k - 1]] == keys[order[k]] && !equal_rows(problem.tokens[i], order[k - 1], order[k]))
        places.add(fmt::format("tokens {} and {} of sample {}", order[k - 1], order[k], i));
  }
  if (!places.none())
    remarks.push_back(
        {Level::warning, "W gives different tokens the same key: " + places.text() + "; a selection of either has no feasible p-SVM"});
}

void look_at_tokens(const Problem& problem, std::vector<Remark>& remarks) {
  Places equal, zero, lone;
  for (std::size_t i = 0; i < problem.sample_count(); ++i) {
    const ExactMatrix& tokens = problem.tokens[i];
    see_equal_tokens(tokens, i, equal);
    for (std::size_t t = 0; t < tokens.rows(); ++t)
      if (is_zero_row(tokens, t)) zero.add(fmt::format("token {} of sample {}", t, i));
    if (tokens.rows() == 1) lone.add(fmt::format("sample {}", i));
  }
  if (!equal.none())
    remarks.push_back(
        {Level::warning, "equal tokens: " + equal.text() + "; no p tells them apart, so a selection of either has no feasible p-SVM"});
  if (!zero.none()) remarks.push_back({Level::note, "tokens of zeros: " + zero.text()});
  if (!lone.none()) remarks.push_back({Level::note, "samples with one token: " + lone.text() + "; they say nothing about p"});
}

bool same_tokens(const Problem& problem, std::size_t a, std::size_t b) { return problem.tokens[a] == problem.tokens[b]; }

void look_at_samples(const Problem& problem, std::vector<Remark>& remarks) {
  const auto order = sorted_indices(problem.sample_count(), [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(problem.tokens[a].image(), problem.tokens[b].image());
  });
  Places twice, contrary;
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (!same_tokens(problem, order[k - 1], order[k])) continue;
    const bool agree = problem.labels[order[k - 1]] == problem.labels[order[k]];
    (agree ? twice : contrary).add(fmt::format("samples {} and {}", order[k - 1], order[k]));
  }
  if (!twice.none()) remarks.push_back({Level::note, "equal samples: " + twice.text()});
  if (!contrary.none()) remarks.push_back({Level::warning, "the same tokens with different labels: " + contrary.text()});
}

void look_at_labels(const Problem& problem, std::vector<Remark>& remarks) {
  const int first = problem.labels.front();
  if (problem.sample_count() > 1 && std::ranges::all_of(problem.labels, [&](int label) { return label == first; }))
    remarks.push_back({Level::note, fmt::format("all labels are {}", first)});
}

void look_at_scales(const Problem& problem, std::vector<Remark>& remarks) {
  double least = INFINITY;
  double largest = 0;
  for (const ExactMatrix& tokens : problem.tokens)
    for (std::size_t t = 0; t < tokens.rows(); ++t) {
      double norm = 0;
      for (const double entry : tokens.image_row(t)) norm = std::hypot(norm, entry);
      if (!(norm > 0)) continue;
      least = std::min(least, norm);
      largest = std::max(largest, norm);
    }
  if (largest > far_apart * least)
    remarks.push_back(
        {Level::warning, fmt::format("the tokens' norms go from {:.3g} to {:.3g}: the step 1/L_p is made for the longest and hardly "
                                     "moves what the shortest decide; scale the data",
                                     least, largest)});
}

void look_at_weights(const Problem& problem, std::vector<Remark>& remarks) {
  if (problem.v && is_zero_row(*problem.v, 0)) remarks.push_back({Level::warning, "v is 0: every score is 0, so all tokens tie"});
  if (!problem.queries) return;
  Places zero;
  for (std::size_t i = 0; i < problem.sample_count(); ++i)
    if (problem.token_count(i) > 1 && is_zero_row(*problem.queries, i)) zero.add(fmt::format("sample {}", i));
  if (!zero.none())
    remarks.push_back({Level::warning, "queries of zeros: " + zero.text() + "; their rows of the W-SVM are 0, so it is infeasible"});
}

}  // namespace

std::vector<Remark> check_sanity(const Problem& problem) {
  std::vector<Remark> remarks;
  look_at_tokens(problem, remarks);
  see_equal_keys(problem, remarks);
  look_at_samples(problem, remarks);
  look_at_labels(problem, remarks);
  look_at_scales(problem, remarks);
  look_at_weights(problem, remarks);
  std::ranges::stable_sort(remarks, [](const Remark& a, const Remark& b) { return a.level > b.level; });
  return remarks;
}

std::string compare_with_relevant(const Problem& problem, const Selection& relevant, const std::optional<Selection>& reached_from_zero) {
  const Scores scores = exact_scores(problem);
  const Selection best = best_selection(scores);
  Places others;
  std::size_t met = 0;
  for (std::size_t i = 0; i < relevant.size(); ++i)
    if (scores[i][relevant[i]] == scores[i][best[i]])
      ++met;
    else
      others.add(fmt::format("sample {} (token {} scores more than yours, {})", i, best[i], relevant[i]));
  std::string text = fmt::format("theory selects your token in {} of {} samples", met, relevant.size());
  if (reached_from_zero) {
    std::size_t reached = 0;
    for (std::size_t i = 0; i < relevant.size(); ++i) reached += (*reached_from_zero)[i] == relevant[i] ? 1 : 0;
    text += fmt::format(", descent from 0 in {}", reached);
  }
  return text + (others.none() ? "" : "; theory not in " + others.text());
}

}  // namespace attest

#pragma once

#include "attest/base/progress.hpp"
#include "attest/certificate/census_kind.hpp"
#include "attest/model/svm_program.hpp"

#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace attest {

/// The tokens that some samples are given.
using PartialSelection = std::vector<std::optional<std::size_t>>;

/// k_i,upper - k_i,lower
struct KeyDifference {
  std::size_t sample;
  std::size_t upper;
  std::size_t lower;
  bool operator==(const KeyDifference&) const = default;
};

/// Whether the rule of conflicts holds, exactly: no selection with these pairs is locally optimal (docs/certificate.md, 4.8).
bool excludes(const certified::Conflict& conflict, const ExactTokens& tokens, const Scores& scores);

/// What a conflict may be made of, in doubles.
struct ConflictGuess {
  bool closes = false;  ///< it looks like a conflict
  bool ranked = true;   ///< false: no point seems to give every generator a positive product, so that there is no such conflict
  std::vector<KeyDifference> generators;  ///< those that the point rests on, or that cannot be ranked
  std::vector<double> multipliers;        ///< of the generators
  std::vector<KeyDifference> rows;
  std::vector<double> weights;  ///< of the rows
  std::vector<double> centre;
};

/// Looks for conflicts with a centre: the quadratic program max sum lambda - |c|^2 over lambda >= 0 on the rows of the assigned samples and
/// c with g.(2c - sum lambda a) >= 1 for every generator g. Generators are the rows that may be tight where a selection is locally optimal:
/// of an assigned sample those against tokens that score less, of any other all differences along which the score rises.
class ConflictSearch {
 public:
  ConflictSearch(const ExactTokens& tokens, const Scores& scores, const Budget& budget);

  /// `start` is the guess of a similar partial selection.
  ConflictGuess guess(const PartialSelection& chosen, const ConflictGuess& start) const;
  /// The guess in short numbers, if the rule then holds exactly.
  std::optional<certified::Conflict> conflict(const PartialSelection& chosen, const ConflictGuess& guess) const;

 private:
  /// The difference of a sample with the least product with a point.
  struct Least {
    double value = std::numeric_limits<double>::infinity();
    KeyDifference difference{};
  };

  std::span<const double> key(std::size_t sample, std::size_t token) const {
    return std::span(keys_[sample]).subspan(token * dimension_, dimension_);
  }
  std::vector<double> vector_of(const KeyDifference& difference) const;
  std::vector<double> logits(std::size_t sample, const std::vector<double>& point) const;
  Least least_generator(std::size_t sample, std::optional<std::size_t> chosen, const std::vector<double>& point) const;
  Least least_row(std::size_t sample, std::size_t chosen, const std::vector<double>& point) const;
  double least_generator(const PartialSelection& chosen, const std::vector<double>& point) const;
  bool is_generator(const PartialSelection& chosen, const KeyDifference& difference) const;
  bool solve(ConflictGuess& guess) const;
  bool extend(ConflictGuess& guess, const PartialSelection& chosen, const std::vector<double>& point) const;
  std::vector<double> point_of(const ConflictGuess& guess) const;
  ConflictGuess rounded(const PartialSelection& chosen, const ConflictGuess& guess, int bits) const;
  std::optional<certified::Conflict> written(const PartialSelection& chosen, const ConflictGuess& guess, bool has_centre) const;

  const ExactTokens& tokens_;
  const Scores& scores_;
  const Budget& budget_;
  std::size_t dimension_;
  int exponent_ = 0;                              // keys_ are the keys times 2^-exponent_: their largest entry is about 1
  std::vector<std::vector<double>> keys_;         // by sample, token after token
  std::vector<std::vector<std::size_t>> level_;   // by sample and token: how many distinct scores are less
  std::vector<std::vector<std::size_t>> ascent_;  // by sample: its tokens by level
};

}  // namespace attest

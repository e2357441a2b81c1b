#pragma once

#include "attest/base/rational.hpp"
#include "attest/base/verdict.hpp"
#include "attest/model/head.hpp"
#include "attest/model/rational_interval.hpp"
#include "attest/model/selection.hpp"
#include "attest/model/training_run.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attest {

/// What a parameter of a claim may be.
enum class ParameterKind {
  selection,   ///< [0, 2]: one token index a sample
  rational,    ///< a number
  positive,    ///< a number above 0
  above_one,   ///< a number above 1
  count,       ///< a whole number from 1 to 10^12
  interval,    ///< [low, high] with low <= high
  choice,      ///< one of the listed words
  flag,        ///< true or false
  point,       ///< a vector of d numbers, or a list of one; kept as a list
  points,      ///< a non-empty list of vectors of d numbers
  matrices,    ///< a non-empty list of d x d matrices, each by rows
  selections,  ///< a non-empty list of selections
  head,        ///< a prediction head
  whole,       ///< a whole number from 0 to 10^12
  rows,        ///< a list of tokens [i, t], rows of an SVM
  samples,     ///< a list of samples [i], rows of the v-SVM
  run,         ///< {"file": "run.npz"}: a training run
};

struct ParameterSpec {
  std::string_view name;
  ParameterKind kind;
  bool required = false;
  std::string_view about;                 ///< one line for `attest claims NAME`
  std::vector<std::string_view> choices;  ///< of a choice
  std::string_view fallback = {};         ///< what is taken when it is not given, in words
};

/// A part of the data that a claim needs, unless the named parameter is given.
struct Need {
  std::string_view field;  ///< "v"
  std::string_view unless;
};

/// A list that has one entry for each entry of another.
struct PairedLists {
  std::string_view list;  ///< of selections
  std::string_view with;  ///< of points
};

/// What the case reader must know of a claim to read it strictly.
struct ClaimSchema {
  std::string_view name;
  std::vector<ParameterSpec> parameters;
  std::vector<Need> needs;
  std::optional<PairedLists> paired = {};
};

/// Rows of an SVM by name: [i, t], or [i] of the v-SVM.
using RowNames = std::vector<std::vector<std::size_t>>;
using RationalPoint = std::vector<Rational>;  ///< of a matrix: its rows, one after the other
using ParameterValue = std::variant<Selection, Rational, std::int64_t, RationalInterval, std::string, bool, std::vector<RationalPoint>,
                                    std::vector<Selection>, Head, TrainingRun>;

/// One entry of a case's `claims`.
struct ClaimRequest {
  std::string claim;
  std::map<std::string, ParameterValue, std::less<>> parameters;
  Verdict expect = Verdict::holds;
  Grade grade = Grade::observed;  ///< the least grade that satisfies the case

  /// The parameter if it was given.
  template <class Value>
  const Value* find(std::string_view name) const {
    const auto entry = parameters.find(name);
    return entry == parameters.end() ? nullptr : &std::get<Value>(entry->second);
  }
};

}  // namespace attest

#pragma once

#include "attest/claims/evidence.hpp"
#include "attest/model/selection.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// A selection that runs of descent go to.
struct ReachedSelection {
  Selection selection;
  std::size_t runs = 0;
  std::size_t proved = 0;  ///< of these, runs whose limit is proved

  Grade grade() const { return proved == runs ? Grade::proved : Grade::observed; }
};

/// The direction error that training shows at a norm: along the regularisation path, of a run, and at most by the proved rate.
struct ExpectedError {
  double norm;
  std::optional<double> path_error = {};
  std::optional<double> seen_error = {};
  std::optional<double> bound = {};

  void write(Fields& out) const { out("norm", norm)("path_error", path_error)("seen_error", seen_error)("bound", bound); }
};

/// A run's direction error is proved to be at most constant/norm from a norm on.
struct ProvedRate {
  double constant;
  double from_norm;

  /// At that norm; none below from_norm, or where it is more than any direction error.
  std::optional<double> bound_at(double norm) const;
  void write(Fields& out) const { out("constant", constant)("from_norm", from_norm); }
};

/// Where descent goes from starts of one norm.
struct Destinations {
  double radius = 0;  ///< 0: one start, the origin
  std::size_t starts = 0;
  std::vector<ReachedSelection> reached = {};  ///< most runs first
  std::size_t undecided = 0;                   ///< runs that are assigned to no selection
  std::string why_undecided = {};              ///< of the first
  std::vector<ExpectedError> expected = {};    ///< on the way to the first of `reached`
  std::optional<ProvedRate> rate = {};         ///< of the first run, where it goes there
};

/// What shows a limit of a run.
struct RunProof {
  std::string_view by;
  std::size_t from_iterate;
  std::optional<double> rate_constant;
};

/// A run among the numbers of the claim.
struct TravelledRun {
  std::optional<Selection> selection;  ///< none: undecided
  double norm;
  std::int64_t iterations;
  std::optional<RunProof> proof;

  void write(Fields& out) const;
};

/// The numbers of the claim destinations.
struct DestinationNumbers {
  std::string_view method;
  double step;
  Destinations found;
  double best_share;  ///< of the starts, to the largest scores
  std::vector<TravelledRun> runs;

  void write(Fields& out) const;
};

}  // namespace attest

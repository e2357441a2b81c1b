#pragma once

#include "attest/claims/claim.hpp"
#include "attest/solve/path.hpp"
#include "path_limit.hpp"
#include "path_theorem.hpp"

namespace attest {

/// A path with what it says of the direction that the theory gives.
struct ObservedPath {
  Path path;
  double direction_error = 0;       ///< of the last point
  double secant_error = 0;          ///< of the last secant
  std::optional<double> rate = {};  ///< slope of log error over log R, over the last radii
  bool degenerate = false;          ///< a tight row has multiplier 0: errors then fall like log(R)/R
  bool selects = false;             ///< at the last radius the selection's tokens have the largest logits

  bool falls_at_rate() const;
};

/// Half the opening of the cone of a local path, as 1 - cosine: narrow enough that rows which are not tight stay behind.
inline constexpr double local_cone_mu = 0.02;

/// Follows the path that the theorem speaks of to the claim's radius, 2^20 by default.
ObservedPath observe_path(const ClaimContext& context, const PathTheorem& theorem);

/// The path's minimiser at one norm, found near a direction; none when it is not verified.
std::optional<Eigen::VectorXd> path_point_at(const ClaimContext& context, const Selection& selection, const Eigen::VectorXd& near,
                                             bool local, double norm, Parametrisation parametrisation = Parametrisation::prompt);

/// A point of a path among a claim's numbers.
struct PathPointNumbers {
  PathPoint point;
  double direction_error;
  std::optional<double> objective_ratio = {};  ///< of a path over K and Q alone; absent elsewhere

  void write(Fields& out) const;
};
std::vector<PathPointNumbers> point_numbers(const Path& path, const Eigen::VectorXd& p_mm);

/// Where the path is not as theory says: the first point that is not verified, or why it ended. A local path may begin late.
std::string path_trouble(const Path& path, bool local);

/// A followed path as path and w-path report it.
struct PathNumbers {
  ObservedPath observed;
  Eigen::VectorXd p_mm;
  bool cone;  ///< of the local theorem
  std::optional<PathLimit> limit = {};

  void write(Fields& out) const;
  static std::vector<NumberSpec> specs();
};

/// RP-global or RP-local [MM; TS], for p or for W.
struct CheckedPath {
  Finding finding = {};                     ///< all but its evidence, which is each claim's own
  std::optional<PathNumbers> numbers = {};  ///< none where the theorem does not apply
};
CheckedPath check_path(const ClaimContext& context, Parametrisation parametrisation);

}  // namespace attest

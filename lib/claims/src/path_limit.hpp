#pragma once

#include "attest/exact/path_envelope.hpp"
#include "attest/solve/path.hpp"
#include "path_theorem.hpp"

#include <optional>
#include <vector>

namespace attest {

/// What is proved of every minimiser from a radius on, as claims report it.
struct PathLimit {
  certified::PathEnvelope envelope;

  /// Bounds at its entries' radii.
  struct Entry {
    double radius;
    double bound;
    double sqrt_bound;
    std::optional<double> rate;

    void write(Fields& out) const { out("radius", radius)("bound", bound)("sqrt_bound", sqrt_bound)("rate", rate); }
  };
  std::vector<Entry> entries() const;

  struct Cone {
    double radius;
    double opening;

    void write(Fields& out) const { out("radius", radius)("opening", opening); }
  };
  std::optional<Cone> cone() const;

  /// "every minimiser from R = 32 on …"
  std::string words() const;
};

/// Proves the limit of the path of a theorem that applies, with the points that were found as witnesses; none where no proof closes or the
/// time is up. [docs/theory.md, Theorems P, Q and C]
std::optional<PathLimit> prove_path_limit(const ClaimContext& context, const PathTheorem& theorem, const Path& path);

/// The finding with its conclusion proved: what was followed may be too short, but must not contradict it.
Finding with_limit(Finding observed, const PathLimit& limit, const Path& path, const Eigen::VectorXd& p_mm);

}  // namespace attest

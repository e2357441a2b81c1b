#pragma once

#include "attest/certificate/kind_parts.hpp"
#include "attest/model/parametrisation.hpp"

#include <optional>
#include <vector>

/// Limits of descent, and its first step.
namespace attest::certified {

// 4.20 to 4.23

enum class Method { constant, normalised, flow };

struct DescentRun {
  Parametrisation over;
  Selection selection;
  Method method;
  std::optional<std::vector<Rational>> start;  ///< W by rows; empty: 0; nothing: every start
  Rational step;                               ///< of flow the length of a piece, written where there is one
  std::size_t iterations;
  Multipliers lambda;
  LossBlock loss;
  std::size_t bits;
};
struct DescentBasin {
  DescentRun run;
};
struct DescentCone {
  DescentRun run;
  Rational rate;
  Rational rho;
  Rational spectral;  ///< not written for flow
};
struct DescentWedge {
  DescentRun run;
  Rational delta;
};

// 4.30

struct FirstStep {
  Parametrisation over;
  std::size_t dimension;
  Selection selection;
  std::vector<Rational> start;
};
struct NotFirstStep {
  Parametrisation over;
  std::size_t dimension;
  Selection selection;
  std::vector<Rational> start;
  RowName row;
  bool at_origin;  ///< by rational arithmetic at 0, or by an enclosure
};

}  // namespace attest::certified

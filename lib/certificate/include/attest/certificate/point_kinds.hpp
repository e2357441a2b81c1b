#pragma once

#include "attest/certificate/kind_parts.hpp"
#include "attest/model/parametrisation.hpp"

#include <variant>
#include <vector>

/// Where the loss is stationary, and how long a vector must be that is sparse.
namespace attest::certified {

// 4.27: matrices are vectors, by rows

struct NoStationaryPoint {
  struct ByDirection {
    std::vector<Rational> u;
  };
  struct ByQuery {
    std::vector<Rational> q;
  };
  struct ByRank {};
  Parametrisation over;
  std::size_t dimension;
  LossBlock loss;
  std::variant<ByDirection, ByQuery, ByRank> by;
};
struct StationaryPoint {
  struct ByOrigin {};
  struct ByKrawczyk {
    std::vector<std::vector<Rational>> basis;  ///< its columns
    std::vector<Rational> radius;
    std::vector<std::vector<Rational>> inverse;  ///< by rows
  };
  Parametrisation over;
  std::vector<Rational> centre;
  std::variant<ByOrigin, ByKrawczyk> by;
};

// 4.28

struct SparsityNorm {
  Parametrisation over;
  Selection selection;
  Rational epsilon;
  Rational lower;
  Rational upper;
  Multipliers weights;
  Coefficients point;
};
struct SparsityInfeasible {
  Parametrisation over;
  Selection selection;
  Rational epsilon;
  Multipliers weights;
};

}  // namespace attest::certified

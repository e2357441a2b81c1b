#pragma once

#include "attest/certificate/kind_parts.hpp"
#include "attest/certificate/selection_tree.hpp"

#include <variant>
#include <vector>

/// Assumption B.
namespace attest::certified {

// 4.9, 4.10

enum class Over { all, support };

struct AssumptionB {
  struct Cell {
    Rational upto;
    SelectionTree tree;
  };
  struct SampleCells {
    std::size_t sample;
    std::vector<Cell> cells;
  };
  struct CoveredRow {
    RowName row;
    Multipliers lambda;
  };
  Selection selection;
  Over over;
  Rational nu;
  Rational gamma_squared;
  Solution v;
  std::vector<Multipliers> weights;  ///< by sample
  std::vector<SampleCells> samples;
  std::vector<CoveredRow> cover;  ///< absent from the file when empty
};
struct AssumptionBRefuted {
  struct ByLimit {
    std::vector<Rational> p;
    std::vector<Rational> u;
  };
  struct BySoftRow {
    std::vector<Rational> p;
  };
  struct ByWeightless {
    std::vector<Rational> p;
    std::size_t sample;
    std::vector<Rational> y;
  };
  struct ByPoint {
    std::vector<Rational> p;
    std::vector<Rational> u;
  };
  Selection selection;
  Over over;
  Solution v;
  std::variant<ByLimit, BySoftRow, ByWeightless, ByPoint> by;
};

}  // namespace attest::certified

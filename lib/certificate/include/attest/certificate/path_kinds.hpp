#pragma once

#include "attest/certificate/assumption_b_kinds.hpp"
#include "attest/certificate/svm_kinds.hpp"

#include <optional>
#include <string>
#include <vector>

/// Envelopes of regularisation paths.
namespace attest::certified {

// 4.24 to 4.26

struct PathEnvelope {
  struct Cone {
    Rational radius;
    Rational opening;
  };
  struct Entry {
    Rational radius;
    Rational square;
    std::optional<Rational> rate;
  };
  struct Stage {
    Coefficients shift;
    Rational reach;
    Slopes slopes;
    std::optional<Rational> floor;  ///< in a cone alone
  };
  struct Shown {
    Stage stage;
    std::optional<Stage> first;  ///< in a cone alone: what the floor rests on
  };
  SvmProgram::Kind program;  ///< p or w
  Selection selection;
  std::optional<Cone> cone;
  std::vector<Entry> envelope;
  Multipliers lambda;
  LossBlock loss;
  std::vector<Shown> entries;  ///< one for each of `envelope`
};
struct PathRatio {
  NuclearBracket bracket;
  Rational radius;
  Rational offset;
  LossBlock loss;
  Rational reach;
  Slopes slopes;
};
struct JointEnvelope {
  AssumptionB b;  ///< over all samples
  Rational head_radius;
  Rational radius;
  Rational theta;
  Rational c;
  Rational head_theta;
  Rational head_c;
  Multipliers lambda;
  Multipliers weights;                         ///< by sample
  std::optional<std::vector<Rational>> shift;  ///< of the second pass
};

// 4.29

/// c_lo and c_hi of each sample, none for one token, and what shows them.
struct HeadSlopes {
  std::vector<std::optional<RationalInterval>> bounds;
  std::vector<std::vector<Rational>> cuts;
};
struct HeadBounds {
  Selection selection;
  std::string head;
  HeadSlopes slopes;
};
struct HeadEnvelope {
  struct Entry {
    Rational radius;
    Rational square;
    Coefficients shift;
    Rational reach;
    std::vector<std::optional<RationalInterval>> slopes;  ///< of the loss near the selected tokens, mu_i and M_i
    HeadSlopes near;
  };
  Selection selection;
  std::string head;
  Multipliers lambda;
  LossBlock loss;
  HeadSlopes slopes;
  std::vector<Entry> entries;
};

}  // namespace attest::certified

#pragma once

#include <string_view>
#include <vector>

#include "rational.hpp"

namespace attest::check {

enum class Operation {
  // push a value
  number,
  argument,
  // change the topmost value
  negate,
  power,
  exp,
  log,
  log1p,
  tanh,
  sqrt,
  softplus,  ///< log1p(exp f), log(1 + exp f) or log(exp f + 1), which §3 takes as one function of f
  // join the two topmost values
  add,
  subtract,
  multiply,
  divide,
};

struct Instruction {
  Operation operation;
  Rational number = 0;  ///< of Operation::number
  int exponent = 0;     ///< of Operation::power
};

/// An expression of §3 as postfix code: a long chain of terms then costs no recursion.
using Code = std::vector<Instruction>;

/// Reads the grammar of §3; throws Rejected.
Code parse_expression(std::string_view text);

}  // namespace attest::check

#pragma once

#include "attest/model/problem.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace attest {

/// How tokens are drawn. Labels are 1 or -1 with equal chance and v is a random unit vector, unless they come from a file.
enum class TokenLaw {
  sphere,      ///< uniform on the unit sphere
  gaussian,    ///< standard normal
  planted,     ///< one token of each sample, at a random place, is Y_i v; to all tokens noise g / sqrt(d) is added, g standard normal
  orthogonal,  ///< all tokens of all samples orthonormal; needs d >= n T
  file,        ///< samples and tokens of given data, drawn without replacement
};
std::span<const std::string_view> token_law_names();
std::optional<TokenLaw> token_law(std::string_view name);
std::string_view name_of(TokenLaw law);

/// The size of a data set, and how noisy it is.
struct EnsemblePoint {
  std::size_t n = 1;
  std::size_t T = 1;
  std::size_t d = 1;
  double noise = 0;
};

/// A data set of the law, with the logistic loss. The same seed gives the same one, on every machine whose elementary functions round
/// alike. `source` are the data of the law `file`: at least n samples with at least T tokens each, of dimension d.
Problem draw_problem(TokenLaw law, const EnsemblePoint& point, std::uint64_t seed, const Problem* source = nullptr);

}  // namespace attest
